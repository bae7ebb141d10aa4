// SPDX-License-Identifier: Apache-2.0
//
// Collectives over work-groups of every shape, and what work-items see of their place.
#include <algorithm>
#include <random>

#include "program.h"

namespace programs {

namespace {

template <class T>
std::vector<T> random_values(std::size_t count, int low, int high) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> of(low, high);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(of(random));
  return values;
}

template <class T, class F>
void collective(Program& p, Kernels& k, const std::string& name, F combine, T identity, int low, int high) {
  for (const std::size_t local : {1UL, 8UL, 37UL, 64UL, 100UL, 256UL, 500UL, 1024UL}) {
    const std::size_t count = 2 * local;
    auto in = p.shared(random_values<T>(count, low, high));
    auto reduce = p.zeros<T>(count), inclusive = p.zeros<T>(count), exclusive = p.zeros<T>(count);
    k.run("group_" + name, sycl::nd_range<1>(count, local), in, reduce, inclusive, exclusive);
    const std::string tag = "group of " + std::to_string(local) + ": " + name;
    const auto fold = [&](std::size_t begin, std::size_t end) {
      T value = identity;
      for (std::size_t j = begin; j < end; ++j) value = combine(value, in[j]);
      return value;
    };
    p.expect_all(tag + " reduce", reduce,
                 [&](std::size_t i) { return fold(i / local * local, i / local * local + local); });
    p.expect_all(tag + " inclusive scan", inclusive, [&](std::size_t i) { return fold(i / local * local, i + 1); });
    p.expect_all(tag + " exclusive scan", exclusive, [&](std::size_t i) { return fold(i / local * local, i); });
  }
}

void votes_and_broadcasts(Program& p, Kernels& k) {
  for (const std::size_t local : {37UL, 128UL, 1000UL}) {
    const std::size_t count = 2 * local;
    auto in = p.shared(random_values<int>(count, 0, 1000));
    auto any = p.zeros<unsigned char>(count), all = p.zeros<unsigned char>(count), none = p.zeros<unsigned char>(count);
    for (const int threshold : {-1, 5, 995, 1000}) {
      k.run("group_votes", sycl::nd_range<1>(count, local), in, any, all, none, threshold);
      const auto above = [&](std::size_t i) {
        const int* begin = in.data() + i / local * local;
        return static_cast<std::size_t>(std::count_if(begin, begin + local, [&](int x) { return x > threshold; }));
      };
      p.expect_all("group any", any, [&](std::size_t i) { return above(i) != 0; });
      p.expect_all("group all", all, [&](std::size_t i) { return above(i) == local; });
      p.expect_all("group none", none, [&](std::size_t i) { return above(i) == 0; });
    }
    auto first = p.zeros<int>(count), chosen = p.zeros<int>(count);
    for (const unsigned from : {0U, 17U, static_cast<unsigned>(local) - 1}) {
      k.run("group_broadcasts", sycl::nd_range<1>(count, local), in, first, chosen, from);
      p.expect_all("group broadcast of the first", first, [&](std::size_t i) { return in[i / local * local]; });
      p.expect_all("group broadcast of another", chosen, [&](std::size_t i) { return in[i / local * local + from]; });
    }
  }
}

void joint(Program& p, Kernels& k) {
  for (const unsigned n : {1U, 63U, 64U, 1000U}) {
    auto in = p.shared(random_values<int>(3 * n, 0, 1500));
    auto sum = p.zeros<int>(3), inclusive = p.zeros<int>(3 * n), exclusive = p.zeros<int>(3 * n);
    auto any = p.zeros<unsigned char>(3);
    k.run("joint", sycl::nd_range<1>(3 * 64, 64), in, sum, inclusive, exclusive, any, n);
    const auto total = [&](std::size_t begin, std::size_t end, int start) {
      for (std::size_t j = begin; j < end; ++j) start += in[j];
      return start;
    };
    p.expect_all("joint reduce", sum, [&](std::size_t g) { return total(g * n, g * n + n, 5); });
    p.expect_all("joint inclusive scan", inclusive, [&](std::size_t i) { return total(i / n * n, i + 1, 0); });
    p.expect_all("joint exclusive scan", exclusive, [&](std::size_t i) { return total(i / n * n, i, 100); });
    p.expect_all("joint any", any,
                 [&](std::size_t g) { return std::count(in.data() + g * n, in.data() + g * n + n, 777) != 0; });
  }
}

void shapes(Program& p, Kernels& k) {
  const std::size_t local = 3 * 5 * 7, count = 2 * 3 * 1 * local;
  auto in = p.shared(random_values<int>(count, -1000, 1000));
  auto reduce = p.zeros<int>(count), exclusive = p.zeros<int>(count), broadcast = p.zeros<int>(count);
  k.run("group_3d", sycl::nd_range<3>({6, 15, 7}, {3, 5, 7}), in, reduce, exclusive, broadcast);
  const auto total = [&](std::size_t begin, std::size_t end) {
    int sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += in[j];
    return sum;
  };
  p.expect_all("three-dimensional group, reduce", reduce,
               [&](std::size_t i) { return total(i / local * local, i / local * local + local); });
  p.expect_all("three-dimensional group, scan", exclusive, [&](std::size_t i) { return total(i / local * local, i); });
  p.expect_all("three-dimensional group, broadcast", broadcast,
               [&](std::size_t i) { return in[i / local * local + 1 * 35 + 2]; });
}

template <int D>
void positions(Program& p, Kernels& k, sycl::range<D> global, sycl::range<D> local) {
  auto out = p.zeros<unsigned>(global.size() * 24);
  k.run("positions_" + std::to_string(D) + "d", sycl::nd_range<D>(global, local), out);
  std::string tag = "positions in " + std::to_string(D) + " dimensions";
  p.expect_all(tag, out, [&](std::size_t n) -> std::size_t {
    std::size_t rest = n / 24, id[3] = {}, global_linear = 0, local_linear = 0, group_linear = 0, groups = 1;
    for (int d = D - 1; d >= 0; --d) {
      id[d] = rest % global[d];
      rest /= global[d];
    }
    for (int d = 0; d < D; ++d) {
      global_linear = global_linear * global[d] + id[d];
      local_linear = local_linear * local[d] + id[d] % local[d];
      group_linear = group_linear * (global[d] / local[d]) + id[d] / local[d];
      groups *= global[d] / local[d];
    }
    const std::size_t what = n % 24, d = what % 3;
    if (what < 18 && d >= static_cast<std::size_t>(D)) return 0;
    const int dim = static_cast<int>(d);
    switch (what) {
      case 18:
        return global_linear;
      case 19:
        return local_linear;
      case 20:
        return group_linear;
      case 21:
        return groups;
      case 22:
        return local.size();
      case 23:
        return local_linear == 0;
      default:
        break;
    }
    switch (what / 3) {
      case 0:
        return id[d];
      case 1:
        return id[d] % local[dim];
      case 2:
        return id[d] / local[dim];
      case 3:
        return global[dim];
      case 4:
        return local[dim];
      default:
        return global[dim] / local[dim];
    }
  });
}

}  // namespace

