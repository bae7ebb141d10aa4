// SPDX-License-Identifier: Apache-2.0
//
// How fast the host packs operands, as a share of copying the same bytes: both alternate in one run, each a few times
// in a row of which the best counts, and the copy is the faster one of memcpy and of memcpy in pieces on all threads.
// Printed are medians over the rounds. Usage: packing_bench [ROUNDS]. Ends with 1 if a packing is below half of the
// copy.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "gemm/packing.h"
#include "number.h"

namespace {

using namespace xeforge::gemm;

constexpr double kWanted = 0.5;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of the fastest of a few in a row: what ran before left the caches and the other threads as it liked.
double steady_seconds(const std::function<void()>& work) {
  double best = seconds(work);
  for (int i = 0; i < 4; ++i) best = std::min(best, seconds(work));
  return best;
}

void copy_on_all_threads(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{256} << 10;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (bytes + piece - 1) / piece), [&](const auto& range) {
    const std::size_t begin = range.begin() * piece, end = std::min(range.end() * piece, bytes);
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

struct Case {
  const char* name;
  std::size_t rows, columns;
  /// Of `matrix` (bf16) into `packed` of the same size, or back.
  void (*run)(std::vector<Bf16>& matrix, std::vector<std::uint32_t>& packed, std::size_t rows, std::size_t columns);
};

std::span<Bf16> halves(std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<Bf16*>(words.data()), words.size() * 2};
}

using M = std::vector<Bf16>;
using P = std::vector<std::uint32_t>;
void b_vnni(M& m, P& p, std::size_t r, std::size_t c) { pack_b_vnni(m, r, c, p); }
void b_vnni_back(M& m, P& p, std::size_t r, std::size_t c) { unpack_b_vnni(p, r, c, m); }
void b_operands(M& m, P& p, std::size_t r, std::size_t c) { pack_b_operands(m, r, c, p); }
void b_operands_back(M& m, P& p, std::size_t r, std::size_t c) { unpack_b_operands(p, r, c, m); }
void a_operands(M& m, P& p, std::size_t r, std::size_t c) { pack_a_operands(m, r, c, halves(p)); }
void a_operands_back(M& m, P& p, std::size_t r, std::size_t c) { unpack_a_operands(halves(p), r, c, m); }
void a_micro(M& m, P& p, std::size_t r, std::size_t c) { pack_a_micro_tiles(m, r, c, halves(p)); }
void a_micro_back(M& m, P& p, std::size_t r, std::size_t c) { unpack_a_micro_tiles(halves(p), r, c, m); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double measure(const Case& c, unsigned rounds) {
  std::vector<Bf16> matrix(c.rows * c.columns, 1);
  std::vector<std::uint32_t> packed(matrix.size() / 2, 1);
  const std::size_t bytes = matrix.size() * sizeof(Bf16);
  std::vector<double> copies, packings, ratios;
  for (unsigned round = 0; round < rounds; ++round) {
    const double one = steady_seconds([&] { std::memcpy(packed.data(), matrix.data(), bytes); });
    const double pack = steady_seconds([&] { c.run(matrix, packed, c.rows, c.columns); });
    const double all = steady_seconds([&] {
      copy_on_all_threads(reinterpret_cast<char*>(packed.data()), reinterpret_cast<const char*>(matrix.data()), bytes);
    });
    copies.push_back(std::min(one, all));
    packings.push_back(pack);
    ratios.push_back(copies.back() / pack);
  }
  const double gb = static_cast<double>(bytes) / 1e9, ratio = median(ratios);
  std::printf("%-22s %5zu x %-5zu %8.2f MB  copy %6.2f GB/s  packing %6.2f GB/s  ratio %.2f\n", c.name, c.rows,
              c.columns, gb * 1e3, gb / median(copies), gb / median(packings), ratio);
  return ratio;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? xeforge::bench::number(argv[1]).value_or(0) : 30;
  if (rounds == 0) {
    std::fprintf(stderr, "packing_bench: ROUNDS is a number from 1\n");
    return 2;
  }
  double worst = std::numeric_limits<double>::infinity();
  // The operands of the base shape 1024x1536x512, and such that no cache holds.
  for (const auto& [m, n, k] :
       {std::array<std::size_t, 3>{1024, 1536, 512}, std::array<std::size_t, 3>{4096, 4096, 4096}}) {
    for (const Case& c : {Case{"A operands", m, k, a_operands}, Case{"A operands, back", m, k, a_operands_back},
                          Case{"A micro-tiles", m, k, a_micro}, Case{"A micro-tiles, back", m, k, a_micro_back},
                          Case{"B VNNI", k, n, b_vnni}, Case{"B VNNI, back", k, n, b_vnni_back},
                          Case{"B operands", k, n, b_operands}, Case{"B operands, back", k, n, b_operands_back}}) {
      worst = std::min(worst, measure(c, rounds));
    }
  }
  std::printf("worst ratio %.2f, wanted %.2f\n", worst, kWanted);
  return worst >= kWanted ? 0 : 1;
}
