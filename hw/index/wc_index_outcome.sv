// SPDX-License-Identifier: Apache-2.0
// Keeps the outcome of each write in flight, for the operations that follow on its bucket
// before memory holds the outcome. A flag beside each entry says whether a flush has come since.
// A write that takes over an outcome need not take over this flag: if it finds the item flushed, it
// frees the item's slot.
// Look-up-table RAM: read in the cycle of the question. An entry that is written can be read from
// the next cycle on.
`default_nettype none

module wc_index_outcome #(
  parameter type         data_t  = logic,
  parameter int unsigned Entries = 64
) (
  input  wire logic                        clk_i,
  input  wire logic [$clog2(Entries)-1:0]  read_id_i,
  output data_t                            data_o,
  output logic                             dead_o,
  input  wire logic                        write_i,
  input  wire logic [$clog2(Entries)-1:0]  write_id_i,
  input  wire data_t                       data_i,
  input  wire logic                        flush_i  // the items of all entries are dead
);

  (* ram_style = "distributed" *) logic [$bits(data_t)-1:0] mem[Entries];
  logic [Entries-1:0] dead_q;

  assign data_o = data_t'(mem[read_id_i]);
  assign dead_o = dead_q[read_id_i];

  always_ff @(posedge clk_i) begin
    if (write_i) mem[write_id_i] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (flush_i) dead_q <= '1;
    else if (write_i) dead_q[write_id_i] <= 1'b0;
  end

endmodule

`default_nettype wire
