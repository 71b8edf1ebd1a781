// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_sweep, with all its parts, of when a segment is given back. What memory, table and
// readers say is free. There are two searches. In one, everybody may make the sweeper wait, and a
// record has 2 or 3 units or reaches into the next segment. In the other nobody does, and a record
// reaches into the next segment or the one behind it: so it sees what becomes of the next segment.
// In both any header may make no sense and any line may be in error.
// Rule 1: a segment is given back only when each record that was met in it has been answered,
// Rule 2: none of these answers was that memory did not tell,
// Rule 3: all lines of the records that were placed have been read,
// Rule 4: the walk was sure of its place from the segment's beginning to its end, and what it takes
//         along to the next one is right. It is not sure from where it went astray, or memory did
//         not tell of a record, to the next record that is found and that it met behind that,
// Rule 5: and behind the last answer it was said of this segment that it has no reader.
// Rule 6: what is given back is the oldest segment of its log, dropped in the cycle before.
// Assumed: lines come as they are asked for; the table answers in order, 3 cycles behind a record or
// later, and places only what it found and what may be copied; readers answer when they are asked.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_give_fv
  import wc_log_pkg::*;
#(
  parameter bit          Paced  = 1'b1,  // 0: nobody makes the sweeper wait
  parameter int unsigned Cycles = 36     // where the search ends
) (
  input wire logic       clk_i,
  input wire logic [1:0] may_i,  // be swept
  input wire logic [1:0] settled_i,
  input wire logic       idle_valid_i,
  input wire logic       idle_i,
  input wire logic       copy_room_ready_i,
  input wire logic       met_ready_i,
  input wire logic       answer_i,
  input wire logic       unread_i,
  input wire logic       found_i,
  input wire logic       placed_i,
  input wire logic       unit_ready_i,
  input wire logic       walk_request_ready_i,
  input wire logic       walk_line_i,
  input wire logic [LineUnits-1:0][4:0] headers_i,
  input wire logic       walk_line_error_i,
  input wire logic       copy_request_ready_i,
  input wire logic       copy_line_i,
  input wire logic       copy_line_error_i
);

  localparam int unsigned Pending = 2;

  // Who paces the sweeper.
  logic [1:0] settled;
  logic room_ready, met_ready, unit_ready, walk_ready, copy_ready, says_idle;

  always_comb begin
    settled = settled_i;
    room_ready = copy_room_ready_i;
    met_ready = met_ready_i;
    unit_ready = unit_ready_i;
    walk_ready = walk_request_ready_i;
    copy_ready = copy_request_ready_i;
    says_idle = idle_i;
    if (!Paced) begin
      settled = '1;
      {room_ready, met_ready, unit_ready, walk_ready, copy_ready, says_idle} = '1;
    end
  end

  // One cycle of reset, made here: the search then knows the registers' values behind it, and goes
  // deeper than with a reset that is assumed (wc_reset_fv).
  logic awake_q, rst_i;

  initial awake_q = 1'b0;
  always_ff @(posedge clk_i) awake_q <= 1'b1;
  assign rst_i = !awake_q;

  logic [6:0] cycle_q;

  always_ff @(posedge clk_i) cycle_q <= rst_i ? '0 : cycle_q + 1'b1;

