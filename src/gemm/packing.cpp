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
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/// Interleaves `count` elements of two rows into words. Inlined, because operand-order B calls it for eight words at a
/// time: half as fast again.
[[gnu::always_inline]] inline void interleave(const Bf16* low, const Bf16* high, std::uint32_t* words,
                                              std::size_t count) {
  std::size_t i = 0;
#ifdef __SSE2__
  for (; i + 8 <= count; i += 8) {
    const __m128i l = _mm_loadu_si128(reinterpret_cast<const __m128i*>(low + i));
    const __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(high + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(words + i), _mm_unpacklo_epi16(l, h));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(words + i + 4), _mm_unpackhi_epi16(l, h));
  }
#endif
  for (; i < count; ++i) words[i] = low[i] | static_cast<std::uint32_t>(high[i]) << 16;
}

[[gnu::always_inline]] inline void deinterleave(const std::uint32_t* words, Bf16* low, Bf16* high, std::size_t count) {
  std::size_t i = 0;
#ifdef __SSE2__
  for (; i + 8 <= count; i += 8) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + i));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + i + 4));
    // Extended by the sign, halves pass the saturation of the narrowing unharmed.
    const auto low_half = [](__m128i word) { return _mm_srai_epi32(_mm_slli_epi32(word, 16), 16); };
    _mm_storeu_si128(reinterpret_cast<__m128i*>(low + i), _mm_packs_epi32(low_half(first), low_half(second)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(high + i),
                     _mm_packs_epi32(_mm_srai_epi32(first, 16), _mm_srai_epi32(second, 16)));
  }
#endif
  for (; i < count; ++i) {
    low[i] = static_cast<Bf16>(words[i]);
    high[i] = static_cast<Bf16>(words[i] >> 16);
  }
}

// The order of the loops: a piece of kRun bytes of a row is read or written as a whole, and a few rows are walked
// along, so that each is a stream to the host's prefetchers; what such pieces become in the packed matrix fits into the
// first cache. With the rows of a whole block at once, lines at strides of a power of two would push each other out of
// it.
constexpr std::size_t kRun = 512;

/// Calls `body(begin, end)` for [0, count) in steps of `step`.
template <class Body>
void in_steps(std::size_t count, std::size_t step, const Body& body) {
  for (std::size_t begin = 0; begin < count; begin += step) body(begin, std::min(begin + step, count));
}

/// Calls `line(matrix offset, packed offset)` for every run of 16 elements of operand-order A.
template <class Line>
void for_each_a_operand_line(std::size_t m, std::size_t k, const Line& line) {
  require_multiple("M", m, 128);
  require_multiple("K", k, 32);
  const std::size_t k_blocks = k / 32;
  for_each(m / 16, 32 * k, [&](std::size_t thread_row) {
    const std::size_t slot = thread_row / 8 * k_blocks * 4096 + thread_row % 8 * 512;
    in_steps(k_blocks, kRun / 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = 0; row < 16; ++row) {
        std::size_t from = (thread_row * 16 + row) * k + begin * 32;
        std::size_t to = slot + begin * 4096 + row / 8 * 256 + row % 8 * 16;
        for (std::size_t block = begin; block < end; ++block, from += 32, to += 4096) {
          line(from, to);
          line(from + 16, to + 128);
        }
      }
    });
  });
}

/// Calls `line(matrix offset of the upper row, packed offset)` for every run of 8 words of operand-order B.
template <class Line>
void for_each_b_operand_line(std::size_t k, std::size_t n, const Line& line) {
  require_multiple("K", k, 32);
  require_multiple("N", n, 64);
  const std::size_t k_blocks = k / 32;
  // Half a block: 8 rows of words.
  for_each(2 * k_blocks, 32 * n, [&](std::size_t half) {
    in_steps(n / 64, kRun / 128, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = 0; row < 8; ++row) {
        std::size_t from = (16 * half + 2 * row) * n + begin * 64;
        std::size_t to = (begin * k_blocks + half / 2) * 1024 + half % 2 * 512 + row * 8;
        for (std::size_t block = begin; block < end; ++block, from += 64, to += k_blocks * 1024) {
          for (std::size_t piece = 0; piece < 8; ++piece) line(from + piece * 8, to + piece % 2 * 256 + piece / 2 * 64);
        }
      }
    });
  });
}

template <class Line>
void for_each_micro_line(std::size_t m, std::size_t k, const Line& line) {
  require_multiple("M", m, 8);
  require_multiple("K", k, 16);
  const std::size_t k_tiles = k / 16;
  for_each(m / 8, 16 * k, [&](std::size_t tile_row) {
    in_steps(k_tiles, kRun / 32, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = 0; row < 8; ++row) {
        std::size_t from = (tile_row * 8 + row) * k + begin * 16;
        std::size_t to = (tile_row * k_tiles + begin) * 128 + row * 16;
        for (std::size_t tile = begin; tile < end; ++tile, from += 16, to += 128) line(from, to);
      }
    });
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
