// SPDX-License-Identifier: Apache-2.0
//
// What threads find when they start, from hand-made argument layouts.
#include "machine/payload.h"

#include <set>

#include "machine/code.h"
#include "support/launch_fixture.h"

namespace xeforge::machine::test {
namespace {

using binary::AddrMode;
using binary::AddrSpace;
using binary::ArgType;

constexpr uint32_t kPoison = 0x7F7F7F7F;

class PayloadTest : public LaunchFixture {
 protected:
  using Adjust = std::function<void(binary::Kernel&)>;

  static binary::PayloadArg argument(ArgType type, uint32_t offset, uint32_t size, int32_t index = -1,
                                     AddrMode mode = AddrMode::None) {
    binary::PayloadArg arg;
    arg.type = type;
    arg.type_name = "type " + std::to_string(static_cast<int>(type));
    arg.offset = offset;
    arg.size = size;
    arg.arg_index = index;
    arg.addrmode = mode;
    return arg;
  }
  /// SIMT local ids in `rows` dimensions; the loading code, which is entered at 0, has one instruction.
  static void with_local_ids(binary::Kernel& kernel, unsigned simd, unsigned rows, uint32_t row_bytes) {
    kernel.simd_size = simd;
    kernel.work_dimensions = rows;
    kernel.per_thread_payload = {argument(ArgType::LocalId, 0, rows * row_bytes)};
    kernel.offset_to_skip_per_thread_data_load = 16;
  }

  Payload& payload(const Launch& launch) {
    launch_ = launch;
    payload_ = std::make_unique<Payload>(launch_, options_);
    return *payload_;
  }
  Payload& payload(const std::string& device, const Adjust& adjust, std::array<uint32_t, 3> groups,
                   std::array<uint32_t, 3> local, std::vector<ArgumentValue> arguments) {
    return payload(
        launch(prepare_text(device, "(W) mov (1|M0) r50.0<1>:ud 1:ud", adjust), groups, local, std::move(arguments)));
  }
  Thread& start(uint64_t group, uint32_t thread, uint32_t hardware_thread = 5) {
    payload_->start_group(group_, group);
    payload_->start_thread(*thread_, group_, thread, hardware_thread);
    return *thread_;
  }
  std::string error(const std::string& device, const Adjust& adjust, std::vector<ArgumentValue> arguments,
                    std::array<uint32_t, 3> local = {8, 1, 1}) {
    try {
      payload(device, adjust, {1, 1, 1}, local, std::move(arguments));
    } catch (const FaultException& e) {
      EXPECT_EQ(e.kind, FaultKind::InvalidLaunch);
      return e.message;
    }
    return "no error";
  }

  uint32_t grf() const { return launch_.kernel->device->grf_bytes(); }
  template <class T>
  T reg(unsigned number, unsigned element = 0) const {
    T v;
    std::memcpy(&v, thread_->at(number * grf() + element * static_cast<unsigned>(sizeof(T))), sizeof v);
    return v;
  }
  template <class T>
  T indirect(size_t offset) const {
    T v{};
    const auto& data = payload_->context().indirect_data;
    EXPECT_LE(offset + sizeof v, data.size());
    if (offset + sizeof v <= data.size()) std::memcpy(&v, data.data() + offset, sizeof v);
    return v;
  }

