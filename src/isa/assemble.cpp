// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <stdexcept>

#include <iga/iga.h>

#include "isa/decode.h"
#include "isa/iga_view.h"

namespace xeforge::isa {
namespace {

struct ContextDeleter {
  void operator()(void* context) const { iga_context_release(context); }
};

std::string diagnostics(iga_context_t context) {
  const iga_diagnostic_t* errors = nullptr;
  uint32_t count = 0;
  if (iga_context_get_errors(context, &errors, &count) != IGA_SUCCESS) return {};
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    text += "\n  line " + std::to_string(errors[i].line) + ", column " + std::to_string(errors[i].column) + ": " +
            errors[i].message;
  }
  return text;
}

}  // namespace

std::vector<std::byte> assemble(Platform platform, const std::string& text) {
  check_iga_library();
  const iga_context_options_t context_options = IGA_CONTEXT_OPTIONS_INIT(iga_platform(platform));
  iga_context_t raw = nullptr;
  if (const auto status = iga_context_create(&context_options, &raw); status != IGA_SUCCESS) {
    throw std::runtime_error(std::string("IGA: ") + iga_status_to_string(status));
  }
  const std::unique_ptr<void, ContextDeleter> context(raw);

  iga_assemble_options_t options = IGA_ASSEMBLE_OPTIONS_INIT();
  options.syntax_opts = IGA_SYNTAX_OPT_EXTENSIONS;  // load/store and sync instructions by name
  void* bits = nullptr;                             // owned by the context
  uint32_t size = 0;
  const auto status = iga_context_assemble(raw, &options, text.c_str(), &bits, &size);
  if (status != IGA_SUCCESS) {
    throw std::runtime_error(std::string("cannot assemble: ") + iga_status_to_string(status) + diagnostics(raw));
  }
  std::vector<std::byte> code(size);
  if (size != 0) std::memcpy(code.data(), bits, size);
  return code;
}

}  // namespace xeforge::isa
