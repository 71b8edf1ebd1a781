// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_numbers: the verdict on a line and the operation of its value wait for it, so
// what it waits for must end. Words of any number of pieces, of any bytes, of any kind and in any
// order.
// Rule 1: wait_o, which holds up the next piece, is low again within 11 cycles; behind a time that
//         leads keys within Wait + 2.
// Rule 2: a number is settled within Wait cycles after its last piece, and not before it is read.
// Rule 3: where flags and length are settled for three cycles, the item is measured, and where
//         flags, time and CAS number are settled, fields_wait_o is low in the next cycle. A length
//         that is not plain is not measured before flags are read.
// Rule 4: a unit gets a further piece of a word only when it has room for it, as
//         wc_text_number_fv assumes.
// Rule 5: where a time whose last piece has come is timed, what it is does not change before the
//         next one, the next line, or flags that are no meta command's, nor has in the cycle
//         before: so the expiry of it is there a cycle later. And whether it is right is known, and
//         stays so while its line goes on.
// Rule 6: no piece is taken behind a time that leads keys before the time is timed; nor behind a
//         number of a line that waits for each, which may be wrong, before those of 64 bits are
//         settled.
// Rule 7: of such a line a number is right only if all before it for its unit were, and a number of 64
//         bits stays what it is while another one is read.
// Assumed: pieces of words as wc_request_tokens gives them; digits tells truly; no piece in the
// cycle after wait_o.
`include "wc_assert.svh"
`default_nettype none

