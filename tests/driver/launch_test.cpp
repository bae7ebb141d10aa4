// SPDX-License-Identifier: Apache-2.0
//
// Modules, kernels and launches over the whole way: compiled code, executed by the machine.
#include <numeric>

#include <nlohmann/json.hpp>

#include "module_fixture.h"
#include "xeforge/driver_ext.h"

namespace xeforge::driver_test {
namespace {

constexpr uint64_t kForEver = UINT64_MAX;

const char* const kSource = R"(
kernel void add(global const int* a, global const int* b, global int* c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
typedef struct { int x; char tag; long y; } Pair;
kernel void fields(global long* out, Pair p, short s) {
  out[0] = p.x; out[1] = p.tag; out[2] = p.y; out[3] = s;
}
kernel void reverse(global int* data, local int* tmp) {
  int l = get_local_id(0), n = get_local_size(0);
  tmp[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tmp[n - 1 - l];
}
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed_size(global int* out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_group_id(0) * 10 + get_group_id(1);
}
constant int table[4] = {11, 22, 33, 44};
kernel void lookup(global int* out, int i) { out[0] = table[i & 3]; }
kernel void greet(int a, float f) {
  printf("%s %d: %.2f %v4d %ld\\n", get_global_id(0) & 1 ? "odd" : "even", a + (int)get_global_id(0), f, (int4)(1, 2, 3, a),
         (long)a << 40);
}
kernel void out_of_bounds(global int* a, int far) { a[get_global_id(0) + far] = 1; }
)";

class Launch : public ModuleTest {
 protected:
  void SetUp() override {
    ModuleTest::SetUp();
    module = module_of(kSource);
    ASSERT_NE(nullptr, module);
  }
  ze_module_handle_t module = nullptr;
};

TEST_F(Launch, AddsVectorsOnEveryKindOfList) {
  constexpr int kCount = 1000;
  int *a = shared<int>(kCount), *b = shared<int>(kCount), *c = shared<int>(kCount);
  std::iota(a, a + kCount, 0);
  std::iota(b, b + kCount, 1000);
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  ZE_OK(zeKernelSetGroupSize(kernel, 64, 1, 1));
  ZE_OK(set(kernel, 0, a));
  ZE_OK(set(kernel, 1, b));
  ZE_OK(set(kernel, 2, c));
  ZE_OK(set(kernel, 3, kCount));
  const ze_group_count_t groups{16, 1, 1};
  const auto check = [&] {
    for (int i = 0; i < kCount; ++i) {
      ASSERT_EQ(1000 + 2 * i, c[i]) << i;
    }
    std::fill_n(c, kCount, -1);
  };
  std::fill_n(c, kCount, -1);

  ze_command_list_handle_t now = immediate();
  ZE_OK(zeCommandListAppendLaunchKernel(now, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(now, kForEver));
  check();

  // Arguments without sizes, group size with the launch.
  int count = kCount;
  void* arguments[] = {&a, &b, &c, &count};
  ZE_OK(zeCommandListAppendLaunchKernelWithArguments(now, kernel, {8, 1, 1}, {128, 1, 1}, arguments, nullptr, nullptr,
                                                     0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(now, kForEver));
  check();

  // Group counts from memory, written by a command before.
  auto* counts = shared<ze_group_count_t>(1);
  ze_command_list_handle_t ordered = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  ZE_OK(zeKernelSetGroupSize(kernel, 64, 1, 1));
  ZE_OK(zeCommandListAppendMemoryCopy(ordered, counts, &groups, sizeof groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendLaunchKernelIndirect(ordered, kernel, counts, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(ordered, kForEver));
  check();

  ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_queue_handle_t queue = nullptr;
  ZE_OK(zeCommandQueueCreate(context, device, &desc, &queue));
  ze_command_list_handle_t list = regular();
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  ZE_OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
  ZE_OK(zeCommandQueueSynchronize(queue, kForEver));
  check();
  ZE_OK(zeCommandQueueDestroy(queue));
}

TEST_F(Launch, PrintsWhatTheKernelPrints) {
  ze_kernel_handle_t kernel = kernel_of(module, "greet");
  ZE_OK(zeKernelSetGroupSize(kernel, 2, 1, 1));
  ZE_OK(set(kernel, 0, 7));
  ZE_OK(set(kernel, 1, 1.5f));
  const ze_group_count_t groups{1, 1, 1};
  ze_command_list_handle_t list = immediate();
  ::testing::internal::CaptureStdout();
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "even 7: 1.50 1,2,3,7 7696581394432\nodd 8: 1.50 1,2,3,7 7696581394432\n");
}

TEST_F(Launch, TakesArgumentsWhenItIsAppended) {
  int *a = shared<int>(8), *b = shared<int>(8), *c = shared<int>(16);
  std::fill_n(a, 8, 1);
  std::fill_n(b, 8, 2);
  std::fill_n(c, 16, 0);
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  ZE_OK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  ZE_OK(set(kernel, 0, a));
  ZE_OK(set(kernel, 1, b));
  ZE_OK(set(kernel, 2, c));
  ZE_OK(set(kernel, 3, 8));
  const ze_group_count_t groups{1, 1, 1};
  ze_event_handle_t go = event();
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 1, &go));
  ZE_OK(set(kernel, 2, c + 8));
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(3, c[7]);
  EXPECT_EQ(0, c[8]) << "set after the launch was appended";
}

TEST_F(Launch, PassesStructuresAndSmallScalarsByValue) {
  auto* out = shared<int64_t>(4);
  struct Pair {
    int x;
    char tag;
    int64_t y;
  } pair{-7, 'q', int64_t{1} << 40};
  ze_kernel_handle_t kernel = kernel_of(module, "fields");
  ze_command_list_handle_t list = immediate();
  short s = -3;
  void* arguments[] = {&out, &pair, &s};
  ZE_OK(zeCommandListAppendLaunchKernelWithArguments(list, kernel, {1, 1, 1}, {1, 1, 1}, arguments, nullptr, nullptr, 0,
                                                     nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(-7, out[0]);
  EXPECT_EQ('q', out[1]);
  EXPECT_EQ(int64_t{1} << 40, out[2]);
  EXPECT_EQ(-3, out[3]);
}

TEST_F(Launch, GivesLocalMemoryOfTheSizeAskedFor) {
  int* data = shared<int>(64);
  std::iota(data, data + 64, 0);
  ze_kernel_handle_t kernel = kernel_of(module, "reverse");
  ZE_OK(zeKernelSetGroupSize(kernel, 32, 1, 1));
  ZE_OK(set(kernel, 0, data));
  ZE_OK(zeKernelSetArgumentValue(kernel, 1, 32 * sizeof(int), nullptr));
  const ze_group_count_t groups{2, 1, 1};
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ((i / 32) * 32 + 31 - i % 32, data[i]);
  }
  // Without sizes the array holds a size_t for it.
  size_t bytes = 32 * sizeof(int);
  void* arguments[] = {&data, &bytes};
  ZE_OK(zeCommandListAppendLaunchKernelWithArguments(list, kernel, {2, 1, 1}, {32, 1, 1}, arguments, nullptr, nullptr,
                                                     0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(33, data[33]);
  // More than a group has is refused.
  ZE_OK(zeKernelSetArgumentValue(kernel, 1, 65 * 1024, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
}

TEST_F(Launch, ReadsConstantsOfTheProgram) {
  int* out = shared<int>(1);
  ze_kernel_handle_t kernel = kernel_of(module, "lookup");
  ZE_OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  ZE_OK(set(kernel, 0, out));
  ZE_OK(set(kernel, 1, 2));
  const ze_group_count_t groups{1, 1, 1};
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(33, *out);
}

TEST_F(Launch, VariablesOfTheProgramKeepTheirValues) {
  // One starts with a value, the other with zeros: they come from different sections of the binary.
  ze_module_handle_t variables = module_of(
      "global int total; global int increment = 5;\n"
      "kernel void bump(global int* out) { total += increment; out[0] = total; }");
  int* out = shared<int>(1);
  ze_kernel_handle_t kernel = kernel_of(variables, "bump");
  ZE_OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  ZE_OK(set(kernel, 0, out));
  const ze_group_count_t groups{1, 1, 1};
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  for (int launches = 1; launches <= 3; ++launches) {
    ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
    ZE_OK(zeCommandListHostSynchronize(list, kForEver));
    EXPECT_EQ(5 * launches, *out);
  }
  size_t size = 0;
  void* address = nullptr;
  ZE_OK(zeModuleGetGlobalPointer(variables, "increment", &size, &address));
  EXPECT_EQ(sizeof(int), size);
  const int ten = 10;
  ZE_OK(zeCommandListAppendMemoryCopy(list, address, &ten, sizeof ten, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(25, *out);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(variables, "nothing", &size, &address));
}

TEST_F(Launch, ChecksSizesAndArguments) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  const ze_group_count_t groups{1, 1, 1};
  ze_command_list_handle_t list = immediate();
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
            zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr))
      << "group size never set";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetGroupSize(kernel, 0, 1, 1));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(kernel, 1025, 1, 1));
  ZE_OK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr))
      << "arguments never set";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, set(kernel, 4, 1));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, set(kernel, 0, 1)) << "a pointer of 4 bytes";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, set(kernel, 3, short{1}));

