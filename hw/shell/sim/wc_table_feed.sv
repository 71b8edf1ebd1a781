// SPDX-License-Identifier: Apache-2.0
// Turns words into operations, a word each: {tail[31:0], value_len[19:0], key_len[7:0], op[3:0]}
// (lowest bits last). The key is as long as key_len says and ends with the tail, its last bytes
// first; the bytes in front of it are ones, and all of a value are, too, so that a short value is a
// number. An INCR or DECR adds or takes away 1, and makes no item. Operations on short keys come
// faster than any table takes them. A word of OpNone is no operation: the wire pads short frames
// with zeros.
// Latency 2, an operation a cycle; keys and values wait in queues, a word a cycle.
`default_nettype none

module wc_table_feed (
  input  wire logic         clk_i,
  input  wire logic         rst_i,
  input  wire logic [63:0]  s_axis_tdata,
  input  wire logic         s_axis_tvalid,
  output logic              s_axis_tready,
  output logic              request_valid_o,
  input  wire logic         request_ready_i,
  output wc_pkg::request_t  request_o,
  output logic              key_valid_o,
  input  wire logic         key_ready_i,
  output wc_pkg::beat_t     key_o,
  output logic              value_valid_o,
  input  wire logic         value_ready_i,
  output wc_pkg::beat_t     value_o
);

  import wc_pkg::*;
  import wc_policy_pkg::*;

  localparam int unsigned Depth = 512;  // operations ahead of their values
  localparam logic [7:0] Filler = "1";

  typedef struct packed {
    logic [31:0] tail;
    logic [19:0] value_len;
    key_len_t    key_len;
    op_e         op;
  } feed_t;

  // Bytes that come as words, and what they end with.
  typedef struct packed {
    value_len_t  bytes;
    logic [3:0]  tail_bytes;
    logic [31:0] tail;
  } text_t;

  feed_t feed;
  logic requests_ready, keys_ready, values_ready, operation, stores, counts, takes;
  request_t request;

  assign feed = feed_t'(s_axis_tdata);
  assign operation = feed.op != OpNone;
  assign stores = effect_of(feed.op).value && feed.value_len != '0;
  assign counts = effect_of(feed.op).change == ChangeNumber;
  assign s_axis_tready = requests_ready && keys_ready && values_ready;
  assign takes = s_axis_tvalid && s_axis_tready && operation;

  always_comb begin
    request = '0;
    request.op.op = feed.op;
    request.op.last = 1'b1;
    request.op.binary = 1'b1;
    request.op.key_len = feed.key_len;
    request.value_len = counts ? value_len_t'(NumberBytes) : value_len_t'(feed.value_len);
    request.delta = number_t'(counts);
  end

  wc_fifo #(
    .data_t(request_t),
    .Depth (Depth)
  ) u_requests (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(takes),
    .ready_o(requests_ready),
    .data_i (request),
    .valid_o(request_valid_o),
    .ready_i(request_ready_i),
    .data_o (request_o),
    .level_o()
  );

  // ---- keys and values --------------------------------------------------------------------------
  text_t [1:0] text;
  logic [1:0] text_valid, text_ready, next, waits, out_valid, out_ready;
  beat_t [1:0] out;
  text_t [1:0] now;
  value_len_t [1:0] done_q;  // bytes that have come

  assign text[0] = '{bytes: value_len_t'(feed.key_len), tail_bytes: 4'd4, tail: feed.tail};
  assign text[1] = '{bytes: value_len_t'(feed.value_len), tail_bytes: 4'd0, tail: '0};
  assign text_valid = {takes && stores, takes};
  assign {values_ready, keys_ready} = text_ready;

  function automatic beat_t word_of(text_t from, value_len_t done);
    value_len_t place, behind;
    word_of.data = '0;
    word_of.last = from.bytes - done <= value_len_t'(WordBytes);
    for (int unsigned i = 0; i < WordBytes; i++) begin
      place = done + value_len_t'(i);
      behind = from.bytes - place;  // bytes that are left, this one too
      if (place < from.bytes) begin
        word_of.data[8*i+:8] = behind <= value_len_t'(from.tail_bytes)
                               ? from.tail[8*(4-behind[2:0])+:8] : Filler;
      end
    end
  endfunction

  for (genvar i = 0; i < 2; i++) begin : gen_text
    wc_fifo #(
      .data_t(text_t),
      .Depth (Depth)
    ) u_text (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(text_valid[i]),
      .ready_o(text_ready[i]),
      .data_i (text[i]),
      .valid_o(waits[i]),
      .ready_i(next[i]),
      .data_o (now[i]),
      .level_o()
    );

    assign out_valid[i] = waits[i];
    assign out[i] = word_of(now[i], done_q[i]);
    assign next[i] = out_ready[i] && out[i].last;

    always_ff @(posedge clk_i) begin
      if (waits[i] && out_ready[i]) begin
        done_q[i] <= out[i].last ? '0 : done_q[i] + value_len_t'(WordBytes);
      end
      if (rst_i) done_q[i] <= '0;
    end
  end

  assign {value_valid_o, key_valid_o} = out_valid;
  assign out_ready = {value_ready_i, key_ready_i};
  assign key_o = out[0];
  assign value_o = out[1];

endmodule

`default_nettype wire
