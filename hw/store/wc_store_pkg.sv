// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of the store.
`default_nettype none

package wc_store_pkg;

  localparam int unsigned LineWords = wc_pkg::LineBytes / wc_pkg::WordBytes;
  localparam int unsigned LinesWidth = $clog2(wc_pkg::BlockValueBytes / wc_pkg::LineBytes) + 1;

  // What the store counts: one-cycle pulses to the host.
  typedef struct packed {
    logic stall;    // cycle in which an operation waits for another of its block
    logic forward;  // GET whose value does not come from memory
  } store_events_t;

  // The lines that a value takes.
  typedef struct packed {
    logic [29:0]           line;        // the first
    logic [LinesWidth-1:0] lines;       // 1 or more
    logic [2:0]            tail_words;  // words in the last line - 1
    logic [2:0]            tail_bytes;  // bytes in the last word; 0 = all 8
  } run_t;

endpackage

`default_nettype wire
