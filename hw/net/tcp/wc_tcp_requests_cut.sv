// SPDX-License-Identifier: Apache-2.0
// Looks at the framer's marks as they come, and says where the packet ends: where a request is of
// another class than the first, behind Budget requests, when no short answer more has room, and
// behind what nothing may follow.
// Latency 1; a mark a cycle. Nothing stalls it.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests_cut
  import wc_tcp_requests_pkg::*;
#(
  parameter int unsigned Budget = 20
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       start_i,   // new bytes of a connection
  input  wire logic       single_i,  // only the first request counts, held from `start_i` on
  input  wire logic [5:0] shorts_i,  // so many short answers have room, held likewise
  input  wire logic       mark_valid_i,
  input  wire wc_tcp_framer_pkg::mark_t mark_i,

  output logic            some_o,     // a request ends here
  output logic            skips_o,    // or what was passed over
  output logic [15:0]     stop_o,     // offset: where
  output class_e          kind_o,
  output logic            quits_o,    // nothing behind it is read
  output logic            passes_o,   // behind it something may be passed over,
  output logic            passed_o,   // and was:
  output logic [15:0]     passed_stop_o,  // up to here
  output logic            enough_o    // no more bytes are needed
);

  import wc_tcp_framer_pkg::*;

  class_e kind;
  logic open_q, takes, alone;
  logic [5:0] count_q, limit;

  always_comb begin
    unique case (mark_i.kind)
      KindRead: kind = OfReads;
      KindHost: kind = OfHost;
      default:  kind = OfShorts;
    endcase
  end

  assign alone = mark_i.kind inside {KindHost, KindLast, KindQuit, KindClose};
  assign takes = !some_o || kind == kind_o;
  assign limit = kind == OfShorts ? shorts_i : 6'(Budget);
  assign enough_o = !open_q;

  always_ff @(posedge clk_i) begin
    if (mark_valid_i) begin
      if (open_q) begin
        if (mark_i.kind == KindSkipped) begin
          skips_o <= 1'b1;
          stop_o <= mark_i.offset;
          open_q <= 1'b0;
        end else if (takes) begin
          some_o <= 1'b1;
          stop_o <= mark_i.offset;
          kind_o <= kind;
          quits_o <= mark_i.kind inside {KindQuit, KindClose};
          passes_o <= mark_i.kind == KindLast;
          count_q <= count_q + 1'b1;
          open_q <= !single_i && !alone && count_q + 1'b1 < limit;
        end else begin
          open_q <= 1'b0;
        end
      end else if (passes_o) begin
        // Behind a value that is too large the next mark is its end. Any other one is of a request,
        // so nothing is passed over.
        passes_o <= 1'b0;
        passed_o <= mark_i.kind == KindSkipped;
        passed_stop_o <= mark_i.offset;
      end
    end
    if (rst_i || start_i) begin
      open_q <= 1'b1;
      some_o <= 1'b0;
      skips_o <= 1'b0;
      quits_o <= 1'b0;
      passes_o <= 1'b0;
      passed_o <= 1'b0;
      count_q <= '0;
    end
  end

  `WC_ASSERT(passed_alone, !mark_valid_i || !open_q || mark_i.kind != KindSkipped || !some_o)
  `WC_ASSERT(budget, 32'(count_q) <= Budget)

endmodule

`default_nettype wire
