// SPDX-License-Identifier: Apache-2.0
// Fits a master that moves lines of LineWidth bits to a memory of MemWidth bits: wires when they
// are equal, wc_axi_narrow or wc_axi_wide when they are not, and for 384 bits, which is no width of
// AXI's, whole bursts of eight beats at multiples of 384 bytes (wc_axi_384_read, _write). One AXI
// id, 0. Latency and throughput are those of the part that is chosen.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_fit #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned LineWidth = 512,
  parameter int unsigned MemWidth  = 512
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  // lines
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
  // memory
  output logic      [3:0]             m_axi_awid,
  output logic      [AddrWidth-1:0]   m_axi_awaddr,
  output logic      [7:0]             m_axi_awlen,
  output logic      [2:0]             m_axi_awsize,
  output logic      [1:0]             m_axi_awburst,
  output logic                        m_axi_awvalid,
  input  wire logic                   m_axi_awready,
  output logic      [MemWidth-1:0]    m_axi_wdata,
  output logic      [MemWidth/8-1:0]  m_axi_wstrb,
  output logic                        m_axi_wlast,
  output logic                        m_axi_wvalid,
  input  wire logic                   m_axi_wready,
  input  wire logic [3:0]             m_axi_bid,
  input  wire logic [1:0]             m_axi_bresp,
  input  wire logic                   m_axi_bvalid,
  output logic                        m_axi_bready,
  output logic      [3:0]             m_axi_arid,
  output logic      [AddrWidth-1:0]   m_axi_araddr,
  output logic      [7:0]             m_axi_arlen,
  output logic      [2:0]             m_axi_arsize,
  output logic      [1:0]             m_axi_arburst,
  output logic                        m_axi_arvalid,
  input  wire logic                   m_axi_arready,
  input  wire logic [3:0]             m_axi_rid,
  input  wire logic [MemWidth-1:0]    m_axi_rdata,
  input  wire logic [1:0]             m_axi_rresp,
  input  wire logic                   m_axi_rlast,
  input  wire logic                   m_axi_rvalid,
  output logic                        m_axi_rready
);

  localparam logic [1:0] BurstIncr = 2'b01;
  localparam logic [2:0] Size = 3'($clog2(MemWidth / 8));  // 384 bits count as 512
  localparam logic [7:0] EightBeats = 8'd7;

  `WC_REQUIRE(mem_width, MemWidth inside {128, 256, 384, 512},
              "wc_axi_fit: MemWidth must be 128, 256, 384 or 512")
  `WC_REQUIRE(line_width, LineWidth inside {256, 512, 1024},
              "wc_axi_fit: LineWidth must be 256, 512 or 1024")
  `WC_REQUIRE(eight_slots, MemWidth != 384 || LineWidth == 512,
              "wc_axi_fit: with MemWidth 384 LineWidth must be 512")

  assign m_axi_awid = '0;
  assign m_axi_awsize = Size;
  assign m_axi_awburst = BurstIncr;
  assign m_axi_arid = '0;
  assign m_axi_arsize = Size;
  assign m_axi_arburst = BurstIncr;

  if (MemWidth == 384) begin : gen_384
    assign m_axi_arlen = EightBeats;
    assign m_axi_awlen = EightBeats;

    wc_axi_384_read #(
      .AddrWidth(AddrWidth)
    ) u_read (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axi_araddr (s_axi_araddr),
      .s_axi_arlen  (s_axi_arlen),
      .s_axi_arvalid(s_axi_arvalid),
      .s_axi_arready(s_axi_arready),
      .s_axi_rdata  (s_axi_rdata),
      .s_axi_rlast  (s_axi_rlast),
      .s_axi_rvalid (s_axi_rvalid),
      .s_axi_rready (s_axi_rready),
      .m_axi_araddr (m_axi_araddr),
      .m_axi_arvalid(m_axi_arvalid),
      .m_axi_arready(m_axi_arready),
      .m_axi_rdata  (m_axi_rdata),
      .m_axi_rlast  (m_axi_rlast),
      .m_axi_rvalid (m_axi_rvalid),
      .m_axi_rready (m_axi_rready)
    );

    wc_axi_384_write #(
      .AddrWidth(AddrWidth)
    ) u_write (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axi_awaddr (s_axi_awaddr),
      .s_axi_awlen  (s_axi_awlen),
      .s_axi_awvalid(s_axi_awvalid),
      .s_axi_awready(s_axi_awready),
      .s_axi_wdata  (s_axi_wdata),
      .s_axi_wstrb  (s_axi_wstrb),
      .s_axi_wlast  (s_axi_wlast),
      .s_axi_wvalid (s_axi_wvalid),
      .s_axi_wready (s_axi_wready),
      .s_axi_bvalid (s_axi_bvalid),
      .s_axi_bready (s_axi_bready),
      .m_axi_awaddr (m_axi_awaddr),
      .m_axi_awvalid(m_axi_awvalid),
      .m_axi_awready(m_axi_awready),
      .m_axi_wdata  (m_axi_wdata),
      .m_axi_wstrb  (m_axi_wstrb),
      .m_axi_wlast  (m_axi_wlast),
      .m_axi_wvalid (m_axi_wvalid),
      .m_axi_wready (m_axi_wready),
      .m_axi_bvalid (m_axi_bvalid),
      .m_axi_bready (m_axi_bready)
    );
  end else if (MemWidth < LineWidth) begin : gen_narrow
    wc_axi_narrow #(
      .AddrWidth(AddrWidth),
      .LineWidth(LineWidth),
      .MemWidth (MemWidth)
    ) u_fit (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axi_awaddr (s_axi_awaddr),
      .s_axi_awlen  (s_axi_awlen),
      .s_axi_awvalid(s_axi_awvalid),
      .s_axi_awready(s_axi_awready),
      .s_axi_wdata  (s_axi_wdata),
      .s_axi_wstrb  (s_axi_wstrb),
      .s_axi_wlast  (s_axi_wlast),
      .s_axi_wvalid (s_axi_wvalid),
      .s_axi_wready (s_axi_wready),
      .s_axi_bvalid (s_axi_bvalid),
      .s_axi_bready (s_axi_bready),
      .s_axi_araddr (s_axi_araddr),
      .s_axi_arlen  (s_axi_arlen),
      .s_axi_arvalid(s_axi_arvalid),
      .s_axi_arready(s_axi_arready),
      .s_axi_rdata  (s_axi_rdata),
      .s_axi_rlast  (s_axi_rlast),
      .s_axi_rvalid (s_axi_rvalid),
      .s_axi_rready (s_axi_rready),
      .m_axi_awaddr (m_axi_awaddr),
      .m_axi_awlen  (m_axi_awlen),
      .m_axi_awvalid(m_axi_awvalid),
      .m_axi_awready(m_axi_awready),
      .m_axi_wdata  (m_axi_wdata),
      .m_axi_wstrb  (m_axi_wstrb),
      .m_axi_wlast  (m_axi_wlast),
      .m_axi_wvalid (m_axi_wvalid),
      .m_axi_wready (m_axi_wready),
      .m_axi_bvalid (m_axi_bvalid),
      .m_axi_bready (m_axi_bready),
      .m_axi_araddr (m_axi_araddr),
      .m_axi_arlen  (m_axi_arlen),
      .m_axi_arvalid(m_axi_arvalid),
      .m_axi_arready(m_axi_arready),
      .m_axi_rdata  (m_axi_rdata),
      .m_axi_rlast  (m_axi_rlast),
      .m_axi_rvalid (m_axi_rvalid),
      .m_axi_rready (m_axi_rready)
    );
  end else if (MemWidth > LineWidth) begin : gen_wide
    wc_axi_wide #(
      .AddrWidth(AddrWidth),
      .LineWidth(LineWidth)
    ) u_fit (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axi_awaddr (s_axi_awaddr),
      .s_axi_awlen  (s_axi_awlen),
      .s_axi_awvalid(s_axi_awvalid),
      .s_axi_awready(s_axi_awready),
      .s_axi_wdata  (s_axi_wdata),
      .s_axi_wstrb  (s_axi_wstrb),
      .s_axi_wlast  (s_axi_wlast),
      .s_axi_wvalid (s_axi_wvalid),
      .s_axi_wready (s_axi_wready),
      .s_axi_bvalid (s_axi_bvalid),
      .s_axi_bready (s_axi_bready),
      .s_axi_araddr (s_axi_araddr),
      .s_axi_arlen  (s_axi_arlen),
      .s_axi_arvalid(s_axi_arvalid),
      .s_axi_arready(s_axi_arready),
      .s_axi_rdata  (s_axi_rdata),
      .s_axi_rlast  (s_axi_rlast),
      .s_axi_rvalid (s_axi_rvalid),
      .s_axi_rready (s_axi_rready),
      .m_axi_awaddr (m_axi_awaddr),
      .m_axi_awlen  (m_axi_awlen),
      .m_axi_awvalid(m_axi_awvalid),
      .m_axi_awready(m_axi_awready),
      .m_axi_wdata  (m_axi_wdata),
      .m_axi_wstrb  (m_axi_wstrb),
      .m_axi_wlast  (m_axi_wlast),
      .m_axi_wvalid (m_axi_wvalid),
      .m_axi_wready (m_axi_wready),
      .m_axi_bvalid (m_axi_bvalid),
      .m_axi_bready (m_axi_bready),
      .m_axi_araddr (m_axi_araddr),
      .m_axi_arlen  (m_axi_arlen),
      .m_axi_arvalid(m_axi_arvalid),
      .m_axi_arready(m_axi_arready),
      .m_axi_rdata  (m_axi_rdata),
      .m_axi_rlast  (m_axi_rlast),
      .m_axi_rvalid (m_axi_rvalid),
      .m_axi_rready (m_axi_rready)
    );
  end else begin : gen_equal
    assign m_axi_awaddr = s_axi_awaddr;
    assign m_axi_awlen = s_axi_awlen;
    assign m_axi_awvalid = s_axi_awvalid;
    assign s_axi_awready = m_axi_awready;
    assign m_axi_wdata = s_axi_wdata;
    assign m_axi_wstrb = s_axi_wstrb;
    assign m_axi_wlast = s_axi_wlast;
    assign m_axi_wvalid = s_axi_wvalid;
    assign s_axi_wready = m_axi_wready;
    assign s_axi_bvalid = m_axi_bvalid;
    assign m_axi_bready = s_axi_bready;
    assign m_axi_araddr = s_axi_araddr;
    assign m_axi_arlen = s_axi_arlen;
    assign m_axi_arvalid = s_axi_arvalid;
    assign s_axi_arready = m_axi_arready;
    assign s_axi_rdata = m_axi_rdata;
    assign s_axi_rlast = m_axi_rlast;
    assign s_axi_rvalid = m_axi_rvalid;
    assign m_axi_rready = s_axi_rready;
  end

  // Memory has no errors that an answer could speak of.
  `WC_ASSERT(read_answer, !m_axi_rvalid || (m_axi_rid == '0 && m_axi_rresp == '0))
  `WC_ASSERT(write_answer, !m_axi_bvalid || (m_axi_bid == '0 && m_axi_bresp == '0))

endmodule

`default_nettype wire
