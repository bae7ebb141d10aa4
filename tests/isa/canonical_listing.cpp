// SPDX-License-Identifier: Apache-2.0
// The side of the vendor's disassembly.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <set>
#include <stdexcept>

#include "canonical.h"
#include "canonical_operand.h"

namespace xeforge::isa::testing {
namespace {

using Tokens = std::vector<std::string>;

[[noreturn]] void cannot_read(const std::string& what, const std::string& text) {
  throw std::runtime_error("cannot read " + what + " '" + text + "'");
}

Tokens split(std::string_view text, char separator) {
  Tokens tokens;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    const auto token = text.substr(0, end);
    if (!token.empty()) tokens.emplace_back(token);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return tokens;
}

std::string hex(uint64_t value) {
  std::array<char, 24> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%llX", static_cast<unsigned long long>(value));
  return buffer.data();
}

uint64_t number(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 0); }

struct Line {
  std::string predicate, mnemonic, size, flag;
  Tokens operands;
  std::set<std::string> options;
  std::string comment;
};

Line take_apart(std::string_view source) {
  static const std::regex kShape(
      R"(^\s*(\([^|)]*\)\s+)?([a-z][a-zA-F0-9_.]*)\s*(\(\d+\|M\d+\))?\s*(\((?:eq|ne|gt|ge|lt|le|ov|un|eo)\)f\d\.\d)?\s*([^{/]*)(\{[^}]*\})?\s*(?://\s*(.*))?$)");
  const std::string text(source);
  std::smatch m;
  if (!std::regex_match(text, m, kShape)) cannot_read("line", text);
  Line line;
  line.predicate = m[1];
  line.predicate.erase(line.predicate.find_last_not_of(' ') + 1);
  line.mnemonic = m[2];
  line.size = m[3];
  line.flag = m[4];
  line.operands =
      split(std::string_view(text).substr(static_cast<size_t>(m.position(5)), static_cast<size_t>(m.length(5))), ' ');
  for (auto& option : split(m[6].str(), ',')) {
    std::erase_if(option, [](char c) { return c == '{' || c == '}' || c == ' '; });
    line.options.insert(option);
  }
  line.comment = m[7];
  line.comment.erase(line.comment.find_last_not_of(' ') + 1);
  return line;
}

std::string type_of(const std::string& token) {
  const size_t colon = token.rfind(':');
  return colon == std::string::npos ? std::string() : token.substr(colon + 1);
}

uint64_t float_bits(const std::string& text, const std::string& type) {
  const double value = std::strtod(text.c_str(), nullptr);
  if (type == "df") return std::bit_cast<uint64_t>(value);
  if (type == "f") return std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr));
  if (type == "bf") return std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16;
  // Listings print a half exactly, so a search over all of them finds it.
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if (immediate_text(bits, "hf") == immediate_text(std::bit_cast<uint64_t>(value), "df")) return bits;
  }
  cannot_read("half", text);
}

std::string immediate(const std::string& token) {
  const std::string type = type_of(token);
  const std::string value = token.substr(0, token.rfind(':'));
  const bool floating = type == "f" || type == "df" || type == "hf" || type == "bf";
  if (floating && (value.find("nan") != std::string::npos)) return "#nan:" + type;
  uint64_t bits = 0;
  if (floating && !value.starts_with("0x")) {
    bits = float_bits(value, type);
  } else {
    bits = value.starts_with('-') ? static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 0)) : number(value);
    if (type_bits(type) < 64) bits &= (uint64_t{1} << type_bits(type)) - 1;
  }
  return immediate_text(bits, type) + ":" + type;
}

struct Region {
  unsigned v, w, h;
  bool vxh;
};

Region region_of(const std::string& text, bool indirect) {
  const auto parts = split(text, ';');
  if (parts.size() == 2) {
    const auto v = static_cast<unsigned>(number(parts[0]));
    const auto right = split(parts[1], ',');
    if (right.size() == 2)
      return {v, static_cast<unsigned>(number(right[0])), static_cast<unsigned>(number(right[1])), false};
    // Ternary <v;h>: Regioning Rules for Align1 Ternary Operations.
    const auto h = static_cast<unsigned>(number(parts[1]));
    if (h == 0) return {v, std::max(v, 1U), 0, false};
    return {v, v / h, h, false};
  }
  const auto right = split(text, ',');
  if (right.size() == 2) {
    if (!indirect) cannot_read("region", text);
    return {0, static_cast<unsigned>(number(right[0])), static_cast<unsigned>(number(right[1])), true};
  }
  return {static_cast<unsigned>(number(text)), 1, 0, false};  // ternary <h>
}

enum class Role { Destination, Source, MacroSource, SystolicSource, Bare };

