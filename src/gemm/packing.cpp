// SPDX-License-Identifier: Apache-2.0
#include "gemm/packing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "gemm/packing_loops.h"

namespace xeforge::gemm {

namespace {

void require_multiple(const char* what, std::size_t value, std::size_t of) {
  if (value == 0 || value % of != 0) {
    throw std::invalid_argument(std::string("packing: ") + what + " = " + std::to_string(value) +
                                " is not a positive multiple of " + std::to_string(of));
  }
}

void require_elements(const char* what, std::size_t have, std::size_t need) {
  if (have != need) {
    throw std::invalid_argument(std::string("packing: ") + what + " has " + std::to_string(have) + " elements, not " +
                                std::to_string(need));
  }
}

/// Runs `body(i)` for i in [0, count), in pieces of about 64 KB so that small matrices stay on one thread.
template <class Body>
void for_each(std::size_t count, std::size_t bytes_each, const Body& body) {
  const std::size_t grain = std::max<std::size_t>(1, 65536 / std::max<std::size_t>(1, bytes_each));
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                    });
}

void require_a_operands(std::size_t m, std::size_t k, std::size_t a_elements, std::size_t packed_elements) {
  require_elements("A", a_elements, m * k);
  require_elements("packed A", packed_elements, m * k);
  require_multiple("M", m, 128);
  require_multiple("K", k, 32);
}

void require_b_operands(std::size_t k, std::size_t n, std::size_t b_elements, std::size_t packed_words) {
  require_elements("B", b_elements, k * n);
  require_elements("packed B", packed_words, k / 2 * n);
  require_multiple("K", k, 32);
  require_multiple("N", n, 64);
}

void require_micro_tiles(std::size_t m, std::size_t k, std::size_t a_elements, std::size_t packed_elements) {
  require_elements("A", a_elements, m * k);
  require_elements("packed A", packed_elements, m * k);
  require_multiple("M", m, 8);
  require_multiple("K", k, 16);
}

void require_vnni(std::size_t k, std::size_t n, std::size_t b_elements, std::size_t packed_words) {
  require_multiple("K", k, 2);
  require_multiple("N", n, 1);
  require_elements("B", b_elements, k * n);
  require_elements("packed B", packed_words, k / 2 * n);
}

/// Where the rows of thread row `row` begin in operand-order A.
std::size_t a_operand_slot(std::size_t row, std::size_t k) {
  return row / 8 * (k / 32) * kAOperandBlock + row % 8 * 512;
}

}  // namespace

const PackingLoops& packing_loops() {
#ifdef XEFORGE_PACKING_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2) return packing_avx2::loops();
#endif
  return packing_baseline::loops();
}

Bf16 to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<Bf16>(bits >> 16 | 0x40);
  return static_cast<Bf16>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

float from_bf16(Bf16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16); }

void pack_b_vnni(std::span<const Bf16> b, std::size_t k, std::size_t n, std::span<std::uint32_t> packed) {
  require_vnni(k, n, b.size(), packed.size());
  for_each(k / 2, 4 * n, [&, pack = packing_loops().pack_vnni](std::size_t row) {
    pack(&b[2 * row * n], &b[(2 * row + 1) * n], &packed[row * n], n);
  });
}

void unpack_b_vnni(std::span<const std::uint32_t> packed, std::size_t k, std::size_t n, std::span<Bf16> b) {
  require_vnni(k, n, b.size(), packed.size());
  for_each(k / 2, 4 * n, [&, unpack = packing_loops().unpack_vnni](std::size_t row) {
    unpack(&packed[row * n], &b[2 * row * n], &b[(2 * row + 1) * n], n);
  });
}

void pack_a_operands(std::span<const Bf16> a, std::size_t m, std::size_t k, std::span<Bf16> packed) {
  require_a_operands(m, k, a.size(), packed.size());
  for_each(m / 16, 32 * k, [&, pack = packing_loops().pack_a_operands](std::size_t row) {
    pack(&a[row * 16 * k], k, k / 32, &packed[a_operand_slot(row, k)]);
  });
}

void unpack_a_operands(std::span<const Bf16> packed, std::size_t m, std::size_t k, std::span<Bf16> a) {
  require_a_operands(m, k, a.size(), packed.size());
  for_each(m / 16, 32 * k, [&, unpack = packing_loops().unpack_a_operands](std::size_t row) {
    unpack(&packed[a_operand_slot(row, k)], k / 32, &a[row * 16 * k], k);
  });
}

void pack_b_operands(std::span<const Bf16> b, std::size_t k, std::size_t n, std::span<std::uint32_t> packed) {
  require_b_operands(k, n, b.size(), packed.size());
  for_each(k / 32, 64 * n, [&, pack = packing_loops().pack_b_operands](std::size_t row) {
    pack(&b[row * 32 * n], n, n / 64, &packed[row * kBOperandBlock], k / 32 * kBOperandBlock);
  });
}

void unpack_b_operands(std::span<const std::uint32_t> packed, std::size_t k, std::size_t n, std::span<Bf16> b) {
  require_b_operands(k, n, b.size(), packed.size());
  for_each(k / 32, 64 * n, [&, unpack = packing_loops().unpack_b_operands](std::size_t row) {
    unpack(&packed[row * kBOperandBlock], k / 32 * kBOperandBlock, n / 64, &b[row * 32 * n], n);
  });
}

void pack_a_micro_tiles(std::span<const Bf16> a, std::size_t m, std::size_t k, std::span<Bf16> packed) {
  require_micro_tiles(m, k, a.size(), packed.size());
  for_each(m / 8, 16 * k, [&, pack = packing_loops().pack_micro_tiles](std::size_t row) {
    pack(&a[row * 8 * k], k, k / 16, &packed[row * 8 * k]);
  });
}

void unpack_a_micro_tiles(std::span<const Bf16> packed, std::size_t m, std::size_t k, std::span<Bf16> a) {
  require_micro_tiles(m, k, a.size(), packed.size());
  for_each(m / 8, 16 * k, [&, unpack = packing_loops().unpack_micro_tiles](std::size_t row) {
    unpack(&packed[row * 8 * k], k / 16, &a[row * 8 * k], k);
  });
}

}  // namespace xeforge::gemm
