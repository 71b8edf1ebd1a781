// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_answers.
// Rule 1: the engine is told of no byte before memory has it, and of all of a packet before the packet
//         is answered; each event names the packet's connection.
// Rule 2: an event in front of the packet's last says so, and tells of a chunk's bytes or more; the
//         last one says that it is, so nothing waits for more.
// Rule 3: each packet is answered once, in order, with its bytes and what its last message says.
// Rule 4: each write has the words that its bytes need. What a word or memory did wrong ends the
//         connection, before the packet is answered; nothing else does.
// Rule 5: while nobody outside is waited for, something goes on every eight cycles.
// Assumed: memory says in order, once, of each payload that it has taken that it is done; messages of a
// packet come one behind the other; two packets at most, of up to 24 bytes a message, and four writes.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_answers_fv
  import wc_tcp_engine_pkg::*;
  import wc_tcp_requests_pkg::bytes_t;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       message_valid_i,
  input wire logic       message_last_i,
  input wire logic [4:0] message_bytes_i,
  input wire logic [1:0] ids_i,  // of the connection of each packet
  input wire logic       word_valid_i,
  input wire logic       word_error_i,
  input wire logic       write_ready_i,
  input wire logic       payload_ready_i,
  input wire logic       done_valid_i,
  input wire logic       done_error_i,
  input wire logic       event_ready_i
);

  localparam int unsigned Packets = 2;
  localparam int unsigned Writes = 4;
  localparam int unsigned ChunkBytes = 16;

  typedef logic [6:0] total_t;  // bytes, of all packets
  typedef logic [1:0] packet_t;
  typedef logic [2:0] write_count_t;

  wc_tcp_answers_pkg::message_t message;
  wc_tcp_answers_pkg::word_t word;
  wc_tcp_ring_pkg::write_t write;
  wc_tcp_ring_pkg::done_t done;
  wc_pkg::beat_t payload;
  event_t told;
  wc_tcp_requests_pkg::answered_t answered;
  logic message_ready, word_ready, write_valid, payload_valid, done_ready, told_valid;
  logic answered_valid;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- what comes ---------------------------------------------------------------------------------
  packet_t in_q;        // packets that have come
  total_t come_q;       // bytes of messages
  total_t [Packets-1:0] end_q;  // bytes up to the end of each packet
  logic [Packets-1:0] ended_q;

  always_comb begin
    message = '{
      id: 16'(ids_i[in_q[0]]),
      bytes: bytes_t'(message_bytes_i),
      last: message_last_i,
      operations: bytes_t'(in_q),
      needs: ~bytes_t'(in_q)
    };
    word = '{error: word_error_i, data: '0};
    done = '{error: done_error_i, default: '0};
  end

  wc_tcp_answers #(
    .Connections(2),
    .RingBits   (12),
    .ChunkBytes (ChunkBytes),
    .Chunks     (2)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .opened_valid_i  (1'b0),
    .opened_i        ('0),
    .message_valid_i (message_valid_i),
    .message_ready_o (message_ready),
    .message_i       (message),
    .word_valid_i    (word_valid_i),
    .word_ready_o    (word_ready),
    .word_i          (word),
    .write_valid_o   (write_valid),
    .write_ready_i   (write_ready_i),
    .write_o         (write),
    .payload_valid_o (payload_valid),
    .payload_ready_i (payload_ready_i),
    .payload_o       (payload),
    .done_valid_i    (done_valid_i),
    .done_ready_o    (done_ready),
    .done_i          (done),
    .event_valid_o   (told_valid),
    .event_ready_i   (event_ready_i),
    .event_o         (told),
    .answered_valid_o(answered_valid),
    .answered_o      (answered)
  );

  always_ff @(posedge clk_i) begin
    if (message_valid_i && message_ready) begin
      come_q <= come_q + total_t'(message_bytes_i);
      if (message_last_i) begin
        in_q <= in_q + 1'b1;
        end_q[in_q[0]] <= come_q + total_t'(message_bytes_i);
        ended_q[in_q[0]] <= 1'b1;
      end
    end
    if (rst_i) begin
      in_q <= '0;
      come_q <= '0;
      ended_q <= '0;
    end
  end

  // ---- memory -------------------------------------------------------------------------------------
  write_count_t begun_q, paid_q, done_q;  // writes: begun, with all their words, done
  logic [Writes-1:0][4:0] size_q;
  total_t before_q;     // bytes of the writes before the one begun last
  total_t memory_q;     // that it has
  logic [2:0] words_q;  // of the write that have come
  logic wrong_q;        // something was
  total_t wrong_at_q;   // in the write behind so many bytes

  always_ff @(posedge clk_i) begin
    if (write_valid && write_ready_i) begin
      size_q[begun_q[1:0]] <= 5'(write.bytes);
      before_q <= before_q + (begun_q == '0 ? '0 : total_t'(size_q[2'(begun_q-1'b1)]));
      begun_q <= begun_q + 1'b1;
      words_q <= '0;
    end
    if (payload_valid && payload_ready_i) begin
      words_q <= words_q + 1'b1;
      if (payload.last) paid_q <= paid_q + 1'b1;
      if (word_error_i && (!wrong_q || before_q < wrong_at_q)) begin
        wrong_q <= 1'b1;
        wrong_at_q <= before_q;
      end
    end
    if (done_valid_i && done_ready) begin
      done_q <= done_q + 1'b1;
      memory_q <= memory_q + total_t'(size_q[done_q[1:0]]);
      if (done_error_i && (!wrong_q || memory_q < wrong_at_q)) begin
        wrong_q <= 1'b1;
        wrong_at_q <= memory_q;
      end
    end
    if (rst_i) begin
      begun_q <= '0;
      paid_q <= '0;
      done_q <= '0;
      before_q <= '0;
      memory_q <= '0;
      wrong_q <= 1'b0;
    end
  end

  // ---- what is told -------------------------------------------------------------------------------
  packet_t out_q;   // packets that were answered
  total_t told_q;   // bytes
  logic aborted_q;
  total_t telling;  // with the event that is offered
  logic ends;       // it is the packet's last
  total_t start, stop;  // of the packet that is answered next

  assign telling = told_q + total_t'(told.bytes);
  assign start = out_q == '0 ? '0 : end_q[1'(out_q-1'b1)];
  assign stop = end_q[out_q[0]];
  assign ends = ended_q[out_q[0]] && telling == stop;

  always_ff @(posedge clk_i) begin
    if (told_valid && event_ready_i) begin
      told_q <= telling;
      if (told.kind == EventAbort) aborted_q <= 1'b1;
    end
    if (answered_valid) out_q <= out_q + 1'b1;
    if (rst_i) begin
      told_q <= '0;
      out_q <= '0;
      aborted_q <= 1'b0;
    end
  end

  // ---- who is waited for --------------------------------------------------------------------------
  logic waits, moves;
  logic [3:0] still_q;

  assign moves = (message_valid_i && message_ready) || (word_valid_i && word_ready)
                 || (write_valid && write_ready_i) || (done_valid_i && done_ready)
                 || (told_valid && event_ready_i) || answered_valid;
  assign waits = (begun_q != paid_q && !(word_valid_i && payload_ready_i))
                 || (write_valid && !write_ready_i) || (told_valid && !event_ready_i)
                 || (done_q != paid_q && !done_valid_i)
                 || (out_q == in_q && !message_valid_i) || (in_q == out_q && come_q == memory_q);

  always_ff @(posedge clk_i) begin
    still_q <= moves || waits ? '0 : still_q + 1'b1;
    if (rst_i) still_q <= '0;
  end

  `WC_ASSUME(few, !message_valid_i || in_q < packet_t'(Packets))
  `WC_ASSUME(short_ones, message_bytes_i <= 5'd24)
  `WC_ASSUME(few_writes, !write_valid || !write_ready_i || begun_q < write_count_t'(Writes))
  `WC_ASSUME(same_ids, $past(rst_i) || ids_i == $past(ids_i))
  `WC_ASSUME(done_when_paid, !done_valid_i || done_q != paid_q)
  `WC_ASSUME(done_holds, $past(rst_i) || !$past(done_valid_i) || $past(done_ready)
             || (done_valid_i && done_error_i == $past(done_error_i)))
  `WC_ASSUME(message_holds, $past(rst_i) || !$past(message_valid_i) || $past(message_ready)
             || (message_valid_i && message_last_i == $past(message_last_i)
                 && message_bytes_i == $past(message_bytes_i)))
  `WC_ASSUME(word_holds, $past(rst_i) || !$past(word_valid_i) || $past(word_ready)
             || (word_valid_i && word_error_i == $past(word_error_i)))

  `WC_ASSERT(in_memory, !told_valid || wrong_q || telling <= memory_q)
  `WC_ASSERT(of_its_connection, !told_valid || told.id == 16'(ids_i[out_q[0]]))
  `WC_ASSERT(within_its_packet, !told_valid || wrong_q || (told_q >= start
             && (!ended_q[out_q[0]] || telling <= stop)))
  `WC_ASSERT(chunks, !told_valid || wrong_q || !told.grows || told.bytes >= offset_t'(ChunkBytes))
  `WC_ASSERT(last_is_told, !told_valid || wrong_q || told.grows || ends)
  `WC_ASSERT(answered_in_order, !answered_valid
             || (ended_q[out_q[0]] && answered.id == 16'(ids_i[out_q[0]])
                 && answered.operations == bytes_t'(out_q) && answered.needs == ~bytes_t'(out_q)))
  `WC_ASSERT(bytes_of_packet, !answered_valid || answered.bytes == bytes_t'(total_t'(stop - start)))
  `WC_ASSERT(told_before, !answered_valid || wrong_q || told_q == stop)
  `WC_ASSERT(words_of_write, !payload_valid
             || payload.last == (5'(words_q) == 5'((size_q[2'(begun_q-1'b1)] - 5'd1) >> 3)))
  `WC_ASSERT(some_bytes, !write_valid || write.bytes != '0)
  `WC_ASSERT(ends_when_wrong, !answered_valid || !wrong_q || wrong_at_q >= stop || aborted_q)
  `WC_ASSERT(only_when_wrong, !told_valid || told.kind == EventWritten
             || (told.kind == EventAbort && wrong_q))
  `WC_ASSERT(goes_on, still_q < 4'd8)

  // Not even a packet's last event goes without: the engine would wait for more.
  logic open_q;  // of the packet bytes were told with grows, and none without
  always_ff @(posedge clk_i) begin
    if (told_valid && event_ready_i) open_q <= told.grows;
    if (rst_i) open_q <= 1'b0;
  end
  `WC_ASSERT(nothing_waits, !answered_valid || wrong_q || !open_q)

  `WC_COVER(gathered, told_valid && !wrong_q && ends && told_q == start && begun_q == 3'd2
            && told.bytes >= 11'd2)
  `WC_COVER(in_two, answered_valid && !wrong_q && stop - start > 7'(ChunkBytes))
  `WC_COVER(ended, answered_valid && aborted_q)

endmodule

`default_nettype wire
