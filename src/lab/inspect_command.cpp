// SPDX-License-Identifier: Apache-2.0
//
// `xeforge inspect`.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "binary/zebin.h"
#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/inspect_report.h"

namespace xeforge::lab {

namespace {

struct Options {
  std::string file, device = "a770", kernel, json;
  std::vector<std::string> defines, include_directories, options, build_options, files;
  bool isa = false;
};

const device::Device& chosen_device(const std::string& id) {
  try {
    return device::find_device(id);
  } catch (const std::invalid_argument& error) {
    throw UserError(std::string("--device: ") + error.what());
  }
}

InspectInput input_of(const Options& options) {
  InspectInput input;
  input.file = options.file;
  for (const auto& define : options.defines) input.source_options.push_back("-D" + define);
  for (const auto& directory : options.include_directories)
    input.source_options.push_back("-I" + std::filesystem::absolute(directory).string());
  input.source_options.insert(input.source_options.end(), options.options.begin(), options.options.end());
  input.build_options = options.build_options;
  for (const auto& pair : options.files) {
    const size_t at = pair.find('=');
    if (at == std::string::npos) throw UserError("--file wants NAME=PATH, not '" + pair + "'");
    input.include_files.emplace_back(pair.substr(0, at), pair.substr(at + 1));
  }
  return input;
}

bool is_wanted(const std::string& name, const std::string& wanted) {
  return wanted.empty() || name == wanted || short_name(name) == wanted;
}

/// Looks into the binary; what goes wrong becomes the module's error.
InspectedModule look_into(InspectModule module, const device::Device& device, const std::string& wanted,
                          std::vector<std::string>& names) {
  InspectedModule inspected{std::move(module), {}};
  if (!inspected.module.error.empty()) return inspected;
  try {
    const binary::Zebin zebin = binary::read_zebin(inspected.module.zebin);
    const auto platform = zebin.target.platform();
    if (platform && *platform != device.platform) {
      inspected.module.error = "this binary was made for " + zebin.product_note + "; " + device.id +
                               " does not execute its code: choose its device with --device";
      return inspected;
    }
    for (const auto& warning : zebin.warnings) inspected.module.warnings.push_back(warning);
    for (const auto& kernel : zebin.kernels) {
      names.push_back(short_name(kernel.name));
      if (is_wanted(kernel.name, wanted)) inspected.kernels.push_back(view_kernel(kernel, device));
    }
  } catch (const binary::ZebinError& error) {
    inspected.module.error = std::string("the binary cannot be read: ") + error.what();
  } catch (const isa::DecodeError& error) {
    inspected.module.error = std::string("this is no code that a ") + device.id + " executes: " + error.what();
  }
  return inspected;
}

void print(const InspectedModule& inspected, const device::Device& device, bool listing) {
  for (const KernelView& view : inspected.kernels) {
    print_kernel(std::cout, view, device);
    if (listing) print_listing(std::cout, view);
    std::cout << '\n';
  }
  for (const auto& warning : inspected.module.warnings) std::cout << "warning: " << warning << '\n';
}

void run(const Options& options) {
  const device::Device& device = chosen_device(options.device);
  std::vector<InspectedModule> modules;
  std::vector<std::string> names;
  bool failed = false;
  bool found = false;
  for (InspectModule& module : make_modules(input_of(options), device)) {
    modules.push_back(look_into(std::move(module), device, options.kernel, names));
    failed = failed || !modules.back().module.error.empty();
    found = found || !modules.back().kernels.empty();
  }
  if (!failed && !found && !options.kernel.empty()) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
    throw UserError("--kernel: " + options.file + " has no kernel '" + options.kernel +
                    "'. It has: " + (list.empty() ? "none" : list));
  }
  for (const auto& inspected : modules) print(inspected, device, options.isa);
  std::cout.flush();
  for (const auto& inspected : modules)
    if (!inspected.module.error.empty()) std::cerr << "xeforge: " << inspected.module.error << '\n';
  if (!options.json.empty()) write_file_atomically(options.json, inspect_json(options.file, device, modules));
  if (failed) throw Exit(Status::Failed);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "inspect", "Show what the compiler made of kernels: registers, spills, loops, instruction mix, messages");
  command->add_option("file", options->file, "SYCL (.cpp), OpenCL C (.cl), SPIR-V or zebin")->required();
  command->add_option("--device", options->device, "a770, b580, b60, lnl")->capture_default_str();
  command->add_option("--kernel", options->kernel, "Only this kernel");
  command->add_option("-D", options->defines, "Define NAME or NAME=VALUE")->allow_extra_args(false);
  command->add_option("-I", options->include_directories, "Look for includes in this directory, too")
      ->allow_extra_args(false);
  command->add_option("--file", options->files, "NAME=PATH: the file is there as #include \"NAME\" (SYCL)")
      ->allow_extra_args(false);
  command->add_option("--option", options->options, "For the compiler of the source: --option=-O1")
      ->allow_extra_args(false);
  command
      ->add_option("--build-option", options->build_options,
                   "For the offline compiler, as a runtime passes it: --build-option=-ze-opt-large-register-file")
      ->allow_extra_args(false);
  command->add_flag("--isa", options->isa, "Also list the instructions; bars at the left show loops");
  command->add_option("--json", options->json, "Also write everything but the listing to this file");
  command->callback([options] { run(*options); });
}

}  // namespace xeforge::lab
