// SPDX-License-Identifier: Apache-2.0
// GETs of a cuckoo table in software on one core, with a Bloom filter before it and without, and
// prints the nanoseconds that each takes, as JSON, for the bench `software`:
//   cuckoo_software SEED KEYS KEY_BYTES VALUE_BYTES CELLS SLICES GETS ROUNDS SHARE...
// A table of places of 64 bytes with 8 entries, each with signature and item, as in cuckoo.h; two
// places a key; items in memory in the order in which they were stored. Each SHARE, in percent, of
// the GETs is of a key that is there. A GET hashes its key (lookup3, as the circuit), asks the
// filter, looks at both places, compares the keys of items whose signature is the same, and copies
// the value. Which keys are asked for was drawn before; rounds are the same, and each time is told.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "cuckoo.h"
#include "host/lookup3.h"
#include "splitmix.h"

namespace {

using wirecache::Candidate;
using wirecache::Random;
using wirecache::Shape;

constexpr unsigned kWays = 2, kSlots = 8, kMostMoves = 64, kSignatureBits = 32;

struct Sizes {
  uint64_t keys, key_bytes, value_bytes, cells, slices;
};

// k slices of m bits: section 2 of the paper, with h1 + i * h2 for the cell of slice i.
class Filter {
 public:
  Filter(uint64_t cells, uint64_t slices) : cells_(cells), slices_(slices), bits_(cells * slices) {}

  void Add(uint64_t hash) {
    for (uint64_t i = 0; i < slices_; i++) bits_[Cell(hash, i)] = true;
  }

  [[nodiscard]] bool MayHave(uint64_t hash) const {
    for (uint64_t i = 0; i < slices_; i++) {
      if (!bits_[Cell(hash, i)]) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] uint64_t Cell(uint64_t hash, uint64_t slice) const {
    const uint64_t sum = (hash & 0xFFFFFFFF) + slice * (hash >> 32 | 1);
    return slice * cells_ + (sum & (cells_ - 1));
  }

  uint64_t cells_, slices_;
  std::vector<bool> bits_;
};

class Store {
 public:
  explicit Store(const Sizes& sizes)
      : sizes_(sizes),
        item_bytes_(sizes.key_bytes + sizes.value_bytes),
        filter_(sizes.cells, sizes.slices) {
    shape_ = {.place_bits = 0, .ways = kWays, .slots = kSlots, .signature_bits = kSignatureBits};
    while (shape_.entries() * 9 < sizes.keys * 10) shape_.place_bits++;  // at most 90 % full
    places_.resize(uint64_t{1} << shape_.place_bits);
    items_.resize(sizes.keys * item_bytes_);
  }

  // The entry that has no place after so many moves ends the program: the table is not that full.
  void Set(const uint8_t* key) {
    const uint64_t hash = Hash(key);
    uint8_t* const item = &items_[stored_ * item_bytes_];
    std::memcpy(item, key, sizes_.key_bytes);
    std::memset(item + sizes_.key_bytes, static_cast<int>(hash), sizes_.value_bytes);
    filter_.Add(hash);
    Candidate at = shape_.First(hash);
    auto number = static_cast<uint32_t>(++stored_);
    for (unsigned moves = 0; moves <= kMostMoves; moves++) {
      Place& place = places_[at.place];
      for (Entry& entry : place) {
        if (entry.item == 0) {
          entry = {.signature = at.signature, .item = number};
          return;
        }
      }
      Entry& other = place[turn_++ % kSlots];
      std::swap(at.signature, other.signature);
      std::swap(number, other.item);
      at = shape_.Next(at);
    }
    std::abort();
  }

  // Whether it is there; its value.
  bool Get(const uint8_t* key, bool filtered, uint8_t* value) {
    const uint64_t hash = Hash(key);
    if (filtered && !filter_.MayHave(hash)) {
      denied_++;
      return false;
    }
    Candidate at = shape_.First(hash);
    for (unsigned i = 0; i < kWays; i++) {
      for (const Entry& entry : places_[at.place]) {
        if (entry.item == 0 || entry.signature != at.signature) continue;
        const uint8_t* const item = &items_[(entry.item - 1) * item_bytes_];
        if (std::memcmp(item, key, sizes_.key_bytes) != 0) continue;
        std::memcpy(value, item + sizes_.key_bytes, sizes_.value_bytes);
        return true;
      }
      at = shape_.Next(at);
    }
    return false;
  }

  uint64_t TakeDenied() { return std::exchange(denied_, 0); }

 private:
  struct Entry {
    uint32_t signature, item;  // item: its number from 1 on; 0: none
  };
  using Place = std::array<Entry, kSlots>;

  [[nodiscard]] uint64_t Hash(const uint8_t* key) const {
    return wirecache::host::HashLittle2(std::span(key, sizes_.key_bytes), 0);
  }

  Sizes sizes_;
  uint64_t item_bytes_;
  Shape shape_{};
  Filter filter_;
  std::vector<Place> places_;
  std::vector<uint8_t> items_;
  uint64_t stored_ = 0, turn_ = 0, denied_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 10) return 2;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Random random(number(1));
  const Sizes sizes{.keys = number(2),
                    .key_bytes = number(3),
                    .value_bytes = number(4),
                    .cells = number(5),
                    .slices = number(6)};
  const uint64_t gets = number(7), rounds = number(8);
  if ((sizes.cells & (sizes.cells - 1)) != 0 || sizes.key_bytes < 8) return 2;
  std::vector<uint8_t> keys(2 * sizes.keys * sizes.key_bytes);  // as many that are not there
  for (uint8_t& byte : keys) byte = static_cast<uint8_t>(random());
  const auto key = [&](uint64_t i) { return &keys[i * sizes.key_bytes]; };
  Store store(sizes);
  for (uint64_t i = 0; i < sizes.keys; i++) store.Set(key(i));

  std::vector<uint8_t> value(sizes.value_bytes);
  std::printf("[");
  for (int at = 9; at < argc; at++) {
    std::vector<const uint8_t*> asked(gets);
    for (const uint8_t*& one : asked) {
      const uint64_t which = random() % sizes.keys;
      one = key(random() % 100 < number(at) ? which : sizes.keys + which);
    }
    for (const bool filtered : {false, true}) {
      std::printf("%s{\"share\": %llu, \"filter\": %s, \"ns\": [", at == 9 && !filtered ? "" : ", ",
                  number(at), filtered ? "true" : "false");
      uint64_t hits = 0, sum = 0;
      store.TakeDenied();
      for (uint64_t round = 0; round < rounds; round++) {
        const auto begin = std::chrono::steady_clock::now();
        for (const uint8_t* const one : asked) {
          hits += store.Get(one, filtered, value.data());
          sum += value[0];
        }
        const std::chrono::duration<double, std::nano> took =
            std::chrono::steady_clock::now() - begin;
        std::printf("%s%.3f", round == 0 ? "" : ", ", took.count() / static_cast<double>(gets));
      }
      std::printf("], \"hits\": %llu, \"denied\": %llu, \"sum\": %llu}",
                  static_cast<unsigned long long>(hits / rounds),
                  static_cast<unsigned long long>(store.TakeDenied() / rounds),
                  static_cast<unsigned long long>(sum));
    }
  }
  std::printf("]\n");
  return 0;
}
