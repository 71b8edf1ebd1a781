// SPDX-License-Identifier: Apache-2.0
// TCP's part of the host port: its settings, its state and its counters, behind the register bus of
// wc_host.
// A register answers in 3 cycles, a counter in 5. One access at a time.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_host
  import wc_pkg::*;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire reg_req_t reg_req_i,
  output reg_resp_t     reg_resp_o,
  output logic [16:0]   most_o,    // connections at once; these change only while no frame is taken
  output logic [31:0]   base_o,    // of the memory, in MiB
  output logic [15:0]   idle_o,    // as wc_tcp_idle has it
  output wc_tcp_pkg::keepalive_t keepalive_o,
  output logic [127:0]  secret_o,
  output logic [79:0]   seed_o,
  input  wire logic     ready_i,
  output logic          about_valid_o,  // what is to be known of a connection
  output logic [15:0]   about_id_o,
  input  wire wc_tcp_pkg::about_t about_i,
  input  wire tcp_events_t events_i
);

  localparam int unsigned Events = $bits(tcp_events_t);

  wc_tcp_regs_pkg::wc_tcp_regs__in_t regs_in;
  wc_tcp_regs_pkg::wc_tcp_regs__out_t regs_out;

  logic regs_req, regs_rd_ack, regs_wr_ack, stall_rd, stall_wr;
  logic count_wr_ack, count_rd_ack;
  logic [31:0] regs_rdata, count;

  // ---- registers --------------------------------------------------------------------------------
  assign regs_req = reg_req_i.req && !reg_req_i.addr[8];

  wc_tcp_regs u_regs (
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

  always_ff @(posedge clk_i) begin
    reg_resp_o.wr_ack <= regs_wr_ack || count_wr_ack;
    reg_resp_o.rd_ack <= regs_rd_ack || count_rd_ack;
    reg_resp_o.rdata <= count_rd_ack ? count : regs_rdata;
    if (rst_i) begin
      reg_resp_o.wr_ack <= 1'b0;
      reg_resp_o.rd_ack <= 1'b0;
    end
  end

  // ---- settings and state -----------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    most_o <= regs_out.TCP_CONNECTIONS.most.value;
    if (regs_out.TCP_CONNECTIONS.most.value > 17'(Connections)) most_o <= 17'(Connections);
  end

  assign base_o = regs_out.TCP_BASE.address.value;
  assign idle_o = regs_out.TCP_IDLE_LIMIT.units.value;
  assign keepalive_o = '{
    idle: regs_out.TCP_KEEPALIVE_IDLE.units.value,
    interval: regs_out.TCP_KEEPALIVE_PROBES.interval.value,
    probes: regs_out.TCP_KEEPALIVE_PROBES.probes.value
  };
  for (genvar i = 0; i < 4; i++) begin : gen_secret
    assign secret_o[32*i+:32] = regs_out.TCP_SECRET[i].bits.value;
  end
  assign seed_o = {regs_out.TCP_SEED[2].bits.value[15:0], regs_out.TCP_SEED[1].bits.value,
                   regs_out.TCP_SEED[0].bits.value};

  assign regs_in.TCP_STATUS.connections.next = 17'(Connections);
  assign regs_in.TCP_STATUS.ring_bits.next = 5'(RingBits);
  assign regs_in.TCP_STATUS.ready.next = ready_i;

  // ---- connections ------------------------------------------------------------------------------
  // swmod comes with the write itself: the register has the number a cycle later.
  always_ff @(posedge clk_i) begin
    about_valid_o <= regs_out.TCP_PEER.id.swmod;
    if (rst_i) about_valid_o <= 1'b0;
  end

  assign about_id_o = regs_out.TCP_PEER.id.value;
  assign regs_in.TCP_PEER_STATE.age.next = about_i.age;
  assign regs_in.TCP_PEER_PORT.port.next = wc_net_pkg::swap16(about_i.port);
  assign regs_in.TCP_PEER_STATE.open.next = about_i.open;
  assign regs_in.TCP_PEER_IP.address.next = wc_net_pkg::swap32(about_i.ip);
  assign regs_in.TCP_PEER_STATE.busy.next = about_i.busy || about_valid_o;

  // ---- counters ---------------------------------------------------------------------------------
  logic [63:0] counted;

  always_comb begin  // the first field of a packed struct is its top bit
    counted = '0;
    for (int unsigned i = 0; i < Events; i++) counted[i] = events_i[Events-1-i];
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
    .high_o   (regs_in.TCP_COUNT_HIGH.count.next)
  );

endmodule

`default_nettype wire
