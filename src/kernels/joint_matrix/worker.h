// SPDX-License-Identifier: Apache-2.0
//
// What one work-item of a joint_matrix rung does, as verbs: fill a buffer in shared local memory, load
// operands from it, multiply, wait, store. A rung is then only its schedule.
//
// The published kernels divide local ids by 16, while the compiler runs 8x8x16 fragments in sub-groups of
// eight items: two sub-groups compute and store each tile. `Items` says which form is meant: 16 as published,
// 8 as corrected (rung `ID.sg8`: half the items, so twice the copies per item).
#pragma once

#include "kernels/joint_matrix/fragments.h"
#include "kernels/simt/copy.h"

namespace xeforge::kernels {

/// Arguments of a joint_matrix rung. `B` is bf16 (row major) or uint32_t (VNNI words [K/2][N]).
template <class B>
struct GemmArguments {
  const bf16* a;
  const B* b;
  float* c;
  size_t m, n, k;
  sycl::local_accessor<bf16, 1> tile_a;
  sycl::local_accessor<B, 1> tile_b;
};

/// How A gets into shared local memory. Elements and Vectors read row-major A, MicroTiles reads A packed on
/// the host into contiguous 8x16 tiles [M/8][K/16][8][16].
enum class CopyA { Elements, Vectors, MicroTiles };

/// A group's block of BlockM x BlockN elements of C in steps of BlockK; a sub-group owns SubM x SubN of it.
/// Local range: {BlockM / SubM, BlockN / SubN * Items}. Pads are elements added to each row in shared local memory.
template <class B_, CopyA Copy_, int Items_, int BlockM, int BlockN, int BlockK, int SubM, int SubN, int PadA = 0,
          int PadB = 0>
struct Tiling {
  using B = B_;
  static constexpr CopyA kCopy = Copy_;
  static constexpr matrix::layout kLayoutB = sizeof(B) == 4 ? kVnni : kRowMajor;
  static constexpr int kItems = Items_, kM = BlockM, kN = BlockN, kK = BlockK, kSubM = SubM, kSubN = SubN;
  static constexpr int kRowsOfB = kLayoutB == kVnni ? BlockK / 2 : BlockK;
  static constexpr int kPitchA = BlockK + PadA, kPitchB = BlockN + PadB;
  static constexpr int kRowItems = BlockN / SubN * Items_;
  static constexpr int kGroupItems = BlockM / SubM * kRowItems;
};

template <class T>
class Worker {
 public:
  using Inputs = Operands<T::kSubM / 8, T::kSubN / 8, T::kK / 16, T::kLayoutB>;
  using Sums = Accumulators<T::kSubM / 8, T::kSubN / 8>;

  /// `group_row`, `group_column`: which block of C this group computes.
  Worker(const GemmArguments<typename T::B>& arguments, const sycl::nd_item<2>& item, int group_row, int group_column)
      : g(arguments),
        item_(item),
        sub_group_(item.get_sub_group()),
        row0_(group_row * T::kM),
        column0_(group_column * T::kN) {
    const int lid0 = item.get_local_id(0), lid1 = item.get_local_id(1);
    sub_row_ = lid0 * T::kSubM;
    sub_column_ = lid1 / T::kItems * T::kSubN;
    tid_ = lid0 * T::kRowItems + lid1;
    sums_.clear(sub_group_);
  }

  int k_tiles() const { return static_cast<int>(g.k) / T::kK; }
  int tid() const { return tid_; }
  int row0() const { return row0_; }
  int column0() const { return column0_; }

  /// This item's share of copying K tile `k_tile` into buffer `buffer`.
  void fill(int buffer, int k_tile) const {
    fill_a(buffer * (T::kM * T::kPitchA), k_tile);
    const Matrix<typename T::B> from{g.b, static_cast<int>(T::kLayoutB == kVnni ? g.k / 2 : g.k), static_cast<int>(g.n),
                                     g.n};
    constexpr Outside rest = T::kCopy == CopyA::Elements ? Outside::Zero : Outside::Keep;
    copy_elements<T::kRowsOfB, T::kN, T::kGroupItems, rest, T::kPitchB>(g.tile_b, buffer * (T::kRowsOfB * T::kPitchB),
                                                                        from, k_tile * T::kRowsOfB, column0_, tid_);
  }

