// SPDX-License-Identifier: Apache-2.0
//
// From the buffer that a kernel's printf calls fill to text.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace xeforge::driver {

/// The zero-terminated string at a device address; nullopt if no memory of the device lies there.
using StringAt = std::function<std::optional<std::string>(uint64_t address)>;

/// `buffer`: the records behind the leading byte count, only those in use. Each is the 64-bit address of the format
/// followed by a dword type tag and value for every conversion (read off code of IGC 2.40 and the driver's published
/// decoder, compute-runtime print_formatter). What cannot be decoded ends the text with a note that says why.
std::string printf_text(std::span<const std::byte> buffer, const StringAt& string_at);

}  // namespace xeforge::driver
