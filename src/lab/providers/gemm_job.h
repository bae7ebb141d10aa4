// SPDX-License-Identifier: Apache-2.0
//
// What a provider's helper program is asked to do. The vendor's libraries are linked by helpers only: the command works
// without them, and an error inside one ends the helper, not the command. Operands come from files and the result goes
// to one, as raw elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/element.h"

namespace xeforge::lab::providers {

struct GemmJob {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;  ///< matrices one behind the other
  Element element_a = Element::Bf16, element_b = Element::Bf16;
  Element element_c = Element::F32;  ///< of C where A and B are not integers
  /// A transposed operand is stored as its transpose; all matrices are stored by rows, or all by columns.
  bool transpose_a = false, transpose_b = false, column_major = false;
  float alpha = 1, beta = 0;
  std::vector<std::byte> a, b, c;  ///< c: its old content, and the result at the end

  bool no_data = false;  ///< operands are zeros and the result is left: only the launch is wanted

  /// C is int32 then, else of element_c.
  bool integer() const { return row_of(element_a).integer && row_of(element_b).integer; }
  std::size_t bytes_of_c() const { return integer() ? 4 : row_of(element_c).bytes; }
  /// Elements between the beginnings of two rows (columns) of A, B and C as they are stored.
  std::int64_t lda() const { return transpose_a == column_major ? k : m; }
  std::int64_t ldb() const { return transpose_b == column_major ? n : k; }
  std::int64_t ldc() const { return column_major ? m : n; }
};

/// The library has no call for it.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `main` of a helper. With arguments (listed by --help): does that one job. Without: does the jobs that stdin names,
/// one a line with the same arguments, and answers each with a line on stdout: "ok SECONDS" (of processor time in user
/// mode, since the last answer, children included), "cannot TEXT" for what is Unsupported, or "error TEXT". `multiply`
/// fills job.c on the device. With --library-version alone: prints `version`, the library's.
int helper_main(int argc, char** argv, const std::string& version, const std::function<void(GemmJob&)>& multiply);

}  // namespace xeforge::lab::providers
