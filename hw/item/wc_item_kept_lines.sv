// SPDX-License-Identifier: Apache-2.0
// The lines that are on the chip, of one way, for wc_item_pass. What operations count, uses and marks,
// is in a RAM of its own: it is written without the rest of a line. So is whether memory told the line.
// What is read is there in the next cycle. In a cycle either a fill is written, or what passes.
`default_nettype none

module wc_item_kept_lines
  import wc_item_pkg::*;
#(
  parameter int unsigned Entries = 64,
  parameter bit          Meta    = 1'b1  // items have marks
) (
  input  wire logic                clk_i,
  input  wire logic                read_i,
  input  wire entry_t              read_entry_i,
  output bucket_line_t             line_o,
  output logic                     bad_o,     // it does not count,
  output logic                     unread_o,  // as memory did not tell it
  input  wire logic                fills_i,   // fills may be written
  input  wire logic                fill_valid_i,
  input  wire entry_t              fill_entry_i,
  input  wire bucket_line_t        fill_line_i,
  input  wire logic                fill_bad_i,
  input  wire logic                fill_unread_i,
  // not fills_i
  input  wire entry_t              entry_i,
  input  wire logic                write_line_i,  // all of the line
  input  wire bucket_line_t        write_i,
  input  wire logic                count_i,       // or these alone
  input  wire uses_t [Slots-1:0]   uses_i,
  input  wire access_e [Slots-1:0] access_i,
  input  wire logic [Slots-1:0]    won_i
);

  localparam int unsigned EntryWidth = $clog2(Entries);

  // What a line says of uses, and the marks that a GET changes.
  typedef struct packed {
    access_e [Slots-1:0] access;
    logic [Slots-1:0]    won;
    logic                bad;
    logic                unread;
    uses_t [Slots-1:0]   uses;
  } counts_t;
  localparam int unsigned CountsWidth = $bits(counts_t) - (Meta ? 0 : 3 * Slots);

  function automatic counts_t counts_of(bucket_line_t line);
    counts_of = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      counts_of.uses[i] = line[i].uses;
      counts_of.access[i] = line[i].access;
      counts_of.won[i] = line[i].won;
    end
  endfunction

  function automatic bucket_line_t with_counts(bucket_line_t line, counts_t counts);
    with_counts = line;
    for (int unsigned i = 0; i < Slots; i++) begin
      with_counts[i].uses = counts.uses[i];
      if (Meta) begin
        with_counts[i].access = counts.access[i];
        with_counts[i].won = counts.won[i];
      end else begin
        with_counts[i].access = access_e'({1'b0, line[i].access[0]});
        {with_counts[i].stale, with_counts[i].won} = '0;
      end
    end
  endfunction

  bucket_line_t stored;
  counts_t counts, stored_counts;
  logic fill;
  entry_t entry;
  logic [CountsWidth-1:0] stored_bits;

  assign fill = fill_valid_i && fills_i;
  assign entry = fills_i ? fill_entry_i : entry_i;

  always_comb begin
    counts = fills_i ? counts_of(fill_line_i) : counts_of(write_i);
    if (!fills_i && !write_line_i) begin
      counts.uses = uses_i;
      counts.access = access_i;
      counts.won = won_i;
    end
    counts.bad = fills_i && fill_bad_i;
    counts.unread = fills_i && fill_unread_i;
  end

  wc_ram_sdp #(
    .Width($bits(bucket_line_t)),
    .Depth(Entries)
  ) u_lines (
    .clk_i  (clk_i),
    .we_i   (write_line_i || fill),
    .waddr_i(entry[EntryWidth-1:0]),
    .wdata_i(fills_i ? fill_line_i : write_i),
    .re_i   (read_i),
    .raddr_i(read_entry_i[EntryWidth-1:0]),
    .rdata_o(stored)
  );

  wc_ram_sdp #(
    .Width(CountsWidth),
    .Depth(Entries)
  ) u_counts (
    .clk_i  (clk_i),
    .we_i   (write_line_i || count_i || fill),
    .waddr_i(entry[EntryWidth-1:0]),
    .wdata_i(counts[CountsWidth-1:0]),
    .re_i   (read_i),
    .raddr_i(read_entry_i[EntryWidth-1:0]),
    .rdata_o(stored_bits)
  );

  assign stored_counts = counts_t'(stored_bits);
  assign line_o = with_counts(stored, stored_counts);
  assign bad_o = stored_counts.bad;
  assign unread_o = stored_counts.unread;

endmodule

`default_nettype wire
