// SPDX-License-Identifier: Apache-2.0
//
// Every dependency of correct kernels is taken away in turn, and the checker must report exactly those that are
// necessary. What is necessary is decided by brute force, without the checker's scoreboard: over the instructions that
// a thread executes, every pair that touches the same register is looked at, and all waits between the two.
#include "observe/check/scoreboard.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "compile/compile.h"
#include "device/device.h"
#include "observe/check/checker.h"
#include "observe/check/render.h"

namespace xeforge::check_test {
namespace {

namespace check = observe::check;
using check::Pipe;
using check::Scheduled;
using isa::Instruction;
using isa::SwsbDist;
using isa::SwsbToken;

constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
kernel void saxpy(global const float* a, global float* b, global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = 2.5f * a[i] + b[i];
}
kernel void sum_of_roots(global const float* a, global float* b, global float* out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 4; k++) sum += native_sqrt(a[i] + k) * native_recip(b[i] + 1.0f);
  out[i] = sum;
}
kernel void through_tile(global const float* a, global float* b, global float* out, int n) {
  local float tile[64];
  int i = get_local_id(0);
  tile[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[63 - i] + b[i];
}
kernel void integers(global const float* a, global float* b, global float* out, int n) {
  int i = get_global_id(0);
  int x = as_int(a[i]), y = as_int(b[i]);
  for (int k = 0; k < 3; k++) { x = x * 77 + (y >> 3); y = (y << 5) ^ x; }
  out[i] = as_float((x ^ y) & 0xFFFF);
}
__attribute__((intel_reqd_sub_group_size(NATIVE)))
kernel void matrix(global const float* a, global float* b, global float* out, int n) {
  int l = get_local_id(0) & (NATIVE - 1);
  float8 s = 0;
  for (int k = 0; k < 2; k++) {
    AVEC va = ((global const AVEC*)a)[l];
    int8 vb = ((global const int8*)b)[l];
    s = intel_sub_group_bf16_bf16_matrix_mad_k16(va, vb, s);
  }
  for (int k = 0; k < 8; k++) out[k * NATIVE + l] = s[k];
}
)";
constexpr const char* kKernels[] = {"saxpy", "sum_of_roots", "through_tile", "integers", "matrix"};

/// Which instructions a thread executes one after another, jumps that were taken between them.
struct Step {
  uint32_t index = 0;
  bool after_jump = false;
};

/// Watches one thread's path.
class Path : public machine::Observer, public machine::Observation {
 public:
  Path() : Observer(Detail::Sends) {}
  std::vector<Step> steps;

  std::unique_ptr<machine::Observer> begin_worker(const machine::LaunchContext& context) override {
    code_ = context.code;
    auto observer = std::make_unique<Path>();
    observer->code_ = code_;
    return observer;
  }
  void end_worker(std::unique_ptr<machine::Observer> observer) override {
    steps = std::move(static_cast<Path&>(*observer).steps);
  }
  void block(machine::Thread& t, uint32_t b) override {
    if (t.id != 0 || t.group->linear != 0) return;
    const machine::Block& block = code_->blocks[b];
    for (uint32_t i = 0; i < block.inst_count; ++i) {
      const uint32_t index = block.inst_first + i;
      steps.push_back({index, i == 0 && !steps.empty() && steps.back().index + 1 != index});
    }
  }

