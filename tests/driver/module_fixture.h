// SPDX-License-Identifier: Apache-2.0
//
// Clients with modules: OpenCL C is compiled for the device by the offline compiler at test time and
// handed over as a native binary, so that no binary needs to be kept.
#pragma once

#include <cstring>
#include <string>

#include "compile/compile.h"
#include "device/device.h"
#include "ze_fixture.h"

namespace xeforge::driver_test {

class ModuleTest : public ZeTest {
 protected:
  void TearDown() override {
    for (ze_kernel_handle_t kernel : kernels_) {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelDestroy(kernel));
    }
    for (ze_module_handle_t module : modules_) {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(module));
    }
    ZeTest::TearDown();
  }

  static std::vector<std::byte> compile_for(const std::string& device_id, const std::string& source,
                                            const std::string& options = "-cl-std=CL3.0") {
    compile::Request request;
    compile::Source text;
    text.kind = compile::Source::Kind::OpenClC;
    text.bytes.resize(source.size());
    std::memcpy(text.bytes.data(), source.data(), source.size());
    request.sources.push_back(std::move(text));
    request.options = options;
    request.device = &device::find_device(device_id);
    const compile::Result result = compile::compile(request);
    EXPECT_TRUE(result.ok) << result.error << "\n" << result.log;
    return result.zebin;
  }
  ze_result_t create_native(const std::vector<std::byte>& zebin, ze_module_handle_t* module,
                            std::string* log = nullptr) {
    ze_module_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
    desc.format = ZE_MODULE_FORMAT_NATIVE;
    desc.inputSize = zebin.size();
    desc.pInputModule = reinterpret_cast<const uint8_t*>(zebin.data());
    ze_module_build_log_handle_t log_handle = nullptr;
    const ze_result_t result = zeModuleCreate(context, device, &desc, module, &log_handle);
    if (result == ZE_RESULT_SUCCESS) {
      modules_.push_back(*module);
    }
    if (log_handle != nullptr) {
      size_t size = 0;
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleBuildLogGetString(log_handle, &size, nullptr));
      std::string text(size, '\0');
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleBuildLogGetString(log_handle, &size, text.data()));
      if (log != nullptr) {
        *log = text.c_str();
      }
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleBuildLogDestroy(log_handle));
    }
    return result;
  }
  ze_module_handle_t module_of(const std::string& source) {
    ze_module_handle_t module = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, create_native(compile_for("a770", source), &module));
    return module;
  }
  ze_kernel_handle_t kernel_of(ze_module_handle_t module, const char* name) {
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t kernel = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelCreate(module, &desc, &kernel));
    kernels_.push_back(kernel);
    return kernel;
  }
  template <class T>
  static ze_result_t set(ze_kernel_handle_t kernel, uint32_t index, const T& value) {
    return zeKernelSetArgumentValue(kernel, index, sizeof value, &value);
  }

 private:
  std::vector<ze_module_handle_t> modules_;
  std::vector<ze_kernel_handle_t> kernels_;
};

}  // namespace xeforge::driver_test
