// SPDX-License-Identifier: Apache-2.0
// The flags of meta commands, a row each: its letter, what it asks for, and in whose lines. All commands
// take all of them.
// To add a flag is to add its row. memcached 1.6.18 has all of them but E and x, which the protocol text of
// later versions has.
`default_nettype none

package wc_request_flags_pkg;

  import wc_pkg::*;
  import wc_request_table_pkg::*;

  // A flag is a word of one letter and, behind it, what the letter says.
  typedef enum logic [3:0] {
    FlagNothing,  // is taken, and means nothing
    FlagShow,     // the answer shows `show`; behind an O come the bytes that it shows
    FlagNumber,   // a number follows, which must be right in all lines
    FlagOwn,      // likewise, but it is read only where it does something
    FlagMode,     // a letter of ModeTable follows
    FlagQuiet,    // no answer that says that all is well
    FlagValue,    // the answer has the item's value
    FlagBase64,   // so is the line's key
    FlagStale,    // an item becomes stale
    FlagClear,    // an item that would be taken away stays without its value
    FlagIdle      // it is no use of the item
  } flag_e;

  typedef struct packed {
    logic [7:0] letter;
    flag_e      kind;
    meta_t      acts;   // those in whose lines it does something
    show_e      show;
    arg_e       number;
  } flag_t;

  localparam meta_t MetaAll = MetaGet | MetaSet | MetaDelete | MetaArithmetic;

  // The commands that have more than one number for this unit: their lines wait behind each of these.
  function automatic meta_t waits_for(logic [Units-1:0] number);
    waits_for = '0;
    if (number[UnitTime]) waits_for |= MetaGet | MetaArithmetic;
    if (number[UnitUnique]) waits_for |= MetaAll;
  endfunction

  localparam int unsigned Flags = 25;
  localparam flag_t FlagTable[Flags] = '{
    // letter, kind, acts in, show, number
    '{"k", FlagShow, MetaAll, ShowKey, ArgNone},
    '{"O", FlagShow, MetaAll, ShowOpaque, ArgNone},
    '{"f", FlagShow, MetaGet, ShowFlags, ArgNone},
    '{"s", FlagShow, MetaGet, ShowSize, ArgNone},
    '{"t", FlagShow, MetaGet | MetaArithmetic, ShowTtl, ArgNone},
    '{"c", FlagShow, MetaGet | MetaSet | MetaArithmetic, ShowCas, ArgNone},
    '{"q", FlagQuiet, MetaAll, ShowNone, ArgNone},
    '{"v", FlagValue, MetaGet | MetaArithmetic, ShowNone, ArgNone},
    '{"T", FlagNumber, MetaAll, ShowNone, ArgTime},
    '{"F", FlagNumber, MetaSet | MetaDelete, ShowNone, ArgUnsigned},
    '{"C", FlagNumber, MetaSet | MetaDelete | MetaArithmetic, ShowNone, ArgUnique},
    '{"E", FlagNumber, MetaAll, ShowNone, ArgGiven},
    '{"M", FlagMode, MetaSet | MetaArithmetic, ShowNone, ArgNone},
    '{"N", FlagOwn, MetaGet | MetaArithmetic, ShowNone, ArgTime},
    '{"R", FlagOwn, MetaGet, ShowNone, ArgTime},
    '{"J", FlagOwn, MetaArithmetic, ShowNone, ArgStart},
    '{"D", FlagOwn, MetaArithmetic, ShowNone, ArgDelta},
    '{"b", FlagBase64, MetaAll, ShowNone, ArgNone},
    // for a proxy, as memcached says
    '{"P", FlagNothing, '0, ShowNone, ArgNone},
    '{"L", FlagNothing, '0, ShowNone, ArgNone},
    '{"h", FlagShow, MetaGet, ShowFetched, ArgNone},
    '{"l", FlagShow, MetaGet, ShowUnused, ArgNone},
    '{"I", FlagStale, MetaSet | MetaDelete, ShowNone, ArgNone},
    '{"x", FlagClear, MetaDelete, ShowNone, ArgNone},
    '{"u", FlagIdle, MetaGet, ShowNone, ArgNone}
  };

  // What is behind the M of a command.
  typedef struct packed {
    logic [7:0] letter;
    meta_t      of;
    op_e        op;
  } mode_t;

  localparam int unsigned Modes = 9;
  localparam mode_t ModeTable[Modes] = '{
    '{"S", MetaSet, OpSet}, '{"E", MetaSet, OpAdd}, '{"R", MetaSet, OpReplace},
    '{"A", MetaSet, OpAppend}, '{"P", MetaSet, OpPrepend},
    '{"I", MetaArithmetic, OpIncr}, '{"+", MetaArithmetic, OpIncr},
    '{"D", MetaArithmetic, OpDecr}, '{"-", MetaArithmetic, OpDecr}
  };

  typedef logic [Flags-1:0] flags_t;

  // The flags of a kind; those that a command takes, or that do something in its lines.
  function automatic flags_t flags_of(flag_e kind);
    for (int unsigned i = 0; i < Flags; i++) flags_of[i] = FlagTable[i].kind == kind;
  endfunction

  // The commands in whose lines flags of a kind do something.
  function automatic meta_t acts_of(flag_e kind);
    acts_of = '0;
    for (int unsigned i = 0; i < Flags; i++) begin
      if (FlagTable[i].kind == kind) acts_of |= FlagTable[i].acts;
    end
  endfunction

  // The flag with this letter.
  function automatic flags_t flag_of(logic [7:0] letter);
    for (int unsigned i = 0; i < Flags; i++) flag_of[i] = FlagTable[i].letter == letter;
  endfunction

  // The commands in whose lines its number is read.
  function automatic meta_t reads_of(flag_t flag);
    return flag.number == ArgNone ? '0 : flag.kind == FlagOwn ? flag.acts : MetaAll;
  endfunction

  function automatic flags_t flags_with_number(arg_e number);
    for (int unsigned i = 0; i < Flags; i++) flags_with_number[i] = FlagTable[i].number == number;
  endfunction

  function automatic flags_t flags_with_show(show_e show);
    for (int unsigned i = 0; i < Flags; i++) begin
      flags_with_show[i] = FlagTable[i].kind == FlagShow && FlagTable[i].show == show;
    end
  endfunction

endpackage

`default_nettype wire
