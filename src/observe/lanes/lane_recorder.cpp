// SPDX-License-Identifier: Apache-2.0
#include "observe/lanes/lane_recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

namespace xeforge::observe {
namespace {

using isa::Instruction;
using machine::Block;
using machine::Footprint;
using machine::Thread;
using machine::Uop;

uint64_t read_bits(const std::byte* at, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, std::min(bytes, 8u));
  return bits;
}

/// A message that returns one element a lane (and component), each component in registers of its own.
bool returns_by_lane(const isa::Message& m) {
  return m.returns_data && !m.transposed && (m.kind == isa::MessageKind::Load || m.kind == isa::MessageKind::Atomic);
}

/// What is being recorded of one thread.
struct Track {
  ThreadLanes lanes;
  RegisterOrigins origins;
  uint32_t cursor = 0, block_end = 0;  ///< program indices of the block in hand: not executed yet
  LaneStep step;
  bool cut = false;
};

class LaneRecorder : public machine::Observer {
 public:
  LaneRecorder(const machine::LaunchContext& context, LanesOptions options)
      : Observer(Detail::Instructions),
        code_(*context.code),
        instructions_(code_.program->instructions()),
        grf_bytes_(isa::grf_bytes(code_.platform)),
        options_(options) {
    out.lanes_acted.assign(instructions_.size(), 0);
  }

  void thread_begins(Thread& t) override {
    if (t.group->linear >= options_.groups) return;
    Track& track = tracks_[{t.group->linear, t.id}];
    track.lanes.group = t.group->id;
    track.lanes.group_linear = t.group->linear;
    track.lanes.thread = t.id;
    track.lanes.dispatch_mask = t.dispatch_mask;
  }

  void thread_ends(Thread& t) override {
    if (Track* track = find(t)) {
      finish_block(*track, t);
      track->lanes.complete = !track->cut;
    }
  }

  void block(Thread& t, uint32_t index) override {
    Track* track = find(t);
    if (track == nullptr) return;
    finish_block(*track, t);
    const Block& block = code_.blocks[index];
    track->cursor = block.inst_first;
    track->block_end = block.inst_first + block.inst_count;
  }

  void before(Thread& t, const Uop& u) override {
    const uint32_t index = index_of(u);
    out.lanes_acted[index] += static_cast<unsigned>(std::popcount(machine::channel_mask(t, u)));
    Track* track = find(t);
    if (track == nullptr) return;
    while (track->cursor < index && track->cursor < track->block_end) add_without_effect(*track, t);
    track->cursor = index + 1;
    begin_step(*track, t, u, index);
  }

  void after(Thread& t, const Uop& u) override {
    Track* track = find(t);
    if (track == nullptr) return;
    LaneStep& step = track->step;
    if (u.cond_mod != isa::FlagMod::None) {
      uint32_t flags = 0;
      std::memcpy(&flags, t.at(u.flag_offset), 4);
      step.flags = (flags >> u.flag_shift) & (u.lanes << u.channel_offset);
    }
    if (u.inst->is_send())
      finish_message(*track, t, u);
    else
      finish_values(*track, t, u);
    keep(*track, std::move(step));
  }

  void barrier_completes(machine::Group& group, int named) override {
    if (group.linear < options_.groups) out.phases.push_back({group.linear, order_, named});
  }

  Lanes take() {
    for (auto& [key, track] : tracks_) out.threads.push_back(std::move(track.lanes));
    return std::move(out);
  }

  Lanes out;

 private:
  Track* find(const Thread& t) {
    const auto found = tracks_.find({t.group->linear, t.id});
    return found == tracks_.end() ? nullptr : &found->second;
  }

  uint32_t index_of(const Uop& u) const { return static_cast<uint32_t>(u.inst - instructions_.data()); }

  void keep(Track& track, LaneStep step) {
    if (track.lanes.steps.size() < options_.steps_per_thread)
      track.lanes.steps.push_back(std::move(step));
    else
      track.cut = true;
  }

  /// Instructions such as nop and sync.nop are executed, but nobody runs them here.
  void add_without_effect(Track& track, const Thread& t) {
    LaneStep step;
    step.instruction = track.cursor++;
    step.order = order_++;
    step.enabled = t.exec_mask;
    keep(track, std::move(step));
  }

  void finish_block(Track& track, const Thread& t) {
    while (track.cursor < track.block_end) add_without_effect(track, t);
  }

  void begin_step(Track& track, Thread& t, const Uop& u, uint32_t index) {
    track.step = {};
    LaneStep& step = track.step;
    step.instruction = index;
    step.order = order_++;
    step.enabled = t.exec_mask;
    step.acted = machine::channel_mask(t, u) << u.channel_offset;
    if (u.pred != isa::PredCtrl::None) step.predicate = (machine::predicate_mask(t, u) & u.lanes) << u.channel_offset;
    if (u.inst->is_send())
      begin_message(step, t, u);
    else
      begin_values(track, t, u);
  }

  /// The lanes behind each element's sources, and where it will be written: address registers may change.
  void begin_values(Track& track, const Thread& t, const Uop& u) {
    const Instruction& inst = *u.inst;
    targets_.clear();
    if (!inst.dst.exists() || inst.dst.is_null()) return;
    const bool matrix = inst.op == isa::Opcode::Dpas || inst.op == isa::Opcode::Dpasw;
    track.step.type = inst.dst.type;
    for (unsigned e = 0; e < u.exec_size; ++e) {
      if (((track.step.acted >> (u.channel_offset + e)) & 1u) == 0) continue;
      const int32_t offset = element_offset(t, inst.dst, e, grf_bytes_, true);
      if (offset < 0) continue;
      LaneValue value;
      value.lane = static_cast<uint8_t>(u.channel_offset + e);
      for (unsigned s = 0; s < inst.num_src && !matrix; ++s)
        track.origins.collect(element_offset(t, inst.src[s], e, grf_bytes_, false), isa::bytes_of(inst.src[s].type),
                              value.from);
      targets_.push_back(offset);
      track.step.written.push_back(std::move(value));
    }
  }

