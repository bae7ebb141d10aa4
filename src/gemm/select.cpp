// SPDX-License-Identifier: Apache-2.0
//
// Choosing rungs and shapes from text.
#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>

#include "gemm/catalog.h"

namespace xeforge::gemm {

namespace {

constexpr std::uint32_t kLargestSize = 65536;

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) && matches(pattern.substr(1), text.substr(1));
}

/// Edits that turn one word into the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_ids(std::string_view pattern) {
  std::vector<std::string_view> ids;
  for (const Rung& rung : catalog()) ids.push_back(rung.id);
  std::stable_sort(ids.begin(), ids.end(), [&](auto a, auto b) { return distance(pattern, a) < distance(pattern, b); });
  std::string text;
  for (std::size_t i = 0; i < 3 && i < ids.size(); ++i) text += (i == 0 ? "" : ", ") + std::string(ids[i]);
  return text;
}

std::string multiple_text(const char* what, std::uint32_t value, std::uint32_t of) {
  return value % of == 0
             ? ""
             : std::string(what) + " = " + std::to_string(value) + " is not a multiple of " + std::to_string(of);
}

}  // namespace

Shape parse_shape(std::string_view text) {
  Shape shape;
  std::uint32_t* const sizes[] = {&shape.m, &shape.n, &shape.k};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *sizes[i]);
    const bool separated = i == 2 ? next == end : next != end && *next == 'x';
    if (error != std::errc{} || !separated || *sizes[i] == 0 || *sizes[i] > kLargestSize) {
      throw std::invalid_argument("'" + std::string(text) + "' is not a shape: write MxNxK with sizes from 1 to " +
                                  std::to_string(kLargestSize) + ", for example 1024x1536x512");
    }
    at = next + 1;
  }
  return shape;
}

std::string to_string(const Shape& shape) {
  return std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
}

std::string_view name_of(Family family) {
  constexpr std::string_view names[] = {"smoke", "sycl", "joint_matrix", "esimd", "xe2"};
  return names[static_cast<std::size_t>(family)];
}

std::string_view name_of(LayoutA layout) {
  constexpr std::string_view names[] = {"row major", "micro-tiles", "operands"};
  return names[static_cast<std::size_t>(layout)];
}

std::string_view name_of(LayoutB layout) { return layout == LayoutB::Vnni ? "VNNI words" : "row major"; }

std::string_view name_of(Target target) {
  constexpr std::string_view names[] = {"any Xe", "Xe-HPG", "Xe2"};
  return names[static_cast<std::size_t>(target)];
}

std::vector<const Rung*> select_rungs(std::string_view list) {
  std::vector<bool> chosen(catalog().size());
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view pattern = list.substr(0, comma);
    bool any = false;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (matches(pattern, catalog()[i].id)) chosen[i] = any = true;
    }
    if (!any) {
      throw std::invalid_argument("no rung is called '" + std::string(pattern) + "'; the nearest are " +
                                  nearest_ids(pattern));
    }
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  std::vector<const Rung*> rungs;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) rungs.push_back(&catalog()[i]);
  }
  return rungs;
}

std::string reason_against(const Rung& rung, const Shape& shape) {
  if (rung.fixed_shape) {
    return *rung.fixed_shape == shape ? "" : "it computes " + to_string(*rung.fixed_shape) + " only";
  }
  if (rung.guarded) return "";
  for (const std::string& text : {multiple_text("M", shape.m, rung.block.m), multiple_text("N", shape.n, rung.block.n),
                                  multiple_text("K", shape.k, rung.block.k)}) {
    if (!text.empty()) return text;
  }
  if (shape.k < rung.k_min) return "K = " + std::to_string(shape.k) + " is less than " + std::to_string(rung.k_min);
  return "";
}

}  // namespace xeforge::gemm
