// SPDX-License-Identifier: Apache-2.0
//
// `xeforge pages`.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "compile/files.h"
#include "lab/commands.h"
#include "lab/files.h"
#include "lab/inspect_kernel.h"
#include "lab/pages/claims.h"
#include "lab/pages/devices_json.h"
#include "lab/pages/ladder_data.h"
#include "lab/pages/record.h"
#include "lab/pages/site.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::lab::pages {
namespace {

/// Recorded side by side; the arithmetic pages know all devices.
constexpr const char* kRecordedDevices[] = {"b580", "a770"};

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
    // The user's kernels first: what is wrong with them is said before anything is written.
    for (const std::string& file : options_.kernels) add_own(file);
    add_figures();
    Json devices = Json::array();
    for (const std::string& id : device::device_ids()) devices.push_back(device_json(device::find_device(id)));
    site_.write_data("devices", devices);
    for (const char* id : kRecordedDevices) site_.write_data(std::string("dispatch.") + id, dispatches(id));
    const Json ladder = options_.no_ladder ? Json(nullptr) : ladder_data(options_.ladder);
    site_.write_data("ladder", ladder);
    for (const auto& [name, json] : recorded_) site_.write_data(name, json);
    for (const auto& [name, trace] : traces_)
      if (!trace.empty()) site_.write_file("traces/" + name + ".json", trace);
    site_.write_data("claims", claims_json(recorded_));
    site_.write_data("manifest", {{"version", paths::kVersion},
                                  {"recordings", recordings_},
                                  {"own", own_},
                                  {"recorded_devices", kRecordedDevices},
                                  {"dispatch", kRecordedDevices},
                                  {"has_ladder", !ladder.is_null()}});
    site_.write_pages();
  }

 private:
  void add_figures() {
    const compile::ScratchDirectory scratch;
    auto& built = built_;
    for (const FigureLaunch& launch : figure_launches()) {
      if (!built.contains(launch.source)) {
        std::cerr << "xeforge: compiling and recording " << launch.source << '\n';
        const auto file = scratch.path() / (launch.source + ".cpp");
        write_file_atomically(file, std::string(web_file("kernels/" + launch.source + ".h")));
        const SourceFile source(file, {});
        for (const char* id : kRecordedDevices) built[launch.source][id] = source.build(device::find_device(id));
      }
      Json devices = Json::array();
      for (const char* id : kRecordedDevices) {
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
    for (const auto& define : options_.defines) compile_options.push_back("-D" + define);
    for (const auto& directory : options_.include_directories)
      compile_options.push_back("-I" + std::filesystem::absolute(directory).string());
    const SourceFile source(name, compile_options);
    std::optional<UserError> refused;
    std::map<std::string, Json> entries;
    std::vector<std::string> order;
    for (const char* id : kRecordedDevices) {
      const device::Device& device = device::find_device(id);
      std::optional<BuiltFile> file;
      try {
        file = source.build(device);
      } catch (const UserError& error) {
        std::cerr << "xeforge: " << name << " for " << id << ": " << error.what() << '\n';
        refused = error;
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
    if (order.empty()) {
      if (refused) throw UserError(refused->what(), refused->status);
      throw UserError("--name: " + name + " has no kernel '" + options_.name + "'");
    }
    for (const std::string& id : order) own_.push_back(entries[id]);
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
    const uint32_t elements =
        options_.elements != 0 ? options_.elements : items * launch.groups[0] * launch.groups[1] * launch.groups[2];
    launch.arguments = guessed_arguments(built, elements, items);
    return launch;
  }

  /// The kernel of the divergence page over many grids: what the sliders of the map choose from.
  Json dispatches(const std::string& device) {
    constexpr uint32_t kSizes[] = {16, 32, 64, 128, 256, 512, 1024};
    constexpr uint32_t kCounts[] = {1, 8, 20, 40, 80, 160, 320};
    FigureLaunch launch = figure_launches().front();
    const BuiltFile& file = built_.at(launch.source).at(device);
    Json launches = Json::array();
    for (const uint32_t size : kSizes) {
      for (const uint32_t count : kCounts) {
        launch.groups = {count, 1, 1};
        launch.local = {size, 1, 1};
        launch.arguments.front().count = size * count;
        Json one = {{"local", size}, {"count", count}, {"simd", 16}};
        one.update(dispatch(launch, file, device::find_device(device)));
        launches.push_back(std::move(one));
      }
    }
    return {{"kernel", launch.kernel}, {"sizes", kSizes}, {"groups", kCounts}, {"launches", std::move(launches)}};
  }

  const Options& options_;
  Site site_;
  std::map<std::string, std::map<std::string, BuiltFile>> built_;  ///< by source, device
  std::map<std::string, Json> recorded_;
  std::map<std::string, std::string> traces_;
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
                      "4-byte elements of each of their buffers (default: one for each work-item)");
  command->add_option("-D", options->defines, "Define NAME or NAME=VALUE for their source")->allow_extra_args(false);
  command->add_option("-I", options->include_directories, "Look for includes in this directory, too")
      ->allow_extra_args(false);
  auto* ladder = command->add_option("--ladder", options->ladder,
                                     "What 'xeforge ladder --json FILE' wrote (default: run some rungs of it now)");
  command->add_flag("--no-ladder", options->no_ladder, "Leave the ladder's page without numbers")->excludes(ladder);
  command->callback([options] { pages::run(*options); });
}

}  // namespace xeforge::lab
