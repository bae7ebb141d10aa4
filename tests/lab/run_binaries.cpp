// SPDX-License-Identifier: Apache-2.0
//
// Loads device binaries through Level Zero, launches each of their kernels once with plausible arguments, and says how
// that ended: "corrupted refused" (module or kernel), "corrupted fault" (the launch), "corrupted ran", "corrupted
// endless" (a loop that does not end is no fault of a device), "corrupted crash SIGNAL". Each in a process of its own.
// Usage: run_binaries FILE...
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <level_zero/ze_api.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void need(ze_result_t result, const char* what) {
  if (result == ZE_RESULT_SUCCESS) return;
  throw std::runtime_error(std::string(what) + " failed with " + std::to_string(static_cast<unsigned>(result)));
}

class Session {
 public:
  Session() {
    need(zeInit(ZE_INIT_FLAG_GPU_ONLY), "zeInit");
    std::uint32_t one = 1;
    ze_driver_handle_t driver = nullptr;
    need(zeDriverGet(&one, &driver), "zeDriverGet");
    one = 1;
    need(zeDeviceGet(driver, &one, &device_), "zeDeviceGet");
    const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    need(zeContextCreate(driver, &context, &context_), "zeContextCreate");
    ze_command_queue_desc_t queue{};
    queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    queue.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    need(zeCommandListCreateImmediate(context_, device_, &queue, &list_), "zeCommandListCreateImmediate");
    const ze_device_mem_alloc_desc_t memory{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    need(zeMemAllocDevice(context_, &memory, kBytes, 64, device_, &memory_), "zeMemAllocDevice");
  }

  const char* run(const std::vector<std::uint8_t>& binary) const {
    ze_module_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
    description.format = ZE_MODULE_FORMAT_NATIVE;
    description.inputSize = binary.size();
    description.pInputModule = binary.data();
    ze_module_handle_t module = nullptr;
    if (zeModuleCreate(context_, device_, &description, &module, nullptr) != ZE_RESULT_SUCCESS) return "refused";
    std::uint32_t count = 0;
    const char* end = "refused";
    if (zeModuleGetKernelNames(module, &count, nullptr) == ZE_RESULT_SUCCESS) {
      std::vector<const char*> names(count);
      zeModuleGetKernelNames(module, &count, names.data());
      for (const char* name : names) end = launch(module, name);
    }
    zeModuleDestroy(module);
    return end;
  }

 private:
  static constexpr std::size_t kBytes = 1 << 20;

  const char* launch(ze_module_handle_t module, const char* name) const {
    const ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t kernel = nullptr;
    if (zeKernelCreate(module, &description, &kernel) != ZE_RESULT_SUCCESS) return "refused";
    const char* end = "refused";
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    std::array<std::uint32_t, 3> local{16, 1, 1};
    if (zeKernelGetProperties(kernel, &properties) == ZE_RESULT_SUCCESS && properties.requiredGroupSizeX != 0)
      local = {properties.requiredGroupSizeX, properties.requiredGroupSizeY, properties.requiredGroupSizeZ};
    for (std::uint32_t i = 0; i < properties.numKernelArgs; ++i) set_argument(kernel, i);
    if (zeKernelSetGroupSize(kernel, local[0], local[1], local[2]) == ZE_RESULT_SUCCESS) {
      const ze_group_count_t groups{2, 1, 1};
      const ze_result_t appended = zeCommandListAppendLaunchKernel(list_, kernel, &groups, nullptr, 0, nullptr);
      const ze_result_t synchronised = zeCommandListHostSynchronize(list_, UINT64_MAX);
      end = appended == ZE_RESULT_SUCCESS && synchronised == ZE_RESULT_SUCCESS ? "ran" : "fault";
    }
    zeKernelDestroy(kernel);
    return end;
  }

  /// A pointer where one fits, else a small number in the size that fits.
  void set_argument(ze_kernel_handle_t kernel, std::uint32_t index) const {
    if (zeKernelSetArgumentValue(kernel, index, sizeof memory_, &memory_) == ZE_RESULT_SUCCESS) return;
    const std::array<std::uint64_t, 2> number{16, 0};
    for (const std::size_t size : {4U, 2U, 1U, 16U}) {
      if (zeKernelSetArgumentValue(kernel, index, size, number.data()) == ZE_RESULT_SUCCESS) return;
    }
  }

  ze_device_handle_t device_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  ze_command_list_handle_t list_ = nullptr;
  void* memory_ = nullptr;
};

}  // namespace

namespace {

std::vector<std::uint8_t> read(const char* file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The child's part: says how it ended, unless it is ended.
int run_one(const char* file) {
  constexpr rlim_t kSeconds = 4;
  const rlimit limit{kSeconds, kSeconds + 5};
  ::setrlimit(RLIMIT_CPU, &limit);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  try {
    const std::vector<std::uint8_t> binary = read(file);
    if (binary.empty()) throw std::runtime_error(std::string("cannot read ") + file);
    const Session session;
    std::printf("corrupted %s\n", session.run(binary));
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int result = 0;
  for (int i = 1; i < argc; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(run_one(argv[i]));
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status)) {
      if (WTERMSIG(status) == SIGXCPU)
        std::puts("corrupted endless");
      else
        std::printf("corrupted crash %d: %s\n", WTERMSIG(status), argv[i]);
      std::fflush(stdout);
    } else if (WEXITSTATUS(status) != 0) {
      result = 1;
    }
  }
  return result;
}
