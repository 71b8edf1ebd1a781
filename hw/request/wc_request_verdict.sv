// SPDX-License-Identifier: Apache-2.0
// The verdict on a line that has ended, of every command in the same way, from the rule in its row:
// are there as many words as there may be, are the arguments what they should be, is its key short
// enough, and is the item, if it brings one, small enough. The first that is wrong is what the
// answer says. That is memcached's order, but for rows with the quirk KeyFirst. Keys that are
// operations of their own have passed; the verdict is then on a line that has none, or is wrong.
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
  output logic          decided_o,
  output logic          right_o,      // nothing is wrong with it
  output logic          too_large_o,  // it would be right, but for the size of its item
  output op_t           op_o          // what is to be done or said
);

  logic [Units-1:0] missing;
  logic wrong, too_large;
  status_e when_wrong, when_not;  // what is told of a line that fits; `wrong` comes last

  // Of an argument that may be missing, and is, nothing is asked. That a number is right may be
  // known before the number is; a value leaves time to read it. The expiry that comes of a time may
  // be there before that is known of all times.
  always_comb begin
    missing = ended_i.asked & ~(rule_i.value ? numbers_i.judged : numbers_i.settled);
    if (rule_i.touches && numbers_i.timed) missing[UnitTime] = 1'b0;
    if (ended_i.asked[UnitLength] && !numbers_i.measured) missing[UnitLength] = 1'b1;
  end

  assign decided_o = missing == '0;
  assign wrong = ended_i.wrong || (ended_i.asked & ~numbers_i.ok) != '0;
  assign too_large = ended_i.asked[UnitLength] && numbers_i.too_large;
  assign right_o = ended_i.fits && !wrong && !ended_i.over && !too_large;
  assign too_large_o = ended_i.fits && !wrong && !ended_i.over && too_large;

  always_comb begin
    op_o = '0;
    op_o.quiet = ended_i.quiet;
    when_wrong = rule_i.key_first && ended_i.over ? StBadFormat : rule_i.complaint;
    when_not = ended_i.over ? StBadFormat : too_large ? StTooLarge : StOk;
    op_o.status = !ended_i.fits ? StUnknown : wrong ? when_wrong : when_not;
    op_o.cancel = rule_i.takes_back && ended_i.over && ended_i.fits && !wrong;
    if (too_large_o && rule_i.replaces) op_o.op = OpRefuse;
    if (right_o) begin
      op_o.op = rule_i.behind;
      op_o.say = rule_i.command.say;
    end
  end

endmodule

`default_nettype wire
