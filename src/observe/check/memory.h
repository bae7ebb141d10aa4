// SPDX-License-Identifier: Apache-2.0
//
// The memory checker. What the machine itself refuses arrives as faults, which become findings while the execution
// goes on without the access; the rest (prefetches, read-only arguments) is looked up message by message.
#pragma once

#include "machine/footprint.h"
#include "observe/check/environment.h"
#include "observe/check/part.h"

namespace xeforge::observe::check {

/// Memory that a launch may read only through its arguments, and what the arguments promise each other.
class ArgumentRules {
 public:
  explicit ArgumentRules(const machine::Launch& launch);

  struct Range {
    uint64_t base = 0, end = 0;
    std::string argument;    ///< "argument 0 (a)"
    std::string allocation;  ///< label
  };
  /// The read-only range that holds `address`, or null.
  const Range* read_only(uint64_t address) const;
  bool any_read_only() const { return !read_only_.empty(); }
  /// One text per pair of arguments that break a restrict promise.
  const std::vector<std::string>& overlaps() const { return overlaps_; }

 private:
  std::vector<Range> read_only_;
  std::vector<std::string> overlaps_;
};

class MemoryPart final : public Part {
 public:
  MemoryPart(Findings& findings, const ArgumentRules& rules, const Environment& environment)
      : Part(findings), rules_(rules), environment_(environment) {}

  void send(machine::Thread& t, const machine::Uop& u, const machine::Footprint& f);
  /// True: the fault is a finding now, and the access is to be dropped.
  bool tolerates(machine::Thread& t, const machine::FaultException& fault);

  /// The kind that a fault of the machine is; Kind::Count_ if it is none of this checker.
  static Kind kind_of(machine::FaultKind kind);

 private:
  const ArgumentRules& rules_;
  const Environment& environment_;
};

}  // namespace xeforge::observe::check
