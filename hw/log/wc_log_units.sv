// SPDX-License-Identifier: Apache-2.0
// Makes of jobs, keys, values and copies the units of the logs, each with its place.
// An item's words: four of the header, the key's, the value's, and a zero word if these are odd.
// Two words are a unit: the first one waits until the second comes. Those of the header are there at
// once, so its first unit goes in one cycle, its second while the key's first word comes. Only behind
// a key of one word without a value there is no cycle for it, so it has one of its own.
// When an item leaves out units, as it would not fit the line, the first of them is written as zero, in
// the cycle of the job: whoever walks along the log finds a header without a key, and goes on in the
// next line.
// A copy comes in units, which are whole.
// A number's value comes when its verdict does, and with it what the header has of the item before. A
// value that was joined to the one before comes like any other.
// A patch is one unit of a header, or both, and leaves the logs where they are. When its verdict says that
// there is no item, it is nothing.
// The units of an item that is not stored go the same way, so that the next item's place is known to
// follow, but only the two are written that have the header.
// Latency 2 cycles from a job to its first unit. A cycle for a job, one for the header's first unit
// (not of a copy), one for each word of a stream or unit of a copy; one more where a segment ends,
// and of a key of one word alone
// (more for a link not yet known). A late job waits for its verdict.
`include "wc_assert.svh"
`default_nettype none

