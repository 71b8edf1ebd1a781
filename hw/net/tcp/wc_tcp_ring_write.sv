// SPDX-License-Identifier: Apache-2.0
// Writes payloads of segments to the connections' rings in memory, with byte strobes.
// A burst is what a payload has in one line of 64 bytes, so none crosses a page or a ring's end;
// between two bursts memory is free for others. AW is offered with its first beat, never before.
// Latency: from the descriptor to its first word 2; from the last kept word to its beat on W 2, 3
// if its bytes reach into another word of memory; from the last B to done 1.
// Throughput: a word a cycle, and a cycle for each payload that reaches into one more word of
// memory than it has words; a payload every 2 cycles at most. W takes a beat each cycle, AW a line.
// Payload waits for AW and W, or while Bursts of these have no B; descriptors wait while Writes are
// not done. B waits for one cycle for each payload before it of which nothing is kept, Writes at
// most. Cuts the forward path: payload_ready_o depends on AW's and W's ready.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_ring_write
  import wc_pkg::*;
  import wc_tcp_ring_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned RingBits  = 16,
  parameter int unsigned BeatBytes = 16,  // of the port: 16, 32 or 64
  parameter int unsigned Writes    = 16,  // descriptors that are not done
  parameter int unsigned Bursts    = 32,  // without a B
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic [AddrWidth-1:0] base_i,  // of ring 0, a multiple of the ring
  input  wire logic                 write_valid_i,
  output logic                      write_ready_o,
  input  wire write_t               write_i,
  input  wire logic                 payload_valid_i,
  output logic                      payload_ready_o,
  input  wire beat_t                payload_i,
  output logic                      done_valid_o,  // in the order of descriptors
  input  wire logic                 done_ready_i,
  output done_t                     done_o,
  output logic                      wrote_valid_o,  // W takes a beat, with these bytes
  output wrote_t                    wrote_o,
  output axi_req_t                  m_axi_req_o,
  input  wire axi_resp_t            m_axi_resp_i
);

  localparam int unsigned Lanes = BeatBytes / 8;  // words of a beat
  localparam int unsigned LaneBits = $clog2(Lanes);

  typedef logic [AddrWidth-RingBits-1:0] ring_t;
  typedef logic [RingBits-4:0] place_t;  // of a word in the ring
  typedef logic [8:0] count_t;  // words

  `WC_REQUIRE(ring, RingBits >= 12 && RingBits <= wc_pkg::MostRingBits,
              "wc_tcp_ring_write: RingBits must be 12 to 23")
  `WC_REQUIRE(beat, BeatBytes inside {16, 32, 64},
              "wc_tcp_ring_write: BeatBytes must be 16, 32 or 64")
  `WC_REQUIRE(address, AddrWidth > RingBits && AddrWidth <= 64,
              "wc_tcp_ring_write: AddrWidth must be more than RingBits and at most 64")

  // A payload as it lies in memory's words. The numbers count these words.
  typedef struct packed {
    ring_t      ring;
    place_t     place;   // of the first word with a kept byte
    logic [2:0] turn;    // so many bytes further up in its word does a byte stand there
    logic [2:0] first;   // byte that is kept, of the first of these words
    logic [2:0] final_;  // and of the last
    count_t     lead;    // words without a kept byte, before these
    count_t     rest;    // of these words, behind the next one
    logic       some;    // there are such words
  } job_t;

  // ---- descriptors -----------------------------------------------------------------------------
  job_t next_q, job_q;
  logic next_valid_q, job_valid_q, job_ends, load;
  logic take_write, tags_ready;
  logic [11:0] reach;  // the last kept byte, counted from the first kept word's beginning

  assign write_ready_o = !next_valid_q && tags_ready;
  assign take_write = write_valid_i && write_ready_o;
  assign load = next_valid_q && (!job_valid_q || job_ends);
  // The first byte's place less one: -1 to 6.
  assign reach = 12'(write_i.bytes)
                 + {{9{write_i.seq[2:0] == '0}}, write_i.seq[2:0] - 3'd1};

  always_ff @(posedge clk_i) begin
    if (take_write) begin
      next_q <= '{
        ring: base_i[AddrWidth-1:RingBits] + ring_t'(write_i.id),
        place: write_i.seq[RingBits-1:3],
        turn: write_i.seq[2:0] - write_i.skip[2:0],
        first: write_i.seq[2:0],
        final_: reach[2:0],
        lead: count_t'(write_i.skip[10:3]) + count_t'(write_i.skip[2:0] > write_i.seq[2:0]),
        rest: reach[11:3],
        some: write_i.bytes != '0
      };
    end
    if (take_write || load) next_valid_q <= take_write;
    if (rst_i) next_valid_q <= 1'b0;
  end

  // ---- words of the payload to words of memory --------------------------------------------------
  typedef struct packed {
    logic            none;    // a payload of which nothing is kept has ended, no word
    logic            begins;  // a burst begins,
    logic            ends_payload;  // and is the last of its payload
    logic [2:0]      beats;   // that it has, less one
    logic            begins_beat;
    logic            ends_beat;
    logic            ends_burst;
    ring_t           ring;
    place_t          place;
    logic [2:0]      first;  // byte of the word that is kept
    logic [2:0]      last;
    logic [7:0]      keep;
    logic [7:0][7:0] data;
  } step_t;

  step_t step_q, step;
  logic step_valid_q, step_room, move;
  logic first_q;   // the next kept word is the first
  logic lead_q;  // there are words to be thrown away before it
  logic ended_q;   // the payload's last word was taken, some of it is left in carry_q
  logic none_q;    // nothing is kept
  logic go, kept, final_word, leaves;
  logic [7:0][7:0] turned, turned1, turned2, carry_q;
  logic [3:0] line_end;  // the payload's last word in memory, counted from the line's first
  logic last_burst;
  logic [2:0] last_lane;  // of the burst

  assign payload_ready_o = job_valid_q && !ended_q && step_room;
  assign go = job_valid_q && step_room && (ended_q || payload_valid_i);
  assign kept = job_q.some && !lead_q;
  assign final_word = job_q.rest == '0;
  assign leaves = job_q.some && (lead_q || !final_word);  // a kept word behind this one
  assign job_ends = go && (ended_q || (payload_i.last && !leaves));

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      turned1[i] = job_q.turn[0] ? payload_i.data[8*((i+7)%8)+:8] : payload_i.data[8*i+:8];
    end
    for (int unsigned i = 0; i < 8; i++) begin
      turned2[i] = job_q.turn[1] ? turned1[(i+6)%8] : turned1[i];
    end
    for (int unsigned i = 0; i < 8; i++) begin
      turned[i] = job_q.turn[2] ? turned2[(i+4)%8] : turned2[i];
    end
  end

  assign line_end = {1'b0, job_q.place[2:0]} + {1'b0, job_q.rest[2:0]};
  assign last_burst = job_q.rest[8:3] == '0 && !line_end[3];
  assign last_lane = last_burst ? line_end[2:0] : 3'd7;

  always_comb begin
    step = '{
      none: none_q,
      begins: none_q || first_q || job_q.place[2:0] == '0,
      ends_payload: none_q || last_burst,
      beats: 3'({1'b0, last_lane} >> LaneBits) - 3'({1'b0, job_q.place[2:0]} >> LaneBits),
      begins_beat: first_q || job_q.place[LaneBits-1:0] == '0,
      ends_beat: final_word || job_q.place[LaneBits-1:0] == '1,
      ends_burst: final_word || job_q.place[2:0] == '1,
      ring: job_q.ring,
      place: job_q.place,
      first: first_q ? job_q.first : '0,
      last: final_word ? job_q.final_ : '1,
      default: '0
    };
    for (int unsigned i = 0; i < 8; i++) begin
      step.keep[i] = 3'(i) >= step.first && 3'(i) <= step.last;
      step.data[i] = 3'(i) < job_q.turn ? carry_q[i] : turned[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
      carry_q <= turned;
      ended_q <= payload_i.last && !job_ends;
      if (lead_q) begin
        job_q.lead <= job_q.lead - 1'b1;
        lead_q <= job_q.lead != count_t'(1);
      end else if (job_q.some) begin
        job_q.place <= job_q.place + 1'b1;
        job_q.rest <= job_q.rest - 1'b1;
        job_q.some <= !final_word;
        first_q <= 1'b0;
      end
    end
    if (load) begin
      job_q <= next_q;
      lead_q <= next_q.lead != '0;
      first_q <= 1'b1;
      none_q <= !next_q.some;
      ended_q <= 1'b0;
    end
    if (load || job_ends) job_valid_q <= load;
    if (step_room) begin
      step_valid_q <= go && (none_q ? payload_i.last : kept);
      step_q <= step;
    end
    if (rst_i) begin
      job_valid_q <= 1'b0;
      ended_q <= 1'b0;
      step_valid_q <= 1'b0;
    end
  end

  // ---- words to beats, beats to memory ----------------------------------------------------------
  logic aw_valid_q, w_valid_q, w_last_q;
  logic opened_q;  // the burst's AW has been offered
  logic aw_free, w_free, order_ready, order_push;
  logic [AddrWidth-1:0] aw_addr_q;
  logic [2:0] aw_len_q;
  logic [Lanes-1:0][63:0] w_data_q;
  logic [Lanes-1:0][7:0] w_strb_q;

  assign aw_free = !aw_valid_q || m_axi_resp_i.aw_ready;
  assign w_free = !w_valid_q || m_axi_resp_i.w_ready;
  assign move = step_valid_q && w_free && (!step_q.begins || (aw_free && order_ready));
  assign step_room = !step_valid_q || move;
  assign order_push = move && step_q.begins;

  always_ff @(posedge clk_i) begin
    if (m_axi_resp_i.aw_ready) aw_valid_q <= 1'b0;
    if (m_axi_resp_i.w_ready) w_valid_q <= 1'b0;
    if (move) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        if (step_q.place[LaneBits-1:0] == LaneBits'(i)) begin
          w_data_q[i] <= step_q.data;
          w_strb_q[i] <= step_q.keep;
        end else if (step_q.begins_beat) begin
          w_strb_q[i] <= '0;
        end
      end
      if (step_q.begins_beat) wrote_o.first <= 64'({step_q.ring, step_q.place, step_q.first});
      wrote_o.last <= {step_q.place[4:0], step_q.last};
      if (step_q.begins) begin
        aw_addr_q <= {step_q.ring, step_q.place[RingBits-4:LaneBits], (LaneBits + 3)'(0)};
        aw_len_q <= step_q.beats;
      end
      w_last_q <= step_q.ends_burst;
      if (!step_q.none) begin
        opened_q <= step_q.ends_beat || (opened_q && !step_q.begins);
        if (step_q.ends_beat) begin
          w_valid_q <= 1'b1;
          if (step_q.begins || !opened_q) aw_valid_q <= 1'b1;
        end
      end
    end
    if (rst_i) begin
      aw_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
    end
  end

  assign wrote_valid_o = w_valid_q && m_axi_resp_i.w_ready;
  assign m_axi_req_o.aw.addr = aw_addr_q;
  assign m_axi_req_o.aw.len = 8'(aw_len_q);
  assign m_axi_req_o.aw_valid = aw_valid_q;
  assign m_axi_req_o.w.data = w_data_q;
  assign m_axi_req_o.w.strb = w_strb_q;
  assign m_axi_req_o.w.last = w_last_q;
  assign m_axi_req_o.w_valid = w_valid_q;
  assign m_axi_req_o.ar = '0;
  assign m_axi_req_o.ar_valid = 1'b0;
  assign m_axi_req_o.r_ready = 1'b0;

  // ---- what is done -----------------------------------------------------------------------------
  typedef struct packed {
    logic none;  // there is no B
    logic last;  // of its payload
  } order_t;

  order_t order;
  logic order_valid, order_take, done_push, error_q, error, errors_ready, tag_valid;

  // Worst case: Bursts. 64 bytes in two lines every 10 cycles, with 150 from AW to B, are 30.
  wc_fifo_shallow #(
    .data_t(order_t),
    .Depth (Bursts)
  ) u_order (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(order_push),
    .ready_o(order_ready),
    .data_i ('{none: step_q.none, last: step_q.ends_payload}),
    .valid_o(order_valid),
    .ready_i(order_take),
    .data_o (order)
  );

  assign m_axi_req_o.b_ready = order_valid && !order.none;
  assign order_take = order.none || m_axi_resp_i.b_valid;
  assign done_push = order_valid && order_take && order.last;
  assign error = (error_q || m_axi_resp_i.b.resp[1]) && !order.none;

  always_ff @(posedge clk_i) begin
    if (order_valid && order_take) error_q <= error && !order.last;
    if (rst_i) error_q <= 1'b0;
  end

  // Worst case: Writes, of both. A tag stays until its payload is done and that was taken, so there
  // is always room for its error.
  wc_fifo_shallow #(
    .data_t(tag_t),
    .Depth (Writes)
  ) u_tags (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(write_valid_i && !next_valid_q),
    .ready_o(tags_ready),
    .data_i (write_i.tag),
    .valid_o(tag_valid),
    .ready_i(done_valid_o && done_ready_i),
    .data_o (done_o.tag)
  );

  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Writes)
  ) u_errors (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(done_push),
    .ready_o(errors_ready),
    .data_i (error),
    .valid_o(done_valid_o),
    .ready_i(done_ready_i),
    .data_o (done_o.error)
  );

  // ---- rules ------------------------------------------------------------------------------------
  logic [$clog2(Writes):0] b_waits_q;  // cycles

  always_ff @(posedge clk_i) begin
    b_waits_q <= m_axi_resp_i.b_valid && !m_axi_req_o.b_ready ? b_waits_q + 1'b1 : '0;
    if (rst_i) b_waits_q <= '0;
  end

  `WC_ASSERT_STREAM(aw, m_axi_req_o.aw_valid, m_axi_resp_i.aw_ready, m_axi_req_o.aw)
  `WC_ASSERT_STREAM(w, m_axi_req_o.w_valid, m_axi_resp_i.w_ready, m_axi_req_o.w)
  `WC_ASSERT_STREAM(done, done_valid_o, done_ready_i, done_o)
  `WC_ASSERT(base_is_aligned, base_i[RingBits-1:0] == '0)
  `WC_ASSERT(payload_is_short, !write_valid_i || 12'(write_i.skip) + 12'(write_i.bytes) <= 12'd2047)
  // The payload has as many bytes as the descriptor says, so what it leaves is in carry_q.
  `WC_ASSERT(payload_is_whole, !(job_valid_q && ended_q) || (kept && final_word))
  `WC_ASSERT(b_was_owed, !m_axi_resp_i.b_valid || order_valid)
  `WC_ASSERT(b_waits_are_bounded, b_waits_q <= ($clog2(Writes) + 1)'(Writes))
  `WC_ASSERT(order_has_room, !order_push || order_ready)
  `WC_ASSERT(error_has_room, (!done_push || errors_ready) && (!done_valid_o || tag_valid))
  // Nothing stands still but for memory: each wait below ends with an AW, a beat or a B.
  `WC_ASSERT(waits_for_memory, !step_valid_q || move || m_axi_req_o.aw_valid || m_axi_req_o.w_valid
             || order_valid)

endmodule

`default_nettype wire
