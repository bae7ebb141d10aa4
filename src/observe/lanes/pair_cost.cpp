// SPDX-License-Identifier: Apache-2.0
#include "observe/lanes/pair_cost.h"

namespace xeforge::observe {

std::vector<PairStep> fused_way(std::span<const uint32_t> first, std::span<const uint32_t> second) {
  std::vector<PairStep> way;
  size_t i = 0, j = 0;
  while (i < first.size() || j < second.size()) {
    const bool first_runs = i < first.size() && (j >= second.size() || first[i] <= second[j]);
    const bool second_runs = j < second.size() && (i >= first.size() || second[j] <= first[i]);
    way.push_back({first_runs ? first[i] : second[j], first_runs, second_runs});
    i += first_runs ? 1 : 0;
    j += second_runs ? 1 : 0;
  }
  return way;
}

}  // namespace xeforge::observe
