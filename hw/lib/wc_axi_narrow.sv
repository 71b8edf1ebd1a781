// SPDX-License-Identifier: Apache-2.0
// AXI4 from wide lines to a memory of narrower beats: a line becomes Ratio beats, written and read.
// Bursts keep their number, as none crosses 4 KiB and that is at most 256 beats of 16 bytes. A line
// of which one beat was read in error is in error.
// Latency: none for addresses and acknowledgements, 1 for a written line, 1 from a read line's last
// beat, 2 where a line has two. Throughput: a beat a cycle, with no gap between lines or bursts.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_narrow #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned LineWidth = 512,
  parameter int unsigned MemWidth  = 128,
  localparam type line_req_t  = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type line_resp_t = `WC_AXI_RESP(LineWidth),
  localparam type mem_req_t   = `WC_AXI_REQ(AddrWidth, MemWidth),
  localparam type mem_resp_t  = `WC_AXI_RESP(MemWidth)
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire line_req_t  s_axi_req_i,  // lines
  output line_resp_t      s_axi_resp_o,
  output mem_req_t        m_axi_req_o,  // memory
  input  wire mem_resp_t  m_axi_resp_i
);

  localparam int unsigned Ratio = LineWidth / MemWidth;
  localparam int unsigned Shift = $clog2(Ratio);
  localparam int unsigned BeatBytes = MemWidth / 8;

  `WC_REQUIRE(ratio, Ratio inside {2, 4, 8} && LineWidth == Ratio * MemWidth,
              "wc_axi_narrow: LineWidth must be 2, 4 or 8 times MemWidth")
  `WC_REQUIRE(beat, BeatBytes >= 16, "wc_axi_narrow: MemWidth must be 128 or more")

  // ---- addresses and acknowledgements -----------------------------------------------------------
  assign m_axi_req_o.aw.addr = s_axi_req_i.aw.addr;
  assign m_axi_req_o.aw.len = {s_axi_req_i.aw.len[7-Shift:0], {Shift{1'b1}}};
  assign m_axi_req_o.aw_valid = s_axi_req_i.aw_valid;
  assign s_axi_resp_o.aw_ready = m_axi_resp_i.aw_ready;
  assign m_axi_req_o.ar.addr = s_axi_req_i.ar.addr;
  assign m_axi_req_o.ar.len = {s_axi_req_i.ar.len[7-Shift:0], {Shift{1'b1}}};
  assign m_axi_req_o.ar_valid = s_axi_req_i.ar_valid;
  assign s_axi_resp_o.ar_ready = m_axi_resp_i.ar_ready;
  assign s_axi_resp_o.b_valid = m_axi_resp_i.b_valid;
  assign s_axi_resp_o.b = m_axi_resp_i.b;
  assign m_axi_req_o.b_ready = s_axi_req_i.b_ready;

  // ---- read -------------------------------------------------------------------------------------
  typedef struct packed {
    logic                error;
    logic [MemWidth-1:0] data;
  } read_t;

  read_t [Ratio-1:0] read;
  logic [Ratio-1:0] errors;

  wc_upsize #(
    .Width($bits(read_t)),
    .Ratio(Ratio)
  ) u_read (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_resp_i.r_valid),
    .ready_o(m_axi_req_o.r_ready),
    .data_i ({m_axi_resp_i.r.resp[1], m_axi_resp_i.r.data}),
    .last_i (m_axi_resp_i.r.last),
    .valid_o(s_axi_resp_o.r_valid),
    .ready_i(s_axi_req_i.r_ready),
    .data_o (read),
    .keep_o (),
    .last_o (s_axi_resp_o.r.last)
  );

  for (genvar i = 0; i < Ratio; i++) begin : gen_read
    assign s_axi_resp_o.r.data[i*MemWidth+:MemWidth] = read[i].data;
    assign errors[i] = read[i].error;
  end

  assign s_axi_resp_o.r.resp = errors != '0 ? `WC_AXI_SLVERR : `WC_AXI_OKAY;

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
    assign beats[i].data = s_axi_req_i.w.data[i*MemWidth+:MemWidth];
    assign beats[i].strobe = s_axi_req_i.w.strb[i*BeatBytes+:BeatBytes];
  end

  wc_downsize #(
    .Width($bits(beat_t)),
    .Ratio(Ratio)
  ) u_write (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.w_valid),
    .ready_o(s_axi_resp_o.w_ready),
    .data_i (beats),
    .final_i(Shift'(Ratio - 1)),
    .valid_o(m_axi_req_o.w_valid),
    .ready_i(m_axi_resp_i.w_ready),
    .data_o (beat),
    .final_o(beat_final)
  );

  always_ff @(posedge clk_i) begin
    if (s_axi_resp_o.w_ready) last_q <= s_axi_req_i.w.last;
  end

  assign m_axi_req_o.w.data = beat.data;
  assign m_axi_req_o.w.strb = beat.strobe;
  assign m_axi_req_o.w.last = beat_final && last_q;

  `WC_ASSERT(read_fits, !s_axi_req_i.ar_valid || (32'(s_axi_req_i.ar.len) + 1) * Ratio <= 256)
  `WC_ASSERT(write_fits, !s_axi_req_i.aw_valid || (32'(s_axi_req_i.aw.len) + 1) * Ratio <= 256)

endmodule

`default_nettype wire
