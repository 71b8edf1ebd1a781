// SPDX-License-Identifier: Apache-2.0
// The whole appliance: one lane from the wire to the wire, the table and the values each behind a
// memory port, the host behind registers. docs/architecture.md has the picture. Receive never
// stalls; requests leave in the order they came. Memory and host ports are structs (wc_axi.svh);
// the boards in hw/shell show how they become ports with the plain AXI names.
// Long because a stage's ports are named once where they begin and once where they end.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_core #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Default,
  localparam wc_config_pkg::config_t Cfg = wc_config_pkg::build(User),
  localparam int unsigned AddrWidth = User.addr_width,
  localparam int unsigned MemWidth = User.mem_width,
  localparam type axi_req_t = `WC_AXI_REQ(AddrWidth, MemWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(MemWidth),
  localparam type axil_req_t = `WC_AXIL_REQ(wc_pkg::RegAddrWidth),
  localparam type axil_resp_t = `WC_AXIL_RESP
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic rst_mem_i,  // the memory's: at power-on, and whenever memory forgets
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
  output axi_req_t  m_axi_index_req_o,  // memory: the table
  input  wire axi_resp_t m_axi_index_resp_i,
  output axi_req_t  m_axi_store_req_o,  // memory: the values
  input  wire axi_resp_t m_axi_store_resp_i,
  input  wire logic [31:0] milliseconds_i,  // TCP's time; may go on by more than one
  input  wire axil_req_t s_axil_req_i,  // the host
  output axil_resp_t s_axil_resp_o,
  output logic      irq_o,
  output logic      in_flight_o,  // requests that are not answered yet, segments
  output logic      moves_o,  // the index does what these may have to wait for, unseen by memory
  output logic      armed_o,  // TCP waits for milliseconds_i, or a command of the host does
  output logic      [17:0] soonest_o  // to be this, in its low bits
);

  import wc_pkg::*;

  if (!Cfg.legal) begin : gen_illegal
    $fatal(1, wc_config_pkg::Legal);
  end

  // UDP's side of the lane
  logic udp_packet_valid, udp_packet_ready;
  packet_t udp_packet;
  logic udp_message_valid, udp_message_ready;
  message_t udp_message;
  logic udp_word_valid, udp_word_ready, udp_word_error;
  word_t udp_word;
  logic udp_message_done, udp_answered;
  logic udp_asker_valid, udp_aside_valid, udp_aside_ready;
  asker_t udp_asker, udp_aside_asker;
  message_t udp_aside;
  logic udp_aside_word_valid, udp_aside_word_ready, udp_aside_done;
  word_t udp_aside_word;
  // TCP's
  logic tcp_begin, tcp_payload_valid, tcp_record_valid, tcp_commit, tcp_abort, tcp_overflow;
  wc_net_pkg::payload_t tcp_payload;
  wc_tcp_pkg::segment_t tcp_record;
  logic tcp_segment_valid, tcp_segment_ready, tcp_word_valid, tcp_word_ready;
  wc_net_pkg::reply_t tcp_segment;
  word_t tcp_word;
  logic tcp_enter;  // a packet of TCP goes to the parser
  logic tcp_ready, tcp_busy, pipeline_busy;
  reg_req_t tcp_reg_req;
  reg_resp_t tcp_reg_resp;

  logic packet_valid, packet_ready;
  packet_t packet;
  logic turn_valid, turn_ready;
  tcp_turn_t turn;
  tcp_answered_t tcp_answered;
  logic parsed_valid, parsed_ready, parsed_key_valid, parsed_key_ready;
  request_t parsed;
  beat_t parsed_key;
  logic request_valid, request_ready;
  request_t request;
  logic request_key_valid, request_key_ready;
  beat_t request_key;
  logic set_value_valid, set_value_ready;
  beat_t set_value;
  logic hashed;  // an operation passes from hash to index
  logic looked_up_valid, looked_up_ready;
  result_t looked_up;
  logic looked_up_key_valid, looked_up_key_ready;
  beat_t looked_up_key;
  logic sized_valid, sized_ready;
  result_t sized;
  logic answer_key_valid, answer_key_ready;
  beat_t answer_key;
  logic request_opaque_valid, request_opaque_ready;  // from the parser to the response, no detour
  opaque_word_t request_opaque;
  logic answer_opaque_valid, answer_opaque_ready;
  opaque_word_t answer_opaque;
  logic done_valid, done_ready;
  result_t done;
  logic get_value_valid, get_value_ready;
  beat_t get_value;
  logic get_value_error;
  memory_error_t index_error, store_error;
  bad_level_t bad_buckets, bad_blocks;
  logic message_valid, message_ready;
  message_t message;
  logic word_valid, word_ready, word_error;
  word_t word;

  logic rst;  // rst_i, until memory has answered all that it was asked for
  axi_req_t index_req, store_req, table_store_req;  // of values: with TCP's rings, without
  axi_resp_t index_resp, store_resp, table_store_resp;

  net_settings_t net_settings;
  logic [31:0] hash_seed;
  reg_req_t index_reg_req;
  reg_resp_t index_reg_resp;
  logic index_irq;
  seconds_t now;
  clear_t clear;
  logic clearing, index_moves;
  net_events_t net_events;
  byte_events_t byte_events;
  index_events_t index_events;
  answer_events_t answer_events;
  answer_limit_t answer_limit;
  version_t version;
  value_len_t most_bytes;
  stages_t enter, leave;
  level_t sizing;
  logic message_done, answered;
  command_line_t line;  // commands of the host, and their answers
  logic line_room, asker_valid, aside_valid, aside_ready, aside_word_valid, aside_word_ready;
  logic aside_done;
  asker_t asker, aside_asker;
  logic watch;  // the host wants to know of operations
  watched_t watched;
  wc_tcp_engine_pkg::soonest_t tcp_soonest, tcp_soonest_q, asleep, soonest;  // when time matters
  message_t aside;
  word_t aside_word;

  localparam bit Tcp = User.connections != 0;

  net_settings_t net_settings_taken;

  always_comb begin
    net_settings_taken = net_settings;
    if (!tcp_ready) net_settings_taken.tcp_port = '0;  // no segment is taken
  end

  wc_net #(
    .Lane    (lane_t'(0)),
    .RxWords (User.rx_words),
    .TxWords (User.tx_words),
    .Contexts(User.contexts),
    .Tcp     (Tcp)
  ) u_net (
    .clk_i          (clk_i),
    .rst_i          (rst),
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
    .settings_i     (net_settings_taken),
    .packet_valid_o (udp_packet_valid),
    .packet_ready_i (udp_packet_ready),
    .packet_o       (udp_packet),
    .message_valid_i(udp_message_valid),
    .message_ready_o(udp_message_ready),
    .message_i      (udp_message),
    .word_valid_i   (udp_word_valid),
    .word_ready_o   (udp_word_ready),
    .word_i         (udp_word),
    .word_error_i   (udp_word_error),
    .message_done_o (udp_message_done),
    .answered_o     (udp_answered),
    .asker_valid_o  (udp_asker_valid),
    .asker_o        (udp_asker),
    .aside_message_valid_i(udp_aside_valid),
    .aside_message_ready_o(udp_aside_ready),
    .aside_message_i(udp_aside),
    .aside_asker_i  (udp_aside_asker),
    .aside_word_valid_i(udp_aside_word_valid),
    .aside_word_ready_o(udp_aside_word_ready),
    .aside_word_i   (udp_aside_word),
    .aside_done_o   (udp_aside_done),
    .tcp_begin_o    (tcp_begin),
    .tcp_payload_valid_o(tcp_payload_valid),
    .tcp_payload_o  (tcp_payload),
    .tcp_record_valid_o(tcp_record_valid),
    .tcp_record_o   (tcp_record),
    .tcp_commit_o   (tcp_commit),
    .tcp_abort_o    (tcp_abort),
    .tcp_overflow_i (tcp_overflow),
    .tcp_segment_valid_i(tcp_segment_valid),
    .tcp_segment_ready_o(tcp_segment_ready),
    .tcp_segment_i  (tcp_segment),
    .tcp_word_valid_i(tcp_word_valid),
    .tcp_word_ready_o(tcp_word_ready),
    .tcp_word_i     (tcp_word),
    .events_o       (net_events),
    .byte_events_o  (byte_events)
  );

  if (Tcp) begin : gen_tcp
    wc_tcp_lane #(
      .Connections(User.connections),
      .RingBits   (User.ring_bits),
      .Segments   (User.rx_segments),
      .AddrWidth  (AddrWidth),
      .BeatBytes  (MemWidth / 8),
      .MaxKey     (User.max_key),
      .MadeValues (User.index == IndexItem),
      .Meta       (Cfg.meta),
      .Binary     (Cfg.binary)
    ) u_tcp (
      .clk_i             (clk_i),
      .rst_i             (rst),
      .ready_o           (tcp_ready),
      .milliseconds_i    (milliseconds_i),
      .busy_o            (tcp_busy),
      .armed_o           (tcp_soonest.there),
      .soonest_o         (tcp_soonest.at),
      .most_bytes_i      (most_bytes),
      .settings_i        (net_settings),
      .reg_req_i         (tcp_reg_req),
      .reg_resp_o        (tcp_reg_resp),
      .begin_i           (tcp_begin),
      .payload_valid_i   (tcp_payload_valid),
      .payload_i         (tcp_payload),
      .record_valid_i    (tcp_record_valid),
      .record_i          (tcp_record),
      .commit_i          (tcp_commit),
      .abort_i           (tcp_abort),
      .overflow_o        (tcp_overflow),
      .segment_valid_o   (tcp_segment_valid),
      .segment_ready_i   (tcp_segment_ready),
      .segment_o         (tcp_segment),
      .segment_word_valid_o(tcp_word_valid),
      .segment_word_ready_i(tcp_word_ready),
      .segment_word_o    (tcp_word),
      .udp_packet_valid_i(udp_packet_valid),
      .udp_packet_ready_o(udp_packet_ready),
      .udp_packet_i      (udp_packet),
      .udp_valid_o       (udp_message_valid),
      .udp_ready_i       (udp_message_ready),
      .udp_o             (udp_message),
      .udp_word_valid_o  (udp_word_valid),
      .udp_word_ready_i  (udp_word_ready),
      .udp_word_o        (udp_word),
      .udp_word_error_o  (udp_word_error),
      .udp_asker_valid_i (udp_asker_valid),
      .udp_asker_i       (udp_asker),
      .udp_aside_valid_o (udp_aside_valid),
      .udp_aside_ready_i (udp_aside_ready),
      .udp_aside_o       (udp_aside),
      .udp_aside_asker_o (udp_aside_asker),
      .udp_aside_word_valid_o(udp_aside_word_valid),
      .udp_aside_word_ready_i(udp_aside_word_ready),
      .udp_aside_word_o  (udp_aside_word),
      .udp_aside_done_i  (udp_aside_done),
      .packet_valid_o    (packet_valid),
      .packet_ready_i    (packet_ready),
      .packet_o          (packet),
      .enter_o           (tcp_enter),
      .turn_valid_o      (turn_valid),
      .turn_ready_i      (turn_ready),
      .turn_o            (turn),
      .message_valid_i   (message_valid),
      .message_ready_o   (message_ready),
      .message_i         (message),
      .answered_i        (tcp_answered),
      .word_valid_i      (word_valid),
      .word_ready_o      (word_ready),
      .word_i            (word),
      .word_error_i      (word_error),
      .message_done_o    (message_done),
      .answered_o        (answered),
      .asker_valid_o     (asker_valid),
      .asker_o           (asker),
      .aside_valid_i     (aside_valid),
      .aside_ready_o     (aside_ready),
      .aside_i           (aside),
      .aside_asker_i     (aside_asker),
      .aside_word_valid_i(aside_word_valid),
      .aside_word_ready_o(aside_word_ready),
      .aside_word_i      (aside_word),
      .aside_done_o      (aside_done),
      .s_axi_req_i       (table_store_req),
      .s_axi_resp_o      (table_store_resp),
      .m_axi_req_o       (store_req),
      .m_axi_resp_i      (store_resp)
    );

    logic unused;
    assign unused = ^{udp_message_done, udp_answered};
  end else begin : gen_udp
    assign {packet_valid, packet} = {udp_packet_valid, udp_packet};
    assign udp_packet_ready = packet_ready;
    assign {udp_message_valid, udp_message} = {message_valid, message};
    assign message_ready = udp_message_ready;
    assign {udp_word_valid, udp_word, udp_word_error} = {word_valid, word, word_error};
    assign word_ready = udp_word_ready;
    assign {message_done, answered} = {udp_message_done, udp_answered};
    assign {asker_valid, asker} = {udp_asker_valid, udp_asker};
    assign {udp_aside_valid, udp_aside, udp_aside_asker} = {aside_valid, aside, aside_asker};
    assign aside_ready = udp_aside_ready;
    assign {udp_aside_word_valid, udp_aside_word} = {aside_word_valid, aside_word};
    assign aside_word_ready = udp_aside_word_ready;
    assign aside_done = udp_aside_done;
    assign store_req = table_store_req;
    assign table_store_resp = store_resp;
    assign tcp_reg_resp = '0;
    assign {tcp_soonest, tcp_busy, tcp_ready, tcp_overflow, tcp_enter} = '0;
    assign {turn_valid, turn} = '0;
    assign {tcp_segment_valid, tcp_segment, tcp_word_valid, tcp_word} = '0;

    logic unused;
    assign unused = ^{tcp_begin, tcp_payload_valid, tcp_payload, tcp_record_valid, tcp_record,
                      tcp_commit, tcp_abort, tcp_segment_ready, tcp_word_ready, turn_ready,
                      tcp_answered, milliseconds_i[31:18], tcp_reg_req};
  end

  wc_request #(
    .Lane      (lane_t'(0)),
    .MaxKey    (User.max_key),
    .ValueWords(User.value_words),
    .MadeValues(User.index == IndexItem),
    .Meta      (Cfg.meta),
    .Binary    (Cfg.binary)
  ) u_request (
    .clk_i          (clk_i),
    .rst_i          (rst),
    .time_i         (now),
    .most_bytes_i   (most_bytes),
    .watch_i        (watch),
    .packet_valid_i (packet_valid),
    .packet_ready_o (packet_ready),
    .packet_i       (packet),
    .request_valid_o(parsed_valid),
    .request_ready_i(parsed_ready),
    .request_o      (parsed),
    .key_valid_o    (parsed_key_valid),
    .key_ready_i    (parsed_key_ready),
    .key_o          (parsed_key),
    .value_valid_o  (set_value_valid),
    .value_ready_i  (set_value_ready),
    .value_o        (set_value),
    .opaque_valid_o (request_opaque_valid),
    .opaque_ready_i (request_opaque_ready),
    .opaque_o       (request_opaque),
    .line_o         (line),
    .line_room_i    (line_room)
  );

  if (Cfg.meta) begin : gen_twice
    wc_request_twice u_twice (
      .clk_i          (clk_i),
      .rst_i          (rst),
      .request_valid_i(parsed_valid),
      .request_ready_o(parsed_ready),
      .request_i      (parsed),
      .key_valid_i    (parsed_key_valid),
      .key_ready_o    (parsed_key_ready),
      .key_i          (parsed_key),
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_o      (request),
      .key_valid_o    (request_key_valid),
      .key_ready_i    (request_key_ready),
      .key_o          (request_key)
    );
  end else begin : gen_once
    assign {request_valid, request, request_key_valid, request_key} =
        {parsed_valid, parsed, parsed_key_valid, parsed_key};
    assign {parsed_ready, parsed_key_ready} = {request_ready, request_key_ready};
  end

  wc_table #(
    .User(User)
  ) u_table (
    .clk_i             (clk_i),
    .rst_i             (rst),
    .time_i            (now),
    .most_bytes_i      (most_bytes),
    .hash_seed_i       (hash_seed),
    .reg_req_i         (index_reg_req),
    .reg_resp_o        (index_reg_resp),
    .irq_o             (index_irq),
    .clear_i           (clear),
    .clearing_o        (clearing),
    .moves_o           (index_moves),
    .index_events_o    (index_events),
    .index_error_o     (index_error),
    .store_error_o     (store_error),
    .bad_buckets_o     (bad_buckets),
    .bad_blocks_o      (bad_blocks),
    .hashed_o          (hashed),
    .request_valid_i   (request_valid),
    .request_ready_o   (request_ready),
    .request_i         (request),
    .key_valid_i       (request_key_valid),
    .key_ready_o       (request_key_ready),
    .key_i             (request_key),
    .value_valid_i     (set_value_valid),
    .value_ready_o     (set_value_ready),
    .value_i           (set_value),
    .looked_up_valid_o (looked_up_valid),
    .looked_up_ready_i (looked_up_ready),
    .looked_up_o       (looked_up),
    .key_valid_o       (looked_up_key_valid),
    .key_ready_i       (looked_up_key_ready),
    .key_o             (looked_up_key),
    .sized_valid_i     (sized_valid),
    .sized_ready_o     (sized_ready),
    .sized_i           (sized),
    .done_valid_o      (done_valid),
    .done_ready_i      (done_ready),
    .done_o            (done),
    .value_valid_o     (get_value_valid),
    .value_ready_i     (get_value_ready),
    .value_o           (get_value),
    .value_error_o     (get_value_error),
    .m_axi_index_req_o (index_req),
    .m_axi_index_resp_i(index_resp),
    .m_axi_store_req_o (table_store_req),
    .m_axi_store_resp_i(table_store_resp)
  );

  wc_answer_size #(
    .ItemBits(User.item_bits),
    .Meta    (Cfg.meta),
    .Tcp     (Tcp)
  ) u_answer_size (
    .clk_i          (clk_i),
    .rst_i          (rst),
    .answer_limit_i (answer_limit),
    .version_bytes_i(version.bytes),
    .result_valid_i (looked_up_valid),
    .result_ready_o (looked_up_ready),
    .result_i       (looked_up),
    .key_valid_i    (looked_up_key_valid),
    .key_ready_o    (looked_up_key_ready),
    .key_i          (looked_up_key),
    .opaque_valid_i (request_opaque_valid),
    .opaque_ready_o (request_opaque_ready),
    .opaque_i       (request_opaque),
    .result_valid_o (sized_valid),
    .result_ready_i (sized_ready),
    .result_o       (sized),
    .key_valid_o    (answer_key_valid),
    .key_ready_i    (answer_key_ready),
    .key_o          (answer_key),
    .opaque_valid_o (answer_opaque_valid),
    .opaque_ready_i (answer_opaque_ready),
    .opaque_o       (answer_opaque),
    .message_valid_o(message_valid),
    .message_ready_i(message_ready),
    .message_o      (message),
    .turn_valid_i   (turn_valid),
    .turn_ready_o   (turn_ready),
    .turn_i         (turn),
    .answered_o     (tcp_answered),
    .level_o        (sizing),
    .watched_o      (watched),
    .events_o       (answer_events)
  );

  // ---- what is in flight --------------------------------------------------------------------------
  // What comes by either way in the same cycle enters one after the other: a datagram comes every ten
  // cycles at most, a packet of TCP every other one.
  logic tcp_late_q;  // a packet of TCP still has to
  logic enters;

  assign enters = net_events.request_in || tcp_enter || tcp_late_q;

  always_ff @(posedge clk_i) begin
    tcp_late_q <= net_events.request_in ? tcp_enter || tcp_late_q : tcp_enter && tcp_late_q;
    if (rst) tcp_late_q <= 1'b0;
  end

  `WC_ASSERT(all_enter, !(net_events.request_in && tcp_enter && tcp_late_q))

  always_comb begin
    enter.datagrams = enters;
    leave.datagrams = answered;
    enter.request = enters;
    leave.request = request_valid && request_ready && request.op.last && !request.op.more;
    enter.hash = request_valid && request_ready;
    leave.hash = hashed;
    enter.index = leave.hash;
    leave.index = looked_up_valid && looked_up_ready;
    enter.store = sized_valid && sized_ready;
    leave.store = done_valid && done_ready;
    enter.answer = message_valid && message_ready;
    leave.answer = message_done;
  end

  assign in_flight_o = pipeline_busy || tcp_busy;
  assign moves_o = index_moves;

  wc_memory_edge #(
    .AddrWidth(AddrWidth),
    .DataWidth(MemWidth)
  ) u_edge (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .rst_mem_i         (rst_mem_i),
    .rst_o             (rst),
    .s_axi_index_req_i (index_req),
    .s_axi_index_resp_o(index_resp),
    .s_axi_store_req_i (store_req),
    .s_axi_store_resp_o(store_resp),
    .m_axi_index_req_o (m_axi_index_req_o),
    .m_axi_index_resp_i(m_axi_index_resp_i),
    .m_axi_store_req_o (m_axi_store_req_o),
    .m_axi_store_resp_i(m_axi_store_resp_i)
  );

  wc_answer #(
    .Meta(Cfg.meta)
  ) u_answer (
    .clk_i         (clk_i),
    .rst_i         (rst),
    .version_i     (version),
    .result_valid_i(done_valid),
    .result_ready_o(done_ready),
    .result_i      (done),
    .key_valid_i   (answer_key_valid),
    .key_ready_o   (answer_key_ready),
    .key_i         (answer_key),
    .opaque_valid_i(answer_opaque_valid),
    .opaque_ready_o(answer_opaque_ready),
    .opaque_i      (answer_opaque),
    .value_valid_i (get_value_valid),
    .value_ready_o (get_value_ready),
    .value_i       (get_value),
    .value_error_i (get_value_error),
    .word_valid_o  (word_valid),
    .word_ready_i  (word_ready),
    .word_o        (word),
    .word_error_o  (word_error)
  );

  wc_host #(
    .Tcp     (Tcp),
    .Index   (User.index),
    .Hash    (User.hash_function),
    .ItemBits(User.item_bits),
    .Lanes   (1)
  ) u_host (
    .clk_i           (clk_i),
    .rst_i           (rst),
    .s_axil_req_i    (s_axil_req_i),
    .s_axil_resp_o   (s_axil_resp_o),
    .irq_o           (irq_o),
    .in_flight_o     (pipeline_busy),
    .index_req_o     (index_reg_req),
    .index_resp_i    (index_reg_resp),
    .index_irq_i     (index_irq),
    .net_settings_o  (net_settings),
    .tcp_req_o       (tcp_reg_req),
    .tcp_resp_i      (tcp_reg_resp),
    .answer_limit_o  (answer_limit),
    .version_o       (version),
    .most_bytes_o    (most_bytes),
    .hash_seed_o     (hash_seed),
    .time_o          (now),
    .clear_o         (clear),
    .clearing_i      (clearing),
    .moves_i         (index_moves || (m_axis_tvalid && m_axis_tready)),
    .net_events_i    (net_events),
    .byte_events_i   (byte_events),
    .index_events_i  (index_events),
    .answer_events_i (answer_events),
    .index_error_i   (index_error),
    .store_error_i   (store_error),
    .bad_buckets_i   (bad_buckets),
    .bad_blocks_i    (bad_blocks),
    .enter_i         (enter),
    .leave_i         (leave),
    .sizing_i        (sizing),
    .line_i          (line),
    .line_room_o     (line_room),
    .asker_valid_i   (asker_valid),
    .asker_i         (asker),
    .message_valid_o (aside_valid),
    .message_ready_i (aside_ready),
    .message_o       (aside),
    .asker_o         (aside_asker),
    .word_valid_o    (aside_word_valid),
    .word_ready_i    (aside_word_ready),
    .word_o          (aside_word),
    .message_done_i  (aside_done),
    .watch_o         (watch),
    .watched_i       (watched),
    .watched_key_i   (looked_up_key),
    .milliseconds_i  (milliseconds_i[17:0]),
    .asleep_o        (asleep.there),
    .awake_o         (asleep.at)
  );

  // A register for TCP's, which is the soonest of three already.
  always_ff @(posedge clk_i) begin
    tcp_soonest_q <= tcp_soonest;
    if (rst) tcp_soonest_q <= '0;
  end

  assign soonest = wc_tcp_engine_pkg::sooner(tcp_soonest_q, asleep);
  assign armed_o = soonest.there;
  assign soonest_o = soonest.at;

endmodule

`default_nettype wire
