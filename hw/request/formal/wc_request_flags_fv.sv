// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_flags against the columns of FlagTable, read here a second time: lines of any
// words of any bytes, a piece a cycle or none.
// Rule 1: a line is stopped by its first flag that its command does not take, or that came before,
//         as a byte from 127 on has; `again` says which of both. Until then the shows, in their
//         order, are the list, and `quiet`, `value`, `key`, `creates`, `touches`, `stale`, `clears`, `idle`,
//         `recaches` and `asked` say which flags came that do something. Of an `ma` with a v the number
//         is behind them, of an `mg` what is told of a stale item. `earlier` says whether t
//         was in front of T, or without a T of N; `after` of an `mg` that N was, too. `encoded`
//         says that b came; as it comes for the
//         first time, and is not the packet's end, the key is decoded, and at no other time.
//         `ahead`, `behind` and `mode_before` are the numbers in front of it and behind it, and the
//         mode in front of it. So are `early` and `late` of the mode.
// Rule 2: a word that is a flag with a number goes to just the unit of its letter, where its command
//         reads it, no other word to any.
// Rule 3: a mode is of wrong length if it has not one byte; else it is what ModeTable says of it for
//         this command. A command without modes has none.
// Rule 4: of the first O of a line, if it is not cut short, the words that leave are its bytes: full
//         words and a last one, which has left two cycles behind its last piece. If it has more
//         than OpaqueBytes, that is told, and no more words than of as many leave. Nothing else
//         makes a word.
// Assumed: pieces as wc_request_cutter_fv shows them, words as wc_request_tokens gives them; flags
// are behind the name, and nothing but flags behind one.
`include "wc_assert.svh"
`default_nettype none

