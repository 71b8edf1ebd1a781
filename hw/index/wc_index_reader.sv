// SPDX-License-Identifier: Apache-2.0
// Brings the lines of a bucket and the words of the key together for the comparators, one pair a
// cycle, and hands the words on. The ask of an operation says whether one of its lines was read in
// error.
// Nothing behind this stage stalls. It starts an operation only when room_i says that there is room
// for the verdict. It takes a word only when word_room_i promises room for this word and for the
// four on their way. Both promises are looked at a cycle early.
// Latency 1. An operation takes a cycle for each line it reads, or one if it reads none; there is
// no cycle between operations.
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
  output logic                        word_valid_o,  // the key word taken in the cycle before
  output wc_pkg::beat_t               word_o,
  input  wire logic                   word_room_i,
  input  wire logic                   line_valid_i,
  input  wire logic                   line_error_i,
  output logic                        line_ready_o,
  input  wire logic                   room_i,
  input  wire logic                   due_i,  // the time of the pending flush has come
  // which line was taken in the cycle before, and what to compare this line with
  output logic                        key_o,
  output logic                        first_o,  // first key line
  output logic                        head_o,
  output logic                        expiry_o,
  output logic                        cas_o,
  output wc_pkg::word_t               expected_o,
  output logic                        ask_valid_o,  // beside the last line
  output wc_index_pkg::ask_t          ask_o
);

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_index_pkg::*;

  // What is taken next, one bit each: an operation with its first word, a further word of its key,
  // one of the three header lines, or (pass_q) the end of an operation with words but no lines.
  logic begin_q, more_q, head_q, expiry_q, cas_q, pass_q;
  logic begin_d, more_d;
  logic open_q;      // with begin_q and more_q: there is room to take it
  logic activate_q;  // the flush that is pending takes effect instead of an operation
  logic word, last;
  logic last_q;      // the word handed on is the last of its key
  logic error_q;     // an earlier line of the operation was in error
  logic unread;
  head_t head;

  assign key_ready_o = open_q && probe_valid_i && !probe_i.keyless &&
                       (line_valid_i || !probe_i.memory);
  assign word = key_ready_o && key_valid_i;
  assign line_ready_o = head_q || expiry_q || cas_q ||
                        (open_q && probe_valid_i && !probe_i.keyless && probe_i.memory &&
                         key_valid_i);
  assign unread = probe_i.memory && !activate_q &&
                  (error_q || (line_valid_i && line_ready_o && line_error_i));
  assign last = pass_q || (open_q && probe_valid_i && probe_i.keyless) || (cas_q && line_valid_i);
  assign probe_ready_o = last;
  assign word_o = '{data: expected_o, last: last_q};

  assign begin_d = last || (begin_q && !word);
  assign more_d = word ? !key_i.last : more_q;

  always_comb begin
    head = '0;
    head.valid = 1'b1;
    head.key_len = probe_i.key_len;
  end

  always_ff @(posedge clk_i) begin
    begin_q <= begin_d;
    more_q <= more_d;
    pass_q <= word && key_i.last && !probe_i.memory;
    if (line_valid_i) begin
      head_q <= 1'b0;
      expiry_q <= head_q;
      cas_q <= expiry_q;
    end
    if (word && key_i.last && probe_i.memory) head_q <= 1'b1;
    open_q <= word_room_i && ((begin_d && room_i && !due_i) || more_d);
    activate_q <= begin_d && room_i && due_i;
    word_valid_o <= word;
    last_q <= key_i.last;
    error_q <= unread && !last;
    key_o <= word && probe_i.memory;
    first_o <= begin_q;
    head_o <= head_q && line_valid_i;
    expiry_o <= expiry_q && line_valid_i;
    cas_o <= cas_q && line_valid_i;
    ask_valid_o <= last || activate_q;
    ask_o <= '{
        op: activate_q ? OpNone : probe_i.op,
        effect: effect_of(activate_q ? OpNone : probe_i.op),
        error: probe_i.error,
        memory: probe_i.memory && !activate_q,
        cas_set: probe_i.wish.cas != '0,
        size_class: probe_i.size_class,
        forward: probe_i.forward,
        prior: probe_i.prior,
        unread: unread,
        failed: unread || (probe_i.memory && !activate_q && probe_i.retired),
        activate: activate_q
    };
    if (head_q) expected_o <= head;
    else if ((begin_q || more_q) && !probe_i.keyless) expected_o <= key_i.data;
    else expected_o <= probe_i.wish.cas;
    if (rst_i) begin
      begin_q <= 1'b1;
      more_q <= 1'b0;
      head_q <= 1'b0;
      expiry_q <= 1'b0;
      cas_q <= 1'b0;
      pass_q <= 1'b0;
      error_q <= 1'b0;
      open_q <= 1'b0;
      activate_q <= 1'b0;
      word_valid_o <= 1'b0;
      key_o <= 1'b0;
      head_o <= 1'b0;
      expiry_o <= 1'b0;
      cas_o <= 1'b0;
      ask_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT(one_of_all, $onehot({begin_q, more_q, head_q, expiry_q, cas_q, pass_q}))
  `WC_ASSERT(open_for_words, !open_q || begin_q || more_q)
  `WC_ASSERT(taken_when_there, !probe_ready_o || probe_valid_i)

endmodule

`default_nettype wire
