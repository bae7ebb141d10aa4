// SPDX-License-Identifier: Apache-2.0
#include "machine/messages/access.h"

#include "machine/observer.h"

namespace xeforge::machine::messages {

std::string describe_access(const Call& c, uint64_t address, uint64_t bytes, int lane) {
  static constexpr const char* kVerb[] = {"reads", "writes", "updates"};
  const std::string who = lane < 0 ? "the message" : "channel " + std::to_string(lane);
  return isa::describe(c.m) + ": " + who + " " + kVerb[static_cast<unsigned>(c.access)] + " " + bytes_text(bytes) +
         " at " + hex(address);
}

Range find_allocation(const Call& c, uint64_t address) {
  Worker& worker = *c.t.worker;
  const Allocation* found = worker.memory == nullptr ? nullptr : worker.memory->find(address);
  if (found == nullptr || (found->read_only && c.access != Access::Load)) return {};
  Worker::Hit& hit = worker.hits[worker.next_hit];
  worker.next_hit = (worker.next_hit + 1) % Worker::kHits;
  hit = {found->base, found->base + found->size, found->read_only};
  return {0, hit.base, hit.end};
}

void report_fault(const Call& c, FaultException&& fault) {
  Observer* observer = c.t.worker->observer;
  if (observer != nullptr && observer->tolerates(c.t, fault)) return;
  throw std::move(fault);
}

void fault_global(const Call& c, uint64_t address, uint64_t bytes, int lane) {
  std::string text = describe_access(c, address, bytes, lane) + ", ";
  const MemorySnapshot* memory = c.t.worker->memory;
  if (memory == nullptr) {
    text += "no memory is allocated";
  } else {
    const Allocation* found = memory->find(address);
    const bool read_only = found != nullptr && found->read_only && found->contains(address, bytes);
    text += memory->describe_miss(address, bytes);
    if (read_only && c.access != Access::Load) text += ", which is read-only";
  }
  FaultException fault(FaultKind::OutOfBounds, c.u.pc, lane, std::move(text));
  fault.address = address;
  fault.has_address = true;
  report_fault(c, std::move(fault));
}

bool library_code(const Call& c) {
  const LaunchContext& context = *c.t.worker->context;
  return !context.launch->kernel->binary.from_compiler &&
         (context.options == nullptr || !context.options->stateful_bounds_are_errors);
}

bool load_across_end(const Call& c, const Range& range, uint64_t address, uint64_t bytes, std::byte* data) {
  if (c.access != Access::Load || !library_code(c)) return false;
  if (address >= range.end && range.end > range.low) {
    std::memset(data, 0, bytes);
    return true;
  }
  return load_valid_part(range, address, bytes, data);
}

void fault_misaligned(const Call& c, uint64_t address, uint64_t alignment, int lane, const char* rule) {
  static constexpr const char* kVerb[] = {"reads", "writes", "updates"};
  const std::string who = lane < 0 ? "the message" : "channel " + std::to_string(lane);
  report_fault(c, {FaultKind::Misaligned, c.u.pc, lane,
                   isa::describe(c.m) + ": " + who + " " + kVerb[static_cast<unsigned>(c.access)] + " at " +
                       hex(address) + ", which is not a multiple of " + bytes_text(alignment) + ": " + rule});
}

void fault_message(const Call& c, const std::string& what) {
  raise_fault(FaultKind::BadMessage, c.u.pc, -1, isa::describe(c.m) + ": " + what);
}

}  // namespace xeforge::machine::messages
