// SPDX-License-Identifier: Apache-2.0
// Read side of wc_axi_384: asks for the bursts that cover the lines, makes three lines of every
// four beats, and drops those that nobody asked for. A line is in error when one of its beats is.
// Latency 3 to the first burst's address, 1 from a line's last beat. Throughput: a beat a cycle,
// with no gap between bursts.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_384_read #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned Bursts    = 64  // in flight
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic [AddrWidth-1:0] s_axi_araddr,
  input  wire logic [7:0]           s_axi_arlen,
  input  wire logic                 s_axi_arvalid,
  output logic                      s_axi_arready,
  output logic      [511:0]         s_axi_rdata,
  output logic                      s_axi_rerror,
  output logic                      s_axi_rlast,
  output logic                      s_axi_rvalid,
  input  wire logic                 s_axi_rready,
  output logic      [AddrWidth-1:0] m_axi_araddr,
  output logic                      m_axi_arvalid,
  input  wire logic                 m_axi_arready,
  input  wire logic [383:0]         m_axi_rdata,
  input  wire logic                 m_axi_rerror,
  input  wire logic                 m_axi_rlast,
  input  wire logic                 m_axi_rvalid,
  output logic                      m_axi_rready
);

  typedef struct packed {
    logic [2:0] first;
    logic [2:0] last;
    logic       final_burst;  // of the run
  } span_t;

  // ---- asking -----------------------------------------------------------------------------------
  logic cut_valid, spans_ready, span_valid;
  span_t cut, span;
  logic beat_take;

  wc_axi_384_cut #(
    .AddrWidth(AddrWidth)
  ) u_cut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_arvalid),
    .ready_o(s_axi_arready),
    .addr_i (s_axi_araddr),
    .len_i  (s_axi_arlen),
    .valid_o(cut_valid),
    .ready_i(m_axi_arready && spans_ready),
    .addr_o (m_axi_araddr),
    .first_o(cut.first),
    .last_o (cut.last),
    .final_o(cut.final_burst)
  );

  assign m_axi_arvalid = cut_valid && spans_ready;

  wc_fifo_shallow #(
    .data_t(span_t),
    .Depth (Bursts)
  ) u_spans (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(cut_valid && m_axi_arready),
    .ready_o(spans_ready),
    .data_i (cut),
    .valid_o(span_valid),
    .ready_i(beat_take && m_axi_rlast),
    .data_o (span)
  );

  // ---- arriving ---------------------------------------------------------------------------------
  logic [1:0] phase_q;    // of four beats
  logic [2:0] place_q;    // of the next line in its burst
  logic [383:0] before_q; // the beat before
  logic error_q;          // it was in error
  logic line, wanted;

  assign m_axi_rready = !s_axi_rvalid || s_axi_rready;
  assign beat_take = m_axi_rvalid && m_axi_rready;
  assign line = phase_q != 2'd0;  // the beat completes one
  assign wanted = line && place_q >= span.first && place_q <= span.last;

  always_ff @(posedge clk_i) begin
    if (beat_take) begin
      phase_q <= phase_q + 1'b1;
      if (m_axi_rlast) place_q <= '0;
      else if (line) place_q <= place_q + 1'b1;
      before_q <= m_axi_rdata;
      error_q <= m_axi_rerror;
    end
    if (m_axi_rready) begin
      s_axi_rvalid <= m_axi_rvalid && wanted;
      s_axi_rlast <= span.final_burst && place_q == span.last;
      s_axi_rerror <= m_axi_rerror || error_q;
      unique case (phase_q)
        2'd1: s_axi_rdata <= {m_axi_rdata[127:0], before_q};
        2'd2: s_axi_rdata <= {m_axi_rdata[255:0], before_q[383:128]};
        default: s_axi_rdata <= {m_axi_rdata, before_q[383:256]};
      endcase
    end
    if (rst_i) begin
      phase_q <= '0;
      place_q <= '0;
      s_axi_rvalid <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(r, s_axi_rvalid, s_axi_rready, {s_axi_rdata, s_axi_rlast, s_axi_rerror})
  `WC_ASSERT(beat_was_asked_for, !m_axi_rvalid || span_valid)
  `WC_ASSERT(burst_of_eight, !beat_take || m_axi_rlast == (phase_q == 2'd3 && place_q == 3'd5))

endmodule

`default_nettype wire
