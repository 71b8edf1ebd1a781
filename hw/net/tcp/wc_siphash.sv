// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4 of messages of 16 bytes (Aumasson and Bernstein, 2012): a hash with a key of 128
// bits, which nobody can foretell who does not know the key. A round is two steps of two additions
// each, a step a cycle, so two messages go round in here, one in each step.
// Latency 21 cycles; a message every 10 cycles, at most two at once. The answer does not wait.
`include "wc_assert.svh"
`default_nettype none

module wc_siphash #(
  parameter type data_t = logic  // goes along with a message
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic [127:0]  key_i,  // its first byte is the lowest; the same while one is inside
  input  wire logic          valid_i,
  output logic               ready_o,
  input  wire logic [127:0]  message_i,  // its first byte is the lowest
  input  wire data_t         data_i,
  output logic               valid_o,
  output logic [63:0]        hash_o,
  output data_t              data_o
);

  localparam int unsigned Words = 3;  // two of the message, and its length
  localparam int unsigned Rounds = 2 * Words + 4;
  localparam logic [63:0] Length = 64'd16 << 56;

  typedef logic [63:0] word_t;
  typedef struct packed {
    word_t v3;
    word_t v2;
    word_t v1;
    word_t v0;
  } state_t;
  typedef struct packed {
    state_t              v;
    word_t [Words-1:0]   words;  // still to come in, the next one lowest
    logic [Rounds-1:0]   round;  // one-hot
    data_t               data;
  } slot_t;

  function automatic word_t turned(word_t word, int unsigned bits);
    return (word << bits) | (word >> (64 - bits));
  endfunction

  slot_t first_q, second_q;  // in front of the two steps of a round
  logic first_valid_q, second_valid_q;
  state_t begins, half, whole;
  word_t [Words-1:0] message;
  logic last, odd;

  // ---- a message begins -------------------------------------------------------------------------
  // A word is added to v3 in front of two rounds, and to v0 behind them.
  assign message = {Length, message_i};

  always_comb begin
    begins.v0 = key_i[63:0] ^ 64'h736f6d6570736575;
    begins.v1 = key_i[127:64] ^ 64'h646f72616e646f6d;
    begins.v2 = key_i[63:0] ^ 64'h6c7967656e657261;
    begins.v3 = key_i[127:64] ^ 64'h7465646279746573 ^ message[0];
  end

  assign last = second_q.round[Rounds-1];
  assign ready_o = !second_valid_q || last;

  // ---- the first step of a round ----------------------------------------------------------------
  word_t sum0, sum2;

  always_comb begin
    sum0 = first_q.v.v0 + first_q.v.v1;
    sum2 = first_q.v.v2 + first_q.v.v3;
    half.v0 = turned(sum0, 32);
    half.v1 = turned(first_q.v.v1, 13) ^ sum0;
    half.v2 = sum2;
    half.v3 = turned(first_q.v.v3, 16) ^ sum2;
  end

  // ---- the second one ---------------------------------------------------------------------------
  word_t sum0b, sum2b, leaves, enters;
  logic ends;  // all words are in: four rounds are left

  assign odd = |(second_q.round & Rounds'(10'b00_0010_1010));  // the second round of a word
  assign ends = second_q.round[2*Words-1];
  assign leaves = odd ? second_q.words[0] : '0;
  assign enters = odd ? second_q.words[1] : '0;  // zero behind the last one

  always_comb begin
    sum0b = second_q.v.v0 + second_q.v.v3;
    sum2b = second_q.v.v2 + second_q.v.v1;
    whole.v0 = sum0b ^ leaves;
    whole.v1 = turned(second_q.v.v1, 17) ^ sum2b;
    whole.v2 = turned(sum2b, 32) ^ word_t'({8{ends}});
    whole.v3 = turned(second_q.v.v3, 21) ^ sum0b ^ enters;
  end

  always_ff @(posedge clk_i) begin
    second_valid_q <= first_valid_q;
    second_q <= '{v: half, words: first_q.words, round: first_q.round, data: first_q.data};
    first_valid_q <= ready_o ? valid_i : 1'b1;
    if (ready_o) begin
      first_q <= '{v: begins, words: message, round: Rounds'(1), data: data_i};
    end else begin
      first_q.v <= whole;
      if (odd) first_q.words <= {64'd0, second_q.words[Words-1:1]};
      else first_q.words <= second_q.words;
      first_q.round <= {second_q.round[Rounds-2:0], 1'b0};
      first_q.data <= second_q.data;
    end
    valid_o <= second_valid_q && last;
    hash_o <= whole.v0 ^ whole.v1 ^ whole.v2 ^ whole.v3;
    data_o <= second_q.data;
    if (rst_i) begin
      first_valid_q <= 1'b0;
      second_valid_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT(one_round, !second_valid_q || $onehot(second_q.round))

endmodule

`default_nettype wire
