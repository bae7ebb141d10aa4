// SPDX-License-Identifier: Apache-2.0
//
// `xeforge occupancy`.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "device/occupancy.h"
#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/inspect_input.h"
#include "lab/inspect_kernel.h"
#include "lab/json_text.h"

namespace xeforge::lab {

namespace {

struct Options {
  std::string device = "a770", file, name, json;
  device::OccupancyQuery query;
  unsigned group = 0, dynamic_slm = 0;
  std::vector<std::string> defines;
};

const device::Device& chosen_device(const std::string& id) {
  try {
    return device::find_device(id);
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--device: ") + error.what());
  }
}

/// The only kernel of the file, or the one named.
binary::Kernel kernel_of(const Options& options, const device::Device& device) {
  InspectInput input;
  input.file = options.file;
  for (const auto& define : options.defines) input.source_options.push_back("-D" + define);
  std::vector<binary::Kernel> kernels;
  std::string names;
  for (const InspectModule& module : make_modules(input, device)) {
    if (!module.error.empty()) throw UserError(module.error, Status::Failed);
    for (auto& kernel : binary::read_zebin(module.zebin).kernels) {
      names += (names.empty() ? "" : ", ") + short_name(kernel.name);
      if (options.name.empty() || options.name == kernel.name || options.name == short_name(kernel.name))
        kernels.push_back(std::move(kernel));
    }
  }
  if (kernels.size() != 1) throw UserError("--name: say which kernel of " + options.file + " (it has: " + names + ")");
  return kernels.front();
}

nlohmann::ordered_json json_of(const device::Occupancy& result) {
  nlohmann::ordered_json json = {{"threads_per_group", result.threads_per_group},
                                 {"slm_allocated", result.slm_allocated},
                                 {"groups_per_core", result.groups_per_core},
                                 {"occupancy", result.occupancy},
                                 {"limited_by", result.limited_by},
                                 {"next_step", result.next_step},
                                 {"rounds", result.rounds},
                                 {"average_occupancy", result.average_occupancy},
                                 {"constraints", nlohmann::ordered_json::array()},
                                 {"steps", nlohmann::ordered_json::array()}};
  for (const auto& constraint : result.constraints)
    json["constraints"].push_back({{"resource", device::name_of(constraint.resource)},
                                   {"needed", constraint.needed},
                                   {"available", constraint.available},
                                   {"groups", constraint.groups},
                                   {"limits", constraint.limits}});
  for (const auto& step : result.steps)
    json["steps"].push_back(
        {{"change", device::name_of(step.change)}, {"by", step.by}, {"to", step.to}, {"then", step.then}});
  return json;
}

void run(const Options& options) {
  const device::Device& device = chosen_device(options.device);
  device::OccupancyQuery query = options.query;
  if (!options.file.empty()) {
    const binary::Kernel kernel = kernel_of(options, device);
    unsigned group = options.group;
    if (group == 0 && kernel.required_group_size) {
      const auto& size = *kernel.required_group_size;
      group = size[0] * size[1] * size[2];
    }
    if (group == 0) throw UserError("--group: how many work-items has a group? The kernel does not say");
    query = device::query_for(kernel, group, options.dynamic_slm);
    query.groups = options.query.groups;
  } else {
    if (options.group == 0)
      throw UserError("give --kernel FILE, or --group N with --simd, --grf, --slm and --barriers as far as they apply");
    query.group_size = options.group;
  }
  try {
    std::cout << device::occupancy_text(device, query);
    if (!options.json.empty()) {
      const nlohmann::ordered_json json = {
          {"device", device.id},
          {"group_size", query.group_size},
          {"simd", query.simd},
          {"grf", query.grf},
          {"slm_bytes", query.slm_bytes},
          {"barriers", query.barriers},
          {"driver", json_of(device::occupancy(device, query, device::RuleSet::Driver))},
          {"calculator", json_of(device::occupancy(device, query, device::RuleSet::Calculator))}};
      write_file_atomically(options.json, json_text(json, 1));
    }
  } catch (const std::invalid_argument& error) {
    throw UserError(error.what());
  }
}

}  // namespace

void add_occupancy_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("occupancy", "How many groups an Xe-core holds at once, what limits it, and what to change");
  command->add_option("--device", options->device, "a770, b580, b60, lnl")->capture_default_str();
  auto* kernel = command->add_option("--kernel", options->file,
                                     "Take the numbers from this file's kernel (.cpp, .cl, SPIR-V, zebin)");
  command->add_option("--name", options->name, "The kernel's name, where the file has several")->needs(kernel);
  command->add_option("-D", options->defines, "Define NAME or NAME=VALUE for the source")
      ->allow_extra_args(false)
      ->needs(kernel);
  command->add_option("--slm-arguments", options->dynamic_slm, "Bytes of local memory that arguments ask for at launch")
      ->needs(kernel);
  command->add_option("--group", options->group, "Work-items of a group");
  command->add_option("--groups", options->query.groups, "Groups of the launch (default: more than the device holds)");
  command
      ->add_option("--simd", options->query.simd,
                   "Work-items of a thread: 8, 16, 32; 1 = ESIMD; 0 = the device's width")
      ->excludes(kernel);
  command->add_option("--grf", options->query.grf, "Registers of a thread: 128 or 256")->excludes(kernel);
  command->add_option("--slm", options->query.slm_bytes, "Bytes of local memory of a group")->excludes(kernel);
  command->add_option("--barriers", options->query.barriers, "Barriers that a group uses")->excludes(kernel);
  command->add_option("--json", options->json, "Also write the result to this file");
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
