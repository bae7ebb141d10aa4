// SPDX-License-Identifier: Apache-2.0
//
// How many groups an Xe-core holds at once and how full that makes it. The arithmetic is that of
// Intel's occupancy calculator and of the driver (compute-runtime getMaxWorkGroupCount); where their
// numbers differ both are kept: RuleSet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "binary/zebin.h"
#include "device/device.h"

namespace xeforge::device {

struct OccupancyQuery {
  unsigned group_size = 1;  ///< work-items
  unsigned simd = 0;        ///< work-items of a thread; 1 = ESIMD; 0 = the device's native width
  unsigned grf = 128;       ///< registers of a thread
  unsigned slm_bytes = 0;   ///< of a group, static and dynamic together
  unsigned barriers = 0;    ///< barriers a group uses
  uint64_t groups = 0;      ///< of the launch; 0 = more than the device holds
};

/// What a compiled kernel asks for when launched with this group size and this much SLM from arguments.
OccupancyQuery query_for(const binary::Kernel& kernel, unsigned group_size, unsigned dynamic_slm_bytes = 0);

/// Whose numbers: the driver's (32 barriers, the preferred SLM carve-out) or those of Intel's occupancy calculator.
enum class RuleSet : uint8_t { Driver, Calculator };

enum class Resource : uint8_t { Threads, Slm, Barriers, GroupSlots, Grid };
std::string name_of(Resource resource);

struct Constraint {
  Resource resource = Resource::Threads;
  uint64_t needed = 0;     ///< by one group
  uint64_t available = 0;  ///< in one Xe-core
  uint64_t groups = 0;     ///< that fit as far as this resource goes
  bool limits = false;
};

/// What to change to fill the core further. Apart from its sentence (next_step), because the pages say it in two
/// languages.
enum class Change : uint8_t { LessSlm, SmallerGroup, LargerGroup, FewerRegisters, MoreGroups };
std::string name_of(Change change);

struct Step {
  Change change = Change::LessSlm;
  uint64_t by = 0, to = 0;  ///< bytes, work-items or registers; for MoreGroups `to` is what is launched now
  double then = 0;          ///< occupancy that it leads to; 0 where it is not known
};

struct Occupancy {
  unsigned threads_per_group = 0;
  unsigned slm_allocated = 0;  ///< bytes, rounded up to a legal size
  unsigned groups_per_core = 0;
  double occupancy = 0;  ///< occupied thread slots of an Xe-core, 0..1, of all slots also with large registers
  std::vector<Constraint> constraints;
  std::string limited_by;        ///< names of the limiting resources
  std::vector<Step> steps;       ///< each alone leads to more; empty if none does
  std::string next_step;         ///< the steps in words, empty if nothing is to be gained
  uint64_t rounds = 0;           ///< times the device is filled, 0 if the number of groups is not known
  double average_occupancy = 0;  ///< over the rounds and all Xe-cores
};

/// Why a device cannot do a launch at all.
enum class Obstacle : uint8_t { EmptyGroup, SubGroupSize, GroupSize, Slm, Barriers, Threads };
std::string name_of(Obstacle obstacle);

struct Refusal {
  Obstacle obstacle = Obstacle::EmptyGroup;
  uint64_t asked = 0, given = 0;  ///< by the launch, by the device (0 where it is not one number)
};
std::optional<Refusal> refusal(const Device& device, const OccupancyQuery& query);

/// Throws std::invalid_argument, saying what is wrong, for a launch that the device cannot do at all.
Occupancy occupancy(const Device& device, const OccupancyQuery& query, RuleSet rules = RuleSet::Driver);

/// Groups that one Xe-core holds at a time: the machine's resident set.
unsigned resident_groups_per_core(const Device& device, const OccupancyQuery& query);

/// Groups of a cooperative launch that the driver allows on the whole device. Counts SLM against the
/// largest SLM of one group, not against the carve-out, so it never exceeds what is resident.
uint64_t max_cooperative_groups(const Device& device, const OccupancyQuery& query);

/// A table of the constraints, "limited by", the next step; both rule sets where they disagree.
std::string occupancy_text(const Device& device, const OccupancyQuery& query);

}  // namespace xeforge::device
