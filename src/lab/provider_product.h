// SPDX-License-Identifier: Apache-2.0
//
// A product that the lab itself launches for a provider: operands between guard bands, every element and every byte
// around them looked at afterwards.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include <sycl/sycl.hpp>

#include "lab/guarded_buffer.h"
#include "lab/provider.h"

namespace xeforge::lab {

class ProductOnDevice {
 public:
  /// A and B as the kernels get them. C holds what stored_c() says.
  ProductOnDevice(sycl::queue queue, const BenchShape& shape, const TestData& data, std::vector<std::byte> a,
                  std::vector<std::byte> b);

  void* a() const { return on_a_.data(); }
  void* b() const { return on_b_.data(); }
  void* c() const { return on_c_.data(); }

  /// Runs `multiply`, which submits the product and nothing else. The result gets its time, its kernels and its
  /// problem.
  void run(BenchCase& result, const TestData& data, const std::function<sycl::event()>& multiply);

 private:
  sycl::queue queue_;
  std::vector<std::byte> a_, b_;
  std::size_t bytes_of_c_;
  GuardedBuffer on_a_, on_b_, on_c_;
};

/// The problem of a product that ended with an exception: the kernel's fault, where the driver knows one.
void report_exception(BenchCase& result, const std::exception& error);

}  // namespace xeforge::lab
