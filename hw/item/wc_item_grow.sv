// SPDX-License-Identifier: Apache-2.0
// Learns how long the item will be to whose value another one is joined, before the operation takes
// its place: the operation goes through the pass once without changing anything, which tells where
// the item is, and the item's header is read. Meanwhile no operation passes, so the item stays.
// A message has room for LeastGrowth units for all that grows in it, beside what the new values take,
// and `growth` more once wc_item_entry says so. What is left is kept here: `left_q`. An item that would
// need more, or would be larger than one may be, gets no place.
// Latency 4 from the header to the operation's new fields.
`include "wc_assert.svh"
`default_nettype none

module wc_item_grow
  import wc_log_pkg::*;
  import wc_item_pkg::*;
(
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire units_t     largest_i,  // changes only while nothing is in flight
  // the operation that is next: it stays until `known_o`, and for as long as it needs its fields
  input  wire logic       load_i,     // another one, which
  input  wire logic       grows_i,
  input  wire logic       adds_i,     // its message has room for `growth` units more
  input  wire units_t     span_i,     // as if there were no other value
  input  wire lengths_t   lengths_i,
  output logic            want_o,     // it may go through the pass, to look
  input  wire logic       go_i,       // which it does
  output logic            known_o,    // all is known that it needs
  output logic            grown_o,    // a cycle before: it has new fields
  output units_t          span_o,
  output lengths_t        lengths_o,
  output logic            fits_o,
  output logic            failed_o,   // memory did not tell
  // its item, from the pass; none when there is none
  input  wire logic       seen_valid_i,
  input  wire logic       seen_item_i,
  input  wire address_t   seen_address_i,
  // the item's header
  output logic            header_valid_o,
  input  wire logic       header_ready_i,
  output address_t        header_address_o,
  input  wire logic       told_valid_i,
  input  wire wc_pkg::value_len_t told_value_len_i,
  input  wire logic       told_error_i,
  // room of the message
  input  wire logic       ends_i,     // it is needed no more
  output units_t          left_o,
  output units_t          left_waste_o  // and what is left out in front of an item
);

  localparam int unsigned Waste = LineUnits - 1;  // of wc_log_room, an item

  typedef enum logic [2:0] {
    StKnown,   // what is to be known
    StLook,    // it waits for its turn in the pass
    StPass,
    StHeader,  // the header is on its way
    StSum,     // the length of both values
    StUnits,   // the item's
    StFit      // whether there is room
  } state_e;

  state_e state_q;
  units_t growth_q, left_q, units_q, more_q;
  lengths_t lengths_q;
  logic adds_q;  // of the operation that has come
  logic exceeds_q, failed_q;

  assign want_o = state_q == StLook;
  assign known_o = state_q == StKnown;
  assign grown_o = state_q == StFit;
  assign span_o = fits_o ? units_q : span_i;
  assign lengths_o = lengths_q;
  // A place that is too small for nobody: without the item's length there is none.
  assign fits_o = !exceeds_q && more_q <= left_q;
  assign failed_o = failed_q;
  assign left_o = left_q;

  always_ff @(posedge clk_i) begin
    if (header_ready_i) header_valid_o <= 1'b0;
    unique case (state_q)
      StLook: if (go_i) state_q <= StPass;
      StPass: begin
        if (seen_valid_i) begin
          state_q <= seen_item_i ? StHeader : StKnown;
          header_valid_o <= seen_item_i;
          header_address_o <= seen_address_i;
        end
      end
      StHeader: if (told_valid_i) state_q <= StSum;
      StSum: state_q <= StUnits;
      StUnits: state_q <= StFit;
      StFit: state_q <= StKnown;
      default: if (load_i && grows_i) state_q <= StLook;
    endcase
    if (state_q == StHeader) begin
      lengths_q <= '{
          key_len: lengths_i.key_len,
          value_len: lengths_i.value_len + told_value_len_i
      };
      failed_q <= told_error_i;
    end
    units_q <= item_units(lengths_q.key_len, length_t'(lengths_q.value_len));
    exceeds_q <= failed_q || lengths_q.value_len >= wc_pkg::value_len_t'(wc_pkg::MaxValueBytes)
                 || item_exceeds(lengths_q.key_len, length_t'(lengths_q.value_len), largest_i);
    more_q <= units_q - span_i;
    if (grown_o && fits_o) left_q <= left_q - more_q;
    else if (ends_i) left_q <= LeastGrowth;
    else if (adds_q) left_q <= left_q + growth_q;
    adds_q <= load_i && adds_i;
    growth_q <= growth(largest_i);
    left_waste_o <= left_q + units_t'(Waste);
    if (rst_i) begin
      state_q <= StKnown;
      header_valid_o <= 1'b0;
      left_q <= LeastGrowth;
      adds_q <= 1'b0;
    end
  end

  `WC_ASSERT(looks_once, !go_i || state_q == StLook)
  `WC_ASSERT(seen_when_it_passes, !seen_valid_i || state_q == StPass)
  `WC_ASSERT(told_when_asked, !told_valid_i || (state_q == StHeader && !header_valid_o))
  `WC_ASSERT(loads_when_known, !load_i || known_o)
  `WC_ASSERT(grows, state_q != StFit || failed_q || units_q >= span_i)
  `WC_ASSERT(grown_before_the_next, !grown_o || !(ends_i || load_i))
  `WC_ASSERT(added_before_it_goes, !adds_q || !(ends_i || grown_o))
  `WC_ASSERT(header_bounded, !(header_valid_o && told_valid_i))

endmodule

`default_nettype wire
