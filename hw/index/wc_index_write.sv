// SPDX-License-Identifier: Apache-2.0
// Write side of the AXI port: runs of lines become bursts, stripes become lines of which only some
// slots are written, with the stripe or with zeros. Tells in the order of the SETs and DELETEs when
// each is done: when its last burst is acknowledged, or at once if it writes nothing.
// Latency 1 to AW and W, 3 or more from the decision or the last acknowledgement to done_o; a line
// a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_index_write #(
  parameter int unsigned Slots     = 8,
  parameter int unsigned InFlight  = 64,  // SETs and DELETEs that wait to be done
  parameter int unsigned AddrWidth = 40
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire logic                     run_valid_i,
  output logic                          run_ready_o,
  input  wire wc_index_pkg::line_t      run_line_i,
  input  wire wc_index_pkg::count_t     run_count_i,
  input  wire logic                     line_valid_i,
  output logic                          line_ready_o,
  input  wire wc_pkg::word_t            line_i,
  input  wire logic [Slots-1:0]         line_slots_i,  // get the stripe
  input  wire logic [Slots-1:0]         line_zeros_i,  // get zeros
  input  wire logic                     line_last_i,
  input  wire logic                     ordered_i,  // the runs are those of decided operations
  input  wire logic                     decided_i,
  input  wire logic                     decided_writes_i,
  output logic                          done_o,   // the oldest decided one is
  output logic                          acked_o,  // a run is in memory
  output logic [AddrWidth-1:0]          m_axi_awaddr,
  output logic [7:0]                    m_axi_awlen,
  output logic                          m_axi_awvalid,
  input  wire logic                     m_axi_awready,
  output logic [Slots*64-1:0]           m_axi_wdata,
  output logic [Slots*8-1:0]            m_axi_wstrb,
  output logic                          m_axi_wlast,
  output logic                          m_axi_wvalid,
  input  wire logic                     m_axi_wready,
  input  wire logic                     m_axi_bvalid,
  output logic                          m_axi_bready
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned BusBytes = Slots * WordBytes;
  localparam int unsigned LineWidth = AddrWidth - $clog2(BusBytes);
  localparam int unsigned InPage = 12 - $clog2(BusBytes);
  localparam int unsigned CountWidth = InPage < $bits(count_t) ? $bits(count_t) : InPage;
  localparam int unsigned Bursts = 2 * InFlight;  // that may wait for their acknowledgement

  // ---- addresses -------------------------------------------------------------------------------
  logic burst_valid, burst_last, track_ready;

  wc_axi_burst #(
    .LineBytes    (BusBytes),
    .LineAddrWidth(LineWidth),
    .CountWidth   (CountWidth)
  ) u_burst (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(run_valid_i),
    .ready_o(run_ready_o),
    .line_i (LineWidth'(run_line_i)),
    .count_i(CountWidth'(run_count_i)),
    .valid_o(burst_valid),
    .ready_i(m_axi_awready && track_ready),
    .addr_o (m_axi_awaddr),
    .len_o  (m_axi_awlen),
    .last_o (burst_last)
  );

  assign m_axi_awvalid = burst_valid && track_ready;

  // ---- data ------------------------------------------------------------------------------------
  typedef struct packed {
    word_t stripe;
    logic [Slots-1:0] slots;
    logic [Slots-1:0] zeros;
    logic last;
  } beat_line_t;

  beat_line_t line;

  wc_slice #(
    .data_t(beat_line_t)
  ) u_line (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(line_valid_i),
    .ready_o(line_ready_o),
    .data_i ('{stripe: line_i, slots: line_slots_i, zeros: line_zeros_i,
               last: line_last_i}),
    .valid_o(m_axi_wvalid),
    .ready_i(m_axi_wready),
    .data_o (line)
  );

  assign m_axi_wlast = line.last;
  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    assign m_axi_wdata[64*i+:64] = line.zeros[i] ? '0 : line.stripe;
    assign m_axi_wstrb[8*i+:8] = {8{line.slots[i] || line.zeros[i]}};
  end

  // ---- acknowledgements ------------------------------------------------------------------------
  logic track_last, track_valid;

  wc_fifo #(
    .data_t(logic),
    .Depth (Bursts)
  ) u_track (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_awvalid && m_axi_awready),
    .ready_o(track_ready),
    .data_i (burst_last),
    .valid_o(track_valid),
    .ready_i(m_axi_bvalid),
    .data_o (track_last),
    .level_o()
  );

  assign m_axi_bready = track_valid;

  always_ff @(posedge clk_i) begin
    acked_o <= m_axi_bvalid && track_valid && track_last;
    if (rst_i) acked_o <= 1'b0;
  end

  // ---- done, in order --------------------------------------------------------------------------
  logic waiting_valid, waiting_writes, waiting_ready;
  logic [$clog2(Bursts):0] acks_q;  // runs acknowledged, their operation not yet done
  logic have_ack_q;
  logic decided_q, decided_writes_q;
  logic done, spend;

  wc_fifo #(
    .data_t(logic),
    .Depth (InFlight)
  ) u_waiting (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(decided_q),
    .ready_o(waiting_ready),
    .data_i (decided_writes_q),
    .valid_o(waiting_valid),
    .ready_i(done),
    .data_o (waiting_writes),
    .level_o()
  );

  // The stages that decide and that wait for done_o lie far apart: a register on either side.
  assign done = waiting_valid && (have_ack_q || !waiting_writes);
  assign spend = done && waiting_writes;

  always_ff @(posedge clk_i) begin
    decided_q <= decided_i;
    decided_writes_q <= decided_writes_i;
    done_o <= done;
    if (acked_o && ordered_i && !spend) begin
      acks_q <= acks_q + 1'b1;
      have_ack_q <= 1'b1;
    end else if (spend && !acked_o) begin
      acks_q <= acks_q - 1'b1;
      have_ack_q <= acks_q != 1;
    end
    if (rst_i) begin
      decided_q <= 1'b0;
      done_o <= 1'b0;
      acks_q <= '0;
      have_ack_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(aw, m_axi_awvalid, m_axi_awready, {m_axi_awaddr, m_axi_awlen})
  `WC_ASSERT(waiting_has_room, !decided_q || waiting_ready)

endmodule

`default_nettype wire
