// SPDX-License-Identifier: Apache-2.0
// What the response stage and the host answer goes to UDP or to TCP: messages at once, their words in
// order. A command of the host that came by TCP makes no message: whoever has asked is told to the
// host port, in the order of the commands, and its answer is the packet's. Of a part of it the command
// comes again for the rest, when there is room for the next part. `back` are packets that wait for
// more room than they were given with.
// No latency; a word a cycle. Messages of a packet go to TCP one behind the other: those of the host and
// of `back` wait for the last of a packet that has begun, which waits for neither. A message of TCP
// waits while Ahead messages have words to come, one of the host also for who has asked before it by
// UDP. Words wait for those who take them, in their order: neither side waits for the other.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_replies
  import wc_pkg::*;
#(
  parameter int unsigned Ahead = 16  // messages whose words are to come
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  // the response stage
  input  wire logic                        message_valid_i,
  output logic                             message_ready_o,
  input  wire message_t                    message_i,
  input  wire tcp_answered_t               answered_i,  // with message_i
  input  wire logic                        word_valid_i,
  output logic                             word_ready_o,
  input  wire word_t                       word_i,
  input  wire logic                        word_error_i,
  output logic                             message_done_o,  // all words of a message are taken,
  output logic                             answered_o,      // and it was its packet's last
  // the host
  input  wire logic                        aside_valid_i,
  output logic                             aside_ready_o,
  input  wire message_t                    aside_i,
  input  wire asker_t                      aside_asker_i,  // until aside_done_o
  input  wire logic                        aside_word_valid_i,
  output logic                             aside_word_ready_o,
  input  wire word_t                       aside_word_i,
  output logic                             aside_done_o,
  output logic                             asker_valid_o,
  output asker_t                           asker_o,
  // UDP
  output logic                             udp_valid_o,
  input  wire logic                        udp_ready_i,
  output message_t                         udp_o,
  output logic                             udp_word_valid_o,
  input  wire logic                        udp_word_ready_i,
  output word_t                            udp_word_o,
  output logic                             udp_word_error_o,
  output logic                             udp_aside_valid_o,
  input  wire logic                        udp_aside_ready_i,
  output message_t                         udp_aside_o,
  output asker_t                           udp_aside_asker_o,
  output logic                             udp_aside_word_valid_o,
  input  wire logic                        udp_aside_word_ready_i,
  output word_t                            udp_aside_word_o,
  input  wire logic                        udp_aside_done_i,
  input  wire logic                        udp_asker_valid_i,
  input  wire asker_t                      udp_asker_i,
  // TCP
  input  wire logic                        back_valid_i,
  output logic                             back_ready_o,
  input  wire conn_t                       back_id_i,
  input  wire logic                        back_again_i,
  output logic                             tcp_valid_o,
  input  wire logic                        tcp_ready_i,
  output wc_tcp_answers_pkg::message_t     tcp_o,
  output logic                             tcp_word_valid_o,
  input  wire logic                        tcp_word_ready_i,
  output wc_tcp_answers_pkg::word_t        tcp_word_o
);

  import wc_tcp_answers_pkg::HostRoom;

  localparam int unsigned WordBits = $bits(message_i.bytes) - 3;

  typedef logic [WordBits-1:0] words_t;

  function automatic words_t words_of(input logic [$bits(message_i.bytes)-1:0] bytes);
    return words_t'((bytes + ($bits(message_i.bytes))'(7)) >> 3);
  endfunction

  // ---- messages of the response stage -----------------------------------------------------------
  typedef struct packed {
    logic   tcp;
    logic   ends;  // its packet
    words_t words;
  } order_t;

  logic order_ready, goes, hosts, asks_now, main_valid, main_ready;
  logic [15:0] asking_q;  // commands of UDP whose asker is not yet told
  wc_tcp_answers_pkg::message_t main;

  // A command of the host by TCP: no message goes on.
  assign hosts = answered_i.tcp && message_i.host;
  assign asks_now = message_valid_i && hosts && order_ready && asking_q == '0;
  assign udp_valid_o = message_valid_i && !answered_i.tcp && order_ready;
  assign udp_o = message_i;
  assign main_valid = message_valid_i && answered_i.tcp && !hosts && order_ready;
  assign main = '{id: message_i.conn, bytes: wc_tcp_requests_pkg::bytes_t'(message_i.bytes),
                  last: !message_i.more, operations: answered_i.operations,
                  needs: answered_i.needs};
  assign message_ready_o = order_ready && (!answered_i.tcp ? udp_ready_i
                                           : hosts ? asking_q == '0 : main_ready);
  assign goes = message_valid_i && message_ready_o;

  always_ff @(posedge clk_i) begin
    if ((udp_valid_o && udp_ready_i && message_i.host) != udp_asker_valid_i) begin
      asking_q <= asking_q + (udp_asker_valid_i ? '1 : 16'd1);
    end
    if (rst_i) asking_q <= '0;
  end

  always_comb begin
    asker_valid_o = udp_asker_valid_i || asks_now;
    asker_o = udp_asker_valid_i ? udp_asker_i : '{tcp: 1'b1, again: answered_i.again,
                                                who: 112'(message_i.conn)};
  end

  // ---- their words ------------------------------------------------------------------------------
  logic order_valid, order_pop, word_goes, main_words;
  order_t order;
  words_t left_q;  // of the message at the front, but those taken
  logic some_q;    // left_q counts

  wc_fifo_shallow #(
    .data_t(order_t),
    .Depth (Ahead)
  ) u_order (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(goes),
    .ready_o(order_ready),
    .data_i ('{tcp: answered_i.tcp, ends: !message_i.more,
               words: hosts ? '0 : words_of(message_i.bytes)}),
    .valid_o(order_valid),
    .ready_i(order_pop),
    .data_o (order)
  );

  words_t left;
  assign left = some_q ? left_q : order.words;
  assign word_goes = word_valid_i && word_ready_o;
  assign order_pop = order_valid && (left == '0 || (left == words_t'(1) && word_goes));
  assign udp_word_valid_o = word_valid_i && order_valid && !order.tcp && left != '0;
  assign udp_word_o = word_i;
  assign udp_word_error_o = word_error_i;
  assign word_ready_o = order_valid && left != '0
                        && (order.tcp ? tcp_word_ready_i && main_words : udp_word_ready_i);

  always_ff @(posedge clk_i) begin
    if (order_pop) some_q <= 1'b0;
    else if (word_goes) begin
      some_q <= 1'b1;
      left_q <= left - 1'b1;
    end
    message_done_o <= order_pop;
    answered_o <= order_pop && order.ends;
    if (rst_i) begin
      some_q <= 1'b0;
      message_done_o <= 1'b0;
      answered_o <= 1'b0;
    end
  end

  // ---- messages for TCP: of the response stage, of the host, or a packet to come again ----------
  // What is offered stays until it is taken.
  typedef enum logic [1:0] {
    OfMain,
    OfHost,
    OfBack
  } source_e;

  typedef struct packed {
    logic   host;
    words_t words;
  } next_t;

  source_e source, source_q;
  logic kept_q;   // source_q is offered
  logic begun_q;  // of a packet of the response stage the last message is to come
  logic host_valid, host_ready, next_ready, next_valid, next_pop;
  next_t next;
  words_t tcp_left, tcp_left_q;
  logic tcp_some_q, tcp_goes, host_done_q;

  assign host_valid = aside_valid_i && aside_asker_i.tcp;

  always_comb begin
    source = main_valid ? OfMain : host_valid ? OfHost : OfBack;
    // The one that was served last comes behind the others.
    if (source_q == OfMain && (host_valid || back_valid_i)) source = host_valid ? OfHost : OfBack;
    if (source_q == OfHost && back_valid_i) source = OfBack;
    if (begun_q) source = OfMain;
    if (kept_q) source = source_q;
  end

  always_comb begin
    tcp_o = main;
    tcp_valid_o = main_valid && next_ready;
    if (source == OfHost) begin
      tcp_valid_o = host_valid && next_ready;
      tcp_o = '{id: conn_t'(aside_asker_i.who), bytes: wc_tcp_requests_pkg::bytes_t'(aside_i.bytes),
                last: 1'b1, operations: wc_tcp_requests_pkg::bytes_t'(1),
                needs: aside_i.more ? HostRoom : '0};
    end
    if (source == OfBack) begin
      tcp_valid_o = back_valid_i && next_ready;
      tcp_o = '{id: back_id_i, bytes: '0, last: 1'b1,
                operations: wc_tcp_requests_pkg::bytes_t'(back_again_i), needs: HostRoom};
    end
    main_ready = tcp_ready_i && next_ready && source == OfMain;
    host_ready = tcp_ready_i && next_ready && source == OfHost;
    back_ready_o = tcp_ready_i && next_ready && source == OfBack;
  end

  always_ff @(posedge clk_i) begin
    if (tcp_valid_o) source_q <= source;
    kept_q <= tcp_valid_o && !tcp_ready_i;
    if (tcp_valid_o && tcp_ready_i) begun_q <= source == OfMain && !main.last;
    if (rst_i) begin
      source_q <= OfBack;
      begun_q <= 1'b0;
      kept_q <= 1'b0;
    end
  end

  wc_fifo_shallow #(
    .data_t(next_t),
    .Depth (Ahead)
  ) u_next (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(tcp_valid_o && tcp_ready_i),
    .ready_o(next_ready),
    .data_i ('{host: source == OfHost, words: words_t'((32'(tcp_o.bytes) + 32'd7) >> 3)}),
    .valid_o(next_valid),
    .ready_i(next_pop),
    .data_o (next)
  );

  assign tcp_left = tcp_some_q ? tcp_left_q : next.words;
  assign main_words = next_valid && !next.host && tcp_left != '0;
  assign tcp_goes = tcp_word_valid_o && tcp_word_ready_i;
  assign next_pop = next_valid && (tcp_left == '0 || (tcp_left == words_t'(1) && tcp_goes));

  always_comb begin
    tcp_word_o = '{error: word_error_i, data: word_i};
    tcp_word_valid_o = word_valid_i && order_valid && order.tcp && left != '0 && main_words;
    aside_word_ready_o = udp_aside_word_ready_i && !aside_asker_i.tcp;
    if (next_valid && next.host) begin
      tcp_word_o = '{error: 1'b0, data: aside_word_i};
      tcp_word_valid_o = aside_word_valid_i && tcp_left != '0;
      aside_word_ready_o = tcp_word_ready_i && tcp_left != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (next_pop) tcp_some_q <= 1'b0;
    else if (tcp_goes) begin
      tcp_some_q <= 1'b1;
      tcp_left_q <= tcp_left - 1'b1;
    end
    host_done_q <= next_pop && next.host;
    if (rst_i) begin
      tcp_some_q <= 1'b0;
      host_done_q <= 1'b0;
    end
  end

  // ---- answers of the host by UDP ---------------------------------------------------------------
  assign udp_aside_valid_o = aside_valid_i && !aside_asker_i.tcp;
  assign udp_aside_o = aside_i;
  assign udp_aside_asker_o = aside_asker_i;
  assign udp_aside_word_valid_o = aside_word_valid_i && !aside_asker_i.tcp;
  assign udp_aside_word_o = aside_word_i;
  assign aside_ready_o = aside_asker_i.tcp ? host_ready : udp_aside_ready_i;
  assign aside_done_o = udp_aside_done_i || host_done_q;

  `WC_ASSERT(one_asks, !udp_asker_valid_i || asking_q != '0)
  `WC_ASSERT(host_alone, !message_valid_i || !hosts || (message_i.bytes == '0 && !message_i.more))
  `WC_ASSERT(packet_by_packet, !begun_q || !tcp_valid_o || source == OfMain)
  `WC_ASSERT(fits_a_ring, !message_valid_i || !answered_i.tcp
             || 32'(message_i.bytes) <= 2 ** MostRingBits)
  `WC_ASSERT_STREAM(udp, udp_valid_o, udp_ready_i, udp_o)
  `WC_ASSERT_STREAM(tcp, tcp_valid_o, tcp_ready_i, tcp_o)

endmodule

`default_nettype wire
