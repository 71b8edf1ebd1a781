// SPDX-License-Identifier: Apache-2.0
// Which connections have a segment that waits: whoever would give an event of one of these had
// better wait, too, as the segment would have to wait for it, and hold up those behind it. Each
// asker is answered every fourth cycle. Of two segments of a connection only the first is known.
// Segments come and are taken four cycles apart or more.
`default_nettype none

module wc_tcp_waiting #(
  parameter int unsigned Connections = 1024
) (
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  output logic                  ready_o,  // after reset; then it stays
  input  wire logic             comes_i,
  input  wire logic [15:0]      comes_id_i,
  input  wire logic             taken_i,
  input  wire logic [15:0]      taken_id_i,
  input  wire logic [3:0][15:0] id_i,
  output logic [3:0]            waits_o
);

  localparam int unsigned IdBits = $clog2(Connections);

  typedef logic [IdBits-1:0] id_t;

  logic [IdBits:0] clear_q;
  logic [1:0] turn_q, asked_q;
  logic comes_q, waits;
  id_t comes_id_q;
  id_t write_id;

  assign ready_o = clear_q[IdBits];
  assign write_id = !ready_o ? id_t'(clear_q) : taken_i ? id_t'(taken_id_i) : comes_id_q;

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_waits (
    .clk_i  (clk_i),
    .we_i   (!ready_o || taken_i || comes_q),
    .waddr_i(write_id),
    .wdata_i(ready_o && !taken_i),
    .re_i   (1'b1),
    .raddr_i(id_t'(id_i[turn_q])),
    .rdata_o(waits)
  );

  always_ff @(posedge clk_i) begin
    if (!ready_o) clear_q <= clear_q + 1'b1;
    turn_q <= turn_q + 1'b1;
    asked_q <= turn_q;
    waits_o[asked_q] <= waits;
    comes_q <= comes_i || (comes_q && taken_i);
    if (comes_i) comes_id_q <= id_t'(comes_id_i);
    if (rst_i) begin
      clear_q <= '0;
      turn_q <= '0;
      comes_q <= 1'b0;
      waits_o <= '0;
    end
  end

endmodule

`default_nettype wire
