// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of wc_item_values.
`default_nettype none

package wc_item_values_pkg;

  localparam int unsigned MostWords = wc_pkg::MaxValueBytes / wc_pkg::WordBytes;
  typedef logic [$clog2(MostWords):0] words_t;  // of a value
  typedef logic [$clog2(MostWords/wc_log_pkg::LineWords):0] lines_t;  // that hold it: one more

  // What is to be done for a GET that found its item, or of which a line waits.
  typedef struct packed {
    logic       single;  // one line comes, on the stream of short items; else `lines` are requested
    logic       leaves;  // it found its item: at the end the item's segment is left
    logic       gives;   // there are words; else a line that comes is dropped
    lines_t     lines;
    logic [2:0] first;   // the value's first word in its first line
    logic [2:0] last;    // its last word in its last line
    logic [2:0] bytes;   // in the last word; 0 = all 8
    wc_log_pkg::segment_t segment;
  } value_job_t;

endpackage

`default_nettype wire
