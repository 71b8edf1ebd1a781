// SPDX-License-Identifier: Apache-2.0
// Formats results, keys and values into the bytes of memcached's answers, packed into words; each
// message begins at a word. A fragment of up to 8 bytes a cycle: an operation costs as many cycles
// as its parts have words (README.md), one at least. Latency 10 from the result to the first word.
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

  // ---- one fragment of one part after the other -------------------------------------------------
  parts_t part, left, part_q, left_q;
  logic begun_q;  // part_q, left_q are valid; else the plan's first part is next
  row_count_t row_q;
  logic room, there, part_end, fire, done;

  assign part = begun_q ? part_q : plan.first;
  assign left = begun_q ? left_q : plan.rest;

  assign there = (key_valid_i || !part.key) && (numbers_valid || !part.numbers) &&
                 (value_valid_i || !part.value);
  assign part_end = (key_i.last || !part.key) && (numbers_last || !part.numbers) &&
                    (value_i.last || !part.value) && (row_q == plan.last_row || !part.text);
  assign fire = plan_valid && room && there;
  assign done = part_end && left == '0;

  assign plan_ready = room && there && done;
  assign key_ready_o = plan_valid && room && part.key;
  assign numbers_ready = plan_valid && room && part.numbers;
  assign value_ready_o = plan_valid && room && part.value;

  always_ff @(posedge clk_i) begin
    if (fire) begin
      begun_q <= !done;
      part_q <= part_end ? first_of(left) : part;
      left_q <= part_end ? left & ~first_of(left) : left;
      row_q <= part.text && !part_end ? row_q + 1'b1 : '0;
    end
    if (rst_i) begin
      begun_q <= 1'b0;
      row_q <= '0;
    end
  end

  // ---- its bytes --------------------------------------------------------------------------------
  logic valid_q, valid_q2, last_q, last_q2;
  logic from_text_q, from_text_q2;
  word_t data_q, data_q2;
  fragment_bytes_t bytes_q, bytes_q2;
  row_index_t address_q;
  row_t row_q2;

  always_ff @(posedge clk_i) begin
    valid_q <= fire && (!part.nothing || plan.last);
    last_q <= plan.last && done;
    from_text_q <= part.owed || part.begin_line || part.text;
    address_q <= part.text       ? plan.row + row_index_t'(row_q) :
                 part.owed       ? TextTable[TextCrLf].row :
                 plan.owing      ? TextTable[TextCrLfValue].row : TextTable[TextValue].row;
    data_q <= (part.header[0] ? plan.header[0] : '0) | (part.header[1] ? plan.header[1] : '0) |
              (part.header[2] ? plan.header[2] : '0) | (part.extras ? plan.extras : '0) |
              (part.key ? key_i.data : '0) | (part.value ? value_i.data : '0) |
              (part.numbers ? numbers_data : '0);
    bytes_q <= part.nothing ? 4'd0 :
               part.extras  ? fragment_bytes_t'(ExtrasBytes) :
               part.numbers ? numbers_bytes :
               part.key && key_i.last     ? plan.key_end :
               part.value && value_i.last ? plan.value_end : fragment_bytes_t'(WordBytes);

    valid_q2 <= valid_q;
    last_q2 <= last_q;
    from_text_q2 <= from_text_q;
    data_q2 <= data_q;
    bytes_q2 <= bytes_q;
    row_q2 <= RowTable[address_q];
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
    end
  end

  logic [3:0] word_bytes;  // the network counts bytes by message_t
  logic word_last;

  wc_pack #(
    .Depth(16),
    .Slack(2)
  ) u_pack (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_q2),
    .ready_o(room),
    .data_i (from_text_q2 ? row_q2.data : data_q2),
    .bytes_i(from_text_q2 ? row_q2.bytes : bytes_q2),
    .last_i (last_q2),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o),
    .bytes_o(word_bytes),
    .last_o (word_last)
  );

endmodule

`default_nettype wire
