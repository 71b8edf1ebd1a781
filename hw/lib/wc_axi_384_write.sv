// SPDX-License-Identifier: Apache-2.0
// Write side of wc_axi_384: lines become whole bursts of eight beats, four beats of every three
// lines, with strobes only where there is a line. Acknowledges a run with its last burst, and then says
// whether one of its bursts met an error.
// Latency 3 to the first burst's address, 2 more to its first beat. Throughput: a beat a cycle,
// with no gap between bursts. A line is not taken before its burst's address has gone.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_384_write #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned Bursts    = 32  // not acknowledged
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic [AddrWidth-1:0] s_axi_awaddr,
  input  wire logic [7:0]           s_axi_awlen,
  input  wire logic                 s_axi_awvalid,
  output logic                      s_axi_awready,
  input  wire logic [511:0]         s_axi_wdata,
  input  wire logic [63:0]          s_axi_wstrb,
  input  wire logic                 s_axi_wlast,
  input  wire logic                 s_axi_wvalid,
  output logic                      s_axi_wready,
  output logic                      s_axi_bvalid,
  output logic                      s_axi_berror,
  input  wire logic                 s_axi_bready,
  output logic      [AddrWidth-1:0] m_axi_awaddr,
  output logic                      m_axi_awvalid,
  input  wire logic                 m_axi_awready,
  output logic      [383:0]         m_axi_wdata,
  output logic      [47:0]          m_axi_wstrb,
  output logic                      m_axi_wlast,
  output logic                      m_axi_wvalid,
  input  wire logic                 m_axi_wready,
  input  wire logic                 m_axi_bvalid,
  input  wire logic                 m_axi_berror,
  output logic                      m_axi_bready
);

  localparam logic [2:0] LastLine = 3'd5;

  typedef struct packed {
    logic [2:0] first;
    logic [2:0] last;
    logic       final_burst;  // of the run
  } span_t;

  // ---- addresses and their acknowledgements -----------------------------------------------------
  logic cut_valid, cut_go, spans_ready, span_valid, span_done;
  logic finals_ready, final_valid, final_burst;
  span_t cut, span;

  wc_axi_384_cut #(
    .AddrWidth(AddrWidth)
  ) u_cut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_awvalid),
    .ready_o(s_axi_awready),
    .addr_i (s_axi_awaddr),
    .len_i  (s_axi_awlen),
    .valid_o(cut_valid),
    .ready_i(m_axi_awready && spans_ready && finals_ready),
    .addr_o (m_axi_awaddr),
    .first_o(cut.first),
    .last_o (cut.last),
    .final_o(cut.final_burst)
  );

  assign m_axi_awvalid = cut_valid && spans_ready && finals_ready;
  assign cut_go = m_axi_awvalid && m_axi_awready;

  wc_fifo_shallow #(
    .data_t(span_t),
    .Depth (Bursts)
  ) u_spans (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(cut_go),
    .ready_o(spans_ready),
    .data_i (cut),
    .valid_o(span_valid),
    .ready_i(span_done),
    .data_o (span)
  );

  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Bursts)
  ) u_finals (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(cut_go),
    .ready_o(finals_ready),
    .data_i (cut.final_burst),
    .valid_o(final_valid),
    .ready_i(m_axi_bvalid && m_axi_bready),
    .data_o (final_burst)
  );

  assign s_axi_bvalid = m_axi_bvalid && final_burst;
  assign m_axi_bready = s_axi_bready || !final_burst;

  logic error_q;  // of the run's bursts before this one, one met an error
  assign s_axi_berror = m_axi_berror || error_q;

  always_ff @(posedge clk_i) begin
    if (m_axi_bvalid && m_axi_bready) error_q <= !final_burst && s_axi_berror;
    if (rst_i) error_q <= 1'b0;
  end

  // ---- data -------------------------------------------------------------------------------------
  logic [1:0] phase_q;     // of four beats; the last of them needs no line
  logic [2:0] place_q;     // of the next line in its burst, LastLine too when that is all there
  logic [383:0] rest_q;    // of the line before
  logic [47:0] rest_strb_q;
  logic line, wanted, room, step;
  logic [63:0] strobe;

  assign line = phase_q != 2'd3;
  assign wanted = line && place_q >= span.first && place_q <= span.last;
  assign room = span_valid && (m_axi_wready || !m_axi_wvalid);
  assign step = room && (s_axi_wvalid || !wanted);
  assign s_axi_wready = room && wanted;
  assign strobe = wanted ? s_axi_wstrb : '0;
  assign span_done = step && phase_q == 2'd3 && place_q == LastLine;

  always_ff @(posedge clk_i) begin
    if (m_axi_wready) m_axi_wvalid <= 1'b0;
    if (step) begin
      m_axi_wvalid <= 1'b1;
      m_axi_wlast <= span_done;
      phase_q <= phase_q + 1'b1;
      if (span_done) place_q <= '0;
      else if (line && place_q != LastLine) place_q <= place_q + 1'b1;
      rest_q <= s_axi_wdata[511:128];
      rest_strb_q <= strobe[63:16];
      unique case (phase_q)
        2'd0: begin
          m_axi_wdata <= s_axi_wdata[383:0];
          m_axi_wstrb <= strobe[47:0];
        end
        2'd1: begin
          m_axi_wdata <= {s_axi_wdata[255:0], rest_q[383:256]};
          m_axi_wstrb <= {strobe[31:0], rest_strb_q[47:32]};
        end
        2'd2: begin
          m_axi_wdata <= {s_axi_wdata[127:0], rest_q[383:128]};
          m_axi_wstrb <= {strobe[15:0], rest_strb_q[47:16]};
        end
        default: begin
          m_axi_wdata <= rest_q;
          m_axi_wstrb <= rest_strb_q;
        end
      endcase
    end
    if (rst_i) begin
      phase_q <= '0;
      place_q <= '0;
      m_axi_wvalid <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(w, m_axi_wvalid, m_axi_wready, {m_axi_wdata, m_axi_wstrb, m_axi_wlast})
  `WC_ASSERT(answer_was_asked_for, !m_axi_bvalid || final_valid)
  `WC_ASSERT(last_line, !(s_axi_wvalid && s_axi_wready)
             || s_axi_wlast == (span.final_burst && place_q == span.last))

endmodule

`default_nettype wire
