// SPDX-License-Identifier: Apache-2.0
//
// What data looks like: structs by value and in arrays, pointers in memory, private arrays, vectors, bytes, many
// arguments.
#include <random>

#include "program.h"

namespace programs {

namespace {

constexpr std::size_t kCount = 256, kLocal = 32;

// As in kernels/data.h.
struct Small {
  char a;
  short b;
  int c;
  long unused;
  long d;
};
struct Large {
  float matrix[5][7];
  Small smalls[4];
  unsigned char bytes[13];
  const int* table;
};
struct Bits {
  unsigned a : 3, b : 11, c : 18;
  int d : 9;
};
struct Node {
  int value;
  Node* next;
};

const sycl::nd_range<1> kRange(kCount, kLocal);

std::vector<int> numbers(int low, int high) {
  std::mt19937 random(43);
  std::uniform_int_distribution<int> of(low, high);
  std::vector<int> values(kCount);
  for (int& value : values) value = of(random);
  return values;
}

void structs(Program& p, Kernels& k) {
  auto out = p.zeros<int>(kCount);
  const Small small{-7, 1234, -56789, 0, 98765432101L};
  k.run("struct_by_value", kRange, small, out);
  p.expect_all("a struct by value", out,
               [&](std::size_t i) { return -7 + 1234 * 2 - 56789 * 3 + 101 + static_cast<int>(i); });

  auto table = p.shared(std::vector<int>{5, 3, 8, 1, 9, 2, 7, 4, 6, 0});
  Large large{};
  for (int i = 0; i < 35; ++i) large.matrix[i / 7][i % 7] = static_cast<float>(i) * 0.25F;
  for (int i = 0; i < 4; ++i) large.smalls[i].c = 100 * i;
  for (int i = 0; i < 13; ++i) large.bytes[i] = static_cast<unsigned char>(200 + i);
  large.table = table.data();
  auto floats = p.zeros<float>(kCount);
  k.run("large_struct", kRange, large, floats);
  p.expect_all("a large struct by value", floats, [&](std::size_t i) {
    return large.matrix[i % 5][i % 7] + static_cast<float>(large.smalls[i % 4].c + large.bytes[i % 13]) +
           static_cast<float>(table[i % 10]);
  });

  auto from = p.zeros<Small>(kCount), to = p.zeros<Small>(kCount);
  for (std::size_t i = 0; i < kCount; ++i)
    from[i] = {static_cast<char>(i), static_cast<short>(i * 100), static_cast<int>(i) - 500, 0,
               static_cast<long>(i) << 33};
  k.run("struct_arrays", kRange, from, to);
  bool right = true;
  for (std::size_t i = 0; i < kCount; ++i) {
    Small s = from[i];
    s.a = static_cast<char>(s.a + 1);
    s.b = static_cast<short>(s.b * s.a);
    s.c -= s.b;
    s.d = s.d * 3 + s.c;
    right &= to[i].a == s.a && to[i].b == s.b && to[i].c == s.c && to[i].d == s.d;
  }
  p.expect(right, "arrays of structs");

  auto bits = p.zeros<Bits>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    bits[i].a = static_cast<unsigned>(i) & 7;
    bits[i].b = static_cast<unsigned>(i * 37) & 2047;
    bits[i].c = static_cast<unsigned>(i * 1031) & 262143;
    bits[i].d = static_cast<int>(i) - 128;
  }
  const std::vector<Bits> before(bits.begin(), bits.end());
  k.run("bit_fields", kRange, bits, out);
  p.expect_all("bit fields", out,
               [&](std::size_t i) { return static_cast<int>(before[i].a + before[i].b + before[i].c) + before[i].d; });
  right = true;
  for (std::size_t i = 0; i < kCount; ++i) {
    right &= bits[i].a == (before[i].b & 7) && bits[i].b == before[i].b && bits[i].c == before[i].c &&
             bits[i].d == -static_cast<int>(before[i].c & 255);
  }
  p.expect(right, "bit fields in memory");
}

void pointers(Program& p, Kernels& k) {
  auto values = p.zeros<int>(10 * kCount);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 13 % 101);
  const std::vector<int> before(values.begin(), values.end());
  auto rows = p.zeros<int*>(kCount);
  auto lengths = p.zeros<int>(kCount), out = p.zeros<int>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    // Rows in an order that jumps about.
    rows[i] = values.data() + (i * 97 % kCount) * 10;
    lengths[i] = static_cast<int>(i % 11);
  }
  k.run("pointers_to_pointers", kRange, rows, lengths, out);
  p.expect_all("pointers to pointers", out, [&](std::size_t i) {
    int sum = 0;
    for (int j = 0; j < lengths[i]; ++j) sum += before[static_cast<std::size_t>(rows[i] - values.data() + j)] * (j + 1);
    return sum;
  });
  p.expect_all("writes through pointers to pointers", values, [&](std::size_t n) {
    std::size_t row = 0;
    while (rows[row] != values.data() + n / 10 * 10) ++row;
    return n % 10 == 0 && lengths[row] > 0 ? -1 : before[n];
  });

  auto nodes = p.zeros<Node>(1000);
  auto heads = p.zeros<Node*>(kCount);
  std::vector<int> want(kCount), length(kCount);
  std::vector<Node*> last(kCount);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = {static_cast<int>(i % 17) - 8, nullptr};
    const std::size_t list = i * i % kCount;
    (last[list] == nullptr ? heads[list] : last[list]->next) = &nodes[i];
    last[list] = &nodes[i];
    want[list] += nodes[i].value * ++length[list];
  }
  k.run("linked_list", kRange, heads, out);
  p.expect_all("linked lists", out, [&](std::size_t i) { return want[i]; });
}

