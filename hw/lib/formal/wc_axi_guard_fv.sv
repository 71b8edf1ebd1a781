// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_guard. The master is reset at any time, for four cycles or more and for as long as
// idle_o is low (wc_memory_edge sees to both).
// Rule 1: what is offered to memory as an address holds and is stable until it is taken, also when
//         the master is reset meanwhile; so does a beat, but for its data in the first cycle of
//         that.
// Rule 2: a burst of writes has as many beats as its address says, its last is marked, and none
//         goes before its address; a beat that the master did not offer writes nothing.
// Rule 3: from the second cycle of a reset on idle_o stands only when memory owes nothing, so the master never gets an answer to what
//         was asked before its reset.
// Rule 4: in reset all answers are taken, and idle_o comes: at most Wait cycles in a row pass in
//         which memory has taken all that is offered and answered all it was asked for.
// Rule 5: out of reset, addresses, beats and answers pass unchanged in the cycle in which they
//         come.
// Assumed of the master: in reset it offers nothing from the second cycle on; addresses and beats
// hold until taken; bursts have the beats that their addresses say. Of memory: it answers what it
// was asked for.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_guard_fv #(
  parameter int unsigned AddrWidth = 4,
  parameter int unsigned DataWidth = 8,
  parameter int unsigned Bursts    = 7,
  parameter int unsigned Wait      = 3,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(DataWidth)
) (
  input wire logic      clk_i,
  input wire logic      rst_i,
  input wire logic      reset_i,  // the master is reset
  input wire axi_req_t  req_i,    // what it offers
  input wire axi_resp_t resp_i
);

  logic idle, reset_q, reset_q2, reset_q3;
  axi_req_t s_req, m_req;
  axi_resp_t s_resp, m_resp;
  // What memory was asked for and has not answered.
  logic [2:0] reads_q, writes_q, whole_q;  // whole_q: bursts of writes with all their beats

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- the master ------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    reset_q <= rst_i || reset_i;
    reset_q2 <= rst_i || reset_q;
    reset_q3 <= rst_i || reset_q2;
  end

  `WC_ASSUME(reset_stays, !(reset_q && !reset_i) || (idle && reset_q2 && reset_q3))

  always_comb begin
    s_req = req_i;
    if (reset_q2) begin
      s_req.ar_valid = 1'b0;
      s_req.aw_valid = 1'b0;
      s_req.w_valid = 1'b0;
    end
    m_resp = resp_i;
    m_resp.r_valid = resp_i.r_valid && reads_q != '0;
    m_resp.b_valid = resp_i.b_valid && whole_q != '0;
  end

  logic calm;
  assign calm = !reset_q2;
  `WC_ASSUME(short_bursts, s_req.aw.len <= 8'd2)
  `WC_ASSUME(master_ar_holds, !calm || !$past(s_req.ar_valid) || $past(s_resp.ar_ready) ||
             (s_req.ar_valid && s_req.ar == $past(s_req.ar)))
  `WC_ASSUME(master_aw_holds, !calm || !$past(s_req.aw_valid) || $past(s_resp.aw_ready) ||
             (s_req.aw_valid && s_req.aw == $past(s_req.aw)))
  `WC_ASSUME(master_w_holds, !calm || !$past(s_req.w_valid) || $past(s_resp.w_ready) ||
             (s_req.w_valid && s_req.w == $past(s_req.w)))

  wc_axi_guard #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Bursts   (Bursts),
    .Writes   (2)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .master_rst_i(reset_q),
    .idle_o      (idle),
    .s_axi_req_i (s_req),
    .s_axi_resp_o(s_resp),
    .m_axi_req_o (m_req),
    .m_axi_resp_i(m_resp)
  );

  // ---- what memory was asked for ---------------------------------------------------------------
  logic [3:0] lens_in, lens_q[4];          // beats of the bursts whose beats have not all gone
  logic [1:0] first_q, next_q;
  logic [1:0] beat_q;
  logic [2:0] open_q;
  logic ar, aw, w, w_end, b, r_end;

  assign ar = m_req.ar_valid && m_resp.ar_ready;
  assign aw = m_req.aw_valid && m_resp.aw_ready;
  assign w = m_req.w_valid && m_resp.w_ready;
  assign w_end = w && m_req.w.last;
  assign b = m_resp.b_valid && m_req.b_ready;
  assign r_end = m_resp.r_valid && m_req.r_ready && m_resp.r.last;
  assign lens_in = 4'(m_req.aw.len);

  always_ff @(posedge clk_i) begin
    reads_q <= reads_q + 3'(ar) - 3'(r_end);
    writes_q <= writes_q + 3'(aw) - 3'(b);
    whole_q <= whole_q + 3'(w_end) - 3'(b);
    open_q <= open_q + 3'(aw) - 3'(w_end);
    if (aw) begin
      lens_q[next_q] <= lens_in;
      next_q <= next_q + 1'b1;
    end
    if (w) beat_q <= m_req.w.last ? '0 : beat_q + 1'b1;
    if (w_end) first_q <= first_q + 1'b1;
    if (rst_i) begin
      reads_q <= '0;
      writes_q <= '0;
      whole_q <= '0;
      open_q <= '0;
      first_q <= '0;
      next_q <= '0;
      beat_q <= '0;
    end
  end

  `WC_ASSUME(few_reads, !ar || reads_q < 3'd7)
  `WC_ASSUME(few_writes, !aw || writes_q < 3'd7)
  // The master's own bursts have their beats.
  `WC_ASSUME(master_lasts, !s_req.w_valid || open_q == '0 ||
             s_req.w.last == (4'(beat_q) == lens_q[first_q]))

  // ---- rules -----------------------------------------------------------------------------------
  logic past;
  always_ff @(posedge clk_i) past <= !rst_i;
  `WC_ASSERT_STREAM(ar, m_req.ar_valid, m_resp.ar_ready, m_req.ar)
  `WC_ASSERT_STREAM(aw, m_req.aw_valid, m_resp.aw_ready, m_req.aw)
  `WC_ASSERT(w_holds_too, !past || !$past(m_req.w_valid) || $past(m_resp.w_ready) || m_req.w_valid)
  `WC_ASSERT(w_after_address, !m_req.w_valid || open_q != '0)
  `WC_ASSERT(w_last, !w || m_req.w.last == (4'(beat_q) == lens_q[first_q]))
  `WC_ASSERT(w_of_nobody, !m_req.w_valid || s_req.w_valid || m_req.w.strb == '0)
  `WC_ASSERT(idle_owes_nothing, !(idle && reset_q && reset_q2) ||
             (reads_q == '0 && writes_q == '0 && !m_req.ar_valid && !m_req.aw_valid))
  `WC_ASSERT(dropped, !reset_q2 || !reset_q || (m_req.r_ready && m_req.b_ready))
  logic through;
  assign through = past && !reset_q && !reset_q2 && !reset_q3;
  `WC_ASSERT(answers_pass, !through || (s_resp.r_valid == m_resp.r_valid &&
             s_resp.r == m_resp.r && s_resp.b_valid == m_resp.b_valid && s_resp.b == m_resp.b &&
             m_req.r_ready == s_req.r_ready && m_req.b_ready == s_req.b_ready))
  `WC_ASSERT(addresses_pass, !through || (m_req.ar_valid == s_req.ar_valid &&
             (!m_req.ar_valid || m_req.ar == s_req.ar) &&
             (!m_req.aw_valid || m_req.aw == s_req.aw)))
  `WC_ASSERT(beats_pass, !through || !m_req.w_valid || (s_req.w_valid && m_req.w == s_req.w))

  logic settled;
  logic [2:0] settled_q;
  assign settled = reset_q && reset_q2 && reads_q == '0 && writes_q == '0 && !m_req.ar_valid &&
                   !m_req.aw_valid;
  always_ff @(posedge clk_i) settled_q <= settled && !idle && !rst_i ? settled_q + 1'b1 : '0;
  `WC_ASSERT(idle_comes, settled_q <= 3'(Wait))
  `WC_ASSERT(beats_come, !(reset_q2 && reset_q && open_q != '0) || m_req.w_valid || $past(aw))

  `WC_COVER(made_up_beat, past && w && reset_q2 && open_q != '0)
  `WC_COVER(held_address, past && reset_q2 && ar)
  `WC_COVER(dropped_read, past && reset_q2 && r_end)
  `WC_COVER(again, past && idle && !reset_q && !reset_q2)

endmodule

`default_nettype wire
