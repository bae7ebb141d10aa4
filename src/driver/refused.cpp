// SPDX-License-Identifier: Apache-2.0
//
// The refused entry points. This file does not include ze_api.h: a function that ignores its
// arguments needs no parameter list under the calling conventions of the platforms we build for,
// so that one row in entry_points.def is all that a refused function takes.
#include "driver/log.h"

#define XF_DEFINE_Served(Function)
#define XF_DEFINE_Refused(Function)                                      \
  extern "C" __attribute__((visibility("default"))) int ze##Function() { \
    return xeforge_refuse_entry_point("ze" #Function);                   \
  }

#define XF_TABLE(Name, name)
#define XF_ENTRY(Name, Function, field, major, minor, how) XF_DEFINE_##how(Function)
#define XF_TABLE_END(Name, name)
#include "driver/entry_points.def"
