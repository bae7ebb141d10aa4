// SPDX-License-Identifier: Apache-2.0
#include "machine/payload.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "machine/code.h"

namespace xeforge::machine {
namespace {

/// Where indirect data lie in the 32-bit space if nothing needs them at a real address. Any multiple of 64
/// does; not 0, so that code that forgets r0 is noticed.
constexpr uint32_t kIndirectBase = 0x10000;
constexpr uint32_t kIndirectAlignment = 64;  // r0.0[31:6]
/// r0.5[31:10]: surface state of the scratch memory. Any value but 0 does, as for the indirect data.
constexpr uint32_t kScratchSurface = 1u << 10;
constexpr uint32_t kFftidMask = 0x3FF;  // r0.5[9:0]
constexpr unsigned kRowsOfTable = 3;

[[noreturn]] void invalid(std::string message) { raise_fault(FaultKind::InvalidLaunch, 0, -1, std::move(message)); }

std::string text_of(const std::array<uint32_t, 3>& v) {
  return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" + std::to_string(v[2]);
}

template <typename T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

uint32_t state_register_thread_id(isa::Platform platform, uint32_t n) {
  // IGC CShader::GetHWTID joins these fields again: DG2 drops bits 3 and 6 (thread 2:0, EU 5:4 and 7, then
  // subslice and slice); Xe2 drops bits 3, 7 and 10.
  if (platform == isa::Platform::XeHpg) return (n & 7) | ((n >> 3 & 3) << 4) | ((n >> 5) << 7);
  return (n & 7) | ((n >> 3 & 7) << 4) | ((n >> 6 & 3) << 8) | ((n >> 8) << 11);
}

Payload::Payload(const Launch& launch, const RunOptions& options)
    : launch_(launch), kernel_(*launch.kernel), options_(options) {
  check_launch();
  context_.launch = &launch;
  context_.options = &options;
  context_.code = kernel_.code.get();
  ids_ = {kernel_.binary.simd_size, launch.local, kernel_.binary.walk_order};
  threads_ = ids_.threads();
  for (const uint32_t groups : launch.groups) group_count_ *= groups;
  const uint32_t core_threads = kernel_.device->threads_per_core() * 128 / std::max(kernel_.binary.grf_count, 128u);
  if (threads_ > core_threads) {
    invalid("a group of " + text_of(launch.local) + " work-items needs " + std::to_string(threads_) +
            " hardware threads (SIMD" + std::to_string(ids_.simd) + "); a core of " + kernel_.device->name + " has " +
            std::to_string(core_threads) + " with " + std::to_string(kernel_.binary.grf_count) + " registers each");
  }
  hardware_local_ids_ = hardware_writes_local_ids(kernel_.binary, ids_);
  entry_ = hardware_local_ids_ ? kernel_.binary.offset_to_skip_per_thread_data_load : 0;
  entry_uop_ = kernel_.code->uop_at(entry_);
  context_.scratch_bytes = static_cast<uint32_t>(kernel_.binary.scratch_bytes_per_thread());
  choose_fusion();
  try {
    arguments_ = fill_arguments(launch, context_);
    lay_out_indirect_data();
  } catch (const std::bad_alloc&) {
    invalid("no memory for what the kernel needs beside its arguments");
  }
  register_own_memory();
}

void Payload::check_launch() const {
  const binary::Kernel& binary = kernel_.binary;
  if (!binary.invalid_reason.empty()) invalid("the compiler marked this kernel as invalid: " + binary.invalid_reason);
  for (unsigned d = 0; d < 3; ++d) {
    if (launch_.local[d] == 0) invalid("group size " + text_of(launch_.local) + " has an empty dimension");
  }
  const uint64_t items = uint64_t{launch_.local[0]} * launch_.local[1] * launch_.local[2];
  const unsigned limit = kernel_.device->max_group_size;
  if (items > limit)
    invalid("group size " + text_of(launch_.local) + " has " + std::to_string(items) + " work-items; " +
            kernel_.device->name + " allows " + std::to_string(limit));
  if (binary.required_group_size && *binary.required_group_size != launch_.local)
    invalid("group size is " + text_of(launch_.local) + ", but the kernel was compiled for " +
            text_of(*binary.required_group_size));
  for (const unsigned simd : {1u, 8u, 16u, 32u}) {
    if (binary.simd_size == simd) {
      unsigned seen = 0;
      for (const uint8_t dimension : binary.walk_order) seen |= 1u << dimension;
      if (seen != 7) invalid("the binary's work-group walk order is no order of the three dimensions");
      return;
    }
  }
  invalid("the binary's SIMD size is " + std::to_string(binary.simd_size) + " instead of 1, 8, 16 or 32");
}

// Compute-runtime, isFusedEuDisabledForDpas: for kernels with dpas on DG2.
void Payload::choose_fusion() {
  const uint32_t items = ids_.items();
  if (!kernel_.device->fused_eus) {
    not_fused_because_ = kernel_.device->name + " has no fused EUs";
  } else if (kernel_.binary.disable_eufusion) {
    not_fused_because_ = "the binary asks for EU fusion to be off (require_disable_eufusion)";
  } else if (items > 1 && items % 2 != 0) {
    not_fused_because_ = "the driver turns EU fusion off for groups of an odd number of work-items";
  } else if (items == 1 && launch_.groups[0] % 2 != 0) {
    not_fused_because_ = "the driver turns EU fusion off for groups of one work-item in an odd number of groups";
  } else {
    fused_ = context_.fused = true;
    if (items == 1 && kernel_.code->has_dpasw) groups_per_unit_ = 2;
  }
}

// [implicit arguments][cross-thread data beyond the inline part][local ids per thread]; r0.0 points to the
// start of it and the code was patched with the size of the first part.
void Payload::lay_out_indirect_data() {
  id_block_ = local_id_block(kernel_.binary, ids_, kernel_.device->grf_bytes());
  const bool has_implicit_args = !arguments_.implicit_args.empty();
  const uint32_t inline_bytes = kernel_.binary.inline_data_payload_size;
  const size_t from_memory = std::min<size_t>(inline_bytes, arguments_.cross_thread.size());

  // The table of local ids behind everything else: all three rows, whatever the kernel's own payload has.
  LocalIdBlock table;
  size_t table_offset = 0;
  std::vector<std::byte>& data = context_.indirect_data;
  data.resize(arguments_.implicit_args.size() + arguments_.cross_thread.size() - from_memory +
              (hardware_local_ids_ ? 0 : id_block_.bytes.size()));
  if (has_implicit_args) {
    binary::Kernel three_rows;
    three_rows.simd_size = kernel_.binary.simd_size;
    three_rows.work_dimensions = kRowsOfTable;
    if (ids_.simd == 1) {
      // ESIMD's table is dense (compute-runtime implicit_args_helper.cpp, getGrfSize).
      table.stride = kRowsOfTable * sizeof(uint16_t);
      table.bytes.resize(size_t{table.stride} * threads_);
      for (uint32_t item = 0; item < threads_; ++item) {
        const auto id = ids_.item(item);
        for (unsigned d = 0; d < kRowsOfTable; ++d)
          store(table.bytes.data() + size_t{table.stride} * item + size_t{2} * d, static_cast<uint16_t>(id[d]));
      }
    } else {
      table = local_id_block(three_rows, ids_, 32);
    }
    table_offset = (data.size() + kIndirectAlignment - 1) / kIndirectAlignment * kIndirectAlignment;
    data.resize(table_offset + table.bytes.size());
    low_copy_ = HostBlock(data.size(), HostBlock::Place::Low);
    context_.indirect_base = static_cast<uint32_t>(low_copy_.address());
  } else {
    context_.indirect_base = kIndirectBase;
  }

  if (has_implicit_args) {
    const uint64_t base = context_.indirect_base;
    store(arguments_.implicit_args.data() + kLocalIdTablePointer, base + table_offset);
    for (const binary::PayloadArg* place : arguments_.implicit_args_places) {
      if (place->size != sizeof base || place->offset + sizeof base > arguments_.cross_thread.size())
        invalid("payload entry '" + place->type_name + "' has " + std::to_string(place->size) + " bytes instead of 8");
      store(arguments_.cross_thread.data() + place->offset, base);
    }
  }
  inline_data_.assign(arguments_.cross_thread.begin(),
                      arguments_.cross_thread.begin() + static_cast<std::ptrdiff_t>(from_memory));
  auto at = std::copy(arguments_.implicit_args.begin(), arguments_.implicit_args.end(), data.begin());
  at = std::copy(arguments_.cross_thread.begin() + static_cast<std::ptrdiff_t>(from_memory),
                 arguments_.cross_thread.end(), at);
  if (!hardware_local_ids_) std::copy(id_block_.bytes.begin(), id_block_.bytes.end(), at);
  std::copy(table.bytes.begin(), table.bytes.end(), data.begin() + static_cast<std::ptrdiff_t>(table_offset));
  if (has_implicit_args) std::memcpy(low_copy_.data(), data.data(), data.size());
}

void Payload::register_own_memory() {
  if (low_copy_.data() != nullptr) {
    Allocation allocation;
    allocation.base = low_copy_.address();
    allocation.size = context_.indirect_data.size();
    allocation.kind = MemoryKind::Internal;
    allocation.read_only = true;
    allocation.label = "implicit arguments of the launch";
    arguments_.allocations.push_back(std::move(allocation));
  }
  if (arguments_.allocations.empty() && launch_.memory != nullptr) {
    memory_ = launch_.memory;
    return;
  }
  std::vector<Allocation> all;
  if (launch_.memory != nullptr) all = launch_.memory->allocations();
  all.insert(all.end(), arguments_.allocations.begin(), arguments_.allocations.end());
  std::sort(all.begin(), all.end(), [](const Allocation& a, const Allocation& b) { return a.base < b.base; });
  memory_ = std::make_shared<MemorySnapshot>(std::move(all));
}

std::array<uint32_t, 3> Payload::group_id(uint64_t linear) const {
  const uint64_t x = launch_.groups[0], y = launch_.groups[1];
  return {static_cast<uint32_t>(linear % x), static_cast<uint32_t>(linear / x % y),
          static_cast<uint32_t>(linear / (x * y))};
}

void Payload::start_group(Group& group, uint64_t linear) const {
  group.id = group_id(linear);
  group.linear = linear;
  group.threads.resize(threads_);
  group.slm.assign(context_.slm_bytes, std::byte{options_.poison});
  group.barrier_arrived = 0;
  group.barrier_active_only = false;
  group.named_barriers.fill({});
  group.finished = 0;
  group.progress = 0;
}

void Payload::start_thread(Thread& t, Group& group, uint32_t index, uint32_t hardware_thread) const {
  const uint32_t grf = kernel_.device->grf_bytes();
  std::memset(t.regs.data(), options_.poison, size_t{kernel_.binary.grf_count} * grf);
  // Accumulators, addresses, flags and state registers start at 0; the null register stays 0.
  std::memset(t.at(regspace::kAcc), 0, regspace::kNull - regspace::kAcc);
  t.acc64.fill(0);
  t.wait_pc.fill(UINT32_MAX);  // no channel waits
  t.dispatch_mask = ids_.dispatch_mask(index);
  t.exec_mask = t.dispatch_mask;
  t.next = entry_uop_;
  t.status = ThreadStatus::Ready;
  t.id = index;
  t.barrier_signals = 0;
  t.named_signals = 0;
  t.waiting_pc = entry_;
  t.group = &group;
  t.scratch.assign(context_.scratch_bytes, std::byte{options_.poison});

  // r0 (isa.md section 2): [0] indirect data, [1] group x, [2] thread in group 7:0 and threads per group
  // 31:24 (IGC IR_Builder::generateSingleBarrier), [5] FFTID and scratch surface, [6] group y, [7] group z.
  std::array<uint32_t, 16> r0{};
  r0[0] = context_.indirect_base;
  r0[1] = group.id[0];
  r0[2] = (index & 0xFF) | (threads_ << 24);
  r0[5] = (hardware_thread & kFftidMask) | kScratchSurface;
  r0[6] = group.id[1];
  r0[7] = group.id[2];
  std::memcpy(t.at(0), r0.data(), grf);

  uint32_t at = grf;
  if (hardware_local_ids_ && !id_block_.bytes.empty()) {
    std::memcpy(t.at(at), id_block_.bytes.data() + size_t{id_block_.stride} * index, id_block_.stride);
    at += (id_block_.stride + grf - 1) / grf * grf;
  }
  std::copy(inline_data_.begin(), inline_data_.end(), t.at(at));

  store(t.at(regspace::kState), state_register_thread_id(kernel_.device->platform, hardware_thread));
  store(t.at(regspace::kState + 8), t.dispatch_mask);  // sr0.2
  store(t.at(regspace::kChannelEnable), t.dispatch_mask);
}

}  // namespace xeforge::machine
