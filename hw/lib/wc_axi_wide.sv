// SPDX-License-Identifier: Apache-2.0
// AXI4 from lines to a memory of beats twice as wide: a beat holds two lines. Reads take the beats
// that cover their lines and give out the halves that were asked for; writes put lines that share a
// beat together, and strobe only those.
// Latency: none for addresses and acknowledgements, 1 for data. Throughput: a line a cycle, with no
// gap between beats or bursts. A written line is not taken before its burst's address.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_wide #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned LineWidth = 256,
  parameter int unsigned Reads     = 64,  // bursts in flight
  parameter int unsigned Writes    = 16,  // bursts whose lines have not all come
  localparam int unsigned MemWidth = 2 * LineWidth
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic [AddrWidth-1:0]   s_axi_awaddr,
  input  wire logic [7:0]             s_axi_awlen,
  input  wire logic                   s_axi_awvalid,
  output logic                        s_axi_awready,
  input  wire logic [LineWidth-1:0]   s_axi_wdata,
  input  wire logic [LineWidth/8-1:0] s_axi_wstrb,
  input  wire logic                   s_axi_wlast,
  input  wire logic                   s_axi_wvalid,
  output logic                        s_axi_wready,
  output logic                        s_axi_bvalid,
  input  wire logic                   s_axi_bready,
  input  wire logic [AddrWidth-1:0]   s_axi_araddr,
  input  wire logic [7:0]             s_axi_arlen,
  input  wire logic                   s_axi_arvalid,
  output logic                        s_axi_arready,
  output logic      [LineWidth-1:0]   s_axi_rdata,
  output logic                        s_axi_rlast,
  output logic                        s_axi_rvalid,
  input  wire logic                   s_axi_rready,
  output logic      [AddrWidth-1:0]   m_axi_awaddr,
  output logic      [7:0]             m_axi_awlen,
  output logic                        m_axi_awvalid,
  input  wire logic                   m_axi_awready,
  output logic      [MemWidth-1:0]    m_axi_wdata,
  output logic      [MemWidth/8-1:0]  m_axi_wstrb,
  output logic                        m_axi_wlast,
  output logic                        m_axi_wvalid,
  input  wire logic                   m_axi_wready,
  input  wire logic                   m_axi_bvalid,
  output logic                        m_axi_bready,
  output logic      [AddrWidth-1:0]   m_axi_araddr,
  output logic      [7:0]             m_axi_arlen,
  output logic                        m_axi_arvalid,
  input  wire logic                   m_axi_arready,
  input  wire logic [MemWidth-1:0]    m_axi_rdata,
  input  wire logic                   m_axi_rlast,
  input  wire logic                   m_axi_rvalid,
  output logic                        m_axi_rready
);

  localparam int unsigned LineBytes = LineWidth / 8;
  localparam int unsigned HalfBit = $clog2(LineBytes);  // of an address: which half of a beat

  `WC_REQUIRE(line_width, LineWidth == 2 ** $clog2(LineWidth) && LineWidth >= 64,
              "wc_axi_wide: LineWidth must be a power of two of 64 or more")

  typedef struct packed {
    logic first;  // half in which the burst begins
    logic last;   // and in which it ends
  } span_t;

  // Beats that len + 1 lines touch, less one.
  function automatic logic [7:0] beats(logic first, logic [7:0] len);
    return 8'((9'(len) + 9'(first)) >> 1);
  endfunction

  // ---- read -------------------------------------------------------------------------------------
  logic reads_ready, read_valid;
  span_t read;
  logic begin_q;            // the next beat is its burst's first
  logic [1:0] halves_q;     // yet to be given out
  logic [1:0] halves;
  logic [MemWidth-1:0] beat_q;
  logic last_q, beat_take;

  assign m_axi_araddr = {s_axi_araddr[AddrWidth-1:HalfBit+1], (HalfBit + 1)'(0)};
  assign m_axi_arlen = beats(s_axi_araddr[HalfBit], s_axi_arlen);
  assign m_axi_arvalid = s_axi_arvalid && reads_ready;
  assign s_axi_arready = m_axi_arready && reads_ready;

  wc_fifo_shallow #(
    .data_t(span_t),
    .Depth (Reads)
  ) u_reads (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_arvalid && m_axi_arready),
    .ready_o(reads_ready),
    .data_i ('{first: s_axi_araddr[HalfBit], last: s_axi_araddr[HalfBit] ^ s_axi_arlen[0]}),
    .valid_o(read_valid),
    .ready_i(beat_take && m_axi_rlast),
    .data_o (read)
  );

  assign halves = {!(m_axi_rlast && !read.last), !(begin_q && read.first)};
  assign m_axi_rready = !s_axi_rvalid || (s_axi_rready && halves_q != 2'b11);
  assign beat_take = m_axi_rvalid && m_axi_rready;
  assign s_axi_rvalid = halves_q != '0;
  assign s_axi_rdata = halves_q[0] ? beat_q[LineWidth-1:0] : beat_q[MemWidth-1:LineWidth];
  assign s_axi_rlast = last_q && halves_q != 2'b11;

  always_ff @(posedge clk_i) begin
    if (m_axi_rready) begin
      beat_q <= m_axi_rdata;
      last_q <= m_axi_rlast;
      halves_q <= m_axi_rvalid ? halves : '0;
    end else if (s_axi_rready) begin
      halves_q <= 2'b10;
    end
    if (beat_take) begin_q <= m_axi_rlast;
    if (rst_i) begin
      begin_q <= 1'b1;
      halves_q <= '0;
    end
  end

  // ---- write ------------------------------------------------------------------------------------
  logic writes_ready, write_valid, write_first;
  logic fresh_q;  // the next line is its burst's first
  logic half_q;   // where it goes if it is not
  logic half, line_take;

  assign m_axi_awaddr = {s_axi_awaddr[AddrWidth-1:HalfBit+1], (HalfBit + 1)'(0)};
  assign m_axi_awlen = beats(s_axi_awaddr[HalfBit], s_axi_awlen);
  assign m_axi_awvalid = s_axi_awvalid && writes_ready;
  assign s_axi_awready = m_axi_awready && writes_ready;

  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Writes)
  ) u_writes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_awvalid && m_axi_awready),
    .ready_o(writes_ready),
    .data_i (s_axi_awaddr[HalfBit]),
    .valid_o(write_valid),
    .ready_i(line_take && s_axi_wlast),
    .data_o (write_first)
  );

  assign s_axi_wready = write_valid && (m_axi_wready || !m_axi_wvalid);
  assign line_take = s_axi_wvalid && s_axi_wready;
  assign half = fresh_q ? write_first : half_q;

  always_ff @(posedge clk_i) begin
    if (m_axi_wready) m_axi_wvalid <= 1'b0;
    if (line_take) begin
      fresh_q <= s_axi_wlast;
      half_q <= !half;
      m_axi_wvalid <= half || s_axi_wlast;
      m_axi_wlast <= s_axi_wlast;
      if (half) begin
        m_axi_wdata[MemWidth-1:LineWidth] <= s_axi_wdata;
        m_axi_wstrb[2*LineBytes-1:LineBytes] <= s_axi_wstrb;
        if (fresh_q) m_axi_wstrb[LineBytes-1:0] <= '0;
      end else begin
        m_axi_wdata[LineWidth-1:0] <= s_axi_wdata;
        m_axi_wstrb <= {LineBytes'(0), s_axi_wstrb};
      end
    end
    if (rst_i) begin
      fresh_q <= 1'b1;
      m_axi_wvalid <= 1'b0;
    end
  end

  assign s_axi_bvalid = m_axi_bvalid;
  assign m_axi_bready = s_axi_bready;

  `WC_ASSERT_STREAM(w, m_axi_wvalid, m_axi_wready, {m_axi_wdata, m_axi_wstrb, m_axi_wlast})
  `WC_ASSERT_STREAM(r, s_axi_rvalid, s_axi_rready, {s_axi_rdata, s_axi_rlast})
  `WC_ASSERT(beat_was_asked_for, !m_axi_rvalid || read_valid)

endmodule

`default_nettype wire
