// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans, histograms, sorting, stencils, products: what OpenCL programs are made of.
#include <algorithm>
#include <numeric>

#include "checks.h"

namespace programs {

namespace {

using std::size_t;

void reductions(Checks& c) {
  Module m(c.session(), c.file("reductions.cl"));
  constexpr int n = 10007;
  Buffer<int> in(c.session(), c.random<int>(n, -1000, 1000));
  const int want = std::accumulate(in.begin(), in.end(), 0);
  for (const std::uint32_t local : {32U, 128U, 256U}) {
    Buffer<int> out(c.session(), 3, 0);
    m.run("tree", {5, 1, 1}, {local, 1, 1}, in, out, LocalBytes{local * sizeof(int)}, n);
    c.expect(out[0] == want, "sum by a tree, groups of " + std::to_string(local));
    out[0] = 0;
    m.run("group_function", {5, 1, 1}, {local, 1, 1}, in, out, n);
    c.expect(out[0] == want, "sum by the group function, groups of " + std::to_string(local));
    out[0] = 0;
    m.run("sub_groups", {5, 1, 1}, {local, 1, 1}, in, out, n);
    c.expect(out[0] == want, "sum by sub-groups, groups of " + std::to_string(local));
  }
  Buffer<float> reals(c.session(), c.random<float>(n, -100000, 100000)), extremes(c.session(), 8);
  m.run("extremes", {4, 1, 1}, {128, 1, 1}, reals, extremes, n);
  c.all("extremes", extremes, [&](size_t i) {
    float value = i % 2 == 0 ? INFINITY : -INFINITY;
    for (size_t at = 0; at < n; ++at) {
      if (at % 512 / 128 == i / 2) value = i % 2 == 0 ? std::min(value, reals[at]) : std::max(value, reals[at]);
    }
    return value;
  });
}

void scan(Checks& c) {
  Module m(c.session(), c.file("scan.cl"));
  constexpr std::uint32_t groups = 60, local = 128;
  Buffer<std::uint32_t> in(c.session(), c.random<std::uint32_t>(groups * local, 0, 1 << 30)),
      out(c.session(), groups * local), totals(c.session(), groups);
  m.run("scan_groups", {groups, 1, 1}, {local, 1, 1}, in, out, totals);
  m.run("scan_totals", {1, 1, 1}, {groups, 1, 1}, totals);
  m.run("add_totals", {groups, 1, 1}, {local, 1, 1}, out, totals);
  std::vector<std::uint32_t> want(in.begin(), in.end());
  std::partial_sum(want.begin(), want.end(), want.begin());
  c.all("prefix sum", out, [&](size_t i) { return want[i]; });

  for (const int n : {2, 64, 512}) {
    const auto count = static_cast<size_t>(n);
    Buffer<int> from(c.session(), c.random<int>(count, -9, 9)), to(c.session(), count);
    m.run("blelloch", {1, 1, 1}, {static_cast<std::uint32_t>(n) / 2, 1, 1}, from, to, LocalBytes{count * sizeof(int)},
          n);
    c.all("prefix sum by a tree of " + std::to_string(n), to,
          [&](size_t i) { return std::accumulate(from.begin(), from.begin() + i, 0); });
  }
}

void histogram(Checks& c) {
  Module m(c.session(), c.file("histogram.cl"));
  constexpr int n = 20000;
  auto values = c.random<std::uint8_t>(n, 0, 255);
  // Crowded bins, where atomics meet.
  for (size_t i = 0; i < n; i += 3) values[i] = static_cast<std::uint8_t>(i / 3 % 4);
  Buffer<std::uint8_t> in(c.session(), values);
  Buffer<std::uint32_t> bins(c.session(), 256);
  m.run("histogram", {4, 1, 1}, {64, 1, 1}, in, bins, LocalBytes{1024}, n / 4);
  c.all("histogram", bins,
        [&](size_t b) { return std::count(values.begin(), values.end(), static_cast<std::uint8_t>(b)); });

  Buffer<std::uint32_t> next(c.session(), 256), where(c.session(), n);
  std::exclusive_scan(bins.begin(), bins.end(), next.begin(), 0U);
  m.run("place", {(n + 127) / 128, 1, 1}, {128, 1, 1}, in, next, where, n);
  std::vector<int> sorted(n, -1);
  for (size_t i = 0; i < n; ++i) {
    if (where[i] < n) sorted[where[i]] = values[i];
  }
  c.expect(std::is_sorted(sorted.begin(), sorted.end()) && sorted[0] >= 0, "counting sort by tickets");

  constexpr size_t items = 512;
  Buffer<int> from(c.session(), c.random<int>(items, -100, 100)), out(c.session(), {0, 1000, -1000, -1, 0, 0, 7, 0});
  Buffer<float> real(c.session(), 1, 0.5F);
  m.run("atomics", {items / 64, 1, 1}, {64, 1, 1}, from, out, real);
  std::vector<int> want = {0, 1000, -1000, -1, 0, 0, 7 + 2 * static_cast<int>(items), 5};
  for (const int x : from) {
    want[0] -= x;
    want[1] = std::min(want[1], x);
    want[2] = std::max(want[2], x);
    want[3] &= x | 0xFF0000;
    want[4] |= x;
    want[5] ^= x;
  }
  c.all("atomics", out, [&](size_t i) { return want[i]; });
  c.expect(real[0] == 0.5F + static_cast<float>(std::accumulate(from.begin(), from.end(), 0)),
           "a float sum by comparing bits");
}

void images(Checks& c) {
  constexpr int width = 61, height = 43;
  {
    Module m(c.session(), c.file("transpose.cl"));
    Buffer<float> in(c.session(), c.random<float>(width * height, -1000, 1000)), out(c.session(), width * height);
    m.run("transpose", {4, 3, 1}, {16, 16, 1}, in, out, width, height);
    c.all("transpose", out, [&](size_t i) { return in[i % height * width + i / height]; });
  }
  Module m(c.session(), c.file("stencil.cl"));
  Buffer<std::uint8_t> in(c.session(), c.random<std::uint8_t>(width * height, 0, 255)),
      out(c.session(), width * height);
  m.run("filter", {8, 11, 1}, {8, 4, 1}, in, out, width, height);
  constexpr int kWeights[25] = {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1};
  c.all("filter", out, [&](size_t i) {
    int sum = 0;
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        const int x = std::clamp(static_cast<int>(i) % width + dx, 0, width - 1),
                  y = std::clamp(static_cast<int>(i) / width + dy, 0, height - 1);
        sum += kWeights[(dy + 2) * 5 + dx + 2] * in[static_cast<size_t>(y * width + x)];
      }
    }
    return std::min(sum / 273, 255);
  });

