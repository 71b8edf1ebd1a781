// SPDX-License-Identifier: Apache-2.0
// Brings together the findings about a frame and says, once for every frame, what becomes of the
// frame: of several causes of a drop the first in the order of net_events_t counts. The findings
// are read at fixed times after the frame's end (cycle 0), because the next frame may follow at
// once and overwrite them.
// Latency 5 cycles from end_i, 4 to what becomes of the frame's words; one frame per cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_verdict (
  input  wire logic                clk_i,
  input  wire logic                rst_i,
  input  wire logic                end_i,         // cycle 0
  input  wire wc_pkg::net_events_t early_i,       // causes, read in cycle 0
  input  wire wc_pkg::net_events_t middle_i,      // cycle 1
  input  wire logic                arp_i,         // cycle 1: what the frame is; only used for a
  input  wire logic                icmp_i,        //          frame that is not dropped
  input  wire logic                tcp_i,
  input  wire wc_pkg::net_events_t late_i,        // cycle 2
  input  wire wc_pkg::net_events_t if_sum_bad_i,  // cycle 2: the cause that a bad checksum would be
  input  wire logic                sum_ok_i,      // cycle 3
  input  wire logic                lost_i,        // cycle 3: a segment of TCP found no room
  output logic                     request_o,     // cycle 4: keep what was written as a request,
  output logic                     reply_o,       //          as a reply, as a segment, or nothing
  output logic                     segment_o,     //          of it: for every frame one of each
  output logic                     not_request_o, //          pair
  output logic                     not_reply_o,
  output logic                     not_segment_o,
  output wc_pkg::net_events_t      events_o       // cycle 5
);

  import wc_pkg::net_events_t;

  localparam int unsigned Width = $bits(net_events_t);
  localparam int unsigned Group = 5;

  function automatic net_events_t first_of(input logic [Width-1:0] causes);
    logic [Width-1:0] first, above, group;
    // The causes are looked at in groups, as one chain over all of them would be deep.
    for (int unsigned i = 0; i < Width; i++) begin
      above = ~((Width'(2) << i) - Width'(1));  // those before i
      group = above & ((Width'(1) << (Group * (i / Group + 1))) - Width'(1));
      first[i] = causes[i] && !(|(causes & group)) && !(|(causes & above & ~group));
    end
    return net_events_t'(first);
  endfunction

  logic [4:1] valid_q;
  logic [3:2] arp_q, icmp_q, tcp_q;
  net_events_t causes1_q, causes2_q;
  net_events_t causes3_q, bad3_q;    // without and with what a bad checksum would be
  net_events_t taken;                // the event of a frame without a cause
  net_events_t good4_q, bad4_q;      // the events, should the checksum be good or bad
  net_events_t lost;                 // the event of a segment that found no room
  logic sum_ok4_q, lost4_q;
  logic clean3_q, sum_counts3_q;     // no cause; a bad checksum would be one
  logic keep, request, reply, segment;

  always_comb begin
    taken = '0;
    taken.arp_reply = arp_q[3];
    taken.icmp_reply = icmp_q[3];
    taken.tcp_in = tcp_q[3];
    taken.request_in = !arp_q[3] && !icmp_q[3] && !tcp_q[3];
    taken.frame_in = 1'b1;
    lost = '0;
    lost.drop_overflow = 1'b1;
    lost.frame_in = 1'b1;
  end

  function automatic net_events_t event_of(input net_events_t causes, input net_events_t otherwise);
    net_events_t out;
    out = (causes == '0) ? otherwise : first_of(causes);
    out.frame_in = 1'b1;
    return out;
  endfunction

  // That there was no room for a segment is known when the other causes are in order already. It is
  // the last of the causes that a segment may have, so it counts only if there is no other.
  assign keep = clean3_q && !lost_i && (sum_ok_i || !sum_counts3_q);
  assign reply = keep && (arp_q[3] || icmp_q[3]);
  assign segment = keep && tcp_q[3];
  assign request = keep && !arp_q[3] && !icmp_q[3] && !tcp_q[3];

  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[3:1], end_i};
    causes1_q <= early_i;
    causes2_q <= causes1_q | middle_i;
    arp_q[2] <= arp_i;
    icmp_q[2] <= icmp_i;
    tcp_q[2] <= tcp_i;
    causes3_q <= causes2_q | late_i;
    bad3_q <= causes2_q | late_i | if_sum_bad_i;
    clean3_q <= (causes2_q | late_i) == '0;
    sum_counts3_q <= if_sum_bad_i != '0;
    arp_q[3] <= arp_q[2];
    icmp_q[3] <= icmp_q[2];
    tcp_q[3] <= tcp_q[2];
    good4_q <= event_of(causes3_q, taken);
    bad4_q <= event_of(bad3_q, taken);
    sum_ok4_q <= sum_ok_i;
    lost4_q <= clean3_q && lost_i;
    request_o <= valid_q[3] && request;
    reply_o <= valid_q[3] && reply;
    segment_o <= valid_q[3] && segment;
    not_request_o <= valid_q[3] && !request;
    not_reply_o <= valid_q[3] && !reply;
    not_segment_o <= valid_q[3] && !segment;
    events_o <= '0;
    if (valid_q[4]) events_o <= !sum_ok4_q ? bad4_q : lost4_q ? lost : good4_q;
    if (rst_i) begin
      valid_q <= '0;
      request_o <= 1'b0;
      reply_o <= 1'b0;
      segment_o <= 1'b0;
      not_request_o <= 1'b0;
      not_reply_o <= 1'b0;
      not_segment_o <= 1'b0;
      events_o <= '0;
    end
  end

  `WC_ASSERT(request_counted, $past(rst_i) || $past(request_o) == events_o.request_in)
  `WC_ASSERT(reply_counted, $past(rst_i)
             || $past(reply_o) == (events_o.arp_reply || events_o.icmp_reply))
  `WC_ASSERT(segment_counted, $past(rst_i) || $past(segment_o) == events_o.tcp_in)

endmodule

`default_nettype wire
