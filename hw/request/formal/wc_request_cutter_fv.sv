// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_cutter, between wc_request_classify and wc_request_decode: packets of free
// bytes, of any number of words. One packet is followed, any one: it has another conn.
// Rule 1: each packet has exactly one piece with stop, its last, after its last word was taken;
//         packets keep their order, and each piece has the conn and the protocol of its packet.
// Rule 2: pieces of a line: one that ends it (eol) is no other end; a token goes on behind eight
//         bytes, and last_data tells truly whether it has more, or its packet ends there; the known
//         words have their lengths, digits are digits; held only with eol, in a line that starts
//         with the name of a command with a value, there always if at least two pieces are behind
//         that word.
// Rule 3: behind a held line nothing is offered until resume, nor in the two cycles after it.
// Rule 4: pieces of a binary packet are, over and over, the header, extras if they are 4, 8 or 20
//         bytes, key and value by the lengths in the header, or all of the body as the value if the extras
//         are of another length; each has the bytes that are left of it, up to eight, and the
//         last of each is marked.
// Rule 5: a packet that is in has a piece offered within eight cycles, unless the one before is not
//         taken or a line waits for its resume.
// Assumed: packets in words of eight bytes, the last of one to eight, with anything behind them;
// resume once for each held line that was taken. What comes behind it is past the end of the
// search.
`include "wc_assert.svh"
`default_nettype none

