// SPDX-License-Identifier: Apache-2.0
// Regroups the 64-bit words of a key into lookup3's chunks of three 32-bit numbers, the last one
// filled up with zeros. The third number of a chunk that is not the last is already subtracted from
// the first (see wc_lookup3_mix). A chunk holds until taken.
// Latency 1 from its last half word; half a word a cycle: a chunk every four cycles, where the
// mixing that follows needs six.
`default_nettype none

module wc_lookup3_chunk (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  // one length, then its words
  input  wire logic              length_valid_i,
  output logic                   length_ready_o,
  input  wire wc_pkg::key_len_t  length_i,
  input  wire logic              key_valid_i,
  output logic                   key_ready_o,
  input  wire wc_pkg::beat_t     key_i,
  // chunks
  output logic                   chunk_valid_o,
  input  wire logic              chunk_ready_i,
  output logic [2:0][31:0]       chunk_o,
  output logic                   chunk_first_o,
  output logic                   chunk_last_o
);

  localparam int unsigned CountWidth = $bits(wc_pkg::key_len_t) - 1;

  logic [CountWidth-1:0] halves_q;  // still to come of this key
  logic [CountWidth-1:0] halves;
  logic one_left_q;  // halves_q is 1, told by a register: the queue in front hangs on it
  logic busy_q;
  logic upper_q;  // the next half is the upper one of its word
  logic [2:0] number_q;  // of the chunk, one-hot: where the next half goes
  logic [31:0] half;
  logic fill;

  assign halves = length_i[CountWidth:2] + (CountWidth)'(length_i[1:0] != 2'd0);
  logic unused_last;
  assign unused_last = key_i.last;  // the length says it

  assign length_ready_o = !busy_q;
  assign half = upper_q ? key_i.data[63:32] : key_i.data[31:0];
  assign fill = busy_q && key_valid_i && !chunk_valid_o;
  assign key_ready_o = busy_q && !chunk_valid_o && (upper_q || one_left_q);

  always_ff @(posedge clk_i) begin
    if (!busy_q && length_valid_i) begin
      busy_q <= 1'b1;
      upper_q <= 1'b0;
      number_q <= 3'b001;
      halves_q <= halves;
      one_left_q <= length_i <= (CountWidth + 1)'(4);
      chunk_first_o <= 1'b1;
    end
    if (fill) begin
      upper_q <= !upper_q;
      number_q <= {number_q[1:0], number_q[2]};
      halves_q <= halves_q - 1'b1;
      one_left_q <= halves_q == (CountWidth)'(2);
      for (int unsigned i = 0; i < 3; i++) begin
        if (number_q[i]) chunk_o[i] <= half;
        else if (number_q[0]) chunk_o[i] <= '0;
      end
      if (number_q[2] && !one_left_q) chunk_o[0] <= chunk_o[0] - half;
      chunk_valid_o <= number_q[2] || one_left_q;
      chunk_last_o <= one_left_q;
    end
    if (chunk_valid_o && chunk_ready_i) begin
      chunk_valid_o <= 1'b0;
      chunk_first_o <= 1'b0;
      if (chunk_last_o) busy_q <= 1'b0;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      chunk_valid_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
