// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_JSON_H_
#define WIRECACHE_SIM_JSON_H_

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace wirecache::sim {

// Builds the text of a JSON object, member by member. Names and texts must need no escapes.
class JsonObject {
 public:
  void Add(std::string_view name, std::unsigned_integral auto value) {
    Member(name) += std::to_string(value);
  }
  void Add(std::string_view name, double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", value);
    Member(name) += text;
  }
  void Add(std::string_view name, const JsonObject& value) { Member(name) += value.Text(); }

  std::string Text() const { return "{" + members_ + "}"; }

 private:
  std::string& Member(std::string_view name) {
    if (!members_.empty()) members_ += ", ";
    return members_.append("\"").append(name).append("\": ");
  }

  std::string members_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_JSON_H_
