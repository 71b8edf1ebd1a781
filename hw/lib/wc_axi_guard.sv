// SPDX-License-Identifier: Apache-2.0
// Stands between a master that may be reset at any time and a memory that is not reset with it.
// While master_rst_i is high it ends what the master had begun: an address that is offered stays
// until it is taken, a burst of writes gets the beats that it lacks, without strobes, and answers
// are taken and dropped. idle_o then says that memory owes nothing more: master_rst_i
// is to stay until then. The guard itself is reset with the memory.
// Latency: none. A beat to be written is not offered before its burst's address has been taken; a
// beat a cycle. (In the first cycle behind a reset the beat on W may change while it is offered.)
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_guard #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 512,
  parameter int unsigned Bursts    = 512,  // in flight at most, reads and writes each
  parameter int unsigned Writes    = 16,   // whose beats have not all gone
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,         // the memory's
  input  wire logic       master_rst_i,  // the master's
  output logic            idle_o,
  input  wire axi_req_t   s_axi_req_i,
  output axi_resp_t       s_axi_resp_o,
  output axi_req_t        m_axi_req_o,
  input  wire axi_resp_t  m_axi_resp_i
);

  typedef logic [$clog2(Bursts+1)-1:0] count_t;
  typedef logic [AddrWidth+7:0] address_t;  // with the length

  logic drop_q;  // the master has been in reset for a cycle: what it offers is nothing
  logic ar_held_q, aw_held_q;
  address_t ar_q, aw_q;
  count_t reads_q, writes_q;
  logic ar_take, aw_take, r_end, b_take;
  logic ar_took_q, aw_took_q, r_ended_q, b_took_q;

  // ---- addresses: stay until they are taken ----------------------------------------------------
  logic lens_ready, aw_offered;

  assign aw_offered = s_axi_req_i.aw_valid && lens_ready;
  assign m_axi_req_o.ar_valid = s_axi_req_i.ar_valid || ar_held_q;
  assign m_axi_req_o.ar = ar_held_q ? ar_q : s_axi_req_i.ar;
  assign m_axi_req_o.aw_valid = aw_offered || aw_held_q;
  assign m_axi_req_o.aw = aw_held_q ? aw_q : s_axi_req_i.aw;
  assign ar_take = m_axi_req_o.ar_valid && m_axi_resp_i.ar_ready;
  assign aw_take = m_axi_req_o.aw_valid && m_axi_resp_i.aw_ready;

  always_ff @(posedge clk_i) begin
    drop_q <= master_rst_i;
    ar_held_q <= m_axi_req_o.ar_valid && !m_axi_resp_i.ar_ready && master_rst_i;
    aw_held_q <= m_axi_req_o.aw_valid && !m_axi_resp_i.aw_ready && master_rst_i;
    ar_q <= m_axi_req_o.ar;
    aw_q <= m_axi_req_o.aw;
    if (rst_i) begin
      drop_q <= 1'b1;
      ar_held_q <= 1'b0;
      aw_held_q <= 1'b0;
    end
  end

  // ---- beats to be written ---------------------------------------------------------------------
  logic len_valid, w_take, w_last;
  logic [7:0] len, beat_q;  // beat_q: beats of the burst that have gone

  wc_fifo_shallow #(
    .data_t(logic [7:0]),
    .Depth (Writes)
  ) u_lens (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(aw_take),
    .ready_o(lens_ready),
    .data_i (m_axi_req_o.aw.len),
    .valid_o(len_valid),
    .ready_i(w_take && w_last),
    .data_o (len)
  );

  assign m_axi_req_o.w_valid = len_valid && (s_axi_req_i.w_valid || drop_q);
  assign m_axi_req_o.w.data = s_axi_req_i.w.data;
  assign m_axi_req_o.w.strb = drop_q ? '0 : s_axi_req_i.w.strb;
  assign m_axi_req_o.w.last = drop_q ? beat_q == len : s_axi_req_i.w.last;
  assign w_take = m_axi_req_o.w_valid && m_axi_resp_i.w_ready;
  assign w_last = m_axi_req_o.w.last;

  always_ff @(posedge clk_i) begin
    if (w_take) beat_q <= w_last ? '0 : beat_q + 1'b1;
    if (rst_i) beat_q <= '0;
  end

  // ---- answers ---------------------------------------------------------------------------------
  assign m_axi_req_o.r_ready = s_axi_req_i.r_ready || drop_q;
  assign m_axi_req_o.b_ready = s_axi_req_i.b_ready || drop_q;
  assign r_end = m_axi_resp_i.r_valid && m_axi_req_o.r_ready && m_axi_resp_i.r.last;
  assign b_take = m_axi_resp_i.b_valid && m_axi_req_o.b_ready;

  always_comb begin
    s_axi_resp_o = m_axi_resp_i;
    s_axi_resp_o.aw_ready = m_axi_resp_i.aw_ready && lens_ready;
    s_axi_resp_o.w_ready = m_axi_resp_i.w_ready && len_valid;
  end

  // Counted a cycle later, as all of these come late.
  always_ff @(posedge clk_i) begin
    ar_took_q <= ar_take;
    aw_took_q <= aw_take;
    r_ended_q <= r_end;
    b_took_q <= b_take;
    if (ar_took_q != r_ended_q) reads_q <= ar_took_q ? reads_q + 1'b1 : reads_q - 1'b1;
    if (aw_took_q != b_took_q) writes_q <= aw_took_q ? writes_q + 1'b1 : writes_q - 1'b1;
    // With drop_q there are no addresses but those that are held.
    idle_o <= drop_q && reads_q == '0 && writes_q == '0 && !ar_took_q && !aw_took_q &&
              !ar_held_q && !aw_held_q;
    if (rst_i) begin
      ar_took_q <= 1'b0;
      aw_took_q <= 1'b0;
      r_ended_q <= 1'b0;
      b_took_q <= 1'b0;
      reads_q <= '0;
      writes_q <= '0;
      idle_o <= 1'b0;
    end
  end

  `WC_ASSERT(reads_fit, !ar_took_q || r_ended_q || reads_q < count_t'(Bursts))
  `WC_ASSERT(writes_fit, !aw_took_q || b_took_q || writes_q < count_t'(Bursts))
  `WC_ASSERT(reads_asked_for, !r_ended_q || reads_q != '0)
  `WC_ASSERT(writes_asked_for, !b_took_q || writes_q != '0)
  `WC_ASSERT(lens_agree, !w_take || w_last == (beat_q == len))
  `WC_ASSERT(reset_is_long, drop_q || !$past(drop_q) || $past(rst_i) ||
             (reads_q == '0 && writes_q == '0))

endmodule

`default_nettype wire