void private_arrays(Program& p, Kernels& k) {
  auto in = p.shared(numbers(0, 10000));
  auto out = p.zeros<int>(kCount);
  k.run("small_array", kRange, in, out);
  p.expect_all("a small private array", out, [&](std::size_t item) {
    unsigned a[16];
    const auto x = static_cast<unsigned>(in[item]);
    for (unsigned i = 0; i < 16; ++i) a[i] = x * i;
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned j = (x + i * 5) & 15, t = a[i];
      a[i] = a[j] + 1;
      a[j] = t;
    }
    unsigned r = 0;
    for (const unsigned v : a) r = r * 3 + v;
    return static_cast<int>(r);
  });
  k.run("large_array", kRange, in, out, 200);
  p.expect_all("a large private array", out, [&](std::size_t item) {
    int a[300];
    for (int i = 0; i < 300; ++i) a[i] = i ^ in[item];
    int at = in[item] % 300;
    for (int i = 0; i < 200; ++i) {
      a[at] += i;
      at = (a[at] * 7 + i) % 300;
      if (at < 0) at += 300;
    }
    int r = 0;
    for (int i = 0; i < 300; i += 7) r += a[i];
    return r;
  });
  auto floats = p.zeros<float>(96), sums = p.zeros<float>(kCount);
  for (std::size_t i = 0; i < 96; ++i) floats[i] = static_cast<float>(i % 13) * 0.125F;
  k.run("many_values", kRange, floats, sums, 3);
  p.expect_all("more values than registers", sums,
               [&](std::size_t item) {
                 double v[96];
                 for (std::size_t i = 0; i < 96; ++i)
                   v[i] = static_cast<double>(floats[(item + i) % 96]) + static_cast<double>(i);
                 for (int round = 0; round < 3; ++round) {
                   for (std::size_t i = 0; i < 96; ++i) v[i] = v[(i + 1) % 96] * 0.5 + v[(i + 50) % 96];
                 }
                 double r = 0;
                 for (const double x : v) r += x;
                 return r;
               },
               {.relative = 1e-5});
}

template <int N>
void vectors_of(Program& p, Kernels& k) {
  // A vector of three has room for four.
  constexpr std::size_t kRoom = N == 3 ? 4 : N;
  auto a = p.zeros<int>(kRoom * kCount), b = p.zeros<int>(kRoom * kCount), out = p.zeros<int>(kRoom * kCount);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int>(i * 7919 % 1000) - 500;
    b[i] = static_cast<int>(i * 104729 % 1000) - 500;
  }
  k.run("vector_" + std::to_string(N), kRange, a, b, out);
  p.expect_all("vectors of " + std::to_string(N), out, [&](std::size_t i) {
    const std::size_t element = i % kRoom;
    if (element >= N) return out[i];
    const int x = a[i], y = b[i], r = element == 0 ? a[i + N - 1] : x * 2 - y;
    return (x > y ? y : r) + 5;
  });
}

