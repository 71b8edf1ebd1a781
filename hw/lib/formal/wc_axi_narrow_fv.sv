// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_narrow.
// Rule 1: an address goes through in the cycle it comes, unchanged, and asks for as many beats as
//         the lines have; acknowledgements go through as they are.
// Rule 2: a written line becomes Ratio beats, lowest first, data and strobes unchanged, no others.
// Rule 3: wlast marks exactly the last beat of a line that had it.
// Rule 4: Ratio beats read become a line, the first one lowest; rlast marks exactly the line that
//         ended with it. A line is in error when one of its beats is, and no other.
// Rule 5: beats and lines hold and are stable until taken; a line inside always offers a beat, a
//         whole line is always offered. (Of a beat's bits the first and the last are compared.)
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_narrow_fv #(
  parameter int unsigned LineWidth = 256,
  parameter int unsigned MemWidth  = 128,
  localparam int unsigned Ratio = LineWidth / MemWidth,
  localparam int unsigned AddrWidth = 16
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic [$clog2(Ratio)-1:0] lane_i,  // free: follow the beats of that place in a line
  input wire logic [AddrWidth-1:0]     awaddr_i,
  input wire logic [7:0]               awlen_i,
  input wire logic                     awvalid_i,
  input wire logic                     awready_i,
  input wire logic [LineWidth-1:0]     wdata_i,
  input wire logic [LineWidth/8-1:0]   wstrb_i,
  input wire logic                     wlast_i,
  input wire logic                     wvalid_i,
  input wire logic                     wready_i,
  input wire logic                     bvalid_i,
  input wire logic [1:0]               bresp_i,
  input wire logic                     bready_i,
  input wire logic [AddrWidth-1:0]     araddr_i,
  input wire logic [7:0]               arlen_i,
  input wire logic                     arvalid_i,
  input wire logic                     arready_i,
  input wire logic [MemWidth-1:0]      rdata_i,
  input wire logic [1:0]               rresp_i,
  input wire logic                     rlast_i,
  input wire logic                     rvalid_i,
  input wire logic                     rready_i
);

  typedef logic [$clog2(Ratio)-1:0] lane_t;
  localparam int unsigned Beat = MemWidth / 8;

  logic awready, awvalid, wready, wvalid, wlast, bvalid, bready;
  logic arready, arvalid, rready, rvalid, rlast;
  logic [AddrWidth-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [LineWidth-1:0] rdata;
  logic [MemWidth-1:0] wdata;
  logic [Beat-1:0] wstrb;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  `WC_AXI_REQ(AddrWidth, LineWidth) line_req;
  `WC_AXI_RESP(LineWidth) line_resp;
  `WC_AXI_REQ(AddrWidth, MemWidth) mem_req;
  `WC_AXI_RESP(MemWidth) mem_resp;

  assign line_req.aw.addr = awaddr_i;
  assign line_req.aw.len = awlen_i;
  assign line_req.aw_valid = awvalid_i;
  assign awready = line_resp.aw_ready;
  assign line_req.w.data = wdata_i;
  assign line_req.w.strb = wstrb_i;
  assign line_req.w.last = wlast_i;
  assign line_req.w_valid = wvalid_i;
  assign wready = line_resp.w_ready;
  assign bvalid = line_resp.b_valid;
  assign line_req.b_ready = bready_i;
  assign line_req.ar.addr = araddr_i;
  assign line_req.ar.len = arlen_i;
  assign line_req.ar_valid = arvalid_i;
  assign arready = line_resp.ar_ready;
  assign rdata = line_resp.r.data;
  assign rlast = line_resp.r.last;
  assign rvalid = line_resp.r_valid;
  assign line_req.r_ready = rready_i;
  assign awaddr = mem_req.aw.addr;
  assign awlen = mem_req.aw.len;
  assign awvalid = mem_req.aw_valid;
  assign mem_resp.aw_ready = awready_i;
  assign wdata = mem_req.w.data;
  assign wstrb = mem_req.w.strb;
  assign wlast = mem_req.w.last;
  assign wvalid = mem_req.w_valid;
  assign mem_resp.w_ready = wready_i;
  assign mem_resp.b_valid = bvalid_i;
  assign bready = mem_req.b_ready;
  assign araddr = mem_req.ar.addr;
  assign arlen = mem_req.ar.len;
  assign arvalid = mem_req.ar_valid;
  assign mem_resp.ar_ready = arready_i;
  assign mem_resp.r.data = rdata_i;
  assign mem_resp.r.last = rlast_i;
  assign mem_resp.r_valid = rvalid_i;
  assign rready = mem_req.r_ready;
  assign mem_resp.b.resp = bresp_i;
  assign mem_resp.r.resp = rresp_i;

  wc_axi_narrow #(
    .AddrWidth(AddrWidth),
    .LineWidth(LineWidth),
    .MemWidth (MemWidth)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (line_req),
    .s_axi_resp_o(line_resp),
    .m_axi_req_o (mem_req),
    .m_axi_resp_i(mem_resp)
  );

  `WC_ASSUME(read_in_page, (32'(arlen_i) + 1) * Ratio <= 256)
  `WC_ASSUME(write_in_page, (32'(awlen_i) + 1) * Ratio <= 256)

  // ---- addresses and acknowledgements -----------------------------------------------------------
  `WC_ASSERT(aw_same, awvalid == awvalid_i && awready == awready_i && awaddr == awaddr_i)
  `WC_ASSERT(aw_beats, 32'(awlen) + 1 == (32'(awlen_i) + 1) * Ratio)
  `WC_ASSERT(ar_same, arvalid == arvalid_i && arready == arready_i && araddr == araddr_i)
  `WC_ASSERT(ar_beats, 32'(arlen) + 1 == (32'(arlen_i) + 1) * Ratio)
  `WC_ASSERT(b_same, bvalid == bvalid_i && bready == bready_i && line_resp.b.resp == bresp_i)

  // A beat's first and last bit, and its first and last strobe: none of them is looked at.
  function automatic logic [1:0] ends(logic [MemWidth-1:0] data);
    return {data[MemWidth-1], data[0]};
  endfunction

  function automatic logic [1:0] strobes(logic [Beat-1:0] strobe);
    return {strobe[Beat-1], strobe[0]};
  endfunction

  lane_t lane_q;  // the one that is followed

  // ---- write ------------------------------------------------------------------------------------
  logic written_q, written_last_q;  // a line is inside, and had wlast
  lane_t beat_q;                    // its beat on the output
  logic [1:0] wdata_q, wstrb_q;     // of the followed lane

  always_ff @(posedge clk_i) begin
    lane_q <= lane_q;
    if (wvalid_i && wready) begin
      written_q <= 1'b1;
      written_last_q <= wlast_i;
      beat_q <= '0;
      wdata_q <= ends(wdata_i[32'(lane_q)*MemWidth+:MemWidth]);
      wstrb_q <= strobes(wstrb_i[32'(lane_q)*Beat+:Beat]);
    end else if (written_q && wready_i) begin
      written_q <= beat_q != '1;
      beat_q <= beat_q + 1'b1;
    end
    if (rst_i) begin
      lane_q <= lane_i;
      written_q <= 1'b0;
    end
  end

  `WC_ASSERT(beat_when_line, wvalid == written_q)
  `WC_ASSERT(beats_are, !wvalid || beat_q != lane_q
                        || (ends(wdata) == wdata_q && strobes(wstrb) == wstrb_q))
  `WC_ASSERT(wlast_is, !wvalid || wlast == (written_last_q && beat_q == '1))
  `WC_ASSERT(line_when_room, wready == (!written_q || (wready_i && beat_q == '1)))

  // ---- read -------------------------------------------------------------------------------------
  typedef struct packed {
    logic       last;
    logic       error;
    logic [1:0] data;  // of the followed lane
  } read_t;

  lane_t beats_q;                   // of the line that is being filled
  logic read_q, whole_q, line_end;  // a line is out; one of two beats waits behind it
  read_t out_q, next_q, filled;
  logic [1:0] rdata_q;
  logic error_q;                    // among the beats of the line that is being filled

  // Memory gives the beats it was asked for, a multiple of Ratio.
  `WC_ASSUME(whole_lines, !(rvalid_i && rlast_i) || beats_q == '1)

  assign line_end = rvalid_i && rready && beats_q == '1;
  assign filled = '{last: rlast_i, error: error_q || rresp_i[1],
                    data: beats_q == lane_q ? ends(rdata_i) : rdata_q};

  always_ff @(posedge clk_i) begin
    if (rready_i) read_q <= 1'b0;
    if (!read_q && whole_q) begin
      read_q <= 1'b1;
      whole_q <= 1'b0;
      out_q <= next_q;
    end
    if (line_end && Ratio == 2) begin
      whole_q <= 1'b1;
      next_q <= filled;
    end else if (line_end) begin
      read_q <= 1'b1;
      out_q <= filled;
    end
    if (rvalid_i && rready) begin
      beats_q <= beats_q + 1'b1;
      error_q <= beats_q != '1 && (error_q || rresp_i[1]);
      if (beats_q == lane_q) rdata_q <= ends(rdata_i);
    end
    if (rst_i) begin
      beats_q <= '0;
      error_q <= 1'b0;
      read_q <= 1'b0;
      whole_q <= 1'b0;
    end
  end

  `WC_ASSERT(line_when_beats, rvalid == read_q)
  `WC_ASSERT(lines_are, !rvalid || ends(rdata[32'(lane_q)*MemWidth+:MemWidth]) == out_q.data)
  `WC_ASSERT(rlast_is, !rvalid || rlast == out_q.last)
  `WC_ASSERT(rresp_is, !rvalid || line_resp.r.resp == {out_q.error, 1'b0})
  `WC_ASSERT(beat_when_room, rready == (!read_q || (32'(beats_q) <= 1 && !whole_q)))

  `WC_COVER(last_beat, wvalid && wlast && wready_i && wvalid_i)
  `WC_COVER(last_line, rvalid && rlast && rready_i && rvalid_i)

endmodule

`default_nettype wire