module wc_request_numbers_fv
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
#(
  parameter int unsigned Wait = 24
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       take_i,
  input wire logic       more_i,
  input wire logic       named_i,
  input wire logic       dead_i,
  input wire logic       leads_i,
  input wire logic       flag_i,   // of a meta command: the first byte is a letter
  input wire arg_e       kind_i,
  input wire logic [3:0] bytes_i,
  input wire word_t      data_i
);

  typedef logic [5:0] cycles_t;

  piece_t piece;
  word_state_t word;
  numbers_t known;
  logic waits, fields_wait;
  logic [31:0] exptime;
  cas_t unique_cas;
  logic unique_any;
  number_t delta;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_numbers u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .take_i      (take_i),
    .piece_i     (piece),
    .word_i      (word),
    .key_len_i   ('0),
    .most_bytes_i(value_len_t'(MaxValueBytes)),
    .wait_o      (waits),
    .known_o     (known),
    .fields_wait_o(fields_wait),
    .flags_o     (),
    .exptime_o   (exptime),
    .unique_o    (unique_cas),
    .unique_any_o(unique_any),
    .delta_o     (delta),
    .start_o     (),
    .length_o    (),
    .length_any_o(),
    .plain_o     ()
  );

  // ---- words -------------------------------------------------------------------------------------
  logic open_q, waited_q, led_word_q;
  logic [1:0] pieces_q;  // of the word; stays at 2
  arg_e kind_q;
  logic digits, behind;
  logic flag_q;

  always_comb begin
    digits = bytes_i != '0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (bytes_i > 4'(i) && (data_i[8*i+4+:4] != 4'h3 || data_i[8*i+:4] > 4'd9)) digits = 1'b0;
    end
    behind = bytes_i > 4'd1;
    for (int unsigned i = 1; i < 8; i++) begin
      if (bytes_i > 4'(i) && (data_i[8*i+4+:4] != 4'h3 || data_i[8*i+:4] > 4'd9)) behind = 1'b0;
    end
    piece = '0;
    piece.bytes = bytes_i;
    piece.any = bytes_i != '0;
    piece.more = more_i;
    piece.digits = digits;
    piece.digits_behind = behind;
    piece.few_digits = digits && bytes_i <= 4'd4;
    piece.data = data_i;
    for (int unsigned i = 0; i < Flags; i++) begin
      piece.flag[i] = word.lettered && FlagTable[i].number == kind_i;
    end
    word = '0;
    word.named = named_i;
    word.counts = (open_q || bytes_i != '0) && !dead_i;
    word.first = !open_q;
    word.second = pieces_q == 2'd1;
    word.early = pieces_q < 2'd2;
    word.last = !more_i;
    word.place.number = unit_of(kind_i);
    word.place.leads = leads_i;
    word.place.flag = flag_i;
    word.lettered = flag_i && !open_q;
  end

  `WC_ASSUME(word_goes_on, !open_q || (kind_i == kind_q && named_i && !dead_i
                                       && leads_i == led_word_q && flag_i == flag_q))
  `WC_ASSUME(leads_is_time, !leads_i || kind_i == ArgTime || (flag_i && unit_of(kind_i) != '0))
  `WC_ASSUME(flag_is_none, !flag_i || (named_i && kind_i != ArgLength))
  `WC_ASSUME(flag_is_letter, !flag_i || open_q || !digits)
  `WC_ASSUME(dead_is_whole, !dead_i || !more_i)
  `WC_ASSUME(name_is_none, named_i || unit_of(kind_i) == '0)
  `WC_ASSUME(bytes, bytes_i <= 4'd8 && (!more_i || bytes_i == 4'd8))
  `WC_ASSUME(held_up, !take_i || !waited_q)

  always_ff @(posedge clk_i) begin
    waited_q <= waits;
    if (take_i) begin
      open_q <= word.counts && more_i;
      kind_q <= kind_i;
      led_word_q <= leads_i;
      flag_q <= flag_i;
      if (!more_i) pieces_q <= '0;
      else if (pieces_q != 2'd2) pieces_q <= pieces_q + 2'd1;
    end
    if (rst_i) begin
      waited_q <= 1'b0;
      open_q <= 1'b0;
      pieces_q <= '0;
    end
  end

  // ---- what is due --------------------------------------------------------------------------------
  cycles_t wait_cycles_q;
  cycles_t [Units-1:0] since_q;  // cycles since a piece of a number for the unit; stays at 63
  logic [Units-1:0] begun_q;     // one has come since reset
  logic [Units-1:0] ended_q;     // its last piece has
  logic [Units-1:0] comes;
  logic [1:0] unnamed_q;         // cycles since a piece of a line's first word, counted down

  assign comes = unit_of(kind_i) & {Units{take_i && word.counts}};

  always_ff @(posedge clk_i) begin
    wait_cycles_q <= waits ? wait_cycles_q + 1'b1 : '0;
    if (take_i && !named_i) unnamed_q <= 2'd2;
    else if (unnamed_q != '0) unnamed_q <= unnamed_q - 1'b1;
    for (int unsigned i = 0; i < Units; i++) begin
      if (since_q[i] != '1) since_q[i] <= since_q[i] + 1'b1;
      if (comes[i]) begin
        since_q[i] <= '0;
        begun_q[i] <= 1'b1;
        ended_q[i] <= !more_i;
      end
    end
    if (rst_i) begin
      wait_cycles_q <= '0;
      unnamed_q <= '0;
      begun_q <= '0;
      ended_q <= '0;
    end
  end

  // Behind the time that leads, until the next piece.
  logic led_q, led, timed_before_q;
  logic flags_behind_q;  // flags have come behind the time: they share wc_request_plain

  assign led = led_q || (take_i && word.counts && leads_i && !more_i);

  always_ff @(posedge clk_i) begin
    if (take_i) led_q <= word.counts && leads_i && !more_i;
    timed_before_q <= known.timed;
    if (comes[UnitTime]) flags_behind_q <= 1'b0;
    else if (comes[UnitUnsigned] && !flag_i) flags_behind_q <= 1'b1;
    if (rst_i) begin
      led_q <= 1'b0;
      timed_before_q <= 1'b0;
      flags_behind_q <= 1'b0;
    end
  end

  `WC_ASSERT(room_soon, wait_cycles_q < (led ? 6'(Wait + 2) : 6'd11))
  `WC_ASSERT(keys_wait, !(take_i && led_q) || (known.timed && known.settled[UnitUnique]))

  // A number in a line that waits for each, and another one for its unit.
  logic [Units-1:0] wrong_q, wrong_before_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Units; i++) begin
      if (led_q && comes[i] && word.first && ended_q[i] && u_dut.given_q[i] && !known.ok[i]) begin
        wrong_q[i] <= 1'b1;
      end
    end
    wrong_before_q <= wrong_q;
    if (rst_i || (take_i && !named_i)) {wrong_q, wrong_before_q} <= '0;
  end

  for (genvar i = 0; i < Units; i++) begin : gen_wrong
    `WC_ASSERT(wrong_stays, !wrong_before_q[i] || i == UnitUnsigned || i == UnitLength
                            || !known.ok[i])
  end

  logic kept_q;   // a delta is settled, and a CAS number of a flag is read
  number_t kept_delta_q;

  always_ff @(posedge clk_i) begin
    if (take_i && word.counts && word.lettered && unit_of(kind_i) == Units'(1 << UnitUnique)) begin
      kept_q <= led_q && kind_i == ArgUnique;
      kept_delta_q <= delta;
    end
    if (rst_i || (take_i && (!named_i || (!word.lettered && word.first)))) kept_q <= 1'b0;
  end

  `WC_ASSERT(delta_stays, !kept_q || delta == kept_delta_q)
  `WC_ASSERT(timed_is_read, !known.timed || !ended_q[UnitTime] || since_q[UnitTime] >= 6'd4)
  `WC_ASSERT(timed_stays, !known.timed || !ended_q[UnitTime] || flags_behind_q || unnamed_q == 2'd2
                          || (exptime == $past(exptime) && known.judged[UnitTime]))
  `WC_ASSERT(right_stays, !timed_before_q || !known.timed || !ended_q[UnitTime] || unnamed_q != '0
                          || known.ok[UnitTime] == $past(known.ok[UnitTime]))
  for (genvar i = 0; i < Units; i++) begin : gen_rules
    `WC_ASSERT(settles, known.settled[i] || !ended_q[i] || since_q[i] < 6'(Wait))
    `WC_ASSERT(not_before, !known.settled[i] || !begun_q[i] || (ended_q[i] && since_q[i] >= 6'd3))
  end

  logic [Units-1:0] full_before_q, middle_before_q;

  always_ff @(posedge clk_i) begin
    full_before_q <= u_dut.full;
    middle_before_q <= u_dut.valid & {Units{!word.first && !word.last}};
    if (rst_i) begin
      full_before_q <= '0;
      middle_before_q <= '0;
    end
  end

  `WC_ASSERT(has_room, word.first || (u_dut.valid & (full_before_q | middle_before_q)) == '0)

  // How long these have been settled; stays at 3.
  logic [1:0] both_q, fields_q;

  always_ff @(posedge clk_i) begin
    if (both_q != '1) both_q <= both_q + 2'd1;
    if (!known.settled[UnitLength] || !known.settled[UnitUnsigned]) both_q <= '0;
    if (fields_q != '1) fields_q <= fields_q + 2'd1;
    if (!known.settled[UnitTime] || !known.settled[UnitUnsigned]) fields_q <= '0;
    if (!known.settled[UnitUnique]) fields_q <= '0;
    if (rst_i) begin
      both_q <= '0;
      fields_q <= '0;
    end
  end

  `WC_ASSERT(measures, both_q != 2'd3 || !known.settled[UnitUnsigned] || known.measured)
  `WC_ASSERT(flags_count, !known.measured || $past(u_dut.plains_q[UnitLength])
                          || !begun_q[UnitUnsigned]
                          || (ended_q[UnitUnsigned] && since_q[UnitUnsigned] >= 6'd5))
  `WC_ASSERT(fields_soon, fields_q == '0 || !fields_wait)
  // And not before the CAS number is settled.
  `WC_ASSERT(unique_is_read, fields_wait || !begun_q[UnitUnique] || known.settled[UnitUnique]
                             || since_q[UnitUnique] <= 6'd1)

  // Since the first line.
  logic line_q;
  always_ff @(posedge clk_i) line_q <= !rst_i && (line_q || (take_i && !word.named));
  `WC_ASSERT(unique_any_told, !line_q || unique_any == (unique_cas != '0))

  `WC_COVER(long_number, known.settled[UnitTime] && begun_q[UnitTime] && !u_dut.plains_q[UnitTime]
                         && since_q[UnitTime] > 6'd16 && since_q[UnitTime] < 6'd24)
  `WC_COVER(plain_and_read, known.settled[UnitUnsigned] && u_dut.plains_q[UnitUnsigned]
                            && begun_q[UnitUnsigned] && since_q[UnitUnsigned] < 6'd16)
  `WC_COVER(another_number, kept_q && known.settled[UnitUnique] && known.ok[UnitUnique]
                            && delta > number_t'(1) && unique_cas > cas_t'(1))
  `WC_COVER(leads_at_once, take_i && led_q && since_q[UnitTime] == 6'd4)
  `WC_COVER(leads_and_is_read, take_i && led_q && !u_dut.at_once_q[UnitTime])
  `WC_COVER(flags_behind_length, known.measured && known.too_large && since_q[UnitLength] > 6'd9
                                 && $past(comes[UnitUnsigned], 8))
  `WC_COVER(too_large, known.measured && known.too_large && known.settled[UnitLength])

endmodule

`default_nettype wire
