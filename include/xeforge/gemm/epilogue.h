// SPDX-License-Identifier: Apache-2.0
//
// What is done to each element of alpha * A * B + beta * C before it is stored: a chain of operations in float.
//
//   Epilogue().scale(Along::Columns, w_scales).bias(Along::Columns, bias, Type::Bf16).gelu()
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xeforge/gemm/problem.h"

namespace xeforge::gemm {

/// Which elements share a number: none but itself; all of the matrix; those of a column (one number per column of C, as
/// a layer's bias is); those of a row.
enum class Along : std::uint8_t { All, Columns, Rows };

class Epilogue {
 public:
  enum class Kind : std::uint8_t { Scale, Bias, Residual, Relu, Gelu, GeluTanh, Silu, Clamp, Shift };

  /// One operation. `data` is device memory of `type`, or null: then `value` counts.
  struct Operation {
    Kind kind = Kind::Relu;
    Along along = Along::All;
    Type type = Type::F32;
    const void* data = nullptr;
    std::int64_t ld = kDense, stride = kDense;  ///< of a residual, as Problem's ldc and stride_c; in its order
    float value = 0, high = 0;
  };
  static constexpr std::size_t kLargest = 8;  ///< operations in a chain

  Epilogue& scale(float factor);
  /// One number (All), m (Rows) or n (Columns), in device memory.
  Epilogue& scale(Along along, const void* factors, Type type = Type::F32);
  Epilogue& bias(Along along, const void* bias, Type type = Type::F32);
  /// Adds a matrix of C's shape and order. stride 0: the same for the whole batch.
  Epilogue& residual(const void* matrix, Type type, std::int64_t ld = kDense, std::int64_t stride = kDense);
  Epilogue& relu();
  Epilogue& gelu();       ///< x/2 (1 + erf(x / sqrt 2))
  Epilogue& gelu_tanh();  ///< with tanh(sqrt(2/pi) (x + 0.044715 x^3)) for erf
  Epilogue& silu();       ///< x / (1 + exp(-x))
  Epilogue& clamp(float low, float high);
  /// x * (1 / scale) + zero_point; storing in an integer C rounds to nearest even and saturates (NaN becomes 0).
  Epilogue& quantize(float scale, float zero_point = 0);

  /// Any operation. Throws Error BadEpilogue for one too many (and those above for what is wrong with them).
  Epilogue& add(const Operation& operation);

  const std::vector<Operation>& operations() const { return operations_; }
  bool empty() const { return operations_.empty(); }

 private:
  std::vector<Operation> operations_;
};

/// "scale", "bias", ...
std::string_view name_of(Epilogue::Kind kind);
/// "scale.columns+bias.columns+gelu": what is done, without where the numbers are.
std::string to_string(const Epilogue& epilogue);

}  // namespace xeforge::gemm
