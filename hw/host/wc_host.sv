// SPDX-License-Identifier: Apache-2.0
// The host port: registers on AXI4-Lite, counters, time in seconds, and the queues of value block
// pointers that stretch between host and index (TRETS'15, Figure 8).
// A free pointer is at the index in the 4th cycle of its write; a push to a full queue is refused
// and counted, the host looks at FREE_LEVEL first. A full deleted queue holds the index back, which
// is counted: nothing is lost. Levels are exact, a cycle late: an entry is in a queue until the
// index or the host has taken it. irq_o is a level: it stays until the host has dealt with its
// cause.
`include "wc_assert.svh"
`default_nettype none

module wc_host #(
  parameter int unsigned QueueDepth    = 1024,
  parameter int unsigned Lanes         = 1,
  parameter int unsigned Slots         = 8,
  parameter int unsigned BucketLines   = 35,
  parameter int unsigned MaxBucketBits = 24
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  // AXI4-Lite
  input  wire logic [8:0]            s_axil_awaddr,
  input  wire logic [2:0]            s_axil_awprot,
  input  wire logic                  s_axil_awvalid,
  output logic                       s_axil_awready,
  input  wire logic [31:0]           s_axil_wdata,
  input  wire logic [3:0]            s_axil_wstrb,
  input  wire logic                  s_axil_wvalid,
  output logic                       s_axil_wready,
  output logic [1:0]                 s_axil_bresp,
  output logic                       s_axil_bvalid,
  input  wire logic                  s_axil_bready,
  input  wire logic [8:0]            s_axil_araddr,
  input  wire logic [2:0]            s_axil_arprot,
  input  wire logic                  s_axil_arvalid,
  output logic                       s_axil_arready,
  output logic [31:0]                s_axil_rdata,
  output logic [1:0]                 s_axil_rresp,
  output logic                       s_axil_rvalid,
  input  wire logic                  s_axil_rready,
  output logic                       irq_o,
  // to the pipeline
  output wc_pkg::net_settings_t      net_settings_o,
  output wc_pkg::index_settings_t    index_settings_o,
  output logic [31:0]                hash_seed_o,
  output wc_pkg::seconds_t           time_o,
  output logic                       clear_o,
  input  wire logic                  clearing_i,
  output logic [wc_pkg::Classes-1:0] free_valid_o,
  input  wire logic [wc_pkg::Classes-1:0] free_ready_i,
  output wc_pkg::pointer_t [wc_pkg::Classes-1:0] free_o,
  input  wire logic                  deleted_valid_i,
  output logic                       deleted_ready_o,
  input  wire wc_pkg::pointer_t      deleted_i,
  input  wire wc_pkg::net_events_t   net_events_i,
  input  wire wc_pkg::index_events_t index_events_i,
  input  wire wc_pkg::store_events_t store_events_i
);

  import wc_pkg::*;

  typedef logic [16:0] level_t;

  `WC_REQUIRE(queue_depth, QueueDepth >= 16 && QueueDepth <= 65536 &&
              QueueDepth == 2 ** $clog2(QueueDepth),
              "wc_host: QueueDepth must be a power of two from 16 to 65536")

  wc_regs_pkg::wc_regs__in_t regs_in;
  wc_regs_pkg::wc_regs__out_t regs_out;

  logic bus_req, bus_write, bus_stall_rd, bus_stall_wr;
  logic [8:0] bus_addr;
  logic [31:0] bus_wdata, bus_biten;
  logic regs_req, regs_rd_ack, regs_wr_ack, count_req, count_rd_ack;
  logic count_read_q, count_write_q;
  logic [31:0] regs_rdata, count;

  wc_axil #(
    .AddrWidth(9)
  ) u_axil (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .s_axil_awaddr (s_axil_awaddr),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_wdata  (s_axil_wdata),
    .s_axil_wstrb  (s_axil_wstrb),
    .s_axil_wvalid (s_axil_wvalid),
    .s_axil_wready (s_axil_wready),
    .s_axil_bresp  (s_axil_bresp),
    .s_axil_bvalid (s_axil_bvalid),
    .s_axil_bready (s_axil_bready),
    .s_axil_araddr (s_axil_araddr),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_rdata  (s_axil_rdata),
    .s_axil_rresp  (s_axil_rresp),
    .s_axil_rvalid (s_axil_rvalid),
    .s_axil_rready (s_axil_rready),
    .req_o         (bus_req),
    .write_o       (bus_write),
    .addr_o        (bus_addr),
    .wdata_o       (bus_wdata),
    .biten_o       (bus_biten),
    .wr_ack_i      (regs_wr_ack || count_write_q),  // a counter is read only: nothing is written
    .rd_ack_i      (regs_rd_ack || count_rd_ack),
    .rdata_i       (count_rd_ack ? count : regs_rdata)
  );

  // Counters above, all else below. The block would take them in as external registers, but at the
  // price of its clock: a read that may be held back chooses among all registers late.
  assign regs_req = bus_req && !bus_addr[8];
  assign count_req = bus_req && bus_addr[8];

  wc_regs u_regs (
    .clk                 (clk_i),
    .rst                 (rst_i),
    .s_cpuif_req         (regs_req),
    .s_cpuif_req_is_wr   (bus_write),
    .s_cpuif_addr        (bus_addr),
    .s_cpuif_wr_data     (bus_wdata),
    .s_cpuif_wr_biten    (bus_biten),
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
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot, bus_stall_wr, bus_stall_rd};

  // ---- settings ---------------------------------------------------------------------------------
  assign net_settings_o.enable = regs_out.CONTROL.enable.value;
  assign net_settings_o.frame_header = regs_out.CONTROL.frame_header.value;
  assign net_settings_o.mac = {regs_out.MAC_HIGH.high.value, regs_out.MAC_LOW.low.value};
  assign net_settings_o.ip = regs_out.IP.address.value;
  assign net_settings_o.udp_port = regs_out.UDP_PORT.port.value;
  assign index_settings_o.base_line = regs_out.INDEX_BASE.line.value;
  assign index_settings_o.bucket_bits = regs_out.BUCKET_BITS.bits.value;
  assign hash_seed_o = regs_out.HASH_SEED.seed.value;
  assign time_o = regs_out.TIME.seconds.value;
  assign clear_o = regs_out.CONTROL.clear.value;

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
    assign index_settings_o.class_lines[c] = regs_out.CLASS_LINES[c].lines.value;
  end

  // ---- deleted queue ----------------------------------------------------------------------------
  logic deleted_valid, pop_q, held_q;
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

  // ---- what the host reads ----------------------------------------------------------------------
  assign regs_in.CONFIG.lanes.next = 4'(Lanes);
  assign regs_in.CONFIG.slots.next = 6'(Slots);
  assign regs_in.CONFIG.bucket_lines.next = 8'(BucketLines);
  assign regs_in.CONFIG.max_bucket_bits.next = 5'(MaxBucketBits);
  assign regs_in.CONFIG.queue_bits.next = 5'($clog2(QueueDepth));
  assign regs_in.STATUS.clearing.next = clearing_i;
  assign regs_in.STATUS.free_low.next = 3'(low_q);
  assign regs_in.STATUS.deleted_high.next = high_q;
  assign regs_in.TIME.seconds.next = next_second_q;
  assign regs_in.TIME.seconds.we = second_q;

  // ---- counters: the order of the registers is the order of the structs' fields -----------------
  localparam int unsigned NetEvents = $bits(net_events_t);
  localparam int unsigned IndexEvents = $bits(index_events_t);
  localparam int unsigned StoreEvents = $bits(store_events_t);
  localparam int unsigned IndexFirst = 32;
  localparam int unsigned StoreFirst = 48;
  localparam int unsigned DeletedStall = 62;
  localparam int unsigned Refused = 63;  // last, so that the registers fill their region

  // Registered here, so that the events' way to the counters costs their makers nothing.
  logic [NetEvents-1:0] net_q;
  logic [IndexEvents-1:0] index_q;
  logic [StoreEvents-1:0] store_q;
  logic [63:0] counted;
  logic [5:0] count_address_q;

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
    .count_o  (count)
  );

endmodule

`default_nettype wire
