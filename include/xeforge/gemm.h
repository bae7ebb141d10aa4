// SPDX-License-Identifier: Apache-2.0
//
// Matrix multiplication on Intel GPUs: everything that a program needs. docs/gemm.md shows its use.
#pragma once

#include "xeforge/gemm/epilogue.h"
#include "xeforge/gemm/features.h"
#include "xeforge/gemm/gemm.h"
#include "xeforge/gemm/packed.h"
#include "xeforge/gemm/prepacked.h"
#include "xeforge/gemm/problem.h"
#include "xeforge/gemm/status.h"
