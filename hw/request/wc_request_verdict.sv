// SPDX-License-Identifier: Apache-2.0
// The verdict on a line that has ended, of every command in the same way, from the rule in its row:
// are there as many words as there may be, are the arguments what they should be, is its key short
// enough, and is the item, if it brings one, small enough. The first that is wrong is what the
// answer says. That is memcached's order, but for rows with the quirk KeyFirst. Keys that are
// operations of their own have passed; the verdict is then on a line that has none, or is wrong.
// The flags of a meta command are judged behind its arguments: one that there is not or comes twice
// is told first, then the last one that is not what it has to be (that of base64, if the key is
// none), flags of the item before all others, then a mode that there is not, then too long an O.
// No registers. `decided_o` is low while a number that counts is still read.
`default_nettype none

module wc_request_verdict
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
(
  input  wire rule_t    rule_i,
  input  wire ended_t   ended_i,
  input  wire numbers_t numbers_i,
  input  wire flagged_t flagged_i,
  output logic          decided_o,
  output logic          right_o,      // nothing is wrong with it
  output logic          too_large_o,  // it would be right, but for the size of its item
  output logic          swallows_o,   // a flag is wrong: a value follows, and is not looked at
  output logic          drops_o,      // nor is the rest of the packet
  output op_t           op_o,         // what is to be done or said
  output op_t           made_o        // what is to be done, if it is right
);

  logic [Units-1:0] missing;
  logic wrong, too_large, flagged, sized;
  logic [Units-1:0] asked, bad_flags;
  logic late, behind;  // a wrong number came behind the mode; behind the flag of base64
  status_e when_flagged, when_bad;
  status_e when_wrong, when_not;  // what is told of a line that fits; `wrong` comes last

  // Of an argument that may be missing, and is, nothing is asked. That a number is right may be
  // known before the number is; a value leaves time to read it. The expiry that comes of a time may
  // be there before that is known of all times.
  always_comb begin
    asked = ended_i.asked | flagged_i.asked;
    missing = asked & ~(rule_i.value ? numbers_i.judged : numbers_i.settled);
    if (rule_i.touches && numbers_i.timed && !flagged_i.recaches) missing[UnitTime] = 1'b0;
    if (ended_i.asked[UnitLength] && !numbers_i.measured) missing[UnitLength] = 1'b1;
  end

  assign decided_o = missing == '0;
  assign wrong = ended_i.wrong || (ended_i.asked & ~numbers_i.ok) != '0;
  assign too_large = ended_i.asked[UnitLength] && numbers_i.too_large;
  assign bad_flags = flagged_i.asked & ~numbers_i.ok;
  assign flagged = flagged_i.faulty || bad_flags != '0;
  assign sized = ended_i.fits && !wrong && !ended_i.over;  // its arguments are right
  assign right_o = ended_i.fits && !wrong && !ended_i.over && !flagged && !too_large;
  assign too_large_o = sized && !flagged && too_large;
  assign swallows_o = sized && flagged && rule_i.value;
  assign drops_o = (sized && too_large) || (right_o && rule_i.command.drops);

  // Of these numbers one is wrong that is not the item's flags. A line has two times at most, and two of
  // 64 bits, if the order of its mistakes is told: so where one of the others is one, only the last one
  // is among them.
  function automatic logic wrong_among(logic [Units-1:0] these, logic [Units-1:0] others);
    return (these[UnitTime] && !(others[UnitTime] ? numbers_i.last_time : numbers_i.ok[UnitTime]))
           || (these[UnitUnique]
               && !(others[UnitUnique] ? numbers_i.last_unique : numbers_i.ok[UnitUnique]));
  endfunction

  assign late = wrong_among(flagged_i.late, flagged_i.early);
  assign behind = wrong_among(flagged_i.behind, flagged_i.ahead);

  // A wrong number of the item's flags has no text of its own.
  always_comb begin
    when_bad = bad_flags[UnitTime] || bad_flags[UnitUnique] ? StBadToken : StBadFormat;
    if (flagged_i.mode_length && !late) when_bad = StBadModeLength;
    if (flagged_i.undecoded && (flagged_i.mode_before || !flagged_i.mode_length) && !behind) begin
      when_bad = StUndecoded;
    end
    if (flagged_i.stopped) when_bad = flagged_i.again ? StDuplicateFlag : StInvalidFlag;
    when_flagged = !flagged_i.mode_bad ? StLongOpaque :
                   rule_i.meta == MetaSet ? StBadMode : StBadArithmeticMode;
    if (bad_flags != '0 || flagged_i.mode_length || flagged_i.undecoded || flagged_i.stopped) begin
      when_flagged = rule_i.complaint == StBadFlag ? StBadFlag : when_bad;
    end
  end

  always_comb begin
    made_o = '0;
    made_o.op = rule_i.behind;
    made_o.say = rule_i.command.say;
    made_o.quiet = ended_i.quiet || flagged_i.quiet;
    made_o.meta = rule_i.meta != '0;
    made_o.with_key = flagged_i.key;
    made_o.encoded = flagged_i.encoded;
    if (flagged_i.mode != OpNone) made_o.op = flagged_i.mode;
    // A replace with a CAS number is a SET with one: both need an item.
    if (flagged_i.mode == OpReplace && flagged_i.compares) made_o.op = OpSet;
    if (rule_i.meta == MetaGet) begin
      if (flagged_i.touches) made_o.op = flagged_i.value ? OpGat : OpTouch;
      else made_o.op = flagged_i.value ? OpGet : OpLook;
      // An item that it creates does not keep that. Of one that is there the item itself tells.
      if (flagged_i.creates) made_o.encoded = 1'b0;
    end
  end

  always_comb begin
    op_o = '0;
    op_o.quiet = ended_i.quiet;
    when_wrong = rule_i.key_first && ended_i.over ? StBadFormat : rule_i.complaint;
    when_not = ended_i.over ? StBadFormat : flagged ? when_flagged :
               too_large ? StTooLarge : StOk;
    op_o.status = !ended_i.fits ? StUnknown : wrong ? when_wrong : when_not;
    op_o.cancel = rule_i.takes_back && ended_i.over && ended_i.fits && !wrong;
    if (too_large_o && rule_i.replaces) op_o.op = OpRefuse;
    if (right_o) op_o = made_o;
  end

endmodule

`default_nettype wire
