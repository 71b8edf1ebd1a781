// SPDX-License-Identifier: Apache-2.0
// Holds requests until the parser takes them, and beside each the context that its answer needs
// until the answer is sent. A request is written as it comes and then kept or forgotten whole.
// The contexts are a queue, because there is one answer to every request and in the same order;
// conn is the number of the place in it.
// Latency from commit to packet 1; one word per cycle; what finds no room is lost and overflow_o
// says so until begin_i.
`include "wc_assert.svh"
`default_nettype none

module wc_rx_buffer #(
  parameter int unsigned Words    = 2048,
  parameter int unsigned Contexts = 256
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic                 begin_i,
  input  wire logic                 payload_valid_i,
  input  wire wc_net_pkg::payload_t payload_i,
  input  wire logic                 context_valid_i,
  input  wire wc_net_pkg::context_t context_i,
  input  wire logic                 commit_i,
  input  wire logic                 abort_i,
  output logic                      overflow_o,
  output logic                      packet_valid_o,
  input  wire logic                 packet_ready_i,
  output wc_pkg::packet_t           packet_o,
  output logic                      context_valid_o,
  input  wire logic                 context_ready_i,
  output wc_net_pkg::context_t      context_o
);

  localparam int unsigned LargestWords = 184;  // 1,472 bytes

  `WC_REQUIRE(words, Words >= LargestWords, "wc_rx_buffer: Words must hold a datagram: 256 or more")
  `WC_REQUIRE(contexts, Contexts <= 65536, "wc_rx_buffer: conn_t holds up to 65,536 Contexts")

  logic payload_ready, context_ready;
  wc_net_pkg::payload_t payload;
  logic [$clog2(Contexts)-1:0] conn_q;

  wc_fifo_commit #(
    .data_t(wc_net_pkg::payload_t),
    .Depth (Words)
  ) u_payload (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (payload_valid_i),
    .ready_o (payload_ready),
    .data_i  (payload_i),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (packet_valid_o),
    .ready_i (packet_ready_i),
    .data_o  (payload),
    .level_o ()
  );

  wc_fifo_commit #(
    .data_t(wc_net_pkg::context_t),
    .Depth (Contexts)
  ) u_context (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (context_valid_i),
    .ready_o (context_ready),
    .data_i  (context_i),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (context_valid_o),
    .ready_i (context_ready_i),
    .data_o  (context_o),
    .level_o ()
  );

  assign packet_o = '{
    conn: wc_pkg::conn_t'(conn_q),
    data: payload.word,
    bytes: payload.bytes,
    last: payload.last
  };

  always_ff @(posedge clk_i) begin
    if (begin_i) overflow_o <= 1'b0;
    if ((payload_valid_i && !payload_ready) || (context_valid_i && !context_ready)) begin
      overflow_o <= 1'b1;
    end
    if (packet_valid_o && packet_ready_i && payload.last) conn_q <= conn_q + 1'b1;
    if (rst_i) conn_q <= '0;
  end

  `WC_ASSERT_STREAM(packet, packet_valid_o, packet_ready_i, packet_o)
  `WC_ASSERT(packet_not_empty, !packet_valid_o || packet_o.bytes != '0)

endmodule

`default_nettype wire
