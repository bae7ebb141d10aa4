// SPDX-License-Identifier: Apache-2.0
#include "lab/rung_run.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/guarded_buffer.h"
#include "lab/stopwatch.h"
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

}  // namespace

RungRunner::RungRunner(std::string device_id, gemm::KernelLibrary::Progress progress)
    : device_id_(std::move(device_id)),
      progress_(std::move(progress)),
      queue_(find_sycl_device(device_id_), sycl::property::queue::in_order()),
      features_(gemm::probe(queue_.get_device())),
      library_(queue_.get_context(), queue_.get_device(), progress_) {}

const TestData& RungRunner::data_of(const gemm::Shape& shape) {
  if (!data_ || data_->shape != shape) data_ = std::make_unique<TestData>(make_test_data(shape));
  return *data_;
}

RungResult RungRunner::run(const gemm::Rung& rung, const gemm::Shape& shape) {
  RungResult result;
  result.rung = &rung;
  result.shape = rung.fixed_shape.value_or(shape);
  result.device = device_id_;
  result.not_run = gemm::reason_against(gemm::needs_of(rung), features_);
  if (!result.not_run.empty()) return result;
  result.not_run = gemm::reason_against(rung, result.shape);
  if (!result.not_run.empty()) return result;
  try {
    execute(result);
  } catch (const std::exception& error) {
    // A launch that faulted has a report that says more than the exception.
    result.report = report_of(rung);
    if (result.report && result.report->fault) {
      result.problem = to_string(*result.report->fault);
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

  const Stopwatch packing;
  const std::vector<gemm::Bf16> a = pack_a(rung, data);
  const std::vector<std::uint32_t> b_words = rung.b == LayoutB::Vnni ? pack_b(data) : std::vector<std::uint32_t>();
  const bool packs = rung.a != LayoutA::RowMajor || rung.b != LayoutB::RowMajor;
  result.pack_us = packs ? packing.wall_us() : 0;
  if (rung.a != LayoutA::RowMajor) result.packed_bytes += a.size() * sizeof(gemm::Bf16);
  result.packed_bytes += b_words.size() * sizeof(std::uint32_t);
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

  const Stopwatch running;
  gemm::launch(queue_, kernel, rung, result.shape, {on_a.data(), on_b.data(), static_cast<float*>(on_c.data())});
  queue_.wait_and_throw();
  result.host_wall_us = running.wall_us();
  result.host_user_us = running.user_us();
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
  if (!on_a.holds(a.data())) add_problem(result.problem, "A was changed");
  if (!on_b.holds(b)) add_problem(result.problem, "B was changed");
  if (result.report) {
    if (result.report->fault) add_problem(result.problem, to_string(*result.report->fault));
    if (result.report->compiled.grf != rung.grf) {
      add_problem(result.problem, "the binary has " + std::to_string(result.report->compiled.grf) +
                                      " registers per thread, not " + std::to_string(rung.grf));
    }
  }
}

}  // namespace xeforge::lab
