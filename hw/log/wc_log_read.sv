// SPDX-License-Identifier: Apache-2.0
// Reads beats of a log for one or more streams, each in the order in which it requests them: from the
// ring of the log's last lines, which the first stream asks, or from memory. A beat is a line, or a
// unit of a memory of 128 bits (BeatUnits).
// Each beat waits in a buffer, where its place is reserved before anybody is asked for it. So memory is
// never held back, but for the cycle in which a beat of the ring is written to the buffer, and a stream
// whose beats are not taken holds back its own requests and no others'.
// Memory's beats of a stream come in order, and so do the ring's: each has a queue of its own in the
// buffer (wc_log_read_buffer), and the order in which they leave is kept beside it (wc_log_read_ring).
// When nothing is on the way, memory is asked together with the ring, which saves its latency; what
// memory gives is dropped if the ring has the beat. The ring's answer is that of the cycle of the ask:
// a beat that it does not have was acknowledged by memory before.
// A beat is in error when memory says so; the ring tells of its own lines.
// Latency from request to ask 1, to AR 1, or with a ring that is waited for 2 and AskLatency, and 1
// more with several streams or units; from R to beat_o 3, from the ring's answer 4. With Past, which costs a
// look-up table a bit, the first ask of a request goes at once, and a beat that its stream waits for
// takes 2 less. A beat a cycle in all; a stream that does not ask the ring, or is one of several, has
// one every other cycle. See wc_log_walk for what requests cost.
// Where beats are units several streams share a walk (wc_log_walks): 2 more from request to ask and for
// each request.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_read
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams    = 1,
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Beats      = 64,  // of the buffer, a stream: reads in flight, what waits
  parameter int unsigned AddrWidth  = 40,
  parameter bit          Ring       = 1'b1,  // there is one
  parameter int unsigned AskLatency = 3,     // of the ring
  parameter bit          Past       = 1'b0,  // beats may go past the buffer; of one stream
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
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
  output address_t           ask_address_o,
  input  wire logic          hit_i,
  input  wire logic          hit_error_i,  // with hit_i
  input  wire logic [DataWidth-1:0] data_i,
  output logic  [Streams-1:0] beat_valid_o,
  input  wire logic [Streams-1:0] beat_ready_i,
  output logic  [Streams-1:0][DataWidth-1:0] beat_o,
  output logic  [Streams-1:0] beat_error_o,
  output logic               drop_o,  // with R: the ring had the beat
  output axi_req_t           m_axi_req_o,
  input  wire axi_resp_t     m_axi_resp_i
);

  localparam int unsigned PlaceWidth = $clog2(Beats);
  localparam int unsigned StreamWidth = Streams == 1 ? 1 : $clog2(Streams);
  localparam int unsigned Reads = Streams == 1 || Beats > 64 ? Beats : 64;  // in flight
  localparam bit Turns = Streams > 1 && BeatUnits < LineUnits;  // the streams share one walk
  typedef logic [DataWidth-1:0] data_t;
  typedef logic [PlaceWidth:0] count_t;
  typedef logic [StreamWidth-1:0] stream_t;
  typedef logic [Streams-1:0] mask_t;

  `WC_REQUIRE(streams, Streams >= 1 && Streams <= 4, "wc_log_read: Streams must be 1 to 4")
  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_log_read: BeatUnits must be 1 or 4")
  `WC_REQUIRE(beats, Beats >= 4 && Beats == 2 ** PlaceWidth,
              "wc_log_read: Beats must be a power of two of 4 or more")
  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_log_read: AddrWidth must be 36 to 64")
  `WC_REQUIRE(past, !Past || Streams == 1, "wc_log_read: with Past there must be one stream")

  function automatic stream_t number_of(mask_t mask);
    stream_t number;
    number = '0;
    for (int unsigned i = 0; i < Streams; i++) if (mask[i]) number |= stream_t'(i);
    return number;
  endfunction

  // ---- beats that are asked for -----------------------------------------------------------------
  // A place is reserved from the ask until the beat is on the output.
  mask_t walk_valid, walk_ready, direct_ready;
  address_t [Streams-1:0] walk_address;
  mask_t room;  // there is a free place

  if (Turns) begin : gen_walks
    address_t address;

    wc_log_walks #(
      .Streams  (Streams),
      .BeatUnits(BeatUnits)
    ) u_walks (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .settings_i     (settings_i),
      .link_i         (link_i),
      .request_valid_i(request_valid_i),
      .request_ready_o(request_ready_o),
      .request_i      (request_i),
      .room_i         (room),
      .valid_o        (walk_valid),
      .ready_i        (walk_ready),
      .address_o      (address)
    );

    assign walk_address = {Streams{address}};
  end else begin : gen_walk
    mask_t next_ask, next_valid;
    address_t next_address;

    wc_log_next #(
      .Streams  (Streams),
      .BeatUnits(BeatUnits)
    ) u_next (
      .clk_i     (clk_i),
      .rst_i     (rst_i),
      .settings_i(settings_i),
      .link_i    (link_i),
      .ask_i     (next_ask),
      .address_i (walk_address),
      .answer_o  (next_valid),
      .address_o (next_address)
    );

    for (genvar i = 0; i < Streams; i++) begin : gen_stream
      wc_log_walk #(
        .BeatUnits(BeatUnits),
        .Past     (Past)
      ) u_walk (
        .clk_i          (clk_i),
        .rst_i          (rst_i),
        .settings_i     (settings_i),
        .request_valid_i(request_valid_i[i]),
        .request_ready_o(request_ready_o[i]),
        .request_i      (request_i[i]),
        .valid_o        (walk_valid[i]),
        .ready_i        (walk_ready[i]),
        .address_o      (walk_address[i]),
        .next_ask_o     (next_ask[i]),
        .next_valid_i   (next_valid[i]),
        .next_address_i (next_address)
      );
    end
  end

  // ---- what the ring says -----------------------------------------------------------------------
  mask_t read_valid, read_ready;  // to memory
  logic read_now, read_held;      // the first stream's is the walk's of this cycle, or waited
  address_t held_address;
  address_t [Streams-1:0] read_address;
  logic rests;                    // memory owes nothing
  logic ring_valid_q;             // the ring gave a beat, which now goes to the buffer
  data_t ring_data_q;
  logic ring_error_q;
  logic early, early_known, early_drop, early_end;
  logic turn_valid, turn_ring, turn_take;  // the next beat of the first stream is the ring's
  logic past;  // what comes goes past the buffer

  if (Ring) begin : gen_ring
    logic ask_valid;

    assign ask_valid_o = ask_valid;
    assign ask_address_o = walk_address[0];
    assign read_valid[0] = read_now || read_held;
    assign read_address[0] = read_now ? walk_address[0] : held_address;

    wc_log_read_ring #(
      .Beats     (Beats),
      .AskLatency(AskLatency)
    ) u_ring (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .valid_i       (walk_valid[0] && room[0]),
      .ready_o       (direct_ready[0]),
      .address_i     (walk_address[0]),
      .ask_valid_o   (ask_valid),
      .ask_ready_i   (ask_ready_i),
      .hit_i         (hit_i),
      .read_now_o    (read_now),
      .read_valid_o  (read_held),
      .read_ready_i  (read_ready[0]),
      .read_address_o(held_address),
      .rests_i       (rests && read_valid == '0),
      .early_o       (early),
      .early_known_o (early_known),
      .early_drop_o  (early_drop),
      .early_end_i   (early_end),
      .ring_o        (ring_valid_q),
      .turn_valid_o  (turn_valid),
      .turn_ring_o   (turn_ring),
      .turn_take_i   (turn_take),
      .past_i        (past && !turn_valid)
    );

    always_ff @(posedge clk_i) begin
      ring_data_q <= data_i;
      ring_error_q <= hit_error_i;
    end
  end else begin : gen_no_ring
    assign ask_valid_o = 1'b0;
    assign ask_address_o = '0;
    assign read_now = 1'b0;
    assign read_held = 1'b0;
    assign held_address = '0;
    assign ring_valid_q = 1'b0;
    assign ring_data_q = '0;
    assign ring_error_q = 1'b0;
    assign early = 1'b0;
    assign early_known = 1'b0;
    assign early_drop = 1'b0;
    assign turn_valid = 1'b1;
    assign turn_ring = 1'b0;

    logic unused;
    assign unused = ^{ask_ready_i, hit_i, hit_error_i, data_i, early_end, turn_take, rests};
  end

  for (genvar i = Ring ? 1 : 0; i < Streams; i++) begin : gen_direct
    if (Turns) begin : gen_wire  // the shared walk holds its beat
      assign direct_ready[i] = read_ready[i];
      assign read_valid[i] = walk_valid[i] && room[i];
      assign read_address[i] = walk_address[i];
    end else begin : gen_slice
      wc_slice_half #(
        .data_t(address_t)
      ) u_read (
        .clk_i  (clk_i),
        .rst_i  (rst_i),
        .valid_i(walk_valid[i] && room[i]),
        .ready_o(direct_ready[i]),
        .data_i (walk_address[i]),
        .valid_o(read_valid[i]),
        .ready_i(read_ready[i]),
        .data_o (read_address[i])
      );
    end
  end

  assign walk_ready = room & direct_ready;

  // ---- beats that memory is asked for -----------------------------------------------------------
  // Memory gives beats in the order in which it was asked for them.
  mask_t grant;
  logic address_ready, orders_ready, take;
  address_t address, ar_address;
  stream_t stream;  // of the next beat from memory
  logic owed;       // its stream is known
  logic is_early, waits, taken;

  if (Turns) begin : gen_held
    // The walk has one beat at a time, and one that is read at once is alone. So there are two who ask,
    // what waits and the walk. What waits goes first: it is no more than the walk has asked the ring for.
    assign grant = read_held ? mask_t'(1) : read_valid;
    assign address = read_held ? held_address : walk_address[0];
    `WC_ASSERT(now_is_alone, !read_now || !(read_held || (read_valid >> 32'(Ring)) != '0))
  end else begin : gen_streams
    wc_arbiter #(
      .Masters(Streams)
    ) u_turn (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .asks_i (read_valid),
      .take_i (take),
      .grant_o(grant)
    );

    always_comb begin
      address = '0;
      for (int unsigned i = 0; i < Streams; i++) if (grant[i]) address |= read_address[i];
    end
  end

  assign take = address_ready && orders_ready;
  assign read_ready = grant & {Streams{take}};

  // Units are for small parts, where wires are slow.
  if (Streams > 1 || BeatUnits < LineUnits) begin : gen_address
    wc_slice #(
      .data_t(address_t)
    ) u_address (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(read_valid != '0 && orders_ready),
      .ready_o(address_ready),
      .data_i (address),
      .valid_o(m_axi_req_o.ar_valid),
      .ready_i(m_axi_resp_i.ar_ready),
      .data_o (ar_address)
    );
  end else begin : gen_through
    assign m_axi_req_o.ar_valid = read_valid[0];
    assign address_ready = m_axi_resp_i.ar_ready;
    assign ar_address = address;
  end

  if (Streams == 1) begin : gen_one
    count_t owed_q;
    logic asks;

    assign orders_ready = 1'b1;
    assign stream = '0;
    assign asks = read_valid[0] && address_ready;

    always_ff @(posedge clk_i) begin
      if (asks != taken) begin
        owed_q <= asks ? owed_q + 1'b1 : owed_q - 1'b1;
        owed <= asks || owed_q != count_t'(1);
      end
      if (rst_i) begin
        owed_q <= '0;
        owed <= 1'b0;
      end
    end

    assign rests = !owed;
    // And an early one whose beat the ring had, and which has left.
    `WC_ASSERT(reads_are_bounded, owed_q <= count_t'(Beats + 1) && owed == (owed_q != '0))
  end else begin : gen_several
    stream_t first;
    logic first_valid;

    wc_fifo_shallow #(
      .data_t(stream_t),
      .Depth (Reads)
    ) u_order (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(read_valid != '0 && address_ready),
      .ready_o(orders_ready),
      .data_i (number_of(grant)),
      .valid_o(first_valid),
      .ready_i(taken || !owed),
      .data_o (first)
    );

    always_ff @(posedge clk_i) begin
      if (taken || !owed) begin
        owed <= first_valid;
        stream <= first;
      end
      if (rst_i) owed <= 1'b0;
    end

    assign rests = !owed && !first_valid;
  end

  // Where the next beat goes is known before it comes. An early beat is the first one of its stream.
  assign is_early = early && stream == '0;
  assign waits = ring_valid_q || !owed || (is_early && !early_known);
  assign drop_o = is_early && early_drop;
  assign taken = m_axi_resp_i.r_valid && !waits;
  assign early_end = taken && is_early;

  assign m_axi_req_o.ar.addr = AddrWidth'({ar_address, ($clog2(UnitBytes))'(0)});
  assign m_axi_req_o.ar.len = '0;
  assign m_axi_req_o.r_ready = !waits;
  assign m_axi_req_o.aw = '0;
  assign m_axi_req_o.aw_valid = 1'b0;
  assign m_axi_req_o.w = '0;
  assign m_axi_req_o.w_valid = 1'b0;
  assign m_axi_req_o.b_ready = 1'b0;

  // ---- where they wait --------------------------------------------------------------------------
  wc_log_read_buffer #(
    .Streams  (Streams),
    .BeatUnits(BeatUnits),
    .Beats    (Beats),
    .Ring     (Ring),
    .Past     (Past)
  ) u_buffer (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .reserve_i     (walk_valid & walk_ready),
    .room_o        (room),
    .ring_valid_i  (ring_valid_q),
    .ring_beat_i   (ring_data_q),
    .ring_error_i  (ring_error_q),
    .memory_valid_i(taken && !drop_o),
    .stream_i      (stream),
    .memory_beat_i (m_axi_resp_i.r.data),
    .memory_error_i(m_axi_resp_i.r.resp[1]),
    .turn_valid_i  (turn_valid),
    .turn_ring_i   (turn_ring),
    .turn_take_o   (turn_take),
    .past_o        (past),
    .beat_valid_o  (beat_valid_o),
    .beat_ready_i  (beat_ready_i),
    .beat_o        (beat_o),
    .beat_error_o  (beat_error_o)
  );

  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT(beat_was_asked_for, !m_axi_resp_i.r_valid || (!rests && m_axi_resp_i.r.last))

endmodule

`default_nettype wire
