// SPDX-License-Identifier: Apache-2.0
// Turns a run of memory lines into AXI4 address beats that do not cross a 4 KiB boundary. Works for
// read and write addresses alike: the writer's W channel needs wlast at the end of each burst,
// which last_o/len_o of the issued beats tell.
// Latency 1, one burst per cycle once the run is taken; a new run is taken in the cycle after the
// last burst of the one before it.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_burst #(
  parameter int unsigned LineBytes     = 64,
  parameter int unsigned LineAddrWidth = 34,  // address in lines
  parameter int unsigned CountWidth    = 15   // lines in a run, 1 to 2**CountWidth-1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  // the run
  input  wire logic                     valid_i,
  output logic                          ready_o,
  input  wire logic [LineAddrWidth-1:0] line_i,
  input  wire logic [CountWidth-1:0]    count_i,
  // its bursts
  output logic                          valid_o,
  input  wire logic                     ready_i,
  output logic [LineAddrWidth+$clog2(LineBytes)-1:0] addr_o,  // bytes
  output logic [7:0]                    len_o,   // beats - 1
  output logic                          last_o   // last burst of the run
);

  localparam int unsigned InPage = `WC_AXI_PAGE_BITS - $clog2(LineBytes);
  localparam int unsigned PageWidth = LineAddrWidth - InPage;
  localparam int unsigned Width = CountWidth < InPage ? InPage : CountWidth;  // of a run's end

  typedef logic [Width-InPage:0] pages_t;

  // Only the page counts up: every burst but the first starts at line 0 of its page, every burst
  // but the last ends with it. The run's end is kept as the line behind its last, counted from the
  // page in work.
  logic [PageWidth-1:0] page_q;
  logic [InPage-1:0] begin_q;
  pages_t end_page_q;
  logic [InPage-1:0] end_q;
  logic [InPage-1:0] len;
  logic [Width+1:0] beyond;  // so many lines, less one, are behind the run's first page

  `WC_REQUIRE(line_bytes, LineBytes inside {16, 32, 64, 128},
              "wc_axi_burst: LineBytes must be 16, 32, 64 or 128")
  `WC_REQUIRE(line_addr_width, LineAddrWidth > InPage && LineAddrWidth <= 59,
              "wc_axi_burst: LineAddrWidth must be more than a page's and at most 59")

  assign ready_o = !valid_o;
  assign beyond = (Width + 2)'(count_i) + (Width + 2)'(line_i[InPage-1:0])
                  - (Width + 2)'(2 ** InPage + 1);
  assign len = (last_o ? end_q : '0) + ~begin_q;  // end - begin - 1, modulo a page
  assign addr_o = {page_q, begin_q, ($clog2(LineBytes))'(0)};
  assign len_o = 8'(len);

  always_ff @(posedge clk_i) begin
    if (!valid_o) begin
      valid_o <= valid_i;
      {page_q, begin_q} <= line_i;
      {end_page_q, end_q} <= (Width + 1)'(count_i) + (Width + 1)'(line_i[InPage-1:0]);
      last_o <= beyond[Width+1];  // negative: it ends in that page
    end else if (ready_i) begin
      valid_o <= !last_o;
      page_q <= page_q + 1'b1;
      begin_q <= '0;
      end_page_q <= end_page_q - 1'b1;
      last_o <= end_page_q == pages_t'(1) || (end_page_q == pages_t'(2) && end_q == '0);
    end
    if (rst_i) valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(burst, valid_o, ready_i, {addr_o, len_o, last_o})
  `WC_ASSERT(run_not_empty, !valid_i || count_i != '0)

endmodule

`default_nettype wire
