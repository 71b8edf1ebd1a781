// SPDX-License-Identifier: Apache-2.0
// Writes a key in base64, with " b" behind it, as memcached shows the key of an item that it got so.
// Three bytes become four characters in a cycle; a word of the key is taken when fewer are left. So
// three words of the key take 11 cycles, and become four words. Latency 3.
// What ready_i takes is a register; key_ready_o depends on registers and want_i alone.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_encode
  import wc_pkg::*;
(
  input  wire logic         clk_i,
  input  wire logic         rst_i,
  input  wire logic         want_i,       // a key is to be written: until its last word is taken
  input  wire logic [2:0]   key_low_i,    // of its length; stays as want_i does
  input  wire logic         key_valid_i,
  output logic              key_ready_o,
  input  wire beat_t        key_i,
  output logic              valid_o,
  input  wire logic         ready_i,
  output opaque_word_t      word_o
);

  localparam int unsigned GroupBytes = 3, GroupChars = 4;
  localparam int unsigned Kept = WordBytes + GroupBytes - 1;  // bytes, at most
  localparam logic [15:0] Suffix = {8'("b"), 8'(" ")};

  function automatic logic [7:0] char_of(logic [5:0] bits);
    if (bits < 6'd26) return 8'("A") + 8'(bits);
    if (bits < 6'd52) return 8'("a") + 8'(bits) - 8'd26;
    if (bits < 6'd62) return 8'("0") + 8'(bits) - 8'd52;
    return bits[0] ? 8'("/") : 8'("+");
  endfunction

  logic [Kept-1:0][7:0] kept_q;  // bytes of the key, the next one lowest; zeros behind them
  logic [3:0] count_q;           // how many
  logic whole_q;                 // three or more
  logic ended_q;                 // no more words come
  logic half_q;                  // there are four characters already
  logic [GroupChars-1:0][7:0] low_q, chars;
  logic load, room, group, suffix;
  logic [3:0] comes;             // bytes of the key's word

  assign room = !valid_o;
  assign key_ready_o = want_i && !ended_q && !whole_q;
  assign load = key_ready_o && key_valid_i;
  assign comes = key_i.last ? {key_low_i == '0, key_low_i} : 4'(WordBytes);
  assign group = room && (whole_q || (ended_q && count_q != '0));
  assign suffix = room && ended_q && count_q == '0;

  always_comb begin
    chars[0] = char_of(kept_q[0][7:2]);
    chars[1] = char_of({kept_q[0][1:0], kept_q[1][7:4]});
    chars[2] = whole_q || count_q[1] ? char_of({kept_q[1][3:0], kept_q[2][7:6]}) : 8'("=");
    chars[3] = whole_q ? char_of(kept_q[2][5:0]) : 8'("=");
  end

  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) begin
      valid_o <= 1'b0;
      if (word_o.last) ended_q <= 1'b0;
    end
    if (load) begin
      unique case (count_q[1:0])
        2'd0: kept_q <= {16'd0, key_i.data};
        2'd1: kept_q <= {8'd0, key_i.data, kept_q[0]};
        default: kept_q <= {key_i.data, kept_q[1:0]};
      endcase
      count_q <= count_q + comes;
      whole_q <= count_q + comes >= 4'(GroupBytes);
      ended_q <= key_i.last;
    end else if (group) begin
      kept_q <= {24'd0, kept_q[Kept-1:GroupBytes]};
      count_q <= whole_q ? count_q - 4'(GroupBytes) : '0;
      whole_q <= count_q >= 4'(2 * GroupBytes);
      low_q <= chars;
      half_q <= !half_q;
      valid_o <= half_q;
      word_o <= '{data: {chars, low_q}, bytes: 4'(WordBytes), last: 1'b0};
    end else if (suffix) begin
      half_q <= 1'b0;
      valid_o <= 1'b1;
      word_o <= '{data: half_q ? {16'd0, Suffix, low_q} : {48'd0, Suffix},
                  bytes: half_q ? 4'd6 : 4'd2, last: 1'b1};
    end
    if (rst_i) begin
      count_q <= '0;
      whole_q <= 1'b0;
      ended_q <= 1'b0;
      half_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(word, valid_o, ready_i, word_o)
  `WC_ASSERT(wanted_to_the_end, !valid_o || want_i)
  `WC_ASSERT(whole_when_whole, whole_q == (count_q >= 4'd3))
  `WC_ASSERT(few_are_kept, 32'(count_q) <= Kept)

endmodule

`default_nettype wire
