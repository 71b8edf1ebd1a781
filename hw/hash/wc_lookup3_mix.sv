// SPDX-License-Identifier: Apache-2.0
// The mixing of lookup3: one of its six steps a cycle, the sixth together with the addition of the
// next chunk, so a chunk takes six cycles. Latency 2 from a key's first chunk to its end state, and
// 6 more for each further one. The state turns by one place a step: every step is the same circuit
// but for the distance of the rotation. Holds its end state until taken.
// Every step is one carry chain: the chunk's third number, which c lacks after the sixth step, is
// added in the step after it. That step subtracts c from a, so a came without it as well
// (wc_lookup3_chunk); and after the last chunk no step follows, so there a comes whole.
`default_nettype none

module wc_lookup3_mix (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic [31:0]       init_i,  // stable while the first chunk waits
  input  wire logic              chunk_valid_i,
  output logic                   chunk_ready_o,
  input  wire logic [2:0][31:0]  chunk_i,  // the third number stays a cycle longer
  input  wire logic              chunk_first_i,
  input  wire logic              chunk_last_i,
  // a, b, c with the last chunk added, not yet mixed
  output logic                   state_valid_o,
  input  wire logic              state_ready_i,
  output logic [2:0][31:0]       state_o
);

  typedef enum logic [2:0] {
    Step0,
    Step1,
    Step2,
    Step3,
    Step4,
    Load,  // the sixth step, and the chunk
    Idle,
    Done
  } state_e;

  state_e state_q, state_d;
  logic [31:0] x_q, y_q, z_q;  // a, b, c in Step0; b, c, a in Step1; ...
  logic load_q;  // state_q is Load, told by a register: much hangs on it
  logic pending_q;  // z is still without the chunk's third number
  logic [31:0] third, whole, rotated;
  logic preload, advance;

  assign chunk_ready_o = load_q;
  assign state_valid_o = state_q == Done;
  assign state_o = {whole, y_q, x_q};
  assign third = pending_q ? chunk_i[2] : '0;
  assign whole = z_q + third;

  always_comb begin
    state_d = state_q;
    preload = 1'b0;
    advance = 1'b0;
    unique case (state_q)
      Idle: begin
        preload = 1'b1;
        if (chunk_valid_i && chunk_first_i) state_d = Load;
      end
      Step0, Step1, Step2, Step3, Step4: begin
        advance = 1'b1;
        state_d = state_e'(state_q + 3'd1);
      end
      Load: begin
        advance = chunk_valid_i;
        if (chunk_valid_i) state_d = chunk_last_i ? Done : Step0;
      end
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
    load_q <= state_d == Load;
    pending_q <= load_q;
    if (advance) begin
      x_q <= y_q + (load_q ? chunk_i[0] : '0);
      y_q <= z_q + y_q + (load_q ? chunk_i[1] : third);
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
      load_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
