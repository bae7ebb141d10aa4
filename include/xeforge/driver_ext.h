// SPDX-License-Identifier: Apache-2.0
//
// Extension functions of the virtual driver. A program obtains them by name through
// zeDriverGetExtensionFunctionAddress (or dlsym on the loaded driver); on a real GPU they are
// absent, and programs must go on without them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns a JSON array of kernel reports completed since the last call by this process, and
/// clears them. The text is owned by the driver and valid until the next call on this thread.
/// Each element: {"kernel", "device", "groups":[3], "local":[3], "threads", "host_wall_us",
///  "compiled":{"simd","grf","spill_bytes","scratch_bytes","slm_bytes","barriers"},
///  "counts":{... names of observe/counters.h ...}, "fault": null |
///  {"kind","group","thread","pc","lane","text","message"}}
/// Complete only after the queue was synchronised.
typedef const char* (*xeforge_take_reports_t)(void);
#define XEFORGE_TAKE_REPORTS_NAME "xeforgeTakeReports"

/// Version text of the virtual driver, e.g. "xeforge 0.1.0 (simulated a770)".
typedef const char* (*xeforge_version_t)(void);
#define XEFORGE_VERSION_NAME "xeforgeVersion"

#ifdef __cplusplus
}
#endif
