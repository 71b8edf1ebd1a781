// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite in front of the generated register block: one access at a time, registered before it is
// decoded and registered after. A write takes 3 cycles, a read as many as the block needs and 3
// more, as its address stands for a cycle before it is asked for: the block works out meanwhile
// which register is meant. Reads and writes that come together take turns.
// A write is of the whole register: one that leaves bytes of the word out is answered with SLVERR
// and writes nothing. So a register's bits need no choice between old and new.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axil #(
  parameter int unsigned AddrWidth = 9,
  localparam type axil_req_t  = `WC_AXIL_REQ(AddrWidth),
  localparam type axil_resp_t = `WC_AXIL_RESP
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire axil_req_t            s_axil_req_i,
  output axil_resp_t                s_axil_resp_o,
  // register block
  output logic                      req_o,  // one cycle
  output logic                      write_o,
  output logic [AddrWidth-1:0]      addr_o,
  output logic [31:0]               wdata_o,
  input  wire logic                 wr_ack_i,
  input  wire logic                 rd_ack_i,
  input  wire logic [31:0]          rdata_i
);

  logic busy_q;  // from the request to the taken response, and in reset: nothing is taken then
  logic waking_q;
  logic read_next_q;  // whose turn it is when both come
  logic take_write, take_read, read_q;
  logic whole;  // the write is of all bytes
  logic refuse_q;  // it was not: answered instead of asked for, in the same cycle
  logic b_valid_q, b_refused_q, r_valid_q;
  logic [31:0] rdata_q;

  assign take_write = !busy_q && s_axil_req_i.aw_valid && s_axil_req_i.w_valid &&
                      !(read_next_q && s_axil_req_i.ar_valid);
  assign take_read = !busy_q && s_axil_req_i.ar_valid &&
                     (read_next_q || !(s_axil_req_i.aw_valid && s_axil_req_i.w_valid));
  assign whole = s_axil_req_i.w.strb == '1;
  assign s_axil_resp_o.aw_ready = take_write;
  assign s_axil_resp_o.w_ready = take_write;
  assign s_axil_resp_o.ar_ready = take_read;
  assign s_axil_resp_o.b_valid = b_valid_q;
  assign s_axil_resp_o.b.resp = b_refused_q ? `WC_AXI_SLVERR : `WC_AXI_OKAY;
  assign s_axil_resp_o.r_valid = r_valid_q;
  assign s_axil_resp_o.r.data = rdata_q;
  assign s_axil_resp_o.r.resp = `WC_AXI_OKAY;

  always_ff @(posedge clk_i) begin
    read_q <= take_read;
    req_o <= (take_write && whole) || read_q;
    refuse_q <= take_write && !whole;
    if (!busy_q) begin
      write_o <= take_write;
      addr_o <= take_write ? s_axil_req_i.aw.addr : s_axil_req_i.ar.addr;
      wdata_o <= s_axil_req_i.w.data;
    end
    if (take_write || take_read) begin
      busy_q <= 1'b1;
      read_next_q <= take_write;
    end
    waking_q <= 1'b0;
    if (waking_q) busy_q <= 1'b0;
    if (wr_ack_i || refuse_q) begin
      b_valid_q <= 1'b1;
      b_refused_q <= refuse_q;
    end
    if (rd_ack_i) begin
      r_valid_q <= 1'b1;
      rdata_q <= rdata_i;
    end
    if ((b_valid_q && s_axil_req_i.b_ready) || (r_valid_q && s_axil_req_i.r_ready)) begin
      busy_q <= 1'b0;
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end
    if (rst_i) begin
      read_q <= 1'b0;
      req_o <= 1'b0;
      refuse_q <= 1'b0;
      busy_q <= 1'b1;
      waking_q <= 1'b1;
      read_next_q <= 1'b0;
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end
  end

  `WC_ASSERT(one_response, $onehot0({wr_ack_i, rd_ack_i, refuse_q}))
  `WC_ASSERT(address_stands, !req_o || write_o || addr_o == $past(addr_o))
  `WC_ASSERT(only_when_asked, busy_q || !(wr_ack_i || rd_ack_i))

endmodule

`default_nettype wire
