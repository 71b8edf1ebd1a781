// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of the item index.
`default_nettype none

package wc_item_pkg;

  localparam int unsigned Slots = 8;
  typedef logic [24:0] bucket_t;  // number of a bucket: 2**25 of them at most, 2**28 slots
  typedef logic [16:0] tag_t;     // the top of the key's 64-bit hash
  typedef logic [1:0] uses_t;
  // Of those that an operation compares: eight of each of its lines, and behind FirstOfStash those of
  // wc_item_stash.
  typedef logic [5:0] slot_number_t;
  localparam slot_number_t FirstOfStash = 6'd32;

  // Where an item is behind a put into this slot.
  function automatic slot_number_t put_into(slot_number_t number);
    return number >= FirstOfStash ? number : {number[5:3], 3'b0};
  endfunction
  typedef logic [7:0] short_units_t;  // length of an item, see `short_units`: 128 or more for that
  typedef logic [5:0] entry_t;  // of a bucket that is on the chip; there may be fewer than 64

  // Whether the item of a slot was read or touched, and in which kind of period its time of last use
  // was written: with another use in a period of the other kind it is written anew.
  typedef enum logic [1:0] {
    AccessNone   = 2'd0,  // there is no item: the slot is empty, or has a ghost
    AccessStored = 2'd1,  // it was not
    AccessEven   = 2'd2,
    AccessOdd    = 2'd3
  } access_e;

  // 64 bits: a bucket of eight is a line of memory. Slot 0 is the one that was set last. An empty one
  // is zero.
  typedef struct packed {
    logic                 main;   // an item in the main log. No item: a ghost, whose tag stays
                                  // until somebody needs the slot
    access_e              access;
    uses_t                uses;
    logic                 stale;  // of an item, as wc_pkg::marks_t
    logic                 won;
    tag_t                 tag;
    short_units_t         span;
    wc_log_pkg::address_t address;
  } slot_t;
  typedef slot_t [Slots-1:0] bucket_line_t;

  // A ghost counts for so many turns. Until then its key is one that came back.
  localparam int unsigned GhostTurns = 14;

  // A ghost's turn is where an item has its length.
  function automatic logic is_young(wc_log_pkg::turn_t now, short_units_t turn);
    wc_log_pkg::turn_t age;
    age = now - turn;
    return age < wc_log_pkg::turn_t'(GhostTurns);
  endfunction

  // The table has factor << shift buckets. The bucket of a key is the product of the lower half of
  // its hash and that number, without its lower 32 bits.
  typedef struct packed {
    logic [29:0] base_line;  // where the table starts in memory, in lines of 64 bytes
    logic [3:0]  factor;     // 8 to 15
    logic [4:0]  shift;      // 0 to 21
  } item_settings_t;

  // What makes the length of an item.
  typedef struct packed {
    wc_pkg::key_len_t   key_len;
    wc_pkg::value_len_t value_len;
  } lengths_t;

  // An operation on its way into the table.
  typedef struct packed {
    logic     looks;      // it has a key: there is a bucket to look at
    logic     stores;     // a new item
    logic     removes;    // it takes the item away
    logic     reads;      // a use: the answer tells of the item
    logic     fetches;    // from now on the item has been read or touched
    logic     wins;       // it wins the item, if that is stale and nobody has
    logic     asks;       // what it changes depends on the item: nothing happens until `settle`
    logic     creates;    // asks, stores: without an item with the tag it stores at once
    logic     counts;     // INCR or DECR
    logic     grows;      // asks, stores: joins a value to the item's, whose length it learns
    logic     adds;       // its message has got more room for what grows
    logic     ends;       // all that it has is needed no more
    logic     sweeps;     // it is the sweeper's: an item was met in a log, `address` is its place
    logic     moves;      // it is a mover's (wc_item_stash), `address` is the entry's number
    logic     counted;    // stores: the filter counts it as on its way (wc_item_filter)
    bucket_t  bucket;
    tag_t     tag;        // sweeps: as far as it says where its places are (wc_cuckoo_pkg)
    wc_log_pkg::turn_t    turn;    // sweeps
    wc_log_pkg::units_t   span;    // stores: of the new item; grows: without the old value.
                                   // sweeps: of the item that was met
    wc_log_pkg::address_t address;  // sweeps. Else lengths_t
    logic     dead;       // sweeps: the item is expired or flushed
    logic     may_copy;   // sweeps: there is room in the main log
  } look_t;

  // What the table says of it, in the order in which operations entered.
  typedef struct packed {
    logic         sweeps;
    logic         moves;
    logic         unreadable;  // memory did not tell; sweeps: a slot may have the address
    logic         found;       // user: there is an item with the tag. sweeps: at this address
    wc_log_pkg::address_t address;  // of it
    short_units_t span;
    wc_pkg::marks_t marks;     // before the operation
    logic         bumps;       // found: the item's time of last use is told anew, if it is the one
    logic         waits;       // found, and the item may not be written: it is when `job` is
    wc_log_pkg::job_t job;     // waits: its job. placed: the job of the new item
    logic         placed;      // there is a place for the new item, or for the copy
    wc_log_pkg::address_t place;
    wc_log_pkg::log_e log;     // of place
    logic         held;        // its bucket waits for `settle`
    logic         follows;     // held: it counts from what the one before it made
    entry_t       entry;       // held
    slot_number_t slot;        // held
    logic         evicted;     // an item lost its slot to another key's
    short_units_t taken;       // stores: length of the new item
    wc_pkg::value_len_t value_len;  // placed, grows: of the value, joined
  } looked_t;

  // Marks that the slot keeps, whatever item it has then, and those that it gets.
  typedef struct packed {
    wc_pkg::marks_t keeps;
    wc_pkg::marks_t sets;
  } remark_t;

  typedef struct packed {
    entry_t       entry;
    slot_number_t slot;
    logic         stores;   // the item at `place` takes the slot
    logic         removes;  // the slot becomes empty
    remark_t      remark;   // else, what becomes of the marks
    wc_log_pkg::address_t place;
    wc_log_pkg::log_e log;
    short_units_t span;
  } settle_t;

  // ---- inside the table -------------------------------------------------------------------------
  // Of an operation. Fewer than 128 are between the search for their entries and their pass.
  typedef logic [6:0] position_t;

  // An operation that waits for its line.
  typedef struct packed {
    logic      looks;
    logic      stores;
    logic      removes;
    logic      reads;
    logic      fetches;
    logic      wins;
    logic      asks;
    logic      creates;
    logic      counts;
    logic      grows;
    logic      adds;
    logic      ends;
    logic      sweeps;
    logic      moves;
    logic      counted;
    logic      dead;
    logic      may_copy;
    tag_t      tag;
    wc_log_pkg::turn_t    turn;
    wc_log_pkg::units_t   span;
    wc_log_pkg::address_t address;  // sweeps, moves. settle: the place. Else lengths_t
    entry_t    entry;
    logic      fills;     // its line comes with a fill of its own
    position_t position;
  } waiting_t;

  // What the pass does: an operation, or what was settled.
  typedef struct packed {
    logic         slow;     // it may change more than uses
    logic         settles;
    logic         peeks;    // it tells of the item, and no more
    logic         follows;  // its bucket is held by those from which it counts
    logic         failed;   // memory did not tell the item's length
    wc_log_pkg::units_t spare;  // of the room for what grows: so much is needed no more
    slot_number_t slot;     // settles
    wc_log_pkg::log_e log;  // settles
    remark_t      remark;   // settles
    waiting_t     look;
  } step_t;

  // A bucket's line that is read.
  typedef struct packed {
    entry_t            entry;
    wc_log_pkg::line_t line;
    bucket_t           bucket;
    logic              bad;  // it could not be written: what is read does not count
  } fill_t;

  // What an operation has done to the keys of its bucket, as far as slots tell of them.
  typedef struct packed {
    logic   loses;   // a key has no slot any more
    bucket_t lost_bucket;
    tag_t   lost;    // which
    logic   counted; // the operation's own was counted as on its way
    logic   gains;   // it has a slot, and had none
    bucket_t bucket;
    tag_t   tag;     // the operation's
  } pass_keys_t;

  // The same for the filter, which knows a key by its bucket and tag.
  typedef struct packed {
    logic    loses;
    logic    gains;
    logic    passed;  // it is on its way no more
    bucket_t bucket;
    tag_t    tag;
  } key_news_t;

  // In the cycle in which it happens.
  typedef struct packed {
    logic evict_bucket;  // an item lost its slot to another key's
    logic ghost_back;    // a SET found the ghost of its tag
    logic held;          // cycle in which an operation waits for one that asks
    logic stall;         // cycle in which an operation waits for a free entry
    logic fill;          // a line is read
    logic write_back;    // a line is written
  } item_table_events_t;

  // What has become of a slot: an item came into it, an item went, or both.
  typedef struct packed {
    logic         gains;
    logic         loses;
    short_units_t gained;  // length, as a slot has it
    short_units_t lost;
  } change_t;

  // Items in slots, and what they take of the log.
  typedef struct packed {
    logic [28:0] items;
    logic [31:0] span;  // in units
  } live_t;

  // A unit of memory that the host wants to see, and what was read of it (wc_item_host_read). And a
  // segment, of which it wants to know the next one in its log.
  typedef logic [15:0] run_t;
  typedef struct packed {
    logic                 valid;  // for a cycle
    wc_log_pkg::address_t address;
    run_t                 run;    // beats that are passed over, at most, while they are zero
    wc_log_pkg::segment_t segment;
  } host_ask_t;
  typedef struct packed {
    logic              busy;   // it is read: the rest does not count yet
    logic              error;  // memory did not tell
    logic              zeros;  // the whole beat is zero
    run_t              passed; // beats
    wc_log_pkg::unit_t data;
    wc_log_pkg::segment_t next;  // a cycle behind `segment`; means nothing for a log's last segment
  } host_told_t;

  // What the host reads.
  typedef struct packed {
    wc_pkg::cas_t                floor;  // items up to this CAS number are flushed,
    wc_log_pkg::flushes_t        flushes;  // or with another count than this one
    wc_log_pkg::segments_t       free;
    wc_log_pkg::segments_t [1:0] count;  // of the new log, of the main one
    wc_log_pkg::segments_t       lost;
    live_t                       live;
    wc_log_pkg::ages_t           ages;
  } item_state_t;

  // What a model must be told to do the same: what the sweeper met, each look at the table in the
  // order in which they came, and what came of it, and each segment that became free.
  typedef struct packed {
    logic                 give;
    wc_log_pkg::segment_t segment;
    logic                 looked;
    logic                 sweeps;   // it was the sweeper's; its record was met before
    wc_pkg::op_e          op;       // a user's
    logic                 found;
    logic                 placed;
    wc_log_pkg::address_t place;
    logic                 moved;    // a mover's operation has passed,
    logic [4:0]           mover;    // of this entry of the stash
    logic                 met;
    logic                 dead;
    logic                 may_copy;
    wc_log_pkg::address_t met_address;
  } item_probe_t;

  // All that is counted of this index alone. wc_item_regs.rdl has the counters in this order.
  typedef struct packed {
    item_table_events_t        in_table;
    wc_log_pkg::sweep_events_t in_sweep;
    logic                      alias_met;  // an operation met another key under its tag
    logic                      too_large;  // SET of an item that is larger than settings allow
    logic                      room_wait;  // cycle in which a SET waits for room in the log
    logic                      forgotten;  // memory failed too often: all is forgotten
    logic                      filter_denied;  // an operation looks for nothing
    logic                      filter_full;    // one met a full counter
    logic                      moved;          // an item was put out, on its way to another place
  } item_events_t;

  // Length as a slot has it: up to 127 as it is, above in steps of an eighth of a power of two,
  // rounded down.
  function automatic short_units_t short_units(wc_log_pkg::units_t span);
    short_units = {1'b0, span[6:0]};
    for (int unsigned i = 7; i < 20; i++) begin
      if (span[i]) short_units = {1'b1, 4'(i - 7), span[i-1-:3]};
    end
  endfunction

  // The length that is meant.
  function automatic wc_log_pkg::units_t long_units(short_units_t span);
    return !span[7] ? wc_log_pkg::units_t'(span)
                    : wc_log_pkg::units_t'({1'b1, span[2:0], 4'b0}) << span[6:3];
  endfunction

  // Room for what grows in a message: some for every message, and, if something grows in it, for one
  // item of the largest kind that there may be, whatever the settings allow beyond what memcached does.
  localparam wc_log_pkg::units_t LeastGrowth = 20'd1024;
  localparam wc_log_pkg::units_t MostUnits = wc_log_pkg::item_units(
      wc_pkg::key_len_t'(wc_pkg::MaxKeyBytes),
      wc_log_pkg::length_t'(wc_pkg::MaxValueBytes - wc_pkg::ItemBytes));

  function automatic wc_log_pkg::units_t growth(wc_log_pkg::units_t largest);
    return largest > MostUnits ? MostUnits : largest;
  endfunction

  function automatic logic is_item(slot_t slot);
    return slot.access != AccessNone;
  endfunction

  function automatic logic is_ghost(slot_t slot);
    return slot.access == AccessNone && slot.main;
  endfunction

  function automatic wc_pkg::marks_t marks_of(slot_t slot);
    return '{fetched: slot.access inside {AccessEven, AccessOdd}, stale: slot.stale,
             won: slot.won};
  endfunction

  // Periods are of 16 seconds. Of which kind one is, are the bits of the Rudin-Shapiro sequence, so that
  // uses that come in step meet either kind, whatever the step is.
  localparam int unsigned PeriodBits = 4;

  function automatic logic period_of(wc_pkg::seconds_t time_now);
    wc_pkg::seconds_t number;
    number = time_now >> PeriodBits;
    return ^(number & (number >> 1));
  endfunction

  // Of an item whose time was written in such a period; of one that is read or touched for the first
  // time, which is not written, so that the second use is.
  function automatic access_e written_in(logic period);
    return access_e'({1'b1, period});
  endfunction

  function automatic access_e first_used_in(logic period);
    return written_in(!period);
  endfunction

  function automatic access_e used_in(access_e access, logic period);
    return access == AccessStored ? first_used_in(period) : written_in(period);
  endfunction

  function automatic uses_t one_more(uses_t uses);
    return uses == '1 ? uses : uses + 1'b1;
  endfunction
  // An operation as it comes from the hash: what the table was not told.
  typedef struct packed {
    wc_pkg::request_t request;
    logic [31:0]      hash;  // lower half: it finds the bucket
  } context_t;

  // What the stage that compares needs of an operation. A plain SET is one without a CAS number.
  typedef logic [4:0] key_beats_t;  // of header, key and number of an item: 7 lines, or 20 units
  typedef struct packed {
    wc_pkg::op_t        op;
    wc_pkg::value_len_t value_len;
    wc_pkg::cas_t       cas;      // asks: to be compared. A plain SET that is not late: its own
    logic         asks;           // what it changes depends on the item
    logic         compares;       // asks: a CAS number is given
    logic         counts;         // INCR or DECR: the item's value is read,
    logic         follows;        // or what the one before made of it: wc_item_kept has the item
    logic         joins;          // APPEND or PREPEND; placed: value_len is that of both values
    wc_pkg::number_t delta;       // counts. joins: the address of the item
    logic         creates;        // counts, reads: without an item one is stored,
    wc_pkg::number_t start;       // counts: with this number. Else the address of the item
    logic         touches;        // counts, marks: an item that is there gets another expiry
    logic         recaches;       // wins an item that expires before `delta`,
    logic         renewed;        // or would if it had `expiry`
    logic         idle;           // it is no use of the item
    logic         gives;          // what it stores or marks gets this CAS number:
    wc_pkg::cas_t given;
    logic         stale;          // what it stores, or finds, is stale from then on
    logic         clears;         // a DELETE stores an empty item
    logic         earlier;        // patches, creates: the time to live is told of before
    wc_pkg::marks_t marks;        // of the item, before the operation
    wc_pkg::seconds_t expiry;     // patches, creates: of the item from now on, or if it is created
    logic         words;          // the words of its key come: all but a plain SET's, and this
                                  // one's if the answer shows the key
    key_beats_t   beats;          // of the item that come; 0: there is nothing to compare with
    logic        has_beats;  // beats is not 0
    logic [1:0]   unit;           // place of the item in its line
    logic         one_line;       // a GET, and the whole item is in one line
    logic         unreadable;
    logic         placed;
    logic         late;           // its number is drawn when it is decided, if it stores
    logic         patches;        // the writer waits for it, to give the item its new expiry,
    logic         bumps;          // and then, or only, its new time of last use
    logic         held;           // and so its bucket waits for `settle`
    entry_t       entry;          // held, as the three below
    slot_number_t slot;
    wc_log_pkg::log_e log;
    short_units_t span;          // of the new item
    wc_log_pkg::address_t address;  // of the item; stores: of the new item; FLUSH: its time
    wc_log_pkg::segment_t segment;  // of the item
  } compare_t;

  // What the item says, for the decision.
  typedef struct packed {
    logic               same_length;  // its key is as long as the operation's
    logic               unexpired;
    logic               number;  // INCR or DECR has stored it
    wc_pkg::value_len_t value_len;
    logic [31:0]        flags;
    wc_pkg::seconds_t   expiry;
    logic               encoded;  // its key came in base64
    wc_pkg::cas_t       cas;
    wc_log_pkg::origin_t origin;  // of that number
    wc_pkg::seconds_t   used;     // when it was used last, as far as that is told
  } facts_t;

  // What an operation that counts makes of the item's value, and of none.
  typedef struct packed {
    logic            numeric;  // the value is a number
    wc_pkg::number_t number;   // the new one
    logic [4:0]      digits;   // of it
    logic [4:0]      length;   // of the value that it makes: as long as the one before, at least
    logic            grows;    // it is longer
    logic [4:0]      created_digits;  // of the number that an item would be created with
  } count_t;

  // An operation that joins, and was decided.
  typedef struct packed {
    logic               placed;     // a value goes to the writer, whatever it is worth
    logic               stores;     // it is the one of the item and the one that came, joined
    logic               front;      // what came goes in front
    wc_pkg::value_len_t value_len;  // placed: of both
    // stores: where the item's value is
    wc_log_pkg::address_t address;
    wc_pkg::key_len_t   key_len;
    wc_pkg::value_len_t old_len;
  } joined_t;

  // What was counted: the value of an item that is written.
  typedef struct packed {
    logic            stores;
    wc_pkg::number_t number;
    logic [4:0]      digits;
    logic [4:0]      length;
  } counted_t;

endpackage

`default_nettype wire