  /// This sub-group's operands from buffer `buffer`.
  void load(Inputs& inputs, int buffer) const {
    inputs.load_a(sub_group_, local_pointer(g.tile_a, buffer * (T::kM * T::kPitchA) + sub_row_ * T::kPitchA),
                  T::kPitchA);
    const int at = buffer * (T::kRowsOfB * T::kPitchB) + sub_column_;
    if constexpr (T::kLayoutB == kVnni) {
      inputs.load_b(sub_group_, local_pairs(g.tile_b, at), 2 * T::kPitchB);
    } else {
      inputs.load_b(sub_group_, local_pointer(g.tile_b, at), T::kPitchB);
    }
  }

  /// The same straight from global memory; B as VNNI words.
  void load_global(Inputs& inputs, int k_tile) const {
    static_assert(T::kLayoutB == kVnni);
    inputs.load_a(sub_group_, global_pointer(const_cast<bf16*>(g.a) + (row0_ + sub_row_) * g.k + k_tile * T::kK), g.k);
    auto* pairs =
        reinterpret_cast<bf16*>(const_cast<uint32_t*>(g.b) + (k_tile * T::kRowsOfB) * g.n + column0_ + sub_column_);
    inputs.load_b(sub_group_, global_pointer(pairs), 2 * g.n);
  }

  void multiply(Inputs& inputs) { sums_.multiply(sub_group_, inputs); }

  void load_and_multiply(int buffer) {
    Inputs inputs;
    load(inputs, buffer);
    multiply(inputs);
  }

  void barrier() const { item_.barrier(sycl::access::fence_space::local_space); }

  void store() { sums_.store(sub_group_, g.c + (row0_ + sub_row_) * g.n + column0_ + sub_column_, g.n); }

 private:
  void fill_a(int at, int k_tile) const {
    const Matrix<bf16> from{g.a, static_cast<int>(g.m), static_cast<int>(g.k), g.k};
    if constexpr (T::kCopy == CopyA::Elements) {
      copy_elements<T::kM, T::kK, T::kGroupItems, Outside::Zero, T::kPitchA>(g.tile_a, at, from, row0_, k_tile * T::kK,
                                                                             tid_);
    } else if constexpr (T::kCopy == CopyA::Vectors) {
      copy_vectors<T::kM, T::kK, T::kGroupItems, T::kPitchA>(g.tile_a, at, from, row0_, k_tile * T::kK, tid_);
    } else {
      // Row r of the tile is row r % 8 of micro-tile r / 8: seen so, packed A is a matrix of micro-tiles.
      static_assert(T::kK == 16 && T::kPitchA == 16);
      const Matrix<bf16> tiles{g.a, static_cast<int>(g.m / 8), static_cast<int>(g.k * 8), g.k * 8};
      copy_vectors<T::kM / 8, 128, T::kGroupItems>(g.tile_a, at, tiles, row0_ / 8, k_tile * 128, tid_);
    }
  }

  const GemmArguments<typename T::B>& g;
  sycl::nd_item<2> item_;
  sycl::sub_group sub_group_;
  int row0_, column0_;        ///< of the group's block in C
  int sub_row_, sub_column_;  ///< of the sub-group's part in the block
  int tid_;
  Sums sums_;
};

inline sycl::nd_item<2> this_item() { return sycl::ext::oneapi::this_work_item::get_nd_item<2>(); }

}  // namespace xeforge::kernels

/// Kernels ID and ID_sg8 from `template <int Items> void ID_body(const GemmArguments<B>&)`.
#define XEFORGE_JOINT_MATRIX_KERNELS(ID, B, ...)                   \
  XEFORGE_JOINT_MATRIX_KERNEL(ID, ID##_body<16>, B, ##__VA_ARGS__) \
  XEFORGE_JOINT_MATRIX_KERNEL(ID##_sg8, ID##_body<8>, B, ##__VA_ARGS__)
#define XEFORGE_JOINT_MATRIX_KERNEL(NAME, BODY, B, ...)                                                         \
  XEFORGE_KERNEL(2, __VA_ARGS__)                                                                                \
  NAME(const bf16* a, const B* b, float* c, size_t m, size_t n, size_t k, sycl::local_accessor<bf16, 1> tile_a, \
       sycl::local_accessor<B, 1> tile_b) {                                                                     \
    BODY({a, b, c, m, n, k, tile_a, tile_b});                                                                   \
  }
