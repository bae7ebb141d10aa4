// SPDX-License-Identifier: Apache-2.0
#include "binary/elf.h"

#include <cstring>
#include <string>

#include "binary/text.h"
#include "binary/zebin.h"

namespace xeforge::binary::elf {
namespace {

constexpr size_t kHeaderSize = 64, kSectionHeaderSize = 64, kSymbolSize = 24, kRelSize = 16, kRelaSize = 24;

// ELF structures are packed at any alignment in memory; the host is little-endian like zebin.
template <typename T>
T load(std::span<const std::byte> bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::span<const std::byte> slice(std::span<const std::byte> bytes, uint64_t offset, uint64_t size,
                                 const std::string& what) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    throw ZebinError("zebin: " + what + " lies outside the file (offset " + std::to_string(offset) + ", size " +
                     std::to_string(size) + ", file " + std::to_string(bytes.size()) +
                     " bytes): the file is cut off or damaged");
  }
  return bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool has_intel_gt_header(std::span<const std::byte> bytes) {
  return bytes.size() >= kHeaderSize &&
         std::memcmp(bytes.data(),
                     "\x7f"
                     "ELF",
                     4) == 0 &&
         load<uint16_t>(bytes, 18) == kMachineIntelGt;
}

File::File(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderSize || std::memcmp(bytes.data(),
                                                "\x7f"
                                                "ELF",
                                                4) != 0) {
    throw ZebinError("not a zebin: no ELF header (give the .bin that ocloc writes)");
  }
  if (load<uint8_t>(bytes, 4) != 2 || load<uint8_t>(bytes, 5) != 1)
    throw ZebinError("not a zebin: 32-bit or big-endian ELF");
  if (const auto machine = load<uint16_t>(bytes, 18); machine != kMachineIntelGt) {
    throw ZebinError("not a zebin: ELF machine " + std::to_string(machine) + ", Intel GPU code has 205");
  }
  type_ = load<uint16_t>(bytes, 16);
  const auto table_offset = load<uint64_t>(bytes, 40);
  const auto entry_size = load<uint16_t>(bytes, 58);
  const auto count = load<uint16_t>(bytes, 60);
  const auto names_index = load<uint16_t>(bytes, 62);
  if (count == 0) throw ZebinError("zebin: no section table");
  if (entry_size != kSectionHeaderSize)
    throw ZebinError("zebin: section headers of " + std::to_string(entry_size) + " bytes, ELF64 has 64");
  const auto table = slice(bytes, table_offset, uint64_t{count} * kSectionHeaderSize, "section table");
  if (names_index >= count)
    throw ZebinError("zebin: section name table " + std::to_string(names_index) + " of " + std::to_string(count));

  sections_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = i * kSectionHeaderSize;
    SectionView& section = sections_[i];
    section.type = load<uint32_t>(table, at + 4);
    section.size = load<uint64_t>(table, at + 32);
    section.link = load<uint32_t>(table, at + 40);
    section.info = load<uint32_t>(table, at + 44);
    if (section.type == 0) {
      section.size = 0;
    } else if (section.type != kNoBits) {
      section.bytes = slice(bytes, load<uint64_t>(table, at + 24), section.size, "section " + std::to_string(i));
    }
  }
  for (size_t i = 0; i < count; ++i)
    sections_[i].name = string_at(sections_[names_index], load<uint32_t>(table, i * kSectionHeaderSize));
}

std::string_view File::string_at(const SectionView& table, uint32_t offset) const {
  if (offset == 0 && table.bytes.empty()) return {};
  if (offset >= table.bytes.size())
    throw ZebinError("zebin: name at " + std::to_string(offset) + " outside its string table");
  const std::string_view rest = text_of(table.bytes).substr(offset);
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos) throw ZebinError("zebin: string table is not terminated");
  const std::string_view name = rest.substr(0, end);
  if (!is_text(name)) throw ZebinError("zebin: name '" + printable(name) + "' is not text: the file is damaged");
  return name;
}

const SectionView* File::find(std::string_view name) const {
  for (const SectionView& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::vector<SymbolView> File::symbols(const SectionView& table) const {
  if (table.bytes.size() % kSymbolSize != 0)
    throw ZebinError("zebin: " + std::string(table.name) + " is not a whole number of symbols");
  if (table.link >= sections_.size()) throw ZebinError("zebin: " + std::string(table.name) + " names no string table");
  const SectionView& names = sections_[table.link];
  std::vector<SymbolView> out(table.bytes.size() / kSymbolSize);
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t at = i * kSymbolSize;
    const auto info = load<uint8_t>(table.bytes, at + 4);
    out[i] = {string_at(names, load<uint32_t>(table.bytes, at)),
              static_cast<uint8_t>(info >> 4),
              static_cast<uint8_t>(info & 15),
              load<uint16_t>(table.bytes, at + 6),
              load<uint64_t>(table.bytes, at + 8),
              load<uint64_t>(table.bytes, at + 16)};
  }
  return out;
}

std::vector<RelocationView> File::relocations(const SectionView& table) const {
  const bool has_addend = table.type == kRela;
  const size_t entry = has_addend ? kRelaSize : kRelSize;
  if (table.bytes.size() % entry != 0)
    throw ZebinError("zebin: " + std::string(table.name) + " is not a whole number of relocations");
  std::vector<RelocationView> out(table.bytes.size() / entry);
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t at = i * entry;
    const auto info = load<uint64_t>(table.bytes, at + 8);
    out[i] = {load<uint64_t>(table.bytes, at), static_cast<uint32_t>(info), static_cast<uint32_t>(info >> 32),
              has_addend ? load<int64_t>(table.bytes, at + 16) : 0, has_addend};
  }
  return out;
}

std::vector<NoteView> File::notes(const SectionView& section) {
  std::vector<NoteView> out;
  std::span<const std::byte> rest = section.bytes;
  const std::string what = "note in " + std::string(section.name);
  while (rest.size() >= 12) {
    const auto owner_size = load<uint32_t>(rest, 0), size = load<uint32_t>(rest, 4), type = load<uint32_t>(rest, 8);
    const uint64_t owner_padded = (uint64_t{owner_size} + 3) & ~uint64_t{3},
                   padded = (uint64_t{size} + 3) & ~uint64_t{3};
    std::string_view owner = text_of(slice(rest, 12, owner_size, what));
    owner = owner.substr(0, owner.find('\0'));
    const auto description = slice(rest, 12 + owner_padded, size, what);
    out.push_back({owner, type, description});
    const uint64_t next = 12 + owner_padded + padded;
    if (next >= rest.size()) break;
    rest = rest.subspan(static_cast<size_t>(next));
  }
  return out;
}

}  // namespace xeforge::binary::elf
