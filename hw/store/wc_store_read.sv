// SPDX-License-Identifier: Apache-2.0
// Reads runs of lines from memory and gives them out as the words of values, in order.
// A word of a line that was read in error is marked. So are all words of a block that could not be
// written.
// A stalled consumer fills the line buffer, then holds back R, and then the runs. Nothing is
// dropped, and nothing else is stopped.
// Latency 3 cycles besides that of memory; one word per cycle, with no gap between lines or values.
// Cuts the forward path only: value_ready_i reaches the register of the line in work.
`include "wc_assert.svh"
`default_nettype none

module wc_store_read
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned AddrWidth   = 40,
  parameter int unsigned Bursts      = 32,  // in flight
  parameter int unsigned BufferLines = 16
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic                   push_i,
  output logic                        ready_o,
  input  wire run_t                   run_i,
  input  wire logic                   bad_i,   // the run pushed a cycle before is of a bad block
  output logic                        done_o,  // the oldest run has arrived
  output logic                        unread_o,  // it has, and met an error
  output logic [29:0]                 unread_block_o,
  output logic                        value_valid_o,
  input  wire logic                   value_ready_i,
  output beat_t                       value_o,
  output logic                        error_o,  // memory did not give the word: it is wrong
  output logic [AddrWidth-1:0]        m_axi_araddr,
  output logic [7:0]                  m_axi_arlen,
  output logic                        m_axi_arvalid,
  input  wire logic                   m_axi_arready,
  input  wire logic [8*LineBytes-1:0] m_axi_rdata,
  input  wire logic                   m_axi_rerror,
  input  wire logic                   m_axi_rlast,
  input  wire logic                   m_axi_rvalid,
  output logic                        m_axi_rready
);

  localparam int unsigned LineAddrWidth = AddrWidth - $clog2(LineBytes);

  // How a run ends. It is kept for each burst of the run, as R beats do not name their run.
  typedef struct packed {
    logic        last;   // the run's last burst
    logic        bad;    // the run is of a block that could not be written
    logic [29:0] block;
    logic [2:0]  words;  // tail_words and tail_bytes of run_t
    logic [2:0]  bytes;
  } tail_t;

  typedef struct packed {
    logic                   error;
    logic                   last;   // the run's last line
    logic [2:0]             words;
    logic [2:0]             bytes;
    logic [8*LineBytes-1:0] data;
  } line_t;

  // ---- bursts that are asked for ----------------------------------------------------------------
  logic cut_valid, cut_last;
  logic [2:0] cut_words_q, cut_bytes_q;
  logic [29:0] cut_block_q;
  logic pushed_q, bad_q, bad;
  logic tails_ready;

  assign m_axi_arvalid = cut_valid && tails_ready;

  wc_axi_burst #(
    .LineAddrWidth(LineAddrWidth),
    .CountWidth   (LinesWidth)
  ) u_cut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_i),
    .ready_o(ready_o),
    .line_i (LineAddrWidth'(run_i.line)),
    .count_i(run_i.lines),
    .valid_o(cut_valid),
    .ready_i(m_axi_arready && tails_ready),
    .addr_o (m_axi_araddr),
    .len_o  (m_axi_arlen),
    .last_o (cut_last)
  );

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      cut_words_q <= run_i.tail_words;
      cut_bytes_q <= run_i.tail_bytes;
      cut_block_q <= run_i.line;
    end
    pushed_q <= push_i;
    bad_q <= bad;
  end

  assign bad = pushed_q ? bad_i : bad_q;

  // ---- lines that arrive ------------------------------------------------------------------------
  logic tail_valid;
  tail_t tail;
  logic arrive;
  logic buffer_ready, line_valid, line_ready;
  line_t line_in, line;
  logic error_q;  // an earlier line of the run was read in error

  wc_fifo_shallow #(
    .data_t(tail_t),
    .Depth (Bursts)
  ) u_tails (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(cut_valid && m_axi_arready),
    .ready_o(tails_ready),
    .data_i ('{last: cut_last, bad: bad, block: cut_block_q, words: cut_words_q,
               bytes: cut_bytes_q}),
    .valid_o(tail_valid),
    .ready_i(arrive && m_axi_rlast),
    .data_o (tail)
  );

  assign m_axi_rready = buffer_ready;
  assign arrive = m_axi_rvalid && m_axi_rready;

  always_comb begin
    line_in = '{
        error: tail.bad || m_axi_rerror,
        last: tail.last && m_axi_rlast,
        words: tail.words,
        bytes: tail.bytes,
        data: m_axi_rdata
    };
  end

  always_ff @(posedge clk_i) begin
    done_o <= arrive && line_in.last;
    if (arrive) error_q <= !line_in.last && (error_q || m_axi_rerror);
    unread_o <= arrive && line_in.last && (error_q || m_axi_rerror);
    unread_block_o <= tail.block;
    if (rst_i) begin
      error_q <= 1'b0;
      done_o <= 1'b0;
      unread_o <= 1'b0;
    end
  end

  wc_fifo_shallow #(
    .data_t(line_t),
    .Depth (BufferLines)
  ) u_buffer (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_rvalid),
    .ready_o(buffer_ready),
    .data_i (line_in),
    .valid_o(line_valid),
    .ready_i(line_ready),
    .data_o (line)
  );

  // ---- words that leave -------------------------------------------------------------------------
  // Registers of the line in work, beside that of wc_downsize.
  logic last_q;                  // it is the run's last
  logic [WordBytes-1:0] mask_q;  // bytes of its last word that belong to the value
  logic word_final;
  word_t word;
  beat_t beat;

  wc_downsize #(
    .Width(WordWidth),
    .Ratio(LineWords)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(line_valid),
    .ready_o(line_ready),
    .data_i (line.data),
    .final_i(line.last ? line.words : 3'd7),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o (word),
    .final_o(word_final)
  );

  always_ff @(posedge clk_i) begin
    if (line_ready) begin
      last_q <= line.last;
      error_o <= line.error;
      mask_q <= line.bytes == '0 ? '1 : ~('1 << line.bytes);
    end
  end

  assign beat.last = word_final && last_q;

  // Behind the end of a value memory may hold anything: zeros leave instead.
  for (genvar i = 0; i < WordBytes; i++) begin : gen_byte
    assign beat.data[8*i+:8] = beat.last && !mask_q[i] ? 8'b0 : word[8*i+:8];
  end

  assign value_o = beat;

  `WC_ASSERT_STREAM(ar, m_axi_arvalid, m_axi_arready, {m_axi_araddr, m_axi_arlen})
  `WC_ASSERT(beat_was_asked_for, !m_axi_rvalid || tail_valid)

endmodule

`default_nettype wire
