// SPDX-License-Identifier: Apache-2.0
// The line of a meta answer in pieces, one after the other: its first word, with the length of the
// value behind VA, then what it shows, in the order asked for, and a number that stands for a value
// behind the line. A line that is no meta answer's goes
// past as it is. Latency none; a piece a cycle, one more where something asked for is not shown.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_line #(
  parameter bit Meta = 1'b1
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic                   valid_i,
  output logic                        begun_o,  // its first piece is taken
  output logic                        ready_o,  // its last is
  input  wire wc_response_pkg::lead_e first_i,  // LeadNone: no meta answer
  input  wire wc_response_pkg::asked_t shows_i,  // ShowNone: what is not shown, too
  input  wire logic [2:0]             key_low_i,  // of the key's length
  input  wire logic                   encoded_i,  // the key is shown in base64
  input  wire logic [31:0]            flags_i,
  input  wire wc_pkg::value_len_t     value_len_i,
  input  wire wc_pkg::seconds_t       ttl_i,
  input  wire logic                   forever_i,  // it is none
  input  wire logic                   fetched_i,
  input  wire wc_pkg::seconds_t       unused_i,  // its item was so long
  input  wire wc_response_pkg::lead_e marks_i,
  input  wire wc_pkg::cas_t           cas_i,
  input  wire wc_pkg::number_t        counted_i,
  // to wc_answer_numbers
  output logic                        piece_valid_o,
  input  wire logic                   piece_ready_i,
  output wc_response_pkg::piece_t     piece_o,
  output wc_pkg::cas_t                number_o  // or the cas of what goes past
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  if (Meta) begin : gen_meta
    logic within_q;  // the first word is taken
    asked_t left_q, left;  // what is shown behind this piece
    show_e show;
    logic skip, goes, last;
    lead_e lead;

    assign show = within_q ? left_q[0] : ShowNone;
    assign left = within_q ? asked_t'(left_q >> $bits(show_e)) : first_i == LeadNone ? '0 : shows_i;
    assign last = left == '0;
    assign skip = within_q && show == ShowNone;
    always_comb begin
      lead = lead_e'({1'b1, show});
      if (show == ShowTtl && forever_i) lead = LeadForever;
      if (show == ShowFetched && fetched_i) lead = LeadFetched;
      if (show == ShowMarks) lead = marks_i;
      if (!within_q) lead = first_i;
    end

    assign piece_valid_o = valid_i && !skip;
    assign goes = valid_i && (skip || piece_ready_i);
    assign begun_o = piece_ready_i && !within_q;
    assign ready_o = (skip || piece_ready_i) && last;

    always_comb begin
      piece_o = '0;
      piece_o.lead = lead;
      piece_o.number = within_q ? show inside {ShowFlags, ShowSize, ShowCas, ShowUnused, ShowNumber}
                                  || (show == ShowTtl && !forever_i)
                                : first_i inside {LeadNone, LeadValue};
      piece_o.key = show == ShowKey && !encoded_i;
      piece_o.encoded = show == ShowKey && encoded_i;
      piece_o.opaque = show == ShowOpaque;
      piece_o.key_low = key_low_i;
      piece_o.ends = last;
      number_o = !within_q && first_i == LeadValue ? cas_t'(value_len_i) : cas_i;
      case (show)
        ShowSize:  number_o = cas_t'(value_len_i);
        ShowFlags: number_o = cas_t'(flags_i);
        ShowTtl:   number_o = cas_t'(ttl_i);
        ShowUnused: number_o = cas_t'(unused_i);
        ShowNumber: number_o = counted_i;
        default: ;
      endcase
    end

    always_ff @(posedge clk_i) begin
      if (goes) begin
        within_q <= !last;
        left_q <= left;
      end
      if (rst_i) within_q <= 1'b0;
    end

    `WC_ASSERT(ends_with_a_piece, !valid_i || !skip || !last)
  end else begin : gen_none
    assign piece_valid_o = valid_i;
    assign begun_o = piece_ready_i;
    assign ready_o = piece_ready_i;
    assign piece_o = '{lead: LeadNone, number: 1'b1, ends: 1'b1, default: '0};
    assign number_o = cas_i;

    logic unused;
    assign unused = ^{clk_i, rst_i, first_i, shows_i, key_low_i, encoded_i, flags_i, value_len_i,
                      ttl_i, forever_i, fetched_i, unused_i, marks_i, counted_i};
  end

endmodule

`default_nettype wire
