// SPDX-License-Identifier: Apache-2.0
// Request parser of a lane: packets of memcached's ASCII or binary protocol in, complete operations
// with their keys and values out. The first byte of a datagram tells the protocol of all of it; a
// packet of a TCP connection, which may be longer, comes with it.
// Latency of a get 10 cycles; a cycle for each 8 bytes, or each token or field if that is more, and
// two a packet, one more when the protocol changes; hw/request/README.md has the exact costs.
// Stalls its input while a queue is full; never for a packet that is not complete.
`include "wc_assert.svh"
`default_nettype none

module wc_request
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_pkg::*;
#(
  parameter lane_t       Lane       = '0,
  parameter int unsigned MaxKey     = MaxKeyBytes,  // longer ones are errors, as longer than 250
  parameter int unsigned KeyWords   = 1024,
  parameter int unsigned ValueWords = 1024,
  parameter int unsigned Requests   = 16,
  parameter int unsigned OpaqueQueue = 256,  // words
  parameter bit          MadeValues = 1'b1,  // so are those that make a value of the one there is
  parameter bit          Meta       = 1'b1,  // and meta commands
  parameter bit          Binary     = 1'b1   // and the binary protocol
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire seconds_t time_i,  // Unix time
  input  wire value_len_t most_bytes_i,  // of an item, as memcached counts them
  input  wire logic     watch_i,  // the host wants to know of operations with a key

  input  wire logic     packet_valid_i,
  output logic          packet_ready_o,
  input  wire packet_t  packet_i,

  output logic          request_valid_o,
  input  wire logic     request_ready_i,
  output request_t      request_o,
  output logic          key_valid_o,
  input  wire logic     key_ready_i,
  output beat_t         key_o,
  output logic          value_valid_o,
  input  wire logic     value_ready_i,
  output beat_t         value_o,
  output logic          opaque_valid_o,
  input  wire logic     opaque_ready_i,
  output opaque_word_t  opaque_o,

  output command_line_t line_o,         // what the host executes; taken in the same cycle
  input  wire logic     line_room_i     // it may have another command
);

  // What bounds the queues. The words of the operation that wc_request_emit holds back wait in the
  // queues beside those of the next operation, which is not whole yet. Both must fit below the
  // level that stops the parser, or it would wait for itself. As both fit, a queue at that level
  // holds words of an operation that has left, and they go when its taker takes them. The queues
  // assert how many words an operation has (Longest).
  localparam int unsigned Margin = 6;       // what may still come when a queue is near full: a word
                                            // for each register from its level to its input
  localparam int unsigned LongestKey = 32;  // words of a key; the state machines write no more
  localparam int unsigned Spare = 4;   // words of its half of the queue that no value takes
  localparam int unsigned StoreWords = ValueWords / 2 - Spare;
  localparam int unsigned StoreBytes = StoreWords * WordBytes;

  // The words that come with O flags wait for the answer, which may wait for the end of its message.
  // All of a datagram's must fit. A packet of TCP may have any number, but a message of it has fewer,
  // and those behind it wait here while its own go (wc_request_emit).
  localparam int unsigned LongestOpaque = (OpaqueBytes + WordBytes - 1) / WordBytes;

  `WC_REQUIRE(opaque_queue, OpaqueQueue - Margin > MostOpaqueWords,
              "wc_request: OpaqueQueue does not hold all opaque words of a datagram")
  `WC_REQUIRE(tcp_opaques, OpaqueQueue - Margin > MostTcpMessageWords + LongestOpaque,
              "wc_request: OpaqueQueue does not hold all opaque words of a message of TCP")
  `WC_REQUIRE(key_words, KeyWords >= 128, "wc_request: KeyWords must be 128 or more")
  `WC_REQUIRE(key_fits, MaxKey <= LongestKey * WordBytes,
              "wc_request: MaxKey does not fit the key words that are written")
  `WC_REQUIRE(two_keys, 2 * LongestKey < KeyWords - Margin,
              "wc_request: two keys do not fit below the level that stops the parser")
  `WC_REQUIRE(value_words, ValueWords >= 16, "wc_request: ValueWords must be 16 or more")
  `WC_REQUIRE(two_values, 2 * StoreWords < ValueWords - Margin,
              "wc_request: two values do not fit below the level that stops the parser")
  `WC_REQUIRE(requests, Requests >= 8, "wc_request: Requests must be 8 or more")

  // ---- bytes to pieces --------------------------------------------------------------------------
  classed_t word;
  word_t word_data, word_before;
  logic word_valid, word_ready;
  cut_t cut;
  logic cut_valid, cut_ready, cut_room;
  piece_t piece;
  logic ascii_valid, binary_valid;  // a piece of an ASCII packet, of a binary one
  logic ascii_taken, binary_taken;
  resume_t resume;

  wc_request_classify #(
    .Binary(Binary)
  ) u_classify (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .packet_valid_i(packet_valid_i),
    .packet_ready_o(packet_ready_o),
    .packet_i      (packet_i),
    .word_valid_o  (word_valid),
    .word_ready_i  (word_ready),
    .word_o        (word),
    .data_o        (word_data),
    .before_o      (word_before)
  );

  wc_request_cutter u_cutter (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .word_valid_i(word_valid),
    .word_ready_o(word_ready),
    .word_i      (word),
    .data_i      (word_data),
    .before_i    (word_before),
    .resume_i    (resume),
    .cut_valid_o (cut_valid),
    .cut_ready_i (cut_ready),
    .cut_room_i  (cut_room),
    .cut_o       (cut)
  );

  wc_request_decode #(
    .MaxKey    (MaxKey),
    .MadeValues(MadeValues),
    .Meta      (Meta)
  ) u_decode (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .cut_valid_i  (cut_valid),
    .cut_ready_o  (cut_ready),
    .cut_room_o   (cut_room),
    .cut_i        (cut),
    .ascii_valid_o(ascii_valid),
    .binary_valid_o(binary_valid),
    .piece_taken_i(ascii_taken || binary_taken),
    .piece_o      (piece)
  );

  // ---- pieces to operations ---------------------------------------------------------------------
  // The two state machines take turns: a packet goes to its machine when the other machine has
  // closed the packet before. Whether it has is asked a cycle ahead, so neither machine takes a
  // piece in the cycle after a piece for the other.
  // Stage 1 of a stall: a queue is near full. Stage 2, full_q: no piece is taken in the next cycle.
  // Stage 3, stall_q: no operation is put without a piece.
  logic keys_full_q, values_full_q, requests_full_q, opaque_full_q, full_q, stall_q;
  logic opaque_push;
  logic decoded;  // a word of a key that was decoded
  word_t decoded_word;
  opaque_word_t opaque_word;
  logic binary_q;  // of the packet in the state machines
  conn_t conn_q;
  logic tcp_q;
  logic ascii_idle, binary_idle;
  logic [31:0] ascii_exptime, binary_exptime;
  seconds_t expiry, flush;
  logic recache;  // the time is that of an R, or will be
  logic touch;    // that time, or of an R the one before, is that of a T
  logic [1:0] recache_late_q, touch_late_q;  // so is the expiry
  // The last one of each kind: there when a line of several is put. The first one is that of T or N.
  seconds_t own_expiry_q, touch_q, recache_q;
  action_t ascii_action, binary_action, action;
  request_t ascii_request, binary_request;

  wc_request_ascii #(
    .MaxKey    (MaxKey),
    .StoreBytes(StoreBytes),
    .MadeValues(MadeValues),
    .Meta      (Meta)
  ) u_ascii (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .piece_valid_i(ascii_valid),
    .piece_taken_o(ascii_taken),
    .idle_o       (ascii_idle),
    .piece_i      (piece),
    .halt_i       (full_q || !binary_idle || binary_valid),
    .stall_i      (stall_q),
    .resume_o     (resume),
    .most_bytes_i (most_bytes_i),
    .exptime_o    (ascii_exptime),
    .recache_o    (recache),
    .touch_o      (touch),
    .flush_i      (flush),
    .action_o     (ascii_action),
    .decoded_o    (decoded),
    .decoded_word_o(decoded_word),
    .request_o    (ascii_request),
    .opaque_push_o(opaque_push),
    .opaque_o     (opaque_word)
  );

  wc_request_binary #(
    .MaxKey    (MaxKey),
    .StoreBytes(StoreBytes),
    .MadeValues(MadeValues)
  ) u_binary (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .piece_valid_i(binary_valid),
    .piece_taken_o(binary_taken),
    .idle_o       (binary_idle),
    .piece_i      (piece),
    .halt_i       (full_q || !ascii_idle || ascii_valid),
    .stall_i      (stall_q),
    .most_bytes_i (most_bytes_i),
    .exptime_o    (binary_exptime),
    .flush_i      (flush),
    .action_o     (binary_action),
    .request_o    (binary_request)
  );

  wc_request_expiry u_expiry (
    .clk_i    (clk_i),
    .time_i   (time_i),
    .exptime_i(binary_q ? binary_exptime : ascii_exptime),
    .signed_i (!binary_q),
    .expiry_o (expiry),
    .flush_o  (flush)
  );

  always_ff @(posedge clk_i) begin
    recache_late_q <= {recache_late_q[0], recache};
    touch_late_q <= {touch_late_q[0], touch};
    if (recache_late_q[1]) begin
      recache_q <= expiry;
    end else begin
      own_expiry_q <= expiry;
      if (touch_late_q[1]) touch_q <= expiry;
    end
    if (ascii_taken || binary_taken) begin
      binary_q <= piece.binary;
      conn_q <= piece.conn;
      tcp_q <= piece.tcp;
    end
  end

  // ---- operations and their words out -----------------------------------------------------------
  request_t emitted;
  logic emitted_valid;
  logic [$clog2(KeyWords):0] key_level;
  logic [$clog2(ValueWords):0] value_level;
  // Operations in u_requests. Room for the Margin operations that may come behind full_q bounds the
  // level by Requests: requests_have_room.
  logic [$clog2(Requests):0] request_level_q;
  logic request_taken_q;  // an operation was taken a cycle ago: request_level_q, which counts down
                          // by it, may be one too high, and nothing waits for request_ready_i
  logic key_room, value_room, request_room;
  logic queued_key_valid, queued_key_ready, queued_value_valid, queued_value_ready;
  beat_t queued_key, queued_value;
  word_t data_q;
  action_t action_q;
  request_t ascii_put_q, binary_put_q, put;  // what action_q puts
  effect_t effect;
  logic twice;  // of an `mg` with T and N: wc_request_twice makes two of it
  logic hosted, line_room_q, watch_q;
  logic put_binary_q;
  conn_t put_conn_q;
  logic put_tcp_q;

  // The first piece of a line counts already: binary_q is not yet of its packet. It is taken by one
  // machine alone.
  always_comb begin
    action = binary_q ? binary_action : ascii_action;
    action.line_restart = ascii_action.line_restart || binary_action.line_restart;
    action.line_push = ascii_action.line_push || binary_action.line_push;
    action.line_begins = ascii_action.line_begins;
  end

  // The fields are chosen a cycle after the verdict, and the expiry has until then.
  always_comb begin
    put = put_binary_q ? binary_put_q : ascii_put_q;
    effect = effect_with(put.op.op, put.stale, put.clears, put.creates && put.op.meta);
    twice = Meta && put.op.meta && put.creates && effect.change == ChangeExpiry;
    if (!put.op.binary && !put.op.meta) {put.op.opaque, put.op.opcode} = '0;
    if (!MadeValues || effect.change != ChangeNumber) begin
      put.delta = '0;
      put.start = '0;
      if (effect.change != ChangeFill && !twice) put.creates = 1'b0;
      if (effect.change != ChangeMark) put.touches = 1'b0;
    end
    if (!(effect.change inside {ChangeItem, ChangeMark}) && !twice) put.stale = 1'b0;
    if (put.op.op != OpDelete) put.clears = 1'b0;
    if (!stores_of(effect) && effect.change != ChangeMark && !twice) put.gives = 1'b0;
    if (!put.gives) put.given = '0;
    if (!tells_of(effect)) {put.idle, put.recaches, put.renewed} = '0;
    if (put.recaches) put.delta = number_t'(recache_q);
    if (!(effect.change inside {ChangeExpiry, ChangeNumber, ChangeFill})) put.earlier = 1'b0;
    if (!put.creates) put.start = '0;
    if (effect.change inside {ChangeItem, ChangeExpiry} || put.creates || put.touches) begin
      put.expiry = put.recaches ? own_expiry_q : expiry;
      if (twice) put.delta[63:32] = touch ? put.expiry : touch_q;
    end else if (!effect.flushes) begin
      put.expiry = '0;
    end
    if (effect.change != ChangeItem) put.flags = '0;
    if (!effect.value) begin
      put.value_len = effect.change == ChangeNumber ? value_len_t'(NumberBytes) : '0;
      if (effect.need == NeedNoKey) put.op.key_len = '0;
    end
    if (!effect.compares) put.cas = '0;
    hosted = put.op.op == OpHost;
    if (hosted && !line_room_q) begin
      put.op.op = OpNone;
      put.op.status = StBusy;
    end
  end

  // ---- commands of the host ---------------------------------------------------------------------
  always_comb begin
    line_o.restart = action_q.line_restart;
    line_o.push = action_q.line_push;
    line_o.begins = action_q.line_begins;
    line_o.data = data_q;
    line_o.put = action_q.put && hosted && line_room_q;
    line_o.refused = action_q.put && hosted && !line_room_q;
    line_o.binary = put_binary_q;
    line_o.opcode = binary_put_q.op.opcode;
    line_o.opaque = binary_put_q.op.opaque;
    line_o.key_len = binary_put_q.op.key_len;
  end

  wc_request_emit u_emit (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .lane_i         (Lane),
    .conn_i         (put_conn_q),
    .tcp_i          (put_tcp_q),
    .binary_i       (put_binary_q),
    .put_i          (action_q.put),
    .mark_last_i    (action_q.mark_last),
    .close_i        (action_q.close),
    .request_i      (put),
    .request_valid_o(emitted_valid),
    .request_o      (emitted)
  );

  request_t leaving;

  always_comb begin
    leaving = emitted;
    leaving.op.key_words = emitted.op.with_key || (watch_q && emitted.op.key_len != '0);
  end

  wc_fifo_shallow #(
    .data_t(request_t),
    .Depth (Requests)
  ) u_requests (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (emitted_valid),
    .ready_o (request_room),
    .data_i  (leaving),
    .valid_o (request_valid_o),
    .ready_i (request_ready_i),
    .data_o  (request_o)
  );

  always_ff @(posedge clk_i) begin
    data_q <= decoded ? decoded_word : piece.data;
    action_q <= action;
    ascii_put_q <= ascii_request;
    binary_put_q <= binary_request;
    put_binary_q <= binary_q;
    put_conn_q <= conn_q;
    put_tcp_q <= tcp_q;
    line_room_q <= line_room_i;
    watch_q <= watch_i;
    stall_q <= full_q;  // a register on either side of the way to the machines
    keys_full_q <= key_level >= ($clog2(KeyWords) + 1)'(KeyWords - Margin);
    values_full_q <= value_level >= ($clog2(ValueWords) + 1)'(ValueWords - Margin);
    requests_full_q <= request_level_q >= ($clog2(Requests) + 1)'(Requests - Margin);
    full_q <= keys_full_q || values_full_q || requests_full_q || opaque_full_q;
    request_taken_q <= request_valid_o && request_ready_i;
    if (emitted_valid != request_taken_q) begin
      request_level_q <= request_level_q + (request_taken_q ? '1 : ($clog2(Requests) + 1)'(1));
    end
    if (rst_i) begin
      action_q <= '0;
      request_level_q <= '0;
      request_taken_q <= 1'b0;
      keys_full_q <= 1'b0;
      values_full_q <= 1'b0;
      requests_full_q <= 1'b0;
      full_q <= 1'b0;
      stall_q <= 1'b0;
    end
  end

  wc_fifo_commit #(
    .data_t (beat_t),
    .Depth  (KeyWords),
    .Longest(LongestKey)
  ) u_keys (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (action_q.key_push),
    .ready_o (key_room),
    .data_i  ('{data: data_q, last: action_q.key_last}),
    .commit_i(action_q.key_commit),
    .abort_i (action_q.key_abort),
    .valid_o (queued_key_valid),
    .ready_i (queued_key_ready),
    .data_o  (queued_key),
    .level_o (key_level)
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_key_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(queued_key_valid),
    .ready_o(queued_key_ready),
    .data_i (queued_key),
    .valid_o(key_valid_o),
    .ready_i(key_ready_i),
    .data_o (key_o)
  );

  wc_fifo_commit #(
    .data_t (beat_t),
    .Depth  (ValueWords),
    .Longest(StoreWords)
  ) u_values (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (action_q.value_push),
    .ready_o (value_room),
    .data_i  ('{data: data_q, last: action_q.value_last}),
    .commit_i(action_q.value_commit),
    .abort_i (action_q.value_abort),
    .valid_o (queued_value_valid),
    .ready_i (queued_value_ready),
    .data_o  (queued_value),
    .level_o (value_level)
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_value_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(queued_value_valid),
    .ready_o(queued_value_ready),
    .data_i (queued_value),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o (value_o)
  );

  // Each line ends with an operation: that of a meta command that is right, or an error.
  if (Meta) begin : gen_opaque
    logic [$clog2(OpaqueQueue):0] opaque_level;
    logic opaque_room;
    logic meta_q;  // what action_q puts is of a meta command

    wc_fifo_commit #(
      .data_t (opaque_word_t),
      .Depth  (OpaqueQueue),
      .Longest(LongestOpaque)
    ) u_opaque (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .valid_i (opaque_push),
      .ready_o (opaque_room),
      .data_i  (opaque_word),
      .commit_i(action_q.put && meta_q),
      .abort_i (action_q.put && !meta_q),
      .valid_o (opaque_valid_o),
      .ready_i (opaque_ready_i),
      .data_o  (opaque_o),
      .level_o (opaque_level)
    );

    always_ff @(posedge clk_i) begin
      meta_q <= !binary_q && ascii_request.op.meta;
      opaque_full_q <= opaque_level >= ($clog2(OpaqueQueue) + 1)'(OpaqueQueue - Margin);
      if (rst_i) opaque_full_q <= 1'b0;
    end

    `WC_ASSERT(opaque_has_room, !opaque_push || opaque_room)
  end else begin : gen_no_opaque
    logic unused;
    assign unused = ^{opaque_ready_i, opaque_push, opaque_word};
    assign opaque_full_q = 1'b0;
    assign opaque_valid_o = 1'b0;
    assign opaque_o = '0;
  end

  `WC_ASSERT(requests_have_room, !emitted_valid || request_room)
  `WC_ASSERT(keys_have_room, !action_q.key_push || key_room)
  `WC_ASSERT(values_have_room, !action_q.value_push || value_room)
  `WC_ASSERT(one_machine, ascii_idle || binary_idle)

endmodule

`default_nettype wire
