// SPDX-License-Identifier: Apache-2.0
// The commands, a row each: how a command is written, and what it asks for. LineTable has the
// commands of text lines, HeaderTable those of binary headers; a row of either names a command_t,
// so both protocols make the same of what they read. Nothing else in the parser knows a command.
// Python reads the tables from here (wirecache.circuit.commands).
// To add a command is to add its row (and to wc_policy_pkg what its operation needs and does, if
// that is new); hw/request/README.md has an example.
`default_nettype none

package wc_request_table_pkg;

  import wc_pkg::*;
  import wc_policy_pkg::*;

  // ---- what a command asks for --------------------------------------------------------------------
  // Of the operation, effect_of (wc_policy_pkg) says the rest: whether it has a key, and whether a
  // value comes with it.
  typedef struct packed {
    op_e  op;
    say_e say;       // OpNone: what the answer says; a line with SaySilent is no operation at all.
                     // Of a line whose keys are operations of their own: if there is none
    logic with_key;  // the answer shows the key
    logic with_cas;  // the answer of a line shows the CAS number
    logic drops;     // the rest of the packet is not read
  } command_t;

  //                               op        say         key   cas   drops
  localparam command_t Get     = '{OpGet,    SaySilent,  1'b1, 1'b0, 1'b0};
  localparam command_t Gets    = '{OpGet,    SaySilent,  1'b1, 1'b1, 1'b0};
  localparam command_t GetBare = '{OpGet,    SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Set     = '{OpSet,    SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Add     = '{OpAdd,    SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Replace = '{OpReplace, SaySilent, 1'b0, 1'b0, 1'b0};
  localparam command_t Append  = '{OpAppend, SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Prepend = '{OpPrepend, SaySilent, 1'b0, 1'b0, 1'b0};
  localparam command_t Delete  = '{OpDelete, SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Touch   = '{OpTouch,  SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Gat     = '{OpGat,    SayEnd,     1'b1, 1'b0, 1'b0};
  localparam command_t Gats    = '{OpGat,    SayEnd,     1'b1, 1'b1, 1'b0};
  localparam command_t GatBare = '{OpGat,    SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Incr    = '{OpIncr,   SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Decr    = '{OpDecr,   SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Flush   = '{OpFlush,  SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Version = '{OpNone,   SayVersion, 1'b0, 1'b0, 1'b0};
  localparam command_t Ok      = '{OpNone,   SayOk,      1'b0, 1'b0, 1'b0};
  localparam command_t Leave   = '{OpNone,   SaySilent,  1'b0, 1'b0, 1'b1};
  localparam command_t LeaveOk = '{OpNone,   SayOk,      1'b0, 1'b0, 1'b1};
  localparam command_t Host    = '{OpHost,   SaySilent,  1'b0, 1'b0, 1'b0};
  localparam command_t Look    = '{OpLook,   SaySilent,  1'b0, 1'b0, 1'b0};

  // Not every index can make a value of the one that is there: then the parser has no rows of such
  // commands.
  function automatic logic kept(command_t command, logic made_values);
    return made_values || !makes_of(effect_of(command.op));
  endfunction

  // ---- lines ---------------------------------------------------------------------------------------
  // What the words behind the command's name are.
  typedef enum logic [3:0] {
    ArgNone     = 4'd0,  // nothing that is looked at, `noreply` for instance
    ArgKey      = 4'd1,
    ArgUnsigned = 4'd2,  // a number that must not be negative: flags, a level
    ArgTime     = 4'd3,  // a number of seconds: exptime, a delay
    ArgLength   = 4'd4,  // of the value that follows the line
    ArgZero     = 4'd5,  // "0" and nothing else
    ArgUnique   = 4'd6,  // a CAS number, of 64 bits
    ArgDelta    = 4'd7,  // what is added or taken away, of 64 bits, too
    ArgFlag     = 4'd8,  // of a meta command: a letter of FlagTable, and what belongs to it
    ArgStart    = 4'd9,  // of a flag alone: the number of an item that is created, of 64 bits
    ArgGiven    = 4'd10  // likewise: the CAS number that an item gets
  } arg_e;

  // Each kind of number is read by a unit of its own, but those of 64 bits by one.
  localparam int unsigned Units = 4;
  localparam int unsigned UnitUnsigned = 0, UnitTime = 1, UnitLength = 2, UnitUnique = 3;

  function automatic logic [Units-1:0] unit_of(arg_e kind);
    unique case (kind)
      ArgUnsigned: return Units'(1 << UnitUnsigned);
      ArgTime:     return Units'(1 << UnitTime);
      ArgLength:   return Units'(1 << UnitLength);
      ArgUnique, ArgDelta, ArgStart, ArgGiven: return Units'(1 << UnitUnique);
      default:     return '0;
    endcase
  endfunction

  // In their order. What is in the last place repeats up to the line's end: a row with keys there
  // takes any number of them, each an operation of its own as it passes. A time may lead them; they
  // pass when it is known. Flags are always in the last place.
  localparam int unsigned MostArgs = 6;
  typedef arg_e [MostArgs-1:0] args_t;  // the first in the highest place, as a row is read

  function automatic args_t args(arg_e first = ArgNone, arg_e second = ArgNone,
                                 arg_e third = ArgNone, arg_e fourth = ArgNone,
                                 arg_e fifth = ArgNone);
    return {first, second, third, fourth, fifth, ArgNone};
  endfunction

  localparam args_t Keys = {MostArgs{ArgKey}};
  localparam args_t TimeAndKeys = {ArgTime, {(MostArgs - 1) {ArgKey}}};
  localparam args_t KeyAndFlags = {ArgKey, {(MostArgs - 1) {ArgFlag}}};
  localparam args_t KeyLengthAndFlags = {ArgKey, ArgLength, {(MostArgs - 2) {ArgFlag}}};

  // Which meta command it is, a bit each; none of them if zero.
  typedef logic [4:0] meta_t;
  localparam meta_t MetaNoop = 5'b00001, MetaGet = 5'b00010, MetaSet = 5'b00100;
  localparam meta_t MetaDelete = 5'b01000, MetaArithmetic = 5'b10000;

  // Where memcached does not treat a command as it treats the others.
  typedef struct packed {
    logic  strict;      // a word behind the arguments that is not noreply is a wrong argument
    logic  takes_back;  // a key that is too long takes back the answers of its command's other keys
    logic  key_first;   // a key that is too long is told before a wrong argument
    meta_t meta;        // it has flags, answers of its own, and a value goes with a wrong flag
  } quirks_t;

  localparam quirks_t Plain = '0;
  localparam quirks_t Strict = '{strict: 1'b1, meta: '0, default: 1'b0};
  localparam quirks_t TakesBack = '{takes_back: 1'b1, meta: '0, default: 1'b0};
  localparam quirks_t KeyFirst = '{key_first: 1'b1, meta: '0, default: 1'b0};

  localparam int unsigned NameBytes = 15;  // of a name at most; of one with a value: seven
  typedef logic [8*NameBytes-1:0] name_t;  // the last letter in the lowest byte
  typedef logic [3:0] tokens_t;            // words of a line, its name counted
  localparam tokens_t Any = 4'd15;         // most: as many as come
  localparam tokens_t Never = 4'd0;        // noreply

  // A line with fewer or more words than it may have is an ERROR, as is one whose first word is in
  // no row. Arguments behind the `least` words may be missing, one at most.
  typedef struct packed {
    name_t    name;
    command_t command;
    args_t    args;
    tokens_t  least;
    tokens_t  most;
    tokens_t  noreply;    // with so many words or more the last one may be noreply
    status_e  complaint;  // about an argument that is wrong; about a key it is StBadFormat
    quirks_t  quirks;
  } line_t;

  localparam int unsigned Lines = 35;
  localparam line_t LineTable[Lines] = '{
    // name, command, arguments, least and most words, noreply from, complaint, quirks
    '{name_t'("get"), Get, Keys, 4'd2, Any, Never, StBadFormat, TakesBack},
    '{name_t'("bget"), Get, Keys, 4'd2, Any, Never, StBadFormat, TakesBack},
    '{name_t'("gets"), Gets, Keys, 4'd2, Any, Never, StBadFormat, TakesBack},
    '{name_t'("set"), Set, args(ArgKey, ArgUnsigned, ArgTime, ArgLength),
      4'd5, 4'd6, 4'd5, StBadFormat, Plain},
    '{name_t'("add"), Add, args(ArgKey, ArgUnsigned, ArgTime, ArgLength),
      4'd5, 4'd6, 4'd5, StBadFormat, Plain},
    '{name_t'("replace"), Replace, args(ArgKey, ArgUnsigned, ArgTime, ArgLength),
      4'd5, 4'd6, 4'd5, StBadFormat, Plain},
    '{name_t'("append"), Append, args(ArgKey, ArgUnsigned, ArgTime, ArgLength),
      4'd5, 4'd6, 4'd5, StBadFormat, Plain},
    '{name_t'("prepend"), Prepend, args(ArgKey, ArgUnsigned, ArgTime, ArgLength),
      4'd5, 4'd6, 4'd5, StBadFormat, Plain},
    '{name_t'("cas"), Set, args(ArgKey, ArgUnsigned, ArgTime, ArgLength, ArgUnique),
      4'd6, 4'd7, 4'd6, StBadFormat, Plain},
    '{name_t'("delete"), Delete, args(ArgKey, ArgZero), 4'd2, 4'd4, 4'd3, StBadDelete, Strict},
    '{name_t'("touch"), Touch, args(ArgKey, ArgTime), 4'd3, 4'd4, 4'd3, StBadTime, KeyFirst},
    '{name_t'("gat"), Gat, TimeAndKeys, 4'd2, Any, Never, StBadTime, TakesBack},
    '{name_t'("gats"), Gats, TimeAndKeys, 4'd2, Any, Never, StBadTime, TakesBack},
    '{name_t'("incr"), Incr, args(ArgKey, ArgDelta), 4'd3, 4'd4, 4'd3, StBadDelta, KeyFirst},
    '{name_t'("decr"), Decr, args(ArgKey, ArgDelta), 4'd3, 4'd4, 4'd3, StBadDelta, KeyFirst},
    '{name_t'("flush_all"), Flush, args(ArgTime), 4'd1, 4'd3, 4'd2, StBadTime, Plain},
    '{name_t'("version"), Version, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("verbosity"), Ok, args(ArgUnsigned), 4'd2, 4'd3, 4'd2, StBadFormat, Plain},
    '{name_t'("quit"), Leave, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("mn"), Ok, args(), 4'd1, Any, Never, StBadFormat, '{meta: MetaNoop, default: 1'b0}},
    '{name_t'("mg"), Look, KeyAndFlags, 4'd2, Any, Never, StBadFormat,
      '{meta: MetaGet, default: 1'b0}},
    '{name_t'("ms"), Set, KeyLengthAndFlags, 4'd2, Any, Never, StBadFormat,
      '{meta: MetaSet, default: 1'b0}},
    '{name_t'("md"), Delete, KeyAndFlags, 4'd2, Any, Never, StBadFlag,
      '{meta: MetaDelete, default: 1'b0}},
    '{name_t'("ma"), Incr, KeyAndFlags, 4'd2, Any, Never, StBadFlag,
      '{meta: MetaArithmetic, default: 1'b0}},
    // The host looks at the words of these, and says what is wrong with them.
    '{name_t'("stats"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("slabs"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("lru"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("lru_crawler"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("cache_memlimit"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("watch"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("shutdown"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("me"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("debugtime"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("extstore"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain},
    '{name_t'("refresh_certs"), Host, args(), 4'd1, Any, Never, StBadFormat, Plain}
  };

  // Without meta commands the parser has no rows of them.
  function automatic logic line_kept(line_t line, logic made_values, logic meta);
    return kept(line.command, made_values) && (meta || line.quirks.meta == '0);
  endfunction

  // ---- binary headers --------------------------------------------------------------------------------
  // A request has a key when its operation needs one, and a value when its operation takes one. Of
  // a command of the host the key is what it asks for, and may be missing.
  typedef enum logic [2:0] {
    ExtrasNone  = 3'd0,
    ExtrasStore = 3'd1,  // flags and exptime, 8 bytes
    ExtrasDelay = 3'd2,  // a delay, 4 bytes, or nothing
    ExtrasTime  = 3'd3,  // exptime, 4 bytes
    ExtrasCount = 3'd4   // delta, the number to start with and exptime, 20 bytes
  } extras_e;

  typedef struct packed {
    logic [7:0] opcode;
    command_t   command;
    logic       quiet;
    extras_e    extras;
  } header_t;

  localparam int unsigned Headers = 32;
  localparam header_t HeaderTable[Headers] = '{
    '{8'h00, GetBare, 1'b0, ExtrasNone},
    '{8'h01, Set, 1'b0, ExtrasStore},
    '{8'h02, Add, 1'b0, ExtrasStore},
    '{8'h03, Replace, 1'b0, ExtrasStore},
    '{8'h04, Delete, 1'b0, ExtrasNone},
    '{8'h05, Incr, 1'b0, ExtrasCount},
    '{8'h06, Decr, 1'b0, ExtrasCount},
    '{8'h07, LeaveOk, 1'b0, ExtrasNone},
    '{8'h08, Flush, 1'b0, ExtrasDelay},
    '{8'h09, GetBare, 1'b1, ExtrasNone},
    '{8'h0a, Ok, 1'b0, ExtrasNone},
    '{8'h0b, Version, 1'b0, ExtrasNone},
    '{8'h0c, Get, 1'b0, ExtrasNone},
    '{8'h0d, Get, 1'b1, ExtrasNone},
    '{8'h0e, Append, 1'b0, ExtrasNone},
    '{8'h0f, Prepend, 1'b0, ExtrasNone},
    '{8'h10, Host, 1'b0, ExtrasNone},
    '{8'h11, Set, 1'b1, ExtrasStore},
    '{8'h12, Add, 1'b1, ExtrasStore},
    '{8'h13, Replace, 1'b1, ExtrasStore},
    '{8'h14, Delete, 1'b1, ExtrasNone},
    '{8'h15, Incr, 1'b1, ExtrasCount},
    '{8'h16, Decr, 1'b1, ExtrasCount},
    '{8'h17, LeaveOk, 1'b1, ExtrasNone},
    '{8'h18, Flush, 1'b1, ExtrasDelay},
    '{8'h19, Append, 1'b1, ExtrasNone},
    '{8'h1a, Prepend, 1'b1, ExtrasNone},
    '{8'h1c, Touch, 1'b0, ExtrasTime},
    '{8'h1d, GatBare, 1'b0, ExtrasTime},
    '{8'h1e, GatBare, 1'b1, ExtrasTime},
    '{8'h23, Gat, 1'b0, ExtrasTime},
    '{8'h24, Gat, 1'b1, ExtrasTime}
  };

  // ---- the rows as the circuit wants them ------------------------------------------------------------
  function automatic int unsigned length_of(name_t name);
    int unsigned bytes;
    bytes = 0;
    for (int unsigned i = 0; i < NameBytes; i++) if (name[8*i+:8] != '0) bytes = i + 1;
    return bytes;
  endfunction

  // A name as the bytes of a packet lie in its words: the first letter in the lowest byte. The mask
  // is ones where there are letters.
  typedef struct packed {
    logic [3:0]           bytes;
    logic [1:0][7:0][7:0] letters;
    logic [1:0][7:0][7:0] mask;
  } text_t;

  function automatic text_t text_of(name_t name);
    int unsigned bytes;
    bytes = length_of(name);
    text_of = '0;
    text_of.bytes = 4'(bytes);
    for (int unsigned i = 0; i < NameBytes; i++) begin
      if (i < bytes) begin
        text_of.letters[i/8][i%8] = name[8*(bytes-1-i)+:8];
        text_of.mask[i/8][i%8] = '1;
      end
    end
  endfunction

  function automatic arg_e arg_of(line_t line, int unsigned place);
    return line.args[place < MostArgs ? MostArgs - 1 - place : 0];
  endfunction

  // Flags, of which there may be none, are not counted.
  function automatic int unsigned args_in(line_t line);
    int unsigned count;
    count = 0;
    for (int unsigned i = 0; i < MostArgs; i++) begin
      if (!(arg_of(line, i) inside {ArgNone, ArgFlag})) count = i + 1;
    end
    return count;
  endfunction

  function automatic logic keys_to_the_end(line_t line);
    return line.args[0] == ArgKey;
  endfunction

  function automatic logic flags_to_the_end(line_t line);
    return line.args[0] == ArgFlag;
  endfunction

  // What a line is at a place: behind the name, behind the first word after it, and so on. The last
  // place stands for all that follow.
  typedef struct packed {
    logic             key;      // the next word is a key
    logic [Units-1:0] number;   // a number, for this unit
    logic             leads;    // which keys follow: they wait for it
    logic             zero;     // a "0"
    logic             flag;
    logic             fits;     // the line may end here
    logic             usual;    // and then a value follows, if key and numbers are right
    logic             mute;     // noreply right before here means what it says
    logic [1:0]       bare;     // the argument that may be missing is, if the line ends here;
                                // bit 1: and its last word is noreply
    logic             surplus;  // the word before here is none of the arguments, which is wrong if
                                // it is not noreply
  } place_t;

  function automatic place_t place_of(line_t line, int unsigned place);
    int unsigned tokens;
    logic optional;
    tokens = place + 1;
    optional = args_in(line) >= 32'(line.least) && !keys_to_the_end(line)
               && !flags_to_the_end(line);
    place_of.key = arg_of(line, place) == ArgKey;
    place_of.number = unit_of(arg_of(line, place));
    place_of.leads = keys_to_the_end(line) && place_of.number != '0;
    place_of.zero = arg_of(line, place) == ArgZero;
    place_of.flag = arg_of(line, place) == ArgFlag;
    place_of.fits = tokens >= 32'(line.least) && (line.most == Any || tokens <= 32'(line.most));
    place_of.usual = place_of.fits && effect_of(line.command.op).value
                     && (!flags_to_the_end(line) || place == args_in(line));
    place_of.mute = place_of.fits && line.noreply != Never && tokens >= 32'(line.noreply);
    place_of.bare[0] = optional && tokens == 32'(line.least);
    place_of.bare[1] = optional && tokens == 32'(line.least) + (place_of.mute ? 1 : 0);
    place_of.surplus = line.quirks.strict && tokens > args_in(line) + 1;
  endfunction

  // As many places as the longest line has words, and one for those with more.
  function automatic int unsigned places_in();
    int unsigned places;
    places = MostArgs + 1;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (LineTable[i].most != Any && 32'(LineTable[i].most) + 1 > places) begin
        places = 32'(LineTable[i].most) + 1;
      end
    end
    return places;
  endfunction

  localparam int unsigned Places = places_in();
  typedef place_t [Places-1:0] places_t;

  function automatic places_t places_of(line_t line);
    for (int unsigned i = 0; i < Places; i++) places_of[i] = place_of(line, i);
  endfunction

  // What the verdict on a line has to know of its row. All zeros: no command.
  typedef struct packed {
    command_t         command;
    op_e              behind;      // its operation, or none where each key has had one
    logic [Units-1:0] numbers;     // that its arguments are
    logic             zero;        // one of them is "0"
    logic             key;         // there is one, which the verdict is on, too
    logic             value;       // follows the line
    logic             many;        // keys up to the end of the line, each an operation of its own
    logic             leads;       // a time is in front of them
    logic             touches;     // its time becomes the expiry of an item that is there
    logic             compares;    // one of its numbers is a CAS number
    logic             replaces;    // a SET without one: what is too large takes away the item
    status_e          complaint;
    logic             takes_back;
    logic             key_first;
    meta_t            meta;
  } rule_t;

  function automatic rule_t rule_of(line_t line);
    rule_of.command = line.command;
    rule_of.numbers = '0;
    rule_of.zero = 1'b0;
    rule_of.compares = 1'b0;
    for (int unsigned i = 0; i < MostArgs; i++) begin
      rule_of.numbers |= unit_of(arg_of(line, i));
      if (arg_of(line, i) == ArgZero) rule_of.zero = 1'b1;
      if (arg_of(line, i) == ArgUnique) rule_of.compares = 1'b1;
    end
    rule_of.replaces = line.command.op == OpSet && !rule_of.compares;
    rule_of.many = keys_to_the_end(line);
    rule_of.behind = rule_of.many ? OpNone : line.command.op;
    rule_of.leads = rule_of.many && rule_of.numbers != '0;
    rule_of.key = effect_of(line.command.op).need != NeedNoKey && !rule_of.many;
    rule_of.value = effect_of(line.command.op).value;
    rule_of.touches = effect_of(line.command.op).change == ChangeExpiry
                      || line.quirks.meta == MetaGet;
    rule_of.complaint = line.complaint;
    rule_of.takes_back = line.quirks.takes_back;
    rule_of.key_first = line.quirks.key_first;
    rule_of.meta = line.quirks.meta;
  endfunction

  // A row of each for each row of LineTable.
  typedef text_t [Lines-1:0] texts_t;
  typedef places_t [Lines-1:0] line_places_t;
  typedef rule_t [Lines-1:0] rules_t;

  function automatic texts_t texts();
    for (int unsigned i = 0; i < Lines; i++) texts[i] = text_of(LineTable[i].name);
  endfunction

  function automatic line_places_t line_places();
    for (int unsigned i = 0; i < Lines; i++) line_places[i] = places_of(LineTable[i]);
  endfunction

  function automatic rules_t rules();
    for (int unsigned i = 0; i < Lines; i++) rules[i] = rule_of(LineTable[i]);
  endfunction

  localparam texts_t Texts = texts();
  localparam line_places_t LinePlaces = line_places();
  localparam rules_t Rules = rules();

  // What the state machine of the binary protocol has to know of a row. All zeros: no command.
  typedef struct packed {
    logic     known;
    command_t command;
    logic     quiet;
    logic     key;
    logic     key_free;  // it may have a key or none: one of the host has what would be its words
    logic     value;
    logic     replaces;  // a SET: what is too large takes away the item
    logic     extras_0;  // extras may have no bytes; or 4; or 8; or 20
    logic     extras_4;
    logic     extras_8;
    logic     extras_20;
  } form_t;

  function automatic form_t form_of(header_t header);
    return '{
      known: 1'b1,
      command: header.command,
      quiet: header.quiet,
      key: effect_of(header.command.op).need != NeedNoKey,
      key_free: header.command.op == OpHost,
      value: effect_of(header.command.op).value,
      replaces: header.command.op == OpSet,
      extras_0: header.extras inside {ExtrasNone, ExtrasDelay},
      extras_4: header.extras inside {ExtrasDelay, ExtrasTime},
      extras_8: header.extras == ExtrasStore,
      extras_20: header.extras == ExtrasCount
    };
  endfunction

  typedef form_t [Headers-1:0] forms_t;

  function automatic forms_t forms();
    for (int unsigned i = 0; i < Headers; i++) forms[i] = form_of(HeaderTable[i]);
  endfunction

  localparam forms_t Forms = forms();

endpackage

`default_nettype wire
