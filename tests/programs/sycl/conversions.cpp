// SPDX-License-Identifier: Apache-2.0
//
// Conversions between all kinds of numbers in all rounding modes, and arithmetic in 16-bit floats.
#include <random>

#include "program.h"

namespace programs {

namespace {

constexpr std::size_t kLocal = 64;
enum class Mode { Nearest, Zero, Up, Down };
constexpr std::pair<Mode, const char*> kModes[] = {
    {Mode::Nearest, "rte"}, {Mode::Zero, "rtz"}, {Mode::Up, "rtp"}, {Mode::Down, "rtn"}};

long double integral(long double value, Mode mode) {
  switch (mode) {
    case Mode::Nearest:
      return std::nearbyint(value);
    case Mode::Zero:
      return std::trunc(value);
    case Mode::Up:
      return std::ceil(value);
    default:
      return std::floor(value);
  }
}

/// The neighbour of `value` in a format with that many digits; exact for every double and every 64-bit integer.
template <class T>
double rounded(long double value, Mode mode) {
  constexpr detail::Format format = detail::format_of<T>();
  if (value == 0 || !std::isfinite(value)) return static_cast<double>(value);
  const int exponent = std::max(std::ilogb(value), format.min_exponent);
  const long double unit = std::ldexp(1.0L, exponent - format.digits + 1);
  const long double near = integral(value / unit, mode) * unit;
  if (std::abs(near) <= format.largest) return static_cast<double>(near == 0 ? std::copysign(0.0L, value) : near);
  const bool to_infinity =
      mode == Mode::Nearest || (mode == Mode::Up && value > 0) || (mode == Mode::Down && value < 0);
  return static_cast<double>(std::copysign(
      to_infinity ? std::numeric_limits<long double>::infinity() : static_cast<long double>(format.largest), value));
}

float bf16_to_float(unsigned short bits) { return sycl::bit_cast<float>(static_cast<unsigned>(bits) << 16); }
unsigned short float_to_bf16(float value) {
  const auto bits = sycl::bit_cast<unsigned>(value);
  if (std::isnan(value)) return 0x7FC0;
  return static_cast<unsigned short>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

std::vector<float> float_values(double largest) {
  std::vector<float> values = {0.0F,  -0.0F,    0.5F,     -0.5F,    1.5F,  -1.5F,  2.5F,  0.49999997F, 1.0F,
                               -1.0F, 65504.0F, 65519.0F, 65520.0F, 1e-8F, -3e-8F, 6e-8F, 1e-45F,      6.1e-5F};
  std::mt19937 random(23);
  std::uniform_real_distribution<double> exponent(-26, std::log2(largest));
  for (unsigned i = 0; i < 3000; ++i)
    values.push_back(static_cast<float>((i % 2 == 0 ? 1 : -1) * std::exp2(exponent(random))));
  std::erase_if(values, [&](float v) { return std::abs(v) > largest; });
  return values;
}

class Converter {
 public:
  Converter(Program& p, Kernels kernels) : program_(p), kernels_(std::move(kernels)) {}

  template <class To, class From, class F>
  void check(const std::string& name, const std::vector<From>& values, F want, const Tolerance& tolerance = {}) {
    auto in = program_.shared(values);
    auto out = program_.zeros<To>(values.size());
    kernels_.run(name, range(values.size()), in, out, static_cast<unsigned>(values.size()));
    program_.expect_all(
        name, out, [&](std::size_t i) { return static_cast<To>(want(values[i])); }, tolerance);
  }

  template <class To, class From>
  void all_modes(const std::string& name, const std::vector<From>& values) {
    for (const auto& [mode, suffix] : kModes) {
      check<To>(name + "_" + suffix, values, [mode = mode](From x) {
        const auto exact = static_cast<long double>(x);
        if constexpr (detail::is_floating<To>)
          return rounded<To>(exact, mode);
        else
          return static_cast<To>(integral(exact, mode));
      });
    }
  }

  template <class R, class T, class F>
  void binary(const std::string& name, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c,
              F want, const Tolerance& tolerance = {}) {
    auto x = program_.shared(a), y = program_.shared(b), z = program_.shared(c);
    auto out = program_.zeros<R>(a.size());
    kernels_.run(name, range(a.size()), x, y, z, out, static_cast<unsigned>(a.size()));
    program_.expect_all(
        name, out, [&](std::size_t i) { return want(i); }, tolerance);
  }

 private:
  static sycl::nd_range<1> range(std::size_t count) { return {(count + kLocal - 1) / kLocal * kLocal, kLocal}; }
  Program& program_;
  Kernels kernels_;
};

void between_numbers(Converter& c) {
  std::mt19937_64 random(29);
  const auto integers = [&]<class T>(T) {
    std::vector<T> values = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, 1, 2, static_cast<T>(-1)};
    for (int i = 0; i < 1000; ++i)
      values.push_back(static_cast<T>(static_cast<T>(random()) >> (random() % (8 * sizeof(T)))));
    return values;
  };
  c.all_modes<sycl::half>("float_to_half", float_values(3e38));
  c.all_modes<int>("float_to_int", float_values(2.0e9));
  c.all_modes<unsigned>("float_to_uint", [] {
    std::vector<float> values = float_values(4.0e9);
    for (float& v : values) v = std::abs(v);
    return values;
  }());
  c.all_modes<short>("float_to_short", float_values(32700));
  c.all_modes<signed char>("float_to_char", float_values(126));
  c.all_modes<long>("float_to_long", float_values(9.0e18));
  std::vector<sycl::half> halves;
  for (const float v : float_values(65000)) halves.push_back(static_cast<sycl::half>(v));
  c.all_modes<int>("half_to_int", halves);
  c.check<float>("int_to_float_rte", integers(int{}), [](auto x) { return rounded<float>(x, Mode::Nearest); });
  c.check<float>("uint_to_float_rte", integers(unsigned{}), [](auto x) { return rounded<float>(x, Mode::Nearest); });
  c.check<float>("long_to_float_rte", integers(long{}), [](auto x) { return rounded<float>(x, Mode::Nearest); });
  // Exact in a long double, which has 64 bits.
  c.check<float>("ulong_to_float_rte", integers(static_cast<unsigned long>(0)),
                 [](auto x) { return rounded<float>(x, Mode::Nearest); });
  c.check<sycl::half>("int_to_half_rte", integers(int{}), [](auto x) { return rounded<sycl::half>(x, Mode::Nearest); });

  const auto same = [](auto x) { return x; };
  c.check<int>("float_to_int", float_values(2.0e9), [](float x) { return static_cast<int>(x); });
  c.check<unsigned long>(
      "float_to_ulong",
      [] {
        std::vector<float> values = float_values(1.8e19);
        for (float& v : values) v = std::abs(v);
        return values;
      }(),
      [](float x) { return static_cast<unsigned long>(x); });
  c.check<sycl::half>("float_to_half", float_values(3e38),
                      [](float x) { return rounded<sycl::half>(x, Mode::Nearest); });
  c.check<float>("uchar_to_float", integers(static_cast<unsigned char>(0)), same);
  c.check<float>("short_to_float", integers(static_cast<short>(0)), same);
  c.check<sycl::half>("char_to_half", integers(static_cast<signed char>(0)),
                      [](signed char x) { return static_cast<float>(x); });
  c.check<sycl::half>("ushort_to_half", integers(static_cast<unsigned short>(0)),
                      [](unsigned short x) { return rounded<sycl::half>(x, Mode::Nearest); });
  c.check<unsigned>("bits_of_float", float_values(3e38), [](float x) { return sycl::bit_cast<unsigned>(x); });
}

void all_of_16_bits(Converter& c) {
  std::vector<sycl::half> halves(65536);
  for (unsigned i = 0; i < 65536; ++i) halves[i] = sycl::bit_cast<sycl::half>(static_cast<unsigned short>(i));
  c.check<float>("half_to_float", halves, [](sycl::half x) { return static_cast<float>(x); });
}

void half_arithmetic(Converter& c) {
  using sycl::half;
  std::mt19937 random(31);
  std::vector<half> a, b, z;
  const auto value = [&] { return sycl::bit_cast<half>(static_cast<unsigned short>(random())); };
  for (int i = 0; i < 4000; ++i) {
    // Of all magnitudes, and of similar ones.
    const auto similar = [&] {
      return static_cast<half>(static_cast<float>(static_cast<int>(random() % 4096) - 2048) / 64.0F);
    };
    a.push_back(i % 2 == 0 ? value() : similar());
    b.push_back(i % 2 == 0 ? value() : similar());
    z.push_back(i % 2 == 0 ? value() : similar());
  }
  const auto number = [](half x) { return static_cast<double>(static_cast<float>(x)); };
  const auto to_half = [](double x) { return rounded<half>(x, Mode::Nearest); };
  c.binary<half>("half_add", a, b, z, [&](std::size_t i) { return to_half(number(a[i]) + number(b[i])); });
  c.binary<half>("half_sub", a, b, z, [&](std::size_t i) { return to_half(number(a[i]) - number(b[i])); });
  c.binary<half>("half_mul", a, b, z, [&](std::size_t i) { return to_half(number(a[i]) * number(b[i])); });
  // A sum of a 22-bit product and a half fits into a double unless they are far apart; then rounding once more does no
  // harm.
  c.binary<half>("half_fma", a, b, z,
                 [&](std::size_t i) { return to_half(number(a[i]) * number(b[i]) + number(z[i])); });
  c.binary<half>("half_div", a, b, z, [&](std::size_t i) { return number(a[i]) / number(b[i]); }, {.ulp = 1});
  c.binary<half>("half_min", a, b, z, [&](std::size_t i) { return std::fmin(number(a[i]), number(b[i])); },
                 {.ulp = 1e-9});
  c.binary<half>("half_max", a, b, z, [&](std::size_t i) { return std::fmax(number(a[i]), number(b[i])); },
                 {.ulp = 1e-9});
  c.binary<half>("half_abs", a, b, z, [&](std::size_t i) { return std::fabs(number(a[i])); });
  c.binary<half>("half_neg", a, b, z, [&](std::size_t i) { return -number(a[i]); });
  c.binary<half>("half_floor", a, b, z, [&](std::size_t i) { return std::floor(number(a[i])); });
  c.binary<half>("half_rint", a, b, z, [&](std::size_t i) { return std::nearbyint(number(a[i])); });
  // OpenCL 3.0, table of ULP values for half functions in full profile.
  c.binary<half>("half_sqrt", a, b, z, [&](std::size_t i) { return std::sqrt(std::fabs(number(a[i]))); }, {.ulp = 1});
  c.binary<half>("half_exp", a, b, z, [&](std::size_t i) { return std::exp(number(a[i])); }, {.ulp = 2});
  c.binary<half>("half_log", a, b, z, [&](std::size_t i) { return std::log(std::fabs(number(a[i]))); }, {.ulp = 2});
  c.binary<half>("half_sin", a, b, z, [&](std::size_t i) { return std::sin(number(a[i])); }, {.ulp = 2});
  c.binary<unsigned char>("half_compare", a, b, z, [&](std::size_t i) {
    const double x = number(a[i]), y = number(b[i]), w = number(z[i]);
    return int{x < y} | int{x <= w} << 1 | int{x == y} << 2 | int{x != w} << 3 | int{std::isnan(x)} << 4 |
           int{std::isinf(x)} << 5;
  });
  c.binary<half>("half_vectors", a, b, z, [&](std::size_t i) { return to_half(number(a[i]) + number(b[i ^ 4])); });
}

void bfloat16(Converter& c) {
  std::vector<unsigned short> words(65536);
  for (unsigned i = 0; i < 65536; ++i) words[i] = static_cast<unsigned short>(i);
  c.check<float>("bf16_to_float", words, bf16_to_float);
  std::vector<float> values = float_values(3.3e38);
  for (const float special : {INFINITY, -INFINITY, 3.4e38F, -3.4e38F}) values.push_back(special);
  c.check<unsigned short>("float_to_bf16", values, float_to_bf16);
  std::mt19937 random(37);
  std::vector<unsigned short> x, y;
  for (int i = 0; i < 4000; ++i) {
    x.push_back(
        float_to_bf16(static_cast<float>(static_cast<int>(random() % 200000) - 100000) * (i % 3 == 0 ? 0.001F : 1.0F)));
    y.push_back(
        float_to_bf16(static_cast<float>(static_cast<int>(random() % 2000) - 1000) * (i % 5 == 0 ? 1e-6F : 7.0F)));
  }
  c.binary<unsigned short>("bf16_add", x, y, y,
                           [&](std::size_t i) { return float_to_bf16(bf16_to_float(x[i]) + bf16_to_float(y[i])); });
  c.binary<unsigned short>("bf16_mul", x, y, y,
                           [&](std::size_t i) { return float_to_bf16(bf16_to_float(x[i]) * bf16_to_float(y[i])); });
  c.binary<unsigned char>("bf16_less", x, y, y,
                          [&](std::size_t i) { return bf16_to_float(x[i]) < bf16_to_float(y[i]); });
}

}  // namespace

void conversions(Program& p) {
  Converter c(p, p.kernels("conversions.h"));
  between_numbers(c);
  all_of_16_bits(c);
  half_arithmetic(c);
  Converter with_library(p, p.built("bfloat16.h"));
  bfloat16(with_library);
}

}  // namespace programs
