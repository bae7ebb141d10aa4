// SPDX-License-Identifier: Apache-2.0
//
// Writes small SPIR-V modules word by word, so that the reader and the checks are tested without a compiler.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "compile/spirv.h"

namespace xeforge::compile::spirv {

class ModuleWriter {
 public:
  ModuleWriter() { words_ = {0x07230203, 0x00010400, 0, 100, 0}; }

  ModuleWriter& op(uint16_t opcode, std::vector<uint32_t> operands) {
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    words_.insert(words_.end(), operands.begin(), operands.end());
    return *this;
  }
  static std::vector<uint32_t> text(const std::string& value) {
    std::vector<uint32_t> words(value.size() / 4 + 1);
    std::memcpy(words.data(), value.data(), value.size());
    return words;
  }
  static std::vector<uint32_t> join(std::vector<uint32_t> a, const std::vector<uint32_t>& b,
                                    const std::vector<uint32_t>& c = {}) {
    a.insert(a.end(), b.begin(), b.end());
    a.insert(a.end(), c.begin(), c.end());
    return a;
  }

  ModuleWriter& capability(uint32_t number) { return op(17, {number}); }
  ModuleWriter& kernel(Id function, const std::string& name) { return op(15, join({6, function}, text(name))); }
  ModuleWriter& sub_group_size(Id function, uint32_t size) { return op(16, {function, 35, size}); }
  ModuleWriter& import(Id function, const std::string& name) { return op(71, join({function, 41}, text(name), {1})); }
  ModuleWriter& void_type(Id id) { return op(19, {id}); }
  ModuleWriter& int_type(Id id, uint32_t bits) { return op(21, {id, bits, 0}); }
  ModuleWriter& float_type(Id id, uint32_t bits) { return op(22, {id, bits}); }
  ModuleWriter& vector_type(Id id, Id element, uint32_t count) { return op(23, {id, element, count}); }
  ModuleWriter& function_type(Id id, Id result, const std::vector<Id>& parameters = {}) {
    return op(33, join({id, result}, parameters));
  }
  ModuleWriter& constant(Id id, Id type, uint32_t value) { return op(43, {type, id, value}); }
  ModuleWriter& matrix_type(Id id, Id element, Id scope, Id rows, Id columns, Id use) {
    return op(4456, {id, element, scope, rows, columns, use});
  }
  ModuleWriter& begin_function(Id id, Id result, Id type) { return op(54, {result, id, 0, type}); }
  ModuleWriter& call(Id result_type, Id result, Id callee, const std::vector<Id>& arguments = {}) {
    return op(57, join({result_type, result, callee}, arguments));
  }
  ModuleWriter& end_function() { return op(56, {}); }

  std::vector<std::byte> bytes() const {
    const auto view = std::as_bytes(std::span(words_));
    return {view.begin(), view.end()};
  }

 private:
  std::vector<uint32_t> words_;
};

}  // namespace xeforge::compile::spirv
