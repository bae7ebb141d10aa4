// SPDX-License-Identifier: Apache-2.0
//
// The mathematical functions of one type against long double, with the bounds of the OpenCL specification.
#pragma once

#include <random>

#include "program.h"

namespace programs {

using Real = long double;

/// Arguments of a function: a range, spread evenly or by magnitude.
struct Domain {
  double low, high;
  bool by_magnitude = false;
};

template <class T>
class MathChecks {
 public:
  MathChecks(Program& p, Kernels kernels, std::string prefix)
      : program_(p), kernels_(std::move(kernels)), prefix_(std::move(prefix)) {}

  void unary(const std::string& name, const Tolerance& tolerance, const Domain& domain, Real (*function)(Real),
             const std::vector<T>& special = {}) {
    auto in = program_.shared(arguments(domain, special));
    auto out = program_.zeros<T>(in.size());
    kernels_.run(prefix_ + name, range(in.size()), in, out, static_cast<unsigned>(in.size()));
    program_.expect_all(
        prefix_ + name, out, [&](std::size_t i) { return static_cast<double>(function(static_cast<Real>(in[i]))); },
        tolerance);
  }

  template <class R = T, class F>
  void ternary(const std::string& name, const Tolerance& tolerance, const Domain& first, const Domain& second,
               F function, bool special = true) {
    std::vector<T> a = arguments(first, {}), b = arguments(second, {}), c = arguments(first, {});
    if (special) {
      const std::vector<T> corners = {T(0),
                                      T(-0.0),
                                      T(1),
                                      T(-1),
                                      T(0.5),
                                      T(2),
                                      T(3),
                                      T(-2.5),
                                      std::numeric_limits<T>::infinity(),
                                      -std::numeric_limits<T>::infinity(),
                                      std::numeric_limits<T>::quiet_NaN()};
      for (const T x : corners) {
        for (const T y : corners) {
          a.push_back(x);
          b.push_back(y);
          c.push_back(T(1.5));
        }
      }
    }
    auto x = program_.shared(a), y = program_.shared(b), z = program_.shared(c);
    auto out = program_.zeros<R>(a.size());
    kernels_.run(prefix_ + name, range(a.size()), x, y, z, out, static_cast<unsigned>(a.size()));
    program_.expect_all(
        prefix_ + name, out, [&](std::size_t i) { return function(a[i], b[i], c[i]); }, tolerance);
  }

  /// Several results of one argument.
  template <class F>
  void several(const std::string& name, std::size_t results, const Tolerance& tolerance, const Domain& domain,
               F function) {
    auto in = program_.shared(arguments(domain, {}));
    auto out = program_.zeros<T>(results * in.size());
    kernels_.run(prefix_ + name, range(in.size()), in, out, static_cast<unsigned>(in.size()));
    program_.expect_all(
        prefix_ + name, out, [&](std::size_t i) { return function(static_cast<Real>(in[i / results]), i % results); },
        tolerance);
  }

  /// All functions that float and double have. `ulp` chooses between the bounds of float and double.
  void all();

 private:
  std::vector<T> arguments(const Domain& domain, const std::vector<T>& special) {
    std::vector<T> values = special;
    std::uniform_real_distribution<double> even(domain.low, domain.high);
    std::uniform_real_distribution<double> magnitude(std::log2(std::max(domain.low, 1e-300)),
                                                     std::log2(std::max(domain.high, 1e-300)));
    for (int i = 0; i < 1500; ++i) {
      values.push_back(static_cast<T>(domain.by_magnitude ? std::exp2(magnitude(random_)) * (i % 2 == 0 ? 1 : sign_)
                                                          : even(random_)));
    }
    return values;
  }
  static sycl::nd_range<1> range(std::size_t count) { return {(count + 63) / 64 * 64, 64}; }

