// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_ring_write, with a memory of 16 KiB, rings of 4 KiB and beats of 16 bytes.
// Rule 1: AW, W and done hold and are stable until taken.
// Rule 2: the strobed bytes are the kept ones, each once, in their order, each at its place in its
//         ring; no other byte is strobed. (Their values are compared by the bench.)
// Rule 3: AW is offered with the first beat of its burst; a burst stays within a line of 64 bytes,
//         has as many beats as AW says, and each of them has a strobe.
// Rule 4: each descriptor is done once, in order, with its tag; not before its payload was taken
//         and all its bursts have a B, and with the error of one of them.
// Rule 5: of each beat that W takes it is told which bytes it has.
// Rule 6: nothing waits within: as long as there is anything to do, something goes on every Quiet
//         cycles, but for memory, for payload that has not come, and for whoever takes `done`.
// Assumed: streams hold until taken; a payload has the bytes that its descriptor says; there is a B
//          for each burst that was taken, and no other.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_ring_write_fv (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        pick_i,  // free: follow the descriptor that is taken now
  input wire logic        write_valid_i,
  input wire logic        id_i,
  input wire logic        end_i,   // near the ring's end
  input wire logic [5:0]  low_i,   // of the sequence number
  input wire logic [3:0]  skip_i,
  input wire logic [4:0]  bytes_i,
  input wire logic [3:0]  behind_i,  // so many bytes of the payload behind the kept ones
  input wire logic        tag_i,
  input wire logic        payload_valid_i,
  input wire logic        done_ready_i,
  input wire logic        aw_ready_i,
  input wire logic        w_ready_i,
  input wire logic        b_valid_i,
  input wire logic        b_error_i
);

  import wc_tcp_ring_pkg::*;

  localparam int unsigned MaxBytes = 10;  // kept: they may be in two words, beats and bursts
  localparam int unsigned MaxSkip = 9;
  localparam int unsigned Quiet = 5;
  localparam int unsigned AddrWidth = 14;

  `WC_AXI_REQ(AddrWidth, 128) req;
  `WC_AXI_RESP(128) resp;

  logic [11:0] seq;
  logic write_ready, payload_ready, done_valid;
  write_t write;
  wc_pkg::beat_t payload;
  done_t done;
  logic wrote_valid;
  wrote_t wrote;
  logic take_write, take_payload, take_done, take_aw, take_w, take_b;

  assign seq = {{6{end_i}}, low_i};
  assign write = '{id: 16'(id_i), seq: 32'(seq), skip: 11'(skip_i), bytes: 11'(bytes_i),
                   tag: 16'(tag_i)};

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_tcp_ring_write #(
    .AddrWidth(AddrWidth),
    .RingBits (12),
    .BeatBytes(16),
    .Writes   (2),
    .Bursts   (2)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (14'd4096),
    .write_valid_i  (write_valid_i),
    .write_ready_o  (write_ready),
    .write_i        (write),
    .payload_valid_i(payload_valid_i),
    .payload_ready_o(payload_ready),
    .payload_i      (payload),
    .done_valid_o   (done_valid),
    .done_ready_i   (done_ready_i),
    .done_o         (done),
    .wrote_valid_o  (wrote_valid),
    .wrote_o        (wrote),
    .m_axi_req_o    (req),
    .m_axi_resp_i   (resp)
  );

  always_comb begin
    resp = '0;
    resp.aw_ready = aw_ready_i;
    resp.w_ready = w_ready_i;
    resp.b_valid = b_valid_i;
    resp.b.resp = {b_error_i, 1'b0};
  end

  assign take_write = write_valid_i && write_ready;
  assign take_payload = payload_valid_i && payload_ready;
  assign take_done = done_valid && done_ready_i;
  assign take_aw = req.aw_valid && aw_ready_i;
  assign take_w = req.w_valid && w_ready_i;
  assign take_b = b_valid_i && req.b_ready;

  `WC_ASSUME(short, behind_i <= 4'd9 && skip_i <= 4'(MaxSkip) && bytes_i <= 5'(MaxBytes)
             && 6'(skip_i) + 6'(bytes_i) + 6'(behind_i) != '0)
  `WC_ASSUME(write_holds, $past(rst_i) || !$past(write_valid_i && !write_ready) ||
             (write_valid_i && $past({id_i, end_i, low_i, skip_i, bytes_i, behind_i, tag_i})
             == {id_i, end_i, low_i, skip_i, bytes_i, behind_i, tag_i}))
  `WC_ASSUME(payload_holds, $past(rst_i) || !$past(payload_valid_i && !payload_ready) ||
             payload_valid_i)
  `WC_ASSUME(b_holds, $past(rst_i) || !$past(b_valid_i && !req.b_ready) ||
             (b_valid_i && $past(b_error_i) == b_error_i))

  // ---- payloads ---------------------------------------------------------------------------------
  logic [1:0][5:0] length_q;  // of the payload that comes, of the one behind it
  logic [1:0] lengths_q;      // of those there are
  logic [5:0] at_q;           // its bytes that were taken

  always_comb begin
    payload.last = length_q[0] <= at_q + 6'd8;
    payload.data = '0;
  end

  always_ff @(posedge clk_i) begin
    if (take_payload) at_q <= payload.last ? '0 : at_q + 6'd8;
    if (take_payload && payload.last) length_q[0] <= length_q[1];
    if (take_write) length_q[lengths_q == 2'(take_payload && payload.last) ? 0 : 1]
      <= 6'(skip_i) + 6'(bytes_i) + 6'(behind_i);
    lengths_q <= lengths_q + 2'(take_write) - 2'(take_payload && payload.last);
    if (rst_i) begin
      at_q <= '0;
      lengths_q <= '0;
    end
  end

  `WC_ASSUME(payload_behind_write, !payload_valid_i || lengths_q != '0)
  `WC_ASSERT(few_payloads, lengths_q <= 2'd2)

  // ---- kept bytes, in the order in which they are to be written ---------------------------------
  typedef struct packed {
    logic [13:0] at;    // of the next byte
    logic [4:0]  left;
  } range_t;

  range_t [1:0] range_q;
  logic [1:0] ranges_q;
  range_t after, fresh;   // behind the beat that is offered
  logic [13:0] burst_q, burst, beat_at;
  logic [1:0] beat_q;     // of the burst
  logic fits, ends;
  logic [4:0] count;

  assign burst = req.aw_valid ? req.aw.addr : burst_q;
  assign beat_at = burst + {8'd0, beat_q, 4'd0};
  assign fresh = '{at: {{1'b0, id_i} + 2'd1, seq}, left: bytes_i};

  // The beat's strobes are those of the next bytes, as many as it has room for, and never none.
  always_comb begin
    fits = beat_at[13:4] == range_q[0].at[13:4];
    count = 5'd16 - 5'(range_q[0].at[3:0]);
    if (range_q[0].left < count) count = range_q[0].left;
    for (int unsigned i = 0; i < 16; i++) begin
      logic inside_;
      inside_ = 4'(i) >= range_q[0].at[3:0] && 5'(i) < 5'(range_q[0].at[3:0]) + count;
      if (req.w.strb[i] != inside_) fits = 1'b0;
    end
    after = range_q[0];
    after.at[11:0] = range_q[0].at[11:0] + 12'(count);
    after.left = range_q[0].left - count;
    ends = after.left == '0;
  end

  always_ff @(posedge clk_i) begin
    if (req.aw_valid) burst_q <= req.aw.addr;
    if (take_w) begin
      beat_q <= req.w.last ? '0 : beat_q + 1'b1;
      range_q[0] <= ends ? range_q[1] : after;
    end
    if (take_write && bytes_i != '0) range_q[ranges_q == 2'(take_w && ends) ? 0 : 1] <= fresh;
    ranges_q <= ranges_q + 2'(take_write && bytes_i != '0) - 2'(take_w && ends);
    if (rst_i) begin
      beat_q <= '0;
      ranges_q <= '0;
    end
  end

  `WC_ASSERT(beat_of_a_payload, !req.w_valid || ranges_q != '0)
  `WC_ASSERT(beat_fits, !req.w_valid || fits)
  `WC_ASSERT(beats_as_said, !req.aw_valid || !req.w_valid
             || ((8'(beat_q) == req.aw.len) == req.w.last))
  `WC_ASSERT(burst_in_line, !req.w_valid || {1'b0, burst[5:4]} + {1'b0, beat_q} <= 3'd3)
  `WC_ASSERT(line_in_one_burst, !req.w_valid || req.w.last == (ends || beat_at[5:4] == '1))
  `WC_ASSERT(whole_beats, !req.aw_valid || req.aw.addr[3:0] == '0)
  logic told;

  always_comb begin
    told = wrote.first[63:4] == 60'(beat_at[13:4]) && wrote.last[7:4] == beat_at[7:4];
    for (int unsigned i = 0; i < 16; i++) begin
      if (req.w.strb[i] != (4'(i) >= wrote.first[3:0] && 4'(i) <= wrote.last[3:0])) told = 1'b0;
    end
  end

  `WC_ASSERT(beats_are_told, wrote_valid == take_w && (!take_w || told))
  // A new AW comes with the first beat of its burst.
  `WC_ASSERT(aw_with_beat, $past(rst_i) || !req.aw_valid || $past(req.aw_valid && !aw_ready_i)
             || (req.w_valid && beat_q == '0))
  `WC_ASSERT(beat_with_aw, $past(rst_i) || !req.w_valid || $past(req.w_valid && !w_ready_i)
             || beat_q != '0 || req.aw_valid)

  // ---- acknowledgements -------------------------------------------------------------------------
  logic [2:0] aws_q, ws_q;  // bursts without a B, by their AW and by their last beat

  always_ff @(posedge clk_i) begin
    aws_q <= aws_q + 3'(take_aw) - 3'(take_b);
    ws_q <= ws_q + 3'(take_w && req.w.last) - 3'(take_b);
    if (rst_i) begin
      aws_q <= '0;
      ws_q <= '0;
    end
  end

  `WC_ASSUME(b_of_a_burst, !b_valid_i || (aws_q != '0 && ws_q != '0))

  // ---- one descriptor, any one ------------------------------------------------------------------
  logic [1:0] inside_q;    // descriptors that were taken and are not done
  logic [1:0] before_q;    // of these, those before the one followed
  logic follow_q, tag_q;
  logic [1:0] lengths_q2;  // payloads to its last word
  logic [1:0] ranges_q2;   // kept ranges to its last beat
  logic [2:0] owed_q;      // bursts without a B, up to its last one: known when that was taken
  logic [2:0] others_q;    // of these, those before its first
  logic error_q, some_q;
  logic mine_done;
  logic payload_end, range_end;

  assign payload_end = take_payload && payload.last;
  assign range_end = take_w && ends;
  assign mine_done = done_valid && follow_q && before_q == '0;

  always_ff @(posedge clk_i) begin
    inside_q <= inside_q + 2'(take_write) - 2'(take_done);
    if (follow_q) begin
      if (take_done) before_q <= before_q - 1'b1;
      if (take_done && before_q == '0) follow_q <= 1'b0;
      if (payload_end && lengths_q2 != '0) lengths_q2 <= lengths_q2 - 1'b1;
      if (range_end && ranges_q2 != '0) ranges_q2 <= ranges_q2 - 1'b1;
      // Bursts that are taken while it is not whole count.
      owed_q <= owed_q + 3'(take_w && req.w.last && ranges_q2 != '0) - 3'(take_b && owed_q != '0);
      if (ranges_q2 == 2'd2 && take_w && req.w.last) others_q <= others_q + 3'd1 - 3'(take_b);
      else others_q <= others_q - 3'(take_b && others_q != '0);
      if (take_b && others_q == '0 && owed_q != '0 && b_error_i) error_q <= 1'b1;
    end else if (pick_i && take_write) begin
      follow_q <= 1'b1;
      before_q <= inside_q - 2'(take_done);
      tag_q <= tag_i;
      some_q <= bytes_i != '0;
      lengths_q2 <= lengths_q + 2'd1 - 2'(payload_end);
      ranges_q2 <= bytes_i == '0 ? '0 : ranges_q + 2'd1 - 2'(range_end);
      owed_q <= ws_q + 3'(take_w && req.w.last) - 3'(take_b);
      others_q <= ws_q + 3'(take_w && req.w.last) - 3'(take_b);
      error_q <= 1'b0;
    end
    if (rst_i) begin
      inside_q <= '0;
      follow_q <= 1'b0;
    end
  end

  `WC_ASSERT(no_done_made_up, !done_valid || inside_q != '0)
  `WC_ASSERT(own_tag, !mine_done || done.tag == 16'(tag_q))
  `WC_ASSERT(not_without_payload, !mine_done || !some_q || ranges_q2 == '0)
  `WC_ASSERT(nothing_without_payload, !mine_done || some_q || lengths_q2 == '0)
  `WC_ASSERT(not_without_b, !mine_done || !some_q || owed_q == '0)
  `WC_ASSERT(own_error, !mine_done || done.error == (some_q && error_q))

  // ---- nothing waits within ---------------------------------------------------------------------
  logic [2:0] quiet_q;
  logic work, excused, step;

  assign work = inside_q != '0 || write_valid_i;
  assign step = take_write || take_payload || take_done || take_aw || take_w || take_b;
  assign excused = (payload_ready && lengths_q != '0 && !payload_valid_i)
                   || (req.aw_valid && !aw_ready_i) || (req.w_valid && !w_ready_i)
                   || (done_valid && !done_ready_i)
                   || (aws_q != '0 && ws_q != '0 && !b_valid_i);

  always_ff @(posedge clk_i) begin
    quiet_q <= work && !step && !excused ? quiet_q + 3'(quiet_q != '1) : '0;
    if (rst_i) quiet_q <= '0;
  end

  `WC_ASSERT(goes_on, quiet_q < 3'(Quiet))

  `WC_COVER(wraps, mine_done && range_q[0].at[11:0] < 12'd16)
  `WC_COVER(two_bursts, mine_done && some_q && error_q)
  `WC_COVER(nothing_kept, mine_done && !some_q && before_q == '0)

endmodule

`default_nettype wire