 private:
  const machine::Code* code_ = nullptr;
};

int latency(Pipe p) { return p == Pipe::Long ? 15 : p == Pipe::Math ? 18 : 10; }

/// A distance that names no pipe means those of the source operands' types. No type of the kernels here is 64 bits
/// wide.
bool operand_of(const Instruction& inst, Pipe pipe) {
  for (unsigned i = 0; i < inst.num_src; ++i) {
    if (inst.src[i].kind == isa::OperandKind::Immediate || inst.src[i].is_null()) continue;
    if (isa::is_float(inst.src[i].type) == (pipe == Pipe::Float)) return true;
  }
  return inst.is_send();
}

/// True if something between step `first` and the execution of step `second` (its own waits included) makes sure that
/// the first one's result (or, for `source`, its reading) is over.
bool waited(const std::vector<Step>& path, const std::vector<Scheduled>& code, size_t first, size_t second,
            bool source) {
  const Scheduled& producer = code[path[first].index];
  const Pipe pipe = producer.pipe;
  int issued = 0;  // instructions of the pipe behind the producer
  int token = producer.inst->swsb.token_kind == SwsbToken::Set ? producer.inst->swsb.token : -1;
  for (size_t i = first + 1; i <= second; ++i) {
    const Instruction& inst = *code[path[i].index].inst;
    const Pipe own = code[path[i].index].pipe;
    const isa::Swsb& w = inst.swsb;
    if (check::in_order(pipe)) {
      if (path[i].after_jump) return true;
      if (w.dist_pipe != SwsbDist::None && w.dist != 0) {
        const bool mine = w.dist_pipe == SwsbDist::Any || (w.dist_pipe == SwsbDist::Float && pipe == Pipe::Float) ||
                          (w.dist_pipe == SwsbDist::Int && pipe == Pipe::Int) ||
                          (w.dist_pipe == SwsbDist::Long && pipe == Pipe::Long) ||
                          (w.dist_pipe == SwsbDist::Math && pipe == Pipe::Math) ||
                          (w.dist_pipe == SwsbDist::SelfPipe && operand_of(inst, pipe));
        if (mine && issued + 1 >= w.dist) return true;
      }
      if (i < second && own == pipe && ++issued >= latency(pipe)) return true;
      continue;
    }
    const bool over = w.token_kind == SwsbToken::Dst || (source && w.token_kind == SwsbToken::Src);
    if (over && token >= 0 && w.token == token) return true;
    if (w.token_kind == SwsbToken::Set && w.token == token && token >= 0 && !(own == Pipe::Dpas && pipe == Pipe::Dpas))
      return true;
    // A dpas without a token belongs to the next one that has one.
    if (token < 0 && pipe == Pipe::Dpas && own == Pipe::Dpas && w.token_kind == SwsbToken::Set) token = w.token;
    const bool all = inst.op == isa::Opcode::Sync &&
                     (inst.sync_fn == isa::SyncFn::Allwr || (source && inst.sync_fn == isa::SyncFn::Allrd));
    if (all && token >= 0) {
      const bool masked = inst.num_src != 0 && inst.src[0].kind == isa::OperandKind::Immediate;
      if (!masked || (inst.src[0].imm >> token & 1u) != 0) return true;
    }
  }
  return false;
}

/// Pairs (consumer, producer) of instructions that nothing orders.
std::set<std::pair<uint32_t, uint32_t>> unordered_pairs(const std::vector<Step>& path,
                                                        const std::vector<Scheduled>& code) {
  std::set<std::pair<uint32_t, uint32_t>> found;
  constexpr size_t kWindow = 400;  // instructions: longer than any result of these kernels stays in flight
  for (size_t second = 0; second < path.size(); ++second) {
    const Scheduled& later = code[path[second].index];
    if (later.pipe == Pipe::None) continue;
    for (size_t first = second > kWindow ? second - kWindow : 0; first < second; ++first) {
      const Scheduled& earlier = code[path[first].index];
      if (earlier.pipe == Pipe::None) continue;
      const bool same = check::in_order(earlier.pipe) && earlier.pipe == later.pipe;
      const bool dpas = earlier.pipe == Pipe::Dpas && later.pipe == Pipe::Dpas;
      if (dpas) continue;
      const bool raw = check::overlap(later.reads, earlier.writes) >= 0;
      const bool waw = !same && check::overlap(later.writes, earlier.writes) >= 0;
      if ((raw || waw) && !waited(path, code, first, second, false))
        found.insert({path[second].index, path[first].index});
    }
  }
  return found;
}

struct Bed {
  std::vector<std::vector<float>> memory = std::vector<std::vector<float>>(3, std::vector<float>(4096, 1.0f));
  machine::MemoryMap map;
  machine::Launch launch;

