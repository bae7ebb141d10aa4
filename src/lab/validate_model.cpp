// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_model.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "lab/errors.h"

namespace xeforge::lab {
namespace {

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (size_t k = i; k < end; ++k) result[order[k]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return result;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  if (x.size() < 2) return 0;
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n, my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

/// Solves the symmetric system a x = b by elimination; singular directions get 0.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    size_t pivot = i;
    for (size_t r = i + 1; r < n; ++r) {
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    if (std::abs(a[i][i]) < 1e-30) continue;
    for (size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double f = a[r][i] / a[i][i];
      for (size_t c = i; c < n; ++c) a[r][c] -= f * a[i][c];
      b[r] -= f * b[i];
    }
  }
  for (size_t i = 0; i < n; ++i) b[i] = std::abs(a[i][i]) < 1e-30 ? 0 : b[i] / a[i][i];
  return b;
}

using Features = std::vector<std::vector<double>>;  // per row

/// Least mean relative error by iteratively reweighted least squares.
std::vector<double> least_relative_error(const Features& features, const std::vector<double>& measured,
                                         const std::vector<bool>& use) {
  const size_t n = features[0].size();
  std::vector<double> weights(features.size(), 1), x(n);
  for (int iteration = 0; iteration < 100; ++iteration) {
    std::vector<std::vector<double>> a(n, std::vector<double>(n));
    std::vector<double> b(n);
    for (size_t r = 0; r < features.size(); ++r) {
      if (!use[r]) continue;
      const double w = weights[r] / (measured[r] * measured[r]);
      for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < n; ++k) a[i][k] += w * features[r][i] * features[r][k];
        b[i] += w * features[r][i] * measured[r];
      }
    }
    x = solve(a, b);
    for (size_t r = 0; r < features.size(); ++r) {
      const double p = std::inner_product(x.begin(), x.end(), features[r].begin(), 0.0);
      weights[r] = 1 / std::max(1e-3, std::abs(p / measured[r] - 1));
    }
  }
  return x;
}

}  // namespace

void set_parameter(timing::Parameters& parameters, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) throw UserError("--set-parameter: '" + text + "' is not NAME=VALUE");
  const std::string name = text.substr(0, equals);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + equals + 1, end, value);
  if (read.ec != std::errc{} || read.ptr != end)
    throw UserError("--set-parameter: '" + text + "': '" + text.substr(equals + 1) + "' is not a number");
  try {
    const timing::ParameterRow& row = timing::parameter_row(name);
    // Written so that NaN is outside.
    if (!(value >= row.least && value <= row.most))
      throw UserError(fmt::format("--set-parameter: {} is {} to {}", name, row.least, row.most));
    parameters.*row.member = value;
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--set-parameter: ") + error.what());
  }
}

Score score(const std::vector<double>& predicted, const std::vector<double>& measured) {
  Score s;
  s.rows = measured.size();
  if (s.rows == 0) return s;
  double error = 0, absolute = 0, total = 0;
  for (size_t i = 0; i < s.rows; ++i) {
    const double relative = predicted[i] / measured[i] - 1;
    error += std::abs(relative);
    absolute += std::abs(predicted[i] - measured[i]);
    total += measured[i];
    s.over += relative > 0;
    s.within_10 += std::abs(relative) <= 0.10;
    s.within_20 += std::abs(relative) <= 0.20;
  }
  s.mape = 100 * error / static_cast<double>(s.rows);
  s.weighted_mape = 100 * absolute / total;
  s.pearson = correlation(predicted, measured);
  s.spearman = correlation(ranks(predicted), ranks(measured));
  return s;
}

std::vector<Baseline> baselines(const std::vector<ModelRow>& rows, const std::function<bool(const ModelRow&)>& use) {
  struct Kind {
    const char* name;
    std::vector<double> (*features)(const ModelRow&);
  };
  static const std::vector<Kind> kinds{
      {"constant share of the roofline", [](const ModelRow&) { return std::vector<double>{1}; }},
      {"instructions", [](const ModelRow& r) { return std::vector<double>{r.instructions() / 1e6}; }},
      {"sends", [](const ModelRow& r) { return std::vector<double>{r.sends() / 1e6}; }},
      {"regression on instructions and sends",
       [](const ModelRow& r) {
         return std::vector<double>{1, r.instructions() / 1e6, r.sends() / 1e6};
       }},
  };
  std::vector<double> measured;
  std::vector<bool> used;
  for (const ModelRow& row : rows) {
    measured.push_back(row.measured());
    used.push_back(use(row));
  }
  std::vector<Baseline> all;
  for (const Kind& kind : kinds) {
    Features features;
    for (const ModelRow& row : rows) features.push_back(kind.features(row));
    Baseline b;
    b.name = kind.name;
    if (!rows.empty()) b.coefficients = least_relative_error(features, measured, used);
    for (const auto& f : features)
      b.predicted.push_back(std::inner_product(f.begin(), f.end(), b.coefficients.begin(), 0.0));
    all.push_back(std::move(b));
  }
  return all;
}

