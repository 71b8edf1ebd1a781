// SPDX-License-Identifier: Apache-2.0
// Exptime to absolute time, of items and of a FLUSH, as memcached does: up to 30 days it is
// relative, beyond it is Unix time, 0 is never and a negative one (ASCII only) is the past.
// A flush takes effect one second before its time: in memcached `flush_all 1` is at once.
// Latency 2, to flush_o 3; throughput 1 per cycle.
`default_nettype none

module wc_request_expiry (
  input  wire logic             clk_i,
  input  wire wc_pkg::seconds_t time_i,
  input  wire logic [31:0]      exptime_i,
  input  wire logic             signed_i,
  output wc_pkg::seconds_t      expiry_o,
  output wc_pkg::seconds_t      flush_o    // 0 = now
);

  localparam logic [31:0] Month = 32'd2592000;
  localparam wc_pkg::seconds_t Past = 32'd1;

  logic zero_q, negative_q, relative_q, flush_now_q;
  wc_pkg::seconds_t sum_q, exptime_q, when_q;

  always_ff @(posedge clk_i) begin
    zero_q <= exptime_i == '0;
    negative_q <= signed_i && exptime_i[31];
    relative_q <= exptime_i <= Month;
    sum_q <= time_i + exptime_i;
    exptime_q <= exptime_i;

    when_q <= relative_q ? sum_q : exptime_q;
    expiry_o <= zero_q ? '0 : negative_q ? Past : relative_q ? sum_q : exptime_q;
    flush_now_q <= zero_q || negative_q;

    flush_o <= flush_now_q ? '0 : when_q - 32'd1;
  end

endmodule

`default_nettype wire
