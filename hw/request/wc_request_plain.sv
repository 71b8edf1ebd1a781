// SPDX-License-Identifier: Apache-2.0
// Reads plain numbers, up to ten digits and nothing else, a piece of the token a cycle: eight
// digits, then one or two. All other numbers are for wc_text_number; number_o means nothing for
// them. Of the value the lower 32 bits count.
// Latency 4, throughput 1 piece per cycle, never stalls; number_o holds until the next piece.
`default_nettype none

module wc_request_plain (
  input  wire logic          clk_i,
  input  wire logic          valid_i,
  input  wire logic          start_i,  // first piece
  input  wire wc_pkg::word_t data_i,
  input  wire logic [2:0]    bytes_i,  // 1 to 8, 8 as 0
  output logic [31:0]        number_o
);

  // A number begins in the lowest byte wherever it ends. So it is aligned a step in each cycle: an
  // odd first digit is a pair of its own, an odd first pair a quad, a quad alone is the lower one.
  logic [2:0] earlier;      // digits before the last one
  logic odd;                // the number of digits is
  logic [7:0][3:0] digits;  // tens and ones by turns
  logic [3:0][6:0] pairs_q;
  logic [1:0] last_q;       // which pair is the last
  logic [1:0][6:0] hundreds, below;  // of the first quad, the second
  logic [1:0][13:0] quads_q;
  logic both_q;             // both quads are there
  logic [13:0] upper, lower;
  logic [27:0] sum_a_q, sum_b_q;  // of the upper quad times 10,000 and the lower one
  logic [6:0] low_q;              // the lower pair
  logic [3:1] valid_q, start_q, two_q;  // bit i: the input i cycles ago

  assign earlier = bytes_i - 3'd1;
  assign odd = bytes_i[0];

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      if (i == 0) digits[i] = odd ? 4'd0 : data_i[3:0];
      else digits[i] = odd ? data_i[8*(i-1)+:4] : data_i[8*i+:4];
    end
    hundreds = last_q[0] ? {pairs_q[2], pairs_q[0]} : {pairs_q[1], 7'd0};
    below = last_q[0] ? {pairs_q[3], pairs_q[1]} : {pairs_q[2], pairs_q[0]};
    {upper, lower} = both_q ? {quads_q[0], quads_q[1]} : {14'd0, quads_q[0]};
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      pairs_q[i] <= {digits[2*i], 3'd0} + {2'd0, digits[2*i], 1'b0} + {3'd0, digits[2*i+1]};
    end
    last_q <= earlier[2:1];
    for (int unsigned i = 0; i < 2; i++) begin
      quads_q[i] <= {1'd0, hundreds[i], 6'd0} + {2'd0, hundreds[i], 5'd0}
                    + ({5'd0, hundreds[i], 2'd0} + {7'd0, below[i]});
    end
    both_q <= last_q[1];
    // 10,000 = 2**13 + 2**10 + 2**9 and 2**8 + 2**4
    sum_a_q <= {1'd0, upper, 13'd0} + ({4'd0, upper, 10'd0} + {5'd0, upper, 9'd0});
    sum_b_q <= {6'd0, upper, 8'd0} + ({10'd0, upper, 4'd0} + {14'd0, lower});
    low_q <= quads_q[0][6:0];
    valid_q <= {valid_q[2:1], valid_i};
    start_q <= {start_q[2:1], start_i};
    two_q <= {two_q[2:1], bytes_i[1]};
  end

  // First piece: its quads. Second: one or two digits more.
  logic [31:0] first, second;

  assign first = {4'd0, sum_a_q} + {4'd0, sum_b_q};
  assign second = two_q[3] ? {number_o[25:0], 6'd0} + {number_o[26:0], 5'd0}
                             + ({number_o[29:0], 2'd0} + {25'd0, low_q})
                           : {number_o[28:0], 3'd0} + ({number_o[30:0], 1'd0} + {25'd0, low_q});

  always_ff @(posedge clk_i) begin
    if (valid_q[3]) number_o <= start_q[3] ? first : second;
  end

endmodule

`default_nettype wire
