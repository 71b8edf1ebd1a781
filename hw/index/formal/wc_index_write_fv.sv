// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_write: runs and their lines to AXI, and when SETs and DELETEs are done.
// Rule 1: the bursts of a run cover exactly its lines, in order; runs keep their order.
// Rule 2: each line that was taken leaves once, in order: its stripe in the slots that get it,
//         zeros in those that get zeros, strobes for both and no others, wlast as it was marked.
// Rule 3: acked_o stands once for each run: in the cycle after the B of its last burst, or if this
//         B is an error, in the cycle after wc_bad_list has the run's bucket.
// Rule 4: done_o stands once for each decided operation, in order. For an operation that writes it
//         stands only when as many runs are acknowledged as operations up to this one write.
// Rule 5: what is offered on AW and W holds and is stable until taken; a B that is due is taken.
// Rule 6: nothing waits for long: a run's burst is offered in the next cycle, unless 2 * InFlight
//         bursts wait for their B; done_o follows within four cycles of decision and acked_o.
// Rule 7: for each B that is an error, the bucket of its run is put into wc_bad_list, once. No B is
//         taken while the list puts a bucket in. So when a run is acknowledged, and its operation
//         done, the list has the bucket if any burst of the run was not written.
// Assumed: wc_bad_list has a bucket three cycles after it was put there (wc_bad_list_fv); it is
// busy meanwhile. A run holds until taken (wc_index_finish_fv) and has a line at least. InFlight
// operations at most are decided and not done (wc_index_ccu_fv), and one run more, at most, is
// taken for them. B comes only for bursts whose address was taken (in AXI it comes later still).
`include "wc_assert.svh"
`default_nettype none

module wc_index_write_fv
  import wc_pkg::*;
  import wc_index_pkg::*;
