// SPDX-License-Identifier: Apache-2.0
#include "compile/bf16_conversions.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "compile/spirv.h"

namespace xeforge::compile {
namespace {

using spirv::Id;
using spirv::Type;
using spirv::TypeKind;
using Words = std::vector<uint32_t>;

enum Op : uint16_t {
  OpExtension = 10,
  OpCapability = 17,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypePointer = 32,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpLoad = 61,
  OpStore = 62,
  OpDecorate = 71,
  OpBitcast = 124,
  OpLabel = 248,
  OpReturn = 253,
  OpReturnValue = 254,
  OpConvertFToBF16INTEL = 6116,
  OpConvertBF16ToFINTEL = 6117,
};
constexpr uint32_t kCapabilityBf16Conversion = 6115;
constexpr std::string_view kExtension = "SPV_INTEL_bfloat16_conversion";
constexpr uint32_t kDecorationLinkage = 41;
constexpr size_t kHeader = 5;
constexpr size_t kBoundWord = 3;

/// The types of a module and those to be added: none may occur twice.
class TypeTable {
 public:
  explicit TypeTable(const spirv::Module& module) : types_(module.types), next_id_(module.bound) {}

  /// A number, or a vector of them.
  Id number(TypeKind kind, uint32_t bits, uint32_t count) {
    Type scalar;
    scalar.kind = kind;
    scalar.bits = bits;
    const bool integer = kind == TypeKind::Int;
    const Id element = find_or_add(scalar, integer ? OpTypeInt : OpTypeFloat, integer ? Words{bits, 0} : Words{bits});
    if (count == 1) return element;
    Type vector;
    vector.kind = TypeKind::Vector;
    vector.element = element;
    vector.count = count;
    return find_or_add(vector, OpTypeVector, {element, count});
  }
  Id pointer(uint32_t storage, Id to) {
    Type type;
    type.kind = TypeKind::Pointer;
    type.storage = storage;
    type.element = to;
    return find_or_add(type, OpTypePointer, {storage, to});
  }
  const Type* find(Id id) const {
    const auto found = types_.find(id);
    return found == types_.end() ? nullptr : &found->second;
  }
  const Words& added() const { return added_; }
  Id next_id() const { return next_id_; }

 private:
  Id find_or_add(const Type& type, uint16_t opcode, const Words& operands) {
    for (const auto& [id, known] : types_)
      if (known.kind == type.kind && known.bits == type.bits && known.count == type.count &&
          known.element == type.element && known.storage == type.storage)
        return id;
    const Id id = next_id_++;
    types_[id] = type;
    added_.push_back(static_cast<uint32_t>(operands.size() + 2) << 16 | opcode);
    added_.push_back(id);
    added_.insert(added_.end(), operands.begin(), operands.end());
    return id;
  }

  std::map<Id, Type> types_;
  Id next_id_;
  Words added_;
};

/// What the body does: load through the first parameter, convert, return the value or store it through the second.
struct Conversion {
  uint16_t opcode = 0;
  bool returns = false;
  Id from = 0, to = 0;                  ///< types of the values
  Id from_pointer = 0, to_pointer = 0;  ///< types that the parameters must have for it
  std::vector<Id> parameter_types;      ///< types that they have
};

/// Values at once: 1 for the plain functions, N for the forms ...VecN; 0 for another name.
uint32_t elements_in(std::string_view suffix) {
  static const std::map<std::string_view, uint32_t> kForms = {{"", 1},     {"Vec1", 1}, {"Vec2", 2},  {"Vec3", 3},
                                                              {"Vec4", 4}, {"Vec8", 8}, {"Vec16", 16}};
  const auto found = kForms.find(suffix);
  return found == kForms.end() ? 0 : found->second;
}

/// nullopt for another function, and for a form of these that the library may define and we do not know.
std::optional<Conversion> conversion_of(const spirv::Function& function, TypeTable& types) {
  constexpr std::string_view kToFloat = "__devicelib_ConvertBF16ToFINTEL";
  constexpr std::string_view kFromFloat = "__devicelib_ConvertFToBF16INTEL";
  const std::string_view name = function.name;
  const bool to_float = name.starts_with(kToFloat);
  if (!to_float && !name.starts_with(kFromFloat)) return std::nullopt;
  const std::string_view suffix = name.substr(kToFloat.size());
  const uint32_t count = elements_in(suffix);
  const Type* type = types.find(function.type);
  if (count == 0 || type == nullptr || type->parameters.size() != (suffix.empty() ? 1u : 2u)) return std::nullopt;

  Conversion conversion;
  conversion.opcode = to_float ? OpConvertBF16ToFINTEL : OpConvertFToBF16INTEL;
  conversion.returns = suffix.empty();
  conversion.parameter_types = type->parameters;
  const Id result = type->element;
  std::vector<uint32_t> storage;
  for (const Id parameter : conversion.parameter_types) {
    const Type* pointer = types.find(parameter);
    if (pointer == nullptr || pointer->kind != TypeKind::Pointer) return std::nullopt;
    storage.push_back(pointer->storage);
  }
  const Id narrow = types.number(TypeKind::Int, 16, count);
  const Id wide = types.number(TypeKind::Float, 32, count);
  conversion.from = to_float ? narrow : wide;
  conversion.to = to_float ? wide : narrow;
  if (conversion.returns && result != conversion.to) return std::nullopt;
  // What a pointer points to is a guess of SYCL's compiler and need not be what the library's declaration says.
  conversion.from_pointer = types.pointer(storage[0], conversion.from);
  if (!conversion.returns) conversion.to_pointer = types.pointer(storage[1], conversion.to);
  return conversion;
}

/// Writes a module anew, instruction by instruction.
class Rewriter {
 public:
  Rewriter(std::span<const std::byte> bytes, const std::map<Id, Conversion>& wanted, const TypeTable& types)
      : wanted_(wanted), types_(types), words_(bytes.size() / 4), next_id_(types.next_id()) {
    std::memcpy(words_.data(), bytes.data(), bytes.size());
  }

