// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_host_read: an empty part of the table is passed, and nothing else. One beat of
// memory is followed, any one. Memory answers whenever it likes, with anything.
// Rule 1: the beat that is told of was not zero, or in error, or is the last one that may be: and
//         none of those passed was in error, or came as not zero.
// Rule 2: a beat of a line that was written since the bits were zero is read before it is passed.
// Rule 3: never more beats are passed than may be, and without a run none is.
// Rule 4: a burst is asked for only while none is on its way, within what may be looked at, and does
//         not leave its block of Burst beats, so neither its page.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_item_host_read_fv
  import wc_log_pkg::*;
  import wc_item_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       clear_i,
  input wire logic       ask_i,
  input wire logic [3:0] address_i,
  input wire logic [2:0] run_i,
  input wire logic       write_i,
  input wire logic [1:0] line_i,
  input wire logic       ar_ready_i,
  input wire logic       r_valid_i,
  input wire logic       r_some_i,
  input wire logic       r_error_i,
  input wire logic [3:0] beat_i  // free: what is followed
);

  localparam int unsigned AddrWidth = 40;
  localparam int unsigned Groups = 2, GroupLines = 1, Burst = 2;
  localparam int unsigned UnitShift = $clog2(UnitBytes);

  `WC_AXI_REQ(AddrWidth, 8 * UnitBytes) req;
  `WC_AXI_RESP(8 * UnitBytes) resp;
  host_ask_t ask;
  host_told_t told;
  logic wiping, asks, idle;
  logic [5:0] beat_q;  // what is followed
  logic fixed_q;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  always_ff @(posedge clk_i) begin
    if (!fixed_q) beat_q <= 6'(beat_i);
    fixed_q <= 1'b1;
    if (rst_i) fixed_q <= 1'b0;
  end

  assign idle = !told.busy;
  assign asks = ask_i && idle && fixed_q;

  always_comb begin
    ask = '0;
    ask.valid = asks;
    ask.address = address_t'(address_i);
    ask.run = run_t'(run_i);
  end

  // Lines are of four units, which are beats here. While bits are made zero nothing is written, as
  // operations are held; and while lines become zero nobody asks.
  logic writes, clears;
  assign writes = write_i && !wiping && !clear_i;
  assign clears = clear_i && idle && !ask_i;

  wc_item_host_read #(
    .AddrWidth (AddrWidth),
    .BeatUnits (1),
    .Burst     (Burst),
    .Groups    (Groups),
    .GroupLines(GroupLines)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (clears),
    .wiping_o       (wiping),
    .written_valid_i(writes),
    .written_i      (line_t'(line_i)),
    .link_i         ('0),
    .ask_i          (ask),
    .told_o         (told),
    .m_axi_req_o    (req),
    .m_axi_resp_i   (resp)
  );

  // ---- memory ------------------------------------------------------------------------------------
  logic [1:0] left_q;  // beats of the burst that are to come
  logic [5:0] next_q;  // the next one of them
  logic takes, gives;

  assign takes = req.ar_valid && ar_ready_i && left_q == '0;
  assign gives = r_valid_i && left_q != '0;

  always_comb begin
    resp = '0;
    resp.ar_ready = left_q == '0 && ar_ready_i;
    resp.r_valid = gives;
    resp.r.data = (8 * UnitBytes)'(r_some_i) << 77;
    resp.r.resp = {r_error_i, 1'b0};
    resp.r.last = left_q == 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (takes) begin
      left_q <= 2'(req.ar.len) + 1'b1;
      next_q <= 6'(req.ar.addr >> UnitShift);
    end else if (gives) begin
      left_q <= left_q - 1'b1;
      next_q <= next_q + 1'b1;
    end
    if (rst_i) left_q <= '0;
  end

  // ---- what is going on --------------------------------------------------------------------------
  logic [5:0] start_q, run_q;
  logic asked_q;       // an answer is to come, or has
  logic written_q;     // the followed beat's line was, before it was asked for
  logic seen_q, hot_q; // the followed beat has come; not as zero
  logic [5:0] end_;    // the beat that is told of

  assign end_ = start_q + 6'(told.passed);

  always_ff @(posedge clk_i) begin
    if (writes && 6'(line_i) == beat_q >> 2) written_q <= 1'b1;
    if (clears) written_q <= 1'b0;
    if (gives && next_q == beat_q) begin
      seen_q <= 1'b1;
      hot_q <= r_some_i || r_error_i;
    end
    if (asks) begin
      start_q <= 6'(address_i);
      run_q <= 6'(run_i);
      asked_q <= 1'b1;
      seen_q <= 1'b0;
      hot_q <= 1'b0;
    end
    if (rst_i) begin
      written_q <= 1'b0;
      asked_q <= 1'b0;
    end
  end

  // The line may have been written while it was looked for: it counts if it was before.
  logic sure_q;
  always_ff @(posedge clk_i) if (asks) sure_q <= written_q && !writes;

  logic done, passed, told_of;
  assign done = asked_q && idle && !rst_i;
  assign passed = beat_q >= start_q && beat_q < end_;
  assign told_of = beat_q == end_;

  // Rule 1
  `WC_ASSERT(passed_are_zero, !done || !passed || !(seen_q && hot_q))
  `WC_ASSERT(told_is_no_zero, !done || !told_of || told.zeros == !(seen_q && hot_q))
  `WC_ASSERT(zeros_are_last, !done || !told.zeros || 6'(told.passed) == run_q)
  // Rule 2
  `WC_ASSERT(written_is_read, !done || !sure_q || !(passed || told_of) || seen_q)
  // Rule 3
  `WC_ASSERT(no_more, !asked_q || 6'(told.passed) <= run_q)
  // Rule 4
  `WC_ASSERT(one_burst, !req.ar_valid || left_q == '0)
  `WC_ASSERT(within_range, !req.ar_valid || (6'(req.ar.addr >> UnitShift) >= start_q
             && 6'(req.ar.addr >> UnitShift) + 6'(req.ar.len) <= start_q + run_q))
  `WC_ASSERT(within_its_block, !req.ar_valid
             || 2'(req.ar.addr[UnitShift]) + 2'(req.ar.len) < 2'(Burst))

  `WC_COVER(all_passed, done && told.zeros && told.passed == 16'd7)
  `WC_COVER(found, done && !told.zeros && told.passed == 16'd4 && sure_q && told_of)
  `WC_COVER(skipped, done && told_of && !seen_q && told.zeros)

endmodule

`default_nettype wire
