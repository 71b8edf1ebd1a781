// SPDX-License-Identifier: Apache-2.0
// Reads the lines of buckets from memory, and gives each to its entry as it comes.
// A line that was read in error, or whose bucket could not be written, is bad.
// Latency 1 to AR, none from R. At most Entries lines are on their way, so track always has room.
`include "wc_assert.svh"
`default_nettype none

module wc_item_fill #(
  parameter int unsigned Entries   = 64,
  parameter int unsigned AddrWidth = 40
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic                       fill_valid_i,
  output logic                            fill_ready_o,
  input  wire wc_item_pkg::fill_t         fill_i,
  output logic                            line_valid_o,
  input  wire logic                       line_ready_i,
  output wc_item_pkg::bucket_line_t       line_o,
  output wc_item_pkg::entry_t             entry_o,
  output logic                            bad_o,     // it does not count,
  output logic                            unread_o,  // as memory did not tell: the next may
  output logic                            error_o,  // memory says so, of error_line_o
  output wc_log_pkg::line_t               error_line_o,
  output logic [AddrWidth-1:0]            m_axi_araddr,
  output logic                            m_axi_arvalid,
  input  wire logic                       m_axi_arready,
  input  wire logic                       m_axi_rvalid,
  output logic                            m_axi_rready,
  input  wire wc_item_pkg::bucket_line_t  m_axi_rdata,
  input  wire logic                       m_axi_rerror
);

  import wc_item_pkg::*;

  logic ar_ready, track_ready, track_valid, take;
  wc_log_pkg::line_t ar_line;
  fill_t track;

  assign fill_ready_o = ar_ready && track_ready;

  wc_slice #(
    .data_t(wc_log_pkg::line_t)
  ) u_ar (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(fill_valid_i && track_ready),
    .ready_o(ar_ready),
    .data_i (fill_i.line),
    .valid_o(m_axi_arvalid),
    .ready_i(m_axi_arready),
    .data_o (ar_line)
  );

  assign m_axi_araddr = AddrWidth'({ar_line, 6'b0});

  wc_fifo #(
    .data_t(fill_t),
    .Depth (Entries)
  ) u_track (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(fill_valid_i && ar_ready),
    .ready_o(track_ready),
    .data_i (fill_i),
    .valid_o(track_valid),
    .ready_i(take),
    .data_o (track),
    .level_o()
  );

  assign m_axi_rready = track_valid && line_ready_i;
  assign take = m_axi_rvalid && m_axi_rready;
  assign line_valid_o = m_axi_rvalid && track_valid;
  assign line_o = m_axi_rdata;
  assign entry_o = track.entry;
  assign bad_o = m_axi_rerror || track.bad;
  assign unread_o = m_axi_rerror && !track.bad;
  assign error_o = take && m_axi_rerror;
  assign error_line_o = track.line;

  `WC_ASSERT(track_has_room, !rst_i && track_ready)

endmodule

`default_nettype wire
