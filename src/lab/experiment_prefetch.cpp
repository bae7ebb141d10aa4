// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment_prefetch.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "lab/bench_shapes.h"

namespace xeforge::lab {

namespace {

std::string provider_of(unsigned distance) {
  return distance == 0 ? "xeforge.general" : fmt::format("xeforge.prefetch={}", distance);
}

std::string name_of(const PrefetchCell& cell) {
  return fmt::format("{} {}", provider_of(cell.distance), to_string(cell.shape));
}

double percent(double value, double base) { return base == 0 ? 0 : 100 * (value / base - 1); }

double percent(const PrefetchCell& cell, const PrefetchCell& base, const char* counter) {
  return percent(static_cast<double>(cell.first().count(counter)), static_cast<double>(base.first().count(counter)));
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

bool same_counts(const BenchCase& a, const BenchCase& b) {
  return std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                    [](const KernelReport& x, const KernelReport& y) { return x.counts == y.counts; });
}

}  // namespace

std::optional<double> PrefetchCell::simulated_us() const {
  std::vector<double> times;
  for (const BenchCase& run : runs) {
    const auto time = run.simulated_us();
    if (!time) return std::nullopt;
    times.push_back(*time);
  }
  return times.empty() ? std::nullopt : std::optional(mean(times));
}

PrefetchResult run_prefetch_experiment(const PrefetchDesign& design, const RunCase& run) {
  if (design.distances.empty() || design.distances.front() != 0)
    throw std::logic_error("the first distance is 0, which the others are compared with");
  PrefetchResult result;
  for (const gemm::Shape& shape : design.shapes) {
    for (const double beta : design.betas) {
      for (const unsigned distance : design.distances)
        result.cells.push_back({BenchShape{shape, 1, beta}, distance, {}});
    }
  }
  std::vector<TestData> data;
  data.reserve(design.shapes.size());
  for (const gemm::Shape& shape : design.shapes) data.push_back(make_test_data(shape));
  const std::size_t per_shape = design.betas.size() * design.distances.size();
  for (unsigned batch = 0; batch < design.batches; ++batch) {
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
      const std::size_t at = batch % 2 == 0 ? i : result.cells.size() - 1 - i;
      PrefetchCell& cell = result.cells[at];
      cell.runs.push_back(run(provider_of(cell.distance), cell.shape, data[at / per_shape]));
      const BenchCase& now = cell.runs.back();
      if (!now.not_run.empty()) result.problems.push_back(name_of(cell) + " was not run: " + now.not_run);
      if (!now.ok()) result.problems.push_back(name_of(cell) + ": " + now.problem);
      if (!same_counts(now, cell.first()))
        result.problems.push_back(name_of(cell) + ": its counts differ between batches");
    }
  }
  return result;
}

std::vector<PrefetchChange> PrefetchResult::changes() const {
  std::vector<PrefetchChange> changes;
  const PrefetchCell* off = cells.data();  // the first distance is 0
  for (const PrefetchCell& cell : cells) {
    if (cell.distance == 0) {
      off = &cell;
      continue;
    }
    PrefetchChange change{&cell, percent(cell, *off, "instructions"), percent(cell, *off, "send"),
                          percent(cell, *off, "send_payload_grf"), std::nullopt};
    const auto time = cell.simulated_us(), base = off->simulated_us();
    if (time && base) change.simulated = percent(*time, *base);
    changes.push_back(change);
  }
  return changes;
}

std::vector<PrefetchEffect> PrefetchResult::effects(const std::function<double(const PrefetchChange&)>& value) const {
  const auto all = changes();
  std::vector<PrefetchEffect> effects;
  for (const PrefetchChange& change : all) {
    const unsigned distance = change.cell->distance;
    if (std::any_of(effects.begin(), effects.end(), [&](const auto& e) { return e.distance == distance; })) continue;
    const auto mean_where = [&](auto&& wanted) {
      std::vector<double> values;
      for (const PrefetchChange& other : all) {
        if (other.cell->distance == distance && wanted(other.cell->shape)) values.push_back(value(other));
      }
      return mean(values);
    };
    const gemm::Shape first = cells.front().shape.shape, last = cells.back().shape.shape;
    const double low_beta = cells.front().shape.beta, high_beta = cells.back().shape.beta;
    effects.push_back({distance, mean_where([](const BenchShape&) { return true; }),
                       mean_where([&](const BenchShape& s) { return s.beta == high_beta; }) -
                           mean_where([&](const BenchShape& s) { return s.beta == low_beta; }),
                       mean_where([&](const BenchShape& s) { return s.shape == last; }) -
                           mean_where([&](const BenchShape& s) { return s.shape == first; })});
  }
  return effects;
}

}  // namespace xeforge::lab
