// SPDX-License-Identifier: Apache-2.0
// Keeps the floor of CAS numbers, up to which all items are dead, and the flush that is announced
// for later. There is one at most: a new FLUSH takes the place of the one before it.
// now_o follows 1 cycle after a FLUSH and says whether it takes effect at once: it then draws a
// number. When the time of an announced flush has come, it takes effect in a cycle in which no
// operation is at the stage of flush_i.
// Flushes are counted beside that, for items whose CAS number a client has given: such an item is
// alive as long as the count is what it was. A flush is counted only if there may be such an item that
// no flush has met.
// Three cycles after that stage the floor becomes the last number that was drawn before, the
// FLUSH's own with it. In the two cycles before that, raising_o says that every item is dead; in the
// second of them the count is the new one, for what is stored by the operation behind.
`include "wc_assert.svh"
`default_nettype none

module wc_item_flush (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire wc_pkg::seconds_t  time_i,
  input  wire logic              busy_i,   // an operation is at this stage
  input  wire logic              flush_i,  // and is a FLUSH
  input  wire wc_pkg::seconds_t  when_i,   // its time; 0: at once
  output logic                   now_o,
  input  wire wc_pkg::cas_t      last_i,   // the last number drawn by an operation that was at this
                                           // stage 3 cycles ago or before
  input  wire logic              given_i,  // an operation that was at this stage a cycle ago or
                                           // before gives an item a number
  output logic                   raising_o,
  output wc_pkg::cas_t           floor_o,
  output wc_log_pkg::flushes_t   flushes_o
);

  logic flush_q, later_q;
  wc_pkg::seconds_t when_q;
  logic pending_q, due_q;
  wc_pkg::seconds_t pending_when_q;
  logic activate;
  logic raise_q, raise_q2;
  logic given_q;  // an item has a number that was given, and its count

  assign now_o = flush_q && !later_q;
  assign activate = due_q && !flush_q && !busy_i;
  assign raising_o = raise_q || raise_q2;

  always_ff @(posedge clk_i) begin
    flush_q <= flush_i;
    later_q <= when_i > time_i;
    when_q <= when_i;
    if (flush_q) begin
      pending_q <= later_q;
      pending_when_q <= when_q;
    end else if (activate) begin
      pending_q <= 1'b0;
    end
    due_q <= pending_q && pending_when_q <= time_i && !flush_q && !activate;
    raise_q <= now_o || activate;
    raise_q2 <= raise_q;
    if (raise_q2) floor_o <= last_i;
    if (raise_q && given_q) flushes_o <= flushes_o + 1'b1;
    given_q <= given_i || (given_q && !raise_q);
    if (rst_i) begin
      flush_q <= 1'b0;
      pending_q <= 1'b0;
      due_q <= 1'b0;
      raise_q <= 1'b0;
      raise_q2 <= 1'b0;
      floor_o <= '0;
      flushes_o <= '0;
      given_q <= 1'b0;
    end
  end

  // Or nobody knows which count the item has.
  `WC_ASSERT(none_meanwhile, !(raise_q && given_i))
  `WC_ASSERT(floor_rises, $past(rst_i) || floor_o >= $past(floor_o))

endmodule

`default_nettype wire
