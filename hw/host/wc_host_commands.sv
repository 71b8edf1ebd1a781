// SPDX-License-Identifier: Apache-2.0
// Commands that the host executes. The parser puts the words of a line here as it reads them, and
// then the command; the network stage says who has asked, when the command's turn in its datagram
// has come. From there on the command is on its own: the host sees the oldest one, and writes its
// answer, which leaves as a message beside the others. A command that the host has not answered
// `limit` cycles after it came is answered with an error. So each is answered once, and
// none later than that and the time that the answers before it take to leave.
// Half of a line that turns out to be none, or no command, is written over by the next one. Room
// falls early enough for what the parser has under way; a command without room it refuses.
// The host may also say that a command has no answer: then there is no message, but of TCP one of no
// bytes, as the connection waits for it.
// An answer that does not fit goes in parts: with `more` a part is sent, and the command comes again,
// as another one, once the connection has room for the next part. So nobody waits for those who do
// not read, and other commands have their turn in between. Over UDP there is but one part.
// With `later` and no bytes the command waits here, with up to Sleepers of them, and comes again when the
// host says so, or in the next Nap milliseconds; Pace cycles apart or more, and while few commands are
// not answered, so they never take the room of all others; but Patience cycles apart at most. One more
// than these comes again at once.
// An answer to another command than this one is forgotten, whole or not: the host was late.
// A command is there for the host 2 cycles after who has asked is known. One answer at a time.
`include "wc_assert.svh"
`default_nettype none

module wc_host_commands
  import wc_pkg::*;
