// SPDX-License-Identifier: Apache-2.0
//
// A read-only view of an ELF64 file in memory. Every offset is checked before it is followed, so that
// arbitrary bytes can be given to it. Own code instead of libelf, because the reader lives in a driver
// that foreign processes load, works on const memory and has to survive fuzzing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace xeforge::binary::elf {

inline constexpr uint16_t kMachineIntelGt = 205;
/// Section types: ELF's own and those of zebin (IGC ZEBinWriter/zebin/spec/elf.md).
inline constexpr uint32_t kProgBits = 1, kSymTab = 2, kStrTab = 3, kRela = 4, kNote = 7, kNoBits = 8, kRel = 9;
inline constexpr uint32_t kZeSpirv = 0xff000009, kZeInfo = 0xff000011;

struct SectionView {
  std::string_view name;
  uint32_t type = 0;
  uint32_t link = 0, info = 0;
  uint64_t size = 0;                 ///< also of a section without bytes (kNoBits)
  std::span<const std::byte> bytes;  ///< empty for kNoBits
};

struct SymbolView {
  std::string_view name;
  uint8_t binding = 0;   ///< 0 local, 1 global
  uint8_t type = 0;      ///< 0 none, 1 object, 2 function, 3 section
  uint16_t section = 0;  ///< index, 0 = undefined
  uint64_t value = 0, size = 0;
};

struct RelocationView {
  uint64_t offset = 0;
  uint32_t type = 0, symbol = 0;
  int64_t addend = 0;
  bool has_addend = false;
};

struct NoteView {
  std::string_view owner;
  uint32_t type = 0;
  std::span<const std::byte> description;
};

/// The bytes must outlive the view and everything it returns. Errors are ZebinError.
class File {
 public:
  explicit File(std::span<const std::byte> bytes);

  uint16_t type() const { return type_; }
  const std::vector<SectionView>& sections() const { return sections_; }
  /// First section of that name, nullptr if there is none.
  const SectionView* find(std::string_view name) const;
  std::vector<SymbolView> symbols(const SectionView& table) const;
  std::vector<RelocationView> relocations(const SectionView& table) const;
  static std::vector<NoteView> notes(const SectionView& section);

 private:
  std::string_view string_at(const SectionView& table, uint32_t offset) const;

  uint16_t type_ = 0;
  std::vector<SectionView> sections_;
};

/// Only the identification bytes and the machine are looked at.
bool has_intel_gt_header(std::span<const std::byte> bytes);

}  // namespace xeforge::binary::elf
