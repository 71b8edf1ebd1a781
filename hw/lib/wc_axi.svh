// SPDX-License-Identifier: Apache-2.0
// AXI as two structs: a request, which the master drives, and a response, which the slave drives.
// A module names both types in its header, from its own parameters:
//
//   localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, DataWidth),
//   localparam type axi_resp_t = `WC_AXI_RESP(DataWidth)
//
// Types of the same widths are the same bits, so no module has to be given them. Inside the circuit
// a burst is always whole beats of the port's width at rising addresses, and has the one id 0: what
// says so (id, size, burst) is added at the outer edge, by WC_AXI_M_ASSIGN. There the ports have
// their plain AXI names, which WC_AXI_M_PORTS and WC_AXIL_S_PORTS declare.
//
// Of an answer's `resp` the upper bit counts: the beat was not read, the burst not written. What is
// between a memory and a block makes of it SLVERR or OKAY, whatever kind of error memory names.
`ifndef WC_AXI_SVH
`define WC_AXI_SVH

`include "wc_assert.svh"

// A page, which no burst crosses, has 4 KiB: an address in it has this many bits.
`define WC_AXI_PAGE_BITS 12

`define WC_AXI_OKAY 2'b00
`define WC_AXI_SLVERR 2'b10

`define WC_AXI_REQ(addr_width_, data_width_) \
  struct packed { \
    struct packed { \
      logic [(addr_width_)-1:0] addr; \
      logic [7:0] len;  /* beats - 1 */ \
    } aw; \
    logic aw_valid; \
    struct packed { \
      logic [(data_width_)-1:0] data; \
      logic [(data_width_)/8-1:0] strb; \
      logic last; \
    } w; \
    logic w_valid; \
    logic b_ready; \
    struct packed { \
      logic [(addr_width_)-1:0] addr; \
      logic [7:0] len;  /* beats - 1 */ \
    } ar; \
    logic ar_valid; \
    logic r_ready; \
  }

`define WC_AXI_RESP(data_width_) \
  struct packed { \
    logic aw_ready; \
    logic w_ready; \
    struct packed { \
      logic [1:0] resp; \
    } b; \
    logic b_valid; \
    logic ar_ready; \
    struct packed { \
      logic [(data_width_)-1:0] data; \
      logic [1:0] resp; \
      logic last; \
    } r; \
    logic r_valid; \
  }

// AXI4-Lite with data of 32 bits.
`define WC_AXIL_REQ(addr_width_) \
  struct packed { \
    struct packed { \
      logic [(addr_width_)-1:0] addr; \
      logic [2:0] prot; \
    } aw; \
    logic aw_valid; \
    struct packed { \
      logic [31:0] data; \
      logic [3:0] strb; \
    } w; \
    logic w_valid; \
    logic b_ready; \
    struct packed { \
      logic [(addr_width_)-1:0] addr; \
      logic [2:0] prot; \
    } ar; \
    logic ar_valid; \
    logic r_ready; \
  }

`define WC_AXIL_RESP \
  struct packed { \
    logic aw_ready; \
    logic w_ready; \
    struct packed { \
      logic [1:0] resp; \
    } b; \
    logic b_valid; \
    logic ar_ready; \
    struct packed { \
      logic [31:0] data; \
      logic [1:0] resp; \
    } r; \
    logic r_valid; \
  }

