// SPDX-License-Identifier: Apache-2.0
// Holds the replies that need no request pipeline, those to ARP and to ICMP echo, until they are
// sent. The words of an echo wait in a buffer, with type and checksum already turned into those of
// a reply. A reply is written while its request comes in; then the verdict on the frame keeps or
// forgets the whole of it.
// Latency from commit to reply 1; one word per cycle. A reply or a word that finds no room is lost,
// and overflow_o is high from then to the next begin_i.
`include "wc_assert.svh"
`default_nettype none

module wc_local #(
  parameter int unsigned Words   = 512,
  parameter int unsigned Replies = 16
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               begin_i,
  input  wire logic               reply_valid_i,
  input  wire wc_net_pkg::reply_t reply_i,
  input  wire logic               word_valid_i,
  input  wire logic               word_first_i,
  input  wire wc_pkg::word_t      word_i,
  input  wire logic               commit_i,
  input  wire logic               abort_i,
  output logic                    overflow_o,
  output logic                    reply_valid_o,
  input  wire logic               reply_ready_i,
  output wc_net_pkg::reply_t      reply_o,
  output logic                    word_valid_o,
  input  wire logic               word_ready_i,
  output wc_pkg::word_t           word_o
);

  // Nothing in here waits for the end of a frame: a reply that finds no room is dropped. One that
  // is larger than the buffer would never find room.
  `WC_REQUIRE(words, Words >= wc_net_pkg::EchoWords,
              "wc_local: Words must hold the largest echo: 256 or more")

  logic reply_ready, word_ready;
  logic [16:0] raised;
  logic [15:0] sum;
  wc_pkg::word_t word;

  // Type 8 becomes 0: the sum of the fields falls by 0x0800, so the checksum rises by it, with the
  // carry coming round; when there is one, at most 7 is left below. In wire order 0x0800 is 8, but
  // ones' complement carries run round the two bytes just the same.
  assign raised = 17'(word_i[31:16]) + 17'd8;
  assign sum = {raised[15:4], raised[3:0] + 4'(raised[16])};
  assign word = word_first_i ? {word_i[63:32], sum, word_i[15:8], 8'd0} : word_i;

  wc_fifo_commit #(
    .data_t(wc_net_pkg::reply_t),
    .Depth (Replies)
  ) u_reply (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (reply_valid_i),
    .ready_o (reply_ready),
    .data_i  (reply_i),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (reply_valid_o),
    .ready_i (reply_ready_i),
    .data_o  (reply_o),
    .level_o ()
  );

  wc_fifo_commit #(
    .data_t(wc_pkg::word_t),
    .Depth (Words)
  ) u_words (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (word_valid_i),
    .ready_o (word_ready),
    .data_i  (word),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (word_valid_o),
    .ready_i (word_ready_i),
    .data_o  (word_o),
    .level_o ()
  );

  always_ff @(posedge clk_i) begin
    if (begin_i) overflow_o <= 1'b0;
    if ((reply_valid_i && !reply_ready) || (word_valid_i && !word_ready)) overflow_o <= 1'b1;
  end

endmodule

`default_nettype wire
