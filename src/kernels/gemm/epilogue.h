// SPDX-License-Identifier: Apache-2.0
//
// The epilogue for any number of elements at a time. `Lanes` knows where they are and how they are read:
//   Floats                              the elements: float, or a vector of them
//   Step step(i)                        a step of the chain
//   Floats numbers(step)                what a scale or bias has for each
//   Floats residual(step)
//   where(condition, yes, no)           by element
//   exp2(x)                             of elements
#pragma once

#include "kernels/gemm/arguments.h"

namespace xeforge::kernels {

enum class StepKind : uint32_t { Scale, Bias, Residual, Relu, Gelu, GeluTanh, Silu, Clamp, Shift };

template <class Lanes, class Floats = typename Lanes::Floats>
inline Floats exponential(Floats x) {
  return Lanes::exp2(x * 1.44269504f);
}

/// x / (1 + exp(-x)); of large negative x the exponential is infinite, and the quotient 0.
template <class Lanes, class Floats = typename Lanes::Floats>
inline Floats silu(Floats x) {
  return x / (exponential<Lanes>(-x) + 1.0f);
}

/// Abramowitz and Stegun 7.1.26: error below 1.5e-7.
template <class Lanes, class Floats = typename Lanes::Floats>
inline Floats gelu(Floats x) {
  const Floats z = Lanes::where(x < 0.0f, -x, x) * 0.70710678f;
  const Floats t = 1.0f / (z * 0.3275911f + 1.0f);
  Floats sum = t * 1.061405429f - 1.453152027f;
  sum = sum * t + 1.421413741f;
  sum = sum * t - 0.284496736f;
  sum = sum * t + 0.254829592f;
  const Floats tail = sum * t * exponential<Lanes>(-(z * z)) * 0.5f;  // of the normal distribution beyond |x|
  return Lanes::where(x < 0.0f, x * tail, x - x * tail);
}

/// x * sigmoid(2 y) is x/2 (1 + tanh y).
template <class Lanes, class Floats = typename Lanes::Floats>
inline Floats gelu_tanh(Floats x) {
  const Floats y = (x * x * x * 0.044715f + x) * 1.5957691216f;
  return x / (exponential<Lanes>(-y) + 1.0f);
}

template <class Lanes, class Floats = typename Lanes::Floats>
inline Floats finish(const Lanes& lanes, uint32_t steps, Floats v) {
  for (uint32_t i = 0; i < steps; ++i) {
    const Step step = lanes.step(i);
    switch (StepKind(step.kind)) {
      case StepKind::Scale:
        v = v * lanes.numbers(step);
        break;
      case StepKind::Bias:
        v = v + lanes.numbers(step);
        break;
      case StepKind::Residual:
        v = v + lanes.residual(step);
        break;
      case StepKind::Relu:
        v = Lanes::where(v < 0.0f, Floats(0.0f), v);
        break;
      case StepKind::Gelu:
        v = gelu<Lanes>(v);
        break;
      case StepKind::GeluTanh:
        v = gelu_tanh<Lanes>(v);
        break;
      case StepKind::Silu:
        v = silu<Lanes>(v);
        break;
      case StepKind::Clamp:
        v = Lanes::where(v < step.value, Floats(step.value), v);
        v = Lanes::where(v > step.high, Floats(step.high), v);
        break;
      case StepKind::Shift:
        v = v + step.value;
        break;
    }
  }
  return v;
}

}  // namespace xeforge::kernels
