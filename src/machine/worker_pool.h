// SPDX-License-Identifier: Apache-2.0
//
// Host threads that are kept from launch to launch. Our own rather than a task library's, because a launch
// asks for an exact number of workers (more than there are cores, in tests) and must never run inside a
// task arena of the program that the driver is loaded into.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace xeforge::machine {

class WorkerPool {
 public:
  static WorkerPool& instance();
  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Calls work(0) here and work(1) ... work(count - 1) on threads of the pool, at the same time. Calls
  /// that no thread has begun when work(0) returns are left out: workers share what there is to do, so
  /// nothing is left for them. Returns when all calls have; the first exception of one is thrown again.
  void run(unsigned count, const std::function<void(unsigned)>& work);

 private:
  struct Job {
    const std::function<void(unsigned)>* work = nullptr;
    unsigned next = 1, count = 1, running = 0;
    std::exception_ptr error;
    std::condition_variable finished;
  };
  void serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Job*> jobs_;
  std::vector<std::thread> threads_;
  unsigned idle_ = 0;
  bool closing_ = false;
};

}  // namespace xeforge::machine
