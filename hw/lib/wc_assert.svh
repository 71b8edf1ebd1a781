// SPDX-License-Identifier: Apache-2.0
// Assertions with two back ends. In simulation they are concurrent assertions; for the formal
// front end, which takes no implication or sequence operators, the same plain booleans are checked
// on the clock edge. Users have clk_i and rst_i in scope; properties may use $past. With
// FORMAL_COVER besides, what is to be covered is asserted never to happen, and nothing else is:
// so a model checker that only looks for counterexamples reaches covers too.
`ifndef WC_ASSERT_SVH
`define WC_ASSERT_SVH

`ifdef FORMAL
`ifdef FORMAL_COVER
`define WC_ASSERT(name_, expr_)
`define WC_COVER(name_, expr_) \
  always_ff @(posedge clk_i) if (!rst_i) name_: assert (!(expr_));
`else
`define WC_ASSERT(name_, expr_) \
  always_ff @(posedge clk_i) if (!rst_i) name_: assert (expr_);
`define WC_COVER(name_, expr_) \
  always_ff @(posedge clk_i) if (!rst_i) name_: cover (expr_);
`endif
`define WC_ASSUME(name_, expr_) \
  always_ff @(posedge clk_i) if (!rst_i) name_: assume (expr_);
`else
`define WC_ASSERT(name_, expr_) \
  name_: assert property (@(posedge clk_i) disable iff (rst_i) (expr_)) \
  else $error(`"name_`");
`define WC_ASSUME(name_, expr_) `WC_ASSERT(name_, expr_)
`define WC_COVER(name_, expr_) \
  name_: cover property (@(posedge clk_i) disable iff (rst_i) (expr_));
`endif

// The handshake rule of every stream: valid holds and the payload is stable until it is taken.
`define WC_ASSERT_STREAM(name_, valid_, ready_, data_) \
  `WC_ASSERT(name_``_holds, \
    $past(rst_i) || !$past(valid_) || $past(ready_) || (valid_)) \
  `WC_ASSERT(name_``_stable, \
    $past(rst_i) || !$past(valid_) || $past(ready_) || ((data_) == $past(data_)))

// Stops elaboration when a parameter is illegal; the message says what is legal.
`define WC_REQUIRE(name_, expr_, message_) \
  if (!(expr_)) begin : gen_illegal_``name_ \
    $fatal(1, message_); \
  end

`endif
