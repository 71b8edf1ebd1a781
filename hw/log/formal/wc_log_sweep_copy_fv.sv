// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_sweep_copy. One record is followed, any one. Memory is modelled as what was asked
// for: it gives each request's beats, in the order of the requests. Units are looked at as they go
// into the slice at the end, whose own proof is wc_slice_fv. A record's turn begins as that of the
// one before it is done: of records, units and done_o belong to the one whose turn it is.
// Rule 1: each record has one request, in order, for just the beats that its units are in.
// Rule 2: all its units come in its turn, in order, from its first one on; each is the one in its
//         place in the beats that this record has asked for, and in error just when that beat is.
// Rule 3: done_o comes once for each record, in order, in the cycle after its last unit; then all
//         its beats are taken. No beat is taken before the turn of its record.
// Rule 4: unread_o comes just in the cycle after the last unit of a record in a beat in error; so
//         by its done_o it was told for a record just if a unit of it was in error.
// Rule 5: nothing waits without a reason: a unit of a beat that is there is offered; a record is
//         asked for within 4 cycles, not counting those in which a request is offered or Ahead are
//         asked for.
// Assumed: a record has two units at least; no more than Depth are here until their done_o; a beat
// comes a cycle after its request is taken, or later, and holds until taken.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_copy_fv
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits = LineUnits,
  parameter int unsigned Depth     = 4
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       pick_i,  // free: follow the record that comes now
  input wire logic       valid_i,
  input wire address_t   address_i,
  input wire units_t     units_i,
  input wire logic       request_ready_i,
  input wire logic       beat_valid_i,
  input wire logic [BeatUnits-1:0][1:0] bits_i,  // the first and the last of each unit
  input wire logic       beat_error_i,
  input wire logic       unit_ready_i
);

  localparam int unsigned Ahead = 8;
  localparam bit Units = BeatUnits == 1;
  typedef logic [5:0] number_t;   // of a record
  typedef logic [$bits(units_t)+1:0] count_t;  // of units

  logic push, done, unread, request_valid, beat_valid, beat_ready;
  address_t request_address;
  beats_t request_beats;
  unit_t [BeatUnits-1:0] beat;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_log_sweep_copy #(
    .BeatUnits(BeatUnits),
    .Depth    (Depth)
  ) u_dut (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .valid_i          (push),
    .address_i        (address_i),
    .units_i          (units_i),
    .done_o           (done),
    .unread_o         (unread),
    .request_valid_o  (request_valid),
    .request_ready_i  (request_ready_i),
    .request_address_o(request_address),
    .request_beats_o  (request_beats),
    .beat_valid_i     (beat_valid),
    .beat_ready_o     (beat_ready),
    .beat_i           (beat),
    .beat_error_i     (beat_error_i),
    .unit_valid_o     (),
    .unit_ready_i     (unit_ready_i),
    .unit_o           ()
  );

  // ---- records ----------------------------------------------------------------------------------
  number_t here_q;
  number_t pushed_q, asked_q, turn_q;  // how many came, were asked for, are done
  number_t current;                    // whose turn it is
  logic asks;

  assign push = valid_i && here_q - number_t'(done) < number_t'(Depth);
  assign asks = request_valid && request_ready_i;
  assign current = turn_q + number_t'(done);

  `WC_ASSUME(has_units, units_i >= units_t'(2))

  always_ff @(posedge clk_i) begin
    here_q <= here_q + number_t'(push) - number_t'(done);
    pushed_q <= pushed_q + number_t'(push);
    asked_q <= asked_q + number_t'(asks);
    turn_q <= current;
    if (rst_i) begin
      here_q <= '0;
      pushed_q <= '0;
      asked_q <= '0;
      turn_q <= '0;
    end
  end

  // ---- memory -----------------------------------------------------------------------------------
  beats_t asked_mem[16];  // beats of each request
  number_t mem_q;         // the record whose beats it gives
  logic begun_q;          // it gave some of them:
  beats_t index_q;        // how many,
  beats_t give_q;         // and how many it has to give yet
  beats_t give;
  logic takes;

  assign give = begun_q ? give_q : asked_mem[mem_q[3:0]];
  assign beat_valid = beat_valid_i && mem_q != asked_q;
  assign takes = beat_valid && beat_ready;

  always_comb begin
    beat = '0;
    for (int unsigned i = 0; i < BeatUnits; i++) begin
      {beat[i][$bits(unit_t)-1], beat[i][0]} = bits_i[i];
    end
  end

  `WC_ASSUME(beat_holds, $past(rst_i) || !$past(beat_valid && !beat_ready)
             || (beat_valid && {bits_i, beat_error_i} == $past({bits_i, beat_error_i})))

  always_ff @(posedge clk_i) begin
    if (asks) asked_mem[asked_q[3:0]] <= request_beats;
  end

  always_ff @(posedge clk_i) begin
    if (takes) begin
      begun_q <= 1'b1;
      index_q <= index_q + 1'b1;
      give_q <= give - 1'b1;
      if (give == beats_t'(1)) begin
        mem_q <= mem_q + 1'b1;
        begun_q <= 1'b0;
        index_q <= '0;
      end
    end
    if (rst_i) begin
      mem_q <= '0;
      begun_q <= 1'b0;
      index_q <= '0;
    end
  end

  // ---- the record that is followed --------------------------------------------------------------
  logic offers, goes;   // a unit, into the slice
  logic watch_q, is_turn, is_done;
  number_t number_q;
  address_t address_q;
  units_t size_q;
  count_t togo_q;   // units of it that did not go into the slice
  count_t place_q;  // of the next one, counted from its first beat

  assign is_turn = watch_q && current == number_q;
  assign is_done = watch_q && done && turn_q == number_q;

  always_ff @(posedge clk_i) begin
    if (is_done) watch_q <= 1'b0;
    if (is_turn && goes) begin
      togo_q <= togo_q - 1'b1;
      place_q <= place_q + 1'b1;
    end
    if (!watch_q && push && pick_i) begin
      watch_q <= 1'b1;
      number_q <= pushed_q;
      address_q <= address_i;
      size_q <= units_i;
      togo_q <= {2'b0, units_i};
      place_q <= Units ? '0 : count_t'(address_i[1:0]);
    end
    if (rst_i) watch_q <= 1'b0;
  end

  // ---- units of the record whose turn it is -----------------------------------------------------
  logic bad_q, told_q;  // one was in error; that was told
  copy_unit_t unit;

  assign offers = u_dut.busy_q && beat_valid;
  assign goes = offers && u_dut.unit_ready;
  assign unit = u_dut.unit;

  always_ff @(posedge clk_i) begin
    bad_q <= (!done && bad_q) || (goes && unit.error);
    told_q <= !done && (told_q || unread);
    if (rst_i) begin
      bad_q <= 1'b0;
      told_q <= 1'b0;
    end
  end

  typedef struct packed {
    logic [1:0] unit;   // lines: the first one's place in its line
    units_t     size;
  } turn_t;
  turn_t followed;

  function automatic beats_t beats_for(turn_t turn);
    return beats_t'((21'(turn.size) + 21'(turn.unit) + 21'(BeatUnits - 1)) / BeatUnits);
  endfunction

  assign followed = '{unit: Units ? '0 : address_q[1:0], size: size_q};

  // ---- the rules --------------------------------------------------------------------------------
  `WC_ASSERT(rule_1_request, !(watch_q && request_valid && asked_q == number_q)
             || (request_address == address_q - address_t'(Units ? 2'b0 : address_q[1:0])
                 && request_beats == beats_for(followed)))
  `WC_ASSERT(rule_1_made_up, !request_valid || asked_q != pushed_q)

  `WC_ASSERT(rule_2_many, !(is_turn && offers) || togo_q != '0)
  `WC_ASSERT(rule_2_from, !(is_turn && offers) || (mem_q == number_q
             && index_q == beats_t'(place_q / BeatUnits)))
  `WC_ASSERT(rule_2_unit, !(is_turn && offers)
             || (unit.data == beat[place_q%BeatUnits] && unit.error == beat_error_i))
  `WC_ASSERT(rule_2_made_up, !offers || current != pushed_q)

  `WC_ASSERT(rule_3_done, !(watch_q && turn_q == number_q) || done == (togo_q == '0))
  `WC_ASSERT(rule_3_taken, !is_done || mem_q != number_q)
  `WC_ASSERT(rule_3_made_up, !done || turn_q != pushed_q)
  `WC_ASSERT(rule_3_turn, !takes || mem_q == current)

  `WC_ASSERT(rule_4, unread == (!$past(rst_i) && $past(takes && beat_error_i)))
  `WC_ASSERT(rule_4_told, !done || bad_q == (told_q || unread))
  `WC_ASSERT(rule_4_own, !unread || bad_q)

  logic [2:0] wait_q;

  always_ff @(posedge clk_i) begin
    wait_q <= asked_q != pushed_q && !request_valid && u_dut.turns_ready ? wait_q + 1'b1 : '0;
    if (rst_i) wait_q <= '0;
  end

  `WC_ASSERT(rule_5_beat, !beat_valid || offers)
  `WC_ASSERT(rule_5_request, wait_q <= 3'd3)

  // ---- what ties the checker to the cell --------------------------------------------------------
  typedef struct packed {
    address_t address;
    units_t   size;
  } job_t;

  logic busy, job_valid, fetched_valid;
  logic [3:0] turns;
  logic [$clog2(Depth):0] jobs;
  job_t job, fetched;
  count_t left;          // units
  number_t ahead;        // records from the current one to the followed one,
  number_t ahead_turns;  // in the queue of turns,
  number_t ahead_jobs;   // and in that of jobs
  beats_t to_give;       // beats of the current one

  assign busy = u_dut.busy_q;
  assign turns = u_dut.u_turns.level_q;
  assign job_valid = u_dut.job_valid;
  assign job = u_dut.job;
  assign fetched_valid = u_dut.u_jobs.fetched_q;
  assign fetched = u_dut.u_jobs.fetched;
  assign jobs = u_dut.u_jobs.level_o;
  assign left = count_t'(u_dut.left_q);
  assign ahead = number_q - current;
  assign ahead_turns = ahead - number_t'(busy);
  assign ahead_jobs = ahead_turns - number_t'(turns);
  assign to_give = begun_q ? give_q : beats_of(current);

  function automatic beats_t beats_of(number_t number);
    return request_valid && asked_q == number ? request_beats : asked_mem[number[3:0]];
  endfunction

  // Who is where.
  `WC_ASSERT(asked_is, asked_q + number_t'(request_valid)
             == current + number_t'(busy) + number_t'(turns))
  `WC_ASSERT(pushed_is, pushed_q == current + number_t'(busy) + number_t'(turns)
             + number_t'(job_valid) + number_t'(fetched_valid) + number_t'(jobs))
  `WC_ASSERT(here_is, pushed_q - turn_q == here_q && here_q <= number_t'(Depth + 1)
             && here_q - number_t'(done) <= number_t'(Depth) && (!done || here_q != '0))
  `WC_ASSERT(request_is, !request_valid || busy || turns != '0)
  `WC_ASSERT(busy_is, busy || (turns <= 4'd1 && turns == 4'(request_valid)))
  `WC_ASSERT(mem_is, number_t'(asked_q - mem_q) <= number_t'(Ahead + 1)
             && (begun_q ? mem_q != asked_q : index_q == '0))
  `WC_ASSERT(turns_are, u_dut.turn_valid == (turns != '0)
             && u_dut.turns_ready == (turns != 4'(Ahead))
             && 3'(u_dut.u_turns.waddr_q - u_dut.u_turns.raddr_q) == turns[2:0])
  `WC_ASSERT(jobs_are, u_dut.jobs_ready == (jobs != ($clog2(Depth) + 1)'(Depth))
             && ($clog2(Depth))'(u_dut.u_jobs.waddr_q - u_dut.u_jobs.raddr_q)
                == jobs[$clog2(Depth)-1:0])

  // Each has units, and as many beats as memory was asked for.
  for (genvar i = 0; i < Ahead; i++) begin : gen_turn
    turn_t turn;
    logic [2:0] age;
    assign turn = u_dut.u_turns.mem[i];
    assign age = 3'(i) - u_dut.u_turns.raddr_q;
    `WC_ASSERT(turn_is, 4'(age) >= turns || (turn.size >= units_t'(2)
               && beats_of(current + number_t'(busy) + number_t'(age))
                  == beats_for(turn)
               && (!Units || turn.unit == '0)))
  end
  for (genvar i = 0; i < Depth; i++) begin : gen_job
    job_t in_ram;
    logic [$clog2(Depth)-1:0] age;
    assign in_ram = u_dut.u_jobs.u_ram.mem[i];
    assign age = ($clog2(Depth))'(i) - u_dut.u_jobs.raddr_q;
    `WC_ASSERT(job_is, ($clog2(Depth) + 1)'(age) >= jobs || in_ram.size >= units_t'(2))
  end
  `WC_ASSERT(job_has, (!job_valid || job.size >= units_t'(2))
             && (!fetched_valid || fetched.size >= units_t'(2)))

  // The current one: what is left of it, and of its beats.
  `WC_ASSERT(left_is, !busy || (left != '0 && u_dut.last_q == (left == count_t'(1))))
  `WC_ASSERT(told_is, !told_q || bad_q)
  `WC_ASSERT(units_are, !watch_q || is_done || (is_turn && busy)
             || (togo_q == {2'b0, size_q} && place_q == count_t'(followed.unit)))

  count_t in_beat;  // the unit's place in its beat
  assign in_beat = Units ? '0 : count_t'(u_dut.number_q);
  `WC_ASSERT(current_is, mem_q == current && (!busy ? !begun_q
             : count_t'(to_give) == (left + in_beat + count_t'(BeatUnits - 1)) / BeatUnits))
  `WC_ASSERT(followed_is, !(is_turn && busy)
             || (togo_q == left && place_q == count_t'(index_q) * BeatUnits + in_beat))
  `WC_ASSERT(bad_is, done || !bad_q || told_q || unread || (busy && beat_valid && beat_error_i))

  // The followed one.
  `WC_ASSERT(follows, !watch_q || is_done || (ahead < pushed_q - current && size_q >= units_t'(2)))
  `WC_ASSERT(turn_place, !watch_q || is_done || (ahead == '0 && busy)
             || ahead_turns >= number_t'(turns)
             || u_dut.u_turns.mem[3'(u_dut.u_turns.raddr_q + 3'(ahead_turns))] == followed)

  logic later;           // in the queue of jobs
  number_t ahead_ram;    // in its RAM
  job_t in_queue;

  assign later = watch_q && !is_done && (ahead != '0 || !busy)
                 && ahead_turns >= number_t'(turns);
  assign ahead_ram = ahead_jobs - number_t'(job_valid) - number_t'(fetched_valid);
  always_comb begin
    in_queue = u_dut.u_jobs.u_ram.mem[($clog2(Depth))'(u_dut.u_jobs.raddr_q
                                      + ($clog2(Depth))'(ahead_ram))];
    if (ahead_jobs == '0 && job_valid) in_queue = job;
    else if (ahead_jobs == number_t'(job_valid) && fetched_valid) in_queue = fetched;
  end

  `WC_ASSERT(job_place, !later || in_queue == {address_q, size_q})

  // How long a request takes.
  `WC_ASSERT(wait_is, wait_q == 3'd0 || request_valid || (wait_q <= 3'd2 && job_valid)
             || (wait_q == 3'd1 && fetched_valid))

  // ---- covers -----------------------------------------------------------------------------------
  `WC_COVER(no_gap, done && goes && is_turn && $past(goes))
  `WC_COVER(told, is_done && bad_q && told_q && !unread)
  `WC_COVER(all_here, here_q == number_t'(Depth) && is_turn && request_valid)
  `WC_COVER(next_beat, is_turn && goes && index_q == beats_t'(1) && address_q[0])

endmodule

`default_nettype wire
