// SPDX-License-Identifier: Apache-2.0
// What each SET and DELETE in flight has left behind, for those that follow on its bucket before
// memory holds it. Look-up-table RAM, read in the cycle it is asked, and beside it a flag an entry
// that says whether a flush has come over it since. Who takes over what one before has left behind
// need not take over the flag: a SET or DELETE that finds the item flushed frees its slot.
// What is written is read from the next cycle on.
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
  input  wire logic                        flush_i  // all that is there is dead
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
