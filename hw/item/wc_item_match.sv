// SPDX-License-Identifier: Apache-2.0
// Compares the key of each operation, word by word as its own words come, with the key of the item
// that the beats hold, and takes from the item's header what the decision needs. The words behind the
// key are passed on if the operation counts, which then waits until counted_i. One that follows has no
// beats: what its item says is kept.
// An operation begins when room_i says that there is room for all that comes of it; from done_o on
// nothing stalls. The words of a key that the answer may show go on to the response.
// An operation takes a cycle for each word of its key, 2 at least. Where the item's first beat has no
// word of the key, a cycle more: where the item begins in the second half of a line, or where a beat is
// a unit (BeatUnits = 1), and then two cycles more, one for each unit of the header.
// Latency from the last word 1 to the facts and the error, 2 to same_o. The error stays for a cycle,
// the facts and same_o for two.
`include "wc_assert.svh"
`default_nettype none

module wc_item_match
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire seconds_t time_i,
  input  wire logic     work_valid_i,
  input  wire compare_t work_i,  // stays until done_o
  input  wire logic     room_i,
  output logic          begin_o,
  output logic          done_o,
  input  wire logic     key_valid_i,
  output logic          key_ready_o,
  input  wire beat_t    key_i,
  input  wire logic     beat_valid_i,
  output logic          beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic     beat_error_i,
  // the words of the item's value, NumberWords at most, if the operation counts
  output logic          number_valid_o,
  input  wire logic     number_ready_i,
  output word_t         number_o,
  output logic          number_end_o,  // no more come
  output wc_log_pkg::length_t value_len_o,  // of it, from its first word on
  input  wire logic     counted_i,
  // the item of an operation that counts, and of those that follow it: wc_item_kept
  output logic          word_valid_o,  // key_i
  output logic          finds_o,
  output word_t         item_o,
  input  wire facts_t   kept_i,
  input  wire logic     kept_error_i,
  output logic          key_valid_o,  // finds room
  output beat_t         key_o,
  output facts_t        facts_o,  // only of an operation that has beats
  output logic          error_o,  // a beat came in error
  output logic          same_o    // the words are the same
);

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_item_match: BeatUnits must be 1 or 4")

  logic begun_q;  // the operation at the input has begun
  logic more_q;   // and some of its words were not taken
  logic may_begin;
  logic open;     // a word may be taken
  logic word, last_word;
  logic begins;   // with this word or beat, if the operation has any
  logic some_beat;    // the word has a counterpart
  logic beat_there;
  logic first_word;   // of the key
  logic number_word;  // a word of the item's value is taken
  logic number_q;     // such a word is next
  logic [1:0] words_q;  // how many have been

  // ---- words ------------------------------------------------------------------------------------
  assign may_begin = !begun_q && work_valid_i && room_i;
  assign beat_there = beat_valid_i || !some_beat;
  assign word = open && key_valid_i && beat_there;
  assign last_word = word && key_i.last;

  assign key_ready_o = open && beat_there;
  assign key_valid_o = open && key_valid_i && beat_there && work_i.op.key_words;
  assign key_o = key_i;

  assign begin_o = may_begin && (begins || !work_i.words);
  assign done_o = begun_q && (work_i.counts ? !more_q && !number_q && counted_i
                                            : !more_q || last_word);

  always_ff @(posedge clk_i) begin
    begun_q <= begin_o || (begun_q && !done_o);
    if (begin_o) error_o <= beat_ready_o && beat_error_i;
    else if (beat_ready_o && beat_error_i) error_o <= 1'b1;
    else if (begun_q && work_i.follows) error_o <= kept_error_i;
    if (rst_i) begun_q <= 1'b0;
  end

  header_t header_q;  // what its beats have said of it
  logic unused;
  assign unused = ^{header_q.hash, work_i};

  assign word_valid_o = word;
  assign finds_o = work_i.counts && work_i.has_beats;

  // ---- the item's value, if the operation counts ----------------------------------------------------
  logic beats_left;  // behind the beat of this word, if it is its beat's last; else 1
  logic last_number;

  assign number_valid_o = number_q && beat_valid_i;
  assign number_word = number_valid_o && number_ready_i;
  assign last_number = words_q == 2'(NumberWords - 1);
  // Without words this comes with the key's last word, or with an operation that begins without beats.
  assign number_end_o = work_i.counts && ((number_word && (last_number || !beats_left))
                                          || (last_word && !beats_left));
  assign value_len_o = header_q.value_len;

  always_ff @(posedge clk_i) begin
    if (last_word) number_q <= work_i.counts && beats_left;
    else if (number_word) number_q <= !last_number && beats_left;
    if (last_word) words_q <= '0;
    else if (number_word) words_q <= words_q + 1'b1;
    if (rst_i) number_q <= 1'b0;
  end

  if (BeatUnits == 1) begin : gen_unit
    // ---- beats that are units: two of the header; two words of the key each ---------------------
    logic head;   // the first beat, with which the operation begins
    logic tail, tail_q;  // the second; it is next
    logic head_q; // no word of the key was taken yet
    logic upper_q;  // a word's counterpart is in the upper half of its beat
    key_beats_t beats_q;  // that are still to be taken
    logic left_q;         // beats_q is not 0

    // An operation with beats begins with the first of them, one without with its first word.
    assign head = may_begin && work_i.has_beats && beat_valid_i;
    assign tail = tail_q && beat_valid_i;
    assign open = (more_q && !tail_q) || (may_begin && work_i.words && !work_i.has_beats);
    assign some_beat = left_q;
    assign begins = head || word;
    assign first_word = head_q || !begun_q;
    assign beat_ready_o = head || tail
                          || (word && left_q && (upper_q || (key_i.last && !work_i.counts)))
                          || (number_word && (upper_q || last_number));
    assign beats_left = left_q && !(upper_q && beats_q == key_beats_t'(1));
    assign number_o = upper_q ? beat_i[WordWidth+:WordWidth] : beat_i[WordWidth-1:0];

    always_ff @(posedge clk_i) begin
      more_q <= head || tail_q || (open && !last_word && (begun_q || begin_o));
      tail_q <= head || (tail_q && !tail);
      if (head) begin
        head_q <= 1'b1;
        upper_q <= 1'b0;
        beats_q <= work_i.beats - 1'b1;
        left_q <= 1'b1;
      end else if (tail) begin
        beats_q <= beats_q - 1'b1;
        left_q <= beats_q != key_beats_t'(1);
      end else if (word || number_word) begin
        head_q <= 1'b0;
        upper_q <= !upper_q;
        if (beat_ready_o) begin
          beats_q <= beats_q - 1'b1;
          left_q <= beats_q != key_beats_t'(1);
        end
      end
      if (rst_i) begin
        more_q <= 1'b0;
        head_q <= 1'b0;
        tail_q <= 1'b0;
        left_q <= 1'b0;
      end
    end

    // ---- compared: four bits of a word at once, and then all ------------------------------------
    logic [WordWidth/4-1:0] same, same_q;
    logic compare_q;  // they are to be told
    logic first_q;    // of the first word of the key
    logic there_q;    // there is a counterpart
    word_t counterpart;

    assign counterpart = upper_q ? beat_i[WordWidth+:WordWidth] : beat_i[WordWidth-1:0];
    for (genvar i = 0; i < WordWidth / 4; i++) begin : gen_same
      assign same[i] = key_i.data[4*i+:4] == counterpart[4*i+:4];
    end

    always_ff @(posedge clk_i) begin
      compare_q <= word;
      if (word) begin
        first_q <= first_word;
        there_q <= some_beat;
        same_q <= same;
        item_o <= counterpart;
      end
      if (compare_q) same_o <= (first_q || same_o) && there_q && same_q == '1;
      if (rst_i) compare_q <= 1'b0;
    end

    // ---- header ---------------------------------------------------------------------------------
    // It waits for the first word of the key, so that the facts of the operation before stay.
    always_ff @(posedge clk_i) begin
      if (head) header_q[8*UnitBytes-1:0] <= beat_i;
      if (tail) header_q[$bits(header_t)-1:8*UnitBytes] <=
          ($bits(header_t) - 8*UnitBytes)'(beat_i);
      if (word && head_q) begin
        facts_o <= '{
            same_length: header_q.key_len == work_i.op.key_len,
            unexpired: header_q.expiry == '0 || header_q.expiry > time_i,
            number: header_q.number,
            value_len: value_len_t'(header_q.value_len),
            flags: header_q.flags,
            expiry: header_q.expiry,
            encoded: header_q.encoded,
            cas: header_q.cas,
            origin: header_q.origin,
            used: header_q.used
        };
      end else if (done_o && work_i.follows) begin
        facts_o <= kept_i;
      end
    end

    `WC_ASSERT(beats_are_taken, begun_q || !left_q)
    `WC_ASSERT(header_is_there, !work_valid_i || work_i.beats == '0
               || work_i.beats > key_beats_t'(HeaderUnits))
    `WC_ASSERT(all_beats_taken, !(done_o && left_q) ||
               (beat_ready_o && beats_q == key_beats_t'(1)))

  end else begin : gen_line
    // ---- beats that are lines: header and first word of the key are in the first -----------------
    // Of an item that begins in a line's second half the first word of the key is in the second beat, and
    // if it begins in the last unit, so is the header's second unit.
    logic parted;  // such an item
    logic head;    // its first beat, with which the operation begins
    logic head_q;  // it was taken, the second was not
    logic last_of_beat;
    key_beats_t beats, beats_q;  // that are still to be taken
    logic left_q;                // beats_q is not 0
    logic [2:0] place, place_q;  // of the word's counterpart in its line

    assign beats = begun_q ? beats_q : work_i.beats;
    assign place = begun_q ? place_q : 3'({work_i.unit, 1'b0}) + 3'(HeaderWords);
    assign some_beat = begun_q ? left_q : work_i.has_beats;
    assign parted = work_i.has_beats && work_i.unit[1];
    assign head = may_begin && parted && beat_valid_i;
    assign open = more_q || (may_begin && work_i.words && !parted);
    assign last_of_beat = place == 3'(LineWords - 1);
    assign begins = head || word;
    assign first_word = head_q || !begun_q;
    assign beat_ready_o = head
                          || (word && some_beat
                           && (last_of_beat || (key_i.last && !work_i.counts)))
                          || (number_word && (last_of_beat || last_number));
    assign beats_left = some_beat && !(last_of_beat && beats == key_beats_t'(1));
    assign number_o = beat_i[WordWidth*place+:WordWidth];

    always_ff @(posedge clk_i) begin
      more_q <= head || (open && work_i.words && !last_word && (begun_q || begin_o));
      if (head) begin
        head_q <= 1'b1;
        place_q <= work_i.unit[0] ? 3'(UnitWords) : '0;
      end else if (word || number_word) begin
        head_q <= 1'b0;
        place_q <= place + 1'b1;
      end
      if (head || word || number_word) begin
        beats_q <= beats - key_beats_t'(beat_ready_o);
        left_q <= beats > key_beats_t'(beat_ready_o);
      end
      if (rst_i) begin
        more_q <= 1'b0;
        head_q <= 1'b0;
      end
    end

    // ---- compared -------------------------------------------------------------------------------
    word_t own_q, item_q;  // a word of the key, and its counterpart
    assign item_o = item_q;
    logic compare_q;       // they are to be compared
    logic first_q;         // the first of the key
    logic there_q;         // there is a counterpart

    always_ff @(posedge clk_i) begin
      compare_q <= word;
      if (word) begin
        first_q <= first_word;
        there_q <= some_beat;
        own_q <= key_i.data;
        item_q <= beat_i[WordWidth*place+:WordWidth];
      end
      if (compare_q) same_o <= (first_q || same_o) && there_q && own_q == item_q;
      if (rst_i) compare_q <= 1'b0;
    end

    // ---- header ---------------------------------------------------------------------------------
    header_t header;  // of the first beat
    header_t known;   // with what is in the second

    always_comb begin
      unique case (work_i.unit)
        2'd0: header = beat_i[$bits(header_t)-1:0];
        2'd1: header = beat_i[8*UnitBytes+:$bits(header_t)];
        2'd2: header = beat_i[16*UnitBytes+:$bits(header_t)];
        default: header = header_t'(beat_i[24*UnitBytes+:8*UnitBytes]);
      endcase
    end

    always_comb begin
      known = header_q;
      if (head_q && work_i.unit[0]) begin
        known[$bits(header_t)-1:8*UnitBytes] = ($bits(header_t) - 8*UnitBytes)'(beat_i);
      end
    end

    always_ff @(posedge clk_i) begin
      if (begin_o) header_q <= header;
      else if (word) header_q <= known;
      if (done_o) begin
        facts_o <= '{
            same_length: header_q.key_len == work_i.op.key_len,
            unexpired: header_q.expiry == '0 || header_q.expiry > time_i,
            number: header_q.number,
            value_len: value_len_t'(header_q.value_len),
            flags: known.flags,
            expiry: header_q.expiry,
            encoded: known.encoded,
            cas: header_q.cas,
            origin: known.origin,
            used: known.used
        };
        if (work_i.follows) facts_o <= kept_i;
      end
    end

    `WC_ASSERT(header_is_there, !work_valid_i || !parted || work_i.beats != key_beats_t'(1))
    `WC_ASSERT(all_beats_taken, !(done_o && work_i.words) ||
               beats == key_beats_t'(beat_ready_o))
  end

  `WC_ASSERT(work_stays, $past(rst_i) || !$past(begin_o || (begun_q && !done_o)) ||
             (work_valid_i && work_i == $past(work_i)))
  `WC_ASSERT(follower_has_none, !work_valid_i || !work_i.follows
             || (work_i.counts && work_i.beats == '0))
  `WC_ASSERT(has_beats_if_any, !work_valid_i || work_i.has_beats == (work_i.beats != '0))
  `WC_ASSERT(beats_have_words, !work_valid_i || work_i.beats == '0 || work_i.words)
  `WC_ASSERT(words_have_key, !work_valid_i || !work_i.words || work_i.op.key_len != '0)

endmodule

`default_nettype wire
