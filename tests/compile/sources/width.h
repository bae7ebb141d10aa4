// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifndef WIDTH
#define WIDTH 8
#endif
