// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_emit.
// Rule 1: every operation that is put comes out once, in order and with what it was put with; what
//         else comes out says nothing (OpNone, SaySilent).
// Rule 2: every packet that is closed ends with an operation marked last, and without more: the one
//         put last or, where none was, one that says nothing. Before it an operation is marked last,
//         with more, exactly when it ends its command and its message has Operations or more, or it
//         is a command of the host. Of a packet of TCP: when the words of its message come to
//         TcpMessageWords, or it takes a value, or the one behind it does, or it is a command of the
//         host. Before that its message had fewer words (tcp_is_bounded in the cell).
// Rule 3: an operation is marked as the last of its get command exactly when it was named so, and
//         what was put is held back only until the next is put or the packet is closed.
// Assumed: an operation is not put in the cycle in which its packet is closed, nor marked in the
// cycle in which it is let go. Whether a packet is of TCP is the same until it is closed.
`include "wc_assert.svh"
`default_nettype none

module wc_request_emit_fv
  import wc_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       put_i,
  input wire logic       mark_last_i,
  input wire logic       close_i,
  input wire logic       binary_i,
  input wire logic       host_i,     // the operation is the host's; or
  input wire logic       get_i,      // a GET,
  input wire logic       get_binary_i,  // of the binary protocol, or
  input wire logic       get_meta_i,    // of a meta command; or
  input wire logic       set_i,         // it takes a value
  input wire key_len_t   key_len_i,
  input wire logic       tcp_i,
  input wire logic [1:0] conn_i,
  input wire logic [1:0] mark_i  // to know an operation again
);

  localparam int unsigned Operations = 3;  // the design has 256: the cell only counts to it

  logic valid;
  request_t put, out;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  always_comb begin
    put = '0;
    put.op.op = host_i ? OpHost : get_i ? OpGet : set_i ? OpSet : OpDelete;
    put.op.key_len = key_len_i;
    put.op.binary = get_binary_i;
    put.op.meta = get_meta_i;
    put.op.opaque = 32'(mark_i);
    put.flags = 32'(mark_i);
  end

  wc_request_emit #(
    .Operations(Operations)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .lane_i         (lane_t'(5)),
    .conn_i         (conn_t'(conn_i)),
    .tcp_i          (tcp_i),
    .binary_i       (binary_i),
    .put_i          (put_i),
    .mark_last_i    (mark_last_i),
    .close_i        (close_i),
    .request_i      (put),
    .request_valid_o(valid),
    .request_o      (out)
  );

  `WC_ASSUME(put_before_close, !put_i || !close_i)
  `WC_ASSUME(mark_in_time, !mark_last_i || (!put_i && !close_i))
  `WC_ASSUME(key_is_no_longer, key_len_i <= key_len_t'(MaxKeyBytes))
  `WC_ASSUME(tcp_stays, $past(rst_i) || $past(close_i) || tcp_i == $past(tcp_i))

  // The operation that is held back, and what is to come out in the next cycle.
  logic held_q, cmd_last_q, host_q, get_q, get_binary_q;
  logic [1:0] count_q;  // operations of the message that were let go, 3 at most
  logic get_meta_q, set_q;
  logic [7:0] words_q, put_words;  // of the message, with the operation held back; of the one put
  logic emit, ends, tcp_ends;
  logic out_more_q, out_get_q, out_tcp_q;
  logic [1:0] mark_q, out_mark_q, out_conn_q;
  logic out_q, out_held_q, out_last_q, out_cmd_last_q, out_binary_q;

  assign emit = close_i || (put_i && held_q);
  assign tcp_ends = held_q && (words_q >= 8'd128 || set_q || (put_i && set_i && !get_i && !host_i));
  assign ends = (!tcp_i && count_q >= 2'(Operations - 1)
                 && (!get_q || get_binary_q || get_meta_q || cmd_last_q))
                || (tcp_i && tcp_ends) || (held_q && host_q);
  assign put_words = 8'((9'(key_len_i) + 9'd7) >> 3) + (get_meta_i ? 8'd5 : 8'd1);

  always_ff @(posedge clk_i) begin
    if (emit) count_q <= close_i || ends ? '0 : count_q == 2'd3 ? 2'd3 : count_q + 1'b1;
    if (put_i) begin
      host_q <= host_i;
      get_q <= get_i && !host_i;
      set_q <= set_i && !get_i && !host_i;
      words_q <= put_words + (held_q && !ends ? words_q : 8'd0);
      get_binary_q <= get_binary_i;
      get_meta_q <= get_meta_i;
      held_q <= 1'b1;
      mark_q <= mark_i;
      cmd_last_q <= 1'b0;
    end
    if (mark_last_i) cmd_last_q <= 1'b1;
    if (close_i) held_q <= 1'b0;
    out_q <= emit;
    out_more_q <= !close_i && ends;
    out_get_q <= get_q;
    out_held_q <= held_q;
    out_last_q <= close_i || ends;
    out_mark_q <= mark_q;
    out_cmd_last_q <= cmd_last_q;
    out_conn_q <= conn_i;
    out_tcp_q <= tcp_i;
    out_binary_q <= binary_i;
    if (rst_i) begin
      held_q <= 1'b0;
      out_q <= 1'b0;
      count_q <= '0;
    end
  end

  `WC_ASSERT(out_when_due, valid == out_q)
  `WC_ASSERT(last_is, !valid || out.op.last == out_last_q)
  `WC_ASSERT(more_is, !valid || out.op.more == out_more_q)
  `WC_ASSERT(what_was_put, !(valid && out_held_q) ||
             ((out.op.op == OpGet) == out_get_q && out.op.opaque == 32'(out_mark_q) &&
              out.flags == 32'(out_mark_q) && out.op.cmd_last == out_cmd_last_q))
  `WC_ASSERT(silent, !(valid && !out_held_q) ||
             (out.op.op == OpNone && out.op.say == SaySilent && out.op.status == StOk &&
              out.op.binary == out_binary_q && out.op.last))
  `WC_ASSERT(whose, !valid || (out.op.conn == conn_t'(out_conn_q) && out.op.lane == lane_t'(5) &&
                               out.op.tcp == out_tcp_q))

  // What ties the checker to the cell.
  `WC_ASSERT(held_is, u_dut.pending_q == held_q)
  `WC_ASSERT(words_are, !held_q || u_dut.words_q == words_q)
  `WC_ASSERT(held_set, !held_q || (u_dut.request_q.op.op == OpSet) == set_q)
  `WC_ASSERT(full_is, u_dut.full_q == (count_q >= 2'(Operations - 1)))
  `WC_ASSERT(count_is, u_dut.full_q || u_dut.count_q == count_q)
  `WC_ASSERT(held_mark, !held_q || (u_dut.request_q.op.opaque == 32'(mark_q) &&
             u_dut.request_q.flags == 32'(mark_q) && (u_dut.request_q.op.op == OpGet) == get_q &&
             (u_dut.request_q.op.op == OpHost) == host_q &&
             u_dut.request_q.op.binary == get_binary_q &&
             u_dut.request_q.op.meta == get_meta_q &&
             u_dut.request_q.op.cmd_last == cmd_last_q))

  `WC_COVER(silent_end, valid && !out_held_q)
  `WC_COVER(marked_end, valid && out_held_q && out_cmd_last_q && out_last_q)
  `WC_COVER(message_behind_message, valid && out_more_q && out_get_q)
  `WC_COVER(words_end_message, valid && out_more_q && out_tcp_q && !$past(set_q || set_i || host_q))
  `WC_COVER(value_alone, valid && out_more_q && out_tcp_q && $past(set_q) && $past(words_q == 8'd2))
  `WC_COVER(host_ends_message, valid && out_more_q && $past(host_q) && $past(count_q == '0))
  `WC_COVER(two_of_a_packet, valid && out_last_q && out_held_q && $past(valid && !out.op.last))

endmodule

`default_nettype wire
