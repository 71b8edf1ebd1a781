// SPDX-License-Identifier: Apache-2.0
// Holds a word of a connection's bytes while the framer takes them piece by piece. The word stays
// where it is, and a pointer goes over it: where the piece that begins at each byte would end is
// worked out as the word comes, so all that is left to do is to pick what belongs to the pointer.
// Latency 2, a word each cycle if all of it is taken at once. Waits for who takes the bytes.
`default_nettype none

module wc_tcp_framer_window
  import wc_pkg::*;
  import wc_tcp_framer_pkg::*;
(
  input  wire logic   clk_i,
  input  wire logic   rst_i,
  input  wire logic   word_valid_i,
  output logic        word_ready_o,
  input  wire given_t word_i,

  input  wire logic   open_i,   // words may be shown; all of a segment's are, once it is
  input  wire logic   over_i,   // the segment has ended
  input  wire end_t   end_i,    // taken are the bytes from the pointer to here

  output logic        some_o,   // a byte is there
  output spot_t       at_o,     // the pointer; 0 if none is
  output spot_t       at_d_o,   // as it is next
  output pieces_t     pieces_o, // what begins at the pointer
  output logic [3:0]  count_o,  // bytes of the word
  output logic [WordBytes-1:0] spelt_o,  // letters from byte 0 up to this one
  output logic        magic_o,           // byte 0 is that of a binary request
  output logic        last_o,            // no word follows

  input  wire spot_t  base_i,   // byte 0 of the slots
  output logic [WordBytes-1:0][7:0] slots_o,   // the word, turned; the upper ones have 5 bits
  output logic [WordBytes-1:0]      letter_o   // of them
);

  typedef logic [WordBytes-1:0] each_t;

  typedef struct packed {
    logic [WordBytes-1:0][7:0] bytes;
    logic [3:0] count;
    each_t ends, there, lf, space, stop, letter, cr;
    logic magic;
  } marked_t;

  // ---- marks -----------------------------------------------------------------------------------
  marked_t marked, next_q, word_q;
  logic next_valid_q, next_last_q, last_q, some_q, load;
  spot_t at_q;

  always_comb begin
    marked = '0;
    marked.bytes = word_i.data;
    marked.count = word_i.bytes;
    marked.magic = marked.bytes[0] == Magic;
    for (int unsigned i = 0; i < WordBytes; i++) begin
      marked.there[i] = 1'b0;
      for (int unsigned j = i + 1; j <= WordBytes; j++) begin
        if (word_i.bytes == 4'(j)) marked.there[i] = 1'b1;
      end
      marked.ends[i] = 4'(i + 1) == word_i.bytes;
      if (marked.there[i]) begin
        marked.lf[i] = marked.bytes[i] == "\n";
        marked.space[i] = marked.bytes[i] == " ";
        marked.cr[i] = marked.bytes[i] == Cr;
        marked.stop[i] = marked.bytes[i] inside {"\n", " ", 8'd0};
        marked.letter[i] = is_name(marked.bytes[i]);
      end
    end
  end

  assign word_ready_o = !next_valid_q || load;

  always_ff @(posedge clk_i) begin
    if (word_ready_o) begin
      next_q <= marked;
      next_last_q <= word_i.last;
    end
    if (rst_i) next_valid_q <= 1'b0;
    else if (word_ready_o) next_valid_q <= word_valid_i;
  end

  // ---- where what begins at each byte would end ------------------------------------------------
  pieces_t [WordBytes-1:0] pieces, pieces_q;
  each_t spelt, spelt_q;
  logic spells;  // all up to here are letters

  always_comb begin
    pieces_t after;
    logic next_crlf;
    after = '0;
    after.stop_last = 1'b1;
    next_crlf = 1'b0;
    for (int i = WordBytes - 1; i >= 0; i--) begin
      pieces_t piece;
      logic crlf, next_stop;
      spot_t behind;
      piece = after;
      next_stop = i < WordBytes - 1 && next_q.stop[(i+1)%WordBytes];
      crlf = next_q.cr[i] && i < WordBytes - 1 && next_q.lf[(i+1)%WordBytes];
      behind = next_q.ends[i] ? '0 : spot_t'(i + 1);
      if (next_q.stop[i]) begin
        piece.stop = next_q.lf[i] ? StopLf : next_q.space[i] ? StopSpace : StopNul;
        piece.stop_at = spot_t'(i);
        piece.stop_last = next_q.ends[i];
      end
      if (next_q.lf[i]) begin
        piece.lf = 1'b1;
        piece.line = behind;
      end
      if (!next_q.letter[i] && next_q.there[i]) begin
        piece.name = next_q.space[i] ? behind : spot_t'(i);
        piece.name_end = next_q.space[i] ? NameSpaced : next_q.stop[i] || crlf ? NamePlain
                         : next_q.cr[i] && next_q.ends[i] ? NameOpen : NameOther;
      end
      piece.single = next_q.ends[i];
      piece.first = next_q.lf[i] ? IsLf : next_q.space[i] ? IsSpace : next_q.stop[i] ? IsNul
                    : next_q.letter[i] ? IsLetter : crlf ? IsCrLf
                    : next_q.cr[i] && next_q.ends[i] ? IsCrLast : IsOther;
      piece.short_word = next_q.stop[i] || next_stop || next_crlf;
      pieces[i] = piece;
      after = piece;
      next_crlf = crlf;
    end
    spells = 1'b1;
    for (int unsigned i = 0; i < WordBytes; i++) begin
      spells = spells && next_q.letter[i];
      spelt[i] = spells;
    end
  end

  // ---- the word that is shown ------------------------------------------------------------------
  assign load = (end_i.all || !some_q) && next_valid_q && open_i && !last_q;
  assign at_d_o = end_i.all ? '0 : end_i.lane;

  always_ff @(posedge clk_i) begin
    if (load) begin
      word_q <= next_q;
      pieces_q <= pieces;
      spelt_q <= spelt;
      last_q <= next_last_q;
    end
    at_q <= at_d_o;
    some_q <= load || (some_q && !end_i.all);
    if (rst_i || over_i) begin
      at_q <= '0;
      some_q <= 1'b0;
      last_q <= 1'b0;
    end
  end

  assign some_o = some_q;
  assign at_o = at_q;

  // By halves. An index would be a multiplication and a shifter to synthesis.
  always_comb begin
    pieces_t [3:0] four;
    pieces_t [1:0] two;
    four = at_q[2] ? pieces_q[7:4] : pieces_q[3:0];
    two = at_q[1] ? four[3:2] : four[1:0];
    pieces_o = at_q[0] ? two[1] : two[0];
  end

  assign count_o = word_q.count;
  assign spelt_o = spelt_q;
  assign magic_o = word_q.magic;
  assign last_o = last_q;

  // ---- slots -----------------------------------------------------------------------------------
  // By four bytes, two and one.
  always_comb begin
    logic [WordBytes-1:0][7:0] bytes;
    each_t letter;
    bytes = word_q.bytes;
    letter = word_q.letter;
    if (base_i[2]) begin
      bytes = {bytes[3:0], bytes[7:4]};
      letter = {letter[3:0], letter[7:4]};
    end
    if (base_i[1]) begin
      bytes = {bytes[1:0], bytes[7:2]};
      letter = {letter[1:0], letter[7:2]};
    end
    if (base_i[0]) begin
      bytes = {bytes[0], bytes[7:1]};
      letter = {letter[0], letter[7:1]};
    end
    slots_o = bytes;
    letter_o = letter;
  end

endmodule

`default_nettype wire
