// SPDX-License-Identifier: Apache-2.0
// wc_request_twice in front of who takes its operations and words.
`default_nettype none

module wc_request_twice_tb (
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire wc_pkg::request_t request_i,
  input  wire logic             key_valid_i,
  output logic                  key_ready_o,
  input  wire wc_pkg::beat_t    key_i,
  output logic                  hashed_valid_o,
  input  wire logic             hashed_ready_i,
  output wc_pkg::hashed_t       hashed_o,
  output logic                  key_valid_o,
  input  wire logic             key_ready_i,
  output wc_pkg::beat_t         key_o
);

  logic request_valid, request_ready, key_valid, key_ready;
  wc_pkg::request_t request;
  wc_pkg::beat_t key;

  wc_request_twice u_twice (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .request_valid_i(request_valid_i),
    .request_ready_o(request_ready_o),
    .request_i      (request_i),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready_o),
    .key_i          (key_i),
    .request_valid_o(request_valid),
    .request_ready_i(request_ready),
    .request_o      (request),
    .key_valid_o    (key_valid),
    .key_ready_i    (key_ready),
    .key_o          (key)
  );

  wc_hash u_hash (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .seed_i         (32'd0),
    .request_valid_i(request_valid),
    .request_ready_o(request_ready),
    .request_i      (request),
    .key_valid_i    (key_valid),
    .key_ready_o    (key_ready),
    .key_i          (key),
    .hashed_valid_o (hashed_valid_o),
    .hashed_ready_i (hashed_ready_i),
    .hashed_o       (hashed_o),
    .key_valid_o    (key_valid_o),
    .key_ready_i    (key_ready_i),
    .key_o          (key_o)
  );

endmodule

`default_nettype wire
