// SPDX-License-Identifier: Apache-2.0
// The ring's side of a stream of wc_log_read: asks the ring for each beat, has those that it does not
// have read from memory, and tells in which order beats of ring and memory leave.
// When nothing is on the way, memory is asked together with the ring (early).
// An address waits in a queue from its ask until the ring has the beat or memory took the address; so
// nothing stops the ring's answers, and Waits asks are on the way at most.
// Latency from ask to the address for memory none if early, else 1 more than the ring's answer. A beat
// a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_log_read_ring
  import wc_log_pkg::*;
#(
  parameter int unsigned Beats      = 64,  // places that the stream has
  parameter int unsigned AskLatency = 3    // of the ring
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     valid_i,    // a beat that has a place
  output logic          ready_o,
  input  wire address_t address_i,
  output logic          ask_valid_o,
  input  wire logic     ask_ready_i,
  input  wire logic     hit_i,      // AskLatency cycles after the ask was taken
  // to memory: address_i in this very cycle, or one that waited
  output logic          read_now_o,
  output logic          read_valid_o,    // not with read_now_o
  input  wire logic     read_ready_i,
  output address_t      read_address_o,
  input  wire logic     rests_i,    // memory owes nothing, and nobody waits for it
  // The first beat that memory gives the stream was asked for early. It must wait until it is known
  // whether the ring has it, and counts only if not.
  output logic          early_o,
  output logic          early_known_o,
  output logic          early_drop_o,
  input  wire logic     early_end_i,  // it came
  // who has the stream's next beat
  output logic          ring_o,       // the ring gave a beat in the cycle before
  output logic          turn_valid_o,
  output logic          turn_ring_o,
  input  wire logic     turn_take_i,
  input  wire logic     past_i        // not turn_valid_o: the beat whose turn is told now has left
);

  localparam int unsigned Waits = 16;
  localparam int unsigned CountWidth = $clog2(Waits) + 1;
  typedef logic [CountWidth-1:0] count_t;
  typedef logic [CountWidth-2:0] index_t;
  typedef logic [$clog2(Beats)-1:0] place_t;
  typedef logic [$clog2(Beats):0] turns_t;

  // With fewer, answers that take so long would hold back asks.
  `WC_REQUIRE(ask_latency, AskLatency >= 1 && AskLatency <= Waits - 4,
              "wc_log_read: AskLatency must be 1 to 12")

  logic [AskLatency-1:0] asked_q;
  logic ask, answered, hit;
  logic early_ask, early;
  logic quiet_q;       // nothing is on the way
  logic early_hold_q;  // memory has not taken the early address

  // ---- addresses that wait ----------------------------------------------------------------------
  // Of the asks counted: all, those with an answer, those that are done.
  (* ram_style = "distributed" *) address_t address_mem[Waits];
  (* ram_style = "distributed" *) logic done_mem[Waits];  // memory need not be asked
  count_t asked_count_q, answered_count_q, done_count_q, waiting;
  count_t known_count_q;  // with an answer, and not done
  logic known_q;          // there are
  logic room_q, pop;
  logic done_q;           // known_q: of the first one; a register, as memory's AR hangs on it
  logic done_now, done_next;

  assign waiting = asked_count_q - done_count_q;
  assign done_now = hit_i || (early_o && !early_known_o);
  assign done_next = known_count_q > count_t'(1) ? done_mem[index_t'(done_count_q) + 1'b1]
                                                 : done_now;
  assign pop = known_q && !early_hold_q && (done_q || read_ready_i);

  assign ask_valid_o = valid_i && room_q;
  assign ready_o = room_q && ask_ready_i;
  assign ask = valid_i && ready_o;
  assign answered = asked_q[AskLatency-1];
  assign hit = answered && hit_i;

  // The beat that is asked for early is the only one on the way then: the ring's next answer is its
  // own.
  assign early_ask = ask && quiet_q;
  assign early = early_ask || early_hold_q;
  assign read_now_o = early_ask;
  assign read_valid_o = early_hold_q || (known_q && !done_q);
  assign read_address_o = address_mem[index_t'(done_count_q)];

  always_ff @(posedge clk_i) begin
    if (ask) address_mem[index_t'(asked_count_q)] <= address_i;
    if (answered) done_mem[index_t'(answered_count_q)] <= done_now;
  end

  always_ff @(posedge clk_i) begin
    asked_q <= AskLatency'({asked_q, ask});
    if (ask) asked_count_q <= asked_count_q + 1'b1;
    if (answered) answered_count_q <= answered_count_q + 1'b1;
    if (pop) done_count_q <= done_count_q + 1'b1;
    if (answered != pop) known_count_q <= known_count_q + (pop ? '1 : count_t'(1));
    known_q <= answered || known_count_q > count_t'(1) || (known_count_q != '0 && !pop);
    if (pop || !known_q) done_q <= done_next;
    room_q <= waiting < count_t'(Waits - 1) || (waiting == count_t'(Waits - 1) && !ask);
    early_o <= early_ask || (early_o && !early_end_i);
    early_hold_q <= early && !read_ready_i;
    early_known_o <= early_o && (early_known_o || answered) && !early_end_i;
    if (early_o && !early_known_o) early_drop_o <= hit_i;
    quiet_q <= !ask && (waiting == '0 || (waiting == count_t'(1) && pop)) && !early_o && rests_i;
    if (rst_i) begin
      asked_q <= '0;
      asked_count_q <= '0;
      answered_count_q <= '0;
      done_count_q <= '0;
      known_count_q <= '0;
      known_q <= 1'b0;
      room_q <= 1'b1;
      quiet_q <= 1'b0;
      early_o <= 1'b0;
      early_hold_q <= 1'b0;
      early_known_o <= 1'b0;
    end
  end

  // ---- turns ------------------------------------------------------------------------------------
  // A turn is told when the ring's beat is written to the buffer, so it is there when its turn is.
  // Their places are those of the beats, so there is always room.
  (* ram_style = "distributed" *) logic turn_mem[Beats];
  turns_t told_q, taken_q;
  logic answered_q, push, load, more;

  assign push = answered_q && !past_i;
  assign load = turn_take_i || !turn_valid_o;
  assign more = told_q != taken_q;

  always_ff @(posedge clk_i) begin
    if (answered_q) turn_mem[place_t'(told_q)] <= ring_o;
  end

  always_ff @(posedge clk_i) begin
    answered_q <= answered;
    ring_o <= hit;
    if (push) told_q <= told_q + 1'b1;
    if (load) begin
      if (more || push) taken_q <= taken_q + 1'b1;
      turn_valid_o <= more || push;
      turn_ring_o <= more ? turn_mem[place_t'(taken_q)] : ring_o;
    end
    if (rst_i) begin
      told_q <= '0;
      taken_q <= '0;
      answered_q <= 1'b0;
      ring_o <= 1'b0;
      turn_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(ask, ask_valid_o, ask_ready_i, address_i)
  `WC_ASSERT_STREAM(read, read_now_o || read_valid_o, read_ready_i,
                    read_now_o ? address_i : read_address_o)
  `WC_ASSERT(one_read, !(read_now_o && read_valid_o))
  `WC_ASSERT(waiting_is_bounded, waiting <= count_t'(Waits))
  `WC_ASSERT(known_is_known, known_q == (answered_count_q != done_count_q))
  `WC_ASSERT(done_is_done, !known_q || done_q == done_mem[index_t'(done_count_q)])
  `WC_ASSERT(early_is_alone, !early_ask || (waiting == '0 && !early_o))
  `WC_ASSERT(turns_are_bounded, told_q - taken_q <= turns_t'(Beats))
  `WC_ASSERT(passes_when_empty, !past_i || (answered_q && !turn_valid_o))

endmodule

`default_nettype wire
