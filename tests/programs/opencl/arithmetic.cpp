// SPDX-License-Identifier: Apache-2.0
//
// Hashes, conversions, bytes and text, IEEE division, built-in functions.
#include <bit>
#include <limits>

#include "checks.h"

namespace programs {

namespace {

using std::size_t;

constexpr size_t kLocal = 64, kItems = 512;
constexpr Size3 kGroups = {kItems / kLocal, 1, 1}, kGroup = {kLocal, 1, 1};

void hashes(Checks& c) {
  Module m(c.session(), c.file("hash.cl"));
  constexpr int length = 13;
  Buffer<std::uint8_t> text(c.session(), c.random_bits<std::uint8_t>(kItems * length));
  Buffer<std::uint64_t> wide(c.session(), kItems);
  m.run("fnv", kGroups, kGroup, text, wide, length);
  c.all("FNV", wide, [&](size_t i) {
    std::uint64_t h = 0xcbf29ce484222325U;
    for (size_t k = 0; k < length; ++k) h = (h ^ text[i * length + k]) * 0x100000001b3U;
    return h;
  });
  constexpr int words = 7;
  Buffer<std::uint32_t> in(c.session(), c.random_bits<std::uint32_t>(kItems * 16)), out(c.session(), kItems);
  m.run("murmur", kGroups, kGroup, in, out, words);
  c.all("Murmur", out, [&](size_t i) {
    std::uint32_t h = 42;
    for (size_t k = 0; k < words; ++k)
      h = std::rotl(h ^ (std::rotl(in[i * words + k] * 0xcc9e2d51U, 15) * 0x1b873593U), 13) * 5 + 0xe6546b64U;
    h ^= words * 4;
    h = (h ^ (h >> 16)) * 0x85ebca6bU;
    h = (h ^ (h >> 13)) * 0xc2b2ae35U;
    return h ^ (h >> 16);
  });
  Buffer<std::uint64_t> state(c.session(), c.random_bits<std::uint64_t>(kItems));
  std::vector<std::uint64_t> own(state.begin(), state.end());
  m.run("xorshift", kGroups, kGroup, state, wide, 11);
  for (std::uint64_t& s : own) {
    for (int k = 0; k < 11; ++k) {
      s ^= s >> 12;
      s ^= s << 25;
      s ^= s >> 27;
    }
  }
  c.all("xorshift, state", state, [&](size_t i) { return own[i]; });
  c.all("xorshift, numbers", wide, [&](size_t i) { return own[i] * 0x2545F4914F6CDD1DU; });
  m.run("sha_round", kGroups, kGroup, in, out);
  c.all("SHA's schedule", out, [&](size_t i) {
    std::uint32_t w[64], h = 0;
    for (size_t k = 0; k < 16; ++k) w[k] = in[i * 16 + k];
    for (size_t k = 16; k < 64; ++k) {
      const std::uint32_t a = w[k - 15], b = w[k - 2];
      w[k] = w[k - 16] + w[k - 7] + (std::rotl(a, 25) ^ std::rotl(a, 14) ^ (a >> 3)) +
             (std::rotl(b, 15) ^ std::rotl(b, 13) ^ (b >> 10));
    }
    for (const std::uint32_t word : w) h = std::rotl(h, 5) ^ word;
    return h;
  });

  Buffer<std::uint32_t> a(c.session(), c.random_bits<std::uint32_t>(4 * kItems)),
      b(c.session(), c.random_bits<std::uint32_t>(4 * kItems)), product(c.session(), 8 * kItems);
  m.run("big_numbers", kGroups, kGroup, a, b, product);
  std::vector<std::uint32_t> want(8 * kItems);
  for (size_t i = 0; i < kItems; ++i) {
    for (size_t x = 0; x < 4; ++x) {
      std::uint64_t carry = 0;
      for (size_t y = 0; y < 4; ++y) {
        carry += std::uint64_t{a[4 * i + x]} * b[4 * i + y] + want[8 * i + x + y];
        want[8 * i + x + y] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      want[8 * i + x + 4] = static_cast<std::uint32_t>(carry);
    }
  }
  c.all("products of 128 bits", product, [&](size_t i) { return want[i]; });

  constexpr std::uint64_t modulus = 4294967291U;
  Buffer<std::uint64_t> base(c.session(), c.random_bits<std::uint64_t>(kItems));
  Buffer<std::uint32_t> exponent(c.session(), c.random_bits<std::uint32_t>(kItems));
  m.run("modular_power", kGroups, kGroup, base, exponent, wide, modulus);
  c.all("powers modulo a prime", wide, [&](size_t i) {
    std::uint64_t r = 1, x = base[i] % modulus;
    for (std::uint32_t e = exponent[i]; e != 0; e >>= 1) {
      if ((e & 1) != 0) r = r * x % modulus;
      x = x * x % modulus;
    }
    return r;
  });
}

enum class Mode { Nearest, Zero, Up, Down };
constexpr std::pair<Mode, const char*> kModes[] = {
    {Mode::Nearest, "_rte"}, {Mode::Zero, "_rtz"}, {Mode::Up, "_rtp"}, {Mode::Down, "_rtn"}};

long double integral(long double value, Mode mode) {
  return mode == Mode::Nearest ? std::nearbyint(value)
         : mode == Mode::Zero  ? std::trunc(value)
         : mode == Mode::Up    ? std::ceil(value)
                               : std::floor(value);
}
long double rounded(long double value, Mode mode, int digits, int least_exponent, long double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const long double unit = std::ldexp(1.0L, std::max(std::ilogb(value), least_exponent) - digits + 1);
  const long double near = integral(value / unit, mode) * unit;
  if (std::abs(near) <= largest) return std::copysign(near, value);
  const bool to_infinity =
      mode == Mode::Nearest || (mode == Mode::Up && value > 0) || (mode == Mode::Down && value < 0);
  return std::copysign(to_infinity ? std::numeric_limits<long double>::infinity() : largest, value);
}
std::uint16_t half_bits(long double value, Mode mode) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7E00;
  const long double magnitude = std::abs(rounded(value, mode, 11, -14, 65504.0L));
  if (std::isinf(magnitude)) return sign | 0x7C00;
  if (magnitude < 0x1p-14L)
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::ldexp(magnitude, 24)));
  const int exponent = std::ilogb(magnitude);
  return static_cast<std::uint16_t>(sign | ((exponent + 15) << 10) |
                                    (static_cast<int>(std::ldexp(magnitude, 10 - exponent)) & 1023));
}
long double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const long double magnitude = exponent == 0 ? std::ldexp(static_cast<long double>(mantissa), -24)
                                              : std::ldexp(static_cast<long double>(1024 + mantissa), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
template <class T>
T saturated(long double value) {
  if (std::isnan(value)) return 0;
  constexpr auto low = static_cast<long double>(std::numeric_limits<T>::min()),
                 high = static_cast<long double>(std::numeric_limits<T>::max());
  return value <= low    ? std::numeric_limits<T>::min()
         : value >= high ? std::numeric_limits<T>::max()
                         : static_cast<T>(value);
}

class Conversions {
 public:
  explicit Conversions(Checks& c) : checks_(c), module_(c.session(), c.file("conversions.cl")) {}

  template <class To, class From, class F>
  void convert(const std::string& name, const std::vector<From>& values, F want) {
    Buffer<From> in(checks_.session(), values);
    Buffer<To> out(checks_.session(), values.size());
    module_.run(name, {static_cast<std::uint32_t>(values.size() / kLocal), 1, 1}, kGroup, in, out);
    checks_.all(name, out, [&](size_t i) { return want(values[i]); });
  }
  template <class To, class From>
  void to_real(const std::string& name, const std::vector<From>& values) {
    for (const auto& [mode, suffix] : kModes) {
      convert<To>(name + suffix, values, [mode = mode](From x) {
        return static_cast<To>(rounded(x, mode, 24, -126, std::numeric_limits<float>::max()));
      });
    }
  }
  template <class To>
  void to_integer(const std::string& name, const std::vector<float>& values) {
    for (const auto& [mode, suffix] : kModes) {
      convert<To>("float_to_" + name + "_sat" + suffix, values,
                  [mode = mode](float x) { return saturated<To>(integral(x, mode)); });
    }
  }
  template <class To>
  void half_to_integer(const std::string& name, const std::vector<std::uint16_t>& values) {
    for (const auto& [mode, suffix] : kModes) {
      convert<To>("half_to_" + name + "_sat" + suffix, values,
                  [mode = mode](std::uint16_t x) { return saturated<To>(integral(half_value(x), mode)); });
    }
  }
  template <class To, class From>
  void integer(const std::string& name) {
    std::vector<From> values = checks_.random_bits<From>(960);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<From>(values[i] >> (i % (8 * sizeof(From))));
    for (int i = 0; i < 32; ++i) {
      const auto inside = static_cast<From>(i);
      values.push_back(static_cast<From>(std::numeric_limits<From>::max() - inside));
      values.push_back(static_cast<From>(std::numeric_limits<From>::min() + inside));
    }
    convert<To>(name + "_sat", values, [](From x) { return saturated<To>(x); });
  }

  Checks& checks() { return checks_; }
  Module& module() { return module_; }

 private:
  Checks& checks_;
  Module module_;
};

void conversions(Checks& c) {
  Conversions conversions(c);
  std::vector<float> reals = {
      0.0F,    -0.0F,    0.5F,     -0.5F,    1.5F,      2.5F,          -2.5F,          127.5F,        128.0F,  -128.5F,
      255.5F,  65504.0F, 65519.9F, 65520.0F, -65536.0F, 2147483647.0F, -2147483648.0F, 4294967295.0F, 9.3e18F, -9.3e18F,
      1.9e19F, 3e38F,    -3e38F,   INFINITY, -INFINITY, NAN,           6e-8F,          2.9e-8F,       1e-45F,  6.1e-5F};
  std::mt19937 random(71);
  std::uniform_real_distribution<float> exponent(-28, 66);
  while (reals.size() < 1024) reals.push_back((reals.size() % 2 == 0 ? 1.0F : -1.0F) * std::exp2(exponent(random)));
  std::vector<float> no_nan = reals;
  for (float& x : no_nan) x = std::isnan(x) ? 1.0F : x;
  for (const auto& [mode, suffix] : kModes) {
    conversions.convert<std::uint16_t>(std::string("float_to_half") + suffix, no_nan,
                                       [mode = mode](float x) { return half_bits(x, mode); });
  }
  conversions.to_integer<std::int8_t>("char", reals);
  conversions.to_integer<std::uint8_t>("uchar", reals);
  conversions.to_integer<std::int16_t>("short", reals);
  conversions.to_integer<std::uint16_t>("ushort", reals);
  conversions.to_integer<std::int32_t>("int", reals);
  conversions.to_integer<std::uint32_t>("uint", reals);
  conversions.to_integer<std::int64_t>("long", reals);
  conversions.to_integer<std::uint64_t>("ulong", reals);
  std::vector<std::uint16_t> halves;
  for (unsigned bits = 0; bits < 65536; bits += 7) {
    if ((bits & 0x7C00) != 0x7C00) halves.push_back(static_cast<std::uint16_t>(bits));
  }
  halves.resize(halves.size() / kLocal * kLocal);
  conversions.half_to_integer<std::int8_t>("char", halves);
  conversions.half_to_integer<std::int32_t>("int", halves);

  const auto integers = [&]<class T>(T) {
    std::vector<T> values = c.random_bits<T>(1024);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(values[i] >> (i % (8 * sizeof(T))));
    values[0] = std::numeric_limits<T>::max();
    values[1] = std::numeric_limits<T>::min();
    values[2] = 0;
    return values;
  };
  conversions.to_real<float>("int_to_float", integers(std::int32_t{}));
  conversions.to_real<float>("uint_to_float", integers(std::uint32_t{}));
  conversions.to_real<float>("long_to_float", integers(std::int64_t{}));
  conversions.to_real<float>("ulong_to_float", integers(std::uint64_t{}));

  conversions.integer<std::int8_t, std::int32_t>("int_to_char");
  conversions.integer<std::uint8_t, std::int32_t>("int_to_uchar");
  conversions.integer<std::int16_t, std::int32_t>("int_to_short");
  conversions.integer<std::uint16_t, std::int32_t>("int_to_ushort");
  conversions.integer<std::uint32_t, std::int32_t>("int_to_uint");
  conversions.integer<std::int32_t, std::uint32_t>("uint_to_int");
  conversions.integer<std::int32_t, std::int64_t>("long_to_int");
  conversions.integer<std::uint32_t, std::int64_t>("long_to_uint");
  conversions.integer<std::uint64_t, std::int64_t>("long_to_ulong");
  conversions.integer<std::int64_t, std::uint64_t>("ulong_to_long");
  conversions.integer<std::int8_t, std::int16_t>("short_to_char");
  conversions.integer<std::uint8_t, std::uint16_t>("ushort_to_uchar");

  Buffer<float> in(c.session(), std::vector<float>(no_nan.begin(), no_nan.begin() + 4 * kLocal)),
      back(c.session(), 4 * kLocal);
  Buffer<std::uint16_t> stored(c.session(), 4 * kLocal);
  conversions.module().run("halves_in_memory", {1, 1, 1}, kGroup, in, stored, back);
  c.all("halves stored", stored, [&](size_t i) { return half_bits(in[i], i % 4 == 0 ? Mode::Zero : Mode::Nearest); });
  c.all("halves loaded", back, [&](size_t i) {
    return (stored[i] & 0x7FFF) == 0x7C00 ? static_cast<float>(std::copysign(INFINITY, in[i]))
                                          : static_cast<float>(half_value(stored[i]));
  });
}

void text(Checks& c) {
  Module m(c.session(), c.file("strings.cl"));
  std::string words;
  while (words.size() < kItems) words += "the quick brown fox jumps over the lazy dog and the cat; ";
  words.resize(kItems);
  Buffer<char> in(c.session(), std::vector<char>(words.begin(), words.end())), out(c.session(), kItems);
  m.run("upper", kGroups, kGroup, in, out);
  c.all("upper case", out, [&](size_t i) { return in[i] >= 'a' && in[i] <= 'z' ? in[i] - 32 : in[i]; });

  const std::string pattern = "t?e ";
  Buffer<char> sought(c.session(), std::vector<char>(pattern.begin(), pattern.end()));
  Buffer<int> hits(c.session(), kItems, -1), count(c.session(), 1);
  m.run("find", kGroups, kGroup, in, static_cast<int>(kItems), sought, static_cast<int>(pattern.size()), hits, count);
  std::vector<int> found(hits.begin(), hits.begin() + count[0]), want;
  std::sort(found.begin(), found.end());
  for (size_t at = words.find("the "); at != std::string::npos; at = words.find("the ", at + 1))
    want.push_back(static_cast<int>(at));
  c.expect(found == want, "search in a text");

  Buffer<std::uint8_t> bytes(c.session(), c.random_bits<std::uint8_t>(16 * kItems));
  Buffer<char> hex(c.session(), 2 * kItems);
  m.run("hex", kGroups, kGroup, bytes, hex);
  c.all("hexadecimal", hex,
        [&](size_t i) { return "0123456789abcdef"[i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2] & 15]; });

  auto integers = c.random_bits<int>(kItems);
  for (size_t i = 0; i < kItems; ++i) integers[i] >>= i % 32;
  integers[0] = std::numeric_limits<int>::min();
  Buffer<int> numbers(c.session(), integers);
  Buffer<char> decimal(c.session(), 12 * kItems, 'x');
  m.run("numbers", kGroups, kGroup, numbers, decimal);
  c.all("decimal", decimal, [&](size_t i) {
    const std::string digits = std::to_string(numbers[i / 12]);
    return i % 12 < digits.size() ? digits[i % 12] : '\0';
  });
  Buffer<std::uint8_t> turned(c.session(), 16 * kItems);
  m.run("shuffle_bytes", kGroups, kGroup, bytes, turned);
  c.all("vectors of bytes", turned, [&](size_t i) { return bytes[i / 16 * 16 + 15 - i % 16] + bytes[i / 16 * 16]; });

  Buffer<std::uint32_t> quads(c.session(), kItems);
  Buffer<std::uint16_t> pairs(c.session(), kItems);
  m.run("unaligned", kGroups, kGroup, bytes, quads, pairs);
  c.all("four bytes from anywhere", quads, [&](size_t i) {
    std::uint32_t value;
    std::memcpy(&value, bytes.begin() + i * 3 + 1, 4);
    return value;
  });
  c.all("two bytes from anywhere", pairs, [&](size_t i) {
    std::uint16_t value;
    std::memcpy(&value, bytes.begin() + i * 5 + 3, 2);
    return value;
  });
}

