// SPDX-License-Identifier: Apache-2.0
//
// The Level Zero headers, and what every entry point needs: exceptions stay inside, handles are
// checked, the last error is remembered for zeDriverGetLastErrorDescription.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "driver/log.h"
#include "level_zero/ze_api.h"
#include "level_zero/ze_ddi.h"
#include "level_zero/ze_ddi_common.h"

namespace xeforge::driver {

/// An error with the result code that the caller of the entry point gets.
struct ApiError : std::runtime_error {
  ApiError(ze_result_t result, const std::string& what) : std::runtime_error(what), code(result) {}
  ze_result_t code;
};

/// Runs the body of an entry point: no exception may cross the C interface.
template <class Body>
ze_result_t guarded(const char* entry_point, Body&& body) noexcept {
  try {
    return body();
  } catch (const ApiError& e) {
    report_error(entry_point, e.what());
    return e.code;
  } catch (const std::bad_alloc&) {
    report_error(entry_point, "the host is out of memory");
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& e) {
    report_error(entry_point, e.what());
    return ZE_RESULT_ERROR_UNKNOWN;
  }
}

}  // namespace xeforge::driver
