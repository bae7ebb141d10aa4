// SPDX-License-Identifier: Apache-2.0
//
// Operands in the layout that a kernel reads, with the layout in the type: handing an operand to a kernel that reads
// another layout does not compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sycl/sycl.hpp>

#include "xeforge/gemm/problem.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

using Bf16 = std::uint16_t;  ///< the bits of a bfloat16

/// Layouts. `Element` is what lies in memory; the rows and columns of the matrix must be multiples of kRows and
/// kColumns. The exact order of the elements: src/gemm/packing.h.
namespace layout {

/// A for the ESIMD kernels: 128x32 blocks, in them the 8x16 operands of each thread row one after another.
struct OperandsOfA {
  using Element = Bf16;
  static constexpr std::size_t kRows = 128, kColumns = 32;
  static constexpr const char* kName = "A in operand order";
};

/// A as contiguous 8x16 tiles [M/8][K/16][8][16].
struct MicroTilesOfA {
  using Element = Bf16;
  static constexpr std::size_t kRows = 8, kColumns = 16;
  static constexpr const char* kName = "A in micro-tiles";
};

/// B as words [K/2][N] of two rows: the low half of word (r, n) is B[2r][n], the high half B[2r+1][n].
struct VnniOfB {
  using Element = std::uint32_t;
  static constexpr std::size_t kRows = 2, kColumns = 1;
  static constexpr const char* kName = "B as VNNI words";
};

/// B in 32x64 blocks of the words that operands consist of.
struct OperandsOfB {
  using Element = std::uint32_t;
  static constexpr std::size_t kRows = 32, kColumns = 64;
  static constexpr const char* kName = "B in operand order";
};

}  // namespace layout

/// A packed matrix in memory of a queue's device. Copies share the memory; it must live until the kernels that read it
/// have ended. All functions throw Error as each says.
template <class Layout>
class Packed {
 public:
  using Element = typename Layout::Element;

  /// Packs a row-major matrix that the host can read, and copies it to the device. Blocks until that is done. BadSize,
  /// SizeNotMultiple, ShapeMismatch (the span does not hold rows * columns elements); std::bad_alloc.
  static Packed pack(sycl::queue queue, std::span<const Bf16> matrix, std::size_t rows, std::size_t columns);
  static Packed pack(sycl::queue queue, std::span<const sycl::ext::oneapi::bfloat16> matrix, std::size_t rows,
                     std::size_t columns);

  /// Memory that holds the packed matrix already and that the caller keeps alive. Also NullPointer, MisalignedPointer,
  /// NotDeviceMemory, WrongDevice.
  static Packed view(const sycl::queue& queue, const Element* data, std::size_t rows, std::size_t columns);

  /// The row-major matrix again.
  std::vector<Bf16> unpack(sycl::queue queue) const;

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  const Element* data() const { return data_.get(); }
  std::size_t bytes() const { return rows_ * columns_ * sizeof(Bf16); }
  const sycl::context& context() const { return context_; }

 private:
  Packed(sycl::context context, std::shared_ptr<const Element> data, std::size_t rows, std::size_t columns)
      : context_(std::move(context)), data_(std::move(data)), rows_(rows), columns_(columns) {}

  sycl::context context_;
  std::shared_ptr<const Element> data_;
  std::size_t rows_, columns_;
};

extern template class Packed<layout::OperandsOfA>;
extern template class Packed<layout::MicroTilesOfA>;
extern template class Packed<layout::VnniOfB>;
extern template class Packed<layout::OperandsOfB>;

}  // namespace xeforge::gemm
