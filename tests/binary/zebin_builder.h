// SPDX-License-Identifier: Apache-2.0
//
// Makes small zebins for tests: sections, symbols and relocations by name, laid out as an ELF64 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xeforge::binary::test {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text);
Bytes filled(size_t size, uint8_t value = 0);

class ZebinBuilder {
 public:
  static constexpr uint32_t kProgBits = 1, kSymTab = 2, kStrTab = 3, kRela = 4, kNote = 7, kNoBits = 8, kRel = 9;
  static constexpr uint32_t kSpirv = 0xff000009, kZeInfo = 0xff000011;
  static constexpr uint8_t kLocal = 0, kGlobal = 1, kNoType = 0, kObject = 1, kFunction = 2, kSectionSymbol = 3;

  struct Reloc {
    uint64_t offset;
    uint32_t type;
    std::string symbol;
    int64_t addend = 0;
  };

  ZebinBuilder& section(const std::string& name, uint32_t type, Bytes bytes);
  /// A section without bytes in the file (.bss).
  ZebinBuilder& zero_section(const std::string& name, uint64_t size);
  ZebinBuilder& text(const std::string& kernel, Bytes code) {
    return section(".text." + kernel, kProgBits, std::move(code));
  }
  ZebinBuilder& info(std::string_view yaml) { return section(".ze_info", kZeInfo, bytes_of(yaml)); }
  /// `section` empty: undefined. A symbol without a name stands for its section.
  ZebinBuilder& symbol(const std::string& name, const std::string& section, uint64_t value = 0,
                       uint8_t binding = kGlobal, uint8_t type = kObject, uint64_t size = 0);
  /// Relocations of a section, as SHT_REL, or as SHT_RELA with their addends.
  ZebinBuilder& relocations(const std::string& section, const std::vector<Reloc>& entries, bool with_addend = false);
  /// Adds to .note.intelgt.compat.
  ZebinBuilder& note(uint32_t type, const Bytes& description);
  ZebinBuilder& machine(uint16_t value);

  Bytes build() const;

 private:
  struct Section {
    std::string name;
    uint32_t type;
    Bytes bytes;
    uint64_t zero_size = 0;
    std::string relocates;  // of a relocation section: its target
  };
  struct Symbol {
    std::string name, section;
    uint64_t value, size;
    uint8_t info;
  };
  struct Pending {
    std::string section;
    std::vector<Reloc> entries;
    bool with_addend;
  };
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<Pending> relocations_;
  Bytes notes_;
  uint16_t machine_ = 205;
};

/// A kernel with 128 bytes of code and the smallest information that is complete.
ZebinBuilder minimal(const std::string& kernel = "k");
extern const char* const kMinimalInfo;

}  // namespace xeforge::binary::test
