// SPDX-License-Identifier: Apache-2.0
// Packs fragments of 0 to 8 bytes, two a cycle, into dense words; behind fragments with last_i the
// next ones begin a new word, the unused bytes are zero. A word is let go when it is full or its
// run has ended, so nothing ever waits within. Two fragments make up to two words: they go through
// the queue side by side and leave it one after the other. Latency 4 when the queue behind is
// empty; two fragments and one word per cycle. ready_o is a register and keeps room for the
// fragments of Slack cycles after it fell: senders with a pipeline of their own count on that.
// last_o marks the word that a run has ended in, unless its last fragments had no bytes and found
// every word before them full. What comes with last_i may have 8 bytes: a third word has no place.
// From fragments with error_i on, the words of their run are marked with error_o.
`include "wc_assert.svh"
`default_nettype none

module wc_pack #(
  parameter int unsigned Depth = 16,  // of the queue, each with one word or two
  parameter int unsigned Slack = 0
) (
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire wc_pkg::word_t    first_i,         // bytes beyond first_bytes_i are ignored
  input  wire logic [3:0]       first_bytes_i,
  input  wire wc_pkg::word_t    second_i,        // follows the first without a gap
  input  wire logic [3:0]       second_bytes_i,
  input  wire logic             last_i,
  input  wire logic             error_i,         // the bytes count for nothing
  output logic                  valid_o,
  input  wire logic             ready_i,
  output wc_pkg::word_t         data_o,
  output logic [3:0]            bytes_o,
  output logic                  last_o,
  output logic                  error_o
);

  import wc_pkg::*;

  localparam int unsigned UnderWay = 3;  // a register, the late level, the late ready_o
  localparam int unsigned LevelWidth = $clog2(Depth) + 1;

  `WC_REQUIRE(depth, Depth > UnderWay + Slack, "wc_pack: Depth must be greater than Slack + 3")

  typedef logic [WordBytes-1:0][7:0] bytes_t;
  typedef logic [WordBytes-1:0] mask_t;  // a bit each byte

  typedef struct packed {
    word_t [1:0] words;
    logic        two;
    logic [3:0]  bytes;  // in the last of them
    logic        last;
    logic        error;
  } entry_t;

  function automatic bytes_t masked(word_t data, logic [3:0] count);
    bytes_t kept;
    for (int unsigned i = 0; i < WordBytes; i++) begin
      kept[i] = count > 4'(i) ? data[8*i+:8] : 8'd0;
    end
    return kept;
  endfunction

  // The first byte goes to `place`, those that find no room behind it to the front.
  function automatic bytes_t rotated(bytes_t from, logic [2:0] place);
    bytes_t to;
    for (int unsigned i = 0; i < WordBytes; i++) to[i] = from[3'(i)-place];
    return to;
  endfunction

  function automatic mask_t from_place(logic [2:0] place);
    mask_t mask;
    for (int unsigned i = 0; i < WordBytes; i++) mask[i] = 3'(i) >= place;
    return mask;
  endfunction

  function automatic bytes_t where(mask_t mask, bytes_t data);
    bytes_t kept;
    for (int unsigned i = 0; i < WordBytes; i++) kept[i] = mask[i] ? data[i] : 8'd0;
    return kept;
  endfunction

  // ---- place: the only loop, and it carries three bits. Bytes count from the word being filled.
  logic [2:0] offset_q;  // where the next fragment goes
  logic [3:0] middle_d;  // where the second one does
  logic [4:0] end_d;
  logic valid_q, last_q, error_q;
  bytes_t first_q, second_q;
  logic [2:0] start_q;
  logic [3:0] middle_q;
  logic [4:0] end_q;

  assign middle_d = {1'b0, offset_q} + first_bytes_i;
  assign end_d = {2'b0, offset_q} + ({1'b0, first_bytes_i} + {1'b0, second_bytes_i});

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    last_q <= last_i;
    error_q <= valid_i && error_i;
    start_q <= offset_q;
    middle_q <= middle_d;
    end_q <= end_d;
    first_q <= masked(first_i, first_bytes_i);
    second_q <= masked(second_i, second_bytes_i);
    if (valid_i) offset_q <= last_i ? 3'd0 : end_d[2:0];
    if (rst_i) begin
      offset_q <= '0;
      valid_q <= 1'b0;
    end
  end

  // ---- rotate, and say which byte goes to which word ------------------------------------------
  logic valid_q2, last_q2, push, push_q2, two_q2;
  logic error_q2, spoilt_q;  // spoilt_q: fragments of the run before were in error
  bytes_t first_q2, second_q2;
  mask_t first_here_q2;  // in the word being filled; else in the next
  mask_t second_here_q2, second_next_q2, second_beyond_q2;
  logic [1:0] full_q2;  // words
  logic [3:0] bytes_q2;

  assign push = valid_q && (end_q[4:3] != 2'd0 || (last_q && end_q[2:0] != 3'd0));

  always_ff @(posedge clk_i) begin
    valid_q2 <= valid_q;
    last_q2 <= last_q;
    error_q2 <= error_q;
    push_q2 <= push;
    two_q2 <= end_q[4] || (last_q && end_q > 5'd8);
    full_q2 <= end_q[4:3];
    bytes_q2 <= {!last_q || end_q[2:0] == 3'd0, last_q ? end_q[2:0] : 3'd0};
    first_q2 <= rotated(first_q, start_q);
    second_q2 <= rotated(second_q, middle_q[2:0]);
    first_here_q2 <= from_place(start_q);
    second_here_q2 <= middle_q[3] ? '0 : from_place(middle_q[2:0]);
    second_next_q2 <= middle_q[3] ? from_place(middle_q[2:0]) : ~from_place(middle_q[2:0]);
    second_beyond_q2 <= middle_q[3] ? ~from_place(middle_q[2:0]) : '0;
    if (rst_i) begin
      valid_q2 <= 1'b0;
      push_q2 <= 1'b0;
    end
  end

  // ---- merge ----------------------------------------------------------------------------------
  bytes_t filling_q;  // zero where nothing is yet
  bytes_t [2:0] merged;
  entry_t entry, out;
  logic push_ready, out_valid, out_ready;
  logic leaves_q;
  logic [LevelWidth-1:0] level_q;  // with what comes in this cycle and what has left in the last

  assign merged[0] = filling_q | where(first_here_q2, first_q2) | where(second_here_q2, second_q2);
  assign merged[1] = where(~first_here_q2, first_q2) | where(second_next_q2, second_q2);
  assign merged[2] = where(second_beyond_q2, second_q2);
  assign entry = '{words: {merged[1], merged[0]}, two: two_q2, bytes: bytes_q2, last: last_q2,
                   error: error_q2 || spoilt_q};

  always_ff @(posedge clk_i) begin
    if (valid_q2) begin
      filling_q <= full_q2[1] ? merged[2] : full_q2[0] ? merged[1] : merged[0];
      if (last_q2) filling_q <= '0;
      spoilt_q <= !last_q2 && (error_q2 || spoilt_q);
    end
    if (push != leaves_q) level_q <= level_q + (leaves_q ? '1 : LevelWidth'(1));
    ready_o <= level_q <= LevelWidth'(Depth - UnderWay - Slack);
    if (rst_i) begin
      filling_q <= '0;
      spoilt_q <= 1'b0;
      ready_o <= 1'b0;
      level_q <= '0;
    end
  end

  wc_fifo_shallow #(
    .data_t(entry_t),
    .Depth (Depth)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_q2),
    .ready_o(push_ready),
    .data_i (entry),
    .valid_o(out_valid),
    .ready_i(out_ready),
    .data_o (out)
  );

  // ---- one after the other: both words leave the queue together, the second waits here ---------
  typedef struct packed {
    word_t      data;
    logic [3:0] bytes;
    logic       last;
    logic       error;
  } single_t;

  single_t first, waiting_q, single;
  logic waiting_valid_q, single_ready;

  assign first = '{data: out.words[0], bytes: out.two ? 4'd8 : out.bytes,
                   last: out.last && !out.two, error: out.error};
  assign out_ready = single_ready && !waiting_valid_q;

  always_ff @(posedge clk_i) begin
    leaves_q <= out_valid && out_ready;  // a cycle late, which only promises less
    if (single_ready) waiting_valid_q <= out_valid && out.two && !waiting_valid_q;
    if (!waiting_valid_q) begin
      waiting_q <= '{data: out.words[1], bytes: out.bytes, last: out.last, error: out.error};
    end
    if (rst_i) begin
      leaves_q <= 1'b0;
      waiting_valid_q <= 1'b0;
    end
  end

  wc_slice #(
    .data_t(single_t)
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(out_valid || waiting_valid_q),
    .ready_o(single_ready),
    .data_i (waiting_valid_q ? waiting_q : first),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (single)
  );

  assign {data_o, bytes_o, last_o, error_o} = single;

  `WC_ASSERT(push_has_room, !push_q2 || push_ready)
  `WC_ASSERT(two_words_at_most, !valid_q || !last_q || end_q <= 5'd16)
  `WC_ASSERT(fragments_fit, !valid_i || (first_bytes_i <= 4'd8 && second_bytes_i <= 4'd8))

endmodule

`default_nettype wire
