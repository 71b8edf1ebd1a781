// SPDX-License-Identifier: Apache-2.0
// AXI4 from wide lines to a memory of narrower beats: a line becomes Ratio beats, written and read.
// Bursts keep their number, as none crosses 4 KiB and that is at most 256 beats of 16 bytes.
// Latency: none for addresses and acknowledgements, 1 for a written line, 1 from a read line's last
// beat, 2 where a line has two. Throughput: a beat a cycle, with no gap between lines or bursts.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_narrow #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned LineWidth = 512,
  parameter int unsigned MemWidth  = 128
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic [AddrWidth-1:0]   s_axi_awaddr,
  input  wire logic [7:0]             s_axi_awlen,
  input  wire logic                   s_axi_awvalid,
  output logic                        s_axi_awready,
  input  wire logic [LineWidth-1:0]   s_axi_wdata,
  input  wire logic [LineWidth/8-1:0] s_axi_wstrb,
  input  wire logic                   s_axi_wlast,
  input  wire logic                   s_axi_wvalid,
  output logic                        s_axi_wready,
  output logic                        s_axi_bvalid,
  input  wire logic                   s_axi_bready,
  input  wire logic [AddrWidth-1:0]   s_axi_araddr,
  input  wire logic [7:0]             s_axi_arlen,
  input  wire logic                   s_axi_arvalid,
  output logic                        s_axi_arready,
  output logic      [LineWidth-1:0]   s_axi_rdata,
  output logic                        s_axi_rlast,
  output logic                        s_axi_rvalid,
  input  wire logic                   s_axi_rready,
  output logic      [AddrWidth-1:0]   m_axi_awaddr,
  output logic      [7:0]             m_axi_awlen,
  output logic                        m_axi_awvalid,
  input  wire logic                   m_axi_awready,
  output logic      [MemWidth-1:0]    m_axi_wdata,
  output logic      [MemWidth/8-1:0]  m_axi_wstrb,
  output logic                        m_axi_wlast,
  output logic                        m_axi_wvalid,
  input  wire logic                   m_axi_wready,
  input  wire logic                   m_axi_bvalid,
  output logic                        m_axi_bready,
  output logic      [AddrWidth-1:0]   m_axi_araddr,
  output logic      [7:0]             m_axi_arlen,
  output logic                        m_axi_arvalid,
  input  wire logic                   m_axi_arready,
  input  wire logic [MemWidth-1:0]    m_axi_rdata,
  input  wire logic                   m_axi_rlast,
  input  wire logic                   m_axi_rvalid,
  output logic                        m_axi_rready
);

  localparam int unsigned Ratio = LineWidth / MemWidth;
  localparam int unsigned Shift = $clog2(Ratio);
  localparam int unsigned BeatBytes = MemWidth / 8;

  `WC_REQUIRE(ratio, Ratio inside {2, 4, 8} && LineWidth == Ratio * MemWidth,
              "wc_axi_narrow: LineWidth must be 2, 4 or 8 times MemWidth")
  `WC_REQUIRE(beat, BeatBytes >= 16, "wc_axi_narrow: MemWidth must be 128 or more")

  // ---- addresses and acknowledgements -----------------------------------------------------------
  assign m_axi_awaddr = s_axi_awaddr;
  assign m_axi_awlen = {s_axi_awlen[7-Shift:0], {Shift{1'b1}}};
  assign m_axi_awvalid = s_axi_awvalid;
  assign s_axi_awready = m_axi_awready;
  assign m_axi_araddr = s_axi_araddr;
  assign m_axi_arlen = {s_axi_arlen[7-Shift:0], {Shift{1'b1}}};
  assign m_axi_arvalid = s_axi_arvalid;
  assign s_axi_arready = m_axi_arready;
  assign s_axi_bvalid = m_axi_bvalid;
  assign m_axi_bready = s_axi_bready;

  // ---- read -------------------------------------------------------------------------------------
  wc_upsize #(
    .Width(MemWidth),
    .Ratio(Ratio)
  ) u_read (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_rvalid),
    .ready_o(m_axi_rready),
    .data_i (m_axi_rdata),
    .last_i (m_axi_rlast),
    .valid_o(s_axi_rvalid),
    .ready_i(s_axi_rready),
    .data_o (s_axi_rdata),
    .keep_o (),
    .last_o (s_axi_rlast)
  );

  // ---- write ------------------------------------------------------------------------------------
  typedef struct packed {
    logic [BeatBytes-1:0] strobe;
    logic [MemWidth-1:0]  data;
  } beat_t;

  beat_t [Ratio-1:0] beats;
  beat_t beat;
  logic beat_final;
  logic last_q;  // the beats are those of the burst's last line

  for (genvar i = 0; i < Ratio; i++) begin : gen_beat
    assign beats[i].data = s_axi_wdata[i*MemWidth+:MemWidth];
    assign beats[i].strobe = s_axi_wstrb[i*BeatBytes+:BeatBytes];
  end

  wc_downsize #(
    .Width($bits(beat_t)),
    .Ratio(Ratio)
  ) u_write (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_wvalid),
    .ready_o(s_axi_wready),
    .data_i (beats),
    .final_i(Shift'(Ratio - 1)),
    .valid_o(m_axi_wvalid),
    .ready_i(m_axi_wready),
    .data_o (beat),
    .final_o(beat_final)
  );

  always_ff @(posedge clk_i) begin
    if (s_axi_wready) last_q <= s_axi_wlast;
  end

  assign m_axi_wdata = beat.data;
  assign m_axi_wstrb = beat.strobe;
  assign m_axi_wlast = beat_final && last_q;

  `WC_ASSERT(read_fits, !s_axi_arvalid || (32'(s_axi_arlen) + 1) * Ratio <= 256)
  `WC_ASSERT(write_fits, !s_axi_awvalid || (32'(s_axi_awlen) + 1) * Ratio <= 256)

endmodule

`default_nettype wire
