// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each instruction set, in namespace XEFORGE_PACKING_NS. It uses no inline function of another header
// but intrinsics: the linker keeps one copy of such a function, and it might be the one that not every processor has.
#include "gemm/packing_loops.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace xeforge::gemm::XEFORGE_PACKING_NS {

namespace {

using Half = PackingLoops::Half;
using Word = std::uint32_t;

#ifdef __AVX2__

/// 16 words, of which the first and the last 8 may lie apart.
[[gnu::always_inline]] inline void interleave16(const Half* low, const Half* high, Word* first, Word* last) {
  const __m256i l = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(low));
  const __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(high));
  const __m256i even = _mm256_unpacklo_epi16(l, h), odd = _mm256_unpackhi_epi16(l, h);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(first), _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(last), _mm256_permute2x128_si256(even, odd, 0x31));
}

/// The low halves of 8 words in the lower, the high ones in the upper 16 bytes.
[[gnu::always_inline]] inline __m256i sorted_halves(const Word* words) {
  const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15,  //
                                         0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
  const __m256i value = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
  return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(value, order), 0b11'01'10'00);
}

[[gnu::always_inline]] inline void deinterleave16(const Word* first, const Word* last, Half* low, Half* high) {
  const __m256i f = sorted_halves(first), l = sorted_halves(last);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(low), _mm256_permute2x128_si256(f, l, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(high), _mm256_permute2x128_si256(f, l, 0x31));
}

#else

[[gnu::always_inline]] inline void interleave16(const Half* low, const Half* high, Word* first, Word* last) {
  for (int i = 0; i < 8; ++i) first[i] = low[i] | static_cast<Word>(high[i]) << 16;
  for (int i = 0; i < 8; ++i) last[i] = low[i + 8] | static_cast<Word>(high[i + 8]) << 16;
}

[[gnu::always_inline]] inline void deinterleave16(const Word* first, const Word* last, Half* low, Half* high) {
  for (int i = 0; i < 16; ++i) {
    const Word word = i < 8 ? first[i] : last[i - 8];
    low[i] = static_cast<Half>(word);
    high[i] = static_cast<Half>(word >> 16);
  }
}

#endif

[[gnu::always_inline]] inline void copy16(Half* to, const Half* from) { __builtin_memcpy(to, from, 32); }

/// Where a loop writes or reads pieces that lie apart, the processor does not see the next ones coming: asked for
/// early, their lines cost half (micro-tiles back: 0.40 of a copy before, 0.65 after). Past the end it does nothing.
[[gnu::always_inline]] inline void will_write(const void* at) { __builtin_prefetch(at, 1); }
[[gnu::always_inline]] inline void will_read(const void* at) { __builtin_prefetch(at, 0); }

/// Two lines of 64 bytes ahead along a row of the matrix.
constexpr std::size_t kAhead = 64;

/// Operand-order blocks of a row before the next row (what is written next is two rows or pairs of rows ahead): rows of
/// a large matrix, a power of two apart, meet in few sets of the first cache, where 16 or 32 of them push each other
/// out.
constexpr std::size_t kBlocksTogether = 4;

/// Calls `line(row, block)` for the 16 rows of operand-order A, or pairs of rows of B, of all blocks.
template <class Line>
[[gnu::always_inline]] inline void operand_lines(std::size_t blocks, const Line& line) {
  for (std::size_t begin = 0; begin < blocks; begin += kBlocksTogether) {
    const std::size_t end = begin + kBlocksTogether < blocks ? begin + kBlocksTogether : blocks;
    for (std::size_t row = 0; row < 16; ++row) {
      for (std::size_t block = begin; block < end; ++block) line(row, block);
    }
  }
}

void pack_vnni(const Half* low, const Half* high, Word* words, std::size_t count) {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) interleave16(low + i, high + i, words + i, words + i + 8);
  for (; i < count; ++i) words[i] = low[i] | static_cast<Word>(high[i]) << 16;
}

void unpack_vnni(const Word* words, Half* low, Half* high, std::size_t count) {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    will_write(low + i + kAhead);
    will_write(high + i + kAhead);
    deinterleave16(words + i, words + i + 8, low + i, high + i);
  }
  for (; i < count; ++i) {
    low[i] = static_cast<Half>(words[i]);
    high[i] = static_cast<Half>(words[i] >> 16);
  }
}