void vectors(Program& p, Kernels& k) {
  vectors_of<2>(p, k);
  vectors_of<3>(p, k);
  vectors_of<4>(p, k);
  vectors_of<8>(p, k);
  vectors_of<16>(p, k);
  auto in = p.zeros<float>(4 * kCount), out = p.zeros<float>(4 * kCount);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  k.run("swizzles", kRange, in, out);
  p.expect_all("swizzles", out, [&](std::size_t i) {
    const float* v = in.data() + i / 4 * 4;
    const float w[4] = {v[2] * 2, v[3] * 2, v[2], v[3]};
    const float u[4] = {w[1], w[3], w[0], w[2]};
    constexpr int kOrder[4] = {3, 0, 2, 1};
    return u[kOrder[i % 4]];
  });
  auto shorts = p.zeros<short>(8 * kCount);
  auto bytes = p.zeros<unsigned char>(8 * kCount);
  auto floats = p.zeros<float>(8 * kCount);
  for (std::size_t i = 0; i < shorts.size(); ++i) shorts[i] = static_cast<short>(i * 31);
  k.run("short_vectors", kRange, shorts, bytes, floats);
  p.expect_all("vectors of shorts, bytes", bytes, [&](std::size_t i) { return shorts[i] & 255; });
  p.expect_all("vectors of shorts, floats", floats, [&](std::size_t i) { return static_cast<float>(shorts[i]); });
}

void others(Program& p, Kernels& k) {
  auto in = p.shared(numbers(0, 10000));
  auto out = p.zeros<int>(kCount);
  k.run("marray_and_constants", kRange, in, out);
  p.expect_all("marray and constants", out, [&](std::size_t item) {
    constexpr unsigned kTable[11] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
    unsigned r = 0;
    for (int i = 0; i < 5; ++i) r = r * 31 + kTable[(in[item] + i) % 11] * 3 + 1;
    return static_cast<int>(r);
  });

  constexpr unsigned kBytes = 2011;
  auto text = p.zeros<unsigned char>(kBytes), turned = p.zeros<unsigned char>(kBytes);
  for (unsigned i = 0; i < kBytes; ++i) text[i] = static_cast<unsigned char>(i * 11);
  k.run("bytes", sycl::nd_range<1>(2048, 128), text, turned, kBytes);
  p.expect_all("bytes", turned, [&](std::size_t i) {
    const unsigned char c = text[kBytes - 1 - i];
    return c >= 'a' && c <= 'z' ? c - 32 : c ^ 0x80;
  });

  k.run("many_arguments", kRange, static_cast<char>(-1), static_cast<short>(-20), 300, -4000L, 5.5F, sycl::half(-6.0F),
        static_cast<unsigned char>(200), sycl::vec<int, 3>(1, 2, 3), true, out, static_cast<unsigned short>(50000),
        sycl::vec<float, 2>(2.5F, 4.0F));
  p.expect_all("many arguments", out,
               [&](std::size_t) { return -1 - 20 + 300 - 4000 + 5 - 6 + 200 + 6 + 1 + 50000 + 10; });

  const sycl::kernel single = k.get("single");
  p.queue()
      .submit([&](sycl::handler& h) {
        h.set_args(out.data(), static_cast<int>(kCount));
        h.single_task(single);
      })
      .wait_and_throw();
  p.expect_all("a single task", out, [&](std::size_t i) { return i * i; });
  // What it prints is checked by who reads the output (CMakeLists.txt).
  k.run("say", sycl::nd_range<1>(64, 32), 3);
}

}  // namespace

void data(Program& p) {
  Kernels k = p.kernels("data.h");
  structs(p, k);
  pointers(p, k);
  private_arrays(p, k);
  vectors(p, k);
  others(p, k);
}

}  // namespace programs
