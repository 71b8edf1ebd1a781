// SPDX-License-Identifier: Apache-2.0
// The connection of a peer. Two tables of buckets of four, each with a hash of its own of the peer;
// an entry stands in one of its two buckets, in that with more room when it was made (d-left
// hashing). There is four times the room that is needed. An entry has the connection's number and
// a tag of seven bits; who has the tag is compared with the whole peer, so the answer is exact.
// The hash is Toeplitz', as for receive-side scaling, with a seed that nobody outside knows, and what
// is not linear behind it. host/tcp_seed.h says which seeds are good.
// One at a time, in order. From ask to answer: Find 8 cycles if no entry has the peer's tag, else
// 9, and 2 more for each entry that has it and is another peer's; Insert 8, Remove 9. The next ask
// is taken with the answer. After reset it takes Connections / 2 cycles until all buckets are
// empty.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_lookup #(
  parameter int unsigned Connections = 1024
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  input  wire logic [79:0]                 seed_i,  // the same from reset on
  input  wire logic                        ask_valid_i,
  output logic                             ask_ready_o,
  input  wire wc_tcp_lookup_pkg::ask_t     ask_i,
  output logic                             answer_valid_o,  // for one cycle
  output wc_tcp_lookup_pkg::answer_t       answer_o,
  // For the host: the peer of a connection that is there, or was. While asks come one behind the
  // other it is read while one of them is hashed: so it waits for the rest of one at most, which
  // may meet eight entries with its tag.
  input  wire logic                        about_valid_i,  // for a cycle
  input  wire logic [15:0]                 about_id_i,     // stays until it is read
  output logic                             about_busy_o,
  output wc_tcp_lookup_pkg::peer_t         about_peer_o
);

  import wc_tcp_lookup_pkg::*;

  localparam int unsigned Tables = 2;
  localparam int unsigned Slots = 4;  // of a bucket
  localparam int unsigned Buckets = Connections / 2;  // of a table
  localparam int unsigned PlaceBits = $clog2(Buckets);
  localparam int unsigned IdBits = $clog2(Connections);
  localparam int unsigned TagBits = 7;
  localparam int unsigned HashBits = Tables * PlaceBits + TagBits;
  localparam int unsigned Step = 16;  // bits of the peer that are hashed in a cycle
  localparam int unsigned Steps = $bits(peer_t) / Step;

  `WC_REQUIRE(connections, Connections inside {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                               32768, 65536},
              "wc_tcp_lookup: Connections must be a power of two from 64 to 65,536")
  `WC_REQUIRE(seed, HashBits + $bits(peer_t) - 1 <= 96, "wc_tcp_lookup: seed_i has too few bits")

  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [IdBits-1:0] number_t;
  typedef struct packed {
    logic               valid;
    logic [TagBits-1:0] tag;
    number_t            id;
  } entry_t;
  typedef entry_t [Slots-1:0] bucket_t;
  typedef logic [HashBits-1:0] hash_t;
  typedef logic [Tables*Slots-1:0] slots_t;

  typedef enum logic [2:0] {
    StateClear,    // buckets are made empty, one of each table a cycle
    StateIdle,
    StatePeer,     // Remove: the peer of the connection is read
    StateHash,
    StateRead,     // buckets
    StateFetch,
    StateMatch,    // which entries have the tag, or the number
    StateDo        // compares peers, or writes a bucket
  } state_e;

  state_e state_q;
  ask_t ask_q;
  logic [$clog2(Steps)-1:0] step_q;
  place_t clear_q;
  logic last_step;

  // ---- the hash: each bit of the peer turns round some of it ------------------------------------
  // Bit i of the peer stands for bits i to i + HashBits - 1 of the seed. What is hashed goes down
  // by Step bits a cycle, and so does the seed.
  logic [95:0] seed_q;
  peer_t rest_q;
  hash_t hash_q, turned;
  place_t [Tables-1:0] place;
  logic [TagBits-1:0] tag;

  always_comb begin
    turned = hash_q;
    for (int unsigned i = 0; i < Step; i++) begin
      if (rest_q[i]) turned ^= seed_q[i+:HashBits];
    end
  end

  // Places alone are mixed. By a linear hash peers whose ports count up stand in a few buckets if it
  // happens to map these bits to few places: test_seeds.py counts the seeds with which some have no
  // room.
  function automatic hash_t turned_left(hash_t hash, int unsigned by);
    return hash << by | hash >> (HashBits - by);
  endfunction

  hash_t once, twice, mixed;

  assign once = hash_q ^ (turned_left(hash_q, 3) & turned_left(hash_q, 8));
  assign twice = once ^ (turned_left(once, 5) & turned_left(once, 11));
  assign mixed = twice ^ (turned_left(twice, 1) & turned_left(twice, 7));
  assign tag = hash_q[HashBits-1-:TagBits];
  assign place = mixed[Tables*PlaceBits-1:0];

  logic unused;
  assign unused = ^mixed[HashBits-1:Tables*PlaceBits];

  // ---- memory -----------------------------------------------------------------------------------
  bucket_t [Tables-1:0] bucket, bucket_q, changed;
  logic [Tables-1:0] write;
  peer_t peer;
  logic peer_read;
  number_t peer_at;
  logic clearing;

  assign clearing = state_q == StateClear;

  for (genvar t = 0; t < Tables; t++) begin : gen_table
    wc_ram_sdp #(
      .Width($bits(bucket_t)),
      .Depth(Buckets)
    ) u_table (
      .clk_i  (clk_i),
      .we_i   (clearing || write[t]),
      .waddr_i(clearing ? clear_q : place[t]),
      .wdata_i(clearing ? '0 : changed[t]),
      .re_i   (state_q == StateRead),
      .raddr_i(place[t]),
      .rdata_o(bucket[t])
    );
  end

  wc_ram_sdp #(
    .Width($bits(peer_t)),
    .Depth(Connections)
  ) u_peers (
    .clk_i  (clk_i),
    .we_i   (|write && ask_q.action == Insert),
    .waddr_i(number_t'(ask_q.id)),
    .wdata_i(ask_q.peer),
    .re_i   (peer_read),
    .raddr_i(peer_at),
    .rdata_o(peer)
  );

  // ---- entries: whose tag it is, which are free -------------------------------------------------
  slots_t candidates_q, mine, free, first;
  number_t candidate;
  logic asked_q;  // the peer of the first candidate is being read
  logic [Tables-1:0][2:0] held;
  logic right_q;  // an entry is made in the second table
  slots_t free_q, target;

  function automatic slots_t lowest(slots_t slots);
    slots_t below;  // one lower down is set
    below[0] = 1'b0;
    for (int unsigned i = 1; i < Tables * Slots; i++) below[i] = below[i-1] || slots[i-1];
    return slots & ~below;
  endfunction

  always_comb begin
    for (int unsigned t = 0; t < Tables; t++) begin
      held[t] = '0;
      for (int unsigned s = 0; s < Slots; s++) begin
        mine[t*Slots+s] = bucket_q[t][s].valid
                          && (ask_q.action == Remove ? bucket_q[t][s].id == number_t'(ask_q.id)
                                                     : bucket_q[t][s].tag == tag);
        free[t*Slots+s] = !bucket_q[t][s].valid;
        held[t] += 3'(bucket_q[t][s].valid);
      end
    end
  end

  assign first = lowest(candidates_q);

  always_comb begin
    candidate = '0;
    for (int unsigned t = 0; t < Tables; t++) begin
      for (int unsigned s = 0; s < Slots; s++) begin
        if (first[t*Slots+s]) candidate |= bucket_q[t][s].id;
      end
    end
  end

  // The host's turn is when no other is: then nothing is written, and nobody waits for what is read.
  logic about_q, about_reads, about_read_q;

  assign about_reads = about_q && (state_q == StateHash || (state_q == StateIdle && !ask_valid_i));
  assign peer_read = about_reads || (state_q == StateIdle) || (state_q == StateDo && !asked_q);
  assign peer_at = about_reads ? number_t'(about_id_i) :
                   state_q == StateIdle ? number_t'(ask_i.id) : candidate;
  assign about_busy_o = about_q || about_read_q;

  always_ff @(posedge clk_i) begin
    about_q <= about_valid_i || (about_q && !about_reads);
    about_read_q <= about_reads;
    if (about_read_q) about_peer_o <= peer;
    if (rst_i) begin
      about_q <= 1'b0;
      about_read_q <= 1'b0;
    end
  end

  // ---- what changes -----------------------------------------------------------------------------
  assign target = ask_q.action == Remove ? candidates_q :
                  lowest(free_q & (right_q ? {{Slots{1'b1}}, {Slots{1'b0}}}
                                           : {{Slots{1'b0}}, {Slots{1'b1}}}));

  always_comb begin
    changed = bucket_q;
    for (int unsigned t = 0; t < Tables; t++) begin
      for (int unsigned s = 0; s < Slots; s++) begin
        if (target[t*Slots+s]) begin
          changed[t][s] = '{
              valid: ask_q.action == Insert,
              tag: tag,
              id: number_t'(ask_q.id)
          };
        end
      end
      write[t] = state_q == StateDo && ask_q.action != Find && |target[t*Slots+:Slots];
    end
  end

  // ---- one after the other ----------------------------------------------------------------------
  logic same, ends;

  assign ask_ready_o = state_q == StateIdle;
  assign last_step = 32'(step_q) == Steps - 1;
  assign same = peer == ask_q.peer;
  // Find ends with the peer, or when no entry is left that could be its own.
  assign ends = state_q == StateDo
                && (ask_q.action != Find || candidates_q == '0 || (asked_q && same));

  always_ff @(posedge clk_i) begin
    answer_valid_o <= ends;
    answer_o <= '{
        done: ask_q.action == Find ? candidates_q != '0 : |target,
        id: id_t'(candidate)
    };
    step_q <= state_q == StateHash ? step_q + 1'b1 : '0;
    case (state_q)
      StateClear: begin
        clear_q <= clear_q + 1'b1;
        if (clear_q == '1) state_q <= StateIdle;
      end
      StateIdle: begin
        ask_q <= ask_i;
        rest_q <= ask_i.peer;
        seed_q <= 96'(seed_i);
        hash_q <= '0;
        if (ask_valid_i) state_q <= ask_i.action == Remove ? StatePeer : StateHash;
      end
      StatePeer: begin
        rest_q <= peer;
        state_q <= StateHash;
      end
      StateHash: begin
        hash_q <= turned;
        rest_q <= rest_q >> Step;
        seed_q <= seed_q >> Step;
        if (last_step) state_q <= StateRead;
      end
      StateRead: state_q <= StateFetch;
      StateFetch: begin
        bucket_q <= bucket;
        state_q <= StateMatch;
      end
      StateMatch: begin
        candidates_q <= mine;
        free_q <= free;
        right_q <= held[1] < held[0];
        asked_q <= 1'b0;
        state_q <= StateDo;
      end
      StateDo: begin
        asked_q <= !asked_q;
        if (asked_q) candidates_q <= candidates_q & ~first;
        if (ends) state_q <= StateIdle;
      end
      default: state_q <= StateIdle;
    endcase
    if (rst_i) begin
      state_q <= StateClear;
      clear_q <= '0;
      answer_valid_o <= 1'b0;
    end
  end

  // ---- rules ------------------------------------------------------------------------------------
  // Of an ask, behind its hash: three steps, two for each entry with the tag, and one; then the next
  // one, and the peer of a Remove.
  localparam int unsigned MostHeld = 3 + 2 * Tables * Slots + 1 + 2;
  logic [$clog2(MostHeld+1):0] held_q;

  always_ff @(posedge clk_i) begin
    held_q <= about_q && !about_reads ? held_q + 1'b1 : '0;
    if (rst_i) held_q <= '0;
  end

  `WC_ASSERT(about_is_bounded, clearing || 32'(held_q) <= MostHeld)

endmodule

`default_nettype wire
