// SPDX-License-Identifier: Apache-2.0
#include "math_checks.h"

namespace programs {

void math_functions(Program& p) {
  MathChecks<float> precise(p, p.kernels("math.h", {"REAL=float", "PREFIX=f_", "WITH_NATIVE"}), "f_");
  precise.all();

  // What native functions are is the implementation's choice; these are the bounds that the Xe documentation gives for
  // its math pipe (absolute for sine and cosine within one turn, a few units in the last place for the others), with
  // a rounding more where the function is a product.
  MathChecks<float> native(p, p.kernels("math.h", {"REAL=float", "PREFIX=f_", "WITH_NATIVE"}), "native_");
  const Domain turn{-3.14, 3.14}, positive{1e-3, 1e6, true}, exponents{-20, 20};
  native.unary("sin", {.absolute = 0.0008}, turn, [](Real x) { return std::sin(x); });
  native.unary("cos", {.absolute = 0.0008}, turn, [](Real x) { return std::cos(x); });
  native.unary("exp2", {.ulp = 4}, exponents, [](Real x) { return std::exp2(x); });
  native.unary("exp", {.relative = 4e-6}, exponents, [](Real x) { return std::exp(x); });
  native.unary("exp10", {.relative = 1e-5}, exponents, [](Real x) { return std::pow(10.0L, x); });
  const auto magnitude = [](Real (*f)(Real)) { return f; };
  native.unary("log2", {.absolute = 1e-6, .relative = 1e-6}, {1e-3, 1e6},
               magnitude([](Real x) { return std::log2(x); }));
  native.unary("log", {.absolute = 1e-6, .relative = 1e-6}, {1e-3, 1e6}, magnitude([](Real x) { return std::log(x); }));
  native.unary("log10", {.absolute = 1e-6, .relative = 1e-6}, {1e-3, 1e6},
               magnitude([](Real x) { return std::log10(x); }));
  native.unary("sqrt", {.ulp = 4}, {1e-3, 1e6}, [](Real x) { return std::sqrt(x); });
  native.unary("rsqrt", {.ulp = 4}, {1e-3, 1e6}, [](Real x) { return 1 / std::sqrt(x); });
  native.unary("recip", {.ulp = 3}, positive, [](Real x) { return 1 / x; });
  native.unary("tan", {.absolute = 0.01}, {-1, 1}, [](Real x) { return std::tan(x); });
  native.ternary(
      "divide", {.ulp = 4}, positive, positive,
      [](float x, float y, float) { return static_cast<double>(x) / static_cast<double>(y); }, false);
  native.ternary(
      "powr", {.relative = 1e-4}, {0.1, 10}, {-5, 5},
      [](float x, float y, float) { return std::pow(static_cast<double>(x), static_cast<double>(y)); }, false);

  // 8192 units in the last place, says OpenCL.
  MathChecks<float> reduced(p, p.kernels("math.h", {"REAL=float", "PREFIX=f_", "WITH_NATIVE"}), "hp_");
  const Tolerance rough{.ulp = 8192};
  reduced.unary("sin", rough, turn, [](Real x) { return std::sin(x); });
  reduced.unary("cos", rough, turn, [](Real x) { return std::cos(x); });
  reduced.unary("exp", rough, exponents, [](Real x) { return std::exp(x); });
  reduced.unary("exp2", rough, exponents, [](Real x) { return std::exp2(x); });
  reduced.unary("log", rough, {1e-3, 1e6}, [](Real x) { return std::log(x); });
  reduced.unary("log2", rough, {1e-3, 1e6}, [](Real x) { return std::log2(x); });
  reduced.unary("sqrt", rough, {1e-3, 1e6}, [](Real x) { return std::sqrt(x); });
  reduced.unary("rsqrt", rough, {1e-3, 1e6}, [](Real x) { return 1 / std::sqrt(x); });
  reduced.unary("recip", rough, positive, [](Real x) { return 1 / x; });
  reduced.ternary(
      "divide", rough, positive, positive,
      [](float x, float y, float) { return static_cast<double>(x) / static_cast<double>(y); }, false);
}

}  // namespace programs
