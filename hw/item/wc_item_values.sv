// SPDX-License-Identifier: Apache-2.0
// Reads the value of every GET hit out of its item's beats, and passes every result on unchanged,
// all in the order of the operations. The line of a short item comes from the stage that compared
// its key; of other items the beats that hold the value are requested from the log. Where a beat is
// a unit (BeatUnits = 1), there is no way of short items. Of a GET whose answer was taken back or cut
// nothing is read; its line is dropped.
// When an item is read, or not to be read, its segment is told: nobody needs it there any more.
// Either output may stall alone: results run ahead of their values, until Depth jobs wait.
// Latency of a result 1, of a request 4, of the word of a short item 7. An operation a cycle without
// a value, else in as many cycles as its value has words; 2 at least when beats are requested.
`include "wc_assert.svh"
`default_nettype none

module wc_item_values
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_log_pkg::*;
  import wc_item_values_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Depth      = 64,  // results that wait; jobs; requests
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  // From the index, by way of the size stage. With one_line a line of the item comes on `short`,
  // whatever became of the answer and of the length of the value, and of an item that has the
  // operation's tag but not its key. Beats that are units: no result has one_line.
  input  wire logic          result_valid_i,
  output logic               result_ready_o,
  input  wire result_t       result_i,
  input  wire logic          short_valid_i,
  output logic               short_ready_o,
  input  wire upper_t        short_i,
  input  wire logic          short_error_i,
  // to and from wc_log_read
  output logic               request_valid_o,
  input  wire logic          request_ready_i,
  output address_t           request_address_o,
  output logic [4:0]         request_skip_o,
  output beats_t             request_beats_o,
  input  wire logic          beat_valid_i,
  output logic               beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic          beat_error_i,
  // to the answer; words of GET hits
  output logic               result_valid_o,
  input  wire logic          result_ready_i,
  output result_t            result_o,
  output logic               value_valid_o,
  input  wire logic          value_ready_i,
  output beat_t              value_o,
  output logic               value_error_o,  // memory did not give the word: it is wrong
  // one pulse for each result that is a hit
  output logic               leave_valid_o,
  output segment_t           leave_segment_o
);

  // Between a result and the queues of what is to be done for it there are so many registers.
  localparam int unsigned Steps = 3;

  localparam int unsigned BeatWords = BeatUnits * UnitWords;
  localparam int unsigned PlaceBits = $clog2(BeatWords);  // of a word in its beat

  typedef struct packed {
    address_t     address;  // the item's first beat
    logic [4:0]   skip;     // beats in front of the value's first one
    value_beats_t beats;
  } request_t;

  `WC_REQUIRE(depth, Depth >= 8, "wc_item_values: Depth must be 8 or more")

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_item_values: BeatUnits must be 1 or 4")

  // ---- results ----------------------------------------------------------------------------------
  logic results_ready, jobs_room, requests_room, accept, reads;

  logic single;  // its line comes on `short`

  assign single = BeatUnits == LineUnits && result_i.one_line;
  assign result_ready_o = results_ready && jobs_room && requests_room;
  assign accept = result_valid_i && result_ready_o;
  // The value. An item that was created has none, and none was found.
  assign reads = effect_of(result_i.op.op).reads && result_i.op.status == StOk
                 && (result_i.hit || result_i.value_len != '0);

  wc_fifo_wide #(
    .data_t(result_t),
    .Depth (Depth),
    .Bypass(1'b1)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(result_valid_i && jobs_room && requests_room),
    .ready_o(results_ready),
    .data_i (result_i),
    .valid_o(result_valid_o),
    .ready_i(result_ready_i),
    .data_o (result_o),
    .level_o()
  );

  // ---- where the value is -----------------------------------------------------------------------
  logic [Steps-1:0] valid_q;
  logic [3:0] shift_q;  // bits of an address within its segment, beyond 11

  // 1: as it came
  logic single_q, leaves_q, gives_q;
  address_t address_q;
  value_len_t value_len_q;
  logic [4:0] key_words_q;  // whole ones
  logic key_part_q;         // and one more
  // 2: words in front of the value, from its item's first beat on, and words of it
  logic single_q2, leaves_q2, gives_q2;
  address_t address_q2;  // of the item's first beat
  segment_t segment_q2;
  logic [2:0] bytes_q2;
  logic [5:0] front_q2;
  words_t words_q2, end_q2;
  // 3: what is to be done
  logic requests_q;
  value_job_t job_q;
  request_t request_q;

  // The value's last word, counted from the start of the beat in which it begins.
  assign end_q2 = words_t'(front_q2[PlaceBits-1:0]) + words_q2 - 1'b1;

  always_ff @(posedge clk_i) begin
    shift_q <= 4'(settings_i.segment_bits - 5'(LeastSegmentBits));
    valid_q <= Steps'({valid_q, accept && (result_i.hit || single)});

    single_q <= single;
    leaves_q <= result_i.hit;
    gives_q <= reads && result_i.value_len != '0;
    address_q <= address_t'(result_i.pointer);
    value_len_q <= result_i.value_len;
    {key_words_q, key_part_q} <= {result_i.op.key_len[7:3], result_i.op.key_len[2:0] != '0};

    single_q2 <= single_q;
    leaves_q2 <= leaves_q;
    gives_q2 <= gives_q;
    address_q2 <= address_q & ~address_t'(BeatUnits - 1);
    segment_q2 <= segment_t'((address_q >> LeastSegmentBits) >> shift_q);
    bytes_q2 <= value_len_q[2:0];
    front_q2 <= 6'({address_q[1:0] & 2'(BeatUnits - 1), 1'b0}) + 6'(HeaderWords) +
                6'(key_words_q) + 6'(key_part_q);
    words_q2 <= words_t'((value_len_q + value_len_t'(WordBytes - 1)) >> 3);

    requests_q <= valid_q[1] && gives_q2 && !single_q2;
    job_q <= '{
        single: single_q2,
        leaves: leaves_q2,
        gives: gives_q2,
        beats: value_beats_t'(end_q2 >> PlaceBits) + 1'b1,
        first: 3'(front_q2[PlaceBits-1:0]),
        last: 3'(end_q2[PlaceBits-1:0]),
        bytes: bytes_q2,
        segment: segment_q2
    };
    request_q <= '{address: address_q2, skip: 5'(front_q2[5:PlaceBits]),
                   beats: value_beats_t'(end_q2 >> PlaceBits) + 1'b1};

    if (rst_i) begin
      valid_q <= '0;
      requests_q <= 1'b0;
    end
  end

  // ---- what is to be done -----------------------------------------------------------------------
  logic job_valid, job_ready;
  value_job_t job;
  request_t request;

  wc_credit_fifo #(
    .data_t(value_job_t),
    .Depth (Depth),
    .Slack (Steps)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (jobs_room),
    .valid_i(valid_q[Steps-1]),
    .data_i (job_q),
    .valid_o(job_valid),
    .ready_i(job_ready),
    .data_o (job)
  );

  wc_credit_fifo #(
    .data_t(request_t),
    .Depth (Depth),
    .Slack (Steps)
  ) u_requests (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (requests_room),
    .valid_i(requests_q),
    .data_i (request_q),
    .valid_o(request_valid_o),
    .ready_i(request_ready_i),
    .data_o (request)
  );

  assign request_address_o = request.address;
  assign request_skip_o = request.skip;
  assign request_beats_o = beats_t'(request.beats);

  wc_item_words #(
    .BeatUnits(BeatUnits)
  ) u_words (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .job_valid_i    (job_valid),
    .job_ready_o    (job_ready),
    .job_i          (job),
    .short_valid_i  (short_valid_i),
    .short_ready_o  (short_ready_o),
    .short_i        (short_i),
    .short_error_i  (short_error_i),
    .beat_valid_i   (beat_valid_i),
    .beat_ready_o   (beat_ready_o),
    .beat_i         (beat_i),
    .beat_error_i   (beat_error_i),
    .value_valid_o  (value_valid_o),
    .value_ready_i  (value_ready_i),
    .value_o        (value_o),
    .value_error_o  (value_error_o),
    .leave_valid_o  (leave_valid_o),
    .leave_segment_o(leave_segment_o)
  );

  `WC_ASSERT(hits_are_told, !accept || result_i.hit || !reads)
  `WC_ASSERT(value_fits, !accept || !reads || 32'(result_i.value_len) <= MaxValueBytes)
  // In front of the value are 41 words at most: 3 units in front of the item, header, 32 of the key.
  // Beats that are units: 35, as the item begins with its first beat.
  `WC_ASSERT(value_is_near, !requests_q || request_q.skip <= (BeatUnits == 1 ? 5'd18 : 5'd5))
  `WC_ASSERT(nothing_is_short, BeatUnits == LineUnits || !accept || !result_i.one_line)

endmodule

`default_nettype wire
