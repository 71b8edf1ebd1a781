// SPDX-License-Identifier: Apache-2.0
// What the engine keeps of a connection, what may happen to a connection, and what comes of it.
// Names are those of the reference model (py/wirecache/model/tcp), which says what they mean.
//
// Only three sequence numbers are whole: what is received next, the first of ours that is not
// acknowledged, and in which segment the window was told. All others are offsets from one of these.
`default_nettype none

package wc_tcp_engine_pkg;

  localparam int unsigned Mss = 1460;  // bytes of a segment at most, without options
  localparam int unsigned TimesBytes = 12;  // of a header
  localparam int unsigned Pieces = 4;
  localparam int unsigned SackBlocks = 3;  // fit beside time stamps; without these there are none
  localparam int unsigned Duplicates = 3;  // ACKs that say nothing new, after which one is lost

  // Milliseconds.
  localparam int unsigned FirstRto = 1_000;  // (RFC 6298, 2)
  localparam int unsigned LeastRto = 200;    // as Linux has it
  localparam int unsigned MostRto = 120_000;
  localparam int unsigned LeastProbe = 10;   // (RFC 8985, 7.2)
  localparam int unsigned Delayed = 200;     // that the peer may wait with an ACK
  localparam int unsigned GiveUp = 900_000;
  localparam int unsigned LingerTime = 60_000;
  localparam int unsigned MostBackoff = 10;
  localparam int unsigned StampAge = 20;     // bits
  localparam int unsigned OldStamp = (24 * 24 * 3600 * 1000) >> StampAge;

  localparam int unsigned OffsetBits = wc_pkg::MostRingBits + 1;
  typedef logic [OffsetBits-1:0] offset_t;  // bytes of a ring
  localparam offset_t MostWindow = '1;
  // The difference of two offsets, or of two numbers near by.
  typedef logic signed [OffsetBits+1:0] signed_t;
  typedef logic signed [OffsetBits+3:0] count_t;  // the sum of a few
  typedef logic [11:0] size_t;    // bytes of a segment, or of two
  typedef logic [31:0] time_t;    // milliseconds
  typedef logic [16:0] span_t;    // up to MostRto

  typedef struct packed {
    offset_t start;
    offset_t stop;
  } piece_t;
  typedef piece_t [Pieces-1:0] pieces_t;  // the others are zero

  typedef enum logic [2:0] {
    Closed      = 3'd0,
    Established = 3'd1,
    CloseWait   = 3'd2,
    FinWait1    = 3'd3,
    FinWait2    = 3'd4,
    Closing     = 3'd5,
    LastAck     = 3'd6,
    TimeWait    = 3'd7
  } state_e;

  typedef enum logic [2:0] {
    TimerNone       = 3'd0,
    TimerRetransmit = 3'd1,
    TimerProbe      = 3'd2,
    TimerPersist    = 3'd3,
    TimerLinger     = 3'd4
  } timer_e;

  typedef enum logic [1:0] {
    PhaseOpen     = 2'd0,
    PhaseRecovery = 2'd1,
    PhaseLoss     = 2'd2
  } phase_e;

  // ---- state of a connection --------------------------------------------------------------------
  // Where it is in both directions.
  typedef struct packed {
    state_e            state;
    logic              times;      // both have time stamps
    logic              sack;
    logic              scaled;     // windows are, in both directions
    logic [3:0]        peer_scale;
    time_t             stamp;      // the peer's last
    logic [11:0]       stamped;    // when, in steps of 2^StampAge
    logic [7:0]        challenged;  // in which millisecond there was a challenge
    // Received.
    logic [31:0]       next;       // RCV.NXT
    offset_t           got;        // so many before `next` were not taken, the FIN is one of them
    offset_t           edge_;      // of the window, counted from the first byte that was not taken
    logic              end_known;  // the FIN has come, so many bytes behind `next`
    offset_t           end_;
    logic              ended;      // and is before `next`
    offset_t           owed;       // received since the last ACK, which told of all before
    size_t             unacked;    // likewise, without what came behind gaps: below two segments
    logic              ack_due;
    // Sent.
    logic [31:0]       una;        // SND.UNA; the following are counted from it
    offset_t           flight;     // was sent
    offset_t           written;    // is there
    logic              grows;      // by and by: what does not fill a segment waits
    logic              fin;        // comes behind
    offset_t           most_window;
  } numbers_t;

  // What is known of bytes behind gaps. All is counted from where `next` was before the last segment
  // that brought bytes; what it brought in order may be the first piece.
  typedef struct packed {
    offset_t pending;  // so far `next` has gone on since
    pieces_t pieces;
    offset_t recent;  // in the one that came last
  } order_t;

  // What may be sent; offsets are counted from `una`.
  typedef struct packed {
    phase_e      phase;
    logic [1:0]  duplicates;
    offset_t     again;
    offset_t     lost;
    offset_t     recover;
    offset_t     left;
    offset_t     cwnd;
    offset_t     ssthresh;
    offset_t     credit;
    logic [10:0] mss;
    offset_t     window;
    logic [31:0] window_at;
    logic        limited;   // the congestion window has no room for another segment
    logic        forced;
  } sender_t;

  typedef struct packed {
    timer_e      timer;
    logic [17:0] deadline;   // low bits
    logic [20:0] progress;
    logic        probed;
    logic        asked;      // by a keepalive, and no segment has come since
    logic [3:0]  backoff;
    logic        known;      // the round trip
    logic [19:0] smooth;     // eighths
    logic [18:0] variation;  // quarters
    logic        timed;      // without time stamps: what is sent, and when
    offset_t     timed_at;
    logic [17:0] timed_when;
  } times_t;

  // In memory a state has two parts each: what is known when bytes are counted in or windows moved,
  // and what hangs on the segment that goes. So little has to be kept to the end.
  typedef struct packed {
    logic        times;
    logic        sack;
    logic        scaled;
    logic [3:0]  peer_scale;
    time_t       stamp;
    logic [11:0] stamped;
    logic [7:0]  challenged;
    logic [31:0] next;
    offset_t     got;
    offset_t     edge_;
    logic        end_known;
    offset_t     end_;
    logic        ended;
    logic [31:0] una;
    offset_t     written;
    logic        grows;
    logic        fin;
  } numbers_early_t;

  typedef struct packed {
    state_e  state;
    offset_t owed;
    size_t   unacked;
    logic    ack_due;
    offset_t flight;
    offset_t most_window;
  } numbers_late_t;

  typedef struct packed {
    phase_e      phase;
    logic [1:0]  duplicates;
    offset_t     lost;
    offset_t     recover;
    offset_t     left;
    offset_t     cwnd;
    offset_t     ssthresh;
    offset_t     credit;
    logic [10:0] mss;
    offset_t     window;
    logic [31:0] window_at;
  } sender_early_t;

  typedef struct packed {
    offset_t again;
    logic    limited;
    logic    forced;
  } sender_late_t;

  typedef struct packed {
    logic [3:0]  backoff;
    logic        known;
    logic [19:0] smooth;
    logic [18:0] variation;
  } times_early_t;

  typedef struct packed {
    timer_e      timer;
    logic [17:0] deadline;
    logic [20:0] progress;
    logic        probed;
    logic        asked;
    logic        timed;
    offset_t     timed_at;
    logic [17:0] timed_when;
  } times_late_t;

  // When time matters next, if it does: a millisecond's low bits, no further away than 2^17.
  typedef struct packed {
    logic        there;
    logic [17:0] at;
  } soonest_t;

  function automatic soonest_t sooner(soonest_t a, soonest_t b);
    logic [17:0] difference;
    difference = a.at - b.at;
    return !b.there || (a.there && difference[17]) ? a : b;
  endfunction

  // ---- what happens -----------------------------------------------------------------------------
  typedef enum logic [3:0] {
    EventSegment   = 4'd0,
    EventTaken     = 4'd1,  // so many received bytes were taken
    EventWritten   = 4'd2,  // there are so many bytes more to send
    EventClose     = 4'd3,  // nothing more will be written
    EventAbort     = 4'd4,
    EventSend      = 4'd5,  // there may be more to send
    EventAck       = 4'd6,  // what waits for an ACK has waited for long enough
    EventTick      = 4'd7,  // a millisecond has gone by
    EventKeepalive = 4'd8,  // the peer has said nothing for long: it is asked,
    EventSilent    = 4'd9   // and has not answered, unless it has since. Neither counts while a
                            // timer runs
  } kind_e;

  typedef struct packed {
    kind_e                        kind;
    logic [15:0]                  id;
    logic                         opens;    // a segment: its connection begins with it
    wc_tcp_cookie_pkg::options_t  options;  // of a connection that begins
    offset_t                      bytes;    // taken, written
    logic                         grows;    // written: more will be, or a last time no bytes
    wc_tcp_pkg::segment_t         segment;
  } event_t;

  // ---- what comes of it -------------------------------------------------------------------------
  // A segment for the peer.
  typedef struct packed {
    logic [31:0]              seq;
    logic [31:0]              ack;
    wc_tcp_pkg::flags_t       flags;
    logic [15:0]              window;
    logic                     times;
    time_t                    time_value;
    time_t                    time_echo;
    logic [1:0]               sacks;
    wc_tcp_pkg::sack_t [SackBlocks-1:0] sack;
    logic [10:0]              bytes;  // of payload, from `seq` on
  } outgoing_t;

  typedef struct packed {
    logic retransmitted;
    logic timeout;
    logic probe;
    logic window_probe;
    logic keepalive;
    logic silent;  // given up: keepalives were not answered
    logic recovery;
    logic out_of_order;
    logic duplicate;
    logic challenge;
    logic old_stamp;
  } counts_t;

  typedef struct packed {
    logic [15:0] id;
    logic        sends;   // `segment` goes to the peer
    outgoing_t        segment;
    logic        more;    // there may be more to send: an EventSend is to come
    logic        closed;  // the connection is no more
    logic        lingers;  // nothing but its end is waited for
    logic        ack_due;  // an EventAck is to come, unless a segment goes before
    logic        armed;    // an EventTick is to come, when
    logic [17:0] deadline;  // the low bits of a millisecond
    counts_t     counts;
  } result_t;

  // ---- what a segment does to the bytes, told sooner ---------------------------------------------
  typedef struct packed {
    logic [15:0] id;
    logic [31:0] seq;     // of the first byte that is kept
    logic [10:0] skip;    // bytes of the payload before it
    logic [10:0] bytes;   // so many are kept; none: the payload is thrown away
  } place_t;

  typedef struct packed {
    logic [15:0] id;
    logic [31:0] next;    // all before have come
    offset_t     bytes;   // of these so many now,
    logic        ended;   // and the peer sends nothing more: its FIN is before `next`, too
    offset_t     freed;   // so many bytes less are to be kept for the peer
  } progress_t;

  // ---- what a connection's owner is told --------------------------------------------------------
  typedef struct packed {
    logic [15:0] id;
    logic [31:0] next;  // the number of the first byte that is received,
    logic [31:0] una;   // and of the first that is sent
  } opened_t;

  typedef struct packed {
    logic [15:0] id;
    offset_t     bytes;  // so many more are in memory, in order
    logic        ended;  // behind them nothing comes
  } arrived_t;

  typedef struct packed {
    logic [15:0] id;
    offset_t     bytes;  // the peer has so many more of what is sent
  } freed_t;

  // ---- between the steps ------------------------------------------------------------------------
  // What a segment is to a connection.
  typedef struct packed {
    logic        accepted;
    logic        reset;       // the connection ends
    logic        reply;       // an ACK goes at once
    logic        challenge;   // it is one of those that are counted, and kept few
    logic        unwanted;    // outside of the window
    logic        old_stamp;
    logic        ack;         // it acknowledges what we have sent, or nothing new
    logic        new_;        // something new
    offset_t     count;       // so much
    logic        fin_known;   // all, our FIN as well
    offset_t     start;       // of its bytes, from `next` on
    offset_t     stop;
    logic        aborts;      // the connection ends: nobody takes its bytes
    logic        takes;       // its bytes, or its FIN, are looked at
    logic        past;        // it has bytes behind `next`
    offset_t     past_bytes;  // so many
  } arrival_t;

  // What a timer that has run out, or a peer that is silent, makes a connection do.
  typedef enum logic [2:0] {
    ActNone       = 3'd0,
    ActEnd        = 3'd1,  // the connection has waited for its end
    ActGiveUp     = 3'd2,
    ActPersist    = 3'd3,  // asks for a window
    ActProbe      = 3'd4,  // for a lost tail
    ActRetransmit = 3'd5,
    ActKeepalive  = 3'd6
  } action_e;

  // Bytes that may go now, counted from `una`; what else is known of them comes a step later.
  typedef struct packed {
    offset_t            at;
    logic [10:0]        bytes;
    logic               full;
    logic               again;
    logic               whole;   // the windows do not cut them off from the FIN
    logic               idle;    // nothing is on its way
    count_t             pipe;    // bytes on their way
    count_t             spare;   // of the congestion window
    logic               unsent;  // there is something to be sent
    logic [10:0]        last;    // bytes of the last segment that was sent,
    offset_t            last_at;
    logic               last_fin;
  } chunk_t;

  // The largest window that we tell: of a ring of 2^bits, but for a step, as windows are rounded up.
  // A window has 16 bits; where windows are scaled that is enough for a whole ring.
  localparam offset_t MostUnscaled = offset_t'(65535);  // of a window

  // What the peer may send ahead of what is taken: a step of the window is left out.
  function automatic offset_t our_ring(int unsigned bits, int unsigned scale, logic scaled);
    return (offset_t'(1) << bits) - (scaled ? offset_t'(1) << scale : offset_t'(1));
  endfunction

  // At first.
  function automatic offset_t our_window(int unsigned bits, int unsigned scale, logic scaled);
    offset_t ring;
    ring = our_ring(bits, scale, scaled);
    return scaled || ring < MostUnscaled ? ring : MostUnscaled;
  endfunction

  function automatic numbers_early_t numbers_early(numbers_t n);
    return '{times: n.times, sack: n.sack, scaled: n.scaled, peer_scale: n.peer_scale,
             stamp: n.stamp, stamped: n.stamped, challenged: n.challenged, next: n.next, got: n.got,
             edge_: n.edge_, end_known: n.end_known, end_: n.end_, ended: n.ended, una: n.una,
             written: n.written, grows: n.grows, fin: n.fin};
  endfunction

  function automatic numbers_late_t numbers_late(numbers_t n);
    return '{state: n.state, owed: n.owed, unacked: n.unacked, ack_due: n.ack_due,
             flight: n.flight, most_window: n.most_window};
  endfunction

  function automatic numbers_t numbers(numbers_early_t e, numbers_late_t l);
    return '{state: l.state, times: e.times, sack: e.sack, scaled: e.scaled,
             peer_scale: e.peer_scale, stamp: e.stamp, stamped: e.stamped,
             challenged: e.challenged, next: e.next, got: e.got, edge_: e.edge_,
             end_known: e.end_known, end_: e.end_, ended: e.ended, owed: l.owed,
             unacked: l.unacked, ack_due: l.ack_due, una: e.una, flight: l.flight,
             written: e.written, grows: e.grows, fin: e.fin, most_window: l.most_window};
  endfunction

  function automatic sender_early_t sender_early(sender_t s);
    return '{phase: s.phase, duplicates: s.duplicates, lost: s.lost, recover: s.recover,
             left: s.left, cwnd: s.cwnd, ssthresh: s.ssthresh, credit: s.credit, mss: s.mss,
             window: s.window, window_at: s.window_at};
  endfunction

  function automatic sender_late_t sender_late(sender_t s);
    return '{again: s.again, limited: s.limited, forced: s.forced};
  endfunction

  function automatic sender_t sender(sender_early_t e, sender_late_t l);
    return '{phase: e.phase, duplicates: e.duplicates, again: l.again, lost: e.lost,
             recover: e.recover, left: e.left, cwnd: e.cwnd, ssthresh: e.ssthresh,
             credit: e.credit, mss: e.mss, window: e.window, window_at: e.window_at,
             limited: l.limited, forced: l.forced};
  endfunction

  function automatic times_early_t times_early(times_t t);
    return '{backoff: t.backoff, known: t.known, smooth: t.smooth, variation: t.variation};
  endfunction

  function automatic times_late_t times_late(times_t t);
    return '{timer: t.timer, deadline: t.deadline, progress: t.progress, probed: t.probed,
             asked: t.asked, timed: t.timed, timed_at: t.timed_at, timed_when: t.timed_when};
  endfunction

  function automatic times_t times(times_early_t e, times_late_t l);
    return '{timer: l.timer, deadline: l.deadline, progress: l.progress, probed: l.probed,
             asked: l.asked, backoff: e.backoff, known: e.known, smooth: e.smooth,
             variation: e.variation,
             timed: l.timed, timed_at: l.timed_at, timed_when: l.timed_when};
  endfunction

  function automatic offset_t less(offset_t a, offset_t b);
    return a > b ? a - b : '0;
  endfunction

  function automatic offset_t smaller(offset_t a, offset_t b);
    return a < b ? a : b;
  endfunction

  function automatic offset_t larger(offset_t a, offset_t b);
    return a > b ? a : b;
  endfunction

endpackage

`default_nettype wire
