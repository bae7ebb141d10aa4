// SPDX-License-Identifier: Apache-2.0
//
// Build options as a runtime hands them to the Level Zero driver, put into the words of the offline compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xeforge::compile {

/// Words separated by blanks; double quotes keep blanks inside a word (and stay in it).
std::vector<std::string> split_options(std::string_view options);

/// True if `options` asks for the vector compiler (-vc-codegen).
bool asks_for_vector_compiler(std::string_view options);

/// What Intel's driver makes of the options, and what has to be added or left out for the vector compiler so that they
/// have the effect that they name (options.cpp says which and why).
std::string translate_options(std::string_view options, bool vector_compiler);

}  // namespace xeforge::compile
