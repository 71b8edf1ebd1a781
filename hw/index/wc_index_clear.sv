// SPDX-License-Identifier: Apache-2.0
// Marks every slot of the table free: waits until nothing is in flight, writes zeros to the first
// header line of every bucket, and waits for the last acknowledgement.
// Latency 4 when nothing is in flight; two cycles a bucket, or none when memory is all zeros.
`default_nettype none

module wc_index_clear #(
  parameter int unsigned BucketLines   = wc_index_pkg::bucket_lines(wc_pkg::MaxKeyBytes),
  parameter int unsigned MaxBucketBits = 24,
  parameter int unsigned Operations    = 64  // most operations between their reads and their result
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_i,
  input  wire wc_pkg::clear_t          clear_i,
  output logic                         clearing_o,
  output logic                         writing_o,  // the runs come from here: nothing is in flight
  input  wire logic                    issue_i,  // an operation is sent off
  input  wire logic                    done_i,   // an operation is through
  input  wire logic                    empty_i,  // wc_index_ccu: none was in it the cycle before
  input  wire logic [4:0]              bucket_bits_i,
  input  wire wc_index_pkg::line_t     first_i,  // first header line of bucket 0
  output logic                         run_valid_o,
  input  wire logic                    run_ready_i,
  output wc_index_pkg::line_t          run_line_o,
  input  wire logic                    line_ready_i,
  input  wire logic                    acked_i,
  output logic                         begin_o   // the table begins to be cleared
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  typedef enum logic [1:0] {
    Off,
    Wait,
    Write,
    Drain
  } state_e;

  state_e state_q, state_d;

  // ---- is anything in flight -------------------------------------------------------------------
  logic [$clog2(Operations)+1:0] inside_q;
  logic issue_q, done_q, idle_q;
  logic held_q;  // no more operations are let in

  always_ff @(posedge clk_i) begin
    issue_q <= issue_i;
    done_q <= done_i;
    if (issue_q && !done_q) inside_q <= inside_q + 1'b1;
    if (done_q && !issue_q) inside_q <= inside_q - 1'b1;
    held_q <= state_q == Wait;
    idle_q <= held_q && inside_q == '0 && empty_i;
    if (rst_i) begin
      issue_q <= 1'b0;
      done_q <= 1'b0;
      inside_q <= '0;
      held_q <= 1'b0;
      idle_q <= 1'b0;
    end
  end

  // ---- bucket by bucket ------------------------------------------------------------------------
  logic [MaxBucketBits:0] left_q;
  logic last_q;  // the bucket in work
  logic [MaxBucketBits:0] unacked_q;
  logic fire, fire_q, drained_q, zeroed_q;

  // The run and its line go together; neither ready depends on a valid. The counters follow a cycle
  // later, which is why there is a cycle between two runs.
  assign run_valid_o = state_q == Write && line_ready_i && !fire_q;
  assign fire = run_valid_o && run_ready_i;
  assign begin_o = state_q == Wait && idle_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Off: if (clear_i.start) state_d = Wait;
      Wait: if (idle_q) state_d = zeroed_q ? Off : Write;
      Write: if (fire && last_q) state_d = Drain;
      Drain: if (drained_q) state_d = Off;
      default: state_d = Off;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (state_q == Off) zeroed_q <= clear_i.zeroed;
    clearing_o <= state_d != Off;
    writing_o <= state_d inside {Write, Drain};
    fire_q <= fire;
    drained_q <= state_q == Drain && unacked_q == '0 && !fire_q;
    if (state_q == Wait) begin
      run_line_o <= first_i;
      left_q <= (MaxBucketBits + 1)'(1) << bucket_bits_i;
      last_q <= bucket_bits_i == '0;
      unacked_q <= '0;
    end else begin
      if (fire_q) begin
        run_line_o <= run_line_o + line_t'(BucketLines);
        left_q <= left_q - 1'b1;
        last_q <= left_q == (MaxBucketBits + 1)'(2);
      end
      if (fire_q && !acked_i) unacked_q <= unacked_q + 1'b1;
      if (acked_i && !fire_q) unacked_q <= unacked_q - 1'b1;
    end
    if (rst_i) begin
      state_q <= Off;
      clearing_o <= 1'b0;
      writing_o <= 1'b0;
      fire_q <= 1'b0;
      drained_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
