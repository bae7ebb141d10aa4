// SPDX-License-Identifier: Apache-2.0
//
// Compares what footprint() says of a message with what its handler does, for every send that runs on a Bench:
// - a store changes every byte that it announces and no other;
// - the result of a load does not depend on any byte that it does not announce, and does on each piece it does;
// - an atomic changes nothing that it does not announce; everything else changes no memory.
// Handlers are executed again on copies of the thread for that; memory is put back.
#pragma once

#include <functional>
#include <vector>

#include "machine/footprint.h"
#include "machine/observer.h"

namespace xeforge::machine::test {

class FootprintCheck : public Observer {
 public:
  FootprintCheck() : Observer(Detail::Sends) {}
  void before(Thread& t, const Uop& u) override;
  void after(Thread& t, const Uop& u) override;

  uint64_t checked(Footprint::Kind kind) const { return checked_[static_cast<size_t>(kind)]; }

 private:
  struct Area {
    Footprint::Space space;
    std::byte* memory;
    uint64_t address;  ///< of its first byte as footprints count
    size_t bytes;
    std::vector<std::byte> before, after;
    std::vector<bool> announced;
  };

  void collect(Thread& t);
  void announce();
  void run_again(Thread& t, const Uop& u);
  void check_store(Thread& t, const Uop& u);
  void check_load(Thread& t, const Uop& u);
  void expect_unannounced_unchanged();

  Footprint footprint_;
  std::vector<Area> areas_;
  Thread saved_;
  uint64_t checked_[8] = {};
};

}  // namespace xeforge::machine::test
