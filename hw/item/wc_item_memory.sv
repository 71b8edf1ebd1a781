// SPDX-License-Identifier: Apache-2.0
// The lines of the table's buckets in memory: read for entries that were taken, written back when
// they are dirty and nobody needs them, and emptied, all of them. Each way has lines of its own, and
// reads and writes beside the others; one answer of memory comes in a cycle, to whichever way.
// A line that could not be written counts as bad until the table is emptied.
// Latency of a read 1 to AR, none from R with one way, else 1; a line a cycle, of any way.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_item_memory
  import wc_item_pkg::*;
  import wc_log_pkg::*;
#(
  parameter int unsigned Entries   = 64,
  parameter int unsigned Ways      = 1,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = wc_log_pkg::LineUnits,
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(LineWidth)
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  // all lines become empty
  input  wire wc_item_pkg::item_settings_t settings_i,
  input  wire logic                        clear_i,
  input  wire logic                        zeroed_i,    // clear_i: memory has zeros there
  output logic                             clearing_o,  // operations are held back
  input  wire logic                        quiet_i,     // clearing_o: nothing is on the way
  output logic                             forget_o,    // no line is on the chip any more
  // lines that are read
  input  wire logic [Ways-1:0]             fill_valid_i,
  output logic [Ways-1:0]                  fill_ready_o,
  input  wire wc_item_pkg::fill_t [Ways-1:0] fill_i,
  input  wire wc_log_pkg::line_t [Ways-1:0]  asked_line_i,  // is this one bad?
  output logic [Ways-1:0]                    asked_bad_o,   // a cycle later
  output logic [Ways-1:0]                    line_valid_o,
  input  wire logic                          line_ready_i,  // of all ways
  output wc_item_pkg::bucket_line_t [Ways-1:0] line_o,
  output wc_item_pkg::entry_t [Ways-1:0]     line_entry_o,
  output logic [Ways-1:0]                    line_bad_o,
  output logic [Ways-1:0]                    line_unread_o,
  // lines that go back, as in wc_item_back
  input  wire logic [Ways-1:0]               dirty_i,
  input  wire wc_item_pkg::entry_t [Ways-1:0] dirty_entry_i,
  input  wire logic [Ways-1:0][Entries-1:0]  needed_i,
  output logic [Ways-1:0][Entries-1:0]       busy_o,
  output logic [Ways-1:0]                    read_want_o,
  input  wire logic                          read_free_i,
  output logic [Ways-1:0]                    read_try_o,
  output logic [Ways-1:0]                    read_o,
  output wc_item_pkg::entry_t [Ways-1:0]     read_entry_o,
  input  wire wc_item_pkg::bucket_line_t [Ways-1:0] read_line_i,
  output wc_pkg::memory_error_t              error_o,
  output wc_pkg::bad_level_t                 retired_o,  // lines that could not be written
  output axi_req_t                           m_axi_req_o,
  input  wire axi_resp_t                     m_axi_resp_i
);

  // ---- lines that are read ---------------------------------------------------------------------
  axi_req_t [Ways-1:0] ways_req;
  axi_resp_t [Ways-1:0] ways_resp;
  logic [Ways-1:0] fill_error;
  line_t [Ways-1:0] fill_error_line;

  typedef struct packed {
    bucket_line_t line;
    entry_t       entry;
    logic         bad;
    logic         unread;
  } filled_t;

  for (genvar w = 0; w < Ways; w++) begin : gen_fill
    filled_t came, goes;
    logic came_valid, came_ready;

    wc_item_fill #(
      .Entries  (Entries),
      .AddrWidth(AddrWidth)
    ) u_fill (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .fill_valid_i (fill_valid_i[w]),
      .fill_ready_o (fill_ready_o[w]),
      .fill_i       (fill_i[w]),
      .line_valid_o (came_valid),
      .line_ready_i (came_ready),
      .line_o       (came.line),
      .entry_o      (came.entry),
      .bad_o        (came.bad),
      .unread_o     (came.unread),
      .error_o      (fill_error[w]),
      .error_line_o (fill_error_line[w]),
      .m_axi_araddr (ways_req[w].ar.addr),
      .m_axi_arvalid(ways_req[w].ar_valid),
      .m_axi_arready(ways_resp[w].ar_ready),
      .m_axi_rvalid (ways_resp[w].r_valid),
      .m_axi_rready (ways_req[w].r_ready),
      .m_axi_rdata  (ways_resp[w].r.data),
      .m_axi_rerror (ways_resp[w].r.resp[1])
    );

    // The pass takes a line every other cycle, of each way; memory gives one every cycle, for any.
    if (Ways > 1) begin : gen_skid
      wc_skid #(
        .data_t(filled_t)
      ) u_skid (
        .clk_i  (clk_i),
        .rst_i  (rst_i),
        .valid_i(came_valid),
        .ready_o(came_ready),
        .data_i (came),
        .valid_o(line_valid_o[w]),
        .ready_i(line_ready_i),
        .data_o (goes)
      );
    end else begin : gen_no_skid
      assign line_valid_o[w] = came_valid;
      assign came_ready = line_ready_i;
      assign goes = came;
    end

    assign line_o[w] = goes.line;
    assign line_entry_o[w] = goes.entry;
    assign line_bad_o[w] = goes.bad;
    assign line_unread_o[w] = goes.unread;
  end

  // ---- lines go back ---------------------------------------------------------------------------
  logic zero_valid;
  logic [Ways-1:0] zero_ready, acked;
  line_t zero_line, failed_line, bad_line;
  logic bad_busy, bad_done;
  logic [Ways-1:0] failed, bad_put, bad_way_q;
  line_t [Ways-1:0] bad;

  for (genvar w = 0; w < Ways; w++) begin : gen_back
    wc_item_back #(
      .Entries  (Entries),
      .AddrWidth(AddrWidth),
      .BeatUnits(BeatUnits)
    ) u_back (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .place_i      (fill_valid_i[w] && fill_ready_o[w]),
      .place_line_i (fill_i[w]),
      .dirty_i      (dirty_i[w]),
      .dirty_entry_i(dirty_entry_i[w]),
      .needed_i     (needed_i[w]),
      .busy_o       (busy_o[w]),
      .want_o       (read_want_o[w]),
      .free_i       (read_free_i),
      .try_o        (read_try_o[w]),
      .read_o       (read_o[w]),
      .read_entry_o (read_entry_o[w]),
      .line_i       (read_line_i[w]),
      .zero_valid_i (w == 0 && zero_valid),
      .zero_ready_o (zero_ready[w]),
      .zero_line_i  (zero_line),
      .acked_o      (acked[w]),
      .failed_o     (failed[w]),
      .bad_put_o    (bad_put[w]),
      .bad_o        (bad[w]),
      .bad_busy_i   (bad_busy),
      .bad_done_i   (bad_done && bad_way_q[w]),
      .bad_all_i    (retired_o.all),
      .m_axi_awaddr (ways_req[w].aw.addr),
      .m_axi_awvalid(ways_req[w].aw_valid),
      .m_axi_awready(ways_resp[w].aw_ready),
      .m_axi_wdata  (ways_req[w].w.data),
      .m_axi_wvalid (ways_req[w].w_valid),
      .m_axi_wready (ways_resp[w].w_ready),
      .m_axi_bvalid (ways_resp[w].b_valid),
      .m_axi_berror (ways_resp[w].b.resp[1]),
      .m_axi_bready (ways_req[w].b_ready)
    );

    assign ways_req[w].ar.len = '0;
    assign ways_req[w].aw.len = '0;
    assign ways_req[w].w.strb = '1;
    assign ways_req[w].w.last = 1'b1;
  end

  // One answer of memory comes in a cycle, to whichever way.
  if (Ways == 1) begin : gen_one
    assign m_axi_req_o = ways_req[0];
    assign ways_resp[0] = m_axi_resp_i;
    assign bad_way_q = '1;
  end else begin : gen_ways
    axi_req_t read_req, write_req;
    axi_resp_t [Ways-1:0] read_resp, write_resp;

    wc_axi_read_mux #(
      .Masters  (Ways),
      .AddrWidth(AddrWidth),
      .DataWidth(LineWidth),
      .Reads    (Ways * Entries)
    ) u_reads (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .s_axi_req_i (ways_req),
      .s_axi_resp_o(read_resp),
      .m_axi_req_o (read_req),
      .m_axi_resp_i(m_axi_resp_i)
    );

    wc_axi_write_mux #(
      .Masters  (Ways),
      .AddrWidth(AddrWidth),
      .DataWidth(LineWidth),
      .Writes   (Ways * Entries)
    ) u_writes (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .s_axi_req_i (ways_req),
      .s_axi_resp_o(write_resp),
      .m_axi_req_o (write_req),
      .m_axi_resp_i(m_axi_resp_i)
    );

    always_comb begin
      m_axi_req_o = write_req;
      m_axi_req_o.ar = read_req.ar;
      m_axi_req_o.ar_valid = read_req.ar_valid;
      m_axi_req_o.r_ready = read_req.r_ready;
      for (int unsigned w = 0; w < Ways; w++) begin
        ways_resp[w] = write_resp[w];
        ways_resp[w].ar_ready = read_resp[w].ar_ready;
        ways_resp[w].r = read_resp[w].r;
        ways_resp[w].r_valid = read_resp[w].r_valid;
      end
    end

    always_ff @(posedge clk_i) if (bad_put != '0) bad_way_q <= bad_put;

    `WC_ASSERT(one_read_error, $onehot0(fill_error))
    `WC_ASSERT(one_write_error, $onehot0(failed))
  end

  wc_item_clear u_clear (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .settings_i  (settings_i),
    .clear_i     (clear_i),
    .zeroed_i    (zeroed_i),
    .clearing_o  (clearing_o),
    .quiet_i     (quiet_i),
    .begin_o     (forget_o),
    .zero_valid_o(zero_valid),
    .zero_ready_i(zero_ready[0]),
    .zero_line_o (zero_line),
    .acked_i     (acked[0])
  );

  // What is in a bucket that could not be written does not count until the table is cleared.
  wc_bad_list #(
    .Width  ($bits(line_t)),
    .Entries(wc_pkg::BadPlaces),
    .Askers (Ways)
  ) u_retired (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(forget_o),
    .ask_i  (asked_line_i),
    .hit_o  (asked_bad_o),
    .put_i  (bad_put != '0),
    .take_i (1'b0),
    .place_i(bad_line),
    .busy_o (bad_busy),
    .done_o (bad_done),
    .level_o(retired_o.level),
    .all_o  (retired_o.all)
  );

  always_comb begin
    failed_line = '0;
    bad_line = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (fill_error[w]) failed_line |= fill_error_line[w];
      if (failed[w] || Ways == 1) bad_line |= bad[w];
    end
  end

  always_ff @(posedge clk_i) begin
    error_o <= '{
        read: fill_error != '0,
        read_line: 32'(failed_line),
        write: failed != '0,
        write_line: 32'(bad_line)
    };
    if (rst_i) begin
      error_o.read <= 1'b0;
      error_o.write <= 1'b0;
    end
  end

endmodule

`default_nettype wire
