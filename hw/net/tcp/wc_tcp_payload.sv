// SPDX-License-Identifier: Apache-2.0
// Where payloads of segments go, and when their bytes have come. The fate of a payload is known
// first; of one that the engine has been given, the engine says where it goes, and later what came
// of it. Payloads are written in the order in which they came, so with the last one of those before
// a number all of these bytes are in memory: then it is told that they have come.
// From place to write 2 cycles; from done to arrived 1, from progress, if there is no payload, 3.
// An arrived every 4 cycles. Who ends a connection, as if its peer had, waits for those that come.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_payload #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned Depth       = 32  // segments that were given and have not come yet
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  input  wire logic                          room_i,  // for what follows from another segment
  input  wire logic                          fate_valid_i,
  output logic                               fate_ready_o,  // falls behind a fate only
  input  wire wc_tcp_demux_pkg::fate_t       fate_i,
  input  wire logic                          opens_valid_i,  // an event is given that opens
  input  wire logic [15:0]                   opens_id_i,
  input  wire logic                          gone_valid_i,  // a connection is no more: with ready,
  input  wire logic [15:0]                   gone_id_i,     // and never with a fate
  input  wire logic                          place_valid_i,
  input  wire wc_tcp_engine_pkg::place_t     place_i,
  input  wire logic                          progress_valid_i,
  input  wire wc_tcp_engine_pkg::progress_t  progress_i,
  // To wc_tcp_ring_write.
  output logic                               write_valid_o,
  input  wire logic                          write_ready_i,
  output wc_tcp_ring_pkg::write_t            write_o,
  input  wire logic                          done_valid_i,
  output logic                               done_ready_o,
  input  wire wc_tcp_ring_pkg::done_t        done_i,
  input  wire logic                          ends_valid_i,  // a connection is to end: not behind
  output logic                               ends_ready_o,  // gone_valid_o
  input  wire logic [15:0]                   ends_id_i,
  output logic                               arrived_valid_o,  // for a cycle
  output wc_tcp_engine_pkg::arrived_t        arrived_o,
  output logic                               abort_valid_o,  // memory did not write its bytes
  input  wire logic                          abort_ready_i,
  output logic [15:0]                        abort_id_o,
  output logic                               gone_valid_o,  // behind all that arrived of it,
                                                             // every 4 cycles at most
  input  wire logic                          gone_ready_i,
  output logic [15:0]                        gone_id_o
);

  import wc_tcp_engine_pkg::*;
  import wc_tcp_demux_pkg::fate_t;

  localparam int unsigned IdBits = $clog2(Connections);

  typedef logic [IdBits-1:0] id_t;

  `WC_REQUIRE(depth, Depth >= 4 && Depth == 2 ** $clog2(Depth),
              "wc_tcp_payload: Depth must be a power of two of 4 or more")

  typedef struct packed {
    logic        gone;  // a connection is no more; else
    fate_t       fate;  // of a segment
    logic [15:0] id;    // of one that is no more
  } entry_t;

  // ---- fates, and what the engine says -----------------------------------------------------------
  // Worst case: Depth each. So many were given at most, and places and progress are of these.
  logic fates_ready, fate_valid, fate_take, places_ready, place_valid, place_take, waits_ready;
  logic owing_q, arrive;  // counted a cycle late, as fates come late
  logic allowed_q;
  logic [$clog2(Depth):0] owed_q;
  entry_t entry;
  place_t place;

  assign fate_ready_o = fates_ready && allowed_q;

  always_ff @(posedge clk_i) begin
    owing_q <= fate_valid_i && fate_ready_o && fate_i.given;
    owed_q <= owed_q + ($clog2(Depth) + 1)'(owing_q) - ($clog2(Depth) + 1)'(arrive);
    // Who offers an event must not be stopped by anything but an event of its own.
    if (!allowed_q || ((fate_valid_i || gone_valid_i) && fate_ready_o)) begin
      allowed_q <= room_i && owed_q < ($clog2(Depth) + 1)'(Depth - 2);
    end
    if (rst_i) begin
      owing_q <= 1'b0;
      owed_q <= '0;
      allowed_q <= 1'b0;
    end
  end

  wc_fifo_shallow #(
    .data_t(entry_t),
    .Depth (Depth)
  ) u_fates (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i((fate_valid_i || gone_valid_i) && fate_ready_o),
    .ready_o(fates_ready),
    .data_i ('{gone: gone_valid_i, fate: fate_i, id: gone_id_i}),
    .valid_o(fate_valid),
    .ready_i(fate_take),
    .data_o (entry)
  );

  wc_fifo_shallow #(
    .data_t(place_t),
    .Depth (Depth)
  ) u_places (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(place_valid_i),
    .ready_o(places_ready),
    .data_i (place_i),
    .valid_o(place_valid),
    .ready_i(place_take),
    .data_o (place)
  );

  // ---- to be written ----------------------------------------------------------------------------
  logic given, placed;  // it is known where it goes
  logic write_valid, write_ready;
  wc_tcp_ring_pkg::write_t write;

  wc_slice_half #(
    .data_t(wc_tcp_ring_pkg::write_t)
  ) u_write (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(write_valid),
    .ready_o(write_ready),
    .data_i (write),
    .valid_o(write_valid_o),
    .ready_i(write_ready_i),
    .data_o (write_o)
  );

  assign given = !entry.gone && entry.fate.given;
  assign placed = !given || place_valid;

  always_comb begin
    write = '0;
    if (given) begin
      write.id = place.id;
      write.seq = place.seq;
      write.skip = place.skip;
      write.bytes = place.bytes;
      write.tag = wc_tcp_ring_pkg::tag_t'(1);  // what was not given has 0
    end
  end

  // `waits` has no room only while its first one waits for what is done.
  assign write_valid = fate_valid && !entry.gone && entry.fate.bytes && placed
                       && (!given || waits_ready);
  assign fate_take = fate_valid && (!entry.gone && entry.fate.bytes ? write_valid && write_ready
                                                                    : placed && waits_ready);
  assign place_take = fate_take && given;

  // ---- what has come ----------------------------------------------------------------------------
  typedef struct packed {
    logic        gone;
    logic        bytes;
    logic [15:0] id;
  } wait_t;

  wait_t waits;
  progress_t progress;
  logic waits_valid, progress_valid, progress_ready, thrown, written;
  logic [1:0] apart_q;
  logic broken, known_q;  // of the progress that is next: memory has lost bytes of its connection
  logic abort_q, breaks_q;
  id_t abort_id_q;

  wc_fifo_shallow #(
    .data_t(wait_t),
    .Depth (Depth)
  ) u_waits (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(fate_take && (entry.gone || given)),
    .ready_o(waits_ready),
    .data_i ('{gone: entry.gone, bytes: entry.fate.bytes, id: entry.id}),
    .valid_o(waits_valid),
    .ready_i(arrive || (gone_valid_o && gone_ready_i)),
    .data_o (waits)
  );

  wc_fifo_shallow #(
    .data_t(progress_t),
    .Depth (Depth)
  ) u_progress (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(progress_valid_i),
    .ready_o(progress_ready),
    .data_i (progress_i),
    .valid_o(progress_valid),
    .ready_i(arrive),
    .data_o (progress)
  );

  // What memory did not write was acknowledged: the connection cannot go on, and until it is no more
  // nothing arrives of it.
  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_broken (
    .clk_i  (clk_i),
    .we_i   (opens_valid_i || breaks_q),
    .waddr_i(opens_valid_i ? id_t'(opens_id_i) : abort_id_q),
    .wdata_i(!opens_valid_i),
    .re_i   (1'b1),
    .raddr_i(id_t'(progress.id)),
    .rdata_o(broken)
  );

  assign thrown = done_valid_i && !done_i.tag[0];
  assign written = done_valid_i && done_i.tag[0];
  assign arrive = waits_valid && !waits.gone && known_q && apart_q == '0
                  && !breaks_q && (!waits.bytes || (written && !abort_q));
  assign done_ready_o = thrown || (arrive && waits.bytes);
  assign ends_ready_o = apart_q == '0 && !arrive && !(waits_valid && waits.gone);
  assign gone_valid_o = waits_valid && waits.gone && apart_q == '0 && !abort_q && !breaks_q;
  assign gone_id_o = waits.id;
  assign abort_valid_o = abort_q;
  assign abort_id_o = 16'(abort_id_q);

  always_ff @(posedge clk_i) begin
    apart_q <= arrive || (ends_valid_i && ends_ready_o) || (gone_valid_o && gone_ready_i)
               ? '1 : apart_q - 2'(apart_q != '0);
    arrived_valid_o <= arrive ? (progress.bytes != '0 || progress.ended)
                                && !broken && !(waits.bytes && done_i.error)
                              : ends_valid_i && ends_ready_o;
    arrived_o <= arrive ? '{id: progress.id, bytes: progress.bytes, ended: progress.ended}
                        : '{id: ends_id_i, bytes: '0, ended: 1'b1};
    known_q <= progress_valid && !arrive;
    if (abort_ready_i) abort_q <= 1'b0;
    if (!opens_valid_i) breaks_q <= 1'b0;
    if (arrive && waits.bytes && done_i.error && !broken) begin
      abort_q <= 1'b1;
      breaks_q <= 1'b1;
      abort_id_q <= id_t'(progress.id);
    end
    if (rst_i) begin
      apart_q <= '0;
      arrived_valid_o <= 1'b0;
      known_q <= 1'b0;
      abort_q <= 1'b0;
      breaks_q <= 1'b0;
    end
  end

  `WC_ASSERT(one_at_a_time, !(fate_valid_i && gone_valid_i))
  `WC_ASSERT(fate_has_room, !(fate_valid_i || gone_valid_i) || fate_ready_o)
  `WC_ASSERT(place_has_room, !place_valid_i || places_ready)
  `WC_ASSERT(progress_has_room, !progress_valid_i || progress_ready)
  `WC_ASSERT(owed_is_bounded, owed_q <= ($clog2(Depth) + 1)'(Depth))
  `WC_ASSERT_STREAM(write, write_valid_o, write_ready_i, write_o)
  `WC_ASSERT(same, !arrive || !waits.bytes || done_i.tag[0])

endmodule

`default_nettype wire