  std::vector<std::byte> rewrite(bool has_extension) {
    // Instructions come in sections: capabilities, extensions, ..., types, functions.
    out_.assign(words_.begin(), words_.begin() + kHeader);
    emit(OpCapability, {kCapabilityBf16Conversion});
    bool in_capabilities = true;
    bool before_functions = true;
    for (size_t at = kHeader; at < words_.size(); at += words_[at] >> 16) {
      const auto opcode = static_cast<uint16_t>(words_[at] & 0xffff);
      const std::span<const uint32_t> instruction = std::span(words_).subspan(at, words_[at] >> 16);
      if (in_capabilities && opcode != OpCapability) {
        if (!has_extension) emit(OpExtension, text(kExtension));
        in_capabilities = false;
      }
      if (before_functions && opcode == OpFunction) {
        out_.insert(out_.end(), types_.added().begin(), types_.added().end());
        before_functions = false;
      }
      if (opcode == OpCapability && instruction[1] == kCapabilityBf16Conversion) continue;
      if (opcode == OpDecorate && instruction[2] == kDecorationLinkage && wanted_.contains(instruction[1])) continue;
      if (!take_declaration(opcode, instruction)) out_.insert(out_.end(), instruction.begin(), instruction.end());
    }
    // Functions with a body come after all declarations.
    for (const auto& declaration : declarations_) define(declaration);
    out_[kBoundWord] = next_id_;
    const auto view = std::as_bytes(std::span(out_));
    return {view.begin(), view.end()};
  }

 private:
  struct Declaration {
    Conversion conversion;
    Words head;  ///< OpFunction and its parameters, as they were
    std::vector<Id> parameters;
  };

  static Words text(std::string_view value) {
    Words words(value.size() / 4 + 1);
    std::memcpy(words.data(), value.data(), value.size());
    return words;
  }

  void emit(uint16_t opcode, const Words& operands) {
    out_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    out_.insert(out_.end(), operands.begin(), operands.end());
  }

  /// True if the instruction belongs to a declaration that gets a body.
  bool take_declaration(uint16_t opcode, std::span<const uint32_t> instruction) {
    if (opcode == OpFunction) {
      const auto found = wanted_.find(instruction[2]);
      inside_ = found != wanted_.end();
      if (inside_) declarations_.push_back({found->second, {}, {}});
    }
    if (!inside_) return false;
    if (opcode == OpFunctionEnd) {
      inside_ = false;
      return true;
    }
    if (opcode == OpFunctionParameter && instruction.size() == 3)
      declarations_.back().parameters.push_back(instruction[2]);
    declarations_.back().head.insert(declarations_.back().head.end(), instruction.begin(), instruction.end());
    return true;
  }

  void define(const Declaration& declaration) {
    const Conversion& conversion = declaration.conversion;
    if (declaration.parameters.size() != conversion.parameter_types.size())
      throw spirv::SpirvError("a SPIR-V function does not have the parameters of its type");
    out_.insert(out_.end(), declaration.head.begin(), declaration.head.end());
    emit(OpLabel, {next_id_++});
    const Id from = as_pointer(declaration.parameters[0], conversion.parameter_types[0], conversion.from_pointer);
    const Id value = next_id_++;
    const Id converted = next_id_++;
    emit(OpLoad, {conversion.from, value, from});
    emit(conversion.opcode, {conversion.to, converted, value});
    if (conversion.returns) {
      emit(OpReturnValue, {converted});
    } else {
      const Id to = as_pointer(declaration.parameters[1], conversion.parameter_types[1], conversion.to_pointer);
      emit(OpStore, {to, converted});
      emit(OpReturn, {});
    }
    emit(OpFunctionEnd, {});
  }

  Id as_pointer(Id value, Id type, Id wanted) {
    if (type == wanted) return value;
    const Id cast = next_id_++;
    emit(OpBitcast, {wanted, cast, value});
    return cast;
  }

  const std::map<Id, Conversion>& wanted_;
  const TypeTable& types_;
  Words words_, out_;
  std::vector<Declaration> declarations_;
  bool inside_ = false;
  Id next_id_;
};

}  // namespace

std::vector<std::byte> define_bf16_conversions(std::span<const std::byte> bytes,
                                               const std::set<std::string>& available) {
  const spirv::Module module = spirv::read_module(bytes);
  TypeTable types(module);
  std::map<Id, Conversion> wanted;
  for (const auto& [id, function] : module.functions) {
    if (!function.imported || !available.contains(function.name)) continue;
    if (const auto conversion = conversion_of(function, types)) wanted.emplace(id, *conversion);
  }
  if (wanted.empty()) return {bytes.begin(), bytes.end()};
  return Rewriter(bytes, wanted, types).rewrite(module.extensions.contains(std::string(kExtension)));
}

}  // namespace xeforge::compile
