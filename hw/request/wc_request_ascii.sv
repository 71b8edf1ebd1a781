// SPDX-License-Identifier: Apache-2.0
// The ASCII protocol: pieces of tokens in, operations out. wc_request_tokens goes through a line
// with the row of its command, wc_request_numbers reads its numbers, wc_request_base64 a key that is
// base64, wc_request_verdict says behind its end what becomes of it; here is only what the packet as
// a whole goes through.
// A key of a get becomes an operation as it passes; in a line with a time in front of its keys they
// wait until its expiry is known. A line of plain numbers with a value goes on with the value at
// once. Every other line is decided in the cycle after its end, when all that was
// seen of the line is in registers.
// Latency none from the piece that settles an operation, 1 from a line's end. One piece per cycle,
// one cycle more for each line that is decided behind its end. The verdict on a line waits for a
// length of more than four digits, and for another number of more than ten digits or with anything
// but digits: at most 24 cycles from the last piece of the number, 27 where flags count in the size
// of an item (wc_request_numbers_fv). Behind the flag that says that a key is base64 the line waits 8
// cycles and one for each byte of the key.
`default_nettype none

module wc_request_ascii
  import wc_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
  import wc_request_flags_pkg::*;
#(
  parameter int unsigned MaxKey     = MaxKeyBytes,
  parameter int unsigned StoreBytes = 4096,  // larger values find no room in the queue
  parameter bit          MadeValues = 1'b1,
  parameter bit          Meta       = 1'b1
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     piece_valid_i,  // of ASCII packets only
  output logic          piece_taken_o,
  output logic          idle_o,         // state Line: between lines, or inside one; no value, no
                                        // verdict and no close is outstanding
  input  wire piece_t   piece_i,
  input  wire logic     halt_i,         // no piece may be taken in the next cycle
  input  wire logic     stall_i,        // a queue has no room
  output resume_t       resume_o,
  input  wire value_len_t most_bytes_i,  // of an item, as memcached counts them
  output logic [31:0]   exptime_o,
  output logic          recache_o,      // it is that of an R
  output logic          touch_o,        // of a T, that or the one before
  input  wire seconds_t flush_i,        // of exptime_o three cycles before
  output action_t       action_o,
  output logic          decoded_o,      // the word that action_o pushes is not the piece's, but
  output word_t         decoded_word_o,
  output request_t      request_o,      // fields that its op does not use, key_len and what is
                                        // shown too, are not zero; expiry: of a flush only
  output logic          opaque_push_o,  // a cycle behind action_o
  output opaque_word_t  opaque_o
);

  typedef enum logic [3:0] {
    Line,
    Decide,        // the verdict on the line, from registers
    Value,
    AwaitNumbers,  // the value is there, but flags, exptime or CAS number are still being read
    CutLine,       // the packet ended inside a line
    CutValue,      // the packet ended inside a value
    Skip,          // a value that nothing is made of
    Close,
    Drop           // after quit, or a value too large: the rest of the packet goes
  } state_e;

  state_e state_q, state_d;
  logic idle_q, past_q;  // state_q is Line; state_q is another state that takes pieces
  logic go_q;            // a piece may be taken
  logic take;            // a piece of a line is

  // ---- the line -----------------------------------------------------------------------------------------
  word_state_t word;
  rule_t rule;
  ended_t ended;
  numbers_t numbers;
  logic key_push, key_put, key_wrong, ends_keys, may_end, fresh, over, first_key;
  key_len_t key_len, ended_len;
  logic numbers_wait, fields_wait, plain;
  logic [31:0] flags;
  cas_t unique_cas, given;
  number_t delta, start;
  value_len_t length;
  logic length_any, unique_any, storable_q;
  logic decided, right, too_large, swallows, drops;
  op_t verdict, made;
  logic [Units-1:0] flag_number;
  logic decode, decoding, undecoded, decoded, forget_key;
  key_len_t decoded_len;
  beat_t decoded_beat;
  flagged_t flagged;
  word_state_t number_word;

  assign take = piece_taken_o && idle_q;

  wc_request_tokens #(
    .MaxKey(MaxKey)
  ) u_tokens (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .take_i     (take),
    .piece_i    (piece_i),
    .decoded_i  (decoded),
    .decoded_len_i(decoded_len),
    .time_ok_i  (numbers.ok[UnitTime]),
    .word_o     (word),
    .key_push_o (key_push),
    .key_put_o  (key_put),
    .key_wrong_o(key_wrong),
    .key_len_o  (key_len),
    .ends_keys_o(ends_keys),
    .may_end_o  (may_end),
    .fresh_o    (fresh),
    .over_o     (over),
    .first_key_o(first_key),
    .rule_o     (rule),
    .ended_o    (ended),
    .ended_len_o(ended_len)
  );

  wc_request_flags #(
    .MadeValues(MadeValues),
    .Meta      (Meta)
  ) u_flags (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .take_i   (take),
    .piece_i  (piece_i),
    .word_i   (word),
    .meta_i   (rule.meta),
    .undecoded_i(undecoded),
    .decode_o (decode),
    .number_o (flag_number),
    .flagged_o(flagged),
    .push_o   (opaque_push_o),
    .opaque_o (opaque_o)
  );

  if (Meta) begin : gen_base64
    wc_request_base64 u_base64 (
      .clk_i     (clk_i),
      .rst_i     (rst_i),
      .name_i    (take && !word.named),
      .key_push_i(take && key_push),
      .data_i    (piece_i.data),
      .start_i   (decode),
      .key_len_i (ended_len),
      .busy_o    (decoding),
      .abort_o   (forget_key),
      .push_o    (decoded_o),
      .beat_o    (decoded_beat),
      .done_o    (decoded),
      .len_o     (decoded_len),
      .wrong_o   (undecoded)
    );
  end else begin : gen_no_base64
    assign {decoding, forget_key, decoded_o, decoded, undecoded} = '0;
    assign decoded_beat = '0;
    assign decoded_len = '0;
  end

  assign decoded_word_o = decoded_beat.data;

  always_comb begin
    number_word = word;
    number_word.place.number |= flag_number;
    // Each flag comes once, so a line waits for as many numbers as there are, and no more.
    if ((rule.meta & waits_for(flag_number)) != '0 && !flagged.stopped) begin
      number_word.place.leads = 1'b1;
    end
  end

  wc_request_numbers #(
    .Meta(Meta)
  ) u_numbers (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .take_i      (take),
    .piece_i     (piece_i),
    .word_i      (number_word),
    .key_len_i   (ended_len),
    .most_bytes_i(most_bytes_i),
    .wait_o      (numbers_wait),
    .known_o     (numbers),
    .fields_wait_o(fields_wait),
    .flags_o     (flags),
    .exptime_o   (exptime_o),
    .recache_o   (recache_o),
    .touch_o     (touch_o),
    .unique_o    (unique_cas),
    .unique_any_o(unique_any),
    .delta_o     (delta),
    .start_o     (start),
    .given_o     (given),
    .length_o    (length),
    .length_any_o(length_any),
    .plain_o     (plain)
  );

  wc_request_verdict u_verdict (
    .rule_i   (rule),
    .ended_i  (ended),
    .numbers_i(numbers),
    .flagged_i(flagged),
    .decided_o(decided),
    .right_o  (right),
    .too_large_o(too_large),
    .swallows_o(swallows),
    .drops_o  (drops),
    .op_o     (verdict),
    .made_o   (made)
  );

  // At the last piece of a line: its numbers are plain, and it has no flags, so its value follows.
  logic usual_value;
  assign usual_value = may_end && !over && plain;

  // ---- the machine --------------------------------------------------------------------------------------
  logic resume, resume_value, resume_q, resume_value_q;
  op_t op;
  logic free;  // a CAS number of 0 is as good as none

  assign free = (rule.meta & MetaArithmetic) != '0 || flagged.mode inside {OpAppend, OpPrepend};

  always_comb begin
    state_d = state_q;
    action_o = '0;
    action_o.key_last = word.last || piece_i.last_data;
    action_o.value_last = piece_i.last;
    resume = 1'b0;
    resume_value = 1'b0;
    op = '0;

    unique case (state_q)
      Line: begin
        op.op = rule.command.op;
        op.with_key = rule.command.with_key;
        op.with_cas = rule.command.with_cas;
        op.cmd_first = first_key;
        op.cmd_last = piece_i.eol;
        if (take && piece_i.stop) begin
          action_o.key_abort = 1'b1;
          if (fresh && !piece_i.any) action_o.close = 1'b1;
          else state_d = CutLine;
        end else if (take) begin
          action_o.line_restart = fresh;
          action_o.line_push = word.counts && piece_i.any;
          action_o.line_begins = word.first;
          action_o.key_push = key_push;
          action_o.put = key_put;
          action_o.key_commit = key_put;
          action_o.key_abort = key_wrong;
          if (piece_i.eol) begin
            // The usual end of a get needs no verdict.
            action_o.mark_last = ends_keys && !key_put;
            if (!ends_keys) state_d = usual_value ? Value : Decide;
            // A line of keys has no value, so ends_keys need not be asked.
            resume = usual_value;
            resume_value = usual_value;
          end
        end
      end

      Decide: begin
        op = verdict;
        if (decided && !decoding && !stall_i) begin
          resume = ended.held;
          resume_value = (right && rule.value) || swallows;
          if (right && rule.value) begin
            state_d = Value;
          end else begin
            action_o.put = !(right && rule.command.drops);
            action_o.key_commit = (right && rule.key) || (too_large && rule.replaces);
            action_o.key_abort = !action_o.key_commit;
            state_d = drops ? Drop : swallows ? Skip : Line;
          end
        end
      end

      Value: begin
        op = made;
        if (piece_i.tail && !piece_i.stop) begin
          if (piece_i.crlf && storable_q) begin
            action_o.put = piece_taken_o && !fields_wait;
            action_o.key_commit = action_o.put;
            action_o.value_push = piece_taken_o && piece_i.in_value;
            action_o.value_commit = action_o.put;
            if (piece_taken_o) state_d = fields_wait ? AwaitNumbers : Line;
          end else begin
            op = '0;
            op.quiet = ended.quiet;
            op.op = piece_i.crlf && rule.replaces ? OpRefuse : OpNone;
            op.status = piece_i.crlf ? StTooLarge : StBadChunk;
            action_o.put = piece_taken_o;
            action_o.key_commit = piece_taken_o && piece_i.crlf && rule.replaces;
            action_o.key_abort = piece_taken_o && !action_o.key_commit;
            action_o.value_abort = piece_taken_o;
            if (piece_taken_o) state_d = Line;
          end
        end else if (piece_taken_o) begin
          if (piece_i.stop) state_d = CutValue;
          else action_o.value_push = storable_q;
        end
      end

      AwaitNumbers: begin
        op = made;
        if (!stall_i && !fields_wait) begin
          action_o.put = 1'b1;
          action_o.key_commit = 1'b1;
          action_o.value_commit = 1'b1;
          state_d = Line;
        end
      end

      CutLine, CutValue: begin
        op.status = state_q == CutValue ? StBadChunk : StUnknown;
        op.quiet = state_q == CutValue && ended.quiet;
        op.cancel = rule.takes_back;
        if (!stall_i) begin
          action_o.put = 1'b1;
          action_o.key_abort = 1'b1;
          action_o.value_abort = 1'b1;
          state_d = Close;
        end
      end

      Skip: begin
        if (piece_taken_o) begin
          action_o.close = piece_i.stop;
          if (piece_i.stop || piece_i.tail) state_d = Line;
        end
      end

      Close: begin
        if (!stall_i) begin
          action_o.close = 1'b1;
          state_d = Line;
        end
      end

      Drop: begin
        if (piece_taken_o) begin
          resume = piece_i.held;
          if (piece_i.stop) begin
            action_o.close = 1'b1;
            state_d = Line;
          end
        end
      end

      default: state_d = Line;
    endcase

    // Meanwhile no piece is taken, and there is no verdict.
    if (forget_key) action_o.key_abort = 1'b1;
    if (decoded_o) begin
      action_o.key_push = 1'b1;
      action_o.key_last = decoded_beat.last;
    end
  end

  // resume_o comes a cycle after the verdict; by then the length is there.
  assign resume_o = '{valid: resume_q, value: resume_value_q, some: length_any, bytes: length};
  assign idle_o = idle_q;
  assign piece_taken_o = piece_valid_i && go_q && (idle_q || past_q);

  always_comb begin
    request_o = '0;
    request_o.op = op;
    request_o.op.key_len = idle_q ? key_len : ended_len;
    {request_o.op.opaque, request_o.op.opcode} = flagged.shows;
    request_o.value_len = length;
    request_o.flags = flags;
    request_o.expiry = ended.bare ? '0 : flush_i;
    // 0 would mean that none is compared. No item has it, nor the largest. What makes a value of the
    // one that is there takes 0 for that.
    if (rule.compares || flagged.compares) begin
      request_o.cas = unique_cas | {$bits(cas_t){!unique_any && !free}};
    end
    request_o.delta = delta;
    request_o.start = start;
    request_o.creates = flagged.creates;
    request_o.touches = flagged.touches;
    request_o.earlier = flagged.earlier;
    request_o.gives = flagged.gives;
    request_o.given = given;
    request_o.stale = flagged.stale || flagged.after;  // wc_request_twice
    request_o.clears = flagged.clears;
    request_o.idle = flagged.idle;
    request_o.recaches = flagged.recaches;
    request_o.renewed = flagged.renewed;
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    idle_q <= state_d == Line;
    past_q <= state_d inside {Value, Skip, Drop};
    go_q <= !halt_i && !numbers_wait && !decode && !decoding;
    resume_q <= resume;
    resume_value_q <= resume_value;
    storable_q <= 32'(length) <= 32'(StoreBytes);
    if (rst_i) begin
      state_q <= Line;
      idle_q <= 1'b1;
      past_q <= 1'b0;
      go_q <= 1'b0;
      resume_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
