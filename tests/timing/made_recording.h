// SPDX-License-Identifier: Apache-2.0
//
// Recordings made by hand from assembled text: what a launch would have left behind.
#pragma once

#include <string>
#include <vector>

#include "isa/decode.h"
#include "observe/recording.h"

namespace xeforge::timing::test {

using observe::RecordedMessage;
using observe::Recording;

/// A block transfer of `lines` lines at line `first`.
inline RecordedMessage lines(RecordedMessage::Kind kind, uint64_t first, uint32_t count) {
  RecordedMessage m;
  m.kind = kind;
  m.space = RecordedMessage::Space::Global;
  m.channels = 1;
  m.lines = count;
  m.contiguous = true;
  m.first_line = first;
  return m;
}

inline RecordedMessage slm(RecordedMessage::Kind kind, uint32_t dword, uint16_t dwords, uint8_t cycles) {
  RecordedMessage m;
  m.kind = kind;
  m.space = RecordedMessage::Space::Slm;
  m.channels = 1;
  m.slm_dword = dword;
  m.slm_dwords = dwords;
  m.slm_cycles = cycles;
  return m;
}

inline RecordedMessage other(RecordedMessage::Kind kind) {
  RecordedMessage m;
  m.kind = kind;
  m.channels = 1;
  return m;
}

/// Text of one block each; a thread goes through `path` and sends the messages that `send` gives it, in order, and an
/// end of thread, for which a last block is added.
class Maker {
 public:
  Maker(isa::Platform platform, const std::vector<std::string>& blocks) {
    std::string text;
    std::vector<uint32_t> sizes;
    for (const std::string& block : blocks) {
      const auto alone = isa::decode(platform, isa::assemble(platform, block + kEnd));
      sizes.push_back(static_cast<uint32_t>(alone.instructions().size()) - 1);
      text += block + "\n";
    }
    const std::vector<std::byte> code = isa::assemble(platform, text + kEnd);
    r_.program = std::make_shared<const isa::Program>(isa::decode(platform, code));
    uint32_t first = 0;
    for (const uint32_t size : sizes) {
      r_.blocks.push_back({first, size});
      first += size;
    }
    r_.blocks.push_back({first, 1});
    r_.kernel = "made";
    r_.device = platform == isa::Platform::XeHpg ? "a770" : "b60";
    r_.fused = platform == isa::Platform::XeHpg;
    r_.simd = 8;
  }

  Recording& recording() { return r_; }

  /// `send(group, thread)`: the messages of a thread.
  template <class Send>
  Recording& make(uint64_t groups, uint32_t threads, std::vector<uint16_t> path, Send&& send) {
    path.push_back(static_cast<uint16_t>(r_.blocks.size() - 1));
    r_.paths.push_back(path);
    r_.groups_in_grid = groups;
    r_.grid = {static_cast<uint32_t>(groups), 1, 1};
    r_.local = {threads * 8, 1, 1};
    r_.threads_per_group = threads;
    for (uint64_t g = 0; g < groups; ++g) {
      r_.groups.push_back({g, static_cast<uint32_t>(r_.threads.size())});
      for (uint32_t t = 0; t < threads; ++t) {
        r_.threads.push_back({static_cast<uint32_t>(r_.paths.size() - 1), r_.messages.size()});
        observe::MessageWriter writer;
        for (const RecordedMessage& m : send(g, t)) writer.append(m, r_.messages);
        writer.append(other(RecordedMessage::Kind::EndOfThread), r_.messages);
      }
    }
    r_.instructions = groups * threads * r_.instructions_of(r_.threads[0]);
    return r_;
  }
  Recording& make(uint64_t groups, uint32_t threads, const std::vector<uint16_t>& path) {
    return make(groups, threads, path, [](uint64_t, uint32_t) { return std::vector<RecordedMessage>(); });
  }

 private:
  static constexpr const char* kEnd = "\n(W) send.gtwy (1|M0) null r112 null 0x0 0x02000010 {EOT}\n";
  Recording r_;
};

}  // namespace xeforge::timing::test
