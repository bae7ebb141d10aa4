// SPDX-License-Identifier: Apache-2.0
#include "driver/launch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>

#include "driver/check.h"
#include "driver/printf_output.h"
#include "driver/report.h"
#include "driver/settings.h"
#include "driver/state.h"
#include "driver/timed.h"

namespace xeforge::driver {
namespace {

using binary::ArgType;

bool takes(const binary::Kernel& kernel, ArgType type) {
  return std::any_of(kernel.payload.begin(), kernel.payload.end(), [&](const auto& arg) { return arg.type == type; });
}

void check_arguments(const Kernel& kernel) {
  for (const auto& arg : kernel.binary().payload) {
    if (arg.arg_index >= 0 &&
        kernel.arguments[static_cast<size_t>(arg.arg_index)].kind == machine::ArgumentValue::Kind::Unset) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "argument " + std::to_string(arg.arg_index) + " of kernel " +
                                                           kernel.binary().name + " was never set");
    }
  }
}

void check_local_memory(const Kernel& kernel) {
  uint64_t bytes = kernel.binary().slm_size;
  for (const auto& argument : kernel.arguments) {
    bytes += argument.slm_bytes;
  }
  if (const auto& model = kernel.image->model(); bytes > model.slm_per_group) {
    throw ApiError(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "kernel " + kernel.binary().name + " wants " +
                                                             std::to_string(bytes) +
                                                             " bytes of local memory, a group of " + model.name +
                                                             " has " + std::to_string(model.slm_per_group));
  }
}

// What the kernel's printf calls wrote; the first word counts the bytes in use, itself included.
class PrintfBuffer {
 public:
  explicit PrintfBuffer(Usm& usm)
      : usm_(usm), memory_(usm.allocate(machine::MemoryKind::Internal, kBytes, 0, "printf buffer")) {
    const uint32_t used = sizeof(uint32_t);
    std::memcpy(memory_, &used, sizeof used);
  }
  ~PrintfBuffer() { usm_.free(memory_); }
  PrintfBuffer(const PrintfBuffer&) = delete;
  PrintfBuffer& operator=(const PrintfBuffer&) = delete;

  uint64_t address() const { return reinterpret_cast<uintptr_t>(memory_); }
  uint32_t used() const {
    uint32_t used = 0;
    std::memcpy(&used, memory_, sizeof used);
    return std::min(used, static_cast<uint32_t>(kBytes)) - static_cast<uint32_t>(sizeof(uint32_t));
  }
  std::span<const std::byte> records() const {
    return {static_cast<const std::byte*>(memory_) + sizeof(uint32_t), used()};
  }

 private:
  static constexpr size_t kBytes = size_t{4} << 20;
  Usm& usm_;
  void* memory_;
};

std::optional<std::string> string_at(const machine::MemorySnapshot& memory, uint64_t address) {
  const machine::Allocation* allocation = memory.find(address);
  if (allocation == nullptr) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(address);
  return std::string(text, strnlen(text, allocation->base + allocation->size - address));
}

// Where Intel's driver prints it, too.
void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

LaunchRequest capture_launch(const Kernel& kernel, const std::array<uint32_t, 3>& groups) {
  const binary::Kernel& binary = kernel.binary();
  if (!binary.invalid_reason.empty()) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY,
                   "kernel " + binary.name + " must not be launched: " + binary.invalid_reason);
  }
  if (kernel.group_size[0] == 0) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
                   "the group size of kernel " + binary.name + " was never set");
  }
  check_arguments(kernel);
  check_local_memory(kernel);
  LaunchRequest request;
  request.image = kernel.image;
  request.launch.kernel = kernel.code;
  request.launch.groups = groups;
  request.launch.local = kernel.group_size;
  request.launch.global_offset = kernel.global_offset;
  request.launch.arguments = kernel.arguments;
  request.launch.const_base = kernel.image->const_base();
  request.launch.global_base = kernel.image->global_base();
  return request;
}

Outcome run_launch(LaunchRequest request) {
  machine::Launch& launch = request.launch;
  if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) {
    return {};
  }
  Device& device = state().device;
  const Usm::Use use(device.usm);
  const std::lock_guard one_at_a_time(device.execution);

  std::optional<PrintfBuffer> printf_buffer;
  if (takes(launch.kernel->binary, ArgType::PrintfBuffer)) {
    printf_buffer.emplace(device.usm);
    launch.printf_buffer = printf_buffer->address();
  }
  launch.memory = device.usm.snapshot();
  machine::RunOptions options;
  options.host_threads = settings().host_threads;
  options.watchdog_instructions = settings().watchdog_instructions;
  options.stateful_bounds_are_errors = settings().stateful_bounds_are_errors;
  options.exchange_pairs = settings().exchange_pairs;

  Outcome outcome;
  Interval time;
  time.start = device_ticks();
  std::optional<SimulatedTime> simulated;
  const machine::LaunchResult result = checking()    ? run_checked(request, options)
                                       : recording() ? run_recorded(launch, options, simulated)
                                                     : machine::run(launch, options);
  time.end = simulated
                 ? time.start + static_cast<uint64_t>(std::llround(simulated->kernel_us * (kTicksPerSecond / 1e6)))
                 : device_ticks();
  outcome.time = time;
  if (printf_buffer.has_value() && printf_buffer->used() > 0) {
    print(printf_text(printf_buffer->records(), [&](uint64_t address) { return string_at(*launch.memory, address); }));
  }
  record_launch(launch, result, simulated);
  if (result.fault.has_value()) {
    const std::string text = result.fault->to_string();
    say(text);
    // UNKNOWN is an error that both SYCL adapters pass on as an exception and forget; DEVICE_LOST would say that no
    // further call can succeed.
    outcome.failure = std::make_shared<Failure>(ZE_RESULT_ERROR_UNKNOWN, text);
  }
  return outcome;
}

}  // namespace xeforge::driver