std::string operand(const std::string& token, Role role, unsigned exec_size) {
  static const std::regex kShape(
      R"(^(\(sat\))?([-~])?(\(abs\))?(null|ip|ce|r\[a0\.\d+(?:,-?\d+)?\]|[a-z]+\d+)(?:\.(\d+|mme\d|nomme))?(?:<([^>]*)>)?(?::([a-z0-9]+))?$)");
  std::smatch m;
  if (!std::regex_match(token, m, kShape)) {
    if (role != Role::Destination && token.find(':') != std::string::npos) return immediate(token);
    cannot_read("operand", token);
  }
  CanonicalOperand c;
  c.negate = m[2].matched;
  c.absolute = m[3].matched;
  c.place = m[4];
  if (c.place.starts_with("r[") && c.place.find(',') == std::string::npos) c.place.insert(c.place.size() - 1, ",0");
  c.type = m[7];
  const std::string sub = m[5];
  if (sub.find("mme") != std::string::npos) {
    c.macro = sub;
  } else if (!sub.empty()) {
    c.sub_bytes = static_cast<unsigned>(number(sub)) * (c.type.empty() ? 32 : type_bits(c.type)) / 8;
  }
  if (role == Role::Bare) {
    c.type.clear();
  } else if (role == Role::Destination) {
    c.elements = "stride " + (m[6].matched ? m[6].str() : "1");
  } else if (c.place != "null") {
    Region r{1, 1, 0, false};
    // Nothing is written where packed (or, for one channel, a scalar) is the only region there is.
    if (m[6].matched) {
      r = region_of(m[6], c.place.starts_with("r["));
    } else if (role != Role::MacroSource && role != Role::SystolicSource) {
      cannot_read("source without a region", token);
    }
    c.elements = element_list(exec_size, r.v, r.w, r.h, r.vxh);
  }
  return std::string(m[1].matched ? "(sat)" : "") + c.text();
}

std::string sync_operand(const std::string& token) {
  if (token == "null") return {};
  if (!token.starts_with('(')) return " " + immediate_text(number(token), "ud");
  uint64_t mask = 0;
  for (size_t at = token.find('$'); at != std::string::npos; at = token.find('$', at + 1)) {
    mask |= uint64_t{1} << number(token.substr(at + 1, token.find_first_of(",)", at) - at - 1));
  }
  return " " + immediate_text(mask, "ud");
}

// "load.ugm.d32.a64.flat[A+0x40]" -> "load.ugm.d32.a64 flat+0x40"
std::string lsc_text(std::string text) {
  static const std::regex kSurface(R"(\.(flat|bti|bss|ss)(\[[^\]]*\])?(?:\[A([^\]]*)\])?$)");
  static const std::regex kBlockOffset(R"(^\+\((-?)(0x[0-9A-F]+),(-?)(0x[0-9A-F]+)\)$)");
  if (text.starts_with("fence.")) return text;
  std::smatch m;
  if (!std::regex_search(text, m, kSurface)) return text + " flat";
  const std::string flat = m[1];
  // "flat[A+..]" has its offset in the first brackets.
  std::string index = m[2];
  std::string offset = m[3];
  if (flat == "flat" && !index.empty()) {
    offset = index.substr(2, index.size() - 3);
    index.clear();
  }
  std::smatch block;
  if (std::regex_match(offset, block, kBlockOffset)) {
    offset = "+(" + block[1].str() + std::to_string(number(block[2])) + "," + block[3].str() +
             std::to_string(number(block[4])) + ")";
  }
  return m.prefix().str() + " " + flat + index + offset;
}

std::string legacy_text(const std::string& text, uint32_t desc) {
  struct Phrase {
    const char* start;
    const char* name;
    unsigned dwords;
    bool scratch;
  };
  static constexpr std::array<Phrase, 4> kPhrases{{{"oword aligned block read x", "aligned_block_read", 4, false},
                                                   {"oword block read x", "oword_block_read", 4, false},
                                                   {"hword scratch block read x", "scratch_block_read", 8, true},
                                                   {"hword scratch block write x", "scratch_block_write", 8, true}}};
  for (const auto& phrase : kPhrases) {
    if (!text.starts_with(phrase.start)) continue;
    const auto count = number(text.substr(std::strlen(phrase.start)));
    std::string result = std::string(phrase.name) + ".dc0.d32x" + std::to_string(count * phrase.dwords) + "t.a32";
    if (!phrase.scratch) return result + " bti[" + std::to_string(desc & 0xFF) + "]";
    const uint32_t offset = (desc & 0xFFF) * 32;
    return result + " scratch" + (offset != 0 ? "+" + hex(offset) : "");
  }
  if (text == "signal barrier") return "signal_barrier.gtwy";
  if (text == "end of thread") return "eot.gtwy";
  return lsc_text(text);
}

