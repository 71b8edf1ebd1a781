// SPDX-License-Identifier: Apache-2.0
// First stage of the parser: finds the bytes that end a token and the end of the packet, so that
// the stage that depends on its own result, the cutter, starts from single bits.
// Latency 2, throughput 1 word per cycle; a packet whose last word is full takes one cycle more.
// A word waits for the next one of its packet: whether a CR ends a line depends on the byte after.
`default_nettype none

module wc_request_classify
  import wc_request_pkg::*;
(
  input  wire logic            clk_i,
  input  wire logic            rst_i,
  input  wire logic            packet_valid_i,
  output logic                 packet_ready_o,
  input  wire wc_pkg::packet_t packet_i,
  output logic                 word_valid_o,
  input  wire logic            word_ready_i,
  output classed_t             word_o,
  output wc_pkg::word_t        data_o,    // of that word
  output wc_pkg::word_t        before_o   // of the word taken before
);

  localparam logic [7:0] Lf = 8'h0a, Cr = 8'h0d, Space = 8'h20, Magic = 8'h80;

  logic valid_q, last_q, full_q, stop_only_q, binary_q;
  logic [3:0] bytes_q;
  logic [7:0] lf_q, cr_q, space_q, nul_q;
  wc_pkg::word_t data_q;
  wc_pkg::conn_t conn_q;
  logic first_q;
  logic binary_d;
  logic slice_ready, add_stop, move, take;
  logic [7:0] live, eol;
  classed_t word;

  assign add_stop = last_q && full_q;
  assign move = valid_q && slice_ready && (last_q || packet_valid_i);
  assign packet_ready_o = !valid_q || (slice_ready && !add_stop);
  assign take = packet_valid_i && packet_ready_o;
  assign binary_d = first_q ? packet_i.data[7:0] == Magic : binary_q;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) live[i] = packet_i.bytes > 4'(i);
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      valid_q <= 1'b1;
      first_q <= packet_i.last;
      last_q <= packet_i.last;
      full_q <= packet_i.bytes[3];
      bytes_q <= packet_i.bytes;
      stop_only_q <= 1'b0;
      binary_q <= binary_d;
      data_q <= packet_i.data;
      conn_q <= packet_i.conn;
      for (int unsigned i = 0; i < 8; i++) begin
        lf_q[i] <= live[i] && !binary_d && packet_i.data[8*i+:8] == Lf;
        cr_q[i] <= live[i] && !binary_d && packet_i.data[8*i+:8] == Cr;
        space_q[i] <= live[i] && !binary_d && packet_i.data[8*i+:8] == Space;
        nul_q[i] <= live[i] && !binary_d && packet_i.data[8*i+:8] == 8'h00;
      end
    end else if (move) begin
      // What stays after a full last word is a word with nothing but the end.
      valid_q <= add_stop;
      full_q <= 1'b0;
      bytes_q <= '0;
      stop_only_q <= 1'b1;
      lf_q <= '0;
      cr_q <= '0;
      space_q <= '0;
      nul_q <= '0;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      first_q <= 1'b1;
    end
  end

  always_comb begin
    word.conn = conn_q;
    word.binary = binary_q;
    word.last = last_q && !full_q;
    for (int unsigned i = 0; i < 8; i++) word.stop[i] = word.last && bytes_q == 4'(i);
    word.crlf = cr_q & {!last_q && !binary_q && packet_i.data[7:0] == Lf, lf_q[7:1]};
    eol = lf_q | word.crlf;
    word.ends = eol | nul_q | space_q;
    word.marks = word.ends | word.stop;
    for (int unsigned i = 0; i < 8; i++) begin
      word.ending[i] = {nul_q[i] | word.stop[i], eol[i] | word.stop[i]};
    end
    word.keeps = word.ends & {1'b0, !word.crlf[6], 6'h3f};
    for (int unsigned i = 0; i < 8; i++) begin
      word.line[i] = 1'b0;
      for (int unsigned j = i; j < 8; j++) begin
        word.line[i] |= eol[j] && !(|(word.ends & 8'((1 << j) - (1 << i))));
      end
    end
    // The end of the packet is not taken with the token before it: the next cut finds it.
    word.after[0] = word.stop[0];
    for (int unsigned i = 1; i < 8; i++) begin
      word.after[i] = |(word.ends & 8'((1 << (i - 1)) - 1))
                      || (word.ends[i-1] && !word.crlf[i-1])
                      || |(word.stop & 8'((2 << i) - 1));
    end
  end

  wc_slice #(
    .data_t(classed_t)
  ) u_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(move),
    .ready_o(slice_ready),
    .data_i (word),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o)
  );

  // The bytes wait in look-up-table RAM beside the slice, so that the cutter's late ready moves two
  // addresses instead of 128 bits. Four places: the word before, two in the slice, the next.
  (* ram_style = "distributed" *) wc_pkg::word_t bytes[4];
  logic [1:0] waddr_q, raddr_q, before_q;

  assign data_o = bytes[raddr_q];
  assign before_o = bytes[before_q];

  always_ff @(posedge clk_i) begin
    bytes[waddr_q] <= stop_only_q ? '0 : data_q;
  end

  always_ff @(posedge clk_i) begin
    if (move) waddr_q <= waddr_q + 1'b1;
    if (word_valid_o && word_ready_i) begin
      raddr_q <= raddr_q + 1'b1;
      before_q <= raddr_q;
    end
    if (rst_i) begin
      waddr_q <= '0;
      raddr_q <= '0;
      before_q <= '0;
    end
  end

endmodule

`default_nettype wire
