// SPDX-License-Identifier: Apache-2.0
// SYN cookies: the first number of a SYN-ACK, made of what a SYN asks for, or checked when the ACK
// comes that it was sent for. So nothing is kept of a SYN (https://cr.yp.to/syncookies.html; scale
// and SACK stand in the time stamp, as in Linux). The number has five bits of the time, three for
// the size of segments and 24 of a hash with a secret, which covers the peer's address and port
// and all options. The SYN's own number n is taken from the hash, as n * (1 - 2^16): of a later
// segment the difference tells how far it is behind the SYN, if its cookie is the same.
// Latency 24 cycles, 44 behind two others; one every 10 cycles, in order. The answer does not wait.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_cookie (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic [127:0]               secret_i,  // its first byte is the lowest
  input  wire logic [31:0]                now_i,     // milliseconds
  input  wire logic                       ask_valid_i,
  output logic                            ask_ready_o,
  input  wire wc_tcp_cookie_pkg::ask_t    ask_i,
  output logic                            answer_valid_o,
  output wc_tcp_cookie_pkg::answer_t      answer_o
);

  import wc_tcp_cookie_pkg::*;

  // ---- what the hash covers ---------------------------------------------------------------------
  typedef struct packed {
    logic [44:0] zero;
    turn_t       turn;
    logic [2:0]  size;
    logic [6:0]  no_bits;
    logic        times;
    logic [2:0]  zero_bits;
    logic        sack;
    logic [3:0]  scale;
    logic [15:0] port;
    logic [31:0] ip;
  } message_t;

  typedef struct packed {
    logic        young;   // of an ACK: its turn is this one or the one before
    logic [23:0] moved;   // is added to the hash: the SYN's number; of an ACK, less what it shows
    logic [4:0]  turn;
    logic [31:0] stamp;
    options_t    options;
  } along_t;

  number_t cookie;
  turn_t now_turn, turn;
  logic [4:0] age;
  options_t asked, shown, options;
  logic [25:0] unit, stamp_unit;  // of 64 milliseconds
  message_t message_q;
  along_t along_q, along;
  logic valid_q, ready;
  logic [63:0] hash;
  logic hash_valid;

  `WC_REQUIRE(message, $bits(message_t) == 128, "wc_tcp_cookie: the hash takes 16 bytes")

  assign cookie = ask_i.cookie;
  assign now_turn = now_i[31:16];
  assign age = now_turn[4:0] - cookie.turn;
  assign turn = ask_i.ack ? now_turn - turn_t'(age[0]) : now_turn;

  always_comb begin
    asked.size = size_of(ask_i.mss_given ? ask_i.mss : WithoutMss);
    asked.times = ask_i.times_given;
    asked.sack = ask_i.times_given && ask_i.sack;
    asked.scale = !(ask_i.times_given && ask_i.scale_given) ? NoScale :
                  ask_i.scale > MostScale ? MostScale : ask_i.scale;
    shown = '{
        size: cookie.size,
        times: ask_i.times_given,
        sack: ask_i.times_given && ask_i.echo[4],
        scale: ask_i.times_given ? ask_i.echo[3:0] : NoScale
    };
    options = ask_i.ack ? shown : asked;
  end

  // The options take the lowest six bits of the stamp. If that makes it later than now, it is of
  // the 64 milliseconds before.
  assign unit = now_i[31:6];
  assign stamp_unit = {1'b0, options.sack, options.scale} > now_i[5:0] ? unit - 1'b1
                                                                    : unit;

  assign ask_ready_o = !valid_q || ready;

  always_ff @(posedge clk_i) begin
    if (ask_ready_o) begin
      valid_q <= ask_valid_i;
      message_q <= '{
          zero: '0,
          turn: turn,
          size: options.size,
          no_bits: '0,
          times: options.times,
          zero_bits: '0,
          sack: options.sack,
          scale: options.scale,
          port: ask_i.port,
          ip: ask_i.ip
      };
      along_q <= '{
          young: age <= 5'd1,
          moved: (ask_i.isn[23:0] << EarlyBits) - ask_i.isn[23:0] - (ask_i.ack ? cookie.hash : '0),
          turn: turn[4:0],
          stamp: {stamp_unit, 1'b0, options.sack, options.scale},
          options: options
      };
    end
    if (rst_i) valid_q <= 1'b0;
  end

  wc_siphash #(
    .data_t(along_t)
  ) u_hash (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .key_i    (secret_i),
    .valid_i  (valid_q),
    .ready_o  (ready),
    .message_i(message_q),
    .data_i   (along_q),
    .valid_o  (hash_valid),
    .hash_o   (hash),
    .data_o   (along)
  );

  along_t out_q;
  logic out_valid_q;
  logic [23:0] sum_q;  // of a cookie that is shown: less by (1 - 2^16) for each byte behind the SYN

  // So the bytes behind it are -sum_q * (1 + 2^16): early is what is less than 2^16 of these, but 0.
  always_ff @(posedge clk_i) begin
    out_valid_q <= hash_valid;
    out_q <= along;
    sum_q <= hash[23:0] + along.moved;
    answer_valid_o <= out_valid_q;
    answer_o <= '{
        good: out_q.young && sum_q == '0,
        early: out_q.young && sum_q[EarlyBits-1:0] != '0
               && sum_q[23:EarlyBits] + sum_q[23-EarlyBits:0] == '1,
        number: '{turn: out_q.turn, size: out_q.options.size, hash: sum_q},
        stamp: out_q.stamp,
        options: out_q.options
    };
    if (rst_i) {answer_valid_o, out_valid_q} <= '0;
  end

endmodule

`default_nettype wire
