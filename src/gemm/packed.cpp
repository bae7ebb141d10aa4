// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/packed.h"

#include <new>
#include <string>
#include <type_traits>

#include "gemm/packing.h"
#include "gemm/require.h"

namespace xeforge::gemm {

namespace {

using layout::MicroTilesOfA;
using layout::OperandsOfA;
using layout::OperandsOfB;
using layout::VnniOfB;

template <class Layout>
struct Functions;
template <>
struct Functions<OperandsOfA> {
  static constexpr auto kPack = pack_a_operands;
  static constexpr auto kUnpack = unpack_a_operands;
};
template <>
struct Functions<MicroTilesOfA> {
  static constexpr auto kPack = pack_a_micro_tiles;
  static constexpr auto kUnpack = unpack_a_micro_tiles;
};
template <>
struct Functions<VnniOfB> {
  static constexpr auto kPack = pack_b_vnni;
  static constexpr auto kUnpack = unpack_b_vnni;
};
template <>
struct Functions<OperandsOfB> {
  static constexpr auto kPack = pack_b_operands;
  static constexpr auto kUnpack = unpack_b_operands;
};

template <class Layout>
void require_sizes_of(std::size_t rows, std::size_t columns) {
  const std::string what = Layout::kName;
  require_size(what + ": rows", static_cast<std::int64_t>(rows), Layout::kRows);
  require_size(what + ": columns", static_cast<std::int64_t>(columns), Layout::kColumns);
}

}  // namespace

template <class Layout>
Packed<Layout> Packed<Layout>::pack(sycl::queue queue, std::span<const Bf16> matrix, std::size_t rows,
                                    std::size_t columns) {
  require_sizes_of<Layout>(rows, columns);
  if (matrix.size() != rows * columns) {
    throw Error(Status::ShapeMismatch, std::string(Layout::kName) + ": the matrix has " +
                                           std::to_string(matrix.size()) + " elements, not " + std::to_string(rows) +
                                           " x " + std::to_string(columns));
  }
  std::vector<Element> words(matrix.size() * sizeof(Bf16) / sizeof(Element));
  Functions<Layout>::kPack(matrix, rows, columns, words);
  const sycl::context context = queue.get_context();
  Element* const memory = sycl::malloc_device<Element>(words.size(), queue);
  if (memory == nullptr) throw std::bad_alloc();
  std::shared_ptr<const Element> data(memory, [context](Element* pointer) { sycl::free(pointer, context); });
  queue.memcpy(memory, words.data(), words.size() * sizeof(Element)).wait_and_throw();
  return Packed(context, std::move(data), rows, columns);
}

template <class Layout>
Packed<Layout> Packed<Layout>::pack(sycl::queue queue, std::span<const sycl::ext::oneapi::bfloat16> matrix,
                                    std::size_t rows, std::size_t columns) {
  static_assert(sizeof(sycl::ext::oneapi::bfloat16) == sizeof(Bf16) &&
                std::is_standard_layout_v<sycl::ext::oneapi::bfloat16>);
  return pack(std::move(queue), std::span(reinterpret_cast<const Bf16*>(matrix.data()), matrix.size()), rows, columns);
}

template <class Layout>
Packed<Layout> Packed<Layout>::view(const sycl::queue& queue, const Element* data, std::size_t rows,
                                    std::size_t columns) {
  require_sizes_of<Layout>(rows, columns);
  require_aligned(Layout::kName, data);
  require_device_memory(Layout::kName, data, rows * columns * sizeof(Bf16), queue.get_context(), queue.get_device());
  return Packed(queue.get_context(), std::shared_ptr<const Element>(data, [](const Element*) {}), rows, columns);
}

template <class Layout>
std::vector<Bf16> Packed<Layout>::unpack(sycl::queue queue) const {
  if (queue.get_context() != context_) {
    throw Error(Status::WrongDevice, std::string(Layout::kName) + " was packed for another context than the queue's");
  }
  std::vector<Element> words(bytes() / sizeof(Element));
  queue.memcpy(words.data(), data_.get(), bytes()).wait_and_throw();
  std::vector<Bf16> matrix(rows_ * columns_);
  Functions<Layout>::kUnpack(words, rows_, columns_, matrix);
  return matrix;
}

template class Packed<OperandsOfA>;
template class Packed<MicroTilesOfA>;
template class Packed<VnniOfB>;
template class Packed<OperandsOfB>;

}  // namespace xeforge::gemm
