// SPDX-License-Identifier: Apache-2.0
#include "host/base64.h"

#include <optional>
#include <string>
#include <utility>

#include "sim/test/check.h"

namespace wirecache::host {
namespace {

TEST(base64_there_and_back) {
  for (const auto& [bytes, text] : {std::pair{"a", "YQ=="},
                                    {"ab", "YWI="},
                                    {"abc", "YWJj"},
                                    {"ab c", "YWIgYw=="},
                                    {"\xff\xfe\xfd", "//79"}}) {
    CHECK(Base64(bytes) == text);
    CHECK(FromBase64(text) == std::string(bytes));
  }
  CHECK(FromBase64("AAAA") == std::string(3, '\0'));
}

// As memcached reads it (py/wirecache/model/base64.py).
TEST(base64_that_is_odd) {
  CHECK(FromBase64("Y-W.J_j") == "abc");
  CHECK(FromBase64("YQ==YWJj") == "a");
  CHECK(FromBase64("=WJj") == std::string("\1b", 2));
  for (const char* wrong :
       {"", "!!!", "YWJ", "YWJjY", "Y===", "====", "YWJjY===", "\xff\xff\xff\xff"}) {
    CHECK(!FromBase64(wrong));
  }
}

}  // namespace
}  // namespace wirecache::host
