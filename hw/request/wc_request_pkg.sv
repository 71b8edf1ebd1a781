// SPDX-License-Identifier: Apache-2.0
// Types that pass between the stages of the request parser; nothing outside hw/request needs them.
`default_nettype none

package wc_request_pkg;

  // ---- classify -> cutter: a word of a packet and what its bytes mean to the cutter -------------
  // The packet is followed by a virtual byte, its end: in the last word, or, when that is full, in
  // a word of its own. So the word with `last` always has one bit of `stop` set.
  typedef struct packed {
    wc_pkg::conn_t conn;
    logic       binary;  // the packet starts with 0x80: only its end is a mark, and of all below
                         // the marks only count
    logic       last;
    logic [7:0] stop;    // the end of the packet
    logic [7:0] ends;    // space, NUL and what ends a line (LF, or CR right before LF): a token
                         // ends before this byte. memcached's lines are C strings: NUL ends all
                         // tokens
    logic [7:0] marks;   // the same of an ASCII packet, and the end of the packet
    logic [7:0][1:0] ending;  // end_e of each of those
    logic [7:0] crlf;    // the CR of a CR LF: the token ends here, the next starts after the LF
    logic [7:0] keeps;   // ends after which something is left in this word
    logic [7:0] line;    // bit i: of a token that goes on in byte i, the end is that of its line
    logic [7:0] after;   // read position after a token that goes on in byte 0
  } classed_t;

  // ---- cutter -> decode -> FSMs: up to eight bytes of one token or one binary field -------------
  typedef enum logic [2:0] {
    PhFirst = 3'd0,  // ASCII: the line; binary: the 24 bytes of the header
    PhExtra = 3'd1,  // binary: extras, when they are 8 bytes
    PhKey   = 3'd2,  // binary
    PhValue = 3'd3,  // binary (with extras of an unusual length all of the body) and ASCII
    PhTail  = 3'd4,  // ASCII: the two bytes after the value, when they have a cut of their own
    // no cuts:
    PhWait  = 3'd5,  // ASCII: until it is known whether a value follows the line
    PhGap   = 3'd6,  // binary: until it is known whether a body follows the header
    PhDrain = 3'd7   // cut short: the rest of the packet goes
  } phase_e;

  typedef enum logic [1:0] {
    EndSpace = 2'd0,
    EndLine  = 2'd1,
    EndNul   = 2'd2,
    EndStop  = 2'd3
  } end_e;

  typedef struct packed {
    wc_pkg::conn_t conn;
    logic       binary;
    phase_e     phase;
    logic       counted;  // the length is known, no delimiter is looked for
    logic [3:0] count;    // counted: bytes
    logic       last;     // counted: last cut of its phase
    logic       tail;     // the CR LF after a value belongs to this cut, behind its bytes
    logic       stop;     // the packet ends here, too early when counted
    logic       eol;
    logic       held;     // the cutter waits for `resume` now
    logic [8:0] delimiter;       // of the bytes from here, and of the one after them
    logic [8:0][1:0] ending;     // end_e of the delimiters
    logic       reach;           // the one after them, too, may end this cut
    wc_pkg::word_t   data;
  } cut_t;

  typedef struct packed {
    wc_pkg::conn_t conn;
    logic       binary;
    phase_e     phase;
    logic       last;
    logic       stop;
    logic       clean;     // stop: right at the beginning of this cut
    logic       held;
    logic       more;      // ASCII: the token goes on in the next cut
    logic       last_data; // ASCII: ... but has no more bytes there
    logic       eol;
    logic       nul;
    logic [3:0] bytes;
    logic       any;       // bytes != 0
    logic       beyond;    // too many bytes in the last word of the longest key
    logic       in_first;  // of the phases above
    logic       in_extra;
    logic       in_key;
    logic       in_value;
    logic       tail;      // with it the value is whole
    logic       last_key;  // in_key and last
    logic       last_value;
    logic       crlf;      // its bytes are followed by CR LF
    logic       magic;     // starts with 0x80
    wc_pkg::word_t data;   // bytes past the count are zero
    // what an ASCII token of one cut is
    logic is_get;
    logic is_gets;
    logic is_set;
    logic is_delete;
    logic is_version;
    logic is_quit;
    logic is_noreply;
    logic is_zero;         // "0"
    logic is_flush_al;     // the first 8 of 9 letters
    logic is_verbosit;
    logic is_l;
    logic is_y;
    logic digits;          // all bytes are, and there are some
    logic few_digits;      // ... but not more than four
    logic [6:0] hundreds;  // of the number that few_digits make
    logic [6:0] below;     // ... and the rest
  } piece_t;

  // A length as the cutter counts it.
  localparam int unsigned CountWidth = 18;  // words: more than any packet has
  typedef struct packed {
    logic [CountWidth-1:0] words;  // whole ones
    logic       whole;             // there are some
    logic       final_word;        // there is one
    logic       part;              // some bytes follow them
    logic [2:0] rest;              // so many
    logic       tail;              // and CR LF, in one cut
  } count_t;

  function automatic count_t count_of(input wc_pkg::value_len_t bytes);
    return '{words: bytes[20:3], whole: bytes[20:3] != '0, final_word: bytes[20:3] == 18'd1,
             part: bytes[2:0] != '0, rest: bytes[2:0], tail: 1'b0};
  endfunction

  typedef struct packed {
    logic valid;
    logic value;  // a value of this length and CR LF follow; otherwise another line
    logic some;   // its length is not zero
    wc_pkg::value_len_t bytes;
  } resume_t;

  // ---- FSMs -> queues ---------------------------------------------------------------------------
  // What a FSM does in a cycle. put: a new operation, whose key and value words are then committed,
  // or taken back when it carries none; close: the operation last put is the last of its packet.
  typedef struct packed {
    logic key_push;
    logic key_last;
    logic key_commit;
    logic key_abort;
    logic value_push;
    logic value_last;
    logic value_commit;
    logic value_abort;
    logic put;
    logic mark_last;  // the operation last put was the last of its get command
    logic close;
  } action_t;

endpackage

`default_nettype wire
