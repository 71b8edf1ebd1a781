// SPDX-License-Identifier: Apache-2.0
// RAM with one write and one read port. Read latency 1; the read data holds until the next read.
// Reading the word that is being written gives either the old or the new one: do not.
`default_nettype none

module wc_ram_sdp #(
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 512,
  parameter              Style = "auto"  // or "block": in block RAM, however few words there are
) (
  input  wire logic                     clk_i,
  input  wire logic                     we_i,
  input  wire logic [$clog2(Depth)-1:0] waddr_i,
  input  wire logic [Width-1:0]         wdata_i,
  input  wire logic                     re_i,
  input  wire logic [$clog2(Depth)-1:0] raddr_i,
  output logic [Width-1:0]              rdata_o
);

  // Yosys would otherwise build bypass logic to make that case give the old word.
  (* no_rw_check, ram_style = Style *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule

`default_nettype wire
