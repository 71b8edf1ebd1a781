// SPDX-License-Identifier: Apache-2.0
// Fills the circuit's Bloom filter with random keys, asks for others, and prints what it has found,
// as JSON, for the bench `bloom`:
//   bloom_filter SEED KEYS ASKS CHANGES ROUNDS
// Each round begins with an empty filter and other KEYS keys, of which one is removed and another
// added CHANGES times; then ASKS others are asked for, and those that should be there. An operation
// goes in each cycle, and its answer comes out kLatency later.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "Vwc_bloom.h"
#include "splitmix.h"

namespace {

using wirecache::Random;

constexpr int kLatency = 4;
enum Op : uint8_t { kAsk, kAdd, kRemove };

class Filter {
 public:
  Filter() {
    circuit_->rst_i = 1;
    Cycle();
    circuit_->rst_i = 0;
    WaitUntilReady();
  }

  void Clear() {
    circuit_->clear_i = 1;
    Cycle();
    circuit_->clear_i = 0;
    WaitUntilReady();
  }

  // Counts its answer if the key may be there.
  void Do(Op op, uint64_t hash) {
    circuit_->valid_i = 1;
    circuit_->op_i = op;
    circuit_->hash_i = hash;
    Cycle();
    circuit_->valid_i = 0;
  }

  void Drain() {
    for (int i = 0; i < kLatency; i++) Cycle();
  }

  // Since the last call: answers, those that said yes, those that met a full counter.
  uint64_t answers = 0, there = 0, full = 0;

 private:
  void WaitUntilReady() {
    while (!circuit_->ready_o) Cycle();
    answers = there = full = 0;
  }

  void Cycle() {
    circuit_->clk_i = 0;
    circuit_->eval();
    circuit_->clk_i = 1;
    circuit_->eval();
    if (!circuit_->valid_o) return;
    answers++;
    there += circuit_->there_o;
    full += circuit_->full_o;
  }

  std::unique_ptr<Vwc_bloom> circuit_ = std::make_unique<Vwc_bloom>();
};

uint64_t Take(uint64_t& count) {
  const uint64_t taken = count;
  count = 0;
  return taken;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Random random(number(1));
  const uint64_t keys = number(2), asks = number(3), changes = number(4), rounds = number(5);
  Filter filter;
  uint64_t asked = 0, positives = 0, wanted = 0, found = 0, full = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    if (round != 0) filter.Clear();
    std::vector<uint64_t> there(keys);
    for (uint64_t& key : there) filter.Do(kAdd, key = random());
    for (uint64_t i = 0; i < changes; i++) {
      uint64_t& key = there[random() % keys];
      filter.Do(kRemove, key);
      filter.Do(kAdd, key = random());
    }
    filter.Drain();
    Take(filter.answers), Take(filter.there);
    for (uint64_t i = 0; i < asks; i++) filter.Do(kAsk, random());
    filter.Drain();
    asked += Take(filter.answers), positives += Take(filter.there);
    for (const uint64_t key : there) filter.Do(kAsk, key);
    filter.Drain();
    wanted += Take(filter.answers), found += Take(filter.there), full += Take(filter.full);
  }
  std::printf(
      "{\"asked\": %llu, \"positives\": %llu, \"wanted\": %llu, \"found\": %llu, "
      "\"full\": %llu}\n",
      static_cast<unsigned long long>(asked), static_cast<unsigned long long>(positives),
      static_cast<unsigned long long>(wanted), static_cast<unsigned long long>(found),
      static_cast<unsigned long long>(full));
  return 0;
}