`ifndef FORMAL_COVER
  `WC_ASSUME(search_ends, cycle_q < 7'(Cycles))
`endif

  // ---- the logs ---------------------------------------------------------------------------------
  log_settings_t settings;
  segments_t [1:0] count;
  segment_t [1:0] oldest;
  logic [1:0][6:0] oldest_q;  // counts on
  logic [1:0] may_q;
  logic drop, give_valid, ask_valid;
  log_e drop_log;
  segment_t give_segment, ask_segment;

  assign settings = '{
      segment_bits: 5'd11,
      segments: segments_t'(MaxSegments),
      most_new: segments_t'(2),
      largest: units_t'(8191)
  };
  assign oldest = {{1'b1, oldest_q[1]}, {1'b0, oldest_q[0]}};

  for (genvar i = 0; i < 2; i++) begin : gen_count
    assign count[i] = segments_t'(2) + segments_t'(may_q[i]);
  end

  always_ff @(posedge clk_i) begin
    if (drop) oldest_q[drop_log] <= oldest_q[drop_log] + 1'b1;
    may_q <= !Paced ? 2'b01 : drop ? may_i : may_q | may_i;
    if (rst_i) begin
      oldest_q <= '0;
      may_q <= '0;
    end
  end

  // ---- memory -----------------------------------------------------------------------------------
  logic walk_request_valid, walk_line_valid, walk_line_ready;
  logic copy_request_valid, copy_line_valid, copy_line_ready;
  beats_t walk_request_lines, copy_request_lines;
  logic [3:0] walk_left_q;   // lines that were asked for
  logic [11:0] copy_left_q;
  data_t walk_line;

  always_comb begin
    walk_line = '0;
    for (int unsigned i = 0; i < LineUnits; i++) begin
      header_t header;
      header = '0;
      header.key_len = {headers_i[i][4], 4'b0, headers_i[i][3], 3'b0};  // 0, 8, 256 or more
      // 0 or 16 bytes; 32 or 64 KiB more, which is one segment or two
      header.value_len = {
        6'b0, !Paced && headers_i[i][2], headers_i[i][2] == Paced, 10'b0, headers_i[i][1], 4'b0
      };
      header.expiry = wc_pkg::seconds_t'(headers_i[i][0]);
      header.cas = wc_pkg::cas_t'(1);
      walk_line[i*8*UnitBytes+:8*UnitBytes] |= 128'(header);
    end
  end

  assign walk_line_valid = (walk_line_i || !Paced) && walk_left_q != '0;
  assign copy_line_valid = (copy_line_i || !Paced) && copy_left_q != '0;

  `WC_ASSUME(walk_line_stays, $past(rst_i || !walk_line_valid || walk_line_ready)
             || (walk_line_valid && headers_i == $past(headers_i)
                 && walk_line_error_i == $past(walk_line_error_i)))
  `WC_ASSUME(copy_line_stays, $past(rst_i || !copy_line_valid || copy_line_ready)
             || (copy_line_valid && copy_line_error_i == $past(copy_line_error_i)))

  always_ff @(posedge clk_i) begin
    walk_left_q <= walk_left_q - 4'(walk_line_valid && walk_line_ready)
                   + (walk_request_valid && walk_ready ? 4'(walk_request_lines) : '0);
    copy_left_q <= copy_left_q - 12'(copy_line_valid && copy_line_ready)
                   + (copy_request_valid && copy_ready ? 12'(copy_request_lines) : '0);
    if (rst_i) begin
      walk_left_q <= '0;
      copy_left_q <= '0;
    end
  end

  // ---- the table --------------------------------------------------------------------------------
  logic met_valid, met, answered;
  met_t met_record;
  answer_t answer;
  logic [2:0] met_q;       // by how many cycles ago
  logic [3:0] old_q;       // records that may be answered
  logic [7:0] copies_q;    // of all that are not answered, oldest first: it may be copied
  logic [3:0] left_q;      // not answered

  assign met = met_valid && met_ready;
  assign answered = (answer_i || !Paced) && old_q != '0;
  assign answer = '{
      unread: unread_i,
      found: found_i && !unread_i,
      placed: placed_i && found_i && !unread_i && copies_q[0],
      place: '0
  };

  always_ff @(posedge clk_i) begin
    met_q <= {met_q[1:0], met};
    old_q <= old_q + 4'(met_q[1]) - 4'(answered);
    left_q <= left_q + 4'(met) - 4'(answered);
    copies_q <= (copies_q >> answered)
                | (8'(met && met_record.may_copy) << (left_q - 4'(answered)));
    if (rst_i) begin
      met_q <= '0;
      old_q <= '0;
      left_q <= '0;
      copies_q <= '0;
    end
  end

  // ---- readers ----------------------------------------------------------------------------------
  logic asked_q, idle_valid;

  always_ff @(posedge clk_i) asked_q <= ask_valid && !rst_i;
  assign idle_valid = (idle_valid_i || !Paced) && asked_q;

  sweep_events_t events;

  wc_log_sweep #(
    .Pending(Pending),
    .Records(2 * Pending),
    .Chunk  (2)
  ) u_dut (
    .clk_i               (clk_i),
    .rst_i               (rst_i),
    .settings_i          (settings),
    .time_i              (wc_pkg::seconds_t'(1)),
    .floor_i             ('0),
    .flushes_i           ('0),
    .hold_i              (1'b0),
    .clear_i             (1'b0),
    .busy_o              (),
    .free_i              ('0),
    .waits_i             (1'b0),
    .count_i             (count),
    .oldest_valid_i      ('1),
    .oldest_i            (oldest),
    .settled_i           (settled),
    .drop_o              (drop),
    .drop_log_o          (drop_log),
    .give_valid_o        (give_valid),
    .give_segment_o      (give_segment),
    .ask_valid_o         (ask_valid),
    .ask_segment_o       (ask_segment),
    .idle_valid_i        (idle_valid),
    .idle_i              (says_idle),
    .copy_room_valid_o   (),
    .copy_room_units_o   (),
    .copy_room_ready_i   (room_ready),
    .copy_room_take_o    (),
    .met_valid_o         (met_valid),
    .met_ready_i         (met_ready),
    .met_o               (met_record),
    .answer_valid_i      (answered),
    .answer_ready_o      (),
    .answer_i            (answer),
    .unit_valid_o        (),
    .unit_ready_i        (unit_ready),
    .unit_o              (),
    .walk_request_valid_o(walk_request_valid),
    .walk_request_ready_i(walk_ready),
    .walk_request_address_o (),
    .walk_request_beats_o(walk_request_lines),
    .walk_beat_valid_i   (walk_line_valid),
    .walk_beat_ready_o   (walk_line_ready),
    .walk_beat_i         (walk_line),
    .walk_beat_error_i   (walk_line_error_i),
    .copy_request_valid_o(copy_request_valid),
    .copy_request_ready_i(copy_ready),
    .copy_request_address_o (),
    .copy_request_beats_o(copy_request_lines),
    .copy_beat_valid_i   (copy_line_valid),
    .copy_beat_ready_o   (copy_line_ready),
    .copy_beat_i         ('0),
    .copy_beat_error_i   (copy_line_error_i),
    .events_o            (events),
    .lost_o              ()
  );

  // ---- what has become of the segment -----------------------------------------------------------
  // Since the last one was dropped. Records are counted as the walk hands them on.
  logic astray_q, unread_q, idle_q;
  logic [3:0] copies_left_q;       // records that were placed and not asked for
  logic [3:0] walked_q, answers_q; // records, answers
  logic [3:0] behind_q;            // records up to where the walk went astray
  logic [1:0] sure_q, sure_first_q;
  log_e log;
  logic dropped_q;
  segment_t dropped_segment_q;
  log_e dropped_log_q;

  assign log = u_dut.log_q;

  always_ff @(posedge clk_i) begin
    walked_q <= walked_q + 4'(u_dut.record_valid && u_dut.record_ready);
    answers_q <= answers_q + 4'(answered);
    copies_left_q <= copies_left_q + 4'(answered && answer.placed)
                     - 4'(copy_request_valid && copy_ready);
    if (met || answered) idle_q <= 1'b0;
    else if (idle_valid && says_idle && ask_segment == oldest[log]) idle_q <= 1'b1;
    if (answered && answer.unread) begin
      unread_q <= 1'b1;
      sure_q[log] <= 1'b0;
    end else if (answered && answer.found && answers_q >= behind_q) begin
      sure_q[log] <= 1'b1;
    end
    if (u_dut.astray) begin
      astray_q <= 1'b1;
      sure_q[log] <= 1'b0;
      behind_q <= walked_q;
    end
    dropped_q <= drop;
    dropped_log_q <= drop_log;
    dropped_segment_q <= oldest[drop_log];
    if (dropped_q) begin
      astray_q <= 1'b0;
      unread_q <= 1'b0;
      idle_q <= 1'b0;
      sure_first_q <= sure_q;
    end
    if (rst_i) begin
      astray_q <= 1'b0;
      unread_q <= 1'b0;
      idle_q <= 1'b0;
      sure_q <= '1;
      sure_first_q <= '1;
      walked_q <= '0;
      answers_q <= '0;
      behind_q <= '0;
      copies_left_q <= '0;
      dropped_q <= 1'b0;
    end
  end

  `WC_ASSERT(rule_1, !give_valid || (left_q == '0 && walked_q == answers_q))
  `WC_ASSERT(rule_2, !give_valid || !unread_q)
  `WC_ASSERT(rule_3, !give_valid || (copies_left_q == '0 && copy_left_q == '0))
  `WC_ASSERT(rule_4, !give_valid || (!astray_q && sure_first_q[dropped_log_q]))
  `WC_ASSERT(rule_4_next, !drop || !u_dut.sure_q[drop_log] || sure_q[drop_log])
  `WC_ASSERT(rule_5, !give_valid || idle_q)
  `WC_ASSERT(rule_6, !give_valid || (dropped_q && give_segment == dropped_segment_q))

  // ---- what is reached --------------------------------------------------------------------------
  logic copied_q, gave_q;

  always_ff @(posedge clk_i) begin
    if (answered && answer.placed) copied_q <= 1'b1;
    if (give_valid) gave_q <= 1'b1;
    if (rst_i) begin
      copied_q <= 1'b0;
      gave_q <= 1'b0;
    end
  end

  `WC_COVER(gives_one, give_valid && answers_q == 4'd1)
  `WC_COVER(gives_second, give_valid && gave_q)
  `WC_COVER(gives_covered, give_valid && gave_q && answers_q == 4'd1)
  `WC_COVER(drops_unread, drop && unread_q)
  `WC_COVER(drops_astray, drop && astray_q && !unread_q)
  `WC_COVER(drops_unsure, drop && !sure_first_q[drop_log] && !unread_q)
  if (Paced) begin : gen_paced
    `WC_COVER(gives_two, give_valid && answers_q == 4'd2)
    `WC_COVER(gives_copied, give_valid && copied_q)
  end

endmodule

`default_nettype wire
