// SPDX-License-Identifier: Apache-2.0
// What the parser takes for granted of the rows of its tables; checked at elaboration.
`default_nettype none

package wc_request_legal_pkg;

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;

  function automatic logic line_is_legal(line_t line);
    int unsigned keys, zeros, lengths, deltas;
    logic [Units-1:0] seen;
    line_is_legal = length_of(line.name) != 0;
    keys = 0;
    zeros = 0;
    deltas = 0;
    seen = '0;
    for (int unsigned i = 0; i < args_in(line); i++) begin
      if (arg_of(line, i) == ArgKey) keys = keys + 1;
      if (arg_of(line, i) == ArgZero) zeros = zeros + 1;
      if (arg_of(line, i) == ArgDelta) deltas = deltas + 1;
      // a unit reads one number of a line
      if ((seen & unit_of(arg_of(line, i))) != '0) line_is_legal = 1'b0;
      seen |= unit_of(arg_of(line, i));
    end
    lengths = seen[UnitLength] ? 1 : 0;
    // A meta command has one key, and its flags are behind it; a length may be missing, which is a
    // wrong argument.
    for (int unsigned i = 0; i < MostArgs; i++) begin
      if (arg_of(line, i) == ArgFlag && !(flags_to_the_end(line) && i >= args_in(line))) begin
        line_is_legal = 1'b0;
      end
    end
    if (flags_to_the_end(line)) begin
      if (!(line.quirks.meta inside {MetaGet, MetaSet, MetaDelete, MetaArithmetic})) begin
        line_is_legal = 1'b0;
      end
      if (keys != 1 || arg_of(line, 0) != ArgKey || line.least != 4'd2 || line.most != Any
          || line.noreply != Never || 32'(lengths) + 1 != args_in(line)) begin
        line_is_legal = 1'b0;
      end
    end else if (line.quirks.meta != '0) begin
      if (line.quirks.meta != MetaNoop || args_in(line) != 0) line_is_legal = 1'b0;
    end
    if (flags_to_the_end(line)) begin
      if (zeros != 0 || line.quirks.takes_back || line.quirks.strict) line_is_legal = 1'b0;
    end else if (!keys_to_the_end(line)) begin
      if (args_in(line) > 32'(line.least)) line_is_legal = 1'b0;
      if (keys > 1 || zeros > 1) line_is_legal = 1'b0;
      if (line.quirks.takes_back) line_is_legal = 1'b0;
    end else begin
      // Only a time may be in front of the keys, as the first word: that is what they wait for. A
      // line without a key is no command, or says something.
      if (keys + (seen[UnitTime] ? 1 : 0) != MostArgs || arg_of(line, 1) != ArgKey) begin
        line_is_legal = 1'b0;
      end
      if (line.least != 4'd2 || line.noreply != Never || line.quirks.key_first) begin
        line_is_legal = 1'b0;
      end
      if (seen[UnitTime] && line.command.say == SaySilent) line_is_legal = 1'b0;
    end
    // An expiry that changes is that of a time, and only then is the verdict as soon as that is.
    if (effect_of(line.command.op).change == ChangeExpiry && !seen[UnitTime]) line_is_legal = 1'b0;
    if (keys_to_the_end(line) && seen[UnitTime]
        && effect_of(line.command.op).change != ChangeExpiry) begin
      line_is_legal = 1'b0;
    end
    // A number changes by a delta, which must be there, by itself: the item has an expiry already.
    // That of a meta command comes with a flag, or is 1.
    if ((deltas != 0 || line.quirks.meta == MetaArithmetic)
        != (effect_of(line.command.op).change == ChangeNumber)) begin
      line_is_legal = 1'b0;
    end
    if (deltas != 0 && args_in(line) >= 32'(line.least)) line_is_legal = 1'b0;
    if ((keys != 0) != (effect_of(line.command.op).need != NeedNoKey)) line_is_legal = 1'b0;
    // The cutter must know of the value by the first cut of its line.
    if ((lengths != 0) != effect_of(line.command.op).value) line_is_legal = 1'b0;
    if (lengths != 0 && length_of(line.name) > 7) line_is_legal = 1'b0;
    if (lengths != 0 && !flags_to_the_end(line) && args_in(line) >= 32'(line.least)) begin
      line_is_legal = 1'b0;
    end
  endfunction

  function automatic logic lines_are_legal();
    lines_are_legal = 1'b1;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (!line_is_legal(LineTable[i])) lines_are_legal = 1'b0;
      for (int unsigned j = 0; j < i; j++) begin
        if (LineTable[i].name == LineTable[j].name) lines_are_legal = 1'b0;
      end
    end
  endfunction

  // An operation with a key is put as its last piece passes; one without a key, behind the header,
  // or with its delay.
  function automatic logic headers_are_legal();
    headers_are_legal = 1'b1;
    for (int unsigned i = 0; i < Headers; i++) begin
      // What joins a value to the one that is there keeps its flags and expiry.
      if ((effect_of(HeaderTable[i].command.op).change == ChangeItem)
             != (HeaderTable[i].extras == ExtrasStore)
          || (effect_of(HeaderTable[i].command.op).change == ChangeJoin
              && HeaderTable[i].extras != ExtrasNone)
          || effect_of(HeaderTable[i].command.op).change == ChangeExpiry
             != (HeaderTable[i].extras == ExtrasTime)
          || effect_of(HeaderTable[i].command.op).change == ChangeNumber
             != (HeaderTable[i].extras == ExtrasCount)
          || (effect_of(HeaderTable[i].command.op).need != NeedNoKey
              && HeaderTable[i].extras == ExtrasDelay)) begin
        headers_are_legal = 1'b0;
      end
      for (int unsigned j = 0; j < i; j++) begin
        if (HeaderTable[i].opcode == HeaderTable[j].opcode) headers_are_legal = 1'b0;
      end
    end
  endfunction

  // A letter has one row, and what is shown one letter, as has what a unit reads of a line that does
  // not wait.
  function automatic logic flags_are_legal();
    flags_are_legal = $countones(flags_of(FlagShow)) <= MostShows;
    for (int unsigned i = 0; i < Flags; i++) begin
      if ((FlagTable[i].kind inside {FlagNumber, FlagOwn}) != (unit_of(FlagTable[i].number) != '0)
          || (FlagTable[i].kind == FlagShow) != (FlagTable[i].show != ShowNone)) begin
        flags_are_legal = 1'b0;
      end
      for (int unsigned j = 0; j < i; j++) begin
        if (FlagTable[i].letter == FlagTable[j].letter
            || ((unit_of(FlagTable[i].number) & unit_of(FlagTable[j].number)) != '0
                && (reads_of(FlagTable[i]) & reads_of(FlagTable[j])
                    & ~waits_for(unit_of(FlagTable[i].number))) != '0)
            || (FlagTable[i].show != ShowNone && FlagTable[i].show == FlagTable[j].show)) begin
          flags_are_legal = 1'b0;
        end
      end
    end
  endfunction

endpackage

`default_nettype wire
