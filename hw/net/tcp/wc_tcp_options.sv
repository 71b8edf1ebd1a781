// SPDX-License-Identifier: Apache-2.0
// Reads the options of a TCP header, four bytes a cycle, whatever they are. Of two options of a
// kind the first counts. One of an unknown kind, or with a length that its kind does not have, is
// skipped. At a length of 0 or 1, and at one that is beyond the header, reading ends: what was read
// before counts.
//
// The words of a header come faster than they are read, so they wait in a RAM. Four bytes are 2 to
// 10 cycles of a frame that has 8 to 12 words and more, so one reader is always through with a
// segment's options before the next one's come.
//
// Where an option begins depends on all those before it. So for each of the four bytes at which the
// first option of a quad may begin, it is worked out beforehand which options the quad holds and
// where the next one is. What is left for the loop is to pick one of these four.
//
// Never stalls. done_o goes low 4 cycles after a segment's first word, and high, with options_o,
// 6 cycles after its last one, or one cycle more for each quad that had to wait. Both hold until 3
// cycles after the next segment's first word.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_options (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic                  valid_i,
  input  wire logic                  first_i,  // of a segment: options begin with byte 4 of word_i
  input  wire wc_tcp_pkg::quads_t    quads_i,  // with first_i: how many, 1 to 10
  input  wire wc_pkg::word_t         word_i,
  output logic                       done_o,
  output wc_tcp_pkg::options_t       options_o
);

  import wc_tcp_pkg::*;

  localparam int unsigned Words = 8;  // 4 bytes and 36 are 6 words at most

  // ---- words wait until they are read -----------------------------------------------------------
  logic [2:0] words_q;    // have come
  quads_t at_q, quads_q;  // the next quad, and the last one, from 1; the lowest bit: upper half
  logic reading_q, read, last;
  logic [2:0] start_q;
  wc_pkg::word_t waited;

  assign read = reading_q && at_q[3:1] < words_q;
  assign last = at_q == quads_q;

  always_ff @(posedge clk_i) begin
    if (valid_i) words_q <= first_i ? 3'd1 : words_q + 1'b1;
    if (valid_i && first_i) begin
      at_q <= 4'd1;
      quads_q <= quads_i;
      reading_q <= 1'b1;
    end else if (read) begin
      at_q <= at_q + 1'b1;
      reading_q <= !last;
    end
    start_q <= {start_q[1:0], valid_i && first_i};
    if (rst_i) begin
      reading_q <= 1'b0;
      start_q <= '0;
    end
  end

  wc_ram_sdp #(
    .Width(64),
    .Depth(Words)
  ) u_words (
    .clk_i  (clk_i),
    .we_i   (valid_i),
    .waddr_i(first_i ? '0 : words_q),
    .wdata_i(word_i),
    .re_i   (read),
    .raddr_i(at_q[3:1]),
    .rdata_o(waited)
  );

  // The words of a header that a frame's end has cut are never read to the end; all others are.
  `WC_ASSERT(through, !(valid_i && first_i && read))
  `WC_ASSERT(in_the_ram, !valid_i || first_i || (words_q != '0 && words_q != 3'(Words - 1)))

  // ---- A: a quad comes out of the RAM -----------------------------------------------------------
  // Stages A, B, D and E hold four quads in a row, the oldest in E. They move on when A has a quad,
  // for what a quad says hangs on the one behind; behind a segment's last quad they move by
  // themselves.
  typedef logic [3:0][7:0] quad_t;

  typedef struct packed {
    logic valid;
    logic first;  // of a segment
    logic last;
  } mark_t;

  mark_t a_q;
  logic upper_q, tail_q, step;
  quad_t a_quad;

  assign a_quad = upper_q ? waited[63:32] : waited[31:0];
  assign step = a_q.valid || tail_q;

  always_ff @(posedge clk_i) begin
    a_q <= '{valid: read, first: read && at_q == 4'd1, last: read && last};
    if (read) upper_q <= at_q[0];
    if (a_q.valid) tail_q <= a_q.last;
    if (rst_i) begin
      a_q <= '0;
      tail_q <= 1'b0;
    end
  end

  // ---- B: what each byte could be ---------------------------------------------------------------
  // As a kind and as a length; which of the two the byte is nobody knows yet.
  typedef struct packed {
    logic mss, scale, permitted, sack, times;       // kinds
    logic over, nothing;                            // the other two kinds: the end, one byte
    logic is2, is3, is4, is10, blocks;              // lengths; blocks: one that SACK may have
    logic tiny, outside;                            // 0 or 1; beyond any header
  } byte_t;

  function automatic byte_t byte_of(input logic [7:0] x);
    byte_of.mss = x == KindMss;
    byte_of.scale = x == KindScale;
    byte_of.permitted = x == KindSackPermitted;
    byte_of.sack = x == KindSack;
    byte_of.times = x == KindTimes;
    byte_of.over = x == KindEnd;
    byte_of.nothing = x == KindNothing;
    byte_of.is2 = x == 8'd2;
    byte_of.is3 = x == 8'd3;
    byte_of.is4 = x == 8'd4;
    byte_of.is10 = x == 8'd10;
    byte_of.blocks = x == 8'd10 || x == 8'd18 || x == 8'd26 || x == 8'd34;
    byte_of.tiny = x[7:1] == '0;
    byte_of.outside = x[7:6] != '0;
  endfunction

  mark_t b_q;
  quad_t b_quad_q;
  byte_t [3:0] b_byte_q;
  byte_t a_byte;  // the one behind the quad in B

  assign a_byte = byte_of(a_quad[0]);

  always_ff @(posedge clk_i) begin
    if (step) begin
      b_q <= a_q;
      b_quad_q <= a_quad;
      b_byte_q[0] <= a_byte;
      for (int unsigned i = 1; i < 4; i++) b_byte_q[i] <= byte_of(a_quad[i]);
    end
    if (rst_i) b_q <= '0;
  end

  // ---- D: what the quad holds, for each byte at which an option may begin first -----------------
  typedef struct packed {
    logic mss, scale, permitted, sack, times;
  } kind_t;

  typedef struct packed {
    logic       over;    // no option begins behind
    logic [3:0] quads;   // these have none that begins
    logic [1:0] at;      // byte of the one behind them, in which the next option begins
  } place_t;

  mark_t d_q;
  quad_t d_quad_q;
  kind_t [3:0] d_kind_q, kind;            // of the option that begins in a byte, if one does
  place_t [3:0] d_place_q, place, leave;  // of the next option
  logic [3:0][3:0] d_begin_q, begins;     // bytes in which options begin: [first][byte]
  byte_t [4:0] b;
  logic [3:0][5:0] ends;                  // bytes behind the quad until an option ends
  logic [3:0] beyond;                     // the next option is behind the quad, if there is one

  assign b = {a_byte, b_byte_q};

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      kind[i].mss = b[i].mss && b[i+1].is4;
      kind[i].scale = b[i].scale && b[i+1].is3;
      kind[i].permitted = b[i].permitted && b[i+1].is2;
      kind[i].sack = b[i].sack && b[i+1].blocks;
      kind[i].times = b[i].times && b[i+1].is10;
      // In the last quad only what ends in it counts. The long ones are looked at as they end.
      if (b_q.last && i > 1) kind[i].scale = 1'b0;
      if (b_q.last && i > 2) kind[i].permitted = 1'b0;
    end
  end

  always_comb begin
    ends[0] = 6'(b_quad_q[1]) - 6'd4;
    ends[1] = 6'(b_quad_q[2]) - 6'd3;
    ends[2] = 6'(b_quad_q[3]) - 6'd2;
    ends[3] = 6'(a_quad[0]) - 6'd1;
    beyond[0] = !b[0].nothing && !b[1].is2 && !b[1].is3;
    beyond[1] = !b[1].nothing && !b[2].is2;
    beyond[2] = !b[2].nothing;
    beyond[3] = !b[3].nothing;
    for (int unsigned i = 0; i < 4; i++) begin
      leave[i].over = b[i].over || (!b[i].nothing && (b[i+1].tiny || b[i+1].outside));
      leave[i].quads = ends[i][5:2];
      leave[i].at = ends[i][1:0];
      if (!beyond[i] && !b[i].over) leave[i] = '0;
    end
    // What follows one byte on, two bytes and three.
    begins[3] = 4'b1000;
    begins[2] = 4'b0100 | (b[2].nothing ? 4'b1000 : '0);
    begins[1] = 4'b0010 | (b[1].nothing ? begins[2] : '0)
                | (!b[1].nothing && !b[1].over && b[2].is2 ? 4'b1000 : '0);
    begins[0] = 4'b0001 | (b[0].nothing ? begins[1] : '0)
                | (!b[0].nothing && !b[0].over && b[1].is2 ? begins[2] : '0)
                | (!b[0].nothing && !b[0].over && b[1].is3 ? 4'b1000 : '0);
    for (int unsigned from = 0; from < 4; from++) begin
      place[from] = '0;
      for (int unsigned i = from; i < 4; i++) if (begins[from][i]) place[from] |= leave[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      d_q <= b_q;
      d_quad_q <= b_quad_q;
      d_kind_q <= kind;
      d_place_q <= place;
      d_begin_q <= begins;
    end
    if (rst_i) d_q <= '0;
  end

  // ---- E: what it does hold ---------------------------------------------------------------------
  mark_t e_q;
  quad_t e_quad_q;
  kind_t [3:0] e_kind_q;  // of the options that begin, by byte
  place_t place_q;        // where the next option begins
  logic here;             // in the quad in D
  logic [1:0] from;

  assign here = d_q.first || (!place_q.over && place_q.quads == '0);
  assign from = d_q.first ? 2'd0 : place_q.at;

  always_ff @(posedge clk_i) begin
    if (step) begin
      e_q <= d_q;
      e_quad_q <= d_quad_q;
      for (int unsigned i = 0; i < 4; i++) begin
        e_kind_q[i] <= d_kind_q[i] & {$bits(kind_t) {d_q.valid && here && d_begin_q[from][i]}};
      end
      if (here) place_q <= d_place_q[from];
      else place_q.quads <= place_q.quads - 1'b1;
    end
    if (rst_i) e_q <= '0;
  end

  // ---- values -----------------------------------------------------------------------------------
  // The values of a long option are fields of 32 bits in a row, of an MSS half a one. They begin 2
  // bytes behind the option: in the quad in E, if the option began in its first two bytes, or in
  // the quad that is in E next. A field ends in the quad behind (in D), unless it begins with its
  // quad. At most one field begins in each quad.
  typedef struct packed {
    logic       mss, sack, times;
    logic [3:0] lane;   // of the quad in which a field begins; none: 0
    logic [3:0] index;   // which field
    logic [3:0] highest;  // the option's last
  } fields_t;

  fields_t begun, now, next_q;
  kind_t e_kinds;
  logic [3:0] e_long;
  logic [2:0] blocks;
  logic whole, is_final;
  logic [7:0][7:0] window;
  logic [31:0] field;        // in host order
  logic scale_found;
  logic [7:0] scale;

  assign window = {d_quad_q, e_quad_q};

  always_comb begin
    e_kinds = '0;
    blocks = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      e_kinds |= e_kind_q[i];
      e_long[i] = e_kind_q[i].mss || e_kind_q[i].sack || e_kind_q[i].times;
      if (e_kind_q[i].sack) blocks |= window[i+1][5:3];
    end
    begun = '{mss: e_kinds.mss, sack: e_kinds.sack, times: e_kinds.times, lane: '0, index: '0,
              highest: '0};
    if (e_kinds.sack) begun.highest = {blocks, 1'b0} - 1'b1;
    if (e_kinds.times) begun.highest = 4'd1;
  end

  always_comb begin
    now = next_q;
    if (e_long[1:0] != '0) begin
      now = begun;
      now.lane = {e_long[1:0], 2'b0};
    end
  end

  always_comb begin
    field = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (now.lane[i]) field |= {window[i], window[i+1], window[i+2], window[i+3]};
    end
  end

  assign whole = now.lane != '0 && (!e_q.last || now.lane[0] || (now.mss && !now.lane[3]));
  assign is_final = now.index == now.highest;

  always_comb begin
    scale_found = 1'b0;
    scale = '0;
    for (int i = 3; i >= 0; i--) begin
      if (e_kind_q[i].scale) begin
        scale_found = 1'b1;
        scale = window[i+2];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      next_q <= now;
      next_q.index <= now.index + 1'b1;
      if (is_final) next_q.lane <= '0;
      if (e_long[3:2] != '0) begin
        next_q <= begun;
        next_q.lane <= {2'b0, e_long[3:2]};
      end
      // The next segment's.
      if (d_q.valid && d_q.first) next_q.lane <= '0;

      if (e_q.valid) begin
        if (scale_found && !options_o.scale_given) begin
          options_o.scale_given <= 1'b1;
          options_o.scale <= scale > MostScale ? 4'(MostScale) : scale[3:0];
        end
        if (e_kinds.permitted) options_o.sack_permitted <= 1'b1;
        if (whole && now.mss && !options_o.mss_given) begin
          options_o.mss_given <= 1'b1;
          options_o.mss <= field[31:16];
        end
        if (whole && now.times && !options_o.times_given) begin
          options_o.times_given <= is_final;
          if (now.index[0]) options_o.time_echo <= field;
          else options_o.time_value <= field;
        end
        if (whole && now.sack && options_o.sacks == '0) begin
          if (is_final) options_o.sacks <= 3'(now.index[3:1]) + 1'b1;
          for (int unsigned i = 0; i < SackBlocks; i++) begin
            if (now.index[2:1] == 2'(i)) begin
              if (now.index[0]) options_o.sack[i].right <= field;
              else options_o.sack[i].left <= field;
            end
          end
        end
      end
      if (d_q.valid && d_q.first) begin
        options_o.mss_given <= 1'b0;
        options_o.scale_given <= 1'b0;
        options_o.sack_permitted <= 1'b0;
        options_o.times_given <= 1'b0;
        options_o.sacks <= '0;
      end
    end
  end

  // By the time that done_o goes low for a segment, it has been high for the one before.
  always_ff @(posedge clk_i) begin
    if (start_q[2]) done_o <= 1'b0;
    if (step && e_q.valid && e_q.last) done_o <= 1'b1;
    if (rst_i) done_o <= 1'b0;
  end

  `WC_ASSERT(each_is_done, !(start_q[2] && step && e_q.valid && e_q.last))

endmodule

`default_nettype wire
