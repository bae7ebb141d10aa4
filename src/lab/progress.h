// SPDX-License-Identifier: Apache-2.0
//
// One line on stderr that says what is being done: rewritten in place on a terminal, written once elsewhere.
#pragma once

#include <string>

namespace xeforge::lab {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& text);
  void clear();  ///< takes the line away, before something else is printed

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace xeforge::lab
