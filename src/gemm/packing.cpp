// SPDX-License-Identifier: Apache-2.0
#include "gemm/packing.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

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

/// Interleaves `count` elements of two rows into words.
void interleave(const Bf16* low, const Bf16* high, std::uint32_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) words[i] = low[i] | static_cast<std::uint32_t>(high[i]) << 16;
}

void deinterleave(const std::uint32_t* words, Bf16* low, Bf16* high, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    low[i] = static_cast<Bf16>(words[i]);
    high[i] = static_cast<Bf16>(words[i] >> 16);
  }
}

/// Calls `line(matrix offset, packed offset)` for every run of 16 elements of operand-order A.
template <class Line>
void for_each_a_operand_line(std::size_t m, std::size_t k, const Line& line) {
  require_multiple("M", m, 128);
  require_multiple("K", k, 32);
  const std::size_t k_blocks = k / 32;
  for_each(m / 128 * k_blocks, 8192, [&](std::size_t block) {
    const std::size_t row0 = block / k_blocks * 128, column0 = block % k_blocks * 32;
    for (std::size_t row = 0; row < 128; ++row) {
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t operand = row % 16 / 8 * 2 + half;
        const std::size_t packed = block * 4096 + row / 16 * 512 + operand * 128 + row % 8 * 16;
        line((row0 + row) * k + column0 + half * 16, packed);
      }
    }
  });
}

/// Calls `line(matrix offset of the upper row, packed offset)` for every run of 8 words of operand-order B.
template <class Line>
void for_each_b_operand_line(std::size_t k, std::size_t n, const Line& line) {
  require_multiple("K", k, 32);
  require_multiple("N", n, 64);
  const std::size_t k_blocks = k / 32;
  for_each(n / 64 * k_blocks, 4096, [&](std::size_t block) {
    const std::size_t column0 = block / k_blocks * 64, word_row0 = block % k_blocks * 16;
    for (std::size_t row = 0; row < 16; ++row) {
      for (std::size_t piece = 0; piece < 8; ++piece) {
        const std::size_t segment = row / 8 * 2 + piece % 2;
        const std::size_t packed = block * 1024 + segment * 256 + piece / 2 * 64 + row % 8 * 8;
        line(2 * (word_row0 + row) * n + column0 + piece * 8, packed);
      }
    }
  });
}

template <class Line>
void for_each_micro_line(std::size_t m, std::size_t k, const Line& line) {
  require_multiple("M", m, 8);
  require_multiple("K", k, 16);
  const std::size_t k_tiles = k / 16;
  for_each(m / 8, 16 * k, [&](std::size_t tile_row) {
    for (std::size_t tile = 0; tile < k_tiles; ++tile) {
      for (std::size_t row = 0; row < 8; ++row) {
        line((tile_row * 8 + row) * k + tile * 16, (tile_row * k_tiles + tile) * 128 + row * 16);
      }
    }
  });
}

constexpr std::size_t kLineBytes = 16 * sizeof(Bf16);

}  // namespace

Bf16 to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<Bf16>(bits >> 16 | 0x40);
  return static_cast<Bf16>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

float from_bf16(Bf16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16); }

void pack_b_vnni(std::span<const Bf16> b, std::size_t k, std::size_t n, std::span<std::uint32_t> packed) {
  require_multiple("K", k, 2);
  require_multiple("N", n, 1);
  require_elements("B", b.size(), k * n);
  require_elements("packed B", packed.size(), k / 2 * n);
  for_each(k / 2, 4 * n,
           [&](std::size_t row) { interleave(&b[2 * row * n], &b[(2 * row + 1) * n], &packed[row * n], n); });
}

void unpack_b_vnni(std::span<const std::uint32_t> packed, std::size_t k, std::size_t n, std::span<Bf16> b) {
  require_multiple("K", k, 2);
  require_multiple("N", n, 1);
  require_elements("B", b.size(), k * n);
  require_elements("packed B", packed.size(), k / 2 * n);
  for_each(k / 2, 4 * n,
           [&](std::size_t row) { deinterleave(&packed[row * n], &b[2 * row * n], &b[(2 * row + 1) * n], n); });
}

void pack_a_operands(std::span<const Bf16> a, std::size_t m, std::size_t k, std::span<Bf16> packed) {
  require_elements("A", a.size(), m * k);
  require_elements("packed A", packed.size(), m * k);
  for_each_a_operand_line(m, k,
                          [&](std::size_t from, std::size_t to) { std::memcpy(&packed[to], &a[from], kLineBytes); });
}

void unpack_a_operands(std::span<const Bf16> packed, std::size_t m, std::size_t k, std::span<Bf16> a) {
  require_elements("A", a.size(), m * k);
  require_elements("packed A", packed.size(), m * k);
  for_each_a_operand_line(m, k,
                          [&](std::size_t to, std::size_t from) { std::memcpy(&a[to], &packed[from], kLineBytes); });
}

void pack_b_operands(std::span<const Bf16> b, std::size_t k, std::size_t n, std::span<std::uint32_t> packed) {
  require_elements("B", b.size(), k * n);
  require_elements("packed B", packed.size(), k / 2 * n);
  for_each_b_operand_line(
      k, n, [&](std::size_t from, std::size_t to) { interleave(&b[from], &b[from + n], &packed[to], 8); });
}

void unpack_b_operands(std::span<const std::uint32_t> packed, std::size_t k, std::size_t n, std::span<Bf16> b) {
  require_elements("B", b.size(), k * n);
  require_elements("packed B", packed.size(), k / 2 * n);
  for_each_b_operand_line(
      k, n, [&](std::size_t to, std::size_t from) { deinterleave(&packed[from], &b[to], &b[to + n], 8); });
}

void pack_a_micro_tiles(std::span<const Bf16> a, std::size_t m, std::size_t k, std::span<Bf16> packed) {
  require_elements("A", a.size(), m * k);
  require_elements("packed A", packed.size(), m * k);
  for_each_micro_line(m, k, [&](std::size_t from, std::size_t to) { std::memcpy(&packed[to], &a[from], kLineBytes); });
}

void unpack_a_micro_tiles(std::span<const Bf16> packed, std::size_t m, std::size_t k, std::span<Bf16> a) {
  require_elements("A", a.size(), m * k);
  require_elements("packed A", packed.size(), m * k);
  for_each_micro_line(m, k, [&](std::size_t to, std::size_t from) { std::memcpy(&a[to], &packed[from], kLineBytes); });
}

}  // namespace xeforge::gemm
