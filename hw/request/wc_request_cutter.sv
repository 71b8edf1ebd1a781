// SPDX-License-Identifier: Apache-2.0
// Cuts a packet into tokens and fields: each cut starts where the one before ended, shows the next
// eight bytes wherever they stand, and takes as many of them as its token or field has. ASCII lines
// are cut at their delimiters, binary requests by the lengths in their headers, which are read as
// the cuts pass. Both need no help. Only after a line that starts with "set " the cutter waits
// (`held`) until `resume` tells whether a value follows.
// A cut takes, with the delimiter of its token, the separators behind that in the same word: a run
// of spaces costs a cycle for each word it reaches into, not one for each space.
// Latency 2 when the packet's next word is there, throughput 1 cut per cycle.
//
// The read position is a thermometer: bit i of position_q is set when byte i of word a is not yet
// taken. That makes the loop short: the next position is an OR over the delimiters below each bit.
`default_nettype none

module wc_request_cutter
  import wc_pkg::*;
  import wc_request_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     word_valid_i,
  output logic          word_ready_o,
  input  wire classed_t word_i,
  input  wire word_t    data_i,    // its bytes
  input  wire word_t    before_i,  // the bytes of the word taken before
  input  wire resume_t  resume_i,
  output logic          cut_valid_o,
  input  wire logic     cut_ready_i,
  input  wire logic     cut_room_i,  // cut_ready_i from a register of its own
  output cut_t          cut_o
);

  // Byte i of the window that starts at the read position is byte i + (0 to 7) of words a and b.
  function automatic word_t pick_words(input word_t [7:0] windows, input logic [7:0] position);
    word_t low, high;
    low = position[1] ? (position[0] ? windows[0] : windows[1])
                      : (position[2] ? windows[2] : windows[3]);
    high = position[5] ? (position[4] ? windows[4] : windows[5])
                       : (position[6] ? windows[6] : windows[7]);
    return position[3] ? low : high;
  endfunction

  // The same of bits.
  function automatic logic [7:0] pick_bits(input logic [15:0] bits, input logic [7:0] position);
    logic [7:0] low, high;
    low = position[1] ? (position[0] ? bits[7:0] : bits[8:1])
                      : (position[2] ? bits[9:2] : bits[10:3]);
    high = position[5] ? (position[4] ? bits[11:4] : bits[12:5])
                       : (position[6] ? bits[13:6] : bits[14:7]);
    return position[3] ? low : high;
  endfunction

  // Its first bit, of eight.
  function automatic logic pick(input logic [7:0] window, input logic [7:0] position);
    return pick_bits(16'(window), position)[0];
  endfunction

  // ---- two words: a holds the read position, b is the next word, still upstream -----------------
  classed_t a_q, b;
  // Bit [j][i]: a token that ends with byte j leaves byte i, which is not skipped with its end.
  logic [6:0][7:0] leaves_d, leaves_q;
  logic a_valid_q, b_valid;
  logic pop;

  assign b = word_i;
  assign b_valid = word_valid_i;
  assign word_ready_o = pop || !a_valid_q;

  always_comb begin
    for (int unsigned j = 0; j < 7; j++) begin
      leaves_d[j] = {8{b.ends[j]}} & from_first(~b.skips & 8'(8'hff << (j + 1)));
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_ready_o) begin
      a_valid_q <= word_valid_i;
      a_q <= word_i;
      leaves_q <= leaves_d;
    end
    if (rst_i) a_valid_q <= 1'b0;
  end

  // ---- a cut of a line --------------------------------------------------------------------------
  logic [7:0] position_q, position_d;
  logic [7:0] taken_q;  // ~position_q, a copy for the many bits of data
  logic [7:0] hits, after_a, line_position, near_b;
  logic hit_a, hit_b, stays, closing, ends_line;

  always_comb begin
    hits = a_q.ends & position_q;
    hit_a = |hits;
    after_a = '0;
    for (int unsigned j = 0; j < 7; j++) after_a |= {8{position_q[j]}} & leaves_q[j];
    stays = after_a[7];
    // The bytes of b that are looked at are those in the window of eight and the one behind it: a
    // token of eight bytes is a single cut, but before the last byte of b, whose LF may be in
    // the word after.
    near_b = ~{position_q[6:0], 1'b0} & 8'h7f;
    hit_b = |(b.marks & near_b);
    // No token ends in a and b has nothing to say: a holds the end of the packet, or is used up.
    closing = a_q.last || !position_q[7];
    if (stays) begin
      line_position = after_a;
    end else if (hit_a) begin
      line_position = {7'h7f, !(hits[7] && a_q.crlf[7] && !hits[6])};
    end else if (closing) begin
      line_position = '1;
    end else begin
      line_position = hit_b ? b.after : position_q;
    end
    ends_line = pick(a_q.line, position_q) || (!hit_a && !closing && hit_b && b.line[0]);
  end

  // ---- a cut of known length --------------------------------------------------------------------
  phase_e phase_q, phase_d;
  // phase_q in single bits
  logic cutting_q, first_q, value_q, tail_q, wait_q, drain_q;
  // What is left of the field. Lengths are cut to 21 bits, and the packet's end ends every field.
  count_t count_q;
  logic [7:0] rest_position_q;    // the read position behind the field's last bytes
  logic rest_moves_q;
  logic [7:0] count_position, tail_position;
  logic counted, moves, final_cut, tail;
  logic short_here, short_later, short_q;

  assign counted = a_q.binary || !first_q;
  assign tail = tail_q;
  assign tail_position = position_q[5] ? {position_q[5:0], 2'b00} : {7'h7f, position_q[6]};
  assign count_position = tail ? tail_position : count_q.whole ? position_q : rest_position_q;
  assign moves = tail ? !position_q[5] : count_q.whole || rest_moves_q;
  assign final_cut = tail || !count_q.whole || (count_q.final_word && !count_q.part);
  // The packet ends inside the cut: with word a, which is known early in the cycle, or anywhere
  // else, which takes effect one cycle later.
  assign short_here = moves && a_q.last;
  assign short_later = moves ? |(b.stop & ~count_position)
                             : |(a_q.stop & position_q & ~count_position);

  // ---- the loop ---------------------------------------------------------------------------------
  logic cut_empty_q;    // !cut_valid_o
  logic cutting, can_cut, fire, emits, advances, used_up;
  logic [1:0] age_q;    // cycles in this phase; stays at 2
  logic rest_known_q;   // rest_position_q is of this phase

  always_comb begin
    can_cut = a_valid_q && (a_q.last || b_valid) && !short_q && (count_q.whole || rest_known_q)
              && cutting;
  end

  assign cutting = cutting_q;
  assign fire = can_cut && (cut_empty_q || cut_room_i);
  assign emits = counted || hit_a || position_q[7];
  assign advances = counted ? moves : !stays;
  // In PhWait no cut of a line comes to find out that word a is used up.
  assign used_up = wait_q && a_valid_q && !position_q[7];
  assign pop = (fire && advances) || (drain_q && a_valid_q) || used_up;

  // Everywhere here: what the next value is does not depend on fire, only whether it is taken.
  always_comb begin
    if (!cutting || (counted && short_here)) position_d = '1;
    else position_d = counted ? count_position : line_position;
  end

  // ---- what comes after -------------------------------------------------------------------------
  logic extra_q, key_any_q, odd_extras_q, value_any_q;
  logic held_q;
  phase_e next_phase;   // after the last cut of this one
  count_t next_count, key_count_q, value_count_q;
  localparam count_t HeadCount = '{words: 18'd3, whole: 1'b1, final_word: 1'b0, part: 1'b0,
                                   rest: '0, tail: 1'b0};
  localparam count_t ExtraCount = '{words: 18'd1, whole: 1'b1, final_word: 1'b1, part: 1'b0,
                                    rest: '0, tail: 1'b0};

  // The value that a line has announced: up to six bytes of its end leave room for its CR LF.
  count_t line_count;
  always_comb begin
    line_count = count_of(resume_i.bytes);
    line_count.tail = line_count.part && line_count.rest != 3'd7;
  end

  always_comb begin
    unique case (phase_q)
      PhFirst: next_phase = extra_q ? PhExtra : key_any_q ? PhKey : PhGap;
      PhExtra: next_phase = key_any_q ? PhKey : PhGap;
      // without extras the length of the value is not known so soon
      PhKey:   next_phase = !value_any_q ? PhFirst : extra_q ? PhValue : PhGap;
      PhValue: next_phase = a_q.binary || count_q.tail ? PhFirst : PhTail;
      PhGap:   next_phase = value_any_q ? PhValue : PhFirst;
      PhWait:  next_phase = !resume_i.value ? PhFirst
                            : resume_i.some ? PhValue : PhTail;
      default: next_phase = PhFirst;
    endcase
    unique case (phase_q)
      PhFirst: next_count = extra_q ? ExtraCount : key_count_q;
      PhExtra: next_count = key_count_q;
      PhKey:   next_count = value_any_q ? value_count_q : HeadCount;
      PhGap:   next_count = value_any_q ? value_count_q : HeadCount;
      PhWait:  next_count = resume_i.value ? line_count : HeadCount;
      default: next_count = HeadCount;
    endcase
  end

  logic ends;       // this cut its phase
  logic idle_leave; // a phase without cuts
  logic leave;      // this phase, as it is done
  count_t count_d, count_less;

  always_comb begin
    unique case (phase_q)
      PhWait:  idle_leave = resume_i.valid;
      PhGap:   idle_leave = age_q != 2'd0;  // two cycles after the header
      PhDrain: idle_leave = a_valid_q && a_q.last;
      default: idle_leave = 1'b0;
    endcase
    ends = counted && (final_cut || short_here);
    leave = idle_leave || (fire && ends);

    phase_d = next_phase;
    if (cutting && !counted) phase_d = ends_line && held_q ? PhWait : PhFirst;
    if (cutting && counted && short_here) phase_d = PhFirst;
    if (short_q) phase_d = PhDrain;

    count_less = count_q;
    count_less.words = count_q.words - 1'b1;
    count_less.whole = !count_q.final_word;
    count_less.final_word = count_q.words == CountWidth'(2);
    count_d = count_less;
    if (!cutting || ends) count_d = cutting && short_here ? HeadCount : next_count;
  end

  // Lengths. Those of a binary request come from its header, which is in cut_o when they are read.
  logic [16:0] skip_q;       // extras and key
  logic [31:0] value_bytes_q;
  logic [31:0] body;
  logic [15:0] key_bytes;
  logic [7:0] extras;
  logic head;
  logic [1:0] head_q;        // cuts of the header so far; it has three

  assign head = cut_valid_o && cut_o.counted && cut_o.phase == PhFirst;
  assign key_bytes = {cut_o.data[23:16], cut_o.data[31:24]};
  assign extras = cut_o.data[39:32];
  assign body = {cut_o.data[7:0], cut_o.data[15:8], cut_o.data[23:16], cut_o.data[31:24]};

  always_ff @(posedge clk_i) begin
    if (fire) begin
      head_q <= counted && phase_q == PhFirst && !final_cut && !short_here ? head_q + 2'd1 : 2'd0;
    end
    if (short_q) head_q <= 2'd0;
    if (head && head_q == 2'd1) begin
      extra_q <= extras == 8'd8;
      odd_extras_q <= extras != 8'd8 && extras != 8'd0;
      key_any_q <= key_bytes != '0 && (extras == 8'd8 || extras == 8'd0);
      key_count_q <= count_of(value_len_t'(key_bytes));
      skip_q <= {1'b0, key_bytes} + 17'(extras);
    end
    if (head && head_q == 2'd2) begin
      value_any_q <= odd_extras_q ? body != '0 : body != 32'(skip_q);
      value_bytes_q <= body - (odd_extras_q ? 32'd0 : 32'(skip_q));
    end
    value_count_q <= count_of(value_bytes_q[20:0] | {21{|value_bytes_q[31:21]}});
    if (rst_i) head_q <= 2'd0;
  end

  // The position at the end of the field, from the position at its beginning (whole words do not
  // change it) and the length, as soon as that is known.
  logic [2:0] offset_q;
  logic [3:0] rest;
  logic [3:0] rest_end;

  always_comb begin
    rest = {1'b0, key_count_q.rest};
    if (value_q) rest = {1'b0, count_q.rest} + {2'd0, count_q.tail, 1'b0};
    if (wait_q) rest = {1'b0, line_count.rest} + {2'd0, line_count.tail, 1'b0};
  end
  assign rest_end = {1'b0, offset_q} + rest;

  always_ff @(posedge clk_i) begin
    offset_q[2] <= !position_q[3];
    offset_q[1] <= position_q[3] ? !position_q[1] : !position_q[5];
    offset_q[0] <= pick(8'b10101010, position_q);
    rest_moves_q <= rest_end[3];
    rest_position_q <= 8'hff << rest_end[2:0];
    if (idle_leave || (fire && counted)) count_q <= count_d;
    // Only before a value it takes two cycles: a key has waited for the rest of its header, and a
    // value of a line for its length.
    if (leave) begin
      age_q <= 2'd0;
      rest_known_q <= phase_q == PhWait || next_phase != PhValue;
    end else begin
      if (age_q != 2'd2) age_q <= age_q + 2'd1;
      if (age_q != 2'd0) rest_known_q <= 1'b1;
    end
    if (leave || short_q || (fire && !counted)) begin
      phase_q <= phase_d;
      cutting_q <= !(phase_d inside {PhWait, PhGap, PhDrain});
      first_q <= phase_d == PhFirst;
      value_q <= phase_d == PhValue;
      tail_q <= phase_d == PhTail;
      wait_q <= phase_d == PhWait;
      drain_q <= phase_d == PhDrain;
    end
    short_q <= fire && counted && !short_here && short_later;
    if (fire || drain_q || used_up) begin
      position_q <= position_d;
      taken_q <= ~position_d;
    end
    if (rst_i) begin
      phase_q <= PhFirst;
      cutting_q <= 1'b1;
      first_q <= 1'b1;
      value_q <= 1'b0;
      tail_q <= 1'b0;
      wait_q <= 1'b0;
      drain_q <= 1'b0;
      position_q <= '1;
      taken_q <= '0;
      count_q <= HeadCount;
      short_q <= 1'b0;
      rest_known_q <= 1'b1;
    end
  end

  // A line that starts with "set " and has at least two more cuts is held at its end.
  logic fresh_q, starts_set, line_over;

  assign line_over = fire && !counted && (ends_line || (a_q.last && !hit_a));
  assign starts_set = fresh_q && !cut_o.counted && !cut_o.stop && cut_o.data[31:0] == " tes"
                      && cut_o.delimiter[3:0] == 4'b1000;

  always_ff @(posedge clk_i) begin
    if (cut_valid_o && cut_ready_i && !cut_o.counted) begin
      fresh_q <= cut_o.eol || cut_o.stop || (fresh_q && cut_o.delimiter[0]);
    end
    if (line_over) held_q <= 1'b0;
    else if (cut_valid_o && cut_ready_i && starts_set) held_q <= 1'b1;
    if (rst_i) begin
      fresh_q <= 1'b1;
      held_q <= 1'b0;
    end
  end

  // ---- the cut ----------------------------------------------------------------------------------
  // What the window shows. Functions, so that a simulator works them out only in the cycles in
  // which they are wanted.
  function automatic word_t window_data(input word_t second, input word_t first,
                                        input logic [7:0] position);
    word_t [7:0] windows;
    for (int unsigned k = 0; k < 8; k++) windows[k] = word_t'({second, first} >> (8 * k));
    return pick_words(windows, position);
  endfunction

  // The ninth byte has the position from the register that few bits wait for.
  function automatic logic [8:0] window_bits(input logic [15:0] bits, input logic [7:0] position,
                                             input logic [7:0] position_of_ninth);
    return {pick(bits[15:8], position_of_ninth), pick_bits(bits, position)};
  endfunction

  function automatic logic [8:0][1:0] window_ending(input logic [1:0][7:0] second,
                                                    input logic [1:0][7:0] first,
                                                    input logic [7:0] position,
                                                    input logic [7:0] position_of_ninth);
    logic [8:0] shown;
    for (int unsigned j = 0; j < 2; j++) begin
      shown = window_bits({second[j], first[j]}, position, position_of_ninth);
      for (int unsigned i = 0; i < 9; i++) window_ending[i][j] = shown[i];
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!cut_valid_o || cut_ready_i) begin
      cut_valid_o <= fire && emits;
      cut_empty_q <= !(fire && emits);
    end
    if ((!cut_valid_o || cut_ready_i) && a_valid_q) begin
      cut_o.conn <= a_q.conn;
      cut_o.binary <= a_q.binary;
      cut_o.phase <= phase_q;
      cut_o.counted <= counted;
      cut_o.count <= tail ? 4'd0 : count_q.whole ? 4'd8 : {1'b0, count_q.rest};
      cut_o.tail <= tail || (count_q.tail && !count_q.whole);
      cut_o.last <= final_cut;
      cut_o.stop <= counted ? short_here || short_later : a_q.last && !hit_a;
      cut_o.eol <= !counted && ends_line;
      cut_o.held <= !counted && ends_line && held_q;
      cut_o.delimiter <= window_bits({b.marks, a_q.marks}, ~taken_q, position_q);
      cut_o.ending <= window_ending(b.ending, a_q.ending, ~taken_q, position_q);
      cut_o.reach <= position_q[6];
      cut_o.data <= window_data(data_i, before_i, ~taken_q);
    end
    if (rst_i) begin
      cut_valid_o <= 1'b0;
      cut_empty_q <= 1'b1;
    end
  end

endmodule

`default_nettype wire
