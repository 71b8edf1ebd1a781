// SPDX-License-Identifier: Apache-2.0
// Gives wc_item_bucket something to pass along, and the port names that the bench drives.
`default_nettype none

module wc_item_bucket_tb #(
  parameter int unsigned Ways = 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  input  wire wc_item_pkg::item_settings_t settings_i,
  input  wire logic                        hash_valid_i,
  output logic                             hash_ready_o,
  input  wire wc_pkg::hash_t               hash_i,
  output logic                             bucket_valid_o,
  input  wire logic                        bucket_ready_i,
  output logic [108:0]                     bucket_o  // hash as it passed along, tag, bucket
);

  wc_pkg::hash_t passed;
  wc_item_pkg::tag_t tag;
  wc_item_pkg::bucket_t bucket;

  assign bucket_o = {passed, tag, bucket};

  wc_item_bucket #(
    .Ways  (Ways),
    .data_t(wc_pkg::hash_t)
  ) u_dut (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .settings_i(settings_i),
    .valid_i   (hash_valid_i),
    .ready_o   (hash_ready_o),
    .hash_i    (hash_i),
    .data_i    (hash_i),
    .valid_o   (bucket_valid_o),
    .ready_i   (bucket_ready_i),
    .bucket_o  (bucket),
    .tag_o     (tag),
    .data_o    (passed)
  );

endmodule

`default_nettype wire
