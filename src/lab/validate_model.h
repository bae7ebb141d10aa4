// SPDX-License-Identifier: Apache-2.0
//
// Predicted against measured times: rows, scores, baselines and the search for fitted parameters.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "observe/recording.h"
#include "timing/simulate.h"

namespace xeforge::lab {

/// Changes a parameter as `NAME=VALUE` says. Throws UserError for what it cannot read.
void set_parameter(timing::Parameters& parameters, const std::string& text);

/// A measured kernel and its recording.
struct ModelRow {
  std::string id, family, half;  ///< half: "fit" or "test"
  bool partly = false;           ///< its geometry was published in part only
  double host_us = 0;            ///< per launch in a sequence
  std::optional<double> kernel_us;
  std::shared_ptr<const observe::Recording> recording;

  /// What is compared: the kernel's own time where a profiler gave it.
  double measured() const { return kernel_us.value_or(host_us); }
  double instructions() const { return static_cast<double>(recording->instructions); }
  double sends() const { return static_cast<double>(recording->sends); }
};

struct Score {
  size_t rows = 0;
  double mape = 0, weighted_mape = 0;  ///< per cent
  double pearson = 0, spearman = 0;
  size_t over = 0;  ///< predicted too slow
  size_t within_10 = 0, within_20 = 0;
};
Score score(const std::vector<double>& predicted, const std::vector<double>& measured);

/// A prediction from numbers that need no model. Coefficients are those with the least mean relative error on the rows
/// for which `use` holds.
struct Baseline {
  std::string name;
  std::vector<double> coefficients;
  std::vector<double> predicted;  ///< for all rows
};
std::vector<Baseline> baselines(const std::vector<ModelRow>& rows, const std::function<bool(const ModelRow&)>& use);

/// Replays rows under parameter sets, on several host threads. A row that cannot be replayed is an exception.
class ModelRunner {
 public:
  ModelRunner(const device::Device& device, const std::vector<ModelRow>& rows, timing::Options options,
              unsigned host_threads)
      : device_(device), rows_(rows), options_(options), host_threads_(host_threads) {}

  /// Microseconds, as ModelRow::measured() counts; rows that `use` leaves out get 0. `results`: optional. `seen` is
  /// told each row's time, one at a time in any order; once it returns false, the rows that have not begun are left
  /// out.
  std::vector<double> predict(const timing::Parameters& parameters, const std::function<bool(const ModelRow&)>& use,
                              std::vector<timing::Result>* results = nullptr,
                              const std::function<bool(const ModelRow&, double)>& seen = {}) const;

  const std::vector<ModelRow>& rows() const { return rows_; }
  const device::Device& device() const { return device_; }

 private:
  const device::Device& device_;
  const std::vector<ModelRow>& rows_;
  timing::Options options_;
  unsigned host_threads_;
};

/// How well the data determine a parameter: the objective when only it is moved.
struct Identified {
  std::string name;
  double value = 0, low = 0, high = 0;  ///< the bounds of the device's file
  double lower = 0, higher = 0;         ///< objective with 0.8 and 1.25 of the value, within the bounds
  size_t rows = 0;                      ///< of those fitted on that move by more than 1 % in one of the two
};

struct Fit {
  timing::Parameters parameters;
  double start = 0, objective = 0;  ///< mean |log(predicted / measured)| over the rows fitted on
  unsigned evaluations = 0;
  std::vector<Identified> identified;
};

/// Names of the device's parameters that its file marks as fitted.
std::vector<std::string> fitted_parameters(const device::Device& device);

/// A value is moved only for an objective that is smaller by this part: less is not told by so few rows.
constexpr double kLeastGain = 0.02;

/// Coordinate descent within the bounds of the device's file, from `start`. Deterministic, but for the number of rows
/// that are looked at before a worse value is given up.
Fit fit(const ModelRunner& runner, const timing::Parameters& start, const std::vector<std::string>& names,
        const std::function<bool(const ModelRow&)>& use, unsigned rounds,
        const std::function<void(const std::string&)>& progress);

}  // namespace xeforge::lab
