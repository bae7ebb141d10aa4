// SPDX-License-Identifier: Apache-2.0
//
// What two threads on fused vector engines (DG2) cost each other. The engines share one instruction pointer: while one
// thread is in code that the other does not want, the other waits. The machine executes the threads one by one; here
// their recorded ways are laid over one another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xeforge::observe {

struct PairStep {
  uint32_t pc = 0;
  bool first = false, second = false;  ///< which thread has lanes of its own in it
};

/// The common way of two threads that begin together: at each step the smaller address of the two is executed, and
/// whoever stands there takes part. Compilers lay structured code out so that this rejoins where goto/join do.
/// Which order the hardware really takes is not published; the number of steps is what any rejoining order needs
/// at least.
std::vector<PairStep> fused_way(std::span<const uint32_t> first, std::span<const uint32_t> second);

}  // namespace xeforge::observe
