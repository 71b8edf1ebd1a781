// SPDX-License-Identifier: Apache-2.0
// The host port: registers on AXI4-Lite, counters, time in seconds, what is in flight. The second
// quarter of the addresses is the index's own (wc_index_host, wc_item_host), the third is TCP's
// (wc_tcp_host). irq_o is a level: it stays until the host has dealt with its cause, here or in the
// index.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_host #(
  parameter bit Tcp                    = 1'b0,
  parameter wc_pkg::index_e Index      = wc_pkg::IndexBucket,
  parameter wc_pkg::hash_e Hash        = wc_pkg::HashLookup3,
  parameter int unsigned ItemBits      = 20,  // the largest item has 2**ItemBits bytes at most
  parameter int unsigned Lanes         = 1,
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
  input  wire logic                  index_irq_i,
  // and those of TCP
  output wc_pkg::reg_req_t           tcp_req_o,
  input  wire wc_pkg::reg_resp_t     tcp_resp_i,
  // to the pipeline
  output wc_pkg::net_settings_t      net_settings_o,
  output wc_pkg::answer_limit_t      answer_limit_o,
  output wc_pkg::version_t           version_o,
  output wc_pkg::value_len_t         most_bytes_o,  // of an item, as memcached counts them
  output logic [31:0]                hash_seed_o,
  output wc_pkg::seconds_t           time_o,
  output wc_pkg::clear_t             clear_o,
  input  wire logic                  clearing_i,
  input  wire logic                  moves_i,  // what operations may have to wait for goes on
  input  wire wc_pkg::net_events_t   net_events_i,
  input  wire wc_pkg::byte_events_t  byte_events_i,
  input  wire wc_pkg::index_events_t index_events_i,
  input  wire wc_pkg::answer_events_t answer_events_i,
  input  wire wc_pkg::memory_error_t index_error_i,
  input  wire wc_pkg::memory_error_t store_error_i,
  input  wire wc_pkg::bad_level_t    bad_buckets_i,
  input  wire wc_pkg::bad_level_t    bad_blocks_i,
  input  wire wc_pkg::stages_t       enter_i,
  input  wire wc_pkg::stages_t       leave_i,
  input  wire wc_pkg::level_t        sizing_i,  // operations that wait for their message's size
  // operations that the host watches (wc_watch)
  output logic                       watch_o,  // it does
  input  wire wc_pkg::watched_t      watched_i,
  input  wire wc_pkg::beat_t         watched_key_i,
  // commands that the host executes (wc_host_commands)
  input  wire logic [17:0]           milliseconds_i,
  output logic                       asleep_o,  // one waits for milliseconds_i
  output logic [17:0]                awake_o,   // to be this
  input  wire wc_pkg::command_line_t line_i,
  output logic                       line_room_o,
  input  wire logic                  asker_valid_i,
  input  wire wc_pkg::asker_t        asker_i,
  output logic                       message_valid_o,
  input  wire logic                  message_ready_i,
  output wc_pkg::message_t           message_o,
  output wc_pkg::asker_t             asker_o,
  output logic                       word_valid_o,
  input  wire logic                  word_ready_i,
  output wc_pkg::word_t              word_o,
  input  wire logic                  message_done_i
);

  import wc_pkg::*;

  wc_regs_pkg::wc_regs__in_t regs_in;
  wc_regs_pkg::wc_regs__out_t regs_out;

  logic bus_req, bus_write, bus_stall_rd, bus_stall_wr;
  logic [RegAddrWidth-1:0] bus_addr;
  logic [31:0] bus_wdata;
  logic regs_req, regs_rd_ack, regs_wr_ack, count_req, count_rd_ack;
  logic count_wr_ack;
  logic [31:0] regs_rdata, count;

  // A register of TCP's reads 0 where there is none.
  reg_resp_t tcp_resp;

  if (Tcp) begin : gen_tcp
    assign tcp_resp = tcp_resp_i;
  end else begin : gen_no_tcp
    logic unused;
    assign unused = ^tcp_resp_i;

    always_ff @(posedge clk_i) begin
      tcp_resp <= '{wr_ack: tcp_req_o.req && bus_write, rd_ack: tcp_req_o.req && !bus_write,
                    rdata: '0};
      if (rst_i) tcp_resp <= '0;
    end
  end

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
    .wr_ack_i      (regs_wr_ack || count_wr_ack || index_resp_i.wr_ack || tcp_resp.wr_ack),
    .rd_ack_i      (regs_rd_ack || count_rd_ack || index_resp_i.rd_ack || tcp_resp.rd_ack),
    .rdata_i       (count_rd_ack ? count : index_resp_i.rd_ack ? index_resp_i.rdata :
                    tcp_resp.rd_ack ? tcp_resp.rdata : regs_rdata)
  );

  // Counters above, all else below. The block would take them in as external registers, but at the
  // price of its clock: a read that may be held back chooses among all registers late.
  assign regs_req = bus_req && bus_addr[10:8] == 3'b000;
  assign count_req = bus_req && bus_addr[10:8] == 3'b001;

  assign index_req_o = '{
      req: bus_req && !bus_addr[10] && bus_addr[9],
      write: bus_write,
      addr: bus_addr[8:0],
      wdata: bus_wdata
  };
  assign tcp_req_o = '{
      req: bus_req && bus_addr[10],
      write: bus_write,
      addr: bus_addr[8:0],
      wdata: bus_wdata
  };

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
  assign net_settings_o.tcp_port = regs_out.TCP_PORT.port.value;
  `WC_REQUIRE(allow_entries, $size(regs_out.ALLOW_NETWORK) == AllowEntries,
              "wc_host: as many entries of the access list in wc_regs.rdl as in wc_pkg")
  for (genvar i = 0; i < AllowEntries; i++) begin : gen_allow
    assign net_settings_o.allow_network[i] = regs_out.ALLOW_NETWORK[i].address.value;
    assign net_settings_o.allow_mask[i] = regs_out.ALLOW_MASK[i].mask.value;
  end
  assign answer_limit_o = regs_out.ANSWER_LIMIT.bytes.value;
  // An answer of a text without a character would have fewer bytes than were announced.
  assign version_o.bytes = regs_out.VERSION_BYTES.bytes.value == '0 ? 4'd1 :
                           regs_out.VERSION_BYTES.bytes.value;
  assign version_o.line[0] = {
    regs_out.VERSION_LINE_1.chars.value, regs_out.VERSION_LINE_0.chars.value
  };
  assign version_o.line[1] = {
    regs_out.VERSION_LINE_3.chars.value, regs_out.VERSION_LINE_2.chars.value
  };
  assign hash_seed_o = regs_out.HASH_SEED.seed.value;
  assign time_o = regs_out.TIME.seconds.value;
  assign clear_o = '{zeroed: regs_out.CONTROL.zeroed.value, start: regs_out.CONTROL.clear.value};

  always_ff @(posedge clk_i) begin
    most_bytes_o <= value_len_t'(regs_out.ITEM_SIZE_MAX.bytes.value);
    if (regs_out.ITEM_SIZE_MAX.bytes.value < 24'(LeastItemBytes)) begin
      most_bytes_o <= value_len_t'(LeastItemBytes);
    end
    if (regs_out.ITEM_SIZE_MAX.bytes.value > 24'(1 << ItemBits)) begin
      most_bytes_o <= value_len_t'(1 << ItemBits);
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

  // ---- commands of the host -----------------------------------------------------------------------
  command_host_t command_host;
  command_head_t command_head;
  command_events_t command_events;
  word_t command_piece;
  logic command_begins;
  logic command_irq;

  // A register for what is written, which is there a cycle after its strobe.
  always_ff @(posedge clk_i) begin
    command_host.push <= regs_out.COMMAND_ANSWER.chars.swmod;
    command_host.send <= regs_out.COMMAND_SEND.bytes.swmod;
    if (rst_i) begin
      command_host.push <= 1'b0;
      command_host.send <= 1'b0;
    end
  end

  assign command_host.data = regs_out.COMMAND_ANSWER.chars.value;
  assign command_host.tag = regs_out.COMMAND_SEND.tag.value;
  assign command_host.bytes = regs_out.COMMAND_SEND.bytes.value;
  assign command_host.more = regs_out.COMMAND_SEND.more.value;
  assign command_host.later = regs_out.COMMAND_SEND.later.value;
  assign command_host.wake = regs_out.WATCH.wake.value;
  assign command_host.piece = regs_out.COMMAND_PIECE.piece.value;
  assign command_host.limit = regs_out.COMMAND_LIMIT.cycles.value;

  wc_host_commands u_commands (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .line_i         (line_i),
    .room_o         (line_room_o),
    .asker_valid_i  (asker_valid_i),
    .asker_i        (asker_i),
    .host_i         (command_host),
    .head_o         (command_head),
    .piece_o        (command_piece),
    .begins_o       (command_begins),
    .irq_o          (command_irq),
    .milliseconds_i (milliseconds_i),
    .asleep_o       (asleep_o),
    .awake_o        (awake_o),
    .message_valid_o(message_valid_o),
    .message_ready_i(message_ready_i),
    .message_o      (message_o),
    .asker_o        (asker_o),
    .word_valid_o   (word_valid_o),
    .word_ready_i   (word_ready_i),
    .word_o         (word_o),
    .done_i         (message_done_i),
    .events_o       (command_events)
  );

  assign regs_in.COMMAND.waits.next = command_head.waits;
  assign regs_in.COMMAND.binary.next = command_head.binary;
  assign regs_in.COMMAND.pieces.next = command_head.pieces;
  assign regs_in.COMMAND.tag.next = command_head.tag;
  assign regs_in.COMMAND.key_len.next = command_head.key_len;
  assign regs_in.COMMAND_ASKER.tcp.next = asker_o.tcp;
  assign regs_in.COMMAND_ASKER.again.next = asker_o.again;
  assign regs_in.COMMAND_ASKER.connection.next = asker_o.who[15:0];
  assign regs_in.COMMAND_OPAQUE.opaque.next = command_head.opaque;
  assign regs_in.COMMAND_PIECE.begins.next = command_begins;
  assign regs_in.COMMAND_PIECE.opcode.next = command_head.opcode;
  assign regs_in.COMMAND_LINE_0.chars.next = command_piece[31:0];
  assign regs_in.COMMAND_LINE_1.chars.next = command_piece[63:32];
  assign regs_in.STATUS.command_irq.next = command_irq;

  // ---- what the host watches ----------------------------------------------------------------------
  logic watch_valid;
  watched_t watch_entry;
  word_t watch_key;
  watch_events_t watch_events;

  assign watch_o = regs_out.WATCH.enable.value;

  wc_watch u_watch (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .enable_i (watch_o),
    .watched_i(watched_i),
    .key_i    (watched_key_i),
    .valid_o  (watch_valid),
    .entry_o  (watch_entry),
    .key_o    (watch_key),
    .take_i   (regs_out.WATCH.next.value),
    .events_o (watch_events)
  );

  assign regs_in.WATCH_OPERATION.waits.next = watch_valid;
  assign regs_in.WATCH_OPERATION.tcp.next = watch_entry.tcp;
  assign regs_in.WATCH_OPERATION.op.next = watch_entry.op;
  assign regs_in.WATCH_OPERATION.status.next = watch_entry.status;
  assign regs_in.WATCH_OPERATION.connection.next = watch_entry.conn;
  assign regs_in.WATCH_ITEM.bytes.next = watch_entry.value_len;
  assign regs_in.WATCH_ITEM.key_len.next = watch_entry.key_len;
  assign regs_in.WATCH_TTL.seconds.next = watch_entry.ttl;
  assign regs_in.WATCH_KEY_0.chars.next = watch_key[31:0];
  assign regs_in.WATCH_KEY_1.chars.next = watch_key[63:32];

  // ---- interrupt --------------------------------------------------------------------------------
  assign regs_in.STATUS.index_irq.next = index_irq_i;

  always_ff @(posedge clk_i) begin
    irq_o <= index_irq_i || memory_q || command_irq || watch_valid;
    if (rst_i) irq_o <= 1'b0;
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
    .moves_i(moves_i),
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
  assign regs_in.ITEM_SIZE_MAX.most.next = 5'(ItemBits);
  assign regs_in.CONFIG.index.next = 2'(Index);
  assign regs_in.CONFIG.hash.next = Hash;
  assign regs_in.CONFIG.lanes.next = 4'(Lanes);
  assign regs_in.CONFIG.tcp.next = Tcp;
  assign regs_in.STATUS.clearing.next = clearing_i;
  assign regs_in.TIME.seconds.next = next_second_q;
  assign regs_in.TIME.seconds.we = second_q;

  // ---- counters: the order of the registers is the order of the structs' fields -----------------
  localparam int unsigned NetEvents = $bits(net_events_t);
  localparam int unsigned IndexEvents = $bits(index_events_t);
  localparam int unsigned ByteEvents = $bits(byte_events_t);
  localparam int unsigned ByteFirst = 29;
  localparam int unsigned IndexFirst = 32;
  localparam int unsigned AnswerCut = 50;
  localparam int unsigned MemoryErrors = 51;  // four: table read, written, values read, written
  localparam int unsigned CommandEvents = $bits(command_events_t);
  localparam int unsigned CommandFirst = 55;
  localparam int unsigned WatchEvents = $bits(watch_events_t);
  localparam int unsigned WatchFirst = 58;
  localparam int unsigned Stuck = 63;  // last, so that the registers fill their region
  logic [63:0] counted;

  always_comb begin  // the first field of a packed struct is its top bit
    counted = '0;
    for (int unsigned i = 0; i < NetEvents; i++) counted[i] = net_events_i[NetEvents-1-i];
    for (int unsigned i = 0; i < ByteEvents; i++) begin
      counted[ByteFirst+i] = byte_events_i[ByteEvents-1-i];
    end
    for (int unsigned i = 0; i < IndexEvents; i++) begin
      counted[IndexFirst+i] = index_events_i[IndexEvents-1-i];
    end
    counted[AnswerCut] = answer_events_i.cut;
    counted[MemoryErrors+:4] = errors_q;
    for (int unsigned i = 0; i < CommandEvents; i++) begin
      counted[CommandFirst+i] = command_events[CommandEvents-1-i];
    end
    for (int unsigned i = 0; i < WatchEvents; i++) begin
      counted[WatchFirst+i] = watch_events[WatchEvents-1-i];
    end
    counted[Stuck] = stuck;
  end

  wc_counter_regs u_counters (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .event_i  (counted),
    .req_i    (count_req),
    .write_i  (bus_write),
    .counter_i(bus_addr[7:2]),
    .wr_ack_o (count_wr_ack),
    .rd_ack_o (count_rd_ack),
    .rdata_o  (count),
    .high_o   (regs_in.COUNT_HIGH.count.next)
  );

endmodule

`default_nettype wire
