// SPDX-License-Identifier: Apache-2.0
#include "lab/bench_shapes.h"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "lab/errors.h"
#include "lab/shape_files.h"

namespace xeforge::lab {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

[[noreturn]] void wrong(const std::string& entry, const std::string& why) {
  throw UserError("--shapes: '" + entry + "': " + why +
                  ". A shape is MxNxK[:alpha:beta][:WORD...] (a size may be FIRST-LAST[/STEP]), or "
                  "FIRST:LAST:STEP[:WORD...] for square ones; words are a "
                  "type (bf16, f16, f32, s8, u8, u8s8, s8u8), nn, nt, tn or tt, bNUMBER, row or col");
}

/// Factors with which every result is exact in float: the data are small integers.
double factor(const std::string& text, const std::string& entry) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    wrong(entry, "'" + text + "' is not a number");
  }
  constexpr double kParts = 16, kLargest = 16;
  if (used != text.size() || std::abs(value) > kLargest || std::floor(value * kParts) != value * kParts) {
    wrong(entry, "alpha and beta are multiples of 1/16 up to 16, so that results can be compared exactly; '" + text +
                     "' is not");
  }
  return value;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

std::optional<Element> element_of(std::string_view name) {
  for (const ElementRow& row : kElements) {
    if (row.name == name) return row.element;
  }
  return std::nullopt;
}

/// "s8" for both, "u8s8" for A and B. Pairs of different types are bytes only.
bool read_type(const std::string& word, BenchShape& shape) {
  if (const auto both = element_of(word)) {
    shape.a = shape.b = *both;
    return true;
  }
  if (word != "u8s8" && word != "s8u8") return false;
  shape.a = *element_of(std::string_view(word).substr(0, 2));
  shape.b = *element_of(std::string_view(word).substr(2));
  return true;
}

bool read_transposes(const std::string& word, BenchShape& shape) {
  if (word.size() != 2 || word.find_first_not_of("nt") != std::string::npos) return false;
  shape.transpose_a = word[0] == 't';
  shape.transpose_b = word[1] == 't';
  return true;
}

bool read_layout(const std::string& word, BenchShape& shape) {
  if (word != "row" && word != "col") return false;
  shape.column_major = word == "col";
  return true;
}

bool read_factors(const std::string& alpha, const std::string& beta, const std::string& entry, BenchShape& shape) {
  shape.alpha = factor(alpha, entry);
  shape.beta = factor(beta, entry);
  return true;
}

std::uint32_t batch_of(const std::string& text, const std::string& entry) {
  constexpr std::uint32_t kLargest = 4096;
  std::uint32_t batch = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), batch);
  if (error != std::errc() || end != text.data() + text.size() || batch == 0 || batch > kLargest)
    wrong(entry, "'" + text + "' is no batch of 1 to 4096");
  return batch;
}

/// An entry's words, read into what its shapes have in common, and what the variants have yet to say.
struct Words {
  BenchShape common;
  bool type = false, transposes = false, layout = false, factors = false, batch = false;
};

Words read_words(std::span<const std::string> words, const std::string& entry) {
  Words result;
  if (words.size() >= 2 && is_number(words[0]) && is_number(words[1])) {
    result.factors = read_factors(words[0], words[1], entry, result.common);
    words = words.subspan(2);
  }
  for (const std::string& word : words) {
    const auto once = [&](bool& seen, bool read) {
      if (read && std::exchange(seen, true)) wrong(entry, "'" + word + "' says again what another word said");
      return read;
    };
    if (once(result.type, read_type(word, result.common))) continue;
    if (once(result.transposes, read_transposes(word, result.common))) continue;
    if (once(result.layout, read_layout(word, result.common))) continue;
    if (once(result.batch, word.size() > 1 && word[0] == 'b' && is_number(word.substr(1)))) {
      result.common.batch = batch_of(word.substr(1), entry);
      continue;
    }
    wrong(entry, "'" + word + "' is not known");
  }
  return result;
}

gemm::Shape shape_of(const std::string& text, const std::string& entry) {
  try {
    return gemm::parse_shape(text);
  } catch (const std::invalid_argument& error) {
    wrong(entry, error.what());
  }
}

/// "96", or "65-128" and "64-512/64" for several.
std::vector<std::string> sizes_of(const std::string& text, const std::string& entry) {
  const std::size_t dash = text.find('-', 1);
  if (dash == std::string::npos) return {text};
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = [&](const std::string& digits) { return shape_of(digits + "x1x1", entry).m; };
  const std::uint32_t first = number(text.substr(0, dash)), last = number(text.substr(dash + 1, slash - dash - 1)),
                      step = slash == text.size() ? 1 : number(text.substr(slash + 1));
  if (last < first) wrong(entry, "the last size is smaller than the first");
  std::vector<std::string> sizes;
  for (std::uint32_t size = first; size <= last; size += step) sizes.push_back(std::to_string(size));
  return sizes;
}

std::vector<gemm::Shape> shapes_of(const std::string& text, const std::string& entry) {
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() != 3 || text.find('-', 1) == std::string::npos) return {shape_of(text, entry)};
  std::vector<gemm::Shape> shapes;
  for (const std::string& m : sizes_of(parts[0], entry)) {
    for (const std::string& n : sizes_of(parts[1], entry)) {
      for (const std::string& k : sizes_of(parts[2], entry))
        shapes.push_back(shape_of(fmt::format("{}x{}x{}", m, n, k), entry));
    }
  }
  return shapes;
}

