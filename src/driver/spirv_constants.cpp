// SPDX-License-Identifier: Apache-2.0
#include "driver/spirv_constants.h"

#include <cstring>
#include <stdexcept>

namespace xeforge::driver {
namespace {

// SPIR-V specification, sections 2.3 (physical layout) and 3.49.
constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpTypeInt = 21, kOpTypeFloat = 22;
constexpr uint32_t kOpSpecConstantTrue = 48, kOpSpecConstantFalse = 49, kOpSpecConstant = 50;
constexpr uint32_t kOpDecorate = 71;
constexpr uint32_t kDecorationSpecId = 1;

class Words {
 public:
  explicit Words(std::vector<std::byte>& bytes) : bytes_(bytes) {}
  std::size_t size() const { return bytes_.size() / 4; }
  uint32_t at(std::size_t i) const {
    uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + 4 * i, 4);
    return word;
  }
  void set(std::size_t i, uint32_t word) { std::memcpy(bytes_.data() + 4 * i, &word, 4); }
  std::byte* address(std::size_t i) { return bytes_.data() + 4 * i; }

 private:
  std::vector<std::byte>& bytes_;
};

// Calls visit(index of first word, opcode, word count) for each instruction.
template <class Visit>
void for_each_instruction(const Words& words, Visit&& visit) {
  std::size_t at = kHeaderWords;
  while (at < words.size()) {
    const uint32_t count = words.at(at) >> 16;
    if (count == 0 || at + count > words.size()) {
      throw std::invalid_argument("SPIR-V: an instruction reaches beyond the module");
    }
    visit(at, words.at(at) & 0xFFFF, count);
    at += count;
  }
}

}  // namespace

void specialize(std::vector<std::byte>& spirv, const std::map<uint32_t, const void*>& values) {
  Words words(spirv);
  if (spirv.size() % 4 != 0 || words.size() < kHeaderWords || words.at(0) != kMagic) {
    throw std::invalid_argument("this is not a SPIR-V module (of this machine's byte order)");
  }
  std::map<uint32_t, const void*> value_of;   // by result id
  std::map<uint32_t, uint32_t> bits_of_type;  // by type id
  for_each_instruction(words, [&](std::size_t at, uint32_t op, uint32_t count) {
    if (op == kOpDecorate && count == 4 && words.at(at + 2) == kDecorationSpecId) {
      const auto value = values.find(words.at(at + 3));
      if (value != values.end() && value->second != nullptr) {
        value_of[words.at(at + 1)] = value->second;
      }
    } else if ((op == kOpTypeInt || op == kOpTypeFloat) && count >= 3) {
      bits_of_type[words.at(at + 1)] = words.at(at + 2);
    } else if ((op == kOpSpecConstantTrue || op == kOpSpecConstantFalse) && count == 3) {
      if (const auto value = value_of.find(words.at(at + 2)); value != value_of.end()) {
        unsigned char truth = 0;
        std::memcpy(&truth, value->second, 1);
        words.set(at, (count << 16) | (truth != 0 ? kOpSpecConstantTrue : kOpSpecConstantFalse));
      }
    } else if (op == kOpSpecConstant && count >= 4) {
      if (const auto value = value_of.find(words.at(at + 2)); value != value_of.end()) {
        const uint32_t bits = bits_of_type[words.at(at + 1)];
        const std::size_t bytes = bits / 8;
        if (bytes == 0 || bytes > 4 * std::size_t{count - 3}) {
          throw std::invalid_argument("SPIR-V: a specialisation constant of an unknown type");
        }
        // Literals narrower than a word keep their high-order bits as sign extension only for signed types; compilers
        // read the low bits.
        std::memcpy(words.address(at + 3), value->second, bytes);
      }
    }
  });
}

}  // namespace xeforge::driver
