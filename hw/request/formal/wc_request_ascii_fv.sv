// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_ascii with its tokens, numbers and verdict: pieces of packets of any length,
// with any commands of the table; behind command and key a token has up to four bytes, but for
// noreply. What is a get here, is any row with keys up to the end of its line; what is a set, any
// row whose operation takes a value.
// Rule 1: each packet that ends, with its one piece that has stop, is closed exactly once, after
//         that piece was taken and before one of the next packet is; nothing else is closed.
// Rule 2: each key of a get is put as its last piece is taken, up to the first that is too long;
//         the last of them is named so, no other. If a time is in front of them and wrong, none is
//         put or pushed; they are taken when it is timed (wc_request_numbers_fv). Every other line,
//         also a get without keys or with one that is too long, has exactly one operation put:
//         before its packet is closed and before a piece of the next line is taken, a set that is
//         right behind its value. What is cut short has one. Behind a quit or a value too large for
//         memcached nothing is put. Of a meta command with a wrong flag the answer comes before the
//         value, and the value has none.
// Rule 3: a GET, SET or DELETE commits as many key words as its key_len asks for, a SET as many
//         value words as its value_len does; the last of them, and no other, is marked. What any
//         other operation has pushed is taken back with it: at a close nothing is left.
// Rule 4: a line with held has exactly one resume, before anything else is taken; no other has one.
// Rule 5: pieces are taken only when halt_i was low in the cycle before; no cycle puts and closes;
//         where neither halt_i nor stall_i holds it up, and no number is busy, a piece is taken, a
//         held line resumed, an operation put and a packet closed within two cycles, in a packet
//         that had a command with numbers within six. How long a number is busy says
//         wc_text_number_fv.
// Rule 6: an INCR or DECR is put with the number that its line has, and without a CAS number.
// Assumed: pieces as wc_request_cutter_fv shows them, each offered until it is taken; behind a
// resume a line or a value of the length it names; stall_i only after halt_i. No key is base64:
// wc_request_base64_fv has those, and how long they take.
`include "wc_assert.svh"
`default_nettype none

