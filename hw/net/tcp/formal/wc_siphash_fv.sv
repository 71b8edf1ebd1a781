// SPDX-License-Identifier: Apache-2.0
// Proof of wc_siphash, but for what it calculates (the bench has that).
// Rule 1: what is taken comes out 21 cycles later, with its own data, and nothing else does.
// Rule 2: a message waits for 18 cycles at most.
`include "wc_assert.svh"
`default_nettype none

module wc_siphash_fv (
  input wire logic         clk_i,
  input wire logic         rst_i,
  input wire logic         valid_i,
  input wire logic [127:0] message_i,
  input wire logic [127:0] key_i,
  input wire logic [3:0]   data_i
);

  localparam int unsigned Latency = 21;
  localparam int unsigned MostWait = 18;

  typedef struct packed {
    logic       valid;
    logic [3:0] data;
  } entry_t;

  logic ready, valid;
  logic [3:0] data;
  entry_t [Latency-1:0] taken_q;  // what was taken so many cycles ago, and one
  logic [4:0] waited_q;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_siphash #(
    .data_t(logic [3:0])
  ) u_dut (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .key_i    (key_i),
    .valid_i  (valid_i),
    .ready_o  (ready),
    .message_i(message_i),
    .data_i   (data_i),
    .valid_o  (valid),
    .hash_o   (),
    .data_o   (data)
  );

  always_ff @(posedge clk_i) begin
    taken_q <= {taken_q[Latency-2:0], entry_t'{valid: valid_i && ready, data: data_i}};
    waited_q <= valid_i && !ready ? waited_q + 1'b1 : '0;
    if (rst_i) begin
      taken_q <= '0;
      waited_q <= '0;
    end
  end

  // Where a message is, follows from when it was taken: what was taken an even number of cycles ago
  // is in front of the second step, an odd one in front of the first.
  logic [9:0] first, second;
  always_comb begin
    for (int unsigned i = 0; i < 10; i++) begin
      first[i] = taken_q[2*i].valid;
      second[i] = taken_q[2*i+1].valid;
    end
  end
  `WC_ASSERT(at_most_one, $onehot0(first) && $onehot0(second))
  `WC_ASSERT(first_is, u_dut.first_valid_q == |first)
  `WC_ASSERT(second_is, u_dut.second_valid_q == |second)
  `WC_ASSERT(one_first, first == '0 || u_dut.first_q.round == first)
  `WC_ASSERT(one_second, second == '0 || u_dut.second_q.round == second)
  for (genvar i = 0; i < 10; i++) begin : gen_slot
    `WC_ASSERT(first_data, !first[i] || u_dut.first_q.data == taken_q[2*i].data)
    `WC_ASSERT(second_data, !second[i] || u_dut.second_q.data == taken_q[2*i+1].data)
  end

  `WC_ASSERT(comes_out, valid == taken_q[Latency-1].valid
                        && (!valid || data == taken_q[Latency-1].data))
  // The older of the two inside is the one that leaves first.
  logic [4:0] left;  // cycles until there is room
  always_comb begin
    left = '0;
    if (u_dut.second_valid_q && !ready) begin
      for (int unsigned i = 0; i < 10; i++) begin
        if (second[i]) left = 5'(2 * (9 - i));
      end
      for (int unsigned i = 0; i < 10; i++) begin
        if (first[i] && 5'(2 * (9 - i) + 1) < left) left = 5'(2 * (9 - i) + 1);
      end
    end
  end
  `WC_ASSERT(waits, 32'(waited_q) + 32'(left) <= MostWait)

  `WC_COVER(two_inside, u_dut.first_valid_q && u_dut.second_valid_q)
  `WC_COVER(comes, valid)
  `WC_COVER(waited, ready && valid_i && waited_q != '0)

endmodule

`default_nettype wire
