// SPDX-License-Identifier: Apache-2.0
//
// Which memory the general kernel touches, message by message: with beta 0 no load and no prefetch from C, with beta
// each byte of it once; nothing but A and B besides; each byte of C stored once.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "compile/sycl_source.h"
#include "device/device.h"
#include "gemm/general.h"
#include "kernels/embedded.h"
#include "machine/footprint.h"
#include "machine/launch.h"
#include "machine/observer.h"
#include "xeforge/gemm.h"

namespace xeforge::gemm {
namespace {

namespace fs = std::filesystem;
using machine::Footprint;

const device::Device& a770() { return device::find_device("a770"); }

/// The module of one prefetch distance, compiled as at run time.
binary::Zebin compile_module(unsigned distance) {
  std::string name = (fs::temp_directory_path() / "xeforge-reads-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
  const fs::path directory = name;
  for (const auto& file : kernels::embedded_files()) {
    fs::create_directories((directory / file.name).parent_path());
    std::ofstream(directory / file.name) << file.text;
  }
  compile::SyclRequest request;
  request.source = directory / "module.cpp";
  std::ofstream(request.source) << general_module(distance).source;
  request.options = {"-O3", "-w", "-I" + directory.string()};
  const compile::SyclResult sycl = compile::compile_sycl(request);
  fs::remove_all(directory);
  if (!sycl.ok) throw std::runtime_error(sycl.error);
  const auto result = compile::compile(compile::runtime_request(sycl.images.at(0), sycl.images, a770()));
  if (!result.ok) throw std::runtime_error(result.error);
  return binary::read_zebin(result.zebin);
}

const binary::Zebin& module_of(unsigned distance) {
  static std::map<unsigned, binary::Zebin> modules;
  const auto found = modules.find(distance);
  return found != modules.end() ? found->second : modules.emplace(distance, compile_module(distance)).first->second;
}

struct Range {
  std::uint64_t base = 0, size = 0;
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address >= base && address + bytes <= base + size;
  }
};

/// How often each byte of the three matrices was loaded, prefetched and stored; accesses elsewhere.
struct Record {
  std::array<Range, 3> ranges;  // A, B, C
  std::array<std::vector<unsigned>, 3> loads, stores, prefetches;
  std::uint64_t elsewhere = 0;

  std::vector<unsigned>* of(Footprint::Kind kind, std::size_t matrix) {
    if (kind == Footprint::Kind::Load) return &loads.at(matrix);
    if (kind == Footprint::Kind::Store) return &stores.at(matrix);
    return kind == Footprint::Kind::Prefetch ? &prefetches.at(matrix) : nullptr;
  }

  void add(Footprint::Kind kind, const Footprint::Piece& piece) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      std::vector<unsigned>* counts = of(kind, i);
      if (counts == nullptr || !ranges.at(i).contains(piece.address, piece.bytes)) continue;
      for (std::uint32_t byte = 0; byte < piece.bytes; ++byte) ++counts->at(piece.address - ranges.at(i).base + byte);
      return;
    }
    ++elsewhere;
  }
};

class Recorder final : public machine::Observation {
 public:
  explicit Recorder(Record& record) : record_(record) {}
  std::unique_ptr<machine::Observer> begin_worker(const machine::LaunchContext&) override {
    return std::make_unique<Watcher>(*this);
  }
  void end_worker(std::unique_ptr<machine::Observer>) override {}

 private:
  class Watcher final : public machine::Observer {
   public:
    explicit Watcher(Recorder& recorder) : Observer(Detail::Sends), recorder_(recorder) {}
    void before(machine::Thread& thread, const machine::Uop& uop) override {
      Footprint footprint;
      machine::footprint(thread, uop, footprint);
      if (footprint.space != Footprint::Space::Global) return;
      const std::lock_guard lock(recorder_.mutex_);
      for (const Footprint::Piece& piece : footprint) recorder_.record_.add(footprint.kind, piece);
    }

   private:
    Recorder& recorder_;
  };

  std::mutex mutex_;
  Record& record_;
};

