// SPDX-License-Identifier: Apache-2.0
// The numbers and the state of a connection behind an event: what has come in order, what the peer
// has acknowledged, what the owner has taken and written; and whether an ACK goes at once. Inputs
// stay for four cycles; the pieces are there in the first one only. The answer is there in the last
// one.
`default_nettype none

module wc_tcp_receive #(
  parameter int unsigned RingBits = 16,
  parameter int unsigned OurScale = 0
) (
  input  wire logic                                        clk_i,
  input  wire logic                                        first_i,  // of the four cycles
  input  wire wc_tcp_engine_pkg::kind_e                    kind_i,
  input  wire wc_tcp_engine_pkg::offset_t                  bytes_i,  // taken or written
  input  wire logic                                        grows_i,
  input  wire logic                                        fin_i,    // of a segment
  input  wire wc_tcp_engine_pkg::arrival_t                 arrival_i,
  input  wire wc_tcp_engine_pkg::numbers_t                 numbers_i,
  input  wire wc_tcp_engine_pkg::offset_t                  recent_i,  // from where `next` is now
  input  wire wc_tcp_engine_pkg::pieces_t                  pieces_i,  // with those of the segment
  input  wire logic                                        dropped_i,
  output wc_tcp_engine_pkg::numbers_t                      numbers_o,
  output wc_tcp_engine_pkg::offset_t                       came_o,  // in order, the FIN counts
  output logic                                             ends_o,  // with the FIN
  output wc_tcp_engine_pkg::order_t                        order_o,
  output logic                                             order_valid_o,
  output logic                                             reply_o,
  output logic                                             aborts_o,  // a RST goes
  output logic                                             closed_o,
  output logic                                             lingers_o,  // the timer begins anew
  output logic                                             duplicate_o,
  output logic                                             out_of_order_o
);

  import wc_tcp_engine_pkg::*;

  logic some;
  assign some = arrival_i.stop != arrival_i.start;

  // ---- 1: the pieces ----------------------------------------------------------------------------
  order_t order_q;
  offset_t in_order_q;
  logic dropped_q, behind_q;  // there is a piece behind a gap
  signed_t known_q;  // the window that the peer knows
  offset_t in_order;
  logic straight;  // what is new begins without a gap: it needs no place among the pieces
  assign straight = arrival_i.start == '0;
  assign in_order = pieces_i[0].start == '0 ? pieces_i[0].stop
                    : straight && dropped_i ? arrival_i.stop : '0;

  always_ff @(posedge clk_i) begin
    if (first_i) begin
      order_q.pieces <= pieces_i;
      order_q.pending <= in_order;
      order_q.recent <= some && !straight && !dropped_i ? arrival_i.start : recent_i;
      in_order_q <= in_order;
      behind_q <= pieces_i[0].start != '0 || pieces_i[1].stop != '0;
      dropped_q <= dropped_i && !straight;
      known_q <= signed_t'({2'b0, numbers_i.edge_}) - signed_t'({2'b0, numbers_i.got});
    end
  end

  // ---- 2: the peer's end; windows ---------------------------------------------------------------
  logic ends_q, aborts_q, has_q;
  logic forgets_q;  // ends, and the peer need not be told (RFC 9293, 3.10.5)
  offset_t count_q, taken_q, edge_q;
  logic shut_q;  // the window that the peer knows has no room for a segment
  // A window that is not scaled is less than a large ring: its edge moves as bytes come, too.
  offset_t ring, reach_q;
  logic taken;
  assign taken = kind_i == EventTaken;
  assign ring = our_ring(RingBits, OurScale, numbers_i.scaled);

  always_ff @(posedge clk_i) begin
    ends_q <= arrival_i.takes && numbers_i.end_known && !numbers_i.ended
              && in_order_q >= numbers_i.end_;
    count_q <= in_order_q;
    has_q <= some && !dropped_q;
    aborts_q <= arrival_i.aborts
                || (kind_i == EventAbort
                    && !(numbers_i.state inside {Closed, Closing, LastAck, TimeWait}));
    forgets_q <= kind_i == EventAbort && numbers_i.state inside {Closing, LastAck, TimeWait};
    taken_q <= numbers_i.got - bytes_i;
    edge_q <= taken ? numbers_i.edge_ - bytes_i : numbers_i.edge_;
    reach_q <= smaller(ring - MostUnscaled, taken ? numbers_i.got - bytes_i
                                                  : numbers_i.got + in_order_q) + MostUnscaled;
    shut_q <= known_q - (taken ? '0 : signed_t'({2'b0, in_order_q})) < signed_t'(Mss);
  end

  // ---- 3 ----------------------------------------------------------------------------------------
  offset_t count, count_q3, most, most_q3;
  logic ends_q3, aborts_q3, forgets_q3, new_q3, opens_q3, cut_q3;
  logic many_q3;

  assign count = ends_q ? numbers_i.end_ + 1'b1 : arrival_i.takes ? count_q : '0;
  assign most = RingBits > 16 && !numbers_i.scaled ? reach_q : ring;

  always_ff @(posedge clk_i) begin
    count_q3 <= count;
    ends_q3 <= ends_q;
    aborts_q3 <= aborts_q;
    forgets_q3 <= forgets_q;
    new_q3 <= has_q || ends_q;
    // By a segment (half of the smallest ring is more), or where there was room for one anyway.
    opens_q3 <= (most - edge_q >= offset_t'(Mss) || (!shut_q && most != edge_q))
                && !ends_q && !numbers_i.ended;
    most_q3 <= most;
    cut_q3 <= count < arrival_i.past_bytes && arrival_i.past;
    many_q3 <= offset_t'(numbers_i.unacked) + count >= offset_t'(2 * Mss);
  end

  // ---- 4: the new state -------------------------------------------------------------------------
  always_comb begin
    numbers_o = numbers_i;
    came_o = count_q3;
    ends_o = ends_q3;
    order_o = order_q;
    order_valid_o = arrival_i.takes;
    if (ends_q3) order_o.pieces = '0;
    reply_o = arrival_i.reply;
    aborts_o = aborts_q3;
    lingers_o = 1'b0;
    duplicate_o = arrival_i.unwanted;
    out_of_order_o = 1'b0;

    // What is acknowledged.
    if (arrival_i.new_) begin
      numbers_o.una = numbers_i.una + 32'(arrival_i.count);
      numbers_o.flight = numbers_i.flight - arrival_i.count;
      numbers_o.written = less(numbers_i.written, arrival_i.count);
    end
    if (arrival_i.fin_known) begin
      numbers_o.fin = 1'b0;
      unique case (numbers_i.state)
        FinWait1: begin
          numbers_o.state = FinWait2;
          lingers_o = 1'b1;
        end
        Closing: begin
          numbers_o.state = TimeWait;
          lingers_o = 1'b1;
        end
        LastAck: numbers_o.state = Closed;
        default: ;
      endcase
    end

    // What has come.
    if (arrival_i.takes) begin
      numbers_o.next = numbers_i.next + 32'(count_q3);
      numbers_o.got = numbers_i.got + count_q3;
      numbers_o.owed = numbers_i.owed + count_q3;
      numbers_o.end_ = numbers_i.end_ - count_q3;
      if (ends_q3) begin
        numbers_o.ended = 1'b1;
        numbers_o.end_known = 1'b0;
      end
      if (!new_q3) begin
        duplicate_o = 1'b1;
        reply_o = 1'b1;
        if (numbers_o.state == TimeWait && fin_i) lingers_o = 1'b1;
      end else if (ends_q3) begin
        reply_o = 1'b1;
        unique case (numbers_o.state)
          Established: numbers_o.state = CloseWait;
          FinWait1:    numbers_o.state = Closing;
          FinWait2: begin
            numbers_o.state = TimeWait;
            lingers_o = 1'b1;
          end
          default: ;
        endcase
      end else if (count_q3 == '0) begin
        out_of_order_o = 1'b1;
        reply_o = 1'b1;
      end else begin
        if (RingBits > 16 && opens_q3) numbers_o.edge_ = most_q3;
        numbers_o.unacked = numbers_i.unacked + size_t'(count_q3);
        if (many_q3 || behind_q || cut_q3) reply_o = 1'b1;
        else numbers_o.ack_due = 1'b1;
      end
    end
    if (arrival_i.reset || aborts_q3 || forgets_q3) numbers_o.state = Closed;

    // What the owner does.
    unique case (kind_i)
      EventTaken: begin
        numbers_o.got = taken_q;
        numbers_o.edge_ = opens_q3 ? most_q3 : edge_q;
        if (opens_q3 && shut_q) numbers_o.ack_due = 1'b1;
      end
      EventWritten: begin
        numbers_o.written = numbers_i.written + bytes_i;
        numbers_o.grows = grows_i;
      end
      EventClose: begin
        if (numbers_i.state == Established) numbers_o.state = FinWait1;
        if (numbers_i.state == CloseWait) numbers_o.state = LastAck;
        if (numbers_i.state inside {Established, CloseWait}) numbers_o.fin = 1'b1;
      end
      EventAck: reply_o = numbers_i.ack_due && numbers_i.state != Closed;
      default: ;
    endcase
    closed_o = numbers_o.state == Closed && numbers_i.state != Closed;
    if (closed_o) numbers_o.ack_due = 1'b0;
    if (closed_o || aborts_q3) reply_o = 1'b0;
  end

endmodule

`default_nettype wire
