// SPDX-License-Identifier: Apache-2.0
// A chain: INCRs and DECRs of one key that come while the first of them holds the bucket. Those behind
// it need not wait until it is settled: they count from what the one before them made (wc_item_kept).
// This names the chain, and says whether the operation that is next follows: it has the bucket, tag and
// key length of the last one that counts, and the bucket is held by that one. What creates an item is in
// no chain, as the new item is of another kind than the one before.
// A chain ends when all of it is settled, or when another operation counts.
// Each of a chain leaves a dead record, which the sweeper meets one day, in the same bucket. When it does,
// its operation need not wait, if it has the chain's lines, in all ways, and cannot find the chain's item:
// when this is in another segment, now and once all is settled. The item is then in the first slot, so nobody else's slot moves when it is settled.
// next_i stays for two cycles before it goes. Whoever goes by what is said here goes when nothing passes:
// then all of it counts what has passed, and the next answer of the pass is its own.
`include "wc_assert.svh"
`default_nettype none

module wc_item_chain
  import wc_log_pkg::*;
  import wc_item_pkg::*;
  import wc_cuckoo_pkg::*;
#(
  parameter int unsigned Ways    = 1,
  localparam int unsigned Others = Ways > 1 ? Ways - 1 : 1
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic [4:0] segment_bits_i,
  input  wire waiting_t   next_i,
  input  wire other_t [Others-1:0] others_i,  // Ways > 1: its entries in the ways behind the first
  output logic            follows_o,  // next_i does
  output logic            sweeps_o,   // next_i is the sweeper's, and need not wait for the chain
  input  wire logic       go_i,       // next_i goes
  input  wire logic       said_i,     // an operation has passed,
  input  wire logic       held_i,     // and holds its bucket;
  input  wire address_t   place_i,    // its place
  input  wire logic       settle_i,   // an item comes into its slot
  input  wire entry_t     settle_entry_i,
  input  wire address_t   settle_place_i,
  input  wire logic       unlock_i,   // a bucket is held no more
  input  wire entry_t     unlock_entry_i
);

  typedef struct packed {
    entry_t           entry;
    tag_t             tag;
    wc_pkg::key_len_t key_len;
  } name_t;

  // ---- who follows ------------------------------------------------------------------------------
  name_t name, name_q;
  other_t [Others-1:0] others_q;
  logic chains, same_q, same_entry;
  logic valid_q;    // it is the name of a chain
  logic first_q;    // the one that passes is the first of one, if it holds its bucket
  logic member_q;   // it is one of a chain
  lengths_t lengths;

  assign lengths = lengths_t'(next_i.address[$bits(lengths_t)-1:0]);
  assign name = '{entry: next_i.entry, tag: next_i.tag, key_len: lengths.key_len};
  assign chains = next_i.counts && next_i.stores && !next_i.creates;
  always_comb begin
    same_entry = next_i.entry == name_q.entry;
    for (int unsigned w = 1; w < Ways; w++) begin
      same_entry &= others_i[w-1].entry == others_q[w-1].entry;
    end
  end

  assign follows_o = valid_q && same_q;

  always_ff @(posedge clk_i) begin
    same_q <= chains && name == name_q;
    if (said_i) begin
      first_q <= 1'b0;
      member_q <= 1'b0;
      if (first_q) valid_q <= held_i;
    end
    if (unlock_i && unlock_entry_i == name_q.entry) valid_q <= 1'b0;
    if (go_i && next_i.counts) begin
      member_q <= chains;
      if (!follows_o) begin
        name_q <= name;
        others_q <= others_i;
        valid_q <= 1'b0;
        first_q <= chains;
      end
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      first_q <= 1'b0;
      member_q <= 1'b0;
    end
  end

  // ---- its segment ------------------------------------------------------------------------------
  // That of the last place. Once an item in it is settled, those of all that follow are in it, and so is
  // the one that the slot has.
  line_t mask_q;  // bits of an address, in lines, that say its segment
  line_t last_q, place_q;
  logic passed_q, settled_q, apart_q, moves;

  function automatic logic differ(line_t a, line_t b, line_t mask);
    return ((a ^ b) & mask) != '0;
  endfunction

  assign moves = passed_q && differ(last_q, place_q, mask_q);
  assign sweeps_o = valid_q && settled_q && apart_q;

  always_ff @(posedge clk_i) begin
    mask_q <= line_t'(({$bits(address_t){1'b1}} << segment_bits_i) >> $clog2(LineUnits));
    last_q <= line_t'(place_i >> $clog2(LineUnits));
    passed_q <= said_i && member_q;
    if (passed_q) place_q <= last_q;
    if (settle_i && settle_entry_i == name_q.entry
        && !differ(line_t'(settle_place_i >> $clog2(LineUnits)), place_q, mask_q)) begin
      settled_q <= 1'b1;
    end
    if (moves || first_q) settled_q <= 1'b0;
    apart_q <= next_i.sweeps && same_entry
               && differ(line_t'(next_i.address >> $clog2(LineUnits)), place_q, mask_q);
  end

  logic unused;
  assign unused = ^{next_i, lengths.value_len, others_i, others_q};

  `WC_ASSERT(follower_has_a_line, !(go_i && follows_o) || !next_i.fills)

endmodule

`default_nettype wire
