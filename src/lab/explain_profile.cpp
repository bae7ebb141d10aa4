// SPDX-License-Identifier: Apache-2.0
#include "lab/explain_profile.h"

#include <algorithm>
#include <stdexcept>

namespace xeforge::lab {

namespace {

/// Executions of each instruction: threads of the same path share its blocks.
std::vector<std::uint64_t> executions(const observe::Recording& recording) {
  std::vector<std::uint64_t> of_path(recording.paths.size()), of_block(recording.blocks.size());
  for (const auto& thread : recording.threads) ++of_path.at(thread.path);
  for (std::size_t path = 0; path < recording.paths.size(); ++path) {
    for (const std::uint16_t block : recording.paths[path]) of_block.at(block) += of_path[path];
  }
  std::vector<std::uint64_t> executed(recording.program->instructions().size());
  for (std::size_t i = 0; i < recording.blocks.size(); ++i) {
    const auto& block = recording.blocks[i];
    for (std::uint32_t at = block.first; at < block.first + block.count; ++at) executed.at(at) += of_block[i];
  }
  return executed;
}

observe::Counters counts_of(const isa::Program& program, const std::vector<std::uint64_t>& executed, std::size_t begin,
                            std::size_t end) {
  machine::ExecutionCounts only;
  only.executed.resize(executed.size());
  std::copy(executed.begin() + static_cast<std::ptrdiff_t>(begin), executed.begin() + static_cast<std::ptrdiff_t>(end),
            only.executed.begin() + static_cast<std::ptrdiff_t>(begin));
  return observe::count(program, only);
}

}  // namespace

const LoopProfile* KernelProfile::hottest() const {
  const LoopProfile* best = nullptr;
  for (const LoopProfile& loop : loops) {
    if (loop.loop.innermost && (best == nullptr || loop.executed > best->executed)) best = &loop;
  }
  return best;
}

KernelProfile profile(observe::Recording recording) {
  if (!recording.program) throw std::runtime_error("the recording of " + recording.kernel + " holds no program");
  KernelProfile result;
  result.kernel = short_name(recording.kernel);
  result.device = recording.device;
  result.threads = recording.threads.size();
  result.executed = executions(recording);
  const isa::Program& program = *recording.program;
  const std::size_t size = result.executed.size();
  result.counts = counts_of(program, result.executed, 0, size);
  for (const Loop& loop : find_loops(program)) {
    LoopProfile of_loop;
    of_loop.counts = counts_of(program, result.executed, loop.begin, loop.end);
    of_loop.executed = of_loop.counts.instructions;
    of_loop.trips = result.executed.at(loop.end - 1);
    of_loop.loop = loop;
    result.loops.push_back(of_loop);
  }
  ProfileColumn executed{"executed", {}};
  for (const std::uint64_t count : result.executed) executed.cells.push_back(std::to_string(count));
  result.columns.push_back(std::move(executed));
  result.recording = std::move(recording);
  return result;
}

}  // namespace xeforge::lab
