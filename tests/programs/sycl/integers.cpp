// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic and SYCL's integer functions in all eight types, with the values at which things overflow.
#include <bit>
#include <limits>
#include <random>

#include "program.h"

namespace programs {

namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kCount = 1000, kLocal = 64;

template <class T>
struct Inputs {
  Inputs(Program& p) : a(p.zeros<T>(kCount)), b(p.zeros<T>(kCount)), c(p.zeros<T>(kCount)) {
    std::mt19937_64 random(11);
    const std::vector<T> corners = {std::numeric_limits<T>::min(),
                                    static_cast<T>(std::numeric_limits<T>::min() + 1),
                                    static_cast<T>(-1),
                                    0,
                                    1,
                                    2,
                                    3,
                                    static_cast<T>(std::numeric_limits<T>::max() - 1),
                                    std::numeric_limits<T>::max(),
                                    static_cast<T>(std::numeric_limits<T>::max() / 2 + 1)};
    for (std::size_t i = 0; i < kCount; ++i) {
      // Numbers of all lengths, not only long ones.
      const auto value = [&] { return static_cast<T>(static_cast<T>(random()) >> (random() % (8 * sizeof(T)))); };
      a[i] = i < 300 ? corners[i % corners.size()] : value();
      b[i] = i < 300 ? corners[i / 10 % corners.size()] : value();
      c[i] = i < 300 ? corners[i / 30 % corners.size()] : value();
      if (b[i] == 0) b[i] = 1;
      // The one quotient that does not fit.
      if (std::is_signed_v<T> && a[i] == std::numeric_limits<T>::min() && b[i] == static_cast<T>(-1)) b[i] = 5;
    }
  }
  Shared<T> a, b, c;
};

template <class T>
constexpr int kBits = 8 * sizeof(T);
template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
T saturated(Wide value) {
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number, not a character
  constexpr Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}
/// The low bits of a product or sum, whatever the type promotes to.
template <class T>
T wrapped(Wide value) {
  return static_cast<T>(static_cast<unsigned long>(value));
}
/// Bits above the low half of the product: exact for 64 bits, too.
template <class T>
T high_half(T a, T b) {
  return static_cast<T>((Wide{a} * Wide{b}) >> kBits<T>);
}
template <>
unsigned long high_half(unsigned long a, unsigned long b) {
  __extension__ using UnsignedWide = unsigned __int128;
  return static_cast<unsigned long>((UnsignedWide{a} * UnsignedWide{b}) >> 64);
}

template <class T>
class Operations {
 public:
  Operations(Program& p, Kernels& k, std::string type) : program_(p), kernels_(k), type_(std::move(type)), in_(p) {}

  /// Elements of which `defined` says no are not looked at.
  template <class R = T, class F>
  void check(const std::string& name, F want, const std::function<bool(T, T, T)>& defined = {}) {
    auto out = program_.zeros<R>(kCount);
    kernels_.run(type_ + "_" + name, sycl::nd_range<1>((kCount + kLocal - 1) / kLocal * kLocal, kLocal), in_.a, in_.b,
                 in_.c, out, static_cast<unsigned>(kCount));
    program_.expect_all(type_ + " " + name, out, [&](std::size_t i) {
      return !defined || defined(in_.a[i], in_.b[i], in_.c[i]) ? static_cast<R>(want(in_.a[i], in_.b[i], in_.c[i]))
                                                               : out[i];
    });
  }

  void arithmetic() {
    constexpr T mask = kBits<T> - 1;
    check("add", [](T x, T y, T) { return wrapped<T>(Wide{x} + y); });
    check("sub", [](T x, T y, T) { return wrapped<T>(Wide{x} - y); });
    check("mul", [](T x, T y, T) { return wrapped<T>(Wide{x} * y); });
    check("div", [](T x, T y, T) { return x / y; });
    check("mod", [](T x, T y, T) { return x % y; });
    check("shl", [](T x, T, T z) { return wrapped<T>(Wide{x} << (z & mask)); });
    check("shr", [](T x, T, T z) { return x >> (z & mask); });
    check("logic", [](T x, T y, T z) { return (x & ~y) ^ (z | x); });
    check("neg", [](T x, T, T) { return wrapped<T>(-Wide{x}); });
    check<unsigned char>("less", [](T x, T y, T) { return x < y; });
    check<unsigned char>("equal", [](T x, T y, T z) { return int{x == y} | int{x >= z} << 1 | int{x != z} << 2; });
    check("div3", [](T x, T, T) { return x / 3; });
    check("mod10", [](T x, T, T) { return x % 10; });
    check("choose", [](T x, T y, T z) { return x > y ? z : wrapped<T>(Wide{x} - z); });
    check("mad", [](T x, T y, T z) { return wrapped<T>(Wide{x} * y + z); });
  }

