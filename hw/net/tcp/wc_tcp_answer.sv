// SPDX-License-Identifier: Apache-2.0
// Answers that no connection gives, made to segments: of a SYN's cookie, a RST, a refusal. What
// finds no room is dropped; so whoever gives them never waits. Latency 1; throughput 1 per cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_answer #(
  parameter int unsigned RingBits = 16,
  parameter int unsigned OurScale = 0,
  parameter int unsigned Depth    = 16  // as many bare segments as have room behind it
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic                       answer_valid_i,
  output logic                            answer_lost_o,  // there is no room
  input  wire wc_tcp_demux_pkg::answer_t  answer_i,
  output logic                            out_valid_o,
  input  wire logic                       out_ready_i,
  output wc_tcp_pkg::out_t                out_o  // if it has bytes, they are the text
);

  import wc_tcp_demux_pkg::*;

  localparam int unsigned Ring = 1 << RingBits;
  localparam logic [15:0] FirstWindow = RingBits >= 16 ? 16'hFFFF : 16'(Ring - 1);  // not scaled

  answer_t answer;
  logic room;

  assign answer_lost_o = answer_valid_i && !room;

  wc_fifo_shallow #(
    .data_t(answer_t),
    .Depth (Depth)
  ) u_fifo (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(answer_valid_i),
    .ready_o(room),
    .data_i (answer_i),
    .valid_o(out_valid_o),
    .ready_i(out_ready_i),
    .data_o (answer)
  );

  always_comb begin
    out_o = '0;
    out_o.station = answer.station;
    out_o.port = answer.port;
    out_o.seq = answer.seq;
    out_o.ack = answer.ack;
    out_o.times_given = answer.times;
    out_o.time_value = answer.time_value;
    out_o.time_echo = answer.time_echo;
    out_o.mss = 16'(wc_tcp_engine_pkg::Mss);
    out_o.scale = 4'(OurScale);
    unique case (answer.kind)
      AnswerCookie: begin
        out_o.flags = '{syn: 1'b1, ack: 1'b1, default: '0};
        out_o.window = FirstWindow;
        out_o.mss_given = 1'b1;
        out_o.scale_given = answer.scaled;
        out_o.sack_permitted = answer.sack;
      end
      AnswerReset:  out_o.flags = '{rst: 1'b1, default: '0};
      AnswerRefuse: out_o.flags = '{rst: 1'b1, ack: 1'b1, default: '0};
      default: begin
        out_o.flags = '{ack: 1'b1, psh: 1'b1, fin: 1'b1, default: '0};
        out_o.bytes = wc_net_pkg::length_t'(TooManyBytes);
      end
    endcase
  end

endmodule

`default_nettype wire
