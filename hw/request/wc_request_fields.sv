// SPDX-License-Identifier: Apache-2.0
// Reads the header of a binary request as its cuts pass, and tells the cutter which fields follow
// and how long they are. It only looks on.
// Latency 1 from the cut that has the length; of the value 2. Never stalls anything.
`default_nettype none

module wc_request_fields
  import wc_pkg::*;
  import wc_request_pkg::*;
(
  input  wire logic    clk_i,
  input  wire logic    rst_i,
  input  wire logic    cut_valid_i,
  input  wire logic    cut_taken_i,
  input  wire cut_t    cut_i,
  output fields_t      fields_o  // of the header that was last read
);

  localparam int unsigned LengthBits = $bits(value_len_t);

  logic [1:0] place_q;  // cuts of the header that were taken; it has three
  logic head;           // one of them is here
  logic [31:0] body;
  logic [15:0] key_bytes;
  logic [7:0] extras;
  logic odd_extras, odd_extras_q;  // no field of their own
  logic [16:0] skip_q;  // extras and key
  logic [31:0] value_bytes_q;

  assign head = cut_valid_i && cut_i.counted && cut_i.in_first;
  assign key_bytes = {cut_i.data[23:16], cut_i.data[31:24]};
  assign extras = cut_i.data[39:32];
  assign odd_extras = !(extras inside {8'd0, 8'd4, 8'd8, 8'd20});
  assign body = {cut_i.data[7:0], cut_i.data[15:8], cut_i.data[23:16], cut_i.data[31:24]};

  always_ff @(posedge clk_i) begin
    if (cut_taken_i) place_q <= head && !cut_i.last && !cut_i.stop ? place_q + 2'd1 : 2'd0;
    if (head && place_q == 2'd0) begin
      fields_o.extra <= extras != '0 && !odd_extras;
      fields_o.extra_count <= count_of(value_len_t'(extras));
      odd_extras_q <= odd_extras;
      fields_o.key <= key_bytes != '0 && !odd_extras;
      fields_o.key_count <= count_of(value_len_t'(key_bytes));
      skip_q <= {1'b0, key_bytes} + 17'(extras);
    end
    if (head && place_q == 2'd1) begin
      fields_o.value <= odd_extras_q ? body != '0 : body != 32'(skip_q);
      value_bytes_q <= body - (odd_extras_q ? 32'd0 : 32'(skip_q));
    end
    fields_o.value_count <= count_of(value_bytes_q[LengthBits-1:0]
                                     | {LengthBits{|value_bytes_q[31:LengthBits]}});
    if (rst_i) place_q <= 2'd0;
  end

endmodule

`default_nettype wire
