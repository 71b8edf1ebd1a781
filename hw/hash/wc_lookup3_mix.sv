// SPDX-License-Identifier: Apache-2.0
// The mixing of lookup3: one of its six steps a cycle, the sixth together with the addition of the
// next chunk, so a chunk takes six cycles. Latency 2 from a key's first chunk to its end state, and
// 6 more for each further one. The state turns by one place a step: every step is the same circuit
// but for the distance of the rotation. Holds its end state until taken.
// Every step is one carry chain: the chunk's third number, which c lacks after the sixth step, is
// added in the step after it. That step subtracts c from a, so a came without it as well
// (wc_lookup3_chunk); and after the last chunk no step follows, so there a comes whole.
// What a step adds stands in registers when it begins, and so does the choice of its rotation.
`default_nettype none

module wc_lookup3_mix (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic [31:0]       init_i,  // stable while the first chunk waits
  input  wire logic              chunk_valid_i,
  output logic                   chunk_ready_o,
  input  wire logic [2:0][31:0]  chunk_i,
  input  wire logic              chunk_first_i,
  input  wire logic              chunk_last_i,
  // a, b, c with the last chunk added, not yet mixed
  output logic                   state_valid_o,
  input  wire logic              state_ready_i,
  output logic [2:0][31:0]       state_o
);

  // One-hot: the steps choose rotations of 32 bits.
  typedef enum logic [7:0] {
    Step0 = 8'b0000_0001,
    Step1 = 8'b0000_0010,
    Step2 = 8'b0000_0100,
    Step3 = 8'b0000_1000,
    Step4 = 8'b0001_0000,
    Load  = 8'b0010_0000,  // the sixth step, and the chunk
    Idle  = 8'b0100_0000,
    Done  = 8'b1000_0000
  } state_e;

  state_e state_q, state_d;
  logic [31:0] x_q, y_q, z_q;  // a, b, c in Step0; b, c, a in Step1; ...
  logic [31:0] add_x_q, add_y_q;  // the chunk: its first two numbers in Load, its third after that
  logic ready_q;  // in Load, the chunk stands in add_x_q and add_y_q
  logic [31:0] whole, rotated;
  logic load, preload, advance, take;

  assign chunk_ready_o = load && ready_q;
  assign state_valid_o = state_q == Done;
  assign state_o = {whole, y_q, x_q};
  assign whole = z_q + add_y_q;
  assign load = state_q == Load;
  assign preload = state_q == Idle;
  assign advance = !preload && !state_valid_o && (!load || ready_q);
  assign take = preload || state_q == Step4 || (load && !ready_q);  // Load may come next

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: if (chunk_valid_i && chunk_first_i) state_d = Load;
      Step0: state_d = Step1;
      Step1: state_d = Step2;
      Step2: state_d = Step3;
      Step3: state_d = Step4;
      Step4: state_d = Load;
      Load: if (ready_q) state_d = chunk_last_i ? Done : Step0;
      Done: if (state_ready_i) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_comb begin
    unique case (state_q)
      Step1: rotated = {z_q[25:0], z_q[31:26]};
      Step2: rotated = {z_q[23:0], z_q[31:24]};
      Step3: rotated = {z_q[15:0], z_q[31:16]};
      Step4: rotated = {z_q[12:0], z_q[31:13]};
      Load: rotated = {z_q[27:0], z_q[31:28]};
      default: rotated = {whole[27:0], whole[31:28]};
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    ready_q <= take && chunk_valid_i;
    add_x_q <= take ? chunk_i[0] : '0;
    add_y_q <= take ? chunk_i[1] : '0;
    if (chunk_ready_o) add_y_q <= chunk_i[2];
    if (advance) begin
      x_q <= y_q + add_x_q;
      y_q <= z_q + y_q + add_y_q;
      z_q <= (x_q - z_q) ^ rotated;
    end
    if (state_valid_o) z_q <= whole;
    // From here the first Load gives init + chunk in all three places: 0 rotated is 0.
    if (preload) begin
      x_q <= init_i;
      y_q <= init_i;
      z_q <= '0;
    end
    if (rst_i) begin
      state_q <= Idle;
      ready_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
