// SPDX-License-Identifier: Apache-2.0
// Proof of wc_udp_tx, with datagrams of two words instead of 174.
// Rule 1: datagrams, sums and payload hold and are stable until taken.
// Rule 2: a message of n bytes becomes the datagrams that it is cut into, all of them full but the
//         last; one of no bytes becomes none. They leave in the order of their messages.
// Rule 3: the datagrams of a message go to the context that is there when the message is taken. The
//         last message of a request takes the context away, the others leave it. A part of a
//         host's answer goes to the context beside it, and leaves the other one where it is.
// Rule 4: each datagram has just its words in the payload, memcached's header in front, which says
//         the request, its number and of how many; the words of messages leave once and in order,
//         those of parts from a stream of their own.
// Rule 5: from 4 cycles after a datagram was taken its words are offered, as fast as they are
//         taken; its sum is offered from 3 cycles after.
// Rule 6: nothing waits within: as long as there is anything to do, something goes on every 5
//         cycles, but for words that have not come, and for whoever takes datagrams.
// So a message whose words come is sent: what goes on is one of finitely many steps toward that.
// Rule 7: when all words of a message, or of the last part of an answer, are taken, it is told.
// Assumed: messages, contexts and words hold until taken; who takes a datagram takes its words from
//          the 4th cycle on, within Pace cycles each, and its sum (wc_net_tx_fv); how many
//          datagrams a message takes is counted right (wc_datagrams_fv).
`include "wc_assert.svh"
`default_nettype none