module wc_log_units
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_log_write_pkg::*;
(
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       clear_i,
  input  wire logic [4:0] segment_bits_i,
  input  wire link_t      link_i,
  input  wire logic       write_valid_i,
  output logic            write_ready_o,
  input  wire write_t     write_i,
  input  wire logic       verdict_valid_i,
  output logic            verdict_ready_o,
  input  wire verdict_t   verdict_i,
  input  wire logic       key_valid_i,
  output logic            key_ready_o,
  input  wire beat_t      key_i,
  input  wire logic       value_valid_i,
  output logic            value_ready_o,
  input  wire beat_t      value_i,
  input  wire logic       value_error_i,  // nobody knows what this word should be
  input  wire logic       number_valid_i,
  output logic            number_ready_o,
  input  wire beat_t      number_i,
  input  wire logic       copy_valid_i,
  output logic            copy_ready_o,
  input  wire copy_unit_t copy_i,
  output logic            unit_valid_o,
  input  wire logic       unit_ready_i,
  output place_unit_t     unit_o
);

  // One bit each: much hangs on who goes on.
  typedef struct packed {
    logic load;   // of a job: it stays at the input until its last word is taken
    logic head;   // the header's first unit
    logic tail;   // its second one, if that does not go with the key's first word
    logic key;
    logic value;
    logic number; // the value, of a number
    logic copy;
    logic patch;
    logic none;   // a job without words
  } state_t;

  // Of a log's next unit. Between two jobs, where the last one ended.
  typedef struct packed {
    line_t      line;
    logic [1:0] number;
    logic       opened;  // something was written in this line
  } place_t;

  state_t state_q;
  logic drop_q;    // the words go nowhere
  logic store_q;   // units behind the header are written
  logic first_q;   // the header's second unit has not gone
  logic has_value, has_value_q;
  logic number_q;  // the value is one
  units_t left_q;  // units of the copy
  logic copy_end_q;
  logic half_q;    // the next word makes the unit whole
  logic error, kept_error_q;  // the word is in error; the one before it is
  place_t [1:0] place_q;
  logic cross_q;  // it is in the next segment, which is not yet known

  logic room, may, source, go;
  logic patches, first_patch;  // a unit; the header's first
  logic ahead;            // the second one, and the first is still to come
  logic load, loads;      // there is a job; it goes
  logic fresh, skips;     // the job begins a line; units of the last one are left out
  logic writes;
  logic tail;             // the header's second unit goes
  logic key_ends, ends;  // the key's last word is there, the job's
  logic placed;
  word_t word;  // of a stream
  line_t next_line;
  logic last_line, behind_valid;
  place_t at;

  assign load = state_q.load && write_valid_i && (verdict_valid_i || !write_i.late);
  assign has_value = write_i.header.value_len != '0
                     && !((write_i.number || write_i.joined) && write_i.discard);
  assign at = place_q[write_i.log];
  assign fresh = write_i.place[1:0] == '0 && !write_i.patch;  // else where the last job ended
  assign skips = fresh && at.number != '0 && !write_i.discard;
  assign loads = load && (!skips || room);  // with a unit of zero

  always_comb begin
    source = (state_q.key && key_valid_i) || (state_q.value && value_valid_i)
             || (state_q.number && number_valid_i) || (state_q.copy && copy_valid_i)
             || state_q.head || state_q.tail || state_q.patch || state_q.none;
    // At most one counts, so that they are ORed.
    word = (state_q.key ? key_i.data : '0) | (state_q.value ? value_i.data : '0)
           | (state_q.number ? number_i.data : '0);
  end

  assign error = (state_q.copy && copy_i.error) || (state_q.value && value_error_i);

  // A first word alone needs no room, but does not go without either.
  assign may = drop_q || (room && !cross_q);
  assign go = source && may;
  assign patches = may && state_q.patch;
  assign ahead = state_q.patch && write_i.both && first_q;
  assign first_patch = state_q.patch && !write_i.bump && !ahead;
  assign tail = state_q.tail || (state_q.key && first_q);
  assign placed = may && !drop_q && ((source && (half_q || tail)) || ends) && !state_q.patch;
  // Both units of the header are written, whatever becomes of the item.
  assign writes = state_q.load || store_q || first_q;
  assign key_ready_o = state_q.key && may;
  assign value_ready_o = state_q.value && may;
  assign number_ready_o = state_q.number && may;
  assign copy_ready_o = state_q.copy && may;

  assign key_ends = state_q.key && key_valid_i && key_i.last;
  assign ends = (key_ends && !has_value_q)
                || (state_q.value && value_valid_i && value_i.last)
                || (state_q.number && number_valid_i && number_i.last)
                || (state_q.copy && copy_valid_i && copy_end_q)
                || (state_q.patch && !ahead) || state_q.none;
  assign write_ready_o = may && ends;
  assign verdict_ready_o = write_ready_o && write_i.late;

  // Loaded all the time until there is a job, as what comes before it means nothing.
  always_ff @(posedge clk_i) begin
    if (state_q.load) begin
      drop_q <= write_i.discard || (write_i.patch && !verdict_i.stores);
      store_q <= !write_i.late || verdict_i.stores;
      has_value_q <= has_value;
      half_q <= 1'b1;
      number_q <= write_i.number;
      first_q <= !write_i.copy;
    end else if (go) begin
      half_q <= state_q.copy || !(state_q.head || state_q.tail || half_q);
      if (tail || ahead) first_q <= 1'b0;
    end
    if (state_q.load) begin
      left_q <= write_i.span;
      copy_end_q <= 1'b0;
    end else if (go) begin
      left_q <= left_q - 1'b1;
      copy_end_q <= left_q == 2;
    end
    kept_error_q <= go ? error && !state_q.copy : kept_error_q && state_q.value;
    if (state_q.load) begin
      if (loads) begin
        state_q <= '0;
        if (write_i.discard) begin
          if (write_i.header.key_len != '0) state_q.key <= 1'b1;
          else if (has_value) state_q.value <= 1'b1;
          else state_q.none <= 1'b1;
        end else if (write_i.patch) begin
          if (verdict_i.stores) state_q.patch <= 1'b1;
          else state_q.none <= 1'b1;
        end else if (write_i.copy) begin
          state_q.copy <= 1'b1;
        end else begin
          state_q.head <= 1'b1;
        end
      end
    end else if (state_q.head) begin
      if (go) begin
        state_q <= '0;
        if (!has_value_q && write_i.header.key_len <= key_len_t'(WordBytes)) state_q.tail <= 1'b1;
        else state_q.key <= 1'b1;
      end
    end else if (state_q.tail) begin
      if (go) state_q <= '{key: 1'b1, default: 1'b0};
    end else if (state_q.key && has_value_q) begin
      if (may && key_ends) begin
        state_q <= '0;
        if (number_q) state_q.number <= 1'b1;
        else state_q.value <= 1'b1;
      end
    end else if (may && ends) begin
      state_q <= '{load: 1'b1, default: 1'b0};
    end
    if (rst_i || clear_i) state_q <= '{load: 1'b1, default: 1'b0};
  end

  // ---- places ----------------------------------------------------------------------------------
  logic moved_q;  // the line is another one
  logic full;     // the unit is its line's last
  logic begins;   // the job begins a line
  logic moves;    // the line is another one from the next cycle on

  assign full = at.number == '1;
  // Without a job to load, or with one that is discarded, this is harmless where a line begins: so does
  // the next job.
  assign begins = state_q.load && fresh && (at.number == '0 || (loads && skips));
  assign moves = begins || (!state_q.load && ((placed && full && !last_line)
                                                  || (cross_q && behind_valid)));

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) begin
      if (write_i.log == log_e'(i)) begin
        if (begins || placed) begin
          place_q[i].number <= begins ? '0 : at.number + 1'b1;
          place_q[i].opened <= !begins && !full && (at.opened || writes);
        end
        if (moves) begin
          place_q[i].line <= state_q.load ? write_i.place[$bits(address_t)-1:2] : next_line;
        end
      end
    end
    if (cross_q && behind_valid) cross_q <= 1'b0;
    if (placed && full) cross_q <= last_line;
    if (state_q.load) cross_q <= 1'b0;
    moved_q <= moves;
    if (rst_i || clear_i) begin
      place_q <= '0;
      cross_q <= 1'b0;
    end
  end

  wc_log_follow u_follow (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .clear_i       (clear_i),
    .segment_bits_i(segment_bits_i),
    .link_i        (link_i),
    .start_i       (moved_q || state_q.load),  // the next job may be of the other log
    .line_i        (at.line),
    .next_o        (next_line),
    .last_o        (last_line),
    .behind_valid_o(behind_valid)
  );

  // ---- units -----------------------------------------------------------------------------------
  // ready_i is soon known, so there is no wc_slice.
  place_unit_t unit_q;
  word_t lower_q, upper_q;  // words of the unit
  word_t half_word_q;  // the first word of the next one

  // The header's words.
  word_t head, second, third, fourth;
  seconds_t expiry;
  logic keeps, told;

  assign keeps = write_i.late && verdict_i.keeps;
  assign told = write_i.number || write_i.patch;
  assign head = {expiry,
                 told ? {verdict_i.number, verdict_i.value_len}
                      : {write_i.header.number, write_i.header.value_len},
                 write_i.header.key_len};
  assign expiry = keeps ? verdict_i.expiry : write_i.header.expiry;
  assign second = write_i.late ? verdict_i.cas : write_i.header.cas;
  assign third = {write_i.header.hash,
                  (keeps && (write_i.number || write_i.joined)) || write_i.bump || write_i.both
                  ? verdict_i.flags : write_i.header.flags};
  assign fourth = {write_i.late ? {verdict_i.origin, verdict_i.encoded}
                                : {write_i.header.origin, write_i.header.encoded},
                   write_i.header.used};

  assign room = !unit_valid_o || unit_ready_i;

  // A header's second unit may be in another line, but not in another segment.
  address_t patched;
  assign patched = first_patch ? write_i.place : write_i.place + 1'b1;

  always_comb begin
    unit_o = unit_q;
    unit_o.data = {upper_q, lower_q};
  end

  always_ff @(posedge clk_i) begin
    if (room) begin
      unit_valid_o <= placed || patches || (loads && skips);
      unit_q <= '{
        write: writes,
        patch: 1'b0,
        bump: 1'b0,
        ahead: 1'b0,
        opens: writes && !at.opened,
        passes: full && !writes && !at.opened,
        last: ends,
        error: !state_q.load && (error || (half_q && kept_error_q)),
        log: write_i.log,
        line: at.line,
        number: at.number,
        data: '0
      };
      if (state_q.patch) begin
        unit_q <= '{patch: 1'b1, bump: write_i.bump, ahead: ahead, log: write_i.log,
                    line: patched[$bits(address_t)-1:2], number: patched[1:0], default: '0};
      end
      if (state_q.load) {upper_q, lower_q} <= '0;
      else if (state_q.head || first_patch) {upper_q, lower_q} <= {second, head};
      else if (tail || state_q.patch) {upper_q, lower_q} <= {fourth, third};
      else if (state_q.copy) {upper_q, lower_q} <= copy_i.data;
      else if (half_q) {upper_q, lower_q} <= {word, half_word_q};
      else {upper_q, lower_q} <= {word_t'(0), word};
    end
    if (go && !half_q) half_word_q <= word;
    if (rst_i || clear_i) unit_valid_o <= 1'b0;
  end

  `WC_ASSERT(one_state, $onehot(state_q))
  `WC_ASSERT(jobs_stay, !write_ready_o || write_valid_i)
  `WC_ASSERT_STREAM(unit, unit_valid_o, unit_ready_i, unit_o)
  `WC_ASSERT(copies_have_a_place, !write_valid_i || !write_i.copy
             || (!write_i.discard && !write_i.late))
  `WC_ASSERT(bumps_are_patches, !write_valid_i || !(write_i.bump || write_i.both)
             || (write_i.patch && !(write_i.bump && write_i.both)))
  // Or two units would go at once.
  `WC_ASSERT(one_unit, !(go && tail && ends) || drop_q)
  `WC_ASSERT(patches_are_late, !write_valid_i || !write_i.patch
             || (write_i.late && !write_i.discard && !write_i.copy))
  `WC_ASSERT(numbers_are_late, !write_valid_i || !write_i.number
             || (!write_i.copy && !write_i.patch && write_i.late == !write_i.discard))
  `WC_ASSERT(joined_are_late, !write_valid_i || !write_i.joined
             || (!write_i.copy && !write_i.patch && !write_i.number
                 && write_i.late == !write_i.discard))
  `WC_ASSERT(numbers_are_short, !(load && write_i.number && write_i.late)
             || 32'(verdict_i.value_len) < 8 * 2 ** $clog2(NumberWords + 1))
  `WC_ASSERT(items_have_a_key, !write_valid_i || write_i.copy || write_i.discard
             || write_i.header.key_len != '0)
  // Places are given out one behind the other, to the items in their order.
  `WC_ASSERT(behind_the_last, !load || write_i.discard || write_i.patch || write_i.place[1:0] == '0
             || write_i.place == {at.line, at.number})
  // Its header's two units lie in one segment.
  `WC_ASSERT(never_in_last_unit, !(state_q.head && at.number == '1) || !last_line)

endmodule

`default_nettype wire
