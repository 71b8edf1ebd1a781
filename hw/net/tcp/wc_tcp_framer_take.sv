// SPDX-License-Identifier: Apache-2.0
// How many bytes of the window the framer takes. That follows from what a mode looks for and from
// the marks of the bytes, never from what they turn out to be. No registers.
`default_nettype none

module wc_tcp_framer_take
  import wc_pkg::*;
  import wc_tcp_framer_pkg::*;
(
  input  wire mode_e       mode_i,
  input  wire logic        named_i,   // Name: something has come of it
  input  wire logic        full_i,    // of a name as many letters as are kept
  input  wire logic        cr_i,
  input  wire logic        text_i,    // Words: in a word that is no number
  input  wire logic        any_i,     // no word counts any more
  input  wire logic [4:0]  at_i,      // Header: bytes that have come
  input  wire logic [10:0] front_i,
  input  wire logic [5:0]  number_i,  // its lower bits
  input  wire logic        far_i,     // it was 32 or more a cycle ago
  input  wire logic [WordBytes-1:0] there_i,
  input  wire logic [WordBytes-1:0] lf_i,
  input  wire logic [WordBytes-1:0] space_i,
  input  wire logic [WordBytes-1:0] stop_i,
  input  wire logic [WordBytes-1:0] letter_i,
  output logic [WordBytes-1:0] take_o,  // one-hot: bytes up to this one
  output logic             ninth_o,     // a letter that has no room, and is not taken
  output logic [3:0]       taken_o,     // so many
  output logic             all_o,       // all that are there
  output logic [3:0]       held_o,      // so many are there
  output logic             hit_o,       // what is counted ends among them
  output logic             eight_o      // Header: the first eight bytes, or the body's four
);

  typedef logic [WordBytes-1:0] each_t;
  each_t all, run, line, letters, counted;
  logic [5:0] count;
  logic far;

  // no stop or letter in front of a byte, and where \n is first
  always_comb begin
    for (int unsigned i = 0; i < WordBytes; i++) begin
      logic clear, spelt, passed;
      clear = 1'b1;
      spelt = 1'b1;
      passed = 1'b0;
      for (int unsigned j = 0; j <= i; j++) begin
        clear &= !stop_i[j];
        if (j < i) spelt &= letter_i[j];
        if (j < i) passed |= lf_i[j];
      end
      all[i] = there_i[i] && (i == WordBytes - 1 || !there_i[(i+1)%WordBytes]);
      run[i] = clear && there_i[i] && (all[i] || stop_i[(i+1)%WordBytes]);
      line[i] = !passed && (lf_i[i] || all[i]);
      // a name, and the space behind it
      letters[i] = spelt && space_i[i] && i != 0;
      if (spelt && letter_i[i] && (i == WordBytes - 1 || !(letter_i[(i+1)%WordBytes]
                                                           || space_i[(i+1)%WordBytes]))) begin
        letters[i] = 1'b1;
      end
    end
  end

  always_comb begin
    unique case (mode_i)
      Front:   count = front_i[10:5] != '0 ? '1 : front_i[5:0];
      Header:  count = 6'd24 - 6'(at_i);
      default: count = number_i;
    endcase
    // Of a number this is known a cycle late: it has fallen by eight_o bytes since, or grown by
    // two.
    far = mode_i inside {Value, Skip} && far_i;
    counted = all;
    hit_o = 1'b0;
    held_o = '0;
    for (int unsigned i = 0; i < WordBytes; i++) if (all[i]) held_o |= 4'(i + 1);
    for (int unsigned i = 0; i < WordBytes; i++) begin
      if (!far && there_i[i] && count == 6'(i + 1)) begin
        counted = '0;
        counted[i] = 1'b1;
        hit_o = 1'b1;
      end
    end
  end

  assign ninth_o = letter_i[0] && full_i && !cr_i;
  assign eight_o = (at_i == 5'd0 && there_i[7]) || (at_i == 5'd8 && there_i[3]);

  always_comb begin
    take_o = '0;
    unique case (mode_i)
      Name: if (!named_i && letter_i[0]) take_o = letters;
            else if (!ninth_o && !(named_i && stop_i[0] && !space_i[0])) take_o[0] = there_i[0];
      Named: take_o = run;
      Rest: take_o = line;
      Words: begin
        if (any_i) take_o = line;
        else if (text_i && !stop_i[0]) take_o = run;
        else take_o[0] = there_i[0];
      end
      Value, Front, Skip: take_o = counted;
      Header: begin
        if (at_i == 5'd24) take_o = '0;
        else if (eight_o) take_o = at_i == 5'd0 ? all : counted;
        else if (at_i >= 5'd12) take_o = counted;
        else take_o[0] = there_i[0];
      end
      Closed: take_o = all;
      default: take_o = '0;
    endcase
  end

  always_comb begin
    taken_o = '0;
    for (int unsigned i = 0; i < WordBytes; i++) if (take_o[i]) taken_o |= 4'(i + 1);
  end

  assign all_o = (take_o & all) != '0;

endmodule

`default_nettype wire
