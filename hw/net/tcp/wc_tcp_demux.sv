// SPDX-License-Identifier: Apache-2.0
// Which connection a segment is of. It finds the connection and gives the engine an event; or there
// is none: then it answers a SYN with a cookie, opens a connection for who shows one, or sends a RST,
// as py/wirecache/model/tcp/endpoint.py does. Connections have numbers here, from when they open
// until nobody has anything of them any more.
//
// Front: finds, and asks for cookies. Behind it segments wait in a queue, in order, until the engine
// takes them or the cookie is there. Head: gives events and answers, opens. A segment that may open a
// connection is looked for again at the head: those before it may have opened it. What closes is
// taken out of the table, then a mark goes through the queue: behind it no segment has that number.
//
// A segment every 10 cycles if all are found, or none: fewer than a frame takes. One that opens a
// connection takes 20 more, one behind it that was looked for too soon 10. It never waits
// for answers to leave, nor, when many segments wait, for a connection that sends more than the engine
// takes.
// Long because front, head and what closes share the table of connections.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_demux #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned OurScale    = 0,
  parameter int unsigned Reserve     = 8,  // numbers that are kept free, if connections linger
  parameter int unsigned Depth       = 16  // segments that wait
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  output logic                               ready_o,  // after reset; then it stays
  input  wire logic [127:0]                  secret_i,  // of cookies
  input  wire logic [79:0]                   seed_i,    // of the table
  input  wire wc_tcp_engine_pkg::time_t      now_i,
  input  wire logic [16:0]                   most_i,    // connections at once
  input  wire logic                          segment_valid_i,
  output logic                               segment_ready_o,
  input  wire wc_tcp_pkg::segment_t          segment_i,
  input  wire logic                          crowded_i,  // many wait behind it
  output logic                               fate_valid_o,  // of its bytes
  input  wire logic                          fate_ready_i,
  output wc_tcp_demux_pkg::fate_t            fate_o,
  // To wc_tcp_events, and the engine's results.
  output logic                               event_valid_o,
  input  wire logic                          event_ready_i,
  input  wire logic                          event_dropped_i,
  output logic                               event_hurry_o,
  output logic                               coming_valid_o,  // one of that connection is to come
  output logic [15:0]                        coming_id_o,
  output wc_tcp_engine_pkg::event_t          event_o,
  input  wire logic                          result_valid_i,
  input  wire wc_tcp_engine_pkg::result_t    result_i,
  // A connection that has closed: no event of it comes from here any more. Its number comes back
  // when nobody else has anything of it.
  output logic                               gone_valid_o,
  output logic [15:0]                        gone_id_o,
  input  wire logic                          back_valid_i,
  input  wire logic [15:0]                   back_id_i,
  // Segments that no connection sends.
  output logic                               out_valid_o,
  input  wire logic                          out_ready_i,
  output wc_tcp_pkg::out_t                   out_o,  // bytes, if any, are the text for one too many
  output wc_tcp_demux_pkg::counts_t          counts_o,
  input  wire logic                          about_valid_i,  // as wc_tcp_lookup has it
  input  wire logic [15:0]                   about_id_i,
  output logic                               about_busy_o,
  output wc_tcp_lookup_pkg::peer_t           about_peer_o
);

  import wc_tcp_demux_pkg::*;
  import wc_tcp_engine_pkg::*;
  import wc_tcp_lookup_pkg::Find;
  import wc_tcp_lookup_pkg::Insert;
  import wc_tcp_lookup_pkg::Remove;

  localparam int unsigned Cookies = 8;  // asked for, and not yet used

  `WC_REQUIRE(depth, Depth >= 4 && Depth <= 32 && 2 ** $clog2(Depth) == Depth,
              "wc_tcp_demux: Depth must be a power of two from 4 to 32")

  typedef enum logic [2:0] {
    WaitFound  = 3'd0,  // its connection is known
    WaitCookie = 3'd1,  // a SYN, to be answered
    WaitOpens  = 3'd2,  // may have a cookie
    WaitReset  = 3'd3,  // has no connection
    WaitNone   = 3'd4,  // nothing comes of it; its bytes are thrown away
    WaitAbort  = 3'd5,  // no segment: a connection gives way
    WaitGone   = 3'd6   // no segment: a connection is no more
  } wait_e;

  // Of a SYN, all that counts.
  typedef struct packed {
    wc_net_pkg::station_t  station;
    logic [15:0]           port;
    logic [31:0]           seq;
    logic                  mss_given;
    logic [15:0]           mss;
    logic                  scale_given;
    logic [3:0]            scale;
    logic                  sack_permitted;
    logic                  times_given;
    logic [31:0]           time_value;
  } syn_t;

  typedef struct packed {
    wait_e                 kind;
    logic [15:0]           id;
    wc_tcp_pkg::segment_t  segment;
  } entry_t;

  // ---- the table of connections: three ask it ---------------------------------------------------
  logic front_asks, head_asks, close_asks;
  logic ask_ready, answered, for_front_q, for_head_q;
  wc_tcp_lookup_pkg::ask_t ask, head_ask;
  wc_tcp_lookup_pkg::answer_t found;
  logic [15:0] close_id;
  wc_tcp_lookup_pkg::peer_t front_peer;

  always_comb begin
    ask = '{action: Find, peer: front_peer, id: '0};
    if (close_asks) ask = '{action: Remove, peer: '0, id: close_id};
    if (head_asks) ask = head_ask;
  end

  wc_tcp_lookup #(
    .Connections(Connections)
  ) u_lookup (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .seed_i        (seed_i),
    .ask_valid_i   (front_asks || head_asks || close_asks),
    .ask_ready_o   (ask_ready),
    .ask_i         (ask),
    .answer_valid_o(answered),
    .answer_o      (found),
    .about_valid_i (about_valid_i),
    .about_id_i    (about_id_i),
    .about_busy_o  (about_busy_o),
    .about_peer_o  (about_peer_o)
  );

  always_ff @(posedge clk_i) begin
    if (ask_ready) begin
      for_head_q <= head_asks;
      for_front_q <= !head_asks && !close_asks;
    end
  end

  // ---- front ------------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    FrontFinds,
    FrontWaits,
    FrontLooks,  // whether the connection lingers
    FrontPuts
  } front_e;

  front_e front_q;
  logic front_now, front_found, front_found_q, front_lingers_q;
  logic [15:0] front_id, front_id_q;
  wc_tcp_pkg::segment_t said;  // the segment: one that comes, or a SYN that comes again
  logic said_valid, said_syn;
  entry_t put, head;
  wait_e front_kind;
  wait_e kind_q;  // the head's, from the cycle after it came: what becomes of it is deep enough
  logic put_valid, put_ready, front_tries, front_puts, front_done, front_skips;
  logic mark_puts, abort_puts, head_take;
  logic lingers, wants_cookie, cookie_ready, cookie_room;
  logic [15:0] abort_id, mark_id_q;

  // A SYN for what waits for its end may end it (RFC 6191): the engine says so. Then the SYN comes
  // again, as if behind the end. There is room for one such SYN; another one is sent again.
  logic syn_held_q, syn_due_q, syn_again_q;  // due: from the next turn of the front on
  logic syn_closes_q;  // the connection has ended
  logic [1:0] syn_given_q;  // the engine has the SYN: the result that comes now is of it
  logic [15:0] syn_id_q;
  syn_t syn_q;

  always_comb begin
    said = segment_i;
    if (syn_again_q) begin
      said.station = syn_q.station;
      said.port = syn_q.port;
      said.seq = syn_q.seq;
      said.flags = '{syn: 1'b1, default: '0};
      said.bytes = '0;  // their fate is known
      said.options.mss_given = syn_q.mss_given;
      said.options.mss = syn_q.mss;
      said.options.scale_given = syn_q.scale_given;
      said.options.scale = syn_q.scale;
      said.options.sack_permitted = syn_q.sack_permitted;
      said.options.times_given = syn_q.times_given;
      said.options.time_value = syn_q.time_value;
    end
  end

  assign said_valid = syn_again_q || segment_valid_i;
  assign said_syn = said.flags.syn && !said.flags.ack && !said.flags.fin && !said.flags.rst;
  assign front_peer = '{ip: said.station.ip, port: said.port};
  assign front_asks = front_q == FrontFinds && said_valid && ready_o && !syn_due_q;

  // What is found goes into the queue at once, but for a SYN, of which more must be known.
  assign front_now = front_q == FrontWaits && answered && for_front_q;
  assign front_found = front_now ? found.done : front_found_q;
  assign front_id = front_now ? found.id : front_id_q;
  assign front_tries = front_q == FrontPuts || (front_now && !(found.done && said_syn));

  always_comb begin
    if (front_found) front_kind = WaitFound;
    else if (said.flags.rst) front_kind = WaitNone;
    else if (said_syn) front_kind = WaitCookie;
    else if (said.flags.ack && !said.flags.syn) front_kind = WaitOpens;
    else front_kind = WaitReset;
  end

  assign wants_cookie = front_kind inside {WaitCookie, WaitOpens};
  assign front_skips = front_kind == WaitNone && said.bytes == '0;
  // A cookie is asked for in the cycle in which the segment finds room.
  assign front_puts = front_tries && !front_skips
                      && (!wants_cookie || (cookie_ready && cookie_room));
  assign front_done = front_tries
                      && (front_skips || (front_puts && put_ready && !mark_puts && !abort_puts));
  assign segment_ready_o = front_done && !syn_again_q;

  always_ff @(posedge clk_i) begin
    unique case (front_q)
      FrontFinds: if (front_asks && ask_ready && !head_asks && !close_asks) front_q <= FrontWaits;
      FrontWaits: begin
        front_found_q <= found.done;
        front_id_q <= found.id;
        if (front_now) front_q <= front_done ? FrontFinds : front_tries ? FrontPuts : FrontLooks;
      end
      FrontLooks: begin
        front_lingers_q <= lingers;
        front_q <= FrontPuts;
      end
      default: if (front_done) front_q <= FrontFinds;
    endcase
    // A SYN is held until the engine says what comes of it: a result at most one cycle later than
    // the SYN is of an event before.
    if (front_done && front_found && said_syn && front_lingers_q && !syn_held_q) begin
      syn_held_q <= 1'b1;
      syn_closes_q <= 1'b0;
      syn_given_q <= '0;
      syn_id_q <= front_id_q;
      syn_q <= '{
          station: said.station,
          port: said.port,
          seq: said.seq,
          mss_given: said.options.mss_given,
          mss: said.options.mss,
          scale_given: said.options.scale_given,
          scale: said.options.scale,
          sack_permitted: said.options.sack_permitted,
          times_given: said.options.times_given,
          time_value: said.options.time_value
      };
    end else if (syn_due_q) begin
      if (front_q == FrontFinds) begin
        syn_due_q <= 1'b0;
        syn_again_q <= 1'b1;
      end
    end else if (syn_held_q && !syn_again_q) begin
      if (head_take && kind_q == WaitFound && head.segment.flags.syn
          && head.id == syn_id_q) begin
        syn_given_q <= 2'd1;
        if (event_dropped_i) syn_held_q <= 1'b0;
      end else if (syn_given_q != '0 && syn_given_q != '1) begin
        syn_given_q <= syn_given_q + 1'b1;
      end
      if (result_valid_i && result_i.id == syn_id_q) begin
        if (result_i.closed) syn_closes_q <= 1'b1;
        else if (syn_given_q == '1 && !syn_closes_q) syn_held_q <= 1'b0;
      end
      if (mark_puts && put_ready && mark_id_q == syn_id_q) syn_due_q <= 1'b1;
    end else if (front_done && syn_again_q) begin
      syn_held_q <= 1'b0;
      syn_again_q <= 1'b0;
    end
    if (rst_i) begin
      front_q <= FrontFinds;
      syn_held_q <= 1'b0;
      syn_due_q <= 1'b0;
      syn_again_q <= 1'b0;
    end
  end

  // ---- cookies ----------------------------------------------------------------------------------
  wc_tcp_cookie_pkg::ask_t cookie_ask;
  wc_tcp_cookie_pkg::answer_t cookie_answer, cookie;
  logic cookie_comes, cookie_valid, cookie_take, cookie_asked, cookie_fits;
  logic [$clog2(Cookies):0] cookies_q;
  logic cookie_taken_q;

  // The segment stands there while it is looked for.
  always_ff @(posedge clk_i) begin
    cookie_ask <= '{
        ack: !said.flags.syn,
        ip: said.station.ip,
        port: said.port,
        isn: said.seq - 32'(!said.flags.syn),
        cookie: said.ack - 32'd1,
        mss_given: said.options.mss_given,
        mss: said.options.mss,
        sack: said.options.sack_permitted,
        scale_given: said.options.scale_given,
        scale: said.options.scale,
        times_given: said.options.times_given,
        echo: said.options.time_echo[5:0]
    };
  end

  assign cookie_asked = front_done && wants_cookie;
  assign cookie_room = !cookies_q[$clog2(Cookies)];

  wc_tcp_cookie u_cookie (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .secret_i      (secret_i),
    .now_i         (now_i),
    .ask_valid_i   (cookie_asked),
    .ask_ready_o   (cookie_ready),
    .ask_i         (cookie_ask),
    .answer_valid_o(cookie_comes),
    .answer_o      (cookie_answer)
  );

  wc_fifo_shallow #(
    .data_t(wc_tcp_cookie_pkg::answer_t),
    .Depth (Cookies)
  ) u_cookies (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(cookie_comes),
    .ready_o(cookie_fits),  // always: no more are asked for than there is room
    .data_i (cookie_answer),
    .valid_o(cookie_valid),
    .ready_i(cookie_take),
    .data_o (cookie)
  );

  always_ff @(posedge clk_i) begin
    cookie_taken_q <= cookie_take;
    cookies_q <= cookies_q + ($clog2(Cookies) + 1)'(cookie_asked)
                 - ($clog2(Cookies) + 1)'(cookie_taken_q);
    if (rst_i) begin
      cookies_q <= '0;
      cookie_taken_q <= 1'b0;
    end
  end

  // ---- what closes, and what gives way ----------------------------------------------------------
  logic closed_ready, closed_valid, ids_ready;
  logic close_busy_q, mark_q;
  logic [15:0] closed_id;

  assign ready_o = closed_ready && ids_ready;
  assign close_asks = closed_valid && !close_busy_q && !mark_q && !head_asks;
  assign close_id = closed_id;
  assign mark_puts = mark_q;

  wc_tcp_queue #(
    .Connections(Connections)
  ) u_closed (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (closed_ready),
    .put_valid_i(result_valid_i && result_i.closed),
    .put_id_i   (result_i.id),
    .valid_o    (closed_valid),
    .ready_i    (close_asks && ask_ready),
    .id_o       (closed_id),
    .some_o     ()
  );

  always_ff @(posedge clk_i) begin
    if (close_asks && ask_ready) begin
      close_busy_q <= 1'b1;
      mark_id_q <= closed_id;
    end else if (close_busy_q && answered && !for_front_q && !for_head_q) begin
      close_busy_q <= 1'b0;
      mark_q <= 1'b1;
    end else if (mark_q && put_ready) begin
      mark_q <= 1'b0;
    end
    if (rst_i) begin
      close_busy_q <= 1'b0;
      mark_q <= 1'b0;
    end
  end

  logic free_valid, free_take, abort_valid, recycles;
  logic [15:0] free_id;

  wc_tcp_ids #(
    .Connections(Connections),
    .Reserve    (Reserve)
  ) u_ids (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .ready_o         (ids_ready),
    .most_i          (most_i),
    .result_valid_i  (result_valid_i),
    .result_id_i     (result_i.id),
    .result_lingers_i(result_i.lingers),
    .look_valid_i    (answered && for_front_q),
    .look_id_i       (found.id),
    .lingers_o       (lingers),
    .free_valid_o    (free_valid),
    .free_ready_i    (free_take),
    .free_id_o       (free_id),
    .back_valid_i    (back_valid_i),
    .back_id_i       (back_id_i),
    .recycle_valid_o (abort_valid),
    .recycle_ready_i (abort_puts && put_ready),
    .recycle_id_o    (abort_id),
    .recycles_o      (recycles)
  );

  assign abort_puts = abort_valid && !mark_q;

  // ---- the queue --------------------------------------------------------------------------------
  logic queued, head_valid, put_taken;
  logic seen_q;

  always_comb begin
    put = '{kind: front_kind, id: front_id, segment: said};
    if (abort_puts) begin
      put.kind = WaitAbort;
      put.id = abort_id;
    end
    if (mark_puts) begin
      put.kind = WaitGone;
      put.id = mark_id_q;
    end
  end

  assign put_valid = front_puts || mark_puts || abort_puts;
  assign put_taken = put_valid && put_ready;
  assign coming_valid_o = put_taken && put.kind == WaitFound;
  assign coming_id_o = put.id;

  wc_fifo_shallow #(
    .data_t(entry_t),
    .Depth (Depth)
  ) u_queue (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(put_valid),
    .ready_o(put_ready),
    .data_i (put),
    .valid_o(queued),
    .ready_i(head_take),
    .data_o (head)
  );

  assign head_valid = queued && seen_q;

  always_ff @(posedge clk_i) begin
    kind_q <= head.kind;
    seen_q <= queued && !head_take;
    if (rst_i) seen_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    event_hurry_o <= crowded_i && head_valid && kind_q == WaitFound && !head_take;
    if (rst_i) event_hurry_o <= 1'b0;
  end

  // ---- head -------------------------------------------------------------------------------------
  typedef enum logic [2:0] {
    HeadLooks,    // at what is there
    HeadFinds,    // asks again: those before it may have opened its connection
    HeadFound,
    HeadInserts,
    HeadInserted,
    HeadGives,    // an event of what was found again
    HeadOpens     // the event that opens
  } head_e;

  head_e head_q;
  logic [15:0] again_id_q;
  logic answers, answer_lost, acks, too_many, drops;
  answer_t answer;

  assign head_asks = head_q inside {HeadFinds, HeadInserts};
  assign head_ask = '{
      action: head_q == HeadFinds ? Find : Insert,
      peer: '{ip: head.segment.station.ip, port: head.segment.port},
      id: free_id
  };
  assign acks = cookie.good || cookie.early;

  // An answer to a segment that was asked for again, in the cycle in which it comes.
  logic again, again_opens, again_ends, inserted;
  assign again = head_q == HeadFound && answered && for_head_q;
  assign inserted = head_q == HeadInserted && answered && for_head_q;
  assign again_opens = again && !found.done && cookie.good && free_valid;
  assign again_ends = again && !found.done && !(cookie.good && free_valid);
  // While one gives way there soon is room: the peer sends again. No place in the table: as if full.
  assign too_many = (again_ends && cookie.good && !recycles) || (inserted && !found.done);

  assign event_valid_o = (head_valid && head_q == HeadLooks && fate_ready_i
                          && kind_q inside {WaitFound, WaitAbort})
                         || head_q inside {HeadGives, HeadOpens};

  always_comb begin
    event_o = '{
        kind: kind_q == WaitAbort ? EventAbort : EventSegment,
        id: head_q == HeadLooks ? head.id : again_id_q,
        opens: head_q == HeadOpens,
        options: cookie.options,
        bytes: '0,
        grows: 1'b0,
        segment: head.segment
    };
  end

  // What ends at the head, and whether nothing comes of it.
  always_comb begin
    head_take = 1'b0;
    drops = 1'b0;
    unique case (head_q)
      HeadLooks: begin
        unique case (kind_q)
          WaitFound, WaitAbort: begin
            head_take = event_valid_o && event_ready_i;
            drops = event_dropped_i;
          end
          WaitCookie: begin
            head_take = cookie_valid && fate_ready_i;
            drops = 1'b1;
          end
          WaitOpens: begin
            head_take = cookie_valid && fate_ready_i && !acks;
            drops = 1'b1;
          end
          WaitGone: head_take = fate_ready_i;  // whoever takes fates takes this in order
          default: begin
            head_take = fate_ready_i;
            drops = 1'b1;
          end
        endcase
        head_take = head_take && head_valid;
      end
      HeadGives, HeadOpens: begin
        head_take = event_ready_i;
        drops = event_dropped_i;
      end
      HeadFound: begin
        head_take = again_ends;
        drops = 1'b1;
      end
      HeadInserted: begin
        head_take = inserted && !found.done;
        drops = 1'b1;
      end
      default: ;
    endcase
  end

  assign cookie_take = head_take && kind_q inside {WaitCookie, WaitOpens};
  assign free_take = inserted && found.done;
  assign gone_valid_o = head_take && kind_q == WaitGone;
  assign gone_id_o = head.id;
  assign fate_o = '{given: !drops, bytes: head.segment.bytes != '0};
  assign fate_valid_o = head_take && !(kind_q inside {WaitAbort, WaitGone})
                        && (!drops || head.segment.bytes != '0);

  always_ff @(posedge clk_i) begin
    unique case (head_q)
      HeadLooks: if (head_valid && kind_q == WaitOpens && cookie_valid && fate_ready_i && acks)
        head_q <= HeadFinds;
      HeadFinds: if (ask_ready) head_q <= HeadFound;
      HeadFound: if (again) begin
        again_id_q <= found.id;
        head_q <= found.done ? HeadGives : again_opens ? HeadInserts : HeadLooks;
      end
      HeadInserts: if (ask_ready) head_q <= HeadInserted;
      HeadInserted: if (inserted) begin
        again_id_q <= free_id;
        head_q <= found.done ? HeadOpens : HeadLooks;
      end
      default: if (event_ready_i) head_q <= HeadLooks;
    endcase
    if (rst_i) head_q <= HeadLooks;
  end

  // ---- answers ----------------------------------------------------------------------------------
  assign answers = too_many || (head_take && kind_q inside {WaitCookie, WaitReset})
                   || (head_take && kind_q == WaitOpens && head_q == HeadLooks);

  always_comb begin
    answer = '{
        kind: AnswerCookie,
        station: head.segment.station,
        port: head.segment.port,
        seq: cookie.number,
        ack: head.segment.seq + 32'd1,
        times: cookie.options.times,
        time_value: cookie.stamp,
        time_echo: head.segment.options.time_value,
        scaled: cookie.options.scale != wc_tcp_cookie_pkg::NoScale,
        sack: cookie.options.sack
    };
    if (too_many) begin
      answer.kind = AnswerTooMany;
      answer.seq = head.segment.ack;
      answer.ack = head.segment.seq;
      answer.times = head.segment.options.times_given;
      answer.time_value = now_i;
    end else if (kind_q != WaitCookie) begin
      answer.kind = head.segment.flags.ack ? AnswerReset : AnswerRefuse;
      answer.seq = head.segment.flags.ack ? head.segment.ack : '0;
      answer.ack = head.segment.flags.ack ? '0
                   : head.segment.seq + 32'(head.segment.bytes) + 32'(head.segment.flags.syn)
                     + 32'(head.segment.flags.fin);
      answer.times = 1'b0;
    end
  end

  wc_tcp_answer #(
    .RingBits(RingBits),
    .OurScale(OurScale)
  ) u_answer (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .answer_valid_i(answers),
    .answer_lost_o (answer_lost),
    .answer_i      (answer),
    .out_valid_o   (out_valid_o),
    .out_ready_i   (out_ready_i),
    .out_o         (out_o)
  );

  // ---- what is counted --------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    counts_o <= '{
        cookie: head_take && kind_q == WaitCookie,
        opened: free_take,
        refused: too_many,
        bad_cookie: head_take && kind_q == WaitOpens && head_q == HeadLooks,
        early: again_ends && cookie.early,
        reset: head_take && (kind_q == WaitReset
                             || (kind_q == WaitOpens && head_q == HeadLooks)),
        flooded: head_take && event_valid_o && event_dropped_i,
        unanswered: answer_lost
    };
    if (rst_i) counts_o <= '0;
  end

  // Everybody gets an answer: the head waits for the engine, the table or a cookie, all of which are
  // bounded, and for room in the queue of fates.
`ifndef SYNTHESIS
  localparam int unsigned MostEvent = 4 * 100;  // steps of wc_tcp_events, which asserts them
  localparam int unsigned MostCookie = 44;
  localparam int unsigned MostTable = 23;
  // Of the table two asks, each behind another's.
  localparam int unsigned MostWait = MostEvent + MostCookie + 4 * MostTable;
  logic [31:0] waits_q;
  always_ff @(posedge clk_i) begin
    waits_q <= head_valid && !head_take && fate_ready_i ? waits_q + 1'b1 : '0;
    if (rst_i) waits_q <= '0;
  end
  `WC_ASSERT(head_goes_on, waits_q <= MostWait)
`endif
  `WC_ASSERT(cookie_has_room, !cookie_comes || cookie_fits)
  `WC_ASSERT(table_answers_one, !answered || for_front_q || for_head_q || close_busy_q)
  `WC_ASSERT(fate_fits, !fate_valid_o || fate_ready_i)
  `WC_ASSERT(abort_kept, !head_valid || kind_q != WaitAbort || !event_hurry_o)

endmodule

`default_nettype wire
