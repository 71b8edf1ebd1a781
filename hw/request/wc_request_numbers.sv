// SPDX-License-Identifier: Apache-2.0
// The numbers of a line: a unit for each kind (wc_request_table_pkg), and what is known of the
// number that each read last, but of those of 64 bits of each kind. Nearly all numbers are written with nothing but digits. Of those it
// is known with their last piece that they are right, and their value soon after: flags and times
// of up to ten digits come from wc_request_plain in four cycles, lengths of up to four at once. All
// others, and CAS numbers, are read by wc_text_number, a character a cycle.
// The letter of a flag in front of a number is taken for a space by the one, for a 0 by the other: so
// with a letter up to nine digits are plain, of a time. A number that the line does not have is zero, and wrong
// if it is asked for.
// A number is settled 4 cycles (a time: 6) and as many as it has characters behind its last piece.
// A piece a cycle; `wait_o` is the back-pressure. It also holds up the keys behind a time that
// leads them, until their expiry is there: 4 cycles if the time is up to ten digits, else as long
// as it takes to settle and one more. Likewise what follows a number of a line that has several for
// a unit (waits_for), as a unit forgets the number before: whether that was right is kept.
`default_nettype none

module wc_request_numbers
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
#(
  parameter bit Meta = 1'b1
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire logic        take_i,       // a piece of a line is taken
  input  wire piece_t      piece_i,
  input  wire word_state_t word_i,       // what that piece is
  input  wire key_len_t    key_len_i,    // of the line that has ended
  input  wire value_len_t  most_bytes_i, // of an item, as memcached counts them
  output logic             wait_o,       // no piece may be taken in the next cycle

  // of the numbers that came last
  output numbers_t         known_o,
  output logic             fields_wait_o, // one of the next three is not yet what it will be
  output logic [31:0]      flags_o,
  output logic [31:0]      exptime_o,
  output logic             recache_o,    // that came behind an R
  output logic             touch_o,      // behind a T the one before that, or this one
  output cas_t             unique_o,     // without one: 0
  output logic             unique_any_o, // it is not zero
  output number_t          delta_o,      // 1
  output number_t          start_o,      // 0
  output cas_t             given_o,      // 0
  output value_len_t       length_o,     // a cycle behind known_o
  output logic             length_any_o, // it is not zero

  // if this piece ends its line
  output logic             plain_o       // all numbers are plain, a length, too, if there is one
);

  // The expiry that comes of a time takes three cycles more than the number.
  localparam int unsigned Settle = 3, TimeSettle = 5;

  logic [Units-1:0] here;   // the word is a number for this unit
  word_t data;
  logic [Units-1:0] valid, full, busy, signed_ok, unsigned_ok;
  logic [Units-1:0][63:0] number;
  logic leads, leads_q;  // a time that leads keys ends with this piece; did, and they wait for it
  logic timed;           // the expiry of the time will be there a cycle later
  logic free;            // nobody waits for a time or a number of 64 bits

  for (genvar i = 0; i < Units; i++) begin : gen_number
    localparam int unsigned Width = i == UnitUnique ? 64 : 32;
    logic [Width-1:0] value;

    wc_text_number #(
      .Settle(i == UnitTime ? TimeSettle : Settle),
      .Width (Width)
    ) u_number (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .valid_i      (valid[i]),
      .full_o       (full[i]),
      .start_i      (word_i.first),
      .end_i        (word_i.last),
      .data_i       (data),
      .bytes_i      (piece_i.bytes),
      .busy_o       (busy[i]),
      .value_o      (value),
      .signed_ok_o  (signed_ok[i]),
      .unsigned_ok_o(unsigned_ok[i])
    );

    assign number[i] = 64'(value);
  end

  assign data = {piece_i.data[63:8], word_i.lettered ? 8'(" ") : piece_i.data[7:0]};
  assign here = word_i.place.number;
  assign valid = here & {Units{take_i && word_i.counts}};
  assign wait_o = |(here & full) || (|valid && !word_i.first && !word_i.last)
                  || leads || (leads_q && !free);

  // ---- plain numbers ------------------------------------------------------------------------------------
  logic plain, plain_q;        // the word is all digits so far, but for the letter of a flag
  logic plain_word;            // it is, and has none
  logic at_once;               // and has ten or fewer
  logic [Units-1:0] plains_q;  // the numbers are; those that the line does not have, too
  logic [Units-1:0] at_once_q;
  logic [Units-1:0] given_q;   // the line has them
  logic [31:0] plain_number, plain_flags_q;
  logic [4:1] flags_come_q;  // bit i: the flags' piece came i cycles ago

  assign plain_word = (piece_i.digits || (!piece_i.any && !word_i.first))
                      && (word_i.first || plain_q) && word_i.early;
  assign plain = plain_word || (word_i.lettered && piece_i.digits_behind);
  // One unit reads plain flags and times in turns: the flags of an item come before its time, but not
  // in a line of a meta command.
  assign at_once = plain && !(here[UnitUnsigned] && word_i.place.flag)
                   && (word_i.first || (word_i.second && piece_i.bytes <= 4'd2));

  wc_request_plain u_plain (
    .clk_i   (clk_i),
    .valid_i (((valid[UnitUnsigned] && !word_i.place.flag) || valid[UnitTime]) && piece_i.any),
    .start_i (word_i.first),
    .data_i  (data),
    .bytes_i (piece_i.bytes[2:0]),
    .number_o(plain_number)
  );

  // The length of most values, one piece of up to four digits, is known in the cycle it comes.
  logic [13:0] few_length;
  logic few_any, few;

  assign few = piece_i.few_digits && word_i.first;
  assign few_any = |{piece_i.data[27:24], piece_i.data[19:16], piece_i.data[11:8],
                     piece_i.data[3:0]};
  assign few_length = {1'd0, piece_i.hundreds, 6'd0} + {2'd0, piece_i.hundreds, 5'd0}
                      + ({5'd0, piece_i.hundreds, 2'd0} + {7'd0, piece_i.below});

  logic [Units-1:0] plains;  // with this piece

  always_comb begin
    for (int unsigned i = 0; i < Units; i++) begin
      plains[i] = here[i] && word_i.counts ? (i == UnitLength ? few : plain) : plains_q[i];
    end
  end

  // No value follows a line with flags at once.
  always_comb begin
    plain_o = 1'b1;
    for (int unsigned i = 0; i < Units; i++) begin
      if (!(here[i] && word_i.counts ? (i == UnitLength ? few : plain_word) : plains_q[i])) begin
        plain_o = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    flags_come_q <= {flags_come_q[3:1], valid[UnitUnsigned]};
    if (flags_come_q[4]) plain_flags_q <= plain_number;
    if (take_i) begin
      plain_q <= plain;
      for (int unsigned i = 0; i < Units; i++) begin
        if (here[i] && word_i.counts && word_i.last) begin
          plains_q[i] <= plains[i];
          at_once_q[i] <= at_once;
        end
      end
      if (here[UnitLength] && word_i.counts && word_i.last) begin
        length_o <= value_len_t'(few_length);
        length_any_o <= few_any;
      end
    end
    given_q <= given_q | valid;
    if (take_i && !word_i.named) begin
      plains_q <= '1;
      given_q <= '0;
    end
    if (!plains_q[UnitLength]) begin
      length_o <= number[UnitLength][$bits(value_len_t)-1:0];
      length_any_o <= number[UnitLength][$bits(value_len_t)-1:0] != '0;
    end
  end

  assign flags_o = {32{given_q[UnitUnsigned]}}
                   & (at_once_q[UnitUnsigned] ? plain_flags_q : number[UnitUnsigned][31:0]);
  assign exptime_o = {32{given_q[UnitTime]}}
                     & (at_once_q[UnitTime] ? plain_number : number[UnitTime][31:0]);

  // ---- numbers of 64 bits -------------------------------------------------------------------------------
  // Where the unit's number belongs: there it is a cycle later, so once it is settled.
  if (Meta) begin : gen_kinds
    localparam flags_t Uniques = flags_with_number(ArgUnique);
    localparam flags_t Deltas = flags_with_number(ArgDelta);
    localparam flags_t Starts = flags_with_number(ArgStart);
    localparam flags_t Givens = flags_with_number(ArgGiven);
    localparam flags_t Recaches = flag_of("R"), Touches = flag_of("T");

    logic unique_q, delta_q, start_q, given_number_q;

    always_ff @(posedge clk_i) begin
      if (unique_q) begin
        unique_o <= number[UnitUnique];
        unique_any_o <= number[UnitUnique] != '0;
      end
      if (delta_q) delta_o <= number[UnitUnique];
      if (start_q) start_o <= number[UnitUnique];
      if (given_number_q) given_o <= number[UnitUnique];
      if (valid[UnitUnique] && word_i.first) begin
        unique_q <= !word_i.lettered || (piece_i.flag & Uniques) != '0;
        delta_q <= !word_i.lettered || (piece_i.flag & Deltas) != '0;
        start_q <= word_i.lettered && (piece_i.flag & Starts) != '0;
        given_number_q <= word_i.lettered && (piece_i.flag & Givens) != '0;
      end
      if (valid[UnitTime] && word_i.first) begin
        recache_o <= (piece_i.flag & Recaches) != '0;
        if ((piece_i.flag & Recaches) == '0) touch_o <= (piece_i.flag & Touches) != '0;
      end
      if (take_i && !word_i.named) begin
        {unique_q, delta_q, start_q, given_number_q} <= '0;
        unique_o <= '0;
        unique_any_o <= 1'b0;
        delta_o <= number_t'(1);
        start_o <= '0;
        given_o <= '0;
      end
    end
  end else begin : gen_one_kind
    assign unique_o = number[UnitUnique];
    assign unique_any_o = number[UnitUnique] != '0;
    assign delta_o = number[UnitUnique];
    assign start_o = '0;
    assign given_o = '0;
    assign recache_o = 1'b0;
    assign touch_o = 1'b0;
  end

  // ---- what is known of all numbers ----------------------------------------------------------------------
  // A cycle behind the pieces, and so low in the cycle behind one.
  logic [Units-1:0] settled_q, judged_q, ok_q;
  logic last_time_q, last_unique_q;
  logic [Units-1:0] spoilt_q;  // one that the unit has forgotten was wrong
  logic fields_wait_q;
  logic timed_q;
  logic [3:1] time_comes_q;  // bit i: a piece of a time came i cycles ago

  // A time of up to ten digits is there four cycles behind its last piece, and the expiry of it as
  // the fields of an operation are chosen that is put in the next cycle.
  assign timed = settled_q[UnitTime] || (at_once_q[UnitTime] && time_comes_q == '0);
  assign free = timed && (!Meta || settled_q[UnitUnique]);
  // Behind the end of the packet no key follows.
  assign leads = take_i && word_i.counts && word_i.last && word_i.place.leads && !piece_i.stop;

  always_ff @(posedge clk_i) begin
    time_comes_q <= {time_comes_q[2:1], valid[UnitTime]};
    timed_q <= timed && !valid[UnitTime];
    leads_q <= leads || (leads_q && !free);
    settled_q <= ~busy & ~valid;
    judged_q <= (~busy | plains_q) & ~valid;
    for (int unsigned i = 0; i < Units; i++) begin
      if (Meta && valid[i] && word_i.first && given_q[i] && !ok_q[i]) spoilt_q[i] <= 1'b1;
    end
    if (!Meta || (take_i && !word_i.named)) spoilt_q <= '0;
    ok_q[UnitUnsigned] <= given_q[UnitUnsigned]
                          && (plains_q[UnitUnsigned] || unsigned_ok[UnitUnsigned]);
    ok_q[UnitTime] <= given_q[UnitTime] && !spoilt_q[UnitTime]
                      && (plains_q[UnitTime] || signed_ok[UnitTime]);
    last_time_q <= plains_q[UnitTime] || signed_ok[UnitTime];
    last_unique_q <= plains_q[UnitUnique] || unsigned_ok[UnitUnique];
    // memcached adds two to a length, in 32 bits
    ok_q[UnitLength] <= given_q[UnitLength]
                        && (plains_q[UnitLength]
                            || (signed_ok[UnitLength] && !number[UnitLength][31]
                                && number[UnitLength][30:1] != '1));
    ok_q[UnitUnique] <= given_q[UnitUnique] && !spoilt_q[UnitUnique]
                        && (plains_q[UnitUnique] || unsigned_ok[UnitUnique]);
    fields_wait_q <= (!settled_q[UnitUnsigned] && !at_once_q[UnitUnsigned])
                     || (!settled_q[UnitTime] && !at_once_q[UnitTime]) || !settled_q[UnitUnique];
    if (rst_i) leads_q <= 1'b0;
  end

  assign fields_wait_o = fields_wait_q;

  // ---- how large the item would be -----------------------------------------------------------------------
  // A length of four digits is never too large. The flags take room in the item, so the sum of any
  // other waits for them, three cycles behind their last character.
  logic flags_any_q, large_q, measured_q;
  logic [2:1] flags_settled_q;
  logic [8:0] base_q;
  logic [31:0] item_q;

  always_ff @(posedge clk_i) begin
    flags_any_q <= given_q[UnitUnsigned] && number[UnitUnsigned] != '0;
    base_q <= 9'(key_len_i) + 9'(flags_any_q ? ItemBytes + ItemFlagBytes : ItemBytes);
    item_q <= number[UnitLength][31:0] + 32'(base_q);
    large_q <= item_q > 32'(most_bytes_i) && !plains_q[UnitLength];
    flags_settled_q <= {flags_settled_q[1], settled_q[UnitUnsigned]};
    // Flags may come behind the length.
    measured_q <= plains_q[UnitLength]
                  || (settled_q[UnitLength] && flags_settled_q == '1 && settled_q[UnitUnsigned]
                      && !valid[UnitUnsigned]);
  end

  assign known_o = '{settled: settled_q, judged: judged_q, ok: ok_q, last_time: last_time_q,
                     last_unique: last_unique_q, timed: timed_q, measured: measured_q,
                     too_large: large_q};

endmodule

`default_nettype wire
