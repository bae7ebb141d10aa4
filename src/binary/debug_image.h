// SPDX-License-Identifier: Apache-2.0
//
// A zebin's ELF file as libdw can read it: a copy whose debug sections the reader relocates itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <elf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

namespace xeforge::binary {

constexpr char kTextPrefix[] = ".text.";

/// The part of the file that a section header describes; empty if it lies outside.
inline std::span<char> bytes_of(std::vector<char>& file, const Elf64_Shdr& header) {
  if (header.sh_type == SHT_NOBITS || header.sh_offset > file.size() || header.sh_size > file.size() - header.sh_offset)
    return {};
  return {file.data() + header.sh_offset, header.sh_size};
}

/// Section headers of the copy, and the names of text sections by index.
struct DebugImage {
  std::vector<char> file;
  std::vector<Elf64_Shdr> headers;
  std::vector<std::string> names;

  explicit DebugImage(std::span<const std::byte> elf) : file(elf.size()) {
    std::memcpy(file.data(), elf.data(), elf.size());
    Elf64_Ehdr header;
    if (file.size() < sizeof header) return;
    std::memcpy(&header, file.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(Elf64_Shdr)) return;
    const uint64_t table = uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
    if (header.e_shoff > file.size() || table > file.size() - header.e_shoff) return;
    headers.resize(header.e_shnum);
    std::memcpy(headers.data(), file.data() + header.e_shoff, table);
    if (header.e_shstrndx >= headers.size()) {
      headers.clear();
      return;
    }
    const std::span<char> strings = bytes_of(file, headers[header.e_shstrndx]);
    for (const Elf64_Shdr& section : headers) {
      std::string name;
      for (size_t i = section.sh_name; i < strings.size() && strings[i] != '\0'; ++i) name += strings[i];
      names.push_back(std::move(name));
    }
    // libdw applies relocations to relocatable files only, and refuses machines without a backend there.
    header.e_type = ET_EXEC;
    header.e_machine = EM_X86_64;
    std::memcpy(file.data(), &header, sizeof header);
  }

  size_t find(const char* name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return static_cast<size_t>(at - names.begin());
  }
};

/// What libdw reads from an image, which has to outlive it.
class DwarfFile {
 public:
  explicit DwarfFile(DebugImage& image) {
    elf_version(EV_CURRENT);
    file_.reset(elf_memory(image.file.data(), image.file.size()));
    if (file_ != nullptr) dwarf_.reset(dwarf_begin_elf(file_.get(), DWARF_C_READ, nullptr));
  }

  /// Null if there is nothing to read.
  Dwarf* get() const { return dwarf_.get(); }

 private:
  struct ElfEnd {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  struct DwarfEnd {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };
  std::unique_ptr<Elf, ElfEnd> file_;
  std::unique_ptr<Dwarf, DwarfEnd> dwarf_;
};

}  // namespace xeforge::binary