  constexpr int nx = 20, ny = 12, nz = 9;
  Buffer<float> heat(c.session(), c.random<float>(nx * ny * nz, 0, 4096)), warmer(c.session(), nx * ny * nz);
  m.run("heat", {5, 4, 3}, {4, 3, 3}, heat, warmer);
  c.all("heat", warmer, [&](size_t i) {
    const int x = static_cast<int>(i) % nx, y = static_cast<int>(i) / nx % ny, z = static_cast<int>(i) / (nx * ny);
    const auto at = [&](int px, int py, int pz) {
      return px < 0 || px >= nx || py < 0 || py >= ny || pz < 0 || pz >= nz
                 ? 0.0F
                 : heat[static_cast<size_t>((pz * ny + py) * nx + px)];
    };
    // Eighths of integers: exact in any order.
    return at(x, y, z) + 0.125F * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                                   at(x, y, z - 1) + at(x, y, z + 1) - 6 * at(x, y, z));
  });
}

void mandelbrot(Checks& c) {
  Module m(c.session(), c.file("mandelbrot.cl"), "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt");
  constexpr int width = 90, height = 60, limit = 300;
  Buffer<int> out(c.session(), width * height);
  m.run("mandelbrot", {12, 8, 1}, {8, 8, 1}, out, width, height, limit);
  c.all("mandelbrot", out, [&](size_t pixel) {
    // Float by float, as the kernel says: no contraction there, and none here.
    volatile float t = static_cast<float>(static_cast<int>(pixel) % width) * 3.0F;
    const float cx = -2.0F + t / width;
    const int row = static_cast<int>(pixel) / width;
    t = static_cast<float>(row) * 2.0F;
    const float cy = -1.0F + t / height;
    float x = 0, y = 0;
    int i = 0;
    for (; i < limit; ++i) {
      volatile float xx = x * x, yy = y * y, xy = 2.0F * x * y, difference = xx - yy;
      if (xx + yy > 4.0F) break;
      y = xy + cy;
      x = difference + cx;
    }
    return i;
  });
}