// ---- the outer edge: ports with the names that tools and cocotbext-axi know ----------------------
// Ports of an AXI4 master: prefix_awid to prefix_rready. Ends with a comma: other ports follow.
`define WC_AXI_M_PORTS(prefix_, addr_width_, data_width_) \
  output logic [3:0] prefix_``_awid, \
  output logic [(addr_width_)-1:0] prefix_``_awaddr, \
  output logic [7:0] prefix_``_awlen, \
  output logic [2:0] prefix_``_awsize, \
  output logic [1:0] prefix_``_awburst, \
  output logic prefix_``_awvalid, \
  input wire logic prefix_``_awready, \
  output logic [(data_width_)-1:0] prefix_``_wdata, \
  output logic [(data_width_)/8-1:0] prefix_``_wstrb, \
  output logic prefix_``_wlast, \
  output logic prefix_``_wvalid, \
  input wire logic prefix_``_wready, \
  input wire logic [3:0] prefix_``_bid, \
  input wire logic [1:0] prefix_``_bresp, \
  input wire logic prefix_``_bvalid, \
  output logic prefix_``_bready, \
  output logic [3:0] prefix_``_arid, \
  output logic [(addr_width_)-1:0] prefix_``_araddr, \
  output logic [7:0] prefix_``_arlen, \
  output logic [2:0] prefix_``_arsize, \
  output logic [1:0] prefix_``_arburst, \
  output logic prefix_``_arvalid, \
  input wire logic prefix_``_arready, \
  input wire logic [3:0] prefix_``_rid, \
  input wire logic [(data_width_)-1:0] prefix_``_rdata, \
  input wire logic [1:0] prefix_``_rresp, \
  input wire logic prefix_``_rlast, \
  input wire logic prefix_``_rvalid, \
  output logic prefix_``_rready,

// Those ports from a request, and the response from them.
`define WC_AXI_M_ASSIGN(prefix_, req_, resp_, data_width_) \
  assign prefix_``_awid = '0; \
  assign prefix_``_awaddr = req_.aw.addr; \
  assign prefix_``_awlen = req_.aw.len; \
  assign prefix_``_awsize = 3'($clog2((data_width_) / 8));  /* 384 bits count as 512 */ \
  assign prefix_``_awburst = 2'b01;  /* rising addresses */ \
  assign prefix_``_awvalid = req_.aw_valid; \
  assign prefix_``_wdata = req_.w.data; \
  assign prefix_``_wstrb = req_.w.strb; \
  assign prefix_``_wlast = req_.w.last; \
  assign prefix_``_wvalid = req_.w_valid; \
  assign prefix_``_bready = req_.b_ready; \
  assign prefix_``_arid = '0; \
  assign prefix_``_araddr = req_.ar.addr; \
  assign prefix_``_arlen = req_.ar.len; \
  assign prefix_``_arsize = 3'($clog2((data_width_) / 8)); \
  assign prefix_``_arburst = 2'b01; \
  assign prefix_``_arvalid = req_.ar_valid; \
  assign prefix_``_rready = req_.r_ready; \
  assign resp_.aw_ready = prefix_``_awready; \
  assign resp_.w_ready = prefix_``_wready; \
  assign resp_.b.resp = prefix_``_bresp; \
  assign resp_.b_valid = prefix_``_bvalid; \
  assign resp_.ar_ready = prefix_``_arready; \
  assign resp_.r.data = prefix_``_rdata; \
  assign resp_.r.resp = prefix_``_rresp; \
  assign resp_.r.last = prefix_``_rlast; \
  assign resp_.r_valid = prefix_``_rvalid; \
  `WC_ASSERT(prefix_``_ids, (!prefix_``_bvalid || prefix_``_bid == '0) && \
                            (!prefix_``_rvalid || prefix_``_rid == '0))

// Ports of an AXI4-Lite slave with data of 32 bits. Ends with a comma.
`define WC_AXIL_S_PORTS(prefix_, addr_width_) \
  input wire logic [(addr_width_)-1:0] prefix_``_awaddr, \
  input wire logic [2:0] prefix_``_awprot, \
  input wire logic prefix_``_awvalid, \
  output logic prefix_``_awready, \
  input wire logic [31:0] prefix_``_wdata, \
  input wire logic [3:0] prefix_``_wstrb, \
  input wire logic prefix_``_wvalid, \
  output logic prefix_``_wready, \
  output logic [1:0] prefix_``_bresp, \
  output logic prefix_``_bvalid, \
  input wire logic prefix_``_bready, \
  input wire logic [(addr_width_)-1:0] prefix_``_araddr, \
  input wire logic [2:0] prefix_``_arprot, \
  input wire logic prefix_``_arvalid, \
  output logic prefix_``_arready, \
  output logic [31:0] prefix_``_rdata, \
  output logic [1:0] prefix_``_rresp, \
  output logic prefix_``_rvalid, \
  input wire logic prefix_``_rready,

`define WC_AXIL_S_ASSIGN(prefix_, req_, resp_) \
  assign req_.aw.addr = prefix_``_awaddr; \
  assign req_.aw.prot = prefix_``_awprot; \
  assign req_.aw_valid = prefix_``_awvalid; \
  assign req_.w.data = prefix_``_wdata; \
  assign req_.w.strb = prefix_``_wstrb; \
  assign req_.w_valid = prefix_``_wvalid; \
  assign req_.b_ready = prefix_``_bready; \
  assign req_.ar.addr = prefix_``_araddr; \
  assign req_.ar.prot = prefix_``_arprot; \
  assign req_.ar_valid = prefix_``_arvalid; \
  assign req_.r_ready = prefix_``_rready; \
  assign prefix_``_awready = resp_.aw_ready; \
  assign prefix_``_wready = resp_.w_ready; \
  assign prefix_``_bresp = resp_.b.resp; \
  assign prefix_``_bvalid = resp_.b_valid; \
  assign prefix_``_arready = resp_.ar_ready; \
  assign prefix_``_rdata = resp_.r.data; \
  assign prefix_``_rresp = resp_.r.resp; \
  assign prefix_``_rvalid = resp_.r_valid;

`endif
