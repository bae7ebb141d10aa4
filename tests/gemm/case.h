// SPDX-License-Identifier: Apache-2.0
//
// A call of the library with made data, compared with a reference on the CPU. A case is one line of text, so that any
// failure is repeated with XEFORGE_GEMM_CASE='the line' and the test program's filter Cases.*.
#pragma once

#include <cstdint>
#include <string>

#include "xeforge/gemm.h"

namespace xeforge::gemm {

struct Case {
  Problem problem;
  /// Steps with '+' between them: scale, scale.all, scale.columns, scale.rows, bias.all, bias.columns, bias.rows,
  /// residual (each with a type behind it if it is not f32: bias.rows.bf16), residual.c (C itself), relu, gelu,
  /// gelu_tanh, silu, clamp, quantize.
  std::string epilogue;
  std::uint32_t seed = 1;
  bool random = false;          ///< floats of -1 .. 1 with an error budget; else small integers and exact results
  bool device_factors = false;  ///< alpha and beta in device memory
  bool pointers = false;        ///< a batch of pointers
  bool packed_a = false, packed_b = false;
  std::int64_t offset = 0;  ///< elements that each matrix begins behind an aligned address
};

/// "PROBLEM[/epi=...][/seed=N][/random][/device][/pointers][/pa][/pb][/off=N]"
std::string to_string(const Case& line);
Case parse_case(const std::string& text);

/// Multiplies and compares: every element of C; nothing else of its memory changed, nothing of A and B. With beta 0 old
/// C holds NaN, with alpha 0 A and B do. Returns what is wrong, empty if nothing is.
std::string run(Gemm& gemm, const Case& line);

}  // namespace xeforge::gemm
