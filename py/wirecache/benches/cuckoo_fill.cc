// SPDX-License-Identifier: Apache-2.0
// Fills cuckoo tables with random keys, each until a key would need more moves than are allowed,
// and prints what that took, as JSON, for the bench `cuckoo`:
//   cuckoo_fill SEED ENTRIES WAYS SLOTS SIGNATURE_BITS MOST_MOVES TABLES ASKS
// It does what py/wirecache/model/cuckoo.py does (test/test_cuckoo.py compares them), with millions
// of entries in a second. At 90 % fill ASKS keys are asked for that are not there.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "cuckoo.h"
#include "splitmix.h"

namespace {

using wirecache::Candidate;
using wirecache::Random;
using wirecache::Shape;

class Table {
 public:
  explicit Table(const Shape& shape)
      : shape_(shape), sizes_(uint64_t{1} << shape.place_bits), signatures_(shape.entries()) {}

  // How many entries moved; none if they would be more than `most`.
  std::optional<unsigned> Insert(uint64_t hash, unsigned most) {
    const auto candidates = shape_.Candidates(hash);
    Candidate at = candidates[0];
    for (unsigned i = 1; i < shape_.ways; i++) {
      if (sizes_[candidates[i].place] < sizes_[at.place]) at = candidates[i];
    }
    if (sizes_[at.place] == shape_.slots) at = candidates[turn_ / shape_.slots % shape_.ways];
    for (unsigned moves = 0; moves <= most; moves++) {
      uint32_t* const line = &signatures_[at.place * shape_.slots];
      if (sizes_[at.place] < shape_.slots) {
        line[sizes_[at.place]++] = at.signature;
        return moves;
      }
      std::swap(at.signature, line[turn_++ % shape_.slots]);
      at = shape_.Next(at);
    }
    return std::nullopt;
  }

  // Entries that have the signature of a key.
  [[nodiscard]] unsigned Matches(uint64_t hash) const {
    const auto candidates = shape_.Candidates(hash);
    unsigned matches = 0;
    for (unsigned i = 0; i < shape_.ways; i++) {
      const uint32_t* const line = &signatures_[candidates[i].place * shape_.slots];
      matches += static_cast<unsigned>(
          std::count(line, line + sizes_[candidates[i].place], candidates[i].signature));
    }
    return matches;
  }

 private:
  Shape shape_;
  std::vector<uint8_t> sizes_;
  std::vector<uint32_t> signatures_;
  uint64_t turn_ = 0;
};

struct Percent {  // of fill
  uint64_t inserts = 0, moves = 0, most = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9) return 2;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Random random(number(1));
  const uint64_t entries = number(2);
  Shape shape{.place_bits = 0,
              .ways = static_cast<unsigned>(number(3)),
              .slots = static_cast<unsigned>(number(4)),
              .signature_bits = static_cast<unsigned>(number(5))};
  while (shape.entries() < entries) shape.place_bits++;
  if (shape.entries() != entries || shape.ways > wirecache::kMostWays ||
      shape.slots > wirecache::kMostSlots)
    return 2;
  if (shape.place_bits > shape.signature_bits) return 2;
  const auto most = static_cast<unsigned>(number(6));
  const uint64_t tables = number(7), asks = number(8);
  std::array<Percent, 100> percents;
  uint64_t asked = 0, aliases = 0;
  std::printf("{\"filled\": [");
  for (uint64_t i = 0; i < tables; i++) {
    Table table(shape);
    uint64_t filled = 0;
    for (; filled < entries; filled++) {
      if (filled == entries * 9 / 10) {
        for (uint64_t k = 0; k < asks; k++) aliases += table.Matches(random());
        asked += asks;
      }
      const auto moves = table.Insert(random(), most);
      if (!moves) break;
      Percent& percent = percents.at(filled * 100 / entries);
      percent.inserts++;
      percent.moves += *moves;
      percent.most = std::max<uint64_t>(percent.most, *moves);
    }
    std::printf("%s%llu", i == 0 ? "" : ", ", static_cast<unsigned long long>(filled));
  }
  std::printf("], \"percents\": [");
  for (size_t i = 0; i < percents.size(); i++) {
    std::printf("%s[%llu, %llu, %llu]", i == 0 ? "" : ", ",
                static_cast<unsigned long long>(percents.at(i).inserts),
                static_cast<unsigned long long>(percents.at(i).moves),
                static_cast<unsigned long long>(percents.at(i).most));
  }
  std::printf("], \"asked\": %llu, \"aliases\": %llu}\n", static_cast<unsigned long long>(asked),
              static_cast<unsigned long long>(aliases));
  return 0;
}
