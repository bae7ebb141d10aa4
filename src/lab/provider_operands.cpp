// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_operands.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace xeforge::lab {

namespace {

/// IEEE half of a small integer, which it holds exactly.
std::uint16_t half_of(float value) {
  if (value == 0) return 0;
  int exponent = 0;
  const float fraction = std::frexp(std::fabs(value), &exponent);  // 0.5 <= fraction < 1
  constexpr int kBias = 15, kMantissaBits = 10;
  const auto mantissa = static_cast<unsigned>((fraction * 2 - 1) * (1 << kMantissaBits));
  const unsigned sign = value < 0 ? 0x8000U : 0U;
  return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent - 1 + kBias) << kMantissaBits | mantissa);
}

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

using Encode = void (*)(std::byte* to, float value);
/// In the order of Element.
constexpr std::array<Encode, kElements.size()> kEncoders{
    [](std::byte* to, float value) { put(to, gemm::to_bf16(value)); },
    [](std::byte* to, float value) { put(to, half_of(value)); },
    [](std::byte* to, float value) { put(to, value); },
    [](std::byte* to, float value) { put(to, static_cast<std::int8_t>(value)); },
    [](std::byte* to, float value) { put(to, static_cast<std::uint8_t>(value)); },
};

/// Where element (row, column) of a matrix lies.
std::size_t place(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns, bool transposed) {
  return transposed ? column * rows + row : row * columns + column;
}

std::vector<std::byte> encoded(const std::vector<gemm::Bf16>& values, std::size_t rows, std::size_t columns,
                               std::size_t batch, Element element, bool transposed) {
  const std::size_t size = row_of(element).bytes;
  const Encode encode = kEncoders.at(static_cast<std::size_t>(element));
  std::vector<std::byte> bytes(values.size() * size);
  std::size_t from = 0;
  for (std::size_t i = 0; i < batch; ++i) {
    std::byte* const matrix = bytes.data() + from * size;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        encode(matrix + size * place(row, column, rows, columns, transposed), gemm::from_bf16(values[from++]));
      }
    }
  }
  return bytes;
}

}  // namespace

// Stored by columns is stored as the transpose by rows.
std::vector<std::byte> stored_a(const BenchShape& shape, const TestData& data) {
  return encoded(data.a, shape.shape.m, shape.shape.k, shape.batch, shape.a, shape.transpose_a != shape.column_major);
}

std::vector<std::byte> stored_b(const BenchShape& shape, const TestData& data) {
  return encoded(data.b, shape.shape.k, shape.shape.n, shape.batch, shape.b, shape.transpose_b != shape.column_major);
}

std::vector<std::byte> stored_c(const BenchShape& shape, const TestData& data) {
  const std::size_t rows = shape.shape.m, columns = shape.shape.n, size = rows * columns;
  std::vector<std::byte> bytes(data.old_c.size() * sizeof(float));
  for (std::size_t i = 0; i < data.old_c.size(); ++i) {
    const std::size_t inside = i % size;
    std::byte* const to =
        bytes.data() +
        sizeof(float) * (i - inside + place(inside / columns, inside % columns, rows, columns, shape.column_major));
    const bool counts = shape.beta != 0;
    if (shape.integer()) {
      put(to, counts ? static_cast<std::int32_t>(data.old_c[i]) : std::numeric_limits<std::int32_t>::min());
    } else {
      put(to, counts ? data.old_c[i] : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return bytes;
}

std::vector<float> result_by_rows(const BenchShape& shape, std::span<const std::byte> c) {
  const std::size_t rows = shape.shape.m, columns = shape.shape.n, size = rows * columns;
  std::vector<float> result(c.size() / sizeof(float));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t inside = i % size;
    const std::byte* const from =
        c.data() +
        sizeof(float) * (i - inside + place(inside / columns, inside % columns, rows, columns, shape.column_major));
    std::uint32_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    result[i] = shape.integer() ? static_cast<float>(static_cast<std::int32_t>(bits)) : std::bit_cast<float>(bits);
  }
  return result;
}

}  // namespace xeforge::lab
