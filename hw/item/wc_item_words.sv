// SPDX-License-Identifier: Apache-2.0
// Cuts lines of items into the words of their values, one value after the other. A line stays where
// it comes from until its last word is taken: this block keeps words only.
// Latency 3 from a job whose line is there, 2 from the line of a job that waits for it. A word a
// cycle, with no gap between lines or values; a cycle for a job without words.
// Cuts both paths of the values.
`include "wc_assert.svh"
`default_nettype none

module wc_item_words
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_values_pkg::*;
(
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic  job_valid_i,
  output logic       job_ready_o,
  input  wire value_job_t  job_i,
  // the lines of short items, and those that were requested
  input  wire logic  short_valid_i,
  output logic       short_ready_o,
  input  wire upper_t short_i,
  input  wire logic  short_error_i,
  input  wire logic  line_valid_i,
  output logic       line_ready_o,
  input  wire data_t line_i,
  input  wire logic  line_error_i,
  output logic       value_valid_o,
  input  wire logic  value_ready_i,
  output beat_t      value_o,
  output logic       value_error_o,
  output logic       leave_valid_o,
  output segment_t   leave_segment_o
);

  // ---- the job in work --------------------------------------------------------------------------
  value_job_t job_q;
  logic single_q, many_q;    // there is a job, with its line from here, or there
  logic plain_q;             // there is a job without lines
  logic [2:0] at_q;          // the next word's place in the line
  logic [2:0] stop_q;        // that of the line's last word
  logic end_q;               // they are the same, or no word is wanted
  logic final_q;             // it is the last line
  lines_t left_q;            // lines, with this one
  logic valid, ready, step, done;
  logic one;                 // line, the next job's
  logic [LineWords/2-1:0][WordWidth-1:0] single;
  logic [LineWords-1:0][WordWidth-1:0] many;
  word_t word;

  assign valid = (single_q && short_valid_i) || (many_q && line_valid_i);
  assign step = valid && ready;
  assign done = plain_q || (step && end_q && final_q);
  assign job_ready_o = done || !(plain_q || single_q || many_q);
  assign short_ready_o = single_q && ready && end_q;
  assign line_ready_o = many_q && ready && end_q;
  assign single = short_i;
  assign many = line_i;
  assign one = job_i.single || job_i.lines == lines_t'(1);
  assign word = single_q ? single[at_q[1:0]] : many[at_q];

  always_ff @(posedge clk_i) begin
    if (step) begin
      at_q <= at_q + 1'b1;
      end_q <= 3'(at_q + 1'b1) == stop_q;
      if (end_q) begin
        at_q <= '0;
        left_q <= left_q - 1'b1;
        final_q <= left_q == lines_t'(2);
        if (left_q == lines_t'(2)) stop_q <= job_q.last;
        end_q <= left_q == lines_t'(2) && job_q.last == '0;
      end
    end
    if (job_ready_o) begin
      job_q <= job_i;
      single_q <= job_valid_i && job_i.single;
      many_q <= job_valid_i && !job_i.single && job_i.gives;
      plain_q <= job_valid_i && !job_i.single && !job_i.gives;
      at_q <= job_i.first;
      left_q <= job_i.lines;
      final_q <= one;
      stop_q <= one ? job_i.last : 3'd7;
      end_q <= !job_i.gives || job_i.first == (one ? job_i.last : 3'd7);
    end
    leave_valid_o <= done && job_q.leaves;
    leave_segment_o <= job_q.segment;
    if (rst_i) begin
      single_q <= 1'b0;
      many_q <= 1'b0;
      plain_q <= 1'b0;
      leave_valid_o <= 1'b0;
    end
  end

  // ---- words that leave -------------------------------------------------------------------------
  logic word_valid_q, word_last_q, word_error_q, out_ready;
  word_t word_q;
  logic [WordBytes-1:0] mask_q;  // bytes that belong to the value
  beat_t beat;

  assign ready = !word_valid_q || out_ready;

  always_ff @(posedge clk_i) begin
    if (ready) begin
      word_valid_q <= valid && job_q.gives;
      word_q <= word;
      word_last_q <= end_q && final_q;
      word_error_q <= single_q ? short_error_i : line_error_i;
      mask_q <= end_q && final_q && job_q.bytes != '0 ? ~('1 << job_q.bytes) : '1;
    end
    if (rst_i) word_valid_q <= 1'b0;
  end

  // Behind the end of a value its line may hold anything: zeros leave instead.
  assign beat.last = word_last_q;
  for (genvar i = 0; i < WordBytes; i++) begin : gen_byte
    assign beat.data[8*i+:8] = mask_q[i] ? word_q[8*i+:8] : 8'b0;
  end

  wc_slice #(
    .data_t(logic [$bits(beat_t):0])
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(word_valid_q),
    .ready_o(out_ready),
    .data_i ({word_error_q, beat}),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o ({value_error_o, value_o})
  );

  `WC_ASSERT_STREAM(short, short_valid_i, short_ready_o, {short_error_i, short_i})
  `WC_ASSERT_STREAM(line, line_valid_i, line_ready_o, {line_error_i, line_i})
  `WC_ASSERT(one_job, $onehot0({plain_q, single_q, many_q}))
  `WC_ASSERT(short_fits_a_line,
             !job_valid_i || !job_i.single || !job_i.gives || job_i.lines == lines_t'(1))
  `WC_ASSERT(short_is_in_upper_half,
             !job_valid_i || !job_i.single || !job_i.gives || job_i.first[2])
  `WC_ASSERT(lines_are_some, !job_valid_i || !job_i.gives || job_i.lines != '0)

endmodule

`default_nettype wire
