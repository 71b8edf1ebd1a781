// SPDX-License-Identifier: Apache-2.0
// Writes the words of values to memory, and discards those of SETs that failed.
// Only whole words are written: the padding of a value's last word goes along, what memory holds
// behind it stays.
// When a burst of a run meets an error, the run's block is handed to wc_bad_list, and done_o waits
// until the list has the block. A block that is written without an error is taken off the list.
// Latency 2 from a line's last word to the W channel, 3 for a line of one or two words; one word
// per cycle, with no gap between lines or values.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_store_write
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned Runs      = 32  // runs whose words are not all taken; bursts in flight
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              push_i,
  output logic                   ready_o,
  input  wire run_t              run_i,
  input  wire logic              discard_i,
  input  wire logic              keep_i,  // the words go to the ring too
  output logic                   done_o,  // the oldest run is acknowledged
  // blocks that could not be written
  output logic                   bad_put_o,
  output logic                   bad_take_o,
  output logic [29:0]            bad_o,
  input  wire logic              bad_busy_i,
  input  wire logic              bad_done_i,
  input  wire logic              value_valid_i,
  output logic                   value_ready_o,
  input  wire beat_t             value_i,
  output logic                   ring_write_o,  // value_i is taken, and goes to the ring too
  output logic [AddrWidth-1:0]   m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic                   m_axi_awvalid,
  input  wire logic              m_axi_awready,
  output logic [8*LineBytes-1:0] m_axi_wdata,
  output logic [LineBytes-1:0]   m_axi_wstrb,
  output logic                   m_axi_wlast,
  output logic                   m_axi_wvalid,
  input  wire logic              m_axi_wready,
  input  wire logic              m_axi_bvalid,
  input  wire logic              m_axi_berror,
  output logic                   m_axi_bready
);

  localparam int unsigned LineAddrWidth = AddrWidth - $clog2(LineBytes);
  localparam int unsigned PageBits = `WC_AXI_PAGE_BITS - $clog2(LineBytes);

  // ---- addresses and their acknowledgements -----------------------------------------------------
  logic cut_valid, cut_run_ready, cut_last;
  typedef struct packed {
    logic        last;   // the last burst of its run
    logic [29:0] block;
  } flag_t;

  logic flags_ready, flag_valid;
  flag_t flag;
  logic [29:0] block_q;  // of the run in work
  logic b_take;
  logic error_q;         // an earlier burst of the run met an error
  logic bad_last_q;      // the burst that wc_bad_list was told of is the last of its run
  logic jobs_ready;

  assign ready_o = cut_run_ready && jobs_ready;
  assign m_axi_awvalid = cut_valid && flags_ready;

  wc_axi_burst #(
    .LineAddrWidth(LineAddrWidth),
    .CountWidth   (LinesWidth)
  ) u_cut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_i && !discard_i),
    .ready_o(cut_run_ready),
    .line_i (LineAddrWidth'(run_i.line)),
    .count_i(run_i.lines),
    .valid_o(cut_valid),
    .ready_i(m_axi_awready && flags_ready),
    .addr_o (m_axi_awaddr),
    .len_o  (m_axi_awlen),
    .last_o (cut_last)
  );

  wc_fifo_shallow #(
    .data_t(flag_t),
    .Depth (Runs)
  ) u_flags (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_awvalid && m_axi_awready),
    .ready_o(flags_ready),
    .data_i ('{last: cut_last, block: block_q}),
    .valid_o(flag_valid),
    .ready_i(m_axi_bvalid && m_axi_bready),
    .data_o (flag)
  );

  assign m_axi_bready = !bad_busy_i;
  assign b_take = m_axi_bvalid && m_axi_bready;
  assign bad_put_o = b_take && m_axi_berror;
  assign bad_take_o = b_take && !m_axi_berror && flag.last && !error_q;
  assign bad_o = flag.block;

  always_ff @(posedge clk_i) begin
    if (push_i && !discard_i) block_q <= run_i.line;
    if (b_take) error_q <= !flag.last && (error_q || m_axi_berror);
    if (bad_put_o) bad_last_q <= flag.last;
    done_o <= (b_take && !m_axi_berror && flag.last) || (bad_done_i && bad_last_q);
    if (rst_i) begin
      error_q <= 1'b0;
      done_o <= 1'b0;
    end
  end

  // ---- words ------------------------------------------------------------------------------------
  typedef struct packed {
    logic                discard;
    logic                keep;
    logic [PageBits-1:0] line;  // the run's first, in its page
  } job_t;

  job_t job;
  logic job_valid, job_take;
  // Registers of the run whose words are taken.
  logic busy_q, discard_q, keep_q;
  logic [PageBits+2:0] place_q;  // of the next word, in its page
  logic value_take;
  logic word_valid, word_ready;
  beat_t word_in, word;
  logic lines_ready;
  logic [LineWords-1:0] keep;

  wc_fifo_shallow #(
    .data_t(job_t),
    .Depth (Runs)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_i),
    .ready_o(jobs_ready),
    .data_i ('{discard: discard_i, keep: keep_i, line: run_i.line[PageBits-1:0]}),
    .valid_o(job_valid),
    .ready_i(job_take),
    .data_o (job)
  );

  assign value_ready_o = busy_q && (discard_q || word_ready);
  assign value_take = value_valid_i && value_ready_o;
  assign ring_write_o = value_take && keep_q;
  assign job_take = !busy_q || (value_take && value_i.last);

  always_ff @(posedge clk_i) begin
    if (value_take) place_q <= place_q + 1'b1;
    if (job_take) begin
      busy_q <= job_valid;
      discard_q <= job.discard;
      keep_q <= job.keep;
      place_q <= {job.line, 3'b0};
    end
    if (rst_i) busy_q <= 1'b0;
  end

  // A burst ends with its page or with its value, as do those of wc_axi_burst.
  assign word_in = '{data: value_i.data, last: value_i.last || place_q == '1};

  wc_slice #(
    .data_t(beat_t)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(value_valid_i && busy_q && !discard_q),
    .ready_o(word_ready),
    .data_i (word_in),
    .valid_o(word_valid),
    .ready_i(lines_ready),
    .data_o (word)
  );

  wc_upsize #(
    .Width(WordWidth),
    .Ratio(LineWords)
  ) u_lines (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(word_valid),
    .ready_o(lines_ready),
    .data_i (word.data),
    .last_i (word.last),
    .valid_o(m_axi_wvalid),
    .ready_i(m_axi_wready),
    .data_o (m_axi_wdata),
    .keep_o (keep),
    .last_o (m_axi_wlast)
  );

  for (genvar i = 0; i < LineWords; i++) begin : gen_strobe
    assign m_axi_wstrb[WordBytes*i+:WordBytes] = {WordBytes{keep[i]}};
  end

  `WC_ASSERT(answer_was_asked_for, !m_axi_bvalid || flag_valid)
  `WC_ASSERT_STREAM(aw, m_axi_awvalid, m_axi_awready, {m_axi_awaddr, m_axi_awlen})

endmodule

`default_nettype wire