/// Calls `line(matrix offset, packed offset)` for every run of 16 elements.
template <class Line>
[[gnu::always_inline]] inline void a_operand_lines(std::size_t pitch, std::size_t k_blocks, const Line& line) {
  operand_lines(
      k_blocks, [=](std::size_t row, std::size_t block) __attribute__((always_inline)) {
        const std::size_t from = row * pitch + block * 32;
        const std::size_t to = block * kAOperandBlock + row / 8 * 256 + row % 8 * 16;
        line(from, to);
        line(from + 16, to + 128);
      });
}

void pack_a_operands(const Half* matrix, std::size_t pitch, std::size_t k_blocks, Half* packed) {
  a_operand_lines(
      pitch, k_blocks, [=](std::size_t from, std::size_t to) __attribute__((always_inline)) {
        will_write(packed + to + kAOperandBlock);
        copy16(packed + to, matrix + from);
      });
}

void unpack_a_operands(const Half* packed, std::size_t k_blocks, Half* matrix, std::size_t pitch) {
  a_operand_lines(
      pitch, k_blocks, [=](std::size_t to, std::size_t from) __attribute__((always_inline)) {
        will_read(packed + from + kBlocksTogether * kAOperandBlock);
        will_write(matrix + to + 2 * pitch);
        copy16(matrix + to, packed + from);
      });
}

/// The second 8 of 16 words of operand-order B lie this far behind the first.
constexpr std::size_t kOtherSegment = 256;

/// Calls `line(matrix offset of the upper row, packed offset)` for every 16 columns of two rows.
template <class Line>
[[gnu::always_inline]] inline void b_operand_lines(std::size_t pitch, std::size_t n_blocks, std::size_t block_stride,
                                                   const Line& line) {
  operand_lines(
      n_blocks, [=](std::size_t row, std::size_t block) __attribute__((always_inline)) {
        const std::size_t from = 2 * row * pitch + block * 64;
        const std::size_t to = block * block_stride + row / 8 * 512 + row % 8 * 8;
        for (std::size_t piece = 0; piece < 4; ++piece) line(from + piece * 16, to + piece * 64);
      });
}

void pack_b_operands(const Half* matrix, std::size_t pitch, std::size_t n_blocks, Word* packed,
                     std::size_t block_stride) {
  b_operand_lines(
      pitch, n_blocks, block_stride, [=](std::size_t from, std::size_t to) __attribute__((always_inline)) {
        will_write(packed + to + block_stride);
        will_write(packed + to + block_stride + kOtherSegment);
        interleave16(matrix + from, matrix + from + pitch, packed + to, packed + to + kOtherSegment);
      });
}

void unpack_b_operands(const Word* packed, std::size_t block_stride, std::size_t n_blocks, Half* matrix,
                       std::size_t pitch) {
  b_operand_lines(
      pitch, n_blocks, block_stride, [=](std::size_t to, std::size_t from) __attribute__((always_inline)) {
        will_write(matrix + to + 4 * pitch);
        will_write(matrix + to + 5 * pitch);
        will_read(packed + from + kBlocksTogether * block_stride);
        will_read(packed + from + kBlocksTogether * block_stride + kOtherSegment);
        deinterleave16(packed + from, packed + from + kOtherSegment, matrix + to, matrix + to + pitch);
      });
}

template <class Line>
[[gnu::always_inline]] inline void micro_lines(std::size_t pitch, std::size_t k_tiles, const Line& line) {
  for (std::size_t tile = 0; tile < k_tiles; ++tile) {
    for (std::size_t row = 0; row < 8; ++row) line(row * pitch + tile * 16, tile * 128 + row * 16);
  }
}

void pack_micro_tiles(const Half* matrix, std::size_t pitch, std::size_t k_tiles, Half* packed) {
  micro_lines(
      pitch, k_tiles, [=](std::size_t from, std::size_t to) __attribute__((always_inline)) {
        copy16(packed + to, matrix + from);
      });
}

void unpack_micro_tiles(const Half* packed, std::size_t k_tiles, Half* matrix, std::size_t pitch) {
  micro_lines(
      pitch, k_tiles, [=](std::size_t to, std::size_t from) __attribute__((always_inline)) {
        will_write(matrix + to + kAhead);
        copy16(matrix + to, packed + from);
      });
}

constexpr PackingLoops kLoops{pack_vnni,       unpack_vnni,       pack_a_operands,  unpack_a_operands,
                              pack_b_operands, unpack_b_operands, pack_micro_tiles, unpack_micro_tiles};

}  // namespace

const PackingLoops& loops() { return kLoops; }

}  // namespace xeforge::gemm::XEFORGE_PACKING_NS
