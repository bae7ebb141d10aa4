// SPDX-License-Identifier: Apache-2.0
#include "observe/recorder.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace xeforge::observe {
namespace {

using machine::Footprint;

constexpr uint64_t kPlacement = uint64_t{1} << 21;  // device memory is mapped in pages of 2 MiB

using Path = std::vector<uint16_t>;
struct PathHash {
  size_t operator()(const Path& path) const {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(path.data()), path.size() * sizeof(Path::value_type)});
  }
};

/// Paths by number, each once.
class PathTable {
 public:
  uint32_t index_of(const Path& path) {
    const auto [found, is_new] = index_.try_emplace(path, static_cast<uint32_t>(all_.size()));
    if (is_new) all_.push_back(&found->first);
    return found->second;
  }
  const std::vector<const Path*>& all() const { return all_; }

 private:
  std::unordered_map<Path, uint32_t, PathHash> index_;
  std::vector<const Path*> all_;
};

}  // namespace

void AddressSpace::place(const machine::Allocation& a, uint64_t& next) {
  if (!bases_.try_emplace(a.id, next).second) return;
  next += (a.size + kPlacement - 1) / kPlacement * kPlacement;
}

void AddressSpace::admit(const std::vector<machine::Allocation>& allocations, const std::vector<uint64_t>& arguments) {
  for (const uint64_t pointer : arguments) {
    for (const machine::Allocation& a : allocations) {
      if (a.contains(pointer, 1)) place(a, arguments_);
    }
  }
  std::map<uint64_t, const machine::Allocation*> by_number;
  for (const machine::Allocation& a : allocations) by_number[a.id] = &a;
  for (const auto& [id, allocation] : by_number) place(*allocation, others_);
}

void AddressSpace::admit_own(const machine::Allocation& allocation) { place(allocation, own_); }

struct Recorder::Part {
  struct Thread {
    uint64_t group;
    uint32_t id, path;
    uint64_t messages, bytes;
  };
  PathTable paths;
  std::vector<std::byte> messages;
  std::vector<Thread> threads;
};

class WorkerRecorder : public machine::Observer {
 public:
  WorkerRecorder(Recorder& recorder, const machine::LaunchContext& context)
      : Observer(Detail::Sends),
        recorder_(recorder),
        named_barriers_(context.code->platform == isa::Platform::Xe2),
        part_(std::make_shared<Recorder::Part>()) {
    if (context.code->blocks.size() > UINT16_MAX)
      throw std::length_error("recorder: a kernel of " + std::to_string(context.code->blocks.size()) + " blocks");
  }

  void group_begins(const machine::Group& group, uint32_t) override {
    if (!recorder_.choice_ || recorder_.choice_(group.linear)) wanted_.push_back(group.linear);
  }
  void group_ends(const machine::Group& group) override {
    wanted_.erase(std::remove(wanted_.begin(), wanted_.end(), group.linear), wanted_.end());
  }

  void thread_begins(machine::Thread& t) override {
    if (std::find(wanted_.begin(), wanted_.end(), t.group->linear) == wanted_.end()) return;
    std::unique_ptr<Log>& log = logs_[&t];
    if (idle_.empty()) {
      log = std::make_unique<Log>();
    } else {
      log = std::move(idle_.back());
      idle_.pop_back();
    }
    last_thread_ = nullptr;
  }

  void thread_ends(machine::Thread& t) override {
    Log* log = log_of(t);
    if (log == nullptr) return;
    part_->threads.push_back(
        {t.group->linear, t.id, part_->paths.index_of(log->path), part_->messages.size(), log->messages.size()});
    part_->messages.insert(part_->messages.end(), log->messages.begin(), log->messages.end());
    log->path.clear();
    log->messages.clear();
    log->writer = {};
    idle_.push_back(std::move(logs_[&t]));
    logs_.erase(&t);
    last_thread_ = nullptr;
  }

  void block(machine::Thread& t, uint32_t block) override {
    if (Log* log = log_of(t)) log->path.push_back(static_cast<uint16_t>(block));
  }

