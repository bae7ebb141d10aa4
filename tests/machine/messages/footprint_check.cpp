// SPDX-License-Identifier: Apache-2.0
#include "footprint_check.h"

#include <cstring>

#include <gtest/gtest.h>

#include "isa/message.h"

namespace xeforge::machine::test {
namespace {

std::byte inverted(std::byte b) { return ~b; }

std::vector<std::byte> registers_of(const Thread& t) { return {t.regs.begin(), t.regs.begin() + regspace::kGrfBytes}; }

/// A second thread with the first one's state; memory, group and worker are shared.
void copy_thread(const Thread& from, Thread& to) {
  to.regs = from.regs;
  to.exec_mask = from.exec_mask;
  to.dispatch_mask = from.dispatch_mask;
  to.id = from.id;
  to.group = from.group;
  to.worker = from.worker;
}

}  // namespace

void FootprintCheck::collect(Thread& t) {
  areas_.clear();
  const auto add = [this](Footprint::Space space, std::byte* memory, uint64_t address, size_t bytes) {
    if (bytes == 0) return;
    Area area{space, memory, address, bytes, {memory, memory + bytes}, {}, std::vector<bool>(bytes)};
    areas_.push_back(std::move(area));
  };
  for (const Allocation& a : t.worker->memory->allocations()) {
    add(Footprint::Space::Global, reinterpret_cast<std::byte*>(a.base), a.base, a.size);
  }
  add(Footprint::Space::Slm, t.group->slm.data(), 0, t.group->slm.size());
  add(Footprint::Space::Scratch, t.scratch.data(), 0, t.scratch.size());
  LaunchContext& context = *t.worker->context;
  add(Footprint::Space::Indirect, context.indirect_data.data(), context.indirect_base, context.indirect_data.size());
}

void FootprintCheck::announce() {
  for (const Footprint::Piece& piece : footprint_) {
    bool found = false;
    for (Area& area : areas_) {
      if (area.space != footprint_.space || piece.address < area.address ||
          piece.address + piece.bytes > area.address + area.bytes) {
        continue;
      }
      found = true;
      for (uint32_t i = 0; i < piece.bytes; ++i) area.announced[piece.address - area.address + i] = true;
    }
    EXPECT_TRUE(found || footprint_.kind == Footprint::Kind::Prefetch)
        << "a piece of " << piece.bytes << " bytes at " << std::hex << piece.address << " lies in no memory";
  }
}

void FootprintCheck::before(Thread& t, const Uop& u) {
  footprint_.kind = Footprint::Kind::Other;
  footprint(t, u, footprint_);
  copy_thread(t, saved_);
  collect(t);
}

void FootprintCheck::run_again(Thread& t, const Uop& u) {
  saved_.scratch.swap(t.scratch);
  u.fn(saved_, u);
  saved_.scratch.swap(t.scratch);
}

void FootprintCheck::after(Thread& t, const Uop& u) {
  SCOPED_TRACE(isa::describe(*footprint_.message));
  announce();
  for (Area& area : areas_) area.after.assign(area.memory, area.memory + area.bytes);
  expect_unannounced_unchanged();
  ++checked_[static_cast<size_t>(footprint_.kind)];
  switch (footprint_.kind) {
    case Footprint::Kind::Store:
      return check_store(t, u);
    case Footprint::Kind::Load:
      return check_load(t, u);
    case Footprint::Kind::Atomic:
      return;
    default:
      for (const Area& area : areas_) EXPECT_EQ(area.before, area.after);
  }
}

void FootprintCheck::expect_unannounced_unchanged() {
  for (const Area& area : areas_) {
    for (size_t i = 0; i < area.bytes; ++i) {
      if (area.announced[i] || area.before[i] == area.after[i]) continue;
      ADD_FAILURE() << "byte " << i << " of an area of " << area.bytes << " was changed without being announced";
      return;
    }
  }
}

void FootprintCheck::check_store(Thread& t, const Uop& u) {
  for (Area& area : areas_) {
    for (size_t i = 0; i < area.bytes; ++i) {
      if (area.announced[i]) area.memory[i] = inverted(area.after[i]);
    }
  }
  run_again(t, u);
  for (Area& area : areas_) {
    EXPECT_EQ(std::memcmp(area.memory, area.after.data(), area.bytes), 0) << "an announced byte was not written";
    std::memcpy(area.memory, area.after.data(), area.bytes);
  }
}

void FootprintCheck::check_load(Thread& t, const Uop& u) {
  const std::vector<std::byte> result = registers_of(t);
  Thread origin;
  copy_thread(saved_, origin);
  for (Area& area : areas_) {
    for (size_t i = 0; i < area.bytes; ++i) {
      if (!area.announced[i]) area.memory[i] = inverted(area.before[i]);
    }
  }
  run_again(t, u);
  EXPECT_EQ(registers_of(saved_), result) << "the result depends on bytes that were not announced";
  for (const Footprint::Piece& piece : footprint_) {
    for (Area& area : areas_) {
      std::memcpy(area.memory, area.before.data(), area.bytes);
      if (area.space != footprint_.space || piece.address < area.address ||
          piece.address + piece.bytes > area.address + area.bytes) {
        continue;
      }
      for (uint32_t i = 0; i < piece.bytes; ++i) {
        std::byte& byte = area.memory[piece.address - area.address + i];
        byte = inverted(byte);
      }
    }
    copy_thread(origin, saved_);
    run_again(t, u);
    EXPECT_NE(registers_of(saved_), result) << "an announced piece does not matter";
  }
  for (Area& area : areas_) std::memcpy(area.memory, area.before.data(), area.bytes);
}

}  // namespace xeforge::machine::test
