// SPDX-License-Identifier: Apache-2.0
// Puts the hash of its key to every operation: Units units of one hash function, given keys and
// asked for hashes round robin, so that order is kept (TRETS'15, Figure 4). The key's words pass
// through unchanged. Latency with lookup3 18 cycles for a key of 4 bytes, 20 for one of 12.
// Throughput: an operation takes the largest of 2 cycles, its words, and a Units-th of what a
// unit takes. A stalled output stalls the inputs once the queues are full.
`include "wc_assert.svh"
`default_nettype none

module wc_hash #(
  parameter wc_pkg::hash_e Function = wc_pkg::HashLookup3,
  parameter int unsigned Units     = 4,
  parameter int unsigned Requests  = 16,  // operations between input and output
  parameter int unsigned UnitWords = 64,  // key words waiting in front of each unit
  parameter int unsigned KeyWords  = 512  // key words waiting for the index
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic [31:0]       seed_i,
  input  wire logic              request_valid_i,
  output logic                   request_ready_o,
  input  wire wc_pkg::request_t  request_i,
  input  wire logic              key_valid_i,
  output logic                   key_ready_o,
  input  wire wc_pkg::beat_t     key_i,
  output logic                   hashed_valid_o,
  input  wire logic              hashed_ready_i,
  output wc_pkg::hashed_t        hashed_o,
  output logic                   key_valid_o,
  input  wire logic              key_ready_i,
  output wc_pkg::beat_t          key_o
);

  localparam int unsigned LongestKey = (wc_pkg::MaxKeyBytes + wc_pkg::WordBytes - 1) /
                                       wc_pkg::WordBytes;

  `WC_REQUIRE(function, Function <= wc_pkg::HashCrc,
              "wc_hash: Function must be HashLookup3, HashMultiplicative or HashCrc")
  `WC_REQUIRE(units, Units >= 1 && Units <= 16, "wc_hash: Units must be 1 to 16")
  `WC_REQUIRE(unit_words, UnitWords >= 2 * LongestKey,
              "wc_hash: UnitWords must hold the longest key twice")
  // An operation leaves only when all its words have entered.
  `WC_REQUIRE(key_words, KeyWords >= LongestKey, "wc_hash: KeyWords must hold the longest key")

  function automatic logic [Units-1:0] turned(logic [Units-1:0] turn);
    return Units'({turn, turn[Units-1]});
  endfunction

  // ---- give out ---------------------------------------------------------------------------------
  // Who asks is looked at for a cycle before it is taken: whether it has a key, and if so whose
  // turn it is, come from registers. So does whether that unit has room, for a length and for all
  // words of any key: room only grows while nothing is given, and operations are never taken in
  // successive cycles. One without a key waits like the others, who would be before it anyway.
  // The units lie far apart: words go to them by way of a register, and so does their room back. So
  // an operation that is taken when a unit has room may find two words of the key before it still
  // on their way, its last one passing and the one before, and all must find a place.
  localparam int unsigned Slack = LongestKey + 2;
  logic [Units-1:0] next_q;  // the unit of the next key, one-hot
  logic seen_q;              // the operation in request_i was there a cycle ago
  logic keyed_q;             // it has a key
  logic [Units-1:0] turn_q;  // the unit that gets it, one-hot; none without a key
  wc_pkg::key_len_t length_q;
  logic room_q;
  logic words_q;             // the words of the operation taken last are passing
  logic [Units-1:0] give_q;  // to this unit, one-hot
  wc_pkg::beat_t word_q;     // one on its way
  logic [Units-1:0] word_valid_q;  // to this unit, one-hot
  logic queue_ready, through_ready;
  logic [Units-1:0] length_ready, unit_room;
  logic keyed, take, pass, ends;

  assign keyed = request_i.op.key_len != '0;
  assign take = seen_q && (!words_q || ends) && queue_ready && room_q;
  assign request_ready_o = take;
  assign key_ready_o = words_q && through_ready;
  assign pass = key_valid_i && key_ready_o;
  assign ends = pass && key_i.last;

  always_ff @(posedge clk_i) begin
    seen_q <= request_valid_i && !take;
    keyed_q <= keyed;
    turn_q <= keyed ? next_q : '0;
    length_q <= request_i.op.key_len;
    room_q <= |(next_q & length_ready & unit_room);
    if (take && keyed_q) next_q <= turned(next_q);
    words_q <= (take && keyed_q) || (words_q && !ends);
    if (take) give_q <= turn_q;
    word_q <= key_i;
    word_valid_q <= pass ? give_q : '0;
    if (rst_i) begin
      seen_q <= 1'b0;
      words_q <= 1'b0;
      word_valid_q <= '0;
      room_q <= 1'b0;
      next_q <= Units'(1);
    end
  end

  `WC_ASSERT(seen, !seen_q || (request_valid_i && length_q == request_i.op.key_len))
  `WC_ASSERT(turn, !take || turn_q == (keyed ? next_q : '0))

  // ---- the units --------------------------------------------------------------------------------
  logic [Units-1:0] hash_valid, hash_ready;
  wc_pkg::hash_t [Units-1:0] hash;

  for (genvar i = 0; i < Units; i++) begin : gen_unit
    logic unit_length_valid, unit_length_ready;
    wc_pkg::key_len_t unit_length;
    logic unit_key_valid, unit_key_ready;
    wc_pkg::beat_t unit_key;

    wc_slice #(
      .data_t(wc_pkg::key_len_t)
    ) u_length (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(take && turn_q[i]),
      .ready_o(length_ready[i]),
      .data_i (length_q),
      .valid_o(unit_length_valid),
      .ready_i(unit_length_ready),
      .data_o (unit_length)
    );

    wc_credit_fifo #(
      .data_t(wc_pkg::beat_t),
      .Depth (UnitWords),
      .Slack (Slack)
    ) u_words (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .room_o (unit_room[i]),
      .valid_i(word_valid_q[i]),
      .data_i (word_q),
      .valid_o(unit_key_valid),
      .ready_i(unit_key_ready),
      .data_o (unit_key)
    );

    if (Function == wc_pkg::HashLookup3) begin : gen_lookup3
      wc_lookup3 u_function (
        .clk_i         (clk_i),
        .rst_i         (rst_i),
        .seed_i        (seed_i),
        .length_valid_i(unit_length_valid),
        .length_ready_o(unit_length_ready),
        .length_i      (unit_length),
        .key_valid_i   (unit_key_valid),
        .key_ready_o   (unit_key_ready),
        .key_i         (unit_key),
        .hash_valid_o  (hash_valid[i]),
        .hash_ready_i  (hash_ready[i]),
        .hash_o        (hash[i])
      );
    end else if (Function == wc_pkg::HashMultiplicative) begin : gen_multiplicative
      wc_multiplicative u_function (
        .clk_i         (clk_i),
        .rst_i         (rst_i),
        .seed_i        (seed_i),
        .length_valid_i(unit_length_valid),
        .length_ready_o(unit_length_ready),
        .length_i      (unit_length),
        .key_valid_i   (unit_key_valid),
        .key_ready_o   (unit_key_ready),
        .key_i         (unit_key),
        .hash_valid_o  (hash_valid[i]),
        .hash_ready_i  (hash_ready[i]),
        .hash_o        (hash[i])
      );
    end else begin : gen_crc
      wc_crc u_function (
        .clk_i         (clk_i),
        .rst_i         (rst_i),
        .seed_i        (seed_i),
        .length_valid_i(unit_length_valid),
        .length_ready_o(unit_length_ready),
        .length_i      (unit_length),
        .key_valid_i   (unit_key_valid),
        .key_ready_o   (unit_key_ready),
        .key_i         (unit_key),
        .hash_valid_o  (hash_valid[i]),
        .hash_ready_i  (hash_ready[i]),
        .hash_o        (hash[i])
      );
    end
  end

  // ---- beside them ------------------------------------------------------------------------------
  logic waiting_valid, waiting_ready;
  wc_pkg::request_t waiting;

  wc_fifo_shallow #(
    .data_t(wc_pkg::request_t),
    .Depth (Requests)
  ) u_requests (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(take),
    .ready_o(queue_ready),
    .data_i (request_i),
    .valid_o(waiting_valid),
    .ready_i(waiting_ready),
    .data_o (waiting)
  );

  wc_fifo #(
    .data_t(wc_pkg::beat_t),
    .Depth (KeyWords)
  ) u_through (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(pass),
    .ready_o(through_ready),
    .data_i (key_i),
    .valid_o(key_valid_o),
    .ready_i(key_ready_i),
    .data_o (key_o),
    .level_o()
  );

  // ---- collect ----------------------------------------------------------------------------------
  // The units lie far apart, so a hash goes to a register first. The oldest request stands in one
  // of its own: the queue sees no path from the hashes.
  wc_pkg::request_t oldest_q;
  logic oldest_valid_q, keyless_q;
  wc_pkg::hash_t hash_q;  // the oldest key's
  logic hash_valid_q;
  logic [Units-1:0] collect_q;  // the unit of the next hash, one-hot
  wc_pkg::hash_t collected;
  logic collect, found, emit;

  assign waiting_ready = !oldest_valid_q;
  assign hash_ready = hash_valid_q ? '0 : collect_q;
  assign collect = |(hash_ready & hash_valid);
  assign found = oldest_valid_q && (keyless_q || hash_valid_q);
  assign emit = found && !hashed_valid_o;

  always_comb begin
    collected = '0;
    for (int unsigned i = 0; i < Units; i++) collected |= collect_q[i] ? hash[i] : '0;
  end

  always_ff @(posedge clk_i) begin
    oldest_valid_q <= oldest_valid_q ? !emit : waiting_valid;
    if (!oldest_valid_q) begin
      oldest_q <= waiting;
      keyless_q <= waiting.op.key_len == '0;
    end
    hash_valid_q <= hash_valid_q ? !emit || keyless_q : collect;
    if (!hash_valid_q) hash_q <= collected;
    if (collect) collect_q <= turned(collect_q);
    if (rst_i) begin
      oldest_valid_q <= 1'b0;
      hash_valid_q <= 1'b0;
      collect_q <= Units'(1);
    end
  end

  // Wide, and the index takes it late: a register that is written whenever it is free.
  always_ff @(posedge clk_i) begin
    hashed_valid_o <= hashed_valid_o ? !hashed_ready_i : found;
    if (!hashed_valid_o) hashed_o <= '{request: oldest_q, hash: hash_q};
    if (rst_i) hashed_valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(hashed, hashed_valid_o, hashed_ready_i, hashed_o)
  `WC_ASSERT_STREAM(key, key_valid_o, key_ready_i, key_o)

endmodule

`default_nettype wire
