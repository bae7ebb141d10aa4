// SPDX-License-Identifier: Apache-2.0
//
// Device-library conversions that compile() puts in place compute what SYCL's bfloat16 computes on the host.
#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "compile/sycl_source.h"
#include "machine/launch.h"
#include "scoped_environment.h"

namespace xeforge::compile {
namespace {

/// Round to nearest even, as the hardware and SYCL's host code do; for finite values.
uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

class Executed : public testing::TestWithParam<const char*> {
 protected:
  Executed() { environment_.set("XEFORGE_CACHE_DIR", (directory_.path() / "cache").string()); }

  binary::Kernel kernel(const std::string& name) {
    const SyclResult& source = compiled_source();
    if (!source.ok) throw std::runtime_error(source.error);
    const Result result = compile(runtime_request(source.images.at(0), source.images, device()));
    if (!result.ok) throw std::runtime_error(result.error);
    const auto zebin = binary::read_zebin(result.zebin);
    const binary::Kernel* found = zebin.find_kernel("__sycl_kernel_" + name);
    if (found == nullptr) throw std::runtime_error("no kernel " + name);
    return *found;
  }
  /// Reading SYCL's headers takes seconds: once for all tests.
  static const SyclResult& compiled_source() {
    static const SyclResult result = [] {
      SyclRequest request;
      request.source = std::filesystem::path(XEFORGE_TEST_SOURCE_DIR) / "sources" / "convert.cpp";
      request.options = {"-DVECTORS", "-w"};
      return compile_sycl(request);
    }();
    return result;
  }
  const device::Device& device() const { return device::find_device(GetParam()); }

  void run(const std::string& name, uint32_t items, std::vector<std::span<std::byte>> buffers) {
    machine::MemoryMap map;
    machine::Launch launch;
    for (const auto& buffer : buffers) {
      map.add(reinterpret_cast<uint64_t>(buffer.data()), buffer.size(), machine::MemoryKind::Device);
      machine::ArgumentValue argument;
      argument.kind = machine::ArgumentValue::Kind::Pointer;
      argument.pointer = reinterpret_cast<uint64_t>(buffer.data());
      launch.arguments.push_back(std::move(argument));
    }
    launch.kernel = machine::prepare_kernel(kernel(name), device());
    launch.local = {64, 1, 1};
    launch.groups = {items / 64, 1, 1};
    launch.memory = map.snapshot();
    const auto result = machine::run(launch);
    ASSERT_FALSE(result.fault) << result.fault->to_string();
  }

  ScratchDirectory directory_;
  ScopedEnvironment environment_;
};

TEST_P(Executed, EveryBf16BecomesItsFloat) {
  std::vector<uint16_t> from(65536);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint16_t>(i);
  std::vector<float> to(from.size(), -1.0f);
  run("widen", 65536, {std::as_writable_bytes(std::span(to)), std::as_writable_bytes(std::span(from))});
  for (size_t i = 0; i < from.size(); ++i) {
    const float expected = std::bit_cast<float>(static_cast<uint32_t>(i) << 16);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(to[i])) << i;
    else
      ASSERT_EQ(std::bit_cast<uint32_t>(to[i]), std::bit_cast<uint32_t>(expected)) << i;
  }
}

TEST_P(Executed, FloatsAreRoundedToNearestEven) {
  // All exponents with mantissas around each rounding boundary.
  std::vector<float> from;
  for (uint32_t high = 0; high < 0xff00; high += 7)
    for (const uint32_t low : {0x0000u, 0x7fffu, 0x8000u, 0x8001u})
      if ((high & 0x7f80) != 0x7f80 && (high & 0x7f80) != 0) from.push_back(std::bit_cast<float>(high << 16 | low));
  from.resize(from.size() / 256 * 256);
  std::vector<uint16_t> to(from.size(), 0xdead);
  run("narrow", static_cast<uint32_t>(from.size() / 4),
      {std::as_writable_bytes(std::span(to)), std::as_writable_bytes(std::span(from))});
  for (size_t i = 0; i < from.size(); ++i) ASSERT_EQ(to[i], to_bf16(from[i])) << from[i];
}

INSTANTIATE_TEST_SUITE_P(Devices, Executed, testing::Values("a770", "b580"));

}  // namespace
}  // namespace xeforge::compile
