// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the OpenCL program share: where kernels are, random data, comparisons of every element.
#pragma once

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "session.h"

namespace programs {

class Checks {
 public:
  Checks(Session& session, std::string kernel_directory) : session_(session), directory_(std::move(kernel_directory)) {}

  Session& session() { return session_; }
  std::string file(const std::string& name) const { return directory_ + "/" + name; }

  /// `want(i)` is the right value of element i; floats must have the same bits (any NaN is any other) unless
  /// they may differ by that part of the right value.
  template <class T, class F>
  void all(const std::string& what, const Buffer<T>& got, F want, double relative = 0) {
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const T expected = static_cast<T>(want(i));
      if (same(got[i], expected, relative)) continue;
      if (wrong++ < 3)
        first +=
            " [" + std::to_string(i) + "] " + std::to_string(got[i]) + " instead of " + std::to_string(expected) + ";";
    }
    ++checks_;
    if (wrong == 0) return;
    ++failures_;
    std::printf("FAIL %s: %zu of %zu wrong:%s\n", what.c_str(), wrong, got.size(), first.c_str());
  }
  void expect(bool ok, const std::string& what) {
    ++checks_;
    if (ok) return;
    ++failures_;
    std::printf("FAIL %s\n", what.c_str());
  }

  template <class T>
  std::vector<T> random(std::size_t count, long low, long high) {
    std::uniform_int_distribution<long> of(low, high);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(of(random_));
    return values;
  }
  /// All bits at random.
  template <class T>
  std::vector<T> random_bits(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(random_());
    return values;
  }

  int failures() const { return failures_; }
  int checks() const { return checks_; }

 private:
  template <class T>
  static bool same(T got, T want, double relative) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
      if (relative != 0)
        return std::abs(static_cast<double>(got) - static_cast<double>(want)) <=
               relative * std::abs(static_cast<double>(want));
    }
    if constexpr (std::is_same_v<T, float>)
      return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
    else
      return got == want;
  }

  Session& session_;
  std::string directory_;
  std::mt19937_64 random_{61};
  int failures_ = 0, checks_ = 0;
};

void algorithms(Checks& checks);
void arithmetic(Checks& checks);

}  // namespace programs
