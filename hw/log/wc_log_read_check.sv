// SPDX-License-Identifier: Apache-2.0
// Stands between a reader of the log and memory: marks each beat in error that memory gives but does
// not count, as it could not be written there (wc_bad_list), and tells of those that memory did not
// give.
// The list is asked in the cycle after the address went out, with the ring or behind the ring's answer,
// and the ring keeps a line until its write is acknowledged, or in the list.
// Addresses pass at once; a beat waits until its answer is there, 4 cycles after its address,
// so any real memory is later. A beat a cycle. Reads beats may be in flight.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_read_check
  import wc_log_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = LineUnits,
  parameter int unsigned Reads     = 64,
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic      clk_i,
  input  wire logic      rst_i,
  // wc_bad_list: the answer is there 2 cycles later
  output line_t          bad_ask_line_o,
  input  wire logic      bad_i,
  output logic           error_o,       // memory did not give a beat of this line
  output line_t          error_line_o,
  input  wire logic      drop_i,  // nobody wants the beat that comes: no error
  input  wire axi_req_t  s_axi_req_i,
  output axi_resp_t      s_axi_resp_o,
  output axi_req_t       m_axi_req_o,
  input  wire axi_resp_t m_axi_resp_i
);

  localparam int unsigned ListLatency = 3;  // of a register and the list; then there is a wc_fifo

  logic [ListLatency-1:0] asked_q;
  line_t line_q[ListLatency];
  logic known_ready, known, bad, r_take;
  line_t line;

  assign bad_ask_line_o = line_q[0];

  always_ff @(posedge clk_i) begin
    asked_q <= ListLatency'({asked_q, s_axi_req_i.ar_valid && m_axi_resp_i.ar_ready});
    line_q[0] <= line_t'(s_axi_req_i.ar.addr >> $clog2(wc_pkg::LineBytes));
    for (int unsigned i = 1; i < ListLatency; i++) line_q[i] <= line_q[i-1];
    if (rst_i) asked_q <= '0;
  end

  wc_fifo #(
    .data_t(logic [$bits(line_t):0]),
    .Depth (Reads)
  ) u_known (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asked_q[ListLatency-1]),
    .ready_o(known_ready),
    .data_i ({bad_i, line_q[ListLatency-1]}),
    .valid_o(known),
    .ready_i(r_take),
    .data_o ({bad, line}),
    .level_o()
  );

  assign r_take = known && m_axi_resp_i.r_valid && s_axi_req_i.r_ready;

  always_comb begin
    m_axi_req_o = s_axi_req_i;
    m_axi_req_o.r_ready = s_axi_req_i.r_ready && known;
    s_axi_resp_o = m_axi_resp_i;
    s_axi_resp_o.r_valid = m_axi_resp_i.r_valid && known;
    s_axi_resp_o.r.resp[1] = m_axi_resp_i.r.resp[1] || bad;
  end

  always_ff @(posedge clk_i) begin
    error_o <= r_take && m_axi_resp_i.r.resp[1] && !drop_i;
    error_line_o <= line;
    if (rst_i) error_o <= 1'b0;
  end

  `WC_ASSERT(each_finds_room, !asked_q[ListLatency-1] || known_ready)

endmodule

`default_nettype wire
