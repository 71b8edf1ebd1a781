// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_options, with headers of a few quads of options.
// Rule 1: what options_o says when done_o is high is what a reader of one byte after the other
//         finds, whatever the bytes are.
// Rule 2: it is high at the latest when one cycle has passed for each quad behind the last word,
//         and six more; it holds until three cycles after the next segment's first word.
// Assumed: a segment's first word comes seven cycles or more behind the last of the one before
//          (wc_tcp_rx: five words of the frame and two of the header are between them).
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_options_fv
  import wc_tcp_pkg::*;
#(
  parameter int unsigned Quads = 2,  // the most of a header
  parameter bit          Gaps  = 1'b1
) (
  input wire logic          clk_i,
  input wire logic          rst_i,
  input wire logic          word_i,
  input wire quads_t        quads_i,
  input wire wc_pkg::word_t data_i
);

  localparam int unsigned Bytes = 4 * Quads;

  logic valid, first, done;
  options_t options;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- headers ----------------------------------------------------------------------------------
  logic open_q;           // words are still to come
  quads_t quads_q;        // of the header, and those that have come
  quads_t have_q, have;
  logic [3:0] since_q;    // cycles since its last word
  logic [3:0] since_first_q;
  logic [Bytes-1:0][7:0] bytes_q;
  logic last;

  assign first = !open_q;
  assign valid = word_i && (open_q || since_q >= 4'd6);
  assign have = first ? quads_t'(1) : have_q + quads_t'(2);
  assign last = have >= (first ? quads_i : quads_q);

  always_ff @(posedge clk_i) begin
    since_q <= valid ? '0 : since_q + 4'(since_q != '1);
    since_first_q <= valid && first ? '0 : since_first_q + 4'(since_first_q != '1);
    if (valid) begin
      open_q <= !last;
      have_q <= have;
      if (first) quads_q <= quads_i;
      for (int unsigned i = 0; i < Quads; i++) begin
        if (first && i == 0) bytes_q[3:0] <= data_i[63:32];
        if (!first && quads_t'(i) == have_q) bytes_q[4*i+:4] <= data_i[31:0];
        if (!first && quads_t'(i) == have_q + 1'b1) bytes_q[4*i+:4] <= data_i[63:32];
      end
    end
    if (rst_i) begin
      open_q <= 1'b0;
      since_q <= '1;
      since_first_q <= '1;
      quads_q <= '0;
    end
  end

  `WC_ASSUME(some, quads_i != '0 && quads_i <= quads_t'(Quads))
  `WC_ASSUME(no_gaps, Gaps || !open_q || word_i)

  wc_tcp_options u_dut (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .valid_i  (valid),
    .first_i  (first),
    .quads_i  (quads_i),
    .word_i   (data_i),
    .done_o   (done),
    .options_o(options)
  );

  // ---- one byte after the other -----------------------------------------------------------------
  options_t found, told;

  always_comb begin
    automatic logic over;
    automatic logic [7:0] skip, length, kind;
    automatic logic [7:0] left;
    found = '0;
    over = 1'b0;
    skip = '0;
    length = '0;
    left = 8'({quads_q, 2'b0});
    for (int unsigned i = 0; i < Bytes; i++) begin
      kind = bytes_q[i];
      length = i + 1 < Bytes ? bytes_q[(i+1)%Bytes] : '0;
      if (skip != '0) begin
        skip = skip - 1'b1;
      end else if (!over && left != '0) begin
        if (kind == 8'd0) begin
          over = 1'b1;
        end else if (kind != 8'd1) begin
          if (left < 8'd2 || length < 8'd2 || length > left) begin
            over = 1'b1;
          end else begin
            skip = length - 1'b1;
            if (kind == 8'd2 && length == 8'd4 && !found.mss_given) begin
              found.mss_given = 1'b1;
              found.mss = {bytes_q[(i+2)%Bytes], bytes_q[(i+3)%Bytes]};
            end
            if (kind == 8'd3 && length == 8'd3 && !found.scale_given) begin
              found.scale_given = 1'b1;
              found.scale = bytes_q[(i+2)%Bytes] > 8'd14 ? 4'd14 : bytes_q[(i+2)%Bytes][3:0];
            end
            if (kind == 8'd4 && length == 8'd2) found.sack_permitted = 1'b1;
            if (kind == 8'd8 && length == 8'd10 && !found.times_given) begin
              found.times_given = 1'b1;
              for (int unsigned j = 0; j < 4; j++) begin
                found.time_value[8*(3-j)+:8] = bytes_q[(i+2+j)%Bytes];
                found.time_echo[8*(3-j)+:8] = bytes_q[(i+6+j)%Bytes];
              end
            end
            if (kind == 8'd5 && length[2:0] == 3'd2 && length >= 8'd10 && length <= 8'd34
                && found.sacks == '0) begin
              found.sacks = length[5:3];
              for (int unsigned j = 0; j < 4; j++) begin
                found.sack[0].left[8*(3-j)+:8] = bytes_q[(i+2+j)%Bytes];
                found.sack[0].right[8*(3-j)+:8] = bytes_q[(i+6+j)%Bytes];
              end
            end
          end
        end
      end
      if (left != '0) left = left - 1'b1;
    end
  end

  // What is not given may be anything.
  always_comb begin
    told = options;
    if (!told.mss_given) told.mss = '0;
    if (!told.scale_given) told.scale = '0;
    if (!told.times_given) begin
      told.time_value = '0;
      told.time_echo = '0;
    end
    for (int unsigned i = 0; i < SackBlocks; i++) begin
      if (3'(i) >= told.sacks) told.sack[i] = '0;
    end
  end

  logic whole;  // all words are there, and done_o is of this header
  assign whole = !open_q && quads_q != '0 && since_first_q >= 4'd3;

  `WC_ASSERT(as_read, !(whole && done) || told == found)
  `WC_ASSERT(in_time, !(whole && since_q >= 4'd5 + 4'(quads_q)) || done)
  `WC_ASSERT(not_sooner, !(open_q && since_first_q >= 4'd3) || !done)

  // The one before keeps its result that long.
  options_t told_q;
  always_ff @(posedge clk_i) told_q <= told;
  `WC_ASSERT(holds, $past(rst_i) || since_first_q > 4'd2 || !$past(done)
             || (done && told == told_q))

  `WC_COVER(two, whole && done && told.mss_given && told.scale_given)
  `WC_COVER(permitted, whole && done && told.sack_permitted && told.scale_given)
  if (Quads > 2) begin : gen_long
    `WC_COVER(times, whole && done && told.times_given)
    `WC_COVER(a_block, whole && done && told.sacks == 3'd1)
  end

endmodule

`default_nettype wire