module wc_request_cutter_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_request_pkg::*;
  import wc_request_table_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       pick_i,   // free: follow the packet that begins
  input wire logic       valid_i,
  input wire word_t      data_i,
  input wire logic [3:0] bytes_i,
  input wire logic       last_i,
  input wire logic       ready_i,
  input wire logic       resume_i,
  input wire logic       resume_value_i,
  input wire logic [4:0] resume_bytes_i
);

  typedef enum logic [2:0] {
    First0,
    First1,
    First2,
    Extra,
    Key,
    Value
  } place_e;

  typedef logic [3:0] count_in_t;  // packets inside

  classed_t word;
  word_t word_data, word_before;
  logic word_valid, word_ready;
  cut_t cut;
  logic cut_valid, cut_ready, cut_room;
  piece_t piece;
  logic ascii_valid, binary_valid, offered, taken;
  logic packet_ready, enters;
  logic mark;
  resume_t resume;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_classify u_classify (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .packet_valid_i(valid_i),
    .packet_ready_o(packet_ready),
    .packet_i      ('{data: data_i, bytes: bytes_i, last: last_i, conn: conn_t'(mark), tcp: 1'b0,
                       binary: 1'b0}),
    .word_valid_o  (word_valid),
    .word_ready_i  (word_ready),
    .word_o        (word),
    .data_o        (word_data),
    .before_o      (word_before)
  );

  wc_request_cutter u_dut (
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

  wc_request_decode u_decode (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .cut_valid_i   (cut_valid),
    .cut_ready_o   (cut_ready),
    .cut_room_o    (cut_room),
    .cut_i         (cut),
    .ascii_valid_o (ascii_valid),
    .binary_valid_o(binary_valid),
    .piece_taken_i (taken),
    .piece_o       (piece)
  );

  assign enters = valid_i && packet_ready;
  assign offered = ascii_valid || binary_valid;
  assign taken = offered && ready_i;

  `WC_ASSUME(stays, $past(rst_i) || !$past(valid_i) || $past(packet_ready)
                    || (valid_i && {data_i, bytes_i, last_i} == $past({data_i, bytes_i, last_i})))
  `WC_ASSUME(words, bytes_i != '0 && bytes_i <= 4'd8 && (last_i || bytes_i == 4'd8))

  // ---- packets in order -------------------------------------------------------------------------
  logic inside_q;            // the packet that enters has begun
  count_in_t begun_in_q, ended_in_q, ahead_q;
  logic watch_q, entering_q, binary_q;
  logic begins, follow, stops, here;

  assign begins = enters && !inside_q;
  assign follow = begins && pick_i && !watch_q;
  assign mark = entering_q || (!inside_q && pick_i && !watch_q);
  assign stops = taken && piece.stop;
  assign here = watch_q && ahead_q == '0;

  always_ff @(posedge clk_i) begin
    if (enters) inside_q <= !last_i;
    begun_in_q <= begun_in_q + count_in_t'(begins) - count_in_t'(stops);
    ended_in_q <= ended_in_q + count_in_t'(enters && last_i) - count_in_t'(stops);
    if (enters) entering_q <= mark && !last_i;
    if (stops && watch_q) begin
      ahead_q <= ahead_q - 1'b1;
      if (here) watch_q <= 1'b0;
    end
    if (follow) begin
      watch_q <= 1'b1;
      ahead_q <= begun_in_q - count_in_t'(stops);
      binary_q <= data_i[7:0] == 8'h80;
    end
    if (rst_i) begin
      inside_q <= 1'b0;
      begun_in_q <= '0;
      ended_in_q <= '0;
      entering_q <= 1'b0;
      watch_q <= 1'b0;
    end
  end

  `WC_ASSUME(pick_stays, $past(rst_i) || !$past(valid_i) || $past(packet_ready)
                         || pick_i == $past(pick_i))

  `WC_ASSERT(piece_has_packet, !offered || begun_in_q != '0)
  `WC_ASSERT(stop_is_end, !(offered && piece.stop) || ended_in_q != '0)
  `WC_ASSERT(whose, !offered || piece.conn == conn_t'(here))
  `WC_ASSERT(protocol, !(offered && here) || piece.binary == binary_q)
  `WC_ASSERT(to_its_machine, !offered || binary_valid == piece.binary)

  // ---- lines ------------------------------------------------------------------------------------
  logic wait_q;       // between a line and its resume
  logic [1:0] gap_q;  // cycles since the resume
  logic line, value_named;
  logic rest_empty_q, rest_any_q, rest_stop_q, begun_token_q, set_q, behind_q, named_q;

  assign line = ascii_valid && piece.in_first;

  always_comb begin
    resume = '0;
    resume.valid = resume_i;
    resume.value = resume_value_i;
    resume.some = resume_bytes_i != '0;
    resume.bytes = value_len_t'(resume_bytes_i);
  end

  `WC_ASSUME(resume_is_due, !resume_i || wait_q)

  always_ff @(posedge clk_i) begin
    if (gap_q != '0) gap_q <= gap_q - 1'b1;
    if (taken && line) begin
      rest_stop_q <= piece.more && piece.bytes != 4'd8;
      rest_empty_q <= piece.more && piece.last_data && piece.bytes == 4'd8;
      rest_any_q <= piece.more && !piece.last_data && piece.bytes == 4'd8;
      begun_token_q <= piece.more;
      if (!named_q && !begun_token_q && piece.any) begin
        named_q <= 1'b1;
        set_q <= value_named && !piece.more && !piece.nul;
      end
      if (set_q) behind_q <= 1'b1;
      if (piece.eol || piece.stop) begin
        named_q <= 1'b0;
        set_q <= 1'b0;
        behind_q <= 1'b0;
        rest_empty_q <= 1'b0;
        rest_any_q <= 1'b0;
        rest_stop_q <= 1'b0;
        begun_token_q <= 1'b0;
      end
      if (piece.held) wait_q <= 1'b1;
    end
    if (resume_i) begin
      wait_q <= 1'b0;
      gap_q <= 2'd2;
    end
    if (rst_i) begin
      wait_q <= 1'b0;
      gap_q <= '0;
      rest_empty_q <= 1'b0;
      rest_any_q <= 1'b0;
      rest_stop_q <= 1'b0;
      begun_token_q <= 1'b0;
      set_q <= 1'b0;
      behind_q <= 1'b0;
      named_q <= 1'b0;
    end
  end

  logic fits;

  always_comb begin
    fits = piece.any == (piece.bytes != '0);
    value_named = 1'b0;
    for (int unsigned i = 0; i < Lines; i++) begin
      if (piece.name[i] && piece.bytes != (Texts[i].bytes < 8 ? Texts[i].bytes : 4'd8)) begin
        fits = 1'b0;
      end
      if (piece.rest[i] && piece.bytes != Texts[i].bytes - 4'd8) fits = 1'b0;
      if (piece.name[i] && effect_of(LineTable[i].command.op).value) value_named = 1'b1;
    end
    if (piece.is_noreply && piece.bytes != 4'd7) fits = 1'b0;
    if (piece.is_zero && piece.bytes != 4'd1) fits = 1'b0;
    if (piece.digits && !piece.any) fits = 1'b0;
    if (!piece.stop && piece.few_digits != (piece.digits && piece.bytes <= 4'd4)) fits = 1'b0;
    if (piece.beyond != (piece.bytes > 4'(MaxKeyBytes % WordBytes))) fits = 1'b0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (piece.digits && piece.bytes > 4'(i)
          && (piece.data[8*i+4+:4] != 4'h3 || piece.data[8*i+:4] > 4'd9)) begin
        fits = 1'b0;
      end
      if (piece.bytes <= 4'(i) && piece.data[8*i+:8] != '0) fits = 1'b0;
    end
  end

  `WC_ASSERT(waits, !offered || (!wait_q && gap_q == '0))
  `WC_ASSERT(word_fits, !line || fits)
  `WC_ASSERT(line_ends, !line || (!(piece.eol && (piece.more || piece.stop || piece.nul))
             && !(piece.stop && (piece.nul || piece.more)) && !(piece.nul && piece.more)))
  `WC_ASSERT(rest_is, !line || ((!rest_empty_q || (!piece.any && !piece.more))
                                && (!rest_any_q || piece.any || piece.stop)
                                && (!rest_stop_q || (!piece.any && piece.stop))))
  `WC_ASSERT(held_is, !(line && piece.held) || (piece.eol && set_q))
  `WC_ASSERT(set_is_held, !(line && piece.eol && set_q && behind_q) || piece.held)
  // ---- fields of binary requests ----------------------------------------------------------------
  place_e place_q, place_d;
  logic [15:0] key_bytes_q;
  logic [7:0] extras_q;
  logic [31:0] body_q, rest;
  value_len_t field_q, field_d;  // bytes left of the field
  logic plain_extras, field_last;

  assign plain_extras = extras_q inside {8'd0, 8'd4, 8'd8, 8'd20};
  assign rest = plain_extras ? body_q - 32'(key_bytes_q) - 32'(extras_q) : body_q;
  assign field_last = place_q == First2
                      || (place_q inside {Extra, Key, Value} && field_q <= value_len_t'(8));

  always_comb begin
    place_d = place_q;
    field_d = field_q - value_len_t'(8);
    unique case (place_q)
      First0: place_d = First1;
      First1: place_d = First2;
      First2, Extra: if (field_last) begin
        if (place_q == First2 && extras_q inside {8'd4, 8'd8, 8'd20}) begin
          place_d = Extra;
          field_d = value_len_t'(extras_q);
        end else if (key_bytes_q != '0 && plain_extras) begin
          place_d = Key;
          field_d = value_len_t'(key_bytes_q);
        end else begin
          place_d = rest != '0 ? Value : First0;
          field_d = |rest[31:$bits(value_len_t)] ? '1 : value_len_t'(rest);
        end
      end
      default: if (field_last) begin
        place_d = place_q == Key && rest != '0 ? Value : First0;
        field_d = |rest[31:$bits(value_len_t)] ? '1 : value_len_t'(rest);
      end
    endcase
    if (piece.stop) place_d = First0;
  end

  always_ff @(posedge clk_i) begin
    if (taken && binary_valid) begin
      place_q <= place_d;
      field_q <= field_d;
      if (place_q == First0) begin
        key_bytes_q <= {piece.data[23:16], piece.data[31:24]};
        extras_q <= piece.data[39:32];
      end
      if (place_q == First1) begin
        body_q <= {piece.data[7:0], piece.data[15:8], piece.data[23:16], piece.data[31:24]};
      end
    end
    if (rst_i) place_q <= First0;
  end

  `WC_ASSERT(field_is, !binary_valid || piece.stop
             || (piece.in_first == (place_q inside {First0, First1, First2})
                 && piece.in_extra == (place_q == Extra) && piece.in_key == (place_q == Key)
                 && piece.in_value == (place_q == Value) && piece.last == field_last
                 && (piece.in_first
                     || piece.bytes == (field_q < value_len_t'(8) ? 4'(field_q) : 4'd8))
                 && piece.last_key == (place_q == Key && field_last)
                 && piece.last_value == (place_q == Value && field_last)))
  `WC_ASSERT(field_phase, !(binary_valid && piece.stop)
             || piece.in_first == (place_q inside {First0, First1, First2}))

  // ---- nothing waits for long -------------------------------------------------------------------
  logic [3:0] wait_count_q;

  always_ff @(posedge clk_i) begin
    wait_count_q <= '0;
    if (ended_in_q != '0 && !offered && !wait_q) wait_count_q <= wait_count_q + 1'b1;
    if (rst_i) wait_count_q <= '0;
  end

  `WC_ASSERT(soon, wait_count_q < 4'd8)

  `WC_COVER(two_packets, stops && here && $past(stops, 2))
  `WC_COVER(held_line, wait_q && gap_q == '0 && resume_i && ended_in_q != '0)
  `WC_COVER(key_of_binary, taken && place_q == Key && field_last && !piece.stop)
  `WC_COVER(key_behind_a_time, taken && place_q == Key && extras_q == 8'd4 && !piece.stop)
  `WC_COVER(key_behind_a_count, taken && place_q == Key && extras_q == 8'd20 && !piece.stop)
  `WC_COVER(both_protocols, stops && here && binary_q && $past(stops && ascii_valid, 3))
  `WC_COVER(crlf_between_words, taken && line && piece.eol && piece.bytes == 4'd7 && !set_q)

endmodule

`default_nettype wire
