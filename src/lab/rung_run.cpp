// SPDX-License-Identifier: Apache-2.0
#include "lab/rung_run.h"

#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gemm/launch.h"
#include "lab/guarded_buffer.h"
#include "lab/sycl_device.h"

namespace xeforge::lab {

namespace {

using gemm::LayoutA;
using gemm::LayoutB;

std::vector<gemm::Bf16> pack_a(const gemm::Rung& rung, const TestData& data) {
  if (rung.a == LayoutA::RowMajor) return data.a;
  std::vector<gemm::Bf16> packed(data.a.size());
  (rung.a == LayoutA::Operands ? gemm::pack_a_operands : gemm::pack_a_micro_tiles)(data.a, data.shape.m, data.shape.k,
                                                                                   packed);
  return packed;
}

std::vector<std::uint32_t> pack_b(const TestData& data) {
  std::vector<std::uint32_t> packed(data.b.size() / 2);
  gemm::pack_b_vnni(data.b, data.shape.k, data.shape.n, packed);
  return packed;
}

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

void add_problem(std::string& problem, const std::string& text) { problem += (problem.empty() ? "" : "; ") + text; }

/// The report of the last launch of this rung's kernel.
std::optional<KernelReport> report_of(const gemm::Rung& rung) {
  std::optional<KernelReport> found;
  for (KernelReport& report : take_reports()) {
    // The compiler puts a prefix before the names of free function kernels.
    if (report.kernel.ends_with(rung.kernel)) found = std::move(report);
  }
  return found;
}

std::string text_of(const KernelReport::Fault& fault) {
  return fmt::format("{} in group ({}, {}, {}), thread {}, pc 0x{:x}: {}: {}", fault.kind, fault.group[0],
                     fault.group[1], fault.group[2], fault.thread, fault.pc, fault.text, fault.message);
}

}  // namespace

RungRunner::RungRunner(std::string device_id, gemm::KernelLibrary::Progress progress)
    : device_id_(std::move(device_id)),
      queue_(find_sycl_device(device_id_), sycl::property::queue::in_order()),
      target_(target_of(queue_.get_device())),
      library_(queue_.get_context(), queue_.get_device(), std::move(progress)) {}

const TestData& RungRunner::data_of(const gemm::Shape& shape) {
  if (!data_ || data_->shape != shape) data_ = std::make_unique<TestData>(make_test_data(shape));
  return *data_;
}

RungResult RungRunner::run(const gemm::Rung& rung, const gemm::Shape& shape) {
  RungResult result;
  result.rung = &rung;
  result.shape = rung.fixed_shape.value_or(shape);
  result.device = device_id_;
  if (rung.target != gemm::Target::Any && rung.target != target_) {
    result.not_run =
        "it is built for the matrix engine of " + std::string(name_of(rung.target)) + ", and " + device_name() +
        (target_ == gemm::Target::Any ? " has another one or none" : " is " + std::string(name_of(target_)));
    return result;
  }
  result.not_run = gemm::reason_against(rung, result.shape);
  if (!result.not_run.empty()) return result;
  try {
    execute(result);
  } catch (const std::exception& error) {
    // A launch that faulted has a report that says more than the exception.
    result.report = report_of(rung);
    if (result.report && result.report->fault) {
      result.problem = text_of(*result.report->fault);
    } else {
      result.problem = error.what();
    }
  }
  return result;
}

void RungRunner::execute(RungResult& result) {
  const gemm::Rung& rung = *result.rung;
  const sycl::kernel kernel = library_.kernel(rung);
  const TestData& data = data_of(result.shape);

  auto start = std::chrono::steady_clock::now();
  const std::vector<gemm::Bf16> a = pack_a(rung, data);
  const std::vector<std::uint32_t> b_words = rung.b == LayoutB::Vnni ? pack_b(data) : std::vector<std::uint32_t>();
  const bool packs = rung.a != LayoutA::RowMajor || rung.b != LayoutB::RowMajor;
  result.pack_us = packs ? microseconds_since(start) : 0;
  const void* const b = rung.b == LayoutB::Vnni ? static_cast<const void*>(b_words.data()) : data.b.data();

  const std::size_t a_bytes = data.a.size() * sizeof(gemm::Bf16), b_bytes = data.b.size() * sizeof(gemm::Bf16);
  GuardedBuffer on_a(queue_, "A", a_bytes), on_b(queue_, "B", b_bytes),
      on_c(queue_, "C", data.product.size() * sizeof(float));
  on_a.write(a.data());
  on_b.write(b);
  std::vector<float> expected = data.product;
  if (rung.accumulates) {
    on_c.write(data.old_c.data());
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += data.old_c[i];
  } else {
    on_c.poison();
  }
  take_reports();  // what is not of this launch

  start = std::chrono::steady_clock::now();
  gemm::launch(queue_, kernel, rung, result.shape, {on_a.data(), on_b.data(), static_cast<float*>(on_c.data())});
  queue_.wait_and_throw();
  result.host_wall_us = microseconds_since(start);
  result.report = report_of(rung);

  std::vector<float> c(expected.size());
  on_c.read(c.data());
  result.verified = compare(c, expected, result.shape.n);
  if (result.verified.errors != 0) {
    add_problem(result.problem, std::to_string(result.verified.errors) + " of " +
                                    std::to_string(result.verified.total) +
                                    " elements are wrong; the first: " + result.verified.first);
  }
  for (const GuardedBuffer* buffer : {&on_a, &on_b, &on_c}) {
    if (const std::string damage = buffer->damage(); !damage.empty()) add_problem(result.problem, damage);
  }
  const auto unchanged = [&](const GuardedBuffer& buffer, const void* original, const char* name) {
    std::vector<char> now(buffer.size());
    buffer.read(now.data());
    if (std::memcmp(now.data(), original, now.size()) != 0)
      add_problem(result.problem, std::string(name) + " was changed");
  };
  unchanged(on_a, a.data(), "A");
  unchanged(on_b, b, "B");
  if (result.report) {
    if (result.report->fault) add_problem(result.problem, text_of(*result.report->fault));
    if (result.report->compiled.grf != rung.grf) {
      add_problem(result.problem, "the binary has " + std::to_string(result.report->compiled.grf) +
                                      " registers per thread, not " + std::to_string(rung.grf));
    }
  }
}

}  // namespace xeforge::lab
