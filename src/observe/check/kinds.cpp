// SPDX-License-Identifier: Apache-2.0
#include "observe/check/kinds.h"

#include <array>
#include <stdexcept>

namespace xeforge::observe::check {
namespace {

constexpr std::array<std::string_view, kTopics> kNames = {"memory", "races", "init", "sync", "hazards"};

constexpr KindRow kRows[] = {
    {Kind::OutOfBounds, Topic::Memory, "memory.out-of-bounds", "access outside every allocation",
     "compare the index with the size of the allocation named above; guard the last group, or allocate what the grid "
     "covers"},
    {Kind::NullPointer, Topic::Memory, "memory.null-pointer", "access through a null pointer",
     "check which argument of the launch is null: the address shown is the index applied to it"},
    {Kind::UseAfterFree, Topic::Memory, "memory.use-after-free", "access to freed memory",
     "free after the queue has finished with the kernel: wait on its event first"},
    {Kind::WrongMemoryKind, Topic::Memory, "memory.wrong-kind", "memory that the device cannot reach this way",
     "pass memory from malloc_device, malloc_shared or malloc_host (or zeMemAlloc*), or an accessor"},
    {Kind::Misaligned, Topic::Memory, "memory.misaligned", "address that the message does not accept",
     "align the pointer (and the leading dimension) as the message needs, or choose an access without that rule"},
    {Kind::SlmOutOfBounds, Topic::Memory, "memory.slm-out-of-bounds", "access outside the group's local memory",
     "compare the index with the size of the local accessor or slm_init"},
    {Kind::ScratchOutOfBounds, Topic::Memory, "memory.scratch-out-of-bounds", "access outside the thread's scratch",
     "a private array is indexed beyond its end (or the compiler reserved too little)"},
    {Kind::InvalidPrefetch, Topic::Memory, "memory.invalid-prefetch", "prefetch of an address outside every allocation",
     "the prefetch does nothing: stop it at the end of the data, or look for the wrong address"},
    {Kind::Surface2d, Topic::Memory, "memory.block2d", "2D block message with a surface that the hardware refuses",
     "2D block accesses need a base of 64 bytes, a pitch of 16 bytes that is not below the width, a width of 4 bytes"},
    {Kind::ReadOnlyWrite, Topic::Memory, "memory.read-only-write", "write through a read-only argument",
     "the argument is const or read_only: the compiler and the driver may keep stale copies of what is written"},
    {Kind::OverlappingArguments, Topic::Memory, "memory.overlapping-arguments", "arguments that overlap",
     "pass separate buffers, or drop the restrict promise that lets the compiler reorder these accesses"},
    {Kind::BadMessage, Topic::Memory, "memory.bad-message", "message that the device cannot execute",
     "the descriptor or the surface is wrong: compare them with the arguments of the launch"},
    {Kind::Leak, Topic::Memory, "memory.leak", "memory that was never freed",
     "free it before the context goes: sycl::free, zeMemFree"},
    {Kind::SlmRace, Topic::Races, "races.slm", "unordered accesses to local memory within a group",
     "put a group barrier between the two accesses"},
    {Kind::GroupRace, Topic::Races, "races.group", "unordered accesses to global memory within a group",
     "put a group barrier (with a global fence) between the two accesses, or use atomics"},
    {Kind::MissingGlobalFence, Topic::Races, "races.no-global-fence",
     "global memory is exchanged through a barrier without a fence of global memory",
     "the barrier orders local memory only: ask for a fence of global memory (CLK_GLOBAL_MEM_FENCE, "
     "access::fence_space::global_and_local, fence_scope of the group or wider)"},
    {Kind::DeviceRace, Topic::Races, "races.device", "unordered accesses to global memory from different groups",
     "groups have no order: use atomics with release and acquire, or split the kernel in two launches"},
    {Kind::SameValueWrite, Topic::Races, "races.same-value-write", "two threads write the same value to one place",
     "harmless for the result, but work done twice: look at how sub-groups map to tiles (a sub-group size other than "
     "assumed?)"},
    {Kind::UndefinedStore, Topic::Init, "init.stored-value", "a value that was never written reaches memory",
     "initialise the variable on every path that leads here"},
    {Kind::UndefinedAddress, Topic::Init, "init.address", "an address is computed from a value that was never written",
     "initialise the index or pointer on every path that leads here"},
    {Kind::UndefinedBranch, Topic::Init, "init.branch", "a branch depends on a value that was never written",
     "initialise what the condition compares on every path that leads here"},
    {Kind::UndefinedMessage, Topic::Init, "init.message", "a message's header or descriptor was never written",
     "write the whole payload that the message reads (barrier headers, surface descriptors)"},
    {Kind::DivergentBarrier, Topic::Sync, "sync.divergent-barrier", "a barrier that not all threads of the group reach",
     "move the barrier out of the branch or loop whose condition differs between work-items"},
    {Kind::BarrierCount, Topic::Sync, "sync.barrier-count", "threads of one group pass a different number of barriers",
     "threads that return early leave the others' barriers unpaired: let every thread pass every barrier"},
    {Kind::MissingFence, Topic::Sync, "sync.missing-fence", "a barrier without a fence behind stores to local memory",
     "fence local memory between the stores and the barrier: the barrier alone does not wait for them"},
    {Kind::Deadlock, Topic::Sync, "sync.deadlock", "threads wait for something that cannot happen",
     "see who waits where: groups beyond the resident ones cannot start while these wait; a named barrier needs the "
     "signals of as many producers and consumers as its payload says"},
    {Kind::PairDivergence, Topic::Sync, "sync.fused-pair", "the two threads of a fused pair part",
     "dpasw, and jmpi on fused EUs, need both threads of a pair at the same instruction: make the condition uniform "
     "for the pair, or branch with goto"},
    {Kind::ReadTooEarly, Topic::Hazards, "hazards.read-too-early", "a register is read before its value must be there",
     "the reader, or an instruction before it, has to wait for the producer (SWSB distance or token .dst)"},
    {Kind::OverwrittenTooEarly, Topic::Hazards, "hazards.overwritten-too-early",
     "a register is overwritten before an earlier instruction must have read it",
     "wait for the reader first (SWSB distance or token .src)"},
    {Kind::WriteOrder, Topic::Hazards, "hazards.write-order", "two writes of a register may land in the wrong order",
     "wait for the first write before the second (SWSB distance or token .dst)"},
};
static_assert(std::size(kRows) == static_cast<size_t>(Kind::Count_));

}  // namespace

std::string_view name_of(Topic c) { return kNames[static_cast<size_t>(c)]; }

Selection parse_selection(std::string_view text) {
  Selection selection;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    bool known = word.empty();
    for (unsigned i = 0; i < kTopics; ++i) {
      if (word != kNames[i] && word != "all") continue;
      selection.add(static_cast<Topic>(i));
      known = true;
    }
    if (!known)
      throw std::invalid_argument("there is no checker '" + std::string(word) +
                                  "': memory, races, init, sync, hazards, or all");
  }
  return selection;
}

std::string text_of(Selection s) {
  std::string text;
  for (unsigned i = 0; i < kTopics; ++i) {
    if (!s.has(static_cast<Topic>(i))) continue;
    if (!text.empty()) text += ',';
    text += kNames[i];
  }
  return text;
}

const KindRow& row_of(Kind kind) { return kRows[static_cast<size_t>(kind)]; }
std::span<const KindRow> all_kinds() { return kRows; }

}  // namespace xeforge::observe::check
