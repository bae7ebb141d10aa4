// SPDX-License-Identifier: Apache-2.0
#include "compile/spirv.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "binary/text.h"

namespace xeforge::compile::spirv {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kHeaderWords = 5;

enum Op : uint16_t {
  OpName = 5,
  OpExtension = 10,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypePointer = 32,
  OpTypeFunction = 33,
  OpConstant = 43,
  OpSpecConstant = 50,
  OpFunction = 54,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpDecorate = 71,
  OpTypeCooperativeMatrixKHR = 4456,  // SPV_KHR_cooperative_matrix
  OpTypeJointMatrixINTEL = 6119,      // SPV_INTEL_joint_matrix
};

constexpr uint32_t kExecutionModelKernel = 6;
constexpr uint32_t kModeSubgroupSize = 35;
constexpr uint32_t kDecorationLinkage = 41;
constexpr uint32_t kLinkageExport = 0;
constexpr uint32_t kLinkageImport = 1;
constexpr uint32_t kCapabilityVectorCompute = 5617;  // SPV_INTEL_vector_compute

/// The operands of one instruction; reading past the end is an error that names the instruction.
class Operands {
 public:
  Operands(uint16_t opcode, std::span<const uint32_t> words) : opcode_(opcode), words_(words) {}
  size_t size() const { return words_.size(); }
  uint32_t operator[](size_t i) const {
    if (i >= words_.size())
      throw SpirvError("SPIR-V instruction " + std::to_string(opcode_) + " has too few operands (" +
                       std::to_string(words_.size()) + ")");
    return words_[i];
  }
  std::vector<Id> from(size_t i) const {
    if (i >= words_.size()) return {};
    return {words_.begin() + static_cast<std::ptrdiff_t>(i), words_.end()};
  }
  /// The string that begins at operand `i`; `next` becomes the operand after it.
  std::string text(size_t i, size_t& next) const {
    std::string value;
    for (;; ++i) {
      const uint32_t word = (*this)[i];
      for (unsigned shift = 0; shift < 32; shift += 8) {
        const char c = static_cast<char>(word >> shift & 0xff);
        if (c == '\0') {
          next = i + 1;
          return binary::printable(value);
        }
        value.push_back(c);
      }
    }
  }
  std::string text(size_t i) const {
    size_t ignored = 0;
    return text(i, ignored);
  }

 private:
  uint16_t opcode_;
  std::span<const uint32_t> words_;
};

class Builder {
 public:
  void add(uint16_t opcode, const Operands& operands) {
    if (current_ != nullptr) {
      add_to_body(opcode, operands);
      return;
    }
    switch (opcode) {
      case OpCapability:
        module.capabilities.insert(operands[0]);
        break;
      case OpExtension:
        module.extensions.insert(operands.text(0));
        break;
      case OpEntryPoint:
        if (operands[0] == kExecutionModelKernel)
          module.entry_points.push_back({operands[1], operands.text(2), std::nullopt});
        break;
      case OpExecutionMode:
        if (operands[1] == kModeSubgroupSize) sub_group_sizes_[operands[0]] = operands[2];
        break;
      case OpName:
        debug_names_[operands[0]] = operands.text(1);
        break;
      case OpDecorate:
        add_decoration(operands);
        break;
      case OpFunction:
        current_ = &module.functions[operands[1]];
        *current_ = {};
        current_->id = operands[1];
        current_->type = operands[3];
        break;
      default:
        add_type_or_constant(opcode, operands);
    }
  }

  void finish() {
    if (current_ != nullptr) throw SpirvError("a SPIR-V function has no end");
    for (auto& [id, function] : module.functions) {
      function.name = "%" + std::to_string(id);
      if (const auto name = debug_names_.find(id); name != debug_names_.end()) function.name = name->second;
      if (const auto linkage = linkages_.find(id); linkage != linkages_.end()) {
        function.name = linkage->second.name;
        function.imported = linkage->second.type == kLinkageImport;
        function.exported = linkage->second.type == kLinkageExport;
      }
    }
    for (auto& entry : module.entry_points)
      if (const auto size = sub_group_sizes_.find(entry.function); size != sub_group_sizes_.end())
        entry.sub_group_size = size->second;
    module.vector_compute = module.capabilities.contains(kCapabilityVectorCompute);
  }

  Module module;

 private:
  struct Linkage {
    std::string name;
    uint32_t type = 0;
  };