module wc_request_ascii_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
#(
  parameter int unsigned MaxKey     = 10,
  parameter int unsigned StoreBytes = 16
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       valid_i,
  input wire logic       stop_i,
  input wire logic       more_i,
  input wire logic       empty_i,  // the token goes on without bytes
  input wire logic       eol_i,
  input wire logic       held_i,
  input wire logic       nul_i,
  input wire logic       crlf_i,
  input wire logic       digits_i,
  input wire logic [3:0] bytes_i,
  input wire logic [6:0] word_i,   // which of the known ones it is
  input wire word_t      data_i,
  input wire logic       halt_i,
  input wire logic       stall_i
);

  // Words that are known: these, the first pieces of names and their second ones.
  localparam logic [6:0] None = 7'd0, Noreply = 7'd1, Zero = 7'd2, Names = 7'd3;
  localparam logic [6:0] Rests = Names + 7'(Lines);

  typedef logic [5:0] words_t;  // more than the search can push

  piece_t piece;
  resume_t resume;
  logic taken, idle;
  action_t act;
  request_t request;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_ascii #(
    .MaxKey    (MaxKey),
    .StoreBytes(StoreBytes)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .piece_valid_i(valid_i),
    .piece_taken_o(taken),
    .idle_o       (idle),
    .piece_i      (piece),
    .halt_i       (halt_i),
    .stall_i      (stall_i),
    .resume_o     (resume),
    .most_bytes_i (value_len_t'(MaxValueBytes)),
    .exptime_o    (),
    .flush_i      ('0),
    .action_o     (act),
    .decoded_o    (),
    .decoded_word_o(),
    .request_o    (request),
    .opaque_push_o(),
    .opaque_o     ()
  );

  // ---- pieces -----------------------------------------------------------------------------------
  logic value_q, tail_q, wait_q;  // in a value; behind it; between a line and its resume
  logic [1:0] gap_q;              // cycles since the resume
  value_len_t left_q;             // bytes of the value
  logic joined;                   // CR LF come with the last of them
  logic counted, any, more, last;
  logic [3:0] bytes;
  word_t data;
  logic [13:0] number;  // of the first four digits

  // the line so far
  logic fresh_q, dead_q, open_q, rest_empty_q, rest_any_q, rest_stop_q;
  logic get_q, set_q, update_q, quit_q;
  logic [2:0] tokens_q;
  logic behind_q;        // a piece has come behind "set "
  logic [6:0] length_q;  // of the token
  logic long_q;          // a key of the get was too long
  logic led_q, barred_q; // a time is in front of its keys; which is wrong
  logic keyed_q;         // a key has come
  logic time_here;       // the token that is here is that time, if it is one

  assign counted = value_q || tail_q;
  assign joined = left_q <= value_len_t'(6);
  assign last = tail_q || left_q <= value_len_t'(8);
  assign bytes = tail_q ? '0 : value_q ? (left_q > value_len_t'(8) ? 4'd8 : left_q[3:0]) : bytes_i;
  assign any = bytes != '0;
  assign more = !counted && more_i;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) data[8*i+:8] = bytes > 4'(i) ? data_i[8*i+:8] : '0;
    piece = '0;
    piece.last = counted && last;
    piece.stop = stop_i;
    piece.held = !counted && held_i;
    piece.more = more;
    piece.last_data = more && empty_i;
    piece.eol = !counted && eol_i;
    piece.nul = !counted && nul_i;
    piece.bytes = bytes;
    piece.any = any;
    piece.beyond = bytes > 4'(MaxKey % WordBytes);
    piece.in_first = !counted;
    piece.in_value = value_q;
    piece.tail = tail_q || (value_q && joined);
    piece.last_value = value_q && last;
    piece.crlf = crlf_i;
    piece.data = data;
    for (int unsigned i = 0; i < Lines; i++) begin
      piece.name[i] = word_i == Names + 7'(i);
      piece.rest[i] = word_i == Rests + 7'(i);
    end
    piece.is_noreply = word_i == Noreply;
    piece.is_zero = word_i == Zero;
    piece.digits = digits_i && any;
    piece.few_digits = digits_i && any && bytes <= 4'd4;
    for (int unsigned i = 0; i < Flags; i++) begin
      piece.flag[i] = data[7:0] == FlagTable[i].letter && FlagTable[i].kind != FlagBase64;
    end
    piece.digits_behind = bytes > 4'd1;
    for (int unsigned i = 1; i < 8; i++) begin
      if (bytes > 4'(i) && (data[8*i+4+:4] != 4'h3 || data[8*i+:4] > 4'd9)) begin
        piece.digits_behind = 1'b0;
      end
    end
    number = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (bytes > 4'(i)) number = number * 14'd10 + 14'(data[8*i+:4]);
    end
    piece.hundreds = 7'(number / 14'd100);
    piece.below = 7'(number % 14'd100);
  end

  // The word is as long as it is, and digits are digits.
  logic fits;
  always_comb begin
    fits = word_i < Rests + 7'(Lines);
    if (word_i == Noreply) fits = bytes == 4'd7;
    if (word_i == Zero) fits = bytes == 4'd1 && digits_i && data[7:0] == "0";
    for (int unsigned i = 0; i < Lines; i++) begin
      if (word_i == Names + 7'(i)) fits = bytes == (Texts[i].bytes < 8 ? Texts[i].bytes : 4'd8);
      if (word_i == Rests + 7'(i)) begin
        fits = Texts[i].bytes >= 8 && bytes == Texts[i].bytes - 4'd8 && !digits_i;
      end
    end
    if (digits_i && !(word_i inside {None, Zero})) fits = 1'b0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (!counted && digits_i && bytes > 4'(i)
          && (data[8*i+4+:4] != 4'h3 || data[8*i+:4] > 4'd9)) begin
        fits = 1'b0;
      end
    end
    if (counted && word_i != None) fits = 1'b0;
  end

  `WC_ASSUME(offered, $past(rst_i) || !$past(valid_i) || $past(taken)
             || (valid_i && {stop_i, more_i, empty_i, eol_i, held_i, nul_i, crlf_i, digits_i,
                             bytes_i, word_i, data_i}
                             == $past({stop_i, more_i, empty_i, eol_i, held_i, nul_i, crlf_i,
                                       digits_i, bytes_i, word_i, data_i})))
  `WC_ASSUME(halted, !stall_i || $past(halt_i))
  `WC_ASSUME(waits, !valid_i || (!wait_q && gap_q == '0))
  `WC_ASSUME(word_fits, fits && bytes_i <= 4'd8)
  `WC_ASSUME(line_ends, counted || (!(eol_i && (more_i || stop_i || nul_i)) && !(stop_i && nul_i)
                        && !(stop_i && more_i) && !(held_i && !eol_i) && !(nul_i && more_i)))
  `WC_ASSUME(token_goes_on, counted || ((!empty_i || more_i) && (!rest_empty_q || (!any && !more_i))
                            && (!rest_any_q || any || stop_i)
                            && (!rest_stop_q || (!any && stop_i))))
  `WC_ASSUME(set_is_held, counted || !eol_i || held_i || !(set_q && behind_q))
  `WC_ASSUME(other_is_not, counted || !held_i || set_q)
  `WC_ASSUME(short_numbers, counted || tokens_q == '0 || (get_q && !time_here)
                            || (update_q && tokens_q == 3'd1)
                            || (!more_i && (bytes <= 4'd4 || (word_i == Noreply
                                            && !(set_q && tokens_q < 3'd5)))))

  // Whether a token of up to four bytes is a time: white space, a sign, digits, white space and more.
  function automatic logic is_time(input word_t text, input logic [3:0] length);
    logic sign, digit, ended, bad;
    logic [7:0] char;
    {sign, digit, ended, bad} = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      char = text[8*i+:8];
      if (length > 4'(i) && !ended && !bad) begin
        if (char >= "0" && char <= "9") digit = 1'b1;
        else if (char >= 8'h09 && char <= 8'h0d) {ended, bad} = {digit, sign && !digit};
        else if ((char == "-" || char == "+") && !sign && !digit) sign = 1'b1;
        else bad = 1'b1;
      end
    end
    return digit && !bad;
  endfunction

  // What the first word of a line is: by its row, and it may be a name of two pieces.
  logic [Lines-1:0] begun_q, named;
  logic keys_named, led_named, value_named, update_named, quit_named, numbers_named;

  always_comb begin
    {keys_named, led_named, value_named, update_named, quit_named, numbers_named} = '0;
    for (int unsigned i = 0; i < Lines; i++) begin
      named[i] = open_q ? begun_q[i] && piece.rest[i] : piece.name[i] && Texts[i].bytes <= 8;
      if (named[i]) begin
        keys_named = LineTable[i].args[0] == ArgKey;
        led_named = keys_named && LineTable[i].args[MostArgs-1] != ArgKey;
        value_named = effect_of(LineTable[i].command.op).value;
        update_named = LineTable[i].args[0] != ArgKey
                       && effect_of(LineTable[i].command.op).need != NeedNoKey;
        quit_named = LineTable[i].command.drops;
        numbers_named = Rules[i].numbers != '0 || LineTable[i].args[0] == ArgFlag;
      end
    end
  end

  logic token_now, key_now, key_long, line_end;  // as a piece of a line is taken
  logic get_now, set_now;                        // what the line is, this piece counted
  logic [2:0] tokens_now;

  assign token_now = (any || open_q) && !more && !dead_q;
  assign key_long = length_q + 7'(bytes) > 7'(MaxKey);
  assign time_here = get_q && led_q && tokens_q == 3'd1;
  assign key_now = token_now && tokens_q != '0 && get_q && !time_here;
  assign get_now = tokens_q == '0 ? token_now && keys_named : get_q;
  assign set_now = tokens_q == '0 ? token_now && value_named : set_q;
  assign tokens_now = tokens_q + 3'(token_now && tokens_q != '1);
  assign line_end = taken && !counted && eol_i;

  always_ff @(posedge clk_i) begin
    if (gap_q != '0) gap_q <= gap_q - 1'b1;
    if (taken && !counted) begin
      fresh_q <= 1'b0;
      if (set_q) behind_q <= 1'b1;
      tokens_q <= tokens_now;
      open_q <= more && (any || open_q);
      begun_q <= piece.name & {Lines{!open_q}};
      length_q <= more ? length_q + 7'(bytes) : '0;
      rest_empty_q <= more && empty_i && bytes == 4'd8;
      rest_any_q <= more && !empty_i && bytes == 4'd8;
      rest_stop_q <= more && bytes != 4'd8;
      if (nul_i) dead_q <= 1'b1;
      get_q <= get_now;
      set_q <= set_now && !(tokens_q == '0 && nul_i);
      if (time_here && token_now) barred_q <= !is_time(data, bytes);
      if (key_now) keyed_q <= 1'b1;
      if (tokens_q == '0) begin
        led_q <= token_now && led_named;
        update_q <= token_now && update_named;
        quit_q <= token_now && quit_named;
      end
      long_q <= long_q || (key_now && key_long);
      if (held_i) wait_q <= 1'b1;
    end
    if (resume.valid) begin
      wait_q <= 1'b0;
      gap_q <= 2'd2;
      value_q <= resume.value && resume.bytes != '0;
      tail_q <= resume.value && resume.bytes == '0;
      left_q <= resume.bytes;
    end
    if (taken && value_q) begin
      left_q <= last ? '0 : left_q - value_len_t'(8);
      if (last) begin
        value_q <= 1'b0;
        tail_q <= !joined;
      end
    end
    if (taken && tail_q) tail_q <= 1'b0;
    if (taken && stop_i) begin
      value_q <= 1'b0;
      tail_q <= 1'b0;
    end
    if (line_end || (taken && stop_i) || rst_i) begin
      fresh_q <= 1'b1;
      dead_q <= 1'b0;
      open_q <= 1'b0;
      rest_empty_q <= 1'b0;
      rest_any_q <= 1'b0;
      rest_stop_q <= 1'b0;
      tokens_q <= '0;
      behind_q <= 1'b0;
      length_q <= '0;
      get_q <= 1'b0;
      set_q <= 1'b0;
      update_q <= 1'b0;
      quit_q <= 1'b0;
      long_q <= 1'b0;
      led_q <= 1'b0;
      barred_q <= 1'b0;
      keyed_q <= 1'b0;
    end
    if (rst_i) begin
      value_q <= 1'b0;
      tail_q <= 1'b0;
      wait_q <= 1'b0;
      gap_q <= '0;
    end
  end

  // ---- closes and answers -----------------------------------------------------------------------
  logic ends, ended_q;   // the packet's last piece is taken; and it is not closed
  logic owed_q, lost_q;  // a line is not answered; the packet is given up
  logic done_get, put_now, quits;
  logic cut_short;       // the packet ends in a line or value, which will be answered

  assign ends = taken && stop_i;
  assign cut_short = ends && !lost_q && (counted ? owed_q : !fresh_q || any);
  assign done_get = get_now && (keyed_q || key_now) && !long_q && !(key_now && key_long)
                    && !barred_q;
  assign put_now = taken && !counted && !stop_i && !lost_q && key_now && !key_long && !long_q
                   && !barred_q;
  assign quits = tokens_q == '0 ? token_now && quit_named : quit_q;

  always_ff @(posedge clk_i) begin
    if (ends) begin
      ended_q <= 1'b1;
      if (cut_short) owed_q <= 1'b1;
    end
    if (line_end && !lost_q) begin
      owed_q <= !done_get && !quits;
      lost_q <= quits;
    end
    if (act.put && owed_q) begin
      owed_q <= 1'b0;
      if (request.op.status == StTooLarge && !taken) lost_q <= 1'b1;
    end
    if (act.close) begin
      ended_q <= 1'b0;
      owed_q <= 1'b0;
      lost_q <= 1'b0;
    end
    if (rst_i) begin
      ended_q <= 1'b0;
      owed_q <= 1'b0;
      lost_q <= 1'b0;
    end
  end

  `WC_ASSERT(close_is_due, !act.close || ended_q || ends)
  `WC_ASSERT(nothing_behind, !ended_q || !taken)
  `WC_ASSERT(key_put, !put_now || act.put)
  `WC_ASSERT(barred, !(barred_q && act.key_push && key_now))
  `WC_ASSERT(keys_wait, !(taken && !counted && !lost_q && keyed_q && led_q) || u_dut.numbers.timed)
  `WC_ASSERT(put_is_due, !act.put || put_now || owed_q)
  `WC_ASSERT(answered, !owed_q || !(act.close || (taken && !counted)))
  `WC_ASSERT(cut_is_answered, !cut_short || !act.close)
  `WC_ASSERT(named_last, !put_now || (effect_of(request.op.op).reads
                                      && request.op.cmd_last == eol_i))
  `WC_ASSERT(marked_last, act.mark_last == (line_end && !lost_q && done_get && !put_now))
  `WC_ASSERT(one_of_both, !(act.put && act.close))
  `WC_ASSERT(halts, !taken || !$past(halt_i))
  `WC_ASSERT(resume_is_due, !resume.valid || wait_q)
  `WC_ASSERT(some_is, !resume.valid || !resume.value || resume.some == (resume.bytes != '0))

  // ---- words ------------------------------------------------------------------------------------
  words_t key_words_q, key_words, value_words_q, value_words;
  logic key_end_q, key_end, value_end_q, value_end;
  logic with_key, with_value;

  assign key_words = key_words_q + words_t'(act.key_push);
  assign key_end = key_end_q || (act.key_push && act.key_last);
  assign value_words = value_words_q + words_t'(act.value_push);
  assign value_end = value_end_q || (act.value_push && act.value_last);
  assign with_key = act.put && effect_of(request.op.op).need != NeedNoKey;
  assign with_value = act.put && effect_of(request.op.op).value;

  always_ff @(posedge clk_i) begin
    key_words_q <= key_words;
    key_end_q <= key_end;
    value_words_q <= value_words;
    value_end_q <= value_end;
    if (act.key_commit || act.key_abort || rst_i) begin
      key_words_q <= '0;
      key_end_q <= 1'b0;
    end
    if (act.value_commit || act.value_abort || rst_i) begin
      value_words_q <= '0;
      value_end_q <= 1'b0;
    end
  end

  `WC_ASSERT(key_one_end, !act.key_push || !key_end_q)
  `WC_ASSERT(value_one_end, !act.value_push || !value_end_q)
  `WC_ASSERT(key_with_op, act.key_commit == with_key)
  `WC_ASSERT(key_is, !with_key || (key_end && 9'(key_words) == (9'(request.op.key_len) + 9'd7) / 8))
  `WC_ASSERT(value_with_op, act.value_commit == with_value)
  `WC_ASSERT(value_is, !with_value || (value_end == (request.value_len != '0)
                                       && 22'(value_words) == (25'(request.value_len) + 25'd7) / 8))
  `WC_ASSERT(one_way, !(act.key_commit && act.key_abort) && !(act.value_commit && act.value_abort))
  `WC_ASSERT(rest_goes, !act.put || ((act.key_commit || act.key_abort || key_words == '0)
                        && (act.value_commit || act.value_abort || value_words == '0)))
  `WC_ASSERT(nothing_left, !act.close || (key_words == '0 && value_words == '0))

  // ---- deltas -----------------------------------------------------------------------------------
  logic counts, delta_q;   // the third word is all digits
  logic [13:0] digits_q;   // their number

  assign counts = act.put && effect_of(request.op.op).change == ChangeNumber;

  always_ff @(posedge clk_i) begin
    if (taken && !counted && token_now && tokens_q == 3'd2) begin
      delta_q <= piece.few_digits;
      digits_q <= number;
    end
  end

  // That of a meta command comes with a flag, if at all.
  `WC_ASSERT(delta_is, !counts || request.op.meta || !delta_q
                       || request.delta == number_t'(digits_q))
  `WC_ASSERT(counts_any, !counts || request.op.meta
             || (request.cas == '0 && !request.creates && !request.touches))

  // ---- nothing waits for long -------------------------------------------------------------------
  logic [2:0] idle_wait_q;
  logic numbers_busy;  // wc_text_number_fv says for how long
  logic numbers_q;     // a command with numbers is in its packet: what is known of them is a
                       // register behind them

  assign numbers_busy = |u_dut.u_numbers.busy;

  always_ff @(posedge clk_i) begin
    idle_wait_q <= '0;
    if ((valid_i || ended_q || owed_q || wait_q) && !stall_i && !$past(halt_i) && !numbers_busy
        && !(taken || act.put || act.close || resume.valid)) begin
      idle_wait_q <= idle_wait_q + 1'b1;
    end
    if (taken && tokens_q == '0 && numbers_named) numbers_q <= 1'b1;
    if (act.close) numbers_q <= 1'b0;
    if (rst_i) begin
      idle_wait_q <= '0;
      numbers_q <= 1'b0;
    end
  end

  `WC_ASSERT(soon, idle_wait_q < (numbers_q ? 3'd6 : 3'd2))

  `WC_COVER(set_with_value, with_value && value_words == words_t'(1) && key_words == words_t'(2))
  `WC_COVER(two_keys, act.close && $past(act.mark_last) && $past(act.put, 3))
  `WC_COVER(keys_behind_a_time, put_now && led_q && keyed_q)
  `WC_COVER(delta_read, counts && delta_q && digits_q == 14'd12 && key_words == words_t'(1))
  `WC_COVER(wrong_delta, act.put && request.op.status == StBadDelta && request.op.quiet)
  `WC_COVER(wrong_time, act.put && request.op.status == StBadTime && $past(keyed_q))
  `WC_COVER(no_key, act.put && request.op.say == SayEnd)
  `WC_COVER(cut_in_a_value, act.close && $past(act.put) && $past(value_words_q != '0))
  `WC_COVER(set_decided, resume.valid && resume.value && $past(wait_q, 3))
  `WC_COVER(key_too_long, act.put && request.op.status == StBadFormat && request.op.cancel)
  `WC_COVER(quit, act.close && $past(lost_q && taken && eol_i && !counted))
  `WC_COVER(wrong_flag, act.put && request.op.status == StInvalidFlag)
  `WC_COVER(wrong_number_of_a_flag, act.put && request.op.status == StBadToken)
  `WC_COVER(joins_by_a_flag, act.put && request.op.op == OpAppend && request.op.meta)
  `WC_COVER(counts_by_a_flag, counts && request.op.op == OpDecr && request.op.meta)
  `WC_COVER(swallowed, taken && piece.tail && counted && !owed_q && !stop_i)
  `WC_COVER(meta_get, act.put && request.op.op == OpGet && request.op.meta && request.op.quiet)
  `WC_COVER(two_packets, act.close && $past(act.close, 3) && $past(act.put, 2))

endmodule

`default_nettype wire