  RunOptions options_;
  Launch launch_;
  std::unique_ptr<Payload> payload_;
  Group group_;
  std::unique_ptr<Thread> thread_ = std::make_unique<Thread>();
};

TEST_F(PayloadTest, HeaderRegister) {
  auto* memory = buffer<uint32_t>(4);
  for (const char* device : {"a770", "b580"}) {
    SCOPED_TRACE(device);
    payload(device, {}, {3, 4, 5}, {64, 1, 1}, {pointer(memory)});
    const uint32_t simd = launch_.kernel->binary.simd_size;
    EXPECT_EQ(payload_->threads_per_group(), 64 / simd);
    start(1 + 3 * (2 + 4 * 3), 2, 0x2A5);
    EXPECT_EQ(reg<uint32_t>(0, 0), payload_->context().indirect_base);
    EXPECT_EQ(reg<uint32_t>(0, 0) % 64, 0u);
    EXPECT_EQ(reg<uint32_t>(0, 1), 1u);
    EXPECT_EQ(reg<uint32_t>(0, 6), 2u);
    EXPECT_EQ(reg<uint32_t>(0, 7), 3u);
    EXPECT_EQ(reg<uint32_t>(0, 2) & 0xFF, 2u) << "thread in the group";
    EXPECT_EQ(reg<uint32_t>(0, 2) >> 24, 64 / simd) << "threads of the group";
    EXPECT_EQ(reg<uint32_t>(0, 5) & 0x3FF, 0x2A5u);
    EXPECT_NE(reg<uint32_t>(0, 5) >> 10, 0u) << "scratch surface";
    EXPECT_EQ(reg<uint64_t>(1), reinterpret_cast<uint64_t>(memory)) << "inline data follow";
    EXPECT_EQ(reg<uint32_t>(2), kPoison);
    EXPECT_EQ(reg<uint32_t>(127, 7), kPoison);
    EXPECT_EQ(group_.id, (std::array<uint32_t, 3>{1, 2, 3}));
  }
}

TEST_F(PayloadTest, PoisonIsAnOption) {
  options_.poison = 0x11;
  payload("a770",
          [](binary::Kernel& k) {
            k.slm_size = 64;
            k.scratch = {{"scratch", "single_space", 128, 0, false}};
          },
          {1, 1, 1}, {8, 1, 1}, {pointer(buffer<int>(1))});
  Thread& t = start(0, 0);
  EXPECT_EQ(reg<uint32_t>(77, 3), 0x11111111u);
  EXPECT_EQ(group_.slm, std::vector<std::byte>(64, std::byte{0x11}));
  EXPECT_EQ(t.scratch, std::vector<std::byte>(128, std::byte{0x11}));
}

TEST_F(PayloadTest, LastThreadHasFewerLanes) {
  payload("a770", [](binary::Kernel& k) { k.simd_size = 16; }, {1, 1, 1}, {37, 1, 1}, {pointer(buffer<int>(1))});
  EXPECT_EQ(payload_->threads_per_group(), 3u);
  EXPECT_EQ(start(0, 1).dispatch_mask, 0xFFFFu);
  EXPECT_EQ(start(0, 2).dispatch_mask, 0x1Fu);
  EXPECT_EQ(thread_->exec_mask, 0x1Fu);
  payload("a770", [](binary::Kernel& k) { k.simd_size = 32; }, {1, 1, 1}, {32, 1, 1}, {pointer(buffer<int>(1))});
  EXPECT_EQ(start(0, 0).dispatch_mask, 0xFFFFFFFFu);
}

TEST_F(PayloadTest, LocalIdsInRegistersOrInMemory) {
  struct Case {
    std::array<uint32_t, 3> local;
    unsigned rows;
    bool in_registers;
  };
  // compute-runtime isRuntimeLocalIdsGenerationRequired
  const Case cases[] = {{{64, 1, 1}, 3, true}, {{16, 4, 3}, 3, true}, {{37, 1, 1}, 3, false}, {{8, 3, 1}, 3, false},
                        {{6, 4, 1}, 3, false}, {{64, 1, 1}, 1, true}, {{65, 1, 1}, 1, false}, {{64, 2, 1}, 1, false},
                        {{8, 4, 1}, 2, true},  {{8, 4, 2}, 2, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.local) + " rows " + std::to_string(c.rows));
    payload("a770", [&](binary::Kernel& k) { with_local_ids(k, 16, c.rows, 32); }, {1, 1, 1}, c.local,
            {pointer(buffer<int>(1))});
    EXPECT_EQ(payload_->hardware_local_ids(), c.in_registers);
    EXPECT_EQ(payload_->entry(), c.in_registers ? 16u : 0u);
    const unsigned item = 16 + 5;  // lane 5 of thread 1
    const std::array<uint32_t, 3> id{item % c.local[0], item / c.local[0] % c.local[1],
                                     item / (c.local[0] * c.local[1])};
    start(0, 1);
    EXPECT_EQ(launch_.kernel->code->uops[thread_->next].pc, c.in_registers ? 16u : 0u);
    for (unsigned d = 0; d < c.rows; ++d) {
      if (c.in_registers) {
        EXPECT_EQ(reg<uint16_t>(1 + d, 5), id[d]);
      } else {
        EXPECT_EQ(indirect<uint16_t>(c.rows * 32 + d * 32 + 5 * 2), id[d]);
      }
    }
    const unsigned inline_register = c.in_registers ? 1 + c.rows : 1;
    EXPECT_EQ(reg<uint64_t>(inline_register), launch_.arguments[0].pointer);
  }
}

TEST_F(PayloadTest, RowsOfLocalIds) {
  // SIMD32 on DG2: two registers a row; Xe2: one register of 64 bytes whatever the SIMD.
  payload("a770", [](binary::Kernel& k) { with_local_ids(k, 32, 3, 64); }, {1, 1, 1}, {32, 2, 1},
          {pointer(buffer<int>(1))});
  start(0, 1);
  EXPECT_EQ(reg<uint16_t>(1, 31), 31u);
  EXPECT_EQ(reg<uint16_t>(3, 31), 1u);
  EXPECT_EQ(reg<uint64_t>(7), launch_.arguments[0].pointer);
  payload("b580", [](binary::Kernel& k) { with_local_ids(k, 16, 2, 64); }, {1, 1, 1}, {32, 2, 1},
          {pointer(buffer<int>(1))});
  start(0, 3);
  EXPECT_EQ(reg<uint16_t>(1, 15), 31u);
  EXPECT_EQ(reg<uint16_t>(2, 15), 1u);
  EXPECT_EQ(reg<uint64_t>(3), launch_.arguments[0].pointer);
}

TEST_F(PayloadTest, CodeOfNgenGetsItsIdsInRegisters) {
  const auto ngen = [](binary::Kernel& k) {
    with_local_ids(k, 8, 3, 32);
    k.generates_local_ids = true;
  };
  payload("a770", ngen, {1, 1, 1}, {24, 1, 1}, {pointer(buffer<int>(1))});
  EXPECT_EQ(payload_->entry(), 16u);
  start(0, 2);
  EXPECT_EQ(reg<uint16_t>(1, 7), 23u);
}

TEST_F(PayloadTest, WalkOrder) {
  const auto adjust = [](binary::Kernel& k) {
    with_local_ids(k, 8, 3, 32);
    k.walk_order = {1, 2, 0};
  };
  payload("a770", adjust, {1, 1, 1}, {3, 4, 2}, {pointer(buffer<int>(1))});
  start(0, 2);  // items 16..23: y fastest, then z, then x
  EXPECT_EQ(reg<uint16_t>(1, 5), 2u);
  EXPECT_EQ(reg<uint16_t>(2, 5), 1u);
  EXPECT_EQ(reg<uint16_t>(3, 5), 1u);
}

TEST_F(PayloadTest, EsimdThreadsArePackedItems) {
  const auto adjust = [](binary::Kernel& k) {
    k.simd_size = 1;
    k.work_dimensions = 3;
    k.inline_data_payload_size = 0;
    k.per_thread_payload = {argument(ArgType::PackedLocalIds, 0, 6)};
  };
  for (const auto& [device, stride] : {std::pair{"a770", 32u}, std::pair{"b580", 64u}}) {
    payload(device, adjust, {1, 1, 1}, {3, 2, 2}, {pointer(buffer<int>(1))});
    EXPECT_EQ(payload_->threads_per_group(), 12u);
    EXPECT_FALSE(payload_->hardware_local_ids());
    EXPECT_EQ(start(0, 7).dispatch_mask, 0xFFFFFFFFu);
    EXPECT_EQ(indirect<uint64_t>(0), launch_.arguments[0].pointer) << "cross-thread data first";
    const size_t item7 = 32 + 7 * stride;
    EXPECT_EQ(indirect<uint16_t>(item7), 1u);
    EXPECT_EQ(indirect<uint16_t>(item7 + 2), 0u);
    EXPECT_EQ(indirect<uint16_t>(item7 + 4), 1u);
    EXPECT_EQ(reg<uint32_t>(1), kPoison);
  }
}

TEST_F(PayloadTest, NumbersOfTheRange) {
  const auto adjust = [](binary::Kernel& k) {
    k.inline_data_payload_size = 0;
    k.payload = {argument(ArgType::LocalSize, 0, 12),       argument(ArgType::EnqueuedLocalSize, 12, 12),
                 argument(ArgType::GlobalSize, 24, 12),     argument(ArgType::GroupCount, 36, 12),
                 argument(ArgType::GlobalIdOffset, 48, 12), argument(ArgType::WorkDimensions, 60, 4)};
  };
  Launch l = launch(prepare_text("a770", "", adjust), {5, 6, 1}, {8, 2, 1}, {});
  l.global_offset = {100, 200, 300};
  payload(l);
  const uint32_t expected[] = {8, 2, 1, 8, 2, 1, 40, 12, 1, 5, 6, 1, 100, 200, 300, 2};
  for (size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(indirect<uint32_t>(4 * i), expected[i]) << i;
}

TEST_F(PayloadTest, SurfacesOfPointers) {
  auto* memory = buffer<std::byte>(1001);
  const auto adjust = [](binary::Kernel& k) {
    k.inline_data_payload_size = 0;
    k.payload = {argument(ArgType::ByPointer, 0, 4, 0, AddrMode::Bindless), argument(ArgType::BufferOffset, 4, 4, 0),
                 argument(ArgType::ByPointer, 8, 4, 1, AddrMode::Bindless),
                 argument(ArgType::ByPointer, 0, 0, 2, AddrMode::Stateful)};
    k.binding_table = {{7, 2}};
  };
  payload("a770", adjust, {1, 1, 1}, {8, 1, 1}, {pointer(memory + 300), pointer(memory + 100), pointer(memory + 64)});
  const auto base = reinterpret_cast<uint64_t>(memory);
  const LaunchContext& context = payload_->context();
  ASSERT_EQ(context.bindless.size(), 2u);
  EXPECT_EQ(indirect<uint32_t>(0), 1u << 6);
  EXPECT_EQ(indirect<uint32_t>(4), 300u) << "the code adds it: the surface is the whole allocation";
  EXPECT_EQ(context.bindless[0].base, base);
  EXPECT_EQ(context.bindless[0].size, 1004u) << "in units of 4 bytes";
  EXPECT_EQ(indirect<uint32_t>(8), 2u << 6);
  EXPECT_EQ(context.bindless[1].base, base + 100);
  EXPECT_EQ(context.bindless[1].size, 904u);
  EXPECT_EQ(context.bti[7].base, base + 64);
  EXPECT_EQ(context.bti[7].size, 940u);

  int outside = 0;
  EXPECT_THAT(error("a770", adjust, {pointer(&outside), pointer(memory), pointer(memory)}),
              testing::HasSubstr("argument 0 is 0x"));
}

TEST_F(PayloadTest, SurfacesOfNgenFollowTheHardwareRule) {
  for (const bool ngen : {false, true}) {
    const auto adjust = [ngen](binary::Kernel& k) {
      k.from_compiler = !ngen;
      k.inline_data_payload_size = 0;
      k.payload = {argument(ArgType::ByPointer, 0, 0, 0, AddrMode::Stateful)};
      k.binding_table = {{7, 0}};
    };
    payload("a770", adjust, {1, 1, 1}, {8, 1, 1}, {pointer(buffer<int>(1))});
    EXPECT_EQ(payload_->context().bti[7].report_out_of_bounds, !ngen);
  }
}

TEST_F(PayloadTest, LocalMemoryArguments) {
  const auto adjust = [](binary::Kernel& k) {
    k.inline_data_payload_size = 0;
    k.slm_size = 100;
    k.payload = {argument(ArgType::ByPointer, 0, 4, 2, AddrMode::Slm),
                 argument(ArgType::ByPointer, 8, 8, 0, AddrMode::Slm)};
    k.payload[0].slm_alignment = 16;
    k.payload[1].slm_alignment = 64;
  };
  payload("a770", adjust, {1, 1, 1}, {8, 1, 1}, {slm(50), {}, slm(7)});
  // The code adds the size of the static part itself.
  EXPECT_EQ(indirect<uint64_t>(8), 0u) << "argument 0 comes first";
  EXPECT_EQ(indirect<uint32_t>(0), 64u) << "50, aligned to 16";
  EXPECT_EQ(payload_->context().slm_bytes, 128u + 64u + 7u) << "100, aligned to 64, and the arguments";
  EXPECT_THAT(error("a770", adjust, {slm(65536), {}, slm(7)}), testing::HasSubstr("65536 per group"));
  EXPECT_THAT(error("a770", adjust, {slm(8), {}, value(7)}), testing::HasSubstr("argument 2 is local memory"));
}

TEST_F(PayloadTest, PrivateMemoryHasAPlaceForEveryThreadSlot) {
  const auto adjust = [](binary::Kernel& k) {
    k.payload = {argument(ArgType::PrivateBase, 0, 8)};
    k.simd_size = 16;
    k.scratch = {{"global", "private_space", 100, 0, true}};
  };
  payload("a770", adjust, {1, 1, 1}, {16, 1, 1}, {});
  start(0, 0);
  const auto base = reg<uint64_t>(1);
  const Allocation* allocation = payload_->memory().find(base);
  ASSERT_NE(allocation, nullptr);
  EXPECT_EQ(allocation->base, base);
  EXPECT_EQ(allocation->size, 1600u * 4096);
  EXPECT_EQ(launch_.memory->find(base), nullptr) << "only this launch knows it";
}

TEST_F(PayloadTest, HardwareThreadNumbersComeBackFromTheStateRegister) {
  std::set<uint32_t> numbers;
  for (uint32_t n = 0; n < 4096; ++n) {
    const uint32_t sr0 = state_register_thread_id(isa::Platform::XeHpg, n);
    EXPECT_EQ(sr0 & 0x48, 0u);  // bits 3 and 6 stay clear
    // IGC CShader::GetHWTID: drop bit 6, then bit 3
    const uint32_t without6 = (sr0 & 0x3F) | (sr0 >> 7 << 6);
    numbers.insert((without6 & 7) | (without6 >> 4 << 3));
  }
  EXPECT_EQ(numbers.size(), 4096u);
  EXPECT_EQ(*numbers.rbegin(), 4095u);
  numbers.clear();
  for (uint32_t n = 0; n < 1280; ++n) {
    uint32_t sr0 = state_register_thread_id(isa::Platform::Xe2, n);
    for (const unsigned bit : {10u, 7u, 3u}) sr0 = (sr0 & ((1u << bit) - 1)) | (sr0 >> (bit + 1) << bit);
    numbers.insert(sr0);
  }
  EXPECT_EQ(numbers.size(), 1280u);
  EXPECT_EQ(*numbers.rbegin(), 1279u);
}

TEST_F(PayloadTest, ImplicitArgumentsStandInFrontAndAreReadableAsMemory) {
  const auto adjust = [](binary::Kernel& k) {
    k.inline_data_payload_size = 0;
    with_local_ids(k, 8, 1, 32);
    k.payload = {argument(ArgType::ImplicitArgBuffer, 8, 8), argument(ArgType::ByValue, 0, 4, 0)};
  };
  payload("a770", adjust, {3, 1, 1}, {24, 1, 1}, {value(uint32_t{77})});
  start(0, 0);
  const uint64_t base = reg<uint32_t>(0);
  EXPECT_EQ(indirect<uint32_t>(128), 77u) << "cross-thread data behind the implicit arguments";
  EXPECT_EQ(indirect<uint64_t>(136), base);
  EXPECT_EQ(indirect<uint8_t>(0), 112u);
  EXPECT_EQ(indirect<uint8_t>(3), 8u);
  EXPECT_EQ(indirect<uint32_t>(4), 24u);
  EXPECT_EQ(indirect<uint64_t>(16), 72u);
  // The same bytes at the address itself, for generic pointers.
  ASSERT_NE(payload_->memory().find(base), nullptr);
  EXPECT_TRUE(payload_->memory().find(base)->read_only);
  const auto* at = reinterpret_cast<const std::byte*>(base);
  EXPECT_EQ(std::memcmp(at, payload_->context().indirect_data.data(), payload_->context().indirect_data.size()), 0);
  uint16_t id = 0;
  std::memcpy(&id, reinterpret_cast<const std::byte*>(indirect<uint64_t>(72)) + 96 * 2 + 2 * 3, sizeof id);
  EXPECT_EQ(id, 19u) << "x of lane 3 of thread 2 in the table of local ids";
}

TEST_F(PayloadTest, ErrorsNameWhatIsWrong) {
  const auto with = [](binary::PayloadArg arg) { return [arg](binary::Kernel& k) { k.payload = {arg}; }; };
  const auto pointer_argument = argument(ArgType::ByPointer, 0, 8, 3, AddrMode::Stateless);
  EXPECT_THAT(error("a770", with(pointer_argument), {}), testing::HasSubstr("argument 3 of type"));
  EXPECT_THAT(error("a770", with(pointer_argument), {{}, {}, {}, slm(4)}),
              testing::HasSubstr("argument 3 is a pointer"));
  EXPECT_THAT(error("a770", with(argument(ArgType::PrintfBuffer, 0, 8)), {}), testing::HasSubstr("printf"));
  EXPECT_THAT(error("a770", with(argument(ArgType::ConstBase, 0, 8)), {}), testing::HasSubstr("constant data"));
  auto strange = argument(ArgType::Unsupported, 0, 8);
  strange.type_name = "rt_global_buffer";
  EXPECT_THAT(error("a770", with(strange), {}), testing::HasSubstr("'rt_global_buffer'"));
  EXPECT_THAT(error("a770", with(argument(ArgType::ByValue, 0, 8, 0)), {value(uint32_t{1})}),
              testing::HasSubstr("was set to 4 bytes; the kernel reads 8"));
  auto image = pointer_argument;
  image.addrspace = AddrSpace::Image;
  EXPECT_THAT(error("a770", with(image), {{}, {}, {}, value(uint64_t{0})}), testing::HasSubstr("image"));
  const auto plain = [](binary::Kernel& k) { k.payload.clear(); };
  EXPECT_THAT(error("a770", plain, {}, {0, 1, 1}), testing::HasSubstr("empty dimension"));
  EXPECT_THAT(error("a770", plain, {}, {1025, 1, 1}), testing::HasSubstr("1025 work-items"));
  EXPECT_THAT(error("a770",
                    [](binary::Kernel& k) {
                      k.payload.clear();
                      k.required_group_size = {16, 1, 1};
                    },
                    {}),
              testing::HasSubstr("compiled for 16x1x1"));
  EXPECT_THAT(error("a770",
                    [](binary::Kernel& k) {
                      k.payload.clear();
                      k.simd_size = 1;
                    },
                    {}, {129, 1, 1}),
              testing::HasSubstr("129 hardware threads"));
}

TEST_F(PayloadTest, FusionFollowsTheDriversRule) {
  const auto fused = [&](const char* device, std::array<uint32_t, 3> groups, std::array<uint32_t, 3> local,
                         bool disabled = false) {
    payload(device,
            [&](binary::Kernel& k) {
              k.payload.clear();
              k.disable_eufusion = disabled;
            },
            groups, local, {});
    EXPECT_EQ(payload_->fused(), payload_->not_fused_because().empty());
    return payload_->fused();
  };
  EXPECT_TRUE(fused("a770", {3, 1, 1}, {16, 1, 1}));
  EXPECT_FALSE(fused("a770", {3, 1, 1}, {15, 1, 1}));
  EXPECT_TRUE(fused("a770", {4, 1, 1}, {1, 1, 1}));
  EXPECT_FALSE(fused("a770", {3, 2, 1}, {1, 1, 1}));
  EXPECT_FALSE(fused("a770", {4, 1, 1}, {16, 1, 1}, true));
  EXPECT_FALSE(fused("b580", {4, 1, 1}, {16, 1, 1}));
}

}  // namespace
}  // namespace xeforge::machine::test
