// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_burst.
// Rule 1: a burst holds and is stable until taken.
// Rule 2: a run's bursts follow each other without gap or overlap and cover exactly its lines.
// Rule 3: no burst crosses 4 KiB, nor has more than 256 beats.
// Rule 4: last_o marks exactly the run's last burst.
// Rule 5: a run inside always offers a burst; the next run is taken when there is none.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_burst_fv #(
  parameter int unsigned LineBytes     = 128,
  parameter int unsigned LineAddrWidth = 8,
  parameter int unsigned CountWidth    = 7
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic                     valid_i,
  input wire logic [LineAddrWidth-1:0] line_i,
  input wire logic [CountWidth-1:0]    count_i,
  input wire logic                     ready_i
);

  localparam int unsigned PageLines = 4096 / LineBytes;
  localparam int unsigned ByteBits = $clog2(LineBytes);
  typedef logic [LineAddrWidth-1:0] line_t;
  localparam int unsigned InPage = $clog2(PageLines);
  typedef logic [(CountWidth > InPage ? CountWidth : InPage):0] count_t;

  logic ready, valid, last;
  logic [LineAddrWidth+ByteBits-1:0] addr;
  logic [7:0] len;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_axi_burst #(
    .LineBytes    (LineBytes),
    .LineAddrWidth(LineAddrWidth),
    .CountWidth   (CountWidth)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .line_i (line_i),
    .count_i(count_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .addr_o (addr),
    .len_o  (len),
    .last_o (last)
  );

  `WC_ASSUME(not_empty, !valid_i || count_i != '0)

  line_t next_q;  // the next line that no burst has covered
  count_t left_q;  // lines from there to the end of the run
  count_t beats;
  assign beats = count_t'(len) + 1'b1;

  always_ff @(posedge clk_i) begin
    if (valid_i && ready) begin
      next_q <= line_i;
      left_q <= count_t'(count_i);
    end else if (valid && ready_i) begin
      next_q <= next_q + line_t'(beats);
      left_q <= left_q - beats;
    end
    if (rst_i) left_q <= '0;
  end

  `WC_ASSERT(offered, valid == (left_q != '0))
  `WC_ASSERT(taken, ready == (left_q == '0))
  `WC_ASSERT(follows, !valid || addr == {next_q, ByteBits'(0)})
  `WC_ASSERT(covers, !valid || beats <= left_q)
  `WC_ASSERT(in_page, !valid || 32'(addr[11:ByteBits]) + 32'(len) < PageLines)
  `WC_ASSERT(last_is, !valid || last == (beats == left_q))

  // What ties the checker to the cell: the run's end, counted from the page in work.
  `WC_ASSERT(end_is, !valid || {u_dut.end_page_q, u_dut.end_q} ==
                     count_t'(u_dut.begin_q) + left_q)

  `WC_COVER(three_bursts, valid && !last && $past(valid && !last && ready_i))
  `WC_COVER(to_the_page, valid && last && 32'(addr[11:ByteBits]) + 32'(len) == PageLines - 1)

endmodule

`default_nettype wire
