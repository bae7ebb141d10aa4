// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of the zoo: the faulty one is reported with the right kind and place and nothing else, its corrected
// twin is silent.
#include "support/zoo.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "binary/debug_lines.h"
#include "binary/zebin.h"
#include "compile/compile.h"
#include "device/device.h"
#include "observe/check/checker.h"
#include "observe/check/init_memory.h"
#include "observe/check/render.h"

namespace xeforge::check_test {
namespace {

namespace check = observe::check;

constexpr char kZoo[] = XEFORGE_TEST_SOURCE_DIR "/zoo";

/// A file of the zoo, compiled for a device with or without its faults.
struct Compiled {
  binary::Zebin zebin;
  binary::DebugLines lines;
};

const Compiled& compiled(const Case& c, const std::string& device, bool faulty) {
  static std::map<std::tuple<std::string, std::string, bool>, Compiled> all;
  const auto [at, fresh] = all.try_emplace({c.file, device, faulty});
  if (!fresh) return at->second;
  compile::Request request;
  compile::Source& source = request.sources.emplace_back();
  source.kind = compile::Source::Kind::OpenClC;
  const auto* bytes = reinterpret_cast<const std::byte*>(c.text.data());
  source.bytes.assign(bytes, bytes + c.text.size());
  request.options = std::string("-cl-std=CL3.0 -gline-tables-only -cl-kernel-arg-info") + (faulty ? " -DFAULTY" : "");
  request.device = &device::find_device(device);
  const compile::Result result = compile::compile(request);
  if (!result.ok) throw std::runtime_error(c.file + " does not compile: " + result.error + "\n" + result.log);
  at->second.zebin = binary::read_zebin(result.zebin);
  at->second.lines = binary::DebugLines(at->second.zebin.debug_line_source_elf);
  return at->second;
}

binary::Kernel assembled(const Assembly& assembly, const device::Device& device, uint32_t slm) {
  binary::Kernel kernel;
  kernel.name = "assembled";
  kernel.code =
      isa::assemble(device.platform, assembly.text + "(W) send.gtwy (1|M0) null r112 null 0x0 0x02000010 {EOT}\n");
  kernel.simd_size = device.platform == isa::Platform::Xe2 ? 16 : 8;
  kernel.grf_count = 128;
  kernel.slm_size = slm;
  kernel.barrier_count = 1;
  kernel.inline_data_payload_size = 32;
  for (int i = 0; i < 2; ++i) {
    binary::PayloadArg pointer;
    pointer.type = binary::ArgType::ByPointer;
    pointer.type_name = "arg_bypointer";
    pointer.offset = static_cast<uint32_t>(8 * i);
    pointer.size = 8;
    pointer.arg_index = i;
    pointer.addrmode = binary::AddrMode::Stateless;
    pointer.addrspace = binary::AddrSpace::Global;
    kernel.payload.push_back(pointer);
  }
  return kernel;
}

/// Memory of one run. Buffers lie apart, so that what leaves one does not meet the next.
class Bed {
 public:
  static constexpr size_t kApart = size_t{1} << 20;

  ~Bed() {
    for (void* m : mapped_) munmap(m, kApart);
  }
  machine::ArgumentValue make(const Argument& a) {
    machine::ArgumentValue value;
    value.kind = machine::ArgumentValue::Kind::Pointer;
    switch (a.kind) {
      case Argument::Kind::Buffer:
      case Argument::Kind::Undefined: {
        value.pointer = map();
        map_.add(value.pointer, a.value, machine::MemoryKind::Device);
        if (a.kind == Argument::Kind::Undefined) defined_.allocate(value.pointer, a.value);
        break;
      }
      case Argument::Kind::Int: {
        value.kind = machine::ArgumentValue::Kind::Bytes;
        const auto number = static_cast<int32_t>(a.value);
        value.bytes.resize(4);
        std::memcpy(value.bytes.data(), &number, 4);
        break;
      }
      case Argument::Kind::Slm:
        value.kind = machine::ArgumentValue::Kind::Slm;
        value.slm_bytes = static_cast<uint32_t>(a.value);
        break;
      case Argument::Kind::Null:
        break;
      case Argument::Kind::Freed:
        value.pointer = freed_ = map();
        break;
      case Argument::Kind::Host:
        value.pointer = host_ = map();
        break;
      case Argument::Kind::Same:
        value.pointer = pointers_.at(a.value) + a.offset;
        break;
    }
    pointers_.push_back(value.pointer);
    return value;
  }
  std::shared_ptr<const machine::MemorySnapshot> snapshot() { return map_.snapshot(); }
  check::Environment environment(const binary::DebugLines* lines, const std::string& kernel) {
    check::Environment e;
    e.freed = [this](uint64_t address) -> std::optional<std::string> {
      if (freed_ == 0 || address < freed_ || address >= freed_ + kApart) return std::nullopt;
      return "device USM #7";
    };
    e.is_host_memory = [this](uint64_t address) { return host_ != 0 && address >= host_ && address < host_ + kApart; };
    if (lines != nullptr) e.source_line = [lines, kernel](uint32_t pc) { return lines->find(kernel, pc); };
    e.defined = &defined_;
    return e;
  }

