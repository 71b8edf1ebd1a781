// SPDX-License-Identifier: Apache-2.0
// Writes lines that have changed back to memory, when no operation needs their entries; and zeros
// when the table is cleared. A line is dirty until it is read for this, and sent until memory has
// acknowledged it. An operation that comes meanwhile uses the line on, and may make it dirty again.
// A line that could not be written is put in the list of bad ones before it counts as acknowledged;
// zeros are written Tries times before that, as the list is short and a table has millions of lines.
// Latency 4 to AW and W; a line every 2 cycles, where memory's beats are units in its four beats and 2.
// At most Entries lines are sent, each entry's once.
`include "wc_assert.svh"
`default_nettype none

module wc_item_back #(
  parameter int unsigned Entries   = 64,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = wc_log_pkg::LineUnits  // of memory, behind W
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire logic                       place_i,       // an entry gets another bucket's line
  input  wire wc_item_pkg::fill_t         place_line_i,
  input  wire logic                       dirty_i,       // the line of this entry has changed
  input  wire wc_item_pkg::entry_t        dirty_entry_i,
  input  wire logic [Entries-1:0]         needed_i,      // operations may change these
  output logic [Entries-1:0]              busy_o,        // dirty or sent
  // reads of lines: in the next cycle the line is there
  output logic                            want_o,
  input  wire logic                       free_i,
  output logic                            try_o,   // read it: there may be no room for it yet
  output logic                            read_o,  // it goes
  output wc_item_pkg::entry_t             read_entry_o,
  input  wire wc_item_pkg::bucket_line_t  line_i,
  // zeros
  input  wire logic                       zero_valid_i,
  output logic                            zero_ready_o,
  input  wire wc_log_pkg::line_t          zero_line_i,
  output logic                            acked_o,
  // lines that could not be written
  output logic                            failed_o,   // memory says so of bad_o
  output logic                            bad_put_o,  // and it does not go once more
  output wc_log_pkg::line_t               bad_o,
  input  wire logic                       bad_busy_i,
  input  wire logic                       bad_done_i,
  input  wire logic                       bad_all_i,  // the list is full: nothing counts
  output logic [AddrWidth-1:0]            m_axi_awaddr,
  output logic                            m_axi_awvalid,
  input  wire logic                       m_axi_awready,
  output wc_item_pkg::bucket_line_t       m_axi_wdata,
  output logic                            m_axi_wvalid,
  input  wire logic                       m_axi_wready,
  input  wire logic                       m_axi_bvalid,
  input  wire logic                       m_axi_berror,
  output logic                            m_axi_bready
);

  import wc_item_pkg::*;

  localparam int unsigned EntryWidth = $clog2(Entries);
  localparam int unsigned Tries = 16;
  typedef logic [$clog2(Tries)-1:0] tries_t;  // so many were in vain

  // ---- the next line ---------------------------------------------------------------------------
  logic [Entries-1:0] dirty, sent, marked;
  logic pick_valid, pick_take;
  entry_t pick;
  logic next_valid_q, next_checked_q, next_ok_q;
  entry_t next_q;
  logic room, acked, zero;

  assign busy_o = dirty | sent;
  assign marked = dirty & ~sent & ~needed_i;

  wc_item_flags #(
    .Entries(Entries)
  ) u_dirty (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .set_i        (dirty_i),
    .set_entry_i  (dirty_entry_i),
    .clear_i      (read_o),
    .clear_entry_i(read_entry_o),
    .flags_o      (dirty)
  );

  wc_item_pick #(
    .Entries(Entries)
  ) u_pick (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .marked_i(marked),
    .valid_o (pick_valid),
    .entry_o (pick),
    .take_i  (pick_take)
  );

  // An operation may come to need the entry that was picked. So it is looked at again in the cycle
  // before it is read; one that comes then is not in the pass before the line is read.
  assign want_o = next_checked_q && next_ok_q;
  // Whether there is room comes late from memory, so a line is read without asking, and once more if
  // there was none.
  assign try_o = next_checked_q && next_ok_q && free_i && !zero;
  assign read_o = try_o && room;
  assign read_entry_o = next_q;
  assign pick_take = !next_valid_q || read_o || (next_checked_q && !next_ok_q);

  always_ff @(posedge clk_i) begin
    next_ok_q <= marked[next_q[EntryWidth-1:0]];
    next_checked_q <= next_valid_q && !pick_take;
    if (pick_take) begin
      next_valid_q <= pick_valid;
      next_q <= pick;
    end
    if (rst_i) begin
      next_valid_q <= 1'b0;
      next_checked_q <= 1'b0;
    end
  end

  // ---- AW and W --------------------------------------------------------------------------------
  typedef struct packed {
    entry_t            entry;
    wc_log_pkg::line_t line;
    logic              zero;
    tries_t            tries;
  } track_t;

  wc_log_pkg::line_t stored, line, aw_line;
  logic load_q, load_zero_q;  // the line comes
  entry_t load_entry_q;
  wc_log_pkg::line_t zero_q;
  tries_t load_tries_q;
  logic aw_ready, track_ready;
  logic again_q;  // zeros that could not be written go once more, before others
  wc_log_pkg::line_t again_line_q;
  tries_t again_tries_q;

  // Where memory takes several beats for a line, the next one need not come at once, and is not looked
  // for before.
  assign room = !load_q && (!m_axi_wvalid || (m_axi_wready && BeatUnits == wc_log_pkg::LineUnits))
                && aw_ready && track_ready;
  assign zero_ready_o = room && !again_q;
  assign zero = zero_valid_i || again_q;
  assign line = load_zero_q ? zero_q : stored;

  wc_ram_sdp #(
    .Width($bits(wc_log_pkg::line_t)),
    .Depth(Entries)
  ) u_places (
    .clk_i  (clk_i),
    .we_i   (place_i),
    .waddr_i(place_line_i.entry[EntryWidth-1:0]),
    .wdata_i(place_line_i.line),
    .re_i   (try_o),
    .raddr_i(read_entry_o[EntryWidth-1:0]),
    .rdata_o(stored)
  );

  wc_slice #(
    .data_t(wc_log_pkg::line_t)
  ) u_aw (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(load_q),
    .ready_o(aw_ready),
    .data_i (line),
    .valid_o(m_axi_awvalid),
    .ready_i(m_axi_awready),
    .data_o (aw_line)
  );

  assign m_axi_awaddr = AddrWidth'({aw_line, 6'b0});

  always_ff @(posedge clk_i) begin
    load_q <= read_o || (zero && room);
    load_zero_q <= zero;
    load_entry_q <= next_q;
    zero_q <= again_q ? again_line_q : zero_line_i;
    load_tries_q <= again_q ? again_tries_q : '0;
    m_axi_wvalid <= load_q || (m_axi_wvalid && !m_axi_wready);
    if (load_q) m_axi_wdata <= load_zero_q ? '0 : line_i;
    if (rst_i) begin
      load_q <= 1'b0;
      m_axi_wvalid <= 1'b0;
    end
  end

  // ---- B ---------------------------------------------------------------------------------------
  track_t track;
  logic track_valid, take;
  entry_t bad_entry_q;

  wc_fifo #(
    .data_t(track_t),
    .Depth (Entries)
  ) u_track (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(load_q),
    .ready_o(track_ready),
    .data_i ('{entry: load_entry_q, line: line, zero: load_zero_q, tries: load_tries_q}),
    .valid_o(track_valid),
    .ready_i(take),
    .data_o (track),
    .level_o()
  );

  // What goes once more finds the place in the queue that it has just left, as nothing else comes
  // before it: so it waits for memory only.
  logic again;

  assign m_axi_bready = track_valid && !bad_busy_i && !again_q;
  assign take = m_axi_bvalid && m_axi_bready;
  assign failed_o = take && m_axi_berror;
  assign again = failed_o && track.zero && track.tries != '1 && !bad_all_i;
  assign bad_put_o = failed_o && !again;
  assign bad_o = track.line;
  assign acked = (take && !m_axi_berror) || bad_done_i;

  wc_item_flags #(
    .Entries(Entries)
  ) u_sent (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .set_i        (read_o),
    .set_entry_i  (read_entry_o),
    .clear_i      (acked),
    .clear_entry_i(bad_done_i ? bad_entry_q : track.entry),
    .flags_o      (sent)
  );

  always_ff @(posedge clk_i) begin
    acked_o <= acked;
    if (bad_put_o) bad_entry_q <= track.entry;
    again_q <= again || (again_q && !room);
    if (again) begin
      again_line_q <= track.line;
      again_tries_q <= track.tries + 1'b1;
    end
    if (rst_i) begin
      acked_o <= 1'b0;
      again_q <= 1'b0;
    end
  end

  `WC_ASSERT(loads_have_room, !load_q || (aw_ready && track_ready))
  `WC_ASSERT(sent_once, !read_o || !sent[read_entry_o[EntryWidth-1:0]])
  `WC_ASSERT(still_dirty, !read_o || dirty[read_entry_o[EntryWidth-1:0]])
  `WC_ASSERT(zero_alone, !zero || busy_o == '0)
  `WC_ASSERT(no_overtaking, !(place_i && read_o && place_line_i.entry == read_entry_o))

endmodule

`default_nettype wire
