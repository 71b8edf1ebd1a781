// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_BIG_ENDIAN_H_
#define WIRECACHE_SIM_BIG_ENDIAN_H_

#include <cstddef>
#include <cstdint>

namespace wirecache::sim {

// The number that so many bytes make, the highest first: 8 at most. Bytes are of any type of a
// byte.
template <typename Byte>
uint64_t BigEndian(const Byte* at, size_t bytes) {
  static_assert(sizeof(Byte) == 1);
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<uint8_t>(at[i]);
  return value;
}

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_BIG_ENDIAN_H_
