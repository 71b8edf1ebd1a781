// SPDX-License-Identifier: Apache-2.0
// Values on their way to the log's writer: those of most operations pass as they come, those of APPEND
// and PREPEND are joined to the values of their items. Of two values the first one's words pass as they
// are; its last word may have room for some bytes of the second, whose words are turned by as many:
//
//   shift 3:   first  ..aaa    second  bbbbbbbb bbbbbbbb bb
//                              turned  bbb|bbbbb            what is left of it waits for the next word
//
// A value that is not stored, though it has a place, is zeros, as many words as it would have. What came
// with its operation is dropped; so it is if there is no place.
// Latency 1 to the output for a value that passes; 2 cycles for each that is joined, then a word a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_item_join
  import wc_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned Operations = 64  // whose values have not all gone
) (
  input  wire logic    clk_i,
  input  wire logic    rst_i,
  // of each operation with words of a value, and of each that joins: in the order of the words
  input  wire logic    goes_valid_i,  // only while there is room
  output logic         goes_room_o,
  input  wire logic    goes_joins_i,
  input  wire logic    goes_words_i,  // it has words
  input  wire logic    new_valid_i,
  output logic         new_ready_o,
  input  wire beat_t   new_i,
  // what was decided of those that join; and the items' values
  input  wire logic    joined_valid_i,
  output logic         joined_ready_o,
  input  wire joined_t joined_i,
  output logic         read_valid_o,  // of this one the item's value is to be read
  input  wire logic    read_ready_i,
  input  wire logic    old_valid_i,
  output logic         old_ready_o,
  input  wire beat_t   old_i,
  input  wire logic    old_error_i,
  output logic         value_valid_o,
  input  wire logic    value_ready_i,
  output beat_t        value_o,
  output logic         value_error_o
);

  localparam int unsigned Ahead = 8;  // operations whose items' values are read
  localparam int unsigned MostWords = MaxValueBytes / WordBytes;
  typedef logic [$clog2(MostWords):0] words_t;

  // ---- what goes where ----------------------------------------------------------------------------
  typedef struct packed {
    logic joins;
    logic words;
  } goes_t;

  logic goes_valid, goes_done;
  goes_t goes;

  wc_credit_fifo #(
    .data_t(goes_t),
    .Depth (Operations)
  ) u_goes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (goes_room_o),
    .valid_i(goes_valid_i),
    .data_i ('{joins: goes_joins_i, words: goes_words_i}),
    .valid_o(goes_valid),
    .ready_i(goes_done),
    .data_o (goes)
  );

  // An item's value is asked for as soon as it is known which.
  logic next_room, next_valid, load;
  joined_t next;

  assign joined_ready_o = next_room && (!joined_i.stores || read_ready_i);
  assign read_valid_o = joined_valid_i && joined_i.stores && next_room;

  wc_fifo_shallow #(
    .data_t(joined_t),
    .Depth (Ahead)
  ) u_next (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(joined_valid_i && (!joined_i.stores || read_ready_i)),
    .ready_o(next_room),
    .data_i (joined_i),
    .valid_o(next_valid),
    .ready_i(load),
    .data_o (next)
  );

  // ---- one after the other ------------------------------------------------------------------------
  typedef enum logic [2:0] {
    StPass,    // words that pass; or what is to be joined comes
    StBegin,
    StFirst,   // words of the first value
    StSecond,
    StRest,    // what is left over; zeros
    StDrop     // words that go nowhere
  } state_e;

  state_e state_q, begins, behind_first, behind_drop;
  logic front_q, words_q, old_q;   // there are new words; there are old ones
  logic placed_q, stores_q;
  logic [2:0] shift_q, next_shift;
  logic shifts_q;      // shift_q is not 0
  words_t left_q;      // words that leave
  logic final_q;       // the next one is the last
  logic some_q;        // there is one
  word_t carry_q;      // its lowest bytes are those of the word before
  logic carry_error_q;

  logic from_old, from_new, source_valid, source_error, leaves, ready, step, holds, ends;
  beat_t source;
  logic [2:0] shift;
  word_t turned, word;

  assign from_old = (state_q == StFirst && !front_q) || (state_q == StSecond && front_q);
  assign from_new = (state_q == StFirst && front_q) || (state_q == StSecond && !front_q)
                    || state_q == StDrop || (state_q == StPass && goes_valid && !goes.joins);
  assign source_valid = (from_old && old_valid_i) || (from_new && new_valid_i)
                        || state_q == StRest;
  assign source = from_old ? old_i : new_i;
  assign source_error = from_old && old_error_i;

  // The first value's last word stays, unless it is a whole one.
  assign holds = state_q == StDrop || (state_q == StFirst && source.last && shifts_q);
  assign leaves = source_valid && !holds;
  assign step = source_valid && (holds || ready);
  assign old_ready_o = from_old && (holds || ready);
  assign new_ready_o = from_new && (holds || ready);

  assign shift = state_q inside {StSecond, StRest} ? shift_q : '0;

  for (genvar i = 0; i < WordBytes; i++) begin : gen_byte
    assign turned[8*i+:8] = source.data[8*(3'(i)-shift)+:8];
    assign word[8*i+:8] = 4'(i) < 4'(shift) ? carry_q[8*i+:8]
                          : state_q == StRest ? '0 : turned[8*i+:8];
  end

  assign behind_first = words_q && !front_q ? StSecond : old_q && front_q ? StSecond :
                        shifts_q ? StRest : StPass;
  assign behind_drop = placed_q && some_q ? StRest : StPass;

  always_comb begin
    if (!stores_q) begins = words_q ? StDrop : behind_drop;
    else if (front_q ? words_q : old_q) begins = StFirst;
    else begins = words_q || old_q ? StSecond : StPass;
    ends = 1'b0;
    unique case (state_q)
      StPass: ends = step && source.last;
      StBegin: ends = begins == StPass;
      StFirst: ends = step && source.last && behind_first == StPass;
      StSecond, StRest: ends = step && final_q;
      StDrop: ends = step && source.last && behind_drop == StPass;
      default: ;
    endcase
  end

  // Of a value that is not stored nothing is carried.
  assign next_shift = !next.stores ? '0 : next.front ? 3'(next.value_len) - 3'(next.old_len)
                                                     : 3'(next.old_len);
  assign goes_done = ends;
  assign load = state_q == StPass && goes_valid && goes.joins && next_valid;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StPass: if (load) state_q <= StBegin;
      StBegin: state_q <= begins;
      StFirst: if (step && source.last) state_q <= behind_first;
      StSecond: begin
        if (step && final_q) state_q <= StPass;
        else if (step && source.last) state_q <= StRest;
      end
      StRest: if (step && final_q) state_q <= StPass;
      StDrop: if (step && source.last) state_q <= behind_drop;
      default: state_q <= StPass;
    endcase
    if (load) begin
      front_q <= next.front;
      words_q <= goes.words;
      old_q <= next.old_len != '0;
      placed_q <= next.placed;
      stores_q <= next.stores;
      some_q <= next.value_len != '0;
      shift_q <= next_shift;
      shifts_q <= next_shift != '0;
      left_q <= words_t'((next.value_len + value_len_t'(WordBytes - 1)) >> $clog2(WordBytes));
      carry_error_q <= 1'b0;
    end else if (step && !holds && state_q != StPass) begin
      left_q <= left_q - 1'b1;
    end
    if (state_q == StBegin) final_q <= left_q == words_t'(1);
    else if (step && !holds) final_q <= left_q == words_t'(2);
    if (step && state_q inside {StFirst, StSecond}) begin
      carry_q <= turned;
      carry_error_q <= source_error && shifts_q;
    end
    if (rst_i) state_q <= StPass;
  end

  typedef struct packed {
    logic  error;
    beat_t beat;
  } out_t;

  out_t out;

  assign out.beat.data = word;
  assign out.beat.last = state_q == StPass ? source.last : final_q;
  assign out.error = (state_q != StRest && source_error)
                     || (state_q inside {StSecond, StRest} && carry_error_q);

  wc_slice #(
    .data_t(out_t)
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(leaves),
    .ready_o(ready),
    .data_i (out),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o ({value_error_o, value_o})
  );

  `WC_ASSERT_STREAM(value, value_valid_o, value_ready_i, {value_error_o, value_o})
  `WC_ASSERT(first_is_not_all, !(state_q == StFirst && step && source.last) || holds
             || final_q == (behind_first == StPass))
  `WC_ASSERT(words_add_up, !(state_q == StSecond && step && final_q) || source.last)
  `WC_ASSERT(stored_has_a_place, !next_valid || !next.stores || next.placed)

endmodule

`default_nettype wire