  void add_to_body(uint16_t opcode, const Operands& operands) {
    if (opcode == OpFunctionEnd) {
      current_ = nullptr;
      return;
    }
    if (opcode == OpFunction) throw SpirvError("a SPIR-V function begins inside another");
    if (opcode == OpFunctionCall) current_->calls.push_back({operands[2], operands.from(3)});
    current_->opcodes.insert(opcode);
  }

  void add_decoration(const Operands& operands) {
    if (operands[1] != kDecorationLinkage) return;
    size_t next = 0;
    std::string name = operands.text(2, next);
    linkages_[operands[0]] = {std::move(name), operands[next]};
  }

  void add_type_or_constant(uint16_t opcode, const Operands& operands) {
    Type type;
    switch (opcode) {
      case OpTypeInt:
      case OpTypeFloat:
        type.kind = opcode == OpTypeInt ? TypeKind::Int : TypeKind::Float;
        type.bits = operands[1];
        break;
      case OpTypeVector:
        type.kind = TypeKind::Vector;
        type.element = operands[1];
        type.count = operands[2];
        break;
      case OpTypePointer:
        type.kind = TypeKind::Pointer;
        type.storage = operands[1];
        type.element = operands[2];
        break;
      case OpTypeFunction:
        type.kind = TypeKind::Function;
        type.element = operands[1];
        type.parameters = operands.from(2);
        break;
      case OpTypeCooperativeMatrixKHR:  // component, scope, rows, columns, use
        type.kind = TypeKind::Matrix;
        type.element = operands[1];
        type.rows = operands[3];
        type.columns = operands[4];
        type.use = operands[5];
        break;
      case OpTypeJointMatrixINTEL:  // component, rows, columns, layout, scope, use
        type.kind = TypeKind::Matrix;
        type.element = operands[1];
        type.rows = operands[2];
        type.columns = operands[3];
        type.use = operands.size() > 6 ? operands[6] : 0;
        break;
      case OpConstant:
      case OpSpecConstant: {
        const auto of = module.types.find(operands[0]);
        if (of == module.types.end() || of->second.kind != TypeKind::Int) return;
        uint64_t value = operands[2];
        if (of->second.bits > 32) value |= uint64_t{operands[3]} << 32;
        module.constants[operands[1]] = value;
        return;
      }
      default:
        return;
    }
    module.types[operands[0]] = std::move(type);
  }

  Function* current_ = nullptr;
  std::map<Id, std::string> debug_names_;
  std::map<Id, Linkage> linkages_;
  std::map<Id, uint32_t> sub_group_sizes_;
};

}  // namespace

bool looks_like_spirv(std::span<const std::byte> bytes) {
  uint32_t magic = 0;
  if (bytes.size() < sizeof magic) return false;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == kMagic;
}

Module read_module(std::span<const std::byte> bytes) {
  if (!looks_like_spirv(bytes)) throw SpirvError("this is not a SPIR-V module (its first word is another)");
  if (bytes.size() % 4 != 0 || bytes.size() < kHeaderWords * 4)
    throw SpirvError("the SPIR-V module is cut: " + std::to_string(bytes.size()) + " bytes");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());

  Builder builder;
  builder.module.version = words[1];
  builder.module.bound = words[3];
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      throw SpirvError("the SPIR-V module is damaged at word " + std::to_string(at) + ": an instruction of " +
                       std::to_string(length) + " words where " + std::to_string(words.size() - at) + " are left");
    const auto opcode = static_cast<uint16_t>(words[at] & 0xffff);
    builder.add(opcode, Operands(opcode, std::span(words).subspan(at + 1, length - 1)));
    at += length;
  }
  builder.finish();
  return std::move(builder.module);
}

std::vector<const Function*> Module::reachable(const EntryPoint& entry) const {
  std::vector<const Function*> found;
  std::set<Id> seen;
  std::vector<Id> open{entry.function};
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    const auto function = functions.find(id);
    if (function == functions.end() || !seen.insert(id).second) continue;
    found.push_back(&function->second);
    for (const auto& call : function->second.calls) open.push_back(call.callee);
  }
  return found;
}

uint64_t Module::bits_of(Id type) const {
  const auto found = types.find(type);
  if (found == types.end()) return 0;
  if (found->second.kind == TypeKind::Int || found->second.kind == TypeKind::Float) return found->second.bits;
  if (found->second.kind != TypeKind::Vector) return 0;
  const auto element = types.find(found->second.element);
  if (element == types.end() || (element->second.kind != TypeKind::Int && element->second.kind != TypeKind::Float))
    return 0;
  return uint64_t{element->second.bits} * found->second.count;
}

}  // namespace xeforge::compile::spirv
