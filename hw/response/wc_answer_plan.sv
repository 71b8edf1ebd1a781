// SPDX-License-Identifier: Apache-2.0
// Turns each result into the plan of its answer: which parts, which text, the binary header. The
// CR LF behind a value is left to the operation after it, if there is one in the same command: it
// then goes out in one fragment with that one's "VALUE " or "END". The numbers of ASCII answers and
// the lines of meta answers are handed on as results come in; the queue behind gives whoever makes
// them time to work ahead. A meta answer's line may take key words ahead as well: it waits for those
// of the answers before it.
// Latency 5, a result every 2 cycles. No ready depends on another.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_plan #(
  parameter bit Meta = 1'b1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic [3:0]        version_bytes_i,
  input  wire logic              result_valid_i,
  output logic                   result_ready_o,
  input  wire wc_pkg::result_t   result_i,
  input  wire logic              key_taken_i,  // the last key word of an answer that is no meta one
  // to wc_answer_line
  output logic                   line_valid_o,
  input  wire logic              line_begun_i,  // its first piece is taken
  input  wire logic              line_ready_i,
  output logic                   line_alone_o,  // the cas is all of it
  output wc_response_pkg::lead_e line_first_o,  // LeadNone: no meta answer
  output wc_response_pkg::asked_t line_shows_o,
  output logic [2:0]             line_key_low_o,
  output logic                   line_encoded_o,
  output wc_pkg::seconds_t       line_ttl_o,
  output logic                   line_forever_o,
  output logic                   line_fetched_o,
  output wc_pkg::seconds_t       line_unused_o,
  output wc_response_pkg::lead_e line_marks_o,
  output logic [31:0]            line_flags_o,
  output wc_pkg::value_len_t     line_value_len_o,
  output logic                   line_with_cas_o,
  output wc_pkg::cas_t           line_cas_o,
  output wc_pkg::number_t        line_counted_o,
  // to the sender
  output logic                   plan_valid_o,
  input  wire logic              plan_ready_i,
  output wc_response_pkg::plan_t plan_o
);

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_response_pkg::*;

  typedef logic [31:0] body_t;

  // What the plan needs of a result.
  typedef struct packed {
    shape_t      shape;
    logic        with_item_cas;  // binary: the header has it
    logic        last;
    status_e     status;
    logic [7:0]  opcode;
    logic [31:0] opaque;
    key_len_t    key_len;
    value_len_t  value_len;
    logic [31:0] flags;
    pointer_t    pointer;
    cas_t        cas;
  } work_t;

  // ---- 1: the shape; from here to the numbers and to the queue -------------------------------
  // Which text it is is known for either protocol first, and chosen on the way into the queue. A
  // line may have several pieces: the plan goes to the queue with the first of them, as the answer
  // may be longer than there is room for it.
  logic valid_q, queue_ready, leave, done;
  logic begun_q;  // it is in the queue
  work_t work_q;
  op_t op;
  shape_t shape;
  asked_t shows;
  effect_t effect;
  logic with_cas_q, binary_q, silent_q, encoded_q;
  text_e ascii_text_q, binary_text_q;
  lead_e first_q;
  seconds_t ttl_q, unused_q;
  logic forever_q, fetched_q;
  lead_e marks, marks_q;
  logic keys_free;  // key words are those of this one

  assign op = op_with(Meta, result_i.op);
  assign shape = shape_of(op);
  assign effect = effect_of(op.op);
  assign shows = shown_of(op, marks);
  assign marks = lead_of(result_i.marks, result_i.wins);

  assign result_ready_o = !valid_q;
  assign line_valid_o = valid_q && work_q.shape.numbers && (begun_q || (queue_ready && keys_free));
  assign leave = valid_q && !begun_q && queue_ready && keys_free &&
                 (line_begun_i || !work_q.shape.numbers);
  assign done = work_q.shape.numbers ? line_valid_o && line_ready_i : leave;

  assign line_alone_o = !work_q.shape.line;
  assign line_first_o = first_q;
  assign line_shows_o = asked_t'({work_q.opaque, work_q.opcode});
  assign line_key_low_o = work_q.key_len[2:0];
  assign line_encoded_o = encoded_q;
  assign line_flags_o = work_q.flags;
  assign line_value_len_o = work_q.value_len;
  assign line_with_cas_o = with_cas_q;
  assign line_cas_o = work_q.cas;
  assign line_counted_o = {work_q.flags, work_q.pointer};
  assign line_ttl_o = ttl_q;
  assign line_forever_o = forever_q;
  assign line_fetched_o = fetched_q;
  assign line_unused_o = unused_q;
  assign line_marks_o = marks_q;

  // What a meta answer does not show is ShowNone.
  function automatic asked_t shown_of(op_t asking, lead_e told);
    shown_of = asked_of(asking);
    for (int unsigned i = 0; i < Shows; i++) begin
      if (asking.meta && !shown(asking, told, shown_of[i])) shown_of[i] = ShowNone;
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!valid_q) begin
      valid_q <= result_valid_i;
      with_cas_q <= op.with_cas;
      binary_q <= op.binary;
      silent_q <= silent(op);
      encoded_q <= op.encoded;
      ascii_text_q <= ascii_text(op);
      binary_text_q <= binary_text(op);
      first_q <= has_line(op) ? first_of_line(op) : LeadNone;
      ttl_q <= result_i.ttl;
      forever_q <= result_i.ttl == '1;
      fetched_q <= result_i.marks.fetched;
      unused_q <= result_i.unused;
      marks_q <= marks;
      work_q <= work_t'{
          shape: shape,
          with_item_cas: op.status == StOk &&
                         (effect.reads || stores_of(effect)
                          || effect.change == ChangeExpiry),
          last: op.last,
          status: op.status,
          opcode: shows[1:0],
          opaque: {op.opaque[31:$bits(show_e)*(Shows-2)], shows[Shows-1:2]},
          key_len: op.key_len,
          value_len: result_i.value_len,
          flags: result_i.flags,
          pointer: result_i.pointer,
          cas: result_i.cas
      };
    end else if (done) begin
      valid_q <= 1'b0;
    end
    begun_q <= valid_q && (begun_q || leave) && !done;
    if (rst_i) begin
      valid_q <= 1'b0;
      begun_q <= 1'b0;
    end
  end

  // Answers whose key part has not been sent. That of a meta answer is no part.
  if (Meta) begin : gen_keys
    typedef logic [5:0] count_t;

    count_t keys_q;
    logic any_q;  // there are some
    logic comes;

    assign comes = leave && work_q.shape.key && first_q == LeadNone;
    assign keys_free = !any_q || first_q == LeadNone || !work_q.shape.key;

    always_ff @(posedge clk_i) begin
      if (comes != key_taken_i) begin
        keys_q <= keys_q + (comes ? count_t'(1) : '1);
        any_q <= comes || keys_q != count_t'(1);
      end
      if (rst_i) begin
        keys_q <= '0;
        any_q <= 1'b0;
      end
    end

    `WC_ASSERT(keys_counted, !comes || keys_q != '1)
    `WC_ASSERT(key_was_due, !key_taken_i || keys_q != '0)
  end else begin : gen_no_keys
    logic unused;
    assign unused = key_taken_i;
    assign keys_free = 1'b1;
  end

  logic queued_valid, valid_q2, valid_q3;
  work_t queue_in, queued;

  always_comb begin
    queue_in = work_q;
    queue_in.shape.text = silent_q ? TextNone : binary_q ? binary_text_q : ascii_text_q;
    if (first_q != LeadNone) queue_in.shape.key = 1'b0;
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

  // ---- 2: out of the queue --------------------------------------------------------------------
  work_t work_q2;
  logic text_none_q2, text_end_q2;

  always_ff @(posedge clk_i) begin
    if (!valid_q2) begin
      valid_q2 <= queued_valid;
      work_q2 <= queued;
      text_none_q2 <= queued.shape.text == TextNone;
      text_end_q2 <= queued.shape.text == TextEnd;
    end else if (!valid_q3) begin
      valid_q2 <= 1'b0;
    end
    if (rst_i) valid_q2 <= 1'b0;
  end

  // ---- 3: which text, with what is owed ------------------------------------------------------
  // What follows a value whose CR LF is owed: the next hit, END, nothing yet, or the message's end;
  // all else can't be, and pays first.
  work_t work_q3;
  logic owed_q;
  logic empty, pay, keep_owing;
  logic crlf_end, crlf;  // what the text becomes with the CR LF that is owed
  logic text_part_q3, value_q3, lead_q3;
  word_t lead_word_q3;
  fragment_bytes_t lead_bytes_q3;
  text_t own_text;  // without what is owed
  text_e text_q3;
  row_count_t more_rows_q3;
  fragment_bytes_t text_end_q3;
  text_bytes_t body_text_q3;

  assign own_text = text_of(work_q2.shape.text, version_bytes_i);
  assign empty = !work_q2.shape.header && !work_q2.shape.numbers && text_none_q2;
  assign keep_owing = (work_q2.shape.line || (owed_q && empty)) &&
                      text_none_q2 && !work_q2.last;
  assign pay = owed_q && !work_q2.shape.line && !empty && !text_end_q2;
  assign crlf_end = (work_q2.shape.line || owed_q) && text_end_q2;
  assign crlf = (work_q2.shape.line || (owed_q && empty)) && !text_end_q2 && work_q2.last;

  always_ff @(posedge clk_i) begin
    if (!valid_q3) begin
      valid_q3 <= valid_q2;
      work_q3 <= work_q2;
      text_q3 <= crlf_end ? TextCrLfEnd : crlf ? TextCrLf : work_q2.shape.text;
      more_rows_q3 <= crlf_end || crlf ? '0 : own_text.more_rows;
      text_end_q3 <= crlf_end ? fragment_bytes_t'(TextTable[TextCrLfEnd].bytes) :
                     crlf     ? fragment_bytes_t'(CrLfBytes) : last_bytes(own_text.bytes[2:0]);
      text_part_q3 <= !text_none_q2 || crlf;
      body_text_q3 <= own_text.bytes;
      value_q3 <= work_q2.shape.value && work_q2.value_len != '0;
      lead_q3 <= pay || work_q2.shape.line;
      lead_word_q3 <= pay    ? RowTable[TextTable[TextCrLf].row] :
                      owed_q ? RowTable[TextTable[TextCrLfValue].row] :
                               RowTable[TextTable[TextValue].row];
      lead_bytes_q3 <= pay    ? fragment_bytes_t'(TextTable[TextCrLf].bytes) :
                       owed_q ? fragment_bytes_t'(TextTable[TextCrLfValue].bytes) :
                                fragment_bytes_t'(TextTable[TextValue].bytes);
      if (valid_q2) owed_q <= keep_owing;
    end else if (!plan_valid_o) begin
      valid_q3 <= 1'b0;
    end
    if (rst_i) begin
      valid_q3 <= 1'b0;
      owed_q <= 1'b0;
    end
  end

  // ---- 4: the sums, and where the text lies ----------------------------------------------------
  plan_t plan_d;
  parts_t parts;
  fragment_bytes_t extras_bytes;
  body_t body;

  function automatic logic [63:0] reversed(logic [63:0] value);
    return {<<8{value}};
  endfunction

  always_comb begin
    parts = '0;
    parts.lead = lead_q3;
    parts.header = {3{work_q3.shape.header}};
    parts.extras = work_q3.shape.extras || work_q3.shape.number;
    parts.key = work_q3.shape.key;
    parts.numbers = work_q3.shape.numbers;
    parts.value = value_q3;
    parts.text = text_part_q3;

    extras_bytes = work_q3.shape.number ? fragment_bytes_t'(BinaryNumberBytes) :
                   work_q3.shape.extras ? fragment_bytes_t'(ExtrasBytes) : '0;
    body = (work_q3.shape.value ? body_t'(work_q3.value_len) : body_t'(body_text_q3)) +
           ({24'd0, work_q3.shape.key ? work_q3.key_len : 8'd0} + body_t'(extras_bytes));

    plan_d.first = first_of(parts);
    plan_d.second = second_of(parts);
    plan_d.rest = parts & ~first_of(parts) & ~second_of(parts) & MaybeThird;
    plan_d.more = 3'($countones(plan_d.rest));
    plan_d.only = plan_d.second == '0;
    plan_d.only_two = plan_d.rest == '0;
    plan_d.one_row = more_rows_q3 == '0;
    plan_d.alone = is_alone(plan_d.first, plan_d.one_row) || parts == '0;
    plan_d.alone2 = is_alone(plan_d.second, plan_d.one_row);
    plan_d.last = work_q3.last;
    plan_d.last_alone = work_q3.last || !plan_d.one_row;
    plan_d.row = TextTable[text_q3].row;
    plan_d.more_rows = more_rows_q3;
    plan_d.lead_bytes = lead_bytes_q3;
    plan_d.extras_bytes = extras_bytes;
    plan_d.key_end = last_bytes(work_q3.key_len[2:0]);
    plan_d.value_end = last_bytes(work_q3.value_len[2:0]);
    plan_d.text_end = text_end_q3;
    plan_d.lead = lead_word_q3;
    plan_d.extras = reversed({work_q3.flags, work_q3.pointer});
    plan_d.header[0] = reversed({8'h81, work_q3.opcode,
                                 8'd0, work_q3.shape.key ? work_q3.key_len : 8'd0,
                                 work_q3.shape.extras ? 8'(ExtrasBytes) : 8'd0, 8'd0,
                                 8'd0, binary_status(work_q3.status)});
    plan_d.header[1] = {work_q3.opaque, 32'(reversed({body, 32'd0}))};
    plan_d.header[2] = work_q3.with_item_cas ? reversed(work_q3.cas) : '0;
  end

  always_ff @(posedge clk_i) begin
    if (!plan_valid_o) begin
      plan_valid_o <= valid_q3;
      plan_o <= plan_d;
    end else if (plan_ready_i) begin
      plan_valid_o <= 1'b0;
    end
    if (rst_i) plan_valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(plan, plan_valid_o, plan_ready_i, plan_o)

endmodule

`default_nettype wire
