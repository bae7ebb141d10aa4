// SPDX-License-Identifier: Apache-2.0
//
// What lies behind the cores: channels by address, writes.
#include "timing/memory.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace xeforge::timing {
namespace {

/// When the last of `count` lines is there that are asked for at once, `pitch` bytes apart.
Ticks time_of(const Parameters& p, uint64_t pitch, uint32_t count) {
  Memory memory(p, p.cores, 1);
  Ticks last = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Request r;
    r.core = static_cast<uint16_t>(i % p.cores);
    r.line = i * pitch / 64;
    r.sequence = i;
    last = std::max(last, memory.serve(r));
  }
  return last;
}

TEST(Memory, RowPitchesOf3Times2ToTheNMeetInFewChannelsOfSix) {
  Parameters p = parameters_of(device::find_device("b60"));
  ASSERT_EQ(0, static_cast<unsigned>(p.channels) % 3);
  constexpr uint32_t kRows = 4096;
  // Two bytes an element, as in the measured products.
  const Ticks spread = time_of(p, 2 * 4096, kRows), camping = time_of(p, 2 * 6144, kRows);
  EXPECT_GT(static_cast<double>(camping), 1.5 * static_cast<double>(spread));
  p.channel_map = 0;
  const Ticks even = time_of(p, 2 * 6144, kRows);
  EXPECT_LT(static_cast<double>(even), 1.1 * static_cast<double>(spread));
  EXPECT_EQ(even, time_of(p, 2 * 4096, kRows));
}

TEST(Memory, DearerWritesTakeLonger) {
  Parameters p = parameters_of(device::find_device("b60"));
  const auto time = [](const Parameters& parameters) {
    Memory memory(parameters, 1, 1);
    const auto lines = static_cast<uint64_t>(parameters.l2_bytes / 64 * 4);
    Ticks last = 0;
    for (uint64_t line = 0; line < lines; ++line) {
      Request r;
      r.kind = Request::Kind::Write;
      r.line = line;
      memory.serve(r);
      last = std::max(last, memory.dram_busy());
    }
    return last;
  };
  const Ticks base = time(p);
  EXPECT_GT(base, 0);
  p.write_factor = 2;
  EXPECT_NEAR(2 * static_cast<double>(base), static_cast<double>(time(p)), 0.02 * static_cast<double>(base));
}

TEST(Tags, MixedSetsHoldTheRowsOfAnyPitch) {
  constexpr uint64_t kBytes = 256 << 10, kRows = 256, kColumns = 8;  // half of it
  for (uint64_t pitch = 1; pitch <= 1024; ++pitch) {
    Tags<char> tags(kBytes, 16, 64, 0);
    const uint64_t columns = std::min(kColumns, pitch);
    for (uint64_t row = 0; row < kRows; ++row) {
      for (uint64_t column = 0; column < columns; ++column) {
        const uint64_t line = (uint64_t{1} << 26) + row * pitch + column;
        tags.take(line);
      }
    }
    uint64_t lost = 0;
    for (uint64_t row = 0; row < kRows; ++row) {
      for (uint64_t column = 0; column < columns; ++column)
        lost += tags.find((uint64_t{1} << 26) + row * pitch + column) == nullptr;
    }
    // A random function loses 1 % of them: eight of 16 ways are wanted in the mean.
    EXPECT_LT(static_cast<double>(lost), 0.01 * static_cast<double>(kRows * columns)) << pitch;
  }
}

}  // namespace
}  // namespace xeforge::timing
