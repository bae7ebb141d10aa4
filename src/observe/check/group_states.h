// SPDX-License-Identifier: Apache-2.0
//
// State of a checker for each group under way. Groups are resumable, so that several are open at a time.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/thread.h"

namespace xeforge::observe::check {

template <class State>
class GroupStates {
 public:
  /// A fresh state; storage of groups that have ended is used again through State::reset().
  State& begin(const machine::Group& group) {
    std::unique_ptr<State>& state = open_[&group];
    if (state == nullptr) {
      if (idle_.empty()) {
        state = std::make_unique<State>();
      } else {
        state = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    last_group_ = &group;
    last_ = state.get();
    return *state;
  }
  State& of(const machine::Group& group) {
    if (&group != last_group_) {
      last_ = open_.at(&group).get();
      last_group_ = &group;
    }
    return *last_;
  }
  void end(const machine::Group& group) {
    const auto found = open_.find(&group);
    if (found == open_.end()) return;
    idle_.push_back(std::move(found->second));
    open_.erase(found);
    last_group_ = nullptr;
  }

 private:
  std::unordered_map<const machine::Group*, std::unique_ptr<State>> open_;
  std::vector<std::unique_ptr<State>> idle_;
  const machine::Group* last_group_ = nullptr;
  State* last_ = nullptr;
};

}  // namespace xeforge::observe::check
