// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/devices_json.h"

namespace xeforge::lab::pages {

nlohmann::ordered_json device_json(const device::Device& d) {
  using Json = nlohmann::ordered_json;
  Json parameters = Json::object();
  for (const auto& [key, row] : d.parameters) {
    Json value = {{"value", row.value}, {"source", row.source}};
    if (!row.unit.empty()) value["unit"] = row.unit;
    if (row.low != row.value || row.high != row.value) value["range"] = {row.low, row.high};
    parameters[key] = std::move(value);
  }
  return {{"id", d.id},
          {"name", d.name},
          {"platform", d.platform == isa::Platform::Xe2 ? "xe2" : "xe_hpg"},
          {"slices", d.slices},
          {"subslices_per_slice", d.subslices_per_slice},
          {"xe_cores", d.xe_cores()},
          {"eus_per_subslice", d.eus_per_subslice},
          {"threads_per_eu", d.threads_per_eu},
          {"simd_width", d.simd_width},
          {"grf_bytes", d.grf_bytes()},
          {"max_group_size", d.max_group_size},
          {"max_groups_per_core", d.max_groups_per_core},
          {"slm_per_group", d.slm_per_group},
          {"barriers_per_core", d.barriers_per_core},
          {"fused_eus", d.fused_eus},
          {"sub_group_sizes", d.sub_group_sizes},
          {"slm_sizes", d.slm_sizes},
          {"parameters", std::move(parameters)}};
}

}  // namespace xeforge::lab::pages
