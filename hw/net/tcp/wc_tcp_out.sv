// SPDX-License-Identifier: Apache-2.0
// What goes to peers: segments that the engine sends, with the payload that lies in the rings, and
// answers that no connection gives, in turn when both wait. The engine's results cannot wait: room_o
// falls in time for what is on its way. Payloads are asked for when their segments come in, and read
// while those before are sent.
// A connection that is no more passes through here behind its segments; then nothing of it is read
// any more, and its number, ring and station may be another's.
// From a result to the header 5 cycles; a header every 3 cycles at most.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_out #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned Depth       = 32,  // segments whose payload is not sent
  parameter int unsigned Slack       = 18   // results to come when room_o has fallen
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  output logic                             room_o,
  input  wire logic                        event_valid_i,  // a segment that the engine has
  input  wire wc_tcp_engine_pkg::event_t   event_i,
  input  wire logic                        result_valid_i,
  input  wire wc_tcp_engine_pkg::result_t  result_i,
  input  wire logic                        answer_valid_i,  // its bytes, if any, are the text
  output logic                             answer_ready_o,
  input  wire wc_tcp_pkg::out_t            answer_i,
  input  wire logic                        gone_valid_i,
  output logic                             gone_ready_o,
  input  wire logic [15:0]                 gone_id_i,
  output logic                             gone_valid_o,  // for a cycle, every 4 at most
  output logic [15:0]                      gone_id_o,
  // To wc_tcp_ring_read.
  output logic                             read_valid_o,
  input  wire logic                        read_ready_i,
  output wc_tcp_ring_pkg::read_t           read_o,
  input  wire logic                        word_valid_i,
  output logic                             word_ready_o,
  input  wire wc_tcp_ring_pkg::word_t      word_i,
  // To wc_tcp_tx.
  output logic                             header_valid_o,
  input  wire logic                        header_ready_i,
  output wc_tcp_pkg::out_t                 header_o,
  output logic                             payload_valid_o,
  input  wire logic                        payload_ready_i,
  output wc_pkg::beat_t                    payload_o,
  output logic                             payload_error_o  // with the last word: not to be sent
);

  import wc_tcp_engine_pkg::*;

  localparam int unsigned IdBits = $clog2(Connections);

  `WC_REQUIRE(depth, Depth > Slack && Depth == 2 ** $clog2(Depth),
              "wc_tcp_out: Depth must be a power of two, and more than Slack")

  typedef logic [IdBits-1:0] id_t;
  typedef logic [$clog2(Depth):0] level_t;

  typedef struct packed {
    wc_net_pkg::station_t station;
    logic [15:0]          port;
  } peer_t;

  typedef struct packed {
    logic      gone;  // no segment: a connection is no more
    id_t       id;
    outgoing_t segment;
  } entry_t;

  typedef struct packed {
    id_t         id;
    logic [31:0] seq;
    logic [10:0] bytes;
  } ask_t;

  // ---- segments that the engine sends -----------------------------------------------------------
  // Worst case: Depth, of both. One counts until the last word of its payload has been sent.
  logic sends, push_gone, entries_ready, entry_valid, entry_take, asks_ready, ends;
  level_t level_q;
  entry_t entry;
  ask_t ask;

  assign sends = result_valid_i && result_i.sends;
  assign gone_ready_o = room_o && !sends;
  assign push_gone = gone_valid_i && gone_ready_o;

  always_ff @(posedge clk_i) begin
    level_q <= level_q + level_t'(sends || push_gone) - level_t'(ends);
    room_o <= level_q <= level_t'(Depth - Slack);
    if (rst_i) begin
      level_q <= '0;
      room_o <= 1'b0;
    end
  end

  wc_fifo_wide #(
    .data_t(entry_t),
    .Depth (Depth)
  ) u_entries (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sends || push_gone),
    .ready_o(entries_ready),
    .data_i ('{gone: !sends, id: sends ? id_t'(result_i.id) : id_t'(gone_id_i),
               segment: result_i.segment}),
    .valid_o(entry_valid),
    .ready_i(entry_take),
    .data_o (entry),
    .level_o()
  );

  wc_fifo_shallow #(
    .data_t(ask_t),
    .Depth (Depth)
  ) u_asks (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sends && result_i.segment.bytes != '0),
    .ready_o(asks_ready),
    .data_i ('{id: id_t'(result_i.id), seq: result_i.segment.seq, bytes: result_i.segment.bytes}),
    .valid_o(read_valid_o),
    .ready_i(read_ready_i),
    .data_o (ask)
  );

  assign read_o = '{id: 16'(ask.id), seq: ask.seq, bytes: 16'(ask.bytes), tag: '0};

  // ---- whom to ----------------------------------------------------------------------------------
  peer_t peer;
  logic fetched_q;  // the peer of the entry is there

  wc_ram_sdp #(
    .Width($bits(peer_t)),
    .Depth(Connections)
  ) u_peers (
    .clk_i  (clk_i),
    .we_i   (event_valid_i),
    .waddr_i(id_t'(event_i.id)),
    .wdata_i({event_i.segment.station, event_i.segment.port}),
    .re_i   (1'b1),
    .raddr_i(entry.id),
    .rdata_o(peer)
  );

  always_ff @(posedge clk_i) begin
    fetched_q <= entry_valid && !entry_take;
    if (rst_i) fetched_q <= 1'b0;
  end

  // ---- which comes next -------------------------------------------------------------------------
  // One is offered until it is taken, then its payload is.
  logic text_q;     // the answer is offered; else the entry
  logic payload_q;  // a payload is sent: of the entry that was taken, or of the answer
  logic text_payload_q, offered, taken, payload_ends, waits;
  logic [2:0] text_word_q;
  logic [1:0] apart_q;

  assign offered = text_q ? answer_valid_i : entry_valid && fetched_q && !entry.gone;
  assign waits = text_q ? entry_valid && fetched_q && !entry.gone : answer_valid_i;
  assign header_valid_o = offered;
  assign taken = header_valid_o && header_ready_i;
  assign answer_ready_o = text_q && header_ready_i;
  assign payload_ends = payload_valid_o && payload_ready_i && payload_o.last;
  assign gone_valid_o = entry_valid && entry.gone && !payload_q && apart_q == '0;
  assign gone_id_o = 16'(entry.id);
  assign entry_take = (!text_q && taken) || gone_valid_o;
  assign ends = gone_valid_o || (!text_q && taken && entry.segment.bytes == '0)
                || (payload_ends && !text_payload_q);

  always_ff @(posedge clk_i) begin
    if (taken ? waits : !offered) text_q <= !text_q;
    if (taken) begin
      payload_q <= header_o.bytes != '0;
      text_payload_q <= text_q;
      text_word_q <= '0;
    end else if (payload_ends) begin
      payload_q <= 1'b0;
    end else if (payload_valid_o && payload_ready_i) begin
      text_word_q <= text_word_q + 1'b1;
    end
    apart_q <= gone_valid_o ? '1 : apart_q - 2'(apart_q != '0);
    if (rst_i) begin
      text_q <= 1'b0;
      payload_q <= 1'b0;
      apart_q <= '0;
    end
  end

  always_comb begin
    header_o = '{
        station: peer.station,
        port: peer.port,
        seq: entry.segment.seq,
        ack: entry.segment.ack,
        flags: entry.segment.flags,
        window: entry.segment.window,
        bytes: entry.segment.bytes,
        times_given: entry.segment.times,
        time_value: entry.segment.time_value,
        time_echo: entry.segment.time_echo,
        sacks: entry.segment.sacks,
        sack: entry.segment.sack,
        default: '0
    };
    if (text_q) header_o = answer_i;
  end

  // ---- payload ----------------------------------------------------------------------------------
  localparam int unsigned TextWords = (wc_tcp_demux_pkg::TooManyBytes + 7) / 8;
  logic [TextWords-1:0][63:0] text;

  always_comb begin
    text = '0;
    for (int unsigned i = 0; i < wc_tcp_demux_pkg::TooManyBytes; i++) begin
      text[i/8][8*(i%8)+:8] = wc_tcp_demux_pkg::TooMany[8*(wc_tcp_demux_pkg::TooManyBytes-1-i)+:8];
    end
  end

  assign payload_valid_o = payload_q && (text_payload_q || word_valid_i);
  assign word_ready_o = payload_q && !text_payload_q && payload_ready_i;
  assign payload_o.data = text_payload_q ? text[text_word_q] : word_i.data;
  assign payload_o.last = text_payload_q ? text_word_q == 3'(TextWords - 1) : word_i.last;
  assign payload_error_o = !text_payload_q && word_i.error;

  `WC_ASSERT(entry_has_room, !(sends || push_gone) || entries_ready)
  `WC_ASSERT(ask_has_room, !sends || asks_ready)
  `WC_ASSERT(level_is_bounded, level_q <= level_t'(Depth))
  `WC_ASSERT_STREAM(header, header_valid_o, header_ready_i, header_o)
  `WC_ASSERT_STREAM(payload, payload_valid_o, payload_ready_i, payload_o)

endmodule

`default_nettype wire
