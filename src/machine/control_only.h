// SPDX-License-Identifier: Apache-2.0
//
// Kernels without their matrix arithmetic, for recordings that only time is wanted from: most of the host's time goes
// into products whose values decide nothing.
#pragma once

#include <memory>

#include "machine/launch.h"

namespace xeforge::machine {

/// The same kernel, in which dpas, dpasw and two-dimensional block loads leave their destinations as they were.
/// Threads take the same way and messages the same addresses as long as neither depends on elements of matrices; what
/// is stored is meaningless. Whether it holds for a kernel shows its recording with and without arithmetic.
std::shared_ptr<const Kernel> without_arithmetic(const Kernel& kernel);

}  // namespace xeforge::machine
