// SPDX-License-Identifier: Apache-2.0
// Types that pass between the stages of the request parser; nothing outside hw/request needs them.
`default_nettype none

package wc_request_pkg;

  // ---- classify -> cutter: a word of a packet and what its bytes mean to the cutter -------------
  // The packet is followed by a virtual byte, its end: in the last word, or, when that is full, in
  // a word of its own. So the word with `last` always has one bit of `stop` set.
  typedef struct packed {
    wc_pkg::conn_t conn;
    logic       tcp;
    logic       binary;  // of the packet: its end is the only mark, and of the fields below only
                         // the marks count
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

  // The first one of a vector and all bits above it. Of whole vectors, here and elsewhere: a
  // simulator takes several steps for each bit that is assigned by itself.
  function automatic logic [7:0] from_first(input logic [7:0] bits);
    logic [7:0] two, four;
    two = bits | (bits << 1);
    four = two | (two << 2);
    return four | (four << 4);
  endfunction

  // ---- cutter -> decode -> FSMs: up to eight bytes of one token or one binary field -------------
  // Where the cutter is, in single bits, as its loop has no time to decode them. `cuts`: there are
  // cuts in this phase.
  typedef struct packed {
    logic cuts;
    logic first;  // ASCII: the line; binary: the 24 bytes of the header
    logic extra;  // binary: extras, when they are 4, 8 or 20 bytes
    logic key;    // binary
    logic value;  // binary (with extras of an unusual length all of the body) and ASCII
    logic tail;   // ASCII: the two bytes after the value, when they have a cut of their own
    logic hold;   // ASCII: until it is known whether a value follows the line
    logic gap;    // binary: until it is known whether a body follows the header
    logic drain;  // cut short: the rest of the packet goes
  } phase_t;

  localparam phase_t PhFirst = '{cuts: 1'b1, first: 1'b1, default: 1'b0};
  localparam phase_t PhExtra = '{cuts: 1'b1, extra: 1'b1, default: 1'b0};
  localparam phase_t PhKey   = '{cuts: 1'b1, key: 1'b1, default: 1'b0};
  localparam phase_t PhValue = '{cuts: 1'b1, value: 1'b1, default: 1'b0};
  localparam phase_t PhTail  = '{cuts: 1'b1, tail: 1'b1, default: 1'b0};
  localparam phase_t PhHold  = '{hold: 1'b1, default: 1'b0};
  localparam phase_t PhGap   = '{gap: 1'b1, default: 1'b0};
  localparam phase_t PhDrain = '{drain: 1'b1, default: 1'b0};

  typedef enum logic [1:0] {
    EndSpace = 2'd0,
    EndLine  = 2'd1,
    EndNul   = 2'd2,
    EndStop  = 2'd3
  } end_e;

  typedef struct packed {
    wc_pkg::conn_t conn;
    logic       tcp;
    logic       binary;
    logic       in_first;  // its phase, if it is one of these
    logic       in_extra;
    logic       in_key;
    logic       in_value;
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
    logic       tcp;
    logic       binary;
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
    logic       in_first;
    logic       in_extra;
    logic       in_key;
    logic       in_value;
    logic       tail;      // the value is whole with this cut
    logic       last_key;  // in_key and last
    logic       last_value;
    logic       crlf;      // its bytes are followed by CR LF
    logic       magic;     // starts with 0x80
    wc_pkg::word_t data;   // bytes past the count are zero
    // what an ASCII token may be; of the names a bit each, in the order of LineTable
    logic [wc_request_table_pkg::Lines-1:0] name;  // the first piece of this name
    logic [wc_request_table_pkg::Lines-1:0] rest;  // its second piece
    logic is_noreply;
    logic is_zero;         // "0"
    wc_request_flags_pkg::flags_t flag;  // the first letter, in the order of FlagTable
    logic digits;          // all bytes are, and there are some
    logic digits_behind;   // all bytes but the first are, and there are some
    logic few_digits;      // digits, and not more than four
    logic [6:0] hundreds;  // of the number that few_digits make
    logic [6:0] below;     // the rest of that number
  } piece_t;

  // A length as the cutter counts it.
  localparam int unsigned CountWidth =  // words of a value that might be too large
      $bits(wc_pkg::value_len_t) - $clog2(wc_pkg::WordBytes);
  typedef struct packed {
    logic [CountWidth-1:0] words;  // whole words
    logic       whole;             // words is not 0
    logic       final_word;        // words is 1
    logic       part;              // some bytes follow the whole words
    logic [2:0] rest;              // how many
    logic       tail;              // CR LF follows them in the same cut
  } count_t;

  function automatic count_t count_of(input wc_pkg::value_len_t bytes);
    logic [CountWidth-1:0] words;
    words = CountWidth'(bytes >> $clog2(wc_pkg::WordBytes));
    return '{words: words, whole: words != '0, final_word: words == CountWidth'(1),
             part: bytes[2:0] != '0, rest: bytes[2:0], tail: 1'b0};
  endfunction

  // The fields that follow the header of a binary request.
  typedef struct packed {
    logic   extra;  // extras of 4, 8 or 20 bytes
    logic   key;    // a key: not with extras of an unusual length, which go with the value
    logic   value;  // anything behind them
    count_t extra_count;
    count_t key_count;
    count_t value_count;
  } fields_t;

  typedef struct packed {
    logic valid;
    logic value;  // a value of this length and CR LF follow; otherwise another line
    logic some;   // its length is not zero
    wc_pkg::value_len_t bytes;
  } resume_t;

  // ---- within the ASCII protocol --------------------------------------------------------------------
  // A piece of a line, as the words before it make it.
  typedef struct packed {
    logic counts;  // it is of a word, no mere separator, and no NUL was before it in the line
    logic named;   // the first word of its line has ended
    logic first;   // of its word
    logic second;
    logic early;   // first or second
    logic last;
    logic lettered;  // its first byte is the letter of a flag, and a number may follow
    wc_request_table_pkg::place_t place;
  } word_state_t;

  // How a line has ended.
  typedef struct packed {
    logic fits;   // with a right number of words
    logic quiet;  // with noreply
    logic bare;   // without the argument that may be missing
    logic [wc_request_table_pkg::Units-1:0] asked;  // the numbers that are there, and must be right
    logic wrong;  // a word is none of its arguments, and must be, or not the "0" that it has to be
    logic over;   // a key was too long
    logic held;   // the cutter waits for `resume`
  } ended_t;

  // What the flags of a line ask for, and what is wrong with them, but for their numbers.
  typedef struct packed {
    logic [wc_request_table_pkg::Units-1:0] asked;  // numbers that came with flags
    logic [wc_request_table_pkg::Units-1:0] early;  // those that came before a wrong mode,
    logic [wc_request_table_pkg::Units-1:0] late;   // and behind it
    logic [wc_request_table_pkg::Units-1:0] ahead;  // those that came before the flag of base64,
    logic [wc_request_table_pkg::Units-1:0] behind; // and behind it
    logic mode_before;  // as did the mode
    logic stopped;      // there is no such flag, or it came twice: those behind do not count
    logic again;        // stopped: it came a second time
    logic mode_length;  // the mode is no single letter
    logic mode_bad;     // it is none of this command's
    logic too_long;     // too many bytes come with the O
    logic undecoded;    // the key is no base64
    logic faulty;       // any of these
    logic quiet;
    logic value;        // the answer has the item's value
    logic key;          // it shows the key
    logic encoded;      // the key came in base64
    logic creates;      // an item, where none is
    logic touches;      // an item that is there
    logic compares;     // the item's CAS number must be one that came
    logic gives;        // what it makes of an item gets one that came
    logic earlier;      // the time to live is shown of before
    logic after;        // of an `mg` that creates and touches: the touch comes behind the rest
    logic stale;        // the item that it stores or finds becomes stale
    logic clears;       // the item that it finds loses its value alone
    logic idle;         // it is no use of the item
    logic recaches;     // an item that expires soon is won
    logic renewed;      // recaches: the time that it gives counts already
    wc_pkg::op_e mode;  // how a value is stored, or counted; OpNone: as it is without a mode
    wc_pkg::shows_t shows;
  } flagged_t;

  // What is known of the numbers of the line that has ended, a bit for each unit.
  typedef struct packed {
    logic [wc_request_table_pkg::Units-1:0] settled;  // read to its end
    logic [wc_request_table_pkg::Units-1:0] judged;   // `ok` is true: settled, or all digits
    logic [wc_request_table_pkg::Units-1:0] ok;       // right
    logic last_time;  // the last time is: of a line that waits for each number, `ok` asks for all;
    logic last_unique;  // the last of 64 bits, likewise
    logic timed;      // the expiry of the time is there for an operation that is put now
    logic measured;   // `too_large` is true, if the length is judged
    logic too_large;  // with this length and these flags the item is larger than one may be
  } numbers_t;

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
    logic line_restart;  // words of a line, or of a key, for the host: as in command_line_t
    logic line_push;
    logic line_begins;
    logic put;
    logic mark_last;  // the operation last put was the last of its get command
    logic close;
  } action_t;

endpackage

`default_nettype wire
