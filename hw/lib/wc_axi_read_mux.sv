// SPDX-License-Identifier: Apache-2.0
// Several masters read at one memory port. Address beats go on in turn, a burst at a time; a queue
// keeps whose burst is next, as data comes in the order of the bursts.
// A master that holds back R holds back all of them: each promises to take its data soon. When
// Reads bursts are in flight, address beats wait. Nothing is written here: what belongs to writes
// is tied off on both sides.
// Latency of AR none, its ready cut; of R none: data goes past, valid and ready through one gate and
// the choice of the master. A beat that comes in the cycle behind its address waits for a cycle.
// A burst a cycle, a beat a cycle with no gap between bursts.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_read_mux #(
  parameter int unsigned Masters   = 2,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 512,
  parameter int unsigned Reads     = 64,  // bursts in flight
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_i,
  input  wire axi_req_t  [Masters-1:0]   s_axi_req_i,
  output axi_resp_t      [Masters-1:0]   s_axi_resp_o,
  output axi_req_t                       m_axi_req_o,
  input  wire axi_resp_t                 m_axi_resp_i
);

  typedef logic [Masters-1:0] mask_t;
  localparam int unsigned AddressWidth = $bits(m_axi_req_o.ar);

  `WC_REQUIRE(masters, Masters >= 2 && Masters <= 8, "wc_axi_read_mux: Masters must be 2 to 8")

  // ---- addresses --------------------------------------------------------------------------------
  mask_t asks, grant;
  logic slice_ready, sources_ready, take;
  logic [AddressWidth-1:0] address;

  for (genvar i = 0; i < Masters; i++) begin : gen_ask
    assign asks[i] = s_axi_req_i[i].ar_valid;
  end

  assign take = slice_ready && sources_ready;

  wc_arbiter #(
    .Masters(Masters)
  ) u_arbiter (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .asks_i (asks),
    .take_i (take),
    .grant_o(grant)
  );

  always_comb begin
    address = '0;
    for (int unsigned i = 0; i < Masters; i++) begin
      if (grant[i]) address |= AddressWidth'(s_axi_req_i[i].ar);
    end
  end

  wc_skid #(
    .data_t(logic [AddressWidth-1:0])
  ) u_address (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asks != '0 && sources_ready),
    .ready_o(slice_ready),
    .data_i (address),
    .valid_o(m_axi_req_o.ar_valid),
    .ready_i(m_axi_resp_i.ar_ready),
    .data_o (m_axi_req_o.ar)
  );

  // ---- data -------------------------------------------------------------------------------------
  mask_t next, source_q;  // whose burst comes; none when nothing is in flight
  mask_t r_ready;
  logic next_valid, end_burst;

  wc_fifo_shallow #(
    .data_t(mask_t),
    .Depth (Reads)
  ) u_sources (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asks != '0 && slice_ready),
    .ready_o(sources_ready),
    .data_i (grant),
    .valid_o(next_valid),
    .ready_i(source_q == '0 || end_burst),
    .data_o (next)
  );

  assign end_burst = m_axi_resp_i.r_valid && m_axi_req_o.r_ready && m_axi_resp_i.r.last;

  always_ff @(posedge clk_i) begin
    if (source_q == '0 || end_burst) source_q <= next_valid ? next : '0;
    if (rst_i) source_q <= '0;
  end

  for (genvar i = 0; i < Masters; i++) begin : gen_master
    assign r_ready[i] = s_axi_req_i[i].r_ready;
    assign s_axi_resp_o[i].aw_ready = 1'b0;
    assign s_axi_resp_o[i].w_ready = 1'b0;
    assign s_axi_resp_o[i].b = '0;
    assign s_axi_resp_o[i].b_valid = 1'b0;
    assign s_axi_resp_o[i].ar_ready = take && grant[i];
    assign s_axi_resp_o[i].r = m_axi_resp_i.r;
    assign s_axi_resp_o[i].r_valid = m_axi_resp_i.r_valid && source_q[i];
  end

  assign m_axi_req_o.r_ready = (source_q & r_ready) != '0;
  assign m_axi_req_o.aw = '0;
  assign m_axi_req_o.aw_valid = 1'b0;
  assign m_axi_req_o.w = '0;
  assign m_axi_req_o.w_valid = 1'b0;
  assign m_axi_req_o.b_ready = 1'b0;

  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT(beat_was_asked_for, !m_axi_resp_i.r_valid || source_q != '0 || next_valid)
  `WC_ASSERT(one_source, $onehot0(source_q))

endmodule

`default_nettype wire
