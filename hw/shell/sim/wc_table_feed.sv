// SPDX-License-Identifier: Apache-2.0
// Turns words into operations: a word {value_len[20:0], key_len[7:0], op[2:0]} (lowest bits last),
// the words of the key, and for a SET those of the value. A word of OpNone is no operation: the
// wire pads short frames with zeros. Latency 1, a word a cycle. Values wait in a queue for the
// store, so that the operations behind them go on.
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

  localparam int unsigned ValueWords = 4096;
  localparam int unsigned LenWidth = $bits(value_len_t);

  typedef enum logic [1:0] {
    Operation,
    Key,
    Value
  } state_e;

  state_e state_q, state_d;
  logic [LenWidth-1:0] left_q, left_d;  // words of what is passing, but one
  logic [LenWidth-1:0] value_left_q;  // of the value behind the key
  logic with_value_q;
  logic request_ready, key_ready, value_ready;
  logic last;

  op_e op;
  key_len_t key_len;
  value_len_t value_len;

  function automatic logic [LenWidth-1:0] words_but_one(logic [LenWidth-1:0] bytes);
    return (bytes - 1'b1) >> $clog2(WordBytes);
  endfunction

  assign op = op_e'(s_axis_tdata[2:0]);
  assign key_len = s_axis_tdata[10:3];
  assign value_len = s_axis_tdata[31:11];
  assign last = left_q == '0;

  always_comb begin
    state_d = state_q;
    left_d = left_q - 1'b1;
    s_axis_tready = 1'b0;
    unique case (state_q)
      Operation: begin
        s_axis_tready = request_ready;
        left_d = words_but_one(LenWidth'(key_len));
        if (op != OpNone) state_d = Key;
      end
      Key: begin
        s_axis_tready = key_ready;
        if (last) begin
          left_d = value_left_q;
          state_d = with_value_q ? Value : Operation;
        end
      end
      Value: begin
        s_axis_tready = value_ready;
        if (last) state_d = Operation;
      end
      default: state_d = Operation;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (s_axis_tvalid && s_axis_tready) begin
      state_q <= state_d;
      left_q <= left_d;
      if (state_q == Operation) begin
        value_left_q <= words_but_one(value_len);
        with_value_q <= effect_of(op).value && value_len != '0;
      end
    end
    if (rst_i) state_q <= Operation;
  end

  request_t request;

  always_comb begin
    request = '0;
    request.op.op = op;
    request.op.last = 1'b1;
    request.op.binary = 1'b1;
    request.op.key_len = key_len;
    request.value_len = value_len;
  end

  wc_fifo_shallow #(
    .data_t(request_t),
    .Depth (16)
  ) u_requests (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axis_tvalid && state_q == Operation && op != OpNone),
    .ready_o(request_ready),
    .data_i (request),
    .valid_o(request_valid_o),
    .ready_i(request_ready_i),
    .data_o (request_o)
  );

  wc_fifo #(
    .data_t(beat_t),
    .Depth (256)
  ) u_keys (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axis_tvalid && state_q == Key),
    .ready_o(key_ready),
    .data_i ('{data: s_axis_tdata, last: last}),
    .valid_o(key_valid_o),
    .ready_i(key_ready_i),
    .data_o (key_o),
    .level_o()
  );

  wc_fifo #(
    .data_t(beat_t),
    .Depth (ValueWords)
  ) u_values (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axis_tvalid && state_q == Value),
    .ready_o(value_ready),
    .data_i ('{data: s_axis_tdata, last: last}),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o (value_o),
    .level_o()
  );

endmodule

`default_nettype wire
