// SPDX-License-Identifier: Apache-2.0
// Keeps the flush that is announced for later. There is one at most: a new FLUSH takes the place of
// the one before it. Once the time of the flush has come, due_o asks for an activation between two
// operations.
// now_o follows two cycles after a FLUSH or an activation, and says whether it takes effect: all
// items that the table holds at that point are then dead.
`default_nettype none

module wc_index_flush (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire wc_pkg::seconds_t     time_i,
  input  wire logic                 flush_i,
  input  wire wc_pkg::seconds_t     when_i,
  input  wire logic                 activate_i,
  output logic                      due_o,
  output logic                      now_o
);

  logic flush_q, activate_q, later_q;
  wc_pkg::seconds_t when_q;
  logic pending_q;
  wc_pkg::seconds_t pending_when_q;

  always_ff @(posedge clk_i) begin
    flush_q <= flush_i;
    activate_q <= activate_i;
    later_q <= when_i > time_i;
    when_q <= when_i;
    due_o <= pending_q && pending_when_q <= time_i && !flush_q && !activate_q;
    now_o <= 1'b0;
    if (flush_q) begin
      pending_q <= later_q;
      pending_when_q <= when_q;
      now_o <= !later_q;
    end else if (activate_q && due_o) begin
      pending_q <= 1'b0;
      now_o <= 1'b1;
    end
    if (rst_i) begin
      flush_q <= 1'b0;
      activate_q <= 1'b0;
      pending_q <= 1'b0;
      due_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
