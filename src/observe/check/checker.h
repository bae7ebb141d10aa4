// SPDX-License-Identifier: Apache-2.0
//
// The checkers of one launch: set as RunOptions::observation, asked for findings when the run is over.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "machine/launch.h"
#include "machine/observer.h"
#include "observe/check/environment.h"
#include "observe/check/finding.h"
#include "observe/check/memory.h"

namespace xeforge::observe::check {

/// What a check looked at, and what it cost.
struct Work {
  uint64_t launches = 0, threads = 0, instructions = 0, messages = 0, bytes = 0;
  double host_seconds = 0;
  double checker_seconds = 0;  ///< of them in the checkers, estimated from samples

  Work& operator+=(const Work& other);
  /// Time with checks over time without, as estimated.
  double slowdown() const;
};

struct Result {
  std::vector<Finding> findings;
  Work work;
};

class Checker : public machine::Observation {
 public:
  /// `launch` and `environment` must outlive the checker.
  Checker(Selection selection, const machine::Launch& launch, const Environment& environment);
  ~Checker() override;

  /// What the run needs: this observation, and one host thread where the checkers follow all groups together.
  machine::RunOptions options(machine::RunOptions from);

  std::unique_ptr<machine::Observer> begin_worker(const machine::LaunchContext& context) override;
  void end_worker(std::unique_ptr<machine::Observer> observer) override;

  /// After machine::run. A fault that one of the chosen checkers reports is among the findings.
  Result finish(const machine::LaunchResult& result);

 private:
  void judge_arguments();
  void complete(Finding& finding) const;

  const Selection selection_;
  const machine::Launch& launch_;
  const Environment& environment_;
  const ArgumentRules rules_;
  std::mutex mutex_;
  Findings findings_;
  Work work_;
  double checking_ = 0, living_ = 0;  ///< clock ticks of all workers
};

}  // namespace xeforge::observe::check
