// SPDX-License-Identifier: Apache-2.0
// How many bytes of the window the framer takes: up to where a piece ends that begins at the
// pointer. Which piece follows from the mode, never from what the bytes turn out to be. No
// registers.
`default_nettype none

module wc_tcp_framer_take
  import wc_pkg::*;
  import wc_tcp_framer_pkg::*;
(
  input  wire mode_e       mode_i,
  input  wire logic        spells_i,  // Name: letters of it follow
  input  wire logic        ninth_i,   // of which only those up to `base` have room
  input  wire spot_t       base_i,
  input  wire logic        skips_i,   // Name: a byte that is passed by
  input  wire logic        text_i,    // Words: in a word that is no number
  input  wire logic        any_i,     // no word counts any more
  input  wire logic        front_i,   // Front: there is something in front
  input  wire logic        near_i,    // what is counted ends in this word, with byte `spot`
  input  wire spot_t       spot_i,
  input  wire logic        some_i,
  input  wire spot_t       at_i,
  input  wire pieces_t     pieces_i,
  input  wire logic [3:0]  count_i,   // bytes of the word
  output logic             hit_o,     // what is counted ends
  output logic             stop_o,    // Words: a stop is taken
  output end_t             end_o
);

  end_t counted, line, name, word, one;
  logic whole, reaches;
  logic [3:0] behind;

  assign behind = 4'(spot_i) + 4'd1;
  assign reaches = near_i && behind <= count_i;
  assign hit_o = some_i && reaches;
  assign whole = text_i || pieces_i.short_word;
  assign stop_o = some_i && whole && pieces_i.stop != StopNone;

  always_comb begin
    counted = '{all: !reaches || behind == count_i, lane: behind[2:0]};
    line = '{all: pieces_i.line == '0, lane: pieces_i.line};
    one = '{all: pieces_i.single, lane: at_i + 3'd1};
    word = '{all: pieces_i.stop_last, lane: pieces_i.stop_at + 3'd1};
    name = '{all: pieces_i.name == '0, lane: pieces_i.name};
    if (ninth_i) name = '{all: 1'b0, lane: base_i};
    if (!whole) word = one;
  end

  always_comb begin
    end_o = '{all: 1'b0, lane: at_i};
    if (some_i) begin
      unique case (mode_i)
        Name:  if (spells_i) end_o = name;
               else if (skips_i) end_o = one;
        Named: end_o = '{all: pieces_i.stop == StopNone, lane: pieces_i.stop_at};
        Rest:  end_o = line;
        Words: end_o = any_i ? line : word;
        Value, Skip, Header: end_o = counted;
        Front: if (front_i) end_o = one;
        Closed: end_o = '{all: 1'b1, lane: '0};
        default: ;
      endcase
    end
  end

endmodule

`default_nettype wire
