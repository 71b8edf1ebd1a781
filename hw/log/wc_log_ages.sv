// SPDX-License-Identifier: Apache-2.0
// How old segments are when they are swept: the time from when a segment joins its log until the
// sweeper drops it. What is evicted with it was not used for about that long.
// Time counts in units of 1024 cycles. An age is there 4 cycles behind the drop; a drop every
// other cycle at most, and none in the cycle in which its segment joins.
`default_nettype none

module wc_log_ages
  import wc_log_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     join_i,
  input  wire segment_t join_segment_i,
  input  wire logic     drop_i,
  input  wire segment_t drop_segment_i,
  input  wire log_e     drop_log_i,
  output ages_t         ages_o
);

  localparam int unsigned TickBits = 10;

  logic [TickBits-1:0] tick_q;
  logic [31:0] now_q, born, age_q;
  logic drop_q, drop_q2;
  log_e log_q, log_q2;

  wc_ram_sdp #(
    .Width(32),
    .Depth(MaxSegments)
  ) u_born (
    .clk_i  (clk_i),
    .we_i   (join_i),
    .waddr_i(join_segment_i),
    .wdata_i(now_q),
    .re_i   (drop_i),
    .raddr_i(drop_segment_i),
    .rdata_o(born)
  );

  always_ff @(posedge clk_i) begin
    tick_q <= tick_q + 1'b1;
    if (tick_q == '1) now_q <= now_q + 1'b1;
    drop_q <= drop_i;
    log_q <= drop_log_i;
    drop_q2 <= drop_q;
    log_q2 <= log_q;
    age_q <= now_q - born;
    if (drop_q2) begin
      ages_o.last[log_q2] <= age_q;
      ages_o.total <= ages_o.total + 36'(age_q);
    end
    if (rst_i) begin
      tick_q <= '0;
      now_q <= '0;
      drop_q <= 1'b0;
      drop_q2 <= 1'b0;
      ages_o <= '0;
    end
  end

endmodule

`default_nettype wire
