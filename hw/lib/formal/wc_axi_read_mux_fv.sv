// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_read_mux. Each master has addresses of its own, and memory's data says whose burst
// it is of.
// Rule 1: every burst that a master was rid of goes to memory once, unchanged, in the order in which
//         they were taken; an address holds and is stable until memory takes it.
// Rule 2: a beat goes to the master whose burst it is of, and to no other, in the cycle in which it
//         comes or, if its address went out in the cycle before, in the next; that master's readiness
//         is what memory sees.
// Rule 3: a master gets no more beats than it has asked for. With rule 2: it gets all of them, in
//         its order, as memory answers each burst in full.
// Rule 4: while a master waits, no other one has two bursts taken.
// Assumed: masters hold an address until it is taken; memory answers what it was asked for, in order.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_read_mux_fv #(
  parameter int unsigned Masters   = 2,
  parameter int unsigned Reads     = 2,
  parameter int unsigned AddrWidth = 4,
  parameter int unsigned DataWidth = 8,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(DataWidth)
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic                     pick_i,  // free: follow the burst taken now
  input wire axi_req_t [Masters-1:0]   req_i,
  input wire logic                     ar_ready_i,
  input wire logic                     r_valid_i,
  input wire logic [1:0]               resp_i
);

  // Bursts that memory has: those of the queue of sources, and the one in front of it.
  localparam int unsigned Most = Reads + 1;
  localparam int unsigned BurstWidth = AddrWidth + 8;
  typedef logic [2:0] count_t;
  typedef logic [1:0] master_t;

  axi_req_t [Masters-1:0] s_req;
  axi_resp_t [Masters-1:0] s_resp;
  axi_req_t m_req;
  axi_resp_t m_resp;
  logic [Masters-1:0] taken, given;
  logic ar, r, fresh_q;
  logic ar_q;  // an address went out in the cycle before

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_axi_read_mux #(
    .Masters  (Masters),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Reads    (Reads)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (s_req),
    .s_axi_resp_o(s_resp),
    .m_axi_req_o (m_req),
    .m_axi_resp_i(m_resp)
  );

  // ---- the masters ------------------------------------------------------------------------------
  for (genvar i = 0; i < Masters; i++) begin : gen_master
    always_comb begin
      s_req[i] = req_i[i];
      s_req[i].ar.addr[AddrWidth-1-:2] = 2'(i);
      s_req[i].ar.len = {7'b0, req_i[i].ar.len[0]};
    end
    assign taken[i] = s_req[i].ar_valid && s_resp[i].ar_ready;

    logic waits_q;       // it waited in the cycle before
    logic [4:0] owed_q;  // beats
    logic [Masters-1:0] others_q;  // had a burst taken while it waited

    always_ff @(posedge clk_i) begin
      waits_q <= s_req[i].ar_valid && !taken[i] && !rst_i;
      owed_q <= owed_q + (taken[i] ? 5'(s_req[i].ar.len) + 5'd1 : 5'd0)
                - 5'(s_resp[i].r_valid && s_req[i].r_ready);
      others_q <= s_req[i].ar_valid && !taken[i] ? others_q | taken : '0;
      if (rst_i) begin
        owed_q <= '0;
        others_q <= '0;
      end
    end

    `WC_ASSUME(holds, !fresh_q || !waits_q ||
               (s_req[i].ar_valid && s_req[i].ar == $past(s_req[i].ar)))
    assign given[i] = s_resp[i].r_valid;
    `WC_ASSERT(goes_there, !s_resp[i].r_valid ||
               (m_resp.r_valid && m_resp.r.data[DataWidth-1-:2] == 2'(i)))
    `WC_ASSERT(as_it_came, !s_resp[i].r_valid ||
               (s_resp[i].r == m_resp.r && m_req.r_ready == s_req[i].r_ready))
    `WC_ASSERT(was_asked_for, !s_resp[i].r_valid || owed_q != '0)
    `WC_ASSERT(in_turn, (others_q & taken) == '0)
  end

  always_ff @(posedge clk_i) begin
    fresh_q <= !rst_i;  // there was no reset in the cycle before
    ar_q <= ar && !rst_i;
  end

  `WC_ASSERT(given_at_once, !m_resp.r_valid || given != '0 || ar_q)
  `WC_ASSERT(waits_for_master, !r || given != '0)
  `WC_ASSERT(one_at_a_time, (taken & (taken - 1'b1)) == '0)

  // ---- addresses --------------------------------------------------------------------------------
  // A burst goes to memory in the cycle in which it is taken, or waits inside.
  logic [BurstWidth-1:0] burst;
  logic [1:0] held;  // bursts
  logic past;

  always_comb begin
    burst = '0;
    for (int unsigned i = 0; i < Masters; i++) begin
      if (taken[i]) burst |= BurstWidth'(s_req[i].ar);
    end
  end

  assign ar = m_req.ar_valid && m_resp.ar_ready;
  assign past = ar && held == '0;
  assign r = m_resp.r_valid && m_req.r_ready;

  wc_order_fv #(
    .Width(BurstWidth),
    .Most (1)
  ) u_bursts (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (taken != '0 && !past),
    .push_data_i(burst),
    .pop_i      (ar && !past),
    .pop_data_i (m_req.ar),
    .level_o    (held),
    .watching_o (),
    .ahead_o    (),
    .data_o     ()
  );

  `WC_ASSERT(goes_past, !past || (taken != '0 && m_req.ar == burst))

  // ---- memory -----------------------------------------------------------------------------------
  master_t who_q[Most];  // of each burst: the first is answered
  logic len_q[Most];
  logic beat_q;
  count_t level_q, after;  // bursts; without the one that is ended now

  assign after = level_q - count_t'(r && m_resp.r.last);

  always_comb begin
    m_resp = '0;
    m_resp.ar_ready = ar_ready_i;
    m_resp.r_valid = r_valid_i && level_q != '0;
    m_resp.r.data = DataWidth'(beat_q);
    m_resp.r.data[DataWidth-1-:2] = who_q[0];
    m_resp.r.resp = resp_i;
    m_resp.r.last = beat_q == len_q[0];
  end

  always_ff @(posedge clk_i) begin
    if (r) beat_q <= !m_resp.r.last;
    if (r && m_resp.r.last) begin
      for (int unsigned i = 0; i + 1 < Most; i++) begin
        who_q[i] <= who_q[i+1];
        len_q[i] <= len_q[i+1];
      end
    end
    if (ar) begin
      for (int unsigned i = 0; i < Most; i++) begin
        if (count_t'(i) == after) begin
          who_q[i] <= m_req.ar.addr[AddrWidth-1-:2];
          len_q[i] <= m_req.ar.len[0];
        end
      end
    end
    level_q <= after + count_t'(ar);
    if (rst_i) begin
      beat_q <= 1'b0;
      level_q <= '0;
    end
  end

  `WC_ASSERT(few_bursts, level_q <= count_t'(Most))

  `WC_COVER(full, level_q == count_t'(Most))
  `WC_COVER(without_gap, $past(r && m_resp.r.last && !rst_i) && r && !rst_i &&
            m_resp.r.data[DataWidth-1-:2] != $past(m_resp.r.data[DataWidth-1-:2]))

endmodule

`default_nettype wire
