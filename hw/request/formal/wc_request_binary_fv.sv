// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_binary: pieces of packets of any length, with headers that name any opcode,
// keys of up to 31 bytes, extras of up to 31 and bodies of up to 63, or those and 8 MiB.
// Rule 1: each packet that ends, with its one piece that has stop, is closed exactly once, after
//         that piece was taken and before one of the next packet is; nothing else is closed.
// Rule 2: each request that is begun has exactly one operation put: before its packet is closed and
//         before the first piece of the next request is taken. None is put for what follows in its
//         packet a wrong magic byte, a quit or a request that ends its packet (StBadFormat, lengths
//         that contradict each other, a value too large for memcached).
// Rule 3: a GET, SET or DELETE commits as many key words as its key_len asks for, a SET as many
//         value words as its value_len does; the last of them, and no other, is marked. What any
//         other operation has pushed is taken back with it: at a close nothing is left.
// Rule 4: pieces are taken only when halt_i was low in the cycle before; no cycle puts and closes;
//         where neither halt_i nor stall_i holds it up, a piece is taken, an operation
//         put and a packet closed within six cycles.
// Rule 5: an INCR or DECR is put with the numbers that its extras hold, and creates just when their
//         exptime is not all ones.
// Assumed: pieces as wc_request_cutter_fv shows them, each offered until it is taken; stall_i only
// in the cycle after halt_i.
`include "wc_assert.svh"
`default_nettype none

