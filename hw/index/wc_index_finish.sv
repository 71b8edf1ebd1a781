// SPDX-License-Identifier: Apache-2.0
// Carries out the decision: sends result and key words to the stage behind, and the changed lines
// to wc_index_write.
// Each output may stall alone. An operation's result never waits for the key words, the run or the
// lines of the same operation. Result and run leave from registers; result_room_i promises room for
// the results of the next three cycles, which are two at most.
// Latency 2 to the result, the run of lines and the first line. An operation takes a cycle for each
// key word and one for each header line it writes, or one more if it writes nothing.
`include "wc_assert.svh"
`include "wc_axi.svh"
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
  input  wire logic                     result_room_i,
  output wc_pkg::result_t               result_o,
  output logic                          key_valid_o,
  input  wire logic                     key_ready_i,
  output wc_pkg::beat_t                 key_o,
  // a run of lines to write, and its lines: a stripe, the slots that get the stripe, and those that
  // get zeros
  output logic                          run_valid_o,
  input  wire logic                     run_ready_i,
  output wc_index_pkg::line_t           run_line_o,
  output wc_index_pkg::count_t          run_count_o,
  output wc_index_pkg::line_t           run_bucket_o,  // its bucket's first header line
  output logic                          line_valid_o,
  input  wire logic                     line_ready_i,
  output wc_pkg::word_t                 line_o,
  output logic [Slots-1:0]              line_slots_o,
  output logic [Slots-1:0]              line_zeros_o,
  output logic                          line_last_o,  // of an AXI burst
  // a write (SET, DELETE, TOUCH, GAT) is decided, and whether it writes
  output logic                          decided_o,
  output logic                          decided_writes_o,
  output logic                          done_o,  // an operation is through
  // a line of an operation was read in error, and the first header line of its bucket
  output logic                          unread_o,
  output wc_index_pkg::line_t           unread_line_o
);

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned BusBytes = Slots * WordBytes;
  localparam int unsigned InPage = `WC_AXI_PAGE_BITS - $clog2(BusBytes);

  // ---- first stage, the next operation: its result, and its run of lines -----------------------
  typedef struct packed {
    result_t result;
    seconds_t expiry;
    logic none, free, item;  // WriteNone, WriteFree, WriteItem
    logic [Slots-1:0] slots;
    logic [Slots-1:0] freed;
    line_t line;  // the bucket's first header line
    logic unread;
    logic [InPage-1:0] place;  // in its page, of the first line to be written
    count_t words;  // of the key
    logic keyless;  // the operation has no key words and writes nothing
    logic ordered;  // other operations may wait for its write
  } job_t;

  effect_t effect;
  job_t job, next_q;
  logic next_valid_q;
  logic go_q;      // next_q is there, and room for its result
  logic loaded_q;  // next_q came in the cycle before
  logic load, start, writes;
  logic start_q;  // next_q was started in the cycle before
  logic idle_q;   // no operation is in work
  logic done;     // the operation in work is done
  logic written;  // it is, with its last line

  assign load = verdict_valid_i && context_valid_i && !next_valid_q && !run_valid_o;
  assign verdict_ready_o = load;
  assign context_ready_o = load;

  assign effect = effect_of(context_i.op.op);

  always_comb begin
    job.result = '{
        op: context_i.op,
        value_len: verdict_i.value_len,
        flags: verdict_i.flags,
        ttl: '0,
        unused: '0,
        cas: verdict_i.cas,
        marks: '0,
        wins: 1'b0,
        pointer: verdict_i.pointer,
        hit: 1'b0,
        one_line: 1'b0
    };
    if (effect.need != NeedNoKey || effect.flushes) job.result.op.status = verdict_i.status;
    job.expiry = verdict_i.expiry;
    job.none = verdict_i.write == WriteNone;
    job.free = verdict_i.write == WriteFree;
    job.item = verdict_i.write == WriteItem;
    for (int unsigned i = 0; i < Slots; i++) begin
      job.slots[i] = verdict_i.slot == slot_t'(i) && verdict_i.write != WriteFree;
    end
    job.freed = verdict_i.freed[Slots-1:0];
    job.line = context_i.line;
    job.unread = verdict_i.unread;
    job.place = context_i.line[InPage-1:0] -
                (verdict_i.write == WriteItem ? InPage'(context_i.words) : '0);
    job.words = context_i.words;
    job.keyless = context_i.op.key_len == '0;
    job.ordered = context_i.op.key_len != '0 && effect.change != ChangeNone;
  end

  assign writes = !next_q.none;
  assign start = go_q && (idle_q || (written && !next_q.keyless));

  // next_q stays for a cycle after its operation was started.
  assign result_valid_o = start_q;
  assign result_o = next_q.result;
  assign run_bucket_o = next_q.line;  // no operation is loaded while a run is offered
  assign unread_o = loaded_q && next_q.unread;
  assign unread_line_o = next_q.line;
  assign done_o = done || (start && next_q.keyless);

  always_ff @(posedge clk_i) begin
    go_q <= (load || (next_valid_q && !start)) && result_room_i;
    start_q <= start;
    loaded_q <= load;
    if (run_ready_i) run_valid_o <= 1'b0;
    if (loaded_q) begin
      run_valid_o <= writes;
      run_line_o <= next_q.line - (next_q.item ? line_t'(next_q.words) : '0);
      run_count_o <= next_q.free ? count_t'(1)
                                 : count_t'(HeaderLines) + (next_q.item ? next_q.words : '0);
    end
    decided_o <= start && next_q.ordered;
    decided_writes_o <= writes;
    if (load) begin
      next_valid_q <= 1'b1;
      next_q <= job;
    end
    if (start) next_valid_q <= 1'b0;
    if (rst_i) begin
      go_q <= 1'b0;
      start_q <= 1'b0;
      loaded_q <= 1'b0;
      run_valid_o <= 1'b0;
      next_valid_q <= 1'b0;
      decided_o <= 1'b0;
    end
  end

  // ---- second stage, the operation in work: its words and lines --------------------------------
  typedef struct packed {
    head_t head;
    logic [31:0] flags;
    seconds_t expiry;
    cas_t cas;
    logic [Slots-1:0] freed;
  } header_t;

  // What the operation sends next, one bit each: these four or idle_q.
  logic words_q, head_q, expiry_q, cas_q;
  logic none_q, free_q, item_q;
  logic header_line_q;  // head_q, expiry_q or cas_q
  logic key_line_q;     // words_q and item_q
  logic key_words_q;
  logic [Slots-1:0] slots_q;
  logic [InPage-1:0] place_q;  // of the line in its page
  header_t header_q;  // from the operation's second cycle on: its first line may go in that cycle
  logic word, last_word, line_room;

  assign line_room = line_ready_i || !item_q;
  assign word_ready_o = words_q && line_room && (key_ready_i || !key_words_q);
  assign word = word_ready_o && word_valid_i;
  assign last_word = word && word_i.last;

  assign key_valid_o = words_q && word_valid_i && line_room && key_words_q;
  assign key_o = word_i;
  assign line_valid_o = header_line_q ||
                        (key_line_q && word_valid_i && (key_ready_i || !key_words_q));
  assign line_slots_o = slots_q;
  assign line_zeros_o = head_q ? header_q.freed : '0;
  assign line_last_o = (&place_q) || cas_q || free_q;

  assign written = line_ready_i && (cas_q || (head_q && free_q));
  assign done = written || (last_word && none_q);

  always_comb begin
    unique case (1'b1)
      head_q: line_o = header_q.head;
      expiry_q: line_o = {header_q.flags, header_q.expiry};
      cas_q: line_o = header_q.cas;
      default: line_o = word_i.data;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (done) idle_q <= 1'b1;
    if (last_word) begin
      words_q <= 1'b0;
      key_line_q <= 1'b0;
    end
    if (line_ready_i) begin
      header_line_q <= (head_q && !free_q) || expiry_q;
      head_q <= 1'b0;
      expiry_q <= head_q && !free_q;
      cas_q <= expiry_q;
    end
    if (last_word && !none_q) begin
      head_q <= 1'b1;
      header_line_q <= 1'b1;
    end
    if (line_valid_o && line_ready_i) place_q <= place_q + 1'b1;
    if (start) begin
      if (!next_q.keyless) begin
        idle_q <= 1'b0;
        words_q <= 1'b1;
        key_line_q <= next_q.item;
      end
      none_q <= next_q.none;
      free_q <= next_q.free;
      item_q <= next_q.item;
      key_words_q <= next_q.result.op.key_words;
      slots_q <= next_q.slots;
      place_q <= next_q.place;
    end
    if (start_q) begin
      header_q <= '{
          head: '{
              valid: 1'b1,
              zero: '0,
              key_len: next_q.result.op.key_len,
              value_len: slot_len_t'(next_q.result.value_len),
              pointer: next_q.result.pointer
          },
          flags: next_q.result.flags,
          expiry: next_q.expiry,
          cas: next_q.result.cas,
          freed: next_q.freed
      };
    end
    if (rst_i) begin
      idle_q <= 1'b1;
      words_q <= 1'b0;
      key_line_q <= 1'b0;
      header_line_q <= 1'b0;
      head_q <= 1'b0;
      expiry_q <= 1'b0;
      cas_q <= 1'b0;
    end
  end

  `WC_ASSERT(one_of_all, $onehot({idle_q, words_q, head_q, expiry_q, cas_q}))
  `WC_ASSERT(header_line_is, header_line_q == (head_q || expiry_q || cas_q))
  `WC_ASSERT(key_line_is, key_line_q == (words_q && item_q))
  `WC_ASSERT(keyless_writes_nothing, !next_valid_q || !next_q.keyless || !writes)
  `WC_ASSERT_STREAM(run, run_valid_o, run_ready_i, {run_line_o, run_count_o, run_bucket_o})

endmodule

`default_nettype wire
