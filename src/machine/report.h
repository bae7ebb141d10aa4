// SPDX-License-Identifier: Apache-2.0
//
// Who stands where: the texts of reports about threads that do not go on.
#pragma once

#include <map>
#include <set>
#include <string>

#include "machine/code.h"
#include "machine/unit.h"

namespace xeforge::machine {

/// "thread 5 waits for the barrier at 0x1a0 (sync.bar null)".
std::string describe_position(const Code& code, const Thread& t);

/// Threads that do the same at the same place, over many groups: one line each in a report.
class PositionTally {
 public:
  explicit PositionTally(const Code& code) : code_(code) {}
  void add(const Unit& unit);
  /// "10 threads (group 0,0,0: 1-5; group 1,0,0: 0-4) wait for the barrier at 0x1a0 (sync.bar null); 1 thread (...)
  /// ..."
  std::string text() const;

 private:
  struct GroupThreads {
    std::string group;
    std::set<uint32_t> threads;
  };
  struct Entry {
    uint64_t threads = 0;
    std::map<uint64_t, GroupThreads> groups;  ///< the first few, by linear group number
  };

  const Code& code_;
  std::map<std::string, Entry> entries_;
};

/// The same for the threads of one unit, with those that have ended or not started.
std::string describe_threads(const Code& code, const Unit& unit);

}  // namespace xeforge::machine
