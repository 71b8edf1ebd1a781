// SPDX-License-Identifier: Apache-2.0
// Goes through the words of a line with the row of its command: the first word finds the row, each
// further word goes where the row says, to the key queue or to a unit that reads numbers. Behind
// the line it says what the verdict must know of it.
// The row is a list of places (wc_request_table_pkg), one for each word that may come. It moves up
// by one with each word, so what the next word is, and whether the line may end here, are always at
// its head. A first word that is in no row has a list of zeros: no key, no number, no right end.
// Latency none from a piece to where it goes, 1 to what the verdict sees. A piece a cycle, no
// back-pressure.
`include "wc_assert.svh"
`default_nettype none

module wc_request_tokens
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_legal_pkg::*;
#(
  parameter int unsigned MaxKey = MaxKeyBytes
) (
  input  wire logic   clk_i,
  input  wire logic   rst_i,
  input  wire logic   take_i,       // a piece of a line is taken
  input  wire piece_t piece_i,
  input  wire logic   decoded_i,    // the last key was base64, and is
  input  wire key_len_t decoded_len_i,  // so long
  input  wire logic   time_ok_i,    // the time that leads keys is right; known before a key comes

  // this piece, whether it is taken or not
  output word_state_t word_o,
  output logic        key_push_o,   // it is a word of a key; longer keys than any are cut
  output logic        key_put_o,    // it ends a key that is an operation of its own
  output logic        key_wrong_o,  // which is too long
  output key_len_t    key_len_o,    // bytes of the key that it ends
  output logic        ends_keys_o,  // if a line ends here: one of keys, at least one, all put
  output logic        may_end_o,    // if a line ends here: a value follows, if its key and its
                                    // numbers are right, and rule_o is its own

  // the line so far
  output logic        fresh_o,      // no piece of it has come
  output logic        over_o,       // a key was too long
  output logic        first_key_o,  // no key has come
  output rule_t       rule_o,       // until the first piece of the next line

  // the line that has ended
  output ended_t      ended_o,
  output key_len_t    ended_len_o   // bytes of its last key
);

  localparam logic [5:0] LongestWords = 6'(MaxKey / WordBytes);  // whole ones of the longest key

  `WC_REQUIRE(lines, lines_are_legal(), "wc_request_table_pkg: a row of LineTable is not legal")

  places_t places_q, places_d, named_places;
  rule_t named_rule;
  logic named_q;          // the first word has ended
  logic dead_q;           // a NUL has come: what follows it in the line is no word
  logic open_q;           // a word has begun and not ended
  logic [5:0] words_q;    // whole words of memory that it has; stays at 32, which no key reaches
  logic early_q;          // they are fewer than two
  logic words_full_q;     // it has as many as the longest key
  logic words_over_q;     // it has more than the longest key
  logic [Lines-1:0] begun_q, named;  // its first piece was that of a name; it is this name
  logic noreply_q, noreply_d;        // the last word is "noreply"
  logic zero_q, zero_d;   // the word that has to be "0" is
  logic argued;
  logic over_d, keyed_q, over;
  logic closed;           // for keys: one was too long, or the time in front of them is wrong
  logic token, whole, ends_name;
  place_t place;

  assign token = (piece_i.any || open_q) && !dead_q;
  assign whole = token && !piece_i.more;
  assign ends_name = whole && !piece_i.stop;
  assign place = places_q[0];

  // ---- the row that the first word names ------------------------------------------------------------
  always_comb begin
    named_rule = '0;
    named_places = '0;
    for (int unsigned i = 0; i < Lines; i++) begin
      named[i] = open_q ? begun_q[i] && piece_i.rest[i]
                        : piece_i.name[i] && Texts[i].bytes <= 4'(WordBytes);
      named_rule |= {$bits(rule_t){named[i]}} & Rules[i];
      named_places |= {$bits(places_t){named[i]}} & LinePlaces[i];
    end
  end

  always_comb begin
    places_d = places_q;
    if (!named_q) places_d = named_places & {$bits(places_t){ends_name}};
    else if (whole) places_d = {places_q[Places-1], places_q[Places-1:1]};
  end

  // ---- where a piece goes -----------------------------------------------------------------------------
  assign over = words_over_q || (words_full_q && piece_i.beyond);
  assign over_d = over_o || (whole && place.key && over);
  assign closed = over_o || (rule_o.leads && !time_ok_i);
  assign key_len_o = {words_q[4:0] + 5'(piece_i.bytes[3]), piece_i.bytes[2:0]};
  assign key_push_o = token && place.key && !closed && piece_i.any && !words_q[5];
  assign key_put_o = whole && place.key && !closed && rule_o.many && !over;
  assign key_wrong_o = whole && place.key && !closed && rule_o.many && over;
  assign ends_keys_o = key_put_o || (rule_o.many && keyed_q && !closed && !token);
  assign may_end_o = places_q[whole].usual;  // not before the name: all zeros
  assign first_key_o = !keyed_q;
  // Arguments are asked for: in a line of one word there are none.
  assign argued = named_q && places_d[0].fits && !places_d[0].bare[noreply_d];
  assign zero_d = whole && place.zero ? piece_i.is_zero && !open_q : zero_q;
  assign noreply_d = whole ? piece_i.is_noreply && !open_q : noreply_q;

  always_comb begin
    word_o.counts = token;
    word_o.named = named_q;
    word_o.first = !open_q;
    word_o.second = words_q == 6'd1;
    word_o.early = early_q;
    word_o.last = !piece_i.more;
    word_o.lettered = place.flag && !open_q;
    word_o.place = place;
  end

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      fresh_o <= 1'b0;
      places_q <= places_d;
      if (!named_q) rule_o <= named_rule & {$bits(rule_t){ends_name}};
      if (whole) named_q <= 1'b1;
      begun_q <= piece_i.name & {Lines{!open_q}};
      open_q <= token && piece_i.more;
      if (!piece_i.more) words_q <= '0;
      else if (!words_q[5]) words_q <= words_q + 6'd1;
      early_q <= !piece_i.more || words_q == '0;
      words_full_q <= piece_i.more && words_q == LongestWords - 6'd1;
      words_over_q <= piece_i.more && (words_over_q || words_full_q);
      over_o <= over_d;
      noreply_q <= noreply_d;
      if (piece_i.nul) dead_q <= 1'b1;
      if (whole && place.key) begin
        keyed_q <= 1'b1;
        ended_len_o <= key_len_o;
      end
      zero_q <= zero_d;
      ended_o.fits <= places_d[0].fits;
      ended_o.quiet <= places_d[0].mute && noreply_d;
      ended_o.bare <= places_d[0].bare[noreply_d];
      ended_o.asked <= rule_o.numbers & {Units{argued}};
      ended_o.wrong <= (places_d[0].surplus && !noreply_d) || (argued && rule_o.zero && !zero_d);
      ended_o.over <= over_d;
      ended_o.held <= piece_i.held;
    end
    if (decoded_i) ended_len_o <= decoded_len_i;
    // The registers are free for the next line; the verdict on this one has ended_o and rule_o.
    if (rst_i || (take_i && (piece_i.eol || piece_i.stop))) begin
      fresh_o <= 1'b1;
      places_q <= '0;
      named_q <= 1'b0;
      open_q <= 1'b0;
      words_q <= '0;
      early_q <= 1'b1;
      words_full_q <= 1'b0;
      words_over_q <= 1'b0;
      over_o <= 1'b0;
      dead_q <= 1'b0;
      keyed_q <= 1'b0;
    end
    if (rst_i) rule_o <= '0;
  end

endmodule

`default_nettype wire
