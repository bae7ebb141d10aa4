// SPDX-License-Identifier: Apache-2.0
#include "binary/zebin.h"

#include <algorithm>
#include <cstring>

#include "binary/elf.h"
#include "binary/ze_info.h"

namespace xeforge::binary {
namespace {

constexpr std::string_view kTextPrefix = ".text.";
constexpr std::string_view kDataSections[] = {".data.const",        ".data.global", ".data.const.string",
                                              ".data.global_const", ".bss.const",   ".bss.global"};
constexpr uint64_t kMaxZeroFill = uint64_t{1} << 34;  // the memory of the largest device
constexpr uint32_t kMaxYamlBytes = 64u << 20;
constexpr uint16_t kReservedSections = 0xff00;  // SHN_LORESERVE: absolute and common symbols

bool is_data(std::string_view name) {
  return std::find(std::begin(kDataSections), std::end(kDataSections), name) != std::end(kDataSections);
}
bool is_text(std::string_view name) { return name == ".text" || name.starts_with(kTextPrefix); }

RelocType relocation_type(uint32_t raw) {
  constexpr RelocType kKnown[] = {RelocType::None,
                                  RelocType::Sym,
                                  RelocType::SymAddr32,
                                  RelocType::SymAddr32Hi,
                                  RelocType::PerThreadPayloadOffset32,
                                  RelocType::GlobalImm32,
                                  RelocType::Send,
                                  RelocType::SymAddr16};
  return raw < std::size(kKnown) ? kKnown[raw] : RelocType::Unknown;
}

/// Copies out of the ELF view, with a budget: sections of a damaged file may overlap or repeat long names.
class Loader {
 public:
  Loader(std::span<const std::byte> file, Zebin& out)
      : elf_(file), out_(out), byte_budget_(file.size()), name_budget_(16 * file.size() + (1u << 20)) {}

  void load(std::span<const std::byte> file) {
    read_info();
    read_notes();
    read_symbols();
    read_sections();
    read_relocations();
    // ngen writes the section also when it is empty.
    if (const elf::SectionView* lines = elf_.find(".debug_line"); lines != nullptr && lines->size > 0)
      out_.debug_line_source_elf.assign(file.begin(), file.end());
    check_kernels();
  }

 private:
  std::vector<std::byte> copy(const elf::SectionView& section) {
    if (section.bytes.size() > byte_budget_)
      throw ZebinError("zebin: sections overlap: together they are larger than the file");
    byte_budget_ -= section.bytes.size();
    return {section.bytes.begin(), section.bytes.end()};
  }

  std::string copy(std::string_view name) {
    if (name.size() > name_budget_) throw ZebinError("zebin: symbol names repeat beyond reason");
    name_budget_ -= name.size();
    return std::string(name);
  }

  void read_info() {
    const elf::SectionView* info = elf_.find(".ze_info");
    if (info == nullptr)
      throw ZebinError("zebin: no .ze_info section (an object of the old patch-token format, or stripped)");
    if (info->bytes.size() > kMaxYamlBytes)
      throw ZebinError("zebin: .ze_info of " + std::to_string(info->bytes.size()) + " bytes is not plausible");
    std::string_view text{reinterpret_cast<const char*>(info->bytes.data()), info->bytes.size()};
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    read_ze_info(text, out_);
  }

  void read_notes() {
    const elf::SectionView* section = elf_.find(".note.intelgt.compat");
    if (section == nullptr) return;
    for (const elf::NoteView& note : elf::File::notes(*section)) {
      if (note.owner == "IntelGT") read_note(note);
    }
    for (Kernel& kernel : out_.kernels) kernel.from_compiler = has_metadata_ && out_.target.generator != "ngen";
    describe_target();
  }

  void describe_target() {
    const Target& target = out_.target;
    std::string& text = out_.product_note;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (target.ip_version != 0) {
      add("ip " + std::to_string(target.ip_version >> 22) + "." + std::to_string((target.ip_version >> 14) & 0xff) +
          "." + std::to_string(target.ip_version & 0x3f));
    }
    // The vector compiler leaves the product family open.
    if (target.product_family != 0) add("product family " + std::to_string(target.product_family));
    if (target.gfx_core != 0) add("core family " + std::to_string(target.gfx_core));
    if (!target.generator.empty()) add("by " + target.generator);
  }

  // Note types: IGC ZEBinWriter/zebin/spec/elf.md, "ELF note type for INTELGT".
  void read_note(const elf::NoteView& note) {
    uint32_t word = 0;
    if (note.description.size() >= sizeof word) std::memcpy(&word, note.description.data(), sizeof word);
    switch (note.type) {
      case 1:
        out_.target.product_family = word;
        break;
      case 2:
        out_.target.gfx_core = word;
        break;
      case 3: {
        has_metadata_ = true;
        const uint32_t generator = (word >> 21) & 7;
        out_.target.generator = generator == 1 ? "igc" : generator == 2 ? "ngen" : "";
        break;
      }
      case 4: {
        std::string text(reinterpret_cast<const char*>(note.description.data()), note.description.size());
        out_.target.zebin_version = text.substr(0, text.find('\0'));
        break;
      }
      case 6:
        out_.target.ip_version = word;
        break;
      default:
        break;  // visa ABI and build information: of no consequence here
    }
  }

