// SPDX-License-Identifier: Apache-2.0
// What operations need and do, and what becomes of an operation for which the index has looked.
// Each kind of operation is a row of `effect_of`. The stages ask for what they have to know (does
// it look for a key, does a value come with it), not for the kind. An index finds out where an item
// stands; `decide` says what that means, and is the same for every index.
`default_nettype none

package wc_policy_pkg;

  import wc_pkg::*;

  // What the operation needs of its key's item.
  typedef enum logic [1:0] {
    NeedNoKey,  // it looks for no key
    NeedAny,    // an item or none
    NeedItem,   // an item: without one there is nothing to do, StNotFound
    NeedNone    // none: with one there is nothing to do, StExists
  } need_e;

  // What it does to the item.
  typedef enum logic [2:0] {
    ChangeNone,
    ChangeItem,   // stores a new item in its place
    ChangeRemove, // takes it away
    ChangeExpiry, // gives it another expiry
    ChangeNumber, // stores one in its place whose value is another number
    ChangeJoin,   // stores one whose value is that of the item and what comes, joined
    ChangeMark,   // marks it as stale, gives it another CAS number and maybe another expiry
    ChangeFill    // stores an empty one, if there is none
  } change_e;

  typedef struct packed {
    need_e   need;
    logic    compares;  // a CAS number that is given must be that of an item
    change_e change;
    logic    reads;     // the answer holds the item's value
    logic    value;     // the new value comes with the request
    logic    flushes;   // takes all items away
  } effect_t;

  function automatic effect_t effect_of(op_e op);
    //                need       compares change        reads value flushes
    case (op)
      OpGet:    return '{NeedItem,  1'b0, ChangeNone,   1'b1, 1'b0, 1'b0};
      OpSet:    return '{NeedAny,   1'b1, ChangeItem,   1'b0, 1'b1, 1'b0};
      OpAdd:    return '{NeedNone,  1'b0, ChangeItem,   1'b0, 1'b1, 1'b0};
      OpReplace: return '{NeedItem, 1'b0, ChangeItem,   1'b0, 1'b1, 1'b0};
      OpDelete: return '{NeedItem,  1'b1, ChangeRemove, 1'b0, 1'b0, 1'b0};
      OpTouch:  return '{NeedItem,  1'b0, ChangeExpiry, 1'b0, 1'b0, 1'b0};
      OpGat:    return '{NeedItem,  1'b0, ChangeExpiry, 1'b1, 1'b0, 1'b0};
      OpIncr:   return '{NeedItem,  1'b1, ChangeNumber, 1'b0, 1'b0, 1'b0};
      OpDecr:   return '{NeedItem,  1'b1, ChangeNumber, 1'b0, 1'b0, 1'b0};
      OpRefuse: return '{NeedAny,   1'b0, ChangeRemove, 1'b0, 1'b0, 1'b0};
      OpAppend: return '{NeedItem,  1'b1, ChangeJoin,   1'b0, 1'b1, 1'b0};
      OpPrepend: return '{NeedItem, 1'b1, ChangeJoin,   1'b0, 1'b1, 1'b0};
      OpLook:   return '{NeedItem,  1'b0, ChangeNone,   1'b0, 1'b0, 1'b0};
      OpFlush:  return '{NeedNoKey, 1'b0, ChangeNone,   1'b0, 1'b0, 1'b1};
      default:  return '{NeedNoKey, 1'b0, ChangeNone,   1'b0, 1'b0, 1'b0};
    endcase
  endfunction

  // A DELETE may mark its item instead of taking it away, or store an empty one in its place. What
  // looks at an item may create it, for which the answer is the same as if it had been there.
  function automatic effect_t effect_with(op_e op, logic stale, logic clears, logic creates);
    effect_with = effect_of(op);
    if (op == OpDelete && stale) effect_with.change = ChangeMark;
    if (op == OpDelete && clears) effect_with.change = ChangeItem;
    if (looks_of(effect_of(op)) && creates) effect_with.change = ChangeFill;
  endfunction

  // It leaves an item that is there as it is: whoever has it used it.
  function automatic logic looks_of(effect_t effect);
    return effect.need == NeedItem && effect.change inside {ChangeNone, ChangeFill};
  endfunction

  // The answer tells of the item that is there, and stays.
  function automatic logic tells_of(effect_t effect);
    return looks_of(effect) || (effect.need == NeedItem && effect.change == ChangeExpiry);
  endfunction

  // The value that it stores is made of the one that is there.
  function automatic logic makes_of(effect_t effect);
    return effect.change inside {ChangeNumber, ChangeJoin};
  endfunction

  // The item gets something else where it stands.
  function automatic logic patches_of(effect_t effect);
    return effect.change inside {ChangeExpiry, ChangeMark};
  endfunction

  function automatic logic stores_of(effect_t effect);
    return effect.change inside {ChangeItem, ChangeFill} || makes_of(effect);
  endfunction

  // Whether what an operation changes depends on more of the item than its being there: then nothing
  // may change before the item is known. (A DELETE takes away what there is.)
  function automatic logic asks_of(effect_t effect, logic cas_given, logic recaches);
    return (effect.compares && cas_given) || recaches || patches_of(effect) || makes_of(effect)
           || (effect.change == ChangeItem && effect.need != NeedAny)
           || effect.change == ChangeFill;
  endfunction

  // What one operation asks of its key's item. This is known before the item is looked for.
  typedef struct packed {
    logic unreadable;  // memory did not tell, and the operation is more than a read, which misses
    logic needs_item;
    logic needs_none;
    logic compares;    // with the CAS number of the item, if there is one
    logic reads;
    logic stores;
    logic fills;       // but not over an item
    logic removes;
    logic refuses;     // the answer is StTooLarge, whether there is an item to remove or not
    logic touches;
    logic counts;      // stores another number in the place of the item's
    logic joins;       // stores the item's value and another one, joined
  } demand_t;

  // creates: without an item one is stored, which is all the same to a CAS number.
  function automatic demand_t demand_of(effect_t effect, logic cas_given, logic creates,
                                        logic unreadable);
    demand_t demand;
    demand.fills = creates && effect.change == ChangeFill;
    demand.unreadable = unreadable
                        && (demand.fills || (effect.change != ChangeNone && !effect.reads));
    demand.needs_item = !creates
                        && (effect.need == NeedItem || (effect.compares && cas_given));
    demand.needs_none = effect.need == NeedNone;
    demand.compares = effect.compares && cas_given;
    demand.reads = effect.reads;
    demand.stores = stores_of(effect);
    demand.removes = effect.change == ChangeRemove;
    demand.refuses = effect.change == ChangeRemove && effect.need == NeedAny;
    demand.touches = patches_of(effect);
    demand.counts = effect.change == ChangeNumber;
    demand.joins = effect.change == ChangeJoin;
    return demand;
  endfunction

  // With a status other than StOk none of the others is set, but `removes` of what is refused. An
  // index that has no room for a new item answers StNoMemory, or StTooLarge, in the place of StOk,
  // and removes the old one.
  typedef struct packed {
    status_e status;
    logic    reads;    // the item goes into the answer
    logic    stores;   // a new item is to be stored
    logic    removes;  // the item is to be removed
    logic    touches;  // it is to be changed where it stands
  } decision_t;

  // hit: there is a live item with the key (none in memory that did not tell); same: its CAS number
  // is the one that was given; numeric: its value is a number; fits: an item may have the value that
  // comes out.
  function automatic decision_t decide(demand_t demand, logic hit, logic same, logic numeric,
                                       logic fits);
    decision_t decision;
    logic missing, differs, odd, granted;  // differs: there is an item that must not be there
    missing = !hit && demand.needs_item;
    differs = hit && (demand.needs_none || (demand.compares && !same));
    odd = hit && ((demand.counts && !numeric) || (demand.joins && !fits));
    granted = !demand.unreadable && !missing && !differs && !odd;
    decision.status = demand.unreadable ? StMemory : differs ? StExists :
                      demand.joins && (missing || odd) ? StNotStored : missing ? StNotFound :
                      odd ? StNotNumber : demand.refuses ? StTooLarge : StOk;
    decision.reads = granted && demand.reads && (hit || !demand.fills);
    decision.stores = granted && demand.stores && !(hit && demand.fills);
    decision.removes = granted && demand.removes && hit;
    decision.touches = granted && demand.touches;
    return decision;
  endfunction

endpackage

`default_nettype wire
