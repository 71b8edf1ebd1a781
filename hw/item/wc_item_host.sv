// SPDX-License-Identifier: Apache-2.0
// The item index's part of the host port: its settings, its state and its counters, behind the
// register bus of wc_host. A setting that the circuit cannot have is refused: the one before stays,
// and ITEM_STATUS tells.
// A register answers in 3 cycles, a counter in 5. One access at a time.
`include "wc_assert.svh"
`default_nettype none

module wc_item_host
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned ReadUnits = LineUnits,  // that are read at a time for the host; 0: none is
  parameter int unsigned Ways      = 1
) (
  input  wire logic            clk_i,
  input  wire logic            rst_i,
  input  wire reg_req_t        reg_req_i,
  output reg_resp_t            reg_resp_o,
  output item_settings_t       item_settings_o,  // change only while nothing is in flight
  output log_settings_t        log_settings_o,
  output host_ask_t            ask_o,
  input  wire host_told_t      told_i,
  input  wire item_state_t     state_i,
  input  wire item_events_t    events_i
);

  localparam int unsigned Events = $bits(item_events_t);

  wc_item_regs_pkg::wc_item_regs__in_t regs_in;
  wc_item_regs_pkg::wc_item_regs__out_t regs_out;

  logic regs_req, regs_rd_ack, regs_wr_ack, stall_rd, stall_wr;
  logic count_wr_ack, count_rd_ack;
  logic [31:0] regs_rdata, count, count_high;

  // ---- registers --------------------------------------------------------------------------------
  assign regs_req = reg_req_i.req && !reg_req_i.addr[8];

  wc_item_regs u_regs (
    .clk                 (clk_i),
    .rst                 (rst_i),
    .s_cpuif_req         (regs_req),
    .s_cpuif_req_is_wr   (reg_req_i.write),
    .s_cpuif_addr        (reg_req_i.addr),
    .s_cpuif_wr_data     (reg_req_i.wdata),
    .s_cpuif_wr_biten    ('1),
    .s_cpuif_req_stall_wr(stall_wr),
    .s_cpuif_req_stall_rd(stall_rd),
    .s_cpuif_rd_ack      (regs_rd_ack),
    .s_cpuif_rd_err      (),
    .s_cpuif_rd_data     (regs_rdata),
    .s_cpuif_wr_ack      (regs_wr_ack),
    .s_cpuif_wr_err      (),
    .hwif_in             (regs_in),
    .hwif_out            (regs_out)
  );

  `WC_ASSERT(address_stands, !reg_req_i.req || reg_req_i.write
             || reg_req_i.addr == $past(reg_req_i.addr))
  `WC_ASSERT(never_held, !regs_req || !(reg_req_i.write ? stall_wr : stall_rd))

  always_ff @(posedge clk_i) begin
    reg_resp_o.wr_ack <= regs_wr_ack || count_wr_ack;
    reg_resp_o.rd_ack <= regs_rd_ack || count_rd_ack;
    reg_resp_o.rdata <= count_rd_ack ? count : regs_rdata;
    if (rst_i) begin
      reg_resp_o.wr_ack <= 1'b0;
      reg_resp_o.rd_ack <= 1'b0;
    end
  end

  // ---- settings ---------------------------------------------------------------------------------
  localparam item_settings_t FirstTable = '{base_line: '0, factor: 4'd8, shift: '0};
  localparam log_settings_t FirstLog = '{
      segment_bits: 5'(LeastSegmentBits), segments: 9'd32, most_new: 9'd3, largest: 20'd4096
  };
  item_settings_t table_q, table_q2;
  log_settings_t log_q, log_q2;
  logic [33:0] largest_q;  // that an item may be, in units
  logic table_legal_q, log_legal_q, refused_q;

  always_ff @(posedge clk_i) begin
    table_q.base_line <= regs_out.TABLE_BASE.line.value;
    table_q.factor <= regs_out.TABLE_SIZE.factor.value;
    table_q.shift <= regs_out.TABLE_SIZE.shift.value;
    log_q.segment_bits <= regs_out.LOG_SIZE.bits.value;
    log_q.segments <= regs_out.LOG_SIZE.segments.value;
    log_q.most_new <= regs_out.LOG_MOST_NEW.segments.value;
    log_q.largest <= regs_out.LOG_LARGEST.most.value;
    largest_q <= (34'(regs_out.LOG_SIZE.segments.value) << regs_out.LOG_SIZE.bits.value) >> 3;

    table_q2 <= table_q;
    log_q2 <= log_q;
    table_legal_q <= table_q.factor >= 4'd8 && table_q.shift <= 5'd21
                     && (Ways == 1 || table_q.shift >= 5'd2);
    log_legal_q <= log_q.segment_bits >= 5'(LeastSegmentBits)
                   && log_q.segment_bits <= 5'(MostSegmentBits)
                   && log_q.segments >= 9'd32 && log_q.segments <= 9'(MaxSegments)
                   && 34'(log_q.largest) <= largest_q;

    if (table_legal_q) item_settings_o <= table_q2;
    if (log_legal_q) log_settings_o <= log_q2;
    refused_q <= !table_legal_q || !log_legal_q;
    if (rst_i) begin
      table_legal_q <= 1'b0;
      log_legal_q <= 1'b0;
      item_settings_o <= FirstTable;
      log_settings_o <= FirstLog;
    end
  end

  // ---- what the host reads ----------------------------------------------------------------------
  assign regs_in.ITEM_STATUS.refused.next = refused_q;
  assign regs_in.ITEM_STATUS.ways.next = 3'(Ways);
  assign regs_in.SEGMENTS_FREE.segments.next = state_i.free;
  assign regs_in.SEGMENTS_NEW.segments.next = state_i.count[LogNew];
  assign regs_in.SEGMENTS_MAIN.segments.next = state_i.count[LogMain];
  assign regs_in.SEGMENTS_LOST.segments.next = state_i.lost;
  assign regs_in.ITEMS.items.next = 32'(state_i.live.items);
  assign regs_in.ITEM_UNITS.span.next = state_i.live.span;
  assign regs_in.AGE_NEW.age.next = state_i.ages.last[LogNew];
  assign regs_in.AGE_MAIN.age.next = state_i.ages.last[LogMain];
  assign regs_in.AGE_SUM.age.next = state_i.ages.total[35:4];
  assign regs_in.ITEM_COUNT_HIGH.count.next = count_high;

  // What is read of memory. The register has its value a cycle behind the write.
  always_ff @(posedge clk_i) begin
    ask_o.valid <= regs_out.HOST_READ.address.swmod;
    if (rst_i) ask_o.valid <= 1'b0;
  end

  assign ask_o.segment = regs_out.HOST_READ_SEGMENT.segment.value;
  assign regs_in.HOST_READ_SEGMENT.next.next = told_i.next;
  assign ask_o.run = regs_out.HOST_READ_RUN.beats.value;
  assign ask_o.address = regs_out.HOST_READ.address.value;
  assign regs_in.HOST_READ_STATUS.busy.next = told_i.busy || ask_o.valid;
  assign regs_in.HOST_READ_STATUS.error.next = told_i.error;
  assign regs_in.HOST_READ_STATUS.zeros.next = told_i.zeros;
  assign regs_in.HOST_READ_STATUS.passed.next = told_i.passed;
  assign regs_in.HOST_READ_STATUS.units.next = 3'(ReadUnits);
  assign regs_in.FLUSHED_0.cas.next = state_i.floor[31:0];
  assign regs_in.FLUSHED_1.cas.next = state_i.floor[63:32];
  assign regs_in.FLUSHES.count.next = state_i.flushes;

  for (genvar i = 0; i < 4; i++) begin : gen_data
    assign regs_in.HOST_READ_DATA[i].bytes.next = told_i.data[32*i+:32];
  end

  // ---- counters ---------------------------------------------------------------------------------
  logic [63:0] counted;

  always_comb begin  // the first field of a packed struct is its top bit
    counted = '0;
    for (int unsigned i = 0; i < Events; i++) counted[i] = events_i[Events-1-i];
  end

  wc_counter_regs u_counters (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .event_i  (counted),
    .req_i    (reg_req_i.req && reg_req_i.addr[8]),
    .write_i  (reg_req_i.write),
    .counter_i(reg_req_i.addr[7:2]),
    .wr_ack_o (count_wr_ack),
    .rd_ack_o (count_rd_ack),
    .rdata_o  (count),
    .high_o   (count_high)
  );

endmodule

`default_nettype wire
