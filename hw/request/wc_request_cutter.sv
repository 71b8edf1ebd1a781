// SPDX-License-Identifier: Apache-2.0
// Cuts a packet into tokens and fields: each cut starts where the one before ended, shows the next
// eight bytes wherever they stand, and takes as many of them as its token or field has. ASCII lines
// are cut at their delimiters; binary requests by the lengths in their headers, which are read as
// the cuts pass; both without help. Only after a line that starts with "set " the cutter waits
// (`held`) until `resume` tells whether a value follows.
// Latency 1, throughput 1 cut per cycle.
//
// The read position is a thermometer: bit i of position_q is set when byte i of word a is not yet
// taken. It makes the loop short: the next one is an OR over the delimiters below each bit.
`default_nettype none

module wc_request_cutter
  import wc_request_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     word_valid_i,
  output logic          word_ready_o,
  input  wire classed_t word_i,
  input  wire resume_t  resume_i,
  output logic          cut_valid_o,
  input  wire logic     cut_ready_i,
  output cut_t          cut_o
);

  localparam int unsigned CountWidth = 18;  // words of a field: more than any packet has

  // Byte i of the window that starts at the read position is byte i + (0 to 7) of words a and b.
  function automatic logic pick(input logic [7:0] window, input logic [7:0] position);
    logic low, high;
    low = position[1] ? (position[0] ? window[0] : window[1])
                      : (position[2] ? window[2] : window[3]);
    high = position[5] ? (position[4] ? window[4] : window[5])
                       : (position[6] ? window[6] : window[7]);
    return position[3] ? low : high;
  endfunction

  // ---- two words: a holds the read position -----------------------------------------------------
  classed_t a_q, b_q;
  logic a_valid_q, b_valid_q;
  logic [7:0] a_token_end, b_end;
  logic pop, shift;

  assign shift = pop || !a_valid_q;
  assign word_ready_o = shift || !b_valid_q;
  assign a_token_end = a_q.eol | a_q.nul | a_q.space;
  assign b_end = b_q.eol | b_q.nul | b_q.space | b_q.stop;

  // Where a token that ends in b leaves the position, when b has become a. The end of the packet is
  // not taken with it: the next cut finds it.
  logic [7:0] after_b_d, after_b_q;
  logic b_ends_line_d, b_ends_line_q;
  always_comb begin
    automatic logic [7:0] ends = word_i.eol | word_i.nul | word_i.space;
    automatic logic [7:0] first = ends & (~ends + 8'd1);
    after_b_d[0] = word_i.stop[0];
    for (int unsigned i = 1; i < 8; i++) begin
      after_b_d[i] = |(ends & 8'((1 << (i - 1)) - 1)) || (ends[i-1] && !word_i.crlf[i-1])
                     || |(word_i.stop & 8'((2 << i) - 1));
    end
    b_ends_line_d = |(first & word_i.eol);
  end

  always_ff @(posedge clk_i) begin
    if (shift) begin
      a_valid_q <= b_valid_q;
      a_q <= b_q;
    end
    if (word_ready_o) begin
      b_valid_q <= word_valid_i;
      b_q <= word_i;
      after_b_q <= after_b_d;
      b_ends_line_q <= b_ends_line_d;
    end
    if (rst_i) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
    end
  end

  // ---- a cut of a line ---------------------------------------------------------------------------
  logic [7:0] position_q, position_d;
  logic [7:0] hits, after_a, line_position;
  logic hit_a, hit_b, stays, closing, ends_line, line_ends_a;

  always_comb begin
    hits = a_token_end & position_q;
    hit_a = |hits;
    after_a[0] = 1'b0;
    for (int unsigned i = 1; i < 8; i++) begin
      after_a[i] = |(hits & 8'((1 << (i - 1)) - 1)) || (hits[i-1] && !a_q.crlf[i-1]);
    end
    stays = after_a[7];  // there is something left in a
    hit_b = |(b_end & ~position_q);
    // No token ends in a and b has nothing to say: a holds the end of the packet, or is used up.
    closing = a_q.last || !position_q[7];
    if (hit_a) begin
      line_position = stays ? after_a : {7'h7f, !(hits[7] && a_q.crlf[7] && !hits[6])};
    end else if (closing) begin
      line_position = '1;
    end else begin
      line_position = hit_b ? after_b_q : position_q;
    end
    line_ends_a = 1'b0;
    for (int unsigned i = 0; i < 8; i++) begin
      line_ends_a |= a_q.eol[i] && position_q[i]
                     && !(|(hits & ~a_q.eol & 8'((1 << i) - 1)));
    end
    ends_line = hit_a ? line_ends_a : !closing && hit_b && b_ends_line_q;
  end

  // ---- a cut of known length ---------------------------------------------------------------------
  phase_e phase_q, phase_d;
  logic [CountWidth-1:0] words_q;  // whole words left of the field
  logic whole_q, final_q;          // words_q != 0, words_q == 1
  logic part_q;                    // less than a word follows them
  logic [2:0] rest_q;              // how much
  logic [7:0] rest_position_q;     // where that leads
  logic rest_moves_q;
  logic [1:0] age_q;               // since when those are right
  logic [7:0] count_position, tail_position;
  logic counted, moves, short, final_cut;
  logic tail;

  assign counted = a_q.binary || phase_q != PhFirst;
  assign tail = phase_q == PhTail;
  assign tail_position = position_q[5] ? {position_q[5:0], 2'b00} : {7'h7f, position_q[6]};
  assign count_position = tail ? tail_position : whole_q ? position_q : rest_position_q;
  assign moves = tail ? !position_q[5] : whole_q || rest_moves_q;
  assign short = moves ? a_q.last || |(b_q.stop & ~count_position)
                       : |(a_q.stop & position_q & ~count_position);
  assign final_cut = tail || (whole_q ? final_q && !part_q : 1'b1);

  // ---- the loop ----------------------------------------------------------------------------------
  logic can_cut, fire, emits, advances, used_up;

  always_comb begin
    can_cut = a_valid_q;
    if (counted) begin
      if (moves && !a_q.last && !b_valid_q) can_cut = 1'b0;
      if (phase_q == PhValue && !whole_q && age_q != 2'd2) can_cut = 1'b0;
    end else if (!hit_a && !closing && !b_valid_q) begin
      can_cut = 1'b0;
    end
    if (phase_q == PhWait || phase_q == PhGap || phase_q == PhDrain) can_cut = 1'b0;
  end

  assign fire = can_cut && (!cut_valid_o || cut_ready_i);
  assign emits = counted || hit_a || position_q[7];
  assign advances = counted ? moves : !hit_a || !stays;
  // a is used up and no cut of a line comes to find out
  assign used_up = phase_q == PhWait && a_valid_q && !position_q[7];
  assign pop = (fire && advances) || (phase_q == PhDrain && a_valid_q) || used_up;

  always_comb begin
    position_d = position_q;
    if (phase_q == PhDrain || used_up) position_d = '1;
    else if (fire) begin
      if (!counted) position_d = line_position;
      else if (moves && a_q.last) position_d = '1;
      else position_d = count_position;
    end
  end

  // ---- what comes after ----------------------------------------------------------------------------
  logic extra_q, key_any_q, odd_extras_q, value_any_q;
  logic held_q;
  logic value_any_now;

  assign value_any_now = resume_i.bytes != '0;

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      PhFirst: begin
        if (fire && !counted && ends_line && held_q) phase_d = PhWait;
        if (fire && counted && final_cut) begin
          phase_d = extra_q ? PhExtra : key_any_q ? PhKey : PhGap;
        end
      end
      PhExtra: if (fire) phase_d = key_any_q ? PhKey : value_any_q ? PhValue : PhFirst;
      PhKey:   if (fire && final_cut) phase_d = value_any_q ? PhValue : PhFirst;
      PhValue: if (fire && final_cut) phase_d = a_q.binary ? PhFirst : PhTail;
      PhTail:  if (fire) phase_d = PhFirst;
      PhWait: begin
        if (resume_i.valid) begin
          phase_d = !resume_i.value ? PhFirst : value_any_now ? PhValue : PhTail;
        end
      end
      PhGap:   phase_d = value_any_q ? PhValue : PhFirst;
      PhDrain: if (a_valid_q && a_q.last) phase_d = PhFirst;
      default: phase_d = PhFirst;
    endcase
    if (fire && counted && short) phase_d = moves && a_q.last ? PhFirst : PhDrain;
  end

  // Lengths. Those of a binary request come from its header, which is in cut_o when they are read.
  logic [12:0] key_words_q;  // of the 16-bit length
  logic [2:0] key_rest_q;
  logic [16:0] skip_q;       // extras and key
  logic [31:0] value_bytes_q;
  logic [CountWidth-1:0] words_d;
  logic [31:0] body;
  logic [15:0] key_bytes;
  logic [7:0] extras;
  logic head;
  logic [1:0] head_q;        // cuts of the header so far

  assign head = cut_valid_o && cut_o.counted && cut_o.phase == PhFirst;
  assign key_bytes = {cut_o.data[23:16], cut_o.data[31:24]};
  assign extras = cut_o.data[39:32];
  assign body = {cut_o.data[7:0], cut_o.data[15:8], cut_o.data[23:16], cut_o.data[31:24]};

  always_ff @(posedge clk_i) begin
    if (fire) head_q <= counted && phase_q == PhFirst ? head_q + 2'd1 : 2'd0;
    if (fire && counted && (final_cut || short)) head_q <= 2'd0;
    if (head && head_q == 2'd1) begin
      extra_q <= extras == 8'd8;
      odd_extras_q <= extras != 8'd8 && extras != 8'd0;
      key_any_q <= key_bytes != '0 && (extras == 8'd8 || extras == 8'd0);
      key_words_q <= key_bytes[15:3];
      key_rest_q <= key_bytes[2:0];
      skip_q <= {1'b0, key_bytes} + 17'(extras);
    end
    if (head && head_q == 2'd2) begin
      value_any_q <= odd_extras_q ? body != '0 : body != 32'(skip_q);
      value_bytes_q <= body - (odd_extras_q ? 32'd0 : 32'(skip_q));
    end
    if (rst_i) head_q <= 2'd0;
  end

  // The position at the end of the field, from the position at its beginning (whole words do not
  // change it), as soon as the length is known.
  logic [2:0] offset_q, rest;
  logic line_value_q;  // the value is that of an ASCII set
  logic [3:0] rest_end;

  assign rest = phase_q == PhWait || line_value_q ? resume_i.bytes[2:0]
              : phase_q == PhValue ? value_bytes_q[2:0] : key_rest_q;
  assign rest_end = {1'b0, offset_q} + {1'b0, rest};

  always_comb begin
    unique case (phase_d)
      PhExtra: words_d = CountWidth'(1);
      PhKey:   words_d = CountWidth'(key_words_q);
      PhValue: begin
        if (phase_q == PhWait) words_d = CountWidth'(resume_i.bytes[20:3]);
        else words_d = |value_bytes_q[31:21] ? '1 : value_bytes_q[20:3];
      end
      default: words_d = CountWidth'(3);  // the header
    endcase
  end

  always_ff @(posedge clk_i) begin
    offset_q[2] <= !position_q[3];
    offset_q[1] <= position_q[3] ? !position_q[1] : !position_q[5];
    offset_q[0] <= pick(8'b10101010, position_q);
    rest_moves_q <= rest_end[3];
    rest_position_q <= 8'hff << rest_end[2:0];
    if (phase_d != phase_q || (fire && counted && short)) begin
      words_q <= words_d;
      whole_q <= words_d != '0;
      final_q <= words_d == CountWidth'(1);
      unique case (phase_d)
        PhKey: begin
          part_q <= key_rest_q != '0;
          rest_q <= key_rest_q;
        end
        PhValue: begin
          part_q <= phase_q == PhWait ? resume_i.bytes[2:0] != '0 : value_bytes_q[2:0] != '0;
          rest_q <= phase_q == PhWait ? resume_i.bytes[2:0] : value_bytes_q[2:0];
        end
        default: part_q <= 1'b0;
      endcase
      age_q <= phase_q == PhWait ? 2'd2 : 2'd0;
      line_value_q <= phase_q == PhWait && phase_d == PhValue;
    end else begin
      if (fire && counted && whole_q) begin
        words_q <= words_q - 1'b1;
        whole_q <= !final_q;
        final_q <= words_q == CountWidth'(2);
      end
      if (age_q != 2'd2) age_q <= age_q + 2'd1;
    end
    phase_q <= phase_d;
    position_q <= position_d;
    if (rst_i) begin
      phase_q <= PhFirst;
      position_q <= '1;
      words_q <= CountWidth'(3);
      whole_q <= 1'b1;
      final_q <= 1'b0;
      part_q <= 1'b0;
      line_value_q <= 1'b0;
    end
  end

  // A line that starts with "set " and has at least two more cuts is held at its end.
  logic fresh_q, starts_set, line_over;

  assign line_over = fire && !counted && (ends_line || (closing && a_q.last && !hit_a));
  assign starts_set = fresh_q && !cut_o.counted && cut_o.data[31:0] == " tes"
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

  // ---- the cut -------------------------------------------------------------------------------------
  logic [15:0] delimiters;
  logic [15:0][1:0] endings;
  wc_pkg::word_t data;
  logic [8:0] delimiter;
  logic [7:0][1:0] ending;

  always_comb begin
    delimiters = {b_end, a_token_end | a_q.stop};
    for (int unsigned i = 0; i < 8; i++) begin
      endings[i] = {a_q.nul[i] | a_q.stop[i], a_q.eol[i] | a_q.stop[i]};
      endings[i+8] = {b_q.nul[i] | b_q.stop[i], b_q.eol[i] | b_q.stop[i]};
    end
    for (int unsigned i = 0; i < 8; i++) begin
      for (int unsigned j = 0; j < 8; j++) begin
        automatic logic [7:0] window;
        for (int unsigned k = 0; k < 8; k++) begin
          window[k] = i + k < 8 ? a_q.data[(8*(i+k)+j)%64] : b_q.data[(8*(i+k)+j)%64];
        end
        data[8*i+j] = pick(window, position_q);
      end
      delimiter[i] = pick(delimiters[i+:8], position_q);
      for (int unsigned j = 0; j < 2; j++) begin
        automatic logic [7:0] window;
        for (int unsigned k = 0; k < 8; k++) window[k] = endings[i+k][j];
        ending[i][j] = pick(window, position_q);
      end
    end
    delimiter[8] = pick(delimiters[15:8], position_q);
  end

  always_ff @(posedge clk_i) begin
    if (!cut_valid_o || cut_ready_i) begin
      cut_valid_o <= fire && emits;
      cut_o.conn <= a_q.conn;
      cut_o.binary <= a_q.binary;
      cut_o.phase <= phase_q;
      cut_o.counted <= counted;
      cut_o.count <= tail ? 4'd2 : whole_q ? 4'd8 : {1'b0, rest_q};
      cut_o.last <= final_cut;
      cut_o.stop <= counted ? short : closing && a_q.last && !hit_a;
      cut_o.eol <= !counted && ends_line;
      cut_o.held <= !counted && ends_line && held_q;
      cut_o.delimiter <= delimiter;
      cut_o.ending <= ending;
      cut_o.data <= data;
    end
    if (rst_i) cut_valid_o <= 1'b0;
  end

endmodule

`default_nettype wire
