// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "machine/code.h"
#include "machine/scheduler.h"
#include "machine/worker_pool.h"

namespace xeforge::machine {
namespace {

unsigned host_threads(const RunOptions& options) {
  return options.host_threads != 0 ? options.host_threads : std::max(1u, std::thread::hardware_concurrency());
}

Fault invalid_launch(const Launch& launch, std::string message) {
  Fault fault;
  fault.kind = FaultKind::InvalidLaunch;
  if (launch.kernel != nullptr) fault.kernel = launch.kernel->name;
  fault.message = std::move(message);
  return fault;
}

void execute(const Launch& launch, const RunOptions& options, LaunchResult& result) {
  Payload payload(launch, options);
  if (payload.group_count() == 0) {
    result.counts.executed.resize(launch.kernel->program->instructions().size());
    return;
  }
  Scheduler scheduler(payload, options, resident_groups(launch, payload.context()));
  WorkerPool::instance().run(scheduler.useful_workers(host_threads(options)),
                             [&](unsigned index) { scheduler.work(index); });
  result.counts = scheduler.counts();
  result.fault = scheduler.fault();
}

}  // namespace

ExecutionCounts& ExecutionCounts::operator+=(const ExecutionCounts& other) {
  if (executed.size() < other.executed.size()) executed.resize(other.executed.size());
  for (size_t i = 0; i < other.executed.size(); ++i) executed[i] += other.executed[i];
  threads += other.threads;
  groups += other.groups;
  return *this;
}

LaunchResult run(const Launch& launch, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  LaunchResult result;
  if (launch.kernel == nullptr) {
    result.fault = invalid_launch(launch, "the launch names no kernel");
    return result;
  }
  try {
    execute(launch, options, result);
  } catch (const FaultException& e) {
    result.fault = invalid_launch(launch, e.message);
  } catch (const std::exception& e) {
    // Memory for the launch's own needs, or a group that the occupancy rules call impossible.
    result.fault = invalid_launch(launch, e.what());
  }
  result.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace xeforge::machine
