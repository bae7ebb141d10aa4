// SPDX-License-Identifier: Apache-2.0
#include "machine/local_ids.h"

#include <bit>
#include <cstring>

namespace xeforge::machine {
namespace {

constexpr uint32_t kMaxHardwareItems = 1024;

bool packed(const binary::Kernel& kernel) {
  for (const binary::PayloadArg& arg : kernel.per_thread_payload) {
    if (arg.type == binary::ArgType::PackedLocalIds) return true;
  }
  return false;
}

void put(std::byte* at, uint32_t id) {
  const auto value = static_cast<uint16_t>(id);
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

std::array<uint32_t, 3> LocalIds::item(uint32_t index) const {
  std::array<uint32_t, 3> id{};
  for (const uint8_t dimension : order) {
    id[dimension] = index % local[dimension];
    index /= local[dimension];
  }
  return id;
}

uint32_t LocalIds::dispatch_mask(uint32_t thread) const {
  if (simd == 1) return UINT32_MAX;
  const uint32_t left = items() - thread * simd;
  const uint32_t lanes = left < simd ? left : simd;
  return lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
}

bool hardware_writes_local_ids(const binary::Kernel& kernel, const LocalIds& ids) {
  // Code of ngen finds its ids in registers only when it is entered behind its loading code.
  if (kernel.generates_local_ids) return true;
  if (kernel.simd_size == 1) return false;
  const unsigned rows = kernel.work_dimensions;
  if (rows == 0) return true;
  for (unsigned dimension = rows; dimension < 3; ++dimension) {
    if (ids.local[dimension] > 1) return false;
  }
  if (ids.items() > kMaxHardwareItems) return false;
  // The dimension that is walked last may have any size.
  const unsigned checked = rows == 1 ? 1 : 2;
  for (unsigned i = 0; i < checked; ++i) {
    if (!std::has_single_bit(ids.local[ids.order[i]])) return false;
  }
  return true;
}

LocalIdBlock local_id_block(const binary::Kernel& kernel, const LocalIds& ids, unsigned grf_bytes) {
  LocalIdBlock block;
  const unsigned rows = kernel.work_dimensions;
  if (rows == 0) return block;
  if (packed(kernel)) {
    block.stride = grf_bytes;
    block.bytes.resize(size_t{block.stride} * ids.threads());
    for (uint32_t thread = 0; thread < ids.threads(); ++thread) {
      const auto id = ids.item(thread);
      for (unsigned d = 0; d < 3; ++d) put(block.bytes.data() + size_t{block.stride} * thread + size_t{2} * d, id[d]);
    }
    return block;
  }
  const uint32_t row_bytes = ids.simd == 32 || grf_bytes == 64 ? 64 : 32;
  block.stride = row_bytes * rows;
  block.bytes.resize(size_t{block.stride} * ids.threads());
  // Lanes beyond the last work-item go on counting, as on hardware: they are masked off.
  for (uint32_t thread = 0; thread < ids.threads(); ++thread) {
    for (uint32_t lane = 0; lane < ids.simd; ++lane) {
      const auto id = ids.item(thread * ids.simd + lane);
      std::byte* at = block.bytes.data() + size_t{block.stride} * thread + size_t{2} * lane;
      for (unsigned d = 0; d < rows; ++d) put(at + size_t{d} * row_bytes, id[d]);
    }
  }
  return block;
}

}  // namespace xeforge::machine
