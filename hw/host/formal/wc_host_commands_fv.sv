// SPDX-License-Identifier: Apache-2.0
// Proof of wc_host_commands and the wc_host_answer in it. Commands come with a number, and so do those
// who ask; whatever the host does.
// Rule 1: each command ends exactly once, in order: with one message, which goes to whom has asked,
//         or by the host's word that it has no answer. Nothing else makes a message.
// Rule 2: a message has as many words as its bytes say, at least one byte, and they come.
// Rule 3: only a host that gives the command's tag answers it, or ends it, and never with more bytes
//         than it wrote for it.
// Rule 4: no command waits for the host longer than Limit cycles and five that it takes to notice.
// Rule 5: a parser that sees room_o a cycle late finds room, though it puts a command a cycle.
// Rule 6: a command of TCP that the host puts off is waked once, in order, by a message without words
//         to whom has asked; and not before time goes on or the host says so.
// Assumed: who asks is told behind the command; a message and its words are taken sooner or later,
// and done_i comes when all are.
`include "wc_assert.svh"
`default_nettype none

module wc_host_commands_fv
  import wc_pkg::*;
#(
  parameter int unsigned Limit = 6
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       put_i,
  input wire logic       binary_i,
  input wire logic       asker_i,
  input wire logic       push_i,
  input wire logic       send_i,
  input wire logic [1:0] tag_i,
  input wire logic [3:0] bytes_i,
  input wire logic       more_i,
  input wire logic       later_i,
  input wire logic       wake_i,
  input wire logic [1:0] milliseconds_i,
  input wire logic       message_ready_i,
  input wire logic       word_ready_i
);

  typedef logic [7:0] count_t;

  // Every other one is of TCP.
  function automatic asker_t who(count_t number);
    return '{tcp: number[0], again: 1'b0, who: 112'(number)};
  endfunction

  command_line_t line;
  command_host_t host;
  command_head_t head;
  command_events_t events;
  message_t message;
  asker_t asker;
  logic room, irq, message_valid, word_valid, done_q, asleep;
  count_t put_q, asked_q, ended_q;
  logic room_q;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  always_comb begin
    line = '0;
    line.put = put_i;
    line.binary = binary_i;
    host = '0;
    host.push = push_i;
    host.send = send_i;
    host.tag = 8'(tag_i);
    host.bytes = 14'(bytes_i);
    host.more = more_i;
    host.later = later_i;
    host.wake = wake_i;
    host.limit = 31'(Limit);
  end

  wc_host_commands #(
    .Commands   (8),
    .AnswerBytes(64),
    .Sleepers   (2),
    .Nap        (2),
    .Pace       (4),
    .Patience   (8)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .line_i         (line),
    .room_o         (room),
    .asker_valid_i  (asker_i),
    .asker_i        (who(asked_q)),
    .host_i         (host),
    .head_o         (head),
    .piece_o        (),
    .begins_o       (),
    .irq_o          (irq),
    .milliseconds_i (18'(milliseconds_i)),
    .asleep_o       (asleep),
    .awake_o        (),
    .message_valid_o(message_valid),
    .message_ready_i(message_ready_i),
    .message_o      (message),
    .asker_o        (asker),
    .word_valid_o   (word_valid),
    .word_ready_i   (word_ready_i),
    .word_o         (),
    .done_i         (done_q),
    .events_o       (events)
  );

  `WC_ASSUME(parser_stops, !put_i || room_q)
  `WC_ASSUME(asked_behind, !asker_i || asked_q != put_q)

  // ---- what is going on ---------------------------------------------------------------------------
  logic take_message, take_word, told_q, silent, ours, ours_q, none_q, off_q, sleeps, wakes;
  logic wakes_q;             // the message that was told wakes somebody
  logic [1:0][7:0] sleeper_q;  // numbers of those that sleep, the first in 0
  logic [1:0] sleepers_q;
  logic later_q;               // time has gone on since somebody slept
  logic [3:0] words_q;  // of the message, that are to come
  count_t written_q;    // in fours of bytes, for the command that waits
  count_t waited_q;
  logic [1:0] milliseconds_q;

  assign take_message = message_valid && message_ready_i;
  assign take_word = word_valid && word_ready_i;
  assign ours = head.waits && send_i && host.tag == head.tag;
  // What the host sends counts a cycle later, if the command still waits then.
  assign silent = head.waits && ours_q && none_q && !ended_q[0];
  assign sleeps = head.waits && ours_q && off_q && ended_q[0] && sleepers_q != 2'd2;
  assign wakes = message_valid && message.more && message.bytes == '0 && asker.again;

  always_ff @(posedge clk_i) begin
    room_q <= room;
    ours_q <= ours;
    none_q <= bytes_i == '0;
    if (put_i) put_q <= put_q + 1'b1;
    if (asker_i) asked_q <= asked_q + 1'b1;
    if (silent || sleeps || (done_q && !wakes_q)) ended_q <= ended_q + 1'b1;
    done_q <= (take_word && words_q == 4'd1) || (take_message && message.bytes == '0);
    off_q <= bytes_i == '0 && more_i && later_i;
    if (sleeps) begin
      sleeper_q[sleepers_q[0]] <= ended_q;
      sleepers_q <= sleepers_q + 1'b1;
    end
    if (take_message && wakes) begin
      sleeper_q[0] <= sleepers_q == 2'd2 ? sleeper_q[1] : ended_q;
      sleepers_q <= sleepers_q - 2'(!sleeps);
    end
    milliseconds_q <= milliseconds_i;
    later_q <= sleepers_q != '0 && (later_q || milliseconds_i[1] != milliseconds_q[1] || wake_i);
    if (take_message) begin
      told_q <= 1'b1;
      wakes_q <= wakes;
      words_q <= 4'((message.bytes + 27'd7) >> 3);
    end
    if (take_word) words_q <= words_q - 1'b1;
    if (done_q) told_q <= 1'b0;
    waited_q <= head.waits ? waited_q + 1'b1 : '0;
    written_q <= !head.waits || send_i ? '0 : written_q + count_t'(push_i && written_q < 8'd16);
    if (rst_i) begin
      sleepers_q <= '0;
      later_q <= 1'b0;
      room_q <= 1'b0;
      ours_q <= 1'b0;
      put_q <= '0;
      asked_q <= '0;
      ended_q <= '0;
      done_q <= 1'b0;
      told_q <= 1'b0;
      words_q <= '0;
      waited_q <= '0;
      written_q <= '0;
    end
  end

  // Rule 1
  `WC_ASSERT(of_somebody, !((message_valid && !wakes) || head.waits) || ended_q != asked_q)
  `WC_ASSERT(in_order, !message_valid || wakes || asker == who(ended_q))
  `WC_ASSERT(once, !message_valid || !told_q)
  `WC_ASSERT(tag_is_number, !head.waits || head.tag == ended_q)
  `WC_ASSERT(irq_tells, $past(rst_i) || !head.waits || irq)
  // Rule 2
  `WC_ASSERT(words_are_its, !word_valid || words_q != '0)
  `WC_ASSERT(bytes, !message_valid || ((message.bytes != '0 || asker.tcp)
                                       && message.bytes <= 27'd64))
  `WC_ASSERT(words_come, $past(rst_i) || !($past(told_q) && told_q) || $past(words_q) == '0
             || words_q == '0 || word_valid)
  // Rule 3
  logic whole_q, answered_q;
  count_t bytes_q, answer_q;
  always_ff @(posedge clk_i) begin
    whole_q <= (bytes_i != '0 && count_t'(bytes_i) <= written_q * 8'd4)
               || (bytes_i == '0 && ended_q[0]);
    bytes_q <= count_t'(bytes_i);
    answered_q <= head.waits && ours_q && whole_q && !sleeps;
    answer_q <= bytes_q;
    if (rst_i) answered_q <= 1'b0;
  end
  `WC_ASSERT(by_tag, $past(rst_i) || !message_valid || $past(message_valid) || wakes
             || $past(head.waits))
  `WC_ASSERT(as_written, $past(rst_i) || !answered_q ||
             (message_valid && count_t'(message.bytes) == answer_q))
  `WC_ASSERT(else_late, $past(rst_i) || !message_valid || $past(message_valid) || answered_q
             || wakes || waited_q >= 8'd3)
  `WC_ASSERT(late_is_told, $past(rst_i) || $past(message_valid) || !message_valid || answered_q
             || wakes || events.late)
  // Rule 6
  `WC_ASSERT(wakes_who_slept, !wakes || (sleepers_q != '0 && later_q
             && asker.tcp && asker.who == 112'(sleeper_q[0])))
  `WC_ASSERT(asleep_tells, asleep ? sleepers_q != '0 : sleepers_q <= 2'd1)
  // Rule 4
  `WC_ASSERT(in_time, waited_q <= count_t'(Limit + 5))

  `WC_COVER(by_host, done_q && !binary_i && $past(words_q == 4'd1, 2) && ended_q == 8'd1)
  `WC_COVER(late, events.late && asked_q == 8'd2)
  `WC_COVER(nothing_said, silent && asked_q == 8'd2)
  `WC_COVER(waked, done_q && wakes_q && ended_q == 8'd2)
  `WC_COVER(full, !room && put_q == 8'd5)

endmodule

`default_nettype wire
