// SPDX-License-Identifier: Apache-2.0
//
// Which device a command works on, and how a process gets the virtual one: the driver is found through the
// library path and the Level Zero loader's variables, all of which a process must have before SYCL starts.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace xeforge::lab {

/// The real GPU of this machine instead of a virtual one.
inline constexpr const char* kRealDevice = "gpu";

/// Virtual ids and "gpu".
std::vector<std::string> device_choices();
/// Throws UserError naming the choices.
void require_device(const std::string& id);

/// The folder that holds the virtual driver under the loader's name; XEFORGE_LOADER_DIR overrides. Throws UserError.
std::filesystem::path loader_directory();

/// Variables with which a process, or a program started by it, sees exactly the virtual device.
/// `keep_library_path`: what LD_LIBRARY_PATH was.
std::vector<std::pair<std::string, std::string>> virtual_environment(const std::string& device,
                                                                     const std::string& keep_library_path);

/// Makes this process see the device when SYCL starts. Must come before any use of SYCL. The dynamic linker reads the
/// library path once, when a process starts: where it has to change, the process begins anew with the same arguments.
void prepare_process(const std::string& device, unsigned host_threads);

/// What XEFORGE_MODE says, "functional" if it says nothing.
std::string mode_of_environment();

/// "functional" or "timed", for the driver in this process and the programs that it starts: before prepare_process().
/// Throws UserError, also for timed mode on the real device.
void choose_mode(const std::string& device, const std::string& mode);

}  // namespace xeforge::lab
