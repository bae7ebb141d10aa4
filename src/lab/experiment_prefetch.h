// SPDX-License-Identifier: Apache-2.0
//
// The experiment on software prefetch that the published study asks for and did not run: shape, old C read or not, and
// prefetch varied independently of each other, alternating, with the same inputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/provider.h"

namespace xeforge::lab {

struct PrefetchDesign {
  std::vector<gemm::Shape> shapes{{256, 512, 128}, {1024, 1536, 512}};
  std::vector<double> betas{0, 1};
  std::vector<unsigned> distances{0, 1, 2};  ///< 0: off; has to be the first
  unsigned batches = 2;                      ///< every cell once per batch; every other batch backwards
};

struct PrefetchCell {
  BenchShape shape;
  unsigned distance = 0;
  std::vector<BenchCase> runs;  ///< one per batch

  const BenchCase& first() const { return runs.front(); }
  /// Mean over the runs; nullopt if the device gave no simulated time.
  std::optional<double> simulated_us() const;
};

/// Percent that a cell has more than the same shape and beta without prefetch.
struct PrefetchChange {
  const PrefetchCell* cell = nullptr;
  double instructions = 0, sends = 0, payload = 0;
  std::optional<double> simulated;
};

/// Mean change at one level of a factor: what prefetch does on average, and how that depends on shape and beta.
struct PrefetchEffect {
  unsigned distance = 0;
  double all = 0;
  double beta_interaction = 0;   ///< mean with old C read minus mean without
  double shape_interaction = 0;  ///< mean at the last shape minus mean at the first
};

struct PrefetchResult {
  std::vector<PrefetchCell> cells;
  std::vector<std::string> problems;  ///< wrong elements, a kernel that failed, counts that differ between batches

  std::vector<PrefetchChange> changes() const;
  /// Of the number that `value` takes from a change.
  std::vector<PrefetchEffect> effects(const std::function<double(const PrefetchChange&)>& value) const;
};

/// `run(provider id, shape, data)` computes one case.
using RunCase = std::function<BenchCase(const std::string&, const BenchShape&, const TestData&)>;
PrefetchResult run_prefetch_experiment(const PrefetchDesign& design, const RunCase& run);

enum class TableStyle { Terminal, Csv, Markdown };
/// One line per cell; the column of simulated time only if there is one.
std::string prefetch_table(const PrefetchResult& result, TableStyle style);
/// The effects in words and numbers.
std::string prefetch_summary(const PrefetchResult& result);
std::string prefetch_json(const std::string& device, const PrefetchResult& result);
/// Changes of simulated time if there are any, else of instructions and messages.
std::string prefetch_plot(const std::string& device, const PrefetchResult& result);

}  // namespace xeforge::lab
