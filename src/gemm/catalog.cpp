// SPDX-License-Identifier: Apache-2.0
#include "gemm/catalog.h"

#include <algorithm>
#include <deque>

namespace xeforge::gemm {

namespace {

/// What the joint_matrix rungs vary in.
struct Joint {
  std::string_view id, base, changes, choice;
  Shape block;                 ///< of the group
  std::uint32_t sub_m, sub_n;  ///< of a sub-group
  LayoutB b = LayoutB::RowMajor;
  std::uint32_t buffers = 1;  ///< in shared local memory; 0: not used
  Walk walk = Walk::RowsOuter;
  LayoutA a = LayoutA::RowMajor;
  unsigned grf = 128;
  std::uint32_t pad_a = 0, pad_b = 0;  ///< elements per row in shared local memory
  std::uint32_t k_step = 0;            ///< K must be a multiple of it, if more than the block's
  std::uint32_t k_min = 0;
};

constexpr std::string_view kBlockUnknown = "block not published: 64x64, so 4x2 sub-groups";
constexpr std::string_view kGeometryKept = "geometry not published: block of jm_vnni_vec kept, fewer sub-groups";

constexpr Joint kJoint[] = {
    {"jm_slm", "jm_basic", "32x32 blocks through SLM, scalar copies, two barriers per K tile", "", {32, 32, 16}, 8, 8},
    {"jm_prefetch", "jm_slm", "next K tile's rows prefetched to L2", "", {32, 32, 16}, 8, 8},
    {"jm_double_buffer",
     "jm_slm",
     "two SLM buffers, one barrier per K tile",
     "",
     {32, 32, 16},
     8,
     8,
     LayoutB::RowMajor,
     2},
    {"jm_big_tile",
     "jm_double_buffer",
     "64x64 blocks, 16x16 per sub-group",
     "",
     {64, 64, 16},
     16,
     16,
     LayoutB::RowMajor,
     2},
    {"jm_tuned_16x32", "jm_big_tile", "16x32 per sub-group", kBlockUnknown, {64, 64, 16}, 16, 32, LayoutB::RowMajor, 2},
    {"jm_tuned_bk32", "jm_big_tile", "32 steps of K per tile", "", {64, 64, 32}, 16, 16, LayoutB::RowMajor, 2},
    {"jm_tuned", "jm_big_tile", "128x64 blocks", "", {128, 64, 16}, 16, 16, LayoutB::RowMajor, 2},
    {"jm_vnni", "jm_tuned", "B packed on the host as VNNI words", "", {128, 64, 16}, 16, 16, LayoutB::Vnni, 2},
    {"jm_vnni_vec", "jm_vnni", "A copied 8 bytes at a time, no zero fill", "", {128, 64, 16}, 16, 16, LayoutB::Vnni, 2},
    {"jm_no_slm_grf_pipeline",
     "jm_vnni_vec",
     "no SLM, register double buffering from global",
     "geometry not published: block of jm_vnni_vec kept",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     0,
     Walk::RowsOuter,
     LayoutA::RowMajor,
     128,
     0,
     0,
     32},
    {"jm_vnni_vec_bk32", "jm_vnni_vec", "32 steps of K per tile", "", {128, 64, 32}, 16, 16, LayoutB::Vnni, 2},
    {"jm_large_grf_16x16",
     "jm_vnni_vec",
     "256 registers per thread",
     "",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::RowsOuter,
     LayoutA::RowMajor,
     256},
    {"jm_large_grf_16x32",
     "jm_vnni_vec",
     "16x32 per sub-group, 256 registers",
     kGeometryKept,
     {128, 64, 16},
     16,
     32,
     LayoutB::Vnni,
     2,
     Walk::RowsOuter,
     LayoutA::RowMajor,
     256},
    {"jm_large_grf_32x32",
     "jm_vnni_vec",
     "32x32 per sub-group, 256 registers",
     kGeometryKept,
     {128, 64, 16},
     32,
     32,
     LayoutB::Vnni,
     2,
     Walk::RowsOuter,
     LayoutA::RowMajor,
     256},
    {"jm_a_prepacked",
     "jm_vnni_vec",
     "A packed on the host into 8x16 micro-tiles",
     "order of micro-tiles not published: [M/8][K/16]",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::RowsOuter,
     LayoutA::MicroTiles},
    {"jm_k_split", "jm_vnni_vec", "last K tile peeled", "", {128, 64, 16}, 16, 16, LayoutB::Vnni, 2},
    {"jm_walk_n",
     "jm_k_split",
     "M tile index varies fastest",
     "",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::ColumnsOuter},
    {"jm_boustrophedon",
     "jm_walk_n",
     "every other row of tiles backwards",
     "",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::ColumnsOuter},
    {"jm_slm_padding",
     "jm_walk_n",
     "SLM rows padded",
     "amount not published: 16 bytes a row",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::ColumnsOuter,
     LayoutA::RowMajor,
     128,
     8,
     4},
    {"jm_slm_3stage",
     "jm_walk_n",
     "three SLM buffers",
     "look-ahead not published: two tiles",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     3,
     Walk::ColumnsOuter,
     LayoutA::RowMajor,
     128,
     0,
     0,
     16,
     32},
    {"jm_grf_dual_dynamic",
     "jm_walk_n",
     "two register copies of operands, chosen by a branch",
     "",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::ColumnsOuter},
    {"jm_grf_dual_static",
     "jm_walk_n",
     "two register copies of operands, loop unrolled by two",
     "",
     {128, 64, 16},
     16,
     16,
     LayoutB::Vnni,
     2,
     Walk::ColumnsOuter,
     LayoutA::RowMajor,
     128,
     0,
     0,
     32},
    {"jm_bk32_slm4",
     "jm_walk_n",
     "32 steps of K per tile, four SLM buffers",
     "",
     {128, 64, 32},
     16,
     16,
     LayoutB::Vnni,
     4,
     Walk::ColumnsOuter},
    {"jm_bk32_slm4_grf_dual",
     "jm_bk32_slm4",
     "two register copies of operands, unrolled",
     "schedule not published: that of jm_grf_dual_static",
     {128, 64, 32},
     16,
     16,
     LayoutB::Vnni,
     4,
     Walk::ColumnsOuter,
     LayoutA::RowMajor,
     128,
     0,
     0,
     64},
};

/// What the ESIMD rungs vary in. All compute 128x64 per group.
struct Esimd {
  std::string_view id, base, changes, choice;
  std::uint32_t k_step;  ///< K must be a multiple of it
  std::uint32_t threads;
  std::uint32_t slm_bytes;
  LayoutA a = LayoutA::RowMajor;
};

constexpr std::string_view kEsimdWalk =
    "order of groups and kind of sizes not published: M tile fastest, run-time sizes";

constexpr Esimd kEsimd[] = {
    {"esimd_bk16_16x8", "", "ESIMD, K tiles of 16, 16x8 per thread", "group not published: 64 threads, 128x64", 16, 64,
     2 * 6144},
    {"esimd_bk32_16x8", "esimd_bk16_16x8", "K tiles of 32", "group not published: 64 threads, 128x64", 32, 64,
     2 * 12288},
    {"esimd_bk32_slm4_grf2", "esimd_bk32_16x8", "four SLM buffers, two register copies of operands",
     "schedule not published: copied three tiles ahead, loaded one ahead", 64, 64, 4 * 12288},
    {"esimd_bk32_16x16", "esimd_bk32_16x8", "16x16 per thread, 32 threads",
     "copy of tiles not published: whole rows, a thread 4 of A and half a row of B", 32, 32, 2 * 12288},
    {"esimd_wide_load", "esimd_bk32_16x16", "20 wide SLM reads instead of 64, register selects", kEsimdWalk, 32, 32,
     2 * 12288},
    {"esimd_c_merged", "esimd_wide_load", "rows of C written 16 floats at a time", kEsimdWalk, 32, 32, 2 * 12288},
    {"esimd_b_operand_layout", "esimd_c_merged", "B in SLM as operands, no selects", kEsimdWalk, 32, 32, 2 * 12288},
    {"esimd_a_direct", "esimd_b_operand_layout", "A packed on the host in operand order, read from global at use",
     kEsimdWalk, 32, 32, 2 * 4096, LayoutA::Operands},
    {"esimd_addr_step", "esimd_a_direct", "addresses hoisted, constant steps", kEsimdWalk, 32, 32, 2 * 4096,
     LayoutA::Operands},
    {"esimd_4buf", "esimd_addr_step", "four buffers of B, two K tiles per barrier", kEsimdWalk, 64, 32, 4 * 4096,
     LayoutA::Operands},
    {"esimd_a_prefetch_l1", "esimd_4buf", "next pair of A tiles prefetched to L1",
     "hints not published: cached in L1 and L2", 64, 32, 4 * 4096, LayoutA::Operands},
    {"esimd_8buf", "esimd_4buf", "eight buffers, four K tiles per barrier", kEsimdWalk, 128, 32, 8 * 4096,
     LayoutA::Operands},
    {"esimd_16x8_wg64", "esimd_4buf", "64 threads of 16x8", kEsimdWalk, 64, 64, 4 * 4096, LayoutA::Operands},
    {"esimd_a_cache_hints", "esimd_4buf", "cache hints on the reads of A", "hints not published: cached in L1 and L2",
     64, 32, 4 * 4096, LayoutA::Operands},
    {"esimd_a_slm_staging", "esimd_4buf", "A staged through SLM, one barrier per K tile", kEsimdWalk, 32, 32, 24576,
     LayoutA::Operands},
    {"esimd_staging_wg64", "esimd_a_slm_staging", "64 threads of 16x8", kEsimdWalk, 32, 64, 24576, LayoutA::Operands},
    {"esimd_staging_padding", "esimd_a_slm_staging", "padded SLM slots", kEsimdWalk, 32, 32, 26112, LayoutA::Operands},
};

std::string_view keep(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text));
}

