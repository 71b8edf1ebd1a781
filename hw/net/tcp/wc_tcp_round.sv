// SPDX-License-Identifier: Apache-2.0
// Goes over all connections, one after the other, when it is told to begin: of each something is
// read, and is there in the second cycle behind; one that is due then waits to be taken.
// Three cycles a connection, and as long as `hold_i` keeps one from being read, and as one that is
// due waits. After reset it goes over all of them once, a cycle each, to clear what is known.
`default_nettype none

module wc_tcp_round #(
  parameter int unsigned Connections = 1024,
  localparam type id_t = logic [$clog2(Connections)-1:0]
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic begin_i,  // counts while idle_o
  output logic      clear_o,  // at_o, after reset
  output logic      idle_o,
  output id_t       at_o,
  output logic      read_o,   // it is read, if it is not held,
  input  wire logic hold_i,
  output logic      look_o,   // looked at
  input  wire logic due_i,
  output logic      tell_o,   // and waits
  input  wire logic take_i,
  output logic      ends_o    // the last one has been
);

  typedef enum logic [2:0] {
    StateClear,
    StateIdle,
    StateRead,
    StateWait,  // what was read goes into a register
    StateLook,
    StateTell
  } state_e;

  state_e state_q;
  logic last, next;

  assign clear_o = state_q == StateClear;
  assign idle_o = state_q == StateIdle;
  assign read_o = state_q == StateRead;
  assign look_o = state_q == StateLook;
  assign tell_o = state_q == StateTell;
  assign last = at_o == '1;
  assign next = (look_o && !due_i) || (tell_o && take_i);
  assign ends_o = next && last;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StateClear: if (last) state_q <= StateIdle;
      StateIdle: if (begin_i) state_q <= StateRead;
      StateRead: if (!hold_i) state_q <= StateWait;
      StateWait: state_q <= StateLook;
      default: begin
        if (next) state_q <= last ? StateIdle : StateRead;
        else state_q <= StateTell;
      end
    endcase
    if (clear_o || next) at_o <= at_o + 1'b1;
    if (rst_i) begin
      state_q <= StateClear;
      at_o <= '0;
    end
  end

endmodule

`default_nettype wire
