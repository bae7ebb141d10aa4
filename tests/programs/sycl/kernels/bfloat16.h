// SPDX-License-Identifier: Apache-2.0
//
// bfloat16 is a library of its own to the compiler: its conversions are functions in other modules, which the runtime
// hands to the driver together with this one.
#include "common.h"

using namespace sycl;
using syclext::bfloat16;

CONVERT(float_to_bf16, float, unsigned short, bit_cast<unsigned short>(bfloat16(x)))
CONVERT(bf16_to_float, unsigned short, float, static_cast<float>(bit_cast<bfloat16>(x)))
#define BF(OP) bit_cast<unsigned short>(bfloat16(bit_cast<bfloat16>(x) OP bit_cast<bfloat16>(y)))
BINARY(bf16_add, unsigned short, unsigned short, BF(+))
BINARY(bf16_mul, unsigned short, unsigned short, BF(*))
BINARY(bf16_less, unsigned short, unsigned char, bit_cast<bfloat16>(x) < bit_cast<bfloat16>(y))
