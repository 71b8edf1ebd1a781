// SPDX-License-Identifier: Apache-2.0
// The end of lookup3: its seven final steps, one a cycle. The hash is c, above it b, which the last
// step leaves as it is. Latency 9, a hash every nine cycles; it holds until taken. Loading goes through the steps' own subtractor (b is b xor 0 minus 0), which
// leaves no multiplexer behind it; it takes two cycles, and the state is taken in the second.
`default_nettype none

module wc_lookup3_final (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              state_valid_i,
  output logic                   state_ready_o,
  input  wire logic [2:0][31:0]  state_i,  // a, b, c
  output logic                   hash_valid_o,
  input  wire logic              hash_ready_i,
  output wc_pkg::hash_t          hash_o
);

  logic [31:0] x_q, y_q, z_q;  // c, a, b; then a, b, c; ...
  logic [31:0] rotated;
  logic [6:0] step_q;  // one-hot: the steps choose rotations of 32 bits; none while loading
  logic by_14_q;  // step 0 or 5, which rotate alike
  logic loading_q, busy_q;
  logic start;

  assign start = state_valid_i && !loading_q && !busy_q && (!hash_valid_o || hash_ready_i);
  assign state_ready_o = loading_q;
  assign hash_o = {y_q, z_q};

  // Terms of two bits each, which a table of four inputs holds two of.
  assign rotated = ({32{by_14_q}} & {z_q[17:0], z_q[31:18]}) |
                   ({32{step_q[1]}} & {z_q[20:0], z_q[31:21]}) |
                   ({32{step_q[2]}} & {z_q[6:0], z_q[31:7]}) |
                   ({32{step_q[3]}} & {z_q[15:0], z_q[31:16]}) |
                   ({32{step_q[4]}} & {z_q[27:0], z_q[31:28]}) |
                   ({32{step_q[6]}} & {z_q[7:0], z_q[31:8]});

  always_ff @(posedge clk_i) begin
    if (hash_ready_i) hash_valid_o <= 1'b0;
    loading_q <= start;
    // z begins as 0. While there is no work x follows the input: start, which is late, moves a
    // single bit. y and z hold the hash until then.
    if (loading_q || busy_q) begin
      z_q <= (x_q ^ (loading_q ? '0 : z_q)) - rotated;
      y_q <= loading_q ? state_i[0] : z_q;
    end
    x_q <= loading_q ? state_i[2] : busy_q ? y_q : state_i[1];
    step_q <= {step_q[5:0], loading_q};
    by_14_q <= loading_q || step_q[4];
    if (loading_q) begin
      busy_q <= 1'b1;
    end else if (busy_q) begin
      busy_q <= !step_q[6];
      hash_valid_o <= step_q[6];
    end
    if (rst_i) begin
      loading_q <= 1'b0;
      busy_q <= 1'b0;
      hash_valid_o <= 1'b0;
      step_q <= '0;
      by_14_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
