// SPDX-License-Identifier: Apache-2.0
//
// The launches that the figures play: which kernel of web/kernels, over which grid, on which data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace xeforge::lab::pages {

/// What a kernel is called with. Buffers hold 4-byte elements.
struct Argument {
  enum class Kind : uint8_t { Floats, Ints, Slm, Int, Float } kind = Kind::Floats;
  enum class Fill : uint8_t {
    Zero,
    Index,          ///< 0, 1, 2, ...
    LaneNumber,     ///< index % 16
    ReversedLanes,  ///< 15 - index % 16
    Uneven          ///< small numbers whose loops in divergent_loop differ in length, more so in odd sub-groups
  } fill = Fill::Index;
  uint32_t count = 0;  ///< Floats, Ints: elements; Slm: bytes
  double value = 0;    ///< Int, Float
};

struct FigureLaunch {
  std::string id;      ///< "divergence.short_if": also the name of its data file
  std::string source;  ///< name below web/kernels, without its suffix
  std::string kernel;
  std::array<uint32_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  std::vector<Argument> arguments;
  uint64_t recorded_groups = 1;
};

const std::vector<FigureLaunch>& figure_launches();

/// The kernel that the map launches in every shape of its sliders; its source wants SUB_GROUP defined.
FigureLaunch placement_launch(uint32_t groups, uint32_t local);

double element_of(Argument::Fill fill, uint32_t index);

}  // namespace xeforge::lab::pages
