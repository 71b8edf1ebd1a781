// SPDX-License-Identifier: Apache-2.0
// Formats results, keys and values into the bytes of memcached's answers, packed into words; each
// message begins at a word. A fragment of up to 8 bytes a cycle: an operation costs as many cycles
// as its parts have words (README.md), two at least. Latency 9 from the result to the first word.
// Key words come only for the operations whose answer shows the key (wc_answer_size sees to that).
`include "wc_assert.svh"
`default_nettype none

module wc_answer (
  input  wire logic            clk_i,
  input  wire logic            rst_i,
  input  wire logic            result_valid_i,
  output logic                 result_ready_o,
  input  wire wc_pkg::result_t result_i,
  input  wire logic            key_valid_i,
  output logic                 key_ready_o,
  input  wire wc_pkg::beat_t   key_i,
  input  wire logic            value_valid_i,
  output logic                 value_ready_o,
  input  wire wc_pkg::beat_t   value_i,
  output logic                 word_valid_o,
  input  wire logic            word_ready_i,
  output wc_pkg::word_t        word_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  logic line_valid, line_ready, line_with_cas;
  logic [31:0] line_flags;
  value_len_t line_value_len;
  cas_t line_cas;
  logic plan_valid, plan_ready;
  plan_t plan;
  logic numbers_valid, numbers_ready, numbers_last;
  word_t numbers_data;
  logic [3:0] numbers_bytes;

  wc_answer_plan u_plan (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .result_valid_i  (result_valid_i),
    .result_ready_o  (result_ready_o),
    .result_i        (result_i),
    .line_valid_o    (line_valid),
    .line_ready_i    (line_ready),
    .line_flags_o    (line_flags),
    .line_value_len_o(line_value_len),
    .line_with_cas_o (line_with_cas),
    .line_cas_o      (line_cas),
    .plan_valid_o    (plan_valid),
    .plan_ready_i    (plan_ready),
    .plan_o          (plan)
  );

  wc_answer_numbers u_numbers (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .valid_i    (line_valid),
    .ready_o    (line_ready),
    .flags_i    (line_flags),
    .value_len_i(line_value_len),
    .with_cas_i (line_with_cas),
    .cas_i      (line_cas),
    .valid_o    (numbers_valid),
    .ready_i    (numbers_ready),
    .data_o     (numbers_data),
    .bytes_o    (numbers_bytes),
    .last_o     (numbers_last)
  );

  // ---- control: one fragment of one part after the other -------------------------------------
  logic busy_q;
  parts_t part_q, left_q, next;
  logic only_q;   // left_q is empty
  logic alone_q;  // part_q ends with this fragment, which waits for no stream
  logic message_end_q, owing_q;
  row_index_t row_q;
  row_count_t more_rows_q;
  logic room, fire, part_end, done, row_sent;

  assign plan_ready = done || !busy_q;
  assign key_ready_o = busy_q && room && part_q.key;
  assign numbers_ready = busy_q && room && part_q.numbers;
  assign value_ready_o = busy_q && room && part_q.value;
  assign row_sent = busy_q && room && part_q.text;

  assign fire = busy_q && room && (alone_q || part_q.text || (part_q.key && key_valid_i) ||
                                   (part_q.numbers && numbers_valid) ||
                                   (part_q.value && value_valid_i));
  assign part_end = busy_q && room && (alone_q || (part_q.key && key_valid_i && key_i.last) ||
                                       (part_q.numbers && numbers_valid && numbers_last) ||
                                       (part_q.value && value_valid_i && value_i.last));
  assign done = part_end && only_q;
  assign next = first_of(left_q);

  always_ff @(posedge clk_i) begin
    if (part_end) begin
      part_q <= next;
      left_q <= left_q & ~next;
      only_q <= (left_q & ~next) == '0;
      alone_q <= is_alone(next, more_rows_q == '0);
    end else if (row_sent) begin
      alone_q <= more_rows_q == row_count_t'(1);
    end
    if (row_sent) begin
      row_q <= row_q + 1'b1;
      more_rows_q <= more_rows_q - 1'b1;
    end
    if (plan_ready) begin
      busy_q <= plan_valid;
      part_q <= plan.first;
      left_q <= plan.rest;
      only_q <= plan.only;
      alone_q <= plan.alone;
      message_end_q <= plan.last;
      owing_q <= plan.owing;
      row_q <= plan.row;
      more_rows_q <= plan.more_rows;
    end
    if (rst_i) busy_q <= 1'b0;
  end

  // ---- data: the fragment's bytes, behind the decision ---------------------------------------
  // The wide fields of the plan are taken a cycle later, when the first fragment needs them.
  logic load_q;
  plan_t plan_q;
  parts_t part_q2;
  logic valid_q2, valid_q3, last_q2, last_q3;
  logic stream_last_q2, from_text_q3;
  word_t stream_q2, data_q3;
  logic [31:0] ahead_q;  // of a joined value's word: what was before it
  fragment_bytes_t numbers_bytes_q2, bytes_q3;
  row_index_t address;
  row_t row_q2, row_q3;  // block RAM is slow to answer: twice

  assign address = part_q.text ? row_q :
                   part_q.owed ? TextTable[TextCrLf].row :
                   owing_q     ? TextTable[TextCrLfValue].row : TextTable[TextValue].row;

  always_ff @(posedge clk_i) begin
    load_q <= plan_ready;
    if (load_q) plan_q <= plan;

    valid_q2 <= fire && (!part_q.nothing || message_end_q);
    last_q2 <= message_end_q && done;
    part_q2 <= part_q;
    row_q2 <= RowTable[address];
    stream_q2 <= part_q.key ? key_i.data : part_q.value ? value_i.data : numbers_data;
    stream_last_q2 <= part_q.key ? key_i.last : value_i.last;
    numbers_bytes_q2 <= numbers_bytes;

    valid_q3 <= valid_q2;
    last_q3 <= last_q2;
    from_text_q3 <= part_q2.owed || part_q2.begin_line || part_q2.text;
    row_q3 <= row_q2;
    data_q3 <= part_q2.header[0] ? plan_q.header[0] :
               part_q2.header[1] ? plan_q.header[1] :
               part_q2.header[2] ? plan_q.header[2] :
               part_q2.extras    ? plan_q.extras :
               part_q2.value && plan_q.joined ? {stream_q2[31:0], ahead_q} : stream_q2;
    if (valid_q2) ahead_q <= part_q2.value ? stream_q2[63:32] : plan_q.extras[31:0];
    bytes_q3 <= part_q2.nothing ? 4'd0 :
                part_q2.extras  ? fragment_bytes_t'(ExtrasBytes) :
                part_q2.numbers ? numbers_bytes_q2 :
                part_q2.key && stream_last_q2   ? plan_q.key_end :
                part_q2.value && stream_last_q2 ? plan_q.value_end :
                                                  fragment_bytes_t'(WordBytes);

    if (rst_i) begin
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
    end
  end

  wc_pack #(
    .Depth(16),
    .Slack(2)
  ) u_pack (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_q3),
    .ready_o(room),
    .data_i (from_text_q3 ? row_q3.data : data_q3),
    .bytes_i(from_text_q3 ? row_q3.bytes : bytes_q3),
    .last_i (last_q3),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o),
    .bytes_o(),  // the network counts bytes by message_t
    .last_o ()
  );

endmodule

`default_nettype wire
