// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of the log's writer.
`default_nettype none

package wc_log_write_pkg;

  // A unit that has its place. A job's units come one behind the other, those that are not written
  // (of an item that is not stored) too.
  typedef struct packed {
    logic               write;
    logic               patch;   // without `write`: a unit of an item that is there,
    logic               bump;    // its header's second one,
    logic               ahead;   // or that, of an item whose first one comes behind it
    logic               opens;   // with write: the first one in its line
    logic               passes;  // the last place of a line in which nothing was written
    logic               last;    // of its job
    logic               error;   // what is in it means nothing
    wc_log_pkg::log_e   log;
    wc_log_pkg::line_t  line;
    logic [1:0]         number;  // in its line
    wc_log_pkg::unit_t  data;
  } place_unit_t;

endpackage

`default_nettype wire
