// SPDX-License-Identifier: Apache-2.0
// Types that pass between the stages of the request parser; nothing outside hw/request needs them.
`default_nettype none

package wc_request_pkg;

  // ---- classify -> cutter: a word of a packet and what its bytes mean to the cutter -------------
  // The packet is followed by a virtual byte, its end: in the last word, or, when that is full, in
  // a word of its own. So the word with `last` always has one bit of `stop` set.
  typedef struct packed {
    wc_pkg::conn_t conn;
    logic       binary;  // the packet starts with 0x80: its end is the only mark, and of the fields
                         // below only the marks count
    logic       last;
    logic [7:0] stop;    // the end of the packet
    logic [7:0] ends;    // space, NUL and what ends a line (LF, or CR right before LF): a token
                         // ends before this byte. memcached's lines are C strings: NUL ends all
                         // tokens
    logic [7:0] marks;   // the ends of an ASCII packet, and the end of any packet
    logic [1:0][7:0] ending;  // end_e of each mark: its upper bits, its lower bits
    logic [7:0] crlf;    // the CR of a CR LF: the token ends here, the next starts after the LF
    logic [7:0] skips;   // bytes that go with the end right before them: the LF of a CR LF, and
                         // the further separators of a run; bit 0 is never set
    logic [7:0] line;    // bit i: of a token that goes on in byte i, the end is that of its line
    logic [7:0] after;   // read position after a token that goes on in byte 0
  } classed_t;

  // ---- how large an item may be -------------------------------------------------------------------
  // memcached's item has a header, a CAS number, the key and its NUL, four bytes of flags if they
  // are not zero, the value and CR LF. All of it must fit in wc_pkg::MaxValueBytes.
  localparam int unsigned ItemBytes = 59;  // of an item with neither key, flags nor value
  localparam int unsigned ItemFlagBytes = 4;

  // The first one of a vector and all bits above it. Of whole vectors, here and elsewhere: a
  // simulator takes several steps for each bit that is assigned by itself.
  function automatic logic [7:0] from_first(input logic [7:0] bits);
    logic [7:0] two, four;
    two = bits | (bits << 1);
    four = two | (two << 2);
    return four | (four << 4);
  endfunction

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
    logic       tail;     // the CR LF after a value belongs to this cut, behind the cut's bytes
    logic       stop;     // the packet ends here, too early when counted
    logic       eol;
    logic       held;     // the cutter waits for `resume` now
    logic [8:0] delimiter;       // marks of the eight bytes from here, and of the ninth
    logic [8:0][1:0] ending;     // end_e of the delimiters
    logic       reach;           // the ninth byte, too, may end this cut
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
    logic       last_data; // ASCII: the token's end, without more bytes of it, is the next cut
    logic       eol;
    logic       nul;
    logic [3:0] bytes;
    logic       any;       // bytes != 0
    logic       beyond;    // too many bytes in the last word of the longest key
    logic       in_first;  // phase, in single bits
    logic       in_extra;
    logic       in_key;
    logic       in_value;
    logic       tail;      // the value is whole with this cut
    logic       last_key;  // in_key and last
    logic       last_value;
    logic       crlf;      // its bytes are followed by CR LF
    logic       magic;     // starts with 0x80
    wc_pkg::word_t data;   // bytes past the count are zero
    // what an ASCII token of one cut is
    logic is_get;          // get, or bget: memcached has two names for it
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
    logic few_digits;      // digits, and not more than four
    logic [6:0] hundreds;  // of the number that few_digits make
    logic [6:0] below;     // the rest of that number
  } piece_t;

  // A length as the cutter counts it.
  localparam int unsigned CountWidth = 18;  // words: more than any packet has
  typedef struct packed {
    logic [CountWidth-1:0] words;  // whole words
    logic       whole;             // words is not 0
    logic       final_word;        // words is 1
    logic       part;              // some bytes follow the whole words
    logic [2:0] rest;              // how many
    logic       tail;              // CR LF follows them in the same cut
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
