// SPDX-License-Identifier: Apache-2.0
// The engine with what brings events to it, and what finds the connections of segments.
`default_nettype none

module wc_tcp_demux_tb #(
  parameter int unsigned Connections = 64,
  parameter int unsigned RingBits = 16,
  parameter int unsigned OurScale = 0,
  parameter int unsigned AckWait = 2
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  output logic                               ready_o,
  input  wire logic [127:0]                  secret_i,
  input  wire logic [79:0]                   seed_i,
  input  wire logic [16:0]                   most_i,
  input  wire wc_tcp_engine_pkg::time_t      now_i,
  input  wire logic                          segment_valid_i,
  output logic                               segment_ready_o,
  input  wire wc_tcp_pkg::segment_t          segment_i,
  input  wire logic                          crowded_i,
  output logic                               fate_valid_o,
  input  wire logic                          fate_ready_i,
  output wc_tcp_demux_pkg::fate_t            fate_o,
  output logic                               given_valid_o,  // an event that the engine has
  output wc_tcp_engine_pkg::event_t          given_o,
  input  wire logic                          owner_valid_i,
  output logic                               owner_ready_o,
  input  wire wc_tcp_engine_pkg::event_t     owner_i,
  output logic                               place_valid_o,
  output wc_tcp_engine_pkg::place_t          place_o,
  output logic                               progress_valid_o,
  output wc_tcp_engine_pkg::progress_t       progress_o,
  output logic                               result_valid_o,
  output wc_tcp_engine_pkg::result_t         result_o,
  output logic                               gone_valid_o,
  output logic [15:0]                        gone_id_o,
  input  wire logic                          back_valid_i,
  input  wire logic [15:0]                   back_id_i,
  output logic                               out_valid_o,
  input  wire logic                          out_ready_i,
  output wc_tcp_pkg::out_t                   out_o,
  output wc_tcp_demux_pkg::counts_t          counts_o
);

  import wc_tcp_engine_pkg::event_t;

  logic found_valid, found_ready, found_dropped, hurry;
  logic demux_ready, events_ready, coming_valid;
  logic [15:0] coming_id;
  event_t found;

  assign ready_o = demux_ready && events_ready;
  assign given_valid_o = found_valid && found_ready && !found_dropped;
  assign given_o = found;

  wc_tcp_demux #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale)
  ) u_demux (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .ready_o        (demux_ready),
    .secret_i       (secret_i),
    .seed_i         (seed_i),
    .now_i          (now_i),
    .most_i         (most_i),
    .segment_valid_i(segment_valid_i),
    .segment_ready_o(segment_ready_o),
    .segment_i      (segment_i),
    .crowded_i      (crowded_i),
    .fate_valid_o   (fate_valid_o),
    .fate_ready_i   (fate_ready_i),
    .fate_o         (fate_o),
    .event_valid_o  (found_valid),
    .event_ready_i  (found_ready),
    .event_dropped_i(found_dropped),
    .event_hurry_o  (hurry),
    .coming_valid_o (coming_valid),
    .coming_id_o    (coming_id),
    .event_o        (found),
    .result_valid_i (result_valid_o),
    .result_i       (result_o),
    .gone_valid_o   (gone_valid_o),
    .gone_id_o      (gone_id_o),
    .back_valid_i   (back_valid_i),
    .back_id_i      (back_id_i),
    .out_valid_o    (out_valid_o),
    .out_ready_i    (out_ready_i),
    .out_o          (out_o),
    .counts_o       (counts_o),
    .about_valid_i  (1'b0),
    .about_id_i     ('0),
    .about_busy_o   (),
    .about_peer_o   ()
  );

  wc_tcp_events_tb #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale),
    .AckWait    (AckWait)
  ) u_rest (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .ready_o          (events_ready),
    .now_i            (now_i),
    .coming_valid_i   (coming_valid),
    .coming_id_i      (coming_id),
    .segment_valid_i  (found_valid),
    .segment_ready_o  (found_ready),
    .segment_dropped_o(found_dropped),
    .segment_hurry_i  (hurry),
    .segment_i        (found),
    .owner_valid_i    (owner_valid_i),
    .owner_ready_o    (owner_ready_o),
    .owner_i          (owner_i),
    .place_valid_o    (place_valid_o),
    .place_o          (place_o),
    .progress_valid_o (progress_valid_o),
    .progress_o       (progress_o),
    .result_valid_o   (result_valid_o),
    .result_o         (result_o)
  );

endmodule

`default_nettype wire
