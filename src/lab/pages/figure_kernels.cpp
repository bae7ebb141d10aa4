// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/figure_kernels.h"

namespace xeforge::lab::pages {
namespace {

using Kind = Argument::Kind;
using Fill = Argument::Fill;

constexpr uint32_t kItems = 64;

Argument floats(uint32_t count, Fill fill = Fill::Index) { return {Kind::Floats, fill, count, 0}; }
Argument ints(uint32_t count, Fill fill) { return {Kind::Ints, fill, count, 0}; }
Argument slm(uint32_t bytes) { return {Kind::Slm, Fill::Zero, bytes, 0}; }
Argument integer(int value) { return {Kind::Int, Fill::Zero, 0, static_cast<double>(value)}; }

FigureLaunch subgroup(const std::string& kernel, std::vector<Argument> arguments) {
  return {"subgroup." + kernel, "subgroup", kernel, {1, 1, 1}, {16, 1, 1}, std::move(arguments), 1};
}

FigureLaunch barrier(const std::string& id, const std::string& kernel, uint32_t local,
                     std::vector<Argument> arguments) {
  return {"barrier." + id, "barrier", kernel, {1, 1, 1}, {local, 1, 1}, std::move(arguments), 1};
}

}  // namespace

const std::vector<FigureLaunch>& figure_launches() {
  static const std::vector<FigureLaunch> all = {
      {"divergence.short_if", "divergence", "short_if", {2, 1, 1}, {kItems, 1, 1}, {floats(2 * kItems)}, 1},
      {"divergence.divergent_loop",
       "divergence",
       "divergent_loop",
       {2, 1, 1},
       {kItems, 1, 1},
       {ints(2 * kItems, Fill::Uneven)},
       1},
      subgroup("shuffle_xor", {floats(16)}),
      subgroup("shuffle_lane", {floats(16), ints(16, Fill::ReversedLanes)}),
      subgroup("broadcast", {floats(16)}),
      subgroup("reduce", {floats(16)}),
      subgroup("scan", {floats(16)}),
      subgroup("vote", {ints(16, Fill::LaneNumber)}),
      subgroup("reduce_through_slm", {floats(16), slm(64)}),
      barrier("exchange", "exchange", kItems, {floats(kItems), slm(4 * kItems)}),
      barrier("exchange_unsynchronised", "exchange_unsynchronised", kItems, {floats(kItems), slm(4 * kItems)}),
      barrier("banks_stride1", "banks", 16, {floats(16), slm(1024), integer(1)}),
      barrier("banks_stride16", "banks", 16, {floats(16), slm(1024), integer(16)}),
      {"article.code_to_hardware",
       "article",
       "code_to_hardware",
       {4, 1, 1},
       {256, 1, 1},
       {floats(1024), floats(1024, Fill::Zero), slm(1024)},
       1},
  };
  return all;
}

double element_of(Argument::Fill fill, uint32_t index) {
  switch (fill) {
    case Fill::Zero:
      return 0;
    case Fill::Index:
      return index;
    case Fill::LaneNumber:
      return index % 16;
    case Fill::ReversedLanes:
      return 15 - index % 16;
    case Fill::Uneven:
      return index / 16 % 2 == 0 ? 1 + index % 4 : 1 + index % 8;
  }
  return 0;
}

FigureLaunch placement_launch(uint32_t groups, uint32_t local) {
  return {"placement", "placement", "placement", {groups, 1, 1}, {local, 1, 1}, {floats(groups * local)}, 0};
}

}  // namespace xeforge::lab::pages
