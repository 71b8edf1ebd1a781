// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_read_ring. One beat is followed, any one: its address is marked, and so are those
// of the beats behind it. A beat leaves as its turn is taken, or past the buffer.
// Rule 1: each beat has one turn, in the order of the asks, told 2 cycles after the ring's answer
//         or as the turn before it is taken; it is the ring's if the ring had the beat, else
//         memory's.
// Rule 2: memory takes the address of each beat that the ring does not have once, and of each that
//         was asked for early; of no others, and in the order of the asks; an address holds until
//         taken.
// Rule 3: of memory's beats just those that were asked for early are told to be early; whether the
//         ring had it is known a cycle after the ring's answer, is true, and stays until the beat
//         came.
// Rule 4: early goes only what the ring is asked for in this cycle, with no ask unanswered, no
//         address waiting, and nothing owed by memory; so one at a time.
// Rule 5: at most Waits addresses wait, from the ask on, and at most Beats turns; a beat of memory
//         that comes while no turn is told comes as its own turn is about to be, and not before.
// Rule 6: nothing is stuck: not counting cycles in which memory does not take an address that it is
//         offered, an ask is settled (the ring has the beat, or memory took its address) within
//         AskLatency + Waits + 1 cycles, and a beat is offered to the ring within 3.
// Assumed: a beat holds until it is asked for, and has one of Beats places until it leaves; the
// followed beat leaves only when it is there; memory answers in order, an early beat not before it
// is known, and none in a cycle in which the ring's beat is written; it rests only if it owes
// nothing and is offered nothing. The other beats may leave before they are there, so that few
// places fill all queues; that they go past only as their turn is about to be told is what rule 5
// shows of the followed one.
`include "wc_assert.svh"
`default_nettype none

module wc_log_read_ring_fv
  import wc_log_pkg::*;