 private:
  uint64_t map() {
    void* m = mmap(nullptr, kApart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped_.push_back(m);
    return reinterpret_cast<uint64_t>(m);
  }
  std::vector<void*> mapped_;
  std::vector<uint64_t> pointers_;
  machine::MemoryMap map_;
  check::DefinedMemory defined_;
  uint64_t freed_ = 0, host_ = 0;
};

struct Found {
  std::vector<check::Finding> findings;
  std::vector<uint32_t> marked_pcs;
};

Found run_case(const Case& c, const std::string& device_id, bool faulty) {
  const device::Device& device = device::find_device(device_id);
  Found found;
  machine::Launch launch;
  const binary::DebugLines* lines = nullptr;
  if (c.assembled()) {
    const Assembly assembly = variant_of(c, faulty);
    found.marked_pcs = assembly.pcs;
    uint32_t slm = 0;
    for (const Argument& a : c.arguments) slm += a.kind == Argument::Kind::Slm ? static_cast<uint32_t>(a.value) : 0;
    launch.kernel = machine::prepare_kernel(assembled(assembly, device, slm), device);
  } else {
    const Compiled& module = compiled(c, device_id, faulty);
    const binary::Kernel* kernel = module.zebin.find_kernel(c.name);
    if (kernel == nullptr) throw std::runtime_error("no kernel " + c.name + " in " + c.file);
    launch.kernel = machine::prepare_kernel(*kernel, device);
    lines = &module.lines;
  }
  Bed bed;
  launch.groups = c.groups;
  launch.local = c.local;
  for (const Argument& a : c.arguments) {
    if (c.assembled() && a.kind == Argument::Kind::Slm) continue;
    launch.arguments.push_back(bed.make(a));
  }
  // Assembled kernels have two pointers.
  while (c.assembled() && launch.arguments.size() < 2)
    launch.arguments.push_back(bed.make({Argument::Kind::Buffer, 64, 0}));
  launch.memory = bed.snapshot();
  const check::Environment environment = bed.environment(lines, launch.kernel->name);
  check::Checker checker(check::parse_selection("all"), launch, environment);
  const machine::LaunchResult result = machine::run(launch, checker.options({}));
  found.findings = checker.finish(result).findings;
  if (result.fault && found.findings.empty()) throw std::runtime_error(result.fault->to_string());
  return found;
}

std::string text_of(const std::vector<check::Finding>& findings) {
  std::string text;
  for (const check::Finding& f : findings) text += check::report_text(f) + "\n";
  return text;
}

bool at_marked_place(const Case& c, const Found& found, const check::Finding& finding) {
  std::vector<check::Place> places{finding.first};
  if (finding.other) places.push_back(*finding.other);
  for (const check::Place& place : places) {
    if (c.assembled()) {
      for (const uint32_t pc : found.marked_pcs) {
        if (place.has_pc && place.pc == pc) return true;
      }
      continue;
    }
    for (const unsigned line : c.lines) {
      const std::string end = ":" + std::to_string(line);
      if (place.source.size() > end.size() &&
          place.source.compare(place.source.size() - end.size(), end.size(), end) == 0)
        return true;
    }
  }
  return false;
}

struct Row {
  Case c;
  std::string device;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.c.file << " " << row.c.name << " on " << row.device; }

class Zoo : public ::testing::TestWithParam<Row> {};

TEST_P(Zoo, FaultIsReportedAtItsPlace) {
  const auto& [c, device] = GetParam();
  const Found found = run_case(c, device, true);
  ASSERT_FALSE(found.findings.empty()) << "nothing is reported";
  const auto number = static_cast<size_t>(std::find(c.devices.begin(), c.devices.end(), device) - c.devices.begin());
  const std::string& expected = c.expect[std::min(number, c.expect.size() - 1)];
  bool placed = c.lines.empty(), found_expected = false;
  for (const check::Finding& finding : found.findings) {
    const std::string kind(check::row_of(finding.kind).id);
    if (std::find(c.also.begin(), c.also.end(), kind) != c.also.end()) continue;
    found_expected |= kind == expected;
    EXPECT_EQ(kind, expected) << check::report_text(finding);
    // What is wrong with the launch itself is at no instruction.
    placed |= !finding.first.has_pc || at_marked_place(c, found, finding);
  }
  EXPECT_TRUE(found_expected) << text_of(found.findings);
  EXPECT_TRUE(placed) << "no report names a line marked FAULT:\n" << text_of(found.findings);
}

TEST_P(Zoo, TwinIsSilent) {
  const auto& [c, device] = GetParam();
  const Found found = run_case(c, device, false);
  EXPECT_TRUE(found.findings.empty()) << text_of(found.findings);
}

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const Case& c : read_zoo(kZoo)) {
    for (const std::string& device : c.devices) all.push_back({c, device});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Zoo, ::testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.c.name + "_" + row.param.device; });

TEST(ZooSize, HasFortyKernelsAtLeast) { EXPECT_GE(read_zoo(kZoo).size(), 40u); }

}  // namespace
}  // namespace xeforge::check_test
