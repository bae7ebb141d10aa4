// SPDX-License-Identifier: Apache-2.0
//
// Who can multiply: a rung of our ladder, a vendor's library, the CPU. All get the same data and are checked alike.
// A new provider is one class here and one branch in make_provider().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/driver_reports.h"
#include "lab/element.h"
#include "lab/test_data.h"

namespace xeforge::lab {

/// C = alpha * A * B + beta * C, `batch` times.
struct BenchShape {
  gemm::Shape shape;
  double alpha = 1, beta = 0;
  Element a = Element::Bf16, b = Element::Bf16;   ///< C is float, int32 for integer operands
  bool transpose_a = false, transpose_b = false;  ///< stored as their transposes
  bool column_major = false;                      ///< all three matrices
  std::uint32_t batch = 1;

  bool integer() const { return row_of(a).integer && row_of(b).integer; }
  /// What to multiply.
  TestData data() const;
  /// What every provider has to find, by rows.
  std::vector<float> expected(const TestData& data) const;
};

/// Why kernels for one product of bf16 matrices by rows cannot do it; empty if they can.
std::string beyond_plain_bf16(const BenchShape& shape);

struct BenchCase {
  std::string provider;
  BenchShape shape;
  std::string not_run;  ///< why not: not installed, cannot do this shape; empty if it ran
  std::string problem;  ///< what went wrong; empty if nothing did
  Verification verified;
  std::vector<KernelReport> kernels;  ///< every launch of it; empty on a real device and for the CPU
  double host_wall_us = 0, pack_us = 0;
  double host_user_us = 0;         ///< processor time in user mode behind host_wall_us; 0 if it was not measured
  std::uint64_t packed_bytes = 0;  ///< of operands that the host packed in pack_us; 0: none
  unsigned pf_dist = 0;            ///< prefetch distance of the kernel

  bool ok() const { return problem.empty(); }
  std::uint64_t count(std::string_view name) const;  ///< over all launches
  /// Of all launches, in a sequence back to back if that is known; nullopt if the device does not simulate time.
  std::optional<double> simulated_us() const;
  const KernelReport* main_kernel() const;  ///< the one with the most instructions; nullptr if there is none
  /// Instructions of launches that only bring operands into another order, by their kernels' names.
  std::uint64_t packing_instructions() const;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string id() const = 0;
  /// Never throws for what the provider does; the result says it.
  virtual BenchCase run(const BenchShape& shape, const TestData& data) = 0;
};

class RungRunner;

/// Gives the runner of rungs, starting the device in this process on the first call.
using RunnerSource = std::function<RungRunner&()>;

/// Ids or globs, comma-separated: xeforge, xeforge.weights, xeforge:STRATEGY, xeforge.general, xeforge.prefetch[=DIST],
/// onednn, onemkl, reference, rung ids. Throws UserError naming what is unknown.
std::vector<std::unique_ptr<Provider>> make_providers(const std::string& list, const std::string& device,
                                                      unsigned host_threads, const RunnerSource& runner);
/// Whether the list names a rung: those run in this process.
bool names_a_rung(const std::string& list);

}  // namespace xeforge::lab
