// SPDX-License-Identifier: Apache-2.0
// Holds the results of each message until the last has come and its answer's size is known, then
// lets them go, and beside them one message_t: over UDP an answer says in front how long it is. Key
// words and opaque words that the answer does not show are dropped here. The answers to a request
// packet end where answer_limit_i is reached, with one error. Over TCP they end where the room of the
// packet's turn does, without a word, and answered_o says how far they came: the packet is given again
// when there is room, and what was answered is skipped. An operation with op.cancel takes back
// the answers of its command before it. Every result leaves all the same, as others wait for it: one
// whose answer is taken back, skipped or beyond the limit leaves as an OpNone.
// A result every 2 cycles, or 1 + its key words, or 1 + its opaque words; a message every 2. Latency
// 4 to result_o, 10 to message_o. Stalls when a queue is full. Results come in whole messages, keys
// as soon as nothing can take them back any more, opaque words at once.
// Long because what is counted, kept and taken back of an answer follows one operation.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_size #(
  parameter int unsigned Operations = 1024,  // a whole message must fit, whatever it is
  parameter int unsigned KeyWords   = 1024,  // and all its key words
  parameter int unsigned OpaqueWords = 256,  // and what came with O
  parameter int unsigned Messages   = 256,
  parameter int unsigned ItemBits   = 20,    // the largest item has 2**ItemBits bytes
  parameter bit          Meta       = 1'b1,  // answers to meta commands
  parameter bit          Tcp        = 1'b1   // packets of TCP, else turn_* and answered_o stay 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire wc_pkg::answer_limit_t answer_limit_i,  // changes only while nothing is in flight
  input  wire logic [3:0]        version_bytes_i,  // likewise
  // One for each packet with op.tcp, in their order, three cycles or more before its first result.
  input  wire logic              turn_valid_i,
  output logic                   turn_ready_o,
  input  wire wc_pkg::tcp_turn_t turn_i,
  input  wire logic              result_valid_i,
  output logic                   result_ready_o,
  input  wire wc_pkg::result_t   result_i,
  input  wire logic              key_valid_i,
  output logic                   key_ready_o,
  input  wire wc_pkg::beat_t     key_i,
  input  wire logic              opaque_valid_i,
  output logic                   opaque_ready_o,
  input  wire wc_pkg::opaque_word_t opaque_i,
  output logic                   result_valid_o,
  input  wire logic              result_ready_i,
  output wc_pkg::result_t        result_o,
  output logic                   key_valid_o,
  input  wire logic              key_ready_i,
  output wc_pkg::beat_t          key_o,
  output logic                   opaque_valid_o,
  input  wire logic              opaque_ready_i,
  output wc_pkg::opaque_word_t   opaque_o,
  output logic                   message_valid_o,
  input  wire logic              message_ready_i,
  output wc_pkg::message_t       message_o,
  output wc_pkg::tcp_answered_t  answered_o,  // with message_o; counts in a packet's last message
  output wc_pkg::level_t         level_o,  // operations that wait for their message's end
  output wc_pkg::watched_t       watched_o,  // with key_i
  output wc_pkg::answer_events_t events_o
);

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_response_pkg::*;

  localparam int unsigned Margin = 5;  // operations or words that come before room_q tells
  localparam int unsigned Slack = 11;  // messages under way to their queue when its room falls

  // Else a message's end would wait for the room that its beginning takes, for ever.
  `WC_REQUIRE(operations, Operations - Margin > MostOperations,
              "wc_answer_size: Operations must be 1024 or more, for the longest message")
  `WC_REQUIRE(key_words, KeyWords - Margin > MostKeyWords,
              "wc_answer_size: KeyWords must be 1024 or more, for the longest message")
  `WC_REQUIRE(opaque_words, OpaqueWords - Margin > MostOpaqueWords,
              "wc_answer_size: OpaqueWords must be 256 or more, for the longest message")
  `WC_REQUIRE(messages, Messages >= 32, "wc_answer_size: Messages must be at least 32")

  // ---- one operation: its key words and its opaque words, then itself ---------------------------
  logic valid, leave;
  logic keyed_q;   // key words of it are to come
  logic words_q;   // it has some
  logic opaqued_q; // opaque words are
  logic open_q;    // the operation before left its command open
  logic settle_q;  // this one ends that, in a cycle of its own
  result_t in, result_q;
  shape_t shape, shape_q;
  meta_line_t line_q;
  effect_t effect;
  logic key_end, opaque_end;  // the last word comes

  always_comb begin
    in = result_i;
    in.op = op_with(Meta, result_i.op);
    if (!Meta) {in.ttl, in.unused, in.marks, in.wins} = '0;
    if (!Tcp) in.op.tcp = 1'b0;
    if (in.op.status != StOk) in.cas = '0;  // what an `ms` shows that stored nothing
  end

  assign shape = shape_of(in.op);
  assign effect = effect_of(in.op.op);
  assign valid = !result_ready_o;

  always_ff @(posedge clk_i) begin
    if (!valid) begin
      result_ready_o <= !result_valid_i;
      keyed_q <= result_valid_i && result_i.op.key_words;
      words_q <= result_i.op.key_words;
      opaqued_q <= result_valid_i && in.op.meta &&
                   asks_for(asked_of(in.op), ShowOpaque);
      settle_q <= result_valid_i && open_q && (in.op.cmd_first || in.op.cancel);
      result_q <= in;
      shape_q <= shape;
      line_q <= line_of(in.op, lead_of(in.marks, in.wins));
    end else begin
      settle_q <= 1'b0;
      if (leave) result_ready_o <= 1'b1;
      if (key_end) keyed_q <= 1'b0;
      if (opaque_end) opaqued_q <= 1'b0;
    end
    if (rst_i) begin
      result_ready_o <= 1'b1;
      settle_q <= 1'b0;
      keyed_q <= 1'b0;
      opaqued_q <= 1'b0;
    end
  end

  typedef logic signed [$bits(answer_limit_t):0] left_t;

  // ---- the turn of a TCP packet -----------------------------------------------------------------
  // An answer is let go while some of the room is left for all but its value. So that it never has
  // more bytes than the room, what an answer can have beside its value is taken off at first.
  localparam int unsigned BesideBytes = MaxKeyBytes + MetaAroundBytes;

  // One turn is in use, and the next one waits beside it, as packets may come every two cycles.
  logic ahead_valid_q, turn_valid_q;
  tcp_turn_t ahead_q;
  logic load, turn_ends;
  logic ends_q;      // the operation in hand is its packet's last one
  logic reads_q;     // what finds no room is left out
  logic whole_q2;    // never more room comes
  logic largest_q;   // in a ring that is free and as long as any item, a classic answer has room
  logic skipping_q;  // the next operation was answered before
  logic first_q;     // it is the first one that was not
  ring_bytes_t skip_q;  // operations yet to be skipped
  left_t turn_left_q;   // the room, as left_q has it

  assign turn_ready_o = !ahead_valid_q;
  assign load = ahead_valid_q && (!turn_valid_q || turn_ends);
  assign turn_ends = leave && ends_q && result_q.op.tcp;

  always_ff @(posedge clk_i) begin
    if (!ahead_valid_q) ahead_q <= turn_i;
    ahead_valid_q <= ahead_valid_q ? !load : turn_valid_i;
    if (load) begin
      turn_valid_q <= 1'b1;
      reads_q <= ahead_q.reads;
      whole_q2 <= ahead_q.whole;
      largest_q <= ahead_q.whole && ahead_q.room[MostRingBits:ItemBits] != '0;
      turn_left_q <= left_t'({1'b0, ahead_q.room}) - left_t'(BesideBytes);
      skip_q <= ahead_q.skip;
      skipping_q <= ahead_q.skip != '0;
      first_q <= ahead_q.skip == '0;
    end else if (turn_ends) begin
      turn_valid_q <= 1'b0;
    end else if (leave && result_q.op.tcp) begin
      skip_q <= skip_q - 1'b1;
      skipping_q <= skipping_q && skip_q != ring_bytes_t'(1);
      first_q <= skipping_q && skip_q == ring_bytes_t'(1);
    end
    if (rst_i) begin
      ahead_valid_q <= 1'b0;
      turn_valid_q <= 1'b0;
    end
  end

  // ---- the limit --------------------------------------------------------------------------------
  // What a packet's answers may still take: each counts as its value, its key and AroundBytes,
  // which is no less than it has. The first answer whose value finds no room becomes an error, and
  // all behind it say nothing, but those of SETs: their values are on the way to the store, and
  // they are smaller than what asks for them.
  // Over TCP that first answer is left out, too, if the turn reads, else there is no limit. But where
  // more room never comes, the first operation that is not skipped must be answered. If it is classic
  // and the ring as long as any item, it has room: an item takes ItemBytes beside key and
  // value, and an answer less (wc_answer_bytes). Else it becomes an error, and what is behind goes on.
  left_t left_q, left;
  value_len_t hit_cost_q;
  logic [8:0] other_cost_q;
  logic over_q;   // the limit was reached: the error has been told, or an answer was left out
  logic fresh_q;  // a packet's first operation is next
  logic speaks;   // the operation that comes has an answer,
  logic fits;     // and its value has room
  logic tcp, cut, told, cut_q;
  logic told_q;   // with cut_q: an error is,
  logic out_q;    // or nothing is for want of room, nor is for all behind it
  logic charged;  // its answer, or the error in its place, takes some of what is left
  logic moves_q;  // left_q is another behind it

  function automatic logic has_room(left_t room, logic value, value_len_t value_len);
    return room >= 0 && (!value || room >= left_t'({1'b0, value_len}));
  endfunction

  // All of this is known as the operation comes: the one before it has left.
  assign speaks = shape.header || shape.numbers || shape.text != TextNone;
  assign tcp = in.op.tcp;
  // Of a packet's first operation nothing is in left_q yet, if it came over TCP.
  assign fits = tcp && fresh_q ? has_room(turn_left_q, shape.value, in.value_len) :
                                 has_room(left_q, shape.value, in.value_len);
  assign cut = speaks && !effect.value &&
               (over_q || (tcp && skipping_q) ||
                (!fits && (!tcp || (reads_q && !(largest_q && first_q && !in.op.meta)))));
  assign told = tcp ? whole_q2 && first_q : !over_q;
  assign charged = speaks && (!cut || (tcp && told));

  // What is left behind this operation, if it counts.
  always_comb begin
    left = left_q - left_t'({1'b0, shape_q.value && !cut_q ? hit_cost_q :
                                                             value_len_t'(other_cost_q)});
    if (!valid || ends_q) left = left_t'({1'b0, answer_limit_i});
    if (!valid && result_valid_i && tcp) left = turn_left_q;
  end

  always_ff @(posedge clk_i) begin
    if (!valid) begin
      hit_cost_q <= in.value_len + value_len_t'(in.op.key_len) +
                    value_len_t'(in.op.meta ? MetaAroundBytes : AroundBytes);
      other_cost_q <= 9'(in.op.key_len)
                      + 9'(in.op.meta ? MetaAroundBytes : AroundBytes);
      cut_q <= cut;
      told_q <= told;
      out_q <= cut && !(tcp && (skipping_q || told));
      ends_q <= in.op.last && !in.op.more;
      moves_q <= (in.op.last && !in.op.more) || charged;
    end
    if (valid ? leave && moves_q : fresh_q) left_q <= left;
    if (leave) begin
      over_q <= (over_q || out_q) && !ends_q;
      fresh_q <= ends_q;
    end
    events_o.cut <= leave && cut_q && told_q;
    if (rst_i) begin
      left_q <= left_t'({1'b0, answer_limit_i});
      over_q <= 1'b0;
      fresh_q <= 1'b1;
      events_o <= '0;
    end
  end

  // A command is open while an operation to come may cancel it: an ASCII get before its last key.
  logic stays_open_q, reopens, cancels, room_q, go;

  assign reopens = result_q.op.cmd_first;
  assign cancels = result_q.op.cancel && !reopens && !over_q;  // what is over stays as it is
  assign go = valid && !settle_q && room_q;
  assign leave = go && (!keyed_q || (key_valid_i && key_i.last)) &&
                 (!opaqued_q || (opaque_valid_i && opaque_i.last));
  assign key_ready_o = keyed_q && room_q && !settle_q;
  assign key_end = key_ready_o && key_valid_i && key_i.last;
  assign opaque_ready_o = opaqued_q && room_q && !settle_q;
  assign opaque_end = opaque_ready_o && opaque_valid_i && opaque_i.last;

  // Over TCP what is left out comes again, and all behind it.
  always_comb begin
    watched_o = '{
        word: key_ready_o && key_valid_i,
        leaves: leave,
        told: words_q && !(result_q.op.tcp && (skipping_q || over_q || out_q)),
        tcp: result_q.op.tcp,
        conn: result_q.op.conn,
        op: result_q.op.op,
        status: result_q.op.status,
        key_len: result_q.op.key_len,
        value_len: result_q.value_len,
        ttl: result_q.ttl
    };
  end

  always_ff @(posedge clk_i) begin
    if (!valid) begin
      stays_open_q <= effect.reads && !in.op.binary && !in.op.meta && !in.op.cmd_last &&
                      !in.op.last;
    end
    if (settle_q) open_q <= 1'b0;
    else if (leave) open_q <= stays_open_q;
    if (rst_i) open_q <= 1'b0;
  end

  // ---- the queues -------------------------------------------------------------------------------
  // Key words of an open command go only when nothing can take them back any more. Results wait for
  // their message anyway. They come in groups: those of an open command, or one alone. For each
  // group a bit says whether its answers are taken back. It comes as soon as that is known, which is
  // before the message is whole.
  typedef struct packed {
    logic    first;  // of its group
    result_t result;
  } held_t;

  logic results_ready, groups_ready, keys_ready, opaques_ready, sums_room;
  logic held_valid, result_valid, out_ready, pop;
  logic group_valid, group_back, back_q;
  held_t held;
  result_t result;
  logic [$clog2(Operations):0] held_q;  // results inside, with those that leave the queue's RAM
  logic [$clog2(KeyWords):0] keys_level;
  logic [$clog2(OpaqueWords):0] opaques_level;

  // A register in front of them: the block RAM lies far apart.
  logic push_q, push_first_q, push_key_q, push_opaque_q, commit_q, abort_q;
  logic results_room_q, keys_room_q, opaques_room_q;
  result_t push_result_q;
  beat_t push_beat_q;
  opaque_word_t push_word_q;

  always_ff @(posedge clk_i) begin
    push_q <= leave;
    push_key_q <= key_ready_o && key_valid_i && shape_q.key && !cut_q;
    push_opaque_q <= opaque_ready_o && opaque_valid_i && line_q.opaque && !cut_q;
    commit_q <= (settle_q && !cancels) || (leave && !stays_open_q);
    abort_q <= settle_q && cancels;
    push_first_q <= !open_q;
    push_result_q <= result_q;
    if (cut_q) push_result_q.op <= without_answer(result_q.op, told_q ? StAnswerTooLarge : StOk);
    push_beat_q <= key_i;
    push_word_q <= opaque_i;
    results_room_q <= held_q < ($bits(held_q))'(Operations - Margin);
    keys_room_q <= keys_level < ($bits(keys_level))'(KeyWords - Margin);
    opaques_room_q <= opaques_level < ($bits(opaques_level))'(OpaqueWords - Margin);
    room_q <= results_room_q && keys_room_q && opaques_room_q && sums_room;
    if (rst_i) begin
      room_q <= 1'b0;
      push_q <= 1'b0;
      push_key_q <= 1'b0;
      push_opaque_q <= 1'b0;
      commit_q <= 1'b0;
      abort_q <= 1'b0;
    end
  end

  wc_fifo #(
    .data_t(held_t),
    .Depth (Operations)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_q),
    .ready_o(results_ready),
    .data_i ('{first: push_first_q, result: push_result_q}),
    .valid_o(held_valid),
    .ready_i(pop),
    .data_o (held),
    .level_o()
  );

  // A bit leaves with the first result of its group: there are no more of them than results.
  wc_fifo #(
    .data_t(logic),
    .Depth (Operations)
  ) u_groups (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(commit_q || abort_q),
    .ready_o(groups_ready),
    .data_i (abort_q),
    .valid_o(group_valid),
    .ready_i(pop && held.first),
    .data_o (group_back),
    .level_o()
  );

  wc_fifo_commit #(
    .data_t(beat_t),
    .Depth (KeyWords)
  ) u_keys (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (push_key_q),
    .ready_o (keys_ready),
    .data_i  (push_beat_q),
    .commit_i(commit_q),
    .abort_i (abort_q),
    .valid_o (key_valid_o),
    .ready_i (key_ready_i),
    .data_o  (key_o),
    .level_o (keys_level)
  );

  // An operation of a meta command leaves nothing open, so nothing takes its words back.
  if (Meta) begin : gen_opaques
    wc_fifo #(
      .data_t(opaque_word_t),
      .Depth (OpaqueWords)
    ) u_opaques (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(push_opaque_q),
      .ready_o(opaques_ready),
      .data_i (push_word_q),
      .valid_o(opaque_valid_o),
      .ready_i(opaque_ready_i),
      .data_o (opaque_o),
      .level_o(opaques_level)
    );
  end else begin : gen_no_opaques
    logic unused;
    assign unused = ^{opaque_ready_i, push_word_q};
    assign opaques_ready = 1'b1;
    assign opaque_valid_o = 1'b0;
    assign opaque_o = '0;
    assign opaques_level = '0;
  end

  // Whole messages that are inside: results leave while there is one.
  logic [$clog2(Operations)+1:0] whole_q;
  logic whole_any_q, comes, goes;

  assign comes = push_q && push_result_q.op.last;
  assign result_valid = held_valid && whole_any_q && (group_valid || !held.first);
  assign pop = result_valid && out_ready;
  assign goes = pop && held.result.op.last;

  always_comb begin
    result = held.result;
    if (held.first ? group_back : back_q) result.op = without_answer(result.op, StOk);
  end

  always_ff @(posedge clk_i) begin
    if (pop && held.first) back_q <= group_back;
    if (push_q != pop) held_q <= held_q + (pop ? '1 : ($bits(held_q))'(1));
    if (comes && !goes) begin
      whole_q <= whole_q + 1'b1;
      whole_any_q <= 1'b1;
    end else if (goes && !comes) begin
      whole_q <= whole_q - 1'b1;
      whole_any_q <= whole_q != ($bits(whole_q))'(1);
    end
    if (rst_i) begin
      held_q <= '0;
      whole_q <= '0;
      whole_any_q <= 1'b0;
    end
  end

  assign level_o = level_t'(held_q);

  wc_slice #(
    .data_t(result_t)
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(result_valid),
    .ready_o(out_ready),
    .data_i (result),
    .valid_o(result_valid_o),
    .ready_i(result_ready_i),
    .data_o (result_o)
  );

  // ---- the sum ----------------------------------------------------------------------------------
  localparam int unsigned BytesLatency = 7;

  typedef struct packed {
    lane_t lane;
    conn_t conn;
    logic  last;
    logic  more;
    logic  host;
    logic  again;
    logic  refused;  // such a command, for which the parser had no room
    logic  reopens;
    logic  cancels;
    logic  stays_open;
    logic  cut;      // the answer is none,
    logic  told;     // or this error
    logic  binary;
    logic  tcp;
    logic  ends;     // of its packet
    logic  over;     // left out, as one before it was,
    logic  out;      // or as the first one
  } token_t;

  token_t [BytesLatency-1:0] token_q;
  token_t token;
  logic [BytesLatency-1:0] token_valid_q;
  value_len_t bytes, counted;
  logic [$clog2(OpaqueBytes+1)-1:0] opaque_bytes_q;  // that have come
  typedef struct packed {
    message_t      message;
    tcp_answered_t answered;
  } sum_t;

  message_t sum;
  sum_t sum_q, head;
  tcp_answered_t answered;
  ring_bytes_t operations_q2, needs_q;  // of the packet so far
  logic sum_valid_q;
  logic [$bits(sum.bytes)-1:0] total_q, mark_q, base;

  wc_answer_bytes u_bytes (
    .clk_i      (clk_i),
    .version_bytes_i(version_bytes_i),
    .shape_i    (shape_q),
    .line_i     (line_q),
    .key_len_i  (result_q.op.key_len),
    .value_len_i(result_q.value_len),
    .flags_i    (result_q.flags),
    .with_cas_i (result_q.op.with_cas),
    .cas_i      (result_q.cas),
    .later_i    (!valid),  // it has left the cycle before
    .ttl_i      (result_q.ttl),
    .unused_i   (result_q.unused),
    .opaque_bytes_i(opaque_bytes_q),
    .bytes_o    (bytes)
  );

  always_ff @(posedge clk_i) begin
    if (!valid) opaque_bytes_q <= '0;
    else if (opaque_ready_o && opaque_valid_i) begin
      opaque_bytes_q <= opaque_bytes_q + ($bits(opaque_bytes_q))'(opaque_i.bytes);
    end
  end

  always_comb begin
    token = token_q[BytesLatency-1];
    base = token.cancels ? mark_q : total_q;  // mark_q: without the open command
    sum = '0;
    sum.lane = token.lane;
    sum.conn = token.conn;
    sum.more = token.more;
    sum.host = token.host;
    counted = bytes;
    if (token.cut) begin
      counted = token.binary ? value_len_t'(HeaderBytes + 32'(TextTable[BodyTooLarge].bytes)) :
                               value_len_t'(TextTable[TextAnswerTooLarge].bytes);
      if (!token.told) counted = '0;
    end
    sum.bytes = base + ($bits(base))'(counted);
    // With exactly so much room it would have been let go: its value is no longer than its bytes.
    answered = '0;
    answered.tcp = token.tcp;
    answered.again = token.tcp && token.host && token.again;
    // What the host has answered in part is not refused: it comes again once more.
    if (token.tcp) begin
      answered.operations = operations_q2 + ring_bytes_t'(!token.over && !token.out);
      answered.needs = token.out && !token.over ? bytes + ring_bytes_t'(BesideBytes) : needs_q;
      if (token.refused) answered.needs = ring_bytes_t'(CommandAnswerBytes);
    end
  end

  always_ff @(posedge clk_i) begin
    token_q <= {token_q[BytesLatency-2:0],
                token_t'{lane: result_q.op.lane, conn: result_q.op.conn, last: result_q.op.last,
                         more: result_q.op.more, host: result_q.op.op == OpHost,
                         again: skipping_q,
                         refused: skipping_q && result_q.op.status == StBusy,
                         reopens: reopens, cancels: cancels,
                         stays_open: stays_open_q,
                         cut: cut_q, told: told_q, binary: result_q.op.binary,
                         tcp: result_q.op.tcp, ends: ends_q, over: over_q, out: out_q}};
    token_valid_q <= {token_valid_q[BytesLatency-2:0], leave};
    sum_valid_q <= 1'b0;
    sum_q <= '{message: sum, answered: answered};
    if (token_valid_q[BytesLatency-1]) begin
      sum_valid_q <= token.last;
      total_q <= sum.bytes;
      operations_q2 <= token.ends ? '0 : answered.operations;
      needs_q <= token.ends ? '0 : answered.needs;
      if (token.reopens) mark_q <= base;
      if (!token.stays_open) mark_q <= sum.bytes;
      if (token.last) begin
        total_q <= '0;
        mark_q <= '0;
      end
    end
    if (rst_i) begin
      token_valid_q <= '0;
      sum_valid_q <= 1'b0;
      total_q <= '0;
      mark_q <= '0;
      operations_q2 <= '0;
      needs_q <= '0;
    end
  end

  assign message_o = head.message;
  assign answered_o = head.answered;

  wc_credit_fifo #(
    .data_t(sum_t),
    .Depth (Messages),
    .Slack (Slack)
  ) u_sums (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (sums_room),
    .valid_i(sum_valid_q),
    .data_i (sum_q),
    .valid_o(message_valid_o),
    .ready_i(message_ready_i),
    .data_o (head)
  );

  // What bounds the wait for a message's end: its operations and key words so far.
  logic [$clog2(MostOperations+1)-1:0] operations_q;
  logic [$clog2(MostKeyWords+1)-1:0] key_words_q;
  logic [$clog2(MostOpaqueWords+1)-1:0] opaque_words_q;

  always_ff @(posedge clk_i) begin
    if (push_q) operations_q <= operations_q + 1'b1;
    if (push_key_q) key_words_q <= key_words_q + 1'b1;
    if (push_opaque_q) opaque_words_q <= opaque_words_q + 1'b1;
    if (comes) begin
      operations_q <= '0;
      key_words_q <= '0;
      opaque_words_q <= '0;
    end
    if (rst_i) begin
      operations_q <= '0;
      key_words_q <= '0;
      opaque_words_q <= '0;
    end
  end

  // What a packet's answers have in all; room_q2 is that of the token's turn.
  logic [$bits(sum.bytes)-1:0] packet_q;
  left_t [BytesLatency-1:0] room_q2;
  logic [BytesLatency-1:0] bound_q;  // the turn reads

  always_ff @(posedge clk_i) begin
    room_q2 <= {room_q2[BytesLatency-2:0], turn_left_q + left_t'(BesideBytes)};
    bound_q <= {bound_q[BytesLatency-2:0], result_q.op.tcp && reads_q};
    if (token_valid_q[BytesLatency-1] && token.last) begin
      packet_q <= token.ends ? '0 : packet_q + sum.bytes;
    end
    if (rst_i) packet_q <= '0;
  end

  `WC_ASSERT(within_the_room, !token_valid_q[BytesLatency-1] || !bound_q[BytesLatency-1] ||
                              left_t'(packet_q + sum.bytes) <= room_q2[BytesLatency-1])
  `WC_ASSERT(has_a_turn, valid || !result_valid_i || !tcp || turn_valid_q)
  `WC_ASSERT(room_for_an_error, !load || !ahead_q.whole || 32'(ahead_q.room) >= BesideBytes)
  // To do it again would do harm.
  `WC_ASSERT(only_reads, !leave || !result_q.op.tcp || (!reads_q && !skipping_q) ||
                         (result_q.op.op == OpHost ? !reads_q
                                                   : !effect_of(result_q.op.op).value))
  `WC_ASSERT(message_fits, !push_q || 32'(operations_q) < MostOperations)
  `WC_ASSERT(keys_fit, !push_key_q || 32'(key_words_q) < MostKeyWords)
  `WC_ASSERT(opaques_fit, !push_opaque_q || 32'(opaque_words_q) < MostOpaqueWords)
  `WC_ASSERT(results_have_room, !push_q || results_ready)
  `WC_ASSERT(groups_have_room, !(commit_q || abort_q) || groups_ready)
  `WC_ASSERT(keys_have_room, !push_key_q || keys_ready)
  `WC_ASSERT(opaques_have_room, !push_opaque_q || opaques_ready)
  `WC_ASSERT(opaque_is_short, !opaque_ready_o || !opaque_valid_i ||
                              32'(opaque_bytes_q) + 32'(opaque_i.bytes) <= OpaqueBytes)
  `WC_ASSERT(meta_closes, !leave || !result_q.op.meta || !stays_open_q)
  `WC_ASSERT(host_is_last, !leave || result_q.op.op != OpHost || result_q.op.last)
  `WC_ASSERT(key_as_announced, !leave || !words_q || result_q.op.key_len != '0)

endmodule

`default_nettype wire
