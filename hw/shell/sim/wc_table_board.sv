// SPDX-License-Identifier: Apache-2.0
// The table alone, with the store and the host's port: hash, index and store as in wc_core, fed
// with operations as fast as they are taken and with everything taken that comes out. It has the
// edges of wc_board, so the same program is around it: for benches of what the table itself takes.
`default_nettype none

module wc_table_board #(
  localparam int unsigned AddrWidth = 40,
  localparam int unsigned LineWidth = 512
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  // operations in, as wc_table_feed has them; nothing comes out
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
  output logic      [LineWidth-1:0] m_axi_index_wdata,
  output logic      [LineWidth/8-1:0] m_axi_index_wstrb,
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
  input  wire logic [LineWidth-1:0] m_axi_index_rdata,
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
  output logic      [LineWidth-1:0] m_axi_store_wdata,
  output logic      [LineWidth/8-1:0] m_axi_store_wstrb,
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
  input  wire logic [LineWidth-1:0] m_axi_store_rdata,
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
  output logic      irq_o,
  // as wc_board has them, where there is such a boundary
  output logic      [8:0] probe_o
);

  import wc_pkg::*;

  localparam wc_config_pkg::config_t Cfg = wc_config_pkg::build(wc_config_pkg::Simulated);

  logic request_valid, request_ready;
  request_t request;
  logic request_key_valid, request_key_ready;
  beat_t request_key;
  logic set_value_valid, set_value_ready;
  beat_t set_value;
  logic hashed_valid, hashed_ready;
  hashed_t hashed;
  logic hashed_key_valid, hashed_key_ready;
  beat_t hashed_key;
  logic looked_up_valid, looked_up_ready;
  result_t looked_up;
  logic done_valid, get_value_valid;
  logic deleted_valid, deleted_ready;
  pointer_t deleted;
  logic [Classes-1:0] free_valid, free_ready;
  pointer_t [Classes-1:0] free;

  index_settings_t index_settings;
  logic [31:0] hash_seed;
  seconds_t now;
  logic clear, clearing;
  index_events_t index_events;
  store_events_t store_events;

  // The wire's other direction is silent.
  assign m_axis_tdata = '0;
  assign m_axis_tkeep = '0;
  assign m_axis_tvalid = 1'b0;
  assign m_axis_tlast = 1'b0;

  assign probe_o = 9'({
      get_value_valid,
      1'b0,  // word
      done_valid,
      1'b0,  // sized
      looked_up_valid && looked_up_ready,
      hashed_valid && hashed_ready,
      request_valid && request_ready,
      1'b0  // packet
  });

  wc_table_feed u_feed (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .s_axis_tdata   (s_axis_tdata),
    .s_axis_tvalid  (s_axis_tvalid),
    .s_axis_tready  (s_axis_tready),
    .request_valid_o(request_valid),
    .request_ready_i(request_ready),
    .request_o      (request),
    .key_valid_o    (request_key_valid),
    .key_ready_i    (request_key_ready),
    .key_o          (request_key),
    .value_valid_o  (set_value_valid),
    .value_ready_i  (set_value_ready),
    .value_o        (set_value)
  );

  wc_hash #(
    .Function(Cfg.hash_function),
    .Units   (Cfg.hash_units)
  ) u_hash (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .seed_i         (hash_seed),
    .request_valid_i(request_valid),
    .request_ready_o(request_ready),
    .request_i      (request),
    .key_valid_i    (request_key_valid),
    .key_ready_o    (request_key_ready),
    .key_i          (request_key),
    .hashed_valid_o (hashed_valid),
    .hashed_ready_i (hashed_ready),
    .hashed_o       (hashed),
    .key_valid_o    (hashed_key_valid),
    .key_ready_i    (hashed_key_ready),
    .key_o          (hashed_key)
  );

  wc_index #(
    .Slots        (Cfg.slots),
    .MaxKey       (Cfg.max_key),
    .BucketLines  (Cfg.bucket_lines),
    .MaxBucketBits(Cfg.max_bucket_bits),
    .InFlight     (Cfg.in_flight),
    .AddrWidth    (AddrWidth)
  ) u_index (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (now),
    .settings_i     (index_settings),
    .clear_i        (clear),
    .clearing_o     (clearing),
    .hashed_valid_i (hashed_valid),
    .hashed_ready_o (hashed_ready),
    .hashed_i       (hashed),
    .key_valid_i    (hashed_key_valid),
    .key_ready_o    (hashed_key_ready),
    .key_i          (hashed_key),
    .result_valid_o (looked_up_valid),
    .result_ready_i (looked_up_ready),
    .result_o       (looked_up),
    .key_valid_o    (),
    .key_ready_i    (1'b1),
    .key_o          (),
    .free_valid_i   (free_valid),
    .free_ready_o   (free_ready),
    .free_i         (free),
    .deleted_valid_o(deleted_valid),
    .deleted_ready_i(deleted_ready),
    .deleted_o      (deleted),
    .events_o       (index_events),
    .m_axi_awid     (m_axi_index_awid),
    .m_axi_awaddr   (m_axi_index_awaddr),
    .m_axi_awlen    (m_axi_index_awlen),
    .m_axi_awsize   (m_axi_index_awsize),
    .m_axi_awburst  (m_axi_index_awburst),
    .m_axi_awvalid  (m_axi_index_awvalid),
    .m_axi_awready  (m_axi_index_awready),
    .m_axi_wdata    (m_axi_index_wdata),
    .m_axi_wstrb    (m_axi_index_wstrb),
    .m_axi_wlast    (m_axi_index_wlast),
    .m_axi_wvalid   (m_axi_index_wvalid),
    .m_axi_wready   (m_axi_index_wready),
    .m_axi_bid      (m_axi_index_bid),
    .m_axi_bresp    (m_axi_index_bresp),
    .m_axi_bvalid   (m_axi_index_bvalid),
    .m_axi_bready   (m_axi_index_bready),
    .m_axi_arid     (m_axi_index_arid),
    .m_axi_araddr   (m_axi_index_araddr),
    .m_axi_arlen    (m_axi_index_arlen),
    .m_axi_arsize   (m_axi_index_arsize),
    .m_axi_arburst  (m_axi_index_arburst),
    .m_axi_arvalid  (m_axi_index_arvalid),
    .m_axi_arready  (m_axi_index_arready),
    .m_axi_rid      (m_axi_index_rid),
    .m_axi_rdata    (m_axi_index_rdata),
    .m_axi_rresp    (m_axi_index_rresp),
    .m_axi_rlast    (m_axi_index_rlast),
    .m_axi_rvalid   (m_axi_index_rvalid),
    .m_axi_rready   (m_axi_index_rready)
  );

  wc_store #(
    .AddrWidth(AddrWidth),
    .DataWidth(LineWidth)
  ) u_store (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .result_valid_i(looked_up_valid),
    .result_ready_o(looked_up_ready),
    .result_i      (looked_up),
    .value_valid_i (set_value_valid),
    .value_ready_o (set_value_ready),
    .value_i       (set_value),
    .result_valid_o(done_valid),
    .result_ready_i(1'b1),
    .result_o      (),
    .value_valid_o (get_value_valid),
    .value_ready_i (1'b1),
    .value_o       (),
    .events_o      (store_events),
    .m_axi_awid    (m_axi_store_awid),
    .m_axi_awaddr  (m_axi_store_awaddr),
    .m_axi_awlen   (m_axi_store_awlen),
    .m_axi_awsize  (m_axi_store_awsize),
    .m_axi_awburst (m_axi_store_awburst),
    .m_axi_awvalid (m_axi_store_awvalid),
    .m_axi_awready (m_axi_store_awready),
    .m_axi_wdata   (m_axi_store_wdata),
    .m_axi_wstrb   (m_axi_store_wstrb),
    .m_axi_wlast   (m_axi_store_wlast),
    .m_axi_wvalid  (m_axi_store_wvalid),
    .m_axi_wready  (m_axi_store_wready),
    .m_axi_bid     (m_axi_store_bid),
    .m_axi_bresp   (m_axi_store_bresp),
    .m_axi_bvalid  (m_axi_store_bvalid),
    .m_axi_bready  (m_axi_store_bready),
    .m_axi_arid    (m_axi_store_arid),
    .m_axi_araddr  (m_axi_store_araddr),
    .m_axi_arlen   (m_axi_store_arlen),
    .m_axi_arsize  (m_axi_store_arsize),
    .m_axi_arburst (m_axi_store_arburst),
    .m_axi_arvalid (m_axi_store_arvalid),
    .m_axi_arready (m_axi_store_arready),
    .m_axi_rid     (m_axi_store_rid),
    .m_axi_rdata   (m_axi_store_rdata),
    .m_axi_rresp   (m_axi_store_rresp),
    .m_axi_rlast   (m_axi_store_rlast),
    .m_axi_rvalid  (m_axi_store_rvalid),
    .m_axi_rready  (m_axi_store_rready)
  );

  wc_host #(
    .QueueDepth   (Cfg.queue_depth),
    .Lanes        (1),
    .Slots        (Cfg.slots),
    .BucketLines  (Cfg.bucket_lines),
    .MaxBucketBits(Cfg.max_bucket_bits)
  ) u_host (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .s_axil_awaddr   (s_axil_awaddr),
    .s_axil_awprot   (s_axil_awprot),
    .s_axil_awvalid  (s_axil_awvalid),
    .s_axil_awready  (s_axil_awready),
    .s_axil_wdata    (s_axil_wdata),
    .s_axil_wstrb    (s_axil_wstrb),
    .s_axil_wvalid   (s_axil_wvalid),
    .s_axil_wready   (s_axil_wready),
    .s_axil_bresp    (s_axil_bresp),
    .s_axil_bvalid   (s_axil_bvalid),
    .s_axil_bready   (s_axil_bready),
    .s_axil_araddr   (s_axil_araddr),
    .s_axil_arprot   (s_axil_arprot),
    .s_axil_arvalid  (s_axil_arvalid),
    .s_axil_arready  (s_axil_arready),
    .s_axil_rdata    (s_axil_rdata),
    .s_axil_rresp    (s_axil_rresp),
    .s_axil_rvalid   (s_axil_rvalid),
    .s_axil_rready   (s_axil_rready),
    .irq_o           (irq_o),
    .net_settings_o  (),
    .index_settings_o(index_settings),
    .hash_seed_o     (hash_seed),
    .time_o          (now),
    .clear_o         (clear),
    .clearing_i      (clearing),
    .free_valid_o    (free_valid),
    .free_ready_i    (free_ready),
    .free_o          (free),
    .deleted_valid_i (deleted_valid),
    .deleted_ready_o (deleted_ready),
    .deleted_i       (deleted),
    .net_events_i    ('0),
    .index_events_i  (index_events),
    .store_events_i  (store_events)
  );

endmodule

`default_nettype wire
