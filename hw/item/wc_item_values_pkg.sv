// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of wc_item_values.
`default_nettype none

package wc_item_values_pkg;

  localparam int unsigned MostWords = wc_pkg::MaxValueBytes / wc_pkg::WordBytes;
  typedef logic [$clog2(MostWords):0] words_t;  // of a value
  // Those that hold a value: one more than its own length in units.
  typedef logic [$clog2(MostWords/wc_log_pkg::UnitWords):0] value_beats_t;

  // What is to be done for a GET that found its item, or of which a line waits.
  typedef struct packed {
    logic       single;  // one line comes, on the stream of short items (never where a beat is a
                         // unit); else `beats` are requested
    logic       leaves;  // it found its item: at the end the item's segment is left
    logic       gives;   // there are words; else a line that comes is dropped
    value_beats_t beats;
    logic [2:0] first;   // place of the value's first word in its first beat
    logic [2:0] last;    // of its last word in its last beat
    logic [2:0] bytes;   // in the last word; 0 = all 8
    wc_log_pkg::segment_t segment;
  } value_job_t;

endpackage

`default_nettype wire
