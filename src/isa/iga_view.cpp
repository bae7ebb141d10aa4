// SPDX-License-Identifier: Apache-2.0
#include "isa/iga_view.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace xeforge::isa {
namespace {

// IGA reads an uncompacted instruction in whole even where a compacted one ends the code.
constexpr size_t kSlack = 16;
constexpr size_t kSmallestInstruction = 8;

struct LabelContext {
  uint32_t base;
  std::array<char, 24> name;
};

const char* label_name(int32_t pc, void* context) {
  auto& label = *static_cast<LabelContext*>(context);
  // Wraps back to the right position for targets in front of the view.
  const auto text = "L" + std::to_string(static_cast<int32_t>(static_cast<uint32_t>(pc) + label.base));
  text.copy(label.name.data(), label.name.size() - 1);
  label.name[std::min(text.size(), label.name.size() - 1)] = '\0';
  return label.name.data();
}

// Lines of the form "ERROR: PC[0x10] message".
std::map<uint32_t, std::string> parse_errors(std::string_view text, uint32_t base) {
  constexpr std::string_view kPrefix = "ERROR: PC[0x";
  std::map<uint32_t, std::string> errors;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const auto line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.starts_with(kPrefix)) continue;
    const size_t bracket = line.find(']');
    if (bracket == std::string_view::npos) continue;
    const auto message = line.substr(std::min(bracket + 2, line.size()));
    // Targets are checked against the whole kernel by the caller; here only a part of it is known.
    if (message.find(" targets ") != std::string_view::npos ||
        message.find("label targets") != std::string_view::npos) {
      continue;
    }
    const auto digits = std::string(line.substr(kPrefix.size(), bracket - kPrefix.size()));
    const auto pc = base + static_cast<uint32_t>(std::strtoul(digits.c_str(), nullptr, 16));
    errors.try_emplace(pc, message);
  }
  return errors;
}

}  // namespace

iga_gen_t iga_platform(Platform platform) { return platform == Platform::XeHpg ? IGA_XE_HPG : IGA_XE2; }

void check_iga_library() {
  struct Probe {
    iga::Op op;
    std::string_view mnemonic;
  };
  // The enumeration is alphabetical and grows in the middle, so its first, last and some inner entries tell.
  static constexpr std::array<Probe, 6> kProbes{{{iga::Op::ADD, "add"},
                                                 {iga::Op::DPAS, "dpas"},
                                                 {iga::Op::MOV, "mov"},
                                                 {iga::Op::SEND, "send"},
                                                 {iga::Op::SYNC, "sync"},
                                                 {iga::Op::XOR, "xor"}}};
  static const std::string kProblem = [] {
    for (const auto& probe : kProbes) {
      iga_opspec_t spec = nullptr;
      std::array<char, 32> mnemonic{};
      size_t length = mnemonic.size();
      if (iga_opspec_from_op(IGA_XE2, static_cast<uint32_t>(probe.op), &spec) != IGA_SUCCESS ||
          iga_opspec_mnemonic(spec, mnemonic.data(), &length) != IGA_SUCCESS || probe.mnemonic != mnemonic.data()) {
        return "the loaded libiga64 (" + std::string(iga_version_string()) +
               ") does not belong to the IGA headers that this program was built with: opcode '" +
               std::string(probe.mnemonic) + "' is called '" + mnemonic.data() + "' there; rebuild after 'make setup'";
      }
    }
    return std::string();
  }();
  if (!kProblem.empty()) throw std::runtime_error(kProblem);
}

IgaView::IgaView(Platform platform, std::span<const std::byte> code, uint32_t base)
    : platform_(platform), base_(base), code_(code.begin(), code.end()) {
  check_iga_library();
  code_.resize(code.size() + kSlack);
  if (code.size() < kSmallestInstruction) throw std::runtime_error("too few bytes for an instruction");

  // Plain distances on Xe-HPG name three in-order pipes; Xe2 has a fourth and uses IGA's default for the platform.
  const auto swsb =
      platform == Platform::XeHpg ? iga::SWSB_ENCODE_MODE::ThreeDistPipe : iga::SWSB_ENCODE_MODE::FourDistPipeReduction;
  iga_status_t status = IGA_SUCCESS;
  std::string diagnostics(size_t{64} * 1024 + 8 * code.size(), '\0');
  view_.reset(kv_create(iga_platform(platform), code_.data(), code.size(), &status, diagnostics.data(),
                        diagnostics.size(), static_cast<uint32_t>(swsb)));
  if (!view_) throw std::runtime_error(std::string("IGA cannot decode: ") + diagnostics.c_str());
  if (status != IGA_SUCCESS) errors_ = parse_errors(diagnostics.c_str(), base);
}

uint32_t IgaView::size_at(uint32_t pc) const {
  return pc < base_ ? 0 : static_cast<uint32_t>(kv_get_inst_size(view_.get(), local(pc)));
}

std::string IgaView::error_at(uint32_t pc) const {
  const auto found = errors_.find(pc);
  return found == errors_.end() ? std::string() : found->second;
}

std::string IgaView::text(uint32_t pc, uint32_t format) const {
  const bool absolute = kv_get_opcode(view_.get(), local(pc)) == static_cast<uint32_t>(iga::Op::CALLA);
  LabelContext label{absolute ? 0 : base_, {}};
  std::array<char, 1024> buffer{};
  kv_get_inst_syntax(view_.get(), local(pc), buffer.data(), buffer.size(), format, label_name, &label);
  std::string_view line = buffer.data();
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  line = line.substr(first, line.find_last_not_of(' ') + 1 - first);
  return std::string(line);
}

}  // namespace xeforge::isa
