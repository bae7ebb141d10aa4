// SPDX-License-Identifier: Apache-2.0
//
// One rung, run once and checked: every element of C, the inputs, the memory around all three.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <sycl/sycl.hpp>

#include "gemm/kernel_library.h"
#include "gemm/launch.h"
#include "lab/driver_reports.h"
#include "lab/test_data.h"

namespace xeforge::lab {

struct RungResult {
  const gemm::Rung* rung = nullptr;
  gemm::Shape shape;
  std::string device;
  std::string not_run;  ///< why it was not run: refused for this device or shape; empty if it was
  std::string problem;  ///< fault, wrong elements, damaged memory, wrong register count; empty if fine
  Verification verified;
  std::optional<KernelReport> report;  ///< absent on a real device
  double pack_us = 0, host_wall_us = 0;
  std::uint64_t packed_bytes = 0;  ///< of operands that the host packed in pack_us; 0: none
  double host_user_us = 0;         ///< processor time in user mode behind host_wall_us

  bool ok() const { return not_run.empty() && problem.empty(); }
};

/// Runs rungs on one device, with the same inputs for rungs of the same shape.
class RungRunner {
 public:
  RungRunner(std::string device_id, gemm::KernelLibrary::Progress progress);

  /// Never throws for what a rung does; the result says it.
  RungResult run(const gemm::Rung& rung, const gemm::Shape& shape);

  const gemm::Features& features() const { return features_; }
  std::string device_name() const { return queue_.get_device().get_info<sycl::info::device::name>(); }
  const gemm::KernelLibrary& library() const { return library_; }
  const sycl::queue& queue() const { return queue_; }
  const gemm::KernelLibrary::Progress& progress() const { return progress_; }

 private:
  void execute(RungResult& result);
  const TestData& data_of(const gemm::Shape& shape);

  std::string device_id_;
  gemm::KernelLibrary::Progress progress_;
  sycl::queue queue_;
  gemm::Features features_;
  gemm::KernelLibrary library_;
  std::unique_ptr<TestData> data_;
};

}  // namespace xeforge::lab
