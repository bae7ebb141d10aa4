// SPDX-License-Identifier: Apache-2.0
//
// What a launch executed, compactly: which blocks each thread went through, and for every message the cache lines or
// banks it touches. Enough to time the launch again and again without executing it. Threads that take the same way
// share it; a message takes about five bytes, so that a kernel of 10^9 instructions fits into a few GiB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "isa/decode.h"
#include "machine/footprint.h"

namespace xeforge::observe {

inline constexpr unsigned kLineShift = 6;  ///< cache lines of 64 bytes on all devices
inline constexpr unsigned kSlmBanks = 16;  ///< for conflicts: banks of four bytes

/// One message as recorded. Lines are numbers of 64-byte lines in the recording's own address space (AddressSpace).
struct RecordedMessage {
  using Kind = machine::Footprint::Kind;
  using Space = machine::Footprint::Space;
  static constexpr unsigned kMaxLines = machine::Footprint::kMaxPieces * 2;

  Kind kind = Kind::Other;
  Space space = Space::None;
  uint8_t channels = 0;  ///< that take part

  // Of a message whose descriptor was in a0 (`dynamic`): what the instruction does not say.
  bool dynamic = false;
  bool transposed = false;
  uint8_t return_registers = 0;
  uint8_t payload_registers = 0;

  // Global and Scratch.
  uint32_t lines = 0;
  bool contiguous = false;
  uint64_t first_line = 0;
  std::array<uint64_t, kMaxLines> line;  ///< filled unless contiguous

  // Slm.
  uint32_t slm_dword = 0;   ///< the first dword touched
  uint16_t slm_dwords = 0;  ///< different dwords touched
  uint8_t slm_cycles = 0;   ///< most dwords in one of kSlmBanks banks

  uint32_t barrier_payload = 0;  ///< BarrierSignal on devices with named barriers

  uint64_t line_at(uint32_t i) const { return contiguous ? first_line + i : line[i]; }
};

/// Reads the messages of one thread in order.
class MessageReader {
 public:
  MessageReader() = default;
  explicit MessageReader(const std::byte* at) : at_(reinterpret_cast<const uint8_t*>(at)) {}
  void next(RecordedMessage& out);
  /// Where the next message begins; behind the last one: where those of the next thread do.
  const std::byte* position() const { return reinterpret_cast<const std::byte*>(at_); }

 private:
  uint64_t number();
  int64_t signed_number();
  const uint8_t* at_ = nullptr;
  uint64_t last_line_ = 0;
  uint32_t last_dword_ = 0;
};

/// Appends messages to the bytes of one thread; the counterpart of MessageReader.
class MessageWriter {
 public:
  void append(const RecordedMessage& message, std::vector<std::byte>& out);

 private:
  uint64_t last_line_ = 0;
  uint32_t last_dword_ = 0;
};

struct Recording {
  static constexpr uint32_t kVersion = 5;

  struct Block {
    uint32_t first = 0, count = 0;  ///< instructions of the program
  };
  struct Thread {
    uint32_t path = 0;      ///< index into paths
    uint64_t messages = 0;  ///< where its messages begin in Recording::messages
  };
  struct Group {
    uint64_t linear = 0;        ///< dispatch order of the whole grid
    uint32_t first_thread = 0;  ///< in threads; threads_per_group of them
  };

  std::string kernel, device;
  std::array<uint32_t, 3> grid{}, local{};
  uint64_t groups_in_grid = 0;
  uint32_t threads_per_group = 0;
  uint32_t simd = 0, grf = 128, slm_bytes = 0, barriers = 0, scratch_bytes = 0;
  bool fused = false;         ///< threads 2i and 2i+1 run on a fused pair of EUs
  uint64_t instructions = 0;  ///< thread-instructions of the whole grid, recorded or not
  uint64_t sends = 0;

  std::shared_ptr<const isa::Program> program;
  std::vector<uint32_t> entries;  ///< pcs from which the program was decoded
  std::vector<Block> blocks;
  std::vector<std::vector<uint16_t>> paths;  ///< blocks in the order executed
  std::vector<Thread> threads;
  std::vector<Group> groups;  ///< those recorded, by rising `linear`
  std::vector<std::byte> messages;

  /// Instructions of one thread.
  uint64_t instructions_of(const Thread& thread) const;
  void save(const std::filesystem::path& file) const;
  /// Throws std::runtime_error that names the file.
  static Recording load(const std::filesystem::path& file);
};

}  // namespace xeforge::observe
