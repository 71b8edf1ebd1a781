// SPDX-License-Identifier: Apache-2.0
// Several masters write at one memory port. Bursts go on in turn: behind the address of one go its
// beats, then those of the next; a second queue keeps whose answer comes next.
// A master that holds back the beats of a burst whose address was taken holds up all of them: each
// promises that they come soon. So does one that holds back B. When Writes bursts have no answer,
// or Bursts have beats to come, addresses wait. Nothing is read here: what belongs to reads is tied off
// on both sides.
// Latency of AW none, its ready cut; of W and B none: both go past, valid and ready through one gate
// and the choice of the master. A beat that is there with its address waits for 2 cycles. A burst a
// cycle, a beat a cycle with no gap between bursts.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_write_mux #(
  parameter int unsigned Masters   = 2,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 512,
  parameter int unsigned Writes    = 64,  // bursts without an answer
  parameter int unsigned Bursts    = 4,   // whose beats have not all gone
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
  localparam int unsigned AddressWidth = $bits(m_axi_req_o.aw);
  localparam int unsigned BeatWidth = $bits(m_axi_req_o.w);

  `WC_REQUIRE(masters, Masters >= 2 && Masters <= 8, "wc_axi_write_mux: Masters must be 2 to 8")

  // ---- addresses --------------------------------------------------------------------------------
  mask_t asks, grant;
  logic slice_ready, beats_ready, answers_ready, take;
  logic [AddressWidth-1:0] address;

  for (genvar i = 0; i < Masters; i++) begin : gen_ask
    assign asks[i] = s_axi_req_i[i].aw_valid;
  end

  assign take = slice_ready && beats_ready && answers_ready;

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
      if (grant[i]) address |= AddressWidth'(s_axi_req_i[i].aw);
    end
  end

  wc_skid #(
    .data_t(logic [AddressWidth-1:0])
  ) u_address (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asks != '0 && beats_ready && answers_ready),
    .ready_o(slice_ready),
    .data_i (address),
    .valid_o(m_axi_req_o.aw_valid),
    .ready_i(m_axi_resp_i.aw_ready),
    .data_o (m_axi_req_o.aw)
  );

  // ---- whose beats, and whose answer ------------------------------------------------------------
  mask_t next_beats, next_answer;
  mask_t beats_q, answer_q;  // none when there is nothing to come
  logic next_beats_valid, next_answer_valid, beats_end, answered;

  wc_fifo_shallow #(
    .data_t(mask_t),
    .Depth (Bursts)
  ) u_beats (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asks != '0 && slice_ready && answers_ready),
    .ready_o(beats_ready),
    .data_i (grant),
    .valid_o(next_beats_valid),
    .ready_i(beats_q == '0 || beats_end),
    .data_o (next_beats)
  );

  wc_fifo_shallow #(
    .data_t(mask_t),
    .Depth (Writes)
  ) u_answers (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asks != '0 && slice_ready && beats_ready),
    .ready_o(answers_ready),
    .data_i (grant),
    .valid_o(next_answer_valid),
    .ready_i(answer_q == '0 || answered),
    .data_o (next_answer)
  );

  assign beats_end = m_axi_req_o.w_valid && m_axi_resp_i.w_ready && m_axi_req_o.w.last;
  assign answered = m_axi_resp_i.b_valid && m_axi_req_o.b_ready;

  always_ff @(posedge clk_i) begin
    if (beats_q == '0 || beats_end) beats_q <= next_beats_valid ? next_beats : '0;
    if (answer_q == '0 || answered) answer_q <= next_answer_valid ? next_answer : '0;
    if (rst_i) begin
      beats_q <= '0;
      answer_q <= '0;
    end
  end

  logic [BeatWidth-1:0] beat;
  mask_t w_valid, b_ready;

  always_comb begin
    beat = '0;
    for (int unsigned i = 0; i < Masters; i++) begin
      if (beats_q[i]) beat |= BeatWidth'(s_axi_req_i[i].w);
    end
  end

  for (genvar i = 0; i < Masters; i++) begin : gen_master
    assign w_valid[i] = s_axi_req_i[i].w_valid;
    assign b_ready[i] = s_axi_req_i[i].b_ready;
    assign s_axi_resp_o[i].aw_ready = take && grant[i];
    assign s_axi_resp_o[i].w_ready = m_axi_resp_i.w_ready && beats_q[i];
    assign s_axi_resp_o[i].b = m_axi_resp_i.b;
    assign s_axi_resp_o[i].b_valid = m_axi_resp_i.b_valid && answer_q[i];
    assign s_axi_resp_o[i].ar_ready = 1'b0;
    assign s_axi_resp_o[i].r = '0;
    assign s_axi_resp_o[i].r_valid = 1'b0;
  end

  assign m_axi_req_o.w = beat;
  assign m_axi_req_o.w_valid = (beats_q & w_valid) != '0;
  assign m_axi_req_o.b_ready = (answer_q & b_ready) != '0;
  assign m_axi_req_o.ar = '0;
  assign m_axi_req_o.ar_valid = 1'b0;
  assign m_axi_req_o.r_ready = 1'b0;

  `WC_ASSERT_STREAM(aw, m_axi_req_o.aw_valid, m_axi_resp_i.aw_ready, m_axi_req_o.aw)
  `WC_ASSERT_STREAM(w, m_axi_req_o.w_valid, m_axi_resp_i.w_ready, m_axi_req_o.w)
  `WC_ASSERT(answer_was_asked_for, !m_axi_resp_i.b_valid || answer_q != '0 || next_answer_valid)
  `WC_ASSERT(one_each, $onehot0(beats_q) && $onehot0(answer_q))

endmodule

`default_nettype wire
