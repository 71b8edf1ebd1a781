// SPDX-License-Identifier: Apache-2.0
// The header of a binary request: keeps what of it tells where the request ends, byte by byte, or
// eight and four at a time where they lie so, and says what the request is. What it says counts
// two cycles behind the last byte.
`default_nettype none

module wc_tcp_framer_header
  import wc_pkg::*;
  import wc_request_table_pkg::*;
  import wc_tcp_framer_pkg::*;
#(
  parameter int unsigned MaxKey     = MaxKeyBytes,
  parameter bit          MadeValues = 1'b1
) (
  input  wire logic          clk_i,
  input  wire logic          set_i,     // what is kept becomes this
  input  wire header_state_t kept_i,
  input  wire logic          take_i,
  input  wire logic [4:0]    at_i,      // the place of the first byte in the header
  input  wire logic          eight_i,   // all bytes are taken: eight in front, or the body's four
  input  wire logic [WordBytes-1:0][7:0] bytes_i,
  input  wire logic          value_i,   // it has a value

  output logic [5:0]         opcode_o,
  output logic               wrong_o,
  output logic [7:0]         key_o,
  output logic [7:0]         extras_o,
  output logic               body_o,    // bytes of the body come: `length` is the next number
  output logic [31:0]        length_o,
  input  wire logic [31:0]   number_i,

  output kind_e              kind_o,
  output logic               malformed_o
);

  logic wrong_q;
  logic [5:0] opcode_q, opcode;
  logic [7:0] key_q, extras_q;
  logic first, all;

  assign first = at_i == 5'd0;
  assign all = first && eight_i;
  assign opcode = bytes_i[all ? 1 : 0] > 8'd62 ? NoOpcode : bytes_i[all ? 1 : 0][5:0];

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      if (first) wrong_q <= bytes_i[0] != Magic;
      if (all || at_i == 5'd1) opcode_q <= opcode;
      if (all) key_q <= bytes_i[2] != '0 ? '1 : bytes_i[3];
      else if (at_i == 5'd2) key_q <= bytes_i[0] != '0 ? '1 : '0;
      else if (at_i == 5'd3 && key_q == '0) key_q <= bytes_i[0];
      if (all) extras_q <= bytes_i[4];
      else if (at_i == 5'd4) extras_q <= bytes_i[0];
    end
    if (set_i) begin
      wrong_q <= kept_i.wrong;
      opcode_q <= kept_i.opcode;
      key_q <= kept_i.key;
      extras_q <= kept_i.extras;
    end
  end

  assign body_o = take_i && at_i[4:2] == 3'd2;
  assign length_o = eight_i ? {bytes_i[0], bytes_i[1], bytes_i[2], bytes_i[3]}
                            : {number_i[23:0], bytes_i[0]};

  // ---- what it is ------------------------------------------------------------------------------
  form_t form, form_q;
  logic extras_ok_q, key_any_q, malformed_q;
  kind_e kind_q;

  always_comb begin
    form = '0;
    for (int unsigned i = 0; i < Headers; i++) begin
      if (kept(HeaderTable[i].command, MadeValues)) begin
        form |= {$bits(form_t){opcode_q == HeaderTable[i].opcode[5:0]}} & Forms[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    form_q <= form;
    key_any_q <= key_q != '0;
    extras_ok_q <= (form.extras_0 && extras_q == 8'd0) || (form.extras_4 && extras_q == 8'd4)
                   || (form.extras_8 && extras_q == 8'd8) || (form.extras_20 && extras_q == 8'd20);
    kind_q <= form.known ? kind_of(form.command) : KindShort;
    malformed_q <= key_q > 8'(MaxKey)
                   || (form_q.known && ((key_any_q != form_q.key && !form_q.key_free)
                                        || !extras_ok_q || (value_i && !form_q.value)));
  end

  assign opcode_o = opcode_q;
  assign wrong_o = wrong_q;
  assign key_o = key_q;
  assign extras_o = extras_q;
  assign kind_o = kind_q;
  assign malformed_o = malformed_q;

endmodule

`default_nettype wire
