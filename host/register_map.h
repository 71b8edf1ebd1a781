// SPDX-License-Identifier: Apache-2.0
// Addresses and fields of the registers, by their names in hw/host/regs/wc_regs.rdl, and in
// hw/item/regs/wc_item_regs.rdl for those of the item index.
#ifndef WIRECACHE_HOST_REGISTER_MAP_H_
#define WIRECACHE_HOST_REGISTER_MAP_H_

#include <cstddef>
#include <cstdint>

#include "wc_counters.h"
#include "wc_item_regs.h"
#include "wc_regs.h"

// Byte address of a register, or of one of an array.
#define WC_ADDRESS(reg) (static_cast<uint32_t>(offsetof(wc_regs_t, reg)))
#define WC_ADDRESS_OF(reg, index) \
  (static_cast<uint32_t>(offsetof(wc_regs_t, reg) + sizeof(uint32_t) * (index)))

// A field of a register, shifted down.
#define WC_FIELD(value, reg, field) \
  (((value) & WC_REGS__##reg##__##field##_bm) >> WC_REGS__##reg##__##field##_bp)

#define WC_ITEM_ADDRESS(reg) (kItemRegisters + static_cast<uint32_t>(offsetof(wc_item_regs_t, reg)))

#endif  // WIRECACHE_HOST_REGISTER_MAP_H_
