// SPDX-License-Identifier: Apache-2.0
// Types that pass between the parts of the index.
`default_nettype none

package wc_index_pkg;

  // Lines of a bucket below the key words.
  localparam int unsigned HeaderLines = 3;

  // Lines of a bucket of keys of up to max_key bytes: the one place that says so.
  function automatic int unsigned bucket_lines(int unsigned max_key);
    return (max_key + wc_pkg::WordBytes - 1) / wc_pkg::WordBytes + HeaderLines;
  endfunction

  // Address of a line of the table, counted in lines of the table's width: at most 2**24 buckets of
  // 35 lines behind a base of 32 bits, and twice that when a line is half of 64 bytes.
  localparam int unsigned LineAddrWidth = 34;
  typedef logic [LineAddrWidth-1:0] line_t;
  typedef logic [5:0] count_t;  // words of a key, lines of a run
  typedef logic [3:0] slot_t;
  typedef logic [1:0] size_class_t;
  localparam size_class_t NoClass = '1;  // no block is large enough
  typedef logic [6:0] id_t;  // a write in flight: its place in wc_index_pending
  typedef logic [15:0] slots_t;  // a bit a slot; there may be fewer than 16 slots

  // From the host; they change only while nothing is in flight.
  typedef struct packed {
    logic [31:0] base_line;    // where the table starts in memory, in lines of 64 bytes
    logic [4:0]  bucket_bits;  // the table has 2**bucket_bits buckets
    logic [wc_pkg::Classes-1:0][15:0] class_lines;  // block size of each class, in lines, ascending
  } index_settings_t;

  // What this index counts besides what every index does: one-cycle pulses to wc_index_host.
  typedef struct packed {
    logic set_full;         // bucket had no free slot
    logic set_no_block;     // free queue of the class empty
    logic stall;            // cycle in which the concurrency control unit held an operation back
    logic forward;          // operation that sees a write which memory may not yet hold
    logic reclaim;          // pointer of an expired or flushed slot that a write gave back
    logic blocked;          // write that could give none back: the deleted queue is full
  } bucket_events_t;

  // The first line of the header, one stripe.
  typedef logic [$clog2(wc_pkg::BlockValueBytes):0] slot_len_t;  // bytes of a value
  typedef struct packed {
    logic               valid;
    logic [1:0]         zero;
    wc_pkg::key_len_t   key_len;
    slot_len_t          value_len;
    wc_pkg::pointer_t   pointer;
  } head_t;

  // One slot of a bucket as it was read: what the decision may have to tell or give back. The
  // slot's CAS number, which is read last, is kept beside this.
  typedef struct packed {
    logic               valid;
    wc_pkg::pointer_t   pointer;
    slot_len_t          value_len;
    logic [31:0]        flags;
  } kept_t;

  // How an operation relates to the write (SET, DELETE, TOUCH or GAT) of its bucket that is in
  // flight before it. The lines of this write may not be in memory yet, so its outcome is
  // forwarded.
  typedef enum logic [1:0] {
    ForwardNone,   // there is no such write
    ForwardSame,   // the write has the operation's key
    ForwardOther   // the write has another key; only for a GET
  } forward_e;

  // What a SET stores or a TOUCH changes, and the CAS number to be compared (FLUSH: its time, in
  // the lower half).
  typedef struct packed {
    wc_pkg::value_len_t value_len;
    logic [31:0]        flags;
    wc_pkg::seconds_t   expiry;
    wc_pkg::cas_t       cas;
  } wish_t;

  // What the comparators and the decision need of an operation.
  typedef struct packed {
    wc_pkg::op_e      op;
    logic             error;       // an OpNone that answers an error
    logic             keyless;     // there are no key words
    logic             memory;      // there is a bucket to look at
    wc_pkg::key_len_t key_len;
    size_class_t      size_class;  // SET: the smallest block that holds the value
    forward_e         forward;
    id_t              prior;      // the write whose outcome is forwarded
    logic             retired;    // the bucket could not be written: what is read does not count
    wish_t            wish;
  } probe_t;

  // What the stage behind the decision needs of an operation.
  typedef struct packed {
    wc_pkg::op_t op;
    count_t      words;  // of the key
    line_t       line;   // the bucket's first header line
  } context_t;

  // An operation at its decision, and what kind of a decision it asks for.
  typedef struct packed {
    wc_pkg::op_e op;
    wc_policy_pkg::effect_t effect;  // of op
    logic        error;
    logic        memory;
    logic        cas_set;     // the CAS number is to be compared
    size_class_t size_class;
    forward_e    forward;
    id_t         prior;
    logic        unread;      // one of its lines was read in error
    logic        failed;      // one was, or its bucket is retired: the operation touches nothing
    logic        activate;    // no operation: the time of the pending flush has come
  } ask_t;

  typedef enum logic [1:0] {
    WriteNone,
    WriteFree,    // one line, which frees slots
    WriteHeader,  // the three header lines: the key is there already
    WriteItem     // key and header
  } write_e;

  // What is decided of an operation.
  typedef struct packed {
    wc_pkg::status_e    status;
    logic               unread;
    write_e             write;
    slot_t              slot;
    slots_t             freed;      // slots whose first header line becomes zero
    // these go into the result, and into the slot that is written
    wc_pkg::value_len_t value_len;
    logic [31:0]        flags;
    wc_pkg::seconds_t   expiry;
    wc_pkg::cas_t       cas;
    wc_pkg::pointer_t   pointer;
  } verdict_t;

endpackage

`default_nettype wire
