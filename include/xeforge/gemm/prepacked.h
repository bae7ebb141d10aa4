// SPDX-License-Identifier: Apache-2.0
//
// A matrix that was brought into the order of the kernels before: weights, that are packed once and used often. Which
// operand it is stands in the type. Gemm::pack_a() and pack_b() make it, on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include <sycl/sycl.hpp>

#include "xeforge/gemm/problem.h"

namespace xeforge::gemm {

enum class Side : std::uint8_t { A, B };

/// What was packed.
struct PackedMatrix {
  std::int64_t rows = 0, columns = 0;  ///< of op(A) or op(B)
  std::int64_t batch = 1;              ///< 1 serves every batch
  Type type = Type::Bf16;
  Precision precision = Precision::Full;
  Order order = Order::Rows;  ///< of the problems that it can be used in
  /// Rows of A or columns of B that lie together: the width of the matrix engine's operands; 1 without such an engine.
  std::uint32_t unit = 1;
  friend bool operator==(const PackedMatrix&, const PackedMatrix&) = default;
};

/// Copies share the memory; it must live until the kernels that read it have ended.
template <Side S>
class Prepacked {
 public:
  const PackedMatrix& matrix() const { return matrix_; }
  const void* data() const { return data_.get(); }
  std::size_t bytes() const;
  const sycl::context& context() const { return context_; }

  /// Writes a file: a header that says what it is, with checks of itself and of what follows, and the packed matrix. A
  /// file appears whole or not at all. Throws std::runtime_error if it cannot be written.
  void save(sycl::queue queue, const std::filesystem::path& file) const;
  /// Reads such a file into memory of the queue's device. Throws Error BadFile: not readable, damaged, of the other
  /// operand, or packed for another kind of device.
  static Prepacked load(sycl::queue queue, const std::filesystem::path& file);

 private:
  friend class Gemm;
  Prepacked(sycl::context context, std::shared_ptr<const std::byte> data, const PackedMatrix& matrix)
      : context_(std::move(context)), data_(std::move(data)), matrix_(matrix) {}

  sycl::context context_;
  std::shared_ptr<const std::byte> data_;
  PackedMatrix matrix_;
};

using PrepackedA = Prepacked<Side::A>;
using PrepackedB = Prepacked<Side::B>;
extern template class Prepacked<Side::A>;
extern template class Prepacked<Side::B>;

}  // namespace xeforge::gemm