  Bed(std::shared_ptr<const machine::Kernel> kernel, uint32_t local) {
    launch.kernel = std::move(kernel);
    launch.local = {local, 1, 1};
    for (auto& m : memory) {
      map.add(reinterpret_cast<uint64_t>(m.data()), m.size() * 4, machine::MemoryKind::Device);
      machine::ArgumentValue& a = launch.arguments.emplace_back();
      a.kind = machine::ArgumentValue::Kind::Pointer;
      a.pointer = reinterpret_cast<uint64_t>(m.data());
    }
    machine::ArgumentValue& n = launch.arguments.emplace_back();
    n.kind = machine::ArgumentValue::Kind::Bytes;
    n.bytes = {std::byte{64}, std::byte{0}, std::byte{0}, std::byte{0}};
    launch.memory = map.snapshot();
  }
};

/// The kernel with other instructions in place of its own; the machine code stays.
std::shared_ptr<const machine::Kernel> with_instructions(const machine::Kernel& from,
                                                         std::vector<Instruction> changed) {
  auto kernel = std::make_shared<machine::Kernel>(from);
  const auto code = from.program->code();
  kernel->program = std::make_shared<isa::Program>(
      from.program->platform(), std::vector<std::byte>(code.begin(), code.end()), std::move(changed));
  const std::vector<uint32_t> entries{0, from.entry, from.binary.offset_to_skip_per_thread_data_load};
  kernel->code = machine::translate(kernel->program, *from.device, from.binary.grf_count, entries);
  return kernel;
}

std::set<std::pair<uint32_t, uint32_t>> reported(const machine::Launch& launch) {
  const check::Environment nothing;
  check::Selection hazards;
  hazards.add(check::Topic::Hazards);
  check::Checker checker(hazards, launch, nothing);
  machine::RunOptions options;
  options.host_threads = 1;
  const machine::LaunchResult result = machine::run(launch, checker.options(options));
  EXPECT_FALSE(result.fault) << result.fault->to_string();
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (const check::Finding& f : checker.finish(result).findings) {
    if (f.kind == check::Kind::OverwrittenTooEarly) continue;  // the rule below is about results
    pairs.insert({static_cast<uint32_t>(launch.kernel->program->index_of(f.first.pc)),
                  static_cast<uint32_t>(launch.kernel->program->index_of(f.other->pc))});
  }
  return pairs;
}

std::vector<Scheduled> scheduled(const std::vector<Instruction>& instructions, isa::Platform platform) {
  std::vector<Scheduled> all;
  for (const Instruction& inst : instructions) all.push_back(check::schedule(inst, platform));
  return all;
}

class Dependencies : public ::testing::TestWithParam<std::string> {};

TEST_P(Dependencies, EveryNecessaryOneIsReportedWhenItIsMissing) {
  const device::Device& device = device::find_device(GetParam());
  const bool xe2 = device.platform == isa::Platform::Xe2;
  compile::Request request;
  compile::Source& source = request.sources.emplace_back();
  source.kind = compile::Source::Kind::OpenClC;
  const std::string text =
      std::string(xe2 ? "#define NATIVE 16\n#define AVEC short8\n" : "#define NATIVE 8\n#define AVEC int8\n") + kSource;
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  source.bytes.assign(bytes, bytes + text.size());
  request.options = "-cl-std=CL3.0";
  request.device = &device;
  const compile::Result compiled = compile::compile(request);
  ASSERT_TRUE(compiled.ok) << compiled.error << compiled.log;
  const binary::Zebin zebin = binary::read_zebin(compiled.zebin);

  unsigned removed = 0, necessary = 0;
  for (const char* name : kKernels) {
    SCOPED_TRACE(name);
    const auto kernel = machine::prepare_kernel(*zebin.find_kernel(name), device);
    const Bed bed(kernel, 64);
    Path path;
    machine::RunOptions options;
    options.host_threads = 1;
    options.observation = &path;
    ASSERT_FALSE(machine::run(bed.launch, options).fault);
    const auto own = kernel->program->instructions();
    const std::vector<Instruction> original(own.begin(), own.end());
    ASSERT_TRUE(reported(bed.launch).empty()) << "the kernel as compiled is not silent";
    ASSERT_TRUE(unordered_pairs(path.steps, scheduled(original, device.platform)).empty());

    for (size_t i = 0; i < original.size(); ++i) {
      const isa::Swsb& w = original[i].swsb;
      for (const bool distance : {true, false}) {
        const bool waits = distance ? w.dist_pipe != SwsbDist::None && w.dist != 0
                                    : w.token_kind == SwsbToken::Src || w.token_kind == SwsbToken::Dst;
        const bool all = !distance && original[i].op == isa::Opcode::Sync &&
                         (original[i].sync_fn == isa::SyncFn::Allwr || original[i].sync_fn == isa::SyncFn::Allrd);
        if (!waits && !all) continue;
        std::vector<Instruction> changed = original;
        if (all) {
          changed[i].sync_fn = isa::SyncFn::Nop;
        } else if (distance) {
          changed[i].swsb.dist_pipe = SwsbDist::None;
          changed[i].swsb.dist = 0;
        } else {
          changed[i].swsb.token_kind = SwsbToken::None;
        }
        ++removed;
        const auto expected = unordered_pairs(path.steps, scheduled(changed, device.platform));
        machine::Launch launch = bed.launch;
        launch.kernel = with_instructions(*kernel, changed);
        const auto found = reported(launch);
        necessary += !expected.empty();
        // Each producer that nothing waits for, once: a write in the wrong order replaces the value that later readers
        // would miss. Threads other than the one whose path was taken may meet more.
        for (const auto& [consumer, producer] : expected) {
          EXPECT_TRUE(
              std::any_of(found.begin(), found.end(), [&](const auto& pair) { return pair.second == producer; }))
              << "a wait was taken from `" << kernel->program->text(original[i].pc) << "`: `"
              << kernel->program->text(original[producer].pc) << "` is not waited for in front of `"
              << kernel->program->text(original[consumer].pc) << "`, and not reported";
        }
        if (expected.empty()) {
          EXPECT_TRUE(found.empty()) << "an unnecessary wait was taken from `" << kernel->program->text(original[i].pc)
                                     << "` and is reported";
        }
      }
    }
  }
  EXPECT_GT(necessary, 60u) << "of " << removed;
  RecordProperty("removed", static_cast<int>(removed));
  RecordProperty("necessary", static_cast<int>(necessary));
}

INSTANTIATE_TEST_SUITE_P(Devices, Dependencies, ::testing::Values("a770", "b580"));

}  // namespace
}  // namespace xeforge::check_test
