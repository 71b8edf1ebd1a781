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

  logic valid_q, last_q, stop_only_q, binary_q;
  logic [3:0] bytes_q;
  // NUL; LF and CR before LF; these and space: what ends a token. A CR in the last byte waits for
  // the byte after it.
  logic [7:0] nul_q, eol_q, ends_q;
  logic [6:0] crlf_q;
  logic last_cr_q;
  wc_pkg::word_t data_q;
  wc_pkg::conn_t conn_q;
  logic first_q;
  logic binary_d;
  logic add_stop_q;  // behind it comes a word with nothing but the end
  logic slice_ready, move, take;
  logic [7:0] live, lf, cr, space, nul, crlf, eol;
  classed_t word;

  assign move = valid_q && slice_ready && (last_q || packet_valid_i);
  assign packet_ready_o = !valid_q || (slice_ready && !add_stop_q);
  assign take = packet_valid_i && packet_ready_o;
  assign binary_d = first_q ? packet_i.data[7:0] == Magic : binary_q;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      live[i] = packet_i.bytes > 4'(i);
      lf[i] = live[i] && packet_i.data[8*i+:8] == Lf;
      cr[i] = live[i] && packet_i.data[8*i+:8] == Cr;
      space[i] = live[i] && packet_i.data[8*i+:8] == Space;
      nul[i] = live[i] && packet_i.data[8*i+:8] == 8'h00;
    end
    crlf = {1'b0, cr[6:0] & lf[7:1]};
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      valid_q <= 1'b1;
      first_q <= packet_i.last;
      last_q <= packet_i.last;
      add_stop_q <= packet_i.last && packet_i.bytes[3];
      bytes_q <= packet_i.bytes;
      stop_only_q <= 1'b0;
      binary_q <= binary_d;
      data_q <= packet_i.data;
      conn_q <= packet_i.conn;
      nul_q <= nul;
      eol_q <= lf | crlf;
      ends_q <= lf | crlf | space | nul;
      crlf_q <= crlf[6:0];
      last_cr_q <= cr[7];
    end else if (move) begin
      valid_q <= add_stop_q;
      add_stop_q <= 1'b0;
      bytes_q <= '0;
      stop_only_q <= 1'b1;
      nul_q <= '0;
      eol_q <= '0;
      ends_q <= '0;
      crlf_q <= '0;
      last_cr_q <= 1'b0;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      first_q <= 1'b1;
    end
  end

  always_comb begin
    word.conn = conn_q;
    word.binary = binary_q;
    word.last = last_q && !add_stop_q;
    for (int unsigned i = 0; i < 8; i++) word.stop[i] = word.last && bytes_q == 4'(i);
    word.crlf = {last_cr_q && !last_q && packet_i.data[7:0] == Lf, crlf_q};
    eol = {eol_q[7] || word.crlf[7], eol_q[6:0]};
    word.ends = {ends_q[7] || word.crlf[7], ends_q[6:0]};
    word.marks = (word.ends & {8{!binary_q}}) | word.stop;
    for (int unsigned i = 0; i < 8; i++) begin
      word.ending[i] = {nul_q[i] | word.stop[i], eol[i] | word.stop[i]};
    end
    word.keeps = {1'b0, ends_q[6] && !crlf_q[6], ends_q[5:0]};
    // The CR in the last byte, which is known late, comes in last.
    for (int unsigned i = 0; i < 8; i++) begin
      word.line[i] = word.crlf[7] && !(|(ends_q & 8'(8'h80 - (1 << i))));
      for (int unsigned j = i; j < 8; j++) begin
        word.line[i] |= eol_q[j] && !(|(ends_q & 8'((1 << j) - (1 << i))));
      end
    end
    // The end of the packet is not taken with the token before it: the next cut finds it.
    word.after[0] = word.stop[0];
    for (int unsigned i = 1; i < 8; i++) begin
      word.after[i] = |(ends_q & 8'((1 << (i - 1)) - 1)) || (ends_q[i-1] && !crlf_q[i-1])
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
