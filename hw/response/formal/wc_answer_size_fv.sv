// SPDX-License-Identifier: Apache-2.0
// Proof of wc_answer_size, of what becomes of results and key words; wc_answer_sum_fv has the
// message_t. One result is followed, any one, and one key word, any one.
// Rule 1: an operation leaves once, behind all those before it, unchanged, unless it is taken back;
//         then it says nothing, and is otherwise unchanged. Taken back is what has left its command
//         open, an ASCII get before its last key, when an operation with cancel comes behind it,
//         before one that closes the command or begins another.
// Rule 2: no operation leaves before the last one of its message has come, with its key words.
// Rule 3: the key words of an operation with key_words are all taken before the next operation is,
//         and no others.
// Rule 4: a key word leaves once, unchanged and in order, if the answer shows the key, as
//         shape_of() says, and its operation is not taken back; no others do, and none while it
//         still can be.
// Rule 5: what is offered holds and is stable until taken.
// Rule 6: an operation or a key word is asked for within five cycles; what may leave is offered
//         within seven.
// Rule 7: the words of what came with O are all taken before the next operation is, if it is of a
//         meta command that asks for them, and no others. One leaves once, unchanged and in order,
//         if the answer shows it; no others do.
// Assumed: an operation with with_key has key_words, and a key; no more than eight key words that
// are shown, and eight opaque words.
// (All other orders of with_key, cmd_first, cmd_last, cancel and last are free, also those that the
// request parser never makes.)
`include "wc_assert.svh"
`default_nettype none

