// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_narrow.
// Rule 1: an address goes through in the cycle it comes, unchanged, and asks for as many beats as
//         the lines have; acknowledgements go through as they are.
// Rule 2: a written line becomes Ratio beats, lowest first, data and strobes unchanged, no others.
// Rule 3: wlast marks exactly the last beat of a line that had it.
// Rule 4: Ratio beats read become a line, the first one lowest; rlast marks exactly the line that
//         ended with it.
// Rule 5: beats and lines hold and are stable until taken; a line inside always offers a beat, a
//         whole line is always offered. (Of a beat's bits the first and the last are compared.)
`include "wc_assert.svh"
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
  input wire logic                     bready_i,
  input wire logic [AddrWidth-1:0]     araddr_i,
  input wire logic [7:0]               arlen_i,
  input wire logic                     arvalid_i,
  input wire logic                     arready_i,
  input wire logic [MemWidth-1:0]      rdata_i,
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

  wc_axi_narrow #(
    .AddrWidth(AddrWidth),
    .LineWidth(LineWidth),
    .MemWidth (MemWidth)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .s_axi_awaddr (awaddr_i),
    .s_axi_awlen  (awlen_i),
    .s_axi_awvalid(awvalid_i),
    .s_axi_awready(awready),
    .s_axi_wdata  (wdata_i),
    .s_axi_wstrb  (wstrb_i),
    .s_axi_wlast  (wlast_i),
    .s_axi_wvalid (wvalid_i),
    .s_axi_wready (wready),
    .s_axi_bvalid (bvalid),
    .s_axi_bready (bready_i),
    .s_axi_araddr (araddr_i),
    .s_axi_arlen  (arlen_i),
    .s_axi_arvalid(arvalid_i),
    .s_axi_arready(arready),
    .s_axi_rdata  (rdata),
    .s_axi_rlast  (rlast),
    .s_axi_rvalid (rvalid),
    .s_axi_rready (rready_i),
    .m_axi_awaddr (awaddr),
    .m_axi_awlen  (awlen),
    .m_axi_awvalid(awvalid),
    .m_axi_awready(awready_i),
    .m_axi_wdata  (wdata),
    .m_axi_wstrb  (wstrb),
    .m_axi_wlast  (wlast),
    .m_axi_wvalid (wvalid),
    .m_axi_wready (wready_i),
    .m_axi_bvalid (bvalid_i),
    .m_axi_bready (bready),
    .m_axi_araddr (araddr),
    .m_axi_arlen  (arlen),
    .m_axi_arvalid(arvalid),
    .m_axi_arready(arready_i),
    .m_axi_rdata  (rdata_i),
    .m_axi_rlast  (rlast_i),
    .m_axi_rvalid (rvalid_i),
    .m_axi_rready (rready)
  );

  `WC_ASSUME(read_in_page, (32'(arlen_i) + 1) * Ratio <= 256)
  `WC_ASSUME(write_in_page, (32'(awlen_i) + 1) * Ratio <= 256)

  // ---- addresses and acknowledgements -----------------------------------------------------------
  `WC_ASSERT(aw_same, awvalid == awvalid_i && awready == awready_i && awaddr == awaddr_i)
  `WC_ASSERT(aw_beats, 32'(awlen) + 1 == (32'(awlen_i) + 1) * Ratio)
  `WC_ASSERT(ar_same, arvalid == arvalid_i && arready == arready_i && araddr == araddr_i)
  `WC_ASSERT(ar_beats, 32'(arlen) + 1 == (32'(arlen_i) + 1) * Ratio)
  `WC_ASSERT(b_same, bvalid == bvalid_i && bready == bready_i)

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
    logic [1:0] data;  // of the followed lane
  } read_t;

  lane_t beats_q;                   // of the line that is being filled
  logic read_q, whole_q, line_end;  // a line is out; one of two beats waits behind it
  read_t out_q, next_q, filled;
  logic [1:0] rdata_q;

  // Memory gives the beats it was asked for, a multiple of Ratio.
  `WC_ASSUME(whole_lines, !(rvalid_i && rlast_i) || beats_q == '1)

  assign line_end = rvalid_i && rready && beats_q == '1;
  assign filled = '{last: rlast_i, data: beats_q == lane_q ? ends(rdata_i) : rdata_q};

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
      if (beats_q == lane_q) rdata_q <= ends(rdata_i);
    end
    if (rst_i) begin
      beats_q <= '0;
      read_q <= 1'b0;
      whole_q <= 1'b0;
    end
  end

  `WC_ASSERT(line_when_beats, rvalid == read_q)
  `WC_ASSERT(lines_are, !rvalid || ends(rdata[32'(lane_q)*MemWidth+:MemWidth]) == out_q.data)
  `WC_ASSERT(rlast_is, !rvalid || rlast == out_q.last)
  `WC_ASSERT(beat_when_room, rready == (!read_q || (32'(beats_q) <= 1 && !whole_q)))

  `WC_COVER(last_beat, wvalid && wlast && wready_i && wvalid_i)
  `WC_COVER(last_line, rvalid && rlast && rready_i && rvalid_i)

endmodule

`default_nettype wire