void division(Checks& c) {
  Module m(c.session(), c.file("divide.cl"), "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt");
  constexpr size_t count = 8192;
  Buffer<float> a(c.session(), count), b(c.session(), count), out(c.session(), count);
  const auto bits = c.random_bits<std::uint32_t>(2 * count);
  const float corners[] = {0.0F,     -0.0F,    1.0F,    -1.0F,           INFINITY,  -INFINITY,       NAN,
                           1e-45F,   1e-38F,   3.4e38F, 1.17549435e-38F, 0x1p-126F, 0x1.fffffep127F, 3.0F,
                           0x1p100F, 0x1p-100F};
  for (size_t i = 0; i < count; ++i) {
    // Every bit pattern may come; half of the pairs are near one another, where quotients are normal numbers.
    a[i] = std::bit_cast<float>(bits[i]);
    b[i] =
        std::bit_cast<float>(i % 2 == 0 ? bits[count + i] : (bits[i] & 0x7F800000U) ^ (bits[count + i] & 0x807FFFFFU));
    if (i < 256) {
      a[i] = corners[i / 16];
      b[i] = corners[i % 16];
    }
  }
  m.run("divide", {count / kLocal, 1, 1}, kGroup, a, b, out);
  c.all("IEEE division", out, [&](size_t i) { return a[i] / b[i]; });
  m.run("root", {count / kLocal, 1, 1}, kGroup, a, b, out);
  c.all("IEEE square root", out, [&](size_t i) { return std::sqrt(a[i]); });
}