module wc_answer_size_fv
  import wc_pkg::*;
  import wc_response_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       pick_i,      // free: follow the operation that is taken
  input wire logic       pick_key_i,  // free: and this key word
  input wire logic       pick_opaque_i,  // free: and this opaque word
  input wire logic       valid_i,
  input wire logic       first_bit_i,
  input wire logic       hit_i,
  input wire logic       last_bit_i,
  input wire logic       last_i,
  input wire logic       binary_i,
  input wire logic       get_i,
  input wire logic [1:0] status_i,
  input wire logic       quiet_i,
  input wire logic       with_key_i,
  input wire logic       watched_i,  // the host alone wants its key words
  input wire logic       cmd_first_i,
  input wire logic       cmd_last_i,
  input wire logic       cancel_i,
  input wire logic       key_valid_i,
  input wire logic       key_data_i,
  input wire logic       key_last_i,
  input wire logic       meta_i,
  input wire logic       asks_i,
  input wire logic       opaque_valid_i,
  input wire logic       opaque_data_i,
  input wire logic       opaque_last_i,
  input wire logic       opaque_ready_i,
  input wire logic       result_ready_i,
  input wire logic       key_ready_i
);

  localparam int unsigned Reach = 8;

  typedef logic [3:0] count_t;

  // What is followed of a result and of a key word, their first bit and their last among it: the
  // cell moves them whole, but for what it takes from an operation that is taken back.
  typedef struct packed {
    logic    first;
    logic    last_of_message;
    logic    binary;
    op_e     op;
    say_e    say;
    status_e status;
    logic    quiet;
    logic    hit;
    logic    last;
  } tag_t;

  typedef logic [1:0] key_tag_t;

  function automatic tag_t tag_of(result_t result);
    return '{first: result.op.lane[2], last_of_message: result.op.last, binary: result.op.binary,
             op: result.op.op, say: result.op.say, status: result.op.status,
             quiet: result.op.quiet, hit: result.hit, last: result.one_line};
  endfunction

  function automatic key_tag_t key_tag_of(beat_t beat);
    return {beat.data[63], beat.last};
  endfunction

  // The queues keep their depth, which the cell asks for; the RAM below them is only as deep as the
  // search can fill it (within_reach), and no parameter of the cell's says that.
  // verilog_lint: waive-start forbid-defparam
  defparam u_dut.u_results.u_ram.Depth = Reach;
  defparam u_dut.u_groups.u_ram.Depth = Reach;
  defparam u_dut.u_keys.u_ram.Depth = Reach;
  defparam u_dut.gen_opaques.u_opaques.u_ram.Depth = Reach;
  defparam u_dut.u_sums.u_fifo.u_ram.Depth = Reach;
  // verilog_lint: waive-stop forbid-defparam

  logic ready, key_ready, opaque_ready, valid, key_valid, opaque_valid;
  opaque_word_t opaque_in, opaque_out;
  result_t in, out;
  beat_t key_in, key_out;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  always_comb begin
    in = '0;
    in.op.lane[2] = first_bit_i;
    in.op.last = last_i;
    in.op.binary = binary_i;
    in.op.meta = meta_i;
    if (meta_i && asks_i) in.op.opcode = {ShowOpaque, 4'(ShowFlags)};
    in.op.op = get_i ? OpGet : OpNone;
    in.op.say = SayOk;
    in.op.status = status_e'({status_i[1], 2'd0, status_i[0]});  // fine, not found, two errors
    in.op.quiet = quiet_i;
    in.op.with_key = with_key_i;
    in.op.key_words = with_key_i || watched_i;
    in.op.cmd_first = cmd_first_i;
    in.op.cmd_last = cmd_last_i;
    in.op.cancel = cancel_i;
    in.op.key_len = key_len_t'(in.op.key_words);
    in.hit = hit_i;
    in.one_line = last_bit_i;
    opaque_in = '{data: {opaque_data_i, 63'd0}, bytes: '0, last: opaque_last_i};
    key_in = '{data: {key_data_i, 63'd0}, last: key_last_i};
  end

  wc_answer_size u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .answer_limit_i ('1),
    .version_bytes_i(4'd10),
    .turn_valid_i   (1'b0),
    .turn_ready_o   (),
    .turn_i         ('0),
    .result_valid_i (valid_i),
    .result_ready_o (ready),
    .result_i       (in),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready),
    .key_i          (key_in),
    .opaque_valid_i (opaque_valid_i),
    .opaque_ready_o (opaque_ready),
    .opaque_i       (opaque_in),
    .result_valid_o (valid),
    .result_ready_i (result_ready_i),
    .result_o       (out),
    .key_valid_o    (key_valid),
    .key_ready_i    (key_ready_i),
    .key_o          (key_out),
    .opaque_valid_o (opaque_valid),
    .opaque_ready_i (opaque_ready_i),
    .opaque_o       (opaque_out),
    .message_valid_o(),
    .message_ready_i(1'b1),
    .message_o      (),
    .answered_o     (),
    .level_o        (),
    .watched_o      (),
    .events_o       ()
  );

  logic take, take_key, pop, pop_key;

  assign take = valid_i && ready;
  assign take_key = key_valid_i && key_ready;
  assign pop = valid && result_ready_i;
  assign pop_key = key_valid && key_ready_i;

  // ---- what comes in ----------------------------------------------------------------------------
  // Key words are counted as they will leave: what is taken back is taken off.
  shape_t shape;
  logic open_q;             // the operation before left its command open
  logic words_q, opaques_q; // it waits for key words, for opaque words
  logic shown_q, last_q;    // its key leaves; it is the last of its message
  count_t kept_q, mark_q;   // operations; those before the open command
  count_t keys_q, key_mark_q;
  count_t whole_q;          // operations of whole messages, but for the last operation's
  logic stays, takes_back;
  count_t key_base, whole, settled_keys;

  assign shape = shape_of(in.op);
  assign stays = get_i && !binary_i && !meta_i && !cmd_last_i && !last_i;
  assign takes_back = open_q && cancel_i && !cmd_first_i;
  assign key_base = takes_back ? key_mark_q : keys_q;
  assign whole = last_q && !words_q && !opaques_q ? kept_q : whole_q;
  assign settled_keys = open_q ? key_mark_q : keys_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      open_q <= stays;
      words_q <= in.op.key_words;
      shown_q <= shape.key;
      last_q <= last_i;
      kept_q <= kept_q + 1'b1;
      keys_q <= key_base;
      if (!open_q || cmd_first_i) begin
        mark_q <= kept_q;
        key_mark_q <= key_base;
      end
      whole_q <= whole;
    end
    if (take_key) begin
      if (key_last_i) words_q <= 1'b0;
      if (shown_q) keys_q <= keys_q + 1'b1;
    end
    if (rst_i) begin
      open_q <= 1'b0;
      words_q <= 1'b0;
      last_q <= 1'b0;
      kept_q <= '0;
      keys_q <= '0;
      whole_q <= '0;
    end
  end

  // ---- what came with O -------------------------------------------------------------------------
  logic opaque_shown_q;  // they leave
  logic take_opaque, pop_opaque, watch_opaque_q, mine_opaque;
  count_t opaques_in_q, opaques_out_q, opaque_at_q;
  logic [1:0] opaque_tag_q;

  assign take_opaque = opaque_valid_i && opaque_ready;
  assign pop_opaque = opaque_valid && opaque_ready_i;
  assign mine_opaque = opaque_valid && watch_opaque_q && opaques_out_q == opaque_at_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      opaques_q <= meta_i && asks_i;
      opaque_shown_q <= get_i && (status_i == 2'd0 || (status_i == 2'd1 && !quiet_i));
    end
    if (take_opaque) begin
      if (opaque_last_i) opaques_q <= 1'b0;
      if (opaque_shown_q) opaques_in_q <= opaques_in_q + 1'b1;
      if (opaque_shown_q && pick_opaque_i && !watch_opaque_q) begin
        watch_opaque_q <= 1'b1;
        opaque_at_q <= opaques_in_q;
        opaque_tag_q <= {opaque_data_i, opaque_last_i};
      end
    end
    opaques_out_q <= opaques_out_q + count_t'(pop_opaque);
    if (rst_i) begin
      opaques_q <= 1'b0;
      opaques_in_q <= '0;
      opaques_out_q <= '0;
      watch_opaque_q <= 1'b0;
    end
  end

  `WC_ASSUME(few_opaques, opaques_in_q <= count_t'(Reach))
  `WC_ASSERT(opaques_before_next, !take || !opaques_q)
  `WC_ASSERT(opaques_are_its_own, !take_opaque || opaques_q)
  `WC_ASSERT(opaque_has_come, !opaque_valid || opaques_out_q < opaques_in_q)
  `WC_ASSERT(opaque_unchanged, !mine_opaque
                               || {opaque_out.data[63], opaque_out.last} == opaque_tag_q)

  `WC_ASSUME(few_words, keys_q <= count_t'(Reach))
  `WC_ASSERT(within_reach, kept_q <= count_t'(Reach))
  `WC_ASSERT(words_before_next, !take || !words_q)
  `WC_ASSERT(words_are_its_own, !take_key || words_q)

  // ---- what is followed -------------------------------------------------------------------------
  count_t out_q, keys_out_q;  // that have left
  logic watch_q, watch_key_q;
  logic back_q;               // it was taken back
  count_t at_q, key_at_q;     // how many leave before it
  tag_t tag_q, wanted;
  key_tag_t key_tag_q;
  logic mine, mine_key;

  always_ff @(posedge clk_i) begin
    out_q <= out_q + count_t'(pop);
    keys_out_q <= keys_out_q + count_t'(pop_key);
    if (take && takes_back) begin
      if (at_q >= mark_q) back_q <= watch_q;
      if (key_at_q >= key_mark_q) watch_key_q <= 1'b0;
    end
    if (take && pick_i && !watch_q) begin
      watch_q <= 1'b1;
      at_q <= kept_q;
      tag_q <= tag_of(in);
    end
    if (take_key && shown_q && pick_key_i && !watch_key_q) begin
      watch_key_q <= 1'b1;
      key_at_q <= keys_q;
      key_tag_q <= key_tag_of(key_in);
    end
    if (rst_i) begin
      out_q <= '0;
      back_q <= 1'b0;
      keys_out_q <= '0;
      watch_q <= 1'b0;
      watch_key_q <= 1'b0;
    end
  end

  always_comb begin
    wanted = tag_q;
    if (back_q) begin
      wanted.op = OpNone;
      wanted.say = SaySilent;
      wanted.status = StOk;
      wanted.quiet = 1'b0;
    end
  end

  assign mine = valid && watch_q && out_q == at_q;
  assign mine_key = key_valid && watch_key_q && keys_out_q == key_at_q;

  `WC_ASSERT(message_is_whole, !valid || out_q < whole)
  `WC_ASSERT(unchanged, !mine || tag_of(out) == wanted)
  `WC_ASSERT(key_is_settled, !key_valid || keys_out_q < settled_keys)
  `WC_ASSERT(key_unchanged, !mine_key || key_tag_of(key_out) == key_tag_q)

  // ---- nothing waits for long -------------------------------------------------------------------
  logic [3:0] wait_in_q, wait_q, wait_key_q;

  always_ff @(posedge clk_i) begin
    wait_in_q <= ready || key_ready || opaque_ready ? '0 : wait_in_q + 1'b1;
    wait_q <= out_q != whole && !valid ? wait_q + 1'b1 : '0;
    wait_key_q <= keys_out_q != settled_keys && !words_q && !opaques_q && !key_valid
                  ? wait_key_q + 1'b1 : '0;
    if (rst_i) begin
      wait_in_q <= '0;
      wait_q <= '0;
      wait_key_q <= '0;
    end
  end

  `WC_ASSERT(taken_soon, wait_in_q < 4'd5)
  `WC_ASSERT(offered_soon, wait_q < 4'd7)
  `WC_ASSERT(key_offered_soon, wait_key_q < 4'd6)

  // ---- what ties the checker to the cell --------------------------------------------------------
  // The rules say no more with it, but the search is many times as fast. An item lies in the RAM
  // from the cycle behind the register in front of it until it is gone.
  logic undo;  // key words that were taken back are not yet out of the queue
  logic in_hand, in_front, queued, key_in_front, key_queued;
  logic first_q;    // the followed operation is the first of its group
  count_t let_go;   // that have left the queue: they are out, or in the slice behind it
  count_t ahead;    // in the queue before the followed one
  count_t sliced, outside;  // in the queue's slice, beyond its RAM
  logic [2:0] place_in_ram;
  logic [$bits(result_t):0] place;
  count_t key_first, key_second;

  always_ff @(posedge clk_i) begin
    if (take && pick_i && !watch_q) first_q <= !open_q || cmd_first_i || cancel_i;
  end

  assign undo = u_dut.abort_q || (u_dut.valid && u_dut.open_q && u_dut.cancels);
  assign in_hand = watch_q && u_dut.valid && at_q == kept_q - 1'b1;
  assign in_front = watch_q && u_dut.push_q && at_q == kept_q - 1'b1 - count_t'(u_dut.valid);
  assign let_go = out_q + count_t'(valid) + count_t'(!u_dut.u_out.ready_o);
  assign queued = watch_q && !in_hand && !in_front && at_q >= let_go;
  assign ahead = at_q - let_go;
  assign sliced = count_t'(u_dut.held_valid) + count_t'(!u_dut.u_results.u_out.ready_o);
  assign outside = sliced + count_t'(u_dut.u_results.middle_valid_q)
                   + count_t'(u_dut.u_results.fetched_q);
  assign place_in_ram = u_dut.u_results.raddr_q[2:0] + 3'(ahead - outside);
  assign key_in_front = watch_key_q && u_dut.push_key_q && key_at_q == keys_q - 1'b1;
  assign key_queued = watch_key_q && !key_in_front && key_at_q >= keys_out_q;
  assign key_first = count_t'(u_dut.u_keys.out_q);
  assign key_second = key_first + count_t'(u_dut.u_keys.middle_valid_q);

  always_comb begin
    if (u_dut.held_valid && ahead == '0) place = u_dut.held;
    else if (ahead < sliced) place = u_dut.u_results.u_out.spare_q;
    else if (u_dut.u_results.middle_valid_q && ahead == sliced) place = u_dut.u_results.middle_q;
    else if (ahead < outside) place = u_dut.u_results.rdata;
    else place = u_dut.u_results.u_ram.mem[place_in_ram];
  end

  `WC_ASSERT(written_is, kept_q == let_go + outside + count_t'(u_dut.u_results.level_q)
                                  + count_t'(u_dut.valid) + count_t'(u_dut.push_q))
  `WC_ASSERT(held_is, count_t'(u_dut.held_q) == outside + count_t'(u_dut.u_results.level_q))
  `WC_ASSERT(place_hand, !in_hand || tag_of(u_dut.result_q) == tag_q)
  `WC_ASSERT(place_front, !in_front || {u_dut.push_first_q, tag_of(u_dut.push_result_q)}
                                       == {first_q, tag_q})
  `WC_ASSERT(place_is, !queued || {place[$bits(result_t)], tag_of(result_t'(place))}
                                  == {first_q, tag_q})
  `WC_ASSERT(place_behind, !watch_q || u_dut.u_out.ready_o || at_q != out_q + 1'b1
                           || tag_of(u_dut.u_out.spare_q) == wanted)
  `WC_ASSERT(keys_written_is, undo || keys_q == count_t'(u_dut.u_keys.write_q)
                                                + count_t'(u_dut.push_key_q))
  `WC_ASSERT(keys_out_is, key_first == keys_out_q + count_t'(u_dut.u_keys.valid_o)
                                       + count_t'(!u_dut.u_keys.u_out.ready_o))
  `WC_ASSERT(key_place_front, !key_in_front || key_tag_of(u_dut.push_beat_q) == key_tag_q)
  `WC_ASSERT(key_place_ram, !key_queued
                            || key_tag_of(u_dut.u_keys.u_ram.mem[key_at_q[2:0]]) == key_tag_q)
  `WC_ASSERT(key_place_fetched, !key_queued || !u_dut.u_keys.fetched_q || key_at_q != key_second
                                || key_tag_of(u_dut.u_keys.rdata) == key_tag_q)
  `WC_ASSERT(key_place_middle, !key_queued || !u_dut.u_keys.middle_valid_q
                               || key_at_q != key_first
                               || key_tag_of(u_dut.u_keys.middle_q) == key_tag_q)
  `WC_ASSERT(key_place_spare, !key_queued || u_dut.u_keys.u_out.ready_o
                              || key_at_q != keys_out_q + 1'b1
                              || key_tag_of(u_dut.u_keys.u_out.spare_q) == key_tag_q)

  // ---- covers -----------------------------------------------------------------------------------
  logic dropped_q;  // a key word was

  always_ff @(posedge clk_i) begin
    if (take_key && !shown_q) dropped_q <= 1'b1;
    if (rst_i) dropped_q <= 1'b0;
  end

  `WC_COVER(cancelled, back_q && mine && out_q != '0 && tag_q.hit)
  `WC_COVER(two_messages, mine && out.op.last && out_q == count_t'(3) && whole == count_t'(6))
  `WC_COVER(dropped, dropped_q && mine_key && keys_out_q != '0)
  `WC_COVER(shown, mine_key && key_tag_q[0] && keys_out_q == count_t'(2))
  `WC_COVER(named, mine_opaque && opaque_tag_q[0] && opaques_out_q == count_t'(1))
  `WC_COVER(held, wait_q == '0 && out_q == '0 && kept_q == count_t'(4) && last_q && words_q)

endmodule

`default_nettype wire
