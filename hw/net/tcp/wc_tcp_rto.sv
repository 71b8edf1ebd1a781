// SPDX-License-Identifier: Apache-2.0
// How long a connection waits for an ACK before it sends again (RFC 6298), and before it sends a
// tail-loss probe (RFC 8985, 7). Milliseconds. Inputs stay for four cycles, the answer is there in
// the last one.
`default_nettype none

module wc_tcp_rto (
  input  wire logic                       clk_i,
  input  wire wc_tcp_engine_pkg::times_t  times_i,
  output wc_tcp_engine_pkg::span_t        timeout_o,  // with backoff
  output wc_tcp_engine_pkg::span_t        probe_o     // two round trips
);

  import wc_tcp_engine_pkg::*;

  logic [18:0] sum_q;
  span_t base_q;
  logic [26:0] backed_q;
  logic [17:0] twice;

  assign twice = times_i.smooth[19:2];

  always_ff @(posedge clk_i) begin
    sum_q <= 19'(times_i.smooth[19:3])
             + (times_i.variation == '0 ? 19'd1 : times_i.variation);
    base_q <= !times_i.known ? span_t'(FirstRto)
              : sum_q < 19'(LeastRto) ? span_t'(LeastRto)
              : sum_q > 19'(MostRto) ? span_t'(MostRto) : span_t'(sum_q);
    backed_q <= 27'(base_q) << times_i.backoff;
    probe_o <= twice < 18'(LeastProbe) ? span_t'(LeastProbe)
               : twice > 18'(MostRto) ? span_t'(MostRto) : span_t'(twice);
  end

  assign timeout_o = backed_q > 27'(MostRto) ? span_t'(MostRto) : span_t'(backed_q);

endmodule

`default_nettype wire
