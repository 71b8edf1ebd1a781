// SPDX-License-Identifier: Apache-2.0
// As much of a unit test framework as these tests need: TEST defines and registers one, CHECK and
// CHECK_EQ end the program with the place and the values when they fail.
#ifndef WIRECACHE_SIM_TEST_CHECK_H_
#define WIRECACHE_SIM_TEST_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace wirecache::test {

struct Case {
  const char* name;
  void (*body)();
};

inline std::vector<Case>& Cases() {
  static std::vector<Case> cases;
  return cases;
}

struct Register {
  Register(const char* name, void (*body)()) { Cases().push_back({name, body}); }
};

[[noreturn]] inline void Fail(const char* file, int line, const char* text) {
  std::cout << file << ":" << line << ": " << text << std::endl;
  std::exit(1);
}

}  // namespace wirecache::test

#define TEST(name)                                                        \
  static void name();                                                     \
  static const wirecache::test::Register registered_##name(#name, &name); \
  static void name()

#define CHECK(condition) \
  if (!(condition)) wirecache::test::Fail(__FILE__, __LINE__, "not true: " #condition)

#define CHECK_EQ(a, b)                                                          \
  do {                                                                          \
    const auto check_a = (a);                                                   \
    const auto check_b = (b);                                                   \
    if (!(check_a == check_b)) {                                                \
      std::cout << #a " is " << +check_a << ", " #b " is " << +check_b << "\n"; \
      wirecache::test::Fail(__FILE__, __LINE__, "not equal");                   \
    }                                                                           \
  } while (false)

#define CHECK_THROWS(expression, type)                                                      \
  do {                                                                                      \
    bool thrown = false;                                                                    \
    try {                                                                                   \
      expression;                                                                           \
    } catch (const type&) {                                                                 \
      thrown = true;                                                                        \
    }                                                                                       \
    if (!thrown) wirecache::test::Fail(__FILE__, __LINE__, "does not throw: " #expression); \
  } while (false)

#endif  // WIRECACHE_SIM_TEST_CHECK_H_
