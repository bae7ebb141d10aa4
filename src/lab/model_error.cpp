// SPDX-License-Identifier: Apache-2.0
#include "lab/model_error.h"

#include <fmt/format.h>

#include "gemm/catalog.h"
#include "lab/published.h"

namespace xeforge::lab {

namespace {

/// One Xe-core: `xeforge validate --set ladder` with model 3 (timing::kModelVersion), all rows of the family, those
/// whose sizes were published in part only among them. All Xe-cores: the same with `--cores 0`. To be renewed with
/// the version.
constexpr ModelError kMeasured[] = {
    {"a770", "", false, 46, 10.6},
    {"a770", "sycl", false, 4, 5.0},
    {"a770", "joint_matrix", false, 25, 11.3},
    {"a770", "esimd", false, 17, 10.9},
    {"a770", "", true, 46, 11.5},
    {"a770", "sycl", true, 4, 4.8},
    {"a770", "joint_matrix", true, 25, 12.4},
    {"a770", "esimd", true, 17, 11.9},
};

}  // namespace

std::optional<ModelError> measured_error(std::string_view device, std::string_view family, bool whole_gpu) {
  for (const ModelError& error : kMeasured) {
    if (error.device == device && error.family == family && error.whole_gpu == whole_gpu) return error;
  }
  return {};
}

std::string to_string(const ModelError& error) {
  return fmt::format("{:.1f} % (mean over {} published rows of {} at {}, {} simulated)", error.mape, error.rows,
                     error.family.empty() ? "the ladder" : error.family, gemm::to_string(kPublishedShape),
                     error.whole_gpu ? "all Xe-cores" : "one Xe-core");
}

}  // namespace xeforge::lab
