// SPDX-License-Identifier: Apache-2.0
#include "lab/virtual_device.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <unistd.h>

#include "device/device.h"
#include "lab/errors.h"

namespace xeforge::lab {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLoader = "libze_loader.so.1";
constexpr const char* kOpenCl = "libxeforge_ocl.so";

void set(const std::string& name, const std::string& value) {
  if (::setenv(name.c_str(), value.c_str(), 1) != 0) throw UserError("cannot set the variable " + name, Status::Failed);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Starts this program again in place of itself.
[[noreturn]] void begin_anew() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  const std::string line{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at < line.size(); at = line.find('\0', at) + 1) arguments.emplace_back(line.c_str() + at);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv("/proc/self/exe", pointers.data());
  throw UserError(std::string("cannot start again with the virtual driver: ") + std::strerror(errno), Status::Failed);
}

}  // namespace

std::vector<std::string> device_choices() {
  std::vector<std::string> ids = device::device_ids();
  ids.emplace_back(kRealDevice);
  return ids;
}

void require_device(const std::string& id) {
  const std::vector<std::string> choices = device_choices();
  if (std::find(choices.begin(), choices.end(), id) != choices.end()) return;
  std::string text;
  for (const std::string& choice : choices) text += (text.empty() ? "" : ", ") + choice;
  throw UserError("there is no device '" + id + "'. Devices: " + text + " (gpu is the real one of this machine)");
}

fs::path loader_directory() {
  std::error_code error;
  if (const char* given = std::getenv("XEFORGE_LOADER_DIR"); given != nullptr && *given != '\0') {
    if (fs::exists(fs::path(given) / kLoader, error)) return given;
    throw UserError(std::string("XEFORGE_LOADER_DIR=") + given + " holds no " + kLoader, Status::NoDevice);
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  // bin/ beside lib/ in the build directory and where it is installed; tests live in tests/bin/.
  for (const char* place : {"../lib/loader", "../" XEFORGE_LIBDIR "/loader", "../../lib/loader"}) {
    const fs::path directory = (program.parent_path() / place).lexically_normal();
    if (fs::exists(directory / kLoader, error)) return directory;
  }
  throw UserError("the virtual driver (lib/loader/" + std::string(kLoader) + ") is not beside " + program.string() +
                      ". Build it with 'make build', or name its folder: XEFORGE_LOADER_DIR=DIR",
                  Status::NoDevice);
}

std::vector<std::pair<std::string, std::string>> virtual_environment(const std::string& device,
                                                                     const std::string& keep_library_path) {
  const fs::path directory = loader_directory();
  const std::string driver = fs::canonical(directory / kLoader).string();
  const std::string opencl = (directory.parent_path() / kOpenCl).string();
  const std::string other_opencl = variable("OCL_ICD_FILENAMES");
  std::vector<std::pair<std::string, std::string>> result{
      // Libraries compile OpenCL C through the OpenCL device with the same identity. The first variable is for
      // Khronos' loader, the second for ocl-icd, which Debian has.
      {"OCL_ICD_FILENAMES", opencl + (other_opencl.empty() || other_opencl == opencl ? "" : ":" + other_opencl)},
      {"OCL_ICD_VENDORS", opencl},
      {"XEFORGE_DEVICE", device},
      {"LD_LIBRARY_PATH", directory.string() + (keep_library_path.empty() ? "" : ":" + keep_library_path)},
      // Read by the loader that is linked into SYCL's adapters, before it looks at the library path.
      {"ZEL_LIBRARY_PATH", directory.string()},
      // For programs that bring a loader of their own.
      {"ZE_ENABLE_ALT_DRIVERS", driver},
      // Else an error while SYCL waits for an unordered queue leaves that queue locked (driver/driver_api.cpp).
      {"UR_L0_QUEUE_SYNCHRONIZE_NON_BLOCKING", "0"},
      // SYCL's pools put many allocations of a program into one of ours; bounds are only known without them.
      {"UR_L0_DISABLE_USM_ALLOCATOR", "1"}};
  // Our OpenCL builds programs and runs none: SYCL must not offer it as a device beside the one of Level Zero. Said by
  // what is offered: programs made with Intel's migration tool (llama.cpp) look for the backend's name here.
  if (variable("ONEAPI_DEVICE_SELECTOR").empty())
    result.emplace_back("ONEAPI_DEVICE_SELECTOR", "level_zero:*;opencl:cpu");
  return result;
}

std::string mode_of_environment() {
  const std::string mode = variable("XEFORGE_MODE");
  return mode.empty() ? "functional" : mode;
}

void choose_mode(const std::string& device, const std::string& mode) {
  if (mode != "functional" && mode != "timed")
    throw UserError("--mode: '" + mode + "' is neither functional nor timed");
  if (mode == "timed" && device == kRealDevice)
    throw UserError("--mode timed is for the virtual devices; the real GPU has a clock of its own");
  set("XEFORGE_MODE", mode);
}

void prepare_process(const std::string& device, unsigned host_threads) {
  if (device == kRealDevice) return;
  if (host_threads != 0) set("XEFORGE_HOST_THREADS", std::to_string(host_threads));
  // A SYCL that was told elsewhere to hide Level Zero would not find the device.
  set("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu");
  const std::string path = variable("LD_LIBRARY_PATH");
  const bool prepared = path.substr(0, path.find(':')) == loader_directory() && variable("XEFORGE_DEVICE") == device;
  if (prepared) return;
  for (const auto& [name, value] : virtual_environment(device, path)) set(name, value);
  begin_anew();
}

}  // namespace xeforge::lab
