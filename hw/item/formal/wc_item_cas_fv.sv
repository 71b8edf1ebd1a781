// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_cas, with wc_item_dispatch and wc_item_decide, which draw the numbers, and
// wc_item_flush, which keeps the floor. In the place of wc_item_match is a queue that gives its
// operations whenever it likes, with any item.
// Rule 1: SETs that are stored, GETs that create an item, items that are marked as stale and FLUSHes
//         that take effect at once have the numbers 1, 2, 3 and so on, in the order of operations;
//         nothing else takes a number, nor do these if they are given one.
// Rule 2: the job of a SET has the number of its operation, drawn or given: with the job, or if that is late, with
//         its verdict, which says whether the SET is stored.
// Rule 3: the floor that an operation meets is that of the operation before it, or the last number
//         drawn before: a flush takes effect between two operations, and all items there are dead.
// Rule 4: behind a FLUSH that takes effect at once the floor is that of the FLUSH.
// Rule 5: an item with a number that was given is alive for an operation behind the one that gave it
//         if, and only if, no flush has taken effect between them.
// Assumed of the table: only an operation with a CAS number for which there is an item is held.
`include "wc_assert.svh"
`default_nettype none

module wc_item_cas_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       tick_i,
  // the next operation
  input wire logic       valid_i,
  input wire logic       sweeps_i,
  input wire op_e        op_i,
  input wire logic       creates_i,
  input wire logic       asks_i,
  input wire logic       stale_i,
  input wire logic       clears_i,
  input wire logic       gives_i,
  input wire logic       found_i,
  input wire logic       placed_i,
  input wire logic [1:0] when_i,
  // whoever takes what comes of it
  input wire logic       answer_ready_i,
  input wire logic       write_ready_i,
  input wire logic       request_ready_i,
  input wire logic       work_ready_i,
  // the comparison
  input wire logic       done_i,
  input wire logic       error_i,
  input wire logic       same_i,
  input wire logic       unexpired_i,
  input wire logic [2:0] item_cas_i,
  input wire logic       item_given_i,
  input wire logic [1:0] item_flushes_i,
  input wire logic       pick_i  // free: what is followed
);

  localparam int unsigned Waiting = 4;
  typedef logic [4:0] number_t;  // the search is not long enough for more of them
  localparam cas_t Given = cas_t'(5'h1F);  // no drawn number

  typedef struct packed {
    logic       sweeps;
    op_e        op;
    logic       creates;
    logic       asks;
    logic       stale;
    logic       clears;
    logic       gives;
    logic       found;
    logic       placed;
    logic [1:0] at;
  } next_t;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- operations -------------------------------------------------------------------------------
  next_t next_q;
  logic next_valid_q, looked_ready;
  looked_t looked;
  context_t context_in;
  log_settings_t settings;
  logic [2:0] time_q;

  always_ff @(posedge clk_i) begin
    if (!next_valid_q || looked_ready) begin
      next_valid_q <= valid_i;
      next_q <= '{
          sweeps: sweeps_i,
          op: op_e'(op_i <= OpPrepend ? op_i : OpNone),
          creates: creates_i,
          asks: asks_i,
          stale: stale_i,
          clears: clears_i && op_e'(op_i) == OpDelete,
          gives: gives_i,
          found: found_i,
          placed: placed_i,
          at: when_i
      };
    end
    if (tick_i && time_q != '1) time_q <= time_q + 1'b1;
    if (rst_i) begin
      next_valid_q <= 1'b0;
      time_q <= 3'd1;
    end
  end

  effect_t effect;
  logic asks;
  assign effect = effect_with(next_q.op, next_q.stale, next_q.clears, next_q.creates);
  assign asks = asks_of(effect, next_q.asks, 1'b0);

  always_comb begin
    settings = '0;
    settings.segment_bits = 5'd11;
    context_in = '0;
    context_in.request.op.op = next_q.op;
    context_in.request.op.binary = 1'b1;  // its answer has a CAS number, also if it counts
    context_in.request.op.key_len = key_len_t'(effect.need != NeedNoKey);
    context_in.request.stale = next_q.stale;
    context_in.request.clears = next_q.clears;
    context_in.request.gives = next_q.gives && effect.need != NeedNoKey;
    context_in.request.given = Given;
    context_in.request.creates = effect.change == ChangeFill;
    context_in.request.op.meta = effect.change == ChangeFill;
    context_in.request.cas = cas_t'(next_q.asks) << 4;
    context_in.request.expiry = seconds_t'(next_q.at) << 1;
    looked = '0;
    looked.sweeps = next_q.sweeps;
    looked.found = next_q.found && (next_q.sweeps || effect.need != NeedNoKey);
    looked.span = 8'd3;
    looked.placed = next_q.placed
                    && (next_q.sweeps ? next_q.found : stores_of(effect));
    looked.taken = 8'd3;
    // Without an item to ask there is no place, but for an ADD and a GET that creates.
    if (!next_q.sweeps && !next_q.found && asks && effect.need != NeedNone
        && effect.change != ChangeFill) begin
      looked.placed = 1'b0;
    end
    looked.held = !next_q.sweeps && next_q.found && asks;
  end

  // ---- the parts --------------------------------------------------------------------------------
  cas_t number;
  logic settled, early_draw, early_late, late_draw, decided;
  logic work_valid, work_ready, queue_ready, queue_valid, take, done;
  compare_t work, waiting;
  logic write_valid;
  write_t write;
  logic result_valid, verdict_valid;
  result_t result;
  verdict_t verdict;
  cas_t floor_now;
  facts_t facts, facts_q;
  logic done_q, same_q, error_q;

  wc_item_cas #(
    .Most(Waiting + 6)
  ) u_cas (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .number_o      (number),
    .settled_o     (settled),
    .early_draw_i  (early_draw),
    .early_late_i  (early_late),
    .late_decided_i(decided),
    .late_draw_i   (late_draw)
  );

  wc_item_dispatch u_dispatch (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         ('0),
    .settings_i     (settings),
    .looked_valid_i (next_valid_q),
    .looked_ready_o (looked_ready),
    .looked_i       (looked),
    .looked_length_i(item_units(context_in.request.op.key_len, '0)),
    .context_valid_i(next_valid_q),
    .context_ready_o(),
    .context_i      (context_in),
    .written_i      (1'b0),
    .number_i       (number),
    .settled_i      (settled),
    .draw_o         (early_draw),
    .late_o         (early_late),
    .answer_valid_o (),
    .answer_ready_i (answer_ready_i),
    .answer_o       (),
    .write_valid_o  (write_valid),
    .write_ready_i  (write_ready_i),
    .write_o        (write),
    .request_valid_o(),
    .request_ready_i(request_ready_i),
    .request_address_o(),
    .request_beats_o(),
    .enter_valid_o  (),
    .enter_segment_o(),
    .work_valid_o   (work_valid),
    .work_ready_i   (work_ready),
    .work_o         (work)
  );

  assign work_ready = queue_ready && work_ready_i;

  wc_fifo_shallow #(
    .data_t(compare_t),
    .Depth (Waiting)
  ) u_waiting (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(work_valid && work_ready_i),
    .ready_o(queue_ready),
    .data_i (work),
    .valid_o(queue_valid),
    .ready_i(take),
    .data_o (waiting)
  );

  // Operations are two cycles apart.
  assign take = done_i && !done_q;
  assign done = queue_valid && take;

  always_comb begin
    facts = '0;
    facts.same_length = 1'b1;
    facts.unexpired = unexpired_i;
    facts.cas = cas_t'(item_cas_i);
    facts.origin.given = item_given_i;
    facts.origin.flushes = flushes_t'(item_flushes_i);
  end

  always_ff @(posedge clk_i) begin
    done_q <= done;
    if (done) begin
      facts_q <= facts;
      error_q <= error_i;
      same_q <= same_i;
    end
    if (rst_i) done_q <= 1'b0;
  end

  wc_item_decide u_decide (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (seconds_t'(time_q)),
    .most_bytes_i   (value_len_t'(MaxValueBytes)),
    .done_i         (done),
    .work_i         (waiting),
    .facts_i        (facts_q),
    .error_i        (error_q),
    .same_i         (same_q),
    .count_i        ('{numeric: same_q, default: '0}),
    .number_i       (number),
    .draw_o         (late_draw),
    .decided_o      (decided),
    .floor_o        (floor_now),
    .flushes_o      (),
    .kept_i         (1'b1),
    .result_valid_o (result_valid),
    .result_o       (result),
    .verdict_valid_o(verdict_valid),
    .verdict_o      (verdict),
    .settle_valid_o (),
    .settle_o       (),
    .leave_valid_o  (),
    .leave_segment_o(),
    .events_o       (),
    .too_large_o    (),
    .alias_o        ()
  );

  // ---- numbers ----------------------------------------------------------------------------------
  logic at_once_q;  // the operation is a FLUSH that takes effect at once
  logic stored, drawn;
  number_t count_q;  // the last number that an operation had

  logic stores;  // it would
  logic marks, marked;  // a DELETE that marks its item; has
  logic gives;          // it has a number
  logic emptied;        // a DELETE that stores an empty item, which keeps the number that there was
  assign stores = stores_of(effect_with(result.op.op, 1'b0, u_decide.work_q.clears,
                                        u_decide.work_q.creates));
  assign gives = u_decide.work_q.gives;
  assign emptied = u_decide.work_q.clears && !u_decide.work_q.stale && !gives;
  assign stored = stores && result.op.status == StOk && !result.hit;
  assign marks = result.op.op == OpDelete && u_decide.work_q.stale && !u_decide.work_q.clears;
  assign marked = marks && result.op.status == StOk;
  assign drawn = result_valid && ((stored && !emptied && !gives) || (marked && !gives)
                                  || at_once_q);

  always_ff @(posedge clk_i) begin
    at_once_q <= u_decide.valid_q && u_decide.work_q.op.op == OpFlush &&
                 u_decide.work_q.address <= seconds_t'(time_q);
    if (drawn) count_q <= count_q + 1'b1;
    if (rst_i) begin
      at_once_q <= 1'b0;
      count_q <= '0;
    end
  end

  `WC_ASSERT(next_number, !drawn || result.cas == cas_t'(count_q) + 1'b1)
  `WC_ASSERT(given_number, !(result_valid && (stored || marked) && gives) || result.cas == Given)
  // Of a touch it is no number, but of an item that is marked as stale.
  logic touches;
  assign touches = effect_of(result.op.op).change == ChangeExpiry;
  `WC_ASSERT(verdict_is_so, !verdict_valid || (result_valid && stores &&
             verdict.stores == stored && (!stored || cas_t'(verdict.cas) == result.cas))
              || (result_valid && marks && verdict.stores == marked
                  && (!marked || cas_t'(verdict.cas) == result.cas))
             || (result_valid && touches && verdict.stores == (result.op.status == StOk)))

  // ---- jobs -------------------------------------------------------------------------------------
  logic gone_q;  // the outputs of wc_item_dispatch are new

  always_ff @(posedge clk_i) begin
    gone_q <= next_valid_q && looked_ready;
    if (rst_i) gone_q <= 1'b0;
  end

  wc_order_fv #(
    .Width($bits(number_t) + 2),
    .Most (Waiting + 6)
  ) u_jobs (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (gone_q && write_valid && !write.copy && !write.patch),
    .push_data_i({write.late, write.discard,
                  write.late || write.discard ? number_t'(0) : number_t'(write.header.cas)}),
    .pop_i      (result_valid && stores),
    .pop_data_i ({verdict_valid, !verdict_valid && !stored,
                  verdict_valid || !stored ? number_t'(0) : number_t'(result.cas)}),
    .level_o    (),
    .watching_o (),
    .ahead_o    (),
    .data_o     ()
  );

  // ---- floor ------------------------------------------------------------------------------------
  cas_t met, met_q;  // the floor that the operation meets, that the one before it met
  cas_t last;        // the last number drawn before the operation
  logic flushed_q;   // a FLUSH took effect at once since the operation before

  assign last = drawn ? result.cas : cas_t'(count_q);
  assign met = u_decide.raising ? last : floor_now;

  always_ff @(posedge clk_i) begin
    if (u_decide.valid_q) begin
      met_q <= met;
      flushed_q <= u_decide.work_q.op.op == OpFlush &&
                   u_decide.work_q.address <= seconds_t'(time_q);
    end
    if (rst_i) begin
      met_q <= '0;
      flushed_q <= 1'b0;
    end
  end

  `WC_ASSERT(between_operations, !u_decide.valid_q || met == met_q || met == last)
  `WC_ASSERT(flush_takes_effect, !(u_decide.valid_q && flushed_q) || met == last)

  // ---- numbers that were given --------------------------------------------------------------------
  logic watch, watch_q;  // one is followed: it has this count of flushes
  flushes_t watched_q;
  logic takes_effect;    // a flush does
  logic flushed_since_q;          // and has, since

  assign watch = pick_i && verdict_valid && verdict.stores && gives && (stored || marked);
  assign takes_effect = u_decide.u_flush.now_o || u_decide.u_flush.activate;

  always_ff @(posedge clk_i) begin
    if (watch && !watch_q) begin
      watch_q <= 1'b1;
      watched_q <= verdict.origin.flushes;
    end
    if ((watch || watch_q) && takes_effect) flushed_since_q <= 1'b1;
    if (rst_i) begin
      watch_q <= 1'b0;
      flushed_since_q <= 1'b0;
    end
  end

  `WC_ASSERT(origin_is, !(verdict_valid && verdict.stores && (stored || marked) && !emptied)
             || verdict.origin.given == gives)
  `WC_ASSERT(given_lives, !(u_decide.valid_q && watch_q && facts_q.origin.given
                            && facts_q.origin.flushes == watched_q)
             || (u_decide.flushed || u_decide.raising) == flushed_since_q)

  `WC_COVER(given_flushed, u_decide.valid_q && watch_q && flushed_since_q && facts_q.origin.given
            && watched_q != '0 && facts_q.origin.flushes == watched_q)
  `WC_COVER(late_behind_late, verdict_valid && stored && count_q == 5'd2 && !settled)
  `WC_COVER(early_again, early_draw && count_q == 5'd3 && $past(decided))
  `WC_COVER(created, result_valid && result.op.op == OpGet && stored && !verdict_valid)
  `WC_COVER(created_late, result_valid && result.op.op == OpGet && stored && verdict_valid)
  `WC_COVER(announced, u_decide.u_flush.raise_q2 && last > floor_now && count_q == 5'd2 &&
            !u_decide.effect.flushes && $past(u_decide.u_flush.pending_q, 2))
  `WC_COVER(hit_above_floor, result_valid && result.op.op == OpGet && result.op.status == StOk &&
            floor_now == cas_t'(1))

endmodule

`default_nettype wire
