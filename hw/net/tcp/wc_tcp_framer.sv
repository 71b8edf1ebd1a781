// SPDX-License-Identifier: Apache-2.0
// Finds where whole requests end in the bytes of a connection, so that the parser sees only whole
// ones. A segment is given as the connection's state, and words; what is found are marks as the
// bytes pass, and behind them the new state. Each byte is looked at once. Whole words a cycle in
// values and in lines from the second word on; a cycle for each byte of numbers. At most three
// cycles for two bytes and `Overhead` a segment, whatever comes. Nothing stalls it: marks are
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

  // ---- the window ------------------------------------------------------------------------------
  logic [WordBytes-1:0][7:0] bytes;
  each_t there, lf, space, stop, letter, take;
  logic last, over, takes_all;
  logic [3:0] taken;

  wc_tcp_framer_window u_window (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .word_valid_i(word_valid_i),
    .word_ready_o(word_ready_o),
    .word_i      (word_i),
    .open_i      (busy_q),
    .over_i      (over),
    .taken_i     (taken),
    .all_i       (takes_all),
    .bytes_o     (bytes),
    .there_o     (there),
    .lf_o        (lf),
    .space_o     (space),
    .stop_o      (stop),
    .letter_o    (letter),
    .last_o      (last)
  );

  // ---- what is kept ----------------------------------------------------------------------------
  mode_e mode_d, mode_q;
  line_count_t line_q;
  letters_t letters_d, letters_q;
  longer_t longer_d, longer_q;
  logic late_q, cr_d, cr_q, long_d, long_q, binary_d, binary_q;
  kind_e kind_d, kind_q;
  place_e place_d, place_q;
  numeral_t word_d, word_q;
  logic [31:0] number_d, number_q;
  logic [10:0] front_d, front_q;
  logic [4:0] at_d, at_q;
  logic bad_d, bad_q;  // WORDS: it is no line that has a value
  offset_t offset, offset_q, done_q;

  // ---- how many bytes are taken ----------------------------------------------------------------
  logic hit;           // what is counted ends in this word
  logic eight;         // of a header
  logic [3:0] held;
  logic named, text, ninth, far_q;

  assign named = letters_q[0] != '0 || longer_q != '0 || cr_q;
  assign text = is_key(place_q) || place_q inside {AtNoreply, AtEnd};

  wc_tcp_framer_take u_take (
    .mode_i  (mode_q),
    .named_i (named),
    .full_i  (letters_q[Letters-1] != '0),
    .cr_i    (cr_q),
    .text_i  (text),
    .any_i   (place_q == AtAny),
    .at_i    (at_q),
    .front_i (front_q),
    .number_i(number_q[5:0]),
    .far_i   (far_q),
    .there_i (there),
    .lf_i    (lf),
    .space_i (space),
    .stop_i  (stop),
    .letter_i(letter),
    .take_o  (take),
    .ninth_o (ninth),
    .taken_o (taken),
    .all_o   (takes_all),
    .held_o  (held),
    .hit_o   (hit),
    .eight_o (eight)
  );

  // ---- what the bytes are ----------------------------------------------------------------------
  kind_e named_kind;
  logic named_value, named_get;
  place_e named_place;
  longer_t named_longer;

  wc_tcp_framer_name #(
    .MadeValues(MadeValues),
    .Meta      (Meta)
  ) u_name (
    .letters_i(letters_q),
    .longer_i (longer_q),
    .kind_o   (named_kind),
    .value_o  (named_value),
    .place_o  (named_place),
    .get_o    (named_get),
    .longer_o (named_longer)
  );

  numeral_t word_next;
  logic number_wrong, number_right;

  wc_tcp_framer_number u_number (
    .word_i    (word_q),
    .unsigned_i(is_unsigned(place_q)),
    .byte_i    (bytes[0]),
    .word_o    (word_next),
    .wrong_o   (number_wrong),
    .right_o   (number_right)
  );

  logic header_wrong, header_body, header_malformed, value_any_q;
  logic [5:0] opcode;
  logic [7:0] key, extras;
  logic [31:0] header_length;
  kind_e header_kind;
  header_state_t start_header;

  assign start_header = start_i.kept;

  wc_tcp_framer_header #(
    .MaxKey    (MaxKey),
    .MadeValues(MadeValues)
  ) u_header (
    .clk_i      (clk_i),
    .set_i      (!busy_q),
    .kept_i     (start_header),
    .take_i     (mode_q == Header && take != '0),
    .at_i       (at_q),
    .eight_i    (eight),
    .bytes_i    (bytes),
    .value_i    (value_any_q),
    .opcode_o   (opcode),
    .wrong_o    (header_wrong),
    .key_o      (key),
    .extras_o   (extras),
    .body_o     (header_body),
    .length_o   (header_length),
    .number_i   (number_q),
    .kind_o     (header_kind),
    .malformed_o(header_malformed)
  );

  // ---- how large a value is --------------------------------------------------------------------
  // Two cycles behind the last byte of its length. Of a header, what is in front is taken away.
  logic [32:0] value_q;
  value_len_t most_q, near_q;
  logic large_q, perhaps_q, short_q, none_q, body_q;
  logic [2:0] fresh_d, fresh_q;  // cycles since the number has changed
  logic settled;

  always_ff @(posedge clk_i) begin
    most_q <= most_bytes_i - value_len_t'(Certain);
    near_q <= most_bytes_i - value_len_t'(Near);
    value_q <= {1'b0, number_q} - 33'(mode_q == Header ? front_q : '0);
    value_any_q <= value_q != '0;
    large_q <= value_q[31:21] != '0 || value_q[20:0] > most_q;
    perhaps_q <= value_q[31:21] != '0 || value_q[20:0] > near_q;
    short_q <= value_q[32];                                     // of a header: no room for its key
    none_q <= value_q[31] || value_q[30:1] == '1;                // of a line: no length
    body_q <= number_q != '0;
    far_q <= number_q[31:5] != '0;
  end

  assign settled = fresh_q == '0;

  // ---- the machine -----------------------------------------------------------------------------
  logic marks;
  logic begins;   // another request, if the connection goes on
  logic ends_word, returns;
  place_e place_next;
  logic signed [31:0] digit;
  logic [31:0] number_base, number_moved;
  logic signed [4:0] moves;
  logic long_line, ended, keeps;
  logic [3:0] taken_q;  // the cycle before
  logic marks_q, begins_q, closes, first_letter, first_letter_q, keyed_d, keyed_q, over_long;
  logic of_key, of_key_q;  // bytes of a key are taken
  kind_e mark_kind, mark_kind_q;

  assign ends_word = word_q.phase != Gap && !(lf[0] && word_q.phase == Return);
  assign place_next = ends_word ? place_behind(place_q) : place_q;
  assign returns = word_q.phase == Gap && bytes[0] == Cr && take[0];
  assign digit = word_q.negative ? -$signed(32'(bytes[0][3:0])) : $signed(32'(bytes[0][3:0]));
  assign over_long = keyed_q && number_q > 32'(MaxKey);
  assign moves = mode_q == Decide ? 5'sd2 : mode_q == Words ? 5'(taken_q) : -5'(held);
  assign number_moved = number_q + 32'(moves);
  assign number_base = word_q.phase == Digits ? number_q : '0;
  assign long_line = line_q[11] && line_q[10:0] != '0;

  always_comb begin
    mode_d = mode_q;
    letters_d = letters_q;
    longer_d = longer_q;
    cr_d = cr_q;
    long_d = long_q;
    binary_d = binary_q;
    kind_d = kind_q;
    place_d = place_q;
    word_d = word_q;
    number_d = number_q;
    front_d = front_q;
    at_d = at_q;
    bad_d = bad_q;
    keyed_d = keyed_q;
    first_letter = 1'b0;
    of_key = 1'b0;
    closes = 1'b0;
    fresh_d = fresh_q << 1;
    mark_kind = KindShort;
    marks = 1'b0;
    begins = 1'b0;

    unique case (mode_q)
      First: if (there[0]) begin
        binary_d = Binary && bytes[0] == Magic;
        begins = 1'b1;
      end

      Name: begin
        if (ninth) begin
          // A ninth letter, which is not taken yet.
          letters_d = '0;
          longer_d = named_longer;
          if (named_longer == '0) begin
            mode_d = Rest;
            kind_d = KindShort;
            long_d = 1'b0;
          end
        end else if (there[0]) begin
          first_letter = !named;
          if (letter[0] && !cr_q) begin
            if (!named) begin
              for (int unsigned i = 0; i < Letters; i++) begin
                letters_d[i] = 5'd0;
                if ((letter | ~each_t'((1 << (i + 1)) - 1)) == '1) letters_d[i] = bytes[i][4:0];
              end
              if ((take & space) != '0) mode_d = Named;
            end else begin
              for (int unsigned i = 0; i < Letters; i++) begin
                if (letters_q[i] == '0 && (i == 0 || letters_q[(i+Letters-1)%Letters] != '0)) begin
                  letters_d[i] = bytes[0][4:0];
                end
              end
            end
          end else if (lf[0] && !named) begin
            marks = 1'b1;
            begins = 1'b1;
          end else if (space[0] && !cr_q) begin
            if (named) mode_d = Named;
          end else if (bytes[0] == Cr && !cr_q) begin
            cr_d = 1'b1;
          end else begin
            // The line ends, or a NUL does it, behind which nothing counts; with any other byte it
            // is no name.
            mode_d = Rest;
            kind_d = lf[0] || (stop[0] && !cr_q) ? named_kind : KindShort;
            long_d = 1'b0;
          end
        end
      end

      Named: begin
        mode_d = named_value ? Words : Rest;
        kind_d = named_kind;
        long_d = named_get;
        place_d = named_place;
        word_d = NoNumber;
        bad_d = 1'b0;
        keyed_d = 1'b1;
        of_key = 1'b1;
        number_d = '0;
        if (take != '0) word_d.phase = take[0] && bytes[0] == Cr ? Return : Inside;
      end

      Rest: if ((take & lf) != '0) begin
        mark_kind = kind_q;
        marks = 1'b1;
        begins = 1'b1;
        closes = kind_q == KindQuit;
      end

      Words: begin
        if (of_key_q) number_d = number_moved;
        if (place_q == AtAny) begin
          if ((take & lf) != '0) mode_d = Decide;
        end else if (stop[0]) begin
          place_d = place_next;
          word_d = NoNumber;
          if (ends_word && (place_q == AtEnd || !(text || number_right))) bad_d = 1'b1;
          if (!space[0]) begin
            if (!is_whole(place_next)) bad_d = 1'b1;
            place_d = AtAny;
          end
          if (lf[0]) mode_d = Decide;
        end else if (there[0]) begin
          if (text) begin
            word_d.phase = returns ? Return : Inside;
            of_key = is_key(place_q);
            if (place_q == AtEnd && !returns) bad_d = 1'b1;
          end else begin
            word_d = word_next;
            if (number_wrong) bad_d = 1'b1;
          end
          if (is_length(place_q) && word_next.phase == Digits) begin
            number_d = 32'({number_base + {number_base[29:0], 2'd0}, 1'b0}) + 32'(digit);
            fresh_d[0] = 1'b1;
            keyed_d = 1'b0;
          end
        end
        if (over_long) bad_d = 1'b1;
        if (bad_q) place_d = AtAny;
      end

      Decide: if (fresh_q[1:0] == '0) begin
        number_d = number_moved;
        kind_d = perhaps_q ? KindLast : KindShort;
        mode_d = large_q ? Skip : Value;
        mark_kind = large_q && !none_q && !bad_q ? KindLast : KindShort;
        marks = none_q || bad_q || large_q;
        begins = none_q || bad_q;
      end

      Value, Skip: begin
        number_d = number_moved;
        if (hit) begin
          mark_kind = mode_q == Skip ? KindSkipped : kind_q;
          marks = 1'b1;
          begins = 1'b1;
          closes = mode_q == Value && kind_q == KindQuit;
        end
      end

      Front: begin
        front_d = front_q - 11'(held);
        if (hit) begin
          mark_kind = KindLast;
          marks = 1'b1;
          mode_d = Skip;
        end
      end

      Header: begin
        front_d = 11'(key) + 11'(extras);
        if (take != '0) at_d = hit && at_q >= 5'd12 ? 5'd24 :
                               at_q + (eight || at_q >= 5'd12 ? 5'(held) : 5'd1);
        if (header_body) number_d = header_length;
        if (take != '0) fresh_d[0] = 1'b1;
        if (at_q == 5'd24 && settled) begin
          mark_kind = header_kind;
          if (header_wrong) begin
            mode_d = Closed;
          end else if (short_q || header_malformed) begin
            mark_kind = KindClose;
            marks = 1'b1;
            mode_d = Closed;
          end else if (!body_q) begin
            marks = 1'b1;
            begins = 1'b1;
            closes = header_kind == KindQuit;
          end else if (large_q) begin
            number_d = value_q[31:0];
            mark_kind = KindLast;
            marks = front_q == '0;
            mode_d = front_q == '0 ? Skip : Front;
          end else begin
            kind_d = perhaps_q ? KindLast : header_kind;
            mode_d = Value;
          end
        end
      end

      default: ;  // Closed
    endcase

    if (begins) begin
      mode_d = closes ? Closed : binary_d ? Header : Name;
      letters_d = '0;
      longer_d = '0;
      cr_d = 1'b0;
      number_d = '0;
      at_d = '0;
    end
  end

  // ---- from segment to segment -----------------------------------------------------------------
  words_state_t start_words, words_state;
  name_state_t start_name, name_state;
  rest_state_t start_rest, rest_state, spoilt_state;
  logic spoilt;
  logic [1:0] quiet_q;  // for so many cycles nothing was there: all that comes later has come

  header_state_t header_state;

  assign start_words = start_i.kept;
  assign start_name = start_i.kept;
  assign start_rest = start_i.kept;

  assign start_ready_o = !busy_q;
  assign offset = offset_q + offset_t'(taken_q);
  assign keeps = !(mode_q inside {Named, Decide}) && !(mode_q == Header && at_q == 5'd24)
                 && !(mode_q == Name && named && lf[0]);
  assign over = busy_q && last && quiet_q[1];
  assign ended = mode_q inside {Name, Rest, Words} && long_line
                 && !(mode_q == Rest && long_q && !late_q);

  always_comb begin
    words_state = '{line: line_q, place: place_q, word: word_q, number: number_q};
    name_state = '{line: line_q, late: late_q, cr: cr_q, longer: longer_q, none: '0,
                   letters: letters_q};
    spoilt_state = '{line: line_q, kind: KindShort, default: '0};
    rest_state = '{line: line_q, kind: kind_q, long_get: long_q && !late_q,
                   binary: binary_q, front: front_q, number: number_q};
    header_state = '{at: at_q, wrong: header_wrong, opcode: opcode, key: key, extras: extras,
                     number: number_q};
    fed_o.closed = ended || mode_q == Closed;
    fed_o.state.mode = fed_o.closed ? Closed : spoilt ? Rest : mode_q;
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
    cr_q <= cr_d;
    long_q <= long_d;
    binary_q <= binary_d;
    kind_q <= kind_d;
    place_q <= place_d;
    word_q <= word_d;
    number_q <= number_d;
    front_q <= front_d;
    at_q <= at_d;
    fresh_q <= fresh_d;
    bad_q <= bad_d;
    keyed_q <= keyed_d;
    // What is counted comes a cycle later.
    taken_q <= taken;
    marks_q <= marks;
    begins_q <= begins;
    mark_kind_q <= mark_kind;
    first_letter_q <= first_letter;
    of_key_q <= of_key;
    if (first_letter_q) late_q <= line_q > line_count_t'(MostSpaces);
    if (begins_q) line_q <= '0;
    else if (!long_line) line_q <= line_q + line_count_t'(taken_q);
    offset_q <= offset;
    mark_o <= '{offset: offset, kind: mark_kind_q};
    if (marks_q) done_q <= offset;
    if (!busy_q) begin
      mode_q <= start_i.mode;
      line_q <= start_rest.line;
      letters_q <= start_name.letters;
      longer_q <= start_name.longer;
      late_q <= start_i.mode == Name && start_name.late;
      cr_q <= start_name.cr;
      long_q <= start_rest.long_get;
      binary_q <= start_rest.binary;
      kind_q <= start_rest.kind;
      place_q <= start_words.place;
      word_q <= start_words.word;
      number_q <= start_words.number;
      front_q <= start_rest.front;
      at_q <= start_header.at;
      offset_q <= '0;
      done_q <= '0;
      fresh_q <= '1;
      taken_q <= '0;
      begins_q <= 1'b0;
      first_letter_q <= 1'b0;
      of_key_q <= 1'b0;
      bad_q <= 1'b0;
      keyed_q <= is_key(start_words.place);
      if (start_i.mode inside {Front, Header}) binary_q <= 1'b1;
      if (start_i.mode inside {Name, Rest, Words}) binary_q <= 1'b0;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      quiet_q <= '0;
      mark_valid_o <= 1'b0;
    end else begin
      busy_q <= busy_q ? !over : start_valid_i;
      quiet_q <= busy_q && last && !there[0] && keeps ? {quiet_q[0], 1'b1} : '0;
      mark_valid_o <= busy_q && marks_q;
      if (!busy_q) marks_q <= 1'b0;
    end
  end

  // ---- what is promised ------------------------------------------------------------------------
  // Cycles of a segment, while no word is waited for: three for two bytes, and Overhead.
`ifndef SYNTHESIS
  logic [31:0] cycles_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || !busy_q) begin
      cycles_q <= '0;
    end else if (there[0] || !keeps) begin
      cycles_q <= cycles_q + 32'd1;
    end
  end

  `WC_ASSERT(bounded, !busy_q || 2 * cycles_q <= 3 * 32'(offset_q) + 2 * Overhead)
`endif

  `WC_ASSERT(one_take, $onehot0(take))
  `WC_ASSERT(takes_what_is_there, (take & ~there) == '0)

endmodule

`default_nettype wire
