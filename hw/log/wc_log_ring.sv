// SPDX-License-Identifier: Apache-2.0
// The last lines written of each log, on the chip: line l of a log is at l modulo Lines, in the
// log's half, until another one opens there. Whoever reads a beat asks here first: for a line, or with
// BeatUnits = 1 for one of its units. Tags and errors are of lines in both cases.
// A line is opened with its first unit: then the ring has it, and the line before it is gone. What an
// older life of the same line left in the other half is forgotten 3 cycles later, or up to 5 if
// other lines open in these cycles: an ask before that may find the old one.
// Latency of an answer 5 cycles, one a cycle; it holds every unit that came before the ask, and what
// else is in its units means nothing. Takes a unit a cycle, but none in the first Lines cycles after a
// reset or clear_i; asks meanwhile find nothing.
// A patch is a unit of a line that may be there: of one that is not, nothing is written.
// A unit is written 3 cycles after it came: who found the tag of a line a cycle before another one
// opened there still reads the old line's units.
`include "wc_assert.svh"
`default_nettype none

module wc_log_ring
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits = LineUnits,  // of what is given to those who ask
  parameter int unsigned Lines     = 256,  // of each log; a power of two, a segment's lines at most
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       clear_i,
  output logic            ready_o,
  input  wire logic       write_i,
  input  wire logic       patch_i,  // without write_i
  input  wire logic       open_i,  // with write_i: the line's first unit
  input  wire log_e       log_i,   // with write_i
  input  wire line_t      line_i,
  input  wire logic [1:0] unit_i,  // its number in the line
  input  wire unit_t      data_i,
  input  wire logic       error_i,  // of the unit that is written: so is its line, until another
                                    // one opens there
  input  wire logic       ask_valid_i,
  input  wire address_t   ask_address_i,  // a multiple of BeatUnits
  output logic            hit_valid_o,
  output logic            hit_o,
  output logic            error_o,  // with hit_o: of the line
  output logic [BeatWidth-1:0] data_o
);

  localparam int unsigned IndexWidth = $clog2(Lines);
  localparam int unsigned TagWidth = $bits(line_t) - IndexWidth;
  localparam int unsigned Delay = 3;  // of a unit behind its line's tag
  localparam int unsigned Beats = LineUnits / BeatUnits;  // of a line
  typedef logic [IndexWidth-1:0] index_t;
  typedef logic [$clog2(2*Lines*Beats)-1:0] place_t;  // of a beat in the RAM of units
  typedef struct packed {
    logic                valid;
    logic [TagWidth-1:0] tag;
  } tag_t;

  `WC_REQUIRE(lines, Lines >= 16 && Lines == 2 ** IndexWidth,
              "wc_log_ring: Lines must be a power of two of 16 or more")

  `WC_REQUIRE(beat_units, BeatUnits inside {1, LineUnits}, "wc_log_ring: BeatUnits must be 1 or 4")

  function automatic index_t index(line_t line);
    return index_t'(line);
  endfunction

  function automatic logic [TagWidth-1:0] tag(line_t line);
    return line[$bits(line_t)-1:IndexWidth];
  endfunction

  function automatic place_t place(log_e log, index_t line, logic [1:0] unit);
    return place_t'(32'({log, line, unit}) / BeatUnits);
  endfunction

  // ---- tags are made invalid -------------------------------------------------------------------
  index_t wipe_q;

  always_ff @(posedge clk_i) begin
    wipe_q <= wipe_q + 1'b1;
    if (wipe_q == '1) ready_o <= 1'b1;
    if (rst_i || clear_i) begin
      wipe_q <= '0;
      ready_o <= 1'b0;
    end
  end

  // ---- tags are written ------------------------------------------------------------------------
  logic open;
  logic stale_q;  // the other half has a line of stale_index_q that counts no longer
  log_e stale_log_q;
  index_t stale_index_q;
  logic forget;
  logic [1:0] tag_we;
  index_t tag_index;
  tag_t tag_in;

  assign open = write_i && open_i;
  assign forget = stale_q && !open;
  assign tag_index = !ready_o ? wipe_q : open ? index(line_i) : stale_index_q;
  assign tag_in = '{valid: ready_o && open, tag: tag(line_i)};

  for (genvar i = 0; i < 2; i++) begin : gen_we
    assign tag_we[i] = !ready_o || (open && log_i == log_e'(i))
                       || (forget && stale_log_q == log_e'(i));
  end

  // ---- what the other half has of the line that is opened --------------------------------------
  logic checks_q, checks_q2;
  log_e other_q, other_q2;
  line_t opened_q, opened_q2;
  tag_t there, there_q;

  tag_t [1:0] half;
  logic patch_q;
  logic [1:0] forgets_q;  // its tag changes as it is read: that is no tag of the patch's line
  logic [1:0] patches_q;  // the half has the line of the patch that came 2 cycles ago

  for (genvar i = 0; i < 2; i++) begin : gen_check
    wc_ram_sdp #(
      .Width($bits(tag_t)),
      .Depth(Lines)
    ) u_tags (
      .clk_i  (clk_i),
      .we_i   (tag_we[i]),
      .waddr_i(tag_index),
      .wdata_i(tag_in),
      .re_i   ((open && log_i != log_e'(i)) || patch_i),
      .raddr_i(index(line_i)),
      .rdata_o(half[i])
    );
  end

  assign there = half[other_q];

  always_ff @(posedge clk_i) begin
    checks_q <= open;
    other_q <= log_e'(!log_i);
    opened_q <= line_i;
    patch_q <= patch_i;
    for (int unsigned i = 0; i < 2; i++) begin
      forgets_q[i] <= tag_we[i] && tag_index == index(line_i);
      patches_q[i] <= patch_q && !forgets_q[i] && half[i].valid
                      && half[i].tag == tag(opened_q);
    end
    checks_q2 <= checks_q;
    other_q2 <= other_q;
    opened_q2 <= opened_q;
    there_q <= there;
    if (forget) stale_q <= 1'b0;
    if (checks_q2 && there_q.valid && there_q.tag == tag(opened_q2)) begin
      stale_q <= 1'b1;
      stale_log_q <= other_q2;
      stale_index_q <= index(opened_q2);
    end
    if (rst_i || clear_i) begin
      checks_q <= 1'b0;
      checks_q2 <= 1'b0;
      patch_q <= 1'b0;
      patches_q <= '0;
      stale_q <= 1'b0;
    end
  end

  // ---- units -----------------------------------------------------------------------------------
  typedef struct packed {
    log_e       log;
    index_t     index;
    logic [1:0] unit;
    unit_t      data;
    logic       error;  // of this unit or one before it in the line
    logic       patch;
  } write_unit_t;

  logic [Delay-1:0] writing_q;
  write_unit_t units_q[Delay];
  write_unit_t writing;
  place_t writing_place;
  logic [1:0] error_q;  // of the line that each log fills
  logic line_error;

  assign line_error = error_i || (error_q[log_i] && !open_i);
  assign writing = units_q[Delay-1];
  assign writing_place = place(writing.log, writing.index, writing.unit);

  always_ff @(posedge clk_i) begin
    writing_q <= {writing_q[Delay-2:0], write_i};
    units_q[0] <= '{log: log_i, index: index(line_i), unit: unit_i, data: data_i,
                    error: line_error, patch: patch_i};
    if (write_i) error_q[log_i] <= line_error;
    for (int unsigned i = 1; i < Delay; i++) units_q[i] <= units_q[i-1];
    // Its half is known by then.
    if (patches_q != '0) begin
      writing_q[Delay-1] <= 1'b1;
      units_q[Delay-1].log <= log_e'(patches_q[1]);
    end
    if (rst_i || clear_i) writing_q <= '0;
  end

  // ---- asks ------------------------------------------------------------------------------------
  line_t ask_line;
  logic [3:0] asking_q;
  line_t line_q, line_q2;
  tag_t [1:0] found, found_q;
  logic [1:0] wrote_q, wrote_q2;  // the tag changes as it is read: the line is not there
  logic [1:0] hits_q;
  index_t index_q;
  logic [1:0] number_q, number_q2, number_q3;  // of the unit in its line
  logic hit_q;
  logic [BeatWidth-1:0] data;
  logic error;

  assign ask_line = line_t'(ask_address_i / LineUnits);

  for (genvar i = 0; i < 2; i++) begin : gen_half
    wc_ram_sdp #(
      .Width($bits(tag_t)),
      .Depth(Lines)
    ) u_tags (
      .clk_i  (clk_i),
      .we_i   (tag_we[i]),
      .waddr_i(tag_index),
      .wdata_i(tag_in),
      .re_i   (ask_valid_i),
      .raddr_i(index(ask_line)),
      .rdata_o(found[i])
    );
  end

  // Units of a beat lie side by side, so that a beat is read at once and there is nothing to choose from.
  for (genvar i = 0; i < BeatUnits; i++) begin : gen_bank
    wc_ram_sdp #(
      .Width($bits(unit_t)),
      .Depth(2 * Lines * Beats)
    ) u_units (
      .clk_i  (clk_i),
      .we_i   (writing_q[Delay-1] && 32'(writing.unit) % BeatUnits == i),
      .waddr_i(writing_place),
      .wdata_i(writing.data),
      .re_i   (hits_q != '0),
      .raddr_i(place(log_e'(hits_q[1]), index_q, number_q3)),
      .rdata_o(data[$bits(unit_t)*i+:$bits(unit_t)])
    );
  end

  wc_ram_sdp #(
    .Width(1),
    .Depth(2 * Lines)
  ) u_errors (
    .clk_i  (clk_i),
    .we_i   (writing_q[Delay-1] && !writing.patch),
    .waddr_i({writing.log, writing.index}),
    .wdata_i(writing.error),
    .re_i   (hits_q != '0),
    .raddr_i({hits_q[1], index_q}),
    .rdata_o(error)
  );

  always_ff @(posedge clk_i) begin
    asking_q <= {asking_q[2:0], ask_valid_i};
    hit_valid_o <= asking_q[3];
    line_q <= ask_line;
    line_q2 <= line_q;
    found_q <= found;
    index_q <= index(line_q2);
    number_q <= 2'(ask_address_i);
    number_q2 <= number_q;
    number_q3 <= number_q2;
    for (int unsigned i = 0; i < 2; i++) begin
      wrote_q[i] <= !ready_o || (tag_we[i] && tag_index == index(ask_line));
      wrote_q2[i] <= wrote_q[i];
      hits_q[i] <= found_q[i].valid && found_q[i].tag == tag(line_q2) && !wrote_q2[i];
    end
    hit_q <= hits_q != '0;
    hit_o <= hit_q;
    if (hit_q) data_o <= data;
    if (hit_q) error_o <= error;
    if (rst_i) begin
      asking_q <= '0;
      hit_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT(wiped_first, !(write_i || patch_i) || ready_o)
  `WC_ASSERT(one_or_the_other, !(write_i && patch_i))
  // The tag that a patch finds is its line's: written long ago.
  `WC_ASSERT(in_one_half, patches_q != '1)
  // And it is forgotten 5 cycles behind its line's first unit at the latest.
  `WC_ASSERT(one_is_stale, !stale_q || forget || !checks_q2)

endmodule

`default_nettype wire
