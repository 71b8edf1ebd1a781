// SPDX-License-Identifier: Apache-2.0
// Both halves of the response; the bench stands in for the store between them.
`default_nettype none

module wc_response_tb #(
  parameter bit Meta             = 1'b1,
  parameter int unsigned ItemBits = 20
) (
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  input  wire wc_pkg::answer_limit_t answer_limit_i,
  input  wire wc_pkg::version_t version_i,
  output wc_pkg::watched_t       watched_o,  // with key_i
  output wc_pkg::answer_events_t events_o,
  input  wire logic             turn_valid_i,
  output logic                  turn_ready_o,
  input  wire wc_pkg::tcp_turn_t turn_i,
  input  wire logic             result_valid_i,
  output logic                  result_ready_o,
  input  wire wc_pkg::result_t  result_i,
  input  wire logic             key_valid_i,
  output logic                  key_ready_o,
  input  wire wc_pkg::beat_t    key_i,
  input  wire logic             opaque_valid_i,
  output logic                  opaque_ready_o,
  input  wire wc_pkg::opaque_word_t opaque_i,
  output logic                  sized_valid_o,
  input  wire logic             sized_ready_i,
  output wc_pkg::result_t       sized_o,
  output logic                  sized_key_valid_o,
  input  wire logic             sized_key_ready_i,
  output wc_pkg::beat_t         sized_key_o,
  output logic                  sized_opaque_valid_o,
  input  wire logic             sized_opaque_ready_i,
  output wc_pkg::opaque_word_t  sized_opaque_o,
  output logic                  message_valid_o,
  input  wire logic             message_ready_i,
  output wc_pkg::message_t      message_o,
  output wc_pkg::tcp_answered_t answered_o,
  input  wire logic             done_valid_i,
  output logic                  done_ready_o,
  input  wire wc_pkg::result_t  done_i,
  input  wire logic             done_key_valid_i,
  output logic                  done_key_ready_o,
  input  wire wc_pkg::beat_t    done_key_i,
  input  wire logic             done_opaque_valid_i,
  output logic                  done_opaque_ready_o,
  input  wire wc_pkg::opaque_word_t done_opaque_i,
  input  wire logic             value_valid_i,
  output logic                  value_ready_o,
  input  wire wc_pkg::beat_t    value_i,
  input  wire logic             value_error_i,
  output logic                  word_valid_o,
  input  wire logic             word_ready_i,
  output wc_pkg::word_t         word_o,
  output logic                  word_error_o
);

  wc_answer_size #(
    .ItemBits(ItemBits),
    .Meta    (Meta)
  ) u_size (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .answer_limit_i (answer_limit_i),
    .version_bytes_i(version_i.bytes),
    .turn_valid_i   (turn_valid_i),
    .turn_ready_o   (turn_ready_o),
    .turn_i         (turn_i),
    .result_valid_i (result_valid_i),
    .result_ready_o (result_ready_o),
    .result_i       (result_i),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready_o),
    .key_i          (key_i),
    .opaque_valid_i (opaque_valid_i),
    .opaque_ready_o (opaque_ready_o),
    .opaque_i       (opaque_i),
    .result_valid_o (sized_valid_o),
    .result_ready_i (sized_ready_i),
    .result_o       (sized_o),
    .key_valid_o    (sized_key_valid_o),
    .key_ready_i    (sized_key_ready_i),
    .key_o          (sized_key_o),
    .opaque_valid_o (sized_opaque_valid_o),
    .opaque_ready_i (sized_opaque_ready_i),
    .opaque_o       (sized_opaque_o),
    .message_valid_o(message_valid_o),
    .message_ready_i(message_ready_i),
    .message_o      (message_o),
    .answered_o     (answered_o),
    .level_o        (),
    .watched_o      (watched_o),
    .events_o       (events_o)
  );

  wc_answer #(
    .Meta(Meta)
  ) u_answer (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .version_i     (version_i),
    .result_valid_i(done_valid_i),
    .result_ready_o(done_ready_o),
    .result_i      (done_i),
    .key_valid_i   (done_key_valid_i),
    .key_ready_o   (done_key_ready_o),
    .key_i         (done_key_i),
    .opaque_valid_i(done_opaque_valid_i),
    .opaque_ready_o(done_opaque_ready_o),
    .opaque_i      (done_opaque_i),
    .value_valid_i (value_valid_i),
    .value_ready_o (value_ready_o),
    .value_i       (value_i),
    .value_error_i (value_error_i),
    .word_valid_o  (word_valid_o),
    .word_ready_i  (word_ready_i),
    .word_o        (word_o),
    .word_error_o  (word_error_o)
  );

endmodule

`default_nettype wire
