// SPDX-License-Identifier: Apache-2.0
#include "lab/explain_problem.h"

#include <fmt/format.h>

#include "gemm/strategy.h"
#include "lab/errors.h"
#include "lab/sycl_device.h"
#include "xeforge/gemm.h"

namespace xeforge::lab {

void explain_problem(std::ostream& out, const std::string& device, const std::string& text, bool packed_b) {
  gemm::Problem problem;
  try {
    problem = gemm::resolved(gemm::parse_problem(text));
  } catch (const gemm::Error& error) {
    throw UserError(std::string("--problem: ") + error.what());
  }
  if (problem.order == gemm::Order::Columns)
    throw UserError("--problem: a product by columns is its transpose by rows: exchange A and B, m and n");
  const sycl::queue queue{find_sycl_device(device), sycl::property::queue::in_order()};
  const gemm::Features features = gemm::probe(queue.get_device());
  const auto choices = gemm::estimates(problem, features, false, packed_b);
  out << fmt::format("{}, {}{}\n", features.device, gemm::to_string(problem), packed_b ? ", B packed before" : "");
  const bool any = !choices.empty() && choices.front().reason.empty();
  if (any) {
    const gemm::Estimate& best = choices.front();
    out << fmt::format("fast kernels: {}\n", to_string(best.strategy))
        << fmt::format(
               "  estimated {:.1f} us: {:.1f} multiplying (bound: {}, {:.0f} rounds of groups), {:.1f} "
               "packing\n",
               best.total_us, best.multiply_us, best.bound, best.rounds, best.pack_us);
  } else {
    out << "no fast kernel takes it; the library's packed or portable kernels do\n";
  }
  out << "the catalogue, estimated by a formula (docs/strategies.md), not simulated:\n"
      << fmt::format("  {:>9} {:>9} {:>8}  {:<8} {}\n", "total us", "multiply", "packing", "bound", "strategy");
  for (const gemm::Estimate& e : choices) {
    if (e.reason.empty()) {
      out << fmt::format("  {:9.1f} {:9.1f} {:8.1f}  {:<8} {}\n", e.total_us, e.multiply_us, e.pack_us, e.bound,
                         to_string(e.strategy));
    } else {
      out << fmt::format("  {:>9} {:>29} {}: {}\n", "not taken", "", to_string(e.strategy), e.reason);
    }
  }
  if (packed_b) return;
  const gemm::Gemm library(queue);
  out << "the library takes, for matrices at multiples of 64 bytes: " << library.strategy(problem) << '\n';
}

}  // namespace xeforge::lab
