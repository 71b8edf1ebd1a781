// SPDX-License-Identifier: Apache-2.0
// Makes of a cut what the state machines look at: how many bytes of the eight belong to the token,
// how it ends, and which of the known words it is.
// Latency 1, throughput 1 per cycle; cuts the paths between its two sides.
`include "wc_assert.svh"
`default_nettype none

module wc_request_decode
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
#(
  parameter int unsigned MaxKey     = wc_pkg::MaxKeyBytes,
  parameter bit          MadeValues = 1'b1,
  parameter bit          Meta       = 1'b1
) (
  input  wire logic   clk_i,
  input  wire logic   rst_i,
  input  wire logic   cut_valid_i,
  output logic        cut_ready_o,
  output logic        cut_room_o,  // cut_ready_o in a register of its own
  input  wire cut_t   cut_i,
  output logic        ascii_valid_o,   // piece_o is of an ASCII packet
  output logic        binary_valid_o,  // piece_o is of a binary packet
  input  wire logic   piece_taken_i,   // its state machine takes the piece
  output piece_t      piece_o
);

  localparam int unsigned LongestTail = MaxKey % wc_pkg::WordBytes;  // bytes behind its whole words

  // Where the first delimiter of four bytes is, and what it is. There is at least one.
  function automatic logic [1:0] first_place(input logic [3:0] delimiter);
    return {!delimiter[0] && !delimiter[1], !delimiter[0] && (delimiter[1] || !delimiter[2])};
  endfunction

  function automatic logic [1:0] first_ending(input logic [3:0] delimiter,
                                              input logic [3:0][1:0] endings);
    return delimiter[0] ? endings[0] : delimiter[1] ? endings[1]
           : delimiter[2] ? endings[2] : endings[3];
  endfunction

  function automatic logic [6:0] pair(input logic [3:0] tens, input logic [3:0] ones);
    return {tens, 3'b0} + {2'b0, tens, 1'b0} + {3'b0, ones};
  endfunction

  // Whether the token is this text of up to seven letters; or begins like a longer one, and fills
  // the cut.
  function automatic logic begins(input text_t known, input wc_pkg::word_t text,
                                  input logic [8:0] first);
    return (text & known.mask[0]) == known.letters[0]
           && first[known.bytes < 8 ? known.bytes : 8];
  endfunction

  // Whether the token goes on, behind its first eight bytes, like a longer text and ends.
  function automatic logic goes_on(input text_t known, input wc_pkg::word_t text,
                                   input logic [8:0] first);
    return known.bytes >= 8 && (text & known.mask[1]) == known.letters[1]
           && first[known.bytes < 8 ? 0 : known.bytes - 8];
  endfunction

  localparam text_t NoreplyText = text_of(name_t'("noreply"));
  localparam text_t ZeroText = text_of(name_t'("0"));

  // A function, so that a simulator works it out only for cuts.
  function automatic piece_t piece_of(input cut_t cut);
    piece_t piece;
    logic [8:0] first;  // the token ends before this byte; bit 8: not in the window
    logic [7:0] ended;  // bytes from the token's end on
    logic [7:0] mine;   // bytes of the token or field
    logic [7:0] digit;
    logic ninth;        // the byte behind the window may end the token
    logic low_ends;     // the token ends before the fifth byte
    logic [1:0] ending, low_ending, high_ending;
    wc_pkg::word_t text;

    text = cut.data;
    ninth = cut.delimiter[8] && cut.reach;
    // In two halves, as a chain over all eight bytes is deep.
    low_ends = |cut.delimiter[3:0];
    low_ending = first_ending(cut.delimiter[3:0], cut.ending[3:0]);
    high_ending = |cut.delimiter[7:4] ? first_ending(cut.delimiter[7:4], cut.ending[7:4])
                                      : {2{ninth}} & cut.ending[8];
    ending = low_ends ? low_ending : high_ending;
    ended = from_first(cut.delimiter[7:0]);
    first = {!ended[7], ended & ~(ended << 1)};
    mine = cut.counted ? ~8'(16'hffff << cut.count) : ~ended;

    piece.conn = cut.conn;
    piece.tcp = cut.tcp;
    piece.binary = cut.binary;
    piece.last = cut.last;
    piece.stop = cut.stop;
    piece.clean = cut.delimiter[0];
    piece.held = cut.held;
    // The end of the packet in the second word of the window gets a cut of its own.
    piece.more = !cut.stop && ((first[8] && !ninth) || ending == EndStop);
    piece.last_data = cut.delimiter[8];
    piece.eol = cut.eol;
    piece.nul = !cut.stop && ending == EndNul;
    piece.bytes = low_ends            ? {2'd0, first_place(cut.delimiter[3:0])} :
                  |cut.delimiter[7:4] ? {2'd1, first_place(cut.delimiter[7:4])} : 4'd8;
    if (cut.counted) piece.bytes = cut.count;
    piece.any = cut.counted ? cut.count != '0 : !cut.delimiter[0];
    piece.beyond = cut.counted ? cut.count > 4'(LongestTail)
                               : !(|cut.delimiter[LongestTail:0]);
    piece.in_first = cut.in_first;
    piece.in_extra = cut.in_extra;
    piece.in_key = cut.in_key;
    piece.in_value = cut.in_value;
    piece.tail = cut.tail;
    piece.last_key = cut.in_key && cut.last;
    piece.last_value = cut.in_value && cut.last;
    piece.crlf = 1'b0;
    // Of the bytes that end a line only CR is odd, and it does so before an LF only.
    for (int unsigned i = 0; i < 7; i++) begin
      if (cut.count == 4'(i)) piece.crlf = cut.ending[i] == EndLine && text[8*i];
    end
    piece.magic = text[7:0] == 8'h80;
    for (int unsigned i = 0; i < 8; i++) begin
      piece.data[8*i+:8] = mine[i] ? text[8*i+:8] : 8'h00;
      digit[i] = text[8*i+4+:4] == 4'h3 && text[8*i+:4] <= 4'd9;
    end

    for (int unsigned i = 0; i < Lines; i++) begin
      piece.name[i] = line_kept(LineTable[i], MadeValues, Meta) && begins(Texts[i], text, first);
      piece.rest[i] = line_kept(LineTable[i], MadeValues, Meta) && goes_on(Texts[i], text, first);
    end
    for (int unsigned i = 0; i < Flags; i++) begin
      piece.flag[i] = Meta && text[7:0] == FlagTable[i].letter;
    end
    piece.is_noreply = begins(NoreplyText, text, first);
    piece.is_zero = begins(ZeroText, text, first);
    piece.digits = &(digit | ~mine) && !cut.delimiter[0];
    piece.digits_behind = Meta && &(digit[7:1] | ~mine[7:1]) && !(|cut.delimiter[1:0]);
    piece.few_digits = &(digit[3:0] | ~mine[3:0]) && !cut.delimiter[0]
                       && |cut.delimiter[4:1];
    if (cut.delimiter[1]) begin
      piece.hundreds = '0;
      piece.below = {3'd0, text[3:0]};
    end else if (cut.delimiter[2]) begin
      piece.hundreds = '0;
      piece.below = pair(text[3:0], text[11:8]);
    end else if (cut.delimiter[3]) begin
      piece.hundreds = {3'd0, text[3:0]};
      piece.below = pair(text[11:8], text[19:16]);
    end else begin
      piece.hundreds = pair(text[3:0], text[11:8]);
      piece.below = pair(text[19:16], text[27:24]);
    end
    return piece;
  endfunction

  // A register slice with two copies of its ready: many bits of cut_o wait for cut_ready_o, the
  // cutter's loop for cut_room_o. There is a valid for each state machine.
  piece_t piece, spare_q;
  logic spare_valid_q, spare_valid_d;
  logic piece_valid, move, binary_d;

  always_comb begin
    piece = 'x;  // without a cut
    if (cut_valid_i) piece = piece_of(cut_i);
  end

  assign piece_valid = ascii_valid_o || binary_valid_o;
  assign move = piece_taken_i || !piece_valid;
  assign cut_ready_o = !spare_valid_q;
  assign spare_valid_d = !move && (spare_valid_q || cut_valid_i);
  assign binary_d = spare_valid_q ? spare_q.binary : cut_i.binary;

  always_ff @(posedge clk_i) begin
    if (move) begin
      ascii_valid_o <= (cut_valid_i || spare_valid_q) && !binary_d;
      binary_valid_o <= (cut_valid_i || spare_valid_q) && binary_d;
      piece_o <= spare_valid_q ? spare_q : piece;
    end
    if (cut_ready_o) spare_q <= piece;
    spare_valid_q <= spare_valid_d;
    cut_room_o <= !spare_valid_d;
    if (rst_i) begin
      ascii_valid_o <= 1'b0;
      binary_valid_o <= 1'b0;
      spare_valid_q <= 1'b0;
      cut_room_o <= 1'b1;
    end
  end

  `WC_ASSERT_STREAM(out, piece_valid, piece_taken_i, piece_o)
  `WC_ASSERT(one_machine, !(ascii_valid_o && binary_valid_o))
  `WC_ASSERT(one_ready, cut_ready_o == cut_room_o)

endmodule

`default_nettype wire