std::string_view header_of(std::string_view id) { return keep("kernels/ladder/" + std::string(id) + ".h"); }

Rung from(const Joint& row) {
  const bool vnni = row.b == LayoutB::Vnni;
  Rung rung;
  rung.id = rung.kernel = row.id;
  rung.family = Family::JointMatrix;
  rung.base = row.base;
  rung.changes = row.changes;
  rung.choice = row.choice;
  rung.header = header_of(row.id);
  rung.a = row.a;
  rung.b = row.b;
  rung.signature = Signature::Sizes64AndSlm;
  rung.block = {row.block.m, row.block.n, std::max(row.block.k, row.k_step)};
  rung.k_min = row.k_min;
  rung.local = {row.block.m / row.sub_m, row.block.n / row.sub_n * 16};
  rung.walk = row.walk;
  rung.slm_a = row.buffers * row.block.m * (row.block.k + row.pad_a);
  rung.slm_b = row.buffers * (row.block.k / (vnni ? 2 : 1)) * (row.block.n + row.pad_b);
  rung.slm_bytes = rung.slm_a * 2 + rung.slm_b * (vnni ? 4 : 2);
  rung.grf = row.grf;
  return rung;
}

Rung from(const Esimd& row) {
  Rung rung;
  rung.id = rung.kernel = row.id;
  rung.family = Family::Esimd;
  rung.base = row.base;
  rung.changes = row.changes;
  rung.choice = row.choice;
  rung.header = header_of(row.id);
  rung.a = row.a;
  rung.b = LayoutB::Vnni;
  rung.signature = Signature::Sizes32;
  rung.block = {128, 64, row.k_step};
  rung.local = {1, row.threads};
  rung.walk = Walk::ColumnsOuter;
  rung.slm_bytes = row.slm_bytes;
  rung.esimd = true;
  return rung;
}

