// SPDX-License-Identifier: Apache-2.0
// The numbers of an ASCII hit as text, packed: " <flags> <bytes>[ <cas>]\r\n". Works ahead of the
// answer, whose key is on its way meanwhile. One line every 4 cycles when flags, bytes and cas are
// below 2**16, else 4 for each 16 bits of the largest; latency 15 for a line of one word.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_numbers (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               valid_i,
  output logic                    ready_o,
  input  wire logic [31:0]        flags_i,
  input  wire wc_pkg::value_len_t value_len_i,
  input  wire logic               with_cas_i,
  input  wire wc_pkg::cas_t       cas_i,
  output logic                    valid_o,
  input  wire logic               ready_i,
  output wc_pkg::word_t           data_o,
  output logic [3:0]              bytes_o,  // 8, or less in the last word
  output logic                    last_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  localparam int unsigned FlagDigits = decimal_digits(32);
  localparam int unsigned LengthDigits = decimal_digits($bits(value_len_t));
  localparam int unsigned CasDigits = decimal_digits($bits(cas_t));

  // A number is sent in groups of seven digits, so that the first one has room for the space.
  localparam int unsigned GroupDigits = 7;
  typedef logic [GroupDigits-1:0][3:0] group_t;

  typedef enum logic [2:0] {
    FlagsHigh = 3'd0,
    FlagsLow  = 3'd1,
    Length    = 3'd2,
    CasHigh   = 3'd3,
    CasMiddle = 3'd4,
    CasLow    = 3'd5,
    LineEnd   = 3'd6
  } piece_e;
  localparam int unsigned Groups = 6;

  // A register in front: ready_o depends on nothing behind it.
  // Which 16 bits of a number are the first to convert is found out on the way into it.
  function automatic logic [3:0] top_of(logic [63:0] value);
    logic [3:0] top;
    top = 4'd1;
    for (int unsigned i = 1; i < 4; i++) if (value[16*i+:16] != '0) top = 4'd1 << i;
    return top;
  endfunction

  logic held_q, held_with_cas_q;
  logic [1:0] flags_top_q, length_top_q;
  logic [3:0] cas_top_q;
  logic [31:0] held_flags_q;
  value_len_t held_value_len_q;
  cas_t held_cas_q;

  logic flags_ready, length_ready, cas_ready;
  logic flags_valid, length_valid, cas_valid;
  logic [FlagDigits-1:0][3:0] flags;
  logic [LengthDigits-1:0][3:0] length_digits;
  logic [CasDigits-1:0][3:0] cas;
  logic with_cas_q;
  logic take, hand_over;

  // The three converters start together, and are taken together.
  assign ready_o = !held_q;
  assign take = held_q && flags_ready && length_ready && cas_ready;

  always_ff @(posedge clk_i) begin
    if (!held_q) begin
      held_q <= valid_i;
      held_flags_q <= flags_i;
      held_value_len_q <= value_len_i;
      held_with_cas_q <= with_cas_i;
      held_cas_q <= with_cas_i ? cas_i : '0;
      flags_top_q <= 2'(top_of(64'(flags_i)));
      length_top_q <= 2'(top_of(64'(value_len_i)));
      cas_top_q <= with_cas_i ? top_of(cas_i) : 4'd1;
    end else if (take) begin
      held_q <= 1'b0;
    end
    if (rst_i) held_q <= 1'b0;
  end

  wc_decimal #(
    .Width(32)
  ) u_flags (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (take),
    .ready_o (flags_ready),
    .value_i (held_flags_q),
    .top_i   (flags_top_q),
    .valid_o (flags_valid),
    .ready_i (hand_over),
    .digits_o(flags)
  );

  wc_decimal #(
    .Width($bits(value_len_t))
  ) u_length (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (take),
    .ready_o (length_ready),
    .value_i (held_value_len_q),
    .top_i   (length_top_q),
    .valid_o (length_valid),
    .ready_i (hand_over),
    .digits_o(length_digits)
  );

  wc_decimal #(
    .Width($bits(cas_t))
  ) u_cas (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (take),
    .ready_o (cas_ready),
    .value_i (held_cas_q),
    .top_i   (cas_top_q),
    .valid_o (cas_valid),
    .ready_i (hand_over),
    .digits_o(cas)
  );

  // The groups that have something to say, lowest first.
  logic [Groups:0] pieces_q, piece;
  group_t [Groups-1:0] groups_q;
  logic [Groups-1:0] leading_q;  // no group of the same number before
  logic flags_high, cas_high, cas_middle;
  logic done, send, room;
  logic tail_q;  // nothing but the line's end is left, or not even that

  assign piece = (Groups + 1)'(lowest(16'(pieces_q)));
  assign send = room && pieces_q != '0;
  assign done = tail_q && (room || !pieces_q[LineEnd]);
  assign hand_over = flags_valid && length_valid && cas_valid && done;

  assign flags_high = flags[FlagDigits-1:GroupDigits] != '0;
  assign cas_high = cas[CasDigits-1:2*GroupDigits] != '0;
  assign cas_middle = cas[2*GroupDigits-1:GroupDigits] != '0;

  always_ff @(posedge clk_i) begin
    if (take) with_cas_q <= held_with_cas_q;
    if (send) begin
      pieces_q <= pieces_q & ~piece;
      tail_q <= (pieces_q[Groups-1:0] & ~piece[Groups-1:0]) == '0;
    end
    if (hand_over) begin
      tail_q <= 1'b0;
      pieces_q[FlagsHigh] <= flags_high;
      pieces_q[FlagsLow] <= 1'b1;
      pieces_q[Length] <= 1'b1;
      pieces_q[CasHigh] <= with_cas_q && cas_high;
      pieces_q[CasMiddle] <= with_cas_q && (cas_high || cas_middle);
      pieces_q[CasLow] <= with_cas_q;
      pieces_q[LineEnd] <= 1'b1;
      leading_q[FlagsHigh] <= 1'b1;
      leading_q[FlagsLow] <= !flags_high;
      leading_q[Length] <= 1'b1;
      leading_q[CasHigh] <= 1'b1;
      leading_q[CasMiddle] <= !cas_high;
      leading_q[CasLow] <= !cas_high && !cas_middle;
      groups_q[FlagsHigh] <= group_t'(flags[FlagDigits-1:GroupDigits]);
      groups_q[FlagsLow] <= flags[GroupDigits-1:0];
      groups_q[Length] <= group_t'(length_digits);
      groups_q[CasHigh] <= group_t'(cas[CasDigits-1:2*GroupDigits]);
      groups_q[CasMiddle] <= cas[2*GroupDigits-1:GroupDigits];
      groups_q[CasLow] <= cas[GroupDigits-1:0];
    end
    if (rst_i) begin
      pieces_q <= '0;
      tail_q <= 1'b1;
    end
  end

  // Stage 1: the group. Stage 2: how many digits of it count. Stage 3: moved to the front.
  group_t group, group_q, group_q2;
  logic [7:0][3:0] digits;
  logic [GroupDigits-1:0][7:0] front;
  logic group_leading, leading_q2, leading_q3;
  logic end_q, end_q2, end_q3;
  logic valid_q, valid_q2, valid_q3;
  logic [2:0] spare, spare_q;  // leading zeros
  logic [7:0][7:0] chars_q;
  logic [3:0] bytes_q;

  assign digits = {4'd0, group_q2};

  always_comb begin
    group = '0;
    for (int unsigned i = 0; i < Groups; i++) if (piece[i]) group = group | groups_q[i];
    group_leading = (piece[Groups-1:0] & leading_q) != '0;
    spare = '0;
    if (leading_q2) begin
      spare = 3'(GroupDigits - 1);
      for (int unsigned i = 1; i < GroupDigits; i++) begin
        if (group_q[i] != 4'd0) spare = 3'(GroupDigits - 1 - i);
      end
    end
    for (int unsigned i = 0; i < GroupDigits; i++) begin
      front[i] = {4'h3, digits[3'(GroupDigits - 1 - i) - spare_q]};
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q <= send;
    group_q <= group;
    leading_q2 <= group_leading;
    end_q <= piece[LineEnd];

    valid_q2 <= valid_q;
    group_q2 <= group_q;
    leading_q3 <= leading_q2;
    spare_q <= spare;
    end_q2 <= end_q;

    valid_q3 <= valid_q2;
    end_q3 <= end_q2;
    chars_q <= leading_q3 ? {front, 8'(" ")} : {8'd0, front};
    bytes_q <= 4'(GroupDigits) - {1'b0, spare_q} + {3'd0, leading_q3};
    if (end_q2) begin
      chars_q <= {48'd0, CrLf[7:0], CrLf[15:8]};
      bytes_q <= 4'd2;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
    end
  end

  wc_pack #(
    .Depth(16),
    .Slack(3)
  ) u_pack (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .valid_i       (valid_q3),
    .ready_o       (room),
    .first_i       (chars_q),
    .first_bytes_i (bytes_q),
    .second_i      ('0),
    .second_bytes_i('0),
    .last_i        (end_q3),
    .valid_o       (valid_o),
    .ready_i       (ready_i),
    .data_o        (data_o),
    .bytes_o       (bytes_o),
    .last_o        (last_o)
  );

endmodule

`default_nettype wire
