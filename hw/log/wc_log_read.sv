// SPDX-License-Identifier: Apache-2.0
// Reads lines of a log for one or more streams, each in the order in which it requests them: from the
// ring of the log's last lines, which the first stream asks, or from memory.
// Each line waits in a reorder buffer, where its place is reserved before anybody is asked for it.
// So memory is never held back, but for the cycle in which a line of the ring is written to the
// buffer, and a stream whose lines are not taken holds back its own requests and no others'.
// When nothing is on the way, memory is asked together with the ring, which saves its latency; what
// memory gives is dropped if the ring has the line. The ring's answer is that of the cycle of the ask:
// a line that it does not have was acknowledged by memory before.
// A line is in error when memory says so; the ring tells of its own lines.
// Latency from request to ask 1, to AR 1, or with a ring that is waited for 2 and AskLatency, and 1
// more with several streams; from R to line_o 3, from the ring's answer 4. With Past, which costs a
// look-up table a bit, the first ask of a request goes at once, and a line that its stream waits for
// takes 2 less. A line a cycle in all; a stream that does not ask the ring, or is one of several, has
// one every other cycle. See wc_log_walk for what requests cost.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_read
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams    = 1,
  parameter int unsigned Lines      = 64,  // of the buffer, a stream: reads in flight, what waits
  parameter int unsigned AddrWidth  = 40,
  parameter bit          Ring       = 1'b1,  // there is one
  parameter int unsigned AskLatency = 3,     // of the ring
  parameter bit          Past       = 1'b0,  // lines may go past the buffer; of one stream
  localparam int unsigned DataWidth = LineWidth,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire link_t         link_i,
  input  wire logic  [Streams-1:0] request_valid_i,
  output logic       [Streams-1:0] request_ready_o,
  input  wire log_request_t [Streams-1:0] request_i,
  // the ring: the answer is there AskLatency cycles after the ask was taken
  output logic               ask_valid_o,
  input  wire logic          ask_ready_i,
  output line_t              ask_line_o,
  input  wire logic          hit_i,
  input  wire logic          hit_error_i,  // with hit_i
  input  wire data_t         data_i,
  output logic  [Streams-1:0] line_valid_o,
  input  wire logic [Streams-1:0] line_ready_i,
  output data_t [Streams-1:0] line_o,
  output logic  [Streams-1:0] line_error_o,
  output logic               drop_o,  // with R: the ring had the line
  output axi_req_t           m_axi_req_o,
  input  wire axi_resp_t     m_axi_resp_i
);

  localparam int unsigned PlaceWidth = $clog2(Lines);
  localparam int unsigned StreamWidth = Streams == 1 ? 1 : $clog2(Streams);
  localparam int unsigned Reads = Streams == 1 || Lines > 64 ? Lines : 64;  // in flight
  typedef logic [PlaceWidth-1:0] place_t;
  typedef logic [StreamWidth-1:0] stream_t;
  typedef logic [Streams-1:0] mask_t;
  typedef struct packed {
    stream_t stream;
    place_t  place;  // of the stream
  } spot_t;  // of the buffer
  typedef struct packed {
    logic  early;  // the ring was asked in the same cycle
    spot_t spot;
  } order_t;

  `WC_REQUIRE(streams, Streams >= 1 && Streams <= 4, "wc_log_read: Streams must be 1 to 4")
  `WC_REQUIRE(lines, Lines >= 4 && Lines == 2 ** PlaceWidth,
              "wc_log_read: Lines must be a power of two of 4 or more")
  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_log_read: AddrWidth must be 36 to 64")
  `WC_REQUIRE(past, !Past || Streams == 1, "wc_log_read: with Past there must be one stream")
  `WC_REQUIRE(ask_latency, AskLatency >= 1, "wc_log_read: AskLatency must be 1 or more")

  function automatic stream_t number_of(mask_t mask);
    stream_t number;
    number = '0;
    for (int unsigned i = 0; i < Streams; i++) if (mask[i]) number |= stream_t'(i);
    return number;
  endfunction

  // ---- lines that are asked for -----------------------------------------------------------------
  // A place is reserved from the ask until the line is on the output.
  mask_t walk_valid, walk_ready, reserve, move;
  line_t [Streams-1:0] walk_line;
  mask_t room_q;  // there is a free place
  mask_t next_ask, next_valid;
  line_t next_line;

  wc_log_next #(
    .Streams(Streams)
  ) u_next (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .settings_i(settings_i),
    .link_i    (link_i),
    .ask_i     (next_ask),
    .line_i    (walk_line),
    .answer_o  (next_valid),
    .line_o    (next_line)
  );

  for (genvar i = 0; i < Streams; i++) begin : gen_stream
    logic [PlaceWidth:0] level_q;  // places that are reserved

    wc_log_walk #(
      .Past(Past)
    ) u_walk (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .settings_i     (settings_i),
      .request_valid_i(request_valid_i[i]),
      .request_ready_o(request_ready_o[i]),
      .request_i      (request_i[i]),
      .valid_o        (walk_valid[i]),
      .ready_i        (walk_ready[i]),
      .line_o         (walk_line[i]),
      .next_ask_o     (next_ask[i]),
      .next_valid_i   (next_valid[i]),
      .next_line_i    (next_line)
    );

    assign reserve[i] = walk_valid[i] && walk_ready[i];

    always_ff @(posedge clk_i) begin
      if (reserve[i] != move[i]) begin
        level_q <= reserve[i] ? level_q + 1'b1 : level_q - 1'b1;
        room_q[i] <= move[i] || level_q != (PlaceWidth + 1)'(Lines - 1);
      end
      if (rst_i) begin
        level_q <= '0;
        room_q[i] <= 1'b1;
      end
    end

    `WC_ASSERT_STREAM(line, line_valid_o[i], line_ready_i[i], {line_error_o[i], line_o[i]})
    `WC_ASSERT(level_is_bounded, level_q <= (PlaceWidth + 1)'(Lines))
    `WC_ASSERT(room_when_room, room_q[i] == (level_q != (PlaceWidth + 1)'(Lines)))
  end

  // ---- what the ring says -----------------------------------------------------------------------
  // A line of the first stream that the ring does not have waits for memory in a queue, as nothing
  // stops the ring's answers. It holds reserved lines only, so it always has room.
  typedef struct packed {
    line_t  line;
    place_t place;
  } read_t;

  mask_t read_valid, read_ready;  // to memory
  read_t [Streams-1:0] read;
  place_t [Streams-1:0] place_q;  // of the stream's next line
  logic ring_q;                   // the ring gave a line, which now goes to the buffer
  place_t ring_place_q;
  data_t ring_data_q;
  logic ring_error_q;
  logic early;                    // read[0] is of a line of which the ring has not answered
  logic early_known_q;            // it has,
  logic early_drop_q;             // and has the line: memory's does not count
  logic early_end;                // memory's has come
  logic order_valid;

  if (Ring) begin : gen_ring
    logic [AskLatency-1:0] asked_q;
    line_t asked_line_q[AskLatency];
    logic answered, hit, reads_ready;
    logic reads_valid;
    read_t reads;
    logic early_ask;
    logic quiet_q;   // nothing is on the way
    logic early_q;   // a line was asked for early, and memory's has not come
    logic early_hold_q;  // and memory has not taken the address
    read_t early_read_q;

    assign ask_valid_o = walk_valid[0] && room_q[0];
    assign ask_line_o = walk_line[0];
    assign walk_ready[0] = room_q[0] && ask_ready_i;
    assign answered = asked_q[AskLatency-1];
    assign hit = answered && hit_i;

    always_ff @(posedge clk_i) begin
      asked_q <= AskLatency'({asked_q, reserve[0]});
      asked_line_q[0] <= walk_line[0];
      for (int unsigned i = 1; i < AskLatency; i++) asked_line_q[i] <= asked_line_q[i-1];
      if (answered) place_q[0] <= place_q[0] + 1'b1;
      if (early_ask) early_read_q <= '{line: walk_line[0], place: place_q[0]};
      early_q <= early_ask || (early_q && !early_end);
      early_hold_q <= early && !read_ready[0];
      early_known_q <= early_q && (early_known_q || answered) && !early_end;
      if (early_q && !early_known_q) early_drop_q <= hit_i;
      quiet_q <= asked_q == '0 && !reserve[0] && !early_q && !order_valid && read_valid == '0;
      ring_q <= hit;
      ring_place_q <= place_q[0];
      ring_data_q <= data_i;
      ring_error_q <= hit_error_i;
      if (rst_i) begin
        asked_q <= '0;
        place_q[0] <= '0;
        ring_q <= 1'b0;
        quiet_q <= 1'b0;
        early_q <= 1'b0;
        early_hold_q <= 1'b0;
        early_known_q <= 1'b0;
      end
    end

    // The line that is asked for early is the only one on the way then, so its place is place_q, and
    // the ring's next answer is its own.
    assign early_ask = reserve[0] && quiet_q;
    assign early = early_ask || early_hold_q;
    assign read_valid[0] = early || reads_valid;

    always_comb begin
      read[0] = reads;
      if (!reads_valid) read[0] = '{line: walk_line[0], place: place_q[0]};
      if (early_hold_q) read[0] = early_read_q;
    end

    wc_fifo #(
      .data_t(read_t),
      .Depth (Lines)
    ) u_reads (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(answered && !hit && !(early_q && !early_known_q)),
      .ready_o(reads_ready),
      .data_i ('{line: asked_line_q[AskLatency-1], place: place_q[0]}),
      .valid_o(reads_valid),
      .ready_i(read_ready[0] && !early),
      .data_o (reads),
      .level_o()
    );

    `WC_ASSERT_STREAM(ask, ask_valid_o, ask_ready_i, ask_line_o)
    // Of lines that wait for memory none is hidden in the queue then: those before it are in order.
    `WC_ASSERT(early_is_alone, !early_ask || (asked_q == '0 && !early_q && !reads_valid))
    `WC_ASSERT(each_read_finds_room, !answered || hit || reads_ready)
  end else begin : gen_no_ring
    assign ask_valid_o = 1'b0;
    assign ask_line_o = '0;
    assign ring_q = 1'b0;
    assign ring_place_q = '0;
    assign ring_data_q = '0;
    assign ring_error_q = 1'b0;
    assign early = 1'b0;
    assign early_known_q = 1'b0;
    assign early_drop_q = 1'b0;

    logic unused;
    assign unused = ^{ask_ready_i, hit_i, hit_error_i, data_i, early_end};
  end

  for (genvar i = Ring ? 1 : 0; i < Streams; i++) begin : gen_direct
    logic direct_ready;

    assign walk_ready[i] = room_q[i] && direct_ready;

    wc_slice_half #(
      .data_t(read_t)
    ) u_read (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(walk_valid[i] && room_q[i]),
      .ready_o(direct_ready),
      .data_i ('{line: walk_line[i], place: place_q[i]}),
      .valid_o(read_valid[i]),
      .ready_i(read_ready[i]),
      .data_o (read[i])
    );

    always_ff @(posedge clk_i) begin
      if (reserve[i]) place_q[i] <= place_q[i] + 1'b1;
      if (rst_i) place_q[i] <= '0;
    end
  end

  // ---- lines that memory is asked for -----------------------------------------------------------
  mask_t grant;
  logic address_ready, orders_ready, take;
  line_t address, ar_line;
  spot_t spot;
  order_t first, order_q;  // order_q: of the next line from memory
  logic first_valid, order_valid_q, order_take, taken, waits;

  wc_arbiter #(
    .Masters(Streams)
  ) u_turn (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .asks_i (read_valid),
    .take_i (take),
    .grant_o(grant)
  );

  assign take = address_ready && orders_ready;
  assign read_ready = grant & {Streams{take}};

  always_comb begin
    address = '0;
    spot = '{stream: number_of(grant), place: '0};
    for (int unsigned i = 0; i < Streams; i++) begin
      if (grant[i]) begin
        address |= read[i].line;
        spot.place |= read[i].place;
      end
    end
  end

  if (Streams == 1) begin : gen_address
    assign m_axi_req_o.ar_valid = read_valid[0] && orders_ready;
    assign address_ready = m_axi_resp_i.ar_ready;
    assign ar_line = address;
  end else begin : gen_choice
    wc_slice #(
      .data_t(line_t)
    ) u_address (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(read_valid != '0 && orders_ready),
      .ready_o(address_ready),
      .data_i (address),
      .valid_o(m_axi_req_o.ar_valid),
      .ready_i(m_axi_resp_i.ar_ready),
      .data_o (ar_line)
    );
  end

  wc_fifo_shallow #(
    .data_t(order_t),
    .Depth (Reads)
  ) u_order (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(read_valid != '0 && address_ready),
    .ready_o(orders_ready),
    .data_i ('{early: early && grant[0], spot: spot}),
    .valid_o(first_valid),
    .ready_i(order_take),
    .data_o (first)
  );

  // Where the next line goes is known before it comes.
  assign order_valid = order_valid_q || first_valid;
  assign waits = ring_q || !order_valid_q || (order_q.early && !early_known_q);
  assign drop_o = order_q.early && early_drop_q;
  assign taken = m_axi_resp_i.r_valid && !waits;
  assign order_take = taken || !order_valid_q;
  assign early_end = taken && order_q.early;

  always_ff @(posedge clk_i) begin
    if (order_take) begin
      order_valid_q <= first_valid;
      order_q <= first;
    end
    if (rst_i) order_valid_q <= 1'b0;
  end

  assign m_axi_req_o.ar.addr = AddrWidth'({ar_line, 6'b0});
  assign m_axi_req_o.ar.len = '0;
  assign m_axi_req_o.r_ready = !waits;
  assign m_axi_req_o.aw = '0;
  assign m_axi_req_o.aw_valid = 1'b0;
  assign m_axi_req_o.w = '0;
  assign m_axi_req_o.w_valid = 1'b0;
  assign m_axi_req_o.b_ready = 1'b0;

  // ---- the buffer -------------------------------------------------------------------------------
  logic write, error;
  spot_t write_spot, fetch_spot;
  logic [Streams-1:0][Lines-1:0] there_q;  // lines that are in the buffer
  place_t [Streams-1:0] out_q, ahead;      // the stream's next line to leave, and the one behind
  mask_t here_q;                       // it is in the buffer
  mask_t can_fetch, fetch;
  mask_t fetch_q;                      // one was fetched a cycle ago
  mask_t fetched_q;                        // the RAM's output is a line of this stream
  data_t data;

  // A line that comes while its stream waits for it goes past the buffer.
  logic past, store;
  logic [LineWidth:0] come;

  assign write = ring_q || (taken && !drop_o);
  assign write_spot = ring_q ? '{stream: '0, place: ring_place_q} : order_q.spot;
  assign past = Past && write && write_spot.place == out_q[0] && !fetched_q[0]
                && (!line_valid_o[0] || line_ready_i[0]);
  assign store = write && !past;
  assign come = {ring_q ? ring_error_q : m_axi_resp_i.r.resp[1],
                 ring_q ? ring_data_q : m_axi_resp_i.r.data};
  assign move = (fetched_q & (~line_valid_o | line_ready_i)) | Streams'(past);

  // Whether the line that is stored now has this place of this stream.
  function automatic logic comes(stream_t stream, place_t place);
    return store && write_spot.stream == stream && write_spot.place == place;
  endfunction

  function automatic place_t ahead_of(place_t place);
    return place + 1'b1;
  endfunction

  for (genvar i = 0; i < Streams; i++) begin : gen_ahead
    assign ahead[i] = ahead_of(out_q[i]);
  end

  // Of several streams one that is fetched finds its output free, so none waits for another's.
  for (genvar i = 0; i < Streams; i++) begin : gen_fetch
    assign can_fetch[i] = here_q[i] &&
                          (Streams == 1 ? !fetched_q[i] || move[i]
                                        : !fetched_q[i] && (!line_valid_o[i] || line_ready_i[i]));
  end

  wc_arbiter #(
    .Masters(Streams)
  ) u_fetch (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .asks_i (can_fetch),
    .take_i (1'b1),
    .grant_o(fetch)
  );

  always_comb begin
    fetch_spot = '{stream: number_of(fetch), place: '0};
    for (int unsigned i = 0; i < Streams; i++) if (fetch[i]) fetch_spot.place |= out_q[i];
  end

  wc_ram_sdp #(
    .Width(LineWidth + 1),
    .Depth(2 ** $bits(spot_t)),
    .Style("block")
  ) u_lines (
    .clk_i  (clk_i),
    .we_i   (write),
    .waddr_i(write_spot),
    .wdata_i(come),
    .re_i   (fetch != '0),
    .raddr_i(fetch_spot),
    .rdata_o({error, data})
  );

  always_ff @(posedge clk_i) begin
    fetch_q <= fetch;
    fetched_q <= fetch | (fetched_q & ~move);
    line_valid_o <= move | (line_valid_o & ~line_ready_i);
    for (int unsigned i = 0; i < Streams; i++) begin
      here_q[i] <= comes(stream_t'(i), out_q[i]) || here_q[i];
      // A cycle late: nobody looks there before the place is given out again.
      for (int unsigned j = 0; j < Lines; j++) begin
        if (fetch_q[i] && ahead_of(place_t'(j)) == out_q[i]) there_q[i][j] <= 1'b0;
      end
      if (fetch[i] || (past && i == 0)) begin
        here_q[i] <= comes(stream_t'(i), ahead[i]) || there_q[i][ahead[i]];
        out_q[i] <= ahead[i];
      end
      if (store && write_spot.stream == stream_t'(i)) there_q[i][write_spot.place] <= 1'b1;
      if (move[i]) {line_error_o[i], line_o[i]} <= Past && !fetched_q[i] ? come : {error, data};
    end
    if (rst_i) begin
      there_q <= '0;
      out_q <= '0;
      here_q <= '0;
      fetch_q <= '0;
      fetched_q <= '0;
      line_valid_o <= '0;
    end
  end

  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT(one_is_fetched, $onehot0(fetched_q) && (Streams == 1 || move == fetched_q))
  `WC_ASSERT(line_was_asked_for,
             !m_axi_resp_i.r_valid || ((order_valid_q || first_valid) && m_axi_resp_i.r.last))
  for (genvar i = 0; i < Streams; i++) begin : gen_here
    `WC_ASSERT(here_when_there, here_q[i] == there_q[i][out_q[i]])
  end
  `WC_ASSERT(place_is_free, !write || !there_q[write_spot.stream][write_spot.place])

endmodule

`default_nettype wire
