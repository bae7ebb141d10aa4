// SPDX-License-Identifier: Apache-2.0
//
// Launches for tests: kernels from assembled text or from OpenCL C, buffers in a memory map, and the
// check that a launch gives the same results and counts with any number of host threads.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "device/device.h"
#include "machine/launch.h"

namespace xeforge::machine::test {

/// A kernel of assembled text whose only argument is a 64-bit pointer in r1.0:uq (inline data); group ids
/// and thread number in r0. An end of thread is added.
binary::Kernel assembled_kernel(const std::string& name, isa::Platform platform, const std::string& text);
std::shared_ptr<const Kernel> prepare_text(const std::string& device_id, const std::string& text,
                                           const std::function<void(binary::Kernel&)>& adjust = {});

/// Compiles OpenCL C for the device. Fails the test if it does not compile.
binary::Zebin compile_opencl(const std::string& device_id, const std::string& source, const std::string& options = {});

class LaunchFixture : public ::testing::Test {
 protected:
  /// Zeroed global memory that lives as long as the test.
  template <class T>
  T* buffer(size_t count) {
    std::vector<std::byte>& bytes = buffers_.emplace_back(count * sizeof(T));
    map_.add(reinterpret_cast<uint64_t>(bytes.data()), bytes.size(), MemoryKind::Device);
    return reinterpret_cast<T*>(bytes.data());
  }
  void clear_buffers();

  template <class T>
  static ArgumentValue value(const T& v) {
    ArgumentValue a;
    a.kind = ArgumentValue::Kind::Bytes;
    a.bytes.resize(sizeof v);
    std::memcpy(a.bytes.data(), &v, sizeof v);
    return a;
  }
  static ArgumentValue pointer(const void* p) {
    ArgumentValue a;
    a.kind = ArgumentValue::Kind::Pointer;
    a.pointer = reinterpret_cast<uint64_t>(p);
    return a;
  }
  static ArgumentValue slm(uint32_t bytes) {
    ArgumentValue a;
    a.kind = ArgumentValue::Kind::Slm;
    a.slm_bytes = bytes;
    return a;
  }

  Launch launch(std::shared_ptr<const Kernel> kernel, std::array<uint32_t, 3> groups, std::array<uint32_t, 3> local,
                std::vector<ArgumentValue> arguments);
  /// Runs and expects success.
  LaunchResult run_ok(const Launch& launch, RunOptions options = {});
  /// Runs and expects a fault of this kind.
  Fault run_fault(const Launch& launch, FaultKind kind, RunOptions options = {});
  /// Runs with 1, 2 and 8 host threads from the same memory contents; expects the same contents and counts
  /// afterwards, and leaves them.
  LaunchResult run_everywhere(const Launch& launch, RunOptions options = {});

  MemoryMap map_;

 private:
  std::deque<std::vector<std::byte>> buffers_;
};

}  // namespace xeforge::machine::test
