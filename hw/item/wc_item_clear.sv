// SPDX-License-Identifier: Apache-2.0
// Empties the table: holds operations back until nothing is on the way, writes zeros to every
// bucket's line, and waits for the last acknowledgement.
// Latency 6 when nothing is on the way; two cycles a bucket, or none when memory is all zeros.
`include "wc_assert.svh"
`default_nettype none

module wc_item_clear (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  input  wire wc_item_pkg::item_settings_t settings_i,
  input  wire logic                        clear_i,
  input  wire logic                        zeroed_i,    // clear_i: every bucket's line is zero
  output logic                             clearing_o,  // operations are held back
  input  wire logic                        quiet_i,     // clearing_o: nothing is on the way
  output logic                             begin_o,     // the lines in memory do not count any more
  output logic                             zero_valid_o,
  input  wire logic                        zero_ready_i,
  output wc_log_pkg::line_t                zero_line_o,
  input  wire logic                        acked_i
);

  import wc_item_pkg::*;

  typedef enum logic [1:0] {
    Off,
    Wait,
    Write,
    Drain
  } state_e;

  state_e state_q, state_d;
  bucket_t buckets_q;  // of the table
  bucket_t left_q, unacked_q;
  logic last_q, fire, fire_q, drained_q, zeroed_q;

  assign clearing_o = state_q != Off;
  assign begin_o = state_q == Wait && quiet_i;
  // The counters follow a cycle later: there is a cycle between two lines.
  assign zero_valid_o = state_q == Write && !fire_q;
  assign fire = zero_valid_o && zero_ready_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Off: if (clear_i) state_d = Wait;
      Wait: if (quiet_i) state_d = zeroed_q ? Off : Write;
      Write: if (fire && last_q) state_d = Drain;
      Drain: if (drained_q) state_d = Off;
      default: state_d = Off;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    fire_q <= fire;
    drained_q <= state_q == Drain && unacked_q == '0 && !fire_q;
    if (state_q == Off) zeroed_q <= zeroed_i;
    buckets_q <= bucket_t'(settings_i.factor) << settings_i.shift;
    if (state_q == Wait) begin
      zero_line_o <= settings_i.base_line;
      left_q <= buckets_q;
      last_q <= 1'b0;  // there are 8 buckets at least
      unacked_q <= '0;
    end else begin
      if (fire_q) begin
        zero_line_o <= zero_line_o + 1'b1;
        left_q <= left_q - 1'b1;
        last_q <= left_q == bucket_t'(2);
      end
      if (fire_q && !acked_i) unacked_q <= unacked_q + 1'b1;
      if (acked_i && !fire_q) unacked_q <= unacked_q - 1'b1;
    end
    if (rst_i) begin
      state_q <= Off;
      fire_q <= 1'b0;
      drained_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
