// SPDX-License-Identifier: Apache-2.0
// What becomes of the lines: each operation reads its bucket's line, finds its slot, changes it.
//   c0 the line is read; c1 it comes; c2 the slots are compared; c3 it is known what happens, and
//   uses are counted; c4 what happened is told, slots change; c5 the line is written.
// An operation that only counts uses writes them in c3, apart from the rest of the line, so the
// next one may be in c1 by then. Any other is alone from c1 to c3. When two operations of one
// bucket follow each other, the second one finds the slots as the first has left them.
// With several ways an operation has a line in each of them, and a new item that finds no free slot
// in them may put another one out, which is then in wc_item_stash, on its way to another place.
// Long because what becomes of a slot is decided here alone, of all operations and in all ways.
// Latency 3 to looked_o. An operation every 2 cycles, every 4 behind one that is slow.
`include "wc_assert.svh"
`default_nettype none

module wc_item_pass
  import wc_item_pkg::*;
  import wc_log_pkg::*;
  import wc_cuckoo_pkg::*;
#(
  parameter int unsigned Entries = 64,   // of each way
  parameter bit          Meta    = 1'b1,  // items have marks
  parameter int unsigned Ways    = 1,
  parameter int unsigned Stash   = Entries / StashShare,  // Ways > 1
  parameter int unsigned Moves   = MostMoves,     // Ways > 1
  localparam int unsigned Others = Ways > 1 ? Ways - 1 : 1
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic                       period_i,  // wc_item_pkg::period_of, now
  input  wire walk_t                      walk_i,    // of the table
  input  wire logic                       forget_i,  // Ways > 1: nothing passes, all is forgotten
  input  wire logic                       step_valid_i,
  input  wire wc_item_pkg::step_t         step_i,
  input  wire other_t [Others-1:0]        others_i,  // Ways > 1: what it has in the ways behind
  output logic                            quiet_o,  // nothing passes
  // lines that others read and write
  input  wire logic [Ways-1:0]            read_i,   // not while step_valid_i
  input  wire entry_t [Ways-1:0]          read_entry_i,
  output bucket_line_t [Ways-1:0]         read_line_o,  // in the next cycle
  input  wire logic [Ways-1:0]            fill_valid_i,
  output logic                            fill_ready_o,
  input  wire entry_t [Ways-1:0]          fill_entry_i,
  input  wire bucket_line_t [Ways-1:0]    fill_line_i,
  input  wire logic [Ways-1:0]            fill_bad_i,
  input  wire logic [Ways-1:0]            fill_unread_i,  // memory did not tell this time
  // c1: what is known of the job of its bucket's last item, which comes in c2 and stays for c3
  output logic                            ask_o,
  output entry_t [Ways-1:0]               ask_entry_o,
  input  wire bucket_t [Ways-1:0]         bucket_i,  // of its entries: from c2 to c4
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
  output entry_t [Ways-1:0]               leave_entry_o,
  output wc_item_pkg::position_t          leave_position_o,
  output logic [Ways-1:0]                 dirty_o,  // the line of done_entry_o has changed
  output logic                            unlock_o,  // it was settled, or has nothing to ask
  output logic                            settled_o, // it was settled
  output entry_t [Ways-1:0]               done_entry_o,
  output logic                            evict_o,
  output logic                            moved_o,  // Ways > 1: an item was put out of its slot
  output logic                            ghost_o,
  output wc_item_pkg::change_t            change_o, // of a slot
  output wc_item_pkg::pass_keys_t         keys_o,   // likewise
  // movers, Ways > 1
  output logic                            mover_valid_o,
  input  wire logic                       mover_ready_i,
  output wc_item_pkg::look_t              mover_o,
  output logic                            moving_o  // items are on their way
);

  typedef uses_t [Slots-1:0] bucket_uses_t;
  typedef logic [Slots-1:0] mask_t;

  // ---- operations ------------------------------------------------------------------------------
  logic c1_q, c2_q, c3_q;
  logic c4_q, c5_q;  // of one that is slow
  step_t first_q;   // the one in c1 or c2
  step_t second_q;  // the one in c3, c4 or c5
  other_t [Others-1:0] first_others_q, second_others_q;
  entry_t [Ways-1:0] step_entry, first_entry, second_entry;
  logic [Ways-1:0] step_fills;
  tag_t [Ways-1:0] first_tag, second_tag;
  logic [Ways-1:0] same_q;  // the slots are of the bucket of the one in c1
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
      first_others_q <= others_i;
      for (int unsigned w = 0; w < Ways; w++) begin
        same_q[w] <= slots_valid_q && !step_fills[w] && step_entry[w] == first_entry[w];
      end
      slots_valid_q <= step_i.look.looks;
    end
    if (c2_q) begin
      second_q <= first_q;
      second_others_q <= first_others_q;
    end
    if (rst_i) begin
      c1_q <= 1'b0;
      c2_q <= 1'b0;
      c3_q <= 1'b0;
      c4_q <= 1'b0;
      c5_q <= 1'b0;
      slots_valid_q <= 1'b0;
    end
  end

  assign step_entry[0] = step_i.look.entry;
  assign step_fills[0] = step_i.look.fills;
  assign first_entry[0] = first_q.look.entry;
  assign first_tag[0] = first_q.look.tag;
  assign second_entry[0] = look.entry;
  assign second_tag[0] = look.tag;

  for (genvar w = 1; w < Ways; w++) begin : gen_other
    assign step_entry[w] = others_i[w-1].entry;
    assign step_fills[w] = others_i[w-1].fills;
    assign first_entry[w] = first_others_q[w-1].entry;
    assign first_tag[w] = first_others_q[w-1].tag;
    assign second_entry[w] = second_others_q[w-1].entry;
    assign second_tag[w] = second_others_q[w-1].tag;
  end

  // ---- lines -----------------------------------------------------------------------------------
  bucket_line_t [Ways-1:0] line;
  logic [Ways-1:0] bad_q, unread_q;
  logic [Ways-1:0] write_line, counted, counted_q, changed_q;
  bucket_uses_t [Ways-1:0] uses;
  access_e [Ways-1:0][Slots-1:0] access;
  mask_t [Ways-1:0] won;
  logic [Ways-1:0] load;

  // Whatever may be written has the RAM, so fills wait for registers only.
  assign fill_ready_o = !c5_q && !(c3_q && !second_q.slow);

  for (genvar w = 0; w < Ways; w++) begin : gen_lines
    logic bad, unread;

    assign write_line[w] = c5_q && changed_q[w];
    // Known late, and a line may be said to have changed until its last operation leaves it.
    always_ff @(posedge clk_i) counted_q[w] <= counted[w] && !second_q.slow && !rst_i;

    wc_item_kept_lines #(
      .Entries(Entries),
      .Meta   (Meta)
    ) u_lines (
      .clk_i        (clk_i),
      .read_i       (step_valid_i || read_i[w]),
      .read_entry_i (read_i[w] ? read_entry_i[w] : step_entry[w]),
      .line_o       (read_line_o[w]),
      .bad_o        (bad),
      .unread_o     (unread),
      .fills_i      (fill_ready_o),
      .fill_valid_i (fill_valid_i[w]),
      .fill_entry_i (fill_entry_i[w]),
      .fill_line_i  (fill_line_i[w]),
      .fill_bad_i   (fill_bad_i[w]),
      .fill_unread_i(fill_unread_i[w]),
      .entry_i      (second_entry[w]),
      .write_line_i (write_line[w]),
      .write_i      (line[w]),
      .count_i      (counted[w] && !second_q.slow),  // one that is slow writes the line
      .uses_i       (uses[w]),
      .access_i     (access[w]),
      .won_i        (won[w])
    );

    assign load[w] = c1_q && !same_q[w];

    always_ff @(posedge clk_i) begin
      if (load[w]) {bad_q[w], unread_q[w]} <= {bad, unread};
    end

    `WC_ASSERT(one_reads, !(read_i[w] && step_valid_i))
    `WC_ASSERT(writes_have_ram, !(write_line[w] || (counted[w] && !second_q.slow))
                                || !fill_ready_o)
    `WC_ASSERT(no_read_of_write, !(read_i[w] && (write_line[w] || (counted[w] && !second_q.slow))
                                   && read_entry_i[w] == second_entry[w]))
    `WC_ASSERT(no_read_of_fill, !(read_i[w] && fill_valid_i[w] && fill_ready_o
                                  && read_entry_i[w] == fill_entry_i[w]))
    `WC_ASSERT(no_step_on_fill, !(step_valid_i && step_i.look.looks && fill_valid_i[w]
                                  && fill_ready_o && step_entry[w] == fill_entry_i[w]))
  end

  // ---- slots -----------------------------------------------------------------------------------
  turn_t turn_q;  // of the sweeper's last operation

  always_ff @(posedge clk_i) begin
    if (c2_q && first_q.look.sweeps && !first_q.settles) turn_q <= first_q.look.turn;
    if (rst_i) turn_q <= '0;
  end

  logic item, ghost, main_log, used, full, count, fetch, win;
  logic line_item, line_main, line_used, line_full;
  slot_t slot, line_slot, new_q, old;
  slot_number_t number, line_number;
  short_units_t span_q;
  logic old_item;
  logic [Ways-1:0] old_way;
  key_t old_name;  // of what is in the slot
  tag_t [Ways-1:0] new_tag;
  logic put_q, clear_q, haunt_q, move_q, mark_q;  // the slot
  logic kick, kick_q;  // one that is put out for what comes
  logic stash_q;       // the slot is none of the lines
  logic held_q;  // its bucket, until it is settled
  logic counted_key_q, again_q;  // the filter counts its key; whose slot it takes

  logic [Ways-1:0] kick_way;
  logic [2:0] kick_slot;

  wc_item_slots #(
    .Ways(Ways)
  ) u_slots (
    .clk_i      (clk_i),
    .load_i     (load),
    .line_i     (read_line_o),
    .line_o     (line),
    .compare_i  (first_q),
    .tag_i      (first_tag),
    .bad_i      (bad_q),
    .turn_i     (turn_q),
    .period_i   (period_i),
    .item_o     (line_item),
    .ghost_o    (ghost),
    .main_o     (line_main),
    .used_o     (line_used),
    .full_o     (line_full),
    .slot_o     (line_slot),
    .number_o   (line_number),
    .count_i    (count),
    .fetch_i    (fetch),
    .win_i      (win),
    .counts_o   (counted),
    .uses_o     (uses),
    .access_o   (access),
    .won_o      (won),
    .kick_i     (kick),
    .kick_way_i (kick_way),
    .kick_slot_i(kick_slot),
    .way_o      (old_way),
    .old_item_o (old_item),
    .old_o      (old),
    .put_i      (put_q && !stash_q),
    .new_tag_i  (new_tag),
    .clear_i    (clear_q && !stash_q),
    .haunt_i    (haunt_q && !stash_q),
    .move_i     (move_q && !stash_q),
    .mark_i     (mark_q && !stash_q),
    .new_i      (new_q)
  );

  always_comb begin
    old_name = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (old_way[w]) begin
        old_name |= name_of(Ways, walk_i, way_t'(w), '{bucket: bucket_i[w], tag: old.tag});
      end
    end
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_new_tag
    assign new_tag[w] = Ways == 1 || second_q.settles ? new_q.tag : second_tag[w];
  end

  // ---- items on their way ------------------------------------------------------------------------
  // The operation is about one that is not in the lines, and what becomes of its slot is done there.
  logic stashed, stash_room, tired;
  slot_t stash_slot;
  slot_number_t stash_number;
  key_t stash_name;
  logic arrives_q;  // a mover's: its item is in the lines now, or nowhere

  if (Ways > 1) begin : gen_stash
    wc_item_stash #(
      .Ways   (Ways),
      .Entries(Stash),
      .Moves  (Moves)
    ) u_stash (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .forget_i     (forget_i),
      .period_i     (period_i),
      .compare_i    (first_q),
      .name_i       ('{bucket: bucket_i[0], tag: first_tag[0]}),
      .hit_o        (stashed),
      .slot_o       (stash_slot),
      .number_o     (stash_number),
      .name_o       (stash_name),
      .room_o       (stash_room),
      .tired_o      (tired),
      .kick_way_o   (kick_way),
      .kick_slot_o  (kick_slot),
      .moves_i      (c3_q && look.moves),
      .count_i      (count),
      .fetch_i      (fetch),
      .win_i        (win),
      .put_i        (put_q && stash_q),
      .clear_i      (((clear_q || haunt_q) && stash_q) || arrives_q),
      .move_i       (move_q && stash_q),
      .mark_i       (mark_q && stash_q),
      .new_i        (new_q),
      .kick_i       (kick_q),
      .kicked_i     (old),
      .kicked_name_i(old_name),
      .kicked_way_i (old_way),
      .mover_valid_o(mover_valid_o),
      .mover_ready_i(mover_ready_i),
      .mover_o      (mover_o),
      .moving_o     (moving_o)
    );
  end else begin : gen_no_stash
    assign {stashed, stash_room, tired, stash_slot, stash_number, stash_name} = '0;
    assign {kick_way, kick_slot, mover_valid_o, mover_o, moving_o} = '0;

    logic unused;
    assign unused = ^{forget_i, mover_ready_i, arrives_q, kick_q, stash_q, walk_i, others_i,
                      first_others_q, second_others_q, second_tag};
  end

  assign item = line_item || stashed;
  assign main_log = line_main || (stashed && stash_slot.main);
  assign used = line_used || (stashed && stash_slot.uses != '0);
  assign full = line_full && !stashed;
  assign slot = line_slot | stash_slot;
  assign number = line_number | stash_number;

  // ---- c3: what happens ------------------------------------------------------------------------
  // Registers for what is known in c2.
  // `sets`: it has a place, whatever is found. Of one that asks, and finds an item, the place waits.
  logic bad;  // nothing is known of its bucket, or of its item
  logic passes_q, spares_q;  // it had room, for itself; for what grows in its message
  logic user, user_q, sets, sets_q, found, finds_q, unreadable_q, placed, wants, wants_q;
  logic asks, asks_q, puts;  // there is an item to ask; it stores at once
  logic moves_on, drops, evicts;
  logic stores_over_q;  // it has a place if there is an item
  logic copies_q;       // it has a place if there is an item, and that was used
  logic count_q, fetch_q, win_q;
  logic marks_q;        // other marks are settled
  slot_t settled;       // the slot, if they are
  log_e log;

  assign user = first_q.look.looks && !first_q.look.sweeps && !first_q.look.moves
                && !first_q.settles;
  assign wants = !first_q.settles
                 && (first_q.look.stores || (first_q.look.sweeps && first_q.look.may_copy));
  assign bad = bad_q != '0 || first_q.failed;
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
      copies_q <= first_q.look.sweeps && !first_q.settles && !first_q.look.dead
                  && first_q.look.may_copy;
      // The sweeper's finds what is in lines that memory told, also when another line of the key is
      // not one of these: so nothing points to a segment that it gives back.
      finds_q <= first_q.look.looks && !first_q.settles && (first_q.look.sweeps || !bad);
      // It need not care for a bucket that is out of use: nobody finds what is in it.
      unreadable_q <= user ? bad : first_q.look.sweeps && !first_q.settles && unread_q != '0;
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
  // A mover's: its item goes into a slot of the lines, or memory does not tell of them and it is lost.
  assign moves_on = Ways > 1 && look.moves && finds_q && stashed;
  assign drops = Ways > 1 && look.moves && !finds_q && stashed;
  // No slot is free, and who is put out has a place to wait.
  assign kick = Ways > 1 && line_full
                && ((puts && !item && stash_room) || (moves_on && !tired));
  assign evicts = (puts && full && !item && !kick) || (moves_on && line_full && !kick) || drops;
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
  assign ask_entry_o = first_entry;

  // Told as it is found: whoever takes it has it from a queue.
  assign looked_valid_o = c3_q && !second_q.settles && !second_q.peeks;
  assign seen_valid_o = c3_q && second_q.peeks;
  assign seen_item_o = found;
  assign seen_address_o = slot.address;

  always_comb begin
    looked_o = '{
        sweeps: look.sweeps,
        moves: look.moves,
        unreadable: unreadable_q && !(look.sweeps && item),
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
        slot: look.moves ? slot_number_t'(look.address) : number,
        evicted: puts && evicts,
        taken: span_q,
        value_len: look.address[$bits(wc_pkg::value_len_t)-1:0]
    };
  end

  logic [Ways-1:0] counted_c4_q;
  logic changes_q;  // a slot changes
  logic mover_q, drops_q;
  key_t stash_name_q;
  short_units_t stash_span_q;
  logic gone, gone_key;  // an item lost its slot, and so did its key

  always_ff @(posedge clk_i) begin
    if (c3_q) begin
      changes_q <= puts || moves_on || marks_q
                   || (second_q.settles && (look.stores || look.removes))
                   || (user_q && look.removes && !look.asks && found) || (look.sweeps && found);
      counted_c4_q <= counted;
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
      if (moves_on) new_q <= slot;
      held_q <= asks;
      stash_q <= stashed && !look.moves;
      stash_name_q <= stash_name;
      stash_span_q <= slot.span;
    end
    if (c4_q) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        changed_q[w] <= (changes_q && !stash_q && old_way[w]) || counted_c4_q[w];
      end
    end
    // Only of one in c4.
    put_q <= c3_q && (puts || (second_q.settles && look.stores) || moves_on);
    clear_q <= c3_q && ((user_q && look.removes && !look.asks && found)
                        || (second_q.settles && look.removes && !look.stores)
                        || (look.sweeps && found && (look.dead || (main_log && !placed))));
    haunt_q <= c3_q && look.sweeps && found && !look.dead && !main_log && !placed;
    move_q <= c3_q && look.sweeps && placed;
    mark_q <= c3_q && marks_q && !look.stores && !look.removes;
    kick_q <= c3_q && kick;
    mover_q <= c3_q && look.moves;
    arrives_q <= c3_q && ((moves_on && !kick) || drops);
    drops_q <= c3_q && drops;
    counted_key_q <= c3_q && look.counted;
    again_q <= item;
    change_o <= '{
        gains: put_q && !mover_q,
        loses: gone,
        gained: new_q.span,
        lost: stash_q || drops_q ? stash_span_q : old.span
    };
    // What is settled takes the slot of the item with its tag, so it neither gains nor loses one.
    keys_o <= '{
        loses: gone_key,
        lost_bucket: stash_q || drops_q ? stash_name_q.bucket : old_name.bucket,
        lost: stash_q || drops_q ? stash_name_q.tag : old_name.tag,
        counted: counted_key_q,
        gains: put_q && !again_q,
        bucket: bucket_i[0],
        tag: look.tag
    };
    passed_o <= c3_q && (passes_q || spares_q);
    passed_units_o <= (passes_q ? look.span : '0) + second_q.spare;
    evict_o <= c3_q && evicts;
    moved_o <= kick_q;
    ghost_o <= c3_q && puts && ghost;
    if (rst_i) begin
      put_q <= 1'b0;
      clear_q <= 1'b0;
      haunt_q <= 1'b0;
      move_q <= 1'b0;
      mark_q <= 1'b0;
      kick_q <= 1'b0;
      mover_q <= 1'b0;
      arrives_q <= 1'b0;
      drops_q <= 1'b0;
      counted_key_q <= 1'b0;
      {keys_o.loses, keys_o.counted, keys_o.gains} <= '0;
      change_o <= '0;
      passed_o <= 1'b0;
      evict_o <= 1'b0;
      moved_o <= 1'b0;
      ghost_o <= 1'b0;
    end
  end

  // Who is put out for another one goes on elsewhere; a mover's item is not new.
  assign gone = ((stash_q || old_item) && !kick_q && (put_q || clear_q || haunt_q)) || drops_q;
  assign gone_key = ((stash_q || old_item) && !kick_q
                     && (clear_q || haunt_q || (put_q && (mover_q || !again_q)))) || drops_q;

  // ---- c5, or c3: it leaves ---------------------------------------------------------------------
  logic leave_fast, leave_slow;

  assign leave_fast = c1_q && !first_q.slow && first_q.look.looks;
  assign leave_slow = c3_q && second_q.slow && !second_q.settles && !second_q.peeks;
  assign leave_o = leave_fast || leave_slow;
  assign leave_entry_o = leave_slow ? second_entry : first_entry;
  assign leave_position_o = leave_slow ? look.position : first_q.look.position;
  assign dirty_o = write_line | counted_q;
  assign unlock_o = c5_q && (second_q.settles || (look.asks && !held_q));
  assign settled_o = c5_q && second_q.settles;
  assign done_entry_o = second_entry;

  `WC_ASSERT(slow_alone, !(c3_q && second_q.slow) || (!c1_q && !c2_q && !c4_q && !c5_q))
  `WC_ASSERT(two_apart, !(c1_q && c2_q))
  `WC_ASSERT(changes_in_c4, c4_q || !(put_q || clear_q || haunt_q || move_q || mark_q
                            || counted_key_q))
  `WC_ASSERT(same_tag, !(put_q && again_q) || mover_q || stash_q
             || (old_item && (Ways > 1 || old.tag == new_q.tag)))
  `WC_ASSERT(in_one_place, !(line_item && stashed && c3_q && second_q.look.looks))
  `WC_ASSERT(settles_again, !(put_q && second_q.settles) || again_q)
  `WC_ASSERT(leaves_once, !(leave_fast && leave_slow))
  // The bucket has not changed since the one before found an item.
  `WC_ASSERT(follower_is_held, !looked_valid_o || !second_q.follows || asks)
  `WC_ASSERT(settled_is_item, !(c3_q && second_q.settles) || (item))

endmodule

`default_nettype wire
