// SPDX-License-Identifier: Apache-2.0
// A counter for each segment, modulo 2**Width, in RAM. valid_i counts one up, in every cycle if
// need be: what is on its way to the RAM is handed on to who counts the same counter.
// look_o is the counter of look_i 2 cycles before. It means nothing if that one was counted up in
// the 4 cycles before look_i was asked, or in the same one.
// After reset all counters become 0: ready_o is low until then, 2**AddrWidth cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_log_count #(
  parameter int unsigned Segments = 256,
  parameter int unsigned Width    = 16
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  output logic                             ready_o,
  input  wire logic                        valid_i,
  input  wire logic [$clog2(Segments)-1:0] segment_i,
  input  wire logic [$clog2(Segments)-1:0] look_i,
  output logic [Width-1:0]                 look_o
);

  localparam int unsigned AddrWidth = $clog2(Segments);

  `WC_REQUIRE(segments, Segments >= 2 && Segments == 2 ** AddrWidth,
              "wc_log_count: Segments must be a power of two of 2 or more")

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [Width-1:0] count_t;

  // A count is read (1), waits in a register (2), is counted up (3) and written.
  logic valid_q, valid_q2, valid_q3;
  addr_t segment_q, segment_q2, segment_q3;
  count_t read, read_q2, count_q3, count_q4;
  // A count of one, two or three cycles before is not in the RAM in time. That of one before is in
  // stage 3 when this one is counted up. The others are in stage 3 and behind it a cycle earlier.
  logic same_1_q, same_2_q, same_3_q;  // in stage 1: the segment of that many cycles before
  logic same_1_q2;                     // in stage 2
  count_t look, base;

  logic clear_q;
  addr_t clear_addr_q;

  wc_ram_sdp #(
    .Width(Width),
    .Depth(Segments)
  ) u_count (
    .clk_i  (clk_i),
    .we_i   (valid_q3 || clear_q),
    .waddr_i(clear_q ? clear_addr_q : segment_q3),
    .wdata_i(clear_q ? '0 : count_q3),
    .re_i   (1'b1),
    .raddr_i(segment_i),
    .rdata_o(read)
  );

  // The same once more, to be looked at.
  wc_ram_sdp #(
    .Width(Width),
    .Depth(Segments)
  ) u_look (
    .clk_i  (clk_i),
    .we_i   (valid_q3 || clear_q),
    .waddr_i(clear_q ? clear_addr_q : segment_q3),
    .wdata_i(clear_q ? '0 : count_q3),
    .re_i   (1'b1),
    .raddr_i(look_i),
    .rdata_o(look)
  );

  assign base = same_1_q2 ? count_q3 : read_q2;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    segment_q <= segment_i;
    same_1_q <= valid_q && segment_i == segment_q;
    same_2_q <= valid_q2 && segment_i == segment_q2;
    same_3_q <= valid_q3 && segment_i == segment_q3;
    valid_q2 <= valid_q;
    segment_q2 <= segment_q;
    same_1_q2 <= same_1_q;
    read_q2 <= same_2_q ? count_q3 : same_3_q ? count_q4 : read;
    valid_q3 <= valid_q2;
    segment_q3 <= segment_q2;
    count_q3 <= base + 1'b1;
    count_q4 <= count_q3;
    look_o <= look;
    clear_q <= clear_q && clear_addr_q != '1;
    clear_addr_q <= clear_addr_q + 1'b1;
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
      clear_q <= 1'b1;
      clear_addr_q <= '0;
    end
  end

  assign ready_o = !clear_q;

  `WC_ASSERT(counts_when_ready, !valid_i || ready_o)

endmodule

`default_nettype wire
