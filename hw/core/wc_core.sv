// SPDX-License-Identifier: Apache-2.0
// The whole appliance behind plain AXI edges: one lane from the wire to the wire, the table and the
// values each behind a memory port, the host behind registers. docs/architecture.md has the
// picture. Receive never stalls; requests leave in the order they came.
// Long because it is wiring: every stage and both memory ports, signal by signal.
`default_nettype none

module wc_core #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Default,
  localparam wc_config_pkg::config_t Cfg = wc_config_pkg::build(User),
  localparam int unsigned AddrWidth = Cfg.addr_width,
  localparam int unsigned MemWidth = Cfg.mem_width
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

  import wc_pkg::*;

  if (!Cfg.legal) begin : gen_illegal
    $fatal(1, wc_config_pkg::Legal);
  end

  localparam int unsigned IndexWidth = Cfg.line_width;
  localparam int unsigned StoreWidth = 8 * LineBytes;

  logic packet_valid, packet_ready;
  packet_t packet;
  logic request_valid, request_ready;
  request_t request;
  logic request_key_made_valid, request_key_made_ready, request_key_valid, request_key_ready;
  beat_t request_key_made, request_key;
  logic set_value_made_valid, set_value_made_ready;
  beat_t set_value_made;
  logic set_value_valid, set_value_ready;
  beat_t set_value;
  logic hashed_valid, hashed_ready;
  hashed_t hashed;
  logic hashed_key_valid, hashed_key_ready;
  beat_t hashed_key;
  logic looked_up_valid, looked_up_ready;
  result_t looked_up;
  logic looked_up_key_made_valid, looked_up_key_made_ready;
  logic looked_up_key_valid, looked_up_key_ready;
  beat_t looked_up_key_made, looked_up_key;
  logic sized_made_valid, sized_made_ready, sized_valid, sized_ready;
  result_t sized_made, sized;
  logic answer_key_made_valid, answer_key_made_ready, answer_key_valid, answer_key_ready;
  beat_t answer_key_made, answer_key;
  logic done_valid, done_ready;
  result_t done;
  logic get_value_made_valid, get_value_made_ready;
  beat_t get_value_made;
  logic get_value_valid, get_value_ready;
  beat_t get_value;
  logic message_made_valid, message_made_ready, message_valid, message_ready;
  message_t message_made, message;
  logic word_made_valid, word_made_ready;
  word_t word_made;
  logic word_valid, word_ready;
  word_t word;
  logic deleted_valid, deleted_ready;
  pointer_t deleted;
  logic [Classes-1:0] free_valid, free_ready;
  pointer_t [Classes-1:0] free;

  logic [AddrWidth-1:0] index_awaddr, index_araddr;
  logic [7:0] index_awlen, index_arlen;
  logic index_awvalid, index_awready, index_arvalid, index_arready;
  logic [IndexWidth-1:0] index_wdata, index_rdata;
  logic [IndexWidth/8-1:0] index_wstrb;
  logic index_wlast, index_wvalid, index_wready, index_bvalid, index_bready;
  logic index_rlast, index_rvalid, index_rready;

  logic [AddrWidth-1:0] store_awaddr, store_araddr;
  logic [7:0] store_awlen, store_arlen;
  logic store_awvalid, store_awready, store_arvalid, store_arready;
  logic [StoreWidth-1:0] store_wdata, store_rdata;
  logic [StoreWidth/8-1:0] store_wstrb;
  logic store_wlast, store_wvalid, store_wready, store_bvalid, store_bready;
  logic store_rlast, store_rvalid, store_rready;

  net_settings_t net_settings;
  index_settings_t index_settings;
  logic [31:0] hash_seed;
  seconds_t now;
  logic clear, clearing;
  net_events_t net_events;
  index_events_t index_events;
  store_events_t store_events;

  wc_net #(
    .Lane    (lane_t'(0)),
    .RxWords (Cfg.rx_words),
    .TxWords (Cfg.tx_words),
    .Contexts(Cfg.contexts)
  ) u_net (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .s_axis_tdata   (s_axis_tdata),
    .s_axis_tkeep   (s_axis_tkeep),
    .s_axis_tvalid  (s_axis_tvalid),
    .s_axis_tready  (s_axis_tready),
    .s_axis_tlast   (s_axis_tlast),
    .s_axis_tuser   (s_axis_tuser),
    .m_axis_tdata   (m_axis_tdata),
    .m_axis_tkeep   (m_axis_tkeep),
    .m_axis_tvalid  (m_axis_tvalid),
    .m_axis_tready  (m_axis_tready),
    .m_axis_tlast   (m_axis_tlast),
    .settings_i     (net_settings),
    .packet_valid_o (packet_valid),
    .packet_ready_i (packet_ready),
    .packet_o       (packet),
    .message_valid_i(message_valid),
    .message_ready_o(message_ready),
    .message_i      (message),
    .word_valid_i   (word_valid),
    .word_ready_o   (word_ready),
    .word_i         (word),
    .events_o       (net_events)
  );

  wc_request #(
    .Lane  (lane_t'(0)),
    .MaxKey(Cfg.max_key)
  ) u_request (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (now),
    .packet_valid_i (packet_valid),
    .packet_ready_o (packet_ready),
    .packet_i       (packet),
    .request_valid_o(request_valid),
    .request_ready_i(request_ready),
    .request_o      (request),
    .key_valid_o    (request_key_made_valid),
    .key_ready_i    (request_key_made_ready),
    .key_o          (request_key_made),
    .value_valid_o  (set_value_made_valid),
    .value_ready_i  (set_value_made_ready),
    .value_o        (set_value_made)
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
    .key_valid_o    (looked_up_key_made_valid),
    .key_ready_i    (looked_up_key_made_ready),
    .key_o          (looked_up_key_made),
    .free_valid_i   (free_valid),
    .free_ready_o   (free_ready),
    .free_i         (free),
    .deleted_valid_o(deleted_valid),
    .deleted_ready_i(deleted_ready),
    .deleted_o      (deleted),
    .events_o       (index_events),
    .m_axi_awid     (),
    .m_axi_awaddr   (index_awaddr),
    .m_axi_awlen    (index_awlen),
    .m_axi_awsize   (),
    .m_axi_awburst  (),
    .m_axi_awvalid  (index_awvalid),
    .m_axi_awready  (index_awready),
    .m_axi_wdata    (index_wdata),
    .m_axi_wstrb    (index_wstrb),
    .m_axi_wlast    (index_wlast),
    .m_axi_wvalid   (index_wvalid),
    .m_axi_wready   (index_wready),
    .m_axi_bid      ('0),
    .m_axi_bresp    ('0),
    .m_axi_bvalid   (index_bvalid),
    .m_axi_bready   (index_bready),
    .m_axi_arid     (),
    .m_axi_araddr   (index_araddr),
    .m_axi_arlen    (index_arlen),
    .m_axi_arsize   (),
    .m_axi_arburst  (),
    .m_axi_arvalid  (index_arvalid),
    .m_axi_arready  (index_arready),
    .m_axi_rid      ('0),
    .m_axi_rdata    (index_rdata),
    .m_axi_rresp    ('0),
    .m_axi_rlast    (index_rlast),
    .m_axi_rvalid   (index_rvalid),
    .m_axi_rready   (index_rready)
  );

  wc_answer_size u_answer_size (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .result_valid_i (looked_up_valid),
    .result_ready_o (looked_up_ready),
    .result_i       (looked_up),
    .key_valid_i    (looked_up_key_valid),
    .key_ready_o    (looked_up_key_ready),
    .key_i          (looked_up_key),
    .result_valid_o (sized_made_valid),
    .result_ready_i (sized_made_ready),
    .result_o       (sized_made),
    .key_valid_o    (answer_key_made_valid),
    .key_ready_i    (answer_key_made_ready),
    .key_o          (answer_key_made),
    .message_valid_o(message_made_valid),
    .message_ready_i(message_made_ready),
    .message_o      (message_made)
  );

  wc_store #(
    .AddrWidth(AddrWidth),
    .DataWidth(StoreWidth)
  ) u_store (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .result_valid_i(sized_valid),
    .result_ready_o(sized_ready),
    .result_i      (sized),
    .value_valid_i (set_value_valid),
    .value_ready_o (set_value_ready),
    .value_i       (set_value),
    .result_valid_o(done_valid),
    .result_ready_i(done_ready),
    .result_o      (done),
    .value_valid_o (get_value_made_valid),
    .value_ready_i (get_value_made_ready),
    .value_o       (get_value_made),
    .events_o      (store_events),
    .m_axi_awid    (),
    .m_axi_awaddr  (store_awaddr),
    .m_axi_awlen   (store_awlen),
    .m_axi_awsize  (),
    .m_axi_awburst (),
    .m_axi_awvalid (store_awvalid),
    .m_axi_awready (store_awready),
    .m_axi_wdata   (store_wdata),
    .m_axi_wstrb   (store_wstrb),
    .m_axi_wlast   (store_wlast),
    .m_axi_wvalid  (store_wvalid),
    .m_axi_wready  (store_wready),
    .m_axi_bid     ('0),
    .m_axi_bresp   ('0),
    .m_axi_bvalid  (store_bvalid),
    .m_axi_bready  (store_bready),
    .m_axi_arid    (),
    .m_axi_araddr  (store_araddr),
    .m_axi_arlen   (store_arlen),
    .m_axi_arsize  (),
    .m_axi_arburst (),
    .m_axi_arvalid (store_arvalid),
    .m_axi_arready (store_arready),
    .m_axi_rid     ('0),
    .m_axi_rdata   (store_rdata),
    .m_axi_rresp   ('0),
    .m_axi_rlast   (store_rlast),
    .m_axi_rvalid  (store_rvalid),
    .m_axi_rready  (store_rready)
  );

  // ---- register slices where one stage's ready would hang on the next one's ---------------------
  wc_slice #(
    .data_t(beat_t)
  ) u_request_key_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(request_key_made_valid),
    .ready_o(request_key_made_ready),
    .data_i (request_key_made),
    .valid_o(request_key_valid),
    .ready_i(request_key_ready),
    .data_o (request_key)
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_looked_up_key_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(looked_up_key_made_valid),
    .ready_o(looked_up_key_made_ready),
    .data_i (looked_up_key_made),
    .valid_o(looked_up_key_valid),
    .ready_i(looked_up_key_ready),
    .data_o (looked_up_key)
  );

  wc_slice #(
    .data_t(result_t)
  ) u_sized_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sized_made_valid),
    .ready_o(sized_made_ready),
    .data_i (sized_made),
    .valid_o(sized_valid),
    .ready_i(sized_ready),
    .data_o (sized)
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_answer_key_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(answer_key_made_valid),
    .ready_o(answer_key_made_ready),
    .data_i (answer_key_made),
    .valid_o(answer_key_valid),
    .ready_i(answer_key_ready),
    .data_o (answer_key)
  );

  wc_slice #(
    .data_t(message_t)
  ) u_message_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(message_made_valid),
    .ready_o(message_made_ready),
    .data_i (message_made),
    .valid_o(message_valid),
    .ready_i(message_ready),
    .data_o (message)
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_set_value_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(set_value_made_valid),
    .ready_o(set_value_made_ready),
    .data_i (set_value_made),
    .valid_o(set_value_valid),
    .ready_i(set_value_ready),
    .data_o (set_value)
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_get_value_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(get_value_made_valid),
    .ready_o(get_value_made_ready),
    .data_i (get_value_made),
    .valid_o(get_value_valid),
    .ready_i(get_value_ready),
    .data_o (get_value)
  );

  wc_slice #(
    .data_t(word_t)
  ) u_word_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(word_made_valid),
    .ready_o(word_made_ready),
    .data_i (word_made),
    .valid_o(word_valid),
    .ready_i(word_ready),
    .data_o (word)
  );

  // ---- lines to what the memory is wide ---------------------------------------------------------
  wc_axi_fit #(
    .AddrWidth(AddrWidth),
    .LineWidth(IndexWidth),
    .MemWidth (MemWidth)
  ) u_index_fit (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .s_axi_awaddr (index_awaddr),
    .s_axi_awlen  (index_awlen),
    .s_axi_awvalid(index_awvalid),
    .s_axi_awready(index_awready),
    .s_axi_wdata  (index_wdata),
    .s_axi_wstrb  (index_wstrb),
    .s_axi_wlast  (index_wlast),
    .s_axi_wvalid (index_wvalid),
    .s_axi_wready (index_wready),
    .s_axi_bvalid (index_bvalid),
    .s_axi_bready (index_bready),
    .s_axi_araddr (index_araddr),
    .s_axi_arlen  (index_arlen),
    .s_axi_arvalid(index_arvalid),
    .s_axi_arready(index_arready),
    .s_axi_rdata  (index_rdata),
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

  wc_axi_fit #(
    .AddrWidth(AddrWidth),
    .LineWidth(StoreWidth),
    .MemWidth (MemWidth)
  ) u_store_fit (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .s_axi_awaddr (store_awaddr),
    .s_axi_awlen  (store_awlen),
    .s_axi_awvalid(store_awvalid),
    .s_axi_awready(store_awready),
    .s_axi_wdata  (store_wdata),
    .s_axi_wstrb  (store_wstrb),
    .s_axi_wlast  (store_wlast),
    .s_axi_wvalid (store_wvalid),
    .s_axi_wready (store_wready),
    .s_axi_bvalid (store_bvalid),
    .s_axi_bready (store_bready),
    .s_axi_araddr (store_araddr),
    .s_axi_arlen  (store_arlen),
    .s_axi_arvalid(store_arvalid),
    .s_axi_arready(store_arready),
    .s_axi_rdata  (store_rdata),
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

  wc_answer u_answer (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .result_valid_i(done_valid),
    .result_ready_o(done_ready),
    .result_i      (done),
    .key_valid_i   (answer_key_valid),
    .key_ready_o   (answer_key_ready),
    .key_i         (answer_key),
    .value_valid_i (get_value_valid),
    .value_ready_o (get_value_ready),
    .value_i       (get_value),
    .word_valid_o  (word_made_valid),
    .word_ready_i  (word_made_ready),
    .word_o        (word_made)
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
    .net_settings_o  (net_settings),
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
    .net_events_i    (net_events),
    .index_events_i  (index_events),
    .store_events_i  (store_events)
  );

endmodule

`default_nettype wire
