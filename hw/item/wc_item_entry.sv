// SPDX-License-Identifier: Apache-2.0
// Where operations enter the item index: those of users, when the log has room for what they store,
// and those of the sweeper, which go first as they make room. Each becomes a look at the table; what
// the stages behind the table need of it goes into a queue beside it.
// A message is let in when there is room for all that it may store. For its results wait for its
// end, and those of GETs keep their segments meanwhile: if a SET waited for room in the middle of a
// message, room could wait for that message. What a message has not used is given back at its end.
// While hold_i is high no message of a user begins; one that has begun goes on.
// Latency 1 to the look, 4 with room. Throughput: an operation every 2 cycles; one that stores and is a
// message of its own every 4 cycles, a join that is one a cycle more. A look that is not taken, or a
// full queue, stalls both inputs.
`include "wc_assert.svh"
`default_nettype none

module wc_item_entry
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter bit Meta = 1'b1  // there are meta commands
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire logic          hold_i,
  output logic               message_o,  // one has begun
  // of users
  input  wire logic          hashed_valid_i,
  output logic               hashed_ready_o,
  input  wire hashed_t       hashed_i,
  // of the sweeper
  input  wire logic          met_valid_i,
  output logic               met_ready_o,
  input  wire met_t          met_i,
  // room for what is stored, from wc_log_place
  output logic               room_valid_o,
  output room_t              room_units_o,
  input  wire logic          room_ready_i,
  output logic               room_take_o,
  output logic               spare_valid_o,  // so much of what was taken is not needed
  input  wire logic          spare_ready_i,
  output units_t             spare_units_o,
  // the look, with the hash that finds its bucket
  output logic               look_valid_o,
  input  wire logic          look_ready_i,
  output look_t              look_o,  // but bucket and tag
  output logic [63:0]        hash_o,
  // in the order of looks; `enters_o` says that all there is to say of an operation is said now
  output logic               enters_o,
  input  wire logic          room_i,  // in the queues that follow
  output logic               user_o,  // enters: it is a user's
  output context_t           context_o,
  output units_t             length_o,
  output logic               key_o,   // it has key words, which go
  output logic               key_writer_o,   // to the log's writer
  output logic               key_compare_o,  // to the comparison
  output logic               value_o,        // it has a value, which goes to the writer
  output logic               value_joins_o,  // or is joined to its item's, if it has words:
  output logic               value_words_o
);

  import wc_policy_pkg::*;

  // ---- what a user's operation is ---------------------------------------------------------------
  typedef struct packed {
    hashed_t hashed;
    units_t  span;
    logic    stores;
    logic    asks;
    logic    joins;
    logic    too_large;
    logic    opens;  // a message of several operations, or a join: it has room for all of them
    logic    alone;  // it has room for what it stores, as it is a message of its own
    logic    grows;  // a join, for what grows in its message,
    logic    single; // which it ends: it is all of it, if it begins it
  } user_t;

  logic user_valid, user_ready;
  user_t user;
  effect_t effect;
  logic asks, stores;

  effect_t enters_effect;
  request_t request;
  user_t entering;

  always_comb begin
    request = hashed_i.request;
    if (!Meta) begin
      {request.op.meta, request.stale, request.clears, request.idle, request.recaches} = '0;
    end
  end

  assign enters_effect = effect_with(request.op.op, request.stale, request.clears,
                                     request.creates && request.op.meta);

  always_comb begin
    entering.hashed = '{request: request, hash: hashed_i.hash};
    entering.span = item_units(request.op.key_len, length_t'(request.value_len));
    entering.stores = stores_of(enters_effect);
    entering.asks = asks_of(enters_effect, request.cas != '0, request.recaches);
    entering.joins = enters_effect.change == ChangeJoin;
    entering.too_large = item_exceeds(request.op.key_len, length_t'(request.value_len),
                                      settings_i.largest);
    entering.opens = !request.op.last || entering.joins;
    entering.alone = !entering.opens && entering.stores && !entering.too_large;
    entering.grows = entering.joins && !entering.too_large;
    entering.single = entering.grows && request.op.last;
  end

  wc_slice_half #(
    .data_t(user_t)
  ) u_user (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(hashed_valid_i),
    .ready_o(hashed_ready_o),
    .data_i (entering),
    .valid_o(user_valid),
    .ready_i(user_ready),
    .data_o (user)
  );

  assign effect = effect_with(user.hashed.request.op.op, user.hashed.request.stale,
                              user.hashed.request.clears,
                              user.hashed.request.creates && user.hashed.request.op.meta);
  assign asks = user.asks;
  assign stores = user.stores;

  // ---- room -------------------------------------------------------------------------------------
  // A message of one operation asks for what it stores, any other one for the most that its
  // operations may store. Each takes some bytes of the packet, and up to an eighth of a unit for each
  // of them and OperationUnits8 eighths more: so does the shortest line, `ma k`, whose item has a
  // number, and `message_is_enough` looks at those of all lengths. So a whole packet's bytes and
  // MessageOperations are the most that a message stores (1,816 units); a message has more operations
  // than that only if its last command asks for many keys, which stores nothing. A packet of TCP may
  // be longer, but in a message of several operations none has a value, and the words of their keys
  // are bounded (wc_request_emit): what they may store is less.
  // An item to whose value another one is joined is longer than that by the value that it had. For all
  // of these together a message has room for LeastGrowth units, and for `growth` more if there is a join
  // (wc_item_grow keeps account). The first operation brings them along, so a join alone is such a
  // message, too. But what comes with it may be longer than a datagram: it asks for what it stores in
  // the place of what a datagram may. Behind others a join asks for them, but not for long: segments
  // that the sweeper would have to empty may be held by the GETs in front of it. Then it does without.
  localparam int unsigned Waste = LineUnits - 1;  // of wc_log_room, an item
  localparam int unsigned OperationUnits8 = 51;
  localparam int unsigned MessageUnits = (PacketBytes + MessageOperations * OperationUnits8) / 8;
  localparam units_t BaseUnits = units_t'(MessageUnits + Waste) + LeastGrowth;
  localparam units_t SingleUnits = units_t'(2 * Waste) + LeastGrowth;
  localparam int unsigned Patience = 64;  // cycles

  logic open_q;   // a message has its room
  logic begins;   // the message of several operations needs it, or that of a join
  logic alone;    // an operation that stores, a message of its own
  logic grows;    // a join needs its message's room for what grows
  logic grown_q;  // the message has it, or does without
  logic adds_q;   // it has got it: the operation that goes next tells so
  logic [$clog2(Patience)-1:0] waited_q;
  units_t growth_q;
  units_t joined_q, more_q;  // what a join asks for: with a message that begins, in another
  units_t single_base_q;            // and alone, but for what it stores;
  room_t single_q;                  // with that
  logic summed_q;                   // single_q is of the operation that is there
  logic last, needs_room, goes, held;
  logic goes_on;  // an operation of a message that has its room
  units_t left_q;  // of the message's room
  units_t left;

  assign last = user.hashed.request.op.last;
  assign needs_room = stores && !user.too_large;
  assign held = hold_i && !open_q;
  assign message_o = open_q || spare_valid_o;
  assign begins = user_valid && !open_q && user.opens && (!user.single || summed_q);
  assign alone = user_valid && !open_q && user.alone;
  assign grows = user_valid && open_q && user.grows && !grown_q;
  assign room_valid_o = !held && ((begins && !spare_valid_o) || grows || alone);
  assign room_take_o = room_ready_i && !held
                       && ((begins && !spare_valid_o) || grows
                           || (alone && goes && !met_valid_i));  // it goes, as there is room
  assign left = needs_room ? left_q - user.span - units_t'(Waste) : left_q;
  assign spare_units_o = left_q;

  always_comb begin
    room_units_o = room_t'(user.span);
    if (grows) room_units_o = room_t'(more_q);
    if (begins) room_units_o = user.grows ? room_t'(joined_q) : room_t'(BaseUnits);
    if (begins && user.single) room_units_o = single_q;
  end

  always_ff @(posedge clk_i) begin
    growth_q <= growth(settings_i.largest);
    joined_q <= BaseUnits + growth_q;
    single_base_q <= SingleUnits + growth_q;
    single_q <= room_t'(single_base_q) + room_t'(user.span);
    summed_q <= user_valid && !user_ready;
    more_q <= growth_q - units_t'(Waste);  // wc_log_room adds it
    waited_q <= grows && !room_take_o ? waited_q + 1'b1 : '0;
    if (begins && room_take_o) begin
      open_q <= 1'b1;
      left_q <= user.single ? user.span + units_t'(Waste) : units_t'(MessageUnits);
      grown_q <= user.grows;
      adds_q <= user.grows;
    end
    if (grows && (room_take_o || waited_q == '1)) begin
      grown_q <= 1'b1;
      adds_q <= room_take_o;
    end
    if (spare_ready_i) spare_valid_o <= 1'b0;
    if (goes_on) begin
      left_q <= left;
      adds_q <= 1'b0;
      open_q <= !last;
      spare_valid_o <= last;
    end
    if (rst_i) begin
      open_q <= 1'b0;
      adds_q <= 1'b0;
      summed_q <= 1'b0;
      spare_valid_o <= 1'b0;
    end
  end

  // The shortest lines that store, with a key of `key` bytes.
  localparam int unsigned AroundCount = 4;   // "ma ", key, line end: a number
  localparam int unsigned AroundCreate = 7;  // "mg ", key, " N0", line end: no value
  localparam int unsigned AroundStore = 8;   // "ms ", key, " 0", line end, value, CR LF

  function automatic logic line_fits(int unsigned bytes, int unsigned key, int unsigned value);
    return 8 * (32'(item_units(key_len_t'(key), length_t'(value))) + Waste)
           <= bytes + OperationUnits8;
  endfunction

  // A value has a unit for 16 bytes, and an eighth for each is allowed: longer ones fit all the more.
  function automatic logic lines_fit();
    lines_fit = 1'b1;
    for (int unsigned key = 1; key <= MaxKeyBytes; key++) begin
      lines_fit &= line_fits(key + AroundCount, key, NumberBytes)
                   && line_fits(key + AroundCreate, key, 0);
      for (int unsigned value = 0; value <= 2 * UnitBytes; value++) begin
        lines_fit &= line_fits(key + AroundStore + value, key, value);
      end
    end
  endfunction

  // Of TCP: all operations of a message have the same key, that for which they store the most.
  function automatic logic tcp_fits();
    tcp_fits = 1'b1;
    for (int unsigned key = 1; key <= MaxKeyBytes; key++) begin
      tcp_fits &= (32'(item_units(key_len_t'(key), length_t'(NumberBytes))) + Waste)
                  * MostTcpMessageWords
                  <= MessageUnits * ((key + WordBytes - 1) / WordBytes + TcpOtherWords);
    end
  endfunction

  `WC_REQUIRE(message_is_enough, lines_fit(),
              "wc_item_entry: a packet may store more than its message has room for")
  `WC_REQUIRE(tcp_message_is_enough, tcp_fits(),
              "wc_item_entry: a message of TCP may store more than it has room for")
  `WC_REQUIRE(message_is_counted, 32'(BaseUnits) + Waste + 32'(MostUnits) < 2 ** $bits(units_t),
              "wc_item_entry: a message needs more units than can be counted")
  `WC_REQUIRE(single_is_counted, 32'(SingleUnits) + Waste + 2 * 32'(MostUnits)
              < 2 ** $bits(room_t), "wc_item_entry: a join needs more units than can be counted")
  `WC_ASSERT(message_has_room, !(open_q && user_valid && needs_room)
             || 32'(left_q) >= 32'(user.span) + Waste)

  // ---- who goes ---------------------------------------------------------------------------------
  // An item that is too large takes its key's item away: it is a look that removes.
  logic may_go;

  // Of a user that is there; else it does not matter.
  assign may_go = open_q ? !user.grows || grown_q
                         : !hold_i && !user.opens && (!user.alone || room_ready_i);
  assign goes = look_ready_i && room_i;
  assign met_ready_o = goes;
  assign user_ready = goes && !met_valid_i && may_go;
  assign goes_on = open_q && user_valid && goes && !met_valid_i && (!user.grows || grown_q);
  assign look_valid_o = room_i && (met_valid_i || (user_valid && may_go));
  assign enters_o = look_valid_o && look_ready_i;

  always_comb begin
    look_o = '0;
    if (met_valid_i) begin
      look_o.looks = 1'b1;
      look_o.sweeps = 1'b1;
      look_o.turn = met_i.turn;
      look_o.span = met_i.span;
      look_o.address = met_i.address;
      look_o.dead = met_i.dead;
      look_o.may_copy = met_i.may_copy;
    end else begin
      look_o.looks = effect.need != NeedNoKey;
      look_o.stores = needs_room;
      look_o.removes = effect.change == ChangeRemove
                       || (stores && !user.joins && !tells_of(effect) && user.too_large);
      look_o.reads = (effect.reads || looks_of(effect)) && !user.hashed.request.idle;
      look_o.fetches = Meta && tells_of(effect) && !user.hashed.request.idle;
      look_o.wins = tells_of(effect) && user.hashed.request.op.meta;
      look_o.asks = asks;
      look_o.creates = (effect.need == NeedNone || user.hashed.request.creates) && needs_room;
      look_o.counts = effect.change == ChangeNumber;
      look_o.span = user.span;
      look_o.grows = user.grows;
      look_o.adds = adds_q;
      look_o.ends = open_q && last;
      look_o.address = address_t'(lengths_t'{
          key_len: user.hashed.request.op.key_len,
          value_len: user.hashed.request.value_len
      });
    end
  end

  // Of the sweeper's the upper half is not known.
  assign hash_o = met_valid_i ? {user.hashed.hash[63:32], met_i.hash} : user.hashed.hash;
  assign user_o = !met_valid_i;
  assign context_o = '{request: user.hashed.request, hash: user.hashed.hash[31:0]};
  assign length_o = look_o.span;
  assign key_o = !met_valid_i && user.hashed.request.op.key_len != '0;
  assign key_writer_o = stores;
  assign key_compare_o = !stores || asks || user.hashed.request.op.key_words;
  assign value_words_o = user.hashed.request.value_len != '0;
  assign value_joins_o = user.joins;
  assign value_o = !met_valid_i && (user.joins || (effect.value && value_words_o));

endmodule

`default_nettype wire
