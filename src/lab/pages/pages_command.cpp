// SPDX-License-Identifier: Apache-2.0
//
// `xeforge pages`.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "compile/files.h"
#include "lab/commands.h"
#include "lab/errors.h"
#include "lab/files.h"
#include "lab/inspect_kernel.h"
#include "lab/pages/claims.h"
#include "lab/pages/devices_json.h"
#include "lab/pages/interrupts.h"
#include "lab/pages/ladder_data.h"
#include "lab/pages/record.h"
#include "lab/pages/site.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::lab::pages {
namespace {

/// Recorded side by side; the arithmetic pages and the map know all devices.
constexpr const char* kRecordedDevices[] = {"b580", "a770"};

/// A sub-group size that this device has not: what is said of it is evidence for a claim.
constexpr const char* kRefusingDevice = "b580";
constexpr uint32_t kRefusedSize = 8;

struct Options {
  std::string out, ladder, name;
  bool no_ladder = false;
  std::vector<std::string> kernels, defines, include_directories;
  std::vector<uint32_t> groups{4}, group;
  uint32_t elements = 0;
};

class Generator {
 public:
  explicit Generator(const Options& options) : options_(options), site_(options.out) {}

  void run() {
    // What the user gave first: what is wrong with it is said before minutes are spent.
    Json ladder = options_.ladder.empty() ? Json(nullptr) : ladder_report(options_.ladder);
    for (const std::string& file : options_.kernels) add_own(file);
    add_figures();
    add_dispatches();
    if (options_.ladder.empty() && !options_.no_ladder) ladder = ladder_run(interrupts_);
    Json devices = Json::array();
    for (const std::string& id : device::device_ids()) devices.push_back(device_json(device::find_device(id)));
    site_.add_data("devices", devices);
    site_.add_data("ladder", ladder);
    for (const auto& [name, json] : recorded_) site_.add_data(name, json);
    for (auto& [name, trace] : traces_)
      if (!trace.empty()) site_.add_file("traces/" + name + ".json", std::move(trace));
    site_.add_data("claims", claims_json(recorded_, refusals_));
    site_.add_data("manifest", {{"version", paths::kVersion},
                                {"recordings", recordings_},
                                {"own", own_},
                                {"recorded_devices", kRecordedDevices},
                                {"has_ladder", !ladder.is_null()}});
    site_.add_pages();
    interrupts_.check();
    site_.commit();
  }

 private:
  /// The kernel source of web/ as a file that a compiler takes.
  SourceFile figure_source(const compile::ScratchDirectory& scratch, const std::string& name,
                           const std::vector<std::string>& compile_options, bool lines) {
    interrupts_.check();
    const auto file = scratch.path() / (name + ".cpp");
    write_file_atomically(file, std::string(web_file("kernels/" + name + ".h")));
    return {file, compile_options, lines};
  }

  void add_figures() {
    const compile::ScratchDirectory scratch;
    std::map<std::string, std::map<std::string, BuiltFile>> built;  // by source, device
    for (const FigureLaunch& launch : figure_launches()) {
      if (!built.contains(launch.source)) {
        std::cerr << "xeforge: compiling and recording " << launch.source << '\n';
        const SourceFile source = figure_source(scratch, launch.source, {}, true);
        for (const char* id : kRecordedDevices) built[launch.source][id] = source.build(device::find_device(id));
      }
      Json devices = Json::array();
      for (const char* id : kRecordedDevices) {
        interrupts_.check();
        const std::string name = launch.id + "." + id;
        recorded_[name] = record(launch, built[launch.source][id], device::find_device(id), &traces_[name]);
        devices.push_back(id);
      }
      recordings_.push_back({{"id", launch.id}, {"kernel", launch.kernel}, {"devices", std::move(devices)}});
    }
  }

  void add_own(const std::string& name) {
    std::cerr << "xeforge: compiling and recording " << name << '\n';
    std::vector<std::string> compile_options;
    compile_options.reserve(options_.defines.size() + options_.include_directories.size());
    for (const auto& define : options_.defines) compile_options.push_back("-D" + define);
    for (const auto& directory : options_.include_directories)
      compile_options.push_back("-I" + std::filesystem::absolute(directory).string());
    const SourceFile source(name, compile_options);
    std::vector<std::pair<std::string, UserError>> refused;
    std::map<std::string, Json> entries;
    std::vector<std::string> order;
    for (const char* id : kRecordedDevices) {
      interrupts_.check();
      const device::Device& device = device::find_device(id);
      std::optional<BuiltFile> file;
      try {
        file = source.build(device);
      } catch (const UserError& error) {
        refused.emplace_back(id, error);
        continue;
      }
      for (const BuiltKernel& built : file->kernels) {
        const std::string kernel = short_name(built.kernel.name);
        if (!options_.name.empty() && kernel != options_.name) continue;
        const FigureLaunch launch = own_launch(built, kernel);
        Json json = record(launch, *file, device, &traces_[launch.id + "." + id]);
        if (!json["fault"].is_null())
          std::cerr << "xeforge: on " << id << ": " << json["fault"].get<std::string>() << '\n';
        if (!entries.contains(launch.id)) {
          order.push_back(launch.id);
          entries[launch.id] = {{"id", launch.id}, {"kernel", kernel}, {"devices", Json::array()}};
        }
        entries[launch.id]["devices"].push_back(id);
        recorded_[launch.id + "." + id] = std::move(json);
      }
    }
    if (order.empty() && refused.empty()) throw UserError("--name: " + name + " has no kernel '" + options_.name + "'");
    if (order.empty()) throw refusal_of(refused);
    for (const auto& [id, error] : refused)
      std::cerr << "xeforge: " << name << " is not shown for " << id << ": " << error.what() << '\n';
    for (const std::string& id : order) own_.push_back(entries[id]);
  }