/// Half the items: each pair of sub-groups that computed the same tile becomes one.
Rung corrected(const Rung& published) {
  Rung rung = published;
  rung.id = keep(std::string(published.id) + ".sg8");
  rung.base = published.id;
  rung.changes = "one sub-group of 8 per tile instead of two";
  rung.choice = "";
  rung.kernel = keep(std::string(published.id) + "_sg8");
  rung.local[1] /= 2;
  return rung;
}

Rung smoke(std::string_view id, std::string_view header, std::string_view text, Shape shape, std::uint32_t threads) {
  Rung rung;
  rung.id = rung.kernel = id;
  rung.family = Family::Smoke;
  rung.changes = text;
  rung.header = header;
  rung.b = LayoutB::Vnni;
  rung.signature = Signature::None;
  rung.block = shape;
  rung.local = {1, threads};
  rung.fixed_shape = shape;
  rung.esimd = true;
  return rung;
}

void add_smoke(std::vector<Rung>& rows) {
  constexpr std::string_view header = "kernels/ladder/dpas_smoke.h";
  rows.push_back(smoke("dpas_smoke", header, "one 8x8x16 product, no accumulator input", {8, 8, 16}, 1));
  rows.push_back(smoke("dpas_smoke_accumulate", header, "one 8x8x16 product added to C", {8, 8, 16}, 1));
  rows.back().accumulates = true;
  rows.push_back(smoke("dpasw_smoke", header, "one dpasw of two fused threads, 8x16x16", {8, 16, 16}, 2));
  rows.back().dpasw = true;
  rows.push_back(
      smoke("slm_micro", "kernels/ladder/slm_micro.h", "32x32x32 in one group through SLM", {32, 32, 32}, 16));
  rows.back().slm_bytes = 4096;
}

