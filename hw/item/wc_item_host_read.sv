// SPDX-License-Identifier: Apache-2.0
// The host reads a unit of memory, of the table or of an item: once it has named its address, the
// beat with this unit is read, and the unit kept until the next one. Most buckets of a table may be
// empty, so beats that are zero may be passed over, `run` of them at most: the unit is then that of
// the first beat which is not zero, or of the last one. How many were passed is told.
// So that a large table with few items is passed soon, a bit for each group of its lines says whether
// one of them was ever written: where none was, nothing is read. Tables of more lines share bits.
// An item may go on in another segment: which one, the links tell, as the pool makes them.
//
//  ask ─┬─► look: was the group written? ─► AR, a burst ─► R ─► unit, parts ─► is it this one? ─► told
//       └ without a run ─────────────────►  │▲                                       │ no
//            ▲ no: behind it                └┴──── the next beat, burst, or group ◄──┘
//
// Latency: four cycles and that of memory. With a run as much again, and two cycles more, for each
// Burst beats that are read and passed, which take a cycle each; two cycles for a group that is not
// read; Groups cycles to forget all. R is always taken. One burst on the way; while this is busy,
// nothing is asked for.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_item_host_read
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned AddrWidth  = 40,
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Burst      = 8,      // beats; a power of two
  parameter int unsigned Groups     = 4096,   // a power of two
  parameter int unsigned GroupLines = 512,    // likewise
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire logic        clear_i,          // a pulse: all lines of the table become zero
  output logic             wiping_o,         // the bits are made zero; nothing is written meanwhile
  input  wire logic        written_valid_i,  // this line of the table is, and not with zeros
  input  wire line_t       written_i,
  input  wire link_t       link_i,
  input  wire host_ask_t   ask_i,
  output host_told_t       told_o,
  output axi_req_t         m_axi_req_o,
  input  wire axi_resp_t   m_axi_resp_i
);

  localparam int unsigned Parts = DataWidth / 32;
  localparam int unsigned PlaceBits = $clog2(LineUnits);
  localparam int unsigned BeatBytes = DataWidth / 8;
  localparam int unsigned BurstBits = $clog2(Burst);
  localparam int unsigned LineBeats = LineUnits / BeatUnits;
  localparam int unsigned GroupBits = $clog2(GroupLines * LineBeats);  // of a beat in its group

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_item_host_read: BeatUnits must be 1 or 4")
  `WC_REQUIRE(burst, Burst == 2 ** BurstBits && Burst >= 2
              && Burst * BeatBytes <= 2 ** `WC_AXI_PAGE_BITS,
              "wc_item_host_read: Burst must be a power of two, 2 or more, within 4 KiB")
  `WC_REQUIRE(groups, Groups == 2 ** $clog2(Groups) && GroupLines == 2 ** $clog2(GroupLines)
              && GroupLines * LineBeats >= Burst && GroupBits < $bits(run_t),
              "wc_item_host_read: Groups, GroupLines: powers of two, a group a burst or more")

  typedef logic [$bits(address_t)-$clog2(BeatUnits)-1:0] beat_t;  // number of one in memory
  typedef logic [BurstBits:0] burst_t;
  typedef logic [$clog2(Groups)-1:0] group_t;

  // ---- which lines were written ------------------------------------------------------------------
  logic group_written;
  group_t wipe_q, group;
  beat_t at_q;  // the beat that is decided on next

  assign group = group_t'(at_q >> GroupBits);

  wc_ram_sdp #(
    .Width(1),
    .Depth(Groups)
  ) u_written (
    .clk_i  (clk_i),
    .we_i   (wiping_o || written_valid_i),
    .waddr_i(wiping_o ? wipe_q : group_t'(written_i >> $clog2(GroupLines))),
    .wdata_i(!wiping_o),
    .re_i   (1'b1),
    .raddr_i(group),
    .rdata_o(group_written)
  );

  always_ff @(posedge clk_i) begin
    wipe_q <= wipe_q + 1'b1;
    if (wipe_q == '1) wiping_o <= 1'b0;
    if (rst_i || clear_i) begin
      wipe_q <= '0;
      wiping_o <= 1'b1;
    end
  end

  // ---- what is asked for -------------------------------------------------------------------------
  typedef enum logic [2:0] {
    Idle,
    Look,    // at_q is that of the RAM
    Choose,  // and its bit is there
    Ask,     // AR
    Beats
  } state_e;

  state_e state_q;
  logic [PlaceBits-1:0] place_q;
  run_t left_q;    // beats that may be passed from at_q on
  run_t rest;      // beats from at_q to its group's end
  burst_t room, size;  // beats to the next multiple of Burst; that are asked for
  logic skips, all_zero;

  assign room = burst_t'(Burst) - burst_t'(at_q[BurstBits-1:0]);
  assign size = left_q < run_t'(room) ? burst_t'(left_q) + 1'b1 : room;
  assign rest = run_t'(1 << GroupBits) - run_t'(at_q[GroupBits-1:0]);
  assign skips = state_q == Choose && !group_written;
  assign all_zero = skips && left_q < rest;

  // ---- beats as they come ------------------------------------------------------------------------
  logic come, come_q, last_q, error_q, wanted_q;
  unit_t [BeatUnits-1:0] beat;
  unit_t unit_q;
  logic [Parts-1:0] some_q;  // of which parts of the beat are not zero
  logic some, ends, passes;

  assign come = m_axi_resp_i.r_valid;
  assign beat = m_axi_resp_i.r.data;
  assign some = some_q != '0 || error_q;
  assign ends = come_q && wanted_q && (some || left_q == '0);
  assign passes = come_q && wanted_q && !ends;

  always_ff @(posedge clk_i) begin
    come_q <= come;
    last_q <= m_axi_resp_i.r.last;
    error_q <= m_axi_resp_i.r.resp[1];
    unit_q <= BeatUnits == 1 ? beat[0] : beat[place_q];
    for (int unsigned i = 0; i < Parts; i++) some_q[i] <= m_axi_resp_i.r.data[32*i+:32] != '0;
    if (ends) begin
      told_o.error <= error_q;
      told_o.zeros <= !some;
      told_o.data <= unit_q;
      wanted_q <= 1'b0;  // what comes behind it is not looked at
    end
    if (passes) begin
      at_q <= at_q + 1'b1;
      left_q <= left_q - 1'b1;
      told_o.passed <= told_o.passed + 1'b1;
    end
    unique case (state_q)
      Idle: if (ask_i.valid) begin
        at_q <= beat_t'(ask_i.address >> $clog2(BeatUnits));
        place_q <= ask_i.address[PlaceBits-1:0];
        left_q <= ask_i.run;
        told_o.passed <= '0;
        told_o.busy <= 1'b1;
        wanted_q <= 1'b1;
        state_q <= ask_i.run == '0 ? Ask : Look;
      end
      Look: state_q <= Choose;
      Choose: begin
        state_q <= skips ? Look : Ask;
        if (skips) begin
          at_q <= at_q + beat_t'(rest);
          left_q <= left_q - rest;
          told_o.passed <= told_o.passed + (all_zero ? left_q : rest);
        end
        if (all_zero) begin
          told_o.error <= 1'b0;
          told_o.zeros <= 1'b1;
          told_o.data <= '0;
          told_o.busy <= 1'b0;
          state_q <= Idle;
        end
      end
      Ask: if (m_axi_resp_i.ar_ready) state_q <= Beats;
      default: if (come_q && last_q) begin
        state_q <= wanted_q && !ends ? Look : Idle;
        told_o.busy <= wanted_q && !ends;
      end
    endcase
    if (rst_i) begin
      state_q <= Idle;
      come_q <= 1'b0;
      wanted_q <= 1'b0;
      told_o.busy <= 1'b0;
    end
  end

  always_comb begin
    m_axi_req_o = '0;
    m_axi_req_o.ar_valid = state_q == Ask;
    m_axi_req_o.ar.addr = AddrWidth'({at_q, ($clog2(BeatBytes))'(0)});
    m_axi_req_o.ar.len = 8'(size) - 1'b1;
    m_axi_req_o.r_ready = 1'b1;
  end

  // ---- links -------------------------------------------------------------------------------------
  wc_ram_sdp #(
    .Width($bits(segment_t)),
    .Depth(MaxSegments)
  ) u_links (
    .clk_i  (clk_i),
    .we_i   (link_i.valid),
    .waddr_i(link_i.segment),
    .wdata_i(link_i.next),
    .re_i   (1'b1),
    .raddr_i(ask_i.segment),
    .rdata_o(told_o.next)
  );

  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT(not_while_wiping, !wiping_o || !written_valid_i)
  `WC_ASSERT(asked_for, !come || state_q == Beats)

endmodule

`default_nettype wire
