// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4) for names by content. No dependency offers it that this project would not need for this alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace xeforge::compile {

class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  /// Length first, then the bytes: two fields never run into one another.
  void add_field(std::span<const std::byte> bytes);
  void add_field(std::string_view text);
  /// Lower-case hexadecimal digest. The object is used up.
  std::string finish();

 private:
  void process_block(const std::byte* block);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};
  size_t pending_size_ = 0;
  uint64_t total_ = 0;
};

std::string sha256(std::span<const std::byte> bytes);

}  // namespace xeforge::compile