Record record(const Problem& p, unsigned distance) {
  const auto m = static_cast<std::size_t>(p.m), n = static_cast<std::size_t>(p.n), k = static_cast<std::size_t>(p.k);
  std::vector<Bf16> a(m * k, 0x3F80);
  std::vector<std::uint32_t> b(k / 2 * n, 0x3F803F80);
  std::vector<float> c(m * n);
  Record result;
  result.ranges = {Range{reinterpret_cast<std::uint64_t>(a.data()), m * k * 2},
                   Range{reinterpret_cast<std::uint64_t>(b.data()), k * n * 2},
                   Range{reinterpret_cast<std::uint64_t>(c.data()), m * n * 4}};
  machine::MemoryMap map;
  machine::Launch launch;
  for (std::size_t i = 0; i < 3; ++i) {
    const Range& range = result.ranges.at(i);
    map.add(range.base, range.size, machine::MemoryKind::Device);
    for (auto* counts : {&result.loads, &result.stores, &result.prefetches}) counts->at(i).resize(range.size);
    machine::ArgumentValue argument;
    argument.kind = machine::ArgumentValue::Kind::Pointer;
    argument.pointer = range.base;
    launch.arguments.push_back(std::move(argument));
  }
  const auto add_value = [&](auto value) {
    machine::ArgumentValue argument;
    argument.kind = machine::ArgumentValue::Kind::Bytes;
    const auto bytes = std::as_bytes(std::span(&value, 1));
    argument.bytes.assign(bytes.begin(), bytes.end());
    launch.arguments.push_back(std::move(argument));
  };
  for (const std::size_t size : {m, n, k}) add_value(static_cast<std::uint32_t>(size));
  add_value(p.alpha);
  add_value(p.beta);
  const std::string name = "__sycl_kernel_" + Gemm::kernel_name(p.alpha, p.beta, distance);
  const binary::Kernel* kernel = module_of(distance).find_kernel(name);
  if (kernel == nullptr) throw std::runtime_error("no kernel " + name);
  launch.kernel = machine::prepare_kernel(*kernel, a770());
  launch.local = {kGeneralThreads, 1, 1};
  launch.groups = {static_cast<std::uint32_t>(m / 128 * (n / 64)), 1, 1};
  launch.memory = map.snapshot();
  Recorder recorder(result);
  machine::RunOptions options;
  options.observation = &recorder;
  const auto run = machine::run(launch, options);
  EXPECT_FALSE(run.fault) << run.fault->to_string();
  EXPECT_EQ(c.at(m * n / 2), p.alpha * static_cast<float>(k));
  return result;
}

constexpr std::size_t kA = 0, kB = 1, kC = 2;

class Reads : public testing::TestWithParam<unsigned> {
 protected:
  /// Every byte so often, and no access elsewhere.
  static void expect_each(const std::vector<unsigned>& counts, unsigned times) {
    EXPECT_EQ(std::count(counts.begin(), counts.end(), times), static_cast<std::ptrdiff_t>(counts.size()));
  }
};

TEST_P(Reads, OldCIsNeverTouchedWithBetaZero) {
  for (const float alpha : {1.0F, 2.0F}) {
    const Record found = record({256, 128, 160, alpha, 0}, GetParam());
    expect_each(found.loads.at(kC), 0);
    expect_each(found.prefetches.at(kC), 0);
    expect_each(found.stores.at(kC), 1);
    EXPECT_EQ(found.elsewhere, 0U);
  }
}

TEST_P(Reads, OldCIsReadOnceOtherwise) {
  for (const float alpha : {1.0F, 2.0F}) {
    const Record found = record({256, 128, 160, alpha, 0.5F}, GetParam());
    expect_each(found.loads.at(kC), 1);
    expect_each(found.stores.at(kC), 1);
    EXPECT_EQ(found.elsewhere, 0U);
  }
}

TEST_P(Reads, EachGroupCopiesItsTilesOnce) {
  const Record found = record({256, 128, 160, 1, 0}, GetParam());
  expect_each(found.loads.at(kA), 2);  // columns of groups
  expect_each(found.loads.at(kB), 2);  // rows of groups
  expect_each(found.stores.at(kA), 0);
  expect_each(found.stores.at(kB), 0);
}

TEST_P(Reads, PrefetchesAskForTilesOnceAndStayInside) {
  // Block 0 and blocks PF_DIST and on; with distance 2 nobody asks for block 1.
  constexpr std::size_t blocks = 5;
  const Record found = record({128, 64, blocks * 32, 1, 0}, GetParam());
  for (std::size_t block = 0; block < blocks; ++block) {
    const bool asked = GetParam() != 0 && (block == 0 || block >= GetParam());
    for (const std::size_t matrix : {kA, kB}) {
      const auto& counts = found.prefetches.at(matrix);
      const std::size_t bytes = counts.size() / blocks;
      const std::vector<unsigned> of_block(counts.begin() + static_cast<std::ptrdiff_t>(block * bytes),
                                           counts.begin() + static_cast<std::ptrdiff_t>((block + 1) * bytes));
      SCOPED_TRACE(block);
      expect_each(of_block, asked ? 1 : 0);
    }
  }
  EXPECT_EQ(found.elsewhere, 0U);
}

INSTANTIATE_TEST_SUITE_P(Distances, Reads, testing::Values(0U, 1U, 2U));

}  // namespace
}  // namespace xeforge::gemm
