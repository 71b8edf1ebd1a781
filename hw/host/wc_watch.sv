// SPDX-License-Identifier: Apache-2.0
// What became of operations, for a host that watches (memcached's `watch`): of each an entry, and the
// words of its key. The pipeline never waits for this: an operation without room is lost, and
// counted. There are those with key words, which all with a key have while the host watches; each is
// told once, however often its packet is given.
// An entry is there 6 cycles after its operation has left; throughput one a cycle. The host takes the
// words of an entry's key one after the other, and with the last one the entry.
`include "wc_assert.svh"
`default_nettype none

module wc_watch
  import wc_pkg::*;
#(
  parameter int unsigned Entries    = 128,  // that wait for the host; powers of two
  parameter int unsigned KeyWords   = 512,  // and words of their keys
  parameter int unsigned LongestKey = (wc_pkg::MaxKeyBytes + wc_pkg::WordBytes - 1)
                                      / wc_pkg::WordBytes  // words
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     enable_i,  // else nothing is kept, and what was is forgotten
  input  wire watched_t watched_i,
  input  wire beat_t    key_i,     // with watched_i.word
  // the host
  output logic          valid_o,
  output watched_t      entry_o,
  output word_t         key_o,   // a word of its key
  input  wire logic     take_i,  // with valid_o: the word, and with the last word the entry
  output watch_events_t events_o
);

  `WC_REQUIRE(key_words, KeyWords >= 2 * LongestKey,
              "wc_watch: KeyWords must hold two of the longest keys")

  watched_t watched_q;
  beat_t key_q, key;
  logic forget_q;   // with reset, so that both have one register
  logic follows_q;  // the operation in hand from its beginning on
  logic failed_q;   // a word of it found no room
  logic push, keep, keys_ready, entries_ready, entry_valid, key_valid;

  initial forget_q = 1'b1;  // at power-on from the first cycle

  assign push = watched_q.word && follows_q && !failed_q;
  assign keep = watched_q.leaves && watched_q.told && follows_q && !failed_q
                && (!push || keys_ready) && entries_ready;

  always_ff @(posedge clk_i) begin
    forget_q <= rst_i || !enable_i;
    watched_q <= watched_i;
    key_q <= key_i;
    if (watched_q.leaves) begin
      follows_q <= 1'b1;
      failed_q <= 1'b0;
    end else if (push && !keys_ready) begin
      failed_q <= 1'b1;
    end
    events_o <= '{kept: keep, lost: watched_q.leaves && watched_q.told && follows_q && !keep};
    if (forget_q) begin
      follows_q <= 1'b0;
      failed_q <= 1'b0;
      events_o <= '0;
    end
    if (rst_i) {watched_q.word, watched_q.leaves} <= '0;
  end

  wc_fifo_commit #(
    .data_t (beat_t),
    .Depth  (KeyWords),
    .Longest(LongestKey)
  ) u_keys (
    .clk_i   (clk_i),
    .rst_i   (forget_q),
    .valid_i (push),
    .ready_o (keys_ready),
    .data_i  (key_q),
    .commit_i(keep),
    .abort_i (watched_q.leaves && !keep),
    .valid_o (key_valid),
    .ready_i (take_i && valid_o),
    .data_o  (key),
    .level_o ()
  );

  wc_fifo #(
    .data_t(watched_t),
    .Depth (Entries)
  ) u_entries (
    .clk_i  (clk_i),
    .rst_i  (forget_q),
    .valid_i(keep),
    .ready_o(entries_ready),
    .data_i (watched_q),
    .valid_o(entry_valid),
    .ready_i(take_i && valid_o && key.last),
    .data_o (entry_o),
    .level_o()
  );

  assign valid_o = entry_valid && key_valid;
  assign key_o = key.data;

  `WC_ASSERT(entry_has_room, !keep || entries_ready)
  `WC_ASSERT(word_has_room, !(keep && push) || keys_ready)
  `WC_ASSERT(has_a_key, !keep || watched_q.key_len != '0)
  `WC_ASSERT(ends_with_its_key, !keep || !push || key_q.last)

endmodule

`default_nettype wire