  Program& program_;
  Kernels kernels_;
  std::string prefix_;
  std::mt19937_64 random_{47};
  /// Arguments by magnitude have both signs unless this is 1.
  double sign_ = -1;
};

constexpr Real kPi = 3.14159265358979323846264338327950288L;

template <class T>
void MathChecks<T>::all() {
  static constexpr bool is_float = std::is_same_v<T, float>;
  // Table of ULP values for single precision, and for double where they differ.
  const auto ulp = [](double single, double twice) { return Tolerance{.ulp = is_float ? single : twice}; };
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const double large = is_float ? 1e37 : 1e300, small = is_float ? 1e-37 : 1e-300;
  const Domain turns{1e-3, 1e5, true}, huge_turns{1e5, is_float ? 1e30 : 1e15, true}, unit{-1, 1},
      any{small, large, true};
  const std::vector<T> corners = {T(0), T(-0.0), T(1), T(-1), infinity, -infinity, nan};
  unary(
      "sin", ulp(4, 4), turns, [](Real x) { return std::sin(x); }, corners);
  unary(
      "cos", ulp(4, 4), turns, [](Real x) { return std::cos(x); }, corners);
  unary(
      "tan", ulp(5, 5), turns, [](Real x) { return std::tan(x); }, corners);
  unary("sin", ulp(4, 4), huge_turns, [](Real x) { return std::sin(x); });
  unary("cos", ulp(4, 4), huge_turns, [](Real x) { return std::cos(x); });
  unary(
      "asin", ulp(4, 4), unit, [](Real x) { return std::asin(x); }, corners);
  unary(
      "acos", ulp(4, 4), unit, [](Real x) { return std::acos(x); }, corners);
  unary(
      "atan", ulp(5, 5), any, [](Real x) { return std::atan(x); }, corners);
  unary(
      "sinh", ulp(4, 4), {1e-3, is_float ? 85.0 : 700.0, true}, [](Real x) { return std::sinh(x); }, corners);
  unary(
      "cosh", ulp(4, 4), {1e-3, is_float ? 85.0 : 700.0, true}, [](Real x) { return std::cosh(x); }, corners);
  unary(
      "tanh", ulp(5, 5), {1e-3, 20, true}, [](Real x) { return std::tanh(x); }, corners);
  unary(
      "asinh", ulp(4, 4), {1e-3, 1e10, true}, [](Real x) { return std::asinh(x); }, corners);
  unary(
      "acosh", ulp(4, 4), {1, 1e6}, [](Real x) { return std::acosh(x); }, corners);
  unary(
      "atanh", ulp(5, 5), unit, [](Real x) { return std::atanh(x); }, corners);
  // Reduced first: a product with pi in long double has no digits left far from zero.
  unary("sinpi", ulp(4, 4), {-4, 4}, [](Real x) { return std::sin(kPi * (x - 2 * std::round(x / 2))); });
  unary("cospi", ulp(4, 4), {0.01, 0.49}, [](Real x) { return std::cos(kPi * x); });
  unary("tanpi", ulp(6, 6), {-0.49, 0.49}, [](Real x) { return std::tan(kPi * x); });
  unary("atanpi", ulp(5, 5), {1e-3, 1e6, true}, [](Real x) { return std::atan(x) / kPi; });
  unary(
      "exp", ulp(3, 3), {is_float ? -87.0 : -700.0, is_float ? 88.0 : 700.0}, [](Real x) { return std::exp(x); },
      corners);
  unary(
      "exp2", ulp(3, 3), {is_float ? -125.0 : -1000.0, is_float ? 127.0 : 1000.0}, [](Real x) { return std::exp2(x); },
      corners);
  unary(
      "exp10", ulp(3, 3), {is_float ? -37.0 : -300.0, is_float ? 38.0 : 300.0},
      [](Real x) { return std::pow(10.0L, x); }, corners);
  unary(
      "expm1", ulp(3, 3), {1e-4, 80, true}, [](Real x) { return std::expm1(x); }, corners);
  unary(
      "log1p", ulp(2, 2), {-0.99, 100}, [](Real x) { return std::log1p(x); }, corners);
  unary(
      "cbrt", ulp(2, 2), any, [](Real x) { return std::cbrt(x); }, corners);
  unary(
      "erf", ulp(16, 16), {-4, 4}, [](Real x) { return std::erf(x); }, corners);
  unary(
      "erfc", ulp(16, 16), {-4, 8}, [](Real x) { return std::erfc(x); }, corners);
  unary("tgamma", ulp(16, 16), {0.1, 30}, [](Real x) { return std::tgamma(x); });
  sign_ = 1;
  unary(
      "log", ulp(3, 3), any, [](Real x) { return std::log(x); }, corners);
  unary(
      "log2", ulp(3, 3), any, [](Real x) { return std::log2(x); }, corners);
  unary(
      "log10", ulp(3, 3), any, [](Real x) { return std::log10(x); }, corners);
  unary("log", ulp(3, 3), {0.9, 1.1}, [](Real x) { return std::log(x); });
  // Correctly rounded in double precision: as the host does it, not by way of a longer type.
  unary(
      "sqrt", ulp(3, 0), any,
      [](Real x) { return is_float ? std::sqrt(x) : static_cast<Real>(std::sqrt(static_cast<T>(x))); }, corners);
  unary(
      "rsqrt", ulp(2, 2), any, [](Real x) { return 1 / std::sqrt(x); }, corners);
  ternary("pow", ulp(16, 16), {0.01, 50}, {-15, 15},
          [](T x, T y, T) { return static_cast<double>(std::pow(static_cast<Real>(x), static_cast<Real>(y))); });
  sign_ = -1;
  // Exact by definition.
  const Domain around{1e-3, 1e9, true};
  // Xe2 has no instruction for these two in double precision, and the compiler's sequences of IGC 2.40 end in an
  // addition that makes +0 of -0.
  const Tolerance any_zero = ulp(0, 1e-9);
  unary(
      "floor", any_zero, around, [](Real x) { return std::floor(x); }, corners);
  unary(
      "ceil", any_zero, around, [](Real x) { return std::ceil(x); }, corners);
  unary(
      "trunc", {}, around, [](Real x) { return std::trunc(x); }, corners);
  unary(
      "rint", {}, around, [](Real x) { return std::nearbyint(x); }, corners);
  unary("rint", {}, {-20, 20}, [](Real x) { return std::nearbyint(x); }, {T(0.5), T(1.5), T(2.5), T(-0.5), T(-2.5)});
  unary(
      "round", {}, around, [](Real x) { return std::round(x); }, corners);
  unary(
      "fabs", {}, any, [](Real x) { return std::fabs(x); }, corners);
  unary(
      "logb", {}, any, [](Real x) { return std::logb(x); }, corners);
  const auto both = [](auto f) {
    return [f](T x, T y, T) { return static_cast<double>(f(static_cast<Real>(x), static_cast<Real>(y))); };
  };
  ternary("atan2", ulp(6, 6), any, any, both([](Real x, Real y) { return std::atan2(x, y); }));
  ternary("hypot", ulp(4, 4), {1e-10, 1e10, true}, {1e-10, 1e10, true},
          both([](Real x, Real y) { return std::hypot(x, y); }));
  ternary("fmod", {}, around, around, [](T x, T y, T) { return std::fmod(x, y); });
  ternary("remainder", {}, around, around, [](T x, T y, T) { return std::remainder(x, y); });
  // Which of two zeros is smaller is left open.
  ternary("fmin", {.ulp = 1e-9}, any, any, [](T x, T y, T) { return std::fmin(x, y); });
  ternary("fmax", {.ulp = 1e-9}, any, any, [](T x, T y, T) { return std::fmax(x, y); });
  ternary("fdim", {}, {-1e6, 1e6}, {-1e6, 1e6}, [](T x, T y, T) { return std::fdim(x, y); });
  ternary("copysign", {}, any, any, [](T x, T y, T) { return std::copysign(x, y); });
  ternary("nextafter", {}, any, any, [](T x, T y, T) { return std::nextafter(x, y); });
  ternary("fma", {}, {1e-5, 1e5, true}, {1e-5, 1e5, true}, [](T x, T y, T z) { return std::fma(x, y, z); });
  ternary("add", {}, any, any, [](T x, T y, T) { return x + y; });
  ternary("sub", {}, {-1000, 1000}, {-1000, 1000}, [](T x, T y, T) { return x - y; });
  ternary("mul", {}, {1e-15, 1e15, true}, {1e-15, 1e15, true}, [](T x, T y, T) { return x * y; });
  ternary("div", ulp(2.5, 0), {1e-15, 1e15, true}, {1e-15, 1e15, true}, [](T x, T y, T) {
    return is_float ? static_cast<double>(x) / static_cast<double>(y) : static_cast<double>(x / y);
  });
  ternary("sign", {}, any, any, [](T x, T, T) { return std::isnan(x) ? T(0) : x == 0 ? x : std::copysign(T(1), x); });
  ternary(
      "mix", {.relative = is_float ? 1e-6 : 1e-14}, {1, 100}, {1, 100},
      [](T x, T y, T) { return static_cast<double>(x) + (static_cast<double>(y) - static_cast<double>(x)) * 0.25; },
      false);
  ternary(
      "smoothstep", {.absolute = is_float ? 1e-6 : 1e-14}, {-1, 2}, {-1, 2},
      [](T x, T, T) {
        const double t = std::clamp(static_cast<double>(x), 0.0, 1.0);
        return t * t * (3 - 2 * t);
      },
      false);
  ternary(
      "ldexp", {}, {1e-3, 1e3, true}, {-100, 100}, [](T x, T y, T) { return std::ldexp(x, static_cast<int>(y)); },
      false);
  ternary<int>("classes", {}, any, any, [](T x, T y, T) {
    return int{std::isnan(x)} | int{std::isinf(x)} << 1 | int{std::isnormal(x)} << 2 | int{std::signbit(x)} << 3 |
           int{std::isfinite(x)} << 4 | int{x < y} << 5 | int{x == y} << 6 | int{std::isunordered(x, y)} << 7;
  });
  several("sincos", 2, ulp(4, 4), turns,
          [](Real x, std::size_t which) { return static_cast<double>(which == 0 ? std::sin(x) : std::cos(x)); });
  several("parts", 4, {}, around, [](Real x, std::size_t which) {
    int exponent;
    Real whole;
    const Real mantissa = std::frexp(x, &exponent), rest = std::modf(x, &whole);
    return static_cast<double>(which == 0 ? mantissa : which == 1 ? exponent : which == 2 ? rest : whole);
  });
}

}  // namespace programs
