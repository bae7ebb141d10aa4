// SPDX-License-Identifier: Apache-2.0
//
// An OpenCL of ours that only builds programs. oneDNN writes some of its kernels in OpenCL C, compiles them through the
// OpenCL device with the same UUID, and hands the binary to Level Zero (knowledge: only these calls arrive). It is an
// installable client driver: OCL_ICD_FILENAMES names it to the system's libOpenCL.
#include <cstring>
#include <new>
#include <span>

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "compile/compile.h"
#include "driver/opencl/info.h"
#include "driver/opencl/objects.h"
#include "driver/opencl/refused.h"

namespace xeforge::driver::opencl {

namespace {

constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR

template <class T>
T* fail(cl_int* place, cl_int code) {
  if (place != nullptr) *place = code;
  return nullptr;
}

cl_int get_platform_ids(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  if (device() == nullptr) return kNoPlatform;
  if (count != nullptr) *count = 1;
  if (platforms != nullptr && room > 0) *platforms = platform();
  return CL_SUCCESS;
}

cl_int get_platform_info(cl_platform_id, cl_platform_info what, size_t room, void* value, size_t* needed) {
  const Answer answer{room, value, needed};
  constexpr cl_platform_info kIcdSuffix = 0x0920;
  switch (what) {
    case CL_PLATFORM_PROFILE:
      return answer.text("FULL_PROFILE");
    case CL_PLATFORM_VERSION:
      return answer.text("OpenCL 3.0 ");
    // oneDNN takes Intel's platforms only.
    case CL_PLATFORM_NAME:
      return answer.text("Intel(R) OpenCL Graphics");
    case CL_PLATFORM_VENDOR:
      return answer.text("Intel(R) Corporation");
    case CL_PLATFORM_EXTENSIONS:
      return answer.text("cl_khr_icd cl_khr_device_uuid");
    case kIcdSuffix:
      return answer.text("XEFORGE");
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int get_device_ids(cl_platform_id, cl_device_type type, cl_uint room, cl_device_id* devices, cl_uint* count) {
  if ((type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) == 0 || device() == nullptr) return CL_DEVICE_NOT_FOUND;
  if (count != nullptr) *count = 1;
  if (devices != nullptr && room > 0) *devices = device();
  return CL_SUCCESS;
}

cl_int get_device_info(cl_device_id id, cl_device_info what, size_t room, void* value, size_t* needed) {
  return id == nullptr ? CL_INVALID_DEVICE : device_info(*id, what, room, value, needed);
}

// Asked to find tiles: a device of one tile cannot be partitioned, which is another answer than not knowing how.
cl_int create_sub_devices(cl_device_id, const cl_device_partition_property*, cl_uint, cl_device_id*, cl_uint*) {
  return CL_DEVICE_PARTITION_FAILED;
}
cl_int keep_device(cl_device_id) { return CL_SUCCESS; }

cl_context create_context(const cl_context_properties*, cl_uint, const cl_device_id*,
                          void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* error) {
  auto* context = new (std::nothrow) _cl_context;
  if (context == nullptr) return fail<_cl_context>(error, CL_OUT_OF_HOST_MEMORY);
  if (error != nullptr) *error = CL_SUCCESS;
  return context;
}

cl_int get_context_info(cl_context context, cl_context_info what, size_t room, void* value, size_t* needed) {
  if (context == nullptr) return CL_INVALID_CONTEXT;
  const Answer answer{room, value, needed};
  switch (what) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return answer.scalar<cl_uint>(context->references);
    case CL_CONTEXT_NUM_DEVICES:
      return answer.scalar<cl_uint>(1);
    case CL_CONTEXT_DEVICES:
      return answer.scalar(device());
    case CL_CONTEXT_PROPERTIES:
      return answer.bytes(nullptr, 0);
    default:
      return CL_INVALID_VALUE;
  }
}

template <class T>
cl_int retain(T* object) {
  if (object == nullptr) return CL_INVALID_VALUE;
  ++object->references;
  return CL_SUCCESS;
}
template <class T>
cl_int release(T* object) {
  if (object == nullptr) return CL_INVALID_VALUE;
  if (--object->references == 0) delete object;
  return CL_SUCCESS;
}

cl_program create_program(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                          cl_int* error) {
  if (context == nullptr) return fail<_cl_program>(error, CL_INVALID_CONTEXT);
  if (count == 0 || strings == nullptr) return fail<_cl_program>(error, CL_INVALID_VALUE);
  auto* program = new (std::nothrow) _cl_program(context);
  if (program == nullptr) return fail<_cl_program>(error, CL_OUT_OF_HOST_MEMORY);
  for (cl_uint i = 0; i < count; ++i) {
    program->source +=
        lengths != nullptr && lengths[i] != 0 ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
  }
  if (error != nullptr) *error = CL_SUCCESS;
  return program;
}

/// Whether it is an object for this kind of GPU (e_machine of the zebin specification).
bool is_zebin(std::span<const unsigned char> bytes) {
  constexpr size_t kMachineAt = 18;
  constexpr unsigned kIntelGt = 205;
  return bytes.size() > kMachineAt + 1 &&
         std::memcmp(bytes.data(),
                     "\x7f"
                     "ELF",
                     4) == 0 &&
         bytes[kMachineAt] == kIntelGt && bytes[kMachineAt + 1] == 0;
}

/// oneMKL of 2025 asks so whether the driver takes its binaries, and else compiles slow kernels from source.
cl_program create_program_with_binary(cl_context context, cl_uint count, const cl_device_id*, const size_t* lengths,
                                      const unsigned char** binaries, cl_int* status, cl_int* error) {
  if (context == nullptr) return fail<_cl_program>(error, CL_INVALID_CONTEXT);
  if (count != 1 || lengths == nullptr || binaries == nullptr || binaries[0] == nullptr)
    return fail<_cl_program>(error, CL_INVALID_VALUE);
  const std::span bytes(binaries[0], lengths[0]);
  const bool good = is_zebin(bytes);
  if (status != nullptr) *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
  if (!good) return fail<_cl_program>(error, CL_INVALID_BINARY);
  auto* program = new (std::nothrow) _cl_program(context);
  if (program == nullptr) return fail<_cl_program>(error, CL_OUT_OF_HOST_MEMORY);
  const auto raw = std::as_bytes(bytes);
  program->binary.assign(raw.begin(), raw.end());
  if (error != nullptr) *error = CL_SUCCESS;
  return program;
}

cl_int build_program(cl_program program, cl_uint, const cl_device_id*, const char* options,
                     void(CL_CALLBACK* done)(cl_program, void*), void* data) {
  if (program == nullptr) return CL_INVALID_PROGRAM;
  program->options = options == nullptr ? "" : options;
  if (program->source.empty() && !program->binary.empty()) {
    program->status = CL_BUILD_SUCCESS;
    if (done != nullptr) done(program, data);
    return CL_SUCCESS;
  }
  compile::Request request;
  const auto bytes = std::as_bytes(std::span(program->source));
  request.sources.push_back({compile::Source::Kind::OpenClC, {bytes.begin(), bytes.end()}});
  request.options = program->options;
  request.device = device()->model;
  compile::Result result = compile::compile(request);
  program->log = result.log + (result.ok ? "" : result.error);
  program->status = result.ok ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  program->binary = std::move(result.zebin);
  if (!result.ok) say("clBuildProgram: " + result.error);
  if (done != nullptr) done(program, data);
  return result.ok ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

cl_int get_program_info(cl_program program, cl_program_info what, size_t room, void* value, size_t* needed) {
  if (program == nullptr) return CL_INVALID_PROGRAM;
  const Answer answer{room, value, needed};
  switch (what) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return answer.scalar<cl_uint>(program->references);
    case CL_PROGRAM_CONTEXT:
      return answer.scalar(program->context);
    case CL_PROGRAM_NUM_DEVICES:
      return answer.scalar<cl_uint>(1);
    case CL_PROGRAM_DEVICES:
      return answer.scalar(device());
    case CL_PROGRAM_SOURCE:
      return answer.text(program->source);
    case CL_PROGRAM_BINARY_SIZES:
      return answer.scalar(program->binary.size());
    case CL_PROGRAM_BINARIES: {
      // One pointer per device, to the caller's room for its binary.
      if (needed != nullptr) *needed = sizeof(void*);
      if (value == nullptr) return CL_SUCCESS;
      if (room < sizeof(void*)) return CL_INVALID_VALUE;
      if (void* to = *static_cast<void**>(value); to != nullptr)
        std::memcpy(to, program->binary.data(), program->binary.size());
      return CL_SUCCESS;
    }
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int get_program_build_info(cl_program program, cl_device_id, cl_program_build_info what, size_t room, void* value,
                              size_t* needed) {
  if (program == nullptr) return CL_INVALID_PROGRAM;
  const Answer answer{room, value, needed};
  switch (what) {
    case CL_PROGRAM_BUILD_STATUS:
      return answer.scalar(program->status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return answer.text(program->options);
    case CL_PROGRAM_BUILD_LOG:
      return answer.text(program->log);
    case CL_PROGRAM_BINARY_TYPE:
      return answer.scalar<cl_program_binary_type>(program->binary.empty() ? CL_PROGRAM_BINARY_TYPE_NONE
                                                                           : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    default:
      return CL_INVALID_VALUE;
  }
}

void* extension_function(const char* name) {
  const std::string wanted = name == nullptr ? "" : name;
  if (wanted == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void*>(get_platform_ids);
  if (wanted == "clGetPlatformInfo") return reinterpret_cast<void*>(get_platform_info);
  return nullptr;
}
void* extension_function_of(cl_platform_id, const char* name) { return extension_function(name); }

// clang-format off
#define XEFORGE_CL_REFUSED(X) \
  X(clCreateContextFromType) X(clCreateCommandQueue) X(clRetainCommandQueue) X(clReleaseCommandQueue) \
  X(clGetCommandQueueInfo) X(clSetCommandQueueProperty) X(clCreateBuffer) X(clCreateImage2D) X(clCreateImage3D) \
  X(clRetainMemObject) X(clReleaseMemObject) X(clGetSupportedImageFormats) X(clGetMemObjectInfo) X(clGetImageInfo) \
  X(clCreateSampler) X(clRetainSampler) X(clReleaseSampler) X(clGetSamplerInfo) \
  X(clUnloadCompiler) X(clCreateKernel) X(clCreateKernelsInProgram) X(clRetainKernel) X(clReleaseKernel) \
  X(clSetKernelArg) X(clGetKernelInfo) X(clGetKernelWorkGroupInfo) X(clWaitForEvents) X(clGetEventInfo) \
  X(clRetainEvent) X(clReleaseEvent) X(clGetEventProfilingInfo) X(clFlush) X(clFinish) X(clEnqueueReadBuffer) \
  X(clEnqueueWriteBuffer) X(clEnqueueCopyBuffer) X(clEnqueueReadImage) X(clEnqueueWriteImage) \
  X(clEnqueueCopyImage) X(clEnqueueCopyImageToBuffer) X(clEnqueueCopyBufferToImage) X(clEnqueueMapBuffer) \
  X(clEnqueueMapImage) X(clEnqueueUnmapMemObject) X(clEnqueueNDRangeKernel) X(clEnqueueTask) \
  X(clEnqueueNativeKernel) X(clEnqueueMarker) X(clEnqueueWaitForEvents) X(clEnqueueBarrier) X(clSetEventCallback) \
  X(clCreateSubBuffer) X(clSetMemObjectDestructorCallback) X(clCreateUserEvent) X(clSetUserEventStatus) \
  X(clEnqueueReadBufferRect) X(clEnqueueWriteBufferRect) X(clEnqueueCopyBufferRect) X(clCreateImage) \
  X(clCreateProgramWithBuiltInKernels) X(clCompileProgram) X(clLinkProgram) X(clUnloadPlatformCompiler) \
  X(clGetKernelArgInfo) X(clEnqueueFillBuffer) X(clEnqueueFillImage) X(clEnqueueMigrateMemObjects) \
  X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList) X(clCreateCommandQueueWithProperties) \
  X(clCreatePipe) X(clGetPipeInfo) X(clSVMAlloc) X(clSVMFree) X(clEnqueueSVMFree) X(clEnqueueSVMMemcpy) \
  X(clEnqueueSVMMemFill) X(clEnqueueSVMMap) X(clEnqueueSVMUnmap) X(clCreateSamplerWithProperties) \
  X(clSetKernelArgSVMPointer) X(clSetKernelExecInfo) X(clCloneKernel) X(clCreateProgramWithIL) \
  X(clEnqueueSVMMigrateMem) X(clGetDeviceAndHostTimer) X(clGetHostTimer) X(clGetKernelSubGroupInfo)
// clang-format on

cl_icd_dispatch make_table() {
  cl_icd_dispatch t{};
#define XEFORGE_CL_SET(name) set_refused<#name>(t.name);
  XEFORGE_CL_REFUSED(XEFORGE_CL_SET)
#undef XEFORGE_CL_SET
  t.clGetPlatformIDs = get_platform_ids;
  t.clGetPlatformInfo = get_platform_info;
  t.clGetDeviceIDs = get_device_ids;
  t.clGetDeviceInfo = get_device_info;
  t.clCreateSubDevices = create_sub_devices;
  t.clRetainDevice = keep_device;
  t.clReleaseDevice = keep_device;
  t.clCreateContext = create_context;
  t.clRetainContext = retain<_cl_context>;
  t.clReleaseContext = release<_cl_context>;
  t.clGetContextInfo = get_context_info;
  t.clCreateProgramWithSource = create_program;
  t.clCreateProgramWithBinary = create_program_with_binary;
  t.clRetainProgram = retain<_cl_program>;
  t.clReleaseProgram = release<_cl_program>;
  t.clBuildProgram = build_program;
  t.clGetProgramInfo = get_program_info;
  t.clGetProgramBuildInfo = get_program_build_info;
  t.clGetExtensionFunctionAddress = extension_function;
  t.clGetExtensionFunctionAddressForPlatform = extension_function_of;
  return t;
}

}  // namespace

const cl_icd_dispatch* dispatch_table() {
  static const cl_icd_dispatch table = make_table();
  return &table;
}

cl_platform_id platform() {
  static _cl_platform_id object{dispatch_table()};
  return &object;
}

}  // namespace xeforge::driver::opencl

// What a loader asks an installable driver for by name.
extern "C" {
[[gnu::visibility("default")]] void* clGetExtensionFunctionAddress(const char* name) {
  return xeforge::driver::opencl::extension_function(name);
}
[[gnu::visibility("default")]] cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  return xeforge::driver::opencl::get_platform_ids(room, platforms, count);
}
[[gnu::visibility("default")]] cl_int clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t room,
                                                        void* value, size_t* needed) {
  return xeforge::driver::opencl::get_platform_info(id, what, room, value, needed);
}
}
