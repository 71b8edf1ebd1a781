// SPDX-License-Identifier: Apache-2.0
// Turns each result into the plan of its answer: which parts, which text, the binary header. The
// CR LF behind a value is left to the operation after it, if there is one in the same command: it
// then goes out in one fragment with that one's "VALUE " or "END". ASCII hits are handed to
// wc_answer_numbers as they come in; the queue behind gives it time to work ahead.
// Latency 4, a result every 2 cycles. No ready depends on another.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_plan (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              result_valid_i,
  output logic                   result_ready_o,
  input  wire wc_pkg::result_t   result_i,
  // to wc_answer_numbers
  output logic                   line_valid_o,
  input  wire logic              line_ready_i,
  output logic [31:0]            line_flags_o,
  output wc_pkg::value_len_t     line_value_len_o,
  output logic                   line_with_cas_o,
  output wc_pkg::cas_t           line_cas_o,
  // to the sender
  output logic                   plan_valid_o,
  input  wire logic              plan_ready_i,
  output wc_response_pkg::plan_t plan_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  typedef logic [31:0] body_t;

  // What the plan needs of a result.
  typedef struct packed {
    shape_t      shape;  // not its text in the queue: what is asked of that stands below
    text_t       text;
    logic        text_none;
    logic        text_end;
    logic        last;
    status_e     status;
    logic [7:0]  opcode;
    logic [31:0] opaque;
    key_len_t    key_len;
    value_len_t  value_len;
    logic [31:0] flags;
    cas_t        cas;
  } work_t;

  // ---- 1: the shape; from here to the numbers and to the queue -------------------------------
  logic valid_q, queue_ready, leave;
  work_t work_q;
  logic with_cas_q;

  assign result_ready_o = !valid_q;
  assign leave = valid_q && queue_ready && (line_ready_i || !work_q.shape.line);

  assign line_valid_o = valid_q && queue_ready && work_q.shape.line;
  assign line_flags_o = work_q.flags;
  assign line_value_len_o = work_q.value_len;
  assign line_with_cas_o = with_cas_q;
  assign line_cas_o = work_q.cas;

  always_ff @(posedge clk_i) begin
    if (!valid_q) begin
      valid_q <= result_valid_i;
      with_cas_q <= result_i.op.with_cas;
      work_q <= work_t'{
          shape: shape_of(result_i.op),
          text: '0,
          text_none: 1'b0,
          text_end: 1'b0,
          last: result_i.op.last,
          status: result_i.op.status,
          opcode: result_i.op.opcode,
          opaque: result_i.op.opaque,
          key_len: result_i.op.key_len,
          value_len: result_i.value_len,
          flags: result_i.flags,
          cas: result_i.op.status == StOk && result_i.op.op inside {OpGet, OpSet}
                   ? result_i.cas : '0
      };
    end else if (leave) begin
      valid_q <= 1'b0;
    end
    if (rst_i) valid_q <= 1'b0;
  end

  logic queued_valid, valid_q2;
  work_t queue_in, queued;

  always_comb begin
    queue_in = work_q;
    queue_in.shape.text = TextNone;
    queue_in.text = TextTable[work_q.shape.text];
    queue_in.text_none = work_q.shape.text == TextNone;
    queue_in.text_end = work_q.shape.text == TextEnd;
  end

  wc_fifo_shallow #(
    .data_t(work_t),
    .Depth (16)
  ) u_queue (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(leave),
    .ready_o(queue_ready),
    .data_i (queue_in),
    .valid_o(queued_valid),
    .ready_i(!valid_q2),
    .data_o (queued)
  );

  // ---- 2: the text, with what is owed --------------------------------------------------------
  // What follows a value whose CR LF is owed: the next hit, END, nothing yet, or the message's end;
  // all else can't be, and pays first.
  work_t work_q2;
  logic owed_q;
  logic empty, pay, keep_owing;
  logic crlf_end, crlf;  // what the text becomes with the CR LF that is owed
  logic text_part_q2, value_q2, lead_q2;
  word_t lead_word_q2;
  fragment_bytes_t lead_bytes_q2;
  text_t text_q2;
  text_bytes_t body_text_q2;

  assign empty = !queued.shape.header && !queued.shape.line && queued.text_none;
  assign keep_owing = (queued.shape.line || (owed_q && empty)) &&
                      queued.text_none && !queued.last;
  assign pay = owed_q && !queued.shape.line && !empty && !queued.text_end;
  assign crlf_end = (queued.shape.line || owed_q) && queued.text_end;
  assign crlf = (queued.shape.line || (owed_q && empty)) && !queued.text_end && queued.last;

  always_ff @(posedge clk_i) begin
    if (!valid_q2) begin
      valid_q2 <= queued_valid;
      work_q2 <= queued;
      text_q2 <= crlf_end ? TextTable[TextCrLfEnd] : crlf ? TextTable[TextCrLf] : queued.text;
      text_part_q2 <= !queued.text_none || crlf;
      body_text_q2 <= queued.text.bytes;
      value_q2 <= queued.shape.value && queued.value_len != '0;
      lead_q2 <= pay || queued.shape.line;
      lead_word_q2 <= pay    ? RowTable[TextTable[TextCrLf].row] :
                      owed_q ? RowTable[TextTable[TextCrLfValue].row] :
                               RowTable[TextTable[TextValue].row];
      lead_bytes_q2 <= pay    ? fragment_bytes_t'(TextTable[TextCrLf].bytes) :
                       owed_q ? fragment_bytes_t'(TextTable[TextCrLfValue].bytes) :
                                fragment_bytes_t'(TextTable[TextValue].bytes);
      if (queued_valid) owed_q <= keep_owing;
    end else if (!plan_valid_o) begin
      valid_q2 <= 1'b0;
    end
    if (rst_i) begin
      valid_q2 <= 1'b0;
      owed_q <= 1'b0;
    end
  end

  // ---- 3: the sums ---------------------------------------------------------------------------
  plan_t plan_d;
  parts_t parts;
  body_t body;

  function automatic logic [63:0] reversed(logic [63:0] value);
    return {<<8{value}};
  endfunction

  always_comb begin
    parts = '0;
    parts.lead = lead_q2;
    parts.header = {3{work_q2.shape.header}};
    parts.extras = work_q2.shape.extras;
    parts.key = work_q2.shape.key;
    parts.numbers = work_q2.shape.line;
    parts.value = value_q2;
    parts.text = text_part_q2;

    body = (work_q2.shape.value ? body_t'(work_q2.value_len) : body_t'(body_text_q2)) +
           ({24'd0, work_q2.shape.key ? work_q2.key_len : 8'd0} +
            (work_q2.shape.extras ? body_t'(ExtrasBytes) : '0));

    plan_d.first = first_of(parts);
    plan_d.second = second_of(parts);
    plan_d.rest = parts & ~first_of(parts) & ~second_of(parts) & MaybeThird;
    plan_d.more = 3'($countones(plan_d.rest));
    plan_d.only = plan_d.second == '0;
    plan_d.only_two = plan_d.rest == '0;
    plan_d.alone = is_alone(plan_d.first) || parts == '0;
    plan_d.alone2 = is_alone(plan_d.second);
    plan_d.last = work_q2.last;
    plan_d.row = text_q2.row;
    plan_d.more_rows = text_q2.more_rows;
    plan_d.lead_bytes = lead_bytes_q2;
    plan_d.key_end = last_bytes(work_q2.key_len[2:0]);
    plan_d.value_end = last_bytes(work_q2.value_len[2:0]);
    plan_d.text_end = last_bytes(text_q2.bytes[2:0]);
    plan_d.lead = lead_word_q2;
    plan_d.extras = 32'(reversed({work_q2.flags, 32'd0}));
    plan_d.header[0] = reversed({8'h81, work_q2.opcode,
                                 8'd0, work_q2.shape.key ? work_q2.key_len : 8'd0,
                                 work_q2.shape.extras ? 8'(ExtrasBytes) : 8'd0, 8'd0,
                                 8'd0, binary_status(work_q2.status)});
    plan_d.header[1] = {work_q2.opaque, 32'(reversed({body, 32'd0}))};
    plan_d.header[2] = reversed(work_q2.cas);
  end

  always_ff @(posedge clk_i) begin
    if (!plan_valid_o) begin
      plan_valid_o <= valid_q2;
      plan_o <= plan_d;
    end else if (plan_ready_i) begin
      plan_valid_o <= 1'b0;
    end
    if (rst_i) plan_valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(plan, plan_valid_o, plan_ready_i, plan_o)

endmodule

`default_nettype wire