#(
  parameter int unsigned Commands = 16,  // not answered yet; a power of two
  parameter int unsigned AnswerBytes = CommandAnswerBytes,
  parameter int unsigned Sleepers = 32,
  parameter int unsigned Nap      = 1024,  // all likewise
  parameter int unsigned Pace     = 512,
  parameter int unsigned Patience = 65536
) (
  input  wire logic            clk_i,
  input  wire logic            rst_i,
  // from the parser
  input  wire command_line_t   line_i,
  output logic                 room_o,
  // from the network stage, in the order of the commands
  input  wire logic            asker_valid_i,
  input  wire asker_t          asker_i,
  // the host
  input  wire command_host_t   host_i,
  output command_head_t        head_o,
  // of the line of head_o, 3 cycles after host_i.piece
  output word_t                piece_o,
  output logic                 begins_o,  // a word of the line begins with it
  output logic                 irq_o,    // a command is not answered
  input  wire logic [17:0]     milliseconds_i,
  output logic                 asleep_o,  // a command waits for milliseconds_i
  output logic [17:0]          awake_o,   // to be this
  // the answer, to the network stage
  output logic                 message_valid_o,
  input  wire logic            message_ready_i,
  output message_t             message_o,
  output asker_t               asker_o,
  output logic                 word_valid_o,
  input  wire logic            word_ready_i,
  output word_t                word_o,
  input  wire logic            done_i,   // all its words are taken
  output command_events_t      events_o
);

  // Commands that may be put behind the one that makes room fall: it takes a cycle to fall, and the
  // parser looks at it a cycle late.
  localparam int unsigned UnderWay = 2;

  typedef logic [$clog2(Commands)-1:0] slot_t;
  typedef logic [$clog2(Commands):0] count_t;
  typedef logic [$clog2(CommandPieces)-1:0] piece_t;
  typedef logic [$clog2(CommandPieces):0] pieces_t;
  typedef logic [31:0] cycle_t;

  `WC_REQUIRE(commands, Commands == 2 ** $clog2(Commands) && Commands >= 8,
              "wc_host_commands: Commands must be a power of two of 8 or more")

  // ---- lines --------------------------------------------------------------------------------------
  // A command has a slot for its line until it is answered. The one that is written next is free.
  slot_t put_slot_q, head_slot_q;
  piece_t place;  // of a piece in its slot
  pieces_t pieces_q, pieces;
  logic keep, ends, begins;
  word_t piece;
  command_head_t put;

  assign pieces = line_i.restart ? '0 : pieces_q;
  assign place = piece_t'(pieces);
  assign keep = line_i.push && pieces < pieces_t'(CommandPieces);

  wc_ram_sdp #(
    .Width(WordWidth + 1),
    .Depth(Commands * CommandPieces)
  ) u_lines (
    .clk_i  (clk_i),
    .we_i   (keep),
    .waddr_i({put_slot_q, place}),
    .wdata_i({line_i.begins, line_i.data}),
    .re_i   (1'b1),
    .raddr_i({head_slot_q, host_i.piece}),
    .rdata_o({begins, piece})
  );

  // Registers read it beside many others, and a RAM is late.
  always_ff @(posedge clk_i) begin
    begins_o <= begins;
    piece_o <= piece;
  end

  always_comb begin
    put = '0;
    put.binary = line_i.binary;
    put.pieces = pieces + pieces_t'(keep);  // the last piece may come with the command
    put.key_len = line_i.key_len;
    put.opcode = line_i.opcode;
    put.opaque = line_i.opaque;
  end

  always_ff @(posedge clk_i) begin
    pieces_q <= pieces + pieces_t'(keep);
    if (line_i.put) put_slot_q <= put_slot_q + 1'b1;
    if (ends) head_slot_q <= head_slot_q + 1'b1;
    if (rst_i) begin
      pieces_q <= '0;
      put_slot_q <= '0;
      head_slot_q <= '0;
    end
  end

  // ---- commands that are not answered --------------------------------------------------------------
  count_t open_q;

  always_ff @(posedge clk_i) begin
    if (line_i.put != ends) open_q <= open_q + (ends ? '1 : count_t'(1));
    room_o <= open_q < count_t'(Commands - 1 - UnderWay);
    if (rst_i) begin
      open_q <= '0;
      room_o <= 1'b0;
    end
  end

  // The slot after the last one put is free, too: half a line may be in it.
  `WC_ASSERT(a_slot_is_free, open_q < count_t'(Commands))

  typedef struct packed {
    asker_t asker;
    cycle_t since;
  } asked_t;

  logic put_ready, put_valid, asked_ready, asked_valid, take;
  command_head_t next;
  asked_t asked;
  cycle_t now_q;

  wc_fifo_shallow #(
    .data_t(command_head_t),
    .Depth (Commands)
  ) u_puts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(line_i.put),
    .ready_o(put_ready),
    .data_i (put),
    .valid_o(put_valid),
    .ready_i(take),
    .data_o (next)
  );

  wc_fifo_shallow #(
    .data_t(asked_t),
    .Depth (Commands)
  ) u_asked (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(asker_valid_i),
    .ready_o(asked_ready),
    .data_i ('{asker: asker_i, since: now_q}),
    .valid_o(asked_valid),
    .ready_i(take),
    .data_o (asked)
  );

  `WC_ASSERT(puts_have_room, !line_i.put || put_ready)
  `WC_ASSERT(asked_have_room, !asker_valid_i || asked_ready)

  typedef enum logic [1:0] {
    Empty,
    Waiting,  // for the host
    Waking,
    Leaving   // its answer does
  } state_e;

  state_e state_q;

  // ---- those that come again later -----------------------------------------------------------------
  // All that sleep as a nap ends, or when the host says so, are waked, one after the other; when it is
  // the time of one, before any command that waits. Each of their messages is one without words, and
  // there are Sleepers at most.
  localparam int unsigned NapBits = $clog2(Nap);

  `WC_REQUIRE(nap, Nap == 2 ** NapBits && Nap >= 2 && Pace == 2 ** $clog2(Pace) && Pace >= 4
              && Patience == 2 ** $clog2(Patience) && Patience > Pace,
              "wc_host_commands: Nap, Pace and Patience must be powers of two")

  logic sleeps, bed_free, sleeper_valid, wakes;
  conn_t sleeper;
  typedef logic [$clog2(Patience)-1:0] pace_t;
  pace_t pace_q;  // since one was waked, up to its end
  logic paced_q, patient_q;  // it is long enough; too long
  logic few_q;  // commands are not answered
  logic [17-NapBits:0] nap_q;
  logic [$clog2(Sleepers):0] asleep_q, due_q;  // commands that sleep; of them, that are to be waked

  wc_fifo_shallow #(
    .data_t(conn_t),
    .Depth (Sleepers)
  ) u_sleepers (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sleeps),
    .ready_o(bed_free),
    .data_i (asker_o.who[15:0]),
    .valid_o(sleeper_valid),
    .ready_i(wakes),
    .data_o (sleeper)
  );

  assign wakes = state_q == Empty && due_q != '0 && (few_q ? paced_q : patient_q);
  assign asleep_o = asleep_q != '0;
  assign awake_o = {nap_q + 1'b1, NapBits'(0)};

  always_ff @(posedge clk_i) begin
    nap_q <= milliseconds_i[17:NapBits];
    pace_q <= wakes ? '0 : pace_q + pace_t'(pace_q != '1);
    paced_q <= !wakes && pace_q >= pace_t'(Pace);
    patient_q <= !wakes && pace_q == '1;
    few_q <= open_q < count_t'(Commands / 4);
    asleep_q <= asleep_q + ($bits(asleep_q))'(sleeps) - ($bits(asleep_q))'(wakes);
    if (nap_q != milliseconds_i[17:NapBits] || host_i.wake) begin
      due_q <= asleep_q - ($bits(asleep_q))'(wakes);
    end else if (wakes) begin
      due_q <= due_q - 1'b1;
    end
    if (rst_i) begin
      pace_q <= '0;
      paced_q <= 1'b0;
      patient_q <= 1'b0;
      asleep_q <= '0;
      due_q <= '0;
    end
  end

  `WC_ASSERT(wakes_somebody, !wakes || sleeper_valid)

  // ---- the oldest one ------------------------------------------------------------------------------
  logic [7:0] tag_q;
  cycle_t since_q, age_q;
  logic more_q, part_q;    // what the host has sent is a part; and so is what leaves
  logic later_q;
  logic [1:0] waited_q;  // age_q is that of this command
  logic late_q, ours, answered, silent, late;
  logic woken_q;  // what leaves is none, but wakes one that sleeps
  logic sent_q, tagged_q;  // the host has sent; it is for this command
  logic whole_q, none_q;   // with bytes, which are all there; without
  logic [13:0] written, answer_bytes, bytes_q;

  // What the host sends is held against the tag and the bytes written first, and acted on a cycle
  // later: a tag changes by way of Empty alone.
  assign take = state_q == Empty && asked_valid && !wakes;
  assign ours = state_q == Waiting && sent_q && tagged_q;
  assign answered = ours && (whole_q || (none_q && asker_o.tcp)) && !sleeps;
  assign sleeps = ours && none_q && more_q && later_q && bed_free;
  assign silent = ours && none_q && !asker_o.tcp;
  assign late = state_q == Waiting && late_q && !answered && !silent && !sleeps;
  assign ends = (state_q == Leaving && done_i && !woken_q) || silent || sleeps;

  always_ff @(posedge clk_i) begin
    sent_q <= host_i.send && state_q == Waiting;
    tagged_q <= host_i.tag == tag_q;
    whole_q <= host_i.bytes != '0 && host_i.bytes <= written;
    none_q <= host_i.bytes == '0;
    bytes_q <= host_i.bytes;
    more_q <= host_i.more && asker_o.tcp;
    later_q <= host_i.later;
    if (answered || late) part_q <= answered && more_q;
    if (state_q == Empty) woken_q <= wakes;
    if (wakes) begin
      part_q <= 1'b1;
      bytes_q <= '0;
      asker_o <= '{tcp: 1'b1, again: 1'b1, who: 112'(sleeper)};
    end
    now_q <= now_q + 1'b1;
    age_q <= now_q - since_q;
    waited_q <= {waited_q[0], state_q == Waiting};
    late_q <= state_q == Waiting && waited_q == '1 && age_q >= {1'b0, host_i.limit};
    if (take) begin
      head_o <= next;
      head_o.tag <= tag_q;
      asker_o <= asked.asker;
      since_q <= asked.since;
    end
    unique case (state_q)
      Empty: if (wakes) state_q <= Waking;
      else if (take) state_q <= Waiting;
      Waiting: if (silent || sleeps) state_q <= Empty;
      else if (answered || late) state_q <= Leaving;
      Waking: state_q <= Leaving;
      default: if (done_i) state_q <= Empty;
    endcase
    head_o.waits <= take || (state_q == Waiting && !answered && !silent && !sleeps && !late);
    if (ends) tag_q <= tag_q + 1'b1;
    irq_o <= asked_valid || state_q != Empty;
    if (rst_i) begin
      state_q <= Empty;
      tag_q <= '0;
      now_q <= '0;
      waited_q <= '0;
      late_q <= 1'b0;
      sent_q <= 1'b0;
      head_o.waits <= 1'b0;
      irq_o <= 1'b0;
    end
  end

  `WC_ASSERT(put_before_asked, !take || put_valid)

  wc_host_answer #(
    .Bytes(AnswerBytes)
  ) u_host_answer (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .open_i         (state_q == Waiting || state_q == Waking),
    .push_i         (host_i.push),
    .data_i         (host_i.data),
    .clear_i        (host_i.send),
    .bytes_o        (written),
    .start_i        (answered || late || state_q == Waking),
    .late_i         (late),
    .bytes_i        (bytes_q),
    .head_i         (head_o),
    .message_valid_o(message_valid_o),
    .message_ready_i(message_ready_i),
    .message_bytes_o(answer_bytes),
    .word_valid_o   (word_valid_o),
    .word_ready_i   (word_ready_i),
    .word_o         (word_o)
  );

  always_comb begin
    message_o = '0;
    message_o.aside = 1'b1;
    message_o.more = part_q;
    message_o.bytes = 27'(answer_bytes);
  end

  always_ff @(posedge clk_i) begin
    events_o <= '{taken: asker_valid_i, refused: line_i.refused, late: late};
    if (rst_i) events_o <= '0;
  end

endmodule

`default_nettype wire
