// SPDX-License-Identifier: Apache-2.0
//
// The shapes of `xeforge bench --shapes`.
#pragma once

#include <string>
#include <vector>

#include "lab/provider.h"

namespace xeforge::lab {

/// What shapes are multiplied with where they do not say it themselves.
struct BenchVariants {
  std::vector<std::string> types{"bf16"}, transposes{"nn"}, layouts{"row"}, factors{"1:0"};
  std::uint32_t batch = 1;
};

/// A comma-separated list of MxNxK[:alpha:beta][:WORD...] (a size may be FIRST-LAST or FIRST-LAST/STEP) and
/// FIRST:LAST:STEP[:WORD...] (square ones), of files of them, one a line, as such or as CSV columns m,n,k ('#' begins a
/// comment), and of names of built-in sets. Words: a type (bf16, f16, f32, s8, u8, or of A and B: u8s8, s8u8),
/// transposes (nn, nt, tn, tt), bNUMBER for a batch, row or col. Throws UserError that names the wrong entry.
std::vector<BenchShape> parse_bench_shapes(const std::string& text, const BenchVariants& variants = {});

/// Names of the built-in sets (data/shapes).
std::vector<std::string> bench_shape_sets();

/// As parse_bench_shapes() reads it.
std::string to_string(const BenchShape& shape);

}  // namespace xeforge::lab
