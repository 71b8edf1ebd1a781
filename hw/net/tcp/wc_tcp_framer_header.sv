// SPDX-License-Identifier: Apache-2.0
// The header of a binary request: keeps what of it tells where the request ends, and says what the
// request is. A header lies in three or four words; the window turns them so that its bytes 0, 8
// and 16 are in slot 0. What is said counts two cycles behind the extras' length.
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
  input  wire logic          wrong_i,
  input  wire logic          take_i,
  input  wire logic [1:0]    words_i,   // so many words have come
  input  wire logic [WordBytes-1:0] late_i,   // slots of what began in the word before
  input  wire logic [WordBytes-1:0][7:0] slots_i,

  output logic [5:0]         opcode_o,
  output logic               wrong_o,
  output logic [8:0]         key_o,
  output logic [7:0]         extras_o,
  output logic [3:0]         body_o,    // slots 0 to 3 are bytes of the body's length

  output kind_e              kind_o,
  output logic               malformed_o,
  output logic               bare_o     // it may have no value
);

  logic wrong_q;
  logic [5:0] opcode_q;
  logic [8:0] key_q;
  logic [7:0] extras_q;
  logic [4:0] first;  // slots of the first eight bytes

  always_comb begin
    for (int unsigned i = 0; i < 5; i++) first[i] = words_i == (late_i[i] ? 2'd1 : 2'd0);
    for (int unsigned i = 0; i < 4; i++) begin
      body_o[i] = take_i && words_i == (late_i[i] ? 2'd2 : 2'd1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      if (first[0]) wrong_q <= slots_i[0] != Magic;
      if (first[1]) opcode_q <= slots_i[1][7:6] != '0 ? NoOpcode : slots_i[1][5:0];
      if (first[2]) key_q[8] <= slots_i[2] != '0;
      if (first[3]) key_q[7:0] <= slots_i[3];
      if (first[4]) extras_q <= slots_i[4];
    end
    if (set_i) begin
      wrong_q <= wrong_i;
      opcode_q <= kept_i.opcode;
      key_q <= kept_i.key;
      extras_q <= kept_i.extras;
    end
  end

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
    malformed_q <= key_q > 9'(MaxKey)
                   || (form_q.known && ((key_any_q != form_q.key && !form_q.key_free)
                                        || !extras_ok_q));
  end

  assign bare_o = form_q.known && !form_q.value;
  assign opcode_o = opcode_q;
  assign wrong_o = wrong_q;
  assign key_o = key_q;
  assign extras_o = extras_q;
  assign kind_o = kind_q;
  assign malformed_o = malformed_q;

endmodule

`default_nettype wire
