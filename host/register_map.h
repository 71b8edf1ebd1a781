// SPDX-License-Identifier: Apache-2.0
// Addresses and fields of the registers, by their names in hw/host/regs/wc_regs.rdl, and for those
// of an index in hw/index/regs/wc_index_regs.rdl or hw/item/regs/wc_item_regs.rdl, for those of TCP
// in hw/net/tcp/regs/wc_tcp_regs.rdl.
#ifndef WIRECACHE_HOST_REGISTER_MAP_H_
#define WIRECACHE_HOST_REGISTER_MAP_H_

#include <cstddef>
#include <cstdint>

#include "wc_counters.h"
#include "wc_index_regs.h"
#include "wc_item_regs.h"
#include "wc_regs.h"
#include "wc_tcp_regs.h"

// Byte address of a register, or of one of an array.
#define WC_ADDRESS(reg) (static_cast<uint32_t>(offsetof(wc_regs_t, reg)))
#define WC_ADDRESS_OF(reg, index) \
  (static_cast<uint32_t>(offsetof(wc_regs_t, reg) + sizeof(uint32_t) * (index)))

// A field of a register, shifted down.
#define WC_FIELD(value, reg, field) \
  (((value) & WC_REGS__##reg##__##field##_bm) >> WC_REGS__##reg##__##field##_bp)

// Of the bucket index.
#define WC_INDEX_ADDRESS(reg) \
  (kIndexRegisters + static_cast<uint32_t>(offsetof(wc_index_regs_t, reg)))
#define WC_INDEX_ADDRESS_OF(reg, index) \
  (WC_INDEX_ADDRESS(reg) + static_cast<uint32_t>(sizeof(uint32_t) * (index)))
#define WC_INDEX_FIELD(value, reg, field) \
  (((value) & WC_INDEX_REGS__##reg##__##field##_bm) >> WC_INDEX_REGS__##reg##__##field##_bp)

// Of the item index.
#define WC_ITEM_ADDRESS(reg) \
  (kIndexRegisters + static_cast<uint32_t>(offsetof(wc_item_regs_t, reg)))
#define WC_ITEM_ADDRESS_OF(reg, index) \
  (WC_ITEM_ADDRESS(reg) + static_cast<uint32_t>(sizeof(uint32_t) * (index)))
#define WC_ITEM_FIELD(value, reg, field) \
  (((value) & WC_ITEM_REGS__##reg##__##field##_bm) >> WC_ITEM_REGS__##reg##__##field##_bp)

// Of TCP.
#define WC_TCP_ADDRESS(reg) (kTcpRegisters + static_cast<uint32_t>(offsetof(wc_tcp_regs_t, reg)))
#define WC_TCP_ADDRESS_OF(reg, index) \
  (WC_TCP_ADDRESS(reg) + static_cast<uint32_t>(sizeof(uint32_t) * (index)))
#define WC_TCP_FIELD(value, reg, field) \
  (((value) & WC_TCP_REGS__##reg##__##field##_bm) >> WC_TCP_REGS__##reg##__##field##_bp)

#endif  // WIRECACHE_HOST_REGISTER_MAP_H_
