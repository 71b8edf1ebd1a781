// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_recent, with a memory of 16 KiB, rings of 4 KiB, beats of 16 bytes and two blocks.
// Rule 1: any byte that a burst wants is given as it was written last, be it kept or read from memory.
// Rule 2: each burst has as many beats as its AR says, the last of them says so, and they come in
//         the order of the bursts. Nothing comes that was not asked for.
// Rule 3: what memory is asked for is what was asked for, in order, and holds until it is taken.
// Rule 4: nothing waits within: an AR that stands is taken, or something comes, within Quiet cycles,
//         but for memory.
// Assumed: a byte is neither written while a burst that wants it is on its way, nor such a burst
//          asked for before memory has the byte (`done` of wc_tcp_ring_write); memory answers in order.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_recent_fv (
  input wire logic         clk_i,
  input wire logic         rst_i,
  input wire logic [13:0]  at_i,  // any byte
  input wire logic         wrote_valid_i,
  input wire logic [13:0]  wrote_first_i,
  input wire logic [3:0]   wrote_last_i,  // in its beat
  input wire logic [127:0] wrote_data_i,
  input wire logic         ar_valid_i,
  input wire logic [13:0]  first_i,  // the first byte that is wanted
  input wire logic [7:0]   last_i,   // and the last one, in its block
  input wire logic         ar_ready_i,
  input wire logic         r_valid_i,
  input wire logic [127:0] r_data_i
);

  localparam int unsigned AddrWidth = 14;
  localparam int unsigned Most = 3;  // bursts on their way
  localparam int unsigned Quiet = 6;

  `WC_AXI_REQ(AddrWidth, 128) s_req, m_req;
  `WC_AXI_RESP(128) s_resp, m_resp;
  wc_tcp_ring_pkg::wrote_t wrote;
  wc_tcp_ring_pkg::wanted_t wanted;
  logic take, ask, gives, comes;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  assign wrote = '{first: 64'(wrote_first_i), last: {wrote_first_i[7:4], wrote_last_i}};
  assign wanted = '{first: first_i[7:0], last: last_i};

  always_comb begin
    s_req = '0;
    s_req.ar.addr = {first_i[13:4], 4'd0};
    s_req.ar.len = 8'(last_i[7:4] - first_i[7:4]);
    s_req.ar_valid = ar_valid_i;
    s_req.r_ready = 1'b1;
  end

  wc_tcp_recent #(
    .AddrWidth(AddrWidth),
    .RingBits (12),
    .BeatBytes(16),
    .Blocks   (2)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .wrote_valid_i(wrote_valid_i),
    .wrote_i      (wrote),
    .wrote_data_i (wrote_data_i),
    .s_axi_req_i  (s_req),
    .s_wanted_i   (wanted),
    .s_axi_resp_o (s_resp),
    .m_axi_req_o  (m_req),
    .m_axi_resp_i (m_resp)
  );

  assign take = ar_valid_i && s_resp.ar_ready;
  assign ask = m_req.ar_valid && ar_ready_i;
  assign gives = s_resp.r_valid;
  assign comes = r_valid_i;

  `WC_ASSUME(any, $past(rst_i) || at_i == $past(at_i))
  `WC_ASSUME(wrote_in_order, wrote_last_i >= wrote_first_i[3:0])
  `WC_ASSUME(wanted_in_order, last_i >= first_i[7:0])
  `WC_ASSUME(ar_holds, $past(rst_i) || !$past(ar_valid_i && !s_resp.ar_ready)
             || (ar_valid_i && first_i == $past(first_i) && last_i == $past(last_i)))

  // ---- the byte ---------------------------------------------------------------------------------
  logic [7:0] byte_q;  // as it was written last
  logic writes, wants, wants_q;  // a burst that wants it is on its way
  assign writes = wrote_valid_i && at_i[13:4] == wrote_first_i[13:4]
                  && at_i[3:0] >= wrote_first_i[3:0] && at_i[3:0] <= wrote_last_i;
  assign wants = at_i[13:8] == first_i[13:8] && at_i[7:0] >= first_i[7:0] && at_i[7:0] <= last_i;

  always_ff @(posedge clk_i) begin
    if (writes) byte_q <= wrote_data_i[8*at_i[3:0]+:8];
  end

  // ---- bursts: those that are owed, and those that memory owes ------------------------------------
  typedef struct packed {
    logic [9:0] beat;  // the next one
    logic [3:0] left;  // behind it
    logic       wants;
  } burst_t;

  burst_t [Most-1:0] owed_q, asked_q;
  burst_t fresh, told;
  logic [1:0] owed_count_q, asked_count_q;
  logic owed_ends, asked_ends;
  logic [1:0] unasked_q;  // owed, and neither given nor asked for yet

  assign fresh = '{beat: first_i[13:4], left: last_i[7:4] - first_i[7:4], wants: wants};
  assign told = '{beat: m_req.ar.addr[13:4], left: m_req.ar.len[3:0], wants: 1'b0};
  assign owed_ends = gives && owed_q[0].left == '0;
  assign asked_ends = comes && asked_q[0].left == '0;

  always_comb begin
    wants_q = 1'b0;
    for (int unsigned i = 0; i < Most; i++) begin
      if (2'(i) < owed_count_q && owed_q[i].wants) wants_q = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (gives) owed_q[0] <= '{beat: owed_q[0].beat + 1'b1, left: owed_q[0].left - 1'b1,
                              wants: owed_q[0].wants};
    if (comes) asked_q[0] <= '{beat: asked_q[0].beat + 1'b1, left: asked_q[0].left - 1'b1,
                               wants: 1'b0};
    if (owed_ends) owed_q[Most-2:0] <= owed_q[Most-1:1];
    if (asked_ends) asked_q[Most-2:0] <= asked_q[Most-1:1];
    if (take) owed_q[owed_count_q-2'(owed_ends)] <= fresh;
    if (ask) asked_q[asked_count_q-2'(asked_ends)] <= told;
    owed_count_q <= owed_count_q + 2'(take) - 2'(owed_ends);
    asked_count_q <= asked_count_q + 2'(ask) - 2'(asked_ends);
    if (rst_i) begin
      owed_count_q <= '0;
      asked_count_q <= '0;
    end
  end

  `WC_ASSUME(few, !ar_valid_i || owed_count_q < 2'(Most))
  `WC_ASSUME(apart, !writes || !(wants_q || (ar_valid_i && wants)))

  // ---- memory -----------------------------------------------------------------------------------
  always_comb begin
    m_resp = '0;
    m_resp.ar_ready = ar_ready_i;
    m_resp.r_valid = r_valid_i;
    m_resp.r = '{data: r_data_i, resp: `WC_AXI_OKAY, last: asked_q[0].left == '0};
  end

  `WC_ASSUME(comes_if_asked, !r_valid_i || asked_count_q != '0)
  `WC_ASSUME(memory_has_it, !r_valid_i || asked_q[0].beat != at_i[13:4]
             || r_data_i[8*at_i[3:0]+:8] == byte_q)

  // ---- rules ------------------------------------------------------------------------------------
  `WC_ASSERT(as_written, !gives || !owed_q[0].wants || owed_q[0].beat != at_i[13:4]
             || s_resp.r.data[8*at_i[3:0]+:8] == byte_q)
  `WC_ASSERT(owed, !gives || owed_count_q != '0)
  `WC_ASSERT(last, !gives || s_resp.r.last == (owed_q[0].left == '0))
  `WC_ASSERT(no_error, !gives || !s_resp.r.resp[1])
  // Of what is owed the last one alone may be asked for now, and nothing that is kept lies behind it.
  assign unasked_q = owed_count_q - asked_count_q;
  `WC_ASSERT(asked_in_order, !ask || (unasked_q == 2'd1 && owed_count_q != '0
             && told.beat == owed_q[owed_count_q-1'b1].beat
             && told.left == owed_q[owed_count_q-1'b1].left))
  `WC_ASSERT(ar_stable, $past(rst_i) || !$past(m_req.ar_valid && !ar_ready_i)
             || (m_req.ar_valid && m_req.ar == $past(m_req.ar)))

  logic [2:0] quiet_q;

  always_ff @(posedge clk_i) begin
    quiet_q <= (ar_valid_i || owed_count_q != '0) && !take && !ask && !gives
               && !(m_req.ar_valid && !ar_ready_i) && asked_count_q == '0 ? quiet_q + 1'b1 : '0;
    if (rst_i) quiet_q <= '0;
  end

  `WC_ASSERT(goes_on, quiet_q < 3'(Quiet))

  `WC_COVER(kept_in_two_beats, gives && !comes && owed_q[0].wants && owed_q[0].beat == at_i[13:4]
            && at_i[7:4] != '0 && owed_q[0].left == '0 && $past(gives && !comes))
  `WC_COVER(kept_behind_memory, gives && !comes && $past(comes, 2))

endmodule

`default_nettype wire
