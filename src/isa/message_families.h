// SPDX-License-Identifier: Apache-2.0
//
// The decoders of the message families. Each fills in `m` from the descriptors and leaves
// `kind` Unknown for a message it does not know. Internal to the room.
#pragma once

#include <cstdint>

#include "isa/message.h"

namespace xeforge::isa {

/// Load/store unit: ugm, ugml, tgm, slm.
void decode_lsc(Platform platform, uint32_t desc, uint32_t exdesc, Message& m);

/// Legacy data ports.
void decode_dc0(uint32_t desc, Message& m);
void decode_dc1(uint32_t desc, Message& m);
void decode_dcro(uint32_t desc, Message& m);

}  // namespace xeforge::isa