void work_groups(Program& p) {
  Kernels k = p.kernels("work_groups.h");
  collective<int>(
      p, k, "int_plus", [](int a, int b) { return a + b; }, 0, -100000, 100000);
  collective<long>(
      p, k, "long_max", [](long a, long b) { return std::max(a, b); }, std::numeric_limits<long>::min(), -100000,
      100000);
  collective<float>(
      p, k, "float_plus", [](float a, float b) { return a + b; }, 0.0F, -1000, 1000);
  collective<sycl::half>(
      p, k, "half_min", [](sycl::half a, sycl::half b) { return a < b ? a : b; },
      std::numeric_limits<sycl::half>::infinity(), -1000, 1000);
  collective<unsigned>(
      p, k, "uint_xor", [](unsigned a, unsigned b) { return a ^ b; }, 0U, 0, 2000000000);
  votes_and_broadcasts(p, k);
  joint(p, k);
  shapes(p, k);
  positions<1>(p, k, {1}, {1});
  positions<1>(p, k, {7 * 13}, {13});
  positions<1>(p, k, {1021}, {1021});
  positions<1>(p, k, {4096}, {256});
  positions<2>(p, k, {5 * 3, 7 * 9}, {3, 9});
  positions<2>(p, k, {33, 31}, {1, 31});
  positions<2>(p, k, {31, 33}, {31, 1});
  positions<3>(p, k, {4, 6, 10}, {2, 3, 5});
  positions<3>(p, k, {3, 5, 7}, {3, 5, 7});
  positions<3>(p, k, {3, 5, 7}, {1, 1, 1});
  positions<3>(p, k, {16, 8, 64}, {4, 4, 64});
}

}  // namespace programs
