// SPDX-License-Identifier: Apache-2.0
// Writes items to the logs: to the ring on the chip unit by unit, to memory line by line.
// Jobs are done in their order, in 2 cycles and one for each word of key and value; copies in one and
// one for each unit; patches in 4 at most, and 3 more if their line is in work in a log.
// written_o says, in the order of the jobs that have a place, that an ask in the
// next cycle finds the item's words.
// A beat is a line, or with BeatUnits = 1 a unit: who asks is given one, and so is memory, of a line a
// burst. The jobs' pace is the same: then memory has a beat in every cycle at most.
// Latency 3 cycles from a job to its first unit in the ring, 5 to the answer of an ask, 7 from the
// word that sends a line to memory (of a copy 6) to its first beat; a cycle more with BeatUnits = 1.
// A job waits for its words and for its verdict, and for memory when the ring has no room for another
// line. What waits behind: MostJobs jobs and as many verdicts, KeyWords words of keys. Keys of the
// jobs behind one that waits for its verdict find room there, so the verdict never waits for it.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_write
  import wc_pkg::*;
  import wc_log_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = LineUnits,  // of memory, and of those who ask
  parameter int unsigned Lines     = 256,  // of each log in the ring
  parameter int unsigned KeyWords  = 512,
  parameter int unsigned Readers   = 2,    // who ask whether a line could be written
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, BeatWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(BeatWidth)
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          clear_i,  // nothing is in flight; words of values may wait
  input  wire log_settings_t settings_i,
  input  wire link_t         link_i,
  input  wire logic          write_valid_i,
  output logic               write_ready_o,
  input  wire write_t        write_i,
  input  wire logic          verdict_valid_i,
  output logic               verdict_ready_o,
  input  wire verdict_t      verdict_i,
  input  wire logic          key_valid_i,
  output logic               key_ready_o,
  input  wire beat_t         key_i,
  input  wire logic          value_valid_i,
  output logic               value_ready_o,
  input  wire beat_t         value_i,
  input  wire logic          value_error_i,  // nobody knows what this word should be
  input  wire logic          number_valid_i,  // values of numbers
  output logic               number_ready_o,
  input  wire beat_t         number_i,
  input  wire logic          copy_valid_i,
  output logic               copy_ready_o,
  input  wire copy_unit_t    copy_i,
  output logic               written_o,
  output logic               idle_o,  // no job waits, and memory has every word
  output logic [1:0]         begun_o,  // lines of each log: wc_log_settled
  output logic [1:0]         acked_o,
  // in the order of patches: ring and memory have one, of a header's first unit, of its second
  output logic               patched_o,
  output logic               bumped_o,
  // whoever reads a beat asks whether its line is on the chip
  input  wire logic          ask_valid_i,
  input  wire address_t      ask_address_i,
  output logic               hit_valid_o,
  output logic               hit_o,
  output logic               hit_error_o,  // a word of it is in error
  output logic [BeatWidth-1:0] data_o,
  // and, when it comes from memory, whether it was written there: wc_bad_list
  input  wire line_t [Readers-1:0] bad_ask_line_i,
  output logic [Readers-1:0] bad_o,
  output bad_level_t         bad_level_o,
  output memory_error_t      error_o,
  output axi_req_t           m_axi_req_o,
  input  wire axi_resp_t     m_axi_resp_i
);

  import wc_log_write_pkg::*;

  logic restart;

  assign restart = rst_i || clear_i;

  // ---- queues ----------------------------------------------------------------------------------
  logic job_valid, job_ready, verdict_valid, verdict_ready, key_valid, key_ready;
  logic value_valid, value_ready;
  write_t job;
  verdict_t verdict;
  beat_t key, value;
  logic value_error;

  wc_fifo_wide #(
    .data_t(write_t),
    .Depth (MostJobs)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(write_valid_i),
    .ready_o(write_ready_o),
    .data_i (write_i),
    .valid_o(job_valid),
    .ready_i(job_ready),
    .data_o (job),
    .level_o()
  );

  wc_fifo_wide #(
    .data_t(verdict_t),
    .Depth (MostJobs)
  ) u_verdicts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(verdict_valid_i),
    .ready_o(verdict_ready_o),
    .data_i (verdict_i),
    .valid_o(verdict_valid),
    .ready_i(verdict_ready),
    .data_o (verdict),
    .level_o()
  );

  wc_fifo_wide #(
    .data_t(beat_t),
    .Depth (KeyWords)
  ) u_keys (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(key_valid_i),
    .ready_o(key_ready_o),
    .data_i (key_i),
    .valid_o(key_valid),
    .ready_i(key_ready),
    .data_o (key),
    .level_o()
  );

  // Values come from afar, so their words have a register; ready needs none, as it is soon known.
  assign value_ready_o = !value_valid || value_ready;

  always_ff @(posedge clk_i) begin
    if (value_ready_o) begin
      value_valid <= value_valid_i;
      value <= value_i;
      value_error <= value_error_i;
    end
    if (rst_i) value_valid <= 1'b0;
  end

  // ---- units -----------------------------------------------------------------------------------
  logic made_valid, made_ready, unit_valid, unit_ready, lines_ready, lines_idle, ring_ready;
  place_unit_t made, unit;

  wc_log_units u_units (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (clear_i),
    .segment_bits_i (settings_i.segment_bits),
    .link_i         (link_i),
    .write_valid_i  (job_valid),
    .write_ready_o  (job_ready),
    .write_i        (job),
    .verdict_valid_i(verdict_valid),
    .verdict_ready_o(verdict_ready),
    .verdict_i      (verdict),
    .key_valid_i    (key_valid),
    .key_ready_o    (key_ready),
    .key_i          (key),
    .value_valid_i  (value_valid),
    .value_ready_o  (value_ready),
    .value_i        (value),
    .value_error_i  (value_error),
    .number_valid_i (number_valid_i),
    .number_ready_o (number_ready_o),
    .number_i       (number_i),
    .copy_valid_i   (copy_valid_i),
    .copy_ready_o   (copy_ready_o),
    .copy_i         (copy_i),
    .unit_valid_o   (made_valid),
    .unit_ready_i   (made_ready),
    .unit_o         (made)
  );

  // Where lines are not moved whole, the RAMs of ring and lines are deep, few and far apart.
  if (BeatUnits == LineUnits) begin : gen_near
    assign unit_valid = made_valid;
    assign made_ready = unit_ready;
    assign unit = made;
  end else begin : gen_far
    wc_slice #(
      .data_t(place_unit_t)
    ) u_unit (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(made_valid),
      .ready_o(made_ready),
      .data_i (made),
      .valid_o(unit_valid),
      .ready_i(unit_ready),
      .data_o (unit)
    );
  end

  assign unit_ready = lines_ready && ring_ready;

  logic [$clog2(MostJobs)+1:0] jobs_q;  // that wait, are being done, or were done a cycle ago
  logic job_done_q;
  // An item's last unit may open a line, and the ring forgets an older life of it 5 cycles later.
  logic [3:0] written_q;

  assign written_o = written_q[3];

  always_ff @(posedge clk_i) begin
    written_q <= {written_q[2:0], unit_valid && unit_ready && unit.last};
    job_done_q <= job_ready;  // never without a job
    if ((write_valid_i && write_ready_o) != job_done_q) begin
      jobs_q <= job_done_q ? jobs_q - 1'b1 : jobs_q + 1'b1;
    end
    idle_o <= lines_idle && jobs_q == '0 && !write_valid_i && !made_valid && !unit_valid
              && written_q == '0;
    if (restart) begin
      job_done_q <= 1'b0;
      jobs_q <= '0;
      written_q <= '0;
      idle_o <= 1'b0;
    end
  end

  // ---- where they go ---------------------------------------------------------------------------
  logic bad_put, bad_take, bad_busy, bad_done, unwritten;
  line_t bad_line;

  wc_log_ring #(
    .BeatUnits(BeatUnits),
    .Lines    (Lines)
  ) u_ring (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .clear_i    (clear_i),
    .ready_o    (ring_ready),
    .write_i    (unit_valid && unit_ready && unit.write),
    .patch_i    (unit_valid && unit_ready && unit.patch),
    .open_i     (unit.opens),
    .log_i      (unit.log),
    .line_i     (unit.line),
    .unit_i     (unit.number),
    .data_i     (unit.data),
    .error_i    (unit.error),
    .ask_valid_i(ask_valid_i),
    .ask_address_i(ask_address_i),
    .hit_valid_o(hit_valid_o),
    .hit_o      (hit_o),
    .error_o    (hit_error_o),
    .data_o     (data_o)
  );

  wc_log_lines #(
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .Lines    (Lines)
  ) u_lines (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .clear_i     (clear_i),
    .unit_valid_i(unit_valid && ring_ready),
    .unit_ready_o(lines_ready),
    .unit_i      (unit),
    .idle_o      (lines_idle),
    .begun_o     (begun_o),
    .acked_o     (acked_o),
    .patched_o   (patched_o),
    .bumped_o    (bumped_o),
    .unwritten_o (unwritten),
    .bad_put_o   (bad_put),
    .bad_take_o  (bad_take),
    .bad_line_o  (bad_line),
    .bad_busy_i  (bad_busy),
    .bad_done_i  (bad_done),
    .m_axi_req_o (m_axi_req_o),
    .m_axi_resp_i(m_axi_resp_i)
  );

  // ---- lines that do not count ------------------------------------------------------------------
  // They could not be written, or have a word in error.
  wc_bad_list #(
    .Width  ($bits(line_t)),
    .Entries(BadPlaces),
    .Askers (Readers)
  ) u_bad (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(clear_i),
    .ask_i  (bad_ask_line_i),
    .hit_o  (bad_o),
    .put_i  (bad_put),
    .take_i (bad_take),
    .place_i(bad_line),
    .busy_o (bad_busy),
    .done_o (bad_done),
    .level_o(bad_level_o.level),
    .all_o  (bad_level_o.all)
  );

  always_ff @(posedge clk_i) begin
    error_o <= '{write: unwritten, write_line: 32'(bad_line), default: '0};
    if (rst_i) error_o.write <= 1'b0;
  end

endmodule

`default_nettype wire
