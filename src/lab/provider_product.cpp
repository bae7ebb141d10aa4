// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_product.h"

#include <utility>

#include "lab/driver_reports.h"
#include "lab/provider_operands.h"
#include "lab/stopwatch.h"

namespace xeforge::lab {

ProductOnDevice::ProductOnDevice(sycl::queue queue, const BenchShape& shape, const TestData& data,
                                 std::vector<std::byte> a, std::vector<std::byte> b)
    : queue_(std::move(queue)),
      a_(std::move(a)),
      b_(std::move(b)),
      bytes_of_c_(data.product.size() * sizeof(float)),
      on_a_(queue_, "A", a_.size()),
      on_b_(queue_, "B", b_.size()),
      on_c_(queue_, "C", bytes_of_c_) {
  on_a_.write(a_.data());
  on_b_.write(b_.data());
  on_c_.write(stored_c(shape, data).data());
}

void ProductOnDevice::run(BenchCase& result, const TestData& data, const std::function<sycl::event()>& multiply) {
  take_reports();  // what is not of the product

  const Stopwatch running;
  multiply().wait_and_throw();
  queue_.wait_and_throw();
  result.host_wall_us = running.wall_us();
  result.host_user_us = running.user_us();
  result.kernels = take_reports();

  std::vector<std::byte> found(bytes_of_c_);
  on_c_.read(found.data());
  result.verified = compare(result_by_rows(result.shape, found), result.shape.expected(data), data.shape.n);
  if (result.verified.errors != 0) result.problem = "wrong elements; the first: " + result.verified.first;
  for (const GuardedBuffer* buffer : {&on_a_, &on_b_, &on_c_}) {
    if (const std::string damage = buffer->damage(); !damage.empty()) result.problem = damage;
  }
  if (!on_a_.holds(a_.data())) result.problem = "A was changed";
  if (!on_b_.holds(b_.data())) result.problem = "B was changed";
}

void report_exception(BenchCase& result, const std::exception& error) {
  result.problem = error.what();
  result.kernels = take_reports();
  for (const KernelReport& kernel : result.kernels) {
    if (kernel.fault) result.problem = to_string(*kernel.fault);
  }
}

}  // namespace xeforge::lab
