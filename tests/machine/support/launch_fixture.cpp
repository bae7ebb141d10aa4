// SPDX-License-Identifier: Apache-2.0
#include "support/launch_fixture.h"

#include "compile/compile.h"
#include "isa/decode.h"

namespace xeforge::machine::test {

binary::Kernel assembled_kernel(const std::string& name, isa::Platform platform, const std::string& text) {
  binary::Kernel kernel;
  kernel.name = name;
  kernel.code = isa::assemble(platform, text + "\n(W) send.gtwy (1|M0) null r112 null 0x0 0x02000010 {EOT}\n");
  kernel.simd_size = platform == isa::Platform::Xe2 ? 16 : 8;
  kernel.grf_count = 128;
  kernel.inline_data_payload_size = 32;
  binary::PayloadArg pointer;
  pointer.type = binary::ArgType::ByPointer;
  pointer.type_name = "arg_bypointer";
  pointer.offset = 0;
  pointer.size = 8;
  pointer.arg_index = 0;
  pointer.addrmode = binary::AddrMode::Stateless;
  pointer.addrspace = binary::AddrSpace::Global;
  kernel.payload.push_back(pointer);
  return kernel;
}

std::shared_ptr<const Kernel> prepare_text(const std::string& device_id, const std::string& text,
                                           const std::function<void(binary::Kernel&)>& adjust) {
  const device::Device& device = device::find_device(device_id);
  binary::Kernel kernel = assembled_kernel("assembled", device.platform, text);
  if (adjust) adjust(kernel);
  return prepare_kernel(kernel, device);
}

binary::Zebin compile_opencl(const std::string& device_id, const std::string& source, const std::string& options) {
  compile::Request request;
  compile::Source& text = request.sources.emplace_back();
  text.kind = compile::Source::Kind::OpenClC;
  const auto* bytes = reinterpret_cast<const std::byte*>(source.data());
  text.bytes.assign(bytes, bytes + source.size());
  request.options = options;
  request.device = &device::find_device(device_id);
  const compile::Result result = compile::compile(request);
  if (!result.ok) throw std::runtime_error("does not compile: " + result.error + "\n" + result.log);
  return binary::read_zebin(result.zebin);
}

void LaunchFixture::clear_buffers() {
  for (auto& bytes : buffers_) std::fill(bytes.begin(), bytes.end(), std::byte{0});
}

Launch LaunchFixture::launch(std::shared_ptr<const Kernel> kernel, std::array<uint32_t, 3> groups,
                             std::array<uint32_t, 3> local, std::vector<ArgumentValue> arguments) {
  Launch launch;
  launch.kernel = std::move(kernel);
  launch.groups = groups;
  launch.local = local;
  launch.arguments = std::move(arguments);
  launch.memory = map_.snapshot();
  return launch;
}

LaunchResult LaunchFixture::run_ok(const Launch& launch, RunOptions options) {
  LaunchResult result = run(launch, options);
  EXPECT_FALSE(result.fault.has_value()) << result.fault->to_string();
  return result;
}

Fault LaunchFixture::run_fault(const Launch& launch, FaultKind kind, RunOptions options) {
  const LaunchResult result = run(launch, options);
  EXPECT_TRUE(result.fault.has_value()) << "expected: " << name_of(kind);
  if (!result.fault) return {};
  EXPECT_EQ(result.fault->kind, kind) << result.fault->to_string();
  return *result.fault;
}

LaunchResult LaunchFixture::run_everywhere(const Launch& launch, RunOptions options) {
  const std::deque<std::vector<std::byte>> before = buffers_;
  std::deque<std::vector<std::byte>> after;
  LaunchResult first;
  for (const unsigned workers : {1u, 2u, 8u}) {
    for (size_t i = 0; i < buffers_.size(); ++i) std::copy(before[i].begin(), before[i].end(), buffers_[i].begin());
    options.host_threads = workers;
    const LaunchResult result = run_ok(launch, options);
    if (workers == 1) {
      first = result;
      after = buffers_;
      continue;
    }
    EXPECT_EQ(result.counts.executed, first.counts.executed) << workers << " host threads";
    EXPECT_EQ(result.counts.threads, first.counts.threads);
    EXPECT_EQ(result.counts.groups, first.counts.groups);
    EXPECT_EQ(buffers_, after) << workers << " host threads";
  }
  return first;
}

}  // namespace xeforge::machine::test
