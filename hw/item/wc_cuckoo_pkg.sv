// SPDX-License-Identifier: Apache-2.0
// Where a key may be in a table that has several ways: a place in the bank of each. The lowest bits
// of a place say its bank. The signature of an entry is the next place of its key, so an entry can be
// moved without reading the key (Cho and Choi, section 3); model: wirecache.model.cuckoo.
// A key's places are a closed walk: with two ways x and x ^ d; with four x, x ^ d, x ^ d ^ s(d) and
// x ^ s(d), where s exchanges bits that are neighbours. All of them are in one region of the table:
// the walk changes the lowest bits of the bucket, as many as `walk` has, and the signature is the
// next place in as many bits of the tag. What is above stays as it is, of bucket and tag.
// Where a key's places are, follows from the lower half of its hash, which is all that an item in a
// log tells of it (wc_log_pkg::header_t): the step from the lowest bits of this half, which have
// the least part in the bucket.
`default_nettype none

package wc_cuckoo_pkg;

  import wc_item_pkg::*;

  // Items that may be on their way to another place: one for so many lines on the chip of each way.
  // Movers go before others, and lines that they wait for are taken: so most are left to others.
  localparam int unsigned StashShare = 4;
  localparam int unsigned MostMoves = 64;    // for one new item, if nothing else is said
  localparam int unsigned WalkBits = 12;  // at most, and an even number
  typedef logic [WalkBits-1:0] walk_t;    // the lowest bits of it are set
  typedef logic [1:0] way_t;

  // A key in the table: a place of it, and its signature there. Its name is what it has in bank 0.
  typedef struct packed {
    bucket_t bucket;
    tag_t    tag;
  } key_t;

  // What an operation has in a bank beyond the first.
  typedef struct packed {
    entry_t entry;
    logic   fills;  // its line comes with a fill of its own
    tag_t   tag;
  } other_t;

  // Of a table of factor << shift buckets.
  function automatic walk_t walk_of(logic [4:0] shift);
    for (int unsigned i = 0; i < WalkBits; i++) walk_of[i] = 32'(shift) > (i | 1);
  endfunction

  function automatic walk_t exchanged(walk_t step);
    for (int unsigned i = 0; i < WalkBits; i++) exchanged[i] = step[i^1];
  endfunction

  // The bank behind this one on the walk.
  function automatic way_t next_way(int unsigned ways, way_t way);
    return ways == 4 ? {way[0], !way[1]} : {1'b0, !way[0]};
  endfunction

  function automatic key_t next(int unsigned ways, walk_t walk, key_t key);
    walk_t step;
    next = key;
    next.bucket[WalkBits-1:0] = (key.bucket[WalkBits-1:0] & ~walk)
                                | (key.tag[WalkBits-1:0] & walk);
    step = (key.bucket[WalkBits-1:0] ^ key.tag[WalkBits-1:0]) & walk;
    next.tag[WalkBits-1:0] = key.tag[WalkBits-1:0] ^ (ways == 4 ? exchanged(step) : step);
  endfunction

  // Of a name, what the key has in this bank.
  function automatic key_t in_way(int unsigned ways, walk_t walk, way_t way, key_t name);
    way_t at;
    at = '0;
    in_way = name;
    for (int unsigned i = 1; i < ways; i++) begin
      if (at != way) begin
        in_way = next(ways, walk, in_way);
        at = next_way(ways, at);
      end
    end
  endfunction

  // And the name of what is in this bank.
  function automatic key_t name_of(int unsigned ways, walk_t walk, way_t way, key_t key);
    way_t at;
    at = way;
    name_of = key;
    for (int unsigned i = 1; i < ways; i++) begin
      if (at != '0) begin
        name_of = next(ways, walk, name_of);
        at = next_way(ways, at);
      end
    end
  endfunction

  // The name of a key, from its bucket and hash: its place is in bank 0, and the next one in the bank
  // behind. Of one way it is the bucket, and the top of the hash.
  function automatic key_t named(int unsigned ways, bucket_t bucket, wc_pkg::hash_t hash);
    named.bucket = bucket;
    named.tag = hash[63-:$bits(tag_t)];
    if (ways > 1) begin
      named.tag = {hash[63-:$bits(tag_t)-WalkBits], hash[WalkBits-1:0]};
      named.bucket[0] = 1'b0;
      named.tag[0] = 1'b1;
    end
    if (ways == 4) begin
      named.bucket[1] = 1'b0;
      named.tag[1] = 1'b0;
    end
  endfunction

endpackage

`default_nettype wire
