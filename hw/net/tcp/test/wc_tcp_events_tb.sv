// SPDX-License-Identifier: Apache-2.0
// The engine with what brings events to it.
`default_nettype none

module wc_tcp_events_tb #(
  parameter int unsigned Connections = 64,
  parameter int unsigned RingBits = 16,
  parameter int unsigned OurScale = 0,
  parameter int unsigned AckWait = 2
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  output logic                               ready_o,
  input  wire wc_tcp_engine_pkg::time_t      now_i,
  input  wire logic                          coming_valid_i,
  input  wire logic [15:0]                   coming_id_i,
  input  wire logic                          segment_valid_i,
  output logic                               segment_ready_o,
  output logic                               segment_dropped_o,
  input  wire logic                          segment_hurry_i,
  input  wire wc_tcp_engine_pkg::event_t     segment_i,
  input  wire logic                          owner_valid_i,
  output logic                               owner_ready_o,
  input  wire wc_tcp_engine_pkg::event_t     owner_i,
  output logic                               place_valid_o,
  output wc_tcp_engine_pkg::place_t          place_o,
  output logic                               progress_valid_o,
  output wc_tcp_engine_pkg::progress_t       progress_o,
  output logic                               result_valid_o,
  output wc_tcp_engine_pkg::result_t         result_o,
  output logic                               busy_o,
  output logic                               armed_o,
  output logic [17:0]                        soonest_o
);

  logic step, event_valid, event_ready;
  wc_tcp_engine_pkg::event_t event_;

  wc_tcp_events #(
    .Connections(Connections),
    .AckWait    (AckWait)
  ) u_events (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .ready_o        (ready_o),
    .now_i          (now_i),
    .room_i         (1'b1),
    .coming_valid_i (coming_valid_i),
    .coming_id_i    (coming_id_i),
    .segment_valid_i(segment_valid_i),
    .segment_ready_o(segment_ready_o),
    .segment_dropped_o(segment_dropped_o),
    .segment_hurry_i(segment_hurry_i),
    .segment_i      (segment_i),
    .owner_valid_i  (owner_valid_i),
    .owner_ready_o  (owner_ready_o),
    .owner_i        (owner_i),
    .step_i         (step),
    .event_valid_o  (event_valid),
    .event_ready_i  (event_ready),
    .event_o        (event_),
    .result_valid_i (result_valid_o),
    .result_i       (result_o),
    .busy_o           (busy_o),
    .armed_o          (armed_o),
    .soonest_o        (soonest_o)
  );

  wc_tcp_engine #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale)
  ) u_engine (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .now_i           (now_i),
    .event_valid_i   (event_valid),
    .event_ready_o   (event_ready),
    .step_o          (step),
    .event_i         (event_),
    .place_valid_o   (place_valid_o),
    .place_o         (place_o),
    .progress_valid_o(progress_valid_o),
    .progress_o      (progress_o),
    .result_valid_o  (result_valid_o),
    .result_o        (result_o)
  );

endmodule

`default_nettype wire
