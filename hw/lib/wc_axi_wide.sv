// SPDX-License-Identifier: Apache-2.0
// AXI4 from lines to a memory of beats twice as wide: a beat holds two lines. Reads take the beats
// that cover their lines and give out the halves that were asked for; writes put lines that share a
// beat together, and strobe only those.
// Latency: none for addresses and acknowledgements, 1 for data. Throughput: a line a cycle, with no
// gap between beats or bursts. A written line is not taken before its burst's address.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_wide #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned LineWidth = 256,
  parameter int unsigned Reads     = 64,  // bursts in flight
  parameter int unsigned Writes    = 16,  // bursts whose lines have not all come
  localparam int unsigned MemWidth = 2 * LineWidth,
  localparam type line_req_t  = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type line_resp_t = `WC_AXI_RESP(LineWidth),
  localparam type mem_req_t   = `WC_AXI_REQ(AddrWidth, MemWidth),
  localparam type mem_resp_t  = `WC_AXI_RESP(MemWidth)
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire line_req_t  s_axi_req_i,  // lines
  output line_resp_t      s_axi_resp_o,
  output mem_req_t        m_axi_req_o,  // memory
  input  wire mem_resp_t  m_axi_resp_i
);

  localparam int unsigned LineBytes = LineWidth / 8;
  localparam int unsigned HalfBit = $clog2(LineBytes);  // of an address: which half of a beat

  `WC_REQUIRE(line_width, LineWidth == 2 ** $clog2(LineWidth) && LineWidth >= 64,
              "wc_axi_wide: LineWidth must be a power of two of 64 or more")

  typedef struct packed {
    logic first;  // half in which the burst begins
    logic last;   // and in which it ends
  } span_t;

  typedef struct packed {
    logic [MemWidth-1:0]   data;
    logic [MemWidth/8-1:0] strb;
    logic                  last;
  } w_t;

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
  logic last_q, error_q, beat_take;

  assign m_axi_req_o.ar.addr = {s_axi_req_i.ar.addr[AddrWidth-1:HalfBit+1], (HalfBit + 1)'(0)};
  assign m_axi_req_o.ar.len = beats(s_axi_req_i.ar.addr[HalfBit], s_axi_req_i.ar.len);
  assign m_axi_req_o.ar_valid = s_axi_req_i.ar_valid && reads_ready;
  assign s_axi_resp_o.ar_ready = m_axi_resp_i.ar_ready && reads_ready;

  wc_fifo_shallow #(
    .data_t(span_t),
    .Depth (Reads)
  ) u_reads (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.ar_valid && m_axi_resp_i.ar_ready),
    .ready_o(reads_ready),
    .data_i ('{first: s_axi_req_i.ar.addr[HalfBit],
               last: s_axi_req_i.ar.addr[HalfBit] ^ s_axi_req_i.ar.len[0]}),
    .valid_o(read_valid),
    .ready_i(beat_take && m_axi_resp_i.r.last),
    .data_o (read)
  );

  assign halves = {!(m_axi_resp_i.r.last && !read.last), !(begin_q && read.first)};
  assign m_axi_req_o.r_ready = !s_axi_resp_o.r_valid || (s_axi_req_i.r_ready && halves_q != 2'b11);
  assign beat_take = m_axi_resp_i.r_valid && m_axi_req_o.r_ready;
  assign s_axi_resp_o.r_valid = halves_q != '0;
  assign s_axi_resp_o.r.data = halves_q[0] ? beat_q[LineWidth-1:0] : beat_q[MemWidth-1:LineWidth];
  assign s_axi_resp_o.r.last = last_q && halves_q != 2'b11;
  assign s_axi_resp_o.r.resp = error_q ? `WC_AXI_SLVERR : `WC_AXI_OKAY;

  always_ff @(posedge clk_i) begin
    if (m_axi_req_o.r_ready) begin
      beat_q <= m_axi_resp_i.r.data;
      last_q <= m_axi_resp_i.r.last;
      error_q <= m_axi_resp_i.r.resp[1];
      halves_q <= m_axi_resp_i.r_valid ? halves : '0;
    end else if (s_axi_req_i.r_ready) begin
      halves_q <= 2'b10;
    end
    if (beat_take) begin_q <= m_axi_resp_i.r.last;
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
  logic w_valid_q;
  w_t w_q;  // the beat that is filled, or offered

  assign m_axi_req_o.aw.addr = {s_axi_req_i.aw.addr[AddrWidth-1:HalfBit+1], (HalfBit + 1)'(0)};
  assign m_axi_req_o.aw.len = beats(s_axi_req_i.aw.addr[HalfBit], s_axi_req_i.aw.len);
  assign m_axi_req_o.aw_valid = s_axi_req_i.aw_valid && writes_ready;
  assign s_axi_resp_o.aw_ready = m_axi_resp_i.aw_ready && writes_ready;

  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Writes)
  ) u_writes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.aw_valid && m_axi_resp_i.aw_ready),
    .ready_o(writes_ready),
    .data_i (s_axi_req_i.aw.addr[HalfBit]),
    .valid_o(write_valid),
    .ready_i(line_take && s_axi_req_i.w.last),
    .data_o (write_first)
  );

  assign s_axi_resp_o.w_ready = write_valid && (m_axi_resp_i.w_ready || !w_valid_q);
  assign line_take = s_axi_req_i.w_valid && s_axi_resp_o.w_ready;
  assign half = fresh_q ? write_first : half_q;
  assign m_axi_req_o.w_valid = w_valid_q;
  assign m_axi_req_o.w = w_q;

  always_ff @(posedge clk_i) begin
    if (m_axi_resp_i.w_ready) w_valid_q <= 1'b0;
    if (line_take) begin
      fresh_q <= s_axi_req_i.w.last;
      half_q <= !half;
      w_valid_q <= half || s_axi_req_i.w.last;
      w_q.last <= s_axi_req_i.w.last;
      if (half) begin
        w_q.data[MemWidth-1:LineWidth] <= s_axi_req_i.w.data;
        w_q.strb[2*LineBytes-1:LineBytes] <= s_axi_req_i.w.strb;
        if (fresh_q) w_q.strb[LineBytes-1:0] <= '0;
      end else begin
        w_q.data[LineWidth-1:0] <= s_axi_req_i.w.data;
        w_q.strb <= {LineBytes'(0), s_axi_req_i.w.strb};
      end
    end
    if (rst_i) begin
      fresh_q <= 1'b1;
      w_valid_q <= 1'b0;
    end
  end

  assign s_axi_resp_o.b_valid = m_axi_resp_i.b_valid;
  assign s_axi_resp_o.b = m_axi_resp_i.b;
  assign m_axi_req_o.b_ready = s_axi_req_i.b_ready;

  `WC_ASSERT_STREAM(w, w_valid_q, m_axi_resp_i.w_ready, w_q)
  `WC_ASSERT_STREAM(r, s_axi_resp_o.r_valid, s_axi_req_i.r_ready, s_axi_resp_o.r)
  `WC_ASSERT(beat_was_asked_for, !m_axi_resp_i.r_valid || read_valid)

endmodule

`default_nettype wire
