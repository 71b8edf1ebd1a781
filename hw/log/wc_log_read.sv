// SPDX-License-Identifier: Apache-2.0
// Reads lines of a log, in the order in which they are requested: from the ring of its last lines,
// or from memory when the ring does not have them. Each line waits in a reorder buffer, where its
// place is reserved before anybody is asked for it. So memory is never held back, but for the cycle
// in which a line of the ring is written to the buffer.
// A line is in error when memory did not give it, could not write it, or was given words in error to
// write: the list of such lines is asked when the ring has said that it does not have the line.
// Latency from request to ask 1, to AR 2 (with a ring 2 + AskLatency); from R to line_o 3, from the
// ring's answer 4. A line a cycle; see wc_log_walk for what requests cost. A consumer that stalls
// fills the buffer, then stops the asks, then the requests.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_read
  import wc_log_pkg::*;
#(
  parameter int unsigned Lines      = 64,  // of the buffer: reads in flight, and what waits
  parameter int unsigned AddrWidth  = 40,
  parameter bit          Ring       = 1'b1,  // there is one
  parameter int unsigned AskLatency = 3,     // of the ring
  localparam int unsigned DataWidth = LineWidth,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire link_t         link_i,
  input  wire logic          request_valid_i,
  output logic               request_ready_o,
  input  wire line_t         request_line_i,
  input  wire logic [2:0]    request_skip_i,
  input  wire logic [17:0]   request_lines_i,
  // the ring: the answer is there AskLatency cycles after the ask was taken
  output logic               ask_valid_o,
  input  wire logic          ask_ready_i,
  output line_t              ask_line_o,
  input  wire logic          hit_i,
  input  wire logic          hit_error_i,  // with hit_i
  input  wire data_t         data_i,
  // lines whose words in memory do not count: the answer is there 2 cycles later
  output line_t              bad_ask_line_o,
  input  wire logic          bad_i,
  output logic               line_valid_o,
  input  wire logic          line_ready_i,
  output data_t              line_o,
  output logic               line_error_o,
  output logic               memory_error_o,  // memory did not give this line
  output line_t              memory_error_line_o,
  output axi_req_t           m_axi_req_o,
  input  wire axi_resp_t     m_axi_resp_i
);

  localparam int unsigned PlaceWidth = $clog2(Lines);
  typedef logic [PlaceWidth-1:0] place_t;

  `WC_REQUIRE(lines, Lines >= 4 && Lines == 2 ** PlaceWidth,
              "wc_log_read: Lines must be a power of two of 4 or more")
  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_log_read: AddrWidth must be 36 to 64")
  `WC_REQUIRE(ask_latency, AskLatency >= 1, "wc_log_read: AskLatency must be 1 or more")

  // ---- lines that are asked for -----------------------------------------------------------------
  // A place is reserved from the ask until the line is on the output.
  logic walk_valid, walk_ready, reserve, move;
  line_t walk_line;
  logic room_q;  // there is a free place
  logic [PlaceWidth:0] level_q;  // places that are reserved

  wc_log_walk u_walk (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .link_i         (link_i),
    .request_valid_i(request_valid_i),
    .request_ready_o(request_ready_o),
    .request_line_i (request_line_i),
    .request_skip_i (request_skip_i),
    .request_lines_i(request_lines_i),
    .valid_o        (walk_valid),
    .ready_i        (walk_ready),
    .line_o         (walk_line)
  );

  assign walk_ready = room_q && (ask_ready_i || !Ring);
  assign reserve = walk_valid && walk_ready;
  assign ask_valid_o = Ring && walk_valid && room_q;
  assign ask_line_o = walk_line;

  always_ff @(posedge clk_i) begin
    if (reserve != move) begin
      level_q <= reserve ? level_q + 1'b1 : level_q - 1'b1;
      room_q <= move || level_q != (PlaceWidth + 1)'(Lines - 1);
    end
    if (rst_i) begin
      level_q <= '0;
      room_q <= 1'b1;
    end
  end

  // ---- what the ring says -----------------------------------------------------------------------
  logic answered, hit, miss;
  line_t answer_line;
  place_t answer_q;    // the place of the line that is answered
  logic ring_q;        // the ring gave a line, which now goes to the buffer
  place_t ring_place_q;
  data_t ring_data_q;
  logic ring_error_q;

  if (Ring) begin : gen_ring
    logic [AskLatency-1:0] asked_q;
    line_t asked_line_q[AskLatency];

    always_ff @(posedge clk_i) begin
      asked_q <= AskLatency'({asked_q, reserve});
      asked_line_q[0] <= walk_line;
      for (int unsigned i = 1; i < AskLatency; i++) asked_line_q[i] <= asked_line_q[i-1];
      ring_q <= hit;
      ring_place_q <= answer_q;
      ring_data_q <= data_i;
      ring_error_q <= hit_error_i;
      if (rst_i) begin
        asked_q <= '0;
        ring_q <= 1'b0;
      end
    end

    assign answered = asked_q[AskLatency-1];
    assign answer_line = asked_line_q[AskLatency-1];
    assign hit = answered && hit_i;
  end else begin : gen_no_ring
    assign answered = reserve;
    assign answer_line = walk_line;
    assign hit = 1'b0;
    assign ring_q = 1'b0;
    assign ring_place_q = '0;
    assign ring_data_q = '0;
    assign ring_error_q = 1'b0;

    logic unused;
    assign unused = ^{hit_i, hit_error_i, data_i};
  end

  assign miss = answered && !hit;

  always_ff @(posedge clk_i) begin
    if (answered) answer_q <= answer_q + 1'b1;
    if (rst_i) answer_q <= '0;
  end

  // ---- lines that could not be written ----------------------------------------------------------
  // The ring keeps a line until its write is acknowledged, or in the list. So the list is asked
  // about a line when the ring is known not to have it, not before.
  logic [1:0] ask_bad_q, ask_missed_q;
  logic bads_ready, bad_valid, bad;

  assign bad_ask_line_o = answer_line;

  always_ff @(posedge clk_i) begin
    ask_bad_q <= {ask_bad_q[0], answered};
    ask_missed_q <= {ask_missed_q[0], miss};
    if (rst_i) ask_bad_q <= '0;
  end

  // Of each line that is reserved, at most. The answer is there before the line can leave.
  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Lines)
  ) u_bad (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(ask_bad_q[1]),
    .ready_o(bads_ready),
    .data_i (bad_i && ask_missed_q[1]),
    .valid_o(bad_valid),
    .ready_i(move),
    .data_o (bad)
  );

  // ---- lines that memory is asked for -----------------------------------------------------------
  // Both queues hold reserved lines only, so they always have room.
  logic reads_ready, orders_ready, order_valid, r_take;
  line_t ar_line, order_line;
  place_t order;

  wc_fifo #(
    .data_t(line_t),
    .Depth (Lines)
  ) u_reads (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(miss),
    .ready_o(reads_ready),
    .data_i (answer_line),
    .valid_o(m_axi_req_o.ar_valid),
    .ready_i(m_axi_resp_i.ar_ready),
    .data_o (ar_line),
    .level_o()
  );

  wc_fifo_shallow #(
    .data_t(logic [$bits(line_t)+PlaceWidth-1:0]),
    .Depth (Lines)
  ) u_order (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(miss),
    .ready_o(orders_ready),
    .data_i ({answer_line, answer_q}),
    .valid_o(order_valid),
    .ready_i(r_take),
    .data_o ({order_line, order})
  );

  assign m_axi_req_o.ar.addr = AddrWidth'({ar_line, 6'b0});
  assign m_axi_req_o.ar.len = '0;
  assign m_axi_req_o.r_ready = !ring_q;
  assign m_axi_req_o.aw = '0;
  assign m_axi_req_o.aw_valid = 1'b0;
  assign m_axi_req_o.w = '0;
  assign m_axi_req_o.w_valid = 1'b0;
  assign m_axi_req_o.b_ready = 1'b0;
  assign r_take = m_axi_resp_i.r_valid && !ring_q;

  always_ff @(posedge clk_i) begin
    memory_error_o <= r_take && m_axi_resp_i.r.resp[1];
    memory_error_line_o <= order_line;
    if (rst_i) memory_error_o <= 1'b0;
  end

  // ---- the buffer -------------------------------------------------------------------------------
  logic write, fetch, error;
  place_t write_place, out_q;
  logic [Lines-1:0] there_q;  // lines that are in the buffer
  logic fetched_q;            // the RAM's output is a line
  data_t data;

  assign write = ring_q || m_axi_resp_i.r_valid;
  assign write_place = ring_q ? ring_place_q : order;
  assign move = fetched_q && (!line_valid_o || line_ready_i);
  assign fetch = there_q[out_q] && (!fetched_q || move);

  wc_ram_sdp #(
    .Width(LineWidth + 1),
    .Depth(Lines)
  ) u_lines (
    .clk_i  (clk_i),
    .we_i   (write),
    .waddr_i(write_place),
    .wdata_i({ring_q ? ring_error_q : m_axi_resp_i.r.resp[1],
              ring_q ? ring_data_q : m_axi_resp_i.r.data}),
    .re_i   (fetch),
    .raddr_i(out_q),
    .rdata_o({error, data})
  );

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      there_q[out_q] <= 1'b0;
      out_q <= out_q + 1'b1;
    end
    if (write) there_q[write_place] <= 1'b1;
    fetched_q <= fetch || (fetched_q && !move);
    line_valid_o <= move || (line_valid_o && !line_ready_i);
    if (move) begin
      line_o <= data;
      line_error_o <= error || bad;
    end
    if (rst_i) begin
      there_q <= '0;
      out_q <= '0;
      fetched_q <= 1'b0;
      line_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(line, line_valid_o, line_ready_i, {line_error_o, line_o})
  `WC_ASSERT_STREAM(ask, ask_valid_o, ask_ready_i, ask_line_o)
  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT(level_is_bounded, level_q <= (PlaceWidth + 1)'(Lines))
  `WC_ASSERT(room_when_room, room_q == (level_q != (PlaceWidth + 1)'(Lines)))
  `WC_ASSERT(each_read_finds_room, !miss || (reads_ready && orders_ready))
  `WC_ASSERT(each_bad_finds_room, !ask_bad_q[1] || bads_ready)
  `WC_ASSERT(bad_is_known, !fetched_q || bad_valid)
  `WC_ASSERT(line_was_asked_for,
             !m_axi_resp_i.r_valid || (order_valid && m_axi_resp_i.r.last))
  `WC_ASSERT(place_is_free, !write || !there_q[write_place])

endmodule

`default_nettype wire
