// SPDX-License-Identifier: Apache-2.0
// Turns each result into the plan of its answer: which parts, which text, the binary header. The
// CR LF behind a value is left to the operation after it, if there is one in the same command: it
// then goes out in one fragment with that one's "VALUE " or "END". ASCII hits are handed to
// wc_answer_numbers, too. Latency 4, one result per cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_plan (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic                       result_valid_i,
  output logic                            result_ready_o,
  input  wire wc_pkg::result_t            result_i,
  // to wc_answer_numbers
  output logic                            line_valid_o,
  input  wire logic                       line_ready_i,
  output logic [31:0]                     line_flags_o,
  output wc_pkg::value_len_t              line_value_len_o,
  output logic                            line_with_cas_o,
  output wc_pkg::cas_t                    line_cas_o,
  // to the sender
  output logic                            plan_valid_o,
  input  wire logic                       plan_ready_i,
  output wc_response_pkg::plan_t          plan_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  typedef logic [31:0] body_t;

  // Stage 1: the shape.
  result_t result_q;
  shape_t shape_q;
  logic valid_q, move;

  // Stage 2: the text, with what is owed.
  result_t result_q2;
  shape_t shape_q2;
  logic valid_q2, move2;
  logic owed_q;
  logic empty, pay, keep_owing;
  text_e text;
  logic text_part_q2, owed_part_q2, begin_owing_q2;
  text_t text_q2;
  text_bytes_t body_text_q2;

  // Stage 3: the sums.
  plan_t plan_q, plan_d;
  logic valid_q3, move3;
  logic out_ready;
  parts_t parts;
  body_t body;
  logic cas_shown;

  assign move3 = out_ready || !valid_q3;
  assign move2 = move3 || !valid_q2;
  assign move = (move2 && (line_ready_i || !shape_q.line)) || !valid_q;
  assign result_ready_o = move;

  assign line_valid_o = valid_q && move2 && shape_q.line;
  assign line_flags_o = result_q.flags;
  assign line_value_len_o = result_q.value_len;
  assign line_with_cas_o = result_q.op.with_cas;
  assign line_cas_o = result_q.cas;

  // What follows a value whose CR LF is owed: the next hit, END, nothing yet, or the message's end;
  // all else can't be, and pays first.
  assign empty = !shape_q.header && !shape_q.line && shape_q.text == TextNone;
  assign keep_owing = (shape_q.line || (owed_q && empty)) && shape_q.text == TextNone &&
                      !result_q.op.last;
  assign pay = owed_q && !shape_q.line && !empty && shape_q.text != TextEnd;

  always_comb begin
    text = shape_q.text;
    if (shape_q.line || (owed_q && !pay)) begin
      if (shape_q.text == TextEnd) text = TextCrLfEnd;
      else if (result_q.op.last) text = TextCrLf;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      valid_q <= result_valid_i;
      result_q <= result_i;
      shape_q <= shape_of(result_i.op);
    end
    if (move2) begin
      valid_q2 <= valid_q && move;
      result_q2 <= result_q;
      shape_q2 <= shape_q;
      text_q2 <= TextTable[text];
      text_part_q2 <= text != TextNone;
      body_text_q2 <= TextTable[shape_q.text].bytes;
      owed_part_q2 <= pay;
      begin_owing_q2 <= owed_q;
    end
    if (valid_q && move) owed_q <= keep_owing;
    if (move3) begin
      valid_q3 <= valid_q2;
      plan_q <= plan_d;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
      owed_q <= 1'b0;
    end
  end

  function automatic logic [63:0] reversed(logic [63:0] value);
    return {<<8{value}};
  endfunction

  always_comb begin
    parts = '0;
    parts.owed = owed_part_q2;
    parts.begin_line = shape_q2.line;
    parts.header = {3{shape_q2.header}};
    parts.extras = shape_q2.extras;
    parts.key = shape_q2.key;
    parts.numbers = shape_q2.line;
    parts.value = shape_q2.value && result_q2.value_len != '0;
    parts.text = text_part_q2;
    parts.nothing = parts == '0;

    body = (shape_q2.value ? body_t'(result_q2.value_len) : body_t'(body_text_q2)) +
           ({24'd0, shape_q2.key ? result_q2.op.key_len : 8'd0} +
            (shape_q2.extras ? body_t'(ExtrasBytes) : '0));
    cas_shown = result_q2.op.status == StOk && result_q2.op.op inside {OpGet, OpSet};

    plan_d.first = first_of(parts);
    plan_d.rest = parts & ~first_of(parts);
    plan_d.last = result_q2.op.last;
    plan_d.owing = begin_owing_q2;
    plan_d.row = text_q2.row;
    plan_d.last_row = text_q2.last_row;
    plan_d.key_end = last_bytes(result_q2.op.key_len[2:0]);
    plan_d.value_end = last_bytes(result_q2.value_len[2:0]);
    plan_d.extras = reversed({result_q2.flags, 32'd0});
    plan_d.header[0] = reversed({8'h81, result_q2.op.opcode,
                                 8'd0, shape_q2.key ? result_q2.op.key_len : 8'd0,
                                 shape_q2.extras ? 8'(ExtrasBytes) : 8'd0, 8'd0,
                                 8'd0, binary_status(result_q2.op.status)});
    plan_d.header[1] = {result_q2.op.opaque, 32'(reversed({body, 32'd0}))};
    plan_d.header[2] = cas_shown ? reversed(result_q2.cas) : '0;
  end

  wc_slice #(
    .data_t(plan_t)
  ) u_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_q3),
    .ready_o(out_ready),
    .data_i (plan_q),
    .valid_o(plan_valid_o),
    .ready_i(plan_ready_i),
    .data_o (plan_o)
  );

endmodule

`default_nettype wire
