// SPDX-License-Identifier: Apache-2.0
// Which line is behind a line of a log: the next in memory, or the first of the chain's next segment.
// Keeps its own table of links, and knows which of them it was told: none after a reset or clear_i,
// and none behind a segment that has just come to a chain.
// Latency from start_i to next_o and last_o 1 cycle. With last_o next_o means nothing until
// behind_valid_o says that it is the first line of the next segment: 4 cycles, or as many and 2 from
// its link if that comes later; what behind_valid_o says with start_i is old. Links come 2 cycles apart
// or more, and none in the first MaxSegments + 2 cycles after a reset or clear_i, when the table is
// wiped.
`include "wc_assert.svh"
`default_nettype none

module wc_log_follow
  import wc_log_pkg::*;
(
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       clear_i,
  input  wire logic [4:0] segment_bits_i,
  input  wire link_t      link_i,
  input  wire logic       start_i,  // the first cycle of a line_i
  input  wire line_t      line_i,
  output line_t           next_o,         // the line behind it
  output logic            last_o,         // line_i is the last of its segment
  output logic            behind_valid_o  // last_o: next_o is known
);

  localparam int unsigned LineBits = $clog2(LineUnits);
  // A segment's number stands 9 to 22 bits high in the number of a line.
  localparam int unsigned LeastShift = LeastSegmentBits - LineBits;
  localparam int unsigned MostMore = MostSegmentBits - LeastSegmentBits;
  typedef logic [$bits(line_t)-LeastShift-1:0] high_t;  // a line's number without the lowest 9 bits
  typedef struct packed {
    logic     known;
    segment_t segment;
  } next_t;

  // ---- the table -------------------------------------------------------------------------------
  logic wiped_q;
  segment_t wipe_q;
  logic joins_q;  // the segment that came to a chain has no link yet
  segment_t joined_q;
  logic we;
  segment_t waddr;
  next_t wdata;
  segment_t segment_q;
  next_t link, link_q;

  assign we = !wiped_q || link_i.valid || joins_q;
  assign waddr = !wiped_q ? wipe_q : link_i.valid ? link_i.segment : joined_q;
  assign wdata = '{known: wiped_q && link_i.valid, segment: link_i.next};

  wc_ram_sdp #(
    .Width($bits(next_t)),
    .Depth(MaxSegments)
  ) u_links (
    .clk_i  (clk_i),
    .we_i   (we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .re_i   (!we),
    .raddr_i(segment_q),
    .rdata_o(link)
  );

  always_ff @(posedge clk_i) begin
    wipe_q <= wipe_q + 1'b1;
    if (wipe_q == '1) wiped_q <= 1'b1;
    joins_q <= link_i.valid;
    joined_q <= link_i.next;
    if (rst_i || clear_i) begin
      wipe_q <= '0;
      wiped_q <= 1'b0;
      joins_q <= 1'b0;
    end
  end

  // ---- the line behind -------------------------------------------------------------------------
  high_t high;
  logic [MostMore-1:0] mask_q;  // of bits of high that number the lines of a segment
  logic [3:0] shift_q;
  logic [2:0] age_q;  // how many of segment_q, link, link_q and next_o are of line_i

  assign behind_valid_o = age_q == 3'd4 && link_q.known;

  assign high = line_i[$bits(line_t)-1:LeastShift];

  always_ff @(posedge clk_i) begin
    shift_q <= 4'(segment_bits_i - 5'(LeastSegmentBits));
    for (int unsigned i = 0; i < MostMore; i++) mask_q[i] <= 32'(shift_q) > i;
    next_o <= line_i + 1'b1;
    if (last_o && !start_i) next_o <= {high_t'(link_q.segment) << shift_q, LeastShift'(0)};
    last_o <= line_i[LeastShift-1:0] == '1 && (high[MostMore-1:0] | ~mask_q) == '1;
    segment_q <= segment_t'(high >> shift_q);
    link_q <= link;
    // While the table is written it is not read, and the link is looked up again.
    if (start_i || we) age_q <= 3'd1;
    else if (age_q != 3'd4) age_q <= age_q + 1'b1;
  end

  `WC_ASSERT(links_are_apart, !(link_i.valid && joins_q))
  `WC_ASSERT(wiped_first, !link_i.valid || wiped_q)

endmodule

`default_nettype wire
