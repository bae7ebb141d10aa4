// SPDX-License-Identifier: Apache-2.0
//
// What the reader says of a damaged binary.
#pragma once

#include <string>

#include "binary/zebin.h"
#include "zebin_builder.h"

namespace xeforge::binary::test {

/// The message of the ZebinError that `read` throws; "no error" if it throws none.
template <class Read>
std::string error_of_reading(const Read& read) {
  try {
    read();
  } catch (const ZebinError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string error_of(const Bytes& file) {
  return error_of_reading([&] { read_zebin(file); });
}

}  // namespace xeforge::binary::test