module wc_request_binary_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_pkg::*;
#(
  parameter int unsigned MaxKey     = 10,
  parameter int unsigned StoreBytes = 16
) (
  input wire logic  clk_i,
  input wire logic  rst_i,
  input wire logic  valid_i,
  input wire logic  stop_i,
  input wire logic  clean_i,
  input wire word_t data_i,
  input wire logic  halt_i,
  input wire logic  stall_i
);

  typedef enum logic [2:0] {
    First0,
    First1,
    First2,
    Extra,
    Key,
    Value
  } place_e;

  typedef logic [5:0] words_t;  // more than the search can push

  piece_t piece;
  logic taken, idle;
  action_t act;
  request_t request;
  place_e place_q, place_d;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_binary #(
    .MaxKey    (MaxKey),
    .StoreBytes(StoreBytes)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .piece_valid_i(valid_i),
    .piece_taken_o(taken),
    .idle_o       (idle),
    .piece_i      (piece),
    .halt_i       (halt_i),
    .stall_i      (stall_i),
    .most_bytes_i (value_len_t'(MaxValueBytes)),
    .exptime_o    (),
    .flush_i      ('0),
    .action_o     (act),
    .request_o    (request)
  );

  // ---- pieces by the lengths in the header ------------------------------------------------------
  logic [15:0] key_bytes_q;
  logic [7:0] extras_q, opcode_q;
  logic [31:0] body_q, body, rest, value_bytes;
  value_len_t left_q, left_d;  // bytes of the field that is cut
  logic [16:0] skip;
  logic plain_extras, value_any, last;

  function automatic value_len_t less(input value_len_t bytes);
    return bytes > value_len_t'(8) ? bytes - value_len_t'(8) : '0;
  endfunction

  assign plain_extras = extras_q inside {8'd0, 8'd4, 8'd8, 8'd20};
  assign skip = 17'(key_bytes_q) + 17'(extras_q);
  assign body = place_q == First1 ? {data_i[7:0], data_i[15:8], data_i[23:16], data_i[31:24]}
                                  : body_q;
  assign rest = plain_extras ? body_q - 32'(skip) : body_q;
  assign value_any = rest != '0;
  assign value_bytes = |rest[31:$bits(value_len_t)] ? '1 : rest;
  assign last = place_q == First2
                || (place_q inside {Extra, Key, Value} && left_q <= value_len_t'(8));

  always_comb begin
    place_d = place_q;
    left_d = less(left_q);
    unique case (place_q)
      First0: place_d = First1;
      First1: place_d = First2;
      First2, Extra: if (last) begin
        if (place_q == First2 && extras_q inside {8'd4, 8'd8, 8'd20}) begin
          place_d = Extra;
          left_d = value_len_t'(extras_q);
        end else if (key_bytes_q != '0 && plain_extras) begin
          place_d = Key;
          left_d = value_len_t'(key_bytes_q);
        end else begin
          place_d = value_any ? Value : First0;
          left_d = value_len_t'(value_bytes);
        end
      end
      Key: if (last) begin
        place_d = value_any ? Value : First0;
        left_d = value_len_t'(value_bytes);
      end
      default: if (last) place_d = First0;
    endcase
    if (stop_i) place_d = First0;
  end

  always_comb begin
    piece = '0;
    piece.binary = 1'b1;
    piece.stop = stop_i;
    piece.clean = clean_i;
    piece.last = last;
    piece.in_first = place_q inside {First0, First1, First2};
    piece.in_extra = place_q == Extra;
    piece.in_key = place_q == Key;
    piece.in_value = place_q == Value;
    piece.last_key = place_q == Key && last;
    piece.last_value = place_q == Value && last;
    piece.magic = data_i[7:0] == 8'h80;
    piece.data = data_i;
  end

  `WC_ASSUME(offered, $past(rst_i) || !$past(valid_i) || $past(taken)
                      || (valid_i && {stop_i, clean_i, data_i} == $past({stop_i, clean_i, data_i})))
  `WC_ASSUME(halted, !stall_i || $past(halt_i))

  // Lengths that the search cannot reach the end of are those that are too large for memcached, and
  // those of which the header contradicts itself.
  `WC_ASSUME(short_key, place_q != First0 || {data_i[23:16], data_i[31:29], data_i[39:37]} == '0)
  `WC_ASSUME(short_body, place_q != First1 || (body & 32'hff7f_ffc0) == '0)

  always_ff @(posedge clk_i) begin
    if (taken) begin
      place_q <= place_d;
      left_q <= left_d;
      if (place_q == First0) begin
        opcode_q <= data_i[15:8];
        key_bytes_q <= {data_i[23:16], data_i[31:24]};
        extras_q <= data_i[39:32];
      end
      if (place_q == First1) body_q <= body;
    end
    if (rst_i) place_q <= First0;
  end

  // ---- closes and answers -----------------------------------------------------------------------
  logic ends, ended_q;  // the packet's last piece is taken; and it is not closed
  logic begins;         // a request
  logic owed_q, lost_q; // the request is not answered; the packet is given up
  logic quits, ends_packet;

  assign ends = taken && stop_i;
  assign begins = taken && place_q == First0 && !(stop_i && clean_i);
  assign quits = request.op.status == StOk && opcode_q inside {8'h07, 8'h17};
  always_comb begin
    unique case (request.op.status)
      StBadFormat: ends_packet = 1'b1;
      StUnknown:   ends_packet = body_q < 32'(skip);
      StTooLarge:  ends_packet = !taken;  // otherwise its value has passed
      default:     ends_packet = quits;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (ends) ended_q <= 1'b1;
    if (begins && !lost_q) begin
      owed_q <= piece.magic || stop_i;
      lost_q <= !piece.magic && !stop_i;
    end
    if (act.put) begin
      owed_q <= 1'b0;
      if (ends_packet) lost_q <= 1'b1;
    end
    if (act.close) begin
      ended_q <= 1'b0;
      owed_q <= 1'b0;
      lost_q <= 1'b0;
    end
    if (rst_i) begin
      ended_q <= 1'b0;
      owed_q <= 1'b0;
      lost_q <= 1'b0;
    end
  end

  `WC_ASSERT(close_is_due, !act.close || ended_q || ends)
  `WC_ASSERT(nothing_behind, !ended_q || !taken)
  `WC_ASSERT(put_is_due, !act.put || (owed_q && !lost_q))
  `WC_ASSERT(answered, !owed_q || !(begins || act.close))
  `WC_ASSERT(one_of_both, !(act.put && act.close))
  `WC_ASSERT(halts, !taken || !$past(halt_i))
  `WC_ASSERT(idle_is_closed, !idle || (!ended_q && !(owed_q && place_q inside {First1, First2})))
  `WC_ASSERT(no_get_command, !act.mark_last)

  // ---- words ------------------------------------------------------------------------------------
  words_t key_words_q, key_words, value_words_q, value_words;
  logic key_end_q, key_end, value_end_q, value_end;
  logic with_key, with_value;

  assign key_words = key_words_q + words_t'(act.key_push);
  assign key_end = key_end_q || (act.key_push && act.key_last);
  assign value_words = value_words_q + words_t'(act.value_push);
  assign value_end = value_end_q || (act.value_push && act.value_last);
  assign with_key = act.put && effect_of(request.op.op).need != NeedNoKey;
  assign with_value = act.put && effect_of(request.op.op).value;

  always_ff @(posedge clk_i) begin
    key_words_q <= key_words;
    key_end_q <= key_end;
    value_words_q <= value_words;
    value_end_q <= value_end;
    if (act.key_commit || act.key_abort || rst_i) begin
      key_words_q <= '0;
      key_end_q <= 1'b0;
    end
    if (act.value_commit || act.value_abort || rst_i) begin
      value_words_q <= '0;
      value_end_q <= 1'b0;
    end
  end

  `WC_ASSERT(key_one_end, !act.key_push || !key_end_q)
  `WC_ASSERT(value_one_end, !act.value_push || !value_end_q)
  `WC_ASSERT(key_with_op, act.key_commit == with_key)
  `WC_ASSERT(key_is, !with_key || (key_end && 9'(key_words) == (9'(request.op.key_len) + 9'd7) / 8))
  `WC_ASSERT(value_with_op, !with_value || act.value_commit)
  `WC_ASSERT(value_is, !with_value || (value_end == (request.value_len != '0)
                                       && 22'(value_words) == (25'(request.value_len) + 25'd7) / 8))
  `WC_ASSERT(value_of_set, !act.value_commit || with_value || value_words == '0)
  `WC_ASSERT(one_way, !(act.key_commit && act.key_abort) && !(act.value_commit && act.value_abort))
  `WC_ASSERT(rest_goes, !act.put || ((act.key_commit || act.key_abort || key_words == '0)
                        && (act.value_commit || act.value_abort || value_words == '0)))
  `WC_ASSERT(nothing_left, !act.close || (key_words == '0 && value_words == '0))

  // ---- numbers of extras ------------------------------------------------------------------------
  word_t [2:0] extra_q;  // the words of the extras, the last one in the lowest place
  logic counts;

  function automatic number_t turned(input word_t bytes);
    for (int unsigned i = 0; i < 8; i++) turned[8*i+:8] = bytes[8*(7-i)+:8];
  endfunction

  assign counts = act.put && effect_of(request.op.op).change == ChangeNumber;

  always_ff @(posedge clk_i) begin
    if (taken && place_q == Extra) extra_q <= {extra_q[1:0], data_i};
  end

  `WC_ASSERT(delta_is, !counts || request.delta == turned(extra_q[2]))
  `WC_ASSERT(start_is, !counts || request.start == turned(extra_q[1]))
  `WC_ASSERT(creates_is, !counts || request.creates == (extra_q[0][31:0] != '1))

  // ---- nothing waits for long -------------------------------------------------------------------
  logic [2:0] wait_q;

  always_ff @(posedge clk_i) begin
    wait_q <= '0;
    if ((valid_i || ended_q) && !stall_i && !$past(halt_i)
        && !(taken || act.put || act.close)) begin
      wait_q <= wait_q + 1'b1;
    end
    if (rst_i) wait_q <= '0;
  end

  `WC_ASSERT(soon, wait_q < 3'd6)

  `WC_COVER(set_with_value, with_value && value_words == words_t'(2) && key_words == words_t'(2))
  `WC_COVER(two_requests, act.close && $past(act.put && request.op.op == OpGet, 5))
  `WC_COVER(cut_in_a_value, act.close && $past(act.put) && $past(value_words_q != '0))
  `WC_COVER(too_large, act.put && request.op.status == StTooLarge && !taken)
  `WC_COVER(too_long_for_the_queue, act.put && request.op.status == StTooLarge && !stop_i
                                    && taken)
  `WC_COVER(dropped, act.close && $past(lost_q && taken && place_q == First1 && !stop_i))
  `WC_COVER(touched, act.put && request.op.op == OpTouch && key_words == words_t'(1))
  `WC_COVER(counted, counts && request.creates && key_words == words_t'(1) && act.key_commit)
  `WC_COVER(flush_later, act.put && request.op.op == OpFlush && $past(taken && place_q == Extra, 4))

endmodule

`default_nettype wire
