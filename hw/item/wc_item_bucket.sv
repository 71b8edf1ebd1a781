// SPDX-License-Identifier: Apache-2.0
// Where in the table the slot of a key is: the number of its bucket, and its tag, from its hash.
// The number is the product of the lower half of the hash and the number of buckets, without its
// lower 32 bits; as the number of buckets is factor << shift, adders and a shifter make it. The tag
// is the top of the hash. With several ways both are the key's name (wc_cuckoo_pkg). Something of the
// user's passes along.
// Latency 3, one a cycle. All steps stand still while the output is not taken: ready_o follows
// ready_i, which should come from a register. The outputs are registers.
`include "wc_assert.svh"
`default_nettype none

module wc_item_bucket #(
  parameter int unsigned Ways   = 1,
  parameter type         data_t = logic
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  input  wire wc_item_pkg::item_settings_t settings_i,  // changes only while nothing is in flight
  input  wire logic                        valid_i,
  output logic                             ready_o,
  input  wire wc_pkg::hash_t               hash_i,
  input  wire data_t                       data_i,
  output logic                             valid_o,
  input  wire logic                        ready_i,
  output wc_item_pkg::bucket_t             bucket_o,
  output wc_item_pkg::tag_t                tag_o,
  output data_t                            data_o
);

  localparam int unsigned Steps = 3;
  localparam int unsigned MaxShift = 21;
  localparam int unsigned BucketWidth = $bits(wc_item_pkg::bucket_t);
  localparam int unsigned Dropped = 32 - MaxShift;  // bits of the product that no bucket has

  typedef struct packed {
    wc_item_pkg::tag_t tag;
    data_t             data;
  } beside_t;
  wc_cuckoo_pkg::key_t name;

  logic moves;
  logic [Steps-1:0] valid_q;
  logic [3:0] factor_q;
  logic [4:0] back_q;  // how far the product of the largest shift is shifted back
  logic [33:0] below_q, above_q;  // the hash times two bits of the factor each
  logic [35:0] product;
  wc_item_pkg::bucket_t product_q;
  beside_t beside_q[Steps];

  assign moves = !valid_o || ready_i;
  assign ready_o = moves;
  assign name = wc_cuckoo_pkg::named(Ways, '0, hash_i);
  assign product = 36'(below_q) + {above_q, 2'b00};

  always_ff @(posedge clk_i) begin
    factor_q <= settings_i.factor;
    back_q <= 5'(MaxShift) - settings_i.shift;
    if (moves) begin
      below_q <= times(hash_i[31:0], factor_q[1:0]);
      above_q <= times(hash_i[31:0], factor_q[3:2]);
      product_q <= product[Dropped+:BucketWidth];
      bucket_o <= wc_cuckoo_pkg::named(Ways, product_q >> back_q, '0).bucket;
      beside_q[0] <= '{tag: name.tag, data: data_i};
      for (int unsigned i = 1; i < Steps; i++) beside_q[i] <= beside_q[i-1];
      valid_q <= {valid_q[Steps-2:0], valid_i};
    end
    if (rst_i) valid_q <= '0;
  end

  function automatic logic [33:0] times(logic [31:0] number, logic [1:0] bits);
    return 34'(bits[0] ? number : '0) + {1'b0, bits[1] ? number : '0, 1'b0};
  endfunction

  assign valid_o = valid_q[Steps-1];
  assign tag_o = beside_q[Steps-1].tag;
  assign data_o = beside_q[Steps-1].data;

  logic unused;
  assign unused = ^{settings_i.base_line, hash_i[63-$bits(wc_item_pkg::tag_t):32],
                    product[Dropped-1:0], name.bucket};

  `WC_ASSERT(shift, !valid_i || settings_i.shift <= 5'(MaxShift))
  `WC_ASSERT(in_the_table,
             !valid_o || 32'(bucket_o) < 32'(settings_i.factor) << settings_i.shift)
  `WC_ASSERT_STREAM(out, valid_o, ready_i, {bucket_o, tag_o, data_o})

endmodule

`default_nettype wire
