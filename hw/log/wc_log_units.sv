// SPDX-License-Identifier: Apache-2.0
// Makes of jobs, keys, values and copies the units of the logs, each with its place.
// An item's words: three of the header, the key's, the value's, and a zero word if these are odd.
// Two words are a unit: the first is kept until the second comes. Those of the header are there at
// once, so its first two go in one cycle, and its third is kept for the first word of the key.
// When an item leaves out units, as it would not fit the line, a zero unit goes there: whoever walks
// along the log finds a header without a key, and goes on in the next line. Nobody looks at a line's
// last unit, so that one is left as it is, unless nothing was written in its line.
// The units of an item that is not stored go the same way, so that the next item's place is known to
// follow, but only the two are written that have the header.
// Latency 2 cycles from a job to its first unit. A cycle for a job, one for the header's first unit
// (not of a copy), one for each word of a stream; one more where a zero unit is written or a segment
// ends (more for a link not yet known). A late job waits for its verdict.
`include "wc_assert.svh"
`default_nettype none

module wc_log_units
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_log_write_pkg::*;
(
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       clear_i,
  input  wire logic [4:0] segment_bits_i,
  input  wire link_t      link_i,
  input  wire logic       write_valid_i,
  output logic            write_ready_o,
  input  wire write_t     write_i,
  input  wire logic       verdict_valid_i,
  output logic            verdict_ready_o,
  input  wire verdict_t   verdict_i,
  input  wire logic       key_valid_i,
  output logic            key_ready_o,
  input  wire beat_t      key_i,
  input  wire logic       value_valid_i,
  output logic            value_ready_o,
  input  wire beat_t      value_i,
  input  wire logic       copy_valid_i,
  output logic            copy_ready_o,
  input  wire copy_word_t copy_i,
  output logic            unit_valid_o,
  input  wire logic       unit_ready_i,
  output place_unit_t     unit_o
);

  typedef enum logic [2:0] {
    StLoad  = 3'd0,  // of a job: it stays at the input until its last word is taken
    StMark  = 3'd1,  // a unit that is left out
    StHead  = 3'd2,
    StKey   = 3'd3,
    StValue = 3'd4,
    StCopy  = 3'd5,
    StNone  = 3'd6   // a job without words
  } state_e;

  // Where a log's last item ended.
  typedef struct packed {
    line_t      line;
    logic [1:0] unit;    // 0: at the line's end
    logic       opened;  // something was written in this line
  } end_t;

  state_e state_q;
  logic drop_q;    // the words go nowhere
  logic store_q;   // units behind the header are written
  logic writes_q;  // the next unit is
  logic has_value_q;
  logic [$bits(units_t):0] left_q;  // words of the copy
  logic copy_end_q;
  word_t kept_q;   // a unit's first word
  logic kept_error_q;  // it is in error
  logic half_q;    // it waits for the second one
  end_t [1:0] end_q;
  // The place of the next unit.
  line_t line_q;
  logic [1:0] number_q;
  logic opened_q;
  logic cross_q;  // in the next segment, which is not yet known

  logic room, may, source, go;
  logic load, skips, finish;
  logic placed;
  word_t second;  // of a unit, if its first word is kept
  line_t next_line, behind_line;
  logic last_line, behind_valid;
  logic place_load;
  end_t ended;

  assign load = state_q == StLoad && write_valid_i && (verdict_valid_i || !write_i.late);
  assign ended = end_q[write_i.log];
  assign skips = write_i.place[1:0] == '0 && ended.unit != '0
                 && !(ended.unit == '1 && ended.opened);

  always_comb begin
    unique case (state_q)
      StLoad: source = 1'b0;
      StKey: source = key_valid_i;
      StValue: source = value_valid_i;
      StCopy: source = copy_valid_i;
      default: source = 1'b1;
    endcase
    unique case (state_q)
      StKey: second = key_i.data;
      StValue: second = value_i.data;
      StCopy: second = copy_i.word;
      default: second = {write_i.header.hash, write_i.header.expiry};
    endcase
  end

  // A first word alone needs no room, but does not go without either.
  assign may = drop_q || (room && !cross_q);
  assign go = source && may;
  assign placed = go && !drop_q && (half_q || finish || state_q == StMark);
  assign key_ready_o = state_q == StKey && may;
  assign value_ready_o = state_q == StValue && may;
  assign copy_ready_o = state_q == StCopy && may;

  assign finish = (state_q == StKey && key_i.last && !has_value_q)
                  || (state_q == StValue && value_i.last)
                  || (state_q == StCopy && copy_end_q) || state_q == StNone;
  assign write_ready_o = go && finish;
  assign verdict_ready_o = write_ready_o && write_i.late;
  assign place_load = (load && !skips) || (placed && state_q == StMark);

  always_ff @(posedge clk_i) begin
    if (load) begin
      drop_q <= write_i.discard;
      store_q <= !write_i.late || verdict_i.stores;
      has_value_q <= write_i.header.value_len != '0;
      left_q <= {write_i.span, 1'b0};
      copy_end_q <= 1'b0;
    end
    unique case (state_q)
      StLoad: half_q <= !write_i.copy && !skips;
      StMark: half_q <= !write_i.copy;
      StHead: ;
      default: if (go) half_q <= !half_q;
    endcase
    unique case (state_q)
      StLoad, StMark: kept_q <= {write_i.header.flags, write_i.header.value_len,
                                 write_i.header.key_len};
      StHead: if (go) kept_q <= write_i.late ? verdict_i.cas : write_i.header.cas;
      default: if (go) kept_q <= second;
    endcase
    kept_error_q <= state_q == StCopy && (go ? copy_i.error : kept_error_q);
    // The unit with the first word of the key has a word of the header too.
    if (load) writes_q <= 1'b1;
    else if (placed && state_q == StKey) writes_q <= store_q;
    unique case (state_q)
      StLoad: begin
        if (load && write_i.discard) begin
          if (write_i.header.key_len != '0) state_q <= StKey;
          else state_q <= write_i.header.value_len != '0 ? StValue : StNone;
        end else if (load) begin
          state_q <= skips ? StMark : write_i.copy ? StCopy : StHead;
        end
      end
      StMark: if (go) state_q <= write_i.copy ? StCopy : StHead;
      StHead: if (go) state_q <= StKey;
      StKey: if (go && key_i.last) state_q <= has_value_q ? StValue : StLoad;
      StCopy: begin
        if (go) left_q <= left_q - 1'b1;
        if (go) copy_end_q <= left_q == 2;
        if (go && copy_end_q) state_q <= StLoad;
      end
      default: if (go && finish) state_q <= StLoad;
    endcase
    if (rst_i || clear_i) state_q <= StLoad;
  end

  // ---- places ----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (placed) begin
      number_q <= number_q + 1'b1;
      opened_q <= number_q != '1 && (opened_q || writes_q);
      if (number_q == '1) begin
        if (!last_line) line_q <= next_line;
        cross_q <= last_line;
      end
    end
    if (cross_q && behind_valid) begin
      line_q <= behind_line;
      cross_q <= 1'b0;
    end
    if (load && skips) begin
      line_q <= ended.line;
      number_q <= ended.unit;
      opened_q <= ended.opened;
      cross_q <= 1'b0;
    end
    if (place_load) begin
      line_q <= write_i.place[$bits(address_t)-1:2];
      number_q <= write_i.place[1:0];
      opened_q <= write_i.place[1:0] != '0 && ended.opened;
      cross_q <= 1'b0;
    end
    if (placed && finish) begin
      end_q[write_i.log] <= '{line: line_q, unit: number_q + 1'b1, opened: opened_q || writes_q};
    end
    if (rst_i || clear_i) begin
      end_q <= '0;
      cross_q <= 1'b0;
    end
  end

  logic start_q;  // line_q may be another one

  always_ff @(posedge clk_i) begin
    start_q <= load || place_load || (placed && number_q == '1 && !last_line)
               || (cross_q && behind_valid);
  end

  wc_log_follow u_follow (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .clear_i       (clear_i),
    .segment_bits_i(segment_bits_i),
    .link_i        (link_i),
    .start_i       (start_q),
    .line_i        (line_q),
    .next_o        (next_line),
    .last_o        (last_line),
    .behind_valid_o(behind_valid),
    .behind_o      (behind_line)
  );

  // ---- units -----------------------------------------------------------------------------------
  // ready_i is soon known, so there is no wc_slice.
  place_unit_t unit;

  always_comb begin
    unit = '{
      write: writes_q,
      opens: writes_q && !opened_q,
      passes: number_q == '1 && !writes_q && !opened_q,
      last: finish,
      error: state_q == StCopy && (copy_i.error || (half_q && kept_error_q)),
      log: write_i.log,
      line: line_q,
      number: number_q,
      data: {half_q ? second : '0, half_q ? kept_q : second}
    };
    if (state_q == StMark) unit.data = '0;
  end

  assign room = !unit_valid_o || unit_ready_i;

  always_ff @(posedge clk_i) begin
    if (room) unit_valid_o <= placed;
    if (room) unit_o <= unit;
    if (rst_i || clear_i) unit_valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(unit, unit_valid_o, unit_ready_i, unit_o)
  `WC_ASSERT(copies_have_a_place, !write_valid_i || !write_i.copy
             || (!write_i.discard && !write_i.late))
  `WC_ASSERT(items_have_a_key, !write_valid_i || write_i.copy || write_i.discard
             || write_i.header.key_len != '0)
  // Places are given out one behind the other, to the items in their order.
  `WC_ASSERT(behind_the_last, !load || write_i.discard || write_i.place[1:0] == '0
             || write_i.place == {ended.line, ended.unit})
  // Else the line behind an item's first would be wanted a cycle before it is known.
  `WC_ASSERT(never_in_last_unit, !load || write_i.discard || write_i.place[1:0] != '1)

endmodule

`default_nettype wire
