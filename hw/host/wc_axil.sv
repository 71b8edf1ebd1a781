// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite in front of the generated register block: one access at a time, registered before it is
// decoded and registered after. A write takes 3 cycles, a read as many as the block needs and 2
// more; reads and writes that come together take turns.
`include "wc_assert.svh"
`default_nettype none

module wc_axil #(
  parameter int unsigned AddrWidth = 9
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  // bus
  input  wire logic [AddrWidth-1:0] s_axil_awaddr,
  input  wire logic                 s_axil_awvalid,
  output logic                      s_axil_awready,
  input  wire logic [31:0]          s_axil_wdata,
  input  wire logic [3:0]           s_axil_wstrb,
  input  wire logic                 s_axil_wvalid,
  output logic                      s_axil_wready,
  output logic [1:0]                s_axil_bresp,
  output logic                      s_axil_bvalid,
  input  wire logic                 s_axil_bready,
  input  wire logic [AddrWidth-1:0] s_axil_araddr,
  input  wire logic                 s_axil_arvalid,
  output logic                      s_axil_arready,
  output logic [31:0]               s_axil_rdata,
  output logic [1:0]                s_axil_rresp,
  output logic                      s_axil_rvalid,
  input  wire logic                 s_axil_rready,
  // register block
  output logic                      req_o,  // one cycle
  output logic                      write_o,
  output logic [AddrWidth-1:0]      addr_o,
  output logic [31:0]               wdata_o,
  output logic [31:0]               biten_o,
  input  wire logic                 wr_ack_i,
  input  wire logic                 rd_ack_i,
  input  wire logic [31:0]          rdata_i
);

  logic busy_q;  // from the request to the taken response
  logic read_next_q;  // whose turn it is when both come
  logic take_write, take_read;

  assign take_write = !busy_q && s_axil_awvalid && s_axil_wvalid &&
                      !(read_next_q && s_axil_arvalid);
  assign take_read = !busy_q && s_axil_arvalid &&
                     (read_next_q || !(s_axil_awvalid && s_axil_wvalid));
  assign s_axil_awready = take_write;
  assign s_axil_wready = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bresp = '0;
  assign s_axil_rresp = '0;

  always_ff @(posedge clk_i) begin
    req_o <= take_write || take_read;
    if (!busy_q) begin
      write_o <= take_write;
      addr_o <= take_write ? s_axil_awaddr : s_axil_araddr;
      wdata_o <= s_axil_wdata;
      for (int unsigned i = 0; i < 4; i++) biten_o[8*i+:8] <= {8{s_axil_wstrb[i]}};
    end
    if (take_write || take_read) begin
      busy_q <= 1'b1;
      read_next_q <= take_write;
    end
    if (wr_ack_i) s_axil_bvalid <= 1'b1;
    if (rd_ack_i) begin
      s_axil_rvalid <= 1'b1;
      s_axil_rdata <= rdata_i;
    end
    if ((s_axil_bvalid && s_axil_bready) || (s_axil_rvalid && s_axil_rready)) begin
      busy_q <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end
    if (rst_i) begin
      req_o <= 1'b0;
      busy_q <= 1'b0;
      read_next_q <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end
  end

  `WC_ASSERT(one_response, !(wr_ack_i && rd_ack_i))
  `WC_ASSERT(only_when_asked, busy_q || !(wr_ack_i || rd_ack_i))

endmodule

`default_nettype wire
