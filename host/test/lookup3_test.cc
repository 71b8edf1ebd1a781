// SPDX-License-Identifier: Apache-2.0
#include "host/lookup3.h"

#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::host {
namespace {

uint64_t Hash(std::string_view key, uint32_t seed = 0) {
  return HashLittle2({reinterpret_cast<const uint8_t*>(key.data()), key.size()}, seed);
}

// Of wirecache.model.lookup3.
TEST(lookup3_is_that_of_the_model) {
  CHECK_EQ(Hash(""), 0xdeadbeefdeadbeefu);
  CHECK_EQ(Hash("a"), 0x582647ac58d68708u);
  CHECK_EQ(Hash("foo", 7), 0x21cc9ce5431bc47cu);
  CHECK_EQ(Hash("twelve bytes"), 0x8dbd8c80597b94ceu);
  CHECK_EQ(Hash("thirteen byte"), 0x3287d9e64ed713f9u);
  CHECK_EQ(Hash("Four score and seven years ago", 1), 0x6cbea4b3cd628161u);
  std::vector<uint8_t> key(250);
  std::iota(key.begin(), key.end(), uint8_t{0});
  CHECK_EQ(HashLittle2(key, 0xFFFFFFFF), 0xb5b0c9d722b39147u);
}

}  // namespace
}  // namespace wirecache::host
