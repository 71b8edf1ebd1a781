// SPDX-License-Identifier: Apache-2.0
// Proof of wc_answer with all that is below it. The operations, up to Ops, are free, and so is when
// each result, key word and value word comes; word_ready_i is high. One byte of the words
// out is followed, any one, and compared with what memcached says there, which is written out below
// a second time.
// Rule 1: each byte out is the right one in its place: the answers stand one behind the other in
//         the order of their results, each as long as its parts add up to, those of a message
//         without a gap; each message begins a word, what is left of its last one is zero. A silent
//         operation has no bytes.
// Rule 2: no word is out before all results that fill it were taken; there are no more words than
//         they fill.
// Rule 3: a key word is taken only of an operation whose answer shows the key, a value word only of
//         a hit: behind its result and behind the words of all operations before it, a value word
//         behind its own key's too.
// Rule 4: an answer that is the first and needs neither key nor value nor a number as text is out
//         whole, but for what shares a word with the next: its first word 12 cycles after its result
//         was taken, one more in each cycle after that.
// Assumed: operations and verdicts as parser and index make them, an ASCII GET or GAT with its key
// and not quiet; keys of 1 to 15 bytes, values of up to 31, flags and cas of one digit, of a pointer
// the first and the last byte. Keys and values have exactly the words that the results ask for. Each
// stream holds what it offers until it is taken. What names an operation is another in each: its
// opcode, opaque, and the bytes of its key and value, behind their ends too.
// The numbers of ASCII answers come too late for a search with all that. With Hits there are ASCII
// GETs and INCRs only, hits and misses, of one key and value length each, and all streams come at
// once: little is free, so the search reaches past the numbers.
// With Metas there are meta commands only: GETs, looks, SETs and DELETEs, hits and misses, quiet or
// not, which ask for two things to be shown at most, in any order. A line may take its key and what
// came with O as soon as its result was taken.
// Long because all that memcached says is written out here.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
#(
  parameter int unsigned Ops = 3,
  parameter bit Hits = 1'b0,
  parameter bit Metas = 1'b0,
  parameter int unsigned Cycles = 17  // where the search ends
) (
  input wire logic clk_i,
  input wire logic [Ops-1:0][37:0] items_i,  // free: the operations
  input wire logic [7:0] follow_i,  // free: the byte that is followed, counted in words out
  input wire logic result_i,  // free: when the next of a stream comes
  input wire logic key_i,
  input wire logic value_i
);

  typedef logic [7:0] place_t;  // of a byte among the words that leave
  typedef logic [7:0] char_t;
  typedef logic [1:0] number_t;  // of an operation

  typedef struct packed {
    logic last;
    logic binary;
    op_e op;
    say_e say;
    status_e status;
    logic quiet;
    logic with_key;
    logic with_cas;
    logic cmd_last;
    logic [3:0] key_len;
    logic [4:0] value_len;
    logic [1:0] flags;
    logic [2:0] cas;
    logic meta;
    logic [1:0][2:0] shows;  // of a show_e up to ShowCas, or 7: ShowUnused
  } item_t;

  // ---- the operations -----------------------------------------------------------------------
  logic begun_q;
  item_t [Ops-1:0] items_q;
  place_t follow_q;

  // Made here and not by wc_reset_fv: what is constant after it makes the search several times as
  // fast.
  logic rst_i, reset_done_q;

  initial reset_done_q = 1'b0;

  assign rst_i = !reset_done_q;

  always_ff @(posedge clk_i) reset_done_q <= 1'b1;

  always_ff @(posedge clk_i) begin
    items_q <= items_q;
    follow_q <= follow_q;
    if (rst_i) begin
      for (int unsigned i = 0; i < Ops; i++) items_q[i] <= tied(items_i[i], number_t'(i));
      follow_q <= follow_i;
    end
  end

  // With Hits or Metas, the first operation's on the right.
  localparam logic [3:0][3:0] KeyBytes = {4'd4, 4'd8, 4'd9, 4'd1};
  localparam logic [3:0][4:0] ValueBytes = {5'd1, 5'd0, 5'd3, 5'd12};
  localparam logic [3:0][3:0] NameBytes = {4'd8, 4'd0, 4'd9, 4'd3};  // what came with O

  // What is not tied to a value here is free.
  function automatic item_t tied(item_t item, number_t number);
    tied = item;
    if (Hits) begin
      tied = '0;
      tied.last = item.last;
      tied.op = item.with_key ? OpGet : OpIncr;
      tied.status = item.quiet ? StNotFound : StOk;
      tied.with_key = item.with_key;
      tied.with_cas = item.with_cas;
      tied.cmd_last = item.cmd_last;
      tied.flags = 2'd1;
      tied.cas = 3'd7;
      tied.key_len = KeyBytes[number];
      tied.value_len = ValueBytes[number];
    end
    tied.meta = Metas;
    tied.shows = '0;
    if (Metas) begin
      tied.last = item.last;
      tied.binary = 1'b0;
      tied.op = item.with_key ? (item.binary ? OpGet : OpLook) : (item.binary ? OpSet : OpDelete);
      tied.status = item.with_cas ? StNotFound : StOk;
      tied.quiet = item.quiet;
      tied.with_key = 1'b1;
      tied.with_cas = 1'b0;
      tied.flags = 2'd1;
      tied.cas = 3'd7;
      tied.key_len = KeyBytes[number];
      tied.value_len = ValueBytes[number];
      tied.shows = item.shows;
    end
  endfunction

  function automatic logic legal(item_t item);
    logic found;
    found = item.status inside {StOk, StNotFound};
    case (item.op)
      OpNone:   legal = item.status inside {StOk, [StUnknown : StBadDelete], StBadDelta};
      OpLook:   legal = item.meta;
      OpGet, OpGat:
                legal = found && (item.meta || item.binary || (item.with_key && !item.quiet));
      OpTouch:  legal = found;
      OpAppend, OpPrepend:
                legal = item.status inside {StOk, StExists, StNotStored};
      OpSet, OpAdd, OpReplace:
                legal = found || item.status inside {StExists, StNoMemory, StTooLarge};
      OpIncr, OpDecr: legal = found || item.status inside {StExists, StNoMemory, StTooLarge,
                                                           StNotNumber};
      OpDelete: legal = found || item.status == StExists;
      OpRefuse: legal = item.status == StTooLarge;
      OpFlush:  legal = item.status == StOk;
      default:  legal = 1'b0;
    endcase
    if (item.with_key && item.key_len == '0) legal = 1'b0;
    if (item.shows[1] != '0 && (item.shows[0] == '0 || item.shows[0] == item.shows[1])) begin
      legal = 1'b0;
    end
  endfunction

  for (genvar i = 0; i < Ops; i++) begin : gen_legal
    `WC_ASSUME(legal_item, legal(items_q[i]))
  end

  // ---- what an answer consists of -----------------------------------------------------------
  typedef struct packed {
    logic [6:0] bytes;
    logic [71:0][7:0] chars;  // right-aligned, as literals are
  } text_t;

  localparam logic [15:0] CrLf = {8'h0d, 8'h0a};

  function automatic logic reads(item_t item);
    return item.op inside {OpGet, OpGat};
  endfunction

  function automatic logic hit(item_t item);
    return reads(item) && item.status == StOk;
  endfunction

  function automatic logic counted(item_t item);
    return item.op inside {OpIncr, OpDecr} && item.status == StOk;
  endfunction

  function automatic logic silent(item_t item);
    if (item.op == OpNone && item.status == StOk && item.say == SaySilent) return 1'b1;
    if (item.meta) begin
      return item.quiet && item.status == (item.op inside {OpGet, OpLook} ? StNotFound : StOk);
    end
    if (!item.binary) return item.quiet;
    if (reads(item)) return item.quiet && item.status == StNotFound;
    return item.quiet && item.status == StOk;
  endfunction

  function automatic logic shows_key(item_t item);
    if (item.meta) return !silent(item) && (item.shows[0] == 3'd1 || item.shows[1] == 3'd1);
    return reads(item) && item.with_key && !silent(item) && (hit(item) || item.binary);
  endfunction

  // What stands behind all else, or alone.
  function automatic text_t text_of(item_t item);
    text_t text;
    text = '0;
    if (item.binary) begin
      case (item.status)
        StOk: if (item.op == OpNone && item.say == SayVersion) text = '{7'd10, "10.60.1800"};
        StNotFound: if (!reads(item) || !item.with_key) text = '{7'd9, "Not found"};
        StExists: text = '{7'd20, "Data exists for key."};
        StTooLarge: text = '{7'd10, "Too large."};
        StNoMemory: text = '{7'd29, "Out of memory allocating item"};
        StUnknown: text = '{7'd15, "Unknown command"};
        StNotStored: text = '{7'd11, "Not stored."};
        StNotNumber: text = '{7'd46, "Non-numeric server-side value for incr or decr"};
        default: text = '{7'd17, "Invalid arguments"};
      endcase
    end else begin
      case (item.status)
        StOk: begin
          case (item.op)
            OpGet, OpGat: if (item.cmd_last) text = '{7'd5, {"END", CrLf}};
            OpTouch: text = '{7'd9, {"TOUCHED", CrLf}};
            OpSet, OpAdd, OpReplace, OpAppend, OpPrepend: text = '{7'd8, {"STORED", CrLf}};
            OpDelete: text = '{7'd9, {"DELETED", CrLf}};
            OpFlush: text = '{7'd4, {"OK", CrLf}};
            OpIncr, OpDecr: text = '0;
            default: text = item.say == SayOk ? '{7'd4, {"OK", CrLf}} :
                            item.say == SayEnd ? '{7'd5, {"END", CrLf}} :
                            '{7'd20, {"VERSION 10.60.1800", CrLf}};
          endcase
        end
        StNotFound: begin
          if (item.op == OpReplace) text = '{7'd12, {"NOT_STORED", CrLf}};
          else if (!reads(item)) text = '{7'd11, {"NOT_FOUND", CrLf}};
          else if (item.cmd_last) text = '{7'd5, {"END", CrLf}};
        end
        StNotStored: text = '{7'd12, {"NOT_STORED", CrLf}};
        StExists: text = item.op == OpAdd ? '{7'd12, {"NOT_STORED", CrLf}} :
                                            '{7'd8, {"EXISTS", CrLf}};
        StNoMemory: text = '{7'd43, {"SERVER_ERROR out of memory storing object", CrLf}};
        StUnknown: text = '{7'd7, {"ERROR", CrLf}};
        StBadFormat: text = '{7'd38, {"CLIENT_ERROR bad command line format", CrLf}};
        StBadChunk: text = '{7'd29, {"CLIENT_ERROR bad data chunk", CrLf}};
        StTooLarge: text = '{7'd41, {"SERVER_ERROR object too large for cache", CrLf}};
        StBadTime: text = '{7'd39, {"CLIENT_ERROR invalid exptime argument", CrLf}};
        StNotNumber: text = '{7'd62, {"CLIENT_ERROR cannot increment or decrement ",
                                      "non-numeric value", CrLf}};
        StBadDelta: text = '{7'd45, {"CLIENT_ERROR invalid numeric delta argument", CrLf}};
        default: text = '{7'd70, {"CLIENT_ERROR bad command line format.  Usage: ",
                                  "delete <key> [noreply]", CrLf}};
      endcase
    end
    if (silent(item) || item.meta) text = '0;
    return text;
  endfunction

  function automatic char_t key_char(number_t number, logic [3:0] place);
    return {2'b01, number, place};
  endfunction

  function automatic char_t value_char(number_t number, logic [4:0] place);
    return {1'b1, number, place};
  endfunction

  function automatic char_t extras_bytes(item_t item);
    return hit(item) || (item.op == OpTouch && item.status == StOk) ? 8'd4 : 8'd0;
  endfunction

  // Of the binary header, with the flags of an item or the number of an INCR.
  function automatic place_t head_bytes(item_t item);
    return 8'd24 + (counted(item) ? 8'd8 : extras_bytes(item));
  endfunction

  typedef struct packed {
    char_t first;
    logic [15:0] middle;
    char_t last;
  } four_t;

  // A GET's answer does not show it.
  function automatic four_t pointer_of(item_t item);
    return '{first: {3'd5, item.value_len}, middle: '0, last: {item.value_len, 3'd6}};
  endfunction

  // The last digit.
  function automatic char_t digit(logic [4:0] value);
    return value < 5'd10 ? 8'h30 + char_t'(value) :
           value < 5'd20 ? 8'h30 + char_t'(value - 5'd10) :
           value < 5'd30 ? 8'h30 + char_t'(value - 5'd20) : 8'h30 + char_t'(value - 5'd30);
  endfunction

  // ---- the line of a meta answer --------------------------------------------------------------
  function automatic logic shows_name(item_t item);
    return item.meta && !silent(item) && (item.shows[0] == 3'd2 || item.shows[1] == 3'd2);
  endfunction

  function automatic show_e show_of(logic [2:0] show);
    return show == 3'd7 ? ShowUnused : show_e'({1'b0, show});
  endfunction

  function automatic char_t name_char(number_t number, logic [3:0] place);
    return {2'b00, number, place};
  endfunction

  // The first operation's item never expires, that of the others does in 9 seconds.
  function automatic place_t show_bytes(item_t item, number_t number, logic [2:0] show);
    if (show > 3'd2 && item.status != StOk
        && !(show == 3'd6 && stores_of(effect_of(item.op)))) begin
      return '0;  // wc_answer_size sees to it that the CAS number of what was not stored is 0
    end
    case (show)
      3'd0: return 8'd0;
      3'd1: return 8'd2 + place_t'(item.key_len);
      3'd2: return 8'd2 + place_t'(NameBytes[number]);
      3'd4: return item.value_len > 5'd9 ? 8'd4 : 8'd3;
      3'd5: return number == '0 ? 8'd4 : 8'd3;
      default: return 8'd3;
    endcase
  endfunction

  function automatic char_t size_char(item_t item, logic last);
    return last ? digit(item.value_len) : 8'h30 + (item.value_len > 5'd29 ? 8'd3 :
                                                   item.value_len > 5'd19 ? 8'd2 : 8'd1);
  endfunction

  function automatic char_t show_char(item_t item, number_t number, logic [2:0] show,
                                      place_t place);
    logic [7:0][7:0] letters;
    letters = {"lctsfOk", 8'd0};
    if (place == 8'd0) return 8'h20;
    if (place == 8'd1) return letters[show];
    case (show)
      3'd1: return key_char(number, 4'(place - 8'd2));
      3'd2: return name_char(number, 4'(place - 8'd2));
      3'd3: return "1";
      3'd4: return size_char(item, item.value_len < 5'd10 || place == 8'd3);
      3'd5: return number != '0 ? "9" : place == 8'd2 ? "-" : "1";
      3'd7: return "8";
      default: return "7";
    endcase
  endfunction

  function automatic place_t first_bytes(item_t item);
    return !hit(item) ? 8'd2 : item.value_len > 5'd9 ? 8'd5 : 8'd4;
  endfunction

  function automatic place_t line_bytes(item_t item, number_t number);
    return first_bytes(item) + show_bytes(item, number, item.shows[0]) +
           show_bytes(item, number, item.shows[1]) + 8'd2;
  endfunction

  function automatic char_t first_char(item_t item, place_t place);
    logic [15:0] word;
    if (hit(item) && place > 8'd1) begin
      return place == 8'd2 ? 8'h20 : size_char(item, item.value_len < 5'd10 || place == 8'd4);
    end
    word = hit(item) ? "VA" : item.status == StOk ? "HD" :
           item.op inside {OpGet, OpLook} ? "EN" : "NF";
    return place == 8'd0 ? word[15:8] : word[7:0];
  endfunction

  function automatic char_t meta_char(item_t item, number_t number, place_t place);
    place_t second, behind, line;
    second = first_bytes(item) + show_bytes(item, number, item.shows[0]);
    behind = second + show_bytes(item, number, item.shows[1]);
    line = behind + 8'd2;
    if (place < first_bytes(item)) return first_char(item, place);
    if (place < second) begin
      return show_char(item, number, item.shows[0], place - first_bytes(item));
    end
    if (place < behind) return show_char(item, number, item.shows[1], place - second);
    if (place < line) return place == behind ? CrLf[15:8] : CrLf[7:0];
    if (place < line + place_t'(item.value_len)) return value_char(number, 5'(place - line));
    return place == line + place_t'(item.value_len) ? CrLf[15:8] : CrLf[7:0];
  endfunction

  function automatic place_t length(item_t item, number_t number);
    place_t sum;
    if (item.meta) begin
      if (silent(item)) return '0;
      return line_bytes(item, number) + (hit(item) ? place_t'(item.value_len) + 8'd2 : 8'd0);
    end
    sum = place_t'(text_of(item).bytes);
    if (!silent(item)) begin
      if (shows_key(item)) sum = sum + place_t'(item.key_len);
      if (hit(item)) sum = sum + place_t'(item.value_len);
      if (item.binary) sum = sum + head_bytes(item);
      else if (counted(item)) sum = sum + 8'd3;
      // "VALUE <key> <flags> <bytes>[ <cas>]" and twice CR LF
      else if (hit(item)) sum = sum + 8'd14 + (item.value_len > 5'd9 ? 8'd1 : 8'd0) +
                                (item.with_cas ? 8'd2 : 8'd0);
    end
    return sum;
  endfunction

  function automatic char_t status_char(status_e status);
    case (status)
      StOk: return 8'h00;
      StNotFound: return 8'h01;
      StExists: return 8'h02;
      StNoMemory: return 8'h82;
      StUnknown: return 8'h81;
      StTooLarge: return 8'h03;
      StNotNumber: return 8'h06;
      StNotStored: return 8'h05;
      default: return 8'h04;
    endcase
  endfunction

  function automatic char_t header_char(item_t item, number_t number, logic [4:0] place);
    four_t pointer;
    pointer = pointer_of(item);
    case (place)
      5'd0: return 8'h81;
      5'd1: return {6'h28, number};
      5'd3: return shows_key(item) ? char_t'(item.key_len) : '0;
      5'd4: return extras_bytes(item);
      5'd7: return status_char(item.status);
      5'd11: return length(item, number) - 8'd24;
      5'd12, 5'd13, 5'd14, 5'd15: return {4'hc, number, place[1:0]};
      5'd23: begin
        return item.status == StOk && !(item.op inside {OpNone, OpDelete, OpFlush})
               ? char_t'(item.cas) : '0;
      end
      5'd27: return char_t'(item.flags);
      5'd28: return pointer.first;
      5'd31: return pointer.last;
      default: return 8'h00;
    endcase
  endfunction

  // " <flags> <bytes>[ <cas>]" and CR LF: the place among the characters of the longest.
  function automatic char_t number_char(item_t item, logic [3:0] place);
    logic [3:0] p;
    p = place;
    if (place >= 4'd3 && item.value_len < 5'd10) p = p + 1'b1;
    if (p >= 4'd5 && !item.with_cas) p = p + 4'd2;
    case (p)
      4'd0, 4'd2, 4'd5: return 8'h20;
      4'd1: return digit(5'(item.flags));
      4'd3: return item.value_len < 5'd20 ? 8'h31 : item.value_len < 5'd30 ? 8'h32 : 8'h33;
      4'd4: return digit(item.value_len);
      4'd6: return digit(5'(item.cas));
      4'd7: return CrLf[15:8];
      default: return CrLf[7:0];
    endcase
  endfunction

  function automatic char_t char_of(item_t item, number_t number, place_t place);
    place_t key, numbers, value, behind, text;
    text_t said;
    if (item.meta) return meta_char(item, number, place);
    said = text_of(item);
    key = item.binary ? head_bytes(item) : hit(item) ? 8'd6 : 8'd0;
    numbers = key + (shows_key(item) ? place_t'(item.key_len) : 8'd0);
    value = numbers;
    if (hit(item) && !item.binary) begin
      value = value + (item.value_len > 5'd9 ? 8'd7 : 8'd6) + (item.with_cas ? 8'd2 : 8'd0);
    end
    behind = value + (hit(item) ? place_t'(item.value_len) : 8'd0);
    text = behind + (hit(item) && !item.binary ? 8'd2 : 8'd0);
    if (counted(item) && !item.binary) begin
      return place == 8'd0 ? digit(5'(item.cas)) : place == 8'd1 ? CrLf[15:8] : CrLf[7:0];
    end
    if (place < key) begin
      if (item.binary) return header_char(item, number, 5'(place));
      case (place[2:0])
        3'd0: return "V";
        3'd1: return "A";
        3'd2: return "L";
        3'd3: return "U";
        3'd4: return "E";
        default: return " ";
      endcase
    end
    if (place < numbers) return key_char(number, 4'(place - key));
    if (place < value) return number_char(item, 4'(place - numbers));
    if (place < behind) return value_char(number, 5'(place - value));
    if (place < text) return place == behind ? CrLf[15:8] : CrLf[7:0];
    return said.chars[7'(said.bytes - 7'd1 - 7'(place - text))];
  endfunction

  // ---- where the answers lie ------------------------------------------------------------------
  place_t [Ops:0] begins;
  place_t [Ops-1:0] ends;
  char_t wanted;
  logic known;  // an answer has the followed byte

  always_comb begin
    begins = '0;
    wanted = '0;
    known = 1'b0;
    for (int unsigned i = 0; i < Ops; i++) begin
      ends[i] = begins[i] + length(items_q[i], number_t'(i));
      begins[i+1] = items_q[i].last ? (ends[i] + 8'd7) & 8'hf8 : ends[i];
      if (follow_q >= begins[i] && follow_q < ends[i]) begin
        known = 1'b1;
        wanted = char_of(items_q[i], number_t'(i), follow_q - begins[i]);
      end
    end
  end

  // ---- the streams ----------------------------------------------------------------------------
  result_t [Ops-1:0] results;
  result_t result;
  beat_t key, value;
  opaque_word_t opaque;
  word_t word;
  logic result_valid, result_ready, result_held_q;
  logic key_valid, key_ready, key_held_q, value_valid, value_ready, value_held_q, word_valid;
  logic key_takes, value_takes, opaque_takes, opaque_ready;
  logic [Ops:0] now_q;  // one of them: which result is next
  logic [Ops-1:0][2:0] keys_q, values_q, opaques_q;  // words that are left
  logic [Ops-1:0][2:0] key_words, value_words, opaque_words;
  logic [Ops-1:0] key_any, value_any, opaque_any, key_now, value_now, opaque_now;

  always_comb begin
    result = '0;
    key = '0;
    value = '0;
    opaque = '0;
    for (int unsigned i = 0; i < Ops; i++) begin
      results[i] = '0;
      results[i].op.last = items_q[i].last;
      results[i].op.binary = items_q[i].binary;
      results[i].op.op = items_q[i].op;
      results[i].op.say = items_q[i].say;
      results[i].op.status = items_q[i].status;
      results[i].op.quiet = items_q[i].quiet;
      results[i].op.with_key = items_q[i].with_key;
      results[i].op.with_cas = items_q[i].with_cas;
      results[i].op.cmd_last = items_q[i].cmd_last;
      results[i].op.opcode = {6'h28, number_t'(i)};
      results[i].op.opaque = {{4'hc, number_t'(i), 2'd3}, {4'hc, number_t'(i), 2'd2},
                              {4'hc, number_t'(i), 2'd1}, {4'hc, number_t'(i), 2'd0}};
      results[i].op.key_len = key_len_t'(items_q[i].key_len);
      results[i].value_len = value_len_t'(items_q[i].value_len);
      results[i].flags = 32'(items_q[i].flags);
      results[i].pointer = pointer_of(items_q[i]);
      results[i].cas = cas_t'(items_q[i].cas);
      results[i].ttl = i == 0 ? '1 : seconds_t'(9);
      results[i].unused = seconds_t'(8);
      results[i].op.meta = items_q[i].meta;
      if (Metas) begin
        results[i].op.opcode = {show_of(items_q[i].shows[1]), show_of(items_q[i].shows[0])};
        results[i].op.opaque = '0;
      end
      if (now_q[i]) result = results[i];

      key_words[i] = shows_key(items_q[i]) ? 3'((5'(items_q[i].key_len) + 5'd7) / 8) : '0;
      value_words[i] = hit(items_q[i]) ? 3'((6'(items_q[i].value_len) + 6'd7) / 8) : '0;
      opaque_words[i] = !shows_name(items_q[i]) ? '0 :
                        NameBytes[i] == '0 ? 3'd1 : 3'((5'(NameBytes[i]) + 5'd7) / 8);
      opaque_any[i] = opaques_q[i] != '0;
      opaque_now[i] = opaque_any[i];
      key_any[i] = keys_q[i] != '0;
      value_any[i] = values_q[i] != '0;
      key_now[i] = key_any[i];
      value_now[i] = value_any[i];
      for (int unsigned j = 0; j < i; j++) begin
        key_now[i] = key_now[i] && !key_any[j];
        value_now[i] = value_now[i] && !value_any[j];
        opaque_now[i] = opaque_now[i] && !opaque_any[j];
      end
      if (key_now[i]) begin
        key.last = keys_q[i] == 3'd1;
        for (int unsigned b = 0; b < 8; b++) begin
          key.data[8*b+:8] = key_char(number_t'(i), {1'(key_words[i] - keys_q[i]), 3'(b)});
        end
      end
      if (opaque_now[i]) begin
        opaque.last = opaques_q[i] == 3'd1;
        opaque.bytes = !opaque.last ? 4'd8 : NameBytes[i] > 4'd8 ? NameBytes[i] - 4'd8 :
                                                                   NameBytes[i];
        for (int unsigned b = 0; b < 8; b++) begin
          opaque.data[8*b+:8] = name_char(number_t'(i),
                                          {1'(opaque_words[i] - opaques_q[i]), 3'(b)});
        end
      end
      if (value_now[i]) begin
        value.last = values_q[i] == 3'd1;
        for (int unsigned b = 0; b < 8; b++) begin
          value.data[8*b+:8] = value_char(number_t'(i), {2'(value_words[i] - values_q[i]), 3'(b)});
        end
      end
    end
  end

  assign key_takes = key_valid && key_ready;
  assign value_takes = value_valid && value_ready;
  assign opaque_takes = opaque_any != '0 && opaque_ready;
  assign result_valid = !now_q[Ops] && (result_i || Hits || Metas || result_held_q);
  assign key_valid = key_any != '0 && (key_i || Hits || Metas || key_held_q);
  assign value_valid = value_any != '0 && (value_i || Hits || Metas || value_held_q);

  always_ff @(posedge clk_i) begin
    result_held_q <= result_valid && !result_ready;
    key_held_q <= key_valid && !key_ready;
    value_held_q <= value_valid && !value_ready;
    if (result_valid && result_ready) now_q <= now_q << 1;
    for (int unsigned i = 0; i < Ops; i++) begin
      if (key_takes && key_now[i]) keys_q[i] <= keys_q[i] - 1'b1;
      if (value_takes && value_now[i]) values_q[i] <= values_q[i] - 1'b1;
      if (opaque_takes && opaque_now[i]) opaques_q[i] <= opaques_q[i] - 1'b1;
    end
    begun_q <= 1'b1;
    if (!begun_q) begin  // the items are known a cycle after the reset
      keys_q <= key_words;
      values_q <= value_words;
      opaques_q <= opaque_words;
    end
    if (rst_i) begin
      result_held_q <= 1'b0;
      key_held_q <= 1'b0;
      value_held_q <= 1'b0;
      now_q <= (Ops + 1)'(1);
      keys_q <= '0;
      values_q <= '0;
      opaques_q <= '0;
      begun_q <= 1'b0;
    end
  end

  wc_answer u_dut (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .version_i     ('{bytes: 4'd10, line: {<<8{"10.60.1800", CrLf, 32'd0}}}),
    .result_valid_i(result_valid),
    .result_ready_o(result_ready),
    .result_i      (result),
    .key_valid_i   (key_valid),
    .key_ready_o   (key_ready),
    .key_i         (key),
    .opaque_valid_i(opaque_any != '0),
    .opaque_ready_o(opaque_ready),
    .opaque_i      (opaque),
    .value_valid_i (value_valid),
    .value_ready_o (value_ready),
    .value_i       (value),
    .value_error_i (1'b0),
    .word_valid_o  (word_valid),
    .word_ready_i  (1'b1),
    .word_o        (word),
    .word_error_o  ()
  );

  // ---- what is taken --------------------------------------------------------------------------
  logic [Ops-1:0] key_in_order, value_in_order, opaque_in_order;

  always_comb begin
    for (int unsigned i = 0; i < Ops; i++) begin
      key_in_order[i] = (now_q >> (i + 1)) != '0;
      opaque_in_order[i] = key_in_order[i];
      value_in_order[i] = (now_q >> (i + 1)) != '0 && (!key_any[i] || (key_takes && key.last));
      for (int unsigned j = 0; j < i; j++) begin
        if (value_any[j] && !Metas) key_in_order[i] = 1'b0;
        if (key_any[j]) value_in_order[i] = 1'b0;
      end
    end
  end

  `WC_ASSERT(key_when_due, !key_takes || (key_now & ~key_in_order) == '0)
  `WC_ASSERT(value_when_due, !value_takes || (value_now & ~value_in_order) == '0)

  `WC_ASSERT(opaque_when_due, !opaque_takes || (opaque_now & ~opaque_in_order) == '0)

  // ---- what comes out -------------------------------------------------------------------------
  logic [4:0] words_q;  // out
  place_t due;  // the bytes of what was taken
  logic [4:0] age_q, cycle_q;  // since the first result was taken; of the search
  logic [4:0] plain_words;  // of the first answer, if it needs no key and no value

  always_comb begin
    due = '0;
    for (int unsigned i = 0; i <= Ops; i++) if (now_q[i]) due = begins[i];
    plain_words = '0;
    if (!items_q[0].meta && !shows_key(items_q[0]) && !hit(items_q[0]) &&
        (items_q[0].binary || !counted(items_q[0])))
      plain_words = begins[1][7:3];
  end

  always_ff @(posedge clk_i) begin
    words_q <= words_q + 5'(word_valid);
    if (!now_q[0]) age_q <= age_q + 1'b1;
    cycle_q <= cycle_q + 1'b1;
    if (rst_i) begin
      words_q <= '0;
      age_q <= 5'd1;  // in the cycle after
      cycle_q <= 5'd1;
    end
  end

  `WC_ASSERT(nothing_made_up, !word_valid || words_q < due[7:3])
  `WC_ASSERT(byte_is, !word_valid || words_q != follow_q[7:3]
                      || word[8*follow_q[2:0]+:8] == wanted)
  `WC_ASSERT(whole_and_soon, now_q[0] || age_q < 5'd12 || age_q - 5'd12 >= plain_words
                             || words_q + 5'(word_valid) > age_q - 5'd12)

`ifndef FORMAL_COVER
  `WC_ASSUME(search_ends, cycle_q < 5'(Cycles))
`endif

  `WC_COVER(binary_hit, word_valid && words_q == 5'd5 && hit(items_q[0]) && items_q[0].binary
                        && items_q[0].with_key && items_q[0].value_len == 5'd9)
  `WC_COVER(touched, word_valid && words_q == 5'd3 && items_q[0].op == OpTouch
                     && items_q[0].binary && ends[0] == 8'd28 && items_q[0].last)
  `WC_COVER(binary_number, word_valid && words_q == 5'd3 && items_q[0].op == OpDecr
                           && items_q[0].binary && ends[0] == 8'd32 && !items_q[0].last)
  `WC_COVER(ascii_number, word_valid && words_q == 5'd0 && items_q[0].op == OpIncr
                          && ends[0] == 8'd3 && items_q[0].last)
  `WC_COVER(ascii_hit, word_valid && words_q == 5'd4 && hit(items_q[0]) && !items_q[0].binary
                       && items_q[0].last && values_q[0] == '0 && ends[0][7:3] == 5'd4)
  `WC_COVER(silent_first, word_valid && silent(items_q[0]) && silent(items_q[1])
                          && items_q[0].binary && items_q[0].op == OpGet && items_q[1].last)
  `WC_COVER(three_messages, word_valid && words_q == 5'd2 && items_q[0].last && items_q[1].last
                            && words_q == begins[2][7:3] && begins[1] != begins[2])
  `WC_COVER(in_one_word, word_valid && words_q == 5'd1 && !items_q[0].last && !items_q[1].last
                         && ends[1] < 8'd16 && ends[0] != ends[1] && due > 8'd16)
  `WC_COVER(many_rows, word_valid && words_q == 5'd4 && items_q[0].status == StBadChunk
                       && !items_q[0].binary && ends[0] > 8'd8)

endmodule

`default_nettype wire
