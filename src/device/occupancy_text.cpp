// SPDX-License-Identifier: Apache-2.0
#include <iomanip>
#include <sstream>

#include "device/occupancy.h"

namespace xeforge::device {
namespace {

void write_table(std::ostream& out, const Occupancy& result) {
  out << "  " << std::left << std::setw(22) << "constraint" << std::right << std::setw(12) << "per group"
      << std::setw(12) << "per core" << std::setw(10) << "groups" << '\n';
  for (const Constraint& constraint : result.constraints) {
    out << "  " << std::left << std::setw(22) << name_of(constraint.resource) << std::right << std::setw(12)
        << constraint.needed << std::setw(12) << constraint.available << std::setw(10) << constraint.groups
        << (constraint.limits ? "  <- limits" : "") << '\n';
  }
}

void write_result(std::ostream& out, const Device& device, const Occupancy& result) {
  write_table(out, result);
  out << "  " << result.groups_per_core << " groups x " << result.threads_per_group << " threads of "
      << device.threads_per_core() << " an Xe-core: " << std::fixed << std::setprecision(1) << result.occupancy * 100
      << " % occupied\n";
  out << "  limited by: " << result.limited_by << '\n';
  if (!result.next_step.empty()) out << "  next step: " << result.next_step << '\n';
  if (result.rounds > 0) {
    out << "  " << result.rounds << (result.rounds == 1 ? " round" : " rounds") << " over " << device.xe_cores()
        << " Xe-cores, " << result.average_occupancy * 100 << " % on average\n";
  }
}

}  // namespace

std::string occupancy_text(const Device& device, const OccupancyQuery& query) {
  const Occupancy driver = occupancy(device, query, RuleSet::Driver);
  const Occupancy calculator = occupancy(device, query, RuleSet::Calculator);
  std::ostringstream out;
  const bool disagree = driver.groups_per_core != calculator.groups_per_core;
  out << device.name << (disagree ? ", by the driver's numbers:\n" : ":\n");
  write_result(out, device, driver);
  if (disagree) {
    out << "by the numbers of Intel's occupancy calculator, which differ:\n";
    write_result(out, device, calculator);
  }
  return out.str();
}

}  // namespace xeforge::device
