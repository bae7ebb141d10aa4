// SPDX-License-Identifier: Apache-2.0
#include "gemm/launch.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace xeforge::gemm {

namespace {

std::size_t groups_of(std::uint32_t size, std::uint32_t block) { return (size + block - 1) / block; }

void set_arguments(sycl::handler& handler, const Rung& rung, const Shape& shape, const Operands& operands) {
  handler.set_arg(0, operands.a);
  handler.set_arg(1, operands.b);
  handler.set_arg(2, operands.c);
  if (rung.signature == Signature::None) return;
  if (rung.signature == Signature::Sizes32) {
    handler.set_arg(3, shape.m);
    handler.set_arg(4, shape.n);
    handler.set_arg(5, shape.k);
    return;
  }
  handler.set_arg(3, std::size_t{shape.m});
  handler.set_arg(4, std::size_t{shape.n});
  handler.set_arg(5, std::size_t{shape.k});
  if (rung.signature != Signature::Sizes64AndSlm) return;
  // A rung without SLM has the arguments all the same; an allocation of zero bytes is not legal everywhere.
  const std::size_t slm_a = std::max(rung.slm_a, 1U), slm_b = std::max(rung.slm_b, 1U);
  handler.set_arg(6, sycl::local_accessor<std::uint16_t, 1>(slm_a, handler));
  if (rung.b == LayoutB::Vnni) {
    handler.set_arg(7, sycl::local_accessor<std::uint32_t, 1>(slm_b, handler));
  } else {
    handler.set_arg(7, sycl::local_accessor<std::uint16_t, 1>(slm_b, handler));
  }
}

}  // namespace

Needs needs_of(const Rung& rung) {
  Needs needs;
  needs.esimd = rung.esimd;
  needs.dpas_width = rung.target == Target::Any ? 0 : rung.target == Target::Xe2 ? 16 : 8;
  needs.local_memory = rung.slm_bytes;
  needs.group = std::size_t{rung.local[0]} * rung.local[1];
  needs.large_grf = rung.grf > 128;
  needs.block2d = rung.block2d;
  needs.dpasw = rung.dpasw;
  return needs;
}

Geometry geometry(const Rung& rung, const Shape& shape) {
  if (const std::string reason = reason_against(rung, shape); !reason.empty()) {
    throw std::invalid_argument(std::string(rung.id) + " cannot compute " + to_string(shape) + ": " + reason);
  }
  std::array<std::size_t, 2> groups{groups_of(shape.m, rung.block.m), groups_of(shape.n, rung.block.n)};
  if (rung.walk == Walk::ColumnsOuter) std::swap(groups[0], groups[1]);
  Geometry result;
  for (std::size_t i = 0; i < 2; ++i) {
    result.local[i] = rung.local[i];
    result.global[i] = groups[i] * (rung.local[i] == 0 ? 1 : rung.local[i]);
  }
  return result;
}

sycl::event launch(sycl::queue& queue, const sycl::kernel& kernel, const Rung& rung, const Shape& shape,
                   const Operands& operands) {
  const Geometry at = geometry(rung, shape);
  return queue.submit([&](sycl::handler& handler) {
    set_arguments(handler, rung, shape, operands);
    if (at.local[1] == 0) {
      handler.parallel_for(sycl::range<2>(at.global[0], at.global[1]), kernel);
    } else if (rung.signature == Signature::None) {
      handler.parallel_for(sycl::nd_range<1>(at.global[1], at.local[1]), kernel);
    } else {
      handler.parallel_for(sycl::nd_range<2>({at.global[0], at.global[1]}, {at.local[0], at.local[1]}), kernel);
    }
  });
}

}  // namespace xeforge::gemm
