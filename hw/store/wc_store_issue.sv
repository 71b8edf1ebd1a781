// SPDX-License-Identifier: Apache-2.0
// Gives out the memory work of one operation after the other and passes every result on in order.
// Two hazard queues hold a read behind earlier writes of its block and a write behind earlier
// reads; two writes of a block keep their order by themselves, as both carry the same AXI id.
// Latency 5 (without memory work 3); one operation per 3 cycles, which is what the hazard queues
// take to answer (1 without memory work). What cannot go holds back all behind it.
`include "wc_assert.svh"
`default_nettype none

module wc_store_issue
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned Reads         = 32,  // GETs in flight
  parameter int unsigned HazardEntries = 32   // SETs in flight
) (
  input  wire logic    clk_i,
  input  wire logic    rst_i,
  input  wire logic    result_valid_i,
  output logic         result_ready_o,
  input  wire result_t result_i,
  output logic         result_valid_o,
  input  wire logic    result_ready_i,
  output result_t      result_o,
  // Work: pushed only when the receiver is ready, which it then stays until the push.
  output run_t         run_o,
  output logic         read_push_o,
  input  wire logic    read_ready_i,
  output logic         write_push_o,
  output logic         write_discard_o,  // swallow the words instead
  input  wire logic    write_ready_i,
  // The oldest in flight is done: data has arrived, write is acknowledged.
  input  wire logic    read_done_i,
  input  wire logic    write_done_i
);

  localparam int unsigned TagWidth = 12;
  // Results run ahead of their values by the latency of memory.
  localparam int unsigned QueueDepth = Reads;
  localparam int unsigned CountWidth = $clog2(QueueDepth) + 1;

  typedef enum logic [1:0] {
    KindPass,
    KindRead,
    KindWrite,
    KindDiscard
  } kind_e;

  kind_e kind_d, kind_q;
  run_t run_d, run_q;
  logic [TagWidth-1:0] tag_d, tag_q;
  logic valid_q;
  logic settled_q;  // this operation has been there for a cycle
  logic armed_q;    // there is room for its work, and match_o speaks of it
  logic go, room;
  logic accept;
  logic queue_ready;
  logic give, gone_some_q;
  logic [CountWidth-1:0] gone_q;  // operations that went and whose results are in the queue
  result_t result;
  logic reads_ready, writes_ready;
  logic read_match, write_match;

  // ---- what the operation needs -----------------------------------------------------------------
  always_comb begin
    kind_d = KindPass;
    if (result_i.value_len != '0) begin
      unique case (result_i.op.op)
        OpGet: if (result_i.op.status == StOk) kind_d = KindRead;
        OpSet: kind_d = result_i.op.status == StOk ? KindWrite : KindDiscard;
        default: kind_d = KindPass;
      endcase
    end
  end

  assign run_d.line = result_i.pointer.line;
  assign run_d.lines = LinesWidth'((result_i.value_len + value_len_t'(LineBytes - 1)) >> 6);
  assign run_d.tail_words = 3'((result_i.value_len[5:0] - 6'd1) >> 3);
  assign run_d.tail_bytes = result_i.value_len[2:0];
  // Blocks lie on round addresses: the high bits are folded in to tell large ones apart.
  assign tag_d = result_i.pointer.line[11:0] ^ result_i.pointer.line[23:12]
                 ^ {result_i.pointer.line[29:24], 6'b0};

  // ---- when it may go ---------------------------------------------------------------------------
  // match_o answers for the tag two cycles after it is there. Whatever else must be true stays true
  // until the operation goes, so it is looked at a cycle early.
  always_comb begin
    unique case (kind_q)
      KindPass: room = 1'b1;
      KindRead: room = read_ready_i && reads_ready;
      default: room = write_ready_i && writes_ready;
    endcase
  end

  assign go = armed_q && !(kind_q == KindRead && write_match)
              && !(kind_q == KindWrite && read_match);

  assign result_ready_o = queue_ready && (go || !valid_q);
  assign accept = result_valid_i && result_ready_o;
  assign run_o = run_q;
  assign read_push_o = go && kind_q == KindRead;
  assign write_push_o = go && (kind_q == KindWrite || kind_q == KindDiscard);
  assign write_discard_o = kind_q == KindDiscard;

  always_ff @(posedge clk_i) begin
    settled_q <= 1'b1;
    armed_q <= armed_q || (valid_q && settled_q && room);
    if (go || !valid_q) begin
      valid_q <= accept;
      kind_q <= kind_d;
      run_q <= run_d;
      tag_q <= tag_d;
      settled_q <= 1'b0;
      armed_q <= accept && kind_d == KindPass;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      armed_q <= 1'b0;
    end
  end

  wc_hazard #(
    .Entries (Reads),
    .TagWidth(TagWidth)
  ) u_reads (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .tag_i  (tag_q),
    .match_o(read_match),
    .push_i (read_push_o),
    .ready_o(reads_ready),
    .pop_i  (read_done_i),
    .empty_o()
  );

  wc_hazard #(
    .Entries (HazardEntries),
    .TagWidth(TagWidth)
  ) u_writes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .tag_i  (tag_q),
    .match_o(write_match),
    .push_i (go && kind_q == KindWrite),
    .ready_o(writes_ready),
    .pop_i  (write_done_i),
    .empty_o()
  );

  // ---- results ----------------------------------------------------------------------------------
  // They wait in the queue from the beginning; an operation that goes only says so.
  wc_fifo_shallow #(
    .data_t(result_t),
    .Depth (QueueDepth)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(accept),
    .ready_o(queue_ready),
    .data_i (result_i),
    .valid_o(),
    .ready_i(give),
    .data_o (result)
  );

  assign give = gone_some_q && (result_ready_i || !result_valid_o);

  always_ff @(posedge clk_i) begin
    if (go && !give) begin
      gone_q <= gone_q + 1'b1;
      gone_some_q <= 1'b1;
    end else if (give && !go) begin
      gone_q <= gone_q - 1'b1;
      gone_some_q <= gone_q != CountWidth'(1);
    end
    if (result_ready_i || !result_valid_o) begin
      result_valid_o <= gone_some_q;
      result_o <= result;
    end
    if (rst_i) begin
      gone_q <= '0;
      gone_some_q <= 1'b0;
      result_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(result, result_valid_o, result_ready_i, result_o)
  `WC_ASSERT(read_is_taken, !read_push_o || read_ready_i)
  `WC_ASSERT(write_is_taken, !write_push_o || write_ready_i)
  `WC_ASSERT(value_fits, !result_valid_i || 32'(result_i.value_len) <= MaxValueBytes)

endmodule

`default_nettype wire
