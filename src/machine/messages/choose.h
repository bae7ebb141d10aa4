// SPDX-License-Identifier: Apache-2.0
//
// How a message finds its handler: every family of messages has one choose function, which
// returns an empty Chosen for what it does not know.
#pragma once

#include "device/device.h"
#include "machine/messages/access.h"

namespace xeforge::machine::messages {

/// The work of a message whose fields are in `m`, which need not be the instruction's own
/// (descriptors in a0 are decoded at run time).
using Body = void (*)(Thread&, const Uop&, const isa::Message& m);

struct Chosen {
  Handler handler = nullptr;
  Body body = nullptr;
};

template <Body B>
void static_message(Thread& t, const Uop& u) {
  B(t, u, u.inst->msg);
}

template <Body B>
constexpr Chosen chosen() {
  return {&static_message<B>, B};
}

/// What is known when a handler is chosen.
struct Request {
  const isa::Message& m;
  unsigned exec_size;
  unsigned grf_bytes;
  bool no_destination;  ///< null destination: a load is a prefetch
  const device::Device& device;
};

Chosen choose_lsc_simd(const Request& r);   ///< load, store and their cmask forms, one address per channel
Chosen choose_lsc_block(const Request& r);  ///< transposed load / store
Chosen choose_lsc_block2d(const Request& r);
Chosen choose_atomic(const Request& r);  ///< LSC and legacy
Chosen choose_fence(const Request& r);
Chosen choose_gateway(const Request& r);
Chosen choose_legacy_block(const Request& r);
Chosen choose_legacy_scattered(const Request& r);

/// All of the above.
Chosen choose(const Request& r);

}  // namespace xeforge::machine::messages
