// SPDX-License-Identifier: Apache-2.0
// State machine of the ASCII protocol: pieces of tokens in, operations out. The verdicts on a line
// and their order are memcached's.
// A key of a get becomes an operation as it passes. A set line of plain numbers goes on with its
// value at once. Every other line is decided in the cycle after its end, when all that was seen of
// the line is in registers.
// Latency none from the piece that settles an operation, 1 from a line's end. One piece per cycle,
// one cycle more for each line that is decided behind its end. The verdict on a line waits for a
// length of more than four digits, and for another number of more than ten digits or with anything
// but digits: at most 24 cycles from the last piece of the number (wc_request_number_fv).
// Long because one line has one state: which tokens came, which were right, and what follows.
`include "wc_assert.svh"
`default_nettype none

module wc_request_ascii
  import wc_pkg::*;
  import wc_request_pkg::*;
#(
  parameter int unsigned MaxKey     = MaxKeyBytes,
  parameter int unsigned StoreBytes = 4096  // larger values find no room in the queue
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
  output logic [31:0]   exptime_o,
  input  wire seconds_t flush_i,        // of exptime_o three cycles before
  output action_t       action_o,
  output request_t      request_o       // fields that its op does not use, key_len too, are not
                                        // zero; expiry: of a flush only
);

  localparam logic [5:0] LongestWords = 6'(MaxKey / WordBytes);  // whole ones of the longest key
  localparam int unsigned ExpirySettle = 6;

  typedef enum logic [3:0] {
    Line,
    Decide,        // the verdict on the line, from registers
    SizeCheck,     // on a set whose length took wc_request_number: does memcached's item hold it
    Value,
    AwaitNumbers,  // the value is there, but flags or exptime are still being read
    CutLine,       // the packet ended inside a line
    CutValue,      // the packet ended inside a value
    Close,
    Drop           // after quit, or a value too large: the rest of the packet goes
  } state_e;

  typedef enum logic [3:0] {
    CmdUnknown,
    CmdGet,
    CmdGets,
    CmdSet,
    CmdDelete,
    CmdFlush,
    CmdVersion,
    CmdVerbosity,
    CmdQuit
  } command_e;

  state_e state_q, state_d;
  logic idle_q, past_q;  // state_q is Line; state_q is another state that takes pieces
  logic go_q;            // a piece may be taken
  command_e command_q;

  // ---- the line so far --------------------------------------------------------------------------
  // Registers of the line whose pieces come; the counts saturate, however long the line is.
  logic fresh_q;          // no piece of the line has come
  logic dead_q;           // a NUL has come: what follows it in the line is no token
  logic [7:0] tokens_q;   // tokens so far, one hot; the last bit stands for seven and more
  logic open_q;           // a token has begun and not ended
  logic [5:0] words_q;    // whole words of the token; stays at 32, which no key reaches
  logic words_full_q;     // the token has as many whole words as the longest key
  logic words_over_q;     // the token has more words than the longest key
  logic flush_al_q, verbosit_q;  // the first word of these commands, which have nine letters
  logic noreply_q;        // the last token is "noreply"
  logic zero_q;           // the third token is "0"
  logic plain_q;          // the token is all digits so far
  logic flags_plain_q, exptime_plain_q, bytes_plain_q;  // these tokens are all digits
  logic flags_at_once_q, exptime_at_once_q;  // ten digits or fewer: wc_request_plain has them
  logic key_over_q;       // a key is longer than MaxKey
  key_len_t key_len_q;
  logic keyed_q;          // a get has had a key
  logic held_q;           // the cutter waits for the verdict on this line
  // The line that is decided: its tokens_q and key_over_q, while the next line's pieces come.
  logic [7:0] ended_q, tokens_d;
  logic ended_over_q, key_over_d;

  logic token_end, token, over, first_piece;
  logic is_get_q, is_set_q, is_update_q, is_flush_q, is_level_q;  // command_q in single bits
  logic plain;
  key_len_t key_len;
  logic take;             // a piece of a line

  assign first_piece = !open_q;
  assign token_end = !piece_i.more;
  assign token = piece_i.any || open_q;  // the piece is of a token, not just a separator
  assign over = words_over_q || (words_full_q && piece_i.beyond);
  assign key_len = {words_q[4:0] + 5'(piece_i.bytes[3]), piece_i.bytes[2:0]};
  assign plain = (piece_i.digits || (!piece_i.any && open_q)) && (first_piece || plain_q)
                 && words_q < 6'd2;

  // ---- numbers ----------------------------------------------------------------------------------
  // 0: flags, level of verbosity; 1: exptime, delay of flush_all; 2: length of the value
  logic [2:0] number_here;  // the token is this number
  logic [2:0] number_valid, number_full, number_busy, number_signed_ok, number_unsigned_ok;
  logic [2:0][31:0] number;
  logic number_wait;        // a number has no room for the next piece of its token

  for (genvar i = 0; i < 3; i++) begin : gen_number
    wc_request_number #(
      .Settle(i == 1 ? ExpirySettle : 4)  // one cycle for the registers before the verdict
    ) u_number (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .valid_i      (number_valid[i]),
      .full_o       (number_full[i]),
      .start_i      (first_piece),
      .end_i        (token_end),
      .data_i       (piece_i.data),
      .bytes_i      (piece_i.bytes),
      .busy_o       (number_busy[i]),
      .value_o      (number[i]),
      .signed_ok_o  (number_signed_ok[i]),
      .unsigned_ok_o(number_unsigned_ok[i])
    );
  end

  assign number_here[0] = (is_set_q && tokens_q[2]) || (is_level_q && tokens_q[1]);
  assign number_here[1] = (is_set_q && tokens_q[3]) || (is_flush_q && tokens_q[1]);
  assign number_here[2] = is_set_q && tokens_q[4];
  assign number_valid = number_here & {3{take && !dead_q && token}};

  assign number_wait = |(number_here & number_full)
                       || (|number_valid && !first_piece && !token_end);

  // Nearly all flags and exptimes are plain numbers, and known before their value has come.
  logic at_once;
  logic [31:0] plain_number, flags_q;
  logic [4:1] flags_come_q;  // bit i: the flags' piece came i cycles ago

  assign at_once = plain && (first_piece || (words_q == 6'd1 && piece_i.bytes <= 4'd2));

  wc_request_plain u_plain (
    .clk_i   (clk_i),
    .valid_i (take && (tokens_q[2] || tokens_q[3]) && piece_i.any),
    .start_i (first_piece),
    .data_i  (piece_i.data),
    .bytes_i (piece_i.bytes[2:0]),
    .number_o(plain_number)
  );

  always_ff @(posedge clk_i) begin
    flags_come_q <= {flags_come_q[3:1], take && tokens_q[2]};
    if (flags_come_q[4]) flags_q <= plain_number;
  end

  assign exptime_o = exptime_at_once_q ? plain_number : number[1];

  // The length of most values, one piece of up to four digits, is known in the cycle it comes.
  logic [13:0] short_bytes;
  logic short_some, bytes_some_q;  // not zero
  value_len_t bytes_q;
  logic bytes_plain, flags_any_q;
  logic [8:0] item_base_q;
  logic [31:0] item_q;
  logic too_large_q, storable_q;

  assign bytes_plain = piece_i.few_digits && first_piece;

  assign short_some = |{piece_i.data[27:24], piece_i.data[19:16], piece_i.data[11:8],
                        piece_i.data[3:0]};

  assign short_bytes = {1'd0, piece_i.hundreds, 6'd0} + {2'd0, piece_i.hundreds, 5'd0}
                       + ({5'd0, piece_i.hundreds, 2'd0} + {7'd0, piece_i.below});

  // ---- verdict on a set line --------------------------------------------------------------------
  // Flags and exptime: what is known of them a cycle ago. Their tokens are at least two cycles old
  // when the line is decided.
  logic before_known_q, before_ok_q;
  logic long_ok_q;      // the length that wc_request_number has read is one
  logic bytes_known;
  logic set_waits, set_long, set_known, set_fine;
  logic size_checked_q; // the cycle after SizeCheck: too_large_q tells

  always_ff @(posedge clk_i) begin
    before_known_q <= (flags_plain_q || !number_busy[0]) && (exptime_plain_q || !number_busy[1]);
    before_ok_q <= (flags_plain_q || number_unsigned_ok[0])
                   && (exptime_plain_q || number_signed_ok[1]);
    long_ok_q <= number_signed_ok[2] && !number[2][31] && number[2][30:1] != '1;
  end

  // At the last piece of a set line: the numbers are plain, so a value follows. The last piece is
  // the length, or noreply or a separator behind the length.
  logic usual_set;
  assign usual_set = is_set_q && !dead_q && !key_over_q && flags_plain_q && exptime_plain_q
                     && (tokens_q[4] ? bytes_plain
                                     : bytes_plain_q && (tokens_q[5] || (tokens_q[6] && !token)));

  assign bytes_known = bytes_plain_q || !number_busy[2];
  assign set_waits = !before_known_q || !bytes_known;
  assign set_long = before_ok_q && !bytes_plain_q && long_ok_q;
  // After the size check all numbers are known to be right.
  assign set_known = size_checked_q || (before_known_q
                                 && (bytes_plain_q
                                    || (!number_busy[2] && !(before_ok_q && long_ok_q))));
  assign set_fine = size_checked_q ? !too_large_q : before_known_q && before_ok_q && bytes_plain_q;

  // ---- the machine ------------------------------------------------------------------------------
  logic names;          // a piece of a line is taken that may end the first token
  command_e named;      // by the piece that ends the first token
  logic resume, resume_value;
  logic resume_q, resume_value_q;
  op_t op;
  logic key_passes, key_done, usual_end;  // of a get, when the piece is taken
  logic shape_ok;       // a set has the right number of tokens
  logic decided;        // no number is missing for the verdict on the line
  logic value_waits_q;  // flags or exptime are missing for the operation of the value
  logic flush_bare;     // flush_all without a delay

  assign key_passes = !dead_q && !tokens_q[0] && token && is_get_q && !key_over_q;
  assign key_done = key_passes && token_end && !over;
  assign usual_end = is_get_q && !key_over_q && (key_done || (keyed_q && !(token && !dead_q)));
  assign shape_ok = ended_q[5] || ended_q[6];
  assign flush_bare = noreply_q ? ended_q[2] : ended_q[1];

  always_comb begin
    decided = 1'b1;
    unique case (command_q)
      CmdSet:  if (shape_ok && !ended_over_q && !set_known) decided = 1'b0;
      CmdFlush: if (|ended_q[3:0] && !flush_bare && number_busy[1]) decided = 1'b0;
      CmdVerbosity: if ((ended_q[2] || ended_q[3]) && number_busy[0]) decided = 1'b0;
      default: ;
    endcase
  end

  assign names = piece_valid_i && go_q && idle_q && tokens_q[0];

  always_comb begin
    named = CmdUnknown;
    if (piece_i.stop || dead_q || !token || !token_end) begin
      named = CmdUnknown;
    end else if (first_piece) begin
      unique case (1'b1)
        piece_i.is_get: named = CmdGet;
        piece_i.is_gets: named = CmdGets;
        piece_i.is_set: named = CmdSet;
        piece_i.is_delete: named = CmdDelete;
        piece_i.is_version: named = CmdVersion;
        piece_i.is_quit: named = CmdQuit;
        default: ;
      endcase
    end else begin
      if (flush_al_q && piece_i.is_l) named = CmdFlush;
      if (verbosit_q && piece_i.is_y) named = CmdVerbosity;
    end
  end

  always_comb begin
    state_d = state_q;
    take = 1'b0;
    action_o = '0;
    action_o.key_last = token_end || piece_i.last_data;
    action_o.value_last = piece_i.last;
    resume = 1'b0;
    resume_value = 1'b0;

    op = '0;
    op.quiet = noreply_q && !(|ended_q[1:0]);
    op.status = StOk;

    unique case (state_q)
      Line: begin
        take = piece_taken_o;
        op.op = OpGet;
        op.quiet = 1'b0;
        op.with_key = 1'b1;
        op.with_cas = command_q == CmdGets;
        op.cmd_first = !keyed_q;
        op.cmd_last = piece_i.eol;
        if (take && piece_i.stop) begin
          action_o.key_abort = 1'b1;
          if (fresh_q && !piece_i.any) action_o.close = 1'b1;
          else state_d = CutLine;
        end else if (take) begin
          if (key_passes) begin
            action_o.key_push = piece_i.any && !words_q[5];
            action_o.put = key_done;
            action_o.key_commit = key_done;
            action_o.key_abort = token_end && over;
          end
          if (!dead_q && tokens_q[1] && is_update_q) begin
            action_o.key_push = piece_i.any && !words_q[5];
          end
          if (piece_i.eol) begin
            // The usual end of a get needs no verdict.
            action_o.mark_last = usual_end && !key_done;
            if (usual_set) begin
              resume = 1'b1;
              resume_value = 1'b1;
              state_d = Value;
            end else if (!usual_end) begin
              state_d = Decide;
            end
          end
        end
      end

      Decide, SizeCheck: begin
        op.status = StUnknown;
        resume = held_q && decided && !stall_i;
        action_o.put = decided;
        state_d = decided ? Line : Decide;
        unique case (command_q)
          CmdGet, CmdGets: begin
            op.quiet = 1'b0;
            if (ended_over_q) begin
              op.status = StBadFormat;
              op.cancel = 1'b1;
            end
          end
          CmdSet: begin
            if (!shape_ok) begin
              op.quiet = 1'b0;
            end else begin
              op.status = size_checked_q ? StTooLarge : StBadFormat;
              if (!ended_over_q) begin
                resume_value = set_fine;
                action_o.put = decided && !set_fine;
                if (set_fine) state_d = Value;
                else if (size_checked_q) state_d = Drop;
                // The size check needs the flags, too: they take room in the item.
                else if (!set_waits && set_long && !number_busy[0]) state_d = SizeCheck;
              end
            end
          end
          CmdDelete: begin
            op.quiet = noreply_q && !(|ended_q[2:0]);
            if (!(|ended_q[4:2])) begin
              op.quiet = 1'b0;
            end else if ((ended_q[3] && !zero_q && !noreply_q)
                         || (ended_q[4] && !(zero_q && noreply_q))) begin
              op.status = StBadDelete;
            end else if (ended_over_q) begin
              op.status = StBadFormat;
            end else begin
              op.op = OpDelete;
              op.status = StOk;
            end
          end
          CmdFlush: begin
            if (!(|ended_q[3:0])) begin
              op.quiet = 1'b0;
            end else if (flush_bare || number_signed_ok[1]) begin
              op.op = OpFlush;
              op.status = StOk;
            end else begin
              op.status = StBadTime;
            end
          end
          CmdVerbosity: begin
            if (!(|ended_q[3:2])) begin
              op.quiet = 1'b0;
            end else if (number_unsigned_ok[0]) begin
              op.status = StOk;
              op.say = SayOk;
            end else begin
              op.status = StBadFormat;
            end
          end
          CmdVersion: begin
            op.quiet = 1'b0;
            op.status = StOk;
            op.say = SayVersion;
          end
          CmdQuit: begin
            action_o.put = 1'b0;
            state_d = Drop;
          end
          default: op.quiet = 1'b0;
        endcase
        if (stall_i) begin
          action_o.put = 1'b0;
          state_d = state_q;
        end
        action_o.key_commit = action_o.put && op.op == OpDelete;
        action_o.key_abort = action_o.put && op.op != OpDelete;
      end

      Value: begin
        op.op = OpSet;
        op.quiet = noreply_q;
        if (piece_i.tail && !piece_i.stop) begin
          if (piece_i.crlf && storable_q) begin
            action_o.put = piece_taken_o && !value_waits_q;
            action_o.key_commit = action_o.put;
            action_o.value_push = piece_taken_o && piece_i.in_value;
            action_o.value_commit = action_o.put;
            if (piece_taken_o) state_d = value_waits_q ? AwaitNumbers : Line;
          end else begin
            op.op = OpNone;
            op.status = piece_i.crlf ? StTooLarge : StBadChunk;
            action_o.put = piece_taken_o;
            action_o.key_abort = piece_taken_o;
            action_o.value_abort = piece_taken_o;
            if (piece_taken_o) state_d = Line;
          end
        end else if (piece_taken_o) begin
          if (piece_i.stop) state_d = CutValue;
          else action_o.value_push = storable_q;
        end
      end

      AwaitNumbers: begin
        op.op = OpSet;
        op.quiet = noreply_q;
        if (!stall_i && !value_waits_q) begin
          action_o.put = 1'b1;
          action_o.key_commit = 1'b1;
          action_o.value_commit = 1'b1;
          state_d = Line;
        end
      end

      CutLine, CutValue: begin
        op.status = state_q == CutValue ? StBadChunk : StUnknown;
        op.quiet = state_q == CutValue && noreply_q;
        op.cancel = is_get_q;
        if (!stall_i) begin
          action_o.put = 1'b1;
          action_o.key_abort = 1'b1;
          action_o.value_abort = 1'b1;
          state_d = Close;
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
  end

  // resume_o comes a cycle after the verdict; by then bytes_q has the length.
  assign resume_o = '{valid: resume_q, value: resume_value_q, some: bytes_some_q, bytes: bytes_q};
  assign idle_o = idle_q;
  assign piece_taken_o = piece_valid_i && go_q && (idle_q || past_q);

  // The line so far with this piece.
  always_comb begin
    tokens_d = tokens_q;
    key_over_d = key_over_q;
    if (token && token_end && !dead_q) begin
      tokens_d = {|tokens_q[7:6], tokens_q[5:0], 1'b0};
      if (!tokens_q[0] && is_get_q) key_over_d = key_over_q || over;
      if (tokens_q[1] && is_update_q) key_over_d = over;
    end
  end

  always_comb begin
    request_o = '0;
    request_o.op = op;
    request_o.op.key_len = idle_q ? key_len : key_len_q;
    request_o.value_len = bytes_q;
    request_o.flags = flags_at_once_q ? flags_q : number[0];
    request_o.expiry = flush_bare ? '0 : flush_i;
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    idle_q <= state_d == Line;
    go_q <= !halt_i && !number_wait;
    past_q <= state_d inside {Value, Drop};
    value_waits_q <= (number_busy[0] && !flags_at_once_q) || (number_busy[1] && !exptime_at_once_q);
    if (names) begin
      command_q <= named;
      is_get_q <= named == CmdGet || named == CmdGets;
      is_set_q <= named == CmdSet;
      is_update_q <= named == CmdSet || named == CmdDelete;
      is_flush_q <= named == CmdFlush;
      is_level_q <= named == CmdVerbosity;
    end
    resume_q <= resume;
    resume_value_q <= resume_value;
    size_checked_q <= state_q == SizeCheck && !stall_i;
    flags_any_q <= number[0] != '0;
    item_base_q <= 9'(key_len_q) +
                   9'(flags_any_q ? ItemBytes + ItemFlagBytes : ItemBytes);
    item_q <= number[2] + 32'(item_base_q);
    too_large_q <= item_q > 32'(MaxValueBytes);
    storable_q <= 32'(bytes_q) <= 32'(StoreBytes);
    if (state_q == SizeCheck) begin
      bytes_q <= number[2][20:0];
      bytes_some_q <= number[2][20:0] != '0;
    end

    if (take) begin
      fresh_q <= 1'b0;
      held_q <= piece_i.held;
      tokens_q <= tokens_d;
      key_over_q <= key_over_d;
      ended_q <= tokens_d;
      ended_over_q <= key_over_d;
      if (piece_i.nul) dead_q <= 1'b1;
      flush_al_q <= piece_i.is_flush_al && first_piece;
      verbosit_q <= piece_i.is_verbosit && first_piece;
      plain_q <= plain;
      open_q <= token && !token_end;
      if (token_end) words_q <= '0;
      else if (!words_q[5]) words_q <= words_q + 6'd1;
      words_full_q <= !token_end && words_q == LongestWords - 6'd1;
      words_over_q <= !token_end && (words_over_q || words_full_q);
      if (token && token_end && !dead_q) begin
        noreply_q <= piece_i.is_noreply && first_piece;
        if (!tokens_q[0] && is_get_q) keyed_q <= 1'b1;
        unique case (1'b1)
          tokens_q[1]: if (is_update_q) begin
            key_len_q <= key_len;
          end else begin
            exptime_at_once_q <= 1'b0;  // flush_all has its delay here
          end
          tokens_q[2]: begin
            flags_plain_q <= plain;
            flags_at_once_q <= at_once;
            zero_q <= piece_i.is_zero && first_piece;
          end
          tokens_q[3]: begin
            exptime_plain_q <= plain;
            exptime_at_once_q <= at_once;
          end
          tokens_q[4]: begin
            bytes_plain_q <= bytes_plain;
            bytes_q <= value_len_t'(short_bytes);
            bytes_some_q <= short_some;
          end
          default: ;
        endcase
      end
    end
    // The registers are free for the next line. Of this one the verdict needs ended_q,
    // ended_over_q, command_q, and what is kept of the last tokens and of the numbers.
    if (take && (piece_i.eol || piece_i.stop)) begin
      fresh_q <= 1'b1;
      dead_q <= 1'b0;
      tokens_q <= 8'd1;
      open_q <= 1'b0;
      words_q <= '0;
      words_full_q <= 1'b0;
      words_over_q <= 1'b0;
      key_over_q <= 1'b0;
      keyed_q <= 1'b0;
    end
    if (rst_i) begin
      state_q <= Line;
      idle_q <= 1'b1;
      go_q <= 1'b0;
      past_q <= 1'b0;
      command_q <= CmdUnknown;
      fresh_q <= 1'b1;
      dead_q <= 1'b0;
      tokens_q <= 8'd1;
      open_q <= 1'b0;
      words_q <= '0;
      words_full_q <= 1'b0;
      words_over_q <= 1'b0;
      key_over_q <= 1'b0;
      keyed_q <= 1'b0;
      is_get_q <= 1'b0;
      is_set_q <= 1'b0;
      is_update_q <= 1'b0;
      is_flush_q <= 1'b0;
      is_level_q <= 1'b0;
      resume_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
