// SPDX-License-Identifier: Apache-2.0
// The host's answer to a command: four bytes after the other into a memory, then, once it is whole,
// out as a message of its own and its words. So nobody behind this waits for the host. Without the
// host it is an error, whose words are made here.
// Words leave as they are taken, one a cycle; the first is there 2 cycles after the message was
// taken. What does not fit the memory is not kept.
`include "wc_assert.svh"
`default_nettype none

module wc_host_answer
  import wc_pkg::*;
#(
  parameter int unsigned Bytes = CommandAnswerBytes  // a power of two
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          open_i,   // a command waits for its answer; else nothing is kept
  input  wire logic          push_i,   // another four bytes
  input  wire logic [31:0]   data_i,
  input  wire logic          clear_i,  // what has been written is forgotten, or begins to leave
  output logic [13:0]        bytes_o,  // there are so many
  // the answer leaves
  input  wire logic          start_i,  // a pulse, with open_i; until done_i nothing else counts
  input  wire logic          late_i,   // it is the error
  input  wire logic [13:0]   bytes_i,  // its bytes: none, or up to bytes_o of the cycle before
  input  wire command_head_t head_i,   // the command, until done_i
  output logic               message_valid_o,
  input  wire logic          message_ready_i,
  output logic [13:0]        message_bytes_o,
  output logic               word_valid_o,
  input  wire logic          word_ready_i,
  output word_t              word_o
);

  localparam int unsigned Halves = Bytes / 4;
  localparam int unsigned AddrWidth = $clog2(Bytes / WordBytes);

  `WC_REQUIRE(bytes, Bytes == 2 ** $clog2(Bytes) && Bytes >= 64 && Bytes <= 8192,
              "wc_host_answer: Bytes must be a power of two from 64 to 8192")

  // ---- the error ----------------------------------------------------------------------------------
  localparam logic [35*8-1:0] LateText = {"SERVER_ERROR host does not answer", 8'h0d, 8'h0a};
  localparam logic [17*8-1:0] LateBody = "Temporary failure";
  localparam int unsigned TextBytes = $bits(LateText) / 8;
  localparam int unsigned BodyBytes = $bits(LateBody) / 8;
  localparam logic [7:0] LateStatus = 8'h86;
  localparam int unsigned HeaderWords = 3;
  localparam int unsigned LateWords = 8;

  `WC_REQUIRE(late, TextBytes <= LateWords * WordBytes
              && BodyBytes <= (LateWords - HeaderWords) * WordBytes,
              "wc_host_answer: the error has more words than LateWords")

  typedef logic [LateWords-1:0][7:0][7:0] late_t;

  function automatic late_t ascii_words();
    ascii_words = '0;
    for (int unsigned i = 0; i < TextBytes; i++) begin
      ascii_words[i/8][i%8] = LateText[8*(TextBytes-1-i)+:8];
    end
  endfunction

  function automatic late_t binary_words();
    binary_words = '0;
    binary_words[0][0] = 8'h81;
    binary_words[0][7] = LateStatus;
    binary_words[1][3] = 8'(BodyBytes);
    for (int unsigned i = 0; i < BodyBytes; i++) begin
      binary_words[HeaderWords+i/8][i%8] = LateBody[8*(BodyBytes-1-i)+:8];
    end
  endfunction

  localparam late_t Ascii = ascii_words();
  localparam late_t Binary = binary_words();
  localparam logic [13:0] AsciiBytes = 14'(TextBytes);
  localparam logic [13:0] BinaryBytes = 14'(HeaderWords * WordBytes + BodyBytes);

  // ---- the memory ---------------------------------------------------------------------------------
  logic [$clog2(Halves):0] written_q;  // in fours of bytes
  logic full, push;
  logic [AddrWidth-1:0] read_q, read_d;
  word_t stored;

  assign full = written_q == ($bits(written_q))'(Halves);
  assign push = push_i && open_i && !full;
  assign bytes_o = {14'(written_q) << 2};

  always_ff @(posedge clk_i) begin
    if (!open_i || clear_i) written_q <= '0;
    else if (push) written_q <= written_q + 1'b1;
    if (rst_i) written_q <= '0;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_half
    wc_ram_sdp #(
      .Width(32),
      .Depth(Bytes / WordBytes)
    ) u_half (
      .clk_i  (clk_i),
      .we_i   (push && written_q[0] == 1'(i)),
      .waddr_i(written_q[AddrWidth:1]),
      .wdata_i(data_i),
      .re_i   (1'b1),
      .raddr_i(read_d),
      .rdata_o(stored[32*i+:32])
    );
  end

  // ---- out ----------------------------------------------------------------------------------------
  logic telling_q, sending_q, late_q, sent;
  logic [13:0] left_q;  // bytes that are not taken
  logic slice_ready;
  word_t chosen, word;

  assign sent = sending_q && slice_ready;
  assign read_d = telling_q ? '0 : read_q + AddrWidth'(sent);
  assign message_valid_o = telling_q;
  assign message_bytes_o = left_q;

  always_comb begin
    chosen = stored;
    if (late_q) begin
      chosen = head_i.binary ? Binary[read_q[2:0]] : Ascii[read_q[2:0]];
      if (head_i.binary && read_q[2:0] == 3'd0) chosen[15:8] = head_i.opcode;
      if (head_i.binary && read_q[2:0] == 3'd1) chosen[63:32] = head_i.opaque;
    end
    word = chosen;
    // The host may leave anything behind its last byte.
    for (int unsigned i = 0; i < 8; i++) if (left_q <= 14'(i)) word[8*i+:8] = '0;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      late_q <= late_i;
      left_q <= !late_i ? bytes_i : head_i.binary ? BinaryBytes : AsciiBytes;
      telling_q <= 1'b1;
    end
    if (telling_q && message_ready_i) begin
      telling_q <= 1'b0;
      sending_q <= left_q != '0;
    end
    if (sent) begin
      left_q <= left_q - 14'd8;
      if (left_q <= 14'd8) sending_q <= 1'b0;
    end
    read_q <= read_d;
    if (rst_i) begin
      telling_q <= 1'b0;
      sending_q <= 1'b0;
    end
  end

  wc_slice #(
    .data_t(word_t)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sending_q),
    .ready_o(slice_ready),
    .data_i (word),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o)
  );

  `WC_ASSERT(one_at_a_time, !start_i || (open_i && !telling_q && !sending_q))
  `WC_ASSERT(as_written, !start_i || late_i || bytes_i <= $past(bytes_o))
  `WC_ASSERT_STREAM(message, message_valid_o, message_ready_i, message_bytes_o)

endmodule

`default_nettype wire
