// SPDX-License-Identifier: Apache-2.0
//
// One hand-made thread to run assembled messages on: registers, memory and surfaces are set by
// the test, the code goes through IGA, the decoder, translate() and run_thread().
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "footprint_check.h"
#include "isa/decode.h"
#include "machine/code.h"
#include "machine/memory.h"
#include "machine/thread.h"

namespace xeforge::machine::test {

class Bench {
 public:
  explicit Bench(const std::string& device_id);

  const device::Device& device() const { return device_; }
  unsigned grf_bytes() const { return device_.grf_bytes(); }
  Thread& thread() { return *group_.threads[0]; }
  Group& group() { return group_; }
  LaunchContext& context() { return context_; }
  RunOptions& options() { return options_; }

  /// `bytes` of global memory, 64-byte aligned, filled with 0xEE, with unregistered bytes on both sides.
  std::byte* allocate(size_t bytes);
  /// Registers [base, base + bytes) of other memory.
  void add_memory(void* base, size_t bytes);
  /// A bindless surface; returns its state offset.
  uint32_t add_surface(const void* base, uint64_t bytes, bool report = true);
  void bind(unsigned bti, const void* base, uint64_t bytes, bool report = false);
  void set_slm(size_t bytes) { group_.slm.assign(bytes, std::byte{0xEE}); }
  void set_scratch(size_t bytes) { thread().scratch.assign(bytes, std::byte{0xEE}); }

  template <class T>
  void put(unsigned reg, const std::vector<T>& values, unsigned first = 0) {
    std::memcpy(thread().at(reg * grf_bytes()) + first * sizeof(T), values.data(), values.size() * sizeof(T));
  }
  template <class T>
  std::vector<T> get(unsigned reg, size_t n, size_t first = 0) {
    std::vector<T> values(n);
    std::memcpy(values.data(), thread().at(static_cast<uint32_t>(reg * grf_bytes() + first * sizeof(T))),
                n * sizeof(T));
    return values;
  }
  template <class T>
  T element(unsigned reg, size_t index) {
    return get<T>(reg, 1, index)[0];
  }
  void set_a0(unsigned dword, uint32_t value) { std::memcpy(thread().at(regspace::kAddress + 4 * dword), &value, 4); }
  /// The code is ngen's from now on, or a compiler's.
  void set_from_compiler(bool yes) { kernel_->binary.from_compiler = yes; }
  /// Channels enabled for instructions without (W).
  void set_mask(uint32_t mask) { thread().exec_mask = mask; }

  /// Runs the instructions and an end of thread. The fault, if there was one.
  std::optional<FaultException> run(const std::string& text);
  /// The same, expecting no fault.
  void run_ok(const std::string& text);
  /// Runs code that must fault and returns it.
  FaultException run_fault(const std::string& text);
  std::shared_ptr<const Code> translate_text(const std::string& text) const;
  /// Watches instead of the check that every message does what its footprint says.
  void observe(Observer* observer) { worker_.observer = observer; }
  const FootprintCheck& footprint_check() const { return footprint_check_; }
  /// Continues with other code: another host thread's view of the same memory.
  void refresh_memory();

 private:
  const device::Device& device_;
  RunOptions options_;
  std::shared_ptr<Kernel> kernel_ = std::make_shared<Kernel>();
  Launch launch_;
  LaunchContext context_;
  Worker worker_;
  Group group_;
  MemoryMap map_;
  FootprintCheck footprint_check_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// Runs `text`, which is dpasw and nothing else, on a fused pair: the threads of the two benches.
void run_pair(Bench& even, Bench& odd, const std::string& text);

/// Bytes 0, 1, 2, ... with a period that no element size divides.
void fill_pattern(std::byte* memory, size_t bytes);

inline uint64_t address_of(const void* p) { return reinterpret_cast<uint64_t>(p); }

}  // namespace xeforge::machine::test
