// SPDX-License-Identifier: Apache-2.0
// Formats results, keys and values into the bytes of memcached's answers, packed into words; each
// message begins at a word. Two fragments of up to 8 bytes a cycle, of two parts: what an operation
// costs is its bytes, or its key and value words (README.md). Latency 11 from the result to the
// first word.
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

  // ---- control: a fragment of one part, and if it ends that part, one of the part behind it -----
  // What ends a message goes without company: with it there could be three words.
  // What becomes of every register if one part ends, and if two do, is worked out from registers alone;
  // the streams, which are late, only choose.
  logic busy_q;
  parts_t part_q, second_q, left_q, next, after_next;
  logic alone_q, alone2_q;  // is_alone(part_q), is_alone(second_q)
  logic only_q, only_two_q;  // second_q is empty, left_q is
  logic [2:0] more_q;        // parts in left_q
  logic left_one, left_two;  // it has one at most, two at most
  logic message_end_q, last_row_q;
  logic paired_q;  // a second part may go with the first
  row_index_t row_q;
  row_count_t more_rows_q;
  logic room, go, fire, fire2, moves, row_moves, new_row;
  logic part_ends, second_ends;  // if it goes
  logic key_end, numbers_end, value_end;

  assign go = busy_q && room;
  assign key_end = key_valid_i && key_i.last;
  assign numbers_end = numbers_valid && numbers_last;
  assign value_end = value_valid_i && value_i.last;

  // Which parts may end in front of a stream's is known, and keeps its ready short.
  assign key_ready_o = go && (part_q.key || (paired_q && second_q.key && alone_q));
  assign numbers_ready = go && (part_q.numbers ||
                                (paired_q && second_q.numbers && part_q.key && key_end));
  assign value_ready_o = go && (part_q.value ||
                                (paired_q && second_q.value &&
                                 (alone_q || (part_q.key && key_end) ||
                                  (part_q.numbers && numbers_end))));

  assign part_ends = alone_q || (part_q.text && last_row_q) || (part_q.key && key_end) ||
                     (part_q.numbers && numbers_end) || (part_q.value && value_end);
  assign second_ends = paired_q &&
                       (alone2_q || (second_q.text && last_row_q) || (second_q.key && key_end) ||
                        (second_q.numbers && numbers_end) || (second_q.value && value_end));
  assign fire = go && (alone_q || part_q.text || (part_q.key && key_valid_i) ||
                       (part_q.numbers && numbers_valid) || (part_q.value && value_valid_i));
  assign fire2 = go && part_ends && paired_q &&
                 (alone2_q || second_q.text || (second_q.key && key_valid_i) ||
                  (second_q.numbers && numbers_valid) || (second_q.value && value_valid_i));
  assign moves = !busy_q || (room && part_ends);
  assign plan_ready = !busy_q || (room && part_ends && (only_q || (second_ends && only_two_q)));

  assign next = first_of(left_q);
  assign after_next = second_of(left_q);
  assign left_one = more_q <= 3'd1;
  assign left_two = more_q <= 3'd2;

  // A text comes last, so there is a new one exactly if this one has no more rows, or there is none.
  assign new_row = !busy_q || last_row_q || !(part_q.text || second_q.text);
  assign row_moves = !busy_q ||
                     (room && (part_q.text ||
                               (part_ends && (only_q || (paired_q && second_q.text) ||
                                              (second_ends && only_two_q)))));

  typedef struct packed {
    parts_t     part;
    parts_t     second;
    parts_t     left;
    logic [2:0] more;
    logic       only;
    logic       only_two;
    logic       alone;
    logic       alone2;
    logic       paired;
  } state_t;

  state_t planned, one_on, two_on, state_d;

  always_comb begin
    planned = '{
        part: plan.first,
        second: plan.second,
        left: plan.rest,
        more: plan.more,
        only: plan.only,
        only_two: plan.only_two,
        alone: plan.alone,
        alone2: plan.alone2,
        paired: !(plan.last && plan.only_two)
    };
    one_on = planned;
    if (busy_q && !only_q) begin
      one_on = '{
          part: second_q,
          second: next,
          left: left_q & ~next,
          more: only_two_q ? 3'd0 : more_q - 3'd1,
          only: only_two_q,
          only_two: left_one,
          alone: alone2_q,
          alone2: is_alone(next),
          paired: !(message_end_q && left_one)
      };
    end
    two_on = planned;
    if (busy_q && !only_two_q) begin
      two_on = '{
          part: next,
          second: after_next,
          left: left_q & ~next & ~after_next,
          more: left_two ? 3'd0 : more_q - 3'd2,
          only: left_one,
          only_two: left_two,
          alone: is_alone(next),
          alone2: is_alone(after_next),
          paired: !(message_end_q && left_two)
      };
    end
    state_d = second_ends ? two_on : one_on;
  end

  always_ff @(posedge clk_i) begin
    if (moves) begin
      part_q <= state_d.part;
      second_q <= state_d.second;
      left_q <= state_d.left;
      more_q <= state_d.more;
      only_q <= state_d.only;
      only_two_q <= state_d.only_two;
      alone_q <= state_d.alone;
      alone2_q <= state_d.alone2;
      paired_q <= state_d.paired;
    end
    if (plan_ready) begin
      busy_q <= plan_valid;
      message_end_q <= plan.last;
    end
    if (row_moves) begin
      row_q <= new_row ? plan.row : row_q + 1'b1;
      more_rows_q <= new_row ? plan.more_rows : more_rows_q - 1'b1;
      last_row_q <= new_row ? plan.more_rows == '0 : more_rows_q == row_count_t'(1);
    end
    if (rst_i) busy_q <= 1'b0;
  end

  // ---- data: the fragments' bytes, behind the decision -----------------------------------------
  // The wide fields of the plan are taken a cycle later, when the first fragment needs them.
  logic load_q;
  plan_t plan_q;
  parts_t [1:0] part_q2;  // the second's are 0 when it did not go
  word_t [1:0] stream_q2, data_q3;
  logic [1:0] ends_q2, from_text_q3;
  fragment_bytes_t numbers_bytes_q2;
  fragment_bytes_t [1:0] bytes_q3;
  logic valid_q2, valid_q3, last_q2, last_q3;
  word_t row_q2, row_q3;  // block RAM is slow to answer: twice

  always_ff @(posedge clk_i) begin
    load_q <= plan_ready;
    if (load_q) plan_q <= plan;

    valid_q2 <= fire && (part_q != '0 || message_end_q);
    last_q2 <= message_end_q && plan_ready;
    part_q2 <= {fire2 ? second_q : parts_t'('0), part_q};
    row_q2 <= RowTable[row_q];
    stream_q2[0] <= part_q.key ? key_i.data : part_q.value ? value_i.data : numbers_data;
    ends_q2[0] <= part_q.key ? key_i.last : part_q.value ? value_i.last : last_row_q;
    stream_q2[1] <= second_q.key ? key_i.data : second_q.value ? value_i.data : numbers_data;
    ends_q2[1] <= second_q.key ? key_i.last : second_q.value ? value_i.last : last_row_q;
    numbers_bytes_q2 <= numbers_bytes;

    valid_q3 <= valid_q2;
    last_q3 <= last_q2;
    row_q3 <= row_q2;
    for (int unsigned i = 0; i < 2; i++) begin
      from_text_q3[i] <= part_q2[i].text;
      data_q3[i] <= part_q2[i].lead      ? plan_q.lead :
                    part_q2[i].header[0] ? plan_q.header[0] :
                    part_q2[i].header[1] ? plan_q.header[1] :
                    part_q2[i].header[2] ? plan_q.header[2] :
                    part_q2[i].extras    ? word_t'(plan_q.extras) : stream_q2[i];
      bytes_q3[i] <= part_q2[i] == '0   ? 4'd0 :
                     part_q2[i].lead    ? plan_q.lead_bytes :
                     part_q2[i].extras  ? fragment_bytes_t'(ExtrasBytes) :
                     part_q2[i].numbers ? numbers_bytes_q2 :
                     part_q2[i].key && ends_q2[i]   ? plan_q.key_end :
                     part_q2[i].value && ends_q2[i] ? plan_q.value_end :
                     part_q2[i].text && ends_q2[i]  ? plan_q.text_end :
                                                      fragment_bytes_t'(WordBytes);
    end

    if (rst_i) begin
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
    end
  end

  wc_pack #(
    .Depth(16),
    .Slack(2)
  ) u_pack (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .valid_i       (valid_q3),
    .ready_o       (room),
    .first_i       (from_text_q3[0] ? row_q3 : data_q3[0]),
    .first_bytes_i (bytes_q3[0]),
    .second_i      (from_text_q3[1] ? row_q3 : data_q3[1]),
    .second_bytes_i(bytes_q3[1]),
    .last_i        (last_q3),
    .valid_o       (word_valid_o),
    .ready_i       (word_ready_i),
    .data_o        (word_o),
    .bytes_o       (),  // the network counts bytes by message_t
    .last_o        ()
  );

  `WC_ASSERT(paired_is, !busy_q || paired_q == !(message_end_q && only_two_q))
  `WC_ASSERT(more_are_left, !busy_q || (32'(more_q) == $countones(left_q)
                                        && only_two_q == (left_q == '0)))
  `WC_ASSERT(text_is_last, !busy_q || ((!part_q.text || only_q) && (!second_q.text || only_two_q)))
  `WC_ASSERT(key_before_numbers, !(busy_q && second_q.numbers && !part_q.key))
  `WC_ASSERT(alone_before_key, !(busy_q && second_q.key && !alone_q))

endmodule

`default_nettype wire
