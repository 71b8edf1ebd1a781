// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_wide, with bursts of up to four lines and two of them in flight each way.
// Rule 1: an address goes through in the cycle it comes, at a multiple of the beat, and asks for
//         the beats that its lines touch; acknowledgements go through as they are.
// Rule 2: the lines asked for come out once, in order, each the half of its beat, no others, in error
//         if the beat is; rlast marks exactly the last one of its burst.
// Rule 3: a written line goes to its half of its beat, data and strobes unchanged; a half that the
//         burst does not write has no strobes; there are as many beats as were announced.
// Rule 4: wlast marks exactly the last beat of its burst.
// Rule 5: what is offered holds and is stable until taken; while a beat that was read has lines
//         left, one is offered.
// (Of a line's bits and strobes the first and the last are compared.)
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_axi_wide_fv #(
  localparam int unsigned AddrWidth = 12,
  localparam int unsigned LineWidth = 64,
  localparam int unsigned MemWidth  = 2 * LineWidth,
  localparam int unsigned InFlight  = 2
) (
  input wire logic                   clk_i,
  input wire logic                   rst_i,
  input wire logic                   pick_read_i,   // free: follow a line of the burst asked for
  input wire logic                   pick_write_i,
  input wire logic [1:0]             pick_i,        // which of its lines
  input wire logic [AddrWidth-1:0]   awaddr_i,
  input wire logic [7:0]             awlen_i,
  input wire logic                   awvalid_i,
  input wire logic                   awready_i,
  input wire logic [LineWidth-1:0]   wdata_i,
  input wire logic [LineWidth/8-1:0] wstrb_i,
  input wire logic                   wvalid_i,
  input wire logic                   wready_i,
  input wire logic                   bvalid_i,
  input wire logic [1:0]             bresp_i,
  input wire logic                   bready_i,
  input wire logic [AddrWidth-1:0]   araddr_i,
  input wire logic [7:0]             arlen_i,
  input wire logic                   arvalid_i,
  input wire logic                   arready_i,
  input wire logic [MemWidth-1:0]    rdata_i,
  input wire logic [1:0]             rresp_i,
  input wire logic                   rvalid_i,
  input wire logic                   rready_i
);

  localparam int unsigned LineBytes = LineWidth / 8;
  localparam int unsigned HalfBit = $clog2(LineBytes);
  typedef logic [4:0] count_t;  // of lines or beats in flight
  typedef logic [1:0] ends_t;

  logic awready, awvalid, wready, wvalid, wlast, bvalid, bready;
  logic arready, arvalid, rready, rvalid, rlast;
  logic [AddrWidth-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [LineWidth-1:0] rdata;
  logic [MemWidth-1:0] wdata;
  logic [MemWidth/8-1:0] wstrb;
  logic memory_last, line_last;

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
  assign line_req.w.last = line_last;
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
  assign mem_resp.r.last = memory_last;
  assign mem_resp.r_valid = rvalid_i;
  assign rready = mem_req.r_ready;
  assign mem_resp.b.resp = bresp_i;
  assign mem_resp.r.resp = rresp_i;

  wc_axi_wide #(
    .AddrWidth(AddrWidth),
    .LineWidth(LineWidth),
    .Reads    (InFlight),
    .Writes   (InFlight)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (line_req),
    .s_axi_resp_o(line_resp),
    .m_axi_req_o (mem_req),
    .m_axi_resp_i(mem_resp)
  );

  `WC_ASSUME(short_reads, arlen_i < 8'd4)
  `WC_ASSUME(short_writes, awlen_i < 8'd4)

  function automatic ends_t ends(logic [LineWidth-1:0] data);
    return {data[LineWidth-1], data[0]};
  endfunction

  function automatic ends_t strobes(logic [LineBytes-1:0] strobe);
    return {strobe[LineBytes-1], strobe[0]};
  endfunction

  // Beats of a burst: the half in which its last line lies, over two, and one.
  function automatic count_t beats(logic first, logic [7:0] len);
    return count_t'(((32'(len) + 32'(first)) >> 1) + 1);
  endfunction

  logic asks_read, asks_write, read_first, write_first;
  assign read_first = araddr_i[HalfBit];
  assign write_first = awaddr_i[HalfBit];
  assign asks_read = arvalid_i && arready;
  assign asks_write = awvalid_i && awready;

  // ---- addresses and acknowledgements -----------------------------------------------------------
  `WC_ASSERT(ar_same, asks_read == (arvalid && arready_i))
  `WC_ASSERT(aw_same, asks_write == (awvalid && awready_i))
  `WC_ASSERT(ar_is, araddr == {araddr_i[AddrWidth-1:HalfBit+1], (HalfBit + 1)'(0)}
                    && 32'(arlen) + 1 == 32'(beats(read_first, arlen_i)))
  `WC_ASSERT(aw_is, awaddr == {awaddr_i[AddrWidth-1:HalfBit+1], (HalfBit + 1)'(0)}
                    && 32'(awlen) + 1 == 32'(beats(write_first, awlen_i)))
  `WC_ASSERT(b_same, bvalid == bvalid_i && bready == bready_i && line_resp.b.resp == bresp_i)

  // ---- the other sides: bursts they were asked for, the first one in work -----------------------
  // Memory gives as many beats as it was asked for, the master as many lines as it announced.
  count_t [InFlight-1:0] read_left_q, write_left_q;  // beats, lines; 0: none
  logic read_beat, line, beat, read_line;

  assign memory_last = read_left_q[0] == count_t'(1);
  assign line_last = write_left_q[0] == count_t'(1);
  assign read_beat = rvalid_i && rready;
  assign read_line = rvalid && rready_i;
  assign line = wvalid_i && wready;
  assign beat = wvalid && wready_i;

  `WC_ASSUME(beats_were_asked_for, !rvalid_i || read_left_q[0] != '0)

  function automatic count_t [InFlight-1:0] after(count_t [InFlight-1:0] left, logic push,
                                                  count_t count, logic pop);
    count_t [InFlight-1:0] now;
    now = left;
    if (pop && now[0] == count_t'(1)) now = {count_t'(0), now[1]};
    else if (pop) now[0] = now[0] - 1'b1;
    if (push && now[0] == '0) now[0] = count;
    else if (push) now[1] = count;
    return now;
  endfunction

  always_ff @(posedge clk_i) begin
    read_left_q <= after(read_left_q, asks_read, beats(read_first, arlen_i), read_beat);
    write_left_q <= after(write_left_q, asks_write, count_t'(awlen_i) + 1'b1, line);
    if (rst_i) begin
      read_left_q <= '0;
      write_left_q <= '0;
    end
  end

  // ---- read: a line that is followed ------------------------------------------------------------
  count_t lines_q;        // asked for, not yet out
  count_t beats_q;        // asked for, not yet here
  logic read_watch_q;
  count_t line_ahead_q;   // lines before it
  count_t beat_ahead_q;   // beats before its own
  logic read_half_q, read_last_q, read_here_q;
  ends_t read_q;
  logic read_error_q;
  logic [1:0] read_at;    // of the line in its burst
  logic [2:0] read_place; // of it in its beats

  assign read_at = 32'(pick_i) > 32'(arlen_i) ? 2'(arlen_i) : pick_i;
  assign read_place = 3'(read_at) + 3'(read_first);

  always_ff @(posedge clk_i) begin
    lines_q <= lines_q + (asks_read ? count_t'(arlen_i) + 1'b1 : '0) - count_t'(read_line);
    beats_q <= beats_q + (asks_read ? beats(read_first, arlen_i) : '0) - count_t'(read_beat);
    if (read_watch_q) begin
      if (read_line) line_ahead_q <= line_ahead_q - 1'b1;
      if (read_line && line_ahead_q == '0) read_watch_q <= 1'b0;
      if (read_beat && !read_here_q) begin
        beat_ahead_q <= beat_ahead_q - 1'b1;
        if (beat_ahead_q == '0) begin
          read_here_q <= 1'b1;
          read_q <= ends(read_half_q ? rdata_i[MemWidth-1:LineWidth] : rdata_i[LineWidth-1:0]);
          read_error_q <= rresp_i[1];
        end
      end
    end else if (asks_read && pick_read_i) begin
      read_watch_q <= 1'b1;
      line_ahead_q <= lines_q - count_t'(read_line) + count_t'(read_at);
      beat_ahead_q <= beats_q - count_t'(read_beat) + count_t'(read_place >> 1);
      read_half_q <= read_place[0];
      read_last_q <= 8'(read_at) == arlen_i;
      read_here_q <= 1'b0;
    end
    if (rst_i) begin
      lines_q <= '0;
      beats_q <= '0;
      read_watch_q <= 1'b0;
    end
  end

  `WC_ASSERT(line_was_asked_for, !rvalid || lines_q != '0)
  `WC_ASSERT(line_is, !(read_watch_q && rvalid && line_ahead_q == '0)
                      || (read_here_q && ends(rdata) == read_q && rlast == read_last_q
                          && line_resp.r.resp == {read_error_q, 1'b0}))
  `WC_ASSERT(all_lines, !(beats_q == '0 && lines_q != '0) || rvalid)

  // ---- write: a line that is followed -----------------------------------------------------------
  count_t to_come_q;       // lines announced, not yet here
  count_t to_go_q;         // beats announced, not yet out
  logic write_watch_q;
  count_t come_ahead_q;    // lines before it
  count_t go_ahead_q;      // beats before its own
  logic write_half_q, write_last_q, write_alone_q, write_here_q;
  ends_t write_q, strobe_q;
  logic [1:0] write_at;
  logic [2:0] write_place, write_end;

  assign write_at = 32'(pick_i) > 32'(awlen_i) ? 2'(awlen_i) : pick_i;
  assign write_place = 3'(write_at) + 3'(write_first);
  assign write_end = 3'(awlen_i) + 3'(write_first);

  always_ff @(posedge clk_i) begin
    to_come_q <= to_come_q + (asks_write ? count_t'(awlen_i) + 1'b1 : '0) - count_t'(line);
    to_go_q <= to_go_q + (asks_write ? beats(write_first, awlen_i) : '0) - count_t'(beat);
    if (write_watch_q) begin
      if (line && !write_here_q) begin
        come_ahead_q <= come_ahead_q - 1'b1;
        if (come_ahead_q == '0) begin
          write_here_q <= 1'b1;
          write_q <= ends(wdata_i);
          strobe_q <= strobes(wstrb_i);
        end
      end
      if (beat) go_ahead_q <= go_ahead_q - 1'b1;
      if (beat && go_ahead_q == '0) write_watch_q <= 1'b0;
    end else if (asks_write && pick_write_i) begin
      write_watch_q <= 1'b1;
      come_ahead_q <= to_come_q - count_t'(line) + count_t'(write_at);
      go_ahead_q <= to_go_q - count_t'(beat) + count_t'(write_place >> 1);
      write_half_q <= write_place[0];
      write_last_q <= write_place[2:1] == write_end[2:1];
      // the other half of its beat: before the first line, behind the last
      write_alone_q <= write_place[0] ? write_at == '0 : 8'(write_at) == awlen_i;
      write_here_q <= 1'b0;
    end
    if (rst_i) begin
      to_come_q <= '0;
      to_go_q <= '0;
      write_watch_q <= 1'b0;
    end
  end

  `WC_ASSERT(beat_was_announced, !wvalid || to_go_q != '0)
  `WC_ASSERT(beat_is, !(write_watch_q && wvalid && go_ahead_q == '0) || (write_here_q
             && ends(write_half_q ? wdata[MemWidth-1:LineWidth] : wdata[LineWidth-1:0]) == write_q
             && strobes(write_half_q ? wstrb[2*LineBytes-1:LineBytes]
                                     : wstrb[LineBytes-1:0]) == strobe_q
             && wlast == write_last_q))
  `WC_ASSERT(other_half, !(write_watch_q && wvalid && go_ahead_q == '0 && write_alone_q)
             || (write_half_q ? wstrb[LineBytes-1:0] : wstrb[2*LineBytes-1:LineBytes]) == '0)
  `WC_ASSERT(all_beats, !(to_come_q == '0 && to_go_q != '0) || wvalid)

  `WC_COVER(odd_read, read_watch_q && read_here_q && rvalid && line_ahead_q == '0 && !read_last_q
                      && read_half_q)
  `WC_COVER(odd_write, write_watch_q && wvalid && go_ahead_q == '0 && write_alone_q && write_half_q
                       && !wlast)
  `WC_COVER(both_in_flight, read_left_q[1] != '0 && write_left_q[1] != '0)

endmodule

`default_nettype wire
