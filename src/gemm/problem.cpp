// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/problem.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  std::size_t bytes;
  bool integer;
};
constexpr std::array<TypeRow, 6> kTypes{{{Type::Bf16, "bf16", 2, false},
                                         {Type::F16, "f16", 2, false},
                                         {Type::F32, "f32", 4, false},
                                         {Type::S8, "s8", 1, true},
                                         {Type::U8, "u8", 1, true},
                                         {Type::S32, "s32", 4, true}}};
const TypeRow& row_of(Type type) { return kTypes.at(static_cast<std::size_t>(type)); }

std::optional<Type> type_named(std::string_view name) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.name == name; });
  return found == kTypes.end() ? std::nullopt : std::optional(found->type);
}

Type default_c(Type a) { return is_integer(a) ? Type::S32 : Type::F32; }

/// Shortest text that reads back as the same number.
std::string number(float value) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

template <class T>
std::optional<T> read_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Words with a number: where it goes, and its least value.
struct NumberRow {
  std::string_view prefix;
  std::int64_t Problem::*field;
  std::int64_t least;
};
constexpr std::array<NumberRow, 7> kNumbers{{{"lda=", &Problem::lda, 1},
                                             {"ldb=", &Problem::ldb, 1},
                                             {"ldc=", &Problem::ldc, 1},
                                             {"sa=", &Problem::stride_a, 0},
                                             {"sb=", &Problem::stride_b, 0},
                                             {"sc=", &Problem::stride_c, 0},
                                             {"b", &Problem::batch, 0}}};

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(
      Status::BadProblemText,
      "'" + std::string(text) + "' is no problem: " + why +
          ". It is MxNxK[:alpha:beta][:WORD...], words are bf16, f16, f32, tf32, s8, u8, s8u8, u8s8, to=TYPE, nn, "
          "nt, tn, tt, row, col, lda=N, ldb=N, ldc=N, bN, sa=N, sb=N, sc=N");
}

bool read_types(std::string_view word, Problem& problem) {
  if (word == "tf32") {
    problem.a = problem.b = Type::F32;
    problem.precision = Precision::Tf32;
    return true;
  }
  const bool mixed = word == "s8u8" || word == "u8s8";
  const auto a = type_named(mixed ? word.substr(0, 2) : word), b = mixed ? type_named(word.substr(2)) : a;
  if (!a || !b || *a == Type::S32) return false;
  problem.a = *a;
  problem.b = *b;
  return true;
}

bool read_word(std::string_view word, Problem& problem, std::optional<Type>& c) {
  constexpr std::array<std::string_view, 4> kTransposes{"nn", "nt", "tn", "tt"};
  if (const auto* at = std::find(kTransposes.begin(), kTransposes.end(), word); at != kTransposes.end()) {
    problem.transpose_a = (at - kTransposes.begin()) / 2 != 0;
    problem.transpose_b = (at - kTransposes.begin()) % 2 != 0;
    return true;
  }
  if (word == "row" || word == "col") {
    problem.order = word == "row" ? Order::Rows : Order::Columns;
    return true;
  }
  if (word.starts_with("to=")) {
    c = type_named(word.substr(3));
    return c.has_value();
  }
  if (read_types(word, problem)) return true;
  for (const NumberRow& row : kNumbers) {
    if (!word.starts_with(row.prefix)) continue;
    const auto value = read_number<std::int64_t>(word.substr(row.prefix.size()));
    if (!value || *value < row.least) return false;
    problem.*row.field = *value;
    return true;
  }
  return false;
}

/// Stored rows (columns) of a matrix and their length.
struct Stored {
  std::int64_t outer, inner;
};
Stored stored(std::int64_t rows, std::int64_t columns, bool transposed, Order order) {
  return transposed == (order == Order::Columns) ? Stored{rows, columns} : Stored{columns, rows};
}

void resolve(std::int64_t& ld, std::int64_t& stride, const Stored& matrix) {
  if (ld == kDense) ld = std::max<std::int64_t>(1, matrix.inner);
  if (stride == kDense) stride = ld * matrix.outer;
}

}  // namespace

std::string_view name_of(Type type) { return row_of(type).name; }
std::size_t size_of(Type type) { return row_of(type).bytes; }
bool is_integer(Type type) { return row_of(type).integer; }

Problem resolved(const Problem& problem) {
  Problem result = problem;
  resolve(result.lda, result.stride_a, stored(problem.m, problem.k, problem.transpose_a, problem.order));
  resolve(result.ldb, result.stride_b, stored(problem.k, problem.n, problem.transpose_b, problem.order));
  resolve(result.ldc, result.stride_c, stored(problem.m, problem.n, false, problem.order));
  return result;
}

std::string to_string(const Problem& problem) {
  std::string text = std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" + std::to_string(problem.k);
  if (problem.alpha != 1 || problem.beta != 0) text += ":" + number(problem.alpha) + ":" + number(problem.beta);
  if (problem.precision == Precision::Tf32) {
    text += ":tf32";
  } else {
    text += ":" + std::string(name_of(problem.a));
    if (problem.a != problem.b) text += name_of(problem.b);
  }
  if (problem.c != default_c(problem.a)) text += ":to=" + std::string(name_of(problem.c));
  if (problem.transpose_a || problem.transpose_b) {
    text += problem.transpose_a ? ":t" : ":n";
    text += problem.transpose_b ? "t" : "n";
  }
  if (problem.order == Order::Columns) text += ":col";
  for (const NumberRow& row : kNumbers) {
    const std::int64_t value = problem.*row.field;
    if (value != Problem{}.*row.field) text += ":" + std::string(row.prefix) + std::to_string(value);
  }
  return text;
}

Problem parse_problem(std::string_view text) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    fields.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Problem problem;
  std::string_view sizes = fields.front();
  for (std::int64_t* size : {&problem.m, &problem.n, &problem.k}) {
    const std::size_t end = size == &problem.k ? sizes.size() : sizes.find('x');
    const auto value = end == std::string_view::npos ? std::nullopt : read_number<std::int64_t>(sizes.substr(0, end));
    if (!value || *value < 0) refuse(text, "sizes are three numbers with x between them");
    *size = *value;
    sizes.remove_prefix(std::min(end + 1, sizes.size()));
  }
  std::size_t next = 1;
  if (fields.size() > 1) {
    if (const auto alpha = read_number<float>(fields[1])) {
      const auto beta = fields.size() > 2 ? read_number<float>(fields[2]) : std::nullopt;
      if (!beta) refuse(text, "behind alpha comes beta");
      problem.alpha = *alpha;
      problem.beta = *beta;
      next = 3;
    }
  }
  std::optional<Type> c;
  for (; next < fields.size(); ++next) {
    if (!read_word(fields[next], problem, c)) refuse(text, "'" + std::string(fields[next]) + "' is no word of it");
  }
  problem.c = c.value_or(default_c(problem.a));
  return problem;
}

}  // namespace xeforge::gemm