void add_sycl(std::vector<Rung>& rows) {
  Rung rung;
  rung.target = Target::Any;
  rung.id = rung.kernel = "naive";
  rung.changes = "one work-item per element, scalar loads from global";
  rung.header = header_of(rung.id);
  rung.block = {1, 1, 1};
  rows.push_back(rung);

  rung.id = rung.kernel = "tiled_slm";
  rung.base = "naive";
  rung.changes = "16x16 tiles in SLM, two barriers per K tile";
  rung.header = header_of(rung.id);
  rung.signature = Signature::Sizes64AndSlm;
  rung.block = {16, 16, 16};
  rung.guarded = true;
  rung.local = {16, 16};
  rung.slm_a = rung.slm_b = 256;
  rung.slm_bytes = 1024;
  rows.push_back(rung);

  rung.id = rung.kernel = "register_tiled";
  rung.base = "tiled_slm";
  rung.changes = "64x64 blocks, 4x4 elements per item in registers";
  rung.header = header_of(rung.id);
  rung.block = {64, 64, 16};
  rung.slm_a = rung.slm_b = 1024;
  rung.slm_bytes = 4096;
  rows.push_back(rung);

  rung.id = rung.kernel = "vectorized";
  rung.base = "register_tiled";
  rung.changes = "copies, reads of B and stores four elements wide";
  rung.header = header_of(rung.id);
  rung.guarded = false;
  rows.push_back(rung);
}

void add_joint_matrix(std::vector<Rung>& rows) {
  Rung basic;
  basic.id = basic.kernel = "jm_basic";
  basic.family = Family::JointMatrix;
  basic.changes = "one 8x8 tile per sub-group on the matrix engine, operands from global";
  basic.header = header_of(basic.id);
  basic.block = {8, 8, 16};
  basic.local = {1, 16};
  rows.push_back(basic);
  rows.push_back(corrected(basic));
  for (const Joint& row : kJoint) {
    rows.push_back(from(row));
    rows.push_back(corrected(rows.back()));
  }
}

void add_xe2(std::vector<Rung>& rows) {
  Rung rung;
  rung.family = Family::Xe2;
  rung.target = Target::Xe2;
  rung.id = rung.kernel = "xe2_joint_matrix";
  rung.changes = "16-wide joint_matrix, 16x32 per sub-group, operands from global";
  rung.header = header_of(rung.id);
  rung.block = {64, 128, 16};
  rung.local = {4, 64};
  rows.push_back(rung);

  rung.id = rung.kernel = "xe2_esimd_block2d";
  rung.changes = "16-wide dpas fed by 2D block loads, 32x32 per thread";
  rung.header = header_of(rung.id);
  rung.signature = Signature::Sizes32;
  rung.block = {128, 128, 16};
  rung.local = {4, 4};
  rung.esimd = true;
  rung.block2d = true;
  rows.push_back(rung);
}

std::vector<Rung> make_catalog() {
  std::vector<Rung> rows;
  add_smoke(rows);
  add_sycl(rows);
  add_joint_matrix(rows);
  for (const Esimd& row : kEsimd) rows.push_back(from(row));
  add_xe2(rows);
  return rows;
}

}  // namespace

std::span<const Rung> catalog() {
  static const auto* rows = new std::vector<Rung>(make_catalog());
  return *rows;
}

const Rung* find_rung(std::string_view id) {
  for (const Rung& rung : catalog()) {
    if (rung.id == id) return &rung;
  }
  return nullptr;
}

}  // namespace xeforge::gemm
