// SPDX-License-Identifier: Apache-2.0
// Keeps the words of recent SETs in a ring of RAM, for GETs that take their words from there and
// not from memory. A GET may be pushed before its words have come: they are given out as they come.
// A stalled consumer stalls only the GETs of the ring, not the words that come.
// Latency 5, from a word that was waited for 3; one word per cycle, with no gap between values but
// one of a cycle behind a value of one word.
`include "wc_assert.svh"
`default_nettype none

module wc_store_ring
  import wc_pkg::*;
#(
  parameter int unsigned Jobs      = 32,  // GETs that wait
  parameter int unsigned Entries   = 32,
  parameter int unsigned RingWords = 1024,
  parameter int unsigned KeepWords = 176
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_i,
  // the words, in the order in which their places were given out
  input  wire logic                           write_i,
  input  wire word_t                          data_i,
  // GETs
  input  wire logic                           push_i,
  output logic                                ready_o,
  input  wire logic [$clog2(RingWords):0]     place_i,
  input  wire logic [$clog2(KeepWords+1)-1:0] words_i,
  input  wire logic [$clog2(Entries)-1:0]     first_i,  // the oldest SET that it may have found
  output logic                                behind_o, // a GET waits for words that have not come
  output logic                                hold_o,   // GETs are to read the ring
  output logic [$clog2(Entries)-1:0]          hold_first_o,  // first_i of the oldest of them
  output logic                                value_valid_o,
  input  wire logic                           value_ready_i,
  output beat_t                               value_o
);

  localparam int unsigned PlaceWidth = $clog2(RingWords) + 1;
  localparam int unsigned WordsWidth = $clog2(KeepWords + 1);

  typedef logic [PlaceWidth-1:0] place_t;

  typedef struct packed {
    place_t                     place;
    logic [WordsWidth-1:0]      words;
    logic [$clog2(Entries)-1:0] first;
  } job_t;

  place_t waddr_q;  // place of the next word to come
  place_t wlast_q;  // waddr_q - 1, in a register as the subtraction would take too long
  job_t job;
  logic job_valid, job_take;
  // Registers of the GET in work.
  logic busy_q;
  logic final_q;    // the word at raddr_q is its last
  place_t raddr_q;  // place of the next word to be read
  logic [WordsWidth-1:0] left_q;  // words to be read, that one included
  logic [$clog2(Entries)-1:0] first_q, pushed_first_q;
  logic fetch;
  logic fetched_q, fetched_last_q;
  logic take;
  word_t rdata;

  wc_fifo_shallow #(
    .data_t(job_t),
    .Depth (Jobs)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_i),
    .ready_o(ready_o),
    .data_i ('{place: place_i, words: words_i, first: first_i}),
    .valid_o(job_valid),
    .ready_i(job_take),
    .data_o (job)
  );

  assign hold_o = busy_q || job_valid;
  // With no GET in work a job is taken at once: a job that waits was pushed in the last cycle.
  assign hold_first_o = busy_q ? first_q : pushed_first_q;

  // ---- reading ---------------------------------------------------------------------------------
  // Places are counted modulo twice the ring: of two places in the ring, the sign of the difference
  // tells which comes first. A word has come if raddr - waddr is negative. That is worked out a
  // cycle ahead for each raddr that may follow, so a word is given out 2 cycles after it came at
  // the earliest. For a job, which is read from look-up-table RAM, it takes two cycles: a job that
  // was pushed in the last cycle waits for one more.
  place_t gap_stay, gap_next, gap_job;
  logic there_q;
  logic same_job_q, job_there_q;  // the job was there a cycle before; so was its first word
  assign gap_stay = raddr_q - waddr_q;
  assign gap_next = raddr_q - wlast_q;
  assign gap_job = job.place - waddr_q;
  assign take = value_ready_i || !value_valid_o;
  assign fetch = busy_q && there_q && (take || !fetched_q);
  assign job_take = !busy_q || (fetch && final_q);

  wc_ram_sdp #(
    .Width(WordWidth),
    .Depth(RingWords)
  ) u_ring (
    .clk_i  (clk_i),
    .we_i   (write_i),
    .waddr_i(waddr_q[PlaceWidth-2:0]),
    .wdata_i(data_i),
    .re_i   (fetch),
    .raddr_i(raddr_q[PlaceWidth-2:0]),
    .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      waddr_q <= waddr_q + 1'b1;
      wlast_q <= waddr_q;
    end
    pushed_first_q <= first_i;
    same_job_q <= job_valid && !job_take;
    job_there_q <= gap_job[PlaceWidth-1];
    there_q <= job_take ? same_job_q && job_there_q :
               fetch    ? gap_next[PlaceWidth-1] : gap_stay[PlaceWidth-1];
    if (job_take) begin
      busy_q <= job_valid;
      raddr_q <= job.place;
      left_q <= job.words;
      final_q <= job.words == WordsWidth'(1);
      first_q <= job.first;
    end else if (fetch) begin
      raddr_q <= raddr_q + 1'b1;
      left_q <= left_q - 1'b1;
      final_q <= left_q == WordsWidth'(2);
    end
    if (fetch) fetched_last_q <= final_q;
    fetched_q <= fetch || (fetched_q && !take);
    if (take) begin
      value_valid_o <= fetched_q;
      value_o <= '{data: rdata, last: fetched_last_q};
    end
    if (rst_i) begin
      waddr_q <= '0;
      wlast_q <= '1;
      busy_q <= 1'b0;
      fetched_q <= 1'b0;
      value_valid_o <= 1'b0;
    end
  end

  // ---- words that are to come ------------------------------------------------------------------
  logic fresh_q, behind_q;
  place_t end_q;   // the end of the words of the GET pushed last
  place_t need_q;  // the end of all words that GETs wait for
  place_t later, reached;

  assign later = end_q - need_q;
  assign reached = waddr_q - need_q;

  always_ff @(posedge clk_i) begin
    fresh_q <= push_i;
    behind_o <= push_i || fresh_q || (behind_q && reached[PlaceWidth-1]);
    end_q <= place_i + place_t'(words_i);
    if (fresh_q) begin
      behind_q <= 1'b1;
      if (!behind_q || !later[PlaceWidth-1]) need_q <= end_q;
    end else if (!reached[PlaceWidth-1]) begin
      behind_q <= 1'b0;
    end
    if (rst_i) begin
      fresh_q <= 1'b0;
      behind_q <= 1'b0;
      behind_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(value, value_valid_o, value_ready_i, value_o)
  `WC_ASSERT(job_has_room, !push_i || ready_o)
  `WC_ASSERT(job_has_words, !push_i || words_i != '0)

endmodule

`default_nettype wire
