// SPDX-License-Identifier: Apache-2.0
// What the first word of a line tells: what kind of request the line is, and whether it may have a
// value. No registers.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_framer_name
  import wc_pkg::*;
  import wc_request_table_pkg::*;
  import wc_tcp_framer_pkg::*;
#(
  parameter bit MadeValues = 1'b1,
  parameter bit Meta       = 1'b1
) (
  input  wire letters_t letters_i,
  input  wire longer_t  longer_i,
  output kind_e         kind_o,
  output logic          value_o,
  output place_e        place_o,   // of its first word behind the name
  output logic          get_o,     // get or gets
  output longer_t       longer_o   // these eight are the first of a longer one; else 0
);

  `WC_REQUIRE(longer, longer_names() < 2 ** $bits(longer_t),
              "wc_tcp_framer_name: longer_t has too few bits for all names of more than 8 letters")

  // ---- each row --------------------------------------------------------------------------------
  logic [Lines-1:0][2:0] kinds;
  logic [Lines-1:0][3:0] places;
  logic [Lines-1:0] values, gets;
  longer_t [Lines-1:0] longers;

  for (genvar i = 0; i < Lines; i++) begin : gen_row
    localparam line_t Row = LineTable[i];
    localparam bit Looked = line_matters(Row) && line_kept(Row, MadeValues, Meta);
    localparam longer_t Longer = longer_of(i);
    localparam letters_t Eight = letters_from(Row.name, 0);  // the first ones
    localparam letters_t Whole = letters_from(Row.name, Longer != '0 ? Letters : 0);
    localparam kind_e Kind = line_kind(Row);
    localparam bit Valued = value_of(Row);
    localparam place_e Place = place_of_line(Row);
    localparam bit IsGet = Row.name == name_t'("get") || Row.name == name_t'("gets");
    localparam int unsigned Bytes = length_of(Row.name) - (Longer != '0 ? Letters : 0);
    logic met;

    if (Looked) begin : gen_looked
      // Letters beyond the first place without one are none of this name.
      localparam int unsigned Compared = Bytes < Letters ? Bytes + 1 : Letters;
      assign met = letters_i[Compared-1:0] == Whole[Compared-1:0] && longer_i == Longer;
      if (Longer != '0) begin : gen_longer
        assign longers[i] = letters_i == Eight && longer_i == '0 ? Longer : '0;
      end else begin : gen_short
        assign longers[i] = '0;
      end
    end else begin : gen_unlooked
      assign met = 1'b0;
      assign longers[i] = '0;
    end
    assign kinds[i] = met ? Kind : '0;
    assign places[i] = met && Valued ? Place : '0;
    assign values[i] = met && Valued;
    assign gets[i] = met && IsGet;
  end

  // ---- all -------------------------------------------------------------------------------------
  logic [2:0] kind;
  logic [3:0] place;

  always_comb begin
    kind = '0;
    place = '0;
    longer_o = '0;
    for (int unsigned i = 0; i < Lines; i++) begin
      kind |= kinds[i];
      place |= places[i];
      longer_o |= longers[i];
    end
  end

  assign value_o = values != '0;
  assign get_o = gets != '0;
  assign kind_o = kind == '0 ? KindShort : kind_e'(kind);
  assign place_o = place_e'(place);

endmodule

`default_nettype wire
