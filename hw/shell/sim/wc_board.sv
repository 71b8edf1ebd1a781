// SPDX-License-Identifier: Apache-2.0
// The simulated board: the core with every edge brought out to the simulation's link, memory and
// register access, and the handshakes between the stages for benches. `--config` of ./wirecache
// sets User (docs/parameters.md).
`include "wc_axi.svh"
`default_nettype none

module wc_board #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Simulated,
  localparam int unsigned AddrWidth = User.addr_width,
  localparam int unsigned MemWidth = User.mem_width
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic rst_mem_i,
  // the wire: frames without preamble and FCS, never stalled on receive
  input  wire logic [63:0] s_axis_tdata,
  input  wire logic [7:0] s_axis_tkeep,
  input  wire logic s_axis_tvalid,
  output logic      s_axis_tready,
  input  wire logic s_axis_tlast,
  input  wire logic s_axis_tuser,
  output logic      [63:0] m_axis_tdata,
  output logic      [7:0] m_axis_tkeep,
  output logic      m_axis_tvalid,
  input  wire logic m_axis_tready,
  output logic      m_axis_tlast,
  // memory: the table and the values; the host
  `WC_AXI_M_PORTS(m_axi_index, AddrWidth, MemWidth)
  `WC_AXI_M_PORTS(m_axi_store, AddrWidth, MemWidth)
  input  wire logic [31:0] milliseconds_i,  // TCP's time; may go on by more than one
  `WC_AXIL_S_PORTS(s_axil, wc_pkg::RegAddrWidth)
  output logic      irq_o,
  output logic      in_flight_o,  // requests that are not answered yet, segments
  output logic      moves_o,      // the index does what these may have to wait for
  output logic      armed_o,      // TCP waits for milliseconds_i
  output logic      [17:0] soonest_o,  // to be this, in its low bits
  // what passes between the stages in this cycle, lowest first: the last word of a request packet;
  // an operation from request, hash, index, size, store; a word of an answer, of a value read
  output logic      [8:0] probe_o,
  // what the item index does in this cycle, for models: wc_item_pkg::item_probe_t; else 0
  output logic      [95:0] item_probe_o
);

  `WC_AXI_REQ(AddrWidth, MemWidth) index_req, store_req;
  `WC_AXI_RESP(MemWidth) index_resp, store_resp;
  `WC_AXIL_REQ(wc_pkg::RegAddrWidth) axil_req;
  `WC_AXIL_RESP axil_resp;

  `WC_AXI_M_ASSIGN(m_axi_index, index_req, index_resp, MemWidth)
  `WC_AXI_M_ASSIGN(m_axi_store, store_req, store_resp, MemWidth)
  `WC_AXIL_S_ASSIGN(s_axil, axil_req, axil_resp)

  assign probe_o = 9'({
      u_core.get_value_valid && u_core.get_value_ready,
      u_core.word_valid && u_core.word_ready,
      u_core.done_valid && u_core.done_ready,
      u_core.sized_valid && u_core.sized_ready,
      u_core.looked_up_valid && u_core.looked_up_ready,
      u_core.hashed,
      u_core.request_valid && u_core.request_ready,
      u_core.packet_valid && u_core.packet_ready && u_core.packet.last
  });

  if (User.index == wc_pkg::IndexItem) begin : gen_item_probe
    wc_item_pkg::item_probe_t probe;

    always_comb begin
      probe = '0;
      probe.met = u_core.u_table.gen_item.u_item.enters
                  && !u_core.u_table.gen_item.u_item.enters_user;
      probe.met_address = u_core.u_table.gen_item.u_item.sweeps.address;
      probe.dead = u_core.u_table.gen_item.u_item.sweeps.dead;
      probe.may_copy = u_core.u_table.gen_item.u_item.sweeps.may_copy;
      probe.looked = u_core.u_table.gen_item.u_item.looked_valid
                     && u_core.u_table.gen_item.u_item.looked_ready;
      probe.moved = u_core.u_table.gen_item.u_item.mover_passed;
      probe.mover = 5'(u_core.u_table.gen_item.u_item.looked.slot);
      probe.sweeps = u_core.u_table.gen_item.u_item.looked.sweeps;
      probe.op = u_core.u_table.gen_item.u_item.context_out.request.op.op;
      probe.found = u_core.u_table.gen_item.u_item.looked.found;
      probe.placed = u_core.u_table.gen_item.u_item.looked.placed;
      probe.place = u_core.u_table.gen_item.u_item.looked.place;
      probe.give = u_core.u_table.gen_item.u_item.give_valid;
      probe.segment = u_core.u_table.gen_item.u_item.give_segment;
    end

    assign item_probe_o = 96'(probe);
  end else begin : gen_no_item_probe
    assign item_probe_o = '0;
  end

  wc_core #(
    .User(User)
  ) u_core (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .rst_mem_i         (rst_mem_i),
    .s_axis_tdata      (s_axis_tdata),
    .s_axis_tkeep      (s_axis_tkeep),
    .s_axis_tvalid     (s_axis_tvalid),
    .s_axis_tready     (s_axis_tready),
    .s_axis_tlast      (s_axis_tlast),
    .s_axis_tuser      (s_axis_tuser),
    .m_axis_tdata      (m_axis_tdata),
    .m_axis_tkeep      (m_axis_tkeep),
    .m_axis_tvalid     (m_axis_tvalid),
    .m_axis_tready     (m_axis_tready),
    .m_axis_tlast      (m_axis_tlast),
    .m_axi_index_req_o (index_req),
    .m_axi_index_resp_i(index_resp),
    .m_axi_store_req_o (store_req),
    .m_axi_store_resp_i(store_resp),
    .milliseconds_i    (milliseconds_i),
    .s_axil_req_i      (axil_req),
    .s_axil_resp_o     (axil_resp),
    .irq_o             (irq_o),
    .in_flight_o       (in_flight_o),
    .moves_o           (moves_o),
    .armed_o           (armed_o),
    .soonest_o         (soonest_o)
  );

endmodule

`default_nettype wire
