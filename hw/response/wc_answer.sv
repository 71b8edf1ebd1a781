// SPDX-License-Identifier: Apache-2.0
// Formats results, keys and values into the bytes of memcached's answers, packed into words; each
// message begins at a word. Two fragments of up to 8 bytes a cycle, of two parts: what an operation
// costs is its bytes, or its key and value words (README.md). Latency 12 from the result to the
// first word.
// Key words come only for the operations whose answer shows the key, opaque words for those that
// show what came with O (wc_answer_size sees to that).
`include "wc_assert.svh"
`default_nettype none

module wc_answer #(
  parameter bit Meta = 1'b1  // answers to meta commands
) (
  input  wire logic            clk_i,
  input  wire logic            rst_i,
  input  wire wc_pkg::version_t version_i,  // changes only while nothing is in flight
  input  wire logic            result_valid_i,
  output logic                 result_ready_o,
  input  wire wc_pkg::result_t result_i,
  input  wire logic            key_valid_i,
  output logic                 key_ready_o,
  input  wire wc_pkg::beat_t   key_i,
  input  wire logic            opaque_valid_i,
  output logic                 opaque_ready_o,
  input  wire wc_pkg::opaque_word_t opaque_i,
  input  wire logic            value_valid_i,
  output logic                 value_ready_o,
  input  wire wc_pkg::beat_t   value_i,
  input  wire logic            value_error_i,  // the word counts for nothing
  output logic                 word_valid_o,
  input  wire logic            word_ready_i,
  output wc_pkg::word_t        word_o,
  output logic                 word_error_o    // as do this one, and those behind it in its message
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  `WC_REQUIRE(rows, rows_taken() <= Rows, "wc_answer: the texts have more rows than their memory")

  logic line_valid, line_begun, line_ready, line_alone, line_with_cas, line_forever;
  lead_e line_first;
  asked_t line_shows;
  logic line_fetched;
  lead_e line_marks;
  logic [2:0] line_key_low, encode_low;
  logic line_encoded, encode, encode_key_ready, encoded_valid, encoded_ready;
  opaque_word_t encoded;
  logic [31:0] line_flags;
  value_len_t line_value_len;
  seconds_t line_ttl, line_unused;
  cas_t line_cas, number;
  number_t line_counted;
  logic piece_valid, piece_ready;
  piece_t piece;
  logic plan_valid, plan_ready;
  plan_t plan;
  logic numbers_valid, numbers_ready, numbers_last, numbers_key_ready;
  logic part_key_ready, part_key_end;
  word_t numbers_data;
  logic [3:0] numbers_bytes;

  wc_answer_plan #(
    .Meta(Meta)
  ) u_plan (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .version_bytes_i (version_i.bytes),
    .result_valid_i  (result_valid_i),
    .result_ready_o  (result_ready_o),
    .result_i        (result_i),
    .key_taken_i     (part_key_end),
    .line_valid_o    (line_valid),
    .line_begun_i    (line_begun),
    .line_ready_i    (line_ready),
    .line_alone_o    (line_alone),
    .line_first_o    (line_first),
    .line_shows_o    (line_shows),
    .line_fetched_o  (line_fetched),
    .line_unused_o   (line_unused),
    .line_marks_o    (line_marks),
    .line_key_low_o  (line_key_low),
    .line_encoded_o  (line_encoded),
    .line_ttl_o      (line_ttl),
    .line_forever_o  (line_forever),
    .line_flags_o    (line_flags),
    .line_value_len_o(line_value_len),
    .line_with_cas_o (line_with_cas),
    .line_cas_o      (line_cas),
    .line_counted_o  (line_counted),
    .plan_valid_o    (plan_valid),
    .plan_ready_i    (plan_ready),
    .plan_o          (plan)
  );

  wc_answer_line #(
    .Meta(Meta)
  ) u_line (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .valid_i      (line_valid),
    .begun_o      (line_begun),
    .ready_o      (line_ready),
    .first_i      (line_first),
    .shows_i      (line_shows),
    .fetched_i    (line_fetched),
    .unused_i     (line_unused),
    .marks_i      (line_marks),
    .key_low_i    (line_key_low),
    .encoded_i    (line_encoded),
    .flags_i      (line_flags),
    .value_len_i  (line_value_len),
    .ttl_i        (line_ttl),
    .forever_i    (line_forever),
    .cas_i        (line_cas),
    .counted_i    (line_counted),
    .piece_valid_o(piece_valid),
    .piece_ready_i(piece_ready),
    .piece_o      (piece),
    .number_o     (number)
  );

  wc_answer_numbers #(
    .Meta(Meta)
  ) u_numbers (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .valid_i       (piece_valid),
    .ready_o       (piece_ready),
    .alone_i       (line_alone),
    .piece_i       (piece),
    .flags_i       (line_flags),
    .value_len_i   (line_value_len),
    .with_cas_i    (line_with_cas),
    .cas_i         (number),
    .key_valid_i   (key_valid_i),
    .key_ready_o   (numbers_key_ready),
    .key_i         (key_i),
    .opaque_valid_i(opaque_valid_i),
    .opaque_ready_o(opaque_ready_o),
    .opaque_i      (opaque_i),
    .encode_o      (encode),
    .encode_low_o  (encode_low),
    .encoded_valid_i(encoded_valid),
    .encoded_ready_o(encoded_ready),
    .encoded_i     (encoded),
    .valid_o       (numbers_valid),
    .ready_i       (numbers_ready),
    .data_o        (numbers_data),
    .bytes_o       (numbers_bytes),
    .last_o        (numbers_last)
  );

  if (Meta) begin : gen_encode
    wc_answer_encode u_encode (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .want_i     (encode),
      .key_low_i  (encode_low),
      .key_valid_i(key_valid_i),
      .key_ready_o(encode_key_ready),
      .key_i      (key_i),
      .valid_o    (encoded_valid),
      .ready_i    (encoded_ready),
      .word_o     (encoded)
    );
  end else begin : gen_no_encode
    logic unused;
    assign unused = ^{encode, encode_low, encoded_ready};
    assign encode_key_ready = 1'b0;
    assign encoded_valid = 1'b0;
    assign encoded = '0;
  end

  // ---- control: a fragment of one part, and if it ends that part, one of the part behind it -----
  // What ends a message goes without company: with it there could be three words. So does a text of
  // several rows, to which its words leave time enough: so rows count only where a text is first.
  // What becomes of the state if one part ends, and if two do, is worked out from registers alone;
  // the streams, which are late, only choose.
  typedef struct packed {
    parts_t     part;
    parts_t     second;
    parts_t     left;
    logic [2:0] more;      // parts in left
    logic       only;      // second is empty
    logic       only_two;  // left is
    logic       alone;     // part is one fragment, which waits for no stream
    logic       alone2;    // second is
    logic       paired;    // second may go with the first
  } state_t;

  logic busy_q;
  state_t state_q, state_d, planned, one_on, two_on;
  parts_t next, after_next;
  logic next_alone, after_next_alone;
  logic left_one, left_two;  // left has one part at most, two at most
  logic message_end_q, last_alone_q, one_row_q;
  logic room, go, fire, fire2, moves;
  logic part_ends, second_ends;  // if it goes
  logic key_end, numbers_end, value_end;
  logic last_row_q;  // of a text of several

  assign go = busy_q && room;
  assign key_end = key_valid_i && key_i.last;
  assign numbers_end = numbers_valid && numbers_last;
  assign value_end = value_valid_i && value_i.last;

  // Which parts may end in front of a stream's is known, and keeps its ready short.
  assign part_key_ready = go && (state_q.part.key ||
                                 (state_q.paired && state_q.second.key && state_q.alone));
  assign part_key_end = part_key_ready && key_end;
  assign key_ready_o = part_key_ready || numbers_key_ready || encode_key_ready;
  assign numbers_ready = go && (state_q.part.numbers ||
                                (state_q.paired && state_q.second.numbers &&
                                 (state_q.alone || (state_q.part.key && key_end))));
  assign value_ready_o = go && (state_q.part.value ||
                                (state_q.paired && state_q.second.value &&
                                 (state_q.alone || (state_q.part.key && key_end) ||
                                  (state_q.part.numbers && numbers_end))));

  assign part_ends = state_q.alone || (state_q.part.text && last_row_q) ||
                     (state_q.part.key && key_end) || (state_q.part.numbers && numbers_end) ||
                     (state_q.part.value && value_end);
  assign second_ends = state_q.paired &&
                       (state_q.alone2 || (state_q.second.key && key_end) ||
                        (state_q.second.numbers && numbers_end) ||
                        (state_q.second.value && value_end));
  assign fire = go && (state_q.alone || state_q.part.text || (state_q.part.key && key_valid_i) ||
                       (state_q.part.numbers && numbers_valid) ||
                       (state_q.part.value && value_valid_i));
  assign fire2 = go && part_ends && state_q.paired &&
                 (state_q.alone2 || (state_q.second.key && key_valid_i) ||
                  (state_q.second.numbers && numbers_valid) ||
                  (state_q.second.value && value_valid_i));
  assign moves = !busy_q || (room && part_ends);
  assign plan_ready = !busy_q ||
                      (room && part_ends && (state_q.only || (second_ends && state_q.only_two)));

  assign next = first_of(state_q.left);
  assign after_next = second_of(state_q.left);
  assign next_alone = is_alone(next, one_row_q);
  assign after_next_alone = is_alone(after_next, one_row_q);
  assign left_one = state_q.more <= 3'd1;
  assign left_two = state_q.more <= 3'd2;

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
        paired: !(plan.last_alone && plan.only_two)
    };
    one_on = planned;
    if (busy_q && !state_q.only) begin
      one_on = '{
          part: state_q.second,
          second: next,
          left: state_q.left & ~next,
          more: state_q.only_two ? 3'd0 : state_q.more - 3'd1,
          only: state_q.only_two,
          only_two: left_one,
          alone: state_q.alone2,
          alone2: next_alone,
          paired: !(last_alone_q && left_one)
      };
    end
    two_on = planned;
    if (busy_q && !state_q.only_two) begin
      two_on = '{
          part: next,
          second: after_next,
          left: state_q.left & ~next & ~after_next,
          more: left_two ? 3'd0 : state_q.more - 3'd2,
          only: left_one,
          only_two: left_two,
          alone: next_alone,
          alone2: after_next_alone,
          paired: !(last_alone_q && left_two)
      };
    end
    state_d = second_ends ? two_on : one_on;
  end

  always_ff @(posedge clk_i) begin
    if (moves) state_q <= state_d;
    if (plan_ready) begin
      busy_q <= plan_valid;
      message_end_q <= plan.last;
      last_alone_q <= plan.last_alone;
      one_row_q <= plan.one_row;
    end
    if (rst_i) busy_q <= 1'b0;
  end

  // ---- the rows of a text: its first comes a cycle after the plan -------------------------------
  logic load_q;
  row_index_t row_q, row;
  row_count_t more_rows_q, more_rows;  // after that one
  logic row_goes;

  assign row = load_q ? plan.row : row_q;
  assign more_rows = load_q ? plan.more_rows : more_rows_q;
  assign row_goes = go && state_q.part.text;

  always_ff @(posedge clk_i) begin
    load_q <= plan_ready;
    row_q <= row + row_index_t'(row_goes);
    more_rows_q <= more_rows - row_count_t'(row_goes);
    last_row_q <= busy_q && state_q.part.text &&
                  (room ? more_rows == row_count_t'(1) : last_row_q);
  end

  // ---- data: the fragments' bytes, behind the decision -----------------------------------------
  // The wide fields of the plan are taken a cycle later, when the first fragment needs them.
  plan_t plan_q;
  parts_t [1:0] part_q2;  // the second's are 0 when it did not go
  word_t [1:0] stream_q2, data_q3;
  logic [1:0] ends_q2, from_text_q3;
  fragment_bytes_t numbers_bytes_q2;
  fragment_bytes_t [1:0] bytes_q3;
  logic valid_q2, valid_q3, last_q2, last_q3, error_q2, error_q3;
  word_t row_q2, row_q3;  // block RAM is slow to answer: twice
  logic version_q2, line_q2;  // it is a row of the version's instead, the second

  always_ff @(posedge clk_i) begin
    if (load_q) plan_q <= plan;

    valid_q2 <= fire && (state_q.part != '0 || message_end_q);
    last_q2 <= message_end_q && plan_ready;
    error_q2 <= value_valid_i && value_ready_o && value_error_i;
    part_q2 <= {fire2 ? state_q.second : parts_t'('0), state_q.part};
    row_q2 <= RowTable[row];
    version_q2 <= is_version_row(row);
    line_q2 <= row[0];
    stream_q2[0] <= state_q.part.key   ? key_i.data :
                    state_q.part.value ? value_i.data : numbers_data;
    stream_q2[1] <= state_q.second.key   ? key_i.data :
                    state_q.second.value ? value_i.data : numbers_data;
    ends_q2[0] <= state_q.part.key   ? key_i.last :
                  state_q.part.value ? value_i.last : state_q.alone || last_row_q;
    ends_q2[1] <= state_q.second.key   ? key_i.last :
                  state_q.second.value ? value_i.last : 1'b1;
    numbers_bytes_q2 <= numbers_bytes;

    valid_q3 <= valid_q2;
    last_q3 <= last_q2;
    error_q3 <= error_q2;
    row_q3 <= version_q2 ? version_i.line[line_q2] : row_q2;
    for (int unsigned i = 0; i < 2; i++) begin
      from_text_q3[i] <= part_q2[i].text;
      data_q3[i] <= part_q2[i].lead      ? plan_q.lead :
                    part_q2[i].header[0] ? plan_q.header[0] :
                    part_q2[i].header[1] ? plan_q.header[1] :
                    part_q2[i].header[2] ? plan_q.header[2] :
                    part_q2[i].extras    ? plan_q.extras : stream_q2[i];
      bytes_q3[i] <= part_q2[i] == '0   ? 4'd0 :
                     part_q2[i].lead    ? plan_q.lead_bytes :
                     part_q2[i].extras  ? plan_q.extras_bytes :
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
    .error_i       (error_q3),
    .valid_o       (word_valid_o),
    .ready_i       (word_ready_i),
    .data_o        (word_o),
    .bytes_o       (),  // the network counts bytes by message_t
    .last_o        (),
    .error_o       (word_error_o)
  );

  `WC_ASSERT(paired_is, !busy_q || state_q.paired == !(last_alone_q && state_q.only_two))
  `WC_ASSERT(more_are_left, !busy_q || (32'(state_q.more) == $countones(state_q.left)
                                        && state_q.only_two == (state_q.left == '0)))
  `WC_ASSERT(text_is_last, !busy_q || ((!state_q.part.text || state_q.only) &&
                                       (!state_q.second.text || state_q.only_two)))
  `WC_ASSERT(one_row_if_second,
             !(busy_q && state_q.paired && state_q.second.text && !state_q.alone2))
  `WC_ASSERT(key_or_lead_before_numbers,
             !(busy_q && state_q.second.numbers && !state_q.part.key && !state_q.alone))
  `WC_ASSERT(one_takes_keys, $onehot0({part_key_ready, numbers_key_ready, encode_key_ready}))
  `WC_ASSERT(alone_before_key, !(busy_q && state_q.second.key && !state_q.alone))

endmodule

`default_nettype wire
