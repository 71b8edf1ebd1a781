// SPDX-License-Identifier: Apache-2.0
// Write side of the AXI port: makes bursts of runs of lines, and lines of stripes. Of a line only
// some slots are written, with the stripe or with zeros.
// Tells in the order of the operations that may write when each is done: when its last burst is
// acknowledged, or at once if it writes nothing.
// When a burst meets an error, its bucket is handed to wc_bad_list. The acknowledgement is held
// back until the list has the bucket: an operation that comes once the write is done finds the
// bucket there.
// Latency 1 to AW and W, 3 or more from the decision or the last acknowledgement to done_o; a line
// a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_index_write #(
  parameter int unsigned Slots     = 8,
  parameter int unsigned InFlight  = 64,  // operations that wait to be done
  parameter int unsigned AddrWidth = 40
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire logic                     run_valid_i,
  output logic                          run_ready_o,
  input  wire wc_index_pkg::line_t      run_line_i,
  input  wire wc_index_pkg::count_t     run_count_i,
  input  wire wc_index_pkg::line_t      run_bucket_i,  // its bucket's first header line
  input  wire logic                     line_valid_i,
  output logic                          line_ready_o,
  input  wire wc_pkg::word_t            line_i,
  input  wire logic [Slots-1:0]         line_slots_i,  // these get the stripe
  input  wire logic [Slots-1:0]         line_zeros_i,  // these get zeros
  input  wire logic                     line_last_i,
  input  wire logic                     ordered_i,  // the runs are those of operations
  input  wire logic                     decided_i,  // an operation that may write is decided
  input  wire logic                     decided_writes_i,
  output logic                          done_o,   // the oldest of the decided ones is done
  output logic                          acked_o,  // a run is in memory, or its bucket in the list
  // buckets that could not be written
  output logic                          bad_put_o,
  output wc_index_pkg::line_t           bad_o,
  input  wire logic                     bad_busy_i,
  input  wire logic                     bad_done_i,
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
  input  wire logic                     m_axi_berror,
  output logic                          m_axi_bready
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned BusBytes = Slots * WordBytes;
  localparam int unsigned LineWidth = AddrWidth - $clog2(BusBytes);
  localparam int unsigned Bursts = 2 * InFlight;  // bursts that wait for their acknowledgement

  // ---- addresses -------------------------------------------------------------------------------
  logic burst_valid, burst_last, track_ready;

  wc_axi_burst #(
    .LineBytes    (BusBytes),
    .LineAddrWidth(LineWidth),
    .CountWidth   ($bits(count_t))
  ) u_burst (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(run_valid_i),
    .ready_o(run_ready_o),
    .line_i (LineWidth'(run_line_i)),
    .count_i(run_count_i),
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
  typedef struct packed {
    logic  last;    // the last burst of its run
    line_t bucket;
  } track_t;

  logic track_valid;
  track_t track;
  line_t bucket_q;    // of the run in work
  logic b_take;
  logic bad_last_q;   // the burst that wc_bad_list was told of is the last of its run

  always_ff @(posedge clk_i) begin
    if (run_valid_i && run_ready_o) bucket_q <= run_bucket_i;
  end

  wc_fifo #(
    .data_t(track_t),
    .Depth (Bursts)
  ) u_track (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_awvalid && m_axi_awready),
    .ready_o(track_ready),
    .data_i ('{last: burst_last, bucket: bucket_q}),
    .valid_o(track_valid),
    .ready_i(m_axi_bvalid && !bad_busy_i),
    .data_o (track),
    .level_o()
  );

  assign m_axi_bready = track_valid && !bad_busy_i;
  assign b_take = m_axi_bvalid && m_axi_bready;
  assign bad_put_o = b_take && m_axi_berror;
  assign bad_o = track.bucket;

  always_ff @(posedge clk_i) begin
    acked_o <= (b_take && !m_axi_berror && track.last) || (bad_done_i && bad_last_q);
    if (bad_put_o) bad_last_q <= track.last;
    if (rst_i) acked_o <= 1'b0;
  end

  // ---- done, in order --------------------------------------------------------------------------
  logic waiting_valid, waiting_writes, waiting_ready;
  logic [$clog2(Bursts):0] acks_q;  // runs that are acknowledged and whose operation is not done
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

  // The stage that decides and the one that waits for done_o lie far apart, so there is a register
  // on either side.
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
