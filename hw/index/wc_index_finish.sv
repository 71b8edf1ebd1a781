// SPDX-License-Identifier: Apache-2.0
// Carries out the decision: result and key words to the stage behind, the changed lines to the
// writer. An operation takes a cycle for each key word, and one for each header line written; one
// without either takes a cycle. Latency 2. Each output may stall alone; an operation's result never
// waits for its own key words or its own lines.
`include "wc_assert.svh"
`default_nettype none

module wc_index_finish #(
  parameter int unsigned Slots = 8
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire logic                     verdict_valid_i,
  output logic                          verdict_ready_o,
  input  wire wc_index_pkg::verdict_t   verdict_i,
  input  wire logic                     context_valid_i,
  output logic                          context_ready_o,
  input  wire wc_index_pkg::context_t   context_i,
  input  wire logic                     word_valid_i,
  output logic                          word_ready_o,
  input  wire wc_pkg::beat_t            word_i,
  output logic                          result_valid_o,
  input  wire logic                     result_ready_i,
  output wc_pkg::result_t               result_o,
  output logic                          key_valid_o,
  input  wire logic                     key_ready_i,
  output wc_pkg::beat_t                 key_o,
  // a run of lines to write, and its lines: one stripe, the slots that get it
  output logic                          run_valid_o,
  input  wire logic                     run_ready_i,
  output wc_index_pkg::line_t           run_line_o,
  output wc_index_pkg::count_t          run_count_o,
  output logic                          line_valid_o,
  input  wire logic                     line_ready_i,
  output wc_pkg::word_t                 line_o,
  output logic [Slots-1:0]              line_slots_o,
  output logic                          line_last_o,  // of an AXI burst
  // a SET or DELETE is decided: it writes, or not
  output logic                          decided_o,
  output logic                          decided_writes_o,
  output logic                          done_o  // an operation is through
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned BusBytes = Slots * WordBytes;
  localparam int unsigned InPage = 12 - $clog2(BusBytes);

  // ---- the operation in work ------------------------------------------------------------------------
  logic valid_q;
  result_t result_q;
  seconds_t expiry_q;
  write_e write_q;
  logic [Slots-1:0] slots_q;
  line_t line_q;  // the next to be written, when it has been decided
  count_t count_q;
  logic keyless_q, ordered_q;  // ordered: others may wait for its write
  count_t words;
  logic load, done;
  op_t op;

  assign load = verdict_valid_i && context_valid_i && (done || !valid_q);
  assign verdict_ready_o = load;
  assign context_ready_o = load;
  assign words = count_t'(context_i.op.key_len[7:3]) + count_t'(context_i.op.key_len[2:0] != 3'd0);

  always_comb begin
    op = context_i.op;
    if (op.op != OpNone) op.status = verdict_i.status;
  end

  // ---- its steps --------------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    Words,
    Head,
    Expiry,
    Cas
  } state_e;

  state_e state_q, state_d;
  logic begun_q, begin_now, begun;
  logic word, line;
  head_t head;

  assign begin_now = valid_q && !begun_q && result_ready_i && (write_q == WriteNone || run_ready_i);
  assign begun = begun_q || begin_now;

  assign result_valid_o = begin_now;
  assign result_o = result_q;
  assign run_valid_o = begin_now && write_q != WriteNone;
  assign run_line_o = line_q;
  assign run_count_o = count_q;
  assign decided_o = begin_now && ordered_q;
  assign decided_writes_o = write_q != WriteNone;
  assign done_o = done;

  assign word_ready_o = begun && state_q == Words && !keyless_q &&
                        (line_ready_i || write_q != WriteItem) &&
                        (key_ready_i || !result_q.op.with_key);
  assign word = word_ready_o && word_valid_i;
  assign line = state_q != Words && line_ready_i;

  assign key_valid_o = word && result_q.op.with_key;
  assign key_o = word_i;
  assign line_valid_o = (word && write_q == WriteItem) || line;
  assign line_slots_o = slots_q;
  assign line_last_o = (&line_q[InPage-1:0]) || state_q == Cas || write_q == WriteFree;

  always_comb begin
    state_d = state_q;
    done = 1'b0;
    unique case (state_q)
      Words: begin
        if ((word && word_i.last) || (keyless_q && begin_now)) begin
          if (write_q == WriteNone) done = 1'b1;
          else state_d = Head;
        end
      end
      Head: begin
        if (line) state_d = Expiry;
        if (line && write_q == WriteFree) begin
          state_d = Words;
          done = 1'b1;
        end
      end
      Expiry: if (line) state_d = Cas;
      Cas: begin
        if (line) begin
          state_d = Words;
          done = 1'b1;
        end
      end
      default: state_d = Words;
    endcase
  end

  always_comb begin
    head = '{
        valid: 1'b1,
        zero: '0,
        key_len: result_q.op.key_len,
        value_len: result_q.value_len,
        pointer: result_q.pointer
    };
    unique case (state_q)
      Words: line_o = word_i.data;
      Head: line_o = write_q == WriteFree ? '0 : head;
      Expiry: line_o = {result_q.flags, expiry_q};
      default: line_o = result_q.cas;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    begun_q <= begun && !done;
    if (line_valid_o) line_q <= line_q + 1'b1;
    if (done) valid_q <= 1'b0;
    if (load) begin
      valid_q <= 1'b1;
      result_q <= '{
          op: op,
          value_len: verdict_i.hit ? verdict_i.value_len : context_i.value_len,
          flags: verdict_i.hit ? verdict_i.flags : context_i.flags,
          cas: verdict_i.cas,
          pointer: verdict_i.pointer
      };
      expiry_q <= context_i.expiry;
      write_q <= verdict_i.write;
      for (int unsigned i = 0; i < Slots; i++) slots_q[i] <= verdict_i.slot == slot_t'(i);
      line_q <= context_i.line - (verdict_i.write == WriteItem ? line_t'(words) : '0);
      unique case (verdict_i.write)
        WriteFree: count_q <= count_t'(1);
        WriteItem: count_q <= words + count_t'(HeaderLines);
        default: count_q <= count_t'(HeaderLines);
      endcase
      keyless_q <= context_i.op.key_len == '0;
      ordered_q <= context_i.op.key_len != '0 && context_i.op.op inside {OpSet, OpDelete};
    end
    if (rst_i) begin
      state_q <= Words;
      begun_q <= 1'b0;
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
