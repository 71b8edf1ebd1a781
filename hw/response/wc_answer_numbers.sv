// SPDX-License-Identifier: Apache-2.0
// The numbers of an ASCII answer as text, packed: of a hit " <flags> <bytes>[ <cas>]\r\n", of an
// INCR or DECR "<number>\r\n", where cas_i is the number. And lines of meta answers, which come in
// pieces: a lead, and behind it a number (cas_i), the words of a stream, or nothing; the last piece
// has CR LF behind it. Works ahead of the answer, whose key is on its way meanwhile. One line or
// piece every 4 cycles when what it shows is below 2**16, else 4 for each 16 bits of the largest,
// and at most a word of a stream a cycle; latency 16 for a line of one word.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_numbers #(
  parameter bit Meta = 1'b1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               valid_i,
  output logic                    ready_o,
  input  wire logic               alone_i,  // cas_i is all of the line
  input  wire wc_response_pkg::piece_t piece_i,  // with LeadNone: a line of its own
  input  wire logic [31:0]        flags_i,
  input  wire wc_pkg::value_len_t value_len_i,
  input  wire logic               with_cas_i,
  input  wire wc_pkg::cas_t       cas_i,
  input  wire logic               key_valid_i,
  output logic                    key_ready_o,
  input  wire wc_pkg::beat_t      key_i,
  input  wire logic               opaque_valid_i,
  output logic                    opaque_ready_o,
  input  wire wc_pkg::opaque_word_t opaque_i,
  output logic                    encode_o,  // words of a key in base64 are wanted
  output logic [2:0]              encode_low_o,  // of the key's length
  input  wire logic               encoded_valid_i,
  output logic                    encoded_ready_o,
  input  wire wc_pkg::opaque_word_t encoded_i,
  output logic                    valid_o,
  input  wire logic               ready_i,
  output wc_pkg::word_t           data_o,
  output logic [3:0]              bytes_o,  // 8, or less in the last word
  output logic                    last_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  localparam int unsigned FlagDigits = decimal_digits(32);
  localparam int unsigned LengthDigits = decimal_digits(MostValueBits);
  localparam int unsigned CasDigits = decimal_digits($bits(cas_t));

  // A number is sent in groups of seven digits, so that the first one has room for the space.
  localparam int unsigned GroupDigits = 7;
  typedef logic [GroupDigits-1:0][3:0] group_t;

  typedef enum logic [3:0] {
    FlagsHigh = 4'd0,
    FlagsLow  = 4'd1,
    Length    = 4'd2,
    CasHigh   = 4'd3,
    CasMiddle = 4'd4,
    CasLow    = 4'd5,
    LineEnd   = 4'd6,  // says nothing behind a piece with another one behind it
    Lead      = 4'd7,
    Words     = 4'd8   // until the last
  } part_e;
  localparam int unsigned Groups = 6;
  localparam int unsigned Parts = 9;

  // ---- a line is taken, and its numbers moved to the front of their registers -------------------
  // They are converted side by side, all in as many steps as the largest needs: 4 for each 16 bits
  // that it has. Flags and length have at most 32; of a larger cas the first bits go alone.
  localparam int unsigned NarrowBits = 32;

  logic empty_q, raw_q, aligned_q;  // one of them
  logic wide_q;                     // flags or length have more than 16 bits
  logic two_q, three_q, four_q;     // the cas has more than 16, 32, 48
  logic more_than_one;
  logic [NarrowBits-1:0] flags_q, length_q;
  cas_t cas_q;
  logic held_with_cas_q, held_alone_q;
  piece_t held_piece_q;
  logic with_cas;
  logic start;

  `WC_REQUIRE(length, MostValueBits <= NarrowBits, "wc_answer_numbers: lengths are too wide")

  assign with_cas = alone_i ? piece_i.number : with_cas_i;
  assign ready_o = empty_q;
  assign more_than_one = wide_q || two_q || three_q || four_q;

  always_ff @(posedge clk_i) begin
    if (empty_q) begin
      empty_q <= !valid_i;
      raw_q <= valid_i;
      held_with_cas_q <= with_cas;
      held_alone_q <= alone_i;
      held_piece_q <= piece_i;
      wide_q <= !alone_i &&
                (flags_i[31:16] != '0 || value_len_i[$bits(value_len_i)-1:16] != '0);
      two_q <= with_cas && cas_i[31:16] != '0;
      three_q <= with_cas && cas_i[47:32] != '0;
      four_q <= with_cas && cas_i[63:48] != '0;
    end else if (raw_q) begin
      raw_q <= 1'b0;
      aligned_q <= 1'b1;
    end else if (start) begin
      aligned_q <= 1'b0;
      empty_q <= 1'b1;
    end
    if (!aligned_q) begin
      flags_q <= flags_i;
      length_q <= NarrowBits'(value_len_i);
      cas_q <= cas_i;
      if (raw_q) begin
        flags_q <= more_than_one ? flags_q : flags_q << 16;
        length_q <= more_than_one ? length_q : length_q << 16;
        cas_q <= four_q ? cas_q : three_q ? cas_q << 16 : more_than_one ? cas_q << 32 : cas_q << 48;
      end
    end
    if (rst_i) begin
      empty_q <= 1'b1;
      raw_q <= 1'b0;
      aligned_q <= 1'b0;
    end
  end

  // ---- the conversion --------------------------------------------------------------------------
  logic [3:0] left_q, left_d;  // steps
  logic step_q, narrow_step_q;  // there are some left; at most 7
  logic full_q;                 // the digits wait
  logic with_cas_q, alone_q;
  piece_t piece_q;
  logic free_q, hand_over;
  logic [FlagDigits-1:0][3:0] flags;
  logic [LengthDigits-1:0][3:0] length_digits;
  logic [CasDigits-1:0][3:0] cas;

  assign hand_over = full_q && free_q;
  assign start = aligned_q && !step_q && (!full_q || free_q);

  always_comb begin
    left_d = left_q;
    if (step_q) left_d = left_q - 1'b1;
    else if (start) left_d = {three_q || four_q, four_q || (more_than_one && !three_q), 2'd3};
  end

  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    step_q <= left_d != 4'd0;
    narrow_step_q <= left_d != 4'd0 && !left_d[3];
    if (left_q == 4'd1) full_q <= 1'b1;
    else if (hand_over) full_q <= 1'b0;
    if (start) begin
      with_cas_q <= held_with_cas_q;
      alone_q <= held_alone_q;
      piece_q <= held_piece_q;
    end
    if (rst_i) begin
      left_q <= '0;
      step_q <= 1'b0;
      narrow_step_q <= 1'b0;
      full_q <= 1'b0;
    end
  end

  wc_decimal #(
    .Width(NarrowBits)
  ) u_flags (
    .clk_i   (clk_i),
    .start_i (start),
    .step_i  (narrow_step_q),
    .value_i (flags_q),
    .digits_o(flags)
  );

  wc_decimal #(
    .Width (NarrowBits),
    .Digits(LengthDigits)
  ) u_length (
    .clk_i   (clk_i),
    .start_i (start),
    .step_i  (narrow_step_q),
    .value_i (length_q),
    .digits_o(length_digits)
  );

  wc_decimal #(
    .Width($bits(cas_t))
  ) u_cas (
    .clk_i   (clk_i),
    .start_i (start),
    .step_i  (step_q),
    .value_i (cas_q),
    .digits_o(cas)
  );

  // ---- the parts that have something to say, one after the other --------------------------------
  logic [Parts-1:0] part_q, after;  // one of them, or none; the next
  logic none_q;
  logic leading_q;  // it begins a number
  group_t [Groups-1:0] groups_q;
  logic sending_alone_q;
  piece_t sending_q;
  logic [CasLow:CasHigh] first_cas, first_cas_q;  // the group it begins with; none: there is no cas
  logic send, room, room_q;
  logic at_lead, at_words, has_words, words_last;
  opaque_word_t text;  // words that say how many bytes they have
  logic text_valid;

  assign at_lead = Meta && part_q[Lead];
  assign at_words = Meta && part_q[Words];
  assign has_words = sending_q.key || sending_q.encoded || sending_q.opaque;
  assign words_last = sending_q.key ? key_i.last : text.last;
  assign text = sending_q.encoded ? encoded_i : opaque_i;
  assign text_valid = sending_q.encoded ? encoded_valid_i : opaque_valid_i;
  assign key_ready_o = room_q && at_words && sending_q.key;
  assign opaque_ready_o = room_q && at_words && sending_q.opaque;
  assign encode_o = at_words && sending_q.encoded;
  assign encode_low_o = sending_q.key_low;
  assign encoded_ready_o = room_q && encode_o;

  // room is a cycle late, so that this one knows whether the next can send. The groups are free in
  // the next one if the line's end is sent then, or was sent.
  assign send = room_q && !none_q &&
                (!at_words || (sending_q.key ? key_valid_i : text_valid));

  always_comb begin
    first_cas = '0;
    if (cas[CasDigits-1:2*GroupDigits] != '0) first_cas[CasHigh] = 1'b1;
    else if (cas[2*GroupDigits-1:GroupDigits] != '0) first_cas[CasMiddle] = 1'b1;
    else first_cas[CasLow] = 1'b1;
    after = '0;
    after[FlagsLow] = part_q[FlagsHigh];
    after[Length] = part_q[FlagsLow];
    after[CasHigh] = (part_q[Length] || at_lead) && first_cas_q[CasHigh];
    after[CasMiddle] = part_q[CasHigh] || ((part_q[Length] || at_lead) && first_cas_q[CasMiddle]);
    after[CasLow] = part_q[CasMiddle] || ((part_q[Length] || at_lead) && first_cas_q[CasLow]);
    after[Words] = (at_lead && has_words) || (at_words && !words_last);
    after[LineEnd] = part_q[CasLow] || (part_q[Length] && first_cas_q == '0) ||
                     (at_lead && !has_words && !sending_q.number) || (at_words && words_last);
  end

  always_ff @(posedge clk_i) begin
    room_q <= room;
    free_q <= !hand_over && (none_q || (room_q && part_q[LineEnd]) ||
                             (room && (send ? after[LineEnd] : part_q[LineEnd])));
    if (send) begin
      part_q <= after;
      none_q <= part_q[LineEnd];
      leading_q <= part_q[FlagsLow] || part_q[Length] || at_lead;
    end
    if (hand_over) begin
      part_q <= '0;
      if (Meta && piece_q.lead != LeadNone) begin
        part_q[Lead] <= 1'b1;
      end else if (alone_q) begin
        part_q[CasLow:CasHigh] <= first_cas;
      end else begin
        part_q[FlagsHigh] <= flags[FlagDigits-1:GroupDigits] != '0;
        part_q[FlagsLow] <= flags[FlagDigits-1:GroupDigits] == '0;
      end
      none_q <= 1'b0;
      leading_q <= 1'b1;
      sending_alone_q <= alone_q;
      sending_q <= piece_q;
      first_cas_q <= with_cas_q ? first_cas : '0;
      groups_q[FlagsHigh] <= group_t'(flags[FlagDigits-1:GroupDigits]);
      groups_q[FlagsLow] <= flags[GroupDigits-1:0];
      groups_q[Length] <= group_t'(length_digits);
      groups_q[CasHigh] <= group_t'(cas[CasDigits-1:2*GroupDigits]);
      groups_q[CasMiddle] <= cas[2*GroupDigits-1:GroupDigits];
      groups_q[CasLow] <= cas[GroupDigits-1:0];
    end
    if (rst_i) begin
      room_q <= 1'b0;
      free_q <= 1'b0;
      part_q <= '0;
      none_q <= 1'b1;
    end
  end

  // Stage 1: the group, or what is no number. Stage 2: how many digits of it count. Stage 3: moved
  // to the front.
  group_t group, group_q, group_q2;
  logic [7:0][3:0] digits;
  logic [GroupDigits-1:0][7:0] front;
  logic leading_q2;
  logic space_q2, space_q3;  // one in front of it
  logic end_q, end_q2, end_q3;
  logic valid_q, valid_q2, valid_q3;
  logic [2:0] spare, spare_q;  // leading zeros
  logic text_q, text_q2;  // it is no number
  word_t said, said_q, said_q2;
  fragment_bytes_t said_bytes, said_bytes_q, said_bytes_q2;
  lead_text_t lead_text;
  logic [7:0][7:0] chars_q;
  logic [3:0] bytes_q;

  assign digits = {4'd0, group_q2};

  always_comb begin
    group = '0;
    for (int unsigned i = 0; i < Groups; i++) if (part_q[i]) group = group | groups_q[i];
    spare = '0;
    if (leading_q2) begin
      spare = 3'(GroupDigits - 1);
      for (int unsigned i = 1; i < GroupDigits; i++) begin
        if (group_q[i] != 4'd0) spare = 3'(GroupDigits - 1 - i);
      end
    end
    for (int unsigned i = 0; i < GroupDigits; i++) begin
      front[i] = {2'd0, {2{!text_q2}}, digits[3'(GroupDigits - 1 - i) - spare_q]};
    end
    lead_text = text_of_lead(sending_q.lead);
    said = part_q[LineEnd] ? {48'd0, CrLf[7:0], CrLf[15:8]} : '0;  // 0 beside a group
    said_bytes = 4'd2;
    if (at_lead) begin
      said = word_t'(lead_text.chars);
      said_bytes = fragment_bytes_t'(lead_text.bytes);
    end else if (at_words) begin
      said = sending_q.key ? key_i.data : text.data;
      said_bytes = !sending_q.key ? text.bytes :
                   key_i.last     ? last_bytes(sending_q.key_low) : fragment_bytes_t'(WordBytes);
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q <= send && (!part_q[LineEnd] || sending_q.ends);
    group_q <= group;
    leading_q2 <= leading_q;
    space_q2 <= leading_q && !sending_alone_q && !part_q[LineEnd];
    end_q <= part_q[LineEnd];
    text_q <= part_q[LineEnd] || at_lead || at_words;
    said_q <= said;
    said_bytes_q <= said_bytes;

    valid_q2 <= valid_q;
    group_q2 <= group_q;
    space_q3 <= space_q2;
    spare_q <= spare;
    end_q2 <= end_q;
    text_q2 <= text_q;
    said_q2 <= said_q;
    said_bytes_q2 <= said_bytes_q;

    valid_q3 <= valid_q2;
    end_q3 <= end_q2;
    chars_q <= (space_q3 ? {front, 8'(" ")} : {8'd0, front}) | said_q2;
    bytes_q <= text_q2 ? said_bytes_q2 : 4'(GroupDigits) - {1'b0, spare_q} + {3'd0, space_q3};
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
    end
  end

  wc_pack #(
    .Depth(16),
    .Slack(4)
  ) u_pack (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .valid_i       (valid_q3),
    .ready_o       (room),
    .first_i       (chars_q),
    .first_bytes_i (bytes_q),
    .second_i      ('0),
    .second_bytes_i('0),
    .last_i        (end_q3),
    .error_i       (1'b0),
    .valid_o       (valid_o),
    .ready_i       (ready_i),
    .data_o        (data_o),
    .bytes_o       (bytes_o),
    .last_o        (last_o),
    .error_o       ()
  );

  `WC_ASSERT(one_state, $onehot({empty_q, raw_q, aligned_q}))
  `WC_ASSERT(one_part, $onehot({none_q, part_q}))
  `WC_ASSERT(start_or_step, !start || !step_q)
  `WC_ASSERT(steps, step_q == (left_q != '0) && narrow_step_q == (left_q inside {[1:7]}))
  `WC_ASSERT(groups_are_free, !hand_over || none_q || (send && part_q[LineEnd]))

endmodule

`default_nettype wire
