// SPDX-License-Identifier: Apache-2.0
// Holds a word of a connection's bytes while the framer takes some of them at a time, so the next
// one is always byte 0. What a byte may end is marked as its word comes. Latency 2, a word each
// cycle if all of it is taken at once. Waits for who takes the bytes.
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
  input  wire logic [3:0] taken_i,  // so many bytes are taken
  input  wire logic all_i,          // which are all there are

  output logic [WordBytes-1:0][7:0] bytes_o,
  output logic [WordBytes-1:0] there_o,
  output logic [WordBytes-1:0] lf_o,      // each of these only where a byte is
  output logic [WordBytes-1:0] space_o,
  output logic [WordBytes-1:0] stop_o,    // one that ends a word of a line: a space, \n or NUL
  output logic [WordBytes-1:0] letter_o,  // of a name
  output logic                 last_o     // no word follows
);

  typedef struct packed {
    logic [WordBytes-1:0][7:0] bytes;
    logic [WordBytes-1:0]      there;
    logic [WordBytes-1:0]      lf;
    logic [WordBytes-1:0]      space;
    logic [WordBytes-1:0]      stop;
    logic [WordBytes-1:0]      letter;
  } shown_t;

  shown_t marked, next_q, shown_d, shown_q;
  logic next_valid_q, next_last_q, last_q;
  logic load;

  // ---- marks -----------------------------------------------------------------------------------
  always_comb begin
    marked = '0;
    marked.bytes = word_i.data;
    for (int unsigned i = 0; i < WordBytes; i++) begin
      marked.there[i] = 4'(i) < word_i.bytes;
      if (marked.there[i]) begin
        marked.lf[i] = marked.bytes[i] == "\n";
        marked.space[i] = marked.bytes[i] == " ";
        marked.stop[i] = marked.bytes[i] inside {"\n", " ", 8'd0};
        marked.letter[i] = marked.bytes[i] inside {["a":"z"], "_"};
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

  // ---- the word that is shown ------------------------------------------------------------------
  // By four bytes, two and one; eight are all that there can be.
  assign load = (all_i || !shown_q.there[0]) && next_valid_q && open_i && !last_q;

  always_comb begin
    shown_d = shown_q;
    for (int unsigned i = 0; i < 3; i++) begin
      if (taken_i[2-i]) begin
        shown_d.bytes >>= 8 * (4 >> i);
        shown_d.there >>= 4 >> i;
        shown_d.lf >>= 4 >> i;
        shown_d.space >>= 4 >> i;
        shown_d.stop >>= 4 >> i;
        shown_d.letter >>= 4 >> i;
      end
    end
    if (taken_i[3]) shown_d = '0;
    if (load) shown_d = next_q;
  end

  always_ff @(posedge clk_i) begin
    shown_q <= shown_d;
    if (load) last_q <= next_last_q;
    if (rst_i || over_i) begin
      shown_q.there <= '0;
      shown_q.lf <= '0;
      shown_q.space <= '0;
      shown_q.stop <= '0;
      shown_q.letter <= '0;
      last_q <= 1'b0;
    end
  end

  assign bytes_o = shown_q.bytes;
  assign there_o = shown_q.there;
  assign lf_o = shown_q.lf;
  assign space_o = shown_q.space;
  assign stop_o = shown_q.stop;
  assign letter_o = shown_q.letter;
  assign last_o = last_q;

endmodule

`default_nettype wire
