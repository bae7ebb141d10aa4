// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "compile/compile.h"
#include "device/device.h"

namespace programs {

namespace {

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

const xeforge::device::Device& device_with_id(std::uint32_t pci_id) {
  for (const std::string& id : xeforge::device::device_ids()) {
    const auto& device = xeforge::device::find_device(id);
    if (device.pci_device_id == pci_id) return device;
  }
  throw std::runtime_error("no known device has the PCI id " + std::to_string(pci_id));
}

}  // namespace

void check(ze_result_t result, const char* call) {
  if (result != ZE_RESULT_SUCCESS) throw std::runtime_error(std::string(call) + " returned " + std::to_string(result));
}

Session::Session() {
  ze_init_driver_type_desc_t wanted{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, ZE_INIT_DRIVER_TYPE_FLAG_GPU};
  std::uint32_t count = 1;
  check(zeInitDrivers(&count, &driver_, &wanted), "zeInitDrivers");
  count = 1;
  check(zeDeviceGet(driver_, &count, &device_), "zeDeviceGet");
  properties_.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  check(zeDeviceGetProperties(device_, &properties_), "zeDeviceGetProperties");
  ze_device_module_properties_t module_properties{};
  module_properties.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  check(zeDeviceGetModuleProperties(device_, &module_properties), "zeDeviceGetModuleProperties");
  has_double_ = (module_properties.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  check(zeContextCreate(driver_, &context, &context_), "zeContextCreate");
  const ze_command_queue_desc_t queue{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                      nullptr,
                                      0,
                                      0,
                                      ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                      ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  check(zeCommandListCreateImmediate(context_, device_, &queue, &list_), "zeCommandListCreateImmediate");
}

Session::~Session() {
  zeCommandListDestroy(list_);
  zeContextDestroy(context_);
}

void* Session::allocate(std::size_t bytes) {
  const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void* pointer = nullptr;
  check(zeMemAllocShared(context_, &device, &host, bytes, 64, device_, &pointer), "zeMemAllocShared");
  return pointer;
}

void Session::free(void* pointer) { zeMemFree(context_, pointer); }

Module::Module(Session& session, const std::string& file, const std::string& options) : session_(&session) {
  xeforge::compile::Request request;
  request.sources.push_back({xeforge::compile::Source::Kind::OpenClC, read_file(file)});
  request.options = options;
  request.device = &device_with_id(session.properties().deviceId);
  const xeforge::compile::Result result = xeforge::compile::compile(request);
  if (!result.ok) throw std::runtime_error(file + ": " + result.error + "\n" + result.log);
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_NATIVE;
  desc.inputSize = result.zebin.size();
  desc.pInputModule = reinterpret_cast<const std::uint8_t*>(result.zebin.data());
  check(zeModuleCreate(session.context(), session.device(), &desc, &module_, nullptr), "zeModuleCreate");
}

Module::~Module() {
  for (const auto& [name, kernel] : kernels_) zeKernelDestroy(kernel);
  zeModuleDestroy(module_);
}

ze_kernel_handle_t Module::kernel_of(const std::string& name) {
  ze_kernel_handle_t& kernel = kernels_[name];
  if (kernel == nullptr) {
    const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name.c_str()};
    check(zeKernelCreate(module_, &desc, &kernel), ("zeKernelCreate of " + name).c_str());
  }
  return kernel;
}

void Module::launch(ze_kernel_handle_t kernel, Size3 groups, Size3 local) {
  check(zeKernelSetGroupSize(kernel, local[0], local[1], local[2]), "zeKernelSetGroupSize");
  const ze_group_count_t count{groups[0], groups[1], groups[2]};
  check(zeCommandListAppendLaunchKernel(session_->list(), kernel, &count, nullptr, 0, nullptr),
        "zeCommandListAppendLaunchKernel");
  check(zeCommandListHostSynchronize(session_->list(), UINT64_MAX), "zeCommandListHostSynchronize");
}

}  // namespace programs