  void before(machine::Thread& t, const machine::Uop& u) override {
    Log* log = log_of(t);
    if (log == nullptr) return;
    machine::footprint(t, u, footprint_);
    message_.kind = footprint_.kind;
    message_.space = footprint_.space;
    message_.channels = static_cast<uint8_t>(__builtin_popcount(footprint_.channels));
    message_.dynamic = u.inst->msg.desc_in_reg;
    if (message_.dynamic) {
      message_.transposed = footprint_.message->transposed;
      message_.return_registers = footprint_.message->dst_len;
      message_.payload_registers = static_cast<uint8_t>(footprint_.message->src0_len + footprint_.message->src1_len);
    }
    message_.contiguous = false;
    message_.barrier_payload = named_barriers_ ? footprint_.barrier_payload : 0;
    if (footprint_.space == Footprint::Space::Slm) {
      note_banks();
    } else if (footprint_.space != Footprint::Space::None) {
      note_lines(t);
    }
    log->writer.append(message_, log->messages);
  }

  std::shared_ptr<Recorder::Part> part() const { return part_; }

 private:
  struct Log {
    Path path;
    std::vector<std::byte> messages;
    MessageWriter writer;
  };

  Log* log_of(const machine::Thread& t) {
    if (&t != last_thread_) {
      last_thread_ = &t;
      const auto found = logs_.find(&t);
      last_log_ = found == logs_.end() ? nullptr : found->second.get();
    }
    return last_log_;
  }

  /// Address of a piece in the recording's space. Pieces lie in allocations: the handler checks that; a prefetch need
  /// not.
  bool translate(const machine::Thread& t, uint64_t address, uint64_t& out) {
    if (footprint_.space == Footprint::Space::Scratch) {
      out = address;
      return true;
    }
    if (footprint_.space == Footprint::Space::Indirect) {
      out = kIndirectAddress + address;
      return true;
    }
    if (address < base_ || address >= end_) {
      const machine::Allocation* a = t.worker->memory->find(address);
      if (a == nullptr) return false;
      base_ = a->base;
      end_ = a->base + a->size;
      shift_ = recorder_.base_of(*a) - a->base;
    }
    out = address + shift_;
    return true;
  }

  void note_lines(const machine::Thread& t) {
    uint32_t n = 0;
    bool contiguous = true;
    for (const Footprint::Piece& piece : footprint_) {
      uint64_t address = 0;
      if (!translate(t, piece.address, address)) continue;
      const uint64_t last = (address + piece.bytes - 1) >> kLineShift;
      for (uint64_t line = address >> kLineShift; line <= last; ++line) {
        if (n != 0 && line == message_.line[n - 1]) continue;
        // Ascending without gaps is what nearly all messages do: nothing to search for then.
        if (n != 0 && !(contiguous && line == message_.line[n - 1] + 1)) {
          const auto end = message_.line.begin() + n;
          if (std::find(message_.line.begin(), end, line) != end) continue;
          contiguous = false;
        }
        if (n < RecordedMessage::kMaxLines) message_.line[n++] = line;
      }
    }
    message_.lines = n;
    message_.contiguous = contiguous;
    message_.first_line = n == 0 ? 0 : message_.line[0];
  }

  void note_banks() {
    dwords_.clear();
    for (const Footprint::Piece& piece : footprint_) {
      const auto first = static_cast<uint32_t>(piece.address / 4);
      const auto last = static_cast<uint32_t>((piece.address + piece.bytes - 1) / 4);
      for (uint32_t dword = first; dword <= last; ++dword) dwords_.push_back(dword);
    }
    message_.slm_dword = dwords_.empty() ? 0 : dwords_.front();
    std::sort(dwords_.begin(), dwords_.end());
    dwords_.erase(std::unique(dwords_.begin(), dwords_.end()), dwords_.end());
    std::array<uint8_t, kSlmBanks> load{};
    for (const uint32_t dword : dwords_) ++load[dword % kSlmBanks];
    message_.slm_dwords = static_cast<uint16_t>(dwords_.size());
    message_.slm_cycles = *std::max_element(load.begin(), load.end());
  }

