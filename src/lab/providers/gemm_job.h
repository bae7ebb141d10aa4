// SPDX-License-Identifier: Apache-2.0
//
// What a provider's helper program is asked to do. The vendor's libraries are linked by helpers only: the command works
// without them, and an error inside one ends the helper, not the command. All matrices are row major; a transposed one
// is stored as its transpose. Operands come from files and the result goes to one, as raw elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace xeforge::lab::providers {

enum class Element : std::uint8_t { Bf16, F16, F32, S8 };

struct GemmJob {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;           ///< matrices one behind the other
  Element element = Element::Bf16;  ///< of A and B; C is float, int32 for S8
  bool transpose_a = false, transpose_b = false;
  float alpha = 1, beta = 0;
  std::vector<std::byte> a, b, c;  ///< c: its old content, and the result at the end
};

std::size_t size_of(Element element);

/// `main` of a helper: reads the job from the arguments (listed by --help), lets `multiply` fill job.c on the device
/// and writes it. Returns the exit status; errors are said on stderr.
int helper_main(int argc, char** argv, const std::function<void(GemmJob&)>& multiply);

}  // namespace xeforge::lab::providers
