// SPDX-License-Identifier: Apache-2.0
// Places in memory that could not be written: whoever reads one asks here whether what it reads
// counts; several may ask at a time. A place is put once, however often it fails; one that was
// written again is taken off. When there is no room for another one, every place counts as bad,
// until clear_i or reset.
// hit_o answers the ask_i of two cycles before, with what was in the list in that cycle and was not
// taken off in the next.
// One change at a time: a place that was put is in the list when done_o says so, 3 cycles later, and
// while busy_o, until then, nothing else may come. A place that is taken off is gone 3 cycles later.
`include "wc_assert.svh"
`default_nettype none

module wc_bad_list #(
  parameter int unsigned Width   = 30,  // of a place
  parameter int unsigned Entries = 8,
  parameter int unsigned Askers  = 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_i,
  input  wire logic                         clear_i,
  input  wire logic [Askers-1:0][Width-1:0] ask_i,
  output logic [Askers-1:0]                 hit_o,
  input  wire logic                         put_i,
  input  wire logic                         take_i,
  input  wire logic [Width-1:0]             place_i,
  output logic                              busy_o,
  output logic                              done_o,
  output logic [$clog2(Entries+1)-1:0]      level_o,  // places in the list, a cycle late
  output logic                              all_o     // there was no room: all are bad
);

  localparam int unsigned Parts = 3;  // of a place, compared apart
  localparam int unsigned PartWidth = (Width + Parts - 1) / Parts;
  typedef logic [Parts*PartWidth-1:0] padded_t;
  typedef logic [Entries-1:0] mask_t;

  `WC_REQUIRE(entries, Entries >= 2, "wc_bad_list: Entries must be 2 or more")

  logic [Width-1:0] place_q[Entries];
  mask_t used_q;
  logic put_q, put_q2, take_q, take_q2;
  logic [Width-1:0] change_q, change_q2;
  logic [Parts-1:0] changed_q[Entries];  // parts that are the same as those of change_q
  mask_t changed, vacant;

  // Which parts of the two places are the same.
  function automatic logic [Parts-1:0] same(logic [Width-1:0] one, logic [Width-1:0] other);
    padded_t differs;
    differs = padded_t'(one) ^ padded_t'(other);
    for (int unsigned i = 0; i < Parts; i++) same[i] = differs[i*PartWidth+:PartWidth] == '0;
  endfunction

  for (genvar i = 0; i < Entries; i++) begin : gen_entry
    assign changed[i] = used_q[i] && changed_q[i] == '1;
  end

  for (genvar a = 0; a < Askers; a++) begin : gen_asker
    logic [Parts-1:0] asked_q[Entries];  // as those of ask_i
    mask_t asked;

    for (genvar i = 0; i < Entries; i++) begin : gen_entry
      assign asked[i] = used_q[i] && asked_q[i] == '1;
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        asked_q[i] <= '0;
        if (used_q[i]) asked_q[i] <= same(ask_i[a], place_q[i]);
      end
      hit_o[a] <= all_o || asked != '0;
      if (rst_i) hit_o[a] <= 1'b0;
    end
  end

  assign vacant = ~used_q & (used_q + 1'b1);
  assign busy_o = put_q || put_q2 || done_o;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (put_q || take_q) changed_q[i] <= same(change_q, place_q[i]);
    end
    put_q <= put_i;
    take_q <= take_i;
    put_q2 <= put_q;
    take_q2 <= take_q;
    change_q <= place_i;
    change_q2 <= change_q;
    done_o <= put_q2;
    // What was taken off meanwhile is no longer there to be found by what is put behind it.
    if (take_q2) used_q <= used_q & ~changed;
    if (put_q2 && changed == '0) begin
      used_q <= used_q | vacant;
      if (vacant == '0) all_o <= 1'b1;
      for (int unsigned i = 0; i < Entries; i++) if (vacant[i]) place_q[i] <= change_q2;
    end
    level_o <= ($clog2(Entries + 1))'($countones(used_q));
    if (rst_i || clear_i) begin
      used_q <= '0;
      all_o <= 1'b0;
    end
    if (rst_i) begin
      put_q <= 1'b0;
      put_q2 <= 1'b0;
      take_q <= 1'b0;
      take_q2 <= 1'b0;
      done_o <= 1'b0;
    end
  end

  `WC_ASSERT(one_at_a_time, !(put_i && take_i) && !(busy_o && (put_i || take_i)))

endmodule

`default_nettype wire
