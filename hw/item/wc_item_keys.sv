// SPDX-License-Identifier: Apache-2.0
// Gives the words of keys to those who need them: the log's writer, the comparison, or both. Whom an
// operation's words go to is said as it enters, in the order of the words.
// Latency of a word 2 when the queues are empty. Throughput: a word a cycle. A full queue stalls the
// words; each of the two holds a whole key at least, so the writer may wait for the comparison of
// the very operation whose words it has.
`include "wc_assert.svh"
`default_nettype none

module wc_item_keys #(
  parameter int unsigned Operations   = 64,   // whose words have not all gone
  parameter int unsigned WriterWords  = 128,
  parameter int unsigned CompareWords = 512
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          goes_valid_i,  // only while there is room
  output logic               goes_room_o,
  input  wire logic          goes_writer_i,
  input  wire logic          goes_compare_i,
  input  wire logic          key_valid_i,
  output logic               key_ready_o,
  input  wire wc_pkg::beat_t key_i,
  output logic               writer_valid_o,
  input  wire logic          writer_ready_i,
  output wc_pkg::beat_t      writer_o,
  output logic               compare_valid_o,
  input  wire logic          compare_ready_i,
  output wc_pkg::beat_t      compare_o
);

  localparam int unsigned LongestKey =
      (wc_pkg::MaxKeyBytes + wc_pkg::WordBytes - 1) / wc_pkg::WordBytes;
  `WC_REQUIRE(writer_words, WriterWords >= LongestKey,
              "wc_item_keys: WriterWords must hold the longest key")
  `WC_REQUIRE(compare_words, CompareWords >= LongestKey,
              "wc_item_keys: CompareWords must hold the longest key")

  typedef struct packed {
    logic writer;
    logic compare;
  } goes_t;

  logic goes_valid, writer_room, compare_room, pass;
  goes_t goes;
  // That an operation enters is known late, and its words have time: it needs none until its bucket's
  // line is there.
  logic comes_valid_q;
  goes_t comes_q;

  always_ff @(posedge clk_i) begin
    comes_valid_q <= goes_valid_i && !rst_i;
    comes_q <= '{writer: goes_writer_i, compare: goes_compare_i};
  end

  wc_credit_fifo #(
    .data_t(goes_t),
    .Depth (Operations),
    .Slack (1)
  ) u_goes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (goes_room_o),
    .valid_i(comes_valid_q),
    .data_i (comes_q),
    .valid_o(goes_valid),
    .ready_i(pass && key_i.last),
    .data_o (goes)
  );

  assign key_ready_o = goes_valid && (!goes.writer || writer_room) &&
                       (!goes.compare || compare_room);
  assign pass = key_valid_i && key_ready_o;

  wc_fifo_wide #(
    .data_t(wc_pkg::beat_t),
    .Depth (WriterWords)
  ) u_writer (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(pass && goes.writer),
    .ready_o(writer_room),
    .data_i (key_i),
    .valid_o(writer_valid_o),
    .ready_i(writer_ready_i),
    .data_o (writer_o),
    .level_o()
  );

  wc_fifo_wide #(
    .data_t(wc_pkg::beat_t),
    .Depth (CompareWords)
  ) u_compare (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(pass && goes.compare),
    .ready_o(compare_room),
    .data_i (key_i),
    .valid_o(compare_valid_o),
    .ready_i(compare_ready_i),
    .data_o (compare_o),
    .level_o()
  );

  `WC_ASSERT(goes_somewhere, !goes_valid || goes.writer || goes.compare)

endmodule

`default_nettype wire
