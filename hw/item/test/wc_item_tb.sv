// SPDX-License-Identifier: Apache-2.0
// The item index with what stands between its two halves: a queue in the place of the size stage,
// which may hold results back, and takes back the answer of each GET whose `opaque` is a multiple
// of 4. Besides, it shows what enters the table, and in which order.
`include "wc_axi.svh"
`default_nettype none

module wc_item_tb
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned Entries   = 64,
  parameter int unsigned BeatUnits = LineUnits,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned FilterCells = 0,
  parameter int unsigned Ways      = 1,
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic           clk_i,
  input  wire logic           rst_i,
  input  wire seconds_t       time_i,
  input  wire item_settings_t item_settings_i,
  input  wire log_settings_t  log_settings_i,
  input  wire clear_t         clear_i,
  output logic                clearing_o,
  input  wire logic           hold_i,  // results wait in the queue
  input  wire logic           hashed_valid_i,
  output logic                hashed_ready_o,
  input  wire hashed_t        hashed_i,
  input  wire logic           key_valid_i,
  output logic                key_ready_o,
  input  wire beat_t          key_i,
  input  wire logic           value_valid_i,
  output logic                value_ready_o,
  input  wire beat_t          value_i,
  output logic                key_valid_o,
  input  wire logic           key_ready_i,
  output beat_t               key_o,
  output logic                done_valid_o,
  input  wire logic           done_ready_i,
  output result_t             done_o,
  output logic                value_valid_o,
  input  wire logic           value_ready_i,
  output beat_t               value_o,
  output logic                value_error_o,
  // what enters of the sweeper's, and what the table says of each operation
  output logic                enters_o,
  output logic                user_o,
  output met_t                met_o,
  output logic                looked_o,
  output looked_t             looked_bits_o,
  output logic                give_o,
  output segment_t            give_segment_o,
  output logic                moved_o,  // a mover's operation has passed: looked_bits_o
  output index_events_t       events_o,
  output segments_t           free_o,
  output segments_t           lost_o,
  output logic                forgotten_o,
  output logic                denied_o,
  output axi_req_t            m_axi_index_req_o,
  input  wire axi_resp_t      m_axi_index_resp_i,
  output axi_req_t            m_axi_log_req_o,
  input  wire axi_resp_t      m_axi_log_resp_i
);

  logic looked_valid, looked_ready, sized_valid, sized_ready;
  result_t looked, held, sized;
  item_state_t state;
  item_events_t events;

  wc_item #(
    .Entries  (Entries),
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .HostReads(1'b0),
    .FilterCells(FilterCells),
    .Ways     (Ways)
  ) u_item (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .time_i            (time_i),
    .most_bytes_i      (value_len_t'(1 << 20)),
    .item_settings_i   (item_settings_i),
    .log_settings_i    (log_settings_i),
    .clear_i           (clear_i),
    .clearing_o        (clearing_o),
    .moves_o           (),
    .hashed_valid_i    (hashed_valid_i),
    .hashed_ready_o    (hashed_ready_o),
    .hashed_i          (hashed_i),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready_o),
    .key_i             (key_i),
    .value_valid_i     (value_valid_i),
    .value_ready_o     (value_ready_o),
    .value_i           (value_i),
    .looked_up_valid_o (looked_valid),
    .looked_up_ready_i (looked_ready),
    .looked_up_o       (looked),
    .key_valid_o       (key_valid_o),
    .key_ready_i       (key_ready_i),
    .key_o             (key_o),
    .sized_valid_i     (sized_valid && !hold_i),
    .sized_ready_o     (sized_ready),
    .sized_i           (sized),
    .done_valid_o      (done_valid_o),
    .done_ready_i      (done_ready_i),
    .done_o            (done_o),
    .value_valid_o     (value_valid_o),
    .value_ready_i     (value_ready_i),
    .value_o           (value_o),
    .value_error_o     (value_error_o),
    .index_events_o    (events_o),
    .item_events_o     (events),
    .state_o           (state),
    .table_error_o     (),
    .log_error_o       (),
    .bad_buckets_o     (),
    .bad_lines_o       (),
    .m_axi_index_req_o (m_axi_index_req_o),
    .m_axi_index_resp_i(m_axi_index_resp_i),
    .m_axi_log_req_o   (m_axi_log_req_o),
    .m_axi_log_resp_i  (m_axi_log_resp_i)
  );

  always_comb begin
    held = looked;
    if (looked.op.op inside {OpGet, OpGat} && looked.op.opaque[1:0] == '0) begin
      held.op.op = OpNone;
      held.op.say = SaySilent;
      held.op.status = StOk;
    end
  end

  wc_fifo #(
    .data_t(result_t),
    .Depth (1024)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(looked_valid),
    .ready_o(looked_ready),
    .data_i (held),
    .valid_o(sized_valid),
    .ready_i(sized_ready && !hold_i),
    .data_o (sized),
    .level_o()
  );

  assign free_o = state.free;
  assign lost_o = state.lost;
  assign forgotten_o = events.forgotten;
  assign denied_o = events.filter_denied;
  assign enters_o = u_item.enters;
  assign user_o = u_item.enters_user;
  assign met_o = u_item.sweeps;
  assign looked_o = u_item.looked_valid && u_item.looked_ready;
  assign looked_bits_o = u_item.looked;
  assign moved_o = u_item.mover_passed;
  assign give_o = u_item.give_valid;
  assign give_segment_o = u_item.give_segment;

endmodule

`default_nettype wire