#(
  parameter int unsigned Slots     = 2,
  parameter int unsigned InFlight  = 2,
  parameter int unsigned AddrWidth = 13
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             pick_i,  // free: follow the line that is taken
  input wire logic             run_valid_i,
  input wire logic [3:0]       run_line_i,  // around the end of a page
  input wire logic [2:0]       run_count_i,
  input wire logic             run_bucket_i,
  input wire logic             line_valid_i,
  input wire logic [1:0]       line_i,  // its first and last bit
  input wire logic [Slots-1:0] line_slots_i,
  input wire logic [Slots-1:0] line_zeros_i,
  input wire logic             line_last_i,
  input wire logic             decided_i,
  input wire logic             decided_writes_i,
  input wire logic             awready_i,
  input wire logic             wready_i,
  input wire logic             bvalid_i,
  input wire logic             berror_i
);

  localparam int unsigned LineSize = $clog2(8 * Slots);
  localparam int unsigned InPage = 12 - LineSize;
  localparam int unsigned Bursts = 2 * InFlight;
  localparam int unsigned Most = Bursts + 4;  // what a queue of that depth holds
  typedef logic [AddrWidth-LineSize-1:0] place_t;
  typedef logic [3:0] many_t;

  logic run_ready, line_ready, done, acked, awvalid, wlast, wvalid, bready;
  logic [AddrWidth-1:0] awaddr;
  logic [7:0] awlen;
  logic bad_put;
  wc_index_pkg::line_t bad;
  logic [2:0] list_q;  // cycles since a bucket was put into the list, one bit each
  logic [64*Slots-1:0] wdata;
  logic [8*Slots-1:0] wstrb;
  place_t run_line;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  assign run_line = place_t'(2 ** InPage - 8) + place_t'(run_line_i);

  wc_index_write #(
    .Slots    (Slots),
    .InFlight (InFlight),
    .AddrWidth(AddrWidth)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .run_valid_i     (run_valid_i),
    .run_ready_o     (run_ready),
    .run_line_i      (wc_index_pkg::line_t'(run_line)),
    .run_count_i     (count_t'(run_count_i)),
    .run_bucket_i    (wc_index_pkg::line_t'(run_bucket_i)),
    .line_valid_i    (line_valid_i),
    .line_ready_o    (line_ready),
    .line_i          ({line_i[1], 62'b0, line_i[0]}),
    .line_slots_i    (line_slots_i),
    .line_zeros_i    (line_zeros_i),
    .line_last_i     (line_last_i),
    .ordered_i       (1'b1),
    .decided_i       (decided_i),
    .decided_writes_i(decided_writes_i),
    .done_o          (done),
    .acked_o         (acked),
    .m_axi_awaddr    (awaddr),
    .m_axi_awlen     (awlen),
    .m_axi_awvalid   (awvalid),
    .m_axi_awready   (awready_i),
    .m_axi_wdata     (wdata),
    .m_axi_wstrb     (wstrb),
    .m_axi_wlast     (wlast),
    .m_axi_wvalid    (wvalid),
    .m_axi_wready    (wready_i),
    .m_axi_bvalid    (bvalid_i),
    .m_axi_berror    (berror_i),
    .m_axi_bready    (bready),
    .bad_put_o       (bad_put),
    .bad_o           (bad),
    .bad_busy_i      (list_q != '0),
    .bad_done_i      (list_q[2])
  );

  // ---- lines ------------------------------------------------------------------------------------
  typedef struct packed {
    logic [64*Slots-1:0] data;
    logic [8*Slots-1:0]  strobes;
    logic                last;
  } w_t;

  w_t line_in, line_out;
  logic [2:0] level, ahead;
  logic watching;
  w_t watched;

  always_comb begin
    line_in = '{data: '0, strobes: '0, last: line_last_i};
    line_out = '{data: '0, strobes: wstrb, last: wlast};
    for (int unsigned i = 0; i < Slots; i++) begin
      if (line_zeros_i[i] || line_slots_i[i]) line_in.strobes[8*i+:8] = '1;
      if (line_slots_i[i] && !line_zeros_i[i]) begin
        line_in.data[64*i+:64] = {line_i[1], 62'b0, line_i[0]};
      end
      if (wstrb[8*i]) line_out.data[64*i+:64] = wdata[64*i+:64];
    end
  end

  wc_order_fv #(
    .Width($bits(w_t)),
    .Most (2)
  ) u_order (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (line_valid_i && line_ready),
    .push_data_i(line_in),
    .pop_i      (wvalid && wready_i),
    .pop_data_i (line_out),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (watched)
  );

  `WC_ASSERT(line_offered, wvalid == (level != '0))
  `WC_ASSERT(line_taken, line_ready == (level != 3'd2))
  `WC_ASSERT_STREAM(w, wvalid, wready_i, {wdata, wstrb, wlast})

  // ---- runs and bursts --------------------------------------------------------------------------
  place_t next_q;            // the next line that no burst has covered
  logic [2:0] left_q, most;  // lines from there to the end of the run; to that of the page too
  logic [InPage-1:0] behind; // lines of the page behind that one
  // Of the bursts without their B, oldest first: is it the run's last, and the run's bucket.
  logic [Most-1:0] ends_q, ends, buckets_q, buckets;
  logic bucket_q;            // of the run in work
  many_t asked_q, asked;     // such bursts
  logic run, burst, answer;

  assign run = run_valid_i && run_ready;
  assign burst = awvalid && awready_i;
  assign answer = bvalid_i && bready;
  assign behind = ~next_q[InPage-1:0];
  assign most = behind < InPage'(left_q) - 1'b1 ? 3'(behind) + 1'b1 : left_q;

  always_comb begin
    ends = answer ? ends_q >> 1 : ends_q;
    buckets = answer ? buckets_q >> 1 : buckets_q;
    asked = asked_q - many_t'(answer);
    if (burst) begin
      ends[3'(asked)] = most == left_q;
      buckets[3'(asked)] = bucket_q;
    end
  end

  always_ff @(posedge clk_i) begin
    ends_q <= ends;
    buckets_q <= buckets;
    asked_q <= asked + many_t'(burst);
    if (run) begin
      next_q <= run_line;
      left_q <= run_count_i;
      bucket_q <= run_bucket_i;
    end else if (burst) begin
      next_q <= next_q + place_t'(most);
      left_q <= left_q - most;
    end
    if (rst_i) begin
      left_q <= '0;
      asked_q <= '0;
    end
  end

  `WC_ASSUME(run_not_empty, !run_valid_i || run_count_i != '0)
  `WC_ASSUME(run_stays, $past(rst_i || !run_valid_i || run_ready) ||
             (run_valid_i && run_line_i == $past(run_line_i) &&
              run_count_i == $past(run_count_i) && run_bucket_i == $past(run_bucket_i)))
  `WC_ASSUME(answer_is_due, !bvalid_i || asked_q != '0)

  `WC_ASSERT(one_run, run_ready == (left_q == '0))
  `WC_ASSERT(burst_is, !awvalid || (left_q != '0 && awaddr == {next_q, LineSize'(0)} &&
                                    awlen == 8'(most) - 1'b1))
  `WC_ASSERT(burst_offered, awvalid || left_q == '0 || asked_q >= many_t'(Bursts) ||
             $past(asked_q) >= many_t'(Bursts))
  `WC_ASSERT(bounded, asked_q <= many_t'(Most))
  `WC_ASSERT_STREAM(aw, awvalid, awready_i, {awaddr, awlen})

  // ---- acknowledged, and done -------------------------------------------------------------------
  logic [InFlight-1:0] waits_q, waits;  // decided and not done: whether it writes; oldest first
  many_t level_q, level_next;  // of them
  many_t credit_q;  // runs acknowledged, less those of operations that are done
  many_t runs_q;    // runs taken, less those
  logic acked_due_q, spend;
  logic failed, failed_last_q;  // a B is an error; the last such B was of the run's last burst
  logic failed_q;               // an earlier burst of the run with the oldest burst failed
  logic [2:0] due_q, answer_q;  // cycles that the oldest could have been done, and a B was due

  assign spend = done && waits_q[0];
  assign failed = answer && berror_i;

  always_comb begin
    waits = done ? waits_q >> 1 : waits_q;
    level_next = level_q - many_t'(done);
    if (decided_i) waits[1'(level_next)] = decided_writes_i;
  end

  always_ff @(posedge clk_i) begin
    waits_q <= waits;
    level_q <= level_next + many_t'(decided_i);
    acked_due_q <= (answer && ends_q[0] && !berror_i) || (list_q[2] && failed_last_q);
    list_q <= {list_q[1:0], failed};
    if (failed) failed_last_q <= ends_q[0];
    if (answer) failed_q <= !ends_q[0] && (failed_q || berror_i);
    credit_q <= credit_q + many_t'(acked) - many_t'(spend);
    runs_q <= runs_q + many_t'(run) - many_t'(spend);
    due_q <= !done && level_q != '0 && (!waits_q[0] || credit_q != '0) ? due_q + 1'b1 : '0;
    answer_q <= bvalid_i && !bready && list_q == '0 ? answer_q + 1'b1 : '0;
    if (rst_i) begin
      level_q <= '0;
      acked_due_q <= 1'b0;
      list_q <= '0;
      failed_q <= 1'b0;
      credit_q <= '0;
      runs_q <= '0;
      due_q <= '0;
      answer_q <= '0;
    end
  end

  `WC_ASSUME(in_flight, !decided_i || level_q < many_t'(InFlight))
  `WC_ASSUME(runs_in_flight, !run || runs_q <= many_t'(InFlight))

  `WC_ASSERT(acked_is, acked == acked_due_q)
  `WC_ASSERT(put_is, bad_put == failed)
  `WC_ASSERT(put_bucket_is, !bad_put || bad == wc_index_pkg::line_t'(buckets_q[0]))
  `WC_ASSERT(list_not_busy, !answer || list_q == '0)
  `WC_ASSERT(done_of_one, !done || level_q != '0)
  `WC_ASSERT(done_was_written, !spend || credit_q != '0)
  `WC_ASSERT(done_soon, due_q < 3'd4)
  `WC_ASSERT(answer_taken, answer_q < 3'd3)

  logic unused;
  assign unused = ^{watching, ahead, watched};

  `WC_COVER(over_the_page, acked && $past(answer, 2) && $past(run, 7))
  `WC_COVER(in_order, done && !waits_q[0] && $past(spend))
  `WC_COVER(written_before_decided, credit_q != '0 && decided_i && decided_writes_i)
  `WC_COVER(last_failed, acked && $past(list_q[2]))
  `WC_COVER(first_failed, answer && ends_q[0] && !berror_i && failed_q)
  `WC_COVER(both_failed, failed && ends_q[0] && failed_q)
  `WC_COVER(bursts_full, asked_q == many_t'(Bursts))

endmodule

`default_nettype wire
