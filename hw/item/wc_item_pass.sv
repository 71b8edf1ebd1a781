// SPDX-License-Identifier: Apache-2.0
// What becomes of the lines: each operation reads its bucket's line, finds its slot, changes it.
//   c0 the line is read; c1 it comes; c2 the slots are compared; c3 it is known what happens, and
//   uses are counted; c4 what happened is told, slots change; c5 the line is written.
// An operation that only counts uses writes them in c3, apart from the rest of the line, so the
// next one may be in c1 by then. Any other is alone from c1 to c3. When two operations of one
// bucket follow each other, the second one finds the slots as the first has left them.
// Latency 3 to looked_o. An operation every 2 cycles, every 4 behind one that is slow.
`include "wc_assert.svh"
`default_nettype none

module wc_item_pass #(
  parameter int unsigned Entries = 64,
  parameter bit          Meta    = 1'b1  // items have marks
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic                       period_i,  // wc_item_pkg::period_of, now
  input  wire logic                       step_valid_i,
  input  wire wc_item_pkg::step_t         step_i,
  output logic                            quiet_o,  // nothing passes
  // lines that others read and write
  input  wire logic                       read_i,   // not while step_valid_i
  input  wire wc_item_pkg::entry_t        read_entry_i,
  output wc_item_pkg::bucket_line_t       read_line_o,  // in the next cycle
  input  wire logic                       fill_valid_i,
  output logic                            fill_ready_o,
  input  wire wc_item_pkg::entry_t        fill_entry_i,
  input  wire wc_item_pkg::bucket_line_t  fill_line_i,
  input  wire logic                       fill_bad_i,
  input  wire logic                       fill_unread_i,  // memory did not tell this time
  // c1: what is known of the job of its bucket's last item, which comes in c2 and stays for c3
  output logic                            ask_o,
  output wc_item_pkg::entry_t             ask_entry_o,
  input  wire logic                       unwritten_i,
  input  wire wc_log_pkg::job_t           job_i,
  // c3: a place
  input  wire wc_log_pkg::job_t           next_job_i,
  input  wire wc_log_pkg::address_t [1:0] place_i,
  output logic                            wanted_o,   // it needs its places no more
  output logic                            take_o,     // it takes this one
  output wc_log_pkg::log_e                take_log_o,
  output wc_item_pkg::entry_t             take_entry_o,
  output logic                            looked_valid_o,
  output wc_item_pkg::looked_t            looked_o,
  output logic                            seen_valid_o,  // an operation has looked, and no more:
  output logic                            seen_item_o,   // there is an item
  output wc_log_pkg::address_t            seen_address_o,
  output logic                            passed_o,  // room was reserved for it
  output wc_log_pkg::units_t              passed_units_o,
  // two cycles before the operation has no more to do with its entry
  output logic                            leave_o,
  output wc_item_pkg::entry_t             leave_entry_o,
  output wc_item_pkg::position_t          leave_position_o,
  output logic                            dirty_o,  // the line of done_entry_o has changed
  output logic                            unlock_o,  // it was settled, or has nothing to ask
  output logic                            settled_o, // it was settled
  output wc_item_pkg::entry_t             done_entry_o,
  output logic                            evict_o,
  output logic                            ghost_o,
  output wc_item_pkg::change_t            change_o, // of a slot
  output wc_item_pkg::pass_keys_t         keys_o    // likewise
);

  import wc_item_pkg::*;
  import wc_log_pkg::*;

  localparam int unsigned EntryWidth = $clog2(Entries);
  typedef uses_t [Slots-1:0] bucket_uses_t;
  typedef logic [Slots-1:0] mask_t;

  // What a line says of uses, and the marks that a GET changes: they have a RAM of their own.
  typedef struct packed {
    access_e [Slots-1:0] access;
    mask_t        won;
    logic         bad;
    logic         unread;
    bucket_uses_t uses;
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

  // ---- operations ------------------------------------------------------------------------------
  logic c1_q, c2_q, c3_q;
  logic c4_q, c5_q;  // of one that is slow
  step_t first_q;   // the one in c1 or c2
  step_t second_q;  // the one in c3, c4 or c5
  logic same_q;     // the slots are of the bucket of the one in c1
  logic slots_valid_q;
  waiting_t look;

  assign look = second_q.look;
  assign quiet_o = !(c1_q || c2_q || c3_q || c4_q || c5_q);

  always_ff @(posedge clk_i) begin
    c1_q <= step_valid_i;
    c2_q <= c1_q;
    c3_q <= c2_q;
    c4_q <= c3_q && second_q.slow;
    c5_q <= c4_q;
    if (step_valid_i) begin
      first_q <= step_i;
      same_q <= slots_valid_q && !step_i.look.fills && step_i.look.entry == first_q.look.entry;
      slots_valid_q <= step_i.look.looks;
    end
    if (c2_q) second_q <= first_q;
    if (rst_i) begin
      c1_q <= 1'b0;
      c2_q <= 1'b0;
      c3_q <= 1'b0;
      c4_q <= 1'b0;
      c5_q <= 1'b0;
      slots_valid_q <= 1'b0;
    end
  end

  // ---- lines -----------------------------------------------------------------------------------
  bucket_line_t line, stored;
  counts_t counts, stored_counts;
  logic bad_q, unread_q;
  logic write_line, write_counts, counted, counted_q, changed_q;
  entry_t read_entry, write_entry;
  bucket_uses_t uses;
  access_e [Slots-1:0] access;
  mask_t won;
  logic [CountsWidth-1:0] stored_bits;
  logic load;

  assign read_entry = read_i ? read_entry_i : step_i.look.entry;
  assign write_line = c5_q && changed_q;
  // One that is slow writes them with its line.
  assign write_counts = write_line || (counted && !second_q.slow);
  // Known late, and a line may be said to have changed until its last operation leaves it.
  always_ff @(posedge clk_i) counted_q <= counted && !second_q.slow && !rst_i;
  // Whatever may be written has the RAM, so fills wait for registers only.
  assign fill_ready_o = !c5_q && !(c3_q && !second_q.slow);
  assign write_entry = fill_ready_o ? fill_entry_i : look.entry;

  wc_ram_sdp #(
    .Width($bits(bucket_line_t)),
    .Depth(Entries)
  ) u_lines (
    .clk_i  (clk_i),
    .we_i   (write_line || (fill_valid_i && fill_ready_o)),
    .waddr_i(write_entry[EntryWidth-1:0]),
    .wdata_i(c5_q ? line : fill_line_i),
    .re_i   (step_valid_i || read_i),
    .raddr_i(read_entry[EntryWidth-1:0]),
    .rdata_o(stored)
  );

  wc_ram_sdp #(
    .Width(CountsWidth),
    .Depth(Entries)
  ) u_counts (
    .clk_i  (clk_i),
    .we_i   (write_counts || (fill_valid_i && fill_ready_o)),
    .waddr_i(write_entry[EntryWidth-1:0]),
    .wdata_i(counts[CountsWidth-1:0]),
    .re_i   (step_valid_i || read_i),
    .raddr_i(read_entry[EntryWidth-1:0]),
    .rdata_o(stored_bits)
  );

  assign stored_counts = counts_t'(stored_bits);

  always_comb begin
    counts = fill_ready_o ? counts_of(fill_line_i) : counts_of(line);
    if (!fill_ready_o && !second_q.slow) begin
      counts.uses = uses;
      counts.access = access;
      counts.won = won;
    end
    counts.bad = fill_ready_o && fill_bad_i;
    counts.unread = fill_ready_o && fill_unread_i;
  end

  assign read_line_o = with_counts(stored, stored_counts);
  assign load = c1_q && !same_q;

  always_ff @(posedge clk_i) begin
    if (load) {bad_q, unread_q} <= {stored_counts.bad, stored_counts.unread};
  end

  // ---- slots -----------------------------------------------------------------------------------
  turn_t turn_q;  // of the sweeper's last operation

  always_ff @(posedge clk_i) begin
    if (c2_q && first_q.look.sweeps && !first_q.settles) turn_q <= turn_of(first_q.look.tag);
    if (rst_i) turn_q <= '0;
  end

  logic item, ghost, main_log, used, full, count, fetch, win;
  slot_t slot, new_q;
  slot_number_t number;
  short_units_t span_q, old_span;
  logic old_item;
  tag_t old_tag;
  logic put_q, clear_q, haunt_q, move_q, mark_q;
  logic held_q;  // its bucket, until it is settled
  logic counted_key_q, again_q;  // the filter counts its key; whose slot it takes

  wc_item_slots u_slots (
    .clk_i    (clk_i),
    .load_i   (load),
    .line_i   (read_line_o),
    .line_o   (line),
    .compare_i(first_q),
    .turn_i   (turn_q),
    .period_i (period_i),
    .item_o   (item),
    .ghost_o  (ghost),
    .main_o   (main_log),
    .used_o   (used),
    .full_o   (full),
    .slot_o   (slot),
    .number_o (number),
    .count_i  (count),
    .fetch_i  (fetch),
    .win_i    (win),
    .counts_o (counted),
    .uses_o   (uses),
    .access_o (access),
    .won_o    (won),
    .old_item_o(old_item),
    .old_span_o(old_span),
    .old_tag_o (old_tag),
    .put_i    (put_q),
    .clear_i  (clear_q),
    .haunt_i  (haunt_q),
    .move_i   (move_q),
    .mark_i   (mark_q),
    .new_i    (new_q)
  );

  // ---- c3: what happens ------------------------------------------------------------------------
  // Registers for what is known in c2.
  // `sets`: it has a place, whatever is found. Of one that asks, and finds an item, the place waits.
  logic bad;  // nothing is known of its bucket, or of its item
  logic passes_q, spares_q;  // it had room, for itself; for what grows in its message
  logic user, user_q, sets, sets_q, found, finds_q, unreadable_q, placed, wants, wants_q;
  logic asks, asks_q, puts;  // there is an item to ask; it stores at once
  logic stores_over_q;  // it has a place if there is an item
  logic copies_q;       // it has a place if there is an item, and that was used
  logic count_q, fetch_q, win_q;
  logic marks_q;        // other marks are settled
  slot_t settled;       // the slot, if they are
  log_e log;

  assign user = first_q.look.looks && !first_q.look.sweeps && !first_q.settles;
  assign wants = !first_q.settles
                 && (first_q.look.stores || (first_q.look.sweeps && first_q.look.may_copy));
  assign bad = bad_q || first_q.failed;
  assign sets = user && first_q.look.stores && !bad
                && (!first_q.look.asks || first_q.look.creates);

  always_ff @(posedge clk_i) begin
    count_q <= c2_q && user && first_q.look.reads && !bad;
    fetch_q <= Meta && c2_q && user && first_q.look.fetches && !bad;
    win_q <= Meta && c2_q && user && first_q.look.wins && !bad;
    if (c2_q) begin
      span_q <= first_q.settles ? short_units_t'(first_q.look.span)
                                : short_units(first_q.look.span);
      user_q <= user;
      sets_q <= sets;
      asks_q <= user && first_q.look.asks && !bad;
      stores_over_q <= user && first_q.look.asks && first_q.look.stores && !bad;
      copies_q <= first_q.look.sweeps && !first_q.settles && !bad_q && !first_q.look.dead
                  && first_q.look.may_copy;
      finds_q <= first_q.look.looks && !first_q.settles && !bad;
      // The sweeper need not care for a bucket that is out of use: nobody finds what is in it.
      unreadable_q <= user ? bad : first_q.look.sweeps && !first_q.settles && unread_q;
      wants_q <= wants;
      passes_q <= wants || first_q.look.grows;
      spares_q <= first_q.look.ends;
      marks_q <= Meta && first_q.settles
                 && (first_q.remark.keeps != '1 || first_q.remark.sets != '0);
    end
    if (rst_i) begin
      count_q <= 1'b0;
      fetch_q <= 1'b0;
      win_q <= 1'b0;
    end
  end

  assign found = finds_q && item;
  assign asks = asks_q && item;
  assign puts = sets_q && !asks;
  assign count = count_q;
  assign fetch = fetch_q;
  assign win = win_q;
  always_comb begin
    settled = slot;
    if (!second_q.remark.keeps.fetched) settled.access = AccessStored;
    if (second_q.remark.sets.fetched) settled.access = first_used_in(period_i);
    settled.stale = (slot.stale && second_q.remark.keeps.stale) || second_q.remark.sets.stale;
    settled.won = (slot.won && second_q.remark.keeps.won) || second_q.remark.sets.won;
  end
  assign log = look.sweeps || ghost || main_log ? LogMain : LogNew;

  assign placed = sets_q || (item && (stores_over_q || (copies_q && used)));

  assign wanted_o = c3_q && wants_q;
  assign take_o = c3_q && placed;
  assign take_log_o = log;
  assign take_entry_o = look.entry;
  assign ask_o = c1_q;
  assign ask_entry_o = first_q.look.entry;

  // Told as it is found: whoever takes it has it from a queue.
  assign looked_valid_o = c3_q && !second_q.settles && !second_q.peeks;
  assign seen_valid_o = c3_q && second_q.peeks;
  assign seen_item_o = found;
  assign seen_address_o = slot.address;

  always_comb begin
    looked_o = '{
        sweeps: look.sweeps,
        unreadable: unreadable_q,
        found: found,
        address: slot.address,
        span: slot.span,
        marks: marks_of(slot),
        bumps: fetch && found && slot.access == first_used_in(period_i),
        waits: user_q && found && !placed && unwritten_i,
        job: placed ? next_job_i : job_i,
        placed: placed,
        place: place_i[log],
        log: log,
        held: asks,
        follows: second_q.follows,
        entry: look.entry,
        slot: number,
        evicted: puts && full && !item,
        taken: span_q,
        value_len: look.address[$bits(wc_pkg::value_len_t)-1:0]
    };
  end

  always_ff @(posedge clk_i) begin
    if (c3_q) begin
      changed_q <= puts || counted || marks_q
                   || (second_q.settles && (look.stores || look.removes))
                   || (user_q && look.removes && !look.asks && found) || (look.sweeps && found);
      new_q <= '{
          main: (second_q.settles ? second_q.log : log) == LogMain,
          access: !Meta ? AccessStored : second_q.settles ? settled.access
                : look.fetches ? first_used_in(period_i) : AccessStored,
          uses: item ? one_more(slot.uses) : '0,
          stale: Meta && second_q.settles && settled.stale,
          won: Meta && (second_q.settles ? settled.won : look.wins),
          tag: second_q.settles ? slot.tag : look.tag,
          span: span_q,
          address: second_q.settles ? look.address : place_i[log]
      };
      held_q <= asks;
    end
    // Only of one in c4.
    put_q <= c3_q && (puts || (second_q.settles && look.stores));
    clear_q <= c3_q && ((user_q && look.removes && !look.asks && found)
                        || (second_q.settles && look.removes && !look.stores)
                        || (look.sweeps && found && (look.dead || (main_log && !placed))));
    haunt_q <= c3_q && look.sweeps && found && !look.dead && !main_log && !placed;
    move_q <= c3_q && look.sweeps && placed;
    mark_q <= c3_q && marks_q && !look.stores && !look.removes;
    counted_key_q <= c3_q && look.counted;
    again_q <= item;
    change_o <= '{
        gains: put_q,
        loses: old_item && (put_q || clear_q || haunt_q),
        gained: new_q.span,
        lost: old_span
    };
    // What is settled takes the slot of the item with its tag, so it neither gains nor loses one.
    keys_o <= '{
        loses: old_item && (clear_q || haunt_q || (put_q && !again_q)),
        lost: old_tag,
        counted: counted_key_q,
        gains: put_q && !again_q,
        tag: look.tag,
        entry: look.entry
    };
    passed_o <= c3_q && (passes_q || spares_q);
    passed_units_o <= (passes_q ? look.span : '0) + second_q.spare;
    evict_o <= c3_q && puts && full && !item;
    ghost_o <= c3_q && puts && ghost;
    if (rst_i) begin
      put_q <= 1'b0;
      clear_q <= 1'b0;
      haunt_q <= 1'b0;
      move_q <= 1'b0;
      mark_q <= 1'b0;
      counted_key_q <= 1'b0;
      {keys_o.loses, keys_o.counted, keys_o.gains} <= '0;
      change_o <= '0;
      passed_o <= 1'b0;
      evict_o <= 1'b0;
      ghost_o <= 1'b0;
    end
  end

  // ---- c5, or c3: it leaves ---------------------------------------------------------------------
  logic leave_fast, leave_slow;

  assign leave_fast = c1_q && !first_q.slow && first_q.look.looks;
  assign leave_slow = c3_q && second_q.slow && !second_q.settles && !second_q.peeks;
  assign leave_o = leave_fast || leave_slow;
  assign leave_entry_o = leave_slow ? look.entry : first_q.look.entry;
  assign leave_position_o = leave_slow ? look.position : first_q.look.position;
  assign dirty_o = write_line || counted_q;
  assign unlock_o = c5_q && (second_q.settles || (look.asks && !held_q));
  assign settled_o = c5_q && second_q.settles;
  assign done_entry_o = look.entry;

  `WC_ASSERT(slow_alone, !(c3_q && second_q.slow) || (!c1_q && !c2_q && !c4_q && !c5_q))
  `WC_ASSERT(two_apart, !(c1_q && c2_q))
  `WC_ASSERT(changes_in_c4, c4_q || !(put_q || clear_q || haunt_q || move_q || mark_q
                            || counted_key_q))
  `WC_ASSERT(same_tag, !(put_q && again_q) || (old_item && old_tag == new_q.tag))
  `WC_ASSERT(settles_again, !(put_q && second_q.settles) || again_q)
  `WC_ASSERT(leaves_once, !(leave_fast && leave_slow))
  `WC_ASSERT(one_reads, !(read_i && step_valid_i))
  `WC_ASSERT(writes_have_ram, !write_counts || !fill_ready_o)
  // The bucket has not changed since the one before found an item.
  `WC_ASSERT(follower_is_held, !looked_valid_o || !second_q.follows || asks)
  `WC_ASSERT(settled_is_item, !(c3_q && second_q.settles) || (item))
  `WC_ASSERT(no_read_of_write, !(read_i && write_counts
                                 && read_entry_i == look.entry))
  `WC_ASSERT(no_read_of_fill, !(read_i && fill_valid_i && fill_ready_o
                                && read_entry_i == fill_entry_i))
  `WC_ASSERT(no_step_on_fill, !(step_valid_i && step_i.look.looks && fill_valid_i && fill_ready_o
                                && step_i.look.entry == fill_entry_i))

endmodule

`default_nettype wire
