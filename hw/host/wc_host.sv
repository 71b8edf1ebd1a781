// SPDX-License-Identifier: Apache-2.0
// The host port: registers on AXI4-Lite, counters, time in seconds, and the queues of value block
// pointers that stretch between host and index (TRETS'15, Figure 8).
// A free pointer is at the index in the 4th cycle of its write; a push to a full queue is refused
// and counted, the host looks at FREE_LEVEL first. A full deleted queue holds the index back, which
// is counted: nothing is lost. Levels are exact, a cycle late: an entry is in a queue until the
// index or the host has taken it. irq_o is a level: it stays until the host has dealt with its
// cause.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_host #(
  parameter wc_pkg::index_e Index      = wc_pkg::IndexBucket,
  parameter wc_pkg::hash_e Hash        = wc_pkg::HashLookup3,
  parameter int unsigned QueueDepth    = 1024,
  parameter int unsigned Lanes         = 1,
  parameter int unsigned Slots         = 8,
  parameter int unsigned BucketLines   = 35,
  parameter int unsigned MaxBucketBits = 24,
  localparam type axil_req_t           = `WC_AXIL_REQ(wc_pkg::RegAddrWidth),
  localparam type axil_resp_t          = `WC_AXIL_RESP
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  // AXI4-Lite
  input  wire axil_req_t             s_axil_req_i,
  output axil_resp_t                 s_axil_resp_o,
  output logic                       irq_o,
  output logic                       in_flight_o,  // something is, in any stage
  // registers that the index has of its own
  output wc_pkg::reg_req_t           index_req_o,
  input  wire wc_pkg::reg_resp_t     index_resp_i,
  // to the pipeline
  output wc_pkg::net_settings_t      net_settings_o,
  output wc_pkg::index_settings_t    index_settings_o,
  output wc_pkg::answer_limit_t      answer_limit_o,
  output logic [31:0]                hash_seed_o,
  output wc_pkg::seconds_t           time_o,
  output wc_pkg::clear_t             clear_o,
  input  wire logic                  clearing_i,
  input  wire logic                  index_moves_i,  // it does what operations may have to wait for
  output logic [wc_pkg::Classes-1:0] free_valid_o,
  input  wire logic [wc_pkg::Classes-1:0] free_ready_i,
  output wc_pkg::pointer_t [wc_pkg::Classes-1:0] free_o,
  input  wire logic                  deleted_valid_i,
  output logic                       deleted_ready_o,
  input  wire wc_pkg::pointer_t      deleted_i,
  input  wire wc_pkg::net_events_t   net_events_i,
  input  wire wc_pkg::index_events_t index_events_i,
  input  wire wc_pkg::answer_events_t answer_events_i,
  input  wire wc_pkg::store_events_t store_events_i,
  input  wire wc_pkg::memory_error_t index_error_i,
  input  wire wc_pkg::memory_error_t store_error_i,
  input  wire wc_pkg::bad_level_t    bad_buckets_i,
  input  wire wc_pkg::bad_level_t    bad_blocks_i,
  input  wire wc_pkg::stages_t       enter_i,
  input  wire wc_pkg::stages_t       leave_i,
  input  wire wc_pkg::level_t        sizing_i  // operations that wait for their message's size
);

  import wc_pkg::*;

  `WC_REQUIRE(queue_depth, QueueDepth >= 16 && QueueDepth <= 65536 &&
              QueueDepth == 2 ** $clog2(QueueDepth),
              "wc_host: QueueDepth must be a power of two from 16 to 65536")

  wc_regs_pkg::wc_regs__in_t regs_in;
  wc_regs_pkg::wc_regs__out_t regs_out;

  logic bus_req, bus_write, bus_stall_rd, bus_stall_wr;
  logic [RegAddrWidth-1:0] bus_addr;
  logic [31:0] bus_wdata;
  logic regs_req, regs_rd_ack, regs_wr_ack, count_req, count_rd_ack;
  logic count_read_q, count_write_q;
  logic [31:0] regs_rdata, count;

  wc_axil #(
    .AddrWidth(RegAddrWidth)
  ) u_axil (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .s_axil_req_i  (s_axil_req_i),
    .s_axil_resp_o (s_axil_resp_o),
    .req_o         (bus_req),
    .write_o       (bus_write),
    .addr_o        (bus_addr),
    .wdata_o       (bus_wdata),
    // A counter is read only: nothing is written.
    .wr_ack_i      (regs_wr_ack || count_write_q || index_resp_i.wr_ack),
    .rd_ack_i      (regs_rd_ack || count_rd_ack || index_resp_i.rd_ack),
    .rdata_i       (count_rd_ack ? count : index_resp_i.rd_ack ? index_resp_i.rdata : regs_rdata)
  );

  // Counters above, all else below. The block would take them in as external registers, but at the
  // price of its clock: a read that may be held back chooses among all registers late.
  assign regs_req = bus_req && !bus_addr[9] && !bus_addr[8];
  assign count_req = bus_req && !bus_addr[9] && bus_addr[8];

  always_ff @(posedge clk_i) begin
    index_req_o.req <= bus_req && bus_addr[9];
    index_req_o.write <= bus_write;
    index_req_o.addr <= bus_addr[8:0];
    index_req_o.wdata <= bus_wdata;
    if (rst_i) index_req_o.req <= 1'b0;
  end

  wc_regs u_regs (
    .clk                 (clk_i),
    .rst                 (rst_i),
    .s_cpuif_req         (regs_req),
    .s_cpuif_req_is_wr   (bus_write),
    .s_cpuif_addr        (bus_addr[8:0]),
    .s_cpuif_wr_data     (bus_wdata),
    .s_cpuif_wr_biten    ('1),
    .s_cpuif_req_stall_wr(bus_stall_wr),
    .s_cpuif_req_stall_rd(bus_stall_rd),
    .s_cpuif_rd_ack      (regs_rd_ack),
    .s_cpuif_rd_err      (),
    .s_cpuif_rd_data     (regs_rdata),
    .s_cpuif_wr_ack      (regs_wr_ack),
    .s_cpuif_wr_err      (),
    .hwif_in             (regs_in),
    .hwif_out            (regs_out)
  );

  // One access at a time: the block never has a reason to hold one back.
  `WC_ASSERT(never_held, !regs_req || !(bus_write ? bus_stall_wr : bus_stall_rd))

  // Protection levels mean nothing here.
  logic unused_prot;
  assign unused_prot = ^{s_axil_req_i.aw.prot, s_axil_req_i.ar.prot, bus_stall_wr, bus_stall_rd};

  // ---- settings ---------------------------------------------------------------------------------
  assign net_settings_o.enable = regs_out.CONTROL.enable.value;
  assign net_settings_o.frame_header = regs_out.CONTROL.frame_header.value;
  assign net_settings_o.mac = {regs_out.MAC_HIGH.high.value, regs_out.MAC_LOW.low.value};
  assign net_settings_o.ip = regs_out.IP.address.value;
  assign net_settings_o.udp_port = regs_out.UDP_PORT.port.value;
  `WC_REQUIRE(allow_entries, $size(regs_out.ALLOW_NETWORK) == AllowEntries,
              "wc_host: as many entries of the access list in wc_regs.rdl as in wc_pkg")
  for (genvar i = 0; i < AllowEntries; i++) begin : gen_allow
    assign net_settings_o.allow_network[i] = regs_out.ALLOW_NETWORK[i].address.value;
    assign net_settings_o.allow_mask[i] = regs_out.ALLOW_MASK[i].mask.value;
  end
  assign answer_limit_o = regs_out.ANSWER_LIMIT.bytes.value;
  assign hash_seed_o = regs_out.HASH_SEED.seed.value;
  assign time_o = regs_out.TIME.seconds.value;
  assign clear_o = '{zeroed: regs_out.CONTROL.zeroed.value, start: regs_out.CONTROL.clear.value};

  // What the circuit was not built for is refused: the setting before stays, STATUS tells.
  localparam logic [4:0] MostBits = 5'(MaxBucketBits);
  localparam logic [4:0] FirstBits = MaxBucketBits < 10 ? MostBits : 5'd10;
  logic bits_legal, base_legal, settings_refused_q;

  assign bits_legal = regs_out.BUCKET_BITS.bits.value <= MostBits;
  assign base_legal = Slots < 16 || !regs_out.INDEX_BASE.line.value[0];  // a line is 128 bytes then

  always_ff @(posedge clk_i) begin
    settings_refused_q <= !bits_legal || !base_legal;
    if (bits_legal) index_settings_o.bucket_bits <= regs_out.BUCKET_BITS.bits.value;
    if (base_legal) index_settings_o.base_line <= regs_out.INDEX_BASE.line.value;
    if (rst_i) begin
      index_settings_o.bucket_bits <= FirstBits;
      index_settings_o.base_line <= '0;
    end
  end

  // ---- seconds ----------------------------------------------------------------------------------
  logic [31:0] cycle_q;
  logic second_q;
  seconds_t next_second_q;

  always_ff @(posedge clk_i) begin
    next_second_q <= regs_out.TIME.seconds.value + 32'd1;
    second_q <= (cycle_q == 32'd1) && (regs_out.SECOND.cycles.value != '0);
    cycle_q <= (cycle_q <= 32'd1) ? regs_out.SECOND.cycles.value : cycle_q - 32'd1;
    if (rst_i) begin
      second_q <= 1'b0;
      cycle_q <= '0;
    end
  end

  // ---- free queues ------------------------------------------------------------------------------
  level_t [Classes-1:0] free_level;
  logic [Classes-1:0] refused_q;
  logic [Classes-1:0] low_q;
  logic high_q;

  for (genvar c = 0; c < Classes; c++) begin : gen_free
    logic push_q, room;  // the register holds the pointer one cycle after the write's strobe

    always_ff @(posedge clk_i) begin
      push_q <= regs_out.FREE_PUSH[c].pointer.swmod;
      refused_q[c] <= push_q && !room;
      low_q[c] <= free_level[c] < regs_out.FREE_LOW[c].entries.value;
      if (rst_i) begin
        push_q <= 1'b0;
        refused_q[c] <= 1'b0;
        low_q[c] <= 1'b0;
      end
    end

    if (Index == IndexBucket) begin : gen_queue
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
    end else begin : gen_none
      logic unused;
      assign unused = free_ready_i[c];
      assign room = 1'b0;
      assign free_valid_o[c] = 1'b0;
      assign free_o[c] = NoPointer;
      assign free_level[c] = '0;
    end

    assign regs_in.FREE_LEVEL[c].entries.next = free_level[c];
    assign index_settings_o.class_lines[c] = regs_out.CLASS_LINES[c].lines.value;
  end

  // ---- errors of memory -------------------------------------------------------------------------
  // The address is that of the first one since the host has cleared what it was told.
  logic [3:0] errors, errors_q;  // read and write of the table, read and write of values
  logic [3:0][31:0] error_lines_q;
  logic told, memory_q;          // an error is told of already; it asks for the host
  logic [31:0] error_line, error_line_q;

  assign errors = {
    store_error_i.write, store_error_i.read, index_error_i.write, index_error_i.read
  };
  assign told = regs_out.MEMORY_ERROR.table_read.value || regs_out.MEMORY_ERROR.table_write.value ||
                regs_out.MEMORY_ERROR.value_read.value || regs_out.MEMORY_ERROR.value_write.value;

  always_comb begin
    error_line = error_line_q;
    for (int signed i = 3; i >= 0; i--) if (errors_q[i] && !told) error_line = error_lines_q[i];
  end

  always_ff @(posedge clk_i) begin
    errors_q <= errors;
    error_lines_q <= {store_error_i.write_line, store_error_i.read_line, index_error_i.write_line,
                      index_error_i.read_line};
    error_line_q <= error_line;
    memory_q <= told && regs_out.CONTROL.memory_irq.value;
    if (rst_i) begin
      errors_q <= '0;
      memory_q <= 1'b0;
    end
  end

  assign regs_in.MEMORY_ERROR.table_read.hwset = errors_q[0];
  assign regs_in.MEMORY_ERROR.table_write.hwset = errors_q[1];
  assign regs_in.MEMORY_ERROR.value_read.hwset = errors_q[2];
  assign regs_in.MEMORY_ERROR.value_write.hwset = errors_q[3];
  assign regs_in.MEMORY_LINE.line.next = error_line_q;
  assign regs_in.BAD_PLACES.buckets.next = bad_buckets_i.level;
  assign regs_in.BAD_PLACES.all_buckets.next = bad_buckets_i.all;
  assign regs_in.BAD_PLACES.blocks.next = bad_blocks_i.level;
  assign regs_in.BAD_PLACES.all_blocks.next = bad_blocks_i.all;
  assign regs_in.STATUS.memory_error.next = told;

  // ---- deleted queue ----------------------------------------------------------------------------
  logic deleted_valid, pop_q, held_q;
  pointer_t deleted;
  level_t deleted_level;

  if (Index == IndexBucket) begin : gen_deleted
    wc_address_queue #(
      .Depth(QueueDepth)
    ) u_queue (
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
  end else begin : gen_no_deleted
    logic unused;
    assign unused = ^{deleted_i, pop_q};
    assign deleted_ready_o = 1'b1;
    assign deleted_valid = 1'b0;
    assign deleted = NoPointer;
    assign deleted_level = '0;
  end

  assign regs_in.DELETED_POP.pointer.next = deleted_valid ? deleted : NoPointer;
  assign regs_in.DELETED_LEVEL.entries.next = deleted_level;

  always_ff @(posedge clk_i) begin
    // What was read goes a cycle later: the access is decoded late, and the next one is far off.
    pop_q <= regs_out.DELETED_POP.pointer.rd_swacc && deleted_valid;
    held_q <= deleted_valid_i && !deleted_ready_o;
    high_q <= (regs_out.DELETED_HIGH.entries.value != '0) &&
              (deleted_level >= regs_out.DELETED_HIGH.entries.value);
    irq_o <= high_q || (low_q != '0) || memory_q;
    if (rst_i) begin
      pop_q <= 1'b0;
      held_q <= 1'b0;
      high_q <= 1'b0;
      irq_o <= 1'b0;
    end
  end

  // ---- what is in flight --------------------------------------------------------------------------
  // Operations wait while the table is cleared, and while room is made for them, however long that
  // takes.
  level_t [Stages-1:0] level;
  logic stuck;

  wc_in_flight #(
    .Stages(Stages),
    .Width ($bits(level_t))
  ) u_in_flight (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .enter_i(enter_i),
    .leave_i(leave_i),
    .moves_i(index_moves_i),
    .level_o(level),
    .any_o  (in_flight_o),
    .stuck_o(stuck)
  );

  assign regs_in.IN_FLIGHT.entries.next = level[0];
  assign regs_in.OPEN_REQUEST.entries.next = level[1];
  assign regs_in.OPEN_HASH.entries.next = level[2];
  assign regs_in.OPEN_INDEX.entries.next = level[3];
  assign regs_in.OPEN_SIZE.entries.next = sizing_i;
  assign regs_in.OPEN_STORE.entries.next = level[4];
  assign regs_in.OPEN_ANSWER.entries.next = level[5];

  // ---- what the host reads ----------------------------------------------------------------------
  assign regs_in.CONFIG.index.next = 2'(Index);
  assign regs_in.CONFIG.hash.next = Hash;
  assign regs_in.CONFIG.lanes.next = 4'(Lanes);
  assign regs_in.CONFIG.slots.next = 6'(Slots);
  assign regs_in.CONFIG.bucket_lines.next = 8'(BucketLines);
  assign regs_in.CONFIG.max_bucket_bits.next = 5'(MaxBucketBits);
  assign regs_in.CONFIG.queue_bits.next = 5'($clog2(QueueDepth));
  assign regs_in.STATUS.clearing.next = clearing_i;
  assign regs_in.STATUS.free_low.next = 3'(low_q);
  assign regs_in.STATUS.deleted_high.next = high_q;
  assign regs_in.STATUS.refused.next = settings_refused_q;
  assign regs_in.TIME.seconds.next = next_second_q;
  assign regs_in.TIME.seconds.we = second_q;

  // ---- counters: the order of the registers is the order of the structs' fields -----------------
  localparam int unsigned NetEvents = $bits(net_events_t);
  localparam int unsigned IndexEvents = $bits(index_events_t);
  localparam int unsigned StoreEvents = $bits(store_events_t);
  localparam int unsigned IndexFirst = 32;
  localparam int unsigned StoreFirst = 48;
  localparam int unsigned AnswerCut = 52;
  localparam int unsigned MemoryErrors = 53;  // four: table read, written, values read, written
  localparam int unsigned Stuck = 61;
  localparam int unsigned DeletedStall = 62;
  localparam int unsigned Refused = 63;  // last, so that the registers fill their region

  // Registered here, so that the events' way to the counters costs their makers nothing.
  logic [NetEvents-1:0] net_q;
  logic [IndexEvents-1:0] index_q;
  logic [StoreEvents-1:0] store_q;
  logic [63:0] counted;
  logic [5:0] count_address_q;
  logic [63:0] counter;  // that is read
  logic [31:0] count_high_q;

  always_ff @(posedge clk_i) begin
    net_q <= net_events_i;
    index_q <= index_events_i;
    store_q <= store_events_i;
    count_read_q <= count_req && !bus_write;
    count_write_q <= count_req && bus_write;
    count_address_q <= bus_addr[7:2];
    if (rst_i) begin
      net_q <= '0;
      index_q <= '0;
      store_q <= '0;
      count_read_q <= 1'b0;
      count_write_q <= 1'b0;
    end
  end

  always_comb begin  // the first field of a packed struct is its top bit
    counted = '0;
    for (int unsigned i = 0; i < NetEvents; i++) counted[i] = net_q[NetEvents-1-i];
    for (int unsigned i = 0; i < IndexEvents; i++) begin
      counted[IndexFirst+i] = index_q[IndexEvents-1-i];
    end
    for (int unsigned i = 0; i < StoreEvents; i++) begin
      counted[StoreFirst+i] = store_q[StoreEvents-1-i];
    end
    counted[AnswerCut] = answer_events_i.cut;
    counted[MemoryErrors+:4] = errors_q;
    counted[Stuck] = stuck;
    counted[DeletedStall] = held_q;
    counted[Refused] = refused_q != '0;
  end

  wc_counters u_counters (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .event_i  (counted),
    .read_i   (count_read_q),
    .address_i(count_address_q),
    .valid_o  (count_rd_ack),
    .count_o  (counter)
  );

  // The lower half answers the read; the upper, of the same moment, is kept for the next one.
  assign count = counter[31:0];
  assign regs_in.COUNT_HIGH.count.next = count_high_q;

  always_ff @(posedge clk_i) begin
    if (count_rd_ack) count_high_q <= counter[63:32];
    if (rst_i) count_high_q <= '0;
  end

endmodule

`default_nettype wire