void sorting(Checks& c) {
  Module m(c.session(), c.file("bitonic.cl"));
  constexpr std::uint32_t n = 2048;
  Buffer<std::uint32_t> a(c.session(), c.random_bits<std::uint32_t>(n));
  std::vector<std::uint32_t> want(a.begin(), a.end());
  std::sort(want.begin(), want.end());
  for (std::uint32_t k = 2; k <= n; k <<= 1) {
    for (std::uint32_t j = k >> 1; j > 0; j >>= 1) m.run("bitonic_step", {n / 256, 1, 1}, {256, 1, 1}, a, j, k);
  }
  c.all("bitonic sort", a, [&](size_t i) { return want[i]; });

  constexpr int part = 256;
  Buffer<std::int64_t> wide(c.session(), c.random_bits<std::int64_t>(3 * part));
  std::vector<std::int64_t> sorted(wide.begin(), wide.end());
  for (size_t g = 0; g < 3; ++g)
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(g * part),
              sorted.begin() + static_cast<std::ptrdiff_t>((g + 1) * part));
  m.run("bitonic_local", {3, 1, 1}, {part, 1, 1}, wide, LocalBytes{part * 8}, part);
  c.all("bitonic sort of 64 bits in local memory", wide, [&](size_t i) { return sorted[i]; });
}

template <class T, class S>
void product(Checks& c, Module& m, const std::string& name, const std::vector<T>& left, const std::vector<T>& right,
             S (*value)(T)) {
  constexpr int rows = 37, columns = 29, depth = 43;
  Buffer<T> a(c.session(), left), b(c.session(), right);
  Buffer<S> out(c.session(), rows * columns);
  m.run(name, {4, 5, 1}, {8, 8, 1}, a, b, out, rows, columns, depth);
  c.all(name, out, [&](size_t i) {
    S sum = 0;
    for (size_t k = 0; k < depth; ++k) sum += value(a[i / columns * depth + k]) * value(b[k * columns + i % columns]);
    return sum;
  });
}

void products(Checks& c) {
  Module m(c.session(), c.file("matmul.cl"));
  constexpr size_t left = 37 * 43, right = 43 * 29;
  product<float, float>(c, m, "product_float", c.random<float>(left, -50, 50), c.random<float>(right, -50, 50),
                        [](float x) { return x; });
  product<int, int>(c, m, "product_int", c.random<int>(left, -5000, 5000), c.random<int>(right, -5000, 5000),
                    [](int x) { return x; });
  product<std::int8_t, int>(c, m, "product_char", c.random<std::int8_t>(left, -128, 127),
                            c.random<std::int8_t>(right, -128, 127), [](std::int8_t x) { return int{x}; });
  product<std::int16_t, std::int64_t>(c, m, "product_short", c.random<std::int16_t>(left, -32768, 32767),
                                      c.random<std::int16_t>(right, -32768, 32767),
                                      [](std::int16_t x) { return std::int64_t{x}; });
  // Halves as bits: small integers k are (k + 1024) with 1024 taken away by the exponent of 2^10.
  const auto halves = [&](size_t count) {
    std::vector<std::uint16_t> bits;
    for (const int x : c.random<int>(count, 0, 255)) bits.push_back(static_cast<std::uint16_t>(0x6400 + x));
    return bits;
  };
  product<std::uint16_t, float>(c, m, "product_half", halves(left), halves(right),
                                [](std::uint16_t bits) { return static_cast<float>(1024 + (bits & 1023)); });
}

