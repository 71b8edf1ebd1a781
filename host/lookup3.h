// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_LOOKUP3_H_
#define WIRECACHE_HOST_LOOKUP3_H_

#include <cstdint>
#include <span>

namespace wirecache::host {

// Jenkins' lookup3, `hashlittle2`, as the circuit computes it (hw/hash): the lower half is
// `hashlittle` of the key, the upper half comes with it.
uint64_t HashLittle2(std::span<const uint8_t> key, uint32_t seed);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_LOOKUP3_H_