  void finish_values(Track& track, const Thread& t, const Uop& u) {
    const unsigned bytes = isa::bytes_of(u.inst->dst.type);
    for (size_t i = 0; i < track.step.written.size(); ++i) {
      LaneValue& value = track.step.written[i];
      value.bits = read_bits(t.at(static_cast<uint32_t>(targets_[i])), bytes);
      // What is computed regardless of the mask from no lane's data (arguments, constants) belongs to no lane.
      const bool of_no_lane = u.no_mask && value.from.empty();
      track.origins.set(targets_[i], bytes, of_no_lane ? RegisterOrigins::kNone : value.lane);
    }
    // A dpas writes further rows, one register each, of the same lanes.
    for (unsigned row = 1; row < u.inst->dpas.repeat_count; ++row)
      for (size_t i = 0; i < track.step.written.size(); ++i)
        track.origins.set(targets_[i] + static_cast<int32_t>(row * u.exec_size * bytes), bytes,
                          track.step.written[i].lane);
  }

  void begin_message(LaneStep& step, Thread& t, const Uop& u) {
    machine::footprint(t, u, footprint_);
    step.space = footprint_.space;
    step.kind = footprint_.kind;
    for (const Footprint::Piece& piece : footprint_) {
      LaneAccess access;
      access.lane = piece.part;
      access.address = piece.address;
      access.bytes = piece.bytes;
      step.accesses.push_back(access);
    }
  }

  void finish_message(Track& track, const Thread& t, const Uop& u) {
    const bool prefetch = track.step.kind == Footprint::Kind::Prefetch;
    for (LaneAccess& access : track.step.accesses) {
      if (access.bytes > 8 || prefetch) continue;
      if (track.step.space == Footprint::Space::Slm && access.address + access.bytes <= t.group->slm.size())
        access.value = read_bits(t.group->slm.data() + access.address, access.bytes);
      // The message was executed: its addresses are those of memory that exists.
      if (track.step.space == Footprint::Space::Global)
        access.value = read_bits(reinterpret_cast<const std::byte*>(access.address), access.bytes);  // NOLINT
    }
    if (u.inst->dst.exists() && !u.inst->dst.is_null()) finish_return(track, t, u);
  }

  void finish_return(Track& track, const Thread& t, const Uop& u) {
    const isa::Message& m = footprint_.message != nullptr ? *footprint_.message : u.inst->msg;
    const uint32_t first = u.inst->dst.reg * grf_bytes_;
    track.origins.set(static_cast<int32_t>(first), m.dst_len * grf_bytes_, RegisterOrigins::kNone);
    if (!returns_by_lane(m)) return;
    const unsigned bytes = isa::register_bytes(m.data_size);
    const unsigned component = (u.exec_size * bytes + grf_bytes_ - 1) / grf_bytes_ * grf_bytes_;
    track.step.type = bytes == 8 ? isa::DataType::UQ : isa::DataType::UD;
    for (unsigned e = 0; e < u.exec_size; ++e) {
      const unsigned lane = u.channel_offset + e;
      if (((track.step.acted >> lane) & 1u) == 0) continue;
      for (unsigned c = 0; c * component < m.dst_len * grf_bytes_; ++c)
        track.origins.set(static_cast<int32_t>(first + c * component + e * bytes), bytes, static_cast<uint8_t>(lane));
      track.step.written.push_back({static_cast<uint8_t>(lane), read_bits(t.at(first + e * bytes), bytes)});
    }
  }

  const machine::Code& code_;
  std::span<const Instruction> instructions_;
  unsigned grf_bytes_;
  LanesOptions options_;
  std::map<std::pair<uint64_t, uint32_t>, Track> tracks_;
  uint32_t order_ = 0;
  std::vector<int32_t> targets_;  // of the step in hand: where its elements are written
  Footprint footprint_;
};

}  // namespace

std::unique_ptr<machine::Observer> LaneRecording::begin_worker(const machine::LaunchContext& context) {
  return std::make_unique<LaneRecorder>(context, options_);
}

void LaneRecording::end_worker(std::unique_ptr<machine::Observer> observer) {
  Lanes part = static_cast<LaneRecorder&>(*observer).take();
  const std::lock_guard lock(mutex_);
  if (lanes_.lanes_acted.size() < part.lanes_acted.size()) lanes_.lanes_acted.resize(part.lanes_acted.size());
  for (size_t i = 0; i < part.lanes_acted.size(); ++i) lanes_.lanes_acted[i] += part.lanes_acted[i];
  for (auto& thread : part.threads) lanes_.threads.push_back(std::move(thread));
  lanes_.phases.insert(lanes_.phases.end(), part.phases.begin(), part.phases.end());
  std::sort(lanes_.threads.begin(), lanes_.threads.end(), [](const ThreadLanes& a, const ThreadLanes& b) {
    return std::tie(a.group_linear, a.thread) < std::tie(b.group_linear, b.thread);
  });
}

}  // namespace xeforge::observe
