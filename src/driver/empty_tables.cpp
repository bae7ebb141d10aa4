// SPDX-License-Identifier: Apache-2.0
//
// Tools (zet) and system management (zes): there are none, but the static loader inside the SYCL
// adapters refuses a loader without the getters of their tables. The tables arrive cleared; functions
// that stay null are ZE_RESULT_ERROR_UNSUPPORTED_FEATURE to their callers. Level Zero's headers are not included: each
// getter is declared there with a table type of its own, of which nothing is needed here.
namespace {

constexpr int kSuccess = 0;                      // ZE_RESULT_SUCCESS
constexpr int kInvalidNullPointer = 0x78000007;  // ZE_RESULT_ERROR_INVALID_NULL_POINTER

}  // namespace

#define XF_EMPTY_TABLE(prefix, Name)                                                                              \
  extern "C"                                                                                                      \
      __attribute__((visibility("default"))) int prefix##Get##Name##ProcAddrTable(int /*version*/, void* table) { \
    return table == nullptr ? kInvalidNullPointer : kSuccess;                                                     \
  }

XF_EMPTY_TABLE(zes, DeviceExp)
XF_EMPTY_TABLE(zes, Device)
XF_EMPTY_TABLE(zes, Diagnostics)
XF_EMPTY_TABLE(zes, DriverExp)
XF_EMPTY_TABLE(zes, Driver)
XF_EMPTY_TABLE(zes, Engine)
XF_EMPTY_TABLE(zes, FabricPort)
XF_EMPTY_TABLE(zes, Fan)
XF_EMPTY_TABLE(zes, FirmwareExp)
XF_EMPTY_TABLE(zes, Firmware)
XF_EMPTY_TABLE(zes, Frequency)
XF_EMPTY_TABLE(zes, Global)
XF_EMPTY_TABLE(zes, Led)
XF_EMPTY_TABLE(zes, Memory)
XF_EMPTY_TABLE(zes, Overclock)
XF_EMPTY_TABLE(zes, PerformanceFactor)
XF_EMPTY_TABLE(zes, Power)
XF_EMPTY_TABLE(zes, Psu)
XF_EMPTY_TABLE(zes, RasExp)
XF_EMPTY_TABLE(zes, Ras)
XF_EMPTY_TABLE(zes, Scheduler)
XF_EMPTY_TABLE(zes, Standby)
XF_EMPTY_TABLE(zes, Temperature)
XF_EMPTY_TABLE(zes, VFManagementExp)
XF_EMPTY_TABLE(zet, CommandListExp)
XF_EMPTY_TABLE(zet, CommandList)
XF_EMPTY_TABLE(zet, Context)
XF_EMPTY_TABLE(zet, Debug)
XF_EMPTY_TABLE(zet, DeviceExp)
XF_EMPTY_TABLE(zet, Device)
XF_EMPTY_TABLE(zet, Kernel)
XF_EMPTY_TABLE(zet, MetricDecoderExp)
XF_EMPTY_TABLE(zet, MetricExp)
XF_EMPTY_TABLE(zet, MetricGroupExp)
XF_EMPTY_TABLE(zet, MetricGroup)
XF_EMPTY_TABLE(zet, Metric)
XF_EMPTY_TABLE(zet, MetricProgrammableExp)
XF_EMPTY_TABLE(zet, MetricQueryPool)
XF_EMPTY_TABLE(zet, MetricQuery)
XF_EMPTY_TABLE(zet, MetricStreamer)
XF_EMPTY_TABLE(zet, MetricTracerExp)
XF_EMPTY_TABLE(zet, Module)
XF_EMPTY_TABLE(zet, TracerExp)
