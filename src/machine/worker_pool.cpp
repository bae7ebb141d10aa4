// SPDX-License-Identifier: Apache-2.0
#include "machine/worker_pool.h"

#include <exception>

namespace xeforge::machine {

WorkerPool& WorkerPool::instance() {
  static WorkerPool pool;
  return pool;
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
    --idle_;
    if (closing_) return;
    Job& job = *jobs_.front();
    const unsigned index = job.next++;
    if (job.next == job.count) jobs_.pop_front();
    ++job.running;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job.work)(index);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error != nullptr && job.error == nullptr) job.error = error;
    if (--job.running == 0) job.finished.notify_all();
  }
}

void WorkerPool::run(unsigned count, const std::function<void(unsigned)>& work) {
  if (count <= 1) {
    work(0);
    return;
  }
  Job job;
  job.work = &work;
  job.count = count;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    for (unsigned have = idle_; have < count - 1; ++have) threads_.emplace_back([this] { serve(); });
  }
  wake_.notify_all();
  std::exception_ptr error;
  try {
    work(0);
  } catch (...) {
    error = std::current_exception();
  }
  std::unique_lock lock(mutex_);
  jobs_.remove(&job);
  job.finished.wait(lock, [&] { return job.running == 0; });
  if (error == nullptr) error = job.error;
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace xeforge::machine
