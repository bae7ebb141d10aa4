// SPDX-License-Identifier: Apache-2.0
//
// src/device/occupancy.cpp as the pages call it: the same source, compiled to WebAssembly by build.sh. The device comes
// from the pages' data (data/devices.js, written from the device files).
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "device/occupancy.h"

namespace xeforge::device {

unsigned Device::slm_allocation(unsigned bytes) const {
  for (const unsigned size : slm_sizes)
    if (size >= bytes) return size;
  return 0;
}

const Sourced& Device::parameter(const std::string& key) const { return parameters.at(key); }

}  // namespace xeforge::device

namespace {

using namespace xeforge::device;

Device device;
OccupancyQuery query;
std::string result;

void add(const std::string& text) { result += text + '\n'; }

}  // namespace

#define EXPORT(name) __attribute__((export_name(name), used))

extern "C" {

[[noreturn]] __attribute__((import_module("env"), import_name("fail"))) void host_fail(const char* text);

// The module is compiled without unwinding: a throw ends the call, and the page says what it threw.
void* __cxa_allocate_exception(size_t bytes) { return std::malloc(bytes); }
void __cxa_free_exception(void* exception) { std::free(exception); }
[[noreturn]] void __cxa_throw(void* exception, void*, void (*)(void*)) {
  host_fail(static_cast<std::exception*>(exception)->what());
}

EXPORT("allocate") char* allocate(size_t bytes) { return static_cast<char*>(std::malloc(bytes)); }
EXPORT("release") void release(char* at) { std::free(at); }

EXPORT("new_device") void new_device(const char* id) {
  device = Device();
  device.id = id;
}
EXPORT("set_number") void set_number(const char* key, double value) {
  const struct {
    const char* name;
    unsigned* field;
  } kFields[] = {{"slices", &device.slices},
                 {"subslices_per_slice", &device.subslices_per_slice},
                 {"eus_per_subslice", &device.eus_per_subslice},
                 {"threads_per_eu", &device.threads_per_eu},
                 {"simd_width", &device.simd_width},
                 {"max_group_size", &device.max_group_size},
                 {"max_groups_per_core", &device.max_groups_per_core},
                 {"slm_per_group", &device.slm_per_group},
                 {"barriers_per_core", &device.barriers_per_core}};
  for (const auto& row : kFields)
    if (std::strcmp(row.name, key) == 0) *row.field = static_cast<unsigned>(value);
}
EXPORT("set_parameter") void set_parameter(const char* key, double value) {
  device.parameters[key] = Sourced{value, value, value, {}, {}};
}
EXPORT("add_sub_group_size") void add_sub_group_size(unsigned size) { device.sub_group_sizes.push_back(size); }
EXPORT("add_slm_size") void add_slm_size(unsigned bytes) { device.slm_sizes.push_back(bytes); }

EXPORT("set_query")
void set_query(unsigned group_size, unsigned simd, unsigned grf, unsigned slm, unsigned barriers, double groups) {
  query = OccupancyQuery();
  query.group_size = group_size;
  query.simd = simd;
  query.grf = grf;
  query.slm_bytes = slm;
  query.barriers = barriers;
  query.groups = static_cast<uint64_t>(groups);
}

/// Empty, or lines: obstacle, asked, given.
EXPORT("refused") const char* refused() {
  result.clear();
  if (const auto why = refusal(device, query)) {
    add(name_of(why->obstacle));
    add(std::to_string(why->asked));
    add(std::to_string(why->given));
  }
  return result.c_str();
}

/// Lines: threads of a group, SLM allocated, groups of a core, limited by, next step, rounds, number of constraints;
/// then five a constraint; then three a step (its `then` is step_then()).
EXPORT("evaluate") const char* evaluate(int calculator) {
  const Occupancy o = occupancy(device, query, calculator != 0 ? RuleSet::Calculator : RuleSet::Driver);
  result.clear();
  add(std::to_string(o.threads_per_group));
  add(std::to_string(o.slm_allocated));
  add(std::to_string(o.groups_per_core));
  add(o.limited_by);
  add(o.next_step);
  add(std::to_string(o.rounds));
  add(std::to_string(o.constraints.size()));
  for (const Constraint& c : o.constraints) {
    add(name_of(c.resource));
    add(std::to_string(c.needed));
    add(std::to_string(c.available));
    add(std::to_string(c.groups));
    add(c.limits ? "1" : "0");
  }
  for (const Step& s : o.steps) {
    add(name_of(s.change));
    add(std::to_string(s.by));
    add(std::to_string(s.to));
  }
  return result.c_str();
}
EXPORT("step_then") double step_then(int calculator, unsigned index) {
  return occupancy(device, query, calculator != 0 ? RuleSet::Calculator : RuleSet::Driver).steps.at(index).then;
}
EXPORT("fraction") double fraction(int calculator) {
  return occupancy(device, query, calculator != 0 ? RuleSet::Calculator : RuleSet::Driver).occupancy;
}
EXPORT("average") double average(int calculator) {
  return occupancy(device, query, calculator != 0 ? RuleSet::Calculator : RuleSet::Driver).average_occupancy;
}

}  // extern "C"
