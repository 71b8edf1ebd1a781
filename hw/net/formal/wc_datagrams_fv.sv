// SPDX-License-Identifier: Apache-2.0
// Proof of wc_datagrams, with datagrams of a power of two bytes: what a datagram holds enters only as
// what is taken away and compared with.
// Rule 1: each message leaves once, in order and unchanged.
// Rule 2: beside it is the number of datagrams that hold its bytes: none for no bytes.
// Rule 3: it holds and is stable until taken.
// Rule 4: a message of n datagrams is offered n + 1 cycles after it was taken, one of none 2 cycles
//         after; the next one is taken as soon as it leaves.
// Rule 5: a part of a host's answer takes its place with it, as a message of one datagram.
// Assumed: a message has no more datagrams than 16 bits can count (asserted in the cell).
`include "wc_assert.svh"
`default_nettype none

module wc_datagrams_fv
  import wc_pkg::*;
#(
  parameter int unsigned DatagramBytes = 16
) (
  input wire logic     clk_i,
  input wire logic     rst_i,
  input wire logic     valid_i,
  input wire message_t message_i,
  input wire wc_net_pkg::numbered_t place_i,
  input wire logic     ready_i
);

  typedef logic [$bits(message_i.bytes)-1:0] bytes_t;

  localparam int unsigned Shift = $clog2(DatagramBytes);

  function automatic bytes_t held(input bytes_t bytes);  // datagrams that hold them
    return (bytes >> Shift) + bytes_t'((bytes & bytes_t'(DatagramBytes - 1)) != '0);
  endfunction

  logic ready, valid;
  message_t message;
  wc_net_pkg::numbered_t place;
  logic [15:0] datagrams;  // of a message that is no part

  assign datagrams = place.of;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_datagrams #(
    .DatagramBytes(DatagramBytes)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .message_valid_i(valid_i),
    .message_ready_o(ready),
    .message_i      (message_i),
    .place_i        (place_i),
    .message_valid_o(valid),
    .message_ready_i(ready_i),
    .message_o      (message),
    .place_o        (place)
  );

  logic take, pop;

  assign take = valid_i && ready;
  assign pop = valid && ready_i;

  `WC_ASSUME(a_part_is_one, !message_i.aside ||
             (message_i.bytes != '0 && message_i.bytes <= bytes_t'(DatagramBytes)))
  `WC_ASSUME(countable, held(message_i.bytes) < bytes_t'(2 ** 16))

  // ---- the one that is inside -------------------------------------------------------------------
  logic inside_q;
  message_t message_q;
  wc_net_pkg::numbered_t place_q;
  bytes_t age_q;  // cycles since it was taken, until it is offered

  always_ff @(posedge clk_i) begin
    inside_q <= take || (inside_q && !pop);
    if (take) message_q <= message_i;
    if (take) place_q <= place_i;
    age_q <= take ? '0 : age_q + bytes_t'(!valid);
    if (rst_i) inside_q <= 1'b0;
  end

  bytes_t due;  // the age at which it is offered

  assign due = message_q.bytes == '0 ? bytes_t'(1) : held(message_q.bytes);

  `WC_ASSERT(not_made_up, !valid || inside_q)
  `WC_ASSERT(unchanged, !valid || message == message_q)
  `WC_ASSERT(counted, !valid || message_q.aside
             || (place.number == '0 && bytes_t'(datagrams) == held(message_q.bytes)))
  `WC_ASSERT(placed, !valid || !message_q.aside || place == place_q)
  `WC_ASSERT(in_time, !inside_q || valid == (age_q >= due))
  `WC_ASSERT(next_at_once, ready == (!inside_q || pop))

  // ---- what makes the induction hold ------------------------------------------------------------
  `WC_ASSERT(counts, inside_q == (u_dut.counting_q || valid))
  `WC_ASSERT(one_or_other, !(u_dut.counting_q && valid))
  `WC_ASSERT(kept, !inside_q || u_dut.message_o == message_q)
  `WC_ASSERT(age_is_count, !u_dut.counting_q
             || age_q == (message_q.aside ? '0 : bytes_t'(datagrams)))
  `WC_ASSERT(rest_is_left, !u_dut.counting_q
             || (message_q.aside ? '0 : bytes_t'(datagrams) << Shift) + u_dut.left_q
             == message_q.bytes)
  `WC_ASSERT(place_is_kept, !inside_q
             || (message_q.aside ? place == place_q : place.number == '0))
  `WC_ASSERT(part_is_short, !inside_q || !message_q.aside
             || (message_q.bytes != '0 && message_q.bytes <= bytes_t'(DatagramBytes)))
  `WC_ASSERT(some_left, !u_dut.counting_q || u_dut.left_q != '0 || message_q.bytes == '0)
  `WC_ASSERT(some_is_any, !u_dut.counting_q
             || u_dut.some_q == (message_q.bytes != '0 && !message_q.aside))
  `WC_ASSERT(few_enough, !inside_q || held(message_q.bytes) < bytes_t'(2 ** 16))

  `WC_COVER(of_three, pop && datagrams == 16'd3 && valid_i && !message_q.aside)
  `WC_COVER(a_part, pop && message_q.aside && place.number == 16'd2)
  `WC_COVER(of_none, pop && datagrams == '0 && !message_q.aside)
  `WC_COVER(waits, valid && !ready_i && age_q == due)

endmodule

`default_nettype wire
