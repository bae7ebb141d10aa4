// SPDX-License-Identifier: Apache-2.0
#include "binary/inlined_calls.h"

#include <charconv>

#include <dwarf.h>

#include "binary/debug_image.h"
#include "binary/text.h"

namespace xeforge::binary {
namespace {

/// compute-runtime, zebin relocation types: R_ZE_SYM_ADDR, R_ZE_SYM_ADDR_32.
constexpr uint32_t kAddress64 = 1, kAddress32 = 2;
/// Deeper nesting is damage.
constexpr unsigned kMaxDepth = 100;

/// Addresses become offsets in their kernel, which its name tells apart; offsets into other sections become those.
void relocate_info(DebugImage& image) {
  const size_t info = image.find(".debug_info"), relocations = image.find(".rela.debug_info");
  if (info >= image.headers.size() || relocations >= image.headers.size()) return;
  const std::span<char> target = bytes_of(image.file, image.headers[info]);
  const std::span<char> entries = bytes_of(image.file, image.headers[relocations]);
  for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size(); at += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    std::memcpy(&r, entries.data() + at, sizeof r);
    const size_t size = ELF64_R_TYPE(r.r_info) == kAddress64 ? 8 : ELF64_R_TYPE(r.r_info) == kAddress32 ? 4 : 0;
    if (size == 0 || r.r_offset > target.size() || target.size() - r.r_offset < size) continue;
    std::memcpy(target.data() + r.r_offset, &r.r_addend, size);
  }
}

}  // namespace

struct InlinedCalls::Reader {
  InlinedCalls& out;
  Dwarf_Files* files = nullptr;
  std::vector<std::string> path = {};  ///< the calls above

  std::string place(Dwarf_Die* die) const {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0 || files == nullptr)
      return {};
    const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
    return name == nullptr ? std::string() : printable(name) + ":" + std::to_string(line);
  }

  void add(Dwarf_Die* die, const std::string& kernel, unsigned depth) const {
    Call call;
    call.depth = depth;
    call.places.assign(path.rbegin(), path.rend());
    const char* file = dwarf_decl_file(die);
    if (file != nullptr) call.function_file = printable(file);
    dwarf_decl_line(die, &call.function_line);
    Dwarf_Addr base = 0, begin = 0, end = 0;
    bool placed = false;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0; placed = true) {
      call.begin = static_cast<uint32_t>(begin);
      call.end = static_cast<uint32_t>(end);
      out.calls_[kernel].push_back(call);
    }
    if (!placed) out.calls_[kernel].push_back(call);
  }

  /// Lexical blocks lie between; only calls count.
  void walk(Dwarf_Die* parent, const std::string& kernel, unsigned depth) {
    Dwarf_Die die;
    if (depth > kMaxDepth || dwarf_child(parent, &die) != 0) return;
    do {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_subprogram) {
        const char* name = dwarf_diename(&die);
        if (name != nullptr && dwarf_hasattr(&die, DW_AT_low_pc) != 0) walk(&die, name, depth + 1);
        continue;
      }
      const std::string where = tag == DW_TAG_inlined_subroutine && !kernel.empty() ? place(&die) : std::string();
      if (!where.empty()) {
        path.push_back(where);
        add(&die, kernel, depth);
      }
      walk(&die, kernel, depth + 1);
      if (!where.empty()) path.pop_back();
    } while (dwarf_siblingof(&die, &die) == 0);
  }
};

InlinedCalls::InlinedCalls(std::span<const std::byte> elf) {
  if (elf.empty()) return;
  DebugImage image(elf);
  if (image.headers.empty()) return;
  relocate_info(image);
  const DwarfFile dwarf(image);
  if (dwarf.get() == nullptr) return;
  Dwarf_Off offset = 0, next = 0;
  size_t header_size = 0;
  while (dwarf_nextcu(dwarf.get(), offset, &next, &header_size, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf.get(), offset + header_size, &unit) != nullptr) {
      Reader reader{*this};
      size_t count = 0;
      if (dwarf_getsrcfiles(&unit, &reader.files, &count) != 0) reader.files = nullptr;
      reader.walk(&unit, {}, 0);
    }
    offset = next;
  }
  for (auto& [kernel, calls] : calls_)
    std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.depth > b.depth; });
}

std::vector<std::string> InlinedCalls::find(const std::string& kernel, uint32_t pc, const std::string& place) const {
  const auto known = calls_.find(kernel);
  if (known == calls_.end()) return {};
  const size_t colon = place.rfind(':');
  const std::string file = place.substr(0, colon);
  int line = 0;
  if (colon != std::string::npos) std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  // The function that begins last before the place, among those around the pc and those without addresses.
  const Call* around = nullptr;
  const Call* best = nullptr;
  for (const Call& call : known->second) {
    const bool here = call.begin <= pc && pc < call.end;
    if (here && around == nullptr) around = &call;
    if (!here && call.end != 0) continue;
    if (call.function_file != file || call.function_line > line) continue;
    if (best == nullptr || call.function_line > best->function_line) best = &call;
  }
  if (best == nullptr) best = around;
  return best == nullptr ? std::vector<std::string>() : best->places;
}

}  // namespace xeforge::binary