  ze_kernel_handle_t fixed = kernel_of(module, "fixed_size");
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(fixed, 16, 1, 1));
  uint32_t x = 0, y = 0, z = 0;
  ZE_OK(zeKernelSuggestGroupSize(fixed, 64, 64, 1, &x, &y, &z));
  EXPECT_EQ(8U, x);
  EXPECT_EQ(2U, y);
  EXPECT_EQ(1U, z);

  ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "nobody"};
  ze_kernel_handle_t none = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, zeKernelCreate(module, &desc, &none));
  ze_command_list_handle_t copy_only = immediate(0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 1);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            zeCommandListAppendLaunchKernel(copy_only, kernel, &groups, nullptr, 0, nullptr));
}

TEST_F(Launch, SuggestsGroupSizesThatDivide) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  const uint32_t sizes[][3] = {{1000, 1, 1}, {17, 13, 1}, {1, 1, 1}, {1U << 20, 3, 5}, {7, 1024, 2}};
  for (const auto& global : sizes) {
    uint32_t x = 0, y = 0, z = 0;
    ZE_OK(zeKernelSuggestGroupSize(kernel, global[0], global[1], global[2], &x, &y, &z));
    EXPECT_EQ(0U, global[0] % x);
    EXPECT_EQ(0U, global[1] % y);
    EXPECT_EQ(0U, global[2] % z);
    EXPECT_LE(x * y * z, 1024U);
    ZE_OK(zeKernelSetGroupSize(kernel, x, y, z));
  }
}

