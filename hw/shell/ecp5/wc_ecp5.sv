// SPDX-License-Identifier: Apache-2.0
// The core as it goes into an ECP5: every edge to a MAC or a memory controller is registered, so
// that the core's clock does not depend on what is around it. `./wirecache synth ecp5` places and
// routes this module. Adds one cycle at each edge: a register on receive, which never stalls, and
// register slices on transmit and on the channels of the memory ports.
// Long because it is wiring: the ports of the core, signal by signal.
`default_nettype none

module wc_ecp5 #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Ecp5,
  localparam int unsigned AddrWidth = User.addr_width,
  localparam int unsigned MemWidth = User.mem_width
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
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
  // memory: the table
  output logic      [3:0] m_axi_index_awid,
  output logic      [AddrWidth-1:0] m_axi_index_awaddr,
  output logic      [7:0] m_axi_index_awlen,
  output logic      [2:0] m_axi_index_awsize,
  output logic      [1:0] m_axi_index_awburst,
  output logic      m_axi_index_awvalid,
  input  wire logic m_axi_index_awready,
  output logic      [MemWidth-1:0] m_axi_index_wdata,
  output logic      [MemWidth/8-1:0] m_axi_index_wstrb,
  output logic      m_axi_index_wlast,
  output logic      m_axi_index_wvalid,
  input  wire logic m_axi_index_wready,
  input  wire logic [3:0] m_axi_index_bid,
  input  wire logic [1:0] m_axi_index_bresp,
  input  wire logic m_axi_index_bvalid,
  output logic      m_axi_index_bready,
  output logic      [3:0] m_axi_index_arid,
  output logic      [AddrWidth-1:0] m_axi_index_araddr,
  output logic      [7:0] m_axi_index_arlen,
  output logic      [2:0] m_axi_index_arsize,
  output logic      [1:0] m_axi_index_arburst,
  output logic      m_axi_index_arvalid,
  input  wire logic m_axi_index_arready,
  input  wire logic [3:0] m_axi_index_rid,
  input  wire logic [MemWidth-1:0] m_axi_index_rdata,
  input  wire logic [1:0] m_axi_index_rresp,
  input  wire logic m_axi_index_rlast,
  input  wire logic m_axi_index_rvalid,
  output logic      m_axi_index_rready,
  // memory: the values
  output logic      [3:0] m_axi_store_awid,
  output logic      [AddrWidth-1:0] m_axi_store_awaddr,
  output logic      [7:0] m_axi_store_awlen,
  output logic      [2:0] m_axi_store_awsize,
  output logic      [1:0] m_axi_store_awburst,
  output logic      m_axi_store_awvalid,
  input  wire logic m_axi_store_awready,
  output logic      [MemWidth-1:0] m_axi_store_wdata,
  output logic      [MemWidth/8-1:0] m_axi_store_wstrb,
  output logic      m_axi_store_wlast,
  output logic      m_axi_store_wvalid,
  input  wire logic m_axi_store_wready,
  input  wire logic [3:0] m_axi_store_bid,
  input  wire logic [1:0] m_axi_store_bresp,
  input  wire logic m_axi_store_bvalid,
  output logic      m_axi_store_bready,
  output logic      [3:0] m_axi_store_arid,
  output logic      [AddrWidth-1:0] m_axi_store_araddr,
  output logic      [7:0] m_axi_store_arlen,
  output logic      [2:0] m_axi_store_arsize,
  output logic      [1:0] m_axi_store_arburst,
  output logic      m_axi_store_arvalid,
  input  wire logic m_axi_store_arready,
  input  wire logic [3:0] m_axi_store_rid,
  input  wire logic [MemWidth-1:0] m_axi_store_rdata,
  input  wire logic [1:0] m_axi_store_rresp,
  input  wire logic m_axi_store_rlast,
  input  wire logic m_axi_store_rvalid,
  output logic      m_axi_store_rready,
  // the host
  input  wire logic [8:0] s_axil_awaddr,
  input  wire logic [2:0] s_axil_awprot,
  input  wire logic s_axil_awvalid,
  output logic      s_axil_awready,
  input  wire logic [31:0] s_axil_wdata,
  input  wire logic [3:0] s_axil_wstrb,
  input  wire logic s_axil_wvalid,
  output logic      s_axil_wready,
  output logic      [1:0] s_axil_bresp,
  output logic      s_axil_bvalid,
  input  wire logic s_axil_bready,
  input  wire logic [8:0] s_axil_araddr,
  input  wire logic [2:0] s_axil_arprot,
  input  wire logic s_axil_arvalid,
  output logic      s_axil_arready,
  output logic      [31:0] s_axil_rdata,
  output logic      [1:0] s_axil_rresp,
  output logic      s_axil_rvalid,
  input  wire logic s_axil_rready,
  output logic      irq_o
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
  logic rst_q;
  logic [3:0] index_awid, index_bid, index_arid, index_rid, store_awid, store_bid, store_arid,
      store_rid;
  logic [AddrWidth-1:0] index_awaddr, index_araddr, store_awaddr, store_araddr;
  logic [7:0] index_awlen, index_arlen, store_awlen, store_arlen;
  logic [2:0] index_awsize, index_arsize, store_awsize, store_arsize;
  logic [1:0] index_awburst, index_bresp, index_arburst, index_rresp, store_awburst, store_bresp,
      store_arburst, store_rresp;
  logic index_awvalid, index_awready, index_wlast, index_wvalid, index_wready, index_bvalid,
      index_bready, index_arvalid, index_arready, index_rlast, index_rvalid, index_rready,
      store_awvalid, store_awready, store_wlast, store_wvalid, store_wready, store_bvalid,
      store_bready, store_arvalid, store_arready, store_rlast, store_rvalid, store_rready;
  logic [MemWidth-1:0] index_wdata, index_rdata, store_wdata, store_rdata;
  logic [MemWidth/8-1:0] index_wstrb, store_wstrb;

  always_ff @(posedge clk_i) begin
    rst_q <= rst_i;
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
    .clk_i              (clk_i),
    .rst_i              (rst_q),
    .s_axis_tdata       (rx_q.data),
    .s_axis_tkeep       (rx_q.keep),
    .s_axis_tvalid      (rx_q.valid),
    .s_axis_tready      (s_axis_tready),
    .s_axis_tlast       (rx_q.last),
    .s_axis_tuser       (rx_q.user),
    .m_axis_tdata       (tx.data),
    .m_axis_tkeep       (tx.keep),
    .m_axis_tvalid      (tx_valid),
    .m_axis_tready      (tx_ready),
    .m_axis_tlast       (tx.last),
    .m_axi_index_awid   (index_awid),
    .m_axi_index_awaddr (index_awaddr),
    .m_axi_index_awlen  (index_awlen),
    .m_axi_index_awsize (index_awsize),
    .m_axi_index_awburst(index_awburst),
    .m_axi_index_awvalid(index_awvalid),
    .m_axi_index_awready(index_awready),
    .m_axi_index_wdata  (index_wdata),
    .m_axi_index_wstrb  (index_wstrb),
    .m_axi_index_wlast  (index_wlast),
    .m_axi_index_wvalid (index_wvalid),
    .m_axi_index_wready (index_wready),
    .m_axi_index_bid    (index_bid),
    .m_axi_index_bresp  (index_bresp),
    .m_axi_index_bvalid (index_bvalid),
    .m_axi_index_bready (index_bready),
    .m_axi_index_arid   (index_arid),
    .m_axi_index_araddr (index_araddr),
    .m_axi_index_arlen  (index_arlen),
    .m_axi_index_arsize (index_arsize),
    .m_axi_index_arburst(index_arburst),
    .m_axi_index_arvalid(index_arvalid),
    .m_axi_index_arready(index_arready),
    .m_axi_index_rid    (index_rid),
    .m_axi_index_rdata  (index_rdata),
    .m_axi_index_rresp  (index_rresp),
    .m_axi_index_rlast  (index_rlast),
    .m_axi_index_rvalid (index_rvalid),
    .m_axi_index_rready (index_rready),
    .m_axi_store_awid   (store_awid),
    .m_axi_store_awaddr (store_awaddr),
    .m_axi_store_awlen  (store_awlen),
    .m_axi_store_awsize (store_awsize),
    .m_axi_store_awburst(store_awburst),
    .m_axi_store_awvalid(store_awvalid),
    .m_axi_store_awready(store_awready),
    .m_axi_store_wdata  (store_wdata),
    .m_axi_store_wstrb  (store_wstrb),
    .m_axi_store_wlast  (store_wlast),
    .m_axi_store_wvalid (store_wvalid),
    .m_axi_store_wready (store_wready),
    .m_axi_store_bid    (store_bid),
    .m_axi_store_bresp  (store_bresp),
    .m_axi_store_bvalid (store_bvalid),
    .m_axi_store_bready (store_bready),
    .m_axi_store_arid   (store_arid),
    .m_axi_store_araddr (store_araddr),
    .m_axi_store_arlen  (store_arlen),
    .m_axi_store_arsize (store_arsize),
    .m_axi_store_arburst(store_arburst),
    .m_axi_store_arvalid(store_arvalid),
    .m_axi_store_arready(store_arready),
    .m_axi_store_rid    (store_rid),
    .m_axi_store_rdata  (store_rdata),
    .m_axi_store_rresp  (store_rresp),
    .m_axi_store_rlast  (store_rlast),
    .m_axi_store_rvalid (store_rvalid),
    .m_axi_store_rready (store_rready),
    .s_axil_awaddr      (s_axil_awaddr),
    .s_axil_awprot      (s_axil_awprot),
    .s_axil_awvalid     (s_axil_awvalid),
    .s_axil_awready     (s_axil_awready),
    .s_axil_wdata       (s_axil_wdata),
    .s_axil_wstrb       (s_axil_wstrb),
    .s_axil_wvalid      (s_axil_wvalid),
    .s_axil_wready      (s_axil_wready),
    .s_axil_bresp       (s_axil_bresp),
    .s_axil_bvalid      (s_axil_bvalid),
    .s_axil_bready      (s_axil_bready),
    .s_axil_araddr      (s_axil_araddr),
    .s_axil_arprot      (s_axil_arprot),
    .s_axil_arvalid     (s_axil_arvalid),
    .s_axil_arready     (s_axil_arready),
    .s_axil_rdata       (s_axil_rdata),
    .s_axil_rresp       (s_axil_rresp),
    .s_axil_rvalid      (s_axil_rvalid),
    .s_axil_rready      (s_axil_rready),
    .irq_o              (irq_o)
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
    .clk_i        (clk_i),
    .rst_i        (rst_q),
    .s_axi_awid   (index_awid),
    .s_axi_awaddr (index_awaddr),
    .s_axi_awlen  (index_awlen),
    .s_axi_awsize (index_awsize),
    .s_axi_awburst(index_awburst),
    .s_axi_awvalid(index_awvalid),
    .s_axi_awready(index_awready),
    .s_axi_wdata  (index_wdata),
    .s_axi_wstrb  (index_wstrb),
    .s_axi_wlast  (index_wlast),
    .s_axi_wvalid (index_wvalid),
    .s_axi_wready (index_wready),
    .s_axi_bid    (index_bid),
    .s_axi_bresp  (index_bresp),
    .s_axi_bvalid (index_bvalid),
    .s_axi_bready (index_bready),
    .s_axi_arid   (index_arid),
    .s_axi_araddr (index_araddr),
    .s_axi_arlen  (index_arlen),
    .s_axi_arsize (index_arsize),
    .s_axi_arburst(index_arburst),
    .s_axi_arvalid(index_arvalid),
    .s_axi_arready(index_arready),
    .s_axi_rid    (index_rid),
    .s_axi_rdata  (index_rdata),
    .s_axi_rresp  (index_rresp),
    .s_axi_rlast  (index_rlast),
    .s_axi_rvalid (index_rvalid),
    .s_axi_rready (index_rready),
    .m_axi_awid   (m_axi_index_awid),
    .m_axi_awaddr (m_axi_index_awaddr),
    .m_axi_awlen  (m_axi_index_awlen),
    .m_axi_awsize (m_axi_index_awsize),
    .m_axi_awburst(m_axi_index_awburst),
    .m_axi_awvalid(m_axi_index_awvalid),
    .m_axi_awready(m_axi_index_awready),
    .m_axi_wdata  (m_axi_index_wdata),
    .m_axi_wstrb  (m_axi_index_wstrb),
    .m_axi_wlast  (m_axi_index_wlast),
    .m_axi_wvalid (m_axi_index_wvalid),
    .m_axi_wready (m_axi_index_wready),
    .m_axi_bid    (m_axi_index_bid),
    .m_axi_bresp  (m_axi_index_bresp),
    .m_axi_bvalid (m_axi_index_bvalid),
    .m_axi_bready (m_axi_index_bready),
    .m_axi_arid   (m_axi_index_arid),
    .m_axi_araddr (m_axi_index_araddr),
    .m_axi_arlen  (m_axi_index_arlen),
    .m_axi_arsize (m_axi_index_arsize),
    .m_axi_arburst(m_axi_index_arburst),
    .m_axi_arvalid(m_axi_index_arvalid),
    .m_axi_arready(m_axi_index_arready),
    .m_axi_rid    (m_axi_index_rid),
    .m_axi_rdata  (m_axi_index_rdata),
    .m_axi_rresp  (m_axi_index_rresp),
    .m_axi_rlast  (m_axi_index_rlast),
    .m_axi_rvalid (m_axi_index_rvalid),
    .m_axi_rready (m_axi_index_rready)
  );

  wc_axi_slice #(
    .AddrWidth(AddrWidth),
    .DataWidth(MemWidth)
  ) u_store_slice (
    .clk_i        (clk_i),
    .rst_i        (rst_q),
    .s_axi_awid   (store_awid),
    .s_axi_awaddr (store_awaddr),
    .s_axi_awlen  (store_awlen),
    .s_axi_awsize (store_awsize),
    .s_axi_awburst(store_awburst),
    .s_axi_awvalid(store_awvalid),
    .s_axi_awready(store_awready),
    .s_axi_wdata  (store_wdata),
    .s_axi_wstrb  (store_wstrb),
    .s_axi_wlast  (store_wlast),
    .s_axi_wvalid (store_wvalid),
    .s_axi_wready (store_wready),
    .s_axi_bid    (store_bid),
    .s_axi_bresp  (store_bresp),
    .s_axi_bvalid (store_bvalid),
    .s_axi_bready (store_bready),
    .s_axi_arid   (store_arid),
    .s_axi_araddr (store_araddr),
    .s_axi_arlen  (store_arlen),
    .s_axi_arsize (store_arsize),
    .s_axi_arburst(store_arburst),
    .s_axi_arvalid(store_arvalid),
    .s_axi_arready(store_arready),
    .s_axi_rid    (store_rid),
    .s_axi_rdata  (store_rdata),
    .s_axi_rresp  (store_rresp),
    .s_axi_rlast  (store_rlast),
    .s_axi_rvalid (store_rvalid),
    .s_axi_rready (store_rready),
    .m_axi_awid   (m_axi_store_awid),
    .m_axi_awaddr (m_axi_store_awaddr),
    .m_axi_awlen  (m_axi_store_awlen),
    .m_axi_awsize (m_axi_store_awsize),
    .m_axi_awburst(m_axi_store_awburst),
    .m_axi_awvalid(m_axi_store_awvalid),
    .m_axi_awready(m_axi_store_awready),
    .m_axi_wdata  (m_axi_store_wdata),
    .m_axi_wstrb  (m_axi_store_wstrb),
    .m_axi_wlast  (m_axi_store_wlast),
    .m_axi_wvalid (m_axi_store_wvalid),
    .m_axi_wready (m_axi_store_wready),
    .m_axi_bid    (m_axi_store_bid),
    .m_axi_bresp  (m_axi_store_bresp),
    .m_axi_bvalid (m_axi_store_bvalid),
    .m_axi_bready (m_axi_store_bready),
    .m_axi_arid   (m_axi_store_arid),
    .m_axi_araddr (m_axi_store_araddr),
    .m_axi_arlen  (m_axi_store_arlen),
    .m_axi_arsize (m_axi_store_arsize),
    .m_axi_arburst(m_axi_store_arburst),
    .m_axi_arvalid(m_axi_store_arvalid),
    .m_axi_arready(m_axi_store_arready),
    .m_axi_rid    (m_axi_store_rid),
    .m_axi_rdata  (m_axi_store_rdata),
    .m_axi_rresp  (m_axi_store_rresp),
    .m_axi_rlast  (m_axi_store_rlast),
    .m_axi_rvalid (m_axi_store_rvalid),
    .m_axi_rready (m_axi_store_rready)
  );

endmodule

`default_nettype wire
