// SPDX-License-Identifier: Apache-2.0
// What is known of connections from outside: what has arrived, what was acknowledged, what was
// answered, and that they are gone. Numbers only grow, and each memory has one writer, so nothing is
// ever read, changed and written by two. Says who is to have a turn.
//
// The schedule of four cycles, in which every input may come once:
//   0  what arrived, was acknowledged, was answered: old numbers are read
//   1  added
//   2  written; it is noted who is gone
//   3  read for a turn; a connection that opens is written
// Who waits for bytes or room is looked up behind the write; a turn first notes that it may wait,
// and then looks. So one of both always sees the other. Behind answers, and when a connection is
// gone, there is always a turn: it is asked for before the number is written, so the turn that sees
// the number is the last that was asked for.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests_book
  import wc_tcp_requests_pkg::*;
  import wc_tcp_engine_pkg::opened_t;
  import wc_tcp_engine_pkg::arrived_t;
  import wc_tcp_engine_pkg::freed_t;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  localparam type place_t = logic [RingBits:0]  // counted from the first byte
) (
  input  wire logic      clk_i,
  input  wire logic      rst_i,
  input  wire phase_t    phase_i,

  // Each for a cycle, and none within four cycles of the last one of its kind.
  input  wire logic      opened_valid_i,
  input  wire opened_t   opened_i,
  input  wire logic      arrived_valid_i,
  input  wire arrived_t  arrived_i,
  input  wire logic      room_valid_i,
  input  wire freed_t    room_i,
  input  wire logic      answered_valid_i,
  input  wire answered_t answered_i,
  input  wire logic      gone_valid_i,
  input  wire id_t       gone_id_i,

  input  wire logic      again_valid_i,  // a turn ends, and its connection is to have another
  output logic           again_ready_o,
  input  wire id_t       again_id_i,
  output logic           put_valid_o,    // a connection is to have a turn
  output id_t            put_id_o,

  input  wire logic      may_wait_i,  // in phase 1: a turn begins
  input  wire logic      waits_i,     // in phase 2: a turn ends, its connection waits for this
  input  wire id_t       waits_id_i,
  input  wire wants_t    wants_i,

  input  wire logic      look_i,  // in phase 3; what follows is there in phase 0
  input  wire id_t       look_id_i,
  output logic [RingBits-1:0] base_o,  // sequence number of the first byte, its lower bits
  output place_t         arrived_o,
  output logic           ended_o,
  output place_t         acked_o,
  output place_t         written_o,
  output place_t         needs_o,
  output logic [RingBits-1:0] operations_o,
  output logic           turn_o,  // changes with each answer
  output logic           gone_o
);

  localparam int unsigned IdBits = $clog2(Connections);
  localparam place_t Ring = place_t'(1) << RingBits;
  typedef logic [IdBits-1:0] index_t;

  typedef struct packed {
    place_t place;
    logic   ended;
  } in_t;

  typedef struct packed {
    place_t              written;
    place_t              needs;
    logic [RingBits-1:0] operations;
    logic                turn;
  } out_t;

  logic first, second, third, fourth;
  assign first = phase_i == 2'd0;
  assign second = phase_i == 2'd1;
  assign third = phase_i == 2'd2;
  assign fourth = phase_i == 2'd3;

  // ---- what comes ------------------------------------------------------------------------------
  // It stands in the first register until a step begins, then in the second for that step.
  logic opened_q, arrived_q, arrived_step_q, room_q, room_step_q, answered_q, answered_step_q;
  opened_t opened_what_q;
  arrived_t arrived_what_q, arrived_now_q;
  freed_t room_what_q, room_now_q;
  answered_t answered_what_q, answered_now_q;
  logic arrived_late_q, room_late_q;  // in the step behind: it is written
  index_t arrived_late_id_q, room_late_id_q;
  // A connection that is gone waits until all that came before has asked for its turn.
  localparam int unsigned Wait = 4;
  logic [Wait-1:0] gone_q;
  index_t [Wait-1:0] gone_id_q;

  always_ff @(posedge clk_i) begin
    if (fourth) begin
      opened_q <= 1'b0;
      arrived_q <= 1'b0;
      room_q <= 1'b0;
      answered_q <= 1'b0;
      arrived_step_q <= arrived_q;
      room_step_q <= room_q;
      answered_step_q <= answered_q;
      arrived_now_q <= arrived_what_q;
      room_now_q <= room_what_q;
      answered_now_q <= answered_what_q;
      arrived_late_q <= arrived_step_q;
      arrived_late_id_q <= index_t'(arrived_now_q.id);
      room_late_q <= room_step_q;
      room_late_id_q <= index_t'(room_now_q.id);
      gone_q <= {gone_q[Wait-2:0], 1'b0};
      gone_id_q <= {gone_id_q[Wait-2:0], gone_id_q[0]};
    end
    if (opened_valid_i) begin
      opened_q <= 1'b1;
      opened_what_q <= opened_i;
    end
    if (arrived_valid_i) begin
      arrived_q <= 1'b1;
      arrived_what_q <= arrived_i;
    end
    if (room_valid_i) begin
      room_q <= 1'b1;
      room_what_q <= room_i;
    end
    if (answered_valid_i) begin
      answered_q <= 1'b1;
      answered_what_q <= answered_i;
    end
    if (gone_valid_i) begin
      gone_q[0] <= 1'b1;
      gone_id_q[0] <= index_t'(gone_id_i);
    end
    if (rst_i) begin
      opened_q <= 1'b0;
      arrived_q <= 1'b0;
      arrived_step_q <= 1'b0;
      arrived_late_q <= 1'b0;
      room_q <= 1'b0;
      room_step_q <= 1'b0;
      room_late_q <= 1'b0;
      answered_q <= 1'b0;
      answered_step_q <= 1'b0;
      gone_q <= '0;
    end
  end

  logic opens;
  index_t opens_id, look_id;
  assign opens = fourth && opened_q;
  assign opens_id = index_t'(opened_what_q.id);
  assign look_id = index_t'(look_id_i);

  // ---- numbers ---------------------------------------------------------------------------------
  in_t in, in_q;
  place_t acked, acked_q;
  out_t out, out_q;
  logic gone;

  // Written as its connection opens; all others are zero then, and their registers are in phase 3.
  wc_ram_sdp #(
    .Width(RingBits),
    .Depth(Connections)
  ) u_base (
    .clk_i  (clk_i),
    .we_i   (opens),
    .waddr_i(opens_id),
    .wdata_i(opened_what_q.next[RingBits-1:0]),
    .re_i   (look_i),
    .raddr_i(look_id),
    .rdata_o(base_o)
  );

  wc_ram_sdp #(
    .Width($bits(in_t)),
    .Depth(Connections)
  ) u_in (
    .clk_i  (clk_i),
    .we_i   (opens || (third && arrived_step_q)),
    .waddr_i(fourth ? opens_id : index_t'(arrived_now_q.id)),
    .wdata_i(in_q),
    .re_i   (fourth ? look_i : first && arrived_step_q),
    .raddr_i(fourth ? look_id : index_t'(arrived_now_q.id)),
    .rdata_o(in)
  );

  wc_ram_sdp #(
    .Width($bits(place_t)),
    .Depth(Connections)
  ) u_acked (
    .clk_i  (clk_i),
    .we_i   (opens || (third && room_step_q)),
    .waddr_i(fourth ? opens_id : index_t'(room_now_q.id)),
    .wdata_i(acked_q),
    .re_i   (fourth ? look_i : first && room_step_q),
    .raddr_i(fourth ? look_id : index_t'(room_now_q.id)),
    .rdata_o(acked)
  );

  wc_ram_sdp #(
    .Width($bits(out_t)),
    .Depth(Connections)
  ) u_out (
    .clk_i  (clk_i),
    .we_i   (opens || (third && answered_step_q)),
    .waddr_i(fourth ? opens_id : index_t'(answered_now_q.id)),
    .wdata_i(out_q),
    .re_i   (fourth ? look_i : first && answered_step_q),
    .raddr_i(fourth ? look_id : index_t'(answered_now_q.id)),
    .rdata_o(out)
  );

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_gone (
    .clk_i  (clk_i),
    .we_i   (opens || (third && gone_q[Wait-1])),
    .waddr_i(fourth ? opens_id : gone_id_q[Wait-1]),
    .wdata_i(!fourth),
    .re_i   (look_i),
    .raddr_i(look_id),
    .rdata_o(gone)
  );

  always_ff @(posedge clk_i) begin
    if (third) begin
      in_q <= '0;
      acked_q <= '0;
      out_q <= '0;
    end else if (second) begin
      in_q <= '{place: in.place + place_t'(arrived_now_q.bytes),
                ended: in.ended || arrived_now_q.ended};
      acked_q <= acked + place_t'(room_now_q.bytes);
      out_q <= '{written: out.written + place_t'(answered_now_q.bytes),
                 needs: answered_now_q.needs > bytes_t'(Ring) ? Ring
                        : place_t'(answered_now_q.needs),
                 operations: answered_now_q.operations[RingBits-1:0], turn: !out.turn};
    end
  end

  assign arrived_o = in.place;
  assign ended_o = in.ended;
  assign acked_o = acked;
  assign written_o = out.written;
  assign needs_o = out.needs;
  assign operations_o = out.operations;
  assign turn_o = out.turn;
  assign gone_o = gone;

  // ---- who waits for what ----------------------------------------------------------------------
  // Bytes are looked up in phase 3 of their step, room in phase 0 of the next.
  wants_t wants, wants_d;

  assign wants_d = second ? '{bytes: 1'b1, room: 1'b1}
                   : third ? wants_i : '{bytes: 1'b1, room: 1'b0};

  wc_ram_sdp #(
    .Width($bits(wants_t)),
    .Depth(Connections)
  ) u_wants (
    .clk_i  (clk_i),
    .we_i   (opens || (second && may_wait_i) || (third && waits_i)),
    .waddr_i(fourth ? opens_id : second ? look_id : index_t'(waits_id_i)),
    .wdata_i(wants_d),
    .re_i   (fourth || first),
    .raddr_i(fourth ? index_t'(arrived_now_q.id) : room_late_id_q),
    .rdata_o(wants)
  );

  logic bytes_put_q, room_put_q;

  always_ff @(posedge clk_i) begin
    if (first) bytes_put_q <= arrived_late_q && wants.bytes;
    if (second) room_put_q <= room_late_q && wants.room;
  end

  always_comb begin
    again_ready_o = 1'b0;
    unique case (phase_i)
      2'd1: begin
        put_valid_o = bytes_put_q;
        put_id_o = id_t'(arrived_late_id_q);
      end
      2'd2: begin
        put_valid_o = room_put_q;
        put_id_o = id_t'(room_late_id_q);
      end
      2'd3: begin
        put_valid_o = answered_q;
        put_id_o = answered_what_q.id;
      end
      default: begin
        put_valid_o = gone_q[Wait-1] || again_valid_i;
        put_id_o = gone_q[Wait-1] ? id_t'(gone_id_q[Wait-1]) : again_id_i;
        again_ready_o = !gone_q[Wait-1];
      end
    endcase
  end

  // ---- rules -----------------------------------------------------------------------------------
  `WC_ASSERT(zero_to_open, !opens || {in_q, acked_q, out_q} == '0)
  `WC_ASSERT(opened_apart, !opened_valid_i || !opened_q || fourth)
  `WC_ASSERT(arrived_apart, !arrived_valid_i || !arrived_q || fourth)
  `WC_ASSERT(room_apart, !room_valid_i || !room_q || fourth)
  `WC_ASSERT(answered_apart, !answered_valid_i || !answered_q || fourth)
  `WC_ASSERT(gone_apart, !gone_valid_i || !gone_q[0] || fourth)
  // What turns ask for comes in its phase.
  `WC_ASSERT(looks_in_phase, !look_i || fourth)
  `WC_ASSERT(waits_in_phase, !waits_i || third)
  `WC_ASSERT(may_wait_in_phase, !may_wait_i || second)
  // More than the ring has never arrives, nor is written.
  `WC_ASSERT(arrived_is_bounded, !arrived_valid_i || arrived_i.bytes <= bytes_t'(Ring))
  `WC_ASSERT(room_is_bounded, !room_valid_i || room_i.bytes <= bytes_t'(Ring))
  `WC_ASSERT(answered_is_bounded, !answered_valid_i || answered_i.bytes <= bytes_t'(Ring))

endmodule

`default_nettype wire