void bodies(Checks& c) {
  Module m(c.session(), c.file("nbody.cl"));
  constexpr int n = 256;
  Buffer<float> in(c.session(), c.random<float>(4 * n, -100, 100)),
      velocity(c.session(), c.random<float>(4 * n, -3, 3)), out(c.session(), 4 * n);
  for (size_t i = 3; i < 4 * n; i += 4) in[i] = 1.0F + static_cast<float>(i % 7);
  const std::vector<float> before(velocity.begin(), velocity.end());
  const float dt = 0.01F;
  m.run("nbody", {n / 64, 1, 1}, {64, 1, 1}, in, velocity, out, LocalBytes{64 * 16}, n, dt);
  std::vector<double> want(4 * n);
  for (size_t i = 0; i < n; ++i) {
    double force[3] = {};
    for (size_t j = 0; j < n; ++j) {
      double d[3], square = 0.01F;
      for (size_t k = 0; k < 3; ++k) {
        d[k] = static_cast<double>(in[4 * j + k]) - static_cast<double>(in[4 * i + k]);
        square += d[k] * d[k];
      }
      for (size_t k = 0; k < 3; ++k)
        force[k] += d[k] * static_cast<double>(in[4 * j + 3]) / (square * std::sqrt(square));
    }
    for (size_t k = 0; k < 3; ++k)
      want[4 * i + k] = static_cast<double>(before[4 * i + k]) + force[k] * static_cast<double>(dt);
    want[4 * i + 3] = static_cast<double>(before[4 * i + 3]);
  }
  bool near = true;
  for (size_t i = 0; i < 4 * n; ++i) near &= std::abs(static_cast<double>(velocity[i]) - want[i]) < 1e-4;
  c.expect(near, "velocities of bodies");
  near = true;
  for (size_t i = 0; i < 4 * n; ++i) {
    const double place = static_cast<double>(in[i]) + (i % 4 == 3 ? 0 : want[i] * static_cast<double>(dt));
    near &= std::abs(static_cast<double>(out[i]) - place) < 1e-4;
  }
  c.expect(near, "places of bodies");

  Buffer<float> a(c.session(), c.random<float>(4 * 64, -20, 20)), b(c.session(), c.random<float>(4 * 64, -20, 20)),
      geometry(c.session(), 4 * 64);
  for (size_t i = 0; i < 4 * 64; i += 4) a[i] += 0.5F;  // never all zero
  m.run("geometry", {1, 1, 1}, {64, 1, 1}, a, b, geometry);
  near = true;
  for (size_t i = 0; i < 64; ++i) {
    const float *x = a.begin() + 4 * i, *y = b.begin() + 4 * i;
    double dot = 0, distance = 0, length = 0;
    for (int k = 0; k < 4; ++k) {
      dot += static_cast<double>(x[k]) * static_cast<double>(y[k]);
      distance += std::pow(static_cast<double>(x[k]) - static_cast<double>(y[k]), 2);
      length += std::pow(static_cast<double>(x[k]), 2);
    }
    double cross = 0;
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, n2 = (k + 2) % 3;
      cross += std::pow(static_cast<double>(x[l]) * static_cast<double>(y[n2]) -
                            static_cast<double>(x[n2]) * static_cast<double>(y[l]),
                        2);
    }
    const double right[4] = {dot, std::sqrt(cross), std::sqrt(distance), static_cast<double>(x[1]) / std::sqrt(length)};
    for (size_t k = 0; k < 4; ++k)
      near &= std::abs(static_cast<double>(geometry[4 * i + k]) - right[k]) <= 1e-5 * std::abs(right[k]) + 1e-3;
  }
  c.expect(near, "geometric functions");
}

void blocks(Checks& c) {
  Module m(c.session(), c.file("blocks.cl"));
  constexpr size_t items = 4 * 64;
  Buffer<std::uint32_t> in(c.session(), c.random_bits<std::uint32_t>(15 * items)), out(c.session(), 15 * items);
  m.run("blocks", {4, 1, 1}, {64, 1, 1}, in, out);
  c.all("blocks of 32 bits", out, [&](size_t i) {
    const size_t row = i % (15 * 16) / 16;
    return in[i] + (row < 8 ? 1 : row < 12 ? 2 : row < 14 ? 3 : 4);
  });
  Buffer<std::uint16_t> words(c.session(), c.random_bits<std::uint16_t>(8 * items)), tripled(c.session(), 8 * items);
  m.run("short_blocks", {4, 1, 1}, {64, 1, 1}, words, tripled);
  c.all("blocks of 16 bits", tripled, [&](size_t i) { return words[i] * 3; });
  Buffer<std::uint8_t> bytes(c.session(), c.random_bits<std::uint8_t>(4 * items)), flipped(c.session(), 4 * items);
  m.run("byte_blocks", {4, 1, 1}, {64, 1, 1}, bytes, flipped);
  c.all("blocks of 8 bits", flipped, [&](size_t i) { return bytes[i] ^ 0x5A; });

  Buffer<int> x(c.session(), c.random<int>(items, -1000000, 1000000)), shuffled(c.session(), 5 * items);
  Buffer<std::uint32_t> lane(c.session(), c.random<std::uint32_t>(items, 0, 15));
  m.run("shuffles", {4, 1, 1}, {64, 1, 1}, x, shuffled, lane);
  c.all("Intel's shuffles", shuffled, [&](size_t n) {
    const size_t i = n % items, start = i / 16 * 16, own = i % 16;
    const auto next = [&](size_t at) { return x[(at + 16) % items]; };
    switch (n / items) {
      case 0:
        return x[start + lane[i]];
      case 1:
        return x[start + (own ^ 6)];
      case 2:
        return own + 5 < 16 ? x[i + 5] : next(start + own + 5 - 16);
      case 3:
        return own >= 3 ? x[i - 3] : next(start + own + 16 - 3);
      default:
        return x[start + 9];
    }
  });
}

}  // namespace

void algorithms(Checks& c) {
  reductions(c);
  scan(c);
  histogram(c);
  images(c);
  mandelbrot(c);
  sorting(c);
  products(c);
  bodies(c);
  blocks(c);
}

}  // namespace programs
