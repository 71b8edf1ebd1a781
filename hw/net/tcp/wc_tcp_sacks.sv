// SPDX-License-Identifier: Apache-2.0
// The blocks of a SACK option as pieces of what was sent, one a cycle: counted from the number that
// the segment acknowledges, and only those that are sound (RFC 2018). A block that says nothing
// new, or what cannot be, has no bytes. Latency 2.
`default_nettype none

module wc_tcp_sacks (
  input  wire logic                        clk_i,
  input  wire logic                        valid_i,
  input  wire wc_tcp_pkg::sack_t           block_i,
  input  wire logic [31:0]                 ack_i,
  input  wire wc_tcp_engine_pkg::offset_t  flight_i,  // sent, counted from `ack`; a cycle later
  output wc_tcp_engine_pkg::piece_t        piece_o
);

  import wc_tcp_engine_pkg::*;

  logic [31:0] left_q, right_q, length_q;
  logic valid_q;

  always_ff @(posedge clk_i) begin
    left_q <= block_i.left - ack_i;
    right_q <= block_i.right - ack_i;
    length_q <= block_i.right - block_i.left;
    valid_q <= valid_i;
  end

  logic sound;
  assign sound = valid_q && !right_q[31] && right_q != '0 && !length_q[31] && length_q != '0
                 && right_q <= 32'(flight_i);

  always_ff @(posedge clk_i) begin
    piece_o <= '0;
    if (sound) begin
      piece_o.start <= left_q[31] ? '0 : left_q[OffsetBits-1:0];
      piece_o.stop <= right_q[OffsetBits-1:0];
    end
  end

endmodule

`default_nettype wire
