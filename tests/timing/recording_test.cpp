// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "made_recording.h"

namespace xeforge::timing::test {
namespace {

using Kind = RecordedMessage::Kind;
using Space = RecordedMessage::Space;

RecordedMessage random_message(std::mt19937& random) {
  RecordedMessage m;
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  m.kind = static_cast<Kind>(below(4));
  m.channels = static_cast<uint8_t>(1 + below(32));
  m.dynamic = below(4) == 0;
  if (m.dynamic) {
    m.transposed = below(2) != 0;
    m.return_registers = static_cast<uint8_t>(below(32));
    m.payload_registers = static_cast<uint8_t>(below(32));
  }
  switch (below(4)) {
    case 0:
      m.space = Space::None;
      m.kind = Kind::BarrierSignal;
      m.barrier_payload = below(1u << 30);
      break;
    case 1:
      m.space = Space::Slm;
      m.slm_dword = below(1u << 14);
      m.slm_dwords = static_cast<uint16_t>(below(512));
      m.slm_cycles = static_cast<uint8_t>(below(64));
      break;
    default:
      m.space = below(5) == 0 ? Space::Scratch : Space::Global;
      m.lines = below(20);
      m.contiguous = m.lines == 0 || below(2) == 0;
      m.first_line = random() * uint64_t{977};
      for (uint32_t i = 0; i < m.lines; ++i) m.line[i] = i == 0 || m.contiguous ? m.first_line + i : random();
      break;
  }
  return m;
}

TEST(Recording, MessagesComeBackAsTheyWereWritten) {
  std::mt19937 random(7);
  std::vector<RecordedMessage> written;
  std::vector<std::byte> bytes;
  observe::MessageWriter writer;
  for (int i = 0; i < 2000; ++i) {
    written.push_back(random_message(random));
    writer.append(written.back(), bytes);
  }
  observe::MessageReader reader(bytes.data());
  RecordedMessage m;
  for (const RecordedMessage& w : written) {
    reader.next(m);
    ASSERT_EQ(m.kind, w.kind);
    ASSERT_EQ(m.space, w.space);
    ASSERT_EQ(m.channels, w.channels);
    ASSERT_EQ(m.dynamic, w.dynamic);
    if (w.dynamic) {
      ASSERT_EQ(m.return_registers, w.return_registers);
      ASSERT_EQ(m.payload_registers, w.payload_registers);
      ASSERT_EQ(m.transposed, w.transposed);
    }
    if (w.space == Space::Slm) {
      ASSERT_EQ(m.slm_dword, w.slm_dword);
      ASSERT_EQ(m.slm_dwords, w.slm_dwords);
      ASSERT_EQ(m.slm_cycles, w.slm_cycles);
    } else if (w.space == Space::None) {
      ASSERT_EQ(m.barrier_payload, w.barrier_payload);
    } else {
      ASSERT_EQ(m.lines, w.lines);
      for (uint32_t i = 0; i < w.lines; ++i) ASSERT_EQ(m.line_at(i), w.line[i]);
    }
  }
}

TEST(Recording, BlockMessagesTakeFewBytes) {
  std::vector<std::byte> bytes;
  observe::MessageWriter writer;
  for (uint64_t i = 0; i < 1000; ++i) writer.append(lines(Kind::Load, 1'000'000 + i * 48, 4), bytes);
  EXPECT_LE(bytes.size(), 6000u);
}

TEST(Recording, FilesGiveBackWhatWasSaved) {
  Maker maker(isa::Platform::XeHpg, {"(W) add (8|M0) r10.0<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f"});
  const Recording& r = maker.make(3, 4, {0, 0, 0});
  const auto file = std::filesystem::path(::testing::TempDir()) / "recording_test.xfr";
  r.save(file);
  const Recording back = Recording::load(file);
  EXPECT_EQ(back.kernel, r.kernel);
  EXPECT_EQ(back.paths, r.paths);
  EXPECT_EQ(back.messages, r.messages);
  EXPECT_EQ(back.threads.size(), 12u);
  EXPECT_EQ(back.groups.size(), 3u);
  EXPECT_EQ(back.instructions, r.instructions);
  EXPECT_EQ(back.program->instructions().size(), r.program->instructions().size());
  std::filesystem::remove(file);
}

TEST(Recording, ADamagedFileIsRefusedWhereverTheDamageIs) {
  Maker maker(isa::Platform::XeHpg, {"(W) add (8|M0) r10.0<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f"});
  const auto file = std::filesystem::path(::testing::TempDir()) / "damaged_recording_test.xfr";
  maker.make(3, 4, {0, 0, 0}).save(file);
  const auto size = std::filesystem::file_size(file);
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  for (uintmax_t at = 0; at < size; ++at) {
    const auto put = [&](int byte) {
      bytes.seekp(static_cast<std::streamoff>(at));
      bytes.put(static_cast<char>(byte)).flush();
    };
    bytes.seekg(static_cast<std::streamoff>(at));
    const int byte = bytes.get();
    put(byte ^ 1 << at % 8);
    EXPECT_THROW(Recording::load(file), std::runtime_error) << "byte " << at << " of " << size;
    put(byte);
  }
  EXPECT_NO_THROW(Recording::load(file));
  std::filesystem::resize_file(file, size - 5);
  EXPECT_THROW(Recording::load(file), std::runtime_error);
  std::filesystem::resize_file(file, size + 1);
  EXPECT_THROW(Recording::load(file), std::runtime_error);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace xeforge::timing::test
