// SPDX-License-Identifier: Apache-2.0
// Writes the words of values to memory, and swallows those that have no place there.
// Latency 2 from a line's last word to the W channel, 3 for a line of one or two; one word per
// cycle, with no gap between lines or values. Only whole words are written: their padding goes
// along, what lies behind stays.
`include "wc_assert.svh"
`default_nettype none

module wc_store_write
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned Runs      = 32  // whose words are not all taken, and bursts in flight
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              push_i,
  output logic                   ready_o,
  input  wire run_t              run_i,
  input  wire logic              discard_i,
  input  wire logic              keep_i,  // the words go to the ring too
  output logic                   done_o,  // the oldest run is acknowledged
  input  wire logic              value_valid_i,
  output logic                   value_ready_o,
  input  wire beat_t             value_i,
  output logic                   ring_write_o,  // value_i is such a word, and taken
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
  output logic                   m_axi_bready
);

  localparam int unsigned LineAddrWidth = AddrWidth - $clog2(LineBytes);
  localparam int unsigned PageBits = $clog2(PageLines);

  // ---- addresses and their acknowledgements -----------------------------------------------------
  logic cut_valid, cut_run_ready, cut_last;
  logic flags_ready, flag_valid, flag;
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
    .data_t(logic),
    .Depth (Runs)
  ) u_flags (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_awvalid && m_axi_awready),
    .ready_o(flags_ready),
    .data_i (cut_last),
    .valid_o(flag_valid),
    .ready_i(m_axi_bvalid),
    .data_o (flag)
  );

  assign m_axi_bready = 1'b1;

  always_ff @(posedge clk_i) begin
    done_o <= m_axi_bvalid && flag;
    if (rst_i) done_o <= 1'b0;
  end

  // ---- words ------------------------------------------------------------------------------------
  typedef struct packed {
    logic                discard;
    logic                keep;
    logic [PageBits-1:0] line;  // where in its page the run starts
  } job_t;

  job_t job;
  logic job_valid, job_take;
  logic busy_q, discard_q, keep_q;
  logic [PageBits+2:0] place_q;  // of the next word in its page
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

  // A burst ends with its page or its value, which is where wc_axi_burst ends it too.
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
