// SPDX-License-Identifier: Apache-2.0
// Makes of jobs, keys, values and copies the words of the logs, each with its place.
// An item's words: three of the header, the key's, the value's, and a zero word if these are odd.
// When an item leaves out units, as it would not fit the line, a zero word goes there: whoever walks
// along the log finds a header without a key, and goes on in the next line.
// The words of an item that is not stored go the same way, so that the next item's place is known to
// follow, but only its header is written.
// Latency 2 cycles from a job to its first word. A word a cycle, one cycle more a job, one more
// where units are left out or a segment ends (more for a link not yet known). A late job waits for
// its verdict.
`include "wc_assert.svh"
`default_nettype none

module wc_log_words
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
  input  wire word_t      copy_i,
  output logic            word_valid_o,
  input  wire logic       word_ready_i,
  output place_word_t     word_o
);

  typedef enum logic [2:0] {
    StLoad  = 3'd0,  // of a job: it stays at the input until its last word is made
    StMark  = 3'd1,  // units that are left out
    StHead  = 3'd2,
    StKey   = 3'd3,
    StValue = 3'd4,
    StPad   = 3'd5,  // or the end of a job without words
    StCopy  = 3'd6
  } state_e;

  // Where a log's last item ended.
  typedef struct packed {
    line_t      line;
    logic [1:0] unit;    // 0: at the line's end
    logic       opened;  // something was written in this line
  } end_t;

  state_e state_q;
  logic [1:0] head_q;  // word of the header
  logic drop_q;        // the words go nowhere
  logic store_q;       // those behind the header are written
  logic has_key_q, has_value_q;
  logic [$bits(units_t):0] left_q;  // words of the copy
  logic copy_end_q;
  end_t [1:0] end_q;
  // The place of the next word.
  line_t line_q;
  logic [2:0] number_q;
  logic opened_q;
  logic cross_q;  // in the next segment, which is not yet known

  logic room, source, go;
  logic load, skips, finish, behind_last;
  logic writes, placed;
  word_t header;
  line_t next_line, behind_line;
  logic last_line, behind_valid;
  logic place_load;
  end_t ended;

  assign load = state_q == StLoad && write_valid_i && (verdict_valid_i || !write_i.late);
  assign ended = end_q[write_i.log];
  assign skips = ended.unit != '0 && write_i.place[1:0] == '0;

  always_comb begin
    unique case (state_q)
      StLoad: source = 1'b0;
      StKey: source = key_valid_i;
      StValue: source = value_valid_i;
      StCopy: source = copy_valid_i;
      default: source = 1'b1;
    endcase
  end

  assign go = source && (drop_q || (room && !cross_q));
  assign placed = go && !drop_q;
  assign writes = state_q != StKey && state_q != StValue && state_q != StPad ? 1'b1 : store_q;
  assign key_ready_o = state_q == StKey && (drop_q || (room && !cross_q));
  assign value_ready_o = state_q == StValue && (drop_q || (room && !cross_q));
  assign copy_ready_o = state_q == StCopy && room && !cross_q;

  // The last word but for one that makes the number even.
  assign behind_last = (state_q == StHead && head_q == 2'd2 && !has_key_q && !has_value_q)
                       || (state_q == StKey && key_i.last && !has_value_q)
                       || (state_q == StValue && value_i.last);
  assign finish = (behind_last && (drop_q || number_q[0])) || state_q == StPad
                  || (state_q == StCopy && copy_end_q);
  assign write_ready_o = go && finish;
  assign verdict_ready_o = write_ready_o && write_i.late;
  assign place_load = (load && !skips) || (placed && state_q == StMark);

  always_comb begin
    unique case (head_q)
      2'd0: header = {write_i.header.flags, write_i.header.value_len, write_i.header.key_len};
      2'd1: header = {write_i.header.hash, write_i.header.expiry};
      default: header = write_i.late ? verdict_i.cas : write_i.header.cas;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      drop_q <= write_i.discard;
      store_q <= !write_i.late || verdict_i.stores;
      has_key_q <= write_i.header.key_len != '0;
      has_value_q <= write_i.header.value_len != '0;
      head_q <= '0;
      left_q <= {write_i.span, 1'b0};
      copy_end_q <= 1'b0;
    end
    unique case (state_q)
      StLoad: begin
        if (load && write_i.discard) begin
          if (write_i.header.key_len != '0) state_q <= StKey;
          else state_q <= write_i.header.value_len != '0 ? StValue : StPad;
        end else if (load) begin
          state_q <= skips ? StMark : write_i.copy ? StCopy : StHead;
        end
      end
      StMark: if (go) state_q <= write_i.copy ? StCopy : StHead;
      StHead: begin
        if (go) head_q <= head_q + 1'b1;
        if (go && head_q == 2'd2) state_q <= has_key_q ? StKey : has_value_q ? StValue : StPad;
      end
      StKey: if (go && key_i.last) state_q <= has_value_q ? StValue : finish ? StLoad : StPad;
      StValue: if (go && value_i.last) state_q <= finish ? StLoad : StPad;
      StPad: if (go) state_q <= StLoad;
      StCopy: begin
        if (go) left_q <= left_q - 1'b1;
        if (go) copy_end_q <= left_q == 2;
        if (go && copy_end_q) state_q <= StLoad;
      end
      default: state_q <= StLoad;
    endcase
    if (rst_i || clear_i) state_q <= StLoad;
  end

  // ---- places ----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (placed) begin
      number_q <= number_q + 1'b1;
      opened_q <= number_q != '1 && (opened_q || writes);
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
      number_q <= {ended.unit, 1'b0};
      opened_q <= ended.opened;
      cross_q <= 1'b0;
    end
    if (place_load) begin
      line_q <= write_i.place[$bits(address_t)-1:2];
      number_q <= {write_i.place[1:0], 1'b0};
      opened_q <= write_i.place[1:0] != '0 && ended.opened;
      cross_q <= 1'b0;
    end
    if (placed && finish) begin
      end_q[write_i.log] <= '{line: line_q, unit: 2'((number_q + 3'd1) >> 1),
                              opened: opened_q || writes};
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

  // ---- words -----------------------------------------------------------------------------------
  place_word_t word;

  always_comb begin
    word = '{
      write: writes,
      opens: writes && !opened_q,
      passes: number_q == '1 && !writes && !opened_q,
      last: finish,
      log: write_i.log,
      line: line_q,
      number: number_q,
      data: '0
    };
    unique case (state_q)
      StHead: word.data = header;
      StKey: word.data = key_i.data;
      StValue: word.data = value_i.data;
      StCopy: word.data = copy_i;
      default: ;
    endcase
  end

  wc_slice #(
    .data_t(place_word_t)
  ) u_word (
    .clk_i  (clk_i),
    .rst_i  (rst_i || clear_i),
    .valid_i(placed),
    .ready_o(room),
    .data_i (word),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o)
  );

  `WC_ASSERT(copies_have_a_place, !write_valid_i || !write_i.copy
             || (!write_i.discard && !write_i.late))
  // Places are given out one behind the other, to the items in their order.
  `WC_ASSERT(behind_the_last, !load || write_i.discard || write_i.place[1:0] == '0
             || write_i.place == {ended.line, ended.unit})

endmodule

`default_nettype wire