TEST_F(Launch, PropertiesComeFromTheBinary) {
  ze_kernel_handle_t kernel = kernel_of(module, "fixed_size");
  ze_kernel_max_group_size_properties_ext_t most{ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES, nullptr, 0};
  ze_kernel_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  p.pNext = &most;
  ZE_OK(zeKernelGetProperties(kernel, &p));
  EXPECT_EQ(1U, p.numKernelArgs);
  EXPECT_EQ(8U, p.requiredGroupSizeX);
  EXPECT_EQ(2U, p.requiredGroupSizeY);
  EXPECT_EQ(1024U, most.maxGroupSize);
  EXPECT_TRUE(p.maxSubgroupSize == 8 || p.maxSubgroupSize == 16 || p.maxSubgroupSize == 32) << p.maxSubgroupSize;

  uint32_t count = 0;
  ZE_OK(zeModuleGetKernelNames(module, &count, nullptr));
  EXPECT_EQ(7U, count);
  std::vector<const char*> names(count);
  ZE_OK(zeModuleGetKernelNames(module, &count, names.data()));
  size_t length = 0;
  ZE_OK(zeKernelGetName(kernel, &length, nullptr));
  EXPECT_EQ(sizeof "fixed_size", length);
  ze_module_properties_t module_properties{ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, nullptr, 0};
  ZE_OK(zeModuleGetProperties(module, &module_properties));
  EXPECT_EQ(0U, module_properties.flags);
}