  void functions() {
    // Three functions of the compiler's library (IGC 2.40) are wrong in 64 bits at the edge, as their machine code
    // shows: sub_sat(0, min) does not saturate, rhadd(max, max) loses the carry, and mad_sat is only right far from
    // zero and the limits.
    const bool wide = sizeof(T) == 8;
    const std::function<bool(T, T, T)> not_zero_minus_min = [=](T x, T y, T) {
      return !wide || x != 0 || y != std::numeric_limits<T>::min() || y == 0;
    };
    const std::function<bool(T, T, T)> not_both_max = [=](T x, T y, T) {
      return !wide || x != y || x != std::numeric_limits<T>::max();
    };
    const std::function<bool(T, T, T)> far_from_limits = [=](T x, T y, T z) {
      const Wide product = Wide{x} * y, limit = Wide{1} << 62;
      return !std::is_same_v<T, long> ||
             (product != 0 && (product > 4 * limit || product < -4 * limit ||
                               (product < limit && product > -limit && z < limit && z > -limit)));
    };
    check("abs_diff", [](T x, T y, T) { return wrapped<T>(x > y ? Wide{x} - y : Wide{y} - x); });
    check("add_sat", [](T x, T y, T) { return saturated<T>(Wide{x} + y); });
    check(
        "sub_sat", [](T x, T y, T) { return saturated<T>(Wide{x} - y); }, not_zero_minus_min);
    check("hadd", [](T x, T y, T) { return (Wide{x} + y) >> 1; });
    check(
        "rhadd", [](T x, T y, T) { return (Wide{x} + y + 1) >> 1; }, not_both_max);
    check("mul_hi", [](T x, T y, T) { return high_half<T>(x, y); });
    check("mad_hi", [](T x, T y, T z) { return wrapped<T>(Wide{high_half<T>(x, y)} + z); });
    check(
        "mad_sat",
        [](T x, T y, T z) {
          // A product of two unsigned 64-bit numbers does not fit into the signed 128 bits.
          if (std::is_same_v<T, unsigned long> && high_half<T>(x, y) != 0) return std::numeric_limits<T>::max();
          return saturated<T>(Wide{x} * y + z);
        },
        far_from_limits);
    check("clz", [](T x, T, T) { return std::countl_zero(static_cast<Unsigned<T>>(x)); });
    check("ctz", [](T x, T, T) { return std::countr_zero(static_cast<Unsigned<T>>(x)); });
    check("popcount", [](T x, T, T) { return std::popcount(static_cast<Unsigned<T>>(x)); });
    check("rotate",
          [](T x, T, T z) { return std::rotl(static_cast<Unsigned<T>>(x), static_cast<int>(z & (kBits<T> - 1))); });
    check("min", [](T x, T y, T) { return std::min(x, y); });
    check("max", [](T x, T y, T) { return std::max(x, y); });
    check("clamp", [](T x, T y, T z) { return std::clamp(x, std::min(y, z), std::max(y, z)); });
    check("bitselect", [](T x, T y, T z) { return (x & ~z) | (y & z); });
  }

  void run() {
    arithmetic();
    functions();
  }

 private:
  Program& program_;
  Kernels& kernels_;
  std::string type_;
  Inputs<T> in_;
};

unsigned long hash_of(unsigned long h, unsigned long b, unsigned long c) {
  for (unsigned r = 0; r < 20; ++r) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdUL + b;
    h = std::rotl(h, 27) - c / (h | 1);
  }
  return h;
}

void others(Program& p, Kernels& k) {
  Operations<int> ints(p, k, "i32");
  ints.check("mul24", [](int x, int y, int) { return wrapped<int>(Wide{x >> 8} * (y >> 8)); });
  ints.check("mad24", [](int x, int y, int z) { return wrapped<int>(Wide{x >> 8} * (y >> 8) + z); });
  ints.check<long>("wide", [](int x, int y, int z) { return long{x} * y + z; });
  ints.check<signed char>("narrow", [](int x, int y, int) { return wrapped<signed char>(Wide{x} + y); });
  Operations<unsigned> words(p, k, "u32");
  words.check<unsigned long>("wide",
                             [](unsigned x, unsigned y, unsigned) { return static_cast<unsigned long>(x) * y; });
  words.check<unsigned long>("upsample",
                             [](unsigned x, unsigned y, unsigned) { return static_cast<unsigned long>(x) << 32 | y; });
  Operations<long> longs(p, k, "i64");
  longs.check<short>("narrow", [](long x, long y, long) { return wrapped<short>(Wide{x} * y); });
  longs.check<int>("to_32", [](long x, long, long) { return wrapped<int>(x >> 16); });

  const Inputs<int> in(p);
  auto out = p.zeros<int>(kCount);
  const sycl::nd_range<1> range((kCount + kLocal - 1) / kLocal * kLocal, kLocal);
  k.run("vectors", range, in.a, in.b, in.c, out, static_cast<unsigned>(kCount));
  p.expect_all("vectors of integers", out, [&](std::size_t i) {
    return wrapped<int>(Wide{in.a[i / 4 * 4 + 3 - i % 4]} * in.b[i] + (in.a[i] < in.b[i] ? -1 : 0) - in.c[i / 4]);
  });

  const Inputs<unsigned long> wide(p);
  auto product = p.zeros<unsigned long>(2 * kCount), hash = p.zeros<unsigned long>(kCount);
  k.run("product128", range, wide.a, wide.b, wide.c, product, static_cast<unsigned>(kCount));
  p.expect_all("product of 128 bits", product, [&](std::size_t i) {
    return i % 2 == 0 ? wide.a[i / 2] * wide.b[i / 2] : high_half(wide.a[i / 2], wide.b[i / 2]);
  });
  k.run("hash", range, wide.a, wide.b, wide.c, hash, static_cast<unsigned>(kCount));
  p.expect_all("hash of 64 bits", hash, [&](std::size_t i) { return hash_of(wide.a[i], wide.b[i], wide.c[i]); });
}

}  // namespace

void integers(Program& p) {
  Kernels k = p.kernels("integers.h");
  Operations<signed char>(p, k, "i8").run();
  Operations<unsigned char>(p, k, "u8").run();
  Operations<short>(p, k, "i16").run();
  Operations<unsigned short>(p, k, "u16").run();
  Operations<int>(p, k, "i32").run();
  Operations<unsigned>(p, k, "u32").run();
  Operations<long>(p, k, "i64").run();
  Operations<unsigned long>(p, k, "u64").run();
  others(p, k);
}

}  // namespace programs