#(
  parameter int unsigned Beats      = 4,
  parameter int unsigned AskLatency = 3
) (
  input wire logic clk_i,
  input wire logic rst_i,
  input wire logic pick_i,  // free: follow the beat that is here now
  input wire logic valid_i,
  input wire logic ask_ready_i,
  input wire logic hit_i,
  input wire logic read_ready_i,
  input wire logic rests_i,
  input wire logic come_i,  // memory gives a beat
  input wire logic take_i,
  input wire logic past_i
);

  localparam int unsigned Waits = 16;
  localparam int unsigned Owed = 127;  // beats, by memory: then it takes no address
  localparam int unsigned Told = AskLatency + 2;
  typedef logic [$clog2(Beats):0] places_t;
  typedef logic [6:0] owed_t;
  typedef logic [4:0] time_t;

  logic valid, ready, ask_valid, ask;
  address_t address, read_address, sent_address;
  logic read_now, read_valid, read_ready, sends;
  logic early, early_known, early_drop, early_end;
  logic ring, turn_valid, turn_ring, take, past, leaves;
  logic comes, rests;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_log_read_ring #(
    .Beats     (Beats),
    .AskLatency(AskLatency)
  ) u_dut (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .valid_i       (valid),
    .ready_o       (ready),
    .address_i     (address),
    .ask_valid_o   (ask_valid),
    .ask_ready_i   (ask_ready_i),
    .hit_i         (hit_i),
    .read_now_o    (read_now),
    .read_valid_o  (read_valid),
    .read_ready_i  (read_ready),
    .read_address_o(read_address),
    .rests_i       (rests),
    .early_o       (early),
    .early_known_o (early_known),
    .early_drop_o  (early_drop),
    .early_end_i   (early_end),
    .ring_o        (ring),
    .turn_valid_o  (turn_valid),
    .turn_ring_o   (turn_ring),
    .turn_take_i   (take),
    .past_i        (past)
  );

  // ---- beats ------------------------------------------------------------------------------------
  logic held_q, pick, pick_q;
  logic watch_q;    // the beat that is followed was asked for
  places_t beats_q; // asked for, and have not left

  assign valid = held_q || (valid_i && beats_q < places_t'(Beats));
  assign pick = held_q ? pick_q : pick_i && !watch_q;
  assign ask = valid && ready;
  assign leaves = take || past;

  always_comb begin
    address = '0;
    address[0] = pick;
    address[$bits(address_t)-1] = watch_q;
  end

  always_ff @(posedge clk_i) begin
    held_q <= valid && !ready;
    pick_q <= pick;
    beats_q <= beats_q + places_t'(ask) - places_t'(leaves);
    if (ask && pick) watch_q <= 1'b1;
    if (rst_i) begin
      held_q <= 1'b0;
      beats_q <= '0;
      watch_q <= 1'b0;
    end
  end

  // ---- memory -----------------------------------------------------------------------------------
  owed_t owed_q;
  logic keeps;

  assign read_ready = read_ready_i && owed_q != owed_t'(Owed);
  assign sends = (read_now || read_valid) && read_ready;
  assign sent_address = read_now ? address : read_address;
  assign comes = come_i && owed_q != '0 && !ring && !(early && !early_known);
  assign keeps = comes && !(early && early_drop);
  assign early_end = comes && early;
  assign rests = rests_i && owed_q == '0 && !read_now && !read_valid;

  always_ff @(posedge clk_i) begin
    owed_q <= owed_q + owed_t'(sends) - owed_t'(comes);
    if (rst_i) owed_q <= '0;
  end

  // ---- the beat that is followed ----------------------------------------------------------------
  time_t since_q;         // its ask; as far as Told
  logic known_q, hit_q;   // the ring's answer
  logic early_q;          // it was asked for early
  logic sent_q, came_q;   // memory took its address, gave it
  logic left_q;
  places_t before_q;      // beats before it that have not left
  owed_t before_owed_q;   // beats that memory gives before it
  logic answered, is_sent, is_next, is_come;
  logic [AskLatency:0] asked_q;  // asks that the ring has not answered, and what it answered last

  assign answered = watch_q && since_q == time_t'(AskLatency);
  assign is_sent = sends && sent_address[0];
  assign is_next = watch_q && !left_q && before_q == '0;
  assign is_come = comes && sent_q && !came_q && before_owed_q == '0;

  assign take = take_i && turn_valid && (!is_next || turn_ring || came_q || (is_come && keeps));
  assign past = past_i && !turn_valid
                && (ring || (keeps && (is_come || (asked_q[AskLatency] && !is_next))));

  always_ff @(posedge clk_i) begin
    asked_q <= (AskLatency + 1)'({asked_q, ask});
    if (ask && pick) begin
      since_q <= time_t'(1);
      early_q <= read_now;
      before_q <= beats_q - places_t'(leaves);
    end else begin
      if (since_q != time_t'(Told)) since_q <= since_q + 1'b1;
      if (leaves) before_q <= before_q - 1'b1;
    end
    if (answered) begin
      known_q <= 1'b1;
      hit_q <= hit_i;
    end
    if (is_sent) begin
      sent_q <= 1'b1;
      before_owed_q <= owed_q - owed_t'(comes);
    end else if (comes) begin
      before_owed_q <= before_owed_q - 1'b1;
    end
    if (is_come) came_q <= 1'b1;
    if (leaves && is_next) left_q <= 1'b1;
    if (rst_i) begin
      asked_q <= '0;
      known_q <= 1'b0;
      sent_q <= 1'b0;
      came_q <= 1'b0;
      left_q <= 1'b0;
    end
  end

  // ---- the rules --------------------------------------------------------------------------------
  `WC_ASSERT(rule_1_told, !is_next || since_q != time_t'(Told) || turn_valid)
  `WC_ASSERT(rule_1_before, !(is_next && (turn_valid || past)) || known_q)
  `WC_ASSERT(rule_1_turn, !(is_next && turn_valid) || turn_ring == hit_q)
  `WC_ASSERT(rule_1_past, !(is_next && past) || ring == hit_q)
  `WC_ASSERT(rule_1_own, !(is_come && past && !ring) || is_next)
  `WC_ASSERT(rule_1_made_up, !(turn_valid || past) || beats_q != '0)

  `WC_ASSERT(rule_2_once, !is_sent || !sent_q)
  `WC_ASSERT(rule_2_why, !is_sent || (watch_q ? early_q || (known_q && !hit_q) : read_now && pick))
  `WC_ASSERT(rule_2_behind, !(sends && sent_address[$bits(address_t)-1])
             || sent_q || (known_q && hit_q && !early_q))
  `WC_ASSERT(rule_2_order, !(sends && sent_q) || sent_address[$bits(address_t)-1])

  `WC_ASSERT(rule_3_is_early, !is_come || early == early_q)
  `WC_ASSERT(rule_3_drop, !is_come || (known_q && (early ? early_drop == hit_q : !hit_q)))
  `WC_ASSERT(rule_3_known, !(early_q && watch_q && known_q && !came_q) || early_known)

  `WC_ASSERT(rule_4, !read_now || (ask_valid && ask && asked_q[AskLatency-1:0] == '0 && !read_valid
                                   && owed_q == '0 && !early))
  `WC_ASSERT(rule_5_asks, ask == (ask_valid && ask_ready_i))
  `WC_ASSERT(rule_5_comes, !(is_come && keeps && !turn_valid) || asked_q[AskLatency])

  // Cycles in which memory has nothing to take, or takes it.
  time_t settle_q, offer_q;
  logic stalls;

  assign stalls = (read_now || read_valid) && !read_ready;

  always_ff @(posedge clk_i) begin
    if (!watch_q) settle_q <= '0;
    else if (!sent_q && !(known_q && hit_q) && !stalls) settle_q <= settle_q + 1'b1;
    if (!valid || ask_valid) offer_q <= '0;
    else if (!stalls) offer_q <= offer_q + 1'b1;
    if (rst_i) begin
      settle_q <= '0;
      offer_q <= '0;
    end
  end

  `WC_ASSERT(rule_6_settled, settle_q <= time_t'(AskLatency + Waits + 1))
  `WC_ASSERT(rule_6_offered, offer_q <= time_t'(3))

  // ---- what ties the checker to the cell --------------------------------------------------------
  typedef logic [4:0] wait_t;
  typedef logic [$clog2(Beats)+4:0] count_t;

  function automatic wait_t ones(logic [AskLatency:0] bits);
    wait_t sum;
    sum = '0;
    for (int unsigned i = 0; i <= AskLatency; i++) sum += wait_t'(bits[i]);
    return sum;
  endfunction

  wait_t index_q;   // of the followed address among all that were asked for
  logic waits_q;    // it is in the queue,
  wait_t front;     // with so many before it
  wait_t unanswered, older;  // asks; those of them before the followed one
  logic [AskLatency:0] shifted;
  count_t turns;    // told, and not taken
  time_t counted;   // cycles since the ask, of those that the ring's answer takes
  logic [$clog2(Beats)-1:0] turn_place;
  logic is_early;   // the followed beat is the one that was asked for early last

  assign front = index_q - u_dut.done_count_q;
  assign unanswered = ones({1'b0, u_dut.asked_q});
  assign shifted = {1'b0, u_dut.asked_q} >> since_q;
  assign older = ones(shifted);
  assign turns = count_t'(places_t'(u_dut.told_q - u_dut.taken_q)) + count_t'(turn_valid);
  assign turn_place = ($clog2(Beats))'(u_dut.taken_q) + ($clog2(Beats))'(before_q) - 1'b1;
  assign counted = since_q > time_t'(AskLatency) ? time_t'(AskLatency) : since_q - 1'b1;
  assign is_early = watch_q && early_q && !came_q;

  always_ff @(posedge clk_i) begin
    if (u_dut.pop && front == '0) waits_q <= 1'b0;
    if (ask && pick) begin
      index_q <= u_dut.asked_count_q;
      waits_q <= 1'b1;
    end
    if (rst_i) waits_q <= 1'b0;
  end

  `WC_ASSERT(asked_is, u_dut.asked_q == asked_q[AskLatency-1:0])
  `WC_ASSERT(answered_is, u_dut.answered_q == asked_q[AskLatency] && (!ring || u_dut.answered_q))
  `WC_ASSERT(counts, u_dut.waiting == unanswered + u_dut.known_count_q
             && u_dut.known_count_q <= wait_t'(Waits)
             && u_dut.known_count_q == u_dut.answered_count_q - u_dut.done_count_q)
  `WC_ASSERT(room_is, !u_dut.room_q || u_dut.waiting < wait_t'(Waits))
  `WC_ASSERT(beats_are, count_t'(beats_q) == count_t'(unanswered) + turns
             + count_t'(asked_q[AskLatency])
             && beats_q <= places_t'(Beats) && (!held_q || beats_q < places_t'(Beats)))
  `WC_ASSERT(pick_is, !(held_q && pick_q && watch_q))
  `WC_ASSERT(turn_is_first, turn_valid || turns == '0)
  `WC_ASSERT(quiet_is, !u_dut.quiet_q || (u_dut.waiting == '0 && !early && owed_q == '0))

  // The early one is the oldest ask until it is known, and memory's first beat.
  `WC_ASSERT(early_is, (!early_known && !u_dut.early_hold_q) || early)
  `WC_ASSERT(early_oldest, !(early && !early_known)
             || (u_dut.known_count_q == '0 && unanswered != '0))
  `WC_ASSERT(early_owed, !early || (u_dut.early_hold_q == (owed_q == '0)))
  `WC_ASSERT(early_waits, !u_dut.early_hold_q || u_dut.waiting != '0)
  `WC_ASSERT(early_holds, !u_dut.early_hold_q || is_early == (waits_q && front == '0))
  `WC_ASSERT(early_other, !(early && !early_known && watch_q && !known_q && !early_q)
             || older != '0)

  // Where the followed address is.
  for (genvar i = 0; i < Waits; i++) begin : gen_address
    wait_t age;
    assign age = {1'b0, 4'(i) - u_dut.done_count_q[3:0]};
    `WC_ASSERT(mark, age >= u_dut.waiting || u_dut.address_mem[i][0] == (waits_q && age == front))
    `WC_ASSERT(behind, age >= u_dut.waiting || u_dut.address_mem[i][$bits(address_t)-1]
               == (watch_q && (!waits_q || age > front)))
  end
  `WC_ASSERT(since_is, !watch_q || (since_q != '0 && since_q <= time_t'(Told)
             && known_q == (since_q > time_t'(AskLatency))))
  `WC_ASSERT(nothing_before, watch_q || !(waits_q || known_q || sent_q || came_q || left_q))
  `WC_ASSERT(waits_is, !waits_q || (front < u_dut.waiting
             && known_q == (front < u_dut.known_count_q)))
  `WC_ASSERT(unknown_is, !watch_q || known_q || (waits_q && asked_q[since_q-1]
             && front == u_dut.known_count_q + older && !left_q && !came_q && (early_q || !sent_q)))
  `WC_ASSERT(done_is, !(waits_q && known_q)
             || u_dut.done_mem[index_q[3:0]] == (hit_q || early_q))
  `WC_ASSERT(sent_is, !(watch_q && !early_q && known_q) || sent_q == (!waits_q && !hit_q))
  `WC_ASSERT(sent_early, !is_early || (early && early_known == known_q
             && sent_q == !u_dut.early_hold_q && (!known_q || early_drop == hit_q)
             && (!sent_q || before_owed_q == '0)))
  `WC_ASSERT(early_front, !(waits_q && early_q) || (front == '0 && !came_q))
  `WC_ASSERT(came_is, !came_q || (sent_q && known_q))
  `WC_ASSERT(owed_is, !(sent_q && !came_q) || (before_owed_q < owed_q
             && (early_q || !early || before_owed_q != '0)))

  // Where its turn is.
  `WC_ASSERT(left_is, !left_q || (since_q > time_t'(AskLatency) && (hit_q || came_q)))
  `WC_ASSERT(turn_later, !(watch_q && !known_q)
             || count_t'(before_q) == turns + count_t'(asked_q[AskLatency]) + count_t'(older))
  `WC_ASSERT(turn_now, !(watch_q && since_q == time_t'(AskLatency + 1))
             || (!left_q && asked_q[AskLatency] && ring == hit_q && count_t'(before_q) == turns))
  `WC_ASSERT(turn_told, !(watch_q && since_q == time_t'(Told) && !left_q)
             || (count_t'(before_q) < turns
                 && (before_q == '0 ? turn_ring : u_dut.turn_mem[turn_place]) == hit_q))

  // How long it takes.
  `WC_ASSERT(settle_is, !waits_q || sent_q || (known_q && hit_q)
             || 6'(settle_q) + 6'(front) + 6'(u_dut.early_hold_q) <= 6'(Waits) + 6'(counted))
  `WC_ASSERT(offer_is, u_dut.room_q ? offer_q <= 3
             : u_dut.waiting == wait_t'(Waits) ? offer_q <= time_t'(!u_dut.early_hold_q)
             : offer_q <= 2)

  // ---- covers -----------------------------------------------------------------------------------
  `WC_COVER(early_has, is_come && early && hit_q && left_q)
  `WC_COVER(early_has_not, is_come && early && !hit_q && past)
  `WC_COVER(early_again, read_now && came_q && early_q)
  `WC_COVER(full, valid && !ask_valid && !early)
  `WC_COVER(late, is_come && !early && before_q == places_t'(1))

endmodule

`default_nettype wire
