// SPDX-License-Identifier: Apache-2.0
//
// The zoo in SYCL, joint_matrix and ESIMD: compiled at run time with and without their faults, run in this process, and
// judged through the interface for test suites (xeforge/check.h). Ends with 0 if every fault is found and nothing else.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

#include "xeforge/check.h"

namespace syclexp = sycl::ext::oneapi::experimental;
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

namespace {

struct Case {
  const char* file;
  const char* kernel;
  const char* expect;
  int dimensions;
  sycl::range<2> global, local;  ///< dimension 0 unused for 1
  size_t floats;                 ///< of the first buffer
  bool has_tile;                 ///< a third argument: local memory of 64 floats
  const char* also = "";         ///< a kind that follows from the fault and may be reported with it
};

const Case kCases[] = {
    {"simt.cpp", "unguarded_tail", "memory.out-of-bounds", 1, {1, 128}, {1, 64}, 100, false},
    {"simt.cpp", "exchange", "races.group", 1, {1, 64}, {1, 64}, 64, false},
    {"simt.cpp", "neighbour_group", "races.device", 1, {1, 128}, {1, 32}, 128, false},
    {"simt.cpp", "tile_without_barrier", "races.slm", 1, {1, 64}, {1, 64}, 64, true, "init.stored-value"},
    {"simt.cpp", "tile_never_filled", "init.stored-value", 1, {1, 64}, {1, 64}, 64, true},
    {"joint_matrix.cpp", "tile_stored_twice", "races.same-value-write", 2, {1, 16}, {1, 16}, 64, false},
    {"joint_matrix.cpp", "wrong_stride", "memory.out-of-bounds", 2, {1, 8}, {1, 8}, 64, false},
    {"esimd.cpp", "block_beyond", "memory.out-of-bounds", 1, {1, 4}, {1, 4}, 64, false},
    {"esimd.cpp", "block_misaligned", "memory.misaligned", 1, {1, 2}, {1, 2}, 64, false},
    {"esimd.cpp", "slm_without_barrier", "races.slm", 1, {1, 4}, {1, 4}, 64, false, "init.stored-value"},
    {"esimd.cpp", "slm_never_filled", "init.stored-value", 1, {1, 2}, {1, 2}, 64, false},
    {"esimd.cpp", "prefetch_beyond", "memory.invalid-prefetch", 1, {1, 2}, {1, 2}, 64, false},
};

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", file.c_str());
    std::exit(2);
  }
  return text.str();
}

Bundle build(sycl::queue& q, const std::string& file, bool faulty) {
  auto source = syclexp::create_kernel_bundle_from_source(q.get_context(), syclexp::source_language::sycl,
                                                          (faulty ? "#define FAULTY\n" : "\n") + text_of(file));
  return syclexp::build(source);
}

std::vector<xeforge::check::Finding> run(sycl::queue& q, Bundle& bundle, const Case& c) {
  xeforge::check::Scope check("all");
  if (!check.available()) {
    std::fputs("this is not the virtual device\n", stderr);
    std::exit(2);
  }
  constexpr size_t kOut = 1024;
  auto* p = sycl::malloc_device<float>(c.floats, q);
  auto* out = sycl::malloc_device<float>(kOut, q);
  q.memset(p, 0, c.floats * sizeof(float));
  q.memset(out, 0, kOut * sizeof(float));
  q.wait();
  try {
    q.submit([&](sycl::handler& h) {
      sycl::kernel kernel = bundle.ext_oneapi_get_kernel(c.kernel);
      if (c.has_tile)
        h.set_args(p, out, sycl::local_accessor<float, 1>(64, h));
      else
        h.set_args(p, out);
      if (c.dimensions == 1)
        h.parallel_for(sycl::nd_range<1>(c.global[1], c.local[1]), kernel);
      else
        h.parallel_for(sycl::nd_range<2>(c.global, c.local), kernel);
    });
    q.wait_and_throw();
  } catch (const sycl::exception& e) {
    std::printf("%s: %s\n", c.kernel, e.what());
  }
  auto findings = check.findings();
  sycl::free(p, q);
  sycl::free(out, q);
  return findings;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string directory = argv[1];
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order{}};
  // Memory that is never freed is seen at the end of a process: a run of its own. `--freed` is its corrected twin.
  if (directory == "--leak" || directory == "--freed") {
    void* memory = sycl::malloc_device(4096, q);
    q.memset(memory, 0, 4096).wait();
    if (directory == "--freed") sycl::free(memory, q);
    return 0;
  }
  int wrong = 0;
  std::string built;
  std::vector<Bundle> bundles;
  for (const Case& c : kCases) {
    if (argc > 2 && std::strcmp(argv[2], c.file) != 0) continue;
    if (built != c.file) {
      bundles.clear();
      for (const bool faulty : {true, false}) bundles.push_back(build(q, directory + "/" + c.file, faulty));
      built = c.file;
    }
    const auto faults = run(q, bundles[0], c);
    bool right = false, others = false;
    for (const auto& finding : faults) {
      right |= finding.kind == c.expect;
      others |= finding.kind != c.expect && finding.kind != c.also;
    }
    right &= !others;
    if (!right) {
      std::printf("FAIL %s: expected %s, found %zu:\n", c.kernel, c.expect, faults.size());
      for (const auto& finding : faults) std::printf("%s\n", finding.report.c_str());
      ++wrong;
    }
    const auto silent = run(q, bundles[1], c);
    if (!silent.empty()) {
      std::printf("FAIL %s: the corrected twin is reported:\n", c.kernel);
      for (const auto& finding : silent) std::printf("%s\n", finding.report.c_str());
      ++wrong;
    }
    std::printf("%s %s\n", c.kernel, right && silent.empty() ? "ok" : "wrong");
  }
  return wrong == 0 ? 0 : 1;
}
