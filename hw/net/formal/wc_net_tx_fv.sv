// SPDX-License-Identifier: Apache-2.0
// Proof of wc_net_tx: what is to be sent becomes one frame, whole, and soon.
// Rule 1: a word at the MAC holds and is stable until taken.
// Rule 2: no gap: once the first word of a frame is there, words are there until its last is taken.
// Rule 3: each datagram and each reply that is taken in becomes one frame, in the order in which
//         they were taken: with the words that its length asks for, to the MAC address that it
//         names, ARP or IPv4 as it says; and there is no other frame.
// Rule 4: a frame takes as many payload words, reply words and sums as belong to it.
// Rule 5: a datagram waits at most Wait cycles until it is taken in, however many replies wait; so
//         does a reply, however many datagrams wait; so does the last word of what was taken in.
// Assumed: the MAC takes a word at least every Pace cycles; a datagram's words are there from 4
//          cycles after it was taken in, and its sum from 3 (wc_udp_tx_fv); the words of a reply
//          are there when the reply is (wc_local).
`include "wc_assert.svh"
`default_nettype none

module wc_net_tx_fv #(
  parameter int unsigned MaxBytes = 24,  // of a datagram or a reply
  parameter int unsigned Pace     = 2
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       datagram_valid_i,
  input wire logic [1:0] datagram_to_i,
  input wire logic [4:0] datagram_bytes_i,
  input wire logic       sum_valid_i,
  input wire logic       payload_valid_i,
  input wire logic       reply_valid_i,
  input wire logic       reply_arp_i,
  input wire logic [1:0] reply_to_i,
  input wire logic [4:0] reply_bytes_i,
  input wire logic       reply_word_valid_i,
  input wire logic       m_axis_tready
);

  import wc_net_pkg::*;

  localparam int unsigned MaxWords = (42 + MaxBytes + 7) / 8 > 8 ? (42 + MaxBytes + 7) / 8 : 8;
  // What is being sent, the other side's turn, and our own, with two words in registers.
  localparam int unsigned Wait = (3 * MaxWords + 2) * Pace;
  localparam int unsigned SumWithin = 3;
  localparam int unsigned WordsWithin = 4;

  logic datagram_ready, sum_ready, payload_ready, reply_ready, reply_word_ready;
  logic valid, last, frame_out;
  logic [63:0] data;
  logic [7:0] keep;
  datagram_t datagram;
  reply_t reply;

  // Only two bits of the addresses differ; what else a frame says does not look at them.
  assign datagram = '{
    station: '{mac: {46'd0, datagram_to_i}, ip: '0}, port: '0, bytes: length_t'(datagram_bytes_i)
  };
  assign reply = '{
    arp: reply_arp_i,
    station: '{mac: {46'd0, reply_to_i}, ip: '0},
    bytes: length_t'(reply_bytes_i)
  };

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_net_tx u_dut (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .us_i              ('0),
    .our_port_i        ('0),
    .datagram_valid_i  (datagram_valid_i),
    .datagram_ready_o  (datagram_ready),
    .datagram_i        (datagram),
    .sum_valid_i       (sum_valid_i),
    .sum_ready_o       (sum_ready),
    .sum_i             ('0),
    .payload_valid_i   (payload_valid_i),
    .payload_ready_o   (payload_ready),
    .payload_i         ('0),
    .reply_valid_i     (reply_valid_i),
    .reply_ready_o     (reply_ready),
    .reply_i           (reply),
    .reply_tcp_i       (1'b0),
    .reply_word_valid_i(reply_word_valid_i),
    .reply_word_ready_o(reply_word_ready),
    .reply_word_i      ('0),
    .m_axis_tdata      (data),
    .m_axis_tkeep      (keep),
    .m_axis_tvalid     (valid),
    .m_axis_tready     (m_axis_tready),
    .m_axis_tlast      (last),
    .payload_bytes_o(),
    .frame_out_o       (frame_out)
  );

  `WC_ASSUME(datagram_fits, datagram_bytes_i <= 5'(MaxBytes) && datagram_bytes_i != '0)
  `WC_ASSUME(reply_fits, reply_bytes_i <= 5'(MaxBytes) && (!reply_arp_i || reply_bytes_i == '0))
  `WC_ASSUME(datagram_holds, $past(rst_i) || !$past(datagram_valid_i && !datagram_ready) ||
             (datagram_valid_i && datagram == $past(datagram)))
  `WC_ASSUME(reply_holds, $past(rst_i) || !$past(reply_valid_i && !reply_ready) ||
             (reply_valid_i && reply == $past(reply)))

  // ---- what the frames need ---------------------------------------------------------------------
  logic take_datagram, take_reply;
  logic [2:0] payload_q, echo_q;  // words of what was taken in that are still to be fetched
  logic sum_owed_q;
  logic [2:0] age_q;  // cycles since the datagram was taken in
  logic [2:0] stalled_q;

  assign take_datagram = datagram_valid_i && datagram_ready;
  assign take_reply = reply_valid_i && reply_ready;

  function automatic logic [2:0] words_of(input logic [4:0] bytes);
    return 3'((6'(bytes) + 6'd7) >> 3);
  endfunction

  always_ff @(posedge clk_i) begin
    if (take_datagram) payload_q <= words_of(datagram_bytes_i);
    else if (payload_ready) payload_q <= payload_q - 1'b1;
    if (take_reply) echo_q <= reply_arp_i ? '0 : 3'd1 + words_of(reply_bytes_i);
    else if (reply_word_ready) echo_q <= echo_q - 1'b1;
    sum_owed_q <= take_datagram || (sum_owed_q && !sum_ready);
    age_q <= take_datagram ? '0 : age_q + 3'(age_q != '1);
    stalled_q <= valid && !m_axis_tready ? stalled_q + 1'b1 : '0;
    if (rst_i) begin
      payload_q <= '0;
      echo_q <= '0;
      sum_owed_q <= 1'b0;
      stalled_q <= '0;
    end
  end

  `WC_ASSUME(payload_is_there, payload_q == '0 || age_q < 3'(WordsWithin) || payload_valid_i)
  `WC_ASSUME(echo_is_there, echo_q == '0 || reply_word_valid_i)
  `WC_ASSUME(sum_comes, !sum_owed_q || age_q < 3'(SumWithin) || sum_valid_i)
  `WC_ASSUME(mac_takes, stalled_q < 3'(Pace - 1) || m_axis_tready)

  `WC_ASSERT(payload_is_own, !payload_ready || payload_q != '0)
  `WC_ASSERT(echo_is_own, !reply_word_ready || echo_q != '0)
  `WC_ASSERT(sum_is_own, !sum_ready || sum_owed_q)
  `WC_ASSERT(all_fetched, !(take_datagram || take_reply) ||
             ((payload_q == '0 || (payload_q == 3'd1 && payload_ready)) &&
              (echo_q == '0 || (echo_q == 3'd1 && reply_word_ready)) && !sum_owed_q))
  `WC_ASSERT(one_at_a_time, !(take_datagram && take_reply))

  // ---- frames: the one whose words leave, and the one behind it ---------------------------------
  typedef struct packed {
    logic       arp;
    logic [1:0] to;
    logic [3:0] words;
  } frame_t;

  frame_t taken, first_q, second_q;
  logic [1:0] inside_q;
  logic [3:0] at_q;  // words of the first one that have left
  logic take, pop, done;
  logic [6:0] bytes;  // of the frame, without padding

  assign take = take_datagram || take_reply;
  assign pop = valid && m_axis_tready;
  assign done = pop && last;
  assign bytes = 7'd42 + 7'(take_reply ? reply_bytes_i : datagram_bytes_i);
  assign taken.arp = take_reply && reply_arp_i;
  assign taken.to = take_reply ? reply_to_i : datagram_to_i;
  assign taken.words = (bytes < 7'd60) ? 4'd8 : 4'((bytes + 7'd7) >> 3);

  always_ff @(posedge clk_i) begin
    inside_q <= inside_q + 2'(take) - 2'(done);
    if (done) first_q <= second_q;
    if (take && inside_q == 2'(done)) first_q <= taken;
    else if (take) second_q <= taken;
    at_q <= done ? '0 : at_q + 4'(pop);
    if (rst_i) begin
      inside_q <= '0;
      at_q <= '0;
    end
  end

  `WC_ASSERT(no_frame_made_up, !valid || inside_q != '0)
  `WC_ASSERT(two_at_most, inside_q != 2'd3)
  `WC_ASSERT(no_gap, at_q == '0 || valid)
  `WC_ASSERT(last_when_last, !valid || last == (at_q == first_q.words - 4'd1))
  `WC_ASSERT(whole_words, !valid || last || keep == '1)
  `WC_ASSERT(to_whom, !valid || at_q != '0 || data[47:0] == {46'd0, first_q.to})
  `WC_ASSERT(what, !valid || at_q != 4'd1 ||
             data[47:32] == (first_q.arp ? TypeArp : TypeIpv4))
  `WC_ASSERT(counted, frame_out == (!$past(rst_i) && $past(done)))

  // ---- how long it takes ------------------------------------------------------------------------
  logic [6:0] datagram_waits_q, reply_waits_q, inside_waits_q;

  always_ff @(posedge clk_i) begin
    datagram_waits_q <= datagram_valid_i && !datagram_ready ? datagram_waits_q + 1'b1 : '0;
    reply_waits_q <= reply_valid_i && !reply_ready ? reply_waits_q + 1'b1 : '0;
    inside_waits_q <= inside_q != '0 && !done ? inside_waits_q + 1'b1 : '0;
    if (rst_i) begin
      datagram_waits_q <= '0;
      reply_waits_q <= '0;
      inside_waits_q <= '0;
    end
  end

  `WC_ASSERT(datagram_soon, datagram_waits_q < 7'(Wait))
  `WC_ASSERT(reply_soon, reply_waits_q < 7'(Wait))
  `WC_ASSERT(frame_soon, inside_waits_q < 7'(Wait))

  `WC_COVER(second_frame, inside_q == 2'd2 && at_q != '0)
  `WC_COVER(long_datagram, done && first_q.words == 4'(MaxWords))
  `WC_COVER(datagram_had_to_wait, take_datagram && datagram_waits_q > 7'd8)

endmodule

`default_nettype wire
