// SPDX-License-Identifier: Apache-2.0
// What the framer takes and gives, what it keeps of a connection between segments, and the names
// of commands as it holds them. py/wirecache/model/tcp/framer.py is the same in words.
`default_nettype none

package wc_tcp_framer_pkg;

  import wc_pkg::*;
  import wc_request_table_pkg::*;

  localparam int unsigned MostLine = 2048;  // bytes of a line that has not ended, but of a long get
  localparam int unsigned MostSpaces = 100;  // before the name of a long get
  localparam int unsigned HeadBytes = 24;
  localparam logic [7:0] Magic = 8'h80;
  localparam logic [7:0] Cr = 8'h0d;

  typedef logic [8:0] front_t;  // key and extras of a binary request
  typedef logic [15:0] offset_t;  // in the bytes that are given at a time

  // ---- what is given ---------------------------------------------------------------------------
  typedef struct packed {
    word_t      data;
    logic [3:0] bytes;  // 1 to 8; 8 if it is not the last
    logic       last;
  } given_t;

  // ---- the window -----------------------------------------------------------------------------
  // A byte of a word; where a piece of it ends, which is all of it or the bytes in front of `lane`.
  typedef logic [2:0] spot_t;
  typedef struct packed {
    logic  all;
    spot_t lane;
  } end_t;

  // A byte, by what it may begin or end.
  typedef enum logic [2:0] {
    IsOther  = 3'd0,
    IsLetter = 3'd1,  // of a name
    IsCrLf   = 3'd2,  // \r, and \n follows
    IsCrLast = 3'd3,  // \r, the last byte of the word
    IsSpace  = 3'd4,  // from here on it ends a word of a line: a stop
    IsLf     = 3'd5,
    IsNul    = 3'd6
  } byte_e;

  typedef enum logic [1:0] {
    StopNone  = 2'd0,
    StopSpace = 2'd1,
    StopLf    = 2'd2,
    StopNul   = 2'd3
  } stop_e;

  // What is behind the letters of a name.
  typedef enum logic [1:0] {
    NameOpen   = 2'd0,  // nothing in this word, or \r as its last byte
    NameSpaced = 2'd1,
    NamePlain  = 2'd2,  // the line ends, or NUL ends it
    NameOther  = 2'd3
  } name_end_e;

  // What begins at a byte of the window, and where it ends in this word.
  typedef struct packed {
    byte_e     first;
    logic      single;      // the word's last byte
    stop_e     stop;        // the first one
    logic      stop_last;   // with the stop the word is taken as a whole, as it is without one
    spot_t     stop_at;
    logic      short_word;  // the stop is here, follows at once, or behind \r
    logic      lf;          // there is one
    spot_t     line;        // behind \n; 0 is the whole word, here as with names
    name_end_e name_end;
    spot_t     name;        // behind letters, and a space
  } pieces_t;

  // ---- what is found ---------------------------------------------------------------------------
  typedef enum logic [2:0] {
    KindSkipped = 3'd0,  // no request: the rest of a value that is too large
    KindRead    = 3'd1,  // how long the answer is, is known when its item is
    KindShort   = 3'd2,
    KindHost    = 3'd3,  // the host answers it
    KindLast    = 3'd4,  // may be too large: behind it the parser reads nothing in the same packet
    KindQuit    = 3'd5,  // the connection ends behind the answers
    KindClose   = 3'd6   // the same, and an error is the last answer
  } kind_e;

  typedef struct packed {
    offset_t offset;  // behind the last byte of a request
    kind_e   kind;
  } mark_t;

  // ---- what is kept ----------------------------------------------------------------------------
  typedef enum logic [3:0] {
    First  = 4'd0,  // no byte has come
    Name   = 4'd1,  // in spaces in front of a line's first word, or in that
    Rest   = 4'd2,  // of a line, whose words tell no more
    Words  = 4'd3,  // of a line that may have a value
    Value  = 4'd4,  // or the body of a binary request
    Front  = 4'd5,  // of a binary request that is too large: all but its value
    Skip   = 4'd6,  // what is not wanted of a request
    Header = 4'd7,
    Closed = 4'd8,
    Wrong  = 4'd9,   // as it is kept: Header, whose magic number is wrong
    Named  = 4'd10,  // behind a name; this and what follows is never kept
    Ninth  = 4'd11,  // in front of a ninth letter
    Decide = 4'd12,  // behind a line that may have a value
    Judge  = 4'd13   // behind a header
  } mode_e;

  // The word of a line that comes next, or has begun. A `cas` and an `ms` have places of their own
  // where something else follows.
  typedef enum logic [3:0] {
    AtKey        = 4'd0,
    AtFlags      = 4'd1,
    AtTime       = 4'd2,
    AtLength     = 4'd3,
    AtNoreply    = 4'd4,  // or any other word
    AtEnd        = 4'd5,  // no word may follow
    AtCasKey     = 4'd6,
    AtCasFlags   = 4'd7,
    AtCasTime    = 4'd8,
    AtCasLength  = 4'd9,
    AtCasUnique  = 4'd10,
    AtMetaKey    = 4'd11,
    AtMetaLength = 4'd12,
    AtAny        = 4'd13  // whatever follows
  } place_e;

  typedef enum logic [1:0] {
    Before = 2'd0,
    Sign   = 2'd1,
    Digits = 2'd2,
    Behind = 2'd3
  } phase_e;

  // The digits of a number so far, against the first ones of 2^63 and of 2^64 - 1. The first one
  // tells which of both can be met, so one state is enough for both.
  typedef enum logic [2:0] {
    Nine  = 3'd0,  // those of 2^63
    More  = 3'd1,  // more than those, and begins with 9
    One   = 3'd2,  // those of 2^64 - 1
    Less  = 3'd3,  // less than those, and begins with 1
    Other = 3'd4   // with 19 digits less than 2^63, with 20 more than 2^64 - 1
  } against_e;

  typedef struct packed {
    phase_e     phase;
    logic       negative;
    logic [4:0] digits;   // without zeros in front, up to one too many
    against_e   against;
  } numeral_t;

  localparam numeral_t NoNumber = '{Before, 1'b0, 5'd0, Other};

  // Of a name: letters as their lower five bits, zero behind the last one. The first eight letters
  // of a longer one become `longer`, its row and one.
  localparam int unsigned Letters = 8;
  typedef logic [Letters-1:0][4:0] letters_t;
  typedef logic [2:0] longer_t;

  // A state is kept as one of these layouts, by its mode. Fields of one name are at the same place.
  typedef logic [11:0] line_count_t;
  typedef struct packed {
    line_count_t line;
    place_e      place;
    // Of the word that has begun: 0 none, 1 its only byte is \\r, 4 and more the phase.
    logic [2:0]  begun;
    logic        negative;
    logic [4:0]  digits;
    against_e    against;
    logic        none;
    logic [31:0] number;
  } words_state_t;
  typedef struct packed {
    line_count_t line;
    logic        late;    // too many spaces came before the name
    logic        cr;      // \r came behind the name
    longer_t     longer;
    logic        spelt;   // there are letters
    spot_t       base;    // byte of the next word that letter 0 would be
    letters_t    letters;
  } name_state_t;
  typedef struct packed {
    line_count_t line;
    kind_e       kind;
    logic        long_get;  // Rest: the line may be long
    logic        binary;
    logic [2:0]  none;
    front_t      front;   // Front: bytes to come in front of what is skipped
    logic [31:0] number;  // Value, Skip: bytes to come, but for the last one
  } rest_state_t;
  typedef struct packed {
    logic        none;
    logic [5:0]  opcode;  // NoOpcode: one without a row
    logic [8:0]  key;     // 256 and more: more than any key
    logic [1:0]  words;   // so many of the window's have come
    spot_t       base;    // byte of the next word that would be byte 0, 8 or 16
    logic [7:0]  extras;
    logic [31:0] number;  // body
  } header_state_t;
  localparam int unsigned KeptBits = 61;
  typedef struct packed {
    mode_e               mode;
    logic [KeptBits-1:0] kept;
  } state_t;  // all zeros: a new connection

  localparam logic [5:0] NoOpcode = '1;

  typedef struct packed {
    state_t  state;
    offset_t done;    // bytes in front of this are not needed again
    logic    closed;  // behind the answers to all requests
  } fed_t;

  // ---- bytes -----------------------------------------------------------------------------------
  // Bit by bit: synthesis makes a carry chain of each comparison with more or less.
  function automatic logic is_name(logic [7:0] value);  // a to z and _
    return (value[7:5] == 3'd3 && value[4:0] != '0 && !(value[4:3] == 2'd3 && value[2:0] == 3'd3)
            && value[4:2] != '1) || value == "_";
  endfunction

  function automatic logic is_digit(logic [7:0] value);
    return value[7:4] == 4'd3 && !(value[3] && value[2:1] != '0);
  endfunction

  function automatic logic is_blank(logic [7:0] value);  // 9 to 13
    return value[7:3] == 5'd1 && value[2:0] inside {3'd1, 3'd2, 3'd3, 3'd4, 3'd5};
  endfunction

  // ---- the words of a line ---------------------------------------------------------------------
  function automatic place_e place_behind(place_e place);
    unique case (place)
      AtKey:        return AtFlags;
      AtFlags:      return AtTime;
      AtTime:       return AtLength;
      AtLength:     return AtNoreply;
      AtNoreply:    return AtEnd;
      AtCasKey:     return AtCasFlags;
      AtCasFlags:   return AtCasTime;
      AtCasTime:    return AtCasLength;
      AtCasLength:  return AtCasUnique;
      AtCasUnique:  return AtNoreply;
      AtMetaKey:    return AtMetaLength;
      AtMetaLength: return AtAny;
      default:      return AtAny;
    endcase
  endfunction

  function automatic logic is_key(place_e place);
    return place inside {AtKey, AtCasKey, AtMetaKey};
  endfunction

  function automatic logic is_length(place_e place);
    return place inside {AtLength, AtCasLength, AtMetaLength};
  endfunction

  function automatic logic is_unsigned(place_e place);
    return place inside {AtFlags, AtCasFlags, AtCasUnique};
  endfunction

  // A value follows, if the line ends here.
  function automatic logic is_whole(place_e place);
    return place inside {AtNoreply, AtEnd, AtAny};
  endfunction

  // ---- names -----------------------------------------------------------------------------------
  // Letter `at` of a name, 0 behind its end.
  function automatic logic [4:0] letter_of(name_t name, int unsigned at);
    int unsigned bytes;
    bytes = length_of(name);
    return at < bytes ? name[8*(bytes-1-at)+:5] : 5'd0;
  endfunction

  function automatic letters_t letters_from(name_t name, int unsigned at);
    for (int unsigned i = 0; i < Letters; i++) letters_from[i] = letter_of(name, at + i);
  endfunction

  function automatic kind_e kind_of(command_t command);
    if (command.drops) return KindQuit;
    if (command.op == OpHost) return KindHost;
    return command.op inside {OpGet, OpGat, OpLook} ? KindRead : KindShort;
  endfunction

  // `mn` is answered among reads.
  function automatic kind_e line_kind(line_t line);
    return line.quirks.meta == MetaNoop ? KindRead : kind_of(line.command);
  endfunction

  // Only names that mean something to the framer are looked for; all others are of short commands.
  function automatic logic line_matters(line_t line);
    return line_kind(line) != KindShort || value_of(line);
  endfunction

  function automatic logic value_of(line_t line);
    for (int unsigned i = 0; i < MostArgs; i++) begin
      if (line.args[i] == ArgLength) return 1'b1;
    end
    return 1'b0;
  endfunction

  function automatic place_e place_of_line(line_t line);
    if (line.quirks.meta != '0) return AtMetaKey;
    for (int unsigned i = 0; i < MostArgs; i++) begin
      if (line.args[i] == ArgUnique) return AtCasKey;
    end
    return AtKey;
  endfunction

  // A name of more letters than are kept, of which something hangs.
  function automatic logic is_longer(int unsigned row);
    return length_of(LineTable[row].name) > Letters && line_matters(LineTable[row]);
  endfunction

  function automatic int unsigned longer_names();
    longer_names = 0;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (is_longer(i)) longer_names = longer_names + 1;
    end
  endfunction

  // Rows whose names are longer are counted from one on, in the order of the table; of others it
  // is 0.
  function automatic longer_t longer_of(int unsigned row);
    longer_t count;
    count = '0;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (i <= row && is_longer(i)) begin
        count = count + 1'b1;
      end
    end
    return is_longer(row) ? count : '0;
  endfunction

endpackage

`default_nettype wire
