// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <CL/cl_ext.h>

#include "driver/device_uuid.h"
#include "driver/opencl/info.h"
#include "driver/opencl/objects.h"

namespace xeforge::driver::opencl {

namespace {

constexpr const char* kExtensions =
    "cl_khr_device_uuid cl_khr_fp16 cl_khr_icd cl_khr_subgroups cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
    "cl_khr_byte_addressable_store cl_khr_il_program cl_intel_subgroups cl_intel_subgroups_short "
    "cl_intel_subgroups_char "
    "cl_intel_subgroups_long cl_intel_required_subgroup_size cl_intel_device_attribute_query "
    "cl_intel_unified_shared_memory "
    "cl_intel_subgroup_matrix_multiply_accumulate cl_intel_subgroup_split_matrix_multiply_accumulate "
    "cl_intel_subgroup_local_block_io cl_intel_bfloat16_conversions cl_ext_float_atomics";

constexpr const char* kVersion = "OpenCL 3.0 xeforge (builds programs only)";

using Model = device::Device;
using Rule = cl_int (*)(const Model&, const Answer&);

struct Row {
  cl_device_info what;
  Rule rule;
};

template <class T, T kValue>
cl_int constant(const Model&, const Answer& a) {
  return a.scalar<T>(kValue);
}

// Single-precision atomics as the driver's Level Zero side reports them: load, store, exchange, add and min/max.
constexpr cl_bitfield kFloatAtomics = 0x30003 | 0x4 | 0x40000;

constexpr std::array kRows{
    Row{CL_DEVICE_TYPE, constant<cl_device_type, CL_DEVICE_TYPE_GPU>},
    Row{CL_DEVICE_VENDOR_ID, constant<cl_uint, 0x8086>},
    Row{CL_DEVICE_MAX_COMPUTE_UNITS,
        [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.xe_cores() * m.eus_per_subslice); }},
    Row{CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, constant<cl_uint, 3>},
    Row{CL_DEVICE_MAX_WORK_GROUP_SIZE,
        [](const Model& m, const Answer& a) { return a.scalar<size_t>(m.max_group_size); }},
    Row{CL_DEVICE_MAX_WORK_ITEM_SIZES,
        [](const Model& m, const Answer& a) { return a.list(std::vector<size_t>(3, m.max_group_size)); }},
    Row{CL_DEVICE_MAX_CLOCK_FREQUENCY,
        [](const Model& m, const Answer& a) { return a.scalar(static_cast<cl_uint>(m.clock_mhz)); }},
    Row{CL_DEVICE_ADDRESS_BITS, constant<cl_uint, 64>},
    Row{CL_DEVICE_MAX_MEM_ALLOC_SIZE,
        [](const Model& m, const Answer& a) { return a.scalar<cl_ulong>(m.max_alloc_bytes); }},
    Row{CL_DEVICE_IMAGE_SUPPORT, constant<cl_bool, CL_FALSE>},
    Row{CL_DEVICE_MAX_PARAMETER_SIZE, constant<size_t, 2048>},
    Row{CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
        [](const Model& m, const Answer& a) { return a.scalar<cl_ulong>(m.l2_bytes); }},
    Row{CL_DEVICE_GLOBAL_MEM_SIZE, [](const Model& m, const Answer& a) { return a.scalar<cl_ulong>(m.memory_bytes); }},
    Row{CL_DEVICE_LOCAL_MEM_SIZE, [](const Model& m, const Answer& a) { return a.scalar<cl_ulong>(m.slm_per_group); }},
    Row{CL_DEVICE_AVAILABLE, constant<cl_bool, CL_TRUE>},
    Row{CL_DEVICE_COMPILER_AVAILABLE, constant<cl_bool, CL_TRUE>},
    Row{CL_DEVICE_LINKER_AVAILABLE, constant<cl_bool, CL_FALSE>},
    Row{CL_DEVICE_NAME, [](const Model& m, const Answer& a) { return a.text(m.name); }},
    Row{CL_DEVICE_VENDOR, [](const Model&, const Answer& a) { return a.text("Intel(R) Corporation"); }},
    Row{CL_DRIVER_VERSION, [](const Model&, const Answer& a) { return a.text("26.27.39122"); }},
    Row{CL_DEVICE_PROFILE, [](const Model&, const Answer& a) { return a.text("FULL_PROFILE"); }},
    Row{CL_DEVICE_VERSION, [](const Model&, const Answer& a) { return a.text(kVersion); }},
    Row{CL_DEVICE_OPENCL_C_VERSION, [](const Model&, const Answer& a) { return a.text("OpenCL C 1.2 "); }},
    Row{CL_DEVICE_EXTENSIONS, [](const Model&, const Answer& a) { return a.text(kExtensions); }},
    Row{CL_DEVICE_PLATFORM, [](const Model&, const Answer& a) { return a.scalar(platform()); }},
    Row{CL_DEVICE_PARENT_DEVICE, [](const Model&, const Answer& a) { return a.scalar<cl_device_id>(nullptr); }},
    Row{CL_DEVICE_PARTITION_MAX_SUB_DEVICES, constant<cl_uint, 0>},
    Row{CL_DEVICE_REFERENCE_COUNT, constant<cl_uint, 1>},
    Row{CL_DEVICE_UUID_KHR, [](const Model& m, const Answer& a) { return a.scalar(device_uuid(m)); }},
    Row{CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, constant<cl_bitfield, 0x3>},
    Row{CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, constant<cl_bitfield, 0x3>},
    Row{CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, constant<cl_bitfield, 0x3>},
    Row{CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, constant<cl_bitfield, 0>},
    Row{CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, constant<cl_bitfield, 0>},
    Row{CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, constant<cl_bitfield, kFloatAtomics>},
    Row{CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, constant<cl_bitfield, 0>},
    Row{CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, constant<cl_bitfield, 0>},
    Row{CL_DEVICE_IP_VERSION_INTEL, [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.ip_version); }},
    Row{CL_DEVICE_ID_INTEL, [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.pci_device_id); }},
    Row{CL_DEVICE_NUM_SLICES_INTEL, [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.slices); }},
    Row{CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL,
        [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.subslices_per_slice); }},
    Row{CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL,
        [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.eus_per_subslice); }},
    Row{CL_DEVICE_NUM_THREADS_PER_EU_INTEL,
        [](const Model& m, const Answer& a) { return a.scalar<cl_uint>(m.threads_per_eu); }},
    // dp4a and the matrix engine, which all devices here have.
    Row{CL_DEVICE_FEATURE_CAPABILITIES_INTEL,
        constant<cl_bitfield, CL_DEVICE_FEATURE_FLAG_DP4A_INTEL | CL_DEVICE_FEATURE_FLAG_DPAS_INTEL>},
};

}  // namespace

void say(const std::string& text) { std::fprintf(stderr, "xeforge: %s\n", text.c_str()); }

cl_device_id device() {
  static const device::Device* const model = []() -> const device::Device* {
    const char* id = std::getenv("XEFORGE_DEVICE");
    try {
      return &device::find_device(id == nullptr || *id == '\0' ? "a770" : id);
    } catch (const std::invalid_argument& error) {
      say(std::string("XEFORGE_DEVICE: ") + error.what());
      return nullptr;
    }
  }();
  static _cl_device_id object{platform()->dispatch, model};
  return model == nullptr ? nullptr : &object;
}

cl_int device_info(const _cl_device_id& device, cl_device_info what, size_t room, void* value, size_t* needed) {
  for (const Row& row : kRows) {
    if (row.what == what) return row.rule(*device.model, {room, value, needed});
  }
  char code[16];
  std::snprintf(code, sizeof code, "0x%X", what);
  say(std::string("clGetDeviceInfo: ") + code + " is not known; this OpenCL only builds programs");
  return CL_INVALID_VALUE;
}

}  // namespace xeforge::driver::opencl