template <class T>
T saturated_sum(std::int64_t value) {
  return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

void functions(Checks& c) {
  Module m(c.session(), c.file("select.cl"));
  Buffer<std::uint32_t> a(c.session(), c.random_bits<std::uint32_t>(kItems)),
      b(c.session(), c.random_bits<std::uint32_t>(kItems)), d(c.session(), c.random_bits<std::uint32_t>(kItems)),
      out(c.session(), kItems);
  m.run("bits", kGroups, kGroup, a, b, d, out);
  c.all("functions of bits", out, [&](size_t i) {
    const std::uint32_t x = a[i], y = b[i], z = d[i];
    const auto high = [](std::uint32_t p, std::uint32_t q) {
      return static_cast<std::uint32_t>(std::uint64_t{p} * q >> 32);
    };
    std::uint32_t r = static_cast<std::uint32_t>(std::popcount(x) + std::countl_zero(y) * 3 + std::countr_zero(z) * 5);
    r ^= std::rotl(x, static_cast<int>(y & 31)) + high(y, z) - (high(x, y) + z);
    const std::uint64_t sum = std::uint64_t{x} + z, other = std::uint64_t{y} + z + 1;
    r += saturated_sum<std::uint32_t>(std::int64_t{x} + y) ^ saturated_sum<std::uint32_t>(std::int64_t{y} - z) ^
         static_cast<std::uint32_t>(sum >> 1) ^ static_cast<std::uint32_t>(other >> 1);
    r ^= ((x & ~z) | (y & z)) + (x > z ? x - z : z - x) + std::max(std::min(x, y), z);
    return r + (x & 0xFFFF) * (y & 0xFFF) + z;
  });
  Buffer<int> x(c.session(), c.random<int>(4 * kItems, -5, 5)), y(c.session(), c.random<int>(4 * kItems, -5, 5)),
      lanes(c.session(), 4 * kItems);
  m.run("lanes", kGroups, kGroup, x, y, lanes);
  c.all("vectors, any and all", lanes, [&](size_t n) {
    const int *p = x.begin() + n / 4 * 4, *q = y.begin() + n / 4 * 4;
    int r[4], less = 0;
    for (int k = 0; k < 4; ++k) {
      r[k] = p[k] < q[k] ? q[k] : p[k];
      less += p[k] < q[k] ? 1 : 0;
    }
    for (int& value : r) value = (value + (less > 0 ? 1 : 0)) * (less == 4 ? 2 : 1);
    std::swap(r[0], r[2]);
    const int chosen[4] = {r[0], q[1], r[2], q[3]};
    return chosen[n % 4];
  });
  Buffer<std::int8_t> s(c.session(), c.random_bits<std::int8_t>(4 * kItems)),
      t(c.session(), c.random_bits<std::int8_t>(4 * kItems));
  Buffer<int> dots(c.session(), kItems);
  m.run("dot_products", kGroups, kGroup, s, t, dots);
  c.all("dot products of bytes", dots, [&](size_t i) {
    int sum = 0;
    for (size_t k = 4 * i; k < 4 * i + 4; ++k) sum += s[k] * t[k];
    return sum;
  });
}

}  // namespace

void arithmetic(Checks& c) {
  hashes(c);
  conversions(c);
  text(c);
  division(c);
  functions(c);
}

}  // namespace programs
