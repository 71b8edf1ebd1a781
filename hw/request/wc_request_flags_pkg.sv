// SPDX-License-Identifier: Apache-2.0
// The flags of meta commands, a row each: its letter, what it asks for, and which commands take it.
// To add a flag is to add its row; hw/request/README.md says what memcached 1.6.18 has beside these.
`default_nettype none

package wc_request_flags_pkg;

  import wc_pkg::*;
  import wc_request_table_pkg::*;

  // A flag is a word of one letter and, behind it, what the letter says.
  typedef enum logic [2:0] {
    FlagNothing,  // is taken, and means nothing
    FlagShow,     // the answer shows `show`; behind an O come the bytes that it shows
    FlagNumber,   // a number of `unit` follows
    FlagMode,     // a letter of ModeTable follows
    FlagQuiet,    // no answer that says that all is well
    FlagValue     // the answer has the item's value
  } flag_e;

  typedef struct packed {
    logic [7:0] letter;
    flag_e      kind;
    meta_t      taken;  // the commands that take it; to others it is invalid
    meta_t      acts;   // those in whose lines it does something. Its number must be right in all
    show_e      show;
    logic [Units-1:0] unit;
  } flag_t;

  localparam meta_t MetaAll = MetaGet | MetaSet | MetaDelete;

  localparam int unsigned Flags = 20;
  localparam flag_t FlagTable[Flags] = '{
    // letter, kind, taken by, acts in, show, unit
    '{"k", FlagShow, MetaAll, MetaAll, ShowKey, unit_of(ArgNone)},
    '{"O", FlagShow, MetaAll, MetaAll, ShowOpaque, unit_of(ArgNone)},
    '{"f", FlagShow, MetaAll, MetaGet, ShowFlags, unit_of(ArgNone)},
    '{"s", FlagShow, MetaAll, MetaGet, ShowSize, unit_of(ArgNone)},
    '{"t", FlagShow, MetaAll, MetaGet, ShowTtl, unit_of(ArgNone)},
    '{"c", FlagShow, MetaAll, MetaGet | MetaSet, ShowCas, unit_of(ArgNone)},
    '{"q", FlagQuiet, MetaAll, MetaAll, ShowNone, unit_of(ArgNone)},
    '{"v", FlagValue, MetaAll, MetaGet, ShowNone, unit_of(ArgNone)},
    '{"T", FlagNumber, MetaAll, MetaGet | MetaSet, ShowNone, unit_of(ArgTime)},
    '{"F", FlagNumber, MetaAll, MetaSet, ShowNone, unit_of(ArgUnsigned)},
    '{"C", FlagNumber, MetaAll, MetaSet | MetaDelete, ShowNone, unit_of(ArgUnique)},
    '{"M", FlagMode, MetaAll, MetaSet, ShowNone, unit_of(ArgNone)},
    // for a proxy, as memcached says
    '{"P", FlagNothing, MetaAll, '0, ShowNone, unit_of(ArgNone)},
    '{"L", FlagNothing, MetaAll, '0, ShowNone, unit_of(ArgNone)},
    // of other commands, or do nothing in these
    '{"J", FlagNothing, MetaAll, '0, ShowNone, unit_of(ArgNone)},
    '{"D", FlagNothing, MetaAll, '0, ShowNone, unit_of(ArgNone)},
    '{"I", FlagNothing, MetaGet, '0, ShowNone, unit_of(ArgNone)},
    '{"h", FlagNothing, MetaSet | MetaDelete, '0, ShowNone, unit_of(ArgNone)},
    '{"l", FlagNothing, MetaSet | MetaDelete, '0, ShowNone, unit_of(ArgNone)},
    '{"u", FlagNothing, MetaSet | MetaDelete, '0, ShowNone, unit_of(ArgNone)}
  };

  // What is behind the M of an `ms`.
  typedef struct packed {
    logic [7:0] letter;
    op_e        op;
  } mode_t;

  localparam int unsigned Modes = 5;
  localparam mode_t ModeTable[Modes] = '{
    '{"S", OpSet}, '{"E", OpAdd}, '{"R", OpReplace}, '{"A", OpAppend}, '{"P", OpPrepend}
  };

  typedef logic [Flags-1:0] flags_t;

  // The flags of a kind; those that a command takes, or that do something in its lines.
  function automatic flags_t flags_of(flag_e kind);
    for (int unsigned i = 0; i < Flags; i++) flags_of[i] = FlagTable[i].kind == kind;
  endfunction

  function automatic flags_t flags_for_unit(int unsigned unit);
    for (int unsigned i = 0; i < Flags; i++) flags_for_unit[i] = FlagTable[i].unit[unit];
  endfunction

  function automatic flags_t flags_with_show(show_e show);
    for (int unsigned i = 0; i < Flags; i++) begin
      flags_with_show[i] = FlagTable[i].kind == FlagShow && FlagTable[i].show == show;
    end
  endfunction

  function automatic flags_t flags_taken(meta_t meta);
    for (int unsigned i = 0; i < Flags; i++) flags_taken[i] = (FlagTable[i].taken & meta) != '0;
  endfunction

  function automatic flags_t flags_acting(meta_t meta);
    for (int unsigned i = 0; i < Flags; i++) flags_acting[i] = (FlagTable[i].acts & meta) != '0;
  endfunction

endpackage

`default_nettype wire
