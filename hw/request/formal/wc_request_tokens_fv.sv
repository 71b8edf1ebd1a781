// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_tokens against the columns of the table, read here a second time: lines of
// any words, with any name of the table or none, a piece a cycle or none.
// Rule 1: the line's rule is that of the row that its first word names, or zeros.
// Rule 2: each word behind the name is what the argument in its place is: a key, a number for just
//         the unit of its kind, a "0", a flag or nothing; those behind the last place as the last
//         place is.
// Rule 3: a line fits if it has at least `least` and at most `most` words, its name counted; it is
//         quiet if it fits, the last word is noreply and there are `noreply` words or more; it is
//         bare if the argument that may be missing is; it is wrong if its row is strict and a word
//         behind the arguments is not the noreply at its end, or if the word that has to be "0"
//         is there and is not. Its row's numbers are asked for, but in one that does not fit or is
//         bare. A value follows it if it fits, its row has one, and it has no flags.
// Rule 4: a line is over if one of its keys is longer than MaxKey. Of a row with keys up to the end
//         each key is put with its last piece, up to the first that is over, with its length.
// Rule 5: in a row with keys and a time in front of them, the time, and nothing else in any row, is
//         what leads. When it is wrong no key of the line is pushed, put or told, and the line does
//         not end as one of keys.
// Assumed: pieces as wc_request_cutter_fv shows them; time_ok_i does not change while a line with a
// key goes on (wc_request_numbers_fv).
`include "wc_assert.svh"
`default_nettype none

