// SPDX-License-Identifier: Apache-2.0
//
// oneDNN's own kernels as recordings: which kernel the library launches for a product on a virtual device, and what it
// does there. Kept in the user's cache, for they depend on nothing but library, device and shape.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "lab/element.h"
#include "lab/provider_session.h"
#include "lab/workspace.h"
#include "observe/recording.h"

namespace xeforge::lab {

struct CapturedShape {
  std::uint32_t m = 0, n = 0, k = 0;
  Element a_and_b = Element::Bf16, c = Element::Bf16;
  bool transpose_b = false;  ///< B is stored as its transpose
};

class Capture {
 public:
  /// Throws UserError if oneDNN is not there.
  Capture(std::string device, unsigned host_threads);

  /// Of the launch that multiplies (others prepare memory once). Executed without matrix arithmetic unless `whole`
  /// (machine/control_only.h), which is not kept. Throws UserError with what the library or the device said.
  std::shared_ptr<const observe::Recording> record(const CapturedShape& shape, bool whole = false);
  bool has(const CapturedShape& shape) const;

  const std::string& library_version() const { return version_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path file_of(const CapturedShape& shape) const;

  std::string device_;
  unsigned host_threads_;
  std::filesystem::path program_;
  std::string version_;
  std::filesystem::path folder_;
};

/// Whether both have the same threads on the same ways with the same messages: what matrices hold decides neither.
bool same_course(const observe::Recording& a, const observe::Recording& b);

/// Where recordings are kept: under XEFORGE_CACHE_DIR, XEFORGE_HOME or the user's cache.
std::filesystem::path recordings_folder();

}  // namespace xeforge::lab
