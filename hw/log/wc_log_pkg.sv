// SPDX-License-Identifier: Apache-2.0
// Types of the log: memory in segments in which items stand one behind the other.
`default_nettype none

package wc_log_pkg;

  localparam int unsigned UnitBytes = 16;  // addresses and lengths of items count units
  localparam int unsigned UnitWords = UnitBytes / wc_pkg::WordBytes;
  localparam int unsigned LineUnits = wc_pkg::LineBytes / UnitBytes;
  localparam int unsigned LineWords = wc_pkg::LineBytes / wc_pkg::WordBytes;
  localparam int unsigned LineWidth = 8 * wc_pkg::LineBytes;
  localparam int unsigned MaxSegments = 256;

  typedef logic [8*UnitBytes-1:0] unit_t;  // its first word is below
  typedef logic [31:0] address_t;  // of an item, in units: 64 GiB
  typedef logic [29:0] line_t;     // address of a line of 64 bytes
  typedef logic [19:0] units_t;    // length of an item: header, key and value of 8 MiB
  typedef logic [$bits(units_t):0] room_t;  // what is reserved at a time: of two such items
  typedef logic [$clog2(MaxSegments)-1:0] segment_t;  // number of one: the top of its addresses
  typedef logic [$clog2(MaxSegments):0] segments_t;   // how many
  typedef logic [LineWidth-1:0] data_t;  // of a line; word i is bits [64i+63:64i]
  // Words 4 to 7: in front of the value an item has five words at least, so that the value of an item
  // within a line is in these, wherever the item begins.
  typedef logic [LineWidth/2-1:0] upper_t;

  // What stands in front of key and value, in two units. The first tells where the next item is; a
  // touch writes the first one anew where it stands, a use the second. The key begins in the word
  // behind them, the value in the word behind the key's last. Unused bytes of all words are zero.
  localparam int unsigned HeaderUnits = 2;
  localparam int unsigned HeaderWords = HeaderUnits * UnitWords;
  typedef logic [22:0] length_t;  // of a value, in bytes
  // How many flushes there have been, modulo 2**30, of those that may have met a CAS number that was
  // given by a client.
  typedef logic [29:0] flushes_t;
  // What an item has of its CAS number beside that. Numbers that are drawn tell by themselves which
  // flush they are behind.
  typedef struct packed {
    logic     given;    // a client has given one since the item was stored: it is alive as long as
    flushes_t flushes;  // there have been so many flushes. Else 0
  } origin_t;
  typedef struct packed {
    origin_t          origin;     // word 3, above
    logic             encoded;    // word 3: the key came in base64
    wc_pkg::seconds_t used;       // word 3: when it was used last, or stored
    logic [31:0]      hash;       // word 2, above: the half of the key's hash that finds the bucket
    logic [31:0]      flags;      // word 2
    wc_pkg::cas_t     cas;        // word 1
    wc_pkg::seconds_t expiry;     // word 0, above
    logic             number;     // word 0: INCR or DECR has stored it
    length_t          value_len;  // word 0
    wc_pkg::key_len_t key_len;
  } header_t;

  // There are two logs: a small one for what is new, a main one for what was used while in it.
  typedef enum logic {
    LogNew  = 1'b0,
    LogMain = 1'b1
  } log_e;

  // Segment s has the addresses s << segment_bits and up. `segments` of them are in use, the rest
  // of memory belongs to others.
  localparam int unsigned LeastSegmentBits = 11;  // segment_bits
  localparam int unsigned MostSegmentBits = 24;
  typedef struct packed {
    logic [4:0] segment_bits;  // a segment has 2**segment_bits units: 11 (32 KiB) to 24 (256 MiB)
    segments_t  segments;      // 32 to MaxSegments
    segments_t  most_new;      // the new log gives way to the main one from here on
    units_t     largest;       // item, in units: an eighth of all segments at most
  } log_settings_t;

  // The segment behind `segment` in its log is `next`: told to all that follow a log.
  typedef struct packed {
    logic     valid;
    segment_t segment;
    segment_t next;
  } link_t;

  // What lengths stand for, in half words: header, key in whole words, value.
  // Words are counted, one more to make up the last unit. The bit below them carries into them if the
  // value's last word is not full, so there is one wide sum.
  typedef struct packed {
    logic [22:0] value;
    logic [22:0] rest;
  } halves_t;  // to be added

  function automatic halves_t record_halves(wc_pkg::key_len_t key_len, length_t value_len);
    logic [5:0] fixed;
    fixed = 6'(key_len[7:3]) + 6'(HeaderWords + 1) + 6'(|key_len[2:0]);
    return '{value: {2'b0, value_len[22:3], 1'b1}, rest: {16'b0, fixed, |value_len[2:0]}};
  endfunction

  // In units, a bit more than any item has.
  function automatic logic [$bits(units_t):0] record_units(wc_pkg::key_len_t key_len,
                                                           length_t value_len);
    halves_t halves;
    logic [22:0] sum;
    halves = record_halves(key_len, value_len);
    sum = halves.value + halves.rest;
    return sum[22:2];
  endfunction

  // The length for which an item has room. A number's, of NumberBytes at most, in whole words: so
  // many that both bits are set.
  function automatic length_t room_length(logic number, length_t value_len);
    return number ? {value_len[22:5], 2'b11, 3'b0} : value_len;
  endfunction

  function automatic units_t item_units(wc_pkg::key_len_t key_len, length_t value_len);
    return units_t'(record_units(key_len, value_len));
  endfunction

  // Whether it has more than `largest` units: one wide sum of three numbers, not one behind another.
  function automatic logic item_exceeds(wc_pkg::key_len_t key_len, length_t value_len,
                                        units_t largest);
    halves_t halves;
    logic [23:0] spare;
    halves = record_halves(key_len, value_len);
    spare = 24'({largest, 2'b11}) - 24'(halves.value) - 24'(halves.rest);
    return spare[23];
  endfunction

  // Numbers of jobs of the writer, in the order in which places are given out. Fewer than half of
  // them are on the way at any time, so their order is told by the difference.
  localparam int unsigned MostJobs = 64;
  typedef logic [$clog2(MostJobs):0] job_t;

  // What the writer does for an operation that stores, or for a copy, in the order of operations.
  typedef struct packed {
    logic     discard;  // there is no place: its words of key and value go nowhere
    logic     copy;     // its units come from the sweeper: an item as it stood
    logic     late;     // whether it is stored, and of the header CAS number and what is beside
                        // the time of last use, come on the stream of verdicts
    logic     patch;    // late: the item at `place` gets the first unit of `header` anew, of which
                        // value_len comes with the verdict, too, as may the expiry
    logic     bump;     // with `patch`: or the second unit instead, with flags of the verdict,
    logic     both;     // or first the second one, then the first
    logic     number;   // late, if there is a place: value_len comes with the verdict, as may flags
                        // and expiry, and the value on the stream of numbers, in NumberWords words
    logic     joined;   // late, if there is a place: flags and expiry come with the verdict; the
                        // value has all its words, whether it is stored or not
    log_e     log;
    address_t place;
    units_t   span;
    header_t  header;   // not copy
  } write_t;

  // On a late job, when it is decided. Of an item that is not stored the header alone is written,
  // with the lengths that tell the sweeper where the next item is.
  typedef struct packed {
    logic         stores;     // patch: there is an item
    wc_pkg::cas_t cas;
    origin_t      origin;
    logic         encoded;
    logic [31:0]  flags;      // number, joined: keeps. bump, both
    logic         number;     // patch: the item is one. number: 1
    length_t      value_len;  // patch, number
    logic         keeps;      // it has `expiry`; number, joined: and `flags`
    wc_pkg::seconds_t expiry; // keeps
  } verdict_t;

  // A turn is over when as many segments of the new log have been swept as it has: the age of a
  // ghost is counted in these.
  typedef logic [7:0] turn_t;

  // An item that the sweeper met in a log, and what the table said of it.
  typedef struct packed {
    logic [31:0] hash;  // of its key, lower half
    address_t    address;
    units_t      span;
    logic        dead;      // expired or flushed
    logic        may_copy;  // room in the main log is reserved
    turn_t       turn;      // in which it was met
  } met_t;
  typedef struct packed {
    logic     unread;  // memory did not tell: a slot may have its address
    logic     found;   // a slot had its address
    logic     placed;  // it goes on to `place` in the main log
    address_t place;
  } answer_t;

  // A unit of a copy. In error when memory did not tell it: then it means nothing.
  typedef struct packed {
    logic  error;
    unit_t data;
  } copy_unit_t;

  // How long segments were in use when they were swept, in units of 1024 cycles.
  typedef struct packed {
    logic [1:0][31:0] last;  // the last one of each log
    logic [35:0]      total; // of all
  } ages_t;

  // What the sweeper does, in pulses of a cycle.
  typedef struct packed {
    logic sweep_new;   // a segment is swept
    logic sweep_main;
    logic promote;     // an item goes on from the new log to the main one
    logic copy;        // an item of the main log stays in it
    logic evict_new;   // an item that was not used is forgotten
    logic evict_main;
    logic dead;        // an expired or flushed item is forgotten
    logic astray;      // there is no record where one should be, or memory did not tell
    logic lost;        // the segment does not come back, as it may hold items still
    logic unread;      // a line of a copy that memory did not tell
  } sweep_events_t;

  // Beats of a log that are to be read, one behind the other. A beat is what memory gives at once: a
  // line, or a unit of a memory of 128 bits. How many units it has, is the parameter BeatUnits (4 or
  // 1) of all who read.
  typedef logic [19:0] beats_t;  // how many: those of the longest item
  typedef struct packed {
    beats_t     beats;    // 1 or more
    logic [4:0] skip;     // beats to walk over first
    address_t   address;  // where the walk begins: a multiple of BeatUnits
  } log_request_t;

  // Lines of a segment, and one bit more: a place behind its end.
  typedef logic [22:0] index_t;

endpackage

`default_nettype wire
