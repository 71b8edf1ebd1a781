// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of the index.
`default_nettype none

package wc_index_pkg;

  // Lines of a bucket below the key words.
  localparam int unsigned HeaderLines = 3;

  // Address of a line of the table in lines of its own width: at most 2**24 buckets of 35 lines
  // behind a base of 32 bits, and twice that when a line is half of 64 bytes.
  localparam int unsigned LineAddrWidth = 34;
  typedef logic [LineAddrWidth-1:0] line_t;
  typedef logic [5:0] count_t;  // words of a key, lines of a run
  typedef logic [3:0] slot_t;
  typedef logic [1:0] size_class_t;
  localparam size_class_t NoClass = '1;  // no block is large enough

  // The first line of the header, one stripe.
  typedef struct packed {
    logic               valid;
    logic [1:0]         zero;
    wc_pkg::key_len_t   key_len;
    wc_pkg::value_len_t value_len;
    wc_pkg::pointer_t   pointer;
  } head_t;

  // What the comparators and the decision need of an operation.
  typedef struct packed {
    wc_pkg::op_e      op;
    logic             error;       // OpNone that answers an error
    logic             keyless;     // no key words
    logic             memory;      // has a bucket to look at
    wc_pkg::key_len_t key_len;
    size_class_t      size_class;  // SET: the smallest block that holds the value
    wc_pkg::cas_t     cas;         // FLUSH: when, in the lower half
  } probe_t;

  // What the rest of the way needs of it.
  typedef struct packed {
    wc_pkg::op_t        op;
    wc_pkg::value_len_t value_len;
    logic [31:0]        flags;
    wc_pkg::seconds_t   expiry;
    count_t             words;      // of the key
    line_t              line;       // the bucket's first header line
  } context_t;

  // An operation at its decision, and what kind of a decision it asks for.
  typedef struct packed {
    wc_pkg::op_e op;
    logic        error;
    logic        memory;
    logic        cas_set;     // the CAS is to be compared
    size_class_t size_class;
    logic        activate;    // not an operation: the time of the pending flush has come
  } ask_t;

  typedef enum logic [1:0] {
    WriteNone,
    WriteFree,    // one line: the slot is free
    WriteHeader,  // three lines: the key is there already
    WriteItem     // key and header
  } write_e;

  typedef struct packed {
    wc_pkg::status_e    status;
    write_e             write;
    slot_t              slot;
    logic               hit;        // GET: the fields below are what the table holds
    wc_pkg::value_len_t value_len;
    logic [31:0]        flags;
    wc_pkg::cas_t       cas;
    wc_pkg::pointer_t   pointer;
  } verdict_t;

endpackage

`default_nettype wire