module wc_udp_tx_fv #(
  parameter bit          FrameHeader = 1'b1,
  parameter int unsigned Pace        = 2
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       pick_i,  // free: follow the message taken now
  input wire logic       message_valid_i,
  input wire logic [5:0] bytes_i,
  input wire logic       more_i,
  input wire logic       aside_i,   // it is a part, the first of two or the second
  input wire logic       second_i,
  input wire logic       aside_from_i,
  input wire logic       aside_valid_i,
  input wire logic       aside_word_i,
  input wire logic       context_valid_i,
  input wire logic       from_i,  // a bit of the context, and of its request id
  input wire logic       word_valid_i,
  input wire logic       word_i,
  input wire logic       datagram_ready_i,
  input wire logic       payload_ready_i,
  input wire logic       sum_ready_i
);

  import wc_net_pkg::*;

  localparam int unsigned DatagramBytes = 16;
  localparam int unsigned MaxBytes = 40;  // of a message: three datagrams
  localparam int unsigned Words = 8;
  localparam int unsigned Contexts = 4;
  localparam int unsigned Quiet = 5;

  logic message_ready, context_ready, word_ready, aside_ready, aside_done;
  numbered_t place;
  logic datagram_valid, sum_valid, payload_valid, message_done, answered;
  logic [15:0] sum;
  wc_pkg::word_t payload;
  datagram_t datagram;
  wc_pkg::message_t message;
  context_t context_;
  logic [1:0] conn_q;

  function automatic logic [1:0] datagrams_of(input logic [5:0] bytes);
    return 2'((bytes + 6'd15) >> 4);
  endfunction

  assign message = '{
    lane: '0,
    conn: 16'(conn_q),
    more: more_i,
    host: 1'b0,
    aside: aside_i,
    bytes: 27'(bytes_i)
  };
  assign place = aside_i ? '{number: 16'(second_i), of: 16'd2}
                 : '{number: '0, of: 16'(datagrams_of(bytes_i))};
  assign context_ = '{
    station: '{mac: 48'(from_i), ip: '0}, port: '0, request_id: 16'(from_i)
  };

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_udp_tx #(
    .Words        (Words),
    .Contexts     (Contexts),
    .DatagramBytes(DatagramBytes)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .our_ip_i        ('0),
    .our_port_i      ('0),
    .frame_header_i  (FrameHeader),
    .message_valid_i (message_valid_i),
    .message_ready_o (message_ready),
    .message_i       (message),
    .place_i         (place),
    .word_valid_i    (word_valid_i),
    .word_ready_o    (word_ready),
    .word_i          (64'(word_i)),
    .word_error_i    (1'b0),
    .dropped_o       (),
    .context_valid_i (context_valid_i),
    .context_ready_o (context_ready),
    .context_i       (context_),
    .host_valid_o    (),
    .host_context_o  (),
    .aside_context_i ('{
      station: '{mac: 48'(aside_from_i), ip: '0}, port: '0, request_id: 16'(aside_from_i)
    }),
    .aside_valid_i   (aside_valid_i),
    .aside_ready_o   (aside_ready),
    .aside_word_i    (64'(aside_word_i)),
    .aside_done_o    (aside_done),
    .datagram_valid_o(datagram_valid),
    .datagram_ready_i(datagram_ready_i),
    .datagram_o      (datagram),
    .sum_valid_o     (sum_valid),
    .sum_ready_i     (sum_ready_i),
    .sum_o           (sum),
    .payload_valid_o (payload_valid),
    .payload_ready_i (payload_ready_i),
    .payload_o       (payload),
    .message_done_o  (message_done),
    .answered_o      (answered)
  );

  logic take_message, take_context, take_word, take_aside, take_datagram, take_payload, take_sum;

  assign take_message = message_valid_i && message_ready;
  assign take_context = context_valid_i && context_ready;
  assign take_word = word_valid_i && word_ready;
  assign take_aside = aside_valid_i && aside_ready;
  assign take_datagram = datagram_valid && datagram_ready_i;
  assign take_payload = payload_valid && payload_ready_i;
  assign take_sum = sum_valid && sum_ready_i;

  `WC_ASSUME(message_size, bytes_i <= 6'(MaxBytes))
  `WC_ASSUME(message_holds, $past(rst_i) || !$past(message_valid_i && !message_ready) ||
             (message_valid_i && $past({bytes_i, more_i, aside_i, second_i, aside_from_i})
             == {bytes_i, more_i, aside_i, second_i, aside_from_i}))
  `WC_ASSUME(a_part_is_one, !aside_i || (bytes_i != '0 && bytes_i <= 6'(DatagramBytes) && !more_i))
  `WC_ASSUME(aside_word_holds, $past(rst_i) || !$past(aside_valid_i && !aside_ready) ||
             (aside_valid_i && $past(aside_word_i) == aside_word_i))
  `WC_ASSUME(context_holds, $past(rst_i) || !$past(context_valid_i && !context_ready) ||
             (context_valid_i && $past(from_i) == from_i))
  `WC_ASSUME(word_holds, $past(rst_i) || !$past(word_valid_i && !word_ready) ||
             (word_valid_i && $past(word_i) == word_i))

  // ---- who takes datagrams: one after the other, each with its words and its sum ----------------
  logic [2:0] left_q;  // words of the datagram that was taken, header and all
  logic header_next_q;  // the next of them is the header
  logic sum_left_q;
  logic [2:0] age_q;  // cycles since the datagram was taken
  logic [1:0] slow_q;
  logic header_now, begun;

  assign begun = age_q >= 3'd4;

  assign header_now = FrameHeader && header_next_q;

  always_ff @(posedge clk_i) begin
    conn_q <= conn_q + 2'(take_message && !more_i && !aside_i);
    if (take_datagram) begin
      left_q <= 3'((datagram.bytes + length_t'(7)) >> 3);
      header_next_q <= 1'b1;
    end else if (take_payload) begin
      left_q <= left_q - 1'b1;
      header_next_q <= 1'b0;
    end
    sum_left_q <= take_datagram || (sum_left_q && !take_sum);
    age_q <= take_datagram ? '0 : age_q + 3'(age_q != '1);
    slow_q <= begun && ((left_q != '0 && !take_payload) ||
                        (left_q == '0 && sum_left_q && !take_sum)) ? slow_q + 1'b1 : '0;
    if (rst_i) begin
      conn_q <= '0;
      left_q <= '0;
      sum_left_q <= 1'b0;
      slow_q <= '0;
    end
  end

  `WC_ASSUME(one_datagram, !datagram_ready_i || (left_q == '0 && !sum_left_q))
  `WC_ASSUME(own_words, !payload_ready_i || (left_q != '0 && begun))
  `WC_ASSUME(own_sum, !sum_ready_i || sum_left_q)
  `WC_ASSUME(words_soon, left_q == '0 || !begun || slow_q < 2'(Pace - 1) || payload_ready_i)
  `WC_ASSUME(sum_soon,
             left_q != '0 || !sum_left_q || !begun || slow_q < 2'(Pace - 1) || sum_ready_i)

  // ---- contexts, words --------------------------------------------------------------------------
  // Messages taken and not yet done, and contexts likewise, each done once.
  logic open_q, last_q;
  logic part_q, second_q, aside_over;  // a part likewise

  always_ff @(posedge clk_i) begin
    if (take_message && !aside_i) last_q <= !more_i;
    open_q <= (take_message && !aside_i) || (open_q && !message_done);
    part_q <= (take_message && aside_i) || (part_q && !aside_over);
    if (take_message) second_q <= second_i;
    if (rst_i) begin
      open_q <= 1'b0;
      part_q <= 1'b0;
    end
  end

  assign aside_over = part_q && u_dut.state_q == '0;

  `WC_ASSERT(one_context_a_request, take_context == (take_message && !more_i && !aside_i))
  `WC_ASSERT(answer_done, aside_done == (aside_over && second_q))
  `WC_ASSERT(done_once, !message_done || open_q)
  `WC_ASSERT(one_open, !take_message || !open_q || message_done)
  `WC_ASSERT(answered_with_last, answered == (message_done && last_q))
  `WC_ASSERT(words_in_time, left_q == '0 || !begun || payload_valid)
  `WC_ASSERT(sum_in_time, !sum_left_q || age_q < 3'd3 || sum_valid)

  logic [4:0] words_inside;
  logic watching;
  logic [4:0] words_ahead;
  logic word_followed;

  wc_order_fv #(
    .Width(1),
    .Most (15)
  ) u_words (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (take_word || take_aside),
    .push_data_i(take_aside ? aside_word_i : word_i),
    .pop_i      (take_payload && !header_now),
    .pop_data_i (payload[0]),
    .level_o    (words_inside),
    .watching_o (watching),
    .ahead_o    (words_ahead),
    .data_o     (word_followed)
  );

  // ---- datagrams of one message, any one --------------------------------------------------------
  logic [4:0] owed_q;    // datagrams of the messages taken that have not left
  logic [4:0] before_q;  // of these, those of messages before the one followed
  logic follow_q;        // there is such a one, and not all of its datagrams have left
  logic from_q;
  logic [5:0] rest_q;    // bytes of the followed message not yet in datagrams that left
  logic [1:0] number_q, of_q;
  logic alone_q;         // it is a part
  logic mine, mine_q;    // a datagram of the followed message leaves now; its words do
  logic [1:0] mine_number_q;
  logic [5:0] size;

  assign mine = take_datagram && follow_q && before_q == '0;
  assign size = rest_q > 6'(DatagramBytes) ? 6'(DatagramBytes) : rest_q;

  always_ff @(posedge clk_i) begin
    owed_q <= owed_q - 5'(take_datagram) + (take_message ? 5'(datagrams_of(bytes_i)) : 5'd0);
    if (take_datagram) begin
      mine_q <= mine;
      mine_number_q <= number_q;
    end
    if (follow_q && take_datagram) begin
      if (before_q != '0) begin
        before_q <= before_q - 1'b1;
      end else begin
        rest_q <= rest_q - size;
        number_q <= number_q + 1'b1;
        follow_q <= number_q + 2'd1 != of_q && !alone_q;
      end
    end
    if (!follow_q && !mine_q && pick_i && take_message && bytes_i != '0) begin
      follow_q <= 1'b1;
      before_q <= owed_q - 5'(take_datagram);
      from_q <= aside_i ? aside_from_i : from_i;
      rest_q <= bytes_i;
      number_q <= 2'(place.number);
      of_q <= 2'(place.of);
      alone_q <= aside_i;
    end
    if (rst_i) begin
      owed_q <= '0;
      follow_q <= 1'b0;
      mine_q <= 1'b0;
    end
  end

  `WC_ASSERT(no_datagram_made_up, !datagram_valid || owed_q != '0)
  `WC_ASSERT(to_whom, !mine || (datagram.station.mac[0] == from_q && datagram.port == '0))
  `WC_ASSERT(how_long, !mine || datagram.bytes == length_t'(size) + (FrameHeader ? 11'd8 : 11'd0))
  `WC_ASSERT(header, !(mine_q && take_payload && header_now) ||
             payload == {16'd0, swap16(16'(of_q)), swap16(16'(mine_number_q)), 16'(from_q)})

  // ---- nothing waits within ---------------------------------------------------------------------
  logic [2:0] quiet_q;
  logic work, excused, step;

  assign work = owed_q != '0 || words_inside != '0 || sum_left_q ||
                (message_valid_i && (context_valid_i || aside_i));
  assign step = take_message || take_word || take_aside || take_datagram || take_payload
                || take_sum;
  assign excused = (word_ready && !word_valid_i) || (aside_ready && !aside_valid_i) ||
                   ((left_q != '0 || sum_left_q) && !begun) ||
                   (datagram_valid && !datagram_ready_i && left_q == '0 && !sum_left_q);

  always_ff @(posedge clk_i) begin
    quiet_q <= work && !step && !excused ? quiet_q + 3'(quiet_q != '1) : '0;
    if (rst_i) quiet_q <= '0;
  end

  `WC_ASSERT(goes_on, quiet_q < 3'(Quiet))

  `WC_COVER(cut_in_three, take_datagram && mine && number_q == 2'd2)
  `WC_COVER(part_between, take_datagram && mine && alone_q && open_q)
  `WC_COVER(of_no_bytes, take_message && bytes_i == '0 && owed_q != '0)
  `WC_COVER(full, word_valid_i && !word_ready && words_inside > 5'd4)
  `WC_COVER(words_follow, watching && words_ahead != '0 && take_payload && word_followed)

  // Any sum: what it covers is compared by the bench.
  logic unused_sum;
  assign unused_sum = ^sum;

endmodule

`default_nettype wire
