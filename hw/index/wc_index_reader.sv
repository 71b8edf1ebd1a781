// SPDX-License-Identifier: Apache-2.0
// Brings the lines of a bucket and the words of the key together for the comparators, one pair a
// cycle, and hands the words on. An operation takes a cycle for each line it reads, or one if it
// reads none; there is none between operations. Nothing behind it stalls: it starts an operation
// only when room_i says that there is room for its verdict. Latency 1.
`include "wc_assert.svh"
`default_nettype none

module wc_index_reader (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic                   probe_valid_i,
  output logic                        probe_ready_o,
  input  wire wc_index_pkg::probe_t   probe_i,
  input  wire logic                   key_valid_i,
  output logic                        key_ready_o,
  input  wire wc_pkg::beat_t          key_i,
  output logic                        word_valid_o,  // the key word that was taken
  input  wire logic                   word_ready_i,
  input  wire logic                   line_valid_i,
  output logic                        line_ready_o,
  input  wire logic                   room_i,
  input  wire logic                   due_i,  // the time of the pending flush has come
  // what the line is, in the cycle after it was taken, and what to compare it with
  output logic                        key_o,
  output logic                        first_o,  // first key line
  output logic                        head_o,
  output logic                        expiry_o,
  output logic                        cas_o,
  output wc_pkg::word_t               expected_o,
  output logic                        ask_valid_o,  // with the last line
  output wc_index_pkg::ask_t          ask_o
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  typedef enum logic [2:0] {
    Words,
    Head,
    Expiry,
    Cas,
    Pass
  } state_e;

  state_e state_q, state_d;
  logic first_q;
  logic start, activate, pass, word, last;
  head_t head;

  assign start = probe_valid_i && (room_i || !first_q);
  assign activate = state_q == Words && first_q && due_i && room_i;
  assign pass = (state_q == Words && probe_i.keyless && start && !activate) || state_q == Pass;
  assign key_ready_o = state_q == Words && !probe_i.keyless && start && !activate &&
                       word_ready_i && (line_valid_i || !probe_i.memory);
  assign word = key_ready_o && key_valid_i;
  assign word_valid_o = word;
  assign line_ready_o = state_q inside {Head, Expiry, Cas} ||
                        (state_q == Words && !probe_i.keyless && start && !activate &&
                         word_ready_i && key_valid_i && probe_i.memory);
  assign last = pass || (state_q == Cas && line_valid_i);
  assign probe_ready_o = last;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Words: if (word && key_i.last) state_d = probe_i.memory ? Head : Pass;
      Head: if (line_valid_i) state_d = Expiry;
      Expiry: if (line_valid_i) state_d = Cas;
      Cas: if (line_valid_i) state_d = Words;
      Pass: state_d = Words;
      default: state_d = Words;
    endcase
  end

  always_comb begin
    head = '0;
    head.valid = 1'b1;
    head.key_len = probe_i.key_len;
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (last) first_q <= 1'b1;
    else if (word) first_q <= 1'b0;
    key_o <= word && probe_i.memory;
    first_o <= first_q;
    head_o <= state_q == Head && line_valid_i;
    expiry_o <= state_q == Expiry && line_valid_i;
    cas_o <= state_q == Cas && line_valid_i;
    ask_valid_o <= last || activate;
    ask_o <= '{
        op: activate ? OpNone : probe_i.op,
        error: probe_i.error,
        memory: probe_i.memory && !activate,
        cas_set: probe_i.wish.cas != '0,
        size_class: probe_i.size_class,
        forward: probe_i.forward,
        prior: probe_i.prior,
        activate: activate
    };
    if (state_q == Head) expected_o <= head;
    else if (state_q == Words && !probe_i.keyless) expected_o <= key_i.data;
    else expected_o <= probe_i.wish.cas;
    if (rst_i) begin
      state_q <= Words;
      first_q <= 1'b1;
      key_o <= 1'b0;
      head_o <= 1'b0;
      expiry_o <= 1'b0;
      cas_o <= 1'b0;
      ask_valid_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
