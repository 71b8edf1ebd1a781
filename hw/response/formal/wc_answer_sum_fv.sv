// SPDX-License-Identifier: Apache-2.0
// Proof of wc_answer_size, of the message_t that it makes; wc_answer_size_fv has what becomes of
// results and key words, which are let go here at once. One message is followed, any one.
// Rule 1: a message has exactly one message_t, in the order of messages, not before its last
//         operation has come, with the lane and conn of that one.
// Rule 2: its bytes are the sum over the operations that are not taken back (wc_answer_size_fv says
//         which) of the parts that shape_of() names; a number has its decimal digits. The line of a
//         meta answer has its first word and what the operation asks to be shown, if it is: with
//         any status a key and what came with O, with StOk the numbers too.
// Rule 3: an answer counts as its value, its key and AroundBytes (MetaAroundBytes). The first one
//         of a packet, a SET's aside, whose value with what counted before it is more than the limit
//         has the bytes of an error instead, and those behind it have none and take nothing back.
// Rule 4: it holds and is stable until taken; one that is owed is offered within 12 cycles.
// Assumed: a key has one word, and what comes with O has one, both there at once; a meta command
// asks for two things to be shown at most, none twice; what the host answers ends its message; of
// the queues of results, groups and key words what wc_fifo_fv and wc_fifo_commit_fv show for ever.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_sum_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_response_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic [1:0] follow_i,     // free: the message that is followed, counted from 0
  input wire logic [1:0] limit_i,      // free: which of four limits is set
  input wire logic       more_i,
  input wire logic       valid_i,
  input wire logic       lane_i,
  input wire logic       conn_i,
  input wire logic       last_i,
  input wire logic       binary_i,
  input wire logic       meta_i,
  input wire logic [1:0][3:0] shows_i,
  input wire logic [1:0] ttl_i,
  input wire logic [1:0] unused_i,
  input wire logic [3:0] opaque_bytes_i,
  input wire op_e        op_i,
  input wire say_e       say_i,
  input wire status_e    status_i,
  input wire logic       quiet_i,
  input wire logic       with_key_i,
  input wire logic       encoded_i,
  input wire logic       with_cas_i,
  input wire logic       cmd_first_i,
  input wire logic       cmd_last_i,
  input wire logic       cancel_i,
  input wire logic [1:0] key_len_i,
  input wire logic [2:0] value_len_i,
  input wire logic [1:0] flags_i,
  input wire logic [1:0] cas_i,
  input wire logic       message_ready_i
);

  localparam int unsigned Reach = 8;

  typedef logic [3:0] count_t;
  typedef logic [13:0] bytes_t;  // of a message that the search can make

  // The queues keep their depth, which the cell asks for; the RAM below them is only as deep as the
  // search can fill it (within_reach), and no parameter of the cell's says that.
  // verilog_lint: waive-start forbid-defparam
  defparam u_dut.u_results.u_ram.Depth = Reach;
  defparam u_dut.u_groups.u_ram.Depth = Reach;
  defparam u_dut.u_keys.u_ram.Depth = Reach;
  defparam u_dut.u_sums.u_fifo.u_ram.Depth = Reach;
  // verilog_lint: waive-stop forbid-defparam

  logic ready, valid;
  logic shows_number;
  logic [1:0] limit_q;
  answer_limit_t limit;
  result_t in;
  logic [3:0] opaque_bytes_q;  // of the operation that was taken
  message_t message;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // A length or number is small or large, its digits few or many: values have up to 13 bytes, or
  // 2,048 more.
  always_comb begin
    in = '0;
    in.op.lane[2] = lane_i;
    in.op.conn[0] = conn_i;
    in.op.last = last_i;
    in.op.more = last_i && more_i;
    in.op.binary = binary_i;
    in.op.meta = meta_i;
    if (meta_i) in.op.opcode = shows_i;
    in.op.op = op_i;
    in.op.say = say_i;
    in.op.status = status_i;
    in.op.quiet = quiet_i;
    in.op.with_key = with_key_i;
    in.op.key_words = with_key_i;
    in.op.encoded = encoded_i;
    in.op.with_cas = with_cas_i;
    in.op.cmd_first = cmd_first_i;
    in.op.cmd_last = cmd_last_i;
    in.op.cancel = cancel_i;
    in.op.key_len = {{4{key_len_i[1]}}, 3'd0, key_len_i[0]};
    in.value_len = {9'd0, value_len_i[2], 7'd0, {2{value_len_i[1]}}, 1'b0, value_len_i[0]};
    in.flags = {flags_i[1], 27'd0, flags_i[0], 2'd0, flags_i[0]};  // 9 among them
    in.cas = {cas_i[1], 60'd0, cas_i[0], 2'd0};
    in.ttl = {{16{ttl_i[1]}}, {16{ttl_i[0]}}};  // forever among them
    in.unused = {{16{unused_i[1]}}, {16{unused_i[0]}}};
  end

  wc_answer_size u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .answer_limit_i (limit),
    .version_bytes_i(4'd10),
    .turn_valid_i   (1'b0),
    .turn_ready_o   (),
    .turn_i         ('0),
    .result_valid_i (valid_i),
    .result_ready_o (ready),
    .result_i       (in),
    .key_valid_i    (1'b1),
    .key_ready_o    (),
    .key_i          ('{data: '0, last: 1'b1}),
    .opaque_valid_i (1'b1),
    .opaque_ready_o (),
    .opaque_i       ('{data: '0, bytes: opaque_bytes_q, last: 1'b1}),
    .result_valid_o (),
    .result_ready_i (1'b1),
    .result_o       (),
    .key_valid_o    (),
    .key_ready_i    (1'b1),
    .key_o          (),
    .opaque_valid_o (),
    .opaque_ready_i (1'b1),
    .opaque_o       (),
    .message_valid_o(valid),
    .message_ready_i(message_ready_i),
    .message_o      (message),
    .answered_o     (),
    .level_o        (),
    .watched_o      (),
    .events_o       ()
  );

  logic take, pop;

  assign take = valid_i && ready;
  assign pop = valid && message_ready_i;

  `WC_ASSUME(has_key, !with_key_i || key_len_i != '0)
  `WC_ASSUME(host_is_last, op_i != OpHost || last_i)
  `WC_ASSUME(is_text, !meta_i || !binary_i)
  assign shows_number = meta_i && (shows_i[0] == 4'd7 || shows_i[1] == 4'd7);

  `WC_ASSUME(shows_are, (shows_i[0] != shows_i[1] || shows_i[0] == '0)
             && shows_i[0] <= 4'd9 && shows_i[1] <= 4'd9)
  // A number that was counted is shown behind all else, and beside no other of its item's but the
  // seconds to live and the CAS number.
  `WC_ASSUME(number_is_last, !shows_number
             || (effect_of(op_i).change == ChangeNumber && shows_i[0] != 4'd7
                 && !(shows_i[0] inside {4'd3, 4'd4, 4'd8, 4'd9}))
             || (effect_of(op_i).change == ChangeNumber && shows_i[1] == '0))
  `WC_ASSUME(short_word, opaque_bytes_i <= 4'd8)

  always_ff @(posedge clk_i) if (take) opaque_bytes_q <= opaque_bytes_i;

  // ---- one answer -------------------------------------------------------------------------------
  function automatic bytes_t digits(cas_t number);
    cas_t power;
    bytes_t count;
    power = cas_t'(10);
    count = bytes_t'(1);
    for (int unsigned i = 0; i < 19; i++) begin
      if (number >= power) count = count + 1'b1;
      power = power * cas_t'(10);
    end
    return count;
  endfunction

  // Four for each three bytes or less, " b". There are keys of 1, 240 and 241 bytes.
  function automatic bytes_t base64_bytes(key_len_t length);
    return length == 8'd1 ? bytes_t'(6) : length == 8'd240 ? bytes_t'(322) : bytes_t'(326);
  endfunction

  // Of a meta answer: what is shown, each with a space and a letter.
  function automatic bytes_t shown_bytes(logic [3:0] show);
    case (show)
      4'd1:    return !with_key_i ? '0 : 2'd2 + (encoded_i ? base64_bytes(in.op.key_len)
                                                           : bytes_t'(in.op.key_len));
      4'd2:    return bytes_t'(opaque_bytes_i) + 2'd2;
      4'd3:    return status_i == StOk ? digits(cas_t'(in.flags)) + 2'd2 : '0;
      4'd4:    return status_i == StOk ? digits(cas_t'(in.value_len)) + 2'd2 : '0;
      4'd5:    return status_i == StOk ? (&ttl_i ? 14'd4 : digits(cas_t'(in.ttl)) + 2'd2) : '0;
      4'd6:    return status_i == StOk ? digits(in.cas) + 2'd2 :
                      effect_of(op_i).value ? bytes_t'(3) : '0;  // " c0"
      4'd7:    return status_i == StOk ? bytes_t'(in.value_len) + 2'd2 : '0;  // CR LF in front
      4'd8:    return status_i == StOk ? bytes_t'(3) : '0;  // " h0"
      4'd9:    return status_i == StOk ? digits(cas_t'(in.unused)) + 2'd2 : '0;
      default: return '0;
    endcase
  endfunction

  shape_t shape;
  bytes_t bytes;  // without a limit

  always_comb begin
    shape = shape_of(in.op);
    bytes = bytes_t'(text_of(shape.text, 4'd10).bytes);
    if (shape.header) bytes = bytes + bytes_t'(HeaderBytes);
    if (shape.extras) bytes = bytes + bytes_t'(ExtrasBytes);
    if (shape.number) bytes = bytes + bytes_t'(BinaryNumberBytes);
    if (shape.key && !meta_i) bytes = bytes + bytes_t'(in.op.key_len);
    if (shape.value) bytes = bytes + bytes_t'(in.value_len);
    if (shape.line) begin
      bytes = bytes + bytes_t'(HitBytes) + digits(cas_t'(in.flags)) + digits(cas_t'(in.value_len));
      if (in.op.with_cas) bytes = bytes + 1'b1 + digits(in.cas);
    end else if (shape.numbers && meta_i) begin
      bytes = bytes + (shape.value || (shows_number && status_i == StOk)
                       ? 14'd5 + digits(cas_t'(in.value_len)) : 14'd4)
              + shown_bytes(shows_i[0]) + shown_bytes(shows_i[1]);
    end else if (shape.numbers) begin
      bytes = bytes + digits(in.cas) + bytes_t'(CrLfBytes);
    end
  end

  // ---- the limit --------------------------------------------------------------------------------
  logic signed [24:0] left_q, left, value_bytes;
  logic first_q;  // a packet's first operation is next
  logic over_q, cut;
  bytes_t counted;  // as the limit has it

  always_comb begin
    unique case (rst_i ? limit_i : limit_q)
      2'd0:    limit = '0;
      2'd1:    limit = answer_limit_t'(200);
      2'd2:    limit = answer_limit_t'(4000);
      default: limit = '1;
    endcase
    left = first_q ? 25'(limit) : left_q;
    value_bytes = shape.value ? 25'(in.value_len) : '0;
    cut = bytes != '0 && !(op_i inside {OpSet, OpAdd, OpReplace, OpAppend, OpPrepend})
          && (over_q || left < value_bytes);
    counted = !cut ? bytes : over_q ? '0 :
              binary_i ? bytes_t'(HeaderBytes + 32'(TextTable[BodyTooLarge].bytes)) :
                         bytes_t'(TextTable[TextAnswerTooLarge].bytes);
  end

  always_ff @(posedge clk_i) begin
    limit_q <= limit_q;
    if (take) begin
      first_q <= last_i && !more_i;
      left_q <= left;
      if (!cut && bytes != '0) begin
        left_q <= left - value_bytes - 25'(in.op.key_len)
                  - 25'(in.op.meta ? MetaAroundBytes : AroundBytes);
      end
      over_q <= (over_q || cut) && !(last_i && !more_i);
    end
    if (rst_i) begin
      limit_q <= limit_i;
      first_q <= 1'b1;
      over_q <= 1'b0;
    end
  end

  // ---- what comes in ----------------------------------------------------------------------------
  logic open_q;           // the operation before left its command open
  bytes_t sum_q, mark_q;  // of the message; without the open command
  count_t messages_q;     // whole ones
  logic stays, takes_back;
  bytes_t base, sum;

  logic [1:0] follow_q;
  logic known_q;
  bytes_t bytes_q;
  logic [2:0] whom_q;

  assign stays = op_i inside {OpGet, OpGat} && !binary_i && !meta_i && !cmd_last_i && !last_i;
  assign takes_back = open_q && cancel_i && !cmd_first_i && !over_q;
  assign base = takes_back ? mark_q : sum_q;
  assign sum = base + counted;

  always_ff @(posedge clk_i) begin
    follow_q <= follow_q;
    if (take) begin
      open_q <= stays;
      sum_q <= last_i ? '0 : sum;
      if (!open_q || cmd_first_i) mark_q <= base;
      if (last_i) messages_q <= messages_q + 1'b1;
      if (last_i && messages_q == count_t'(follow_q)) begin
        known_q <= 1'b1;
        bytes_q <= sum;
        whom_q <= {lane_i, conn_i, more_i};
      end
    end
    if (rst_i) begin
      open_q <= 1'b0;
      sum_q <= '0;
      messages_q <= '0;
      known_q <= 1'b0;
      follow_q <= follow_i;
    end
  end

  // ---- what goes out ----------------------------------------------------------------------------
  count_t out_q;  // messages that have left
  logic [3:0] wait_q;
  logic mine;

  always_ff @(posedge clk_i) begin
    out_q <= out_q + count_t'(pop);
    wait_q <= out_q != messages_q && !valid ? wait_q + 1'b1 : '0;
    if (rst_i) begin
      out_q <= '0;
      wait_q <= '0;
    end
  end

  assign mine = valid && out_q == count_t'(follow_q);

  `WC_ASSERT(has_come, !valid || out_q != messages_q)
  `WC_ASSERT(whom_is, !mine || (known_q && {message.lane, message.conn, message.more}
                                         == {whom_q[2], 2'd0, 15'd0, whom_q[1:0]}))
  `WC_ASSERT(bytes_are, !mine || message.bytes == ($bits(message.bytes))'(bytes_q))
  `WC_ASSERT(offered_soon, wait_q < 4'd12)

  // ---- what ties the checker to the cell --------------------------------------------------------
  // The rules say no more with it, but the search is many times as fast: the sums are compared
  // where they are made, 7 cycles after an operation was let go.
  typedef struct packed {
    bytes_t bytes;
    bytes_t sum;   // of the message so far, 0 behind the last
    bytes_t mark;  // what an operation with cancel would go back to
  } tie_t;

  localparam int unsigned Stages = 7;

  tie_t tie_q, total_q;
  tie_t [Stages-1:0] ties_q;

  always_ff @(posedge clk_i) begin
    ties_q <= {ties_q[Stages-2:0], tie_q};
    if (u_dut.token_valid_q[Stages-1]) total_q <= ties_q[Stages-1];
    if (take) begin
      tie_q <= '{bytes: bytes,
                 sum: last_i ? '0 : sum,
                 mark: last_i ? '0 : !stays ? sum : !open_q || cmd_first_i ? base : mark_q};
    end
    if (rst_i) total_q <= '0;
  end

  `WC_ASSERT(bytes_tie, !u_dut.token_valid_q[Stages-1]
                        || u_dut.bytes == value_len_t'(ties_q[Stages-1].bytes))
  `WC_ASSERT(sum_tie, u_dut.total_q == 27'(total_q.sum))
  `WC_ASSERT(mark_tie, u_dut.mark_q == 27'(total_q.mark))

  // ---- what is proved elsewhere -----------------------------------------------------------------
  // What the queues assert of themselves, which wc_fifo_fv and wc_fifo_commit_fv prove for ever,
  // whatever comes in: to search for it again would take most of the time.
  `define WC_QUEUE_IS_SOUND(queue_) \
    `WC_ASSUME(queue_``_some, \
               u_dut.u_``queue_``.some_q == (u_dut.u_``queue_``.level_q != '0)) \
    `WC_ASSUME(queue_``_full, \
               u_dut.u_``queue_``.full_q == (u_dut.u_``queue_``.level_q == 11'd1024)) \
    `WC_ASSUME(queue_``_bounded, u_dut.u_``queue_``.level_q <= 11'd1024)

  `WC_QUEUE_IS_SOUND(results)
  `WC_QUEUE_IS_SOUND(groups)
  `undef WC_QUEUE_IS_SOUND

  `define WC_COMMIT_IS_SOUND(queue_) \
    `WC_ASSUME(queue_``_full, \
      u_dut.u_``queue_``.full_q == (u_dut.u_``queue_``.level_o == 11'd1024)) \
    `WC_ASSUME(queue_``_bounded, u_dut.u_``queue_``.level_o <= 11'd1024) \
    `WC_ASSUME(queue_``_unread, u_dut.u_``queue_``.unread_q \
               == (u_dut.u_``queue_``.write_q != u_dut.u_``queue_``.read_q)) \
    `WC_ASSUME(queue_``_owed, u_dut.u_``queue_``.owed_q \
               == (u_dut.u_``queue_``.commit_q != u_dut.u_``queue_``.out_q)) \
    `WC_ASSUME(queue_``_some, u_dut.u_``queue_``.some_q \
               == (u_dut.u_``queue_``.owed_q \
                   && u_dut.u_``queue_``.commit_q != u_dut.u_``queue_``.read_q)) \
    `WC_ASSUME(queue_``_order, !u_dut.u_``queue_``.owed_q \
               || 11'(u_dut.u_``queue_``.read_q - u_dut.u_``queue_``.out_q) \
                  <= 11'(u_dut.u_``queue_``.commit_q - u_dut.u_``queue_``.out_q)) \
    `WC_ASSUME(queue_``_read, u_dut.u_``queue_``.read_q \
               == 11'(u_dut.u_``queue_``.out_q + 11'(u_dut.u_``queue_``.middle_valid_q) \
                      + 11'(u_dut.u_``queue_``.fetched_q)))

  `WC_COMMIT_IS_SOUND(keys)
  `undef WC_COMMIT_IS_SOUND

  `WC_ASSERT(within_reach, u_dut.u_sums.level <= 9'(Reach))

  // ---- covers -----------------------------------------------------------------------------------
  logic taken_back_q;  // something was
  logic meta_q;  // there was a meta command, and no other one

  always_ff @(posedge clk_i) begin
    if (take && takes_back && sum_q != mark_q) taken_back_q <= 1'b1;
    if (take) meta_q <= meta_q && meta_i;
    if (rst_i) begin
      taken_back_q <= 1'b0;
      meta_q <= 1'b1;
    end
  end

  `WC_COVER(taken_back, mine && taken_back_q && follow_q == '0 && message.bytes > 27'd100)
  `WC_COVER(second_message, pop && mine && follow_q == 2'd1 && message.bytes != '0)
  `WC_COVER(silent, mine && follow_q == 2'd1 && message.bytes == '0)
  `WC_COVER(cut_short, mine && follow_q == 2'd0 && limit_q == 2'd2 && over_q
                       && message.bytes > 27'd2000)
  `WC_COVER(meta_line, mine && meta_q && message.bytes > 27'd2060)
  `WC_COVER(large_values, mine && message.bytes > 27'd4000)

endmodule

`default_nettype wire
