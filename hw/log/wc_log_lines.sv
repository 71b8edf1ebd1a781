// SPDX-License-Identifier: Apache-2.0
// Collects the units of each log's line, and sends the line to memory when the log is in another one
// or has been quiet for Quiet cycles. Each line is one burst, one beat with BeatUnits = 4 and four with
// 1. Strobes are set for the units that memory does not have.
// A unit that opens a line waits until the line that stood at its place in the ring is in memory:
// less than Lines - Margin lines of its log are on the way or were passed without a unit.
// A patch goes to memory at once, as a line of its own: behind its line, if memory has not all of it.
// A line that could not be written, or of which a unit is in error, is put into the list of bad ones
// before it counts as written. It is taken off when the line is written again from its first unit.
// Latency 4 cycles from the unit that sends a line to AW and its first beat; a unit a cycle.
// Throughput: a line every 3 cycles. With BeatUnits = 1 a beat a cycle, with no gap within lines or
// between them, so a line every 4, if AW is taken within 3 cycles. No job fills lines faster than that.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_lines
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_log_write_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = LineUnits,  // of memory's beats
  parameter int unsigned Lines     = 256,  // of each log in the ring
  parameter int unsigned Quiet     = 64,
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, BeatWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(BeatWidth)
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire logic        clear_i,
  input  wire logic        unit_valid_i,
  output logic             unit_ready_o,
  input  wire place_unit_t unit_i,
  output logic             idle_o,  // memory has every unit
  // of each log, for who counts them, in the same order
  output logic [1:0]       begun_o,  // a line has units that memory has not
  output logic [1:0]       acked_o,  // the oldest of them is in memory, or in the list
  output logic             patched_o,  // the oldest patch is: of a header's first unit,
  output logic             bumped_o,   // of its second
  // lines that do not count
  output logic             unwritten_o,  // memory has not written it
  output logic             bad_put_o,
  output logic             bad_take_o,
  output line_t            bad_line_o,
  input  wire logic        bad_busy_i,
  input  wire logic        bad_done_i,
  output axi_req_t         m_axi_req_o,
  input  wire axi_resp_t   m_axi_resp_i
);

  localparam int unsigned Slots = 8;  // lines of a log on their way to W, and the one being filled
  localparam int unsigned SlotWidth = $clog2(Slots);
  localparam int unsigned Margin = 8;  // lines of which room_q does not know yet, and some more
  localparam int unsigned CountWidth = $clog2(Lines) + 2;
  localparam int unsigned Beats = LineUnits / BeatUnits;  // of a line
  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [CountWidth-1:0] count_t;
  typedef logic [$clog2(4*Slots*Beats)-1:0] place_t;  // of a beat that waits for W

  `WC_REQUIRE(beat_units, BeatUnits inside {1, LineUnits},
              "wc_log_lines: BeatUnits must be 1 or 4")
  `WC_REQUIRE(quiet, Quiet == 2 ** $clog2(Quiet), "wc_log_lines: Quiet must be a power of two")
  `WC_REQUIRE(lines, Lines >= 4 * Margin && Lines == 2 ** $clog2(Lines),
              "wc_log_lines: Lines must be a power of two of 32 or more")

  // A line that goes to memory.
  typedef struct packed {
    logic                 patch;
    logic                 bump;
    logic                 ahead;
    log_e                 log;
    slot_t                slot;
    logic                 whole;  // with the first unit that it got
    logic                 error;  // of one of these units
    logic [LineUnits-1:0] mask;
    line_t                line;
  } send_t;
  typedef struct packed {
    logic  patch;
    logic  bump;
    logic  ahead;
    log_e  log;
    logic  whole;
    logic  error;
    line_t line;
  } sent_t;

  // ---- the lines that are filled ---------------------------------------------------------------
  line_t [1:0] line_q;
  logic [1:0][LineUnits-1:0] units_q;  // that memory does not have
  slot_t [1:0] slot_q;
  logic [1:0] whole_q;  // nothing of it has been sent
  logic [1:0] error_q;  // of one of these units
  logic [1:0] send_room_q;  // for a line that goes to memory
  logic room_q;  // and for another one in the ring, of either log: it is wanted early
  logic [1:0] some_q;   // units_q is not 0
  logic [1:0][$clog2(Quiet):0] quiet_q;
  logic [1:0] tired_q;  // it has been quiet for long, and has units

  logic take, opens, passes, leaves, rests;
  logic [1:0] push;
  log_e rest_log, push_log;
  slot_t fill_slot;
  send_t send_q;
  logic send_valid_q, send_ready;
  logic [LineUnits-1:0] one;

  // A patch waits for two cycles, in which its line is compared with those in work. No line is opened
  // meanwhile, so what may go may go later, too.
  logic patch, patch_room_q;
  logic compared_q, patch_may_q;
  logic [1:0] meets_q;
  slot_t patch_slot_q;

  for (genvar i = 0; i < 2; i++) begin : gen_meets
    always_ff @(posedge clk_i) begin
      meets_q[i] <= unit_valid_i && unit_i.patch && some_q[i] && line_q[i] == unit_i.line;
    end
  end

  always_ff @(posedge clk_i) begin
    compared_q <= unit_valid_i && unit_i.patch && !take && !rst_i;
    patch_may_q <= compared_q && !take && meets_q == '0 && patch_room_q && !rst_i;
    if (patch) patch_slot_q <= patch_slot_q + 1'b1;
    if (rst_i || clear_i) patch_slot_q <= '0;
  end

  assign unit_ready_o = unit_i.patch ? patch_may_q : !unit_i.opens || room_q;
  assign patch = take && unit_i.patch;
  assign take = unit_valid_i && unit_ready_o;
  assign opens = take && unit_i.opens;
  assign passes = take && unit_i.passes;
  assign leaves = opens && some_q[unit_i.log];
  assign rests = !take && tired_q != '0;
  assign rest_log = log_e'(!tired_q[0]);
  assign push_log = take ? unit_i.log : rest_log;
  assign fill_slot = slot_q[unit_i.log] + slot_t'(leaves);
  assign one = LineUnits'(1) << unit_i.number;

  for (genvar i = 0; i < 2; i++) begin : gen_push
    assign push[i] = (leaves && unit_i.log == log_e'(i)) || (rests && rest_log == log_e'(i));
  end

  always_ff @(posedge clk_i) begin
    send_valid_q <= leaves || rests || patch;
    send_q <= '{patch: 1'b0, bump: 1'b0, ahead: 1'b0, log: push_log, slot: slot_q[push_log],
                whole: whole_q[push_log], error: error_q[push_log], mask: units_q[push_log],
                line: line_q[push_log]};
    if (patch) begin
      send_q <= '{patch: 1'b1, bump: unit_i.bump, ahead: unit_i.ahead, log: LogNew,
                  slot: patch_slot_q, whole: 1'b0, error: 1'b0, mask: one, line: unit_i.line};
    end
    for (int unsigned i = 0; i < 2; i++) begin
      if (!quiet_q[i][$clog2(Quiet)]) quiet_q[i] <= quiet_q[i] + 1'b1;
      tired_q[i] <= some_q[i] && send_room_q[i] && (quiet_q[i][$clog2(Quiet)] || meets_q[i]);
      if (push[i]) begin
        slot_q[i] <= slot_q[i] + 1'b1;
        units_q[i] <= '0;
        some_q[i] <= 1'b0;
        whole_q[i] <= 1'b0;
        tired_q[i] <= 1'b0;
      end
      begun_o[i] <= take && unit_i.log == log_e'(i) && unit_i.write
                    && (unit_i.opens || !some_q[i]);
      if (take && !unit_i.patch && unit_i.log == log_e'(i)) begin
        quiet_q[i] <= '0;
        tired_q[i] <= 1'b0;
        if (unit_i.write) begin
          units_q[i] <= (unit_i.opens ? '0 : units_q[i]) | one;
          error_q[i] <= unit_i.error || (error_q[i] && some_q[i] && !unit_i.opens);
          some_q[i] <= 1'b1;
        end
        if (unit_i.opens) begin
          line_q[i] <= unit_i.line;
          whole_q[i] <= 1'b1;
        end
      end
    end
    if (rst_i || clear_i) begin
      send_valid_q <= 1'b0;
      units_q <= '0;
      some_q <= '0;
      slot_q <= '0;
      tired_q <= '0;
      quiet_q <= '0;
      begun_o <= '0;
    end
  end

  // ---- room for another line -------------------------------------------------------------------
  count_t [1:0] flying_q;  // lines that were sent and are not acknowledged
  count_t patches_q;  // patches likewise
  logic [SlotWidth:0] patch_used_q;
  count_t [1:0] passed_q;  // lines without a unit since there was none
  logic [1:0][SlotWidth:0] used_q;  // slots that wait for W
  logic read;
  send_t send;
  logic send_valid;
  logic acked_q, acked_patch_q, acked_bump_q, acked_ahead_q;
  log_e acked_log_q;
  logic [1:0] sent_to, room;

  // Lines - Margin or more lines; fewer than Slots - 3 slots, 5 of the 8. Told by bits, as comparing
  // numbers would be a carry chain.
  function automatic logic many(count_t lines);
    return lines[CountWidth-1:$clog2(Lines)] != '0
           || lines[$clog2(Lines)-1:$clog2(Margin)] == '1;
  endfunction

  function automatic logic few(logic [SlotWidth:0] slots);
    return slots[SlotWidth:SlotWidth-1] == '0 || slots == (SlotWidth + 1)'(Slots - 4);
  endfunction

  for (genvar i = 0; i < 2; i++) begin : gen_sent_to
    assign sent_to[i] = send_valid_q && !send_q.patch && send_q.log == log_e'(i);
    assign acked_o[i] = acked_q && !acked_patch_q && acked_log_q == log_e'(i);
    assign room[i] = !many(flying_q[i] + passed_q[i]) && few(used_q[i]);
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) begin
      if (sent_to[i] != acked_o[i]) flying_q[i] <= flying_q[i] + (sent_to[i] ? count_t'(1) : '1);
      if (sent_to[i] != (read && !send.patch && send.log == log_e'(i))) begin
        used_q[i] <= used_q[i] + (sent_to[i] ? (SlotWidth + 1)'(1) : '1);
      end
      // More than fit the ring are as many as fit it.
      if (flying_q[i] == '0 && !some_q[i] && !send_valid_q) passed_q[i] <= '0;
      else if (passes && unit_i.log == log_e'(i)) begin
        passed_q[i] <= passed_q[i] + count_t'(passed_q[i] != count_t'(Lines));
      end
      send_room_q[i] <= !many(flying_q[i]) && few(used_q[i]);
    end
    room_q <= room == '1;
    if (patch != (acked_q && acked_patch_q)) patches_q <= patches_q + (patch ? count_t'(1) : '1);
    if (patch != (read && send.patch)) begin
      patch_used_q <= patch_used_q + (patch ? (SlotWidth + 1)'(1) : '1);
    end
    patch_room_q <= !many(patches_q) && few(patch_used_q);
    if (rst_i || clear_i) begin
      patches_q <= '0;
      patch_used_q <= '0;
      patch_room_q <= 1'b0;
      flying_q <= '0;
      used_q <= '0;
      passed_q <= '0;
      send_room_q <= '0;
      room_q <= 1'b0;
    end
  end

  // ---- to memory -------------------------------------------------------------------------------
  assign patched_o = acked_q && acked_patch_q && !acked_bump_q && !acked_ahead_q;
  assign bumped_o = acked_q && acked_patch_q && acked_bump_q;

  // Worst case: all slots.
  wc_fifo_shallow #(
    .data_t(send_t),
    .Depth (4 * Slots)
  ) u_sends (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(send_valid_q),
    .ready_o(send_ready),
    .data_i (send_q),
    .valid_o(send_valid),
    .ready_i(read),
    .data_o (send)
  );

  logic aw_valid_q, w_valid_q, last_q;
  logic [BeatUnits-1:0] strobe_q;
  line_t beat_line_q;
  logic [BeatWidth-1:0] beat;
  logic [1:0] number;  // of the next beat's first unit
  logic fetch;  // a beat from the RAM
  logic begins, ends;  // it is the line's first, its last

  function automatic place_t place(logic aside, log_e log, slot_t slot, logic [1:0] unit);
    return place_t'(32'({aside, log, slot, unit}) / BeatUnits);
  endfunction

  assign begins = number == '0;
  assign ends = number == 2'(LineUnits - BeatUnits);
  assign read = fetch && ends;

  if (Beats == 1) begin : gen_beat
    assign number = '0;
    assign fetch = send_valid && !aw_valid_q && !w_valid_q;
  end else begin : gen_beats
    logic [1:0] number_q;

    assign number = number_q;
    assign fetch = send_valid && !(begins && aw_valid_q) && (!w_valid_q || m_axi_resp_i.w_ready);

    always_ff @(posedge clk_i) begin
      if (fetch) number_q <= number_q + 2'(BeatUnits);
      if (rst_i) number_q <= '0;
    end
  end

  // Units of a beat side by side. Lines are so few that a RAM in look-up tables does, but with four
  // places for each it is better in block RAM.
  for (genvar i = 0; i < BeatUnits; i++) begin : gen_unit
    wc_ram_sdp #(
      .Width($bits(unit_t)),
      .Depth(4 * Slots * Beats),
      .Style(Beats == 1 ? "auto" : "block")
    ) u_fill (
      .clk_i  (clk_i),
      .we_i   (take && (unit_i.write || unit_i.patch) && 32'(unit_i.number) % BeatUnits == i),
      .waddr_i(unit_i.patch ? place(1'b1, LogNew, patch_slot_q, unit_i.number)
                            : place(1'b0, unit_i.log, fill_slot, unit_i.number)),
      .wdata_i(unit_i.data),
      .re_i   (fetch),
      .raddr_i(place(send.patch, send.log, send.slot, number)),
      .rdata_o(beat[$bits(unit_t)*i+:$bits(unit_t)])
    );
    assign m_axi_req_o.w.strb[UnitBytes*i+:UnitBytes] = {UnitBytes{strobe_q[i]}};
  end

  always_ff @(posedge clk_i) begin
    if (m_axi_resp_i.aw_ready) aw_valid_q <= 1'b0;
    if (m_axi_resp_i.w_ready) w_valid_q <= 1'b0;
    if (fetch) begin
      if (begins) aw_valid_q <= 1'b1;
      w_valid_q <= 1'b1;
      last_q <= ends;
      strobe_q <= BeatUnits'(send.mask >> number);
      beat_line_q <= send.line;
    end
    if (rst_i) begin
      aw_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
    end
  end

  assign m_axi_req_o.aw.addr = AddrWidth'({beat_line_q, ($clog2(LineBytes))'(0)});
  assign m_axi_req_o.aw.len = 8'(Beats - 1);
  assign m_axi_req_o.aw_valid = aw_valid_q;
  assign m_axi_req_o.w.data = beat;
  assign m_axi_req_o.w.last = Beats == 1 || last_q;
  assign m_axi_req_o.w_valid = w_valid_q;
  assign m_axi_req_o.ar = '0;
  assign m_axi_req_o.ar_valid = 1'b0;
  assign m_axi_req_o.r_ready = 1'b0;

  // ---- acknowledgements ------------------------------------------------------------------------
  sent_t sent;
  logic sent_ready, sent_valid, b_take, b_error, bad;
  log_e bad_log_q;
  logic bad_patch_q, bad_bump_q, bad_ahead_q;

  // Worst case: both logs, and patches, have as many on the way as the ring has lines. A line takes
  // 3 cycles through the queue; a B that comes sooner waits.
  wc_fifo_wide #(
    .data_t(sent_t),
    .Depth (4 * Lines)
  ) u_sent (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(read),
    .ready_o(sent_ready),
    .data_i ('{patch: send.patch, bump: send.bump, ahead: send.ahead, log: send.log,
               whole: send.whole, error: send.error, line: send.line}),
    .valid_o(sent_valid),
    .ready_i(b_take),
    .data_o (sent),
    .level_o()
  );

  assign m_axi_req_o.b_ready = sent_valid && !bad_busy_i;
  assign b_take = m_axi_resp_i.b_valid && m_axi_req_o.b_ready;
  assign b_error = m_axi_resp_i.b.resp[1];
  assign bad = b_error || sent.error;
  assign unwritten_o = b_take && b_error;
  assign bad_put_o = b_take && bad;
  assign bad_take_o = b_take && !bad && sent.whole;
  assign bad_line_o = sent.line;

  always_ff @(posedge clk_i) begin
    acked_q <= (b_take && !bad) || bad_done_i;
    acked_log_q <= bad_done_i ? bad_log_q : sent.log;
    acked_patch_q <= bad_done_i ? bad_patch_q : sent.patch;
    acked_bump_q <= bad_done_i ? bad_bump_q : sent.bump;
    acked_ahead_q <= bad_done_i ? bad_ahead_q : sent.ahead;
    if (bad_put_o) begin
      bad_log_q <= sent.log;
      bad_patch_q <= sent.patch;
      bad_bump_q <= sent.bump;
      bad_ahead_q <= sent.ahead;
    end
    idle_o <= flying_q == '0 && patches_q == '0 && some_q == '0 && !send_valid_q && !unit_valid_i;
    if (rst_i) begin
      acked_q <= 1'b0;
      idle_o <= 1'b0;
    end
  end

  `WC_ASSERT(sends_have_room, !send_valid_q || send_ready)
  `WC_ASSERT(sent_have_room, !read || sent_ready)
  `WC_ASSERT(bounded, flying_q[0] <= count_t'(Lines - 2) && flying_q[1] <= count_t'(Lines - 2)
             && patches_q <= count_t'(Lines - 2) && 32'(used_q[0]) < Slots
             && 32'(used_q[1]) < Slots && 32'(patch_used_q) < Slots)
  `WC_ASSERT(cleared_at_rest, !clear_i || patches_q == '0)
  `WC_ASSERT(one_answer, !(bad_done_i && b_take))
  `WC_ASSERT_STREAM(aw, aw_valid_q, m_axi_resp_i.aw_ready, m_axi_req_o.aw)
  `WC_ASSERT_STREAM(w, w_valid_q, m_axi_resp_i.w_ready, m_axi_req_o.w)
  `WC_ASSERT(opens_with_a_unit, !unit_valid_i || !unit_i.opens || unit_i.write)

endmodule

`default_nettype wire