module wc_request_tokens_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
#(
  parameter int unsigned MaxKey = 10
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             take_i,
  input wire logic             more_i,
  input wire logic             eol_i,
  input wire logic             stop_i,
  input wire logic             nul_i,
  input wire logic [3:0]       bytes_i,
  input wire logic [Lines-1:0] name_i,
  input wire logic [Lines-1:0] rest_i,
  input wire logic             noreply_i,
  input wire logic             zero_i,
  input wire logic             time_ok_i
);

  typedef logic [3:0] count_t;  // words; stays at 15
  localparam int unsigned KeyLengthAndFlagsWords = 3;  // of a line with a value and no flags

  piece_t piece;
  word_state_t word;
  rule_t rule;
  ended_t ended;
  logic key_push, key_put, key_wrong, ends_keys, may_end, fresh, over, first_key;
  key_len_t key_len, ended_len;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_tokens #(
    .MaxKey(MaxKey)
  ) u_dut (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .take_i     (take_i),
    .piece_i    (piece),
    .decoded_i  (1'b0),
    .decoded_len_i('0),
    .time_ok_i  (time_ok_i),
    .word_o     (word),
    .key_push_o (key_push),
    .key_put_o  (key_put),
    .key_wrong_o(key_wrong),
    .key_len_o  (key_len),
    .ends_keys_o(ends_keys),
    .may_end_o  (may_end),
    .fresh_o    (fresh),
    .over_o     (over),
    .first_key_o(first_key),
    .rule_o     (rule),
    .ended_o    (ended),
    .ended_len_o(ended_len)
  );

  always_comb begin
    piece = '0;
    piece.bytes = bytes_i;
    piece.any = bytes_i != '0;
    piece.beyond = bytes_i > 4'(MaxKey % WordBytes);
    piece.more = more_i;
    piece.eol = eol_i;
    piece.stop = stop_i;
    piece.nul = nul_i;
    piece.name = name_i;
    piece.rest = rest_i;
    piece.is_noreply = noreply_i;
    piece.is_zero = zero_i;
  end

  // ---- the line so far ----------------------------------------------------------------------------
  logic open_q, dead_q;
  logic [8:0] bytes_q;       // of the word; stays at 256 or more
  count_t words_q, words;    // that have ended
  logic [Lines-1:0] begun_q, row_q, row_d, row;  // one hot; none if no row has the name
  logic noreply_q, noreply, zero_q, over_q, over_now;
  logic whole, named, here, fits_one;
  logic keyed_q;             // a key has come
  logic [8:0] bytes;

  assign here = (piece.any || open_q) && !dead_q;
  assign whole = here && !more_i;
  assign named = words_q != '0;
  assign words = words_q + count_t'(whole && words_q != '1);
  assign bytes = bytes_q[8] ? bytes_q : bytes_q + 9'(bytes_i);
  assign row = named ? row_q : row_d;
  assign noreply = whole ? noreply_i && !open_q : noreply_q;

  always_comb begin
    for (int unsigned i = 0; i < Lines; i++) begin
      row_d[i] = whole && !stop_i && (open_q ? begun_q[i] && rest_i[i]
                                             : name_i[i] && Texts[i].bytes <= 4'd8);
    end
  end

  `WC_ASSUME(ends, !(eol_i && (more_i || stop_i || nul_i)) && !(stop_i && (nul_i || more_i))
                   && !(nul_i && more_i) && bytes_i <= 4'd8 && (!more_i || bytes_i == 4'd8))
  // A piece is one of the known words at most, and as long as it is.
  always_comb begin
    fits_one = $countones({name_i, noreply_i, zero_i}) <= 1 && $countones(rest_i) <= 1;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (name_i[i] && bytes_i != (Texts[i].bytes < 4'd8 ? Texts[i].bytes : 4'd8)) fits_one = 1'b0;
      if (rest_i[i] && bytes_i != Texts[i].bytes - 4'd8) fits_one = 1'b0;
    end
    if (noreply_i && bytes_i != 4'd7) fits_one = 1'b0;
    if (zero_i && bytes_i != 4'd1) fits_one = 1'b0;
  end
  `WC_ASSUME(known, fits_one)
  `WC_ASSUME(time_stays, $past(rst_i) || !keyed_q || time_ok_i == $past(time_ok_i))

  // ---- what the columns say --------------------------------------------------------------------------
  // Of the word that is here, the `words_q`th behind the name, and of the line if it ended here.
  rule_t rule_due;
  arg_e kind;
  logic fits, quiet, bare, wrong, keys, flags, value, zero, led, closed;
  int unsigned args;

  always_comb begin
    rule_due = '0;
    kind = ArgNone;
    {fits, quiet, bare, wrong, keys, flags, value} = '0;
    args = 0;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (row[i]) begin
        rule_due = rule_of(LineTable[i]);
        keys = LineTable[i].args[0] == ArgKey;
        flags = LineTable[i].args[0] == ArgFlag;
        if (named) begin
          kind = LineTable[i].args[0];
          for (int unsigned j = 0; j < MostArgs; j++) begin
            if (words_q == count_t'(j + 1)) kind = LineTable[i].args[MostArgs-1-j];
          end
        end
        args = 0;
        for (int unsigned j = 0; j < MostArgs; j++) begin
          if (LineTable[i].args[MostArgs-1-j] != ArgNone) args = j + 1;
        end
        fits = words >= LineTable[i].least
               && (LineTable[i].most == Any || words <= LineTable[i].most);
        quiet = fits && noreply && LineTable[i].noreply != Never
                && words >= LineTable[i].noreply;
        // one of the arguments may be missing; words behind the name, without noreply, are fewer
        bare = fits && !keys && !flags && args >= 32'(LineTable[i].least)
               && 32'(words) - 1 - 32'(quiet) < args;
        wrong = LineTable[i].quirks.strict && 32'(words) > args + 1 && !noreply;
        value = fits && effect_of(LineTable[i].command.op).value
                && (!flags || words == count_t'(KeyLengthAndFlagsWords));
        // a "0" that is there must be one
        for (int unsigned j = 0; j < MostArgs; j++) begin
          if (LineTable[i].args[MostArgs-1-j] == ArgZero && fits
              && 32'(words) - 1 - 32'(quiet) > j && !zero) begin
            wrong = 1'b1;
          end
        end
      end
    end
  end

  // Keys pass, or none of the line does.
  assign led = keys && rule_due.numbers[UnitTime];
  assign closed = led && !time_ok_i;

  assign zero = whole && kind == ArgZero ? zero_i && !open_q : zero_q;
  assign over_now = over_q || (whole && kind == ArgKey && bytes > 9'(MaxKey));

  logic [Units-1:0] asked_q;
  logic line_ended_q, fits_q, quiet_q, bare_q, wrong_q, ended_over_q, ended_named_q;

  always_ff @(posedge clk_i) begin
    line_ended_q <= take_i && eol_i;
    if (take_i) begin
      open_q <= here && more_i;
      bytes_q <= more_i ? bytes : '0;
      words_q <= words;
      begun_q <= open_q ? '0 : name_i;
      row_q <= row;
      noreply_q <= noreply;
      over_q <= over_now;
      if (nul_i) dead_q <= 1'b1;
      if (whole && kind == ArgKey) keyed_q <= 1'b1;
      fits_q <= fits;
      quiet_q <= quiet;
      bare_q <= bare;
      wrong_q <= wrong;
      ended_over_q <= over_now;
      zero_q <= zero;
      asked_q <= rule_due.numbers & {Units{named && fits && !bare}};
    end
    if (rst_i || (take_i && (eol_i || stop_i))) begin
      open_q <= 1'b0;
      dead_q <= 1'b0;
      bytes_q <= '0;
      words_q <= '0;
      noreply_q <= 1'b0;
      over_q <= 1'b0;
      keyed_q <= 1'b0;
    end
    if (rst_i) line_ended_q <= 1'b0;
  end

  `WC_ASSERT(rule_is, !named || rule == rule_due)
  `WC_ASSERT(key_is, word.place.key == (kind == ArgKey))
  `WC_ASSERT(number_is, word.place.number == {kind inside {ArgUnique, ArgDelta}, kind == ArgLength,
                                              kind == ArgTime, kind == ArgUnsigned})
  `WC_ASSERT(zero_is, word.place.zero == (kind == ArgZero))
  `WC_ASSERT(flag_is, word.place.flag == (kind == ArgFlag)
                      && word.lettered == (word.place.flag && !open_q))
  `WC_ASSERT(counts_is, word.counts == here)
  `WC_ASSERT(fits_is, !line_ended_q || ended.fits == fits_q)
  `WC_ASSERT(may_end_is, may_end == (named && value))
  `WC_ASSERT(quiet_is, !line_ended_q || ended.quiet == quiet_q)
  `WC_ASSERT(bare_is, !line_ended_q || !ended.fits || ended.bare == bare_q)
  `WC_ASSERT(wrong_is, !line_ended_q || !ended.fits || ended.wrong == wrong_q)
  `WC_ASSERT(asked_is, !line_ended_q || ended.asked == asked_q)
  `WC_ASSERT(over_is, !line_ended_q || ended.over == ended_over_q)
  `WC_ASSERT(leads_is, word.place.leads == (led && named && words_q == count_t'(1)))
  `WC_ASSERT(put_is, key_put == (whole && kind == ArgKey && keys && !over_now && !closed))
  `WC_ASSERT(key_wrong_is, key_wrong == (whole && kind == ArgKey && keys && !over_q && over_now
                                         && !closed))
  `WC_ASSERT(push_is, key_push == (here && kind == ArgKey && piece.any && !over_q && !closed
                                   && !bytes_q[8]))
  `WC_ASSERT(ends_is, ends_keys == (keys && !over_now && !closed
                                    && (keyed_q || (whole && kind == ArgKey))
                                    && (!here || whole)))
  `WC_ASSERT(first_is, first_key == !keyed_q)
  `WC_ASSERT(len_is, !key_put || 9'(key_len) == bytes)

  `WC_COVER(longest, line_ended_q && ended.fits && $past(words_q == count_t'(5)))
  `WC_COVER(too_many, line_ended_q && !ended.fits && $past(words_q == count_t'(7)))
  `WC_COVER(quiet_and_bare, line_ended_q && ended.quiet && ended.bare)
  `WC_COVER(one_too_many, line_ended_q && ended.fits && ended.wrong)
  `WC_COVER(two_keys, key_put && !first_key && take_i)
  `WC_COVER(keys_behind_a_time, key_put && !first_key && take_i && led)
  `WC_COVER(two_flags, line_ended_q && ended.fits
                       && $past(words_q == count_t'(4) && kind == ArgFlag))
  `WC_COVER(no_keys, line_ended_q && ended.fits && $past(keyed_q && closed))
  `WC_COVER(second_line, line_ended_q && ended.fits && $past(line_ended_q && ended.fits, 3))

endmodule

`default_nettype wire
