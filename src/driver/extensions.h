// SPDX-License-Identifier: Apache-2.0
//
// Extension functions by name, and structures in pNext chains.
#pragma once

#include "driver/api.h"

namespace xeforge::driver {

/// Null if there is none of this name.
void* extension_function(const char* name);

/// Says, when verbose and once for each pair, that a structure in a pNext chain was left as it is.
void note_unknown_structure(const char* entry_point, ze_structure_type_t type);

/// The structure of type `type` in a pNext chain of descriptors, or null.
template <class T>
const T* find_structure(const void* next, ze_structure_type_t type) {
  for (auto* at = static_cast<const ze_base_desc_t*>(next); at != nullptr;
       at = static_cast<const ze_base_desc_t*>(at->pNext)) {
    if (at->stype == type) {
      return reinterpret_cast<const T*>(at);
    }
  }
  return nullptr;
}

}  // namespace xeforge::driver
