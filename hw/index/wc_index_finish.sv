// SPDX-License-Identifier: Apache-2.0
// Carries out the decision: result and key words to the stage behind, the changed lines to the
// writer. An operation takes a cycle for each key word and one for each header line it writes, or
// one more if it writes nothing. Latency 1 to the result and the run of lines, 2 to the first of them. Each output may
// stall alone; an operation's result never waits for its own key words or its own lines. Result
// and run are given only to who was ready in the cycle before, and stays so until it gets one.
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

  // ---- the next operation: its result, and its run of lines ------------------------------------
  typedef struct packed {
    result_t result;
    seconds_t expiry;
    write_e write;
    logic [Slots-1:0] slots;
    logic [Slots-1:0] freed;
    line_t line;  // the first to be written
    count_t count;  // of lines to be written
    logic keyless;  // writes nothing
    logic ordered;  // others may wait for its write
  } job_t;

  job_t job, next_q;
  logic next_valid_q;
  logic result_open_q, run_open_q;  // room there, seen a cycle earlier
  logic load, start, writes;
  logic idle, done;  // of the one in work
  logic written;     // it is done as its last line goes

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

  // Room that is there stays until something is put there, so it is looked at a cycle early.
  assign writes = next_q.write != WriteNone;
  assign start = next_valid_q && result_open_q && (run_open_q || !writes) &&
                 (idle || (written && !next_q.keyless));

  assign result_valid_o = start;
  assign result_o = next_q.result;
  assign run_valid_o = start && writes;
  assign run_line_o = next_q.line;
  assign run_count_o = next_q.count;
  assign done_o = done || (start && next_q.keyless);

  always_ff @(posedge clk_i) begin
    result_open_q <= result_ready_i && !start;
    run_open_q <= run_ready_i && !start;
    decided_o <= start && next_q.ordered;
    decided_writes_o <= writes;
    if (load) begin
      next_valid_q <= 1'b1;
      next_q <= job;
    end
    if (start) next_valid_q <= 1'b0;
    if (rst_i) begin
      result_open_q <= 1'b0;
      run_open_q <= 1'b0;
      next_valid_q <= 1'b0;
      decided_o <= 1'b0;
    end
  end

  // ---- the one in work: its words and lines ----------------------------------------------------
  typedef enum logic [2:0] {
    Idle,
    Words,
    Head,
    Expiry,
    Cas
  } state_e;

  typedef struct packed {
    head_t head;
    logic [31:0] flags;
    seconds_t expiry;
    cas_t cas;
    logic [Slots-1:0] freed;
  } header_t;

  state_e state_q, state_d;
  write_e write_q;
  logic with_key_q;
  logic [Slots-1:0] slots_q;
  logic [InPage-1:0] place_q;  // of the line in its page
  logic start_q;
  header_t header_q;  // there from the second cycle on, which is when the first line of it may go
  logic word, line;

  assign idle = state_q == Idle;
  assign word_ready_o = state_q == Words && (line_ready_i || write_q != WriteItem) &&
                        (key_ready_i || !with_key_q);
  assign word = word_ready_o && word_valid_i;
  assign line = state_q inside {Head, Expiry, Cas} && line_ready_i;

  assign key_valid_o = word && with_key_q;
  assign key_o = word_i;
  assign line_valid_o = (word && write_q == WriteItem) || line;
  assign line_slots_o = slots_q;
  assign line_zeros_o = state_q == Head ? header_q.freed : '0;
  assign line_last_o = (&place_q) || state_q == Cas || write_q == WriteFree;

  assign written = line_ready_i && (state_q == Cas || (state_q == Head && write_q == WriteFree));

  always_comb begin
    state_d = state_q;
    done = written;
    unique case (state_q)
      Idle: state_d = Idle;
      Words: begin
        if (word && word_i.last) begin
          state_d = write_q == WriteNone ? Idle : Head;
          done = write_q == WriteNone;
        end
      end
      Head: begin
        if (line) state_d = write_q == WriteFree ? Idle : Expiry;
      end
      Expiry: if (line) state_d = Cas;
      Cas: begin
        if (line) state_d = Idle;
      end
      default: state_d = Idle;
    endcase
    if (start && !next_q.keyless) state_d = Words;
  end

  always_comb begin
    unique case (state_q)
      Head: line_o = header_q.head;
      Expiry: line_o = {header_q.flags, header_q.expiry};
      Cas: line_o = header_q.cas;
      default: line_o = word_i.data;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    start_q <= start;
    if (line_valid_o) place_q <= place_q + 1'b1;
    if (start) begin
      write_q <= next_q.write;
      with_key_q <= next_q.result.op.with_key;
      slots_q <= next_q.slots;
      place_q <= next_q.line[InPage-1:0];
    end
    if (start_q) begin
      header_q <= '{
          head: '{
              valid: 1'b1,
              zero: '0,
              key_len: next_q.result.op.key_len,
              value_len: next_q.result.value_len,
              pointer: next_q.result.pointer
          },
          flags: next_q.result.flags,
          expiry: next_q.expiry,
          cas: next_q.result.cas,
          freed: next_q.freed
      };
    end
    if (rst_i) begin
      state_q <= Idle;
      start_q <= 1'b0;
    end
  end

  `WC_ASSERT(keyless_writes_nothing, !next_valid_q || !next_q.keyless || !writes)
  `WC_ASSERT(result_is_taken, !result_valid_o || result_ready_i)
  `WC_ASSERT(run_is_taken, !run_valid_o || run_ready_i)

endmodule

`default_nettype wire
