// SPDX-License-Identifier: Apache-2.0
// Goes through the flags of a meta command, each a word with a row of wc_request_flags_pkg: lists
// what the answer is to show in the order asked for, says which words hold numbers, reads the mode,
// hands on the bytes behind an O, tells when the key is base64, and marks what is wrong.
// What comes with an O leaves as words of its own, a byte off from the line's words: a whole word is
// there when the first byte of the next piece is, and what is left follows a cycle later.
// Latency none from a piece to the unit for its number, 1 to what the verdict sees, 2 to the words
// of an O. A piece a cycle, no back-pressure. An O has at most OpaqueWords words.
`include "wc_assert.svh"
`default_nettype none

module wc_request_flags
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
  import wc_request_legal_pkg::*;
#(
  parameter bit MadeValues = 1'b1,  // modes that make a value of the one that is there
  parameter bit Meta       = 1'b1   // without: no flag has come, and none will
) (
  input  wire logic         clk_i,
  input  wire logic         rst_i,
  input  wire logic         take_i,     // a piece of a line is taken
  input  wire piece_t       piece_i,
  input  wire word_state_t  word_i,     // what that piece is
  input  wire meta_t        meta_i,     // the line's command

  input  wire logic         undecoded_i,  // the last key that was decoded is no base64
  output logic              decode_o,   // the line's key is base64
  output logic [Units-1:0]  number_o,   // the piece is of a number, for this unit
  output flagged_t          flagged_o,  // of the line so far, up to the first piece of the next one
  output logic              push_o,     // a word of an O
  output opaque_word_t      opaque_o
);

  `WC_REQUIRE(flags, flags_are_legal(), "wc_request_flags_pkg: a row of FlagTable is not legal")
  `WC_REQUIRE(behind, $countones(flags_of(FlagShow)) < MostShows,
              "wc_request_flags: there is no place for what is told behind all that is asked for")

  if (Meta) begin : gen_flags
    localparam int unsigned Shows = $countones(flags_of(FlagShow)) + 1;  // with what is behind them
    localparam flags_t Opaque = flags_with_show(ShowOpaque);
    localparam flags_t Mode = flags_of(FlagMode);
    localparam flags_t Base64 = flags_of(FlagBase64);
    localparam flags_t Touches = flag_of("T"), Creates = flag_of("N"), Recaches = flag_of("R");

    flags_t seen_q;                   // that have come
    logic begins, again, known;       // a flag begins; came before; there is such a flag
    logic beyond;                     // its letter is none: memcached takes that for a second one
    logic [Shows-1:0] place_q;        // the next show's
    show_e [Shows-1:0] shows_q;
    show_e show;                      // ShowNone: the flag shows nothing
    logic [Units-1:0] number, number_q;

    // ---- a flag begins ----------------------------------------------------------------------------
    assign begins = take_i && word_i.counts && word_i.lettered;
    assign beyond = piece_i.data[7] || piece_i.data[6:0] == '1;
    assign known = piece_i.flag != '0;
    assign again = beyond || (piece_i.flag & seen_q) != '0;

    always_comb begin
      show = ShowNone;
      for (int unsigned i = 0; i < Flags; i++) begin
        if (piece_i.flag[i] && (FlagTable[i].acts & meta_i) != '0) begin
          show = show_e'(show | FlagTable[i].show);
        end
      end
      number = '0;
      for (int unsigned i = 0; i < Flags; i++) begin
        if (piece_i.flag[i]
            && (FlagTable[i].kind != FlagOwn || (FlagTable[i].acts & meta_i) != '0)) begin
          number |= unit_of(FlagTable[i].number);
        end
      end
      for (int unsigned i = 0; i < Units; i++) begin
        number_o[i] = word_i.place.flag && (word_i.lettered ? number[i] : number_q[i]);
      end
    end

    // ---- what has come --------------------------------------------------------------------------
    logic [Units-1:0] asked_q, early_q, late_q, ahead_q, behind_q;
    logic mode_before_q;
    logic stopped_q, again_q, mode_length_q, mode_bad_q, long_q;
    logic before_q, after_q, renewed_q;
    op_e mode, mode_q;
    logic moded;       // the command has modes

    always_comb begin
      mode = OpNone;
      for (int unsigned i = 0; i < Modes; i++) begin
        if (piece_i.data[15:8] == ModeTable[i].letter && (ModeTable[i].of & meta_i) != '0
            && (MadeValues || !makes_of(effect_of(ModeTable[i].op)))) begin
          mode = op_e'(mode | ModeTable[i].op);
        end
      end
      moded = 1'b0;
      for (int unsigned i = 0; i < Modes; i++) moded |= (ModeTable[i].of & meta_i) != '0;
    end

    always_ff @(posedge clk_i) begin
      if (begins) begin
        seen_q <= seen_q | piece_i.flag;
        number_q <= number;
        asked_q <= asked_q | number;
        late_q <= late_q | number;
        behind_q <= behind_q | number;
        if (!stopped_q) begin
          stopped_q <= again || !known;
          again_q <= again;
        end
        if (show != ShowNone) begin
          place_q <= place_q << 1;
          for (int unsigned i = 0; i < Shows; i++) if (place_q[i]) shows_q[i] <= show;
        end
        if ((piece_i.flag & Mode) != '0) begin
          mode_q <= mode;
          mode_bad_q <= moded && mode == OpNone;
          mode_length_q <= piece_i.bytes != 4'd2;
          early_q <= asked_q;
          late_q <= '0;
        end
        if ((piece_i.flag & Base64) != '0) begin
          ahead_q <= asked_q;
          behind_q <= '0;
          mode_before_q <= (seen_q & Mode) != '0;
        end
        if ((piece_i.flag & Touches) != '0
            || ((piece_i.flag & Creates) != '0 && (seen_q & Touches) == '0)) begin
          before_q <= (seen_q & flags_with_show(ShowTtl)) != '0;
        end
        if ((piece_i.flag & Touches) != '0) begin
          after_q <= (seen_q & Creates) != '0 && (seen_q & flags_with_show(ShowTtl)) != '0;
        end
        if ((piece_i.flag & Recaches) != '0) renewed_q <= (seen_q & Touches) != '0;
      end
      if (take_i && !word_i.named) begin
        seen_q <= '0;
        stopped_q <= 1'b0;
        place_q <= Shows'(1);
        shows_q <= {Shows{ShowNone}};
        asked_q <= '0;
        before_q <= 1'b0;
        after_q <= 1'b0;
        mode_q <= OpNone;
        mode_bad_q <= 1'b0;
        mode_length_q <= 1'b0;
      end
    end

    // Of a line that the packet's end cuts nothing is made.
    assign decode_o = begins && (piece_i.flag & Base64 & ~seen_q) != '0 && !piece_i.stop;

    // ---- bytes behind an O -------------------------------------------------------------------------
    localparam int unsigned OpaqueWords = (OpaqueBytes + WordBytes) / WordBytes;

    `WC_REQUIRE(opaque_bytes, (OpaqueBytes + 1) % WordBytes == 0,
                "wc_request_flags: an O and its bytes must be whole words")

    logic opaque, opaque_q;                // the piece is of an O that came for the first time
    logic [OpaqueWords:0] piece_q;         // which one; stays at the first that is too much
    logic [6:0][7:0] kept_q;               // all bytes but the first of the piece before
    logic [2:0] kept_bytes_q;
    logic left_q;                          // they are the O's last word
    logic excess;

    always_comb begin
      opaque = word_i.counts && word_i.place.flag
               && (word_i.lettered ? (piece_i.flag & Opaque & ~seen_q) != '0 : opaque_q);
      excess = piece_q[OpaqueWords] && !word_i.lettered;
    end

    always_ff @(posedge clk_i) begin
      push_o <= left_q;
      opaque_o <= '{data: {8'd0, kept_q}, bytes: {1'b0, kept_bytes_q}, last: 1'b1};
      left_q <= 1'b0;
      if (take_i && opaque) begin
        opaque_q <= 1'b1;
        kept_q <= piece_i.data[63:8];
        kept_bytes_q <= 3'(piece_i.bytes - 4'd1);
        piece_q <= {|piece_q[OpaqueWords:OpaqueWords-1], piece_q[OpaqueWords-2:0], 1'b0};
        if (word_i.lettered) piece_q <= (OpaqueWords + 1)'(2);
        if (excess && piece_i.any) long_q <= 1'b1;
        left_q <= word_i.last && !piece_i.stop && !excess
                  && (word_i.lettered || (piece_i.any && piece_i.bytes != 4'd1));
        if (!word_i.lettered && !long_q) begin
          push_o <= 1'b1;
          opaque_o <= '{data: {piece_i.data[7:0], kept_q}, bytes: piece_i.any ? 4'd8 : 4'd7,
                        last: word_i.last && (!piece_i.any || piece_i.bytes == 4'd1)};
        end
      end else if (begins) begin
        opaque_q <= 1'b0;
      end
      if (take_i && !word_i.named) long_q <= 1'b0;
      if (rst_i) begin
        push_o <= 1'b0;
        left_q <= 1'b0;
      end
    end

    // ---- what the verdict sees --------------------------------------------------------------------
    // A flag of this kind has come, in a line in which it does something.
    function automatic logic came(flags_t seen, flag_e kind);
      return (seen & flags_of(kind)) != '0 && (acts_of(kind) & meta_i) != '0;
    endfunction

    always_comb begin
      flagged_o.asked = asked_q;
      flagged_o.early = early_q;
      flagged_o.late = late_q;
      flagged_o.ahead = ahead_q;
      flagged_o.behind = behind_q;
      flagged_o.mode_before = mode_before_q;
      flagged_o.encoded = (seen_q & Base64) != '0;
      flagged_o.undecoded = flagged_o.encoded && undecoded_i;
      flagged_o.stopped = stopped_q;
      flagged_o.again = again_q;
      flagged_o.mode_length = mode_length_q;
      flagged_o.mode_bad = mode_bad_q;
      flagged_o.too_long = long_q;
      flagged_o.faulty = stopped_q || mode_length_q || mode_bad_q || long_q || flagged_o.undecoded;
      flagged_o.quiet = (seen_q & flags_of(FlagQuiet)) != '0;
      flagged_o.value = (seen_q & flags_of(FlagValue)) != '0;
      flagged_o.key = (seen_q & flags_with_show(ShowKey)) != '0;
      flagged_o.creates = (seen_q & Creates) != '0;
      flagged_o.touches = (seen_q & Touches) != '0;
      flagged_o.compares = (seen_q & flags_with_number(ArgUnique)) != '0;
      flagged_o.gives = (seen_q & flags_with_number(ArgGiven)) != '0;
      flagged_o.earlier = before_q;
      flagged_o.after = after_q && (meta_i & MetaGet) != '0;
      flagged_o.recaches = (seen_q & Recaches) != '0 && (meta_i & MetaGet) != '0;
      flagged_o.renewed = flagged_o.recaches && renewed_q;
      flagged_o.stale = came(seen_q, FlagStale);
      flagged_o.clears = came(seen_q, FlagClear);
      flagged_o.idle = came(seen_q, FlagIdle);
      flagged_o.mode = mode_q;
      flagged_o.shows = {MostShows{ShowNone}};
      for (int unsigned i = 0; i < Shows; i++) begin
        flagged_o.shows[i] = shows_q[i];
        // Behind them is what was counted, or what becomes of an item that is stale.
        if (place_q[i] && flagged_o.value && (meta_i & MetaArithmetic) != '0) begin
          flagged_o.shows[i] = ShowNumber;
        end
        if (place_q[i] && (meta_i & MetaGet) != '0) flagged_o.shows[i] = ShowMarks;
      end
    end
  end else begin : gen_none
    assign decode_o = 1'b0;
    assign number_o = '0;
    assign flagged_o = '0;
    assign push_o = 1'b0;
    assign opaque_o = '0;

    logic unused;
    assign unused = ^{clk_i, rst_i, take_i, piece_i, word_i, meta_i, undecoded_i};
  end

endmodule

`default_nettype wire
