// SPDX-License-Identifier: Apache-2.0
// Holds requests until the parser takes them, and for each request the context (whom to answer)
// until the answer is sent. A request is written while it comes in; then the verdict on its frame
// keeps or forgets the whole of it.
// The contexts are a queue, because there is one answer to every request, in the order of requests;
// conn is the number of the context's place in that queue.
// Latency from commit to packet 1; one word per cycle. A word or a context that finds no room is
// lost, and overflow_o is high from then to the next begin_i.
`include "wc_assert.svh"
`default_nettype none

module wc_rx_buffer #(
  parameter int unsigned Words    = 2048,
  parameter int unsigned Contexts = 256,
  parameter int unsigned LargestWords = wc_net_pkg::RequestWords  // of one request
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

  // Nothing in here waits for the end of a frame: what finds no room is dropped with its frame. But
  // a request that is larger than the buffer would never find room. A context waits for the answer
  // to its request: Contexts and the two in the output registers bound what is in the pipeline, and
  // the next request is dropped.
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
    tcp: 1'b0,
    binary: 1'b0,
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
