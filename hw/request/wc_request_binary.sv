// SPDX-License-Identifier: Apache-2.0
// State machine of the binary protocol: header and body fields in, operations out. The checks on
// the header are made from the row of its opcode (wc_request_table_pkg), the same for every command,
// while the last piece of the header passes, in memcached's order. As in
// memcached, a malformed request gives up the rest of the packet, a request of unknown kind only
// itself. A packet that ends inside a request is a malformed request (StBadFormat), unless its
// header came whole and names no command or contradicts itself (StUnknown): that is found first.
// Latency none from the piece that settles an operation. One piece per cycle; a request without a
// key takes one cycle more, so does one with extras and no value, a flush with a delay five.
`include "wc_assert.svh"
`default_nettype none

module wc_request_binary
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_legal_pkg::*;
#(
  parameter int unsigned MaxKey     = MaxKeyBytes,
  parameter int unsigned StoreBytes = 4096,  // larger values find no room in the queue
  parameter bit          MadeValues = 1'b1
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     piece_valid_i,  // of binary packets only
  output logic          piece_taken_o,
  output logic          idle_o,         // state Head: between requests, or between packets
  input  wire piece_t   piece_i,
  input  wire logic     halt_i,         // no piece may be taken in the next cycle
  input  wire logic     stall_i,        // a queue has no room
  input  wire value_len_t most_bytes_i, // of an item, as memcached counts them
  output logic [31:0]   exptime_o,
  input  wire seconds_t flush_i,        // of exptime_o three cycles before
  output action_t       action_o,
  output request_t      request_o       // fields that its op does not use, key_len too, are not
                                        // zero; expiry: of a flush only
);

  typedef enum logic [3:0] {
    Head,
    Ident,   // the second piece of the header
    Cas,     // the third piece
    Body,    // the verdict on the header, then extras, key and value of a request that is right
    Delay,   // the delay of a flush comes
    Answer,  // until flush_i is the time of that delay, three cycles
    Large,   // a value that is too large gets its answer before any of it is taken
    Short,   // the packet ended too early
    Close,
    Drop     // the rest of the packet goes
  } state_e;

  state_e state_q, state_d;
  state_e taken_d, untaken_d;  // state_d if a piece is taken, and if none is: whether one is comes
                               // late in the cycle
  logic [7:0] opcode_q;
  logic [31:0] opaque_q;
  cas_t cas_q;
  logic cas_any_q;  // it is not 0
  logic [15:0] key_bytes_q;
  logic [7:0] extras_q;
  logic [31:0] body_q;
  logic [31:0] value_bytes_q;
  logic [31:0] flags_q, exptime_q;
  number_t delta_q, start_q;
  logic creates_q;        // exptime_q is not all ones
  logic in_delta_q;       // of extras their first piece comes
  logic [2:0] settle_q;   // bit 0: flush_i is not yet the time of exptime_q

  function automatic logic [31:0] big_endian(input logic [31:0] bytes);
    return {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
  endfunction

  function automatic logic [63:0] big_endian_word(input word_t bytes);
    return {big_endian(bytes[31:0]), big_endian(bytes[63:32])};
  endfunction

  // ---- what the opcode asks for -----------------------------------------------------------------
  `WC_REQUIRE(headers, headers_are_legal(),
              "wc_request_table_pkg: a row of HeaderTable is not legal")

  form_t form_q, form;
  logic key_ok_q, key_any_q, extras_ok_q, extras_any_q;
  logic [16:0] skip_q;  // extras and key

  always_comb begin
    form = '0;
    for (int unsigned i = 0; i < Headers; i++) begin
      if (kept(HeaderTable[i].command, MadeValues)) begin
        form |= {$bits(form_t){opcode_q == HeaderTable[i].opcode}} & Forms[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Ident) begin
      form_q <= form;
      skip_q <= {1'b0, key_bytes_q} + 17'(extras_q);
      key_ok_q <= key_bytes_q <= 16'(MaxKey);
      key_any_q <= key_bytes_q != '0;
      extras_any_q <= extras_q != '0;
      extras_ok_q <= (form.extras_0 && extras_q == 8'd0) || (form.extras_4 && extras_q == 8'd4)
                     || (form.extras_8 && extras_q == 8'd8)
                     || (form.extras_20 && extras_q == 8'd20);
    end
  end

  // ---- the checks: from registers while the third piece of the header is there, into registers --
  logic holds, exact, fits;
  logic inside_q, good_q, unknown_q, wrong_q;
  logic large_q, large_flags_q, flags_any_q, value_any_q, storable_q;

  // What the body may be: key, value and extras, which are 8 bytes, or none.
  localparam int unsigned ExtrasBytes = 8;
  value_len_t most_body_q, most_flags_q, most_bare_q;

  assign holds = 32'(skip_q) <= body_q;
  // Not "==", which would wait for the carries of the difference below.
  assign exact = (body_q ^ 32'(skip_q)) == '0;

  assign fits = (key_any_q == form_q.key || form_q.key_free) && extras_ok_q
                && (form_q.value ? holds : exact);

  always_ff @(posedge clk_i) begin
    if (state_q == Cas) begin
      inside_q <= holds;
      unknown_q <= !holds || (key_ok_q && !form_q.known);
      wrong_q <= !key_ok_q || !fits;  // when it is not unknown
      // one with a key, as it should be
      good_q <= key_any_q && key_ok_q && fits && holds;
      large_q <= form_q.extras_8 ? body_q > 32'(most_body_q) : body_q > 32'(most_bare_q);
      large_flags_q <= body_q > 32'(most_flags_q);
      value_any_q <= !exact;
      value_bytes_q <= body_q - 32'(skip_q);
    end
    most_body_q <= most_bytes_i - value_len_t'(ItemBytes - ExtrasBytes);
    most_flags_q <= most_bytes_i - value_len_t'(ItemBytes + ItemFlagBytes - ExtrasBytes);
    most_bare_q <= most_bytes_i - value_len_t'(ItemBytes);
    storable_q <= value_bytes_q <= 32'(StoreBytes);
  end

  // ---- the machine ------------------------------------------------------------------------------
  op_t op;
  logic take, done;
  // state_q in single bits: one of the header's states, one that takes any piece, Body, Head.
  logic in_head_q, eats_q, in_body_q, idle_q;
  logic go_q;                       // a piece may be taken
  logic settles_q;                  // exptime_q is new, and the next piece may put its operation
  logic too_large;

  // the last piece of an operation with a key
  assign done = piece_i.last_value || (piece_i.last_key && !value_any_q);
  assign too_large = large_q || (large_flags_q && flags_any_q);

  always_comb begin
    taken_d = state_q;
    untaken_d = state_q;
    action_o = '0;
    action_o.key_last = piece_i.last;
    action_o.value_last = piece_i.last;
    op = '0;
    op.binary = 1'b1;
    op.opcode = opcode_q;
    op.opaque = opaque_q;
    op.status = StOk;

    unique case (state_q)
      Head, Ident, Cas: begin
        if (piece_i.stop) begin
          // nothing was begun: right at the end, or in the body of a request of unknown kind
          if (state_q == Head && (piece_i.clean || !piece_i.in_first)) begin
            action_o.close = take;
          end else begin
            taken_d = Short;
          end
        end else if (state_q == Head) begin
          if (piece_i.in_first) taken_d = piece_i.magic ? Ident : Drop;
        end else begin
          taken_d = state_q == Ident ? Cas : Body;
        end
        action_o.line_restart = take;
      end

      Body: begin
        if (good_q) begin
          // With a CAS number all that store ask for the item of that number, and for no more.
          // But what joins values has a use for it itself.
          op.op = cas_any_q && form_q.extras_8 ? OpSet : form_q.command.op;
          op.quiet = form_q.quiet;
          op.with_key = form_q.command.with_key;
          if (piece_i.stop) begin
            taken_d = Short;
          end else begin
            action_o.key_push = take && piece_i.in_key && form_q.key;
            action_o.line_push = take && piece_i.in_key && form_q.key_free;
            action_o.value_push = take && piece_i.in_value && storable_q;
            action_o.put = take && done;
            action_o.key_commit = action_o.put && form_q.key;
            action_o.value_commit = action_o.put;
            if (done) taken_d = Head;
            else if (piece_i.last_key && too_large) taken_d = Large;
          end
          // Of a request without a value storable_q may come too late.
          if (form_q.value && value_any_q && !storable_q) begin
            op.op = form_q.replaces ? OpRefuse : OpNone;
            op.status = StTooLarge;
            op.quiet = 1'b0;
            action_o.key_abort = action_o.key_commit && !form_q.replaces;
            action_o.key_commit = action_o.key_commit && form_q.replaces;
            action_o.value_commit = 1'b0;
          end
        end else begin
          action_o.put = !stall_i;
          if (unknown_q) begin
            op.status = StUnknown;
            untaken_d = inside_q ? Head : Drop;
          end else if (wrong_q) begin
            op.status = StBadFormat;
            untaken_d = Drop;
          end else begin
            op.op = form_q.command.op;
            op.say = form_q.command.say;
            op.quiet = form_q.quiet;
            action_o.put = !extras_any_q && !stall_i;
            untaken_d = extras_any_q ? Delay : form_q.command.drops ? Drop : Head;
          end
          if (stall_i) untaken_d = Body;
        end
      end

      Delay: begin
        taken_d = piece_i.stop ? Short : Answer;
      end

      Answer: begin
        op.op = form_q.command.op;
        op.quiet = form_q.quiet;
        if (!stall_i && !settle_q[0]) begin
          action_o.put = 1'b1;
          untaken_d = Head;
        end
      end

      Large: begin
        op.op = form_q.replaces ? OpRefuse : OpNone;
        op.status = StTooLarge;
        if (!stall_i) begin
          action_o.put = 1'b1;
          action_o.key_commit = form_q.replaces;
          action_o.key_abort = !form_q.replaces;
          untaken_d = Drop;
        end
      end

      Short: begin
        op.status = StBadFormat;
        if (!stall_i) begin
          action_o.put = 1'b1;
          action_o.key_abort = 1'b1;
          action_o.value_abort = 1'b1;
          untaken_d = Close;
        end
      end

      Close: begin
        if (!stall_i) begin
          action_o.close = 1'b1;
          untaken_d = Head;
        end
      end

      Drop: begin
        if (piece_i.stop) begin
          action_o.close = take;
          taken_d = Head;
        end
      end

      default: untaken_d = Head;
    endcase
  end

  assign state_d = take ? taken_d : untaken_d;

  assign take = piece_valid_i && go_q
                && (in_head_q || eats_q || (in_body_q && good_q && !settles_q));
  assign piece_taken_o = take;
  assign exptime_o = exptime_q;

  assign idle_o = idle_q;

  always_comb begin
    request_o = '0;
    request_o.op = op;
    request_o.op.key_len = key_bytes_q[7:0];
    request_o.value_len = value_bytes_q[$bits(value_len_t)-1:0];
    request_o.flags = flags_q;
    request_o.cas = cas_q;
    request_o.delta = delta_q;
    request_o.creates = creates_q;
    request_o.start = start_q;
    request_o.expiry = in_body_q ? '0 : flush_i;
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    in_head_q <= state_d inside {Head, Ident, Cas};
    eats_q <= state_d inside {Delay, Drop};
    in_body_q <= state_d == Body;
    idle_q <= state_d == Head;
    go_q <= !halt_i;
    settle_q <= settle_q >> 1;
    settles_q <= 1'b0;
    // Of a piece that has to wait the last look counts.
    if (piece_valid_i) begin
      unique case (state_q)
        Head: begin
          // What of the header did not come is zero in the answer.
          opcode_q <= piece_i.stop ? '0 : piece_i.data[15:8];
          opaque_q <= '0;
          key_bytes_q <= {piece_i.data[23:16], piece_i.data[31:24]};
          extras_q <= piece_i.data[39:32];
        end
        Ident: begin
          body_q <= big_endian(piece_i.data[31:0]);
          opaque_q <= piece_i.stop ? '0 : piece_i.data[63:32];
        end
        Cas: begin
          cas_q <= big_endian_word(piece_i.data);
          cas_any_q <= piece_i.data != '0;
          in_delta_q <= 1'b1;
          flags_any_q <= 1'b0;
        end
        Body: begin
          if (piece_i.in_extra) begin
            flags_any_q <= piece_i.data[31:0] != '0;
            flags_q <= big_endian(piece_i.data[31:0]);
            exptime_q <= big_endian(form_q.extras_8 ? piece_i.data[63:32] : piece_i.data[31:0]);
            creates_q <= piece_i.data[31:0] != '1;
            // Of extras of 20 bytes the first piece is the delta, of which the first look is enough,
            // the second the number to start with. What was taken from these for flags and exptime
            // does not count.
            if (in_delta_q) delta_q <= big_endian_word(piece_i.data);
            if (!piece_i.last) start_q <= big_endian_word(piece_i.data);
            // An operation takes the expiry a cycle after its last piece, which may be the next one
            // when there is no value.
            settles_q <= take && piece_i.last && !value_any_q;
          end
          in_delta_q <= 1'b0;
        end
        Delay: begin
          exptime_q <= big_endian(piece_i.data[31:0]);
          settle_q <= '1;
        end
        default: ;
      endcase
    end
    if (rst_i) begin
      state_q <= Head;
      go_q <= 1'b0;
      in_head_q <= 1'b1;
      eats_q <= 1'b0;
      in_body_q <= 1'b0;
      idle_q <= 1'b1;
      settle_q <= '0;
    end
  end

endmodule

`default_nettype wire
