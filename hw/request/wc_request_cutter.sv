// SPDX-License-Identifier: Apache-2.0
// Cuts a packet into tokens and fields: each cut starts where the one before ended, shows the next
// eight bytes wherever they stand, and takes as many of them as its token or field has. ASCII lines
// are cut at their delimiters, binary requests by the lengths in their headers, which
// wc_request_fields reads as the cuts pass. Both need no help. Only after a line that starts with
// the name of a command with a value the cutter waits (`held`) until `resume` tells whether one
// follows.
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
  import wc_request_table_pkg::*;
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
  phase_t phase_q, phase_d;
  // What is left of the field. Lengths are cut to 21 bits, and the packet's end ends every field.
  count_t count_q;
  logic [7:0] rest_position_q;    // the read position behind the field's last bytes
  logic rest_moves_q;
  logic [7:0] count_position, tail_position;
  logic counted, moves, final_cut;
  logic short_here, short_later, short_q;

  assign counted = a_q.binary || !phase_q.first;
  assign tail_position = position_q[5] ? {position_q[5:0], 2'b00} : {7'h7f, position_q[6]};
  assign count_position = phase_q.tail ? tail_position
                          : count_q.whole ? position_q : rest_position_q;
  assign moves = phase_q.tail ? !position_q[5] : count_q.whole || rest_moves_q;
  assign final_cut = phase_q.tail || !count_q.whole || (count_q.final_word && !count_q.part);
  // The packet ends inside the cut: with word a, which is known early in the cycle, or anywhere
  // else, which takes effect one cycle later.
  assign short_here = moves && a_q.last;
  assign short_later = moves ? |(b.stop & ~count_position)
                             : |(a_q.stop & position_q & ~count_position);

  // ---- the loop ---------------------------------------------------------------------------------
  logic cut_empty_q;    // !cut_valid_o
  logic can_cut, fire, emits, advances, used_up;
  logic [1:0] age_q;    // cycles in this phase; stays at 2
  logic rest_known_q;   // rest_position_q is of this phase

  always_comb begin
    can_cut = a_valid_q && (a_q.last || b_valid) && !short_q && (count_q.whole || rest_known_q)
              && phase_q.cuts;
  end

  assign fire = can_cut && (cut_empty_q || cut_room_i);
  assign emits = counted || hit_a || position_q[7];
  assign advances = counted ? moves : !stays;
  // In PhHold no cut of a line comes to find out that word a is used up.
  assign used_up = phase_q.hold && a_valid_q && !position_q[7];
  assign pop = (fire && advances) || (phase_q.drain && a_valid_q) || used_up;

  // Everywhere here: what the next value is does not depend on fire, only whether it is taken.
  always_comb begin
    if (!phase_q.cuts || (counted && short_here)) position_d = '1;
    else position_d = counted ? count_position : line_position;
  end

  // ---- what comes after -------------------------------------------------------------------------
  fields_t fields;
  logic held_q;
  phase_t next_phase;   // after the last cut of this one
  count_t next_count;
  localparam count_t HeadCount = '{words: CountWidth'(3), whole: 1'b1, final_word: 1'b0, part: 1'b0,
                                   rest: '0, tail: 1'b0};

  wc_request_fields u_fields (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .cut_valid_i(cut_valid_o),
    .cut_taken_i(cut_valid_o && cut_ready_i),
    .cut_i      (cut_o),
    .fields_o   (fields)
  );

  // The value that a line has announced: up to six bytes of its end leave room for its CR LF.
  count_t line_count;
  always_comb begin
    line_count = count_of(resume_i.bytes);
    line_count.tail = line_count.part && line_count.rest != 3'd7;
  end

  always_comb begin
    next_phase = PhFirst;
    next_count = HeadCount;
    unique case (1'b1)
      phase_q.first: begin
        next_phase = fields.extra ? PhExtra : fields.key ? PhKey : PhGap;
        next_count = fields.extra ? fields.extra_count : fields.key_count;
      end
      phase_q.extra: begin
        next_phase = fields.key ? PhKey : PhGap;
        next_count = fields.key_count;
      end
      phase_q.key: begin
        // without extras the length of the value is not known so soon
        if (fields.value) next_phase = fields.extra ? PhValue : PhGap;
        if (fields.value) next_count = fields.value_count;
      end
      phase_q.value: if (!a_q.binary && !count_q.tail) next_phase = PhTail;
      phase_q.gap: begin
        if (fields.value) next_phase = PhValue;
        if (fields.value) next_count = fields.value_count;
      end
      phase_q.hold: begin
        if (resume_i.value) next_phase = resume_i.some ? PhValue : PhTail;
        if (resume_i.value) next_count = line_count;
      end
      default: ;
    endcase
  end

  logic ends;       // this cut its phase
  logic idle_leave; // a phase without cuts
  logic leave;      // this phase, as it is done
  count_t count_d, count_less;

  always_comb begin
    // two cycles in the gap behind the header
    idle_leave = (phase_q.hold && resume_i.valid) || (phase_q.gap && age_q != 2'd0)
                 || (phase_q.drain && a_valid_q && a_q.last);
    ends = counted && (final_cut || short_here);
    leave = idle_leave || (fire && ends);

    phase_d = next_phase;
    if (phase_q.cuts && !counted) phase_d = ends_line && held_q ? PhHold : PhFirst;
    if (phase_q.cuts && counted && short_here) phase_d = PhFirst;
    if (short_q) phase_d = PhDrain;

    count_less = count_q;
    count_less.words = count_q.words - 1'b1;
    count_less.whole = !count_q.final_word;
    count_less.final_word = count_q.words == CountWidth'(2);
    count_d = count_less;
    if (!phase_q.cuts || ends) count_d = phase_q.cuts && short_here ? HeadCount : next_count;
  end

  // The position at the end of the field, from the position at its beginning (whole words do not
  // change it) and the length, as soon as that is known.
  logic [2:0] offset_q;
  logic [3:0] rest;
  logic [3:0] rest_end;
  logic extra_moves;  // extras end in half a word

  assign extra_moves = fields.extra && fields.extra_count.part;

  always_comb begin
    rest = {1'b0, fields.key_count.rest};
    if ((phase_q.first || phase_q.extra) && extra_moves) rest = {1'b0, fields.extra_count.rest};
    if (phase_q.value) rest = {1'b0, count_q.rest} + {2'd0, count_q.tail, 1'b0};
    if (phase_q.hold) rest = {1'b0, line_count.rest} + {2'd0, line_count.tail, 1'b0};
  end
  assign rest_end = {1'b0, offset_q} + rest;

  always_ff @(posedge clk_i) begin
    offset_q[2] <= !position_q[3];
    offset_q[1] <= position_q[3] ? !position_q[1] : !position_q[5];
    offset_q[0] <= pick(8'b10101010, position_q);
    rest_moves_q <= rest_end[3];
    rest_position_q <= 8'hff << rest_end[2:0];
    if (idle_leave || (fire && counted)) count_q <= count_d;
    // It takes two cycles before a value, and before a key behind extras that move the position.
    // Any other key has waited for the rest of its header, extras have, too, and a value of a line
    // for its length.
    if (leave) begin
      age_q <= 2'd0;
      rest_known_q <= phase_q.hold || !(next_phase.value || (phase_q.extra && extra_moves));
    end else begin
      if (age_q != 2'd2) age_q <= age_q + 2'd1;
      if (age_q != 2'd0) rest_known_q <= 1'b1;
    end
    if (leave || short_q || (fire && !counted)) phase_q <= phase_d;
    short_q <= fire && counted && !short_here && short_later;
    if (fire || phase_q.drain || used_up) begin
      position_q <= position_d;
      taken_q <= ~position_d;
    end
    if (rst_i) begin
      phase_q <= PhFirst;
      position_q <= '1;
      taken_q <= '0;
      count_q <= HeadCount;
      short_q <= 1'b0;
      rest_known_q <= 1'b1;
    end
  end

  // A line that starts with the name of a command with a value and a space, and has at least two
  // more cuts, is held at its end.
  logic fresh_q, starts_value, line_over;

  function automatic logic named_with_value(input word_t data);
    named_with_value = 1'b0;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (Rules[i].value && (data & Texts[i].mask[0]) == Texts[i].letters[0]
          && data[8*Texts[i].bytes[2:0]+:8] == " ") begin
        named_with_value = 1'b1;
      end
    end
  endfunction

  assign line_over = fire && !counted && (ends_line || (a_q.last && !hit_a));
  assign starts_value = fresh_q && !cut_o.counted && !cut_o.stop && named_with_value(cut_o.data);

  always_ff @(posedge clk_i) begin
    if (cut_valid_o && cut_ready_i && !cut_o.counted) begin
      fresh_q <= cut_o.eol || cut_o.stop || (fresh_q && cut_o.delimiter[0]);
    end
    if (line_over) held_q <= 1'b0;
    else if (cut_valid_o && cut_ready_i && starts_value) held_q <= 1'b1;
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
      cut_o.tcp <= a_q.tcp;
      cut_o.binary <= a_q.binary;
      cut_o.in_first <= phase_q.first;
      cut_o.in_extra <= phase_q.extra;
      cut_o.in_key <= phase_q.key;
      cut_o.in_value <= phase_q.value;
      cut_o.counted <= counted;
      cut_o.count <= phase_q.tail ? 4'd0 : count_q.whole ? 4'd8 : {1'b0, count_q.rest};
      cut_o.tail <= phase_q.tail || (count_q.tail && !count_q.whole);
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
