// SPDX-License-Identifier: Apache-2.0
// Event counters as registers: 64 of 64 bits, each read in two halves. A read answers with the
// lower half and keeps the upper one, of the same moment, in high_o until the next read. A write
// is answered and does nothing.
// A read is answered 4 or 5 cycles later, a write in the next cycle; one access at a time. An event
// is in its count 244 cycles later at most.
`default_nettype none

module wc_counter_regs (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire logic [63:0] event_i,  // they may come every cycle
  input  wire logic        req_i,
  input  wire logic        write_i,
  input  wire logic [5:0]  counter_i,  // that is meant
  output logic             wr_ack_o,
  output logic             rd_ack_o,
  output logic [31:0]      rdata_o,
  output logic [31:0]      high_o
);

  logic [63:0] event_q;  // registered, so that the way to the counters costs their makers nothing
  logic read_q;
  logic [5:0] counter_q;
  logic [63:0] count;

  always_ff @(posedge clk_i) begin
    event_q <= event_i;
    read_q <= req_i && !write_i;
    wr_ack_o <= req_i && write_i;
    counter_q <= counter_i;
    if (rd_ack_o) high_o <= count[63:32];
    if (rst_i) begin
      event_q <= '0;
      read_q <= 1'b0;
      wr_ack_o <= 1'b0;
      high_o <= '0;
    end
  end

  wc_counters u_counters (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .event_i  (event_q),
    .read_i   (read_q),
    .address_i(counter_q),
    .valid_o  (rd_ack_o),
    .count_o  (count)
  );

  assign rdata_o = count[31:0];

endmodule

`default_nettype wire