  void read_symbols() {
    const elf::SectionView* table = elf_.find(".symtab");
    if (table == nullptr) return;
    if (table->type != elf::kSymTab) throw ZebinError("zebin: .symtab is not a symbol table");
    symbols_ = elf_.symbols(*table);
    symbol_table_ = static_cast<size_t>(table - elf_.sections().data());
    for (const elf::SymbolView& symbol : symbols_) {
      if (symbol.name.empty()) continue;
      out_.symbols.push_back({copy(symbol.name), copy(section_of(symbol)), symbol.value, symbol.size, symbol.type == 2,
                              symbol.binding == 1});
    }
  }

  std::string_view section_of(const elf::SymbolView& symbol) const {
    if (symbol.section == 0 || symbol.section >= kReservedSections) return {};
    if (symbol.section >= elf_.sections().size()) {
      throw ZebinError("zebin: symbol '" + std::string(symbol.name) + "' is in section " +
                       std::to_string(symbol.section) + ", which does not exist");
    }
    return elf_.sections()[symbol.section].name;
  }

  void read_sections() {
    bool has_spirv = false;
    for (const elf::SectionView& section : elf_.sections()) {
      if (is_data(section.name)) {
        read_data(section);
      } else if (is_text(section.name)) {
        read_text(section);
      } else if (section.type == elf::kZeSpirv && !has_spirv) {
        out_.spirv = copy(section);
        has_spirv = true;
      }
    }
  }

  void read_data(const elf::SectionView& section) {
    if (section.type == elf::kNoBits && section.size > kMaxZeroFill) {
      throw ZebinError("zebin: " + std::string(section.name) + " of " + std::to_string(section.size) +
                       " bytes is larger than any device's memory");
    }
    out_.data.push_back({copy(section.name), copy(section), {}, section.type == elf::kNoBits ? section.size : 0});
  }

  void read_text(const elf::SectionView& section) {
    if (section.type == elf::kNoBits) throw ZebinError("zebin: " + std::string(section.name) + " has no bytes");
    const std::string_view name =
        section.name.size() > kTextPrefix.size() ? section.name.substr(kTextPrefix.size()) : std::string_view{};
    if (Kernel* kernel = find(name)) {
      if (!kernel->code.empty()) throw ZebinError("zebin: two sections " + std::string(section.name));
      kernel->code = copy(section);
    } else {
      out_.functions.push_back({copy(section.name), copy(section), {}, 0});
    }
  }

  Kernel* find(std::string_view name) {
    for (Kernel& kernel : out_.kernels) {
      if (kernel.name == name) return &kernel;
    }
    return nullptr;
  }

  /// Where relocations of a section go; nullptr: not a section that is loaded (debug information).
  std::vector<Relocation>* relocations_of(std::string_view section, size_t& size) {
    if (section.starts_with(kTextPrefix)) {
      if (Kernel* kernel = find(section.substr(kTextPrefix.size()))) {
        size = kernel->code.size();
        return &kernel->relocations;
      }
    }
    for (auto* group : {&out_.data, &out_.functions}) {
      for (Section& candidate : *group) {
        if (candidate.name == section) {
          size = candidate.bytes.size();
          return &candidate.relocations;
        }
      }
    }
    return nullptr;
  }

  void read_relocations() {
    for (const elf::SectionView& table : elf_.sections()) {
      if (table.type != elf::kRel && table.type != elf::kRela) continue;
      if (table.info >= elf_.sections().size())
        throw ZebinError("zebin: " + std::string(table.name) + " is for section " + std::to_string(table.info) +
                         ", which does not exist");
      const std::string_view target = elf_.sections()[table.info].name;
      size_t size = 0;
      std::vector<Relocation>* out = relocations_of(target, size);
      if (out == nullptr) continue;
      if (table.link != symbol_table_) throw ZebinError("zebin: " + std::string(table.name) + " does not use .symtab");
      const bool is_data_target = is_data(target);
      for (const elf::RelocationView& entry : elf_.relocations(table))
        add_relocation(*out, table, entry, size, is_data_target);
    }
  }

  void add_relocation(std::vector<Relocation>& out, const elf::SectionView& table, const elf::RelocationView& entry,
                      size_t size, bool is_data_target) {
    if (entry.symbol >= symbols_.size()) {
      throw ZebinError("zebin: " + std::string(table.name) + " names symbol " + std::to_string(entry.symbol) + " of " +
                       std::to_string(symbols_.size()));
    }
    if (entry.offset >= size) {
      throw ZebinError("zebin: " + std::string(table.name) + " patches byte " + std::to_string(entry.offset) + " of " +
                       std::to_string(size));
    }
    const elf::SymbolView& symbol = symbols_[entry.symbol];
    Relocation& relocation = out.emplace_back();
    relocation.offset = entry.offset;
    relocation.raw_type = entry.type;
    relocation.type = relocation_type(entry.type);
    relocation.symbol_section = copy(section_of(symbol));
    // A section symbol has no name of its own.
    relocation.symbol = symbol.name.empty() ? relocation.symbol_section : copy(symbol.name);
    relocation.symbol_value = symbol.value;
    relocation.addend = entry.addend;
    // compute-runtime's linker adds to what data holds (patchDataSegments) and overwrites code.
    relocation.addend_in_place = is_data_target && !entry.has_addend;
  }

