// SPDX-License-Identifier: Apache-2.0
// Takes the next connection, looks up what is known of it, says what its turn is for, and asks for
// the bytes. It goes on with the next connection while those bytes are on their way: up to Ahead
// turns are in work, of connections that differ.
// From a connection's take to the job 8 cycles, to the first read 9; a read every 2 cycles, and a
// turn every 12 or 16. Waits while Ahead turns are in work, and while Pieces reads of one are.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests_turn
  import wc_tcp_requests_pkg::*;
#(
  parameter int unsigned RingBits  = 16,
  parameter int unsigned Budget    = 20,
  parameter int unsigned TurnBytes = 2048,  // of a value
  parameter int unsigned LineBytes = 512,   // of all else
  parameter int unsigned Ahead     = 8,
  parameter int unsigned Pieces    = 4,
  localparam type place_t = logic [RingBits:0]
) (
  input  wire logic      clk_i,
  input  wire logic      rst_i,
  input  wire phase_t    phase_i,

  input  wire logic      ready_valid_i,  // a connection that waits for its turn
  output logic           ready_ready_o,
  input  wire id_t       ready_id_i,

  output logic           may_wait_o,
  output logic           look_o,
  output id_t            look_id_o,
  // In phase 0: what has come,
  input  wire logic [RingBits-1:0] base_i,
  input  wire place_t    arrived_i,
  input  wire logic      ended_i,
  input  wire place_t    acked_i,
  input  wire place_t    written_i,
  input  wire place_t    needs_i,
  input  wire logic [RingBits-1:0] operations_i,
  input  wire logic      turn_i,
  input  wire logic      gone_i,
  // and what was done.
  input  wire logic      packet_i,  // there is a packet from `start` to `stop`
  input  wire logic      given_i,   // and it was given
  input  wire logic      turns_i,   // changes with each packet
  input  wire logic      quits_i,   // behind it the connection ends
  input  wire logic      closed_i,
  input  wire logic      value_i,   // framed so far is a part of a value,
  input  wire logic [31:0] rest_i,  // of which so many bytes are to come, and one more
  input  wire place_t    start_i,   // of what was not taken
  input  wire place_t    stop_i,
  input  wire place_t    seen_i,    // framed up to here

  output logic           job_valid_o,
  input  wire logic      job_ready_i,
  output job_t           job_o,
  input  wire logic      piece_ends_i,  // a read's last word is taken, of the job that has words;
  input  wire logic      enough_i,      // no more bytes of it are needed;
  input  wire logic      words_end_i,   // then the next one has words
  input  wire logic      job_ends_i,    // the first job has ended

  output logic           read_valid_o,
  input  wire logic      read_ready_i,
  output wc_tcp_ring_pkg::read_t read_o
);

  localparam place_t Ring = place_t'(1) << RingBits;
  localparam int unsigned PieceBits = $clog2(PieceBytes);
  localparam int unsigned CountBits = 6;  // a value's last 64 bytes are read, with what is behind
  localparam int unsigned AheadBits = $clog2(Ahead);

  `WC_REQUIRE(ahead, Ahead >= 2 && Ahead == 2 ** AheadBits,
              "wc_tcp_requests_turn: Ahead must be a power of two of 2 or more")

  typedef logic [AheadBits-1:0] slot_t;

  typedef enum logic [3:0] {
    Idle,
    Begin,    // phase 1: the connection may wait
    Look,     // phases 2, 3
    Get,      // phase 0
    Subtract,
    Compare,
    Decide,
    Tell,
    Cut,      // what is read next
    Ask
  } state_e;

  state_e state_q;
  id_t id_q;

  // ---- turns in work ---------------------------------------------------------------------------
  logic [Ahead-1:0] busy_q;
  id_t [Ahead-1:0] ids_q;
  slot_t first_q, words_q, next_q, slot_q;
  logic free_q;  // the next connection has no turn in work, and there is room for one
  logic meets, mine, tell;

  always_comb begin
    meets = 1'b0;
    for (int unsigned i = 0; i < Ahead; i++) meets |= busy_q[i] && ids_q[i] == ready_id_i;
  end

  assign ready_ready_o = state_q == Idle && free_q && phase_i == 2'd0;
  assign tell = job_valid_o && job_ready_i;
  assign mine = slot_q == words_q;

  always_ff @(posedge clk_i) begin
    free_q <= ready_valid_i && !meets && busy_q != '1 && state_q == Idle;
    if (tell) begin
      busy_q[next_q] <= 1'b1;
      ids_q[next_q] <= id_q;
      slot_q <= next_q;
      next_q <= next_q + 1'b1;
    end
    if (words_end_i) words_q <= words_q + 1'b1;
    if (job_ends_i) begin
      busy_q[first_q] <= 1'b0;
      first_q <= first_q + 1'b1;
    end
    if (rst_i) begin
      busy_q <= '0;
      first_q <= '0;
      words_q <= '0;
      next_q <= '0;
      free_q <= 1'b0;
    end
  end

  // ---- what the turn is for --------------------------------------------------------------------
  logic [RingBits-1:0] base_q;
  place_t arrived_q, acked_q, written_q, needs_q, start_q, stop_q, seen_q;
  place_t available_q, length_q, used_q, room_q, total_q, most_q;
  logic [RingBits-1:0] operations_q, at_q;
  logic ended_q, gone_q, packet_q, given_q, quits_q, closed_q, flies_q, none_q, beyond_q;
  logic enough_q, answered, gives;
  logic value_q, counts_q, all_q;  // a value is counted, as far as it has come
  logic [31:0] rest_q;
  logic [5:0] shorts;
  what_e what;
  wants_t wants;

  assign answered = packet_q && given_q && !flies_q && needs_q == '0;
  assign gives = packet_q && !answered;
  assign shorts = 32'(room_q[RingBits:ShortBits]) > Budget ? 6'(Budget)
                  : 6'(room_q[RingBits:ShortBits]);

  always_comb begin
    what = DoNothing;
    wants = '0;
    if (gone_q) begin
      if (!flies_q) what = DoBack;
    end else if (!flies_q) begin
      if (gives) begin
        if (enough_q) what = DoGive;
        wants.room = 1'b1;
      end else if (!closed_q) begin
        if (packet_q && quits_q) begin
          what = DoClose;
        end else if (none_q) begin
          if (ended_q) what = DoClose;
          wants.bytes = 1'b1;
        end else begin
          if (counts_q) what = DoCount;
          else if (enough_q) what = DoFrame;
          wants.room = 1'b1;
        end
      end
    end
  end

  bytes_t skip;

  always_comb begin
    skip = '0;
    if (what == DoCount) skip = all_q ? bytes_t'(available_q) : bytes_t'(rest_q[RingBits:0]);
    else if (given_q && gives) skip = bytes_t'(operations_q);
  end

  // ---- what is asked for -----------------------------------------------------------------------
  // In pieces of PieceBytes. When no more is needed, there is one piece more, of a word, so the last
  // one is known as it comes.
  place_t left_q;  // bytes but one
  logic [PieceBits:0] size;
  logic whole, ends, asks, read_q;
  logic [2:0] flight_q;  // reads of this turn on their way
  logic enough_mine_q;
  wc_tcp_ring_pkg::read_t read_what_q;

  assign whole = left_q[RingBits:PieceBits] != '0;
  assign ends = !whole || enough_mine_q;

  always_comb begin
    size = {1'b0, left_q[PieceBits-1:0]} + 1'b1;
    if (enough_mine_q && (whole || left_q[PieceBits-1:3] != '0)) size = (PieceBits + 1)'(8);
    else if (whole) size = (PieceBits + 1)'(PieceBytes);
  end

  assign read_valid_o = read_q;
  assign read_o = read_what_q;
  assign asks = state_q == Cut && 32'(flight_q) < Pieces;

  always_ff @(posedge clk_i) begin
    enough_mine_q <= enough_i && mine && state_q inside {Cut, Ask};
    if (state_q == Tell) flight_q <= '0;
    else flight_q <= flight_q + 3'(asks) - 3'(piece_ends_i && mine && state_q inside {Cut, Ask});
    if (asks) begin
      read_what_q <= '{id: id_q, seq: 32'(at_q), bytes: 16'(size), tag: 16'({ends, size[2:0]})};
      at_q <= at_q + RingBits'(PieceBytes);
      left_q <= left_q - place_t'(PieceBytes);
    end

    unique case (state_q)
      Idle: if (ready_valid_i && ready_ready_o) begin
        id_q <= ready_id_i;
        state_q <= Begin;
      end
      Begin: state_q <= Look;
      Look: if (phase_i == 2'd3) state_q <= Get;
      Get: begin
        base_q <= base_i;
        arrived_q <= arrived_i;
        ended_q <= ended_i;
        acked_q <= acked_i;
        written_q <= written_i;
        needs_q <= needs_i;
        operations_q <= operations_i;
        flies_q <= turn_i != turns_i;
        gone_q <= gone_i;
        packet_q <= packet_i;
        given_q <= given_i;
        quits_q <= quits_i;
        closed_q <= closed_i;
        most_q <= value_i ? place_t'(TurnBytes) : place_t'(LineBytes);
        value_q <= value_i;
        rest_q <= rest_i;
        start_q <= start_i;
        stop_q <= stop_i;
        seen_q <= seen_i;
        state_q <= Subtract;
      end
      Subtract: begin
        available_q <= arrived_q - seen_q;
        length_q <= stop_q - start_q;
        used_q <= written_q - acked_q;
        at_q <= base_q + (gives ? start_q[RingBits-1:0] : seen_q[RingBits-1:0]);
        state_q <= Compare;
      end
      Compare: begin
        none_q <= available_q == '0;
        beyond_q <= available_q > most_q;
        room_q <= Ring - used_q;
        counts_q <= value_q && rest_q[31:CountBits] != '0;
        all_q <= rest_q[31:RingBits+1] != '0 || rest_q[RingBits:0] >= available_q;
        state_q <= Decide;
      end
      Decide: begin
        enough_q <= room_q >= (needs_q == '0 ? place_t'(ShortAnswer) : needs_q);
        total_q <= gives ? length_q : beyond_q ? most_q : available_q;
        state_q <= Tell;
      end
      Tell: begin
        left_q <= total_q - 1'b1;
        if (tell) state_q <= what inside {DoFrame, DoGive} ? Cut : Idle;
      end
      Cut: if (asks) begin
        read_q <= 1'b1;
        state_q <= Ask;
      end
      Ask: if (read_ready_i) begin
        read_q <= 1'b0;
        state_q <= read_what_q.tag[3] ? Idle : Cut;
      end
      default: state_q <= Idle;
    endcase
    if (rst_i) begin
      state_q <= Idle;
      read_q <= 1'b0;
      enough_mine_q <= 1'b0;
    end
  end

  assign may_wait_o = state_q == Begin;
  assign look_o = state_q == Look && phase_i == 2'd3;
  assign look_id_o = id_q;

  assign job_valid_o = state_q == Tell;
  assign job_o = '{id: id_q, what: what, answered: answered && !gone_q, wants: wants,
                   more: (counts_q ? !all_q : beyond_q) || ended_q, shorts: shorts,
                   room: bytes_t'(room_q), skip: skip};

  // ---- rules -----------------------------------------------------------------------------------
  `WC_ASSERT_STREAM(read, read_valid_o, read_ready_i, read_o)
  `WC_ASSERT(begins_in_phase, !may_wait_o || phase_i == 2'd1)
  `WC_ASSERT(gets_in_phase, state_q != Get || phase_i == 2'd0)
  `WC_ASSERT(ahead, !tell || !busy_q[next_q])
  `WC_ASSERT(ends_what_began, !job_ends_i || busy_q[first_q])
  `WC_ASSERT(flight_is_bounded, 32'(flight_q) <= Pieces)
  `WC_ASSERT(within_the_ring, state_q != Tell || gone_q || !(what inside {DoFrame, DoGive})
             || (total_q != '0 && total_q <= Ring))
  `WC_ASSERT(arrived_in_order, state_q != Compare || gone_q || available_q <= Ring)


endmodule

`default_nettype wire