std::vector<double> ModelRunner::predict(const timing::Parameters& parameters,
                                         const std::function<bool(const ModelRow&)>& use,
                                         std::vector<timing::Result>* results,
                                         const std::function<bool(const ModelRow&, double)>& seen) const {
  std::vector<double> predicted(rows_.size());
  if (results != nullptr) results->resize(rows_.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (use(rows_[i])) order.push_back(i);
  }
  // Long ones first, so that the threads end together.
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rows_[a].instructions() > rows_[b].instructions(); });
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (size_t k = next++; k < order.size(); k = next++) {
      const size_t i = order[k];
      try {
        const timing::Result result = timing::simulate(*rows_[i].recording, device_, parameters, options_);
        predicted[i] =
            rows_[i].kernel_us ? parameters.microseconds(result.kernel) : timing::launch_us(result, parameters);
        if (results != nullptr) (*results)[i] = result;
        if (!seen) continue;
        const std::lock_guard lock(mutex);
        if (!seen(rows_[i], predicted[i])) next = order.size();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (error == nullptr) error = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < host_threads_; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error != nullptr) std::rethrow_exception(error);
  return predicted;
}

std::vector<std::string> fitted_parameters(const device::Device& device) {
  std::vector<std::string> names;
  for (const timing::ParameterRow& row : timing::parameter_table()) {
    const auto found = device.parameters.find(row.name);
    if (found != device.parameters.end() && found->second.source.starts_with("fitted")) names.emplace_back(row.name);
  }
  return names;
}

Fit fit(const ModelRunner& runner, const timing::Parameters& start, const std::vector<std::string>& names,
        const std::function<bool(const ModelRow&)>& use, unsigned rounds,
        const std::function<void(const std::string&)>& progress) {
  Fit result;
  result.parameters = start;
  std::vector<double> best_prediction;
  const auto count =
      static_cast<double>(std::max<std::ptrdiff_t>(1, std::count_if(runner.rows().begin(), runner.rows().end(), use)));
  // Given up, with an objective that is too large, once it is certain to exceed `limit`.
  const auto objective = [&](const timing::Parameters& p, double limit, std::vector<double>* keep = nullptr) {
    ++result.evaluations;
    double sum = 0;
    std::vector<double> predicted = runner.predict(p, use, nullptr, [&](const ModelRow& row, double us) {
      sum += std::abs(std::log(us / row.measured()));
      return sum / count < limit;
    });
    if (keep != nullptr) *keep = std::move(predicted);
    return sum / count;
  };
  constexpr double kWhole = std::numeric_limits<double>::infinity();
  result.start = result.objective = objective(result.parameters, kWhole, &best_prediction);
  double step = 1.35;
  for (unsigned round = 0; round < rounds; ++round) {
    bool better = false;
    for (const std::string& name : names) {
      const device::Sourced& bounds = runner.device().parameter(name);
      for (const double factor : {step, 1 / step}) {
        timing::Parameters p = result.parameters;
        double& value = timing::parameter(p, name);
        const double before = value;
        value = std::clamp(value * factor, bounds.low, bounds.high);
        if (value == before) continue;
        std::vector<double> prediction;
        const double limit = result.objective * (1 - kLeastGain);
        const double o = objective(p, limit, &prediction);
        progress(fmt::format("round {}, {} = {:.4g}: {}{:.4f}, best {:.4f}", round + 1, name, value,
                             o < limit ? "" : "at least ", o, result.objective));
        if (o >= limit) continue;
        result.objective = o;
        result.parameters = p;
        best_prediction = std::move(prediction);
        better = true;
        break;
      }
    }
    step = 1 + (step - 1) * (better ? 0.75 : 0.5);
  }
  for (const std::string& name : names) {
    const device::Sourced& bounds = runner.device().parameter(name);
    Identified id{name, timing::parameter(result.parameters, name), bounds.low, bounds.high, 0, 0, 0};
    std::vector<bool> moved(best_prediction.size());
    for (const bool up : {false, true}) {
      timing::Parameters p = result.parameters;
      double& value = timing::parameter(p, name);
      value = std::clamp(value * (up ? 1.25 : 0.8), bounds.low, bounds.high);
      std::vector<double> prediction;
      (up ? id.higher : id.lower) = objective(p, kWhole, &prediction);
      for (size_t i = 0; i < prediction.size(); ++i)
        moved[i] = moved[i] || std::abs(prediction[i] - best_prediction[i]) > 0.01 * best_prediction[i];
    }
    id.rows = static_cast<size_t>(std::count(moved.begin(), moved.end(), true));
    result.identified.push_back(id);
    progress("how well is " + name + " determined");
  }
  return result;
}

}  // namespace xeforge::lab
