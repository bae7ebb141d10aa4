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

/// The checkers (docs/checker.md); include/xeforge/check.h makes them comfortable for tests.
typedef struct {
  const char* kind; /* "memory.out-of-bounds" */
  const char* kernel;
  const char* message;
  const char* source;      /* "file:line", or empty */
  const char* instruction; /* ISA text at pc, or empty */
  const char* report;      /* the whole report, several lines */
  int64_t pc;              /* -1: not at an instruction */
  uint64_t count;          /* how often */
} xeforge_finding_t;

/// From now on launches are checked by these checkers ("memory,races,init,sync,hazards", "all", "" for none), whatever
/// XEFORGE_CHECK says; findings not yet taken are dropped. To be called while no kernel runs. Returns null, or what is
/// wrong with the text.
typedef const char* (*xeforge_check_begin_t)(const char* checks);
#define XEFORGE_CHECK_BEGIN_NAME "xeforgeCheckBegin"

/// Findings of the launches completed since the last call, which are the driver's and valid until the next call in the
/// process. Complete only after the queue was synchronised.
typedef size_t (*xeforge_check_take_t)(const xeforge_finding_t** findings);
#define XEFORGE_CHECK_TAKE_NAME "xeforgeCheckTake"

#ifdef __cplusplus
}
#endif
