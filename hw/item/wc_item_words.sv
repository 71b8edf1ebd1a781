// SPDX-License-Identifier: Apache-2.0
// Cuts beats of items into the words of their values, one value after the other. A beat stays where
// it comes from until its last word is taken: this block keeps words only. If that is the beat's last
// place, it is taken with the word before it: whoever shares a reader has its next beat 2 cycles after
// it has taken one (wc_log_read_buffer).
// Latency 3 from a job whose beat is there, 2 from the beat of a job that waits for it. Where a beat
// is a unit (BeatUnits = 1) 2 and 1, as one of two words is soon picked. A word a cycle, with no gap
// between beats or values but for a beat that comes late; a cycle for a job without words.
// Cuts both paths of the values.
`include "wc_assert.svh"
`default_nettype none

module wc_item_words
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_values_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic  job_valid_i,
  output logic       job_ready_o,
  input  wire value_job_t  job_i,
  // the lines of short items (none where a beat is a unit), and beats that were requested
  input  wire logic  short_valid_i,
  output logic       short_ready_o,
  input  wire upper_t short_i,
  input  wire logic  short_error_i,
  input  wire logic  beat_valid_i,
  output logic       beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic  beat_error_i,
  output logic       value_valid_o,
  input  wire logic  value_ready_i,
  output beat_t      value_o,
  output logic       value_error_o,
  output logic       leave_valid_o,
  output segment_t   leave_segment_o
);

  localparam int unsigned BeatWords = BeatUnits * UnitWords;
  localparam int unsigned PlaceBits = $clog2(BeatWords);
  typedef logic [PlaceBits-1:0] place_t;  // of a word in its beat

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_item_words: BeatUnits must be 1 or 4")

  // ---- the job in work --------------------------------------------------------------------------
  value_job_t job_q;
  logic single_q, many_q;    // there is a job, with its line from here, or its beats from there
  logic plain_q;             // there is a job without beats
  place_t at_q;              // the next word's place in the beat
  place_t stop_q;            // that of the beat's last word
  logic end_q;               // they are the same, or no word is wanted
  logic final_q;             // it is the last beat
  value_beats_t left_q;      // beats, with this one
  logic valid, ready, step, done;
  logic next_single;         // the next job's line comes from here
  logic one;                 // beat, the next job's
  logic [LineWords/2-1:0][WordWidth-1:0] single;
  logic [BeatWords-1:0][WordWidth-1:0] many;
  word_t word;
  logic word_error, word_last;
  logic [WordBytes-1:0] mask;  // bytes that belong to the value
  logic keeps;               // the beat is taken with its last word but one
  logic kept_q, kept_error_q;
  word_t kept_word_q;

  assign valid = (single_q && short_valid_i) || (many_q && (kept_q || beat_valid_i));
  assign keeps = many_q && stop_q == '1 && at_q == place_t'(BeatWords - 2);
  assign step = valid && ready;
  assign done = plain_q || (step && end_q && final_q);
  assign job_ready_o = done || !(plain_q || single_q || many_q);
  assign short_ready_o = single_q && ready && end_q;
  assign beat_ready_o = many_q && ready && !kept_q && (end_q || keeps);
  assign single = short_i;
  assign many = beat_i;
  assign next_single = BeatUnits == LineUnits && job_i.single;
  assign one = next_single || job_i.beats == value_beats_t'(1);
  assign word = kept_q ? kept_word_q : single_q ? single[2'(at_q)] : many[at_q];
  assign word_error = kept_q ? kept_error_q : single_q ? short_error_i : beat_error_i;
  assign word_last = end_q && final_q;
  assign mask = word_last && job_q.bytes != '0 ? ~('1 << job_q.bytes) : '1;

  always_ff @(posedge clk_i) begin
    if (keeps) begin
      kept_word_q <= many[BeatWords-1];
      kept_error_q <= beat_error_i;
    end
    if (step) begin
      kept_q <= keeps;
      at_q <= at_q + 1'b1;
      end_q <= place_t'(at_q + 1'b1) == stop_q;
      if (end_q) begin
        at_q <= '0;
        left_q <= left_q - 1'b1;
        final_q <= left_q == value_beats_t'(2);
        if (left_q == value_beats_t'(2)) stop_q <= place_t'(job_q.last);
        end_q <= left_q == value_beats_t'(2) && place_t'(job_q.last) == '0;
      end
    end
    if (job_ready_o) begin
      job_q <= job_i;
      single_q <= job_valid_i && next_single;
      many_q <= job_valid_i && !next_single && job_i.gives;
      plain_q <= job_valid_i && !next_single && !job_i.gives;
      at_q <= place_t'(job_i.first);
      left_q <= job_i.beats;
      final_q <= one;
      stop_q <= one ? place_t'(job_i.last) : '1;
      end_q <= !job_i.gives || place_t'(job_i.first) == (one ? place_t'(job_i.last) : '1);
    end
    leave_valid_o <= done && job_q.leaves;
    leave_segment_o <= job_q.segment;
    if (rst_i) begin
      single_q <= 1'b0;
      many_q <= 1'b0;
      plain_q <= 1'b0;
      kept_q <= 1'b0;
      leave_valid_o <= 1'b0;
    end
  end

  // ---- words that leave -------------------------------------------------------------------------
  logic out_valid, out_ready, out_error;
  word_t out_word;
  logic [WordBytes-1:0] out_mask;
  beat_t out;

  if (BeatUnits == 1) begin : gen_unit
    // One of two words and its mask are one table a bit: it goes to the slice at once.
    assign ready = out_ready;
    assign out_valid = valid;
    assign out_word = word;
    assign out.last = word_last;
    assign out_error = word_error;
    assign out_mask = mask;
  end else begin : gen_line
    logic word_valid_q, word_last_q, word_error_q;
    word_t word_q;
    logic [WordBytes-1:0] mask_q;

    assign ready = !word_valid_q || out_ready;
    assign out_valid = word_valid_q;
    assign out_word = word_q;
    assign out.last = word_last_q;
    assign out_error = word_error_q;
    assign out_mask = mask_q;

    always_ff @(posedge clk_i) begin
      if (ready) begin
        word_valid_q <= valid && job_q.gives;
        word_q <= word;
        word_last_q <= word_last;
        word_error_q <= word_error;
        mask_q <= mask;
      end
      if (rst_i) word_valid_q <= 1'b0;
    end
  end

  // Behind the end of a value its beat may hold anything: zeros leave instead.
  for (genvar i = 0; i < WordBytes; i++) begin : gen_byte
    assign out.data[8*i+:8] = out_mask[i] ? out_word[8*i+:8] : 8'b0;
  end

  wc_slice #(
    .data_t(logic [$bits(beat_t):0])  // error, word
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(out_valid),
    .ready_o(out_ready),
    .data_i ({out_error, out}),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o ({value_error_o, value_o})
  );

  `WC_ASSERT_STREAM(short, short_valid_i, short_ready_o, {short_error_i, short_i})
  `WC_ASSERT_STREAM(beat, beat_valid_i, beat_ready_o, {beat_error_i, beat_i})
  `WC_ASSERT(one_job, $onehot0({plain_q, single_q, many_q}))
  `WC_ASSERT(short_fits_a_line,
             !job_valid_i || !job_i.single || !job_i.gives || job_i.beats == value_beats_t'(1))
  `WC_ASSERT(short_is_in_upper_half,
             !job_valid_i || !job_i.single || !job_i.gives || job_i.first[2])
  `WC_ASSERT(short_is_a_line, !job_valid_i || !job_i.single || BeatUnits == LineUnits)
  `WC_ASSERT(kept_is_last, !kept_q || (many_q && end_q && at_q == '1))
  `WC_ASSERT(beats_are_some, !job_valid_i || !job_i.gives || job_i.beats != '0)

endmodule

`default_nettype wire
