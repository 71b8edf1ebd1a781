// SPDX-License-Identifier: Apache-2.0
// The round trip and the backoff, behind a segment or a timeout (RFC 6298, with Karn's rule; RFC
// 7323). Inputs stay for four cycles, the answer is there in the last one.
`default_nettype none

module wc_tcp_rtt (
  input  wire logic                          clk_i,
  input  wire wc_tcp_engine_pkg::times_t     times_i,
  input  wire wc_tcp_engine_pkg::time_t      now_i,
  input  wire logic                          new_i,     // a segment acknowledges something
  input  wire wc_tcp_engine_pkg::offset_t    count_i,   // so much
  input  wire logic                          stamps_i,  // both have time stamps,
  input  wire wc_tcp_engine_pkg::time_t      echo_i,    // and this one of ours has come back
  input  wire logic                          expired_i,  // counts a timeout
  input  wire logic                          opened_i,  // a window of zero has opened
  output wc_tcp_engine_pkg::times_t          times_o
);

  import wc_tcp_engine_pkg::*;

  // ---- 1: a sample ------------------------------------------------------------------------------
  time_t age;
  logic [17:0] timed;
  logic sample_q, reached_q;
  span_t rtt_q;
  offset_t timed_left_q;

  assign age = now_i - echo_i;
  assign timed = now_i[17:0] - times_i.timed_when;

  always_ff @(posedge clk_i) begin
    reached_q <= new_i && times_i.timed && times_i.timed_at <= count_i;
    timed_left_q <= less(times_i.timed_at, count_i);
    if (stamps_i) begin
      sample_q <= new_i && echo_i != '0;
      rtt_q <= age[31] ? '0 : age > 32'(MostRto) ? span_t'(MostRto) : span_t'(age);
    end else begin
      sample_q <= new_i && times_i.timed && times_i.timed_at <= count_i;
      rtt_q <= timed > 18'(MostRto) ? span_t'(MostRto) : span_t'(timed);
    end
  end

  // ---- 2 ----------------------------------------------------------------------------------------
  logic signed [18:0] error_q;
  always_ff @(posedge clk_i) begin
    error_q <= $signed({2'b0, rtt_q}) - $signed({2'b0, times_i.smooth[19:3]});
  end

  // ---- 3 ----------------------------------------------------------------------------------------
  logic [18:0] apart;
  logic [19:0] smooth_q;
  logic [18:0] variation_q;
  assign apart = error_q < 0 ? 19'(-error_q) : 19'(error_q);

  always_ff @(posedge clk_i) begin
    smooth_q <= times_i.smooth + 20'(error_q);
    variation_q <= times_i.variation + apart - (times_i.variation >> 2);
    if (!times_i.known) begin
      smooth_q <= {rtt_q, 3'b0};
      variation_q <= {1'b0, rtt_q, 1'b0};
    end
  end

  // ---- 4 ----------------------------------------------------------------------------------------
  always_comb begin
    times_o = times_i;
    if (sample_q) begin
      times_o.known = 1'b1;
      times_o.smooth = smooth_q;
      times_o.variation = variation_q;
    end
    if (new_i) begin
      times_o.timed_at = timed_left_q;
      if (reached_q && !stamps_i) times_o.timed = 1'b0;
      times_o.probed = 1'b0;
    end
    if (new_i || opened_i) times_o.backoff = '0;
    if (expired_i && times_i.backoff != 4'(MostBackoff)) begin
      times_o.backoff = times_i.backoff + 1'b1;
    end
  end

endmodule

`default_nettype wire
