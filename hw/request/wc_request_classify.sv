// SPDX-License-Identifier: Apache-2.0
// First stage of the parser: finds the bytes that end a token and the end of the packet, so that
// the stage that depends on its own result, the cutter, starts from single bits. Here it is decided
// which protocol a packet has: of UDP its first byte tells, of TCP the connection.
// Latency 2, throughput 1 word per cycle; a packet whose last word is full takes one cycle more.
// A word waits for the next one of its packet: whether a CR ends a line depends on the byte after.
`include "wc_assert.svh"
`default_nettype none

module wc_request_classify
  import wc_request_pkg::*;
#(
  parameter bit Binary = 1'b1  // else all packets are text
) (
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
  // The word that waits for the next one, marked by byte: NUL; the ends of a line, which are LF and
  // a CR before LF; what ends a token, which is these and space; what goes with the end before it.
  // Whether a CR in the last byte ends a line is known when the byte after it is there.
  logic [7:0] nul_q, eol_q, ends_q;
  logic [6:0] crlf_q;
  logic [7:0] skips_q;
  logic last_cr_q;
  wc_pkg::word_t data_q;
  wc_pkg::conn_t conn_q;
  logic tcp_q;
  logic first_q;
  logic starts_binary, binary_d;
  logic add_stop_q;  // behind this word comes one with nothing but the packet's end
  logic slice_ready, move, take;
  logic [7:0] eol, line, open;
  classed_t word;

  assign move = valid_q && slice_ready && (last_q || packet_valid_i);
  assign packet_ready_o = !valid_q || (slice_ready && !add_stop_q);
  assign take = packet_valid_i && packet_ready_o;
  // A packet of TCP begins anywhere in its connection: its first byte tells nothing.
  assign starts_binary = packet_i.tcp ? packet_i.binary : packet_i.data[7:0] == Magic;
  assign binary_d = Binary && (first_q ? starts_binary : binary_q);

  typedef struct packed {
    logic [7:0] nul;
    logic [7:0] eol;
    logic [7:0] ends;
    logic [7:0] skips;
    logic [6:0] crlf;
    logic last_cr;
  } marks_t;

  // What the bytes of a word are. A function, so that a simulator works it out only for words.
  function automatic marks_t marks_of(input wc_pkg::packet_t packet);
    logic [7:0] there, lf, cr, space, nul, crlf;
    for (int unsigned i = 0; i < 8; i++) begin
      lf[i] = packet.data[8*i+:8] == Lf;
      cr[i] = packet.data[8*i+:8] == Cr;
      space[i] = packet.data[8*i+:8] == Space;
      nul[i] = packet.data[8*i+:8] == 8'h00;
    end
    there = ~8'(16'hffff << packet.bytes);  // bytes that the word has
    {lf, cr, space, nul} &= {4{there}};
    crlf = {1'b0, cr[6:0] & lf[7:1]};
    marks_of.nul = nul;
    marks_of.eol = lf | crlf;
    marks_of.ends = lf | crlf | space | nul;
    // A run of spaces, or a NUL and the spaces and NULs behind it, makes one empty token at most. A
    // NUL behind a space is not skipped: it ends all tokens of the line. Nor is a space behind a
    // line: a packet that ends there ends inside the next line.
    marks_of.skips = {crlf[6:0] | (space[7:1] & (space[6:0] | nul[6:0])) | (nul[7:1] & nul[6:0]),
                      1'b0};
    marks_of.crlf = crlf[6:0];
    marks_of.last_cr = cr[7];
  endfunction

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
      tcp_q <= packet_i.tcp;
      {nul_q, eol_q, ends_q, skips_q, crlf_q, last_cr_q} <= marks_of(packet_i);
    end else if (move) begin
      valid_q <= add_stop_q;
      add_stop_q <= 1'b0;
      bytes_q <= '0;
      stop_only_q <= 1'b1;
      nul_q <= '0;
      eol_q <= '0;
      ends_q <= '0;
      crlf_q <= '0;
      skips_q <= '0;
      last_cr_q <= 1'b0;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      first_q <= 1'b1;
    end
  end

  always_comb begin
    word.conn = conn_q;
    word.tcp = tcp_q;
    word.binary = binary_q;
    word.last = last_q && !add_stop_q;
    word.stop = {8{word.last}} & 8'(16'd1 << bytes_q);
    word.crlf = {last_cr_q && !last_q && packet_i.data[7:0] == Lf, crlf_q};
    eol = {eol_q[7] || word.crlf[7], eol_q[6:0]};
    word.ends = {ends_q[7] || word.crlf[7], ends_q[6:0]};
    word.marks = (word.ends & {8{!binary_q}}) | word.stop;
    word.ending = {nul_q | word.stop, eol | word.stop};
    word.skips = skips_q;
    // The next end at or above each byte is that of a line: looked for 1, 2 and 4 bytes above.
    // Whether a CR in the last byte ends a line depends on packet_i, an input: it enters the logic
    // last.
    open = ~ends_q;
    line = eol_q | (open & (eol_q >> 1));
    open &= {1'b1, open[7:1]};
    line |= open & (line >> 2);
    open &= {2'b11, open[7:2]};
    line |= open & (line >> 4);
    open &= {4'hf, open[7:4]};
    word.line = line | ({8{word.crlf[7]}} & open);
    // The end of the packet is not taken with the token before it: the next cut finds it.
    word.after = from_first(word.stop | (~skips_q & (from_first(ends_q) << 1)));
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

  // The bytes of a word wait in look-up-table RAM beside the slice: word_ready_i, which the cutter
  // works out late in the cycle, moves two addresses instead of 128 bits. Four places are enough:
  // the word before, two words in the slice, and the next one, which is written until it moves.
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

  `WC_ASSERT(places, 2'(waddr_q - raddr_q) != 2'd3)  // the slice holds two words

endmodule

`default_nettype wire
