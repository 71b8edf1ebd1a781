// SPDX-License-Identifier: Apache-2.0
// Turns a run of memory lines into AXI4 address beats that neither cross a 4 KiB boundary nor
// exceed 64 beats of 64 bytes. Works for read and write addresses alike: the writer's W channel
// needs wlast at the end of each burst, which last_o/len_o of the issued beats tell.
// Latency 1, one burst per cycle once the run is taken; a new run is taken in the cycle after the
// last burst of the one before it.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_burst #(
  parameter int unsigned LineAddrWidth = 34,  // address in lines of 64 bytes
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
  output logic [LineAddrWidth+5:0]      addr_o,  // bytes
  output logic [7:0]                    len_o,   // beats - 1
  output logic                          last_o   // last burst of the run
);

  localparam int unsigned PageLines = 64;  // lines in 4 KiB

  logic [LineAddrWidth-1:0] line_q;
  logic [CountWidth-1:0] left_q;
  logic [6:0] to_page;
  logic [6:0] beats;

  assign ready_o = !valid_o;
  assign to_page = 7'(PageLines) - {1'b0, line_q[5:0]};
  assign last_o = left_q <= CountWidth'(to_page);
  assign beats = last_o ? 7'(left_q) : to_page;
  assign addr_o = {line_q, 6'b0};
  assign len_o = 8'(beats) - 8'd1;

  always_ff @(posedge clk_i) begin
    if (!valid_o) begin
      valid_o <= valid_i;
      line_q <= line_i;
      left_q <= count_i;
    end else if (ready_i) begin
      valid_o <= !last_o;
      line_q <= line_q + LineAddrWidth'(beats);
      left_q <= left_q - CountWidth'(beats);
    end
    if (rst_i) valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(burst, valid_o, ready_i, {addr_o, len_o, last_o})
  `WC_ASSERT(run_not_empty, !valid_i || count_i != '0)

endmodule

`default_nettype wire