  void check_kernels() {
    for (Kernel& kernel : out_.kernels) {
      if (kernel.code.empty())
        throw ZebinError("zebin: kernel '" + kernel.name + "' has no section .text." + kernel.name);
      for (const unsigned entry :
           {kernel.offset_to_skip_per_thread_data_load, kernel.offset_to_skip_cross_thread_data_load}) {
        if (entry >= kernel.code.size())
          throw ZebinError("zebin: kernel '" + kernel.name + "' would be entered at " + std::to_string(entry) +
                           ", behind its end");
      }
      kernel.work_dimensions = local_id_rows(kernel);
    }
  }

  unsigned local_id_rows(const Kernel& kernel) const {
    const uint32_t grf = out_.target.platform() == isa::Platform::Xe2 ? isa::grf_bytes(isa::Platform::Xe2)
                                                                      : isa::grf_bytes(isa::Platform::XeHpg);
    for (const PayloadArg& argument : kernel.per_thread_payload) {
      if (argument.type == ArgType::PackedLocalIds) return 3;
      if (argument.type == ArgType::LocalId) return std::min(argument.size / std::max(grf, kernel.simd_size * 2), 3u);
    }
    return 0;
  }

  elf::File elf_;
  Zebin& out_;
  size_t byte_budget_, name_budget_;
  bool has_metadata_ = false;
  size_t symbol_table_ = SIZE_MAX;
  std::vector<elf::SymbolView> symbols_;
};

uint32_t block_size(const std::vector<PayloadArg>& arguments) {
  uint32_t end = 0;
  for (const PayloadArg& argument : arguments) end = std::max(end, argument.offset + argument.size);
  return (end + 31) & ~31u;
}

uint64_t memory_size(const Kernel& kernel, std::string_view type) {
  uint64_t size = 0;
  for (const ScratchBuffer& buffer : kernel.scratch) {
    if (buffer.type == type) size += buffer.size * (buffer.is_simt_thread ? kernel.simd_size : 1);
  }
  return size;
}

}  // namespace

std::optional<isa::Platform> Target::platform() const {
  // Architecture and release of the GMD id: 12.55 to 12.57 are DG2, 20.x is Xe2. GFXCORE family: igfxfmid.h.
  constexpr uint32_t kXeHpgCore = 0xc07, kXe2HpgCore = 0xc09;
  const uint32_t architecture = ip_version >> 22, release = (ip_version >> 14) & 0xff;
  if (architecture == 12 && release >= 55 && release <= 57) return isa::Platform::XeHpg;
  if (architecture == 20) return isa::Platform::Xe2;
  if (ip_version == 0 && gfx_core == kXeHpgCore) return isa::Platform::XeHpg;
  if (ip_version == 0 && gfx_core == kXe2HpgCore) return isa::Platform::Xe2;
  return std::nullopt;
}

uint32_t Kernel::cross_thread_size() const { return block_size(payload); }
uint32_t Kernel::per_thread_size() const { return block_size(per_thread_payload); }
uint64_t Kernel::scratch_bytes_per_thread() const { return memory_size(*this, "scratch"); }
uint64_t Kernel::private_bytes_per_thread() const { return memory_size(*this, "global"); }

unsigned Kernel::argument_count() const {
  int32_t last = -1;
  for (const PayloadArg& argument : payload) last = std::max(last, argument.arg_index);
  // Arguments that the code does not use have no payload but may still be set.
  return std::max(static_cast<unsigned>(last + 1), static_cast<unsigned>(arguments.size()));
}

uint32_t Kernel::argument_size(unsigned index) const {
  uint32_t size = 0;
  for (const PayloadArg& argument : payload) {
    if (argument.arg_index != static_cast<int32_t>(index)) continue;
    // The host passes a pointer or a handle, however the code gets at it.
    if (argument.type == ArgType::ByPointer) return argument.addrmode == AddrMode::Slm ? 0 : 8;
    if (argument.type == ArgType::ByValue)
      size = std::max(size, static_cast<uint32_t>(std::max(argument.source_offset, 0)) + argument.size);
  }
  if (index < arguments.size()) {
    if (size == 0) return arguments[index].address_qualifier == "__local" ? 0 : arguments[index].size;
    size = std::max(size, arguments[index].size);  // padding behind the last element that is used
  }
  return size;
}

const Kernel* Zebin::find_kernel(const std::string& name) const {
  for (const Kernel& kernel : kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

Zebin read_zebin(std::span<const std::byte> file) {
  Zebin out;
  Loader(file, out).load(file);
  return out;
}

bool looks_like_zebin(std::span<const std::byte> file) { return elf::has_intel_gt_header(file); }

}  // namespace xeforge::binary
