// SPDX-License-Identifier: Apache-2.0
// Decodes a meta command's key when its line says, behind the key, that it is base64. The words of
// the key are kept as they go to the key queue; `abort_o` has the queue forget them, and what they
// mean goes there in their place, in no more words. A character a cycle, as memcached reads them:
// what is no letter of the alphabet is passed over, the rest must make groups of four, a "=" is zero
// wherever it stands, the first group with one is the last that counts and has as many bytes less.
// Nothing of a line may be taken, or decided, from start_i on and while busy_o is high: 8 cycles and
// one for each character.
`include "wc_assert.svh"
`default_nettype none

module wc_request_base64
  import wc_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     name_i,      // the first word of a line is taken: another key is to come
  input  wire logic     key_push_i,  // a word of the key
  input  wire word_t    data_i,
  input  wire logic     start_i,     // what was pushed is base64; once for a key
  input  wire key_len_t key_len_i,   // bytes of it. Of a key that is too long: anything
  output logic          busy_o,
  output logic          abort_o,     // a cycle behind start_i
  output logic          push_o,      // a word of what is meant
  output beat_t         beat_o,
  output logic          done_o,      // the next two are there
  output key_len_t      len_o,       // bytes of what is meant
  output logic          wrong_o      // nothing is meant; stays until the next start_i
);

  localparam int unsigned Words = 32;
  localparam int unsigned GroupBytes = 3;
  typedef logic [$clog2(Words)-1:0] place_t;

  // ---- the key's words --------------------------------------------------------------------------
  place_t write_q, read_q;
  word_t kept;

  wc_ram_sdp #(
    .Width(WordWidth),
    .Depth(Words),
    .Style("block")
  ) u_key (
    .clk_i  (clk_i),
    .we_i   (key_push_i),
    .waddr_i(write_q),
    .wdata_i(data_i),
    .re_i   (1'b1),
    .raddr_i(read_q),
    .rdata_o(kept)
  );

  always_ff @(posedge clk_i) begin
    if (name_i) write_q <= '0;
    else if (key_push_i) write_q <= write_q + 1'b1;
  end

  // ---- 1: a character a cycle -------------------------------------------------------------------
  logic load_q;                    // the first word is there
  logic some_q;                    // there is a character
  logic [WordBytes-1:0][7:0] text_q;  // the next one is lowest
  logic [2:0] at_q;                // its place in its word
  key_len_t left_q;                // characters
  logic ends;                      // with this one, or without any

  assign ends = (some_q && left_q == key_len_t'(1)) || (load_q && left_q == '0);

  always_ff @(posedge clk_i) begin
    load_q <= start_i;
    if (start_i) left_q <= key_len_i;
    if (load_q) some_q <= left_q != '0;
    if (load_q || (some_q && at_q == '1)) begin
      text_q <= kept;
      read_q <= read_q + 1'b1;
    end else begin
      text_q <= {8'd0, text_q[WordBytes-1:1]};
    end
    at_q <= load_q ? '0 : at_q + 1'b1;
    if (some_q) begin
      left_q <= left_q - 1'b1;
      some_q <= !ends;
    end
    if (name_i) read_q <= '0;
    if (rst_i) begin
      load_q <= 1'b0;
      some_q <= 1'b0;
    end
  end

  // ---- 2: what it is ----------------------------------------------------------------------------
  logic upper, lower, digit, plus, slash, pad;
  logic [5:0] bits_q;  // of a "=": 0
  logic letter_q, pad_q;
  logic [7:0] char;

  assign char = text_q[0];
  assign upper = char inside {["A":"Z"]};
  assign lower = char inside {["a":"z"]};
  assign digit = char inside {["0":"9"]};
  assign plus = char == "+";
  assign slash = char == "/";
  assign pad = char == "=";

  always_ff @(posedge clk_i) begin
    letter_q <= some_q && (upper || lower || digit || plus || slash || pad);
    pad_q <= pad;
    bits_q <= ({6{upper}} & (char[5:0] - 6'd1)) | ({6{lower}} & (char[5:0] - 6'd7))
              | ({6{digit}} & (char[5:0] + 6'd4)) | (plus ? 6'd62 : '0) | (slash ? 6'd63 : '0);
    if (rst_i) letter_q <= 1'b0;
  end

  // ---- 3: groups of four ------------------------------------------------------------------------
  logic [1:0] count_q;         // characters of this group
  logic [1:0] pads_q, pads;    // of them "="; stay at 3
  logic [GroupBytes-1:0][5:0] group_q;  // the last one is lowest
  logic whole;                 // a group that counts
  logic last_q;                // the last group that counts was
  logic [1:0] bytes;           // of this group
  logic [1:0] out_left_q;      // bytes that are left of the last one
  logic [GroupBytes-1:0][7:0] out_q;    // the next one is highest
  logic [4:1] end_q;           // bit i: the last character came i cycles ago

  assign pads = pads_q + 2'(pad_q && pads_q != '1);
  assign whole = letter_q && count_q == '1 && !last_q;
  assign bytes = 2'(GroupBytes) - pads;

  always_ff @(posedge clk_i) begin
    end_q <= {end_q[3:1], ends};
    if (letter_q) begin
      count_q <= count_q + 1'b1;
      pads_q <= count_q == '1 ? '0 : pads;
      group_q <= {group_q[GroupBytes-2:0], bits_q};
    end
    if (out_left_q != '0) out_left_q <= out_left_q - 1'b1;
    out_q <= out_q << 8;
    if (whole) begin
      out_q <= {group_q, bits_q};
      out_left_q <= bytes;
      len_o <= len_o + key_len_t'(bytes);
      last_q <= pads != '0;
      wrong_o <= pads == '1;
    end
    if (end_q[2] && (count_q != '0 || len_o == '0)) wrong_o <= 1'b1;
    if (start_i) begin
      count_q <= '0;
      pads_q <= '0;
      last_q <= 1'b0;
      len_o <= '0;
      wrong_o <= 1'b0;
    end
    if (rst_i) begin
      end_q <= '0;
      out_left_q <= '0;
    end
  end

  // ---- 4: bytes to words ------------------------------------------------------------------------
  // A whole word waits for another byte, or for the end, so that the last one is known.
  logic [WordBytes-1:0][7:0] word_q;
  logic [3:0] filled_q;  // bytes in it
  logic byte_goes, full, flush_q;

  assign byte_goes = out_left_q != '0;
  assign full = filled_q[3];
  assign push_o = (byte_goes && full) || (flush_q && !wrong_o);
  assign beat_o = '{data: word_q, last: flush_q};

  always_ff @(posedge clk_i) begin
    flush_q <= end_q[4];  // by then the last three bytes have come
    if (start_i || (byte_goes && full)) begin
      word_q <= '0;
      filled_q <= '0;
    end
    if (byte_goes) begin
      word_q[full ? 3'd0 : filled_q[2:0]] <= out_q[GroupBytes-1];
      filled_q <= full ? 4'd1 : filled_q + 1'b1;
    end
    if (rst_i) flush_q <= 1'b0;
  end

  // ---- how long it takes ------------------------------------------------------------------------
  // How large the item is follows from the length: it is known 4 cycles behind done_o.
  logic [3:1] settle_q;

  assign abort_o = load_q;

  always_ff @(posedge clk_i) begin
    done_o <= end_q[2];
    settle_q <= {settle_q[2:1], done_o};
    if (start_i) busy_o <= 1'b1;
    else if (settle_q[3]) busy_o <= 1'b0;
    if (rst_i) begin
      done_o <= 1'b0;
      settle_q <= '0;
      busy_o <= 1'b0;
    end
  end

  `WC_ASSERT(one_at_a_time, !start_i || !busy_o)
  `WC_ASSERT(no_word_meanwhile, !key_push_i || !(start_i || busy_o))
  `WC_ASSERT(pushed_in_time, !push_o || busy_o)
  `WC_ASSERT(groups_are_apart, !whole || out_left_q == '0)

endmodule

`default_nettype wire