TEST_F(Launch, ABinaryComesBackByteForByte) {
  size_t size = 0;
  ZE_OK(zeModuleGetNativeBinary(module, &size, nullptr));
  std::vector<std::byte> binary(size);
  ZE_OK(zeModuleGetNativeBinary(module, &size, reinterpret_cast<uint8_t*>(binary.data())));
  ze_module_handle_t again = nullptr;
  ZE_OK(create_native(binary, &again));
  EXPECT_EQ(binary, compile_for("a770", kSource));
}

TEST_F(Launch, ForeignBinariesAreRefusedWithTheReason) {
  std::string log;
  ze_module_handle_t refused = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, create_native(compile_for("b580", kSource), &refused, &log));
  EXPECT_NE(std::string::npos, log.find("made for")) << log;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, create_native(std::vector<std::byte>(100), &refused, &log));
  EXPECT_FALSE(log.empty());
  EXPECT_EQ(nullptr, refused);
}

TEST_F(Launch, AFaultIsReturnedOnceAndTheProgramGoesOn) {
  int *a = shared<int>(16), *b = shared<int>(16);
  std::fill_n(a, 16, 0);
  ze_kernel_handle_t wrong = kernel_of(module, "out_of_bounds");
  ZE_OK(zeKernelSetGroupSize(wrong, 16, 1, 1));
  ZE_OK(set(wrong, 0, a));
  const ze_group_count_t groups{1, 1, 1};
  for (const bool in_order : {false, true}) {
    ze_command_list_handle_t list = immediate(in_order ? uint32_t{ZE_COMMAND_QUEUE_FLAG_IN_ORDER} : 0U);
    ze_event_handle_t done = event(), after = event();
    ZE_OK(set(wrong, 1, 1));
    ZE_OK(zeCommandListAppendLaunchKernel(list, wrong, &groups, done, 0, nullptr));
    // A command that waits for it fails with it.
    ZE_OK(zeCommandListAppendMemoryCopy(list, b, a, 4, after, 1, &done));
    EXPECT_EQ(ZE_RESULT_ERROR_UNKNOWN, zeEventHostSynchronize(after, kForEver));
    const char* text = nullptr;
    ZE_OK(zeDriverGetLastErrorDescription(driver, &text));
    EXPECT_NE(nullptr, std::strstr(text, "out_of_bounds")) << text;
    ZE_OK(zeEventHostSynchronize(done, kForEver));
    ZE_OK(zeCommandListHostSynchronize(list, kForEver));

    ZE_OK(set(wrong, 1, 0));
    ZE_OK(zeCommandListAppendLaunchKernel(list, wrong, &groups, nullptr, 0, nullptr));
    ZE_OK(zeCommandListHostSynchronize(list, kForEver));
    EXPECT_EQ(1, a[15]);

    // Without any event the list's own synchronisation returns it.
    ZE_OK(set(wrong, 1, 1'000'000'000));
    ZE_OK(zeCommandListAppendLaunchKernel(list, wrong, &groups, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_ERROR_UNKNOWN, zeCommandListHostSynchronize(list, kForEver));
    ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  }
}

TEST_F(Launch, TheDevicesSynchronisationReturnsFaultsToo) {
  int* a = shared<int>(16);
  ze_kernel_handle_t wrong = kernel_of(module, "out_of_bounds");
  ZE_OK(zeKernelSetGroupSize(wrong, 16, 1, 1));
  ZE_OK(set(wrong, 0, a));
  ZE_OK(set(wrong, 1, 1'000'000));
  ze_command_list_handle_t list = immediate();
  const ze_group_count_t groups{1, 1, 1};
  ZE_OK(zeCommandListAppendLaunchKernel(list, wrong, &groups, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNKNOWN, zeDeviceSynchronize(device));
  ZE_OK(zeDeviceSynchronize(device));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
}

TEST_F(Launch, NullPointersAreFaultsOfTheKernelThatUsesThem) {
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  int* c = shared<int>(16);
  ZE_OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
  ZE_OK(zeKernelSetArgumentValue(kernel, 0, sizeof(void*), nullptr));
  ZE_OK(set(kernel, 1, c));
  ZE_OK(set(kernel, 2, c));
  ze_command_list_handle_t list = immediate();
  const ze_group_count_t groups{1, 1, 1};
  ZE_OK(set(kernel, 3, 0));  // not used: no fault
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  ZE_OK(set(kernel, 3, 16));
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNKNOWN, zeCommandListHostSynchronize(list, kForEver));
}

TEST_F(Launch, ReportsTellWhatRan) {
  void* address = nullptr;
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, XEFORGE_TAKE_REPORTS_NAME, &address));
  const auto take = reinterpret_cast<xeforge_take_reports_t>(address);
  take();
  int* a = shared<int>(64);
  ze_kernel_handle_t kernel = kernel_of(module, "add");
  ZE_OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
  for (uint32_t i = 0; i < 3; ++i) {
    ZE_OK(set(kernel, i, a));
  }
  ZE_OK(set(kernel, 3, 64));
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  const ze_group_count_t groups{4, 1, 1};
  ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  ze_kernel_handle_t wrong = kernel_of(module, "out_of_bounds");
  ZE_OK(zeKernelSetGroupSize(wrong, 16, 1, 1));
  ZE_OK(set(wrong, 0, a));
  ZE_OK(set(wrong, 1, 1'000'000));
  ZE_OK(zeCommandListAppendLaunchKernel(list, wrong, &groups, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNKNOWN, zeCommandListHostSynchronize(list, kForEver));

  const auto reports = nlohmann::json::parse(take());
  ASSERT_EQ(2U, reports.size());
  const auto& report = reports[0];
  EXPECT_EQ("add", report["kernel"]);
  EXPECT_EQ("a770", report["device"]);
  EXPECT_EQ((std::vector<int>{4, 1, 1}), report["groups"].get<std::vector<int>>());
  EXPECT_EQ((std::vector<int>{16, 1, 1}), report["local"].get<std::vector<int>>());
  EXPECT_TRUE(report["fault"].is_null());
  const unsigned simd = report["compiled"]["simd"];
  EXPECT_EQ(4 * ((16 + simd - 1) / simd), report["threads"].get<unsigned>());
  const auto& counts = report["counts"];
  uint64_t sum = 0;
  for (const char* name : {"send", "dpas", "alu_int", "alu_float", "mov", "math", "sync", "control", "other"}) {
    sum += counts[name].get<uint64_t>();
  }
  EXPECT_EQ(sum, counts["instructions"].get<uint64_t>());
  EXPECT_GT(counts["global_stores"].get<uint64_t>(), 0U);
  EXPECT_EQ("out_of_bounds", reports[1]["kernel"]);
  EXPECT_FALSE(reports[1]["fault"].is_null());
  EXPECT_FALSE(reports[1]["fault"]["text"].get<std::string>().empty());
  EXPECT_EQ("[]", std::string(take()));
}

}  // namespace
}  // namespace xeforge::driver_test
