// SPDX-License-Identifier: Apache-2.0
// Turns a run of 64-byte lines into the bursts of 384 bytes that cover it, and tells which of the
// six lines of each belong to the run. Line L is at place L % 6 of its burst; as L % 6 is
// {(L / 2) % 3, L % 2}, no division is needed, and the burst's address is that of line L - L % 6.
// Latency 3; one burst a cycle, with none lost between runs.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_384_cut #(
  parameter int unsigned AddrWidth = 40
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic                 valid_i,
  output logic                      ready_o,
  input  wire logic [AddrWidth-1:0] addr_i,
  input  wire logic [7:0]           len_i,  // lines - 1
  output logic                      valid_o,
  input  wire logic                 ready_i,
  output logic      [AddrWidth-1:0] addr_o,
  output logic      [2:0]           first_o,  // the burst's first line of the run
  output logic      [2:0]           last_o,   // and its last
  output logic                      final_o   // last burst of the run
);

  localparam int unsigned PairBits = 7;  // of an address: within two lines
  localparam int unsigned PairWidth = AddrWidth - PairBits;
  localparam logic [2:0] LastLine = 3'd5;

  typedef struct packed {
    logic [PairWidth-1:0] pair;
    logic                 odd;
    logic [7:0]           len;
  } run_t;

  run_t run_q, run_q2;
  logic valid_q, valid_q2;
  logic [1:0] remainder;
  logic [PairWidth-1:0] pair_q;  // the burst's first two lines
  logic [8:0] end_q;             // the run's last line, counted from the burst's first

  // All stages move at once, when the last burst of a run leaves.
  assign ready_o = !valid_o || (ready_i && final_o);

  wc_mod3 #(
    .Width(PairWidth)
  ) u_mod3 (
    .clk_i      (clk_i),
    .enable_i   (ready_o),
    .value_i    (addr_i[AddrWidth-1:PairBits]),
    .remainder_o(remainder)
  );

  assign addr_o = {pair_q, PairBits'(0)};
  assign final_o = end_q <= 9'(LastLine);
  assign last_o = final_o ? end_q[2:0] : LastLine;

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      valid_q <= valid_i;
      valid_q2 <= valid_q;
      valid_o <= valid_q2;
      run_q <= '{pair: addr_i[AddrWidth-1:PairBits], odd: addr_i[PairBits-1], len: len_i};
      run_q2 <= run_q;
      pair_q <= run_q2.pair - PairWidth'(remainder);
      first_o <= {remainder, run_q2.odd};
      end_q <= 9'(run_q2.len) + 9'({remainder, run_q2.odd});
    end else if (ready_i) begin
      pair_q <= pair_q + PairWidth'(3);
      first_o <= '0;
      end_q <= end_q - 9'd6;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(burst, valid_o, ready_i, {addr_o, first_o, last_o, final_o})
  `WC_ASSERT(aligned, !valid_i || addr_i[PairBits-2:0] == '0)

endmodule

`default_nettype wire
