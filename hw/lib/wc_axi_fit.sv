// SPDX-License-Identifier: Apache-2.0
// Fits a master that moves lines of LineWidth bits to a memory of MemWidth bits: wires when they
// are equal, wc_axi_narrow or wc_axi_wide when they are not, and for 384 bits, which is no width of
// AXI's, whole bursts of eight beats at multiples of 384 bytes (wc_axi_384_read, _write). A line is in
// error when one of its beats is, a burst when one of those that it became is. One AXI id, 0. Latency and throughput are those of the part that is chosen.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_fit #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned LineWidth = 512,
  parameter int unsigned MemWidth  = 512,
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

  localparam logic [7:0] EightBeats = 8'd7;

  `WC_REQUIRE(mem_width, MemWidth inside {128, 256, 384, 512},
              "wc_axi_fit: MemWidth must be 128, 256, 384 or 512")
  `WC_REQUIRE(line_width,
              LineWidth inside {256, 512, 1024} || (LineWidth == 128 && MemWidth == 128),
              "wc_axi_fit: LineWidth must be 256, 512 or 1024, or 128 as MemWidth")
  `WC_REQUIRE(eight_slots, MemWidth != 384 || LineWidth == 512,
              "wc_axi_fit: with MemWidth 384 LineWidth must be 512")

  if (MemWidth == 384) begin : gen_384
    assign m_axi_req_o.ar.len = EightBeats;
    assign m_axi_req_o.aw.len = EightBeats;
    logic read_error, write_error;
    assign s_axi_resp_o.b.resp = write_error ? `WC_AXI_SLVERR : `WC_AXI_OKAY;
    assign s_axi_resp_o.r.resp = read_error ? `WC_AXI_SLVERR : `WC_AXI_OKAY;

    wc_axi_384_read #(
      .AddrWidth(AddrWidth)
    ) u_read (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axi_araddr (s_axi_req_i.ar.addr),
      .s_axi_arlen  (s_axi_req_i.ar.len),
      .s_axi_arvalid(s_axi_req_i.ar_valid),
      .s_axi_arready(s_axi_resp_o.ar_ready),
      .s_axi_rdata  (s_axi_resp_o.r.data),
      .s_axi_rerror (read_error),
      .s_axi_rlast  (s_axi_resp_o.r.last),
      .s_axi_rvalid (s_axi_resp_o.r_valid),
      .s_axi_rready (s_axi_req_i.r_ready),
      .m_axi_araddr (m_axi_req_o.ar.addr),
      .m_axi_arvalid(m_axi_req_o.ar_valid),
      .m_axi_arready(m_axi_resp_i.ar_ready),
      .m_axi_rdata  (m_axi_resp_i.r.data),
      .m_axi_rerror (m_axi_resp_i.r.resp[1]),
      .m_axi_rlast  (m_axi_resp_i.r.last),
      .m_axi_rvalid (m_axi_resp_i.r_valid),
      .m_axi_rready (m_axi_req_o.r_ready)
    );

    wc_axi_384_write #(
      .AddrWidth(AddrWidth)
    ) u_write (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axi_awaddr (s_axi_req_i.aw.addr),
      .s_axi_awlen  (s_axi_req_i.aw.len),
      .s_axi_awvalid(s_axi_req_i.aw_valid),
      .s_axi_awready(s_axi_resp_o.aw_ready),
      .s_axi_wdata  (s_axi_req_i.w.data),
      .s_axi_wstrb  (s_axi_req_i.w.strb),
      .s_axi_wlast  (s_axi_req_i.w.last),
      .s_axi_wvalid (s_axi_req_i.w_valid),
      .s_axi_wready (s_axi_resp_o.w_ready),
      .s_axi_bvalid (s_axi_resp_o.b_valid),
      .s_axi_berror (write_error),
      .s_axi_bready (s_axi_req_i.b_ready),
      .m_axi_awaddr (m_axi_req_o.aw.addr),
      .m_axi_awvalid(m_axi_req_o.aw_valid),
      .m_axi_awready(m_axi_resp_i.aw_ready),
      .m_axi_wdata  (m_axi_req_o.w.data),
      .m_axi_wstrb  (m_axi_req_o.w.strb),
      .m_axi_wlast  (m_axi_req_o.w.last),
      .m_axi_wvalid (m_axi_req_o.w_valid),
      .m_axi_wready (m_axi_resp_i.w_ready),
      .m_axi_bvalid (m_axi_resp_i.b_valid),
      .m_axi_berror (m_axi_resp_i.b.resp[1]),
      .m_axi_bready (m_axi_req_o.b_ready)
    );
  end else if (MemWidth < LineWidth) begin : gen_narrow
    wc_axi_narrow #(
      .AddrWidth(AddrWidth),
      .LineWidth(LineWidth),
      .MemWidth (MemWidth)
    ) u_fit (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .s_axi_req_i (s_axi_req_i),
      .s_axi_resp_o(s_axi_resp_o),
      .m_axi_req_o (m_axi_req_o),
      .m_axi_resp_i(m_axi_resp_i)
    );
  end else if (MemWidth > LineWidth) begin : gen_wide
    wc_axi_wide #(
      .AddrWidth(AddrWidth),
      .LineWidth(LineWidth)
    ) u_fit (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .s_axi_req_i (s_axi_req_i),
      .s_axi_resp_o(s_axi_resp_o),
      .m_axi_req_o (m_axi_req_o),
      .m_axi_resp_i(m_axi_resp_i)
    );
  end else begin : gen_equal
    logic unused;
    assign unused = clk_i ^ rst_i;
    assign m_axi_req_o = s_axi_req_i;
    assign s_axi_resp_o = m_axi_resp_i;
  end

endmodule

`default_nettype wire
