// SPDX-License-Identifier: Apache-2.0
// The table alone, with the store and the host's port: wc_table as it is in wc_core, fed with
// operations as fast as they are taken and with everything taken that comes out. The board has the
// edges of wc_board, so the same program is around it: for benches of what the table itself takes.
`include "wc_axi.svh"
`default_nettype none

module wc_table_board #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Simulated,
  localparam int unsigned AddrWidth = User.addr_width,
  localparam int unsigned MemWidth = User.mem_width
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic rst_mem_i,
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
  // memory: the table and the values; the host
  `WC_AXI_M_PORTS(m_axi_index, AddrWidth, MemWidth)
  `WC_AXI_M_PORTS(m_axi_store, AddrWidth, MemWidth)
  input  wire logic [31:0] milliseconds_i,  // nothing here waits for a time
  `WC_AXIL_S_PORTS(s_axil, wc_pkg::RegAddrWidth)
  output logic      irq_o,
  output logic      in_flight_o,  // operations that have no result yet
  output logic      moves_o,
  output logic      armed_o,
  output logic      [17:0] soonest_o,
  // as wc_board has them, where there is such a boundary
  output logic      [8:0] probe_o,
  output logic      [95:0] item_probe_o  // nothing
);

  import wc_pkg::*;

  logic request_valid, request_ready;
  request_t request;
  logic request_key_valid, request_key_ready;
  beat_t request_key;
  logic set_value_valid, set_value_ready;
  beat_t set_value;
  logic hashed;
  logic looked_up_valid, looked_up_ready;
  result_t looked_up;
  logic done_valid, get_value_valid;

  reg_req_t index_reg_req;
  reg_resp_t index_reg_resp;
  logic index_irq;
  logic [31:0] hash_seed;
  seconds_t now;
  value_len_t most_bytes;
  clear_t clear;
  logic clearing;
  index_events_t index_events;
  memory_error_t index_error, store_error;
  bad_level_t bad_buckets, bad_blocks;

  stages_t enter, leave;

  always_comb begin
    enter = '0;
    leave = '0;
    enter.hash = request_valid && request_ready;
    leave.hash = hashed;
    enter.index = leave.hash;
    leave.index = looked_up_valid && looked_up_ready;
    enter.store = leave.index;
    leave.store = done_valid;
  end

  logic rst;
  `WC_AXI_REQ(AddrWidth, MemWidth) index_req, index_req_out, store_req, store_req_out;
  `WC_AXI_RESP(MemWidth) index_resp, index_resp_in, store_resp, store_resp_in;
  `WC_AXIL_REQ(wc_pkg::RegAddrWidth) axil_req;
  `WC_AXIL_RESP axil_resp;

  `WC_AXI_M_ASSIGN(m_axi_index, index_req_out, index_resp_in, MemWidth)
  `WC_AXI_M_ASSIGN(m_axi_store, store_req_out, store_resp_in, MemWidth)
  `WC_AXIL_S_ASSIGN(s_axil, axil_req, axil_resp)

  assign {armed_o, soonest_o} = '0;
  logic unused_time;
  assign unused_time = ^milliseconds_i;

  assign item_probe_o = '0;

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
      hashed,
      request_valid && request_ready,
      1'b0  // packet
  });

  wc_table_feed u_feed (
    .clk_i          (clk_i),
    .rst_i          (rst),
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

  // Nothing sizes answers here: a result goes straight from the index to the store.
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
    .moves_o           (moves_o),
    .index_events_o    (index_events),
    .index_error_o     (index_error),
    .store_error_o     (store_error),
    .bad_buckets_o     (bad_buckets),
    .bad_blocks_o      (bad_blocks),
    .value_error_o     (),  // nobody looks at values here
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
    .key_valid_o       (),
    .key_ready_i       (1'b1),
    .key_o             (),
    .sized_valid_i     (looked_up_valid),
    .sized_ready_o     (looked_up_ready),
    .sized_i           (looked_up),
    .done_valid_o      (done_valid),
    .done_ready_i      (1'b1),
    .done_o            (),
    .value_valid_o     (get_value_valid),
    .value_ready_i     (1'b1),
    .value_o           (),
    .m_axi_index_req_o (index_req),
    .m_axi_index_resp_i(index_resp),
    .m_axi_store_req_o (store_req),
    .m_axi_store_resp_i(store_resp)
  );

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
    .m_axi_index_req_o (index_req_out),
    .m_axi_index_resp_i(index_resp_in),
    .m_axi_store_req_o (store_req_out),
    .m_axi_store_resp_i(store_resp_in)
  );

  wc_host #(
    .Index(User.index),
    .Hash (User.hash_function),
    .Lanes(1)
  ) u_host (
    .clk_i           (clk_i),
    .rst_i           (rst),
    .s_axil_req_i    (axil_req),
    .s_axil_resp_o   (axil_resp),
    .irq_o           (irq_o),
    .in_flight_o     (in_flight_o),
    .index_req_o     (index_reg_req),
    .index_resp_i    (index_reg_resp),
    .tcp_req_o       (),
    .tcp_resp_i      ('0),
    .index_irq_i     (index_irq),
    .answer_limit_o  (),
    .version_o       (),
    .most_bytes_o    (most_bytes),
    .net_settings_o  (),
    .hash_seed_o     (hash_seed),
    .time_o          (now),
    .clear_o         (clear),
    .clearing_i      (clearing),
    .moves_i         (moves_o),
    .net_events_i    ('0),
    .byte_events_i   ('0),
    .index_events_i  (index_events),
    .answer_events_i ('0),
    .index_error_i   (index_error),
    .store_error_i   (store_error),
    .bad_buckets_i   (bad_buckets),
    .bad_blocks_i    (bad_blocks),
    .enter_i         (enter),
    .leave_i         (leave),
    .sizing_i        ('0),
    .line_i          ('0),
    .line_room_o     (),
    .asker_valid_i   (1'b0),
    .asker_i         ('0),
    .message_valid_o (),
    .message_ready_i (1'b0),
    .message_o       (),
    .asker_o         (),
    .word_valid_o    (),
    .word_ready_i    (1'b0),
    .word_o          (),
    .message_done_i  (1'b0),
    .watch_o         (),
    .watched_i       ('0),
    .watched_key_i   ('0),
    .milliseconds_i  ('0),
    .asleep_o        (),
    .awake_o         ()
  );

endmodule

`default_nettype wire
