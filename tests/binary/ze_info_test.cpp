// SPDX-License-Identifier: Apache-2.0
#include "binary/ze_info.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zebin_error.h"

namespace xeforge::binary {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Zebin read(const std::string& text) {
  Zebin out;
  read_ze_info(text, out);
  return out;
}

std::string error_of(const std::string& text) {
  return test::error_of_reading([&] { read(text); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// As IGC writes: lists in brackets, quotes where the text asks for them.
const char* const kIgc = R"(---
version:         '1.73'
kernels:
  - name:            gemm
    user_attributes:
      intel_reqd_sub_group_size: 8
      intel_reqd_workgroup_walk_order: [ 0, 1, 2 ]
      reqd_work_group_size: [ 64, 4, 1 ]
      work_group_size_hint: [ 32, 1, 1 ]
      vec_type_hint:   float4
    execution_env:
      barrier_count:   1
      disable_mid_thread_preemption: true
      grf_count:       256
      has_dpas:        true
      has_global_atomics: true
      has_no_stateless_write: true
      has_stack_calls: true
      inline_data_payload_size: 32
      indirect_stateless_count: 3
      offset_to_skip_per_thread_data_load: 192
      require_disable_eufusion: true
      required_work_group_size: [ 64, 4, 1 ]
      simd_size:       8
      slm_size:        61440
      spill_size:      2560
      private_size:    4096
      subgroup_independent_forward_progress: true
      work_group_walk_order_dimensions: [ 1, 0, 2 ]
      eu_thread_count: 4
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
      - arg_type:        arg_bypointer
        offset:          0
        size:            0
        arg_index:       0
        addrmode:        stateful
        addrspace:       global
        access_type:     readonly
      - arg_type:        arg_bypointer
        offset:          16
        size:            8
        arg_index:       1
        addrmode:        slm
        addrspace:       local
        access_type:     readwrite
        slm_alignment:   16
      - arg_type:        arg_byvalue
        offset:          40
        size:            17
        arg_index:       2
        source_offset:   0
      - arg_type:        arg_byvalue
        offset:          60
        size:            1
        arg_index:       2
        source_offset:   20
      - arg_type:        arg_bypointer
        offset:          64
        size:            4
        arg_index:       3
        addrmode:        bindless
        addrspace:       constant
        access_type:     writeonly
      - arg_type:        global_base
        offset:          72
        size:            8
        bti_value:       3
    per_thread_payload_arguments:
      - arg_type:        local_id
        offset:          0
        size:            96
    binding_table_indices:
      - bti_value:       1
        arg_index:       0
    per_thread_memory_buffers:
      - type:            scratch
        usage:           spill_fill_space
        size:            2560
        slot:            1
      - type:            global
        usage:           private_space
        size:            512
        is_simt_thread:  true
functions:
  - name:            helper
    execution_env:
      grf_count:       128
      simd_size:       8
      has_stack_calls: true
global_host_access_table:
  - device_name:     _Z3var
    host_name:       'my var'
kernels_misc_info:
  - name:            gemm
    args_info:
      - index:           0
        name:            a
        address_qualifier: __global
        access_qualifier: NONE
        type_name:       'float*;8'
        type_qualifiers: const
      - index:           2
        name:            shape
        address_qualifier: __private
        access_qualifier: NONE
        type_name:       'struct shape;24'
        type_qualifiers: NONE
      - index:           1
        name:            tile
        address_qualifier: __local
        access_qualifier: NONE
        type_name:       'float*;8'
        type_qualifiers: NONE
...
)";

TEST(ZeInfoTest, ReadsTheExecutionEnvironment) {
  const Zebin zebin = read(kIgc);
  EXPECT_EQ(zebin.info_version, "1.73");
  EXPECT_THAT(zebin.warnings, IsEmpty());
  ASSERT_EQ(zebin.kernels.size(), 1u);
  const Kernel& kernel = zebin.kernels[0];
  EXPECT_EQ(kernel.name, "gemm");
  EXPECT_EQ(kernel.simd_size, 8u);
  EXPECT_EQ(kernel.grf_count, 256u);
  EXPECT_EQ(kernel.eu_thread_count, 4u);
  EXPECT_EQ(kernel.barrier_count, 1u);
  EXPECT_EQ(kernel.slm_size, 61440u);
  EXPECT_EQ(kernel.spill_size, 2560u);
  EXPECT_EQ(kernel.private_size, 4096u);
  EXPECT_EQ(kernel.inline_data_payload_size, 32u);
  EXPECT_EQ(kernel.indirect_stateless_count, 3u);
  EXPECT_EQ(kernel.offset_to_skip_per_thread_data_load, 192u);
  EXPECT_TRUE(kernel.has_dpas && kernel.has_global_atomics && kernel.has_no_stateless_write && kernel.has_stack_calls);
  EXPECT_TRUE(kernel.disable_eufusion && kernel.subgroup_independent_forward_progress);
  EXPECT_FALSE(kernel.has_printf_calls || kernel.generates_local_ids || kernel.has_sample);
  EXPECT_EQ(kernel.required_group_size, (std::array<uint32_t, 3>{64, 4, 1}));
  EXPECT_EQ(kernel.group_size_hint, (std::array<uint32_t, 3>{32, 1, 1}));
  EXPECT_EQ(kernel.required_sub_group_size, 8u);
  EXPECT_THAT(kernel.walk_order, ElementsAre(1, 0, 2));
}

TEST(ZeInfoTest, ReadsArguments) {
  const Zebin zebin = read(kIgc);
  const Kernel& kernel = zebin.kernels[0];
  ASSERT_EQ(kernel.payload.size(), 7u);
  EXPECT_EQ(kernel.payload[0].type, ArgType::GlobalIdOffset);
  EXPECT_EQ(kernel.payload[1].addrmode, AddrMode::Stateful);
  EXPECT_EQ(kernel.payload[1].access, Access::ReadOnly);
  EXPECT_EQ(kernel.payload[1].size, 0u);
  EXPECT_EQ(kernel.payload[2].addrmode, AddrMode::Slm);
  EXPECT_EQ(kernel.payload[2].addrspace, AddrSpace::Local);
  EXPECT_EQ(kernel.payload[2].slm_alignment, 16u);
  EXPECT_EQ(kernel.payload[4].source_offset, 20);
  EXPECT_EQ(kernel.payload[5].addrmode, AddrMode::Bindless);
  EXPECT_EQ(kernel.payload[5].addrspace, AddrSpace::Constant);
  EXPECT_EQ(kernel.payload[5].access, Access::WriteOnly);
  EXPECT_EQ(kernel.payload[6].bti, 3);
  ASSERT_EQ(kernel.per_thread_payload.size(), 1u);
  EXPECT_EQ(kernel.per_thread_payload[0].type, ArgType::LocalId);
  ASSERT_EQ(kernel.binding_table.size(), 1u);
  EXPECT_EQ(kernel.binding_table[0].bti, 1u);
  EXPECT_EQ(kernel.binding_table[0].arg_index, 0);
}

TEST(ZeInfoTest, SizesFollowFromTheEntries) {
  const Kernel kernel = read(kIgc).kernels[0];
  EXPECT_EQ(kernel.cross_thread_size(), 96u);  // 80, in whole blocks of 32
  EXPECT_EQ(kernel.per_thread_size(), 96u);
  EXPECT_EQ(kernel.scratch_bytes_per_thread(), 2560u);
  EXPECT_EQ(kernel.private_bytes_per_thread(), 8u * 512);
  EXPECT_EQ(kernel.argument_count(), 4u);
  EXPECT_EQ(kernel.argument_size(0), 8u);
  EXPECT_EQ(kernel.argument_size(1), 0u);
  EXPECT_EQ(kernel.argument_size(2), 24u);  // parts end at 21, the type at 24
  EXPECT_EQ(kernel.argument_size(3), 8u);   // 4 bytes of payload, but the host passes a pointer
  EXPECT_EQ(kernel.argument_size(9), 0u);
}

TEST(ZeInfoTest, KeepsNamesAndTypesForReports) {
  const Zebin zebin = read(kIgc);
  const Kernel& kernel = zebin.kernels[0];
  ASSERT_EQ(kernel.arguments.size(), 3u);
  EXPECT_EQ(kernel.arguments[0].name, "a");
  EXPECT_EQ(kernel.arguments[0].type_name, "float*");
  EXPECT_EQ(kernel.arguments[0].type_qualifiers, "const");
  EXPECT_EQ(kernel.arguments[1].name, "tile");
  EXPECT_EQ(kernel.arguments[2].type_name, "struct shape");
  EXPECT_EQ(kernel.arguments[2].size, 24u);
  ASSERT_EQ(zebin.function_infos.size(), 1u);
  EXPECT_EQ(zebin.function_infos[0].name, "helper");
  EXPECT_TRUE(zebin.function_infos[0].has_stack_calls);
  EXPECT_EQ(zebin.host_access.at("_Z3var"), "my var");
}

// As ngen writes: one element a line, quoted names, no misc information.
TEST(ZeInfoTest, ReadsBlockListsAndQuotesAlike) {
  const Zebin zebin = read(R"(version: "1.8"
kernels:
  - name: "gemm_kernel"
    execution_env:
      grf_count: 256
      simd_size: 8
      required_work_group_size:
        - 64
        - 2
        - 2
      work_group_walk_order_dimensions:
        - 0
        - 1
        - 2
      actual_kernel_start_offset: 288
      offset_to_skip_per_thread_data_load: 208
      inline_data_payload_size: 32
      generate_local_id: true
    payload_arguments:
      - arg_type: arg_byvalue
        offset: 32
        size: 2
        arg_index: 5
    binding_table_indices:
      - bti_value: 0
        arg_index: 0
      - bti_value: 1
        arg_index: 1
)");
  ASSERT_EQ(zebin.kernels.size(), 1u);
  const Kernel& kernel = zebin.kernels[0];
  EXPECT_EQ(kernel.name, "gemm_kernel");
  EXPECT_EQ(kernel.required_group_size, (std::array<uint32_t, 3>{64, 2, 2}));
  EXPECT_TRUE(kernel.generates_local_ids);
  EXPECT_EQ(kernel.offset_to_skip_per_thread_data_load, 208u);
  EXPECT_EQ(kernel.offset_to_skip_cross_thread_data_load, 288u);
  EXPECT_THAT(zebin.warnings, IsEmpty());
  EXPECT_EQ(kernel.binding_table.size(), 2u);
  EXPECT_EQ(kernel.argument_count(), 6u);
  EXPECT_EQ(kernel.argument_size(5), 2u);
}

TEST(ZeInfoTest, TheVectorCompilersKernels) {
  const Kernel kernel = read(R"(---
version:         '1.73'
kernels:
  - name:            esimd
    execution_env:
      grf_count:       128
      offset_to_skip_per_thread_data_load: 128
      simd_size:       1
      work_group_walk_order_dimensions: [ 0, 0, 0 ]
    payload_arguments:
      - arg_type:        local_size
        offset:          0
        size:            12
      - arg_type:        private_base_stateless
        offset:          16
        size:            8
    per_thread_payload_arguments:
      - arg_type:        packed_local_ids
        offset:          0
        size:            6
    per_thread_memory_buffers:
      - type:            scratch
        usage:           single_space
        size:            1184
...
)")
                            .kernels.at(0);
  EXPECT_EQ(kernel.simd_size, 1u);
  EXPECT_EQ(kernel.per_thread_payload.at(0).type, ArgType::PackedLocalIds);
  EXPECT_EQ(kernel.scratch_bytes_per_thread(), 1184u);
  EXPECT_EQ(kernel.inline_data_payload_size, 0u);
}

TEST(ZeInfoTest, UnknownKeysAreNamedOnce) {
  std::string text =
      replaced(kIgc, "      grf_count:       256\n", "      grf_count:       256\n      future_key: 1\n");
  text = replaced(text, "      - arg_type:        global_id_offset\n",
                  "      - arg_type:        global_id_offset\n        novelty: [ 1, { a: b } ]\n");
  text = replaced(text, "      - arg_type:        global_base\n",
                  "      - arg_type:        global_base\n        novelty: 2\n");
  EXPECT_THAT(read(text).warnings, UnorderedElementsAre("unknown key 'future_key' in execution_env",
                                                        "unknown key 'novelty' in payload_arguments"));
}

TEST(ZeInfoTest, UnknownArgumentTypesAreKeptAsUnsupported) {
  const Zebin zebin = read(replaced(kIgc, "global_id_offset", "rt_global_buffer"));
  EXPECT_EQ(zebin.kernels[0].payload[0].type, ArgType::Unsupported);
  EXPECT_EQ(zebin.kernels[0].payload[0].type_name, "rt_global_buffer");
  EXPECT_THAT(zebin.warnings, ElementsAre(HasSubstr("'rt_global_buffer' is not supported")));
}

TEST(ZeInfoTest, ErrorsNameLineAndKey) {
  EXPECT_THAT(error_of(replaced(kIgc, "simd_size:       8", "simd_size:       12")),
              HasSubstr("line 24: ze_info.kernels.gemm.execution_env.simd_size must be 1, 8, 16 or 32"));
  EXPECT_THAT(error_of(replaced(kIgc, "grf_count:       256", "grf_count:       many")),
              HasSubstr("grf_count must be a number, is 'many'"));
  EXPECT_THAT(error_of(replaced(kIgc, "slm_size:        61440", "slm_size:        -1")),
              HasSubstr("must be between 0 and"));
  EXPECT_THAT(error_of(replaced(kIgc, "slm_size:        61440", "slm_size:        99999999999999999999")),
              HasSubstr("must be a number"));
  EXPECT_THAT(error_of(replaced(kIgc, "has_dpas:        true", "has_dpas:        yes")),
              HasSubstr("must be true or false"));
  EXPECT_THAT(error_of(replaced(kIgc, "[ 64, 4, 1 ]", "[ 64, 4 ]")), HasSubstr("list of 3 numbers, has 2"));
  EXPECT_THAT(error_of(replaced(kIgc, "[ 64, 4, 1 ]", "[ 64, 0, 1 ]")), HasSubstr("has a size of 0"));
  EXPECT_THAT(error_of(replaced(kIgc, "[ 1, 0, 2 ]", "[ 1, 0, 3 ]")), HasSubstr("dimension above 2"));
  EXPECT_THAT(error_of(replaced(kIgc, "addrmode:        slm", "addrmode:        odd")),
              HasSubstr("is 'odd', which is not known"));
  EXPECT_THAT(error_of(replaced(kIgc, "      - arg_type:        global_base\n", "      - bti_value: 1\n")),
              HasSubstr("key 'bti_value' appears twice"));
  EXPECT_THAT(error_of(replaced(kIgc, "  - name:            gemm\n    user", "  - user")), HasSubstr("has no name"));
  EXPECT_THAT(error_of(replaced(kIgc, "      grf_count:       256\n", "")),
              HasSubstr("has no execution_env.grf_count"));
  EXPECT_THAT(error_of(replaced(kIgc, "offset:          72", "offset:          1048570")), HasSubstr("ends beyond"));
  EXPECT_THAT(error_of(replaced(kIgc, "'1.73'", "'2.0'")), HasSubstr("version 2.0"));
  EXPECT_THAT(error_of("kernels: 5"), HasSubstr("must be a list"));
  EXPECT_THAT(error_of("- a"), HasSubstr("must be a map"));
}

TEST(ZeInfoTest, HostileYamlIsRefused) {
  EXPECT_THAT(error_of("a: &x [1]\nb: *x"), HasSubstr("aliases are not allowed"));
  EXPECT_THAT(error_of("kernels: " + std::string(100, '[') + std::string(100, ']')), HasSubstr("nested more than"));
  EXPECT_THAT(error_of(std::string(100000, '[')), HasSubstr("zebin: .ze_info"));
  EXPECT_THAT(error_of("a: {b"), HasSubstr("zebin: .ze_info"));
  EXPECT_THAT(error_of("? [a]\n: b"), HasSubstr("key must be a plain word"));
  std::string keys;
  for (int i = 0; i < 5000; ++i) keys += "k" + std::to_string(i) + ": 0\n";
  EXPECT_THAT(error_of(keys), HasSubstr("more than 1000 keys"));
}

}  // namespace
}  // namespace xeforge::binary
