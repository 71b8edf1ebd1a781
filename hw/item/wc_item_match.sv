// SPDX-License-Identifier: Apache-2.0
// Compares the key of each operation, word by word as its own words come, with the key of the item
// that the lines hold, and takes from the item's header what the decision needs.
// An operation begins when room_i says that there is room for all that comes of it; from done_o on
// nothing stalls. The words of a key that the answer may show go on to the response. An operation
// takes a cycle for each word of its key, 2 at least.
// Latency from the last word 1 to the facts and the error, 2 to same_o; they stay until the next
// operation is done, the error for a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_item_match
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
(
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
  input  wire logic     line_valid_i,
  output logic          line_ready_o,
  input  wire data_t    line_i,
  input  wire logic     line_error_i,
  output logic          key_valid_o,
  input  wire logic     key_ready_i,
  output beat_t         key_o,
  output facts_t        facts_o,
  output logic          error_o,  // a line came in error
  output logic          same_o    // the words are the same
);

  // ---- words and lines --------------------------------------------------------------------------
  logic begun_q;  // the operation at the input has begun
  logic more_q;   // and some of its words were not taken
  logic open;      // a word may be taken
  logic word, last_word;
  logic last_of_line;
  key_lines_t lines, lines_q;     // that are still to be taken
  logic left_q;                   // lines_q is not 0
  logic [2:0] place, place_q;     // of the word's counterpart in its line
  logic some_line;
  logic line_there, key_room;

  assign lines = begun_q ? lines_q : work_i.lines;
  assign place = begun_q ? place_q : 3'({work_i.unit, 1'b0}) + 3'(HeaderWords);
  assign some_line = begun_q ? left_q : work_i.lines != '0;
  assign line_there = line_valid_i || !some_line;
  assign key_room = key_ready_i || !work_i.op.with_key;
  assign open = more_q || (!begun_q && work_i.words && work_valid_i && room_i);
  assign word = open && key_valid_i && line_there && key_room;
  assign last_word = word && key_i.last;
  assign last_of_line = place == 3'(LineWords - 1);

  assign key_ready_o = open && line_there && key_room;
  assign key_valid_o = open && key_valid_i && line_there && work_i.op.with_key;
  assign key_o = key_i;
  assign line_ready_o = word && some_line && (last_of_line || key_i.last);

  assign begin_o = !begun_q && work_valid_i && room_i && (word || !work_i.words);
  assign done_o = begun_q && (!more_q || last_word);

  always_ff @(posedge clk_i) begin
    begun_q <= begin_o || (begun_q && !done_o);
    more_q <= open && work_i.words && !last_word && (begun_q || begin_o);
    if (word) begin
      place_q <= place + 1'b1;
      lines_q <= lines - key_lines_t'(line_ready_o);
      left_q <= lines > key_lines_t'(line_ready_o);
    end
    if (begin_o) error_o <= line_ready_o && line_error_i;
    else if (line_ready_o && line_error_i) error_o <= 1'b1;
    if (rst_i) begin
      begun_q <= 1'b0;
      more_q <= 1'b0;
    end
  end

  // ---- compared ---------------------------------------------------------------------------------
  word_t own_q, item_q;  // a word of the key, and its counterpart
  logic compare_q;       // they are to be compared
  logic first_q;         // the first of the key
  logic there_q;         // there is a counterpart

  always_ff @(posedge clk_i) begin
    compare_q <= word;
    if (word) begin
      first_q <= !begun_q;
      there_q <= some_line;
      own_q <= key_i.data;
      item_q <= line_i[WordWidth*place+:WordWidth];
    end
    if (compare_q) same_o <= (first_q || same_o) && there_q && own_q == item_q;
    if (rst_i) compare_q <= 1'b0;
  end

  // ---- header: it is in the first line, as is the first word of the key -------------------------
  header_t header, header_q;

  always_comb begin
    unique case (work_i.unit)
      2'd0: header = line_i[$bits(header_t)-1:0];
      2'd1: header = line_i[8*UnitBytes+:$bits(header_t)];
      default: header = line_i[16*UnitBytes+:$bits(header_t)];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (begin_o) header_q <= header;
    if (done_o) begin
      facts_o <= '{
          same_length: header_q.key_len == work_i.op.key_len,
          unexpired: header_q.expiry == '0 || header_q.expiry > time_i,
          value_len: header_q.value_len[$bits(value_len_t)-1:0],
          flags: header_q.flags,
          cas: header_q.cas
      };
    end
  end

  logic unused;
  assign unused = ^{header_q.hash, header_q.value_len[23:21], work_i};

  `WC_ASSERT(work_stays, $past(rst_i) || !$past(begin_o || (begun_q && !done_o)) ||
             (work_valid_i && work_i == $past(work_i)))
  `WC_ASSERT(lines_have_words, !work_valid_i || work_i.lines == '0 || work_i.words)
  `WC_ASSERT(begins_in_place, !work_valid_i || work_i.lines == '0 || work_i.unit != 2'd3)
  `WC_ASSERT(words_have_key, !work_valid_i || !work_i.words || work_i.op.key_len != '0)
  `WC_ASSERT(all_lines_taken, !(done_o && work_i.words) ||
             lines == key_lines_t'(line_ready_o))

endmodule

`default_nettype wire
