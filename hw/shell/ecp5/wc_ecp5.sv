// SPDX-License-Identifier: Apache-2.0
// The core as it goes into an ECP5: every edge to a MAC or a memory controller is registered, so
// that the core's clock does not depend on what is around it. `./wirecache synth ecp5` places and
// routes this module. Adds one cycle at each edge: a register on receive, which never stalls, and
// register slices on transmit and on the channels of the memory ports.
`include "wc_axi.svh"
`default_nettype none

module wc_ecp5 #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Ecp5,
  localparam int unsigned AddrWidth = User.addr_width,
  localparam int unsigned MemWidth = User.mem_width
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic rst_mem_i,
  // the wire: frames without preamble and FCS, never stalled on receive
  input  wire logic [63:0] s_axis_tdata,
  input  wire logic [7:0] s_axis_tkeep,
  input  wire logic s_axis_tvalid,
  output logic      s_axis_tready,
  input  wire logic s_axis_tlast,
  input  wire logic s_axis_tuser,
  output logic      [63:0] m_axis_tdata,
  output logic      [7:0] m_axis_tkeep,
  output logic      m_axis_tvalid,
  input  wire logic m_axis_tready,
  output logic      m_axis_tlast,
  // memory: the table and the values; the host
  `WC_AXI_M_PORTS(m_axi_index, AddrWidth, MemWidth)
  `WC_AXI_M_PORTS(m_axi_store, AddrWidth, MemWidth)
  `WC_AXIL_S_PORTS(s_axil, wc_pkg::RegAddrWidth)
  output logic      irq_o,
  output logic      in_flight_o  // requests that are not answered yet
);

  typedef struct packed {
    logic [63:0] data;
    logic [7:0]  keep;
    logic        last;
    logic        user;
    logic        valid;
  } rx_t;

  typedef struct packed {
    logic [63:0] data;
    logic [7:0]  keep;
    logic        last;
  } tx_t;

  rx_t rx_q;
  tx_t tx;
  logic tx_valid, tx_ready;
  logic rst_q, rst_mem_q;
  `WC_AXI_REQ(AddrWidth, MemWidth) index_req, index_req_out, store_req, store_req_out;
  `WC_AXI_RESP(MemWidth) index_resp, index_resp_in, store_resp, store_resp_in;
  `WC_AXIL_REQ(wc_pkg::RegAddrWidth) axil_req;
  `WC_AXIL_RESP axil_resp;

  `WC_AXI_M_ASSIGN(m_axi_index, index_req_out, index_resp_in, MemWidth)
  `WC_AXI_M_ASSIGN(m_axi_store, store_req_out, store_resp_in, MemWidth)
  `WC_AXIL_S_ASSIGN(s_axil, axil_req, axil_resp)

  always_ff @(posedge clk_i) begin
    rst_q <= rst_i;
    rst_mem_q <= rst_mem_i;
    rx_q <= '{
        data: s_axis_tdata,
        keep: s_axis_tkeep,
        last: s_axis_tlast,
        user: s_axis_tuser,
        valid: s_axis_tvalid
    };
  end

  wc_core #(
    .User(User)
  ) u_core (
    .clk_i             (clk_i),
    .rst_i             (rst_q),
    .rst_mem_i         (rst_mem_q),
    .s_axis_tdata      (rx_q.data),
    .s_axis_tkeep      (rx_q.keep),
    .s_axis_tvalid     (rx_q.valid),
    .s_axis_tready     (s_axis_tready),
    .s_axis_tlast      (rx_q.last),
    .s_axis_tuser      (rx_q.user),
    .m_axis_tdata      (tx.data),
    .m_axis_tkeep      (tx.keep),
    .m_axis_tvalid     (tx_valid),
    .m_axis_tready     (tx_ready),
    .m_axis_tlast      (tx.last),
    .m_axi_index_req_o (index_req),
    .m_axi_index_resp_i(index_resp),
    .m_axi_store_req_o (store_req),
    .m_axi_store_resp_i(store_resp),
    .milliseconds_i    ('0),  // there is no TCP yet
    .s_axil_req_i      (axil_req),
    .s_axil_resp_o     (axil_resp),
    .irq_o             (irq_o),
    .in_flight_o       (in_flight_o),
    .moves_o           (),
    .armed_o           (),
    .soonest_o         ()
  );

  wc_slice #(
    .data_t(tx_t)
  ) u_tx_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_q),
    .valid_i(tx_valid),
    .ready_o(tx_ready),
    .data_i (tx),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o ({m_axis_tdata, m_axis_tkeep, m_axis_tlast})
  );

  wc_axi_slice #(
    .AddrWidth(AddrWidth),
    .DataWidth(MemWidth)
  ) u_index_slice (
    .clk_i       (clk_i),
    .rst_i       (rst_mem_q),
    .s_axi_req_i (index_req),
    .s_axi_resp_o(index_resp),
    .m_axi_req_o (index_req_out),
    .m_axi_resp_i(index_resp_in)
  );

  wc_axi_slice #(
    .AddrWidth(AddrWidth),
    .DataWidth(MemWidth)
  ) u_store_slice (
    .clk_i       (clk_i),
    .rst_i       (rst_mem_q),
    .s_axi_req_i (store_req),
    .s_axi_resp_o(store_resp),
    .m_axi_req_o (store_req_out),
    .m_axi_resp_i(store_resp_in)
  );

endmodule

`default_nettype wire
