// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/epilogue.h"

#include <array>

#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

namespace {

Epilogue::Operation of_numbers(Epilogue::Kind kind, Along along, const void* data, Type type) {
  Epilogue::Operation operation;
  operation.kind = kind;
  operation.along = along;
  operation.data = data;
  operation.type = type;
  if (data == nullptr)
    throw Error(Status::NullPointer, "epilogue: the numbers of a " + std::string(name_of(kind)) + " are null");
  return operation;
}

Epilogue::Operation plain(Epilogue::Kind kind, float value = 0, float high = 0) {
  Epilogue::Operation operation;
  operation.kind = kind;
  operation.value = value;
  operation.high = high;
  return operation;
}

}  // namespace

Epilogue& Epilogue::add(const Operation& operation) {
  if (operations_.size() == kLargest)
    throw Error(Status::BadEpilogue, "epilogue: more than " + std::to_string(kLargest) + " operations");
  operations_.push_back(operation);
  return *this;
}

Epilogue& Epilogue::scale(float factor) { return add(plain(Kind::Scale, factor)); }

Epilogue& Epilogue::scale(Along along, const void* factors, Type type) {
  return add(of_numbers(Kind::Scale, along, factors, type));
}

Epilogue& Epilogue::bias(Along along, const void* bias, Type type) {
  return add(of_numbers(Kind::Bias, along, bias, type));
}

Epilogue& Epilogue::residual(const void* matrix, Type type, std::int64_t ld, std::int64_t stride) {
  Operation operation = of_numbers(Kind::Residual, Along::All, matrix, type);
  operation.ld = ld;
  operation.stride = stride;
  return add(operation);
}

Epilogue& Epilogue::relu() { return add(plain(Kind::Relu)); }
Epilogue& Epilogue::gelu() { return add(plain(Kind::Gelu)); }
Epilogue& Epilogue::gelu_tanh() { return add(plain(Kind::GeluTanh)); }
Epilogue& Epilogue::silu() { return add(plain(Kind::Silu)); }

Epilogue& Epilogue::clamp(float low, float high) {
  if (!(low <= high))
    throw Error(Status::BadEpilogue, "epilogue: clamp from " + std::to_string(low) + " to " + std::to_string(high));
  return add(plain(Kind::Clamp, low, high));
}

Epilogue& Epilogue::quantize(float scale, float zero_point) {
  if (!(scale > 0)) throw Error(Status::BadEpilogue, "epilogue: a scale of quantisation is positive");
  add(plain(Kind::Scale, 1 / scale));
  return zero_point == 0 ? *this : add(plain(Kind::Shift, zero_point));
}

std::string_view name_of(Epilogue::Kind kind) {
  constexpr std::array<std::string_view, 9> kNames{"scale",     "bias", "residual", "relu", "gelu",
                                                   "gelu_tanh", "silu", "clamp",    "shift"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string to_string(const Epilogue& epilogue) {
  constexpr std::array<std::string_view, 3> kAlong{"", ".columns", ".rows"};
  std::string text;
  for (const Epilogue::Operation& operation : epilogue.operations()) {
    if (!text.empty()) text += '+';
    text += std::string(name_of(operation.kind)) + std::string(kAlong.at(static_cast<std::size_t>(operation.along)));
  }
  return text;
}

}  // namespace xeforge::gemm
