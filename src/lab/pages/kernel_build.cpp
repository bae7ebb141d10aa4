// SPDX-License-Identifier: Apache-2.0
#include "lab/pages/kernel_build.h"

#include <algorithm>

#include "compile/files.h"
#include "lab/errors.h"
#include "lab/inspect_input.h"
#include "lab/inspect_kernel.h"

namespace xeforge::lab::pages {
namespace {

/// -g and -gline-tables-only will not do: the first switches optimisation off in the run-time compiler, the second is
/// not passed on (seen with libsycl-jit 2026.2.0).
const std::vector<std::string> kLineTables = {"-Xclang", "-debug-info-kind=line-tables-only"};

compile::SyclResult front_end(const std::filesystem::path& file, std::vector<std::string> options,
                              const std::vector<std::string>& more) {
  compile::SyclRequest request;
  request.source = file;
  request.options = std::move(options);
  request.options.insert(request.options.end(), more.begin(), more.end());
  compile::SyclResult result = compile::compile_sycl(request);
  if (!result.ok) throw UserError(result.error, Status::Failed);
  return result;
}

void add_kernels(const std::string& kind, const std::vector<std::byte>& bytes, BuiltFile& out) {
  const binary::Zebin zebin = binary::read_zebin(bytes);
  const auto lines = std::make_shared<const binary::DebugLines>(zebin.debug_line_source_elf);
  const auto calls = std::make_shared<const binary::InlinedCalls>(zebin.debug_line_source_elf);
  for (const auto& kernel : zebin.kernels) out.kernels.push_back({kernel, kind, lines, calls, false});
}

/// Behind the end of the code lies a hash of the whole build, which differs: only what can be executed is compared.
bool same_instructions(const binary::Kernel& a, const binary::Kernel& b, const device::Device& device) {
  if (a.code.size() != b.code.size()) return false;
  const KernelView view = view_kernel(a, device);
  const auto instructions = view.program.instructions();
  return std::all_of(instructions.begin(), instructions.end(), [&](const isa::Instruction& i) {
    return std::equal(a.code.begin() + i.pc, a.code.begin() + i.pc + i.size, b.code.begin() + i.pc);
  });
}

}  // namespace

SourceFile::SourceFile(std::filesystem::path file, std::vector<std::string> options, bool lines)
    : file_(std::move(file)), options_(std::move(options)), lines_(lines) {
  if (!std::filesystem::is_regular_file(file_)) throw UserError("cannot read " + file_.string());
  constexpr const char* kSycl[] = {".cpp", ".cc", ".cxx"};
  is_sycl_ =
      std::any_of(std::begin(kSycl), std::end(kSycl), [&](const char* suffix) { return file_.extension() == suffix; });
  if (!is_sycl_) return;
  plain_ = front_end(file_, options_, {});
  if (lines_) with_lines_ = front_end(file_, options_, kLineTables);
}

std::vector<SourceFile::Module> SourceFile::sycl_modules(const compile::SyclResult& result,
                                                         const device::Device& device) const {
  std::vector<Module> modules;
  for (const compile::SyclImage& image : result.images) {
    if (image.kind == compile::SyclImage::Kind::DeviceLibrary || image.kernels.empty()) continue;
    compile::Result compiled = compile::compile(compile::runtime_request(image, result.images, device));
    if (!compiled.ok) throw UserError(compiled.error, Status::Failed);
    modules.push_back({image.kind == compile::SyclImage::Kind::Esimd ? "esimd" : "sycl", std::move(compiled.zebin)});
  }
  if (modules.empty())
    throw UserError(file_.string() + " has no kernel (xeforge inspect says which functions are kernels)",
                    Status::Failed);
  return modules;
}

std::vector<SourceFile::Module> SourceFile::other_modules(const device::Device& device) const {
  InspectInput input;
  input.file = file_;
  input.source_options = options_;
  std::vector<Module> modules;
  for (InspectModule& module : make_modules(input, device)) {
    if (!module.error.empty()) throw UserError(module.error, Status::Failed);
    modules.push_back({module.kind, std::move(module.zebin)});
  }
  return modules;
}

BuiltFile SourceFile::build(const device::Device& device) const {
  BuiltFile out;
  out.file = file_;
  if (!is_sycl_) {
    for (const Module& module : other_modules(device)) {
      add_kernels(module.kind, module.zebin, out);
      if (module.kind == "opencl c") out.text = compile::read_text_file(file_).value_or("");
    }
    return out;
  }
  out.text = compile::read_text_file(file_).value_or("");
  for (const Module& module : sycl_modules(lines_ ? with_lines_ : plain_, device))
    add_kernels(module.kind, module.zebin, out);
  if (!lines_) return out;
  for (const Module& module : sycl_modules(plain_, device)) {
    const binary::Zebin zebin = binary::read_zebin(module.zebin);
    for (BuiltKernel& built : out.kernels)
      if (const binary::Kernel* same = zebin.find_kernel(built.kernel.name))
        built.same_code = same_instructions(*same, built.kernel, device);
  }
  return out;
}

}  // namespace xeforge::lab::pages
