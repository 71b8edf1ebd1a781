// SPDX-License-Identifier: Apache-2.0
// Carries out the decision: result and key words to the stage behind, the changed lines to the
// writer. An operation takes a cycle for each key word and one for each header line it writes, two
// at least. Latency 3. Each output may stall alone; an operation's result never waits for its own
// key words or its own lines.
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
  // a run of lines to write, and its lines: one stripe, the slots that get it or zeros
  output logic                          run_valid_o,
  input  wire logic                     run_ready_i,
  output wc_index_pkg::line_t           run_line_o,
  output wc_index_pkg::count_t          run_count_o,
  output logic                          line_valid_o,
  input  wire logic                     line_ready_i,
  output wc_pkg::word_t                 line_o,
  output logic [Slots-1:0]              line_slots_o,
  output logic [Slots-1:0]              line_zeros_o,
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

  // ---- the next operation, and the one in work -------------------------------------------------
  typedef struct packed {
    result_t result;
    seconds_t expiry;
    write_e write;
    logic [Slots-1:0] slots;
    logic [Slots-1:0] freed;
    line_t line;  // the next to be written
    count_t count;  // of lines to be written
    logic keyless;
    logic ordered;  // others may wait for its write
  } job_t;

  job_t job, next_q, now_q;
  logic next_valid_q, valid_q;
  logic load, done;

  assign load = verdict_valid_i && context_valid_i && !next_valid_q;
  assign verdict_ready_o = load;
  assign context_ready_o = load;

  always_comb begin
    job.result = '{
        op: context_i.op,
        value_len: verdict_i.value_len,
        flags: verdict_i.flags,
        cas: verdict_i.cas,
        pointer: verdict_i.pointer
    };
    if (context_i.op.op != OpNone) job.result.op.status = verdict_i.status;
    job.expiry = verdict_i.expiry;
    job.write = verdict_i.write;
    for (int unsigned i = 0; i < Slots; i++) begin
      job.slots[i] = verdict_i.slot == slot_t'(i) && verdict_i.write != WriteFree;
    end
    job.freed = verdict_i.freed[Slots-1:0];
    job.line = context_i.line - (verdict_i.write == WriteItem ? line_t'(context_i.words) : '0);
    unique case (verdict_i.write)
      WriteFree: job.count = count_t'(1);
      WriteItem: job.count = context_i.words + count_t'(HeaderLines);
      default: job.count = count_t'(HeaderLines);
    endcase
    job.keyless = context_i.op.key_len == '0;
    job.ordered = context_i.op.key_len != '0 && context_i.op.op inside {OpSet, OpDelete};
  end

  // ---- its steps -------------------------------------------------------------------------------
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

  assign begin_now = valid_q && !begun_q && result_ready_i &&
                     (now_q.write == WriteNone || run_ready_i);
  assign begun = begun_q || begin_now;

  assign result_valid_o = begin_now;
  assign result_o = now_q.result;
  assign run_valid_o = begin_now && now_q.write != WriteNone;
  assign run_line_o = now_q.line;
  assign run_count_o = now_q.count;
  assign decided_o = begin_now && now_q.ordered;
  assign decided_writes_o = now_q.write != WriteNone;
  assign done_o = done;

  assign word_ready_o = begun && state_q == Words && !now_q.keyless &&
                        (line_ready_i || now_q.write != WriteItem) &&
                        (key_ready_i || !now_q.result.op.with_key);
  assign word = word_ready_o && word_valid_i;
  assign line = state_q != Words && line_ready_i;

  assign key_valid_o = word && now_q.result.op.with_key;
  assign key_o = word_i;
  assign line_valid_o = (word && now_q.write == WriteItem) || line;
  assign line_slots_o = now_q.slots;
  assign line_zeros_o = state_q == Head ? now_q.freed : '0;
  assign line_last_o = (&now_q.line[InPage-1:0]) || state_q == Cas || now_q.write == WriteFree;

  always_comb begin
    state_d = state_q;
    done = 1'b0;
    unique case (state_q)
      Words: begin
        if ((word && word_i.last) || (now_q.keyless && begin_now)) begin
          if (now_q.write == WriteNone) done = 1'b1;
          else state_d = Head;
        end
      end
      Head: begin
        if (line) state_d = Expiry;
        if (line && now_q.write == WriteFree) begin
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
        key_len: now_q.result.op.key_len,
        value_len: now_q.result.value_len,
        pointer: now_q.result.pointer
    };
    unique case (state_q)
      Words: line_o = word_i.data;
      Head: line_o = head;
      Expiry: line_o = {now_q.result.flags, now_q.expiry};
      default: line_o = now_q.result.cas;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    begun_q <= begun && !done;
    if (load) begin
      next_valid_q <= 1'b1;
      next_q <= job;
    end
    if (line_valid_o) now_q.line <= now_q.line + 1'b1;
    if (done || !valid_q) begin
      valid_q <= next_valid_q;
      now_q <= next_q;
      if (next_valid_q) next_valid_q <= 1'b0;
    end
    if (rst_i) begin
      state_q <= Words;
      begun_q <= 1'b0;
      next_valid_q <= 1'b0;
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