std::vector<gemm::Shape> range(const std::vector<std::string>& parts, const std::string& entry) {
  std::array<std::uint32_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Checked as sizes are.
    values[i] = shape_of(parts[i] + "x" + parts[i] + "x" + parts[i], entry).m;
  }
  if (values[1] < values[0]) wrong(entry, "the last size is smaller than the first");
  std::vector<gemm::Shape> shapes;
  for (std::uint32_t size = values[0]; size <= values[1]; size += values[2]) shapes.push_back({size, size, size});
  return shapes;
}

/// All of `read` of `choices` on top of each of `shapes`, unless `said`.
template <class Read>
void vary(std::vector<BenchShape>& shapes, bool said, const std::vector<std::string>& choices, const char* option,
          const Read& read) {
  if (said) return;
  std::vector<BenchShape> varied;
  for (const BenchShape& shape : shapes) {
    for (const std::string& choice : choices) {
      varied.push_back(shape);
      if (!read(choice, varied.back()))
        throw UserError(std::string(option) + ": '" + choice + "' is not known; see 'xeforge bench --help'");
    }
  }
  shapes = std::move(varied);
}

void add_entry(const std::string& entry, const BenchVariants& variants, std::vector<BenchShape>& shapes) {
  const std::vector<std::string> parts = split(entry, ':');
  if (parts.empty()) wrong(entry, "it is empty");
  const bool is_range = parts.size() >= 3 && parts[0].find('x') == std::string::npos;
  const std::span<const std::string> words = std::span(parts).subspan(is_range ? 3 : 1);
  Words said = read_words(words, entry);
  if (!said.batch) said.common.batch = variants.batch;
  const auto sizes = is_range ? range(parts, entry) : shapes_of(parts[0], entry);
  for (const gemm::Shape& size : sizes) {
    std::vector<BenchShape> varied{said.common};
    varied[0].shape = size;
    vary(varied, said.type, variants.types, "--types", read_type);
    vary(varied, said.transposes, variants.transposes, "--transposes", read_transposes);
    vary(varied, said.layout, variants.layouts, "--layouts", read_layout);
    vary(varied, said.factors, variants.factors, "--factors", [&](const std::string& choice, BenchShape& shape) {
      const std::vector<std::string> both = split(choice, ':');
      return both.size() == 2 && read_factors(both[0], both[1], choice, shape);
    });
    for (const BenchShape& shape : varied) {
      const auto whole = [](double value) { return std::floor(value) == value; };
      if (shape.integer() && !(whole(shape.alpha) && whole(shape.beta)))
        wrong(entry, "alpha and beta of integer products are whole numbers here");
      shapes.push_back(shape);
    }
  }
}

void add_lines(std::istream& in, const BenchVariants& variants, std::vector<BenchShape>& shapes) {
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.starts_with("m,n,k")) continue;
    const std::vector<std::string> columns = split(line, ',');
    if (columns.size() >= 3) {
      add_entry(columns[0] + "x" + columns[1] + "x" + columns[2], variants, shapes);
    } else {
      add_entry(line, variants, shapes);
    }
  }
}

const EmbeddedFile* built_in(const std::string& name) {
  for (const EmbeddedFile& file : shape_files()) {
    if (file.name == name + ".txt") return &file;
  }
  return nullptr;
}

void add_part(const std::string& part, const BenchVariants& variants, std::vector<BenchShape>& shapes) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(part, ignored)) {
    std::ifstream in(part);
    if (!in) throw UserError("--shapes: cannot read " + part);
    add_lines(in, variants, shapes);
  } else if (const EmbeddedFile* file = built_in(part)) {
    std::istringstream in{std::string(file->text)};
    add_lines(in, variants, shapes);
  } else {
    add_entry(part, variants, shapes);
  }
}

}  // namespace

std::vector<std::string> bench_shape_sets() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : shape_files()) names.emplace_back(file.name.substr(0, file.name.find('.')));
  return names;
}

std::vector<BenchShape> parse_bench_shapes(const std::string& text, const BenchVariants& variants) {
  std::vector<BenchShape> shapes;
  for (const std::string& part : split(text, ',')) add_part(part, variants, shapes);
  if (shapes.empty()) throw UserError("--shapes: there is no shape in '" + text + "'");
  return shapes;
}

std::string to_string(const BenchShape& shape) {
  std::string text = gemm::to_string(shape.shape);
  if (shape.alpha != 1 || shape.beta != 0) text += fmt::format(":{}:{}", shape.alpha, shape.beta);
  if (shape.a != shape.b) {
    text += fmt::format(":{}{}", row_of(shape.a).name, row_of(shape.b).name);
  } else if (shape.a != Element::Bf16) {
    text += fmt::format(":{}", row_of(shape.a).name);
  }
  if (shape.transpose_a || shape.transpose_b)
    text += fmt::format(":{}{}", shape.transpose_a ? 't' : 'n', shape.transpose_b ? 't' : 'n');
  if (shape.batch != 1) text += fmt::format(":b{}", shape.batch);
  if (shape.column_major) text += ":col";
  return text;
}

}  // namespace xeforge::lab