// IGA knows no name for the flush type that the compiler uses on Xe-HPG and then describes in words.
std::string unnamed_fence(const std::string& text, const std::string& mnemonic) {
  static const std::regex kShape(R"(^fence invalid flush type scoped to (group|local|tile|gpu)$)");
  std::smatch m;
  if (!std::regex_match(text, m, kShape)) return {};
  return "fence" + mnemonic.substr(mnemonic.find('.')) + ".type6." + m[1].str();
}

std::string send(const Line& line) {
  // dst src0 src1:length exdesc desc // wr:m[h]+e, rd:r; what it does
  if (line.operands.size() != 5) cannot_read("send with operands", std::to_string(line.operands.size()));
  const auto& src1 = line.operands[2];
  const size_t colon = src1.find(':');
  std::string text = " " + operand(line.operands[0], Role::Bare, 1) + " " + operand(line.operands[1], Role::Bare, 1) +
                     " " + operand(src1.substr(0, colon), Role::Bare, 1) + ":" +
                     (colon != std::string::npos ? src1.substr(colon + 1)
                      : src1 == "null"           ? "0"
                                                 : "a0");
  const auto& exdesc = line.operands[3];
  text +=
      " exdesc " + (exdesc.starts_with("a0") || exdesc.find(':') != std::string::npos ? exdesc : hex(number(exdesc)));
  const auto& desc = line.operands[4];
  if (desc.starts_with("a0")) return text + " desc " + desc;
  text += " desc " + hex(number(desc));
  static const std::regex kComment(R"(^wr:(\d+h?)\+[a-z0-9.:\[\]]+, rd:(\d+); (.*)$)");
  std::smatch m;
  if (!std::regex_match(line.comment, m, kComment)) cannot_read("message", line.comment);
  text += " wr " + m[1].str() + " rd " + m[2].str() + " ";
  if (const auto fence = unnamed_fence(m[3], line.mnemonic); !fence.empty()) return text + fence;
  return text + legacy_text(m[3], static_cast<uint32_t>(number(desc)));
}

bool is_control(const std::string& mnemonic) {
  static const std::set<std::string> kNames{"jmpi", "brd",  "brc",  "if",    "else", "endif", "while", "break",
                                            "cont", "halt", "call", "calla", "ret",  "goto",  "join"};
  return kNames.contains(mnemonic.substr(0, mnemonic.find('.')));
}

}  // namespace

std::string canonical_from_line(std::string_view source) {
  const Line line = take_apart(source);
  const unsigned exec_size = line.size.empty() ? 1 : static_cast<unsigned>(number(line.size.substr(1)));
  std::string text = line.predicate.empty() ? "" : line.predicate + " ";
  text += line.mnemonic;
  const bool sync = line.mnemonic.starts_with("sync.");
  const bool sends = line.mnemonic.starts_with("send");
  if (!line.size.empty()) text += " " + line.size;
  if (!line.flag.empty()) text += " " + line.flag;
  const bool macro = line.mnemonic == "madm" || line.mnemonic == "math.invm" || line.mnemonic == "math.rsqtm";
  const bool systolic = line.mnemonic.starts_with("dpas");
  if (sends) {
    text += send(line);
  } else if (sync) {
    if (!line.operands.empty()) text += sync_operand(line.operands[0]);
  } else if (is_control(line.mnemonic)) {
    for (const auto& token : line.operands) {
      text += " " + (token.starts_with('L') ? token : operand(token, Role::Bare, exec_size));
    }
  } else {
    for (size_t i = 0; i < line.operands.size(); ++i) {
      const Role role = i == 0     ? Role::Destination
                        : macro    ? Role::MacroSource
                        : systolic ? Role::SystolicSource
                                   : Role::Source;
      text += " " + operand(line.operands[i], role, exec_size);
    }
  }
  text += " |";
  // Thread switching hints carry no meaning for a program's results.
  static const std::set<std::string> kIgnored{"Switch", "NoPreempt", "Serialize"};
  std::vector<std::string> options(line.options.begin(), line.options.end());
  std::sort(options.begin(), options.end());
  for (const auto& option : options) {
    if (!kIgnored.contains(option)) text += " " + option;
  }
  return text;
}

std::vector<ListedInstruction> read_listing(std::string_view text) {
  static const std::regex kLabel(R"(^L(\d+):\s*$)");
  std::vector<ListedInstruction> result;
  uint32_t pc = 0;
  for (const auto& line : split(text, '\n')) {
    std::smatch label;
    if (std::regex_match(line, label, kLabel)) {
      if (number(label[1]) != pc) cannot_read("label at " + std::to_string(pc), line);
      continue;
    }
    if (line.find_first_not_of(" \r") == std::string::npos || line.starts_with("//")) continue;
    const size_t comment = line.find("//");
    const auto code = line.substr(0, comment);
    result.push_back({pc, line, code.find("EOT") != std::string::npos});
    pc += code.find("Compacted") != std::string::npos ? 8 : 16;
  }
  return result;
}

}  // namespace xeforge::isa::testing
