// SPDX-License-Identifier: Apache-2.0
// Gives out the memory work of one operation after the other, and passes every result on in order.
// Hazards are found here. A GET of a block with a recent SET takes its words from the ring, or
// waits until memory has them. A SET waits for earlier GETs that read its block from memory. Two
// SETs of a block keep their order in memory without waiting, as both carry the same AXI id. An
// operation that waits holds back all behind it.
// Latency 4 without memory work, 5 for a GET, 6 for a SET or a GET from the ring. Throughput: an
// operation every 3 cycles, which it takes to find the hazards of its block; one a cycle without
// memory work.
`include "wc_assert.svh"
`default_nettype none

module wc_store_issue
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned Reads         = 32,    // GETs in flight
  parameter int unsigned HazardEntries = 32,    // recent SETs, one more than there can be
  parameter int unsigned RingWords     = 1024,
  parameter int unsigned KeepWords     = 176
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_i,
  input  wire logic                            result_valid_i,
  output logic                                 result_ready_o,
  input  wire result_t                         result_i,
  output logic                                 result_valid_o,
  input  wire logic                            result_ready_i,
  output result_t                              result_o,
  output store_events_t                        events_o,
  output logic [29:0]                          block_o,  // of the operation in work
  // Work: pushed only when the receiver is ready. A receiver stays ready until the push.
  output run_t                                 run_o,
  output logic                                 read_push_o,
  input  wire logic                            read_ready_i,
  output logic                                 write_push_o,
  output logic                                 write_discard_o,  // the words go nowhere
  output logic                                 write_keep_o,     // the words go to the ring as well
  input  wire logic                            write_ready_i,
  output logic                                 ring_push_o,
  output logic [$clog2(RingWords):0]           ring_place_o,
  output logic [$clog2(KeepWords+1)-1:0]       ring_words_o,
  output logic [$clog2(HazardEntries)-1:0]     ring_first_o,
  input  wire logic                            ring_ready_i,
  output logic                                 order_push_o,     // with ring_push_o or read_push_o
  input  wire logic                            order_ready_i,
  // The oldest GET in flight has its data; the oldest SET in flight is acknowledged.
  input  wire logic                            read_done_i,
  input  wire logic                            write_done_i,
  // The ring waits for words that are still to come; the oldest of its GETs, if any, may have found
  // the SET hold_first_i and all after it.
  input  wire logic                            ring_behind_i,
  input  wire logic                            hold_i,
  input  wire logic [$clog2(HazardEntries)-1:0] hold_first_i
);

  localparam int unsigned TagWidth = 12;
  localparam int unsigned WordsWidth = $clog2(KeepWords + 1);
  // Results run ahead of their values by the latency of memory. The queue is twice as deep as that
  // needs, as 64 results are better off in block RAM.
  localparam int unsigned QueueDepth = 2 * Reads;
  localparam int unsigned CountWidth = $clog2(QueueDepth + 5);  // a queue holds 4 more

  typedef enum logic [1:0] {
    KindPass,
    KindRead,
    KindWrite,
    KindDiscard
  } kind_e;

  // An operation in this stage; its result waits in the queue.
  typedef struct packed {
    kind_e                 kind;   // if its value is not empty
    logic                  empty;
    run_t                  run;
    logic                  keep;
    logic [WordsWidth-1:0] words;
    logic [TagWidth-1:0]   tag;
  } job_t;

  effect_t effect;
  job_t job_in, next, job_q;
  kind_e next_kind;
  logic next_valid, next_ready;
  // Registers of the operation in work.
  logic valid_q;
  logic settled_q;  // it has been there for a cycle
  logic checked_q;  // it has been there for two
  logic armed_q;    // there is room for its work; read_match is about it, if it is a SET
  logic read_q, write_q;  // it is a GET, or a SET, with words in memory
  logic go, clear, room;
  logic take, accept;
  logic queue_ready;
  logic read_match, reads_ready;
  logic recent_hazard, recent_ready;
  logic from_ring;

  // ---- what the operation needs -----------------------------------------------------------------
  assign effect = effect_of(result_i.op.op);

  always_comb begin
    if (effect.value) job_in.kind = result_i.op.status == StOk ? KindWrite : KindDiscard;
    else job_in.kind = effect.reads && result_i.op.status == StOk ? KindRead : KindPass;
    job_in.empty = result_i.value_len == '0;
    job_in.run.line = result_i.pointer.line;
    job_in.run.lines = LinesWidth'((result_i.value_len + value_len_t'(LineBytes - 1)) >> 6);
    job_in.run.tail_words = 3'((result_i.value_len[5:0] - 6'd1) >> 3);
    job_in.run.tail_bytes = result_i.value_len[2:0];
    job_in.keep = result_i.value_len <= value_len_t'(KeepWords * WordBytes);
    job_in.words = WordsWidth'((result_i.value_len + value_len_t'(WordBytes - 1)) >> 3);
    // The tag is folded from the address of the block. Blocks lie on round addresses, so large ones
    // differ in the high bits. The tag and the address above the tag's width give back the address.
    job_in.tag = result_i.pointer.line[11:0] ^ result_i.pointer.line[23:12]
                 ^ {result_i.pointer.line[29:24], 6'b0};
  end

  assign next_kind = next.empty ? KindPass : next.kind;

  assign result_ready_o = queue_ready && next_ready;
  assign accept = result_valid_i && result_ready_o;

  wc_slice #(
    .data_t(job_t)
  ) u_next (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(accept),
    .ready_o(next_ready),
    .data_i (job_in),
    .valid_o(next_valid),
    .ready_i(take),
    .data_o (next)
  );

  // ---- when it may go ---------------------------------------------------------------------------
  // Whether a recent SET has a GET's tag is known a cycle after the GET came, and what to do about
  // it a cycle later. Whether a GET in flight has a SET's tag is known two cycles after the SET
  // came. What else must be true stays true until the operation goes, so it is looked at a cycle
  // early.
  always_comb begin
    unique case (job_q.kind)
      KindPass: room = 1'b1;
      KindRead: room = read_ready_i && reads_ready && ring_ready_i && order_ready_i;
      KindWrite: room = settled_q && write_ready_i && recent_ready;
      default: room = write_ready_i;
    endcase
  end

  // A GET goes to memory only when no GET of the ring before it waits for words. Else its data
  // would wait behind these words and could hold back R. A memory that takes no writes while R is
  // held back would then never take the words of SETs, and those waited for would not come.
  assign clear = !(read_q && !from_ring && (ring_behind_i || recent_hazard))
                 && !(write_q && read_match);
  assign go = armed_q && clear;

  assign take = go || !valid_q;
  assign run_o = job_q.run;
  assign block_o = job_q.run.line;
  assign read_push_o = go && read_q && !from_ring;
  assign ring_push_o = go && read_q && from_ring;
  assign ring_words_o = job_q.words;
  assign order_push_o = go && read_q;
  assign write_push_o = go && (write_q || job_q.kind == KindDiscard);
  assign write_discard_o = job_q.kind == KindDiscard;
  assign write_keep_o = write_q && job_q.keep;

  always_ff @(posedge clk_i) begin
    settled_q <= 1'b1;
    checked_q <= settled_q;
    armed_q <= armed_q || (valid_q && room);
    if (take) begin
      valid_q <= next_valid;
      job_q <= next;
      job_q.kind <= next_kind;
      read_q <= next_kind == KindRead;
      write_q <= next_kind == KindWrite;
      settled_q <= !next_valid;  // without an operation nothing is looked for
      checked_q <= 1'b0;
      armed_q <= next_valid && next_kind == KindPass;
    end
    events_o.stall <= armed_q && ((read_q && checked_q && recent_hazard && !from_ring)
                                  || (write_q && read_match));
    events_o.forward <= ring_push_o;
    if (rst_i) begin
      valid_q <= 1'b0;
      armed_q <= 1'b0;
      events_o <= '0;
    end
  end

  wc_hazard #(
    .Entries (Reads),
    .TagWidth(TagWidth)
  ) u_reads (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .tag_i  (job_q.tag),
    .fresh_i(!settled_q),
    .match_o(read_match),
    .push_i (read_push_o),
    .ready_o(reads_ready),
    .pop_i  (read_done_i),
    .empty_o()
  );

  wc_store_recent #(
    .Entries  (HazardEntries),
    .TagWidth (TagWidth),
    .RingWords(RingWords),
    .KeepWords(KeepWords)
  ) u_recent (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .take_i      (take && next_valid),
    .next_tag_i  (next.tag),
    .settled_i   (settled_q),
    .tag_i       (job_q.tag),
    .rest_i      (job_q.run.line[29:TagWidth]),
    .words_i     (job_q.words),
    .keep_i      (job_q.keep),
    .look_i      (valid_q && read_q),
    .hazard_o    (recent_hazard),
    .forward_o   (from_ring),
    .place_o     (ring_place_o),
    .first_o     (ring_first_o),
    .ready_o     (recent_ready),
    .push_i      (go && write_q),
    .ack_i       (write_done_i),
    .hold_i      (hold_i),
    .hold_first_i(hold_first_i)
  );

  // ---- results ----------------------------------------------------------------------------------
  // A result waits in the queue from the beginning. An operation that goes is only counted, a cycle
  // later: the oldest results, as many as have gone, may leave.
  logic give, waiting, gone_some_q, went_q;
  logic [CountWidth-1:0] gone_q;  // operations that have gone and whose results are in the queue

  wc_fifo #(
    .data_t(result_t),
    .Depth (QueueDepth)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(accept),
    .ready_o(queue_ready),
    .data_i (result_i),
    .valid_o(waiting),
    .ready_i(give),
    .data_o (result_o),
    .level_o()
  );

  assign result_valid_o = waiting && gone_some_q;
  assign give = result_ready_i && gone_some_q;

  always_ff @(posedge clk_i) begin
    went_q <= go;
    if (went_q && !(give && waiting)) begin
      gone_q <= gone_q + 1'b1;
      gone_some_q <= 1'b1;
    end else if (give && waiting && !went_q) begin
      gone_q <= gone_q - 1'b1;
      gone_some_q <= gone_q != CountWidth'(1);
    end
    if (rst_i) begin
      went_q <= 1'b0;
      gone_q <= '0;
      gone_some_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(result, result_valid_o, result_ready_i, result_o)
  `WC_ASSERT(read_is_taken, !read_push_o || read_ready_i)
  `WC_ASSERT(write_is_taken, !write_push_o || write_ready_i)
  `WC_ASSERT(ring_is_asked_for_what_it_has, !ring_push_o || job_q.keep)
  `WC_ASSERT(value_fits, !result_valid_i || 32'(result_i.value_len) <= BlockValueBytes)

endmodule

`default_nettype wire