  /// What all devices say alike is said once.
  static UserError refusal_of(const std::vector<std::pair<std::string, UserError>>& refused) {
    std::string text;
    for (const auto& [id, error] : refused)
      if (text.find(error.what()) == std::string::npos) text += (text.empty() ? "" : "\n") + std::string(error.what());
    return UserError(text, refused.front().second.status);
  }

  FigureLaunch own_launch(const BuiltKernel& built, const std::string& name) const {
    const binary::Kernel& kernel = built.kernel;
    FigureLaunch launch;
    launch.id = "own." + name;
    launch.kernel = name;
    const auto spread = [](const std::vector<uint32_t>& sizes, std::array<uint32_t, 3>& to) {
      std::copy_n(sizes.begin(), std::min<size_t>(sizes.size(), 3), to.begin());
    };
    spread(options_.groups, launch.groups);
    if (!options_.group.empty())
      spread(options_.group, launch.local);
    else if (kernel.required_group_size)
      launch.local = *kernel.required_group_size;
    else
      launch.local = {kernel.simd_size == 1 ? 1u : 64u, 1, 1};
    const uint32_t items = launch.local[0] * launch.local[1] * launch.local[2];
    // A work-item of ESIMD is a whole thread, which reads vectors.
    const uint32_t each = kernel.simd_size == 1 ? 64 : 1;
    const uint32_t elements = options_.elements != 0
                                  ? options_.elements
                                  : each * items * launch.groups[0] * launch.groups[1] * launch.groups[2];
    launch.arguments = guessed_arguments(built, elements, items);
    return launch;
  }

  /// Where the groups of many grids go, for all devices and sub-group sizes: what the sliders of the map choose from.
  void add_dispatches() {
    std::cerr << "xeforge: dealing out groups\n";
    const compile::ScratchDirectory scratch;
    std::map<std::string, Json> launches;
    for (const uint32_t simd : {8u, 16u, 32u}) {
      const SourceFile source = figure_source(scratch, "placement", {"-DSUB_GROUP=" + std::to_string(simd)}, false);
      for (const std::string& id : device::device_ids()) {
        const device::Device& device = device::find_device(id);
        const auto& sizes = device.sub_group_sizes;
        if (std::find(sizes.begin(), sizes.end(), simd) != sizes.end())
          add_dispatches_of(source.build(device), device, simd, launches[id]);
        else if (id == kRefusingDevice && simd == kRefusedSize)
          expect_refusal(source, device, simd);
      }
    }
    for (auto& [id, list] : launches)
      site_.add_data(
          "dispatch." + id,
          {{"kernel", "placement"}, {"sizes", kGroupSizes}, {"groups", kGroupCounts}, {"launches", std::move(list)}});
  }

  void add_dispatches_of(const BuiltFile& file, const device::Device& device, uint32_t simd, Json& launches) {
    for (const uint32_t size : kGroupSizes) {
      for (const uint32_t count : kGroupCounts) {
        interrupts_.check();
        Json one = {{"local", size}, {"count", count}, {"simd", simd}};
        one.update(dispatch(placement_launch(count, size), file, device));
        launches.push_back(std::move(one));
      }
    }
  }

  void expect_refusal(const SourceFile& source, const device::Device& device, uint32_t simd) {
    try {
      source.build(device);
    } catch (const UserError& error) {
      refusals_[device.id + "." + std::to_string(simd)] = error.what();
    }
  }

  static constexpr uint32_t kGroupSizes[] = {16, 32, 64, 128, 256, 512, 1024};
  static constexpr uint32_t kGroupCounts[] = {1, 8, 20, 40, 80, 160, 320};

  const Options& options_;
  const Interrupts interrupts_;
  Site site_;
  std::map<std::string, Json> recorded_;
  std::map<std::string, std::string> traces_, refusals_;
  Json recordings_ = Json::array(), own_ = Json::array();
};

void run(const Options& options) {
  Generator(options).run();
  std::cout << options.out << "/index.html\n";
}

}  // namespace
}  // namespace xeforge::lab::pages

namespace xeforge::lab {

void add_pages_command(CLI::App& app) {
  const auto options = std::make_shared<pages::Options>();
  CLI::App* command = app.add_subcommand(
      "pages", "Write pages that show how kernels execute, lane by lane; they open from their folder, offline");
  command->add_option("--out", options->out, "The folder to write, made if it is not there")->required();
  command->add_option("--kernel", options->kernels, "Also show the kernels of this file (.cpp, .cl, SPIR-V, zebin)");
  command->add_option("--name", options->name, "Of these files, only this kernel");
  command->add_option("--groups", options->groups, "Groups that own kernels are launched with: X or X,Y,Z")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--group", options->group, "Work-items of their groups (default: what the kernel requires, else 64)")
      ->delimiter(',');
  command->add_option("--elements", options->elements,
                      "4-byte elements of each of their buffers (default: one for each work-item, 64 in ESIMD)");
  command->add_option("-D", options->defines, "Define NAME or NAME=VALUE for their source")->allow_extra_args(false);
  command->add_option("-I", options->include_directories, "Look for includes in this directory, too")
      ->allow_extra_args(false);
  auto* ladder = command->add_option("--ladder", options->ladder,
                                     "What 'xeforge ladder --json FILE' wrote (default: run some rungs of it now)");
  command->add_flag("--no-ladder", options->no_ladder, "Leave the ladder's page without numbers")->excludes(ladder);
  command->callback([options] { pages::run(*options); });
}

}  // namespace xeforge::lab
