// SPDX-License-Identifier: Apache-2.0
// Finds where whole requests end in the bytes of a connection, so that the parser sees only whole
// ones. A segment is given as the connection's state, and words; what is found are marks as the
// bytes pass, and behind them the new state. Each byte is looked at once. Whole words a cycle in
// values, headers and lines from the second word on; a cycle for each byte of numbers. At most two
// cycles for each byte and `Overhead` a segment, whatever comes. Nothing stalls it: marks are
// taken as they come. hw/net/tcp/README.md has what each kind of request takes.
// Long because half of it is the one machine, a mode after the other.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_framer
  import wc_pkg::*;
  import wc_tcp_framer_pkg::*;
#(
  parameter int unsigned MaxKey     = MaxKeyBytes,
  parameter bit          MadeValues = 1'b1,  // as the parser has them
  parameter bit          Meta       = 1'b1,
  parameter bit          Binary     = 1'b1
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire value_len_t most_bytes_i,  // of an item, as memcached counts them

  input  wire logic       start_valid_i,  // a segment; its words follow
  output logic            start_ready_o,
  input  wire state_t     start_i,
  input  wire logic       word_valid_i,
  output logic            word_ready_o,
  input  wire given_t     word_i,

  output logic            mark_valid_o,  // taken in the same cycle, like what follows
  output mark_t           mark_o,
  output logic            fed_valid_o,   // behind the last word
  output fed_t            fed_o
);

  localparam int unsigned Overhead = 12;

  // An item that is larger than this is too large, whatever its flags and its key are; one that is
  // not larger than the other is not.
  localparam int unsigned Certain = ItemBytes + 1;
  localparam int unsigned Near = ItemBytes + ItemFlagBytes + MaxKeyBytes;

  typedef logic [WordBytes-1:0] each_t;

  logic busy_q;  // with a segment
  words_state_t start_words, words_state;
  name_state_t start_name, name_state;
  rest_state_t start_rest, rest_state, spoilt_state;
  header_state_t start_header, header_state;

  assign start_words = start_i.kept;
  assign start_name = start_i.kept;
  assign start_rest = start_i.kept;
  assign start_header = start_i.kept;

  // ---- what is kept ----------------------------------------------------------------------------
  mode_e mode_d, mode_q;
  line_count_t line_q;
  letters_t letters_d, letters_q;
  longer_t longer_d, longer_q;
  spot_t base_d, base_q;
  logic spelt_d, spelt_q, late_q, cr_d, cr_q, long_d, long_q, binary_d, binary_q;
  logic spaced_d, spaced_q, plain_d, plain_q;  // Named: how the name ended
  kind_e kind_d, kind_q;
  place_e place_d, place_q;
  logic begun_d, begun_q, return_d, return_q;  // of a word; it is \r alone
  logic [31:0] number_q;
  front_t front_d, front_q;
  logic [1:0] words_d, words_q;  // of the window's, that a header has
  logic bad_d, bad_q;  // WORDS: it is no line that has a value
  logic [1:0] age_q;   // cycles in this mode: 0, 1, 3
  offset_t offset, offset_q, done_q;

  // ---- the window ------------------------------------------------------------------------------
  logic some, last, over, magic;
  spot_t at, at_next;
  pieces_t pieces;
  end_t end_now;
  each_t spelt, letter;
  logic [3:0] count;
  logic [WordBytes-1:0][7:0] slots;

  wc_tcp_framer_window u_window (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .word_valid_i(word_valid_i),
    .word_ready_o(word_ready_o),
    .word_i      (word_i),
    .open_i      (busy_q),
    .over_i      (over),
    .end_i       (end_now),
    .some_o      (some),
    .at_o        (at),
    .at_d_o      (at_next),
    .pieces_o    (pieces),
    .count_o     (count),
    .spelt_o     (spelt),
    .magic_o     (magic),
    .last_o      (last),
    .base_i      (base_q),
    .slots_o     (slots),
    .letter_o    (letter)
  );

  // ---- how many bytes are taken ----------------------------------------------------------------
  logic named, spells, ninth, skips, text, any, near, far_q, hit, stop;
  spot_t counted;

  assign named = spelt_q || longer_q != '0 || cr_q;
  assign spells = pieces.first == IsLetter && !cr_q;
  // What would have been a ninth letter is in slot 0 again.
  assign ninth = spelt_q && spelt[base_q];
  assign skips = named ? !cr_q && pieces.first inside {IsSpace, IsCrLast}
                       : pieces.first inside {IsSpace, IsLf};
  assign text = is_key(place_q) || place_q inside {AtNoreply, AtEnd};
  assign any = place_q == AtAny;
  // Of a number this is known a cycle late: it has fallen by eight since, or has grown by what is
  // in front of a value.
  assign near = mode_q == Header ? words_q == (base_q == '0 ? 2'd2 : 2'd3) :
                !far_q && number_q[9:3] == '0;
  assign counted = mode_q == Header ? base_q - 3'd1 : number_q[2:0];

  wc_tcp_framer_take u_take (
    .mode_i  (mode_q),
    .spells_i(spells),
    .ninth_i (ninth),
    .base_i  (base_q),
    .skips_i (skips),
    .text_i  (text),
    .any_i   (any),
    .front_i (front_q != '0),
    .near_i  (mode_q inside {Value, Skip, Header} && near),
    .spot_i  (counted),
    .some_i  (some),
    .at_i    (at),
    .pieces_i(pieces),
    .count_i (count),
    .hit_o   (hit),
    .stop_o  (stop),
    .end_o   (end_now)
  );

  // ---- what the bytes are ----------------------------------------------------------------------
  typedef struct packed {
    kind_e   kind;
    logic    value;
    place_e  place;
    logic    get;
    longer_t longer;
  } verdict_t;

  verdict_t verdict, verdict_q;

  wc_tcp_framer_name #(
    .MadeValues(MadeValues),
    .Meta      (Meta)
  ) u_name (
    .letters_i(letters_q),
    .longer_i (longer_q),
    .kind_o   (verdict.kind),
    .value_o  (verdict.value),
    .place_o  (verdict.place),
    .get_o    (verdict.get),
    .longer_o (verdict.longer)
  );

  logic header_wrong, header_malformed, header_bare;
  logic [5:0] opcode;
  logic [8:0] key;
  logic [7:0] extras;
  logic [3:0] body;
  kind_e header_kind;
  each_t lower;  // slots of bytes from `base` on

  always_comb begin
    for (int unsigned i = 0; i < WordBytes; i++) lower[i] = 4'(base_q) + 4'(i) < 4'd8;
  end

  wc_tcp_framer_header #(
    .MaxKey    (MaxKey),
    .MadeValues(MadeValues)
  ) u_header (
    .clk_i      (clk_i),
    .set_i      (!busy_q),
    .kept_i     (start_header),
    .wrong_i    (start_i.mode == Wrong),
    .take_i     (mode_q == Header && some),
    .words_i    (words_q),
    .late_i     (~lower),
    .slots_i    (slots),
    .opcode_o   (opcode),
    .wrong_o    (header_wrong),
    .key_o      (key),
    .extras_o   (extras),
    .body_o     (body),
    .kind_o     (header_kind),
    .malformed_o(header_malformed),
    .bare_o     (header_bare)
  );

  // ---- the machine -----------------------------------------------------------------------------
  logic marks;
  logic begins;   // another request, if the connection goes on
  logic starts_stop;
  logic piece;    // bytes other than a stop are taken
  logic word;     // Words: one ends
  logic of_key, number_byte;
  place_e place_next;
  logic large_q, none_q, value_any_q, short_q, deciding_q;
  logic marks_q, begins_q, closes, first_letter, first_letter_q;
  kind_e mark_kind, mark_kind_q;
  logic spoils;  // found in the words' bytes later

  assign starts_stop = pieces.first inside {IsSpace, IsLf, IsNul};
  assign piece = some && !starts_stop;
  assign word = begun_q ? !(return_q && pieces.first == IsLf)
                        : !starts_stop && pieces.first != IsCrLf;
  assign place_next = word ? place_behind(place_q) : place_q;

  always_comb begin
    mode_d = mode_q;
    letters_d = letters_q;
    longer_d = longer_q;
    spelt_d = spelt_q;
    cr_d = cr_q;
    long_d = long_q;
    binary_d = binary_q;
    spaced_d = spaced_q;
    plain_d = plain_q;
    kind_d = kind_q;
    place_d = place_q;
    begun_d = begun_q;
    return_d = return_q;
    front_d = front_q;
    words_d = words_q;
    bad_d = bad_q || spoils;
    base_d = at_next;
    first_letter = 1'b0;
    of_key = 1'b0;
    number_byte = 1'b0;
    closes = 1'b0;
    mark_kind = KindShort;
    marks = 1'b0;
    begins = 1'b0;

    unique case (mode_q)
      First: if (some) begin
        binary_d = Binary && magic;
        begins = 1'b1;
      end

      Name: begin
        if (named || pieces.first == IsLetter) base_d = base_q;
        first_letter = some && !named;
        bad_d = 1'b0;
        if (some) begin
          if (spells) begin
            spelt_d = 1'b1;
            for (int unsigned i = 0; i < Letters; i++) begin
              if (lower[i] != spelt_q) letters_d[i] = slots[i][4:0] & {5{letter[i]}};
            end
            spaced_d = pieces.name_end == NameSpaced;
            plain_d = pieces.name_end inside {NameSpaced, NamePlain};
            if (pieces.name_end != NameOpen) mode_d = Named;
            if (ninth) mode_d = Ninth;
          end else if (named) begin
            // The line ends, or a NUL does it, behind which nothing counts; with any other byte it
            // is no name.
            spaced_d = pieces.first == IsSpace && !cr_q;
            plain_d = pieces.first == IsLf
                      || (!cr_q && pieces.first inside {IsSpace, IsNul, IsCrLf});
            if (!cr_q && pieces.first == IsCrLast) cr_d = 1'b1;
            else mode_d = Named;
          end else if (pieces.first == IsLf) begin
            marks = 1'b1;
            begins = 1'b1;
          end else if (pieces.first != IsSpace) begin
            mode_d = Rest;
            kind_d = KindShort;
            long_d = 1'b0;
          end
        end
      end

      // What the name is, is known a cycle later. The first bytes of the next word are none of a
      // number.
      Named: begin
        of_key = piece;
        if (piece) begin
          begun_d = 1'b1;
          return_d = !begun_q && pieces.first inside {IsCrLast, IsCrLf};
        end
        if (age_q[0]) begin
          mode_d = spaced_q && verdict_q.value ? Words : Rest;
          kind_d = plain_q ? verdict_q.kind : KindShort;
          long_d = spaced_q && verdict_q.get;
          place_d = verdict_q.place;
        end
      end

      Ninth: if (age_q[0]) begin
        letters_d = '0;
        spelt_d = 1'b0;
        longer_d = verdict_q.longer;
        kind_d = KindShort;
        long_d = 1'b0;
        mode_d = verdict_q.longer != '0 ? Name : Rest;
      end

      Rest: if (some && pieces.lf) begin
        mark_kind = kind_q;
        marks = 1'b1;
        begins = 1'b1;
        closes = kind_q == KindQuit;
      end

      Words: begin
        if (any) begin
          if (some && pieces.lf) mode_d = Decide;
        end else begin
          of_key = some && is_key(place_q) && (begun_q || !starts_stop);
          number_byte = piece && !text;
          if (stop) begin
            begun_d = 1'b0;
            return_d = 1'b0;
            place_d = place_next;
            if (place_q == AtEnd && word) bad_d = 1'b1;
            if (pieces.stop != StopSpace) begin
              if (!is_whole(place_next)) bad_d = 1'b1;
              place_d = AtAny;
            end
            if (pieces.stop == StopLf) mode_d = Decide;
          end else if (some) begin
            begun_d = 1'b1;
            return_d = !begun_q && pieces.first == IsCrLast;
          end
        end
      end

      Decide: if (age_q[1]) begin
        kind_d = KindShort;
        mode_d = large_q ? Skip : Value;
        mark_kind = large_q && !none_q && !bad_q ? KindLast : KindShort;
        marks = none_q || bad_q || large_q;
        begins = none_q || bad_q;
      end

      Value, Skip: begin
        // A cycle later than the other limit: it is not in this word that such a value ends.
        if (age_q == '0 && deciding_q && large_q) kind_d = KindLast;
        if (hit) begin
          mark_kind = mode_q == Skip ? KindSkipped : kind_q;
          marks = 1'b1;
          begins = 1'b1;
          closes = mode_q == Value && kind_q == KindQuit;
        end
      end

      Front: begin
        if (front_q == '0) mode_d = Skip;
        else if (some) front_d = front_q - front_t'(1);
        mark_kind = KindLast;
        marks = some && front_q == front_t'(1);
      end

      Header: begin
        base_d = base_q;
        front_d = front_t'(key[7:0]) + front_t'(extras);
        if (some && 4'(base_q) < count) words_d = words_q + 2'd1;
        if (hit) mode_d = Judge;
      end

      Judge: if (age_q[1]) begin
        mark_kind = header_kind;
        if (header_wrong) begin
          mode_d = Closed;
        end else if (short_q || header_malformed || (header_bare && value_any_q)) begin
          mark_kind = KindClose;
          marks = 1'b1;
          mode_d = Closed;
        end else if (!value_any_q && front_q == '0) begin
          marks = 1'b1;
          begins = 1'b1;
          closes = header_kind == KindQuit;
        end else if (large_q) begin
          mark_kind = KindLast;
          marks = front_q == '0;
          mode_d = Front;
        end else begin
          kind_d = header_kind;
          mode_d = Value;
        end
      end

      default: ;  // Closed
    endcase

    if (begins) begin
      mode_d = closes ? Closed : binary_d ? Header : Name;
      letters_d = '0;
      longer_d = '0;
      spelt_d = 1'b0;
      cr_d = 1'b0;
      begun_d = 1'b0;
      return_d = 1'b0;
      base_d = at_next;
      words_d = '0;
    end
  end

  // ---- numbers ---------------------------------------------------------------------------------
  // A byte of one is looked at in the cycle behind the one that takes it; whether it was right, in
  // the next.
  logic [7:0] byte_q;
  logic number_byte_q, ends_q, ended_q, unsigned_q, ended_unsigned_q, length_q;
  numeral_t numeral_d, numeral_q, numeral, numeral_next;
  logic number_wrong, number_right, beyond;

  assign numeral = ended_q ? NoNumber : numeral_q;
  assign numeral_d = number_byte_q ? numeral_next : numeral;

  wc_tcp_framer_number u_number (
    .word_i    (numeral),
    .unsigned_i(unsigned_q),
    .byte_i    (byte_q),
    .word_o    (numeral_next),
    .beyond_i  (beyond),
    .wrong_o   (number_wrong)
  );

  wc_tcp_framer_right u_right (
    .word_i    (numeral_q),
    .unsigned_i(ended_unsigned_q),
    .beyond_o  (beyond),
    .right_o   (number_right)
  );

  // ---- the counter -----------------------------------------------------------------------------
  // Of a key its bytes and what ends it; of a line the value's length; of a header the body's, and
  // the value's. In Value and Skip it counts from the beginning of the word in the window to the
  // last byte that is counted, so that its lower three bits tell which one of its word that is.
  logic [32:0] number_d;
  logic [33:0] number_moved;
  logic one_more;
  logic signed [10:0] moves;
  logic [31:0] number_times;
  logic signed [4:0] digit;
  logic [10:0] ahead_q;
  logic [3:0] taken, end_q;
  spot_t begin_q;
  logic of_key_q, keyed_q;
  value_len_t limit_q;
  localparam int unsigned LengthBits = $bits(value_len_t);

  assign taken = end_q - 4'(begin_q);
  assign digit = numeral.negative ? -$signed(5'(byte_q[3:0])) : $signed(5'(byte_q[3:0]));
  assign number_times = {number_q[28:0], 3'd0} + {number_q[30:0], 1'b0} + 32'(digit);
  assign spoils = (ended_q && !number_right) || (number_byte_q && number_wrong)
                  || (keyed_q && (number_q[16:8] != '0 || number_q[7:0] > 8'(MaxKey + 1)));

  always_comb begin
    moves = '0;
    one_more = 1'b0;
    unique case (mode_q)
      Decide: if (age_q[1]) begin
        moves = 11'(at);
        one_more = 1'b1;
      end
      Judge: begin
        if (age_q == '0) begin
          moves = ~11'(front_q);
          one_more = 1'b1;
        end
        if (age_q[1]) moves = large_q ? '0 : ahead_q;
      end
      Front: if (front_q == '0) moves = 11'(at) - 11'sd1;
      Value, Skip: if (some && !hit) begin
        moves = ~11'(count);
        one_more = 1'b1;
      end
      default: if (of_key_q) moves = 11'(taken);
    endcase
    number_moved = {1'b0, number_q, one_more} + {33'($signed(moves)), one_more} ;
    number_d = number_moved[33:1];
    if (number_byte_q && length_q && numeral_next.phase == Digits) begin
      number_d = {1'b0, numeral.phase == Digits ? number_times : 32'(digit)};
    end
    for (int unsigned i = 0; i < 4; i++) begin
      if (body[i]) number_d[8*(3-i)+:8] = slots[i];
    end
    if (mode_q == Name) number_d = '0;
  end

  // How large a value is, is known in the cycle behind its length.
  always_ff @(posedge clk_i) begin
    // The one limit, and behind it the other.
    limit_q <= most_bytes_i - value_len_t'(age_q[0] ? Near : Certain);
    deciding_q <= mode_q inside {Decide, Judge};
    value_any_q <= number_q != '0;
    large_q <= number_q[31:LengthBits] != '0 || number_q[LengthBits-1:0] > limit_q;
    none_q <= number_q[31] || number_q[30:1] == '1;   // of a line: no length
    far_q <= number_q[31:5] != '0;
    ahead_q <= 11'(front_q) + 11'(at) - 11'd1;
    if (age_q == '0) short_q <= number_d[32];         // of a header: no room for its key
  end

  // ---- from segment to segment -----------------------------------------------------------------
  logic long_line, ended, keeps;
  spot_t base_behind;  // for the next segment's first word
  logic spoilt;
  logic [1:0] quiet_q;  // for so many cycles nothing was there: all that comes later has come

  assign start_ready_o = !busy_q;
  assign offset = offset_q + offset_t'(taken);
  assign keeps = !(mode_q inside {Named, Ninth, Decide, Judge});
  assign over = busy_q && last && quiet_q[1];
  assign long_line = line_q[11] && line_q[10:0] != '0;
  assign ended = mode_q inside {Name, Rest, Words} && long_line
                 && !(mode_q == Rest && long_q && !late_q);

  assign base_behind = base_q - (spelt_q || words_q != '0 ? spot_t'(count) : '0);

  always_comb begin
    words_state = '{line: line_q, place: place_q, begun: {1'b0, 1'b0, return_q},
                    negative: numeral_q.negative, digits: numeral_q.digits,
                    against: numeral_q.against, none: '0, number: number_q};
    if (begun_q && !return_q) words_state.begun = {1'b1, numeral_q.phase};
    name_state = '{line: line_q, late: late_q, cr: cr_q, longer: longer_q, spelt: spelt_q,
                   base: base_behind, letters: letters_q};
    spoilt_state = '{line: line_q, kind: KindShort, default: '0};
    rest_state = '{line: line_q, kind: kind_q, long_get: long_q && !late_q,
                   binary: binary_q, none: '0, front: front_q, number: number_q};
    header_state = '{opcode: opcode, key: key, words: words_q, base: base_behind,
                     extras: extras, none: '0, number: number_q};
    fed_o.closed = ended || mode_q == Closed;
    fed_o.state.mode = fed_o.closed ? Closed : spoilt ? Rest :
                       mode_q == Header && header_wrong ? Wrong : mode_q;
    unique case (mode_q)
      Name:    fed_o.state.kept = name_state;
      Words:   fed_o.state.kept = spoilt ? spoilt_state : words_state;
      Header:  fed_o.state.kept = header_state;
      default: fed_o.state.kept = rest_state;
    endcase
    fed_o.done = fed_o.closed || mode_q == Skip ? offset_q : done_q;
  end

  assign spoilt = mode_q == Words && bad_q;
  assign fed_valid_o = over;

  always_ff @(posedge clk_i) begin
    mode_q <= mode_d;
    letters_q <= letters_d;
    longer_q <= longer_d;
    spelt_q <= spelt_d;
    cr_q <= cr_d;
    long_q <= long_d;
    binary_q <= binary_d;
    spaced_q <= spaced_d;
    plain_q <= plain_d;
    kind_q <= kind_d;
    place_q <= place_d;
    begun_q <= begun_d;
    return_q <= return_d;
    number_q <= number_d[31:0];
    front_q <= front_d;
    words_q <= words_d;
    base_q <= base_d;
    bad_q <= bad_d;
    age_q <= mode_d == mode_q ? {age_q[0], 1'b1} : '0;
    verdict_q <= verdict;
    // What is counted comes a cycle later.
    end_q <= end_now.all ? count : 4'(end_now.lane);
    begin_q <= at;
    if (!some) end_q <= 4'(at);
    marks_q <= marks;
    begins_q <= begins;
    mark_kind_q <= mark_kind;
    first_letter_q <= first_letter;
    of_key_q <= of_key;
    keyed_q <= of_key_q;
    byte_q <= slots[0];
    number_byte_q <= number_byte;
    length_q <= is_length(place_q);
    unsigned_q <= is_unsigned(place_q);
    ends_q <= mode_q == Words && stop && word && !text && !any;
    ended_q <= ends_q;
    ended_unsigned_q <= unsigned_q;
    numeral_q <= numeral_d;
    if (first_letter_q) late_q <= line_q > line_count_t'(MostSpaces);
    if (begins_q) line_q <= '0;
    else if (!long_line) line_q <= line_q + line_count_t'(taken);
    offset_q <= offset;
    mark_o <= '{offset: offset, kind: mark_kind_q};
    if (marks_q) done_q <= offset;
    if (!busy_q) begin
      mode_q <= start_i.mode == Wrong ? Header : start_i.mode;
      line_q <= start_rest.line;
      letters_q <= start_name.letters;
      longer_q <= start_name.longer;
      spelt_q <= start_name.spelt;
      // A header has it at the same place.
      base_q <= start_i.mode inside {Name, Header, Wrong} ? start_name.base : '0;
      late_q <= start_i.mode == Name && start_name.late;
      cr_q <= start_name.cr;
      long_q <= start_rest.long_get;
      binary_q <= start_rest.binary;
      kind_q <= start_rest.kind;
      place_q <= start_words.place;
      begun_q <= start_i.mode == Words && start_words.begun != '0;
      return_q <= start_i.mode == Words && start_words.begun == 3'd1;
      numeral_q <= '{phase_e'(start_words.begun[2] ? start_words.begun[1:0] : 2'd0),
                     start_words.negative, start_words.digits, start_words.against};
      if (start_i.mode != Words) numeral_q <= NoNumber;
      number_q <= start_words.number;
      front_q <= start_rest.front;
      words_q <= start_i.mode inside {Header, Wrong} ? start_header.words : '0;
      offset_q <= '0;
      done_q <= '0;
      end_q <= '0;
      begin_q <= '0;
      begins_q <= 1'b0;
      first_letter_q <= 1'b0;
      of_key_q <= 1'b0;
      keyed_q <= 1'b0;
      number_byte_q <= 1'b0;
      ends_q <= 1'b0;
      ended_q <= 1'b0;
      bad_q <= 1'b0;
      if (start_i.mode inside {Front, Header, Wrong}) binary_q <= 1'b1;
      if (start_i.mode inside {Name, Rest, Words}) binary_q <= 1'b0;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      quiet_q <= '0;
      mark_valid_o <= 1'b0;
    end else begin
      busy_q <= busy_q ? !over : start_valid_i;
      quiet_q <= busy_q && last && !some && keeps ? {quiet_q[0], 1'b1} : '0;
      mark_valid_o <= busy_q && marks_q;
      if (!busy_q) marks_q <= 1'b0;
    end
  end

  // ---- what is promised ------------------------------------------------------------------------
  // Cycles of a segment, while no word is waited for: two for each byte, and Overhead.
`ifndef SYNTHESIS
  logic [31:0] cycles_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !busy_q) begin
      cycles_q <= '0;
    end else if (some || !keeps) begin
      cycles_q <= cycles_q + 32'd1;
    end
  end

  `WC_ASSERT(bounded, !busy_q || cycles_q <= 2 * 32'(offset_q) + Overhead)
`endif

  // What ends a piece is not in front of it.
  `WC_ASSERT(goes_on, !some || end_now.all || end_now.lane >= at)
  `WC_ASSERT(nothing_from_none, some || end_now == {1'b0, at})
  `WC_ASSERT(from_its_beginning, mode_q != Words || base_q == at)

endmodule

`default_nettype wire
