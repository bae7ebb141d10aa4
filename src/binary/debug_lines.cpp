// SPDX-License-Identifier: Apache-2.0
#include "binary/debug_lines.h"

#include <algorithm>
#include <cstring>

#include "binary/debug_image.h"
#include "binary/text.h"

namespace xeforge::binary {
namespace {

// A zebin is not linked: every kernel's addresses begin at 0 and name their section by a relocation. libdw knows
// nothing of this machine's relocations, so each address gets its section's index in its high bits before.
constexpr unsigned kSectionShift = 40;
constexpr uint64_t kOffsetMask = (uint64_t{1} << kSectionShift) - 1;
/// R_ZE_SYM_ADDR: 64-bit address (compute-runtime, zebin relocation types).
constexpr uint32_t kAddress64 = 1;

/// Callable code that belongs to no kernel.
constexpr char kFunctions[] = ".text.Intel_Symbol_Table_Void_Program";

void relocate_lines(DebugImage& image) {
  const size_t lines = image.find(".debug_line"), relocations = image.find(".rela.debug_line");
  if (lines >= image.headers.size() || relocations >= image.headers.size()) return;
  const size_t symbols = image.headers[relocations].sh_link;
  if (symbols >= image.headers.size()) return;
  const std::span<char> target = bytes_of(image.file, image.headers[lines]);
  const std::span<char> entries = bytes_of(image.file, image.headers[relocations]);
  const std::span<char> table = bytes_of(image.file, image.headers[symbols]);
  const std::span<char> strings = image.headers[symbols].sh_link < image.headers.size()
                                      ? bytes_of(image.file, image.headers[image.headers[symbols].sh_link])
                                      : std::span<char>{};
  struct Address {
    uint64_t at = 0, offset = 0;
    size_t section = 0;  ///< 0: not named
  };
  std::vector<Address> addresses;
  std::vector<bool> used(image.headers.size());
  for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size(); at += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    std::memcpy(&r, entries.data() + at, sizeof r);
    const uint64_t symbol_at = ELF64_R_SYM(r.r_info) * sizeof(Elf64_Sym);
    if (ELF64_R_TYPE(r.r_info) != kAddress64 || symbol_at + sizeof(Elf64_Sym) > table.size() ||
        r.r_offset > target.size() || target.size() - r.r_offset < sizeof(uint64_t))
      continue;
    Elf64_Sym symbol;
    std::memcpy(&symbol, table.data() + symbol_at, sizeof symbol);
    // These symbols name the text section they mean; the section index is that of the debug information (IGC 2.40).
    std::string name;
    for (size_t i = symbol.st_name; i < strings.size() && strings[i] != '\0'; ++i) name += strings[i];
    size_t section = image.find(name.c_str());
    if (name.rfind(kTextPrefix, 0) != 0 || section >= image.headers.size()) section = 0;
    used[section] = true;
    addresses.push_back({r.r_offset, symbol.st_value + static_cast<uint64_t>(r.r_addend), section});
  }
  // IGC loses some names (DG2, several kernels in one binary); line programs come in the order of the text sections.
  size_t next = 1;
  for (Address& address : addresses) {
    while (address.section == 0 && next < image.headers.size() &&
           (used[next] || image.names[next].rfind(kTextPrefix, 0) != 0 || image.names[next].rfind(kFunctions, 0) == 0))
      ++next;
    if (address.section == 0 && next < image.headers.size()) address.section = next++;
    const uint64_t value = (uint64_t{address.section} << kSectionShift) + (address.offset & kOffsetMask);
    std::memcpy(target.data() + address.at, &value, sizeof value);
  }
}

}  // namespace

DebugLines::DebugLines(std::span<const std::byte> elf) {
  if (elf.empty()) return;
  DebugImage image(elf);
  if (image.headers.empty()) return;
  relocate_lines(image);
  const DwarfFile dwarf(image);
  if (dwarf.get() == nullptr) return;

  std::map<std::string, uint32_t> known;
  Dwarf_Off offset = 0, next = 0;
  Dwarf_CU* unit = nullptr;
  Dwarf_Files* unit_files = nullptr;
  Dwarf_Lines* unit_lines = nullptr;
  size_t file_count = 0, line_count = 0;
  while (dwarf_next_lines(dwarf.get(), offset, &next, &unit, &unit_files, &file_count, &unit_lines, &line_count) == 0) {
    for (size_t i = 0; i < line_count; ++i) {
      Dwarf_Line* row = dwarf_onesrcline(unit_lines, i);
      Dwarf_Addr address = 0;
      int line = 0;
      bool end = false;
      if (row == nullptr || dwarf_lineaddr(row, &address) != 0) continue;
      dwarf_lineno(row, &line);
      dwarf_lineendsequence(row, &end);
      const size_t section = address >> kSectionShift;
      if (section >= image.names.size() || image.names[section].rfind(kTextPrefix, 0) != 0) continue;
      const char* name = dwarf_linesrc(row, nullptr, nullptr);
      const auto [at, fresh] =
          known.try_emplace(name == nullptr ? "?" : printable(name), static_cast<uint32_t>(files_.size()));
      if (fresh) files_.push_back(at->first);
      sections_[image.names[section].substr(sizeof kTextPrefix - 1)].push_back(
          {static_cast<uint32_t>(address & kOffsetMask), at->second, end ? 0 : line});
    }
    offset = next;
  }
  for (auto& [name, lines] : sections_)
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.pc < b.pc; });
}

std::string DebugLines::find(const std::string& kernel, uint32_t pc) const {
  const auto section = sections_.find(kernel);
  if (section == sections_.end()) return {};
  const std::vector<Line>& lines = section->second;
  auto at =
      std::upper_bound(lines.begin(), lines.end(), pc, [](uint32_t value, const Line& l) { return value < l.pc; });
  if (at == lines.begin()) return {};
  const uint32_t begin = (--at)->pc;
  // Several rows may begin at one pc; the last one that names a line counts.
  while (at->line == 0 && at != lines.begin() && std::prev(at)->pc == begin) --at;
  if (at->line == 0) return {};
  return files_[at->file] + ":" + std::to_string(at->line);
}

}  // namespace xeforge::binary