  Recorder& recorder_;
  bool named_barriers_;
  std::shared_ptr<Recorder::Part> part_;
  std::unordered_map<const machine::Thread*, std::unique_ptr<Log>> logs_;
  std::vector<std::unique_ptr<Log>> idle_;
  std::vector<uint64_t> wanted_;  ///< groups of this worker that are recorded and have not ended
  const machine::Thread* last_thread_ = nullptr;
  Log* last_log_ = nullptr;
  Footprint footprint_;
  RecordedMessage message_;
  std::vector<uint32_t> dwords_;
  uint64_t base_ = 1, end_ = 0, shift_ = 0;  ///< the allocation last hit
};

uint64_t Recorder::base_of(const machine::Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  if (!space_.has(allocation.id)) space_.admit_own(allocation);
  return space_.base_of(allocation.id);
}

std::unique_ptr<machine::Observer> Recorder::begin_worker(const machine::LaunchContext& context) {
  const std::lock_guard lock(mutex_);
  if (!begun_ && context.launch->memory != nullptr) {
    std::vector<uint64_t> pointers;
    for (const machine::ArgumentValue& argument : context.launch->arguments) {
      if (argument.kind == machine::ArgumentValue::Kind::Pointer) pointers.push_back(argument.pointer);
    }
    space_.admit(context.launch->memory->allocations(), pointers);
  }
  begun_ = true;
  slm_bytes_ = context.slm_bytes;
  scratch_bytes_ = context.scratch_bytes;
  return std::make_unique<WorkerRecorder>(*this, context);
}

void Recorder::end_worker(std::unique_ptr<machine::Observer> observer) {
  const std::lock_guard lock(mutex_);
  parts_.push_back(static_cast<WorkerRecorder&>(*observer).part());
}

Recording Recorder::take(const machine::Launch& launch, const machine::LaunchResult& result) {
  const machine::Kernel& kernel = *launch.kernel;
  Recording r;
  r.kernel = kernel.name;
  r.device = kernel.device->id;
  r.grid = launch.groups;
  r.local = launch.local;
  r.groups_in_grid = uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2];
  r.threads_per_group = r.groups_in_grid == 0 ? 0 : static_cast<uint32_t>(result.counts.threads / r.groups_in_grid);
  r.simd = kernel.binary.simd_size;
  r.grf = kernel.binary.grf_count;
  r.slm_bytes = slm_bytes_;
  r.barriers = kernel.binary.barrier_count;
  r.scratch_bytes = scratch_bytes_;
  r.fused = kernel.device->fused_eus;
  r.program = kernel.program;
  r.entries = machine::entry_points(kernel.binary);
  for (const machine::Block& block : kernel.code->blocks) r.blocks.push_back({block.inst_first, block.inst_count});
  const auto instructions = kernel.program->instructions();
  for (size_t i = 0; i < result.counts.executed.size(); ++i) {
    r.instructions += result.counts.executed[i];
    if (instructions[i].is_send()) r.sends += result.counts.executed[i];
  }

  // In the order of groups and threads, whichever worker ran them.
  struct Source {
    const Part* part;
    const Part::Thread* thread;
  };
  std::vector<Source> all;
  size_t bytes = 0;
  for (const auto& part : parts_) {
    for (const Part::Thread& thread : part->threads) all.push_back({part.get(), &thread});
    bytes += part->messages.size();
  }
  std::sort(all.begin(), all.end(), [](const Source& a, const Source& b) {
    return std::pair(a.thread->group, a.thread->id) < std::pair(b.thread->group, b.thread->id);
  });
  PathTable paths;
  r.messages.reserve(bytes);
  for (const Source& source : all) {
    const Part::Thread& thread = *source.thread;
    if (r.groups.empty() || r.groups.back().linear != thread.group)
      r.groups.push_back({thread.group, static_cast<uint32_t>(r.threads.size())});
    r.threads.push_back({paths.index_of(*source.part->paths.all()[thread.path]), r.messages.size()});
    const auto first = source.part->messages.begin() + static_cast<std::ptrdiff_t>(thread.messages);
    r.messages.insert(r.messages.end(), first, first + static_cast<std::ptrdiff_t>(thread.bytes));
  }
  for (const Path* path : paths.all()) r.paths.push_back(*path);
  parts_.clear();
  return r;
}

}  // namespace xeforge::observe
