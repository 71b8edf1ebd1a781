// SPDX-License-Identifier: Apache-2.0
// Register slices on the five channels of an AXI4 port: every path between its two sides is cut.
// Latency 1 on each channel, throughput 1 beat per cycle.
`default_nettype none

module wc_axi_slice #(
  parameter int unsigned AddrWidth = 36,
  parameter int unsigned DataWidth = 128
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic [3:0] s_axi_awid,
  input  wire logic [AddrWidth-1:0] s_axi_awaddr,
  input  wire logic [7:0] s_axi_awlen,
  input  wire logic [2:0] s_axi_awsize,
  input  wire logic [1:0] s_axi_awburst,
  input  wire logic s_axi_awvalid,
  output logic      s_axi_awready,
  input  wire logic [DataWidth-1:0] s_axi_wdata,
  input  wire logic [DataWidth/8-1:0] s_axi_wstrb,
  input  wire logic s_axi_wlast,
  input  wire logic s_axi_wvalid,
  output logic      s_axi_wready,
  output logic      [3:0] s_axi_bid,
  output logic      [1:0] s_axi_bresp,
  output logic      s_axi_bvalid,
  input  wire logic s_axi_bready,
  input  wire logic [3:0] s_axi_arid,
  input  wire logic [AddrWidth-1:0] s_axi_araddr,
  input  wire logic [7:0] s_axi_arlen,
  input  wire logic [2:0] s_axi_arsize,
  input  wire logic [1:0] s_axi_arburst,
  input  wire logic s_axi_arvalid,
  output logic      s_axi_arready,
  output logic      [3:0] s_axi_rid,
  output logic      [DataWidth-1:0] s_axi_rdata,
  output logic      [1:0] s_axi_rresp,
  output logic      s_axi_rlast,
  output logic      s_axi_rvalid,
  input  wire logic s_axi_rready,
  output logic      [3:0] m_axi_awid,
  output logic      [AddrWidth-1:0] m_axi_awaddr,
  output logic      [7:0] m_axi_awlen,
  output logic      [2:0] m_axi_awsize,
  output logic      [1:0] m_axi_awburst,
  output logic      m_axi_awvalid,
  input  wire logic m_axi_awready,
  output logic      [DataWidth-1:0] m_axi_wdata,
  output logic      [DataWidth/8-1:0] m_axi_wstrb,
  output logic      m_axi_wlast,
  output logic      m_axi_wvalid,
  input  wire logic m_axi_wready,
  input  wire logic [3:0] m_axi_bid,
  input  wire logic [1:0] m_axi_bresp,
  input  wire logic m_axi_bvalid,
  output logic      m_axi_bready,
  output logic      [3:0] m_axi_arid,
  output logic      [AddrWidth-1:0] m_axi_araddr,
  output logic      [7:0] m_axi_arlen,
  output logic      [2:0] m_axi_arsize,
  output logic      [1:0] m_axi_arburst,
  output logic      m_axi_arvalid,
  input  wire logic m_axi_arready,
  input  wire logic [3:0] m_axi_rid,
  input  wire logic [DataWidth-1:0] m_axi_rdata,
  input  wire logic [1:0] m_axi_rresp,
  input  wire logic m_axi_rlast,
  input  wire logic m_axi_rvalid,
  output logic      m_axi_rready
);

  typedef struct packed {
    logic [3:0] id;
    logic [AddrWidth-1:0] addr;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
  } address_t;

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [DataWidth/8-1:0] strb;
    logic last;
  } write_t;

  typedef struct packed {
    logic [3:0] id;
    logic [1:0] resp;
  } answer_t;

  typedef struct packed {
    logic [3:0] id;
    logic [DataWidth-1:0] data;
    logic [1:0] resp;
    logic last;
  } read_t;

  wc_slice #(
    .data_t(address_t)
  ) u_aw (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_awvalid),
    .ready_o(s_axi_awready),
    .data_i ({s_axi_awid, s_axi_awaddr, s_axi_awlen, s_axi_awsize, s_axi_awburst}),
    .valid_o(m_axi_awvalid),
    .ready_i(m_axi_awready),
    .data_o ({m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst})
  );

  wc_slice #(
    .data_t(write_t)
  ) u_w (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_wvalid),
    .ready_o(s_axi_wready),
    .data_i ({s_axi_wdata, s_axi_wstrb, s_axi_wlast}),
    .valid_o(m_axi_wvalid),
    .ready_i(m_axi_wready),
    .data_o ({m_axi_wdata, m_axi_wstrb, m_axi_wlast})
  );

  wc_slice #(
    .data_t(answer_t)
  ) u_b (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_bvalid),
    .ready_o(m_axi_bready),
    .data_i ({m_axi_bid, m_axi_bresp}),
    .valid_o(s_axi_bvalid),
    .ready_i(s_axi_bready),
    .data_o ({s_axi_bid, s_axi_bresp})
  );

  wc_slice #(
    .data_t(address_t)
  ) u_ar (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_arvalid),
    .ready_o(s_axi_arready),
    .data_i ({s_axi_arid, s_axi_araddr, s_axi_arlen, s_axi_arsize, s_axi_arburst}),
    .valid_o(m_axi_arvalid),
    .ready_i(m_axi_arready),
    .data_o ({m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst})
  );

  wc_slice #(
    .data_t(read_t)
  ) u_r (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_rvalid),
    .ready_o(m_axi_rready),
    .data_i ({m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast}),
    .valid_o(s_axi_rvalid),
    .ready_i(s_axi_rready),
    .data_o ({s_axi_rid, s_axi_rdata, s_axi_rresp, s_axi_rlast})
  );

endmodule

`default_nettype wire
