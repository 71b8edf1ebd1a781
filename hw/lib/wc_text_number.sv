// SPDX-License-Identifier: Apache-2.0
// Reads a number as memcached does, through strtol or strtoul of a 64-bit system: white space, a
// sign, decimal digits, then the end or white space or a NUL and anything; in range of 64 bits, of
// which the lower `Width` count. Of words of a line, none has a space or a NUL.
// Latency 4 and a cycle for each character. The result stands three cycles after the last
// character, busy_o is low Settle cycles after it. The token comes in pieces of up to 8 bytes,
// through a register; one piece is kept beside the piece that is worked on. The next piece may come
// when full_o was low in the cycle before, but not right after a piece that is neither the first
// nor the last. A first piece may always come.
// Bounds, for every input: full_o is low again within 10 cycles, and busy_o within 18 + Settle
// cycles after the last piece (hw/lib/formal/wc_text_number_fv.sv).
`include "wc_assert.svh"
`default_nettype none

module wc_text_number #(
  parameter int unsigned Settle = 3,
  parameter int unsigned Width  = 32
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          valid_i,
  output logic               full_o,
  input  wire logic          start_i,  // first piece: forgets the number before
  input  wire logic          end_i,    // last piece
  input  wire logic [63:0]   data_i,
  input  wire logic [3:0]    bytes_i,
  output logic               busy_o,
  output logic [Width-1:0]   value_o,
  output logic               signed_ok_o,   // strtol takes it
  output logic               unsigned_ok_o  // strtoul takes it, and it is not negative
);

  `WC_REQUIRE(settle, Settle >= 3, "wc_text_number: Settle must be 3 or more")
  `WC_REQUIRE(width, Width >= 4 && Width <= 64, "wc_text_number: Width must be 4 to 64")

  // Numbers of 19 and 20 digits are compared with these as text.
  localparam logic [20:0][3:0] Half = 84'h9223372036854775808_00;  // 2**63
  localparam logic [20:0][3:0] Full = 84'h18446744073709551615_0;  // 2**64 - 1

  typedef logic [31:0][3:0] text_t;

  // after(number)[i]: the digit behind the first i digits.
  function automatic text_t after(input logic [20:0][3:0] number);
    text_t next;
    next = '0;
    for (int unsigned i = 0; i < 20; i++) next[i] = number[19-i];
    return next;
  endfunction

  localparam text_t HalfAfter = after(Half);
  localparam text_t FullAfter = after(Full);

  typedef enum logic [2:0] {
    Lead,
    Sign,
    Digits,
    Tail,
    Bad
  } state_e;

  // ---- characters -------------------------------------------------------------------------------
  logic [63:0] text_q, spare_q;
  logic [3:0] left_q, spare_left_q;
  logic end_q, spare_end_q, spare_valid_q, open_q, busy_q;
  logic in_valid_q, in_start_q, in_end_q;
  logic spare_valid_d;
  logic [3:0] in_bytes_q;
  logic [63:0] in_data_q;
  logic char_valid_q, char_digit_q, char_space_q, char_nul_q, char_minus_q, char_sign_q;
  logic [3:0] char_value_q;
  logic [Settle-2:0] ended_q;
  logic idle;

  assign full_o = spare_valid_d;
  assign idle = left_q == 4'd0;
  assign busy_o = busy_q;

  always_comb begin
    spare_valid_d = spare_valid_q && !idle;
    if (in_valid_q) spare_valid_d = !in_start_q && (!idle || spare_valid_q);
  end

  always_ff @(posedge clk_i) begin
    in_valid_q <= valid_i;
    if (valid_i) begin
      in_start_q <= start_i;
      in_end_q <= end_i;
      in_bytes_q <= bytes_i;
      in_data_q <= data_i;
    end
    if (rst_i) in_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    char_valid_q <= !idle;
    char_value_q <= text_q[3:0];
    char_digit_q <= text_q[7:4] == 4'h3 && text_q[3:0] <= 4'd9;
    char_space_q <= (text_q[7:0] >= 8'h09 && text_q[7:0] <= 8'h0d) || text_q[7:0] == " ";
    char_nul_q <= text_q[7:0] == '0;
    char_minus_q <= text_q[7:0] == "-";
    char_sign_q <= text_q[7:0] == "-" || text_q[7:0] == "+";
    ended_q <= {ended_q[Settle-3:0], open_q && end_q && left_q <= 4'd1};
    spare_valid_q <= spare_valid_d;
    if (!idle) begin
      left_q <= left_q - 4'd1;
      text_q <= text_q >> 8;
    end else if (spare_valid_q) begin
      text_q <= spare_q;
      left_q <= spare_left_q;
      end_q <= spare_end_q;
    end
    if (in_valid_q && (in_start_q || (idle && !spare_valid_q))) begin
      text_q <= in_data_q;
      left_q <= in_bytes_q;
      end_q <= in_end_q;
    end else if (in_valid_q) begin
      spare_q <= in_data_q;
      spare_left_q <= in_bytes_q;
      spare_end_q <= in_end_q;
    end
    if (ended_q[Settle-2]) open_q <= 1'b0;
    if (ended_q[Settle-2] && !in_valid_q) busy_q <= 1'b0;
    if (valid_i && start_i) busy_q <= 1'b1;
    if (in_valid_q && in_start_q) begin
      open_q <= 1'b1;
      ended_q <= '0;
      char_valid_q <= 1'b0;
    end
    if (rst_i) begin
      open_q <= 1'b0;
      busy_q <= 1'b0;
      spare_valid_q <= 1'b0;
      left_q <= '0;
      end_q <= 1'b0;
      ended_q <= '0;
    end
  end

  // ---- the number -------------------------------------------------------------------------------
  state_e state_q;
  logic [Width-1:0] sum_q;
  logic negative_q, minus_q, zero_q;
  logic nul_q;  // the text has ended
  logic [4:0] digits_q;  // digits behind leading zeros; stays at 21, which is out of range
  logic half_less_q, half_more_q, full_more_q, full_less_q;
  logic [Width-1:0] x8, x2, partial, carries;
  logic [3:0] half_digit_q, full_digit_q;  // digits to compare the next one with
  logic below_half, is_half, in_full;

  // sum * 10 + digit in one carry chain
  assign x8 = {sum_q[Width-4:0], 3'b0};
  assign x2 = {sum_q[Width-2:0], 1'b0};
  assign partial = x8 ^ x2 ^ Width'(char_value_q);
  assign carries = (x8 & x2) | (x8 & Width'(char_value_q)) | (x2 & Width'(char_value_q));
  assign below_half = digits_q < 5'd19 || (digits_q == 5'd19 && half_less_q);
  assign is_half = digits_q == 5'd19 && !half_less_q && !half_more_q;
  assign in_full = digits_q < 5'd20 || (digits_q == 5'd20 && !full_more_q);

  always_ff @(posedge clk_i) begin
    if (char_valid_q) begin
      minus_q <= minus_q || (char_minus_q && !nul_q);
      nul_q <= nul_q || char_nul_q;
      unique case (state_q)
        Lead: begin
          if (char_digit_q) state_q <= Digits;
          else if (char_sign_q) state_q <= Sign;
          else if (!char_space_q) state_q <= Bad;
          if (char_minus_q) negative_q <= 1'b1;
        end
        Sign: state_q <= char_digit_q ? Digits : Bad;
        Digits: if (!char_digit_q) state_q <= char_space_q || char_nul_q ? Tail : Bad;
        default: ;
      endcase
      if (char_digit_q && (state_q == Lead || state_q == Sign || state_q == Digits)) begin
        sum_q <= partial + {carries[Width-2:0], 1'b0};
        if (!zero_q || char_value_q != '0) begin
          zero_q <= 1'b0;
          if (digits_q != 5'd21) digits_q <= digits_q + 5'd1;
          half_digit_q <= HalfAfter[digits_q];
          full_digit_q <= FullAfter[digits_q];
          if (!half_less_q && !half_more_q) begin
            half_less_q <= char_value_q < half_digit_q;
            half_more_q <= char_value_q > half_digit_q;
          end
          if (!full_less_q && !full_more_q) begin
            full_less_q <= char_value_q < full_digit_q;
            full_more_q <= char_value_q > full_digit_q;
          end
        end
      end
    end
    if (busy_q) begin
      value_o <= negative_q ? -sum_q : sum_q;
      signed_ok_o <= (state_q == Digits || state_q == Tail)
                     && (below_half || (negative_q && is_half));
      unsigned_ok_o <= (state_q == Digits || state_q == Tail) && in_full
                       && (!minus_q || (negative_q ? zero_q || !(below_half || is_half)
                                                   : below_half));
    end
    if (in_valid_q && in_start_q) begin
      state_q <= Lead;
      sum_q <= '0;
      negative_q <= 1'b0;
      minus_q <= 1'b0;
      nul_q <= 1'b0;
      zero_q <= 1'b1;
      digits_q <= '0;
      half_digit_q <= Half[20];
      full_digit_q <= Full[20];
      half_less_q <= 1'b0;
      half_more_q <= 1'b0;
      full_less_q <= 1'b0;
      full_more_q <= 1'b0;
    end
  end

  // A token that has begun has a last piece before the next one begins, or busy_o would stand.
  `WC_ASSERT(number_ends, !(in_valid_q && in_start_q) || !open_q
                          || (spare_valid_q ? spare_end_q : end_q))

endmodule

`default_nettype wire
