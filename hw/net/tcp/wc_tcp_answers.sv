// SPDX-License-Identifier: Apache-2.0
// Puts answers into the send rings of their connections, and tells the engine when they are in memory:
// of ChunkBytes or more at once, so that a long one is sent while the rest comes, and of short ones of
// a packet together. Behind the last one of a packet the request side is told. That there is room for
// an answer others have seen to.
// From a message to its first word 4 cycles, none if it waited; a word a cycle, and a cycle more for
// each chunk and message. From done to the event 2. Waits for words, for memory, and for who takes
// events.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_answers
  import wc_tcp_answers_pkg::*;
  import wc_tcp_requests_pkg::bytes_t;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned ChunkBytes  = 1024,
  parameter int unsigned Chunks      = 32  // that memory does not have yet
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_i,
  input  wire logic                                    opened_valid_i,
  input  wire wc_tcp_engine_pkg::opened_t              opened_i,
  input  wire logic                                    message_valid_i,
  output logic                                         message_ready_o,
  input  wire message_t                                message_i,
  input  wire logic                                    word_valid_i,
  output logic                                         word_ready_o,
  input  wire word_t                                   word_i,
  // To wc_tcp_ring_write.
  output logic                                         write_valid_o,
  input  wire logic                                    write_ready_i,
  output wc_tcp_ring_pkg::write_t                      write_o,
  output logic                                         payload_valid_o,
  input  wire logic                                    payload_ready_i,
  output wc_pkg::beat_t                                payload_o,
  input  wire logic                                    done_valid_i,
  output logic                                         done_ready_o,
  input  wire wc_tcp_ring_pkg::done_t                  done_i,
  output logic                                         event_valid_o,
  input  wire logic                                    event_ready_i,
  output wc_tcp_engine_pkg::event_t                    event_o,
  output logic                                         answered_valid_o,  // for a cycle, every 4
  output wc_tcp_requests_pkg::answered_t               answered_o
);

  import wc_tcp_engine_pkg::*;

  localparam int unsigned IdBits = $clog2(Connections);
  localparam int unsigned ChunkBits = $clog2(ChunkBytes);

  `WC_REQUIRE(ring, RingBits >= 12 && RingBits <= wc_pkg::MostRingBits,
              "wc_tcp_answers: RingBits must be 12 to 23")
  `WC_REQUIRE(chunk, ChunkBytes == 2 ** ChunkBits && ChunkBytes >= 16 && ChunkBytes <= 1024,
              "wc_tcp_answers: ChunkBytes must be a power of two from 16 to 1,024")

  typedef logic [IdBits-1:0] id_t;
  typedef logic [RingBits-1:0] place_t;  // in the ring

  // ---- where the next byte of a connection goes --------------------------------------------------
  // Written at the end of each message. The first message of a connection that opens comes 4 cycles
  // later at least: its request is in memory first.
  logic opens_q, ends;
  wc_tcp_engine_pkg::opened_t opens_what_q;
  id_t id_q;
  place_t place_q, place_end, place;
  logic fetched_q;
  message_t next;

  wc_ram_sdp #(
    .Width(RingBits),
    .Depth(Connections)
  ) u_places (
    .clk_i  (clk_i),
    .we_i   (ends || opens_q),
    .waddr_i(ends ? id_q : id_t'(opens_what_q.id)),
    .wdata_i(ends ? place_end : opens_what_q.una[RingBits-1:0]),
    .re_i   (1'b1),
    .raddr_i(id_t'(next.id)),
    .rdata_o(place)
  );

  always_ff @(posedge clk_i) begin
    if (!ends) opens_q <= 1'b0;
    if (opened_valid_i) begin
      opens_q <= 1'b1;
      opens_what_q <= opened_i;
    end
    if (rst_i) opens_q <= 1'b0;
  end

  // ---- messages: the next one waits with its place ------------------------------------------------
  logic next_valid, load;

  wc_slice #(
    .data_t(message_t)
  ) u_message (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(message_valid_i),
    .ready_o(message_ready_o),
    .data_i (message_i),
    .valid_o(next_valid),
    .ready_i(load),
    .data_o (next)
  );

  always_ff @(posedge clk_i) begin
    fetched_q <= next_valid;  // the one behind it has come when it is asked for
    if (rst_i) fetched_q <= 1'b0;
  end

  // ---- chunks ------------------------------------------------------------------------------------
  // `next` of the same connection as the last message goes on where that ended.
  typedef struct packed {
    id_t                id;
    logic [ChunkBits:0] bytes;
    logic               written;  // it has bytes
    logic               error;    // of a word
    logic               last;     // of its packet
    bytes_t             operations;
    bytes_t             needs;
  } note_t;

  typedef enum logic [1:0] {
    Idle,
    Write,  // a chunk begins
    Words,
    Note    // it has ended
  } state_e;

  state_e state_q;
  logic known_q;  // id_q and place_q are those of a message
  bytes_t left_q;  // bytes of the message from this chunk on
  logic [ChunkBits:0] size;
  logic [ChunkBits-3:0] words_q;  // of the chunk, but one
  logic some, final_, error_q, notes_ready, take_word;
  message_t message_q;
  note_t note, noted;
  logic noted_valid, noted_take;

  assign load = state_q == Idle && next_valid && fetched_q;
  assign some = left_q != '0;
  assign final_ = left_q <= bytes_t'(ChunkBytes);
  assign size = final_ ? left_q[ChunkBits:0] : (ChunkBits + 1)'(ChunkBytes);
  assign take_word = payload_valid_o && payload_ready_i;
  assign place_end = place_q;
  assign ends = state_q == Note && notes_ready && final_;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: if (load) begin
        message_q <= next;
        left_q <= next.bytes;
        id_q <= id_t'(next.id);
        if (!known_q || id_q != id_t'(next.id)) place_q <= place;
        known_q <= 1'b1;
        error_q <= 1'b0;
        state_q <= next.bytes == '0 ? Note : Write;
      end
      Write: begin
        words_q <= (ChunkBits - 2)'((size - 1'b1) >> 3);
        if (write_ready_i) state_q <= Words;
      end
      Words: if (take_word) begin
        words_q <= words_q - 1'b1;
        error_q <= error_q || word_i.error;
        if (payload_o.last) begin
          place_q <= place_q + place_t'(size);
          state_q <= Note;
        end
      end
      default: if (notes_ready) begin
        left_q <= left_q - bytes_t'(size);
        state_q <= final_ ? Idle : Write;
      end
    endcase
    // A connection that opens begins anew, whatever the last one with its number had.
    if (opened_valid_i && id_t'(opened_i.id) == id_q) known_q <= 1'b0;
    if (rst_i) begin
      state_q <= Idle;
      known_q <= 1'b0;
    end
  end

  assign write_valid_o = state_q == Write;
  assign write_o = '{id: 16'(id_q), seq: 32'(place_q), skip: '0, bytes: 11'(size), tag: '0};
  assign payload_valid_o = state_q == Words && word_valid_i;
  assign word_ready_o = state_q == Words && payload_ready_i;

  assign payload_o = '{data: word_i.data, last: words_q == '0};

  assign note = '{
      id: id_q,
      bytes: size,
      written: some,
      error: error_q,
      last: message_q.last && final_,
      operations: message_q.operations,
      needs: message_q.needs
  };

  // ---- what memory has ----------------------------------------------------------------------------
  // Worst case: Chunks; then the next one waits.
  wc_fifo_shallow #(
    .data_t(note_t),
    .Depth (Chunks)
  ) u_notes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(state_q == Note),
    .ready_o(notes_ready),
    .data_i (note),
    .valid_o(noted_valid),
    .ready_i(noted_take),
    .data_o (noted)
  );

  // Notes of a packet are put together until the engine has to know: the packet's last one, a chunk's
  // bytes, or an error. A note before has fewer bytes than a chunk, so together they have fewer than two.
  logic holds_q;  // told_q has notes that were not told
  logic bad_q;    // what is told is an abort
  logic [1:0] apart_q;
  note_t told_q;
  bytes_t total_q;  // bytes of the packet so far
  logic tells, told, last_none;

  assign tells = holds_q && (told_q.last || bad_q || told_q.bytes[ChunkBits]);
  assign noted_take = noted_valid && !tells && apart_q == '0 && (!noted.written || done_valid_i);
  assign done_ready_o = noted_take && noted.written;
  // Bytes in front of the packet's last message may wait for it, though it has none. Before that only a
  // note with bytes tells.
  assign last_none = told_q.last && !told_q.written && total_q != '0;
  assign told = tells && (!event_valid_o || event_ready_i);
  assign event_valid_o = tells && (told_q.written || last_none);

  always_comb begin
    event_o = '0;
    event_o.kind = bad_q ? EventAbort : EventWritten;
    event_o.id = 16'(told_q.id);
    event_o.bytes = bad_q ? '0 : offset_t'(told_q.bytes);
    event_o.grows = !told_q.last;
  end

  // The request side is told behind the event: what ends a connection comes behind what it answers.
  always_ff @(posedge clk_i) begin
    if (noted_take) begin
      told_q <= noted;
      told_q.bytes <= noted.bytes + (holds_q ? told_q.bytes : '0);
      bad_q <= noted.error || (noted.written && done_i.error);
      if (noted.written) total_q <= total_q + bytes_t'(noted.bytes);
    end
    holds_q <= noted_take || (holds_q && !told);
    if (told && told_q.last) total_q <= '0;
    apart_q <= told ? '1 : apart_q - 2'(apart_q != '0);
    answered_valid_o <= told && told_q.last;
    answered_o <= '{
        id: 16'(told_q.id),
        bytes: total_q,
        operations: told_q.operations,
        needs: told_q.needs
    };
    if (rst_i) begin
      holds_q <= 1'b0;
      apart_q <= '0;
      total_q <= '0;
      answered_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(write, write_valid_o, write_ready_i, write_o)
  `WC_ASSERT_STREAM(event, event_valid_o, event_ready_i, event_o)
  `WC_ASSERT(fits_the_ring, !message_valid_i || message_i.bytes <= bytes_t'(1 << RingBits))
  `WC_ASSERT(of_one_packet, !(noted_take && holds_q) || noted.id == told_q.id)
  // What is noted waits for memory alone, and for who takes events.
  `WC_ASSERT(goes_on, !noted_valid || tells || apart_q != '0 || noted_take
             || (noted.written && !done_valid_i))

endmodule

`default_nettype wire
