// SPDX-License-Identifier: Apache-2.0
// Keeps the item of the last operation that counted: its key, and what its header says. Operations that
// follow (wc_item_chain) are compared with it, so they need no memory. Their keys are as long as that of
// the operation that found the item, so as many words of the item's key are here as they have.
// What was stored has the same key and flags, another CAS number, of its own origin, and perhaps
// another expiry. Nobody asks for its time of last use.
// wc_item_count keeps the number.
// An operation that finds an item counts for more than 3 cycles behind its last word; one that follows
// begins when the one before it is done, and is done 4 cycles later at least.
// Latency from the last word 3 to same_o, which stays for two cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_item_kept
  import wc_pkg::*;
  import wc_item_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire seconds_t time_i,
  // words of keys, in the order of operations
  input  wire logic     word_valid_i,
  input  wire beat_t    word_i,
  input  wire logic     finds_i,  // of an operation that finds an item, and counts
  input  wire word_t    item_i,   // finds_i: the item's word, 1 cycle later
  output logic          same_o,   // all words of a key are those that are kept
  // the operation that counts is decided
  input  wire logic     found_valid_i,
  input  wire facts_t   found_i,  // what its item says
  input  wire logic     unread_i, // which memory did not tell
  input  wire logic     stored_valid_i,
  input  wire wc_log_pkg::verdict_t stored_i,  // what its header says then
  // what is kept
  output facts_t        kept_o,
  output logic          unread_o
);

  localparam int unsigned KeyWords = (MaxKeyBytes + WordBytes - 1) / WordBytes;
  typedef logic [$clog2(KeyWords)-1:0] place_t;

  // ---- the key ----------------------------------------------------------------------------------
  place_t place_q;  // of the next word
  logic write_q, compare_q, compare_q2, first_q, first_q2;
  place_t write_place_q;
  word_t own_q, kept;
  logic [WordWidth/4-1:0] same, same_q;

  wc_ram_sdp #(
    .Width(WordWidth),
    .Depth(2 ** $bits(place_t)),
    .Style("block")
  ) u_key (
    .clk_i  (clk_i),
    .we_i   (write_q),
    .waddr_i(write_place_q),
    .wdata_i(item_i),
    .re_i   (1'b1),
    .raddr_i(place_q),
    .rdata_o(kept)
  );

  for (genvar i = 0; i < WordWidth / 4; i++) begin : gen_same
    assign same[i] = own_q[4*i+:4] == kept[4*i+:4];
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_i) place_q <= word_i.last ? '0 : place_q + 1'b1;
    write_q <= word_valid_i && finds_i;
    write_place_q <= place_q;
    compare_q <= word_valid_i;
    first_q <= place_q == '0;
    own_q <= word_i.data;
    compare_q2 <= compare_q;
    first_q2 <= first_q;
    same_q <= same;
    if (compare_q2) same_o <= (first_q2 || same_o) && same_q == '1;
    if (rst_i) begin
      place_q <= '0;
      write_q <= 1'b0;
      compare_q <= 1'b0;
      compare_q2 <= 1'b0;
    end
  end

  // ---- the header -------------------------------------------------------------------------------
  facts_t item_q;
  logic unexpired_q;
  // Known late, and an operation that counts takes several cycles until its number is there.
  logic stored_q;
  wc_log_pkg::verdict_t header_q;

  always_comb begin
    kept_o = item_q;
    kept_o.unexpired = unexpired_q;
  end

  always_ff @(posedge clk_i) begin
    if (found_valid_i) begin
      item_q <= found_i;
      unread_o <= unread_i;
    end
    stored_q <= stored_valid_i && !rst_i;
    header_q <= stored_i;
    if (stored_q) begin
      item_q.cas <= header_q.cas;
      item_q.origin <= header_q.origin;
      item_q.expiry <= header_q.expiry;
    end
    unexpired_q <= item_q.expiry == '0 || item_q.expiry > time_i;
  end

endmodule

`default_nettype wire
