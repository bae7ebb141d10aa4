// SPDX-License-Identifier: Apache-2.0
#include "zebin_builder.h"

#include <cstring>
#include <map>
#include <stdexcept>

namespace xeforge::binary::test {
namespace {

template <typename T>
void put(Bytes& out, T value) {
  const auto* at = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), at, at + sizeof value);
}

template <typename T>
void put_at(Bytes& out, size_t offset, T value) {
  std::memcpy(out.data() + offset, &value, sizeof value);
}

/// A string table that gives each text its offset.
class Strings {
 public:
  uint32_t add(const std::string& text) {
    if (text.empty()) return 0;
    const auto offset = static_cast<uint32_t>(bytes_.size());
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    bytes_.push_back(std::byte{0});
    return offset;
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_{std::byte{0}};
};

void pad(Bytes& out, size_t alignment) {
  while (out.size() % alignment != 0) out.push_back(std::byte{0});
}

}  // namespace

Bytes bytes_of(std::string_view text) {
  const auto* at = reinterpret_cast<const std::byte*>(text.data());
  return {at, at + text.size()};
}

Bytes filled(size_t size, uint8_t value) { return Bytes(size, static_cast<std::byte>(value)); }

ZebinBuilder& ZebinBuilder::section(const std::string& name, uint32_t type, Bytes bytes) {
  sections_.push_back({name, type, std::move(bytes), 0, {}});
  return *this;
}

ZebinBuilder& ZebinBuilder::zero_section(const std::string& name, uint64_t size) {
  sections_.push_back({name, kNoBits, {}, size, {}});
  return *this;
}

ZebinBuilder& ZebinBuilder::symbol(const std::string& name, const std::string& section, uint64_t value, uint8_t binding,
                                   uint8_t type, uint64_t size) {
  symbols_.push_back({name, section, value, size, static_cast<uint8_t>(binding << 4 | type)});
  return *this;
}

ZebinBuilder& ZebinBuilder::relocations(const std::string& section, const std::vector<Reloc>& entries,
                                        bool with_addend) {
  relocations_.push_back({section, entries, with_addend});
  return *this;
}

ZebinBuilder& ZebinBuilder::note(uint32_t type, const Bytes& description) {
  put<uint32_t>(notes_, 8);
  put(notes_, static_cast<uint32_t>(description.size()));
  put(notes_, type);
  const Bytes owner = bytes_of(std::string_view("IntelGT\0", 8));
  notes_.insert(notes_.end(), owner.begin(), owner.end());
  notes_.insert(notes_.end(), description.begin(), description.end());
  pad(notes_, 4);
  return *this;
}

ZebinBuilder& ZebinBuilder::machine(uint16_t value) {
  machine_ = value;
  return *this;
}

Bytes ZebinBuilder::build() const {
  std::vector<Section> sections{{"", 0, {}, 0, {}}};
  sections.insert(sections.end(), sections_.begin(), sections_.end());
  if (!notes_.empty()) sections.push_back({".note.intelgt.compat", kNote, notes_, 0, {}});

  const auto index_of = [&](const std::string& name) -> size_t {
    for (size_t i = 1; i < sections.size(); ++i) {
      if (sections[i].name == name) return i;
    }
    throw std::logic_error("no section " + name);
  };
  Strings strings;
  Bytes symbols = filled(24);
  std::map<std::string, uint32_t> symbol_index;
  for (const Symbol& symbol : symbols_) {
    symbol_index[symbol.name] = static_cast<uint32_t>(symbols.size() / 24);
    put(symbols, strings.add(symbol.name));
    put(symbols, symbol.info);
    put<uint8_t>(symbols, 0);
    put(symbols, static_cast<uint16_t>(symbol.section.empty() ? 0 : index_of(symbol.section)));
    put(symbols, symbol.value);
    put(symbols, symbol.size);
  }
  for (const Pending& pending : relocations_) {
    Bytes bytes;
    for (const Reloc& entry : pending.entries) {
      put(bytes, entry.offset);
      put(bytes, uint64_t{symbol_index.at(entry.symbol)} << 32 | entry.type);
      if (pending.with_addend) put(bytes, entry.addend);
    }
    sections.push_back({(pending.with_addend ? ".rela" : ".rel") + pending.section, pending.with_addend ? kRela : kRel,
                        bytes, 0, pending.section});
  }
  const bool has_symbols = !symbols_.empty();
  if (has_symbols) sections.push_back({".symtab", kSymTab, symbols, 0, {}});
  sections.push_back({".strtab", kStrTab, {}, 0, {}});
  std::vector<uint32_t> names;
  names.reserve(sections.size());
  for (const Section& section : sections) names.push_back(strings.add(section.name));
  sections.back().bytes = strings.bytes();

  Bytes out = filled(64);
  std::vector<size_t> offsets;
  for (const Section& section : sections) {
    pad(out, 8);
    offsets.push_back(out.size());
    out.insert(out.end(), section.bytes.begin(), section.bytes.end());
  }
  pad(out, 8);
  const size_t table = out.size();
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    const bool is_relocation = !section.relocates.empty(), is_symbols = section.type == kSymTab;
    put(out, names[i]);
    put(out, section.type);
    put<uint64_t>(out, 0);
    put<uint64_t>(out, 0);
    put(out, uint64_t{section.type == 0 ? 0 : offsets[i]});
    put(out, section.type == kNoBits ? section.zero_size : uint64_t{section.bytes.size()});
    put(out, static_cast<uint32_t>(is_relocation ? sections.size() - 2 : is_symbols ? sections.size() - 1 : 0));
    put(out, static_cast<uint32_t>(is_relocation ? index_of(section.relocates) : 0));
    put<uint64_t>(out, 8);
    put<uint64_t>(out, is_symbols ? 24 : 0);
  }
  const Bytes ident =
      bytes_of(std::string_view("\x7f"
                                "ELF\2\1\1\0",
                                8));
  std::copy(ident.begin(), ident.end(), out.begin());
  put_at<uint16_t>(out, 16, 1);
  put_at(out, 18, machine_);
  put_at<uint32_t>(out, 20, 1);
  put_at(out, 40, uint64_t{table});
  put_at<uint16_t>(out, 52, 64);
  put_at<uint16_t>(out, 58, 64);
  put_at(out, 60, static_cast<uint16_t>(sections.size()));
  put_at(out, 62, static_cast<uint16_t>(sections.size() - 1));
  return out;
}

const char* const kMinimalInfo = R"(---
version: '1.73'
kernels:
  - name: k
    execution_env:
      grf_count: 128
      simd_size: 8
...
)";

ZebinBuilder minimal(const std::string& kernel) {
  std::string info = kMinimalInfo;
  info.replace(info.find("name: k"), 7, "name: " + kernel);
  ZebinBuilder builder;
  builder.text(kernel, filled(128)).info(info);
  return builder;
}

}  // namespace xeforge::binary::test