module wc_request_flags_fv
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       take_i,
  input wire logic       more_i,
  input wire logic       ends_i,   // the line, or the packet
  input wire logic       stop_i,
  input wire logic       nul_i,
  input wire logic       flag_i,   // the word is one
  input wire logic [1:0] command_i,
  input wire logic [3:0] bytes_i,
  input wire word_t      data_i,
  input wire logic       wrong_i,  // the last key that was decoded is none
  input wire logic [4:0] mark_i    // a byte of an O that is looked at
);

  localparam int unsigned Most = OpaqueBytes;

  piece_t piece;
  word_state_t word;
  flagged_t flagged;
  meta_t meta;
  logic [Units-1:0] number;
  logic push, decode;
  opaque_word_t out;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_flags u_dut (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .take_i   (take_i),
    .piece_i  (piece),
    .word_i   (word),
    .meta_i   (meta),
    .undecoded_i(wrong_i),
    .decode_o (decode),
    .number_o (number),
    .flagged_o(flagged),
    .push_o   (push),
    .opaque_o (out)
  );

  // ---- words --------------------------------------------------------------------------------------
  logic open_q, named_q, dead_q, flags_q, any;
  logic [1:0] command_q;
  logic [4:0] mark_q;

  assign any = bytes_i != '0;

  always_comb begin
    meta = command_q == 2'd0 ? MetaGet : command_q == 2'd1 ? MetaSet :
           command_q == 2'd2 ? MetaDelete : MetaArithmetic;
    piece = '0;
    piece.bytes = bytes_i;
    piece.any = any;
    piece.more = more_i;
    piece.stop = stop_i;
    for (int unsigned i = 0; i < 8; i++) begin
      piece.data[8*i+:8] = bytes_i > 4'(i) ? data_i[8*i+:8] : '0;
    end
    for (int unsigned i = 0; i < Flags; i++) begin
      piece.flag[i] = data_i[7:0] == FlagTable[i].letter;
    end
    word = '0;
    word.counts = (any || open_q) && !dead_q;
    word.named = named_q;
    word.first = !open_q;
    word.last = !more_i;
    word.place.flag = flag_i;
    word.lettered = flag_i && !open_q;
  end

  `WC_ASSUME(ends, !(ends_i && more_i) && (!stop_i || ends_i) && !(nul_i && (ends_i || more_i)))
  `WC_ASSUME(bytes, bytes_i <= 4'd8 && (!more_i || bytes_i == 4'd8))
  `WC_ASSUME(flags_last, (!flag_i || named_q) && (!flags_q || flag_i))
  `WC_ASSUME(whole_words, !open_q || flag_i == flags_q)

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      open_q <= word.counts && more_i;
      if (word.counts && !more_i) named_q <= 1'b1;
      if (nul_i) dead_q <= 1'b1;
      if (word.counts) flags_q <= flag_i;
      if (ends_i) begin
        named_q <= 1'b0;
        dead_q <= 1'b0;
        flags_q <= 1'b0;
      end
      if (!named_q) begin
        command_q <= command_i;
        mark_q <= mark_i;
      end
    end
    if (rst_i) begin
      open_q <= 1'b0;
      named_q <= 1'b0;
      dead_q <= 1'b0;
      flags_q <= 1'b0;
    end
  end

  // ---- what the columns say --------------------------------------------------------------------------
  logic lined_q;                 // a line has begun
  logic [Flags-1:0] seen_q;
  logic stopped_q, again_q;
  shows_t list_q;
  logic [3:0] shown_q;           // of the list
  logic moded_q, mode_length_q;
  logic [7:0] mode_q;
  logic ttl_q, ttl_before_t_q, ttl_before_n_q;  // t came; in front of T; in front of N
  logic n_before_t_q;
  logic [Units-1:0] ahead_q, asked;  // numbers in front of b, or so far
  logic [Units-1:0] behind_q, early_q, late_q;  // behind b; in front of M and behind it
  logic mode_before_q;
  logic [6:0] bytes_q;           // behind the first O; stays at 64 or more
  logic opaque_q, opaque;        // its word
  logic flag;                    // a flag begins
  logic [Units-1:0] unit_q, unit;
  logic again, known;
  show_e show;
  logic seen_n, seen_t;

  assign flag = word.counts && flag_i && !open_q;

  always_comb begin
    {again, known} = '0;
    again = data_i[7:0] >= 8'd127;
    show = ShowNone;
    unit = '0;
    for (int unsigned i = 0; i < Flags; i++) begin
      if (data_i[7:0] == FlagTable[i].letter) begin
        again |= seen_q[i];
        known = 1'b1;
        if (FlagTable[i].kind != FlagOwn || (FlagTable[i].acts & meta) != '0) begin
          unit = unit_of(FlagTable[i].number);
        end
        if ((FlagTable[i].acts & meta) != '0) show = FlagTable[i].show;
      end
    end
    if (open_q) unit = unit_q;
    opaque = word.counts && flag_i && (open_q ? opaque_q : data_i[7:0] == "O" && !again);
  end

  always_ff @(posedge clk_i) begin
    if (take_i && !named_q) begin
      lined_q <= 1'b1;
      seen_q <= '0;
      stopped_q <= 1'b0;
      list_q <= {MostShows{ShowNone}};
      shown_q <= '0;
      moded_q <= 1'b0;
      ttl_q <= 1'b0;
      bytes_q <= '0;
    end else if (take_i && flag) begin
      unit_q <= unit;
      behind_q <= behind_q | unit;
      late_q <= late_q | unit;
      for (int unsigned i = 0; i < Flags; i++) begin
        if (data_i[7:0] == FlagTable[i].letter) seen_q[i] <= 1'b1;
      end
      if (!stopped_q) begin
        stopped_q <= again || !known;
        again_q <= again;
        if (!again && known && show != ShowNone) begin
          for (int unsigned i = 0; i < MostShows; i++) if (shown_q == 4'(i)) list_q[i] <= show;
          shown_q <= shown_q + 4'd1;
        end
        if (data_i[7:0] == "b" && !again) begin
          ahead_q <= asked;
          behind_q <= '0;
          mode_before_q <= moded_q;
        end
        if (data_i[7:0] == "t") ttl_q <= 1'b1;
        if (data_i[7:0] == "T") {ttl_before_t_q, n_before_t_q} <= {ttl_q, seen_n};
        if (data_i[7:0] == "N") ttl_before_n_q <= ttl_q;
        if (data_i[7:0] == "M" && !again) begin
          moded_q <= 1'b1;
          mode_length_q <= more_i || bytes_i != 4'd2;
          mode_q <= data_i[15:8];
          early_q <= asked;
          late_q <= '0;
        end
      end
    end
    if (take_i) begin
      opaque_q <= opaque;
      if (opaque && !bytes_q[6]) bytes_q <= bytes_q + 7'(bytes_i) - 7'(!open_q);
    end
    if (rst_i) begin
      lined_q <= 1'b0;
      opaque_q <= 1'b0;
    end
  end

  logic seen_k, seen_q_letter, seen_v, seen_i, seen_x, seen_u, seen_r, seen_b;
  logic mode_known, modes;
  shows_t list;
  op_e mode;

  always_comb begin
    {seen_k, seen_q_letter, seen_v, seen_n, seen_t, seen_i, seen_x, seen_u, seen_r, seen_b} = '0;
    {mode_known, modes} = '0;
    asked = '0;
    mode = OpNone;
    list = list_q;
    for (int unsigned i = 0; i < Flags; i++) begin
      if (FlagTable[i].letter == "k") seen_k = seen_q[i];
      if (FlagTable[i].letter == "q") seen_q_letter = seen_q[i];
      if (FlagTable[i].letter == "v") seen_v = seen_q[i];
      if (FlagTable[i].letter == "N") seen_n = seen_q[i];
      if (FlagTable[i].letter == "T") seen_t = seen_q[i];
      if (FlagTable[i].letter == "b") seen_b = seen_q[i];
      if (FlagTable[i].letter == "I") seen_i = seen_q[i] && meta inside {MetaSet, MetaDelete};
      if (FlagTable[i].letter == "x") seen_x = seen_q[i] && meta == MetaDelete;
      if (FlagTable[i].letter == "u") seen_u = seen_q[i] && meta == MetaGet;
      if (FlagTable[i].letter == "R") seen_r = seen_q[i] && meta == MetaGet;
      if (seen_q[i] && (FlagTable[i].kind != FlagOwn || (FlagTable[i].acts & meta) != '0)) begin
        asked |= unit_of(FlagTable[i].number);
      end
    end
    if (meta == MetaArithmetic && seen_v) begin
      for (int unsigned i = 0; i < MostShows; i++) if (shown_q == 4'(i)) list[i] = ShowNumber;
    end
    if (meta == MetaGet) begin
      for (int unsigned i = 0; i < MostShows; i++) if (shown_q == 4'(i)) list[i] = ShowMarks;
    end
    for (int unsigned i = 0; i < Modes; i++) begin
      if (ModeTable[i].of == meta) begin
        modes = 1'b1;
        if (mode_q == ModeTable[i].letter) begin
          mode = ModeTable[i].op;
          mode_known = 1'b1;
        end
      end
    end
  end

  `WC_ASSERT(stopped_is, !lined_q || (flagged.stopped == stopped_q
                                      && (!stopped_q || flagged.again == again_q)))
  `WC_ASSERT(list_is, !lined_q || stopped_q || flagged.shows == list)
  `WC_ASSERT(letters_are, !lined_q || (flagged.key == seen_k && flagged.quiet == seen_q_letter
                                       && flagged.value == seen_v && flagged.asked == asked
                                       && flagged.creates == seen_n && flagged.touches == seen_t
                                       && flagged.stale == seen_i && flagged.clears == seen_x
                                       && flagged.idle == seen_u
                                       && flagged.recaches == seen_r
                                       && (!flagged.renewed || (seen_r && seen_t))))
  `WC_ASSERT(encoded_is, !lined_q || (flagged.encoded == seen_b
                                      && flagged.undecoded == (seen_b && wrong_i)))
  `WC_ASSERT(decode_is, !lined_q || !named_q
             || decode == (take_i && flag && data_i[7:0] == "b" && !seen_b && !stop_i))
  `WC_ASSERT(ahead_is, !lined_q || stopped_q || !seen_b
             || (flagged.ahead == ahead_q && flagged.behind == behind_q
                 && flagged.mode_before == mode_before_q))
  `WC_ASSERT(early_is, !lined_q || stopped_q || !moded_q
             || (flagged.early == early_q && flagged.late == late_q))
  `WC_ASSERT(earlier_is, !lined_q || stopped_q
             || flagged.earlier == (ttl_q && (seen_t ? ttl_before_t_q : seen_n && ttl_before_n_q)))
  `WC_ASSERT(number_is, !word.counts || number == ({Units{flag_i}} & unit))
  `WC_ASSERT(after_is, !lined_q || stopped_q
             || flagged.after == (meta == MetaGet && seen_t && ttl_before_t_q && n_before_t_q))
  `WC_ASSERT(mode_is, !lined_q || stopped_q
             || (moded_q ? flagged.mode_length == mode_length_q
                           && (mode_length_q
                               || flagged.mode_bad == (!mode_known && modes))
                           && (mode_length_q || flagged.mode == mode)
                         : !flagged.mode_length && !flagged.mode_bad && flagged.mode == OpNone))
  `WC_ASSERT(faulty_is, !lined_q || flagged.faulty == (flagged.stopped || flagged.mode_length
                                                       || flagged.mode_bad || flagged.too_long
                                                       || flagged.undecoded))
  `WC_ASSERT(long_is, !lined_q || flagged.too_long == (bytes_q > 7'(Most)))

  // ---- the words of an O ----------------------------------------------------------------------------
  logic [2:0] words_q;              // that have left
  logic ended_q, cut_q;             // its last piece has come; with the packet's end
  logic last_q;                     // its last word has left
  logic [1:0] since_q;              // cycles since its last piece
  logic marked_q;                   // the byte that is looked at has come
  logic [7:0] marked_byte_q;
  logic begun_q;                    // an O has
  logic [2:0] words;

  assign words = words_q + 3'(push);

  always_ff @(posedge clk_i) begin
    words_q <= words;
    last_q <= last_q || (push && out.last);
    if (since_q != '1) since_q <= since_q + 2'd1;
    if (take_i && opaque) begin
      begun_q <= 1'b1;
      for (int unsigned i = 0; i < 8; i++) begin
        if (bytes_i > 4'(i) && (open_q || i != 0)
            && bytes_q + 7'(i) - 7'(!open_q) == 7'(mark_q)) begin
          marked_q <= 1'b1;
          marked_byte_q <= data_i[8*i+:8];
        end
      end
      if (!more_i) begin
        ended_q <= 1'b1;
        cut_q <= stop_i;
        since_q <= '0;
      end
    end
    // what is left of the line before has left when the next one has its first flag
    if (take_i && !named_q) begin
      begun_q <= 1'b0;
      ended_q <= 1'b0;
      cut_q <= 1'b0;
      marked_q <= 1'b0;
      words_q <= '0;
      last_q <= 1'b0;
    end
    if (rst_i) begin
      words_q <= '0;
      last_q <= 1'b0;
      begun_q <= 1'b0;
      ended_q <= 1'b0;
      cut_q <= 1'b0;
      marked_q <= 1'b0;
    end
  end

  // A line's last flag and the name of the next one are at least two cycles apart: the verdict is
  // between them.
  `WC_ASSUME(verdict, !take_i || named_q || !ended_q || since_q >= 2'd2)

  `WC_ASSERT(of_an_o, !push || (begun_q && !last_q))
  `WC_ASSERT(in_time, !ended_q || cut_q || flagged.too_long || since_q == '0 || last_q || push)
  `WC_ASSERT(whole, !push || (out.last ? ended_q && 7'(out.bytes) + {1'b0, words_q, 3'd0} == bytes_q
                                       : out.bytes == 4'd8))
  `WC_ASSERT(not_too_many, words <= 3'd4)
  `WC_ASSERT(byte_is, !push || flagged.too_long || cut_q || words_q != 3'(mark_q[4:3])
                      || mark_q[2:0] >= out.bytes
                      || (marked_q && out.data[8*mark_q[2:0]+:8] == marked_byte_q))
  `WC_ASSERT(rest_is_zero, !push || out.bytes[3]
                           || (out.data >> {out.bytes[2:0], 3'd0}) == '0)

  `WC_COVER(longest, push && out.last && words_q == 3'd3 && out.bytes == 4'd7)
  `WC_COVER(nothing, push && out.last && words_q == '0 && out.bytes == '0)
  `WC_COVER(too_long, flagged.too_long && ended_q)
  `WC_COVER(three_shows, flagged.shows[2] == ShowCas && !flagged.faulty && meta == MetaSet)
  `WC_COVER(number_shown, flagged.shows[1] == ShowNumber && flagged.earlier && !flagged.faulty
                          && flagged.mode == OpDecr)
  `WC_COVER(second_line, push && $past(!named_q && take_i, 4) && list_q[0] == ShowOpaque)

endmodule

`default_nettype wire
