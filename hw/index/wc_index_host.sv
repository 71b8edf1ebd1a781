// SPDX-License-Identifier: Apache-2.0
// The bucket index's part of the host port: its settings, its counters, and the queues of block
// pointers between host and index (TRETS'15, Figure 8), behind the register bus of wc_host.
// A free pointer is at the index in the 4th cycle of its write; a push to a full queue is refused
// and counted, the host looks at FREE_LEVEL first. A full deleted queue holds the index back, which
// is counted: nothing is lost. Levels are exact, a cycle late: an entry is in a queue until the
// index or the host has taken it. irq_o is a level: it stays until the host has dealt with its
// cause. A setting that the circuit cannot have is refused: the one before stays, and INDEX_STATUS
// tells.
// A register answers a write in the same cycle and a read 3 cycles later, a counter's read in 4 or
// 5. One access at a time.
`include "wc_assert.svh"
`default_nettype none

module wc_index_host
  import wc_pkg::*;
  import wc_index_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned QueueDepth    = 1024,
  parameter int unsigned Slots         = 8,
  parameter int unsigned BucketLines   = 35,
  parameter int unsigned MaxBucketBits = 24
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire reg_req_t               reg_req_i,
  output reg_resp_t                   reg_resp_o,
  output logic                        irq_o,
  output index_settings_t             settings_o,  // change only while nothing is in flight
  output logic [Classes-1:0]          free_valid_o,
  input  wire logic [Classes-1:0]     free_ready_i,
  output pointer_t [Classes-1:0]      free_o,
  input  wire logic                   deleted_valid_i,
  output logic                        deleted_ready_o,
  input  wire pointer_t               deleted_i,
  input  wire bucket_events_t         bucket_events_i,
  input  wire store_events_t          store_events_i
);

  `WC_REQUIRE(queue_depth, QueueDepth >= 16 && QueueDepth <= 65536 &&
              QueueDepth == 2 ** $clog2(QueueDepth),
              "wc_index_host: QueueDepth must be a power of two from 16 to 65536")

  wc_index_regs_pkg::wc_index_regs__in_t regs_in;
  wc_index_regs_pkg::wc_index_regs__out_t regs_out;

  // ---- registers --------------------------------------------------------------------------------
  logic regs_req, regs_rd_ack, regs_wr_ack, stall_rd, stall_wr;
  logic count_rd_ack, count_wr_ack;
  logic [31:0] regs_rdata, count, count_high;

  assign regs_req = reg_req_i.req && !reg_req_i.addr[8];

  wc_index_regs u_regs (
    .clk                 (clk_i),
    .rst                 (rst_i),
    .s_cpuif_req         (regs_req),
    .s_cpuif_req_is_wr   (reg_req_i.write),
    .s_cpuif_addr        (reg_req_i.addr),
    .s_cpuif_wr_data     (reg_req_i.wdata),
    .s_cpuif_wr_biten    ('1),
    .s_cpuif_req_stall_wr(stall_wr),
    .s_cpuif_req_stall_rd(stall_rd),
    .s_cpuif_rd_ack      (regs_rd_ack),
    .s_cpuif_rd_err      (),
    .s_cpuif_rd_data     (regs_rdata),
    .s_cpuif_wr_ack      (regs_wr_ack),
    .s_cpuif_wr_err      (),
    .hwif_in             (regs_in),
    .hwif_out            (regs_out)
  );

  `WC_ASSERT(never_held, !regs_req || !(reg_req_i.write ? stall_wr : stall_rd))

  assign reg_resp_o = '{
      wr_ack: regs_wr_ack || count_wr_ack,
      rd_ack: regs_rd_ack || count_rd_ack,
      rdata: count_rd_ack ? count : regs_rdata
  };

  // ---- settings ---------------------------------------------------------------------------------
  localparam logic [4:0] MostBits = 5'(MaxBucketBits);
  localparam logic [4:0] FirstBits = MaxBucketBits < 10 ? MostBits : 5'd10;
  logic bits_legal, base_legal, refused_q;

  assign bits_legal = regs_out.BUCKET_BITS.bits.value <= MostBits;
  assign base_legal = Slots < 16 || !regs_out.INDEX_BASE.line.value[0];  // a line is 128 bytes then

  always_ff @(posedge clk_i) begin
    refused_q <= !bits_legal || !base_legal;
    if (bits_legal) settings_o.bucket_bits <= regs_out.BUCKET_BITS.bits.value;
    if (base_legal) settings_o.base_line <= regs_out.INDEX_BASE.line.value;
    if (rst_i) begin
      settings_o.bucket_bits <= FirstBits;
      settings_o.base_line <= '0;
    end
  end

  assign regs_in.INDEX_CONFIG.slots.next = 6'(Slots);
  assign regs_in.INDEX_CONFIG.bucket_lines.next = 8'(BucketLines);
  assign regs_in.INDEX_CONFIG.max_bucket_bits.next = 5'(MaxBucketBits);
  assign regs_in.INDEX_CONFIG.queue_bits.next = 5'($clog2(QueueDepth));
  assign regs_in.INDEX_STATUS.refused.next = refused_q;

  // ---- free queues ------------------------------------------------------------------------------
  level_t [Classes-1:0] free_level;
  logic [Classes-1:0] push_refused_q;
  logic [Classes-1:0] low_q;

  for (genvar c = 0; c < Classes; c++) begin : gen_free
    logic push_q, room;  // the register holds the pointer one cycle after the write's strobe

    always_ff @(posedge clk_i) begin
      push_q <= regs_out.FREE_PUSH[c].pointer.swmod;
      push_refused_q[c] <= push_q && !room;
      low_q[c] <= free_level[c] < regs_out.FREE_LOW[c].entries.value;
      if (rst_i) begin
        push_q <= 1'b0;
        push_refused_q[c] <= 1'b0;
        low_q[c] <= 1'b0;
      end
    end

    wc_address_queue #(
      .Depth(QueueDepth)
    ) u_queue (
      .clk_i    (clk_i),
      .rst_i    (rst_i),
      .valid_i  (push_q),
      .ready_o  (room),
      .pointer_i(regs_out.FREE_PUSH[c].pointer.value),
      .valid_o  (free_valid_o[c]),
      .ready_i  (free_ready_i[c]),
      .pointer_o(free_o[c]),
      .level_o  (free_level[c])
    );

    assign regs_in.FREE_LEVEL[c].entries.next = free_level[c];
    assign settings_o.class_lines[c] = regs_out.CLASS_LINES[c].lines.value;
  end

  assign regs_in.INDEX_STATUS.free_low.next = 3'(low_q);

  // ---- deleted queue ----------------------------------------------------------------------------
  logic deleted_valid, pop_q, held_q, high_q;
  pointer_t deleted;
  level_t deleted_level;

  wc_address_queue #(
    .Depth(QueueDepth)
  ) u_deleted (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .valid_i  (deleted_valid_i),
    .ready_o  (deleted_ready_o),
    .pointer_i(deleted_i),
    .valid_o  (deleted_valid),
    .ready_i  (pop_q),
    .pointer_o(deleted),
    .level_o  (deleted_level)
  );

  assign regs_in.DELETED_POP.pointer.next = deleted_valid ? deleted : NoPointer;
  assign regs_in.DELETED_LEVEL.entries.next = deleted_level;
  assign regs_in.INDEX_STATUS.deleted_high.next = high_q;

  always_ff @(posedge clk_i) begin
    // What was read goes a cycle later: the access is decoded late, and the next one is far off.
    pop_q <= regs_out.DELETED_POP.pointer.rd_swacc && deleted_valid;
    held_q <= deleted_valid_i && !deleted_ready_o;
    high_q <= (regs_out.DELETED_HIGH.entries.value != '0) &&
              (deleted_level >= regs_out.DELETED_HIGH.entries.value);
    irq_o <= high_q || (low_q != '0);
    if (rst_i) begin
      pop_q <= 1'b0;
      held_q <= 1'b0;
      high_q <= 1'b0;
      irq_o <= 1'b0;
    end
  end

  // ---- counters: the order of the registers is the order of the structs' fields -----------------
  localparam int unsigned BucketEvents = $bits(bucket_events_t);
  localparam int unsigned StoreEvents = $bits(store_events_t);
  localparam int unsigned DeletedStall = BucketEvents + StoreEvents;
  localparam int unsigned Refused = DeletedStall + 1;
  logic [63:0] counted;

  always_comb begin  // the first field of a packed struct is its top bit
    counted = '0;
    for (int unsigned i = 0; i < BucketEvents; i++) begin
      counted[i] = bucket_events_i[BucketEvents-1-i];
    end
    for (int unsigned i = 0; i < StoreEvents; i++) begin
      counted[BucketEvents+i] = store_events_i[StoreEvents-1-i];
    end
    counted[DeletedStall] = held_q;
    counted[Refused] = push_refused_q != '0;
  end

  wc_counter_regs u_counters (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .event_i  (counted),
    .req_i    (reg_req_i.req && reg_req_i.addr[8]),
    .write_i  (reg_req_i.write),
    .counter_i(reg_req_i.addr[7:2]),
    .wr_ack_o (count_wr_ack),
    .rd_ack_o (count_rd_ack),
    .rdata_o  (count),
    .high_o   (count_high)
  );

  assign regs_in.INDEX_COUNT_HIGH.count.next = count_high;

endmodule

`default_nettype wire
