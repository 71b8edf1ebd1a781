// SPDX-License-Identifier: Apache-2.0
// Numbers the places that are given out, and knows of each bucket on the chip whether its last item
// is written.
// room_o counts what was given two cycles ago, and leaves room for one more. An answer to ask_i comes in the next cycle and
// stays; it has what was given two cycles before the question. One item a cycle is written at most.
`include "wc_assert.svh"
`default_nettype none

module wc_item_jobs #(
  parameter int unsigned Entries = 64
) (
  input  wire logic                clk_i,
  input  wire logic                rst_i,
  output logic                     room_o,
  output wc_log_pkg::job_t         next_o,   // number of the job that is given next
  input  wire logic                give_i,
  input  wire wc_item_pkg::entry_t give_entry_i,
  input  wire logic                written_i,
  output logic [Entries-1:0]       unwritten_o,
  input  wire logic                ask_i,
  input  wire wc_item_pkg::entry_t ask_entry_i,
  output logic                     unwritten_of_o,
  output wc_log_pkg::job_t         job_of_o
);

  import wc_item_pkg::*;
  import wc_log_pkg::*;

  localparam int unsigned EntryWidth = $clog2(Entries);
  localparam int unsigned PlaceWidth = $clog2(MostJobs);

  job_t given_q, written_q, unwritten;
  logic give_q;
  entry_t give_entry_q;
  job_t give_job_q;

  assign next_o = given_q;
  assign unwritten = given_q - written_q;

  // ---- a job is written: whose, and is it this bucket's last ------------------------------------
  logic written_q1, written_q2, newer_q;
  job_t job_q1, job_q2, last;
  logic [EntryWidth-1:0] entry;
  entry_t entry_q2;

  wc_ram_sdp #(
    .Width(EntryWidth),
    .Depth(MostJobs)
  ) u_entries (
    .clk_i  (clk_i),
    .we_i   (give_q),
    .waddr_i(give_job_q[PlaceWidth-1:0]),
    .wdata_i(give_entry_q[EntryWidth-1:0]),
    .re_i   (written_i),
    .raddr_i(written_q[PlaceWidth-1:0]),
    .rdata_o(entry)
  );

  wc_ram_sdp #(
    .Width($bits(job_t)),
    .Depth(Entries)
  ) u_last (
    .clk_i  (clk_i),
    .we_i   (give_q),
    .waddr_i(give_entry_q[EntryWidth-1:0]),
    .wdata_i(give_job_q),
    .re_i   (written_q1),
    .raddr_i(entry),
    .rdata_o(last)
  );

  wc_item_flags #(
    .Entries(Entries)
  ) u_unwritten (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .set_i        (give_q),
    .set_entry_i  (give_entry_q),
    .clear_i      (written_q2 && last == job_q2 && !newer_q),
    .clear_entry_i(entry_q2),
    .flags_o      (unwritten_o)
  );

  // ---- for who asks ----------------------------------------------------------------------------
  wc_ram_sdp #(
    .Width($bits(job_t)),
    .Depth(Entries)
  ) u_job_of (
    .clk_i  (clk_i),
    .we_i   (give_q),
    .waddr_i(give_entry_q[EntryWidth-1:0]),
    .wdata_i(give_job_q),
    .re_i   (ask_i),
    .raddr_i(ask_entry_i[EntryWidth-1:0]),
    .rdata_o(job_of_o)
  );

  always_ff @(posedge clk_i) begin
    give_q <= give_i;
    give_entry_q <= give_entry_i;
    give_job_q <= given_q;
    if (give_i) given_q <= given_q + 1'b1;
    if (written_i) written_q <= written_q + 1'b1;
    room_o <= unwritten < job_t'(MostJobs - 1);
    written_q1 <= written_i;
    job_q1 <= written_q;
    written_q2 <= written_q1;
    job_q2 <= job_q1;
    entry_q2 <= entry_t'(entry);
    newer_q <= give_q && give_entry_q == entry_t'(entry);
    if (ask_i) unwritten_of_o <= unwritten_o[ask_entry_i[EntryWidth-1:0]];
    if (rst_i) begin
      give_q <= 1'b0;
      given_q <= '0;
      written_q <= '0;
      room_o <= 1'b0;
      written_q1 <= 1'b0;
      written_q2 <= 1'b0;
    end
  end

  `WC_ASSERT(bounded, unwritten <= job_t'(MostJobs))
  `WC_ASSERT(given_has_room, !give_i || unwritten < job_t'(MostJobs))
  `WC_ASSERT(written_was_given, !written_i || unwritten != '0)
  `WC_ASSERT(not_given_and_written, !(written_i && give_q && give_job_q == written_q))
  `WC_ASSERT(not_given_and_asked, !(ask_i && give_q && give_entry_q == ask_entry_i))

endmodule

`default_nettype wire
