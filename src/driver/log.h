// SPDX-License-Identifier: Apache-2.0
//
// What the driver says on stderr, and the text behind zeDriverGetLastErrorDescription.
#pragma once

#include <string>
#include <string_view>

namespace xeforge::driver {

/// XEFORGE_VERBOSE is set to something other than 0.
bool verbose();

/// One line "xeforge: text" on stderr, always.
void say(std::string_view text);
/// The same, only when verbose.
void trace(std::string_view text);

/// An entry point fails: the text becomes this thread's last error; printed when verbose.
void report_error(std::string_view entry_point, std::string_view text);

void set_last_error(std::string text);
/// Valid until the next error on this thread.
const char* last_error();

}  // namespace xeforge::driver

/// What a refused entry point returns: names it (each name once a process, on stderr when verbose)
/// and gives ZE_RESULT_ERROR_UNSUPPORTED_FEATURE.
extern "C" int xeforge_refuse_entry_point(const char* name);
