// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <unistd.h>

namespace programs {

namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string hex_of(std::uint64_t value) {
  std::ostringstream out;
  out << std::hex << value;
  return out.str();
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3U;
  return hash;
}

}  // namespace

Program::Program(std::string kernel_directory, std::string cache)
    : kernel_directory_(std::move(kernel_directory)),
      cache_(std::move(cache)),
      device_(sycl::gpu_selector_v),
      context_(device_),
      queue_(context_, device_, sycl::property::queue::in_order{}) {}

Kernels Program::kernels(const std::string& file, const std::vector<std::string>& defines) {
  const std::string header = read_file(kernel_directory_ + "/common.h");
  const std::string source = read_file(kernel_directory_ + "/" + file);
  std::vector<std::string> options = {"-w", "-I."};
  std::string key =
      header + source + device_.get_info<sycl::info::device::name>() + std::to_string(__SYCL_COMPILER_VERSION);
  for (const std::string& define : defines) {
    options.push_back("-D" + define);
    key += options.back();
  }
  const std::string cached = cache_.empty() ? "" : cache_ + "/" + file + "-" + hex_of(hash_of(key)) + ".syclbin";
  std::vector<char> content;
  if (!cached.empty() && std::filesystem::exists(cached)) {
    const std::string bytes = read_file(cached);
    content.assign(bytes.begin(), bytes.end());
  } else {
    syclexp::include_files files;
    files.add("common.h", header);
    auto bundle = syclexp::create_kernel_bundle_from_source(context_, syclexp::source_language::sycl, source,
                                                            syclexp::properties{files});
    std::string log;
    try {
      content = syclexp::compile(bundle, {device_},
                                 syclexp::properties{syclexp::build_options{options}, syclexp::save_log{&log}})
                    .ext_oneapi_get_content();
    } catch (const sycl::exception&) {
      std::printf("%s\n", log.c_str());
      throw;
    }
    if (!cached.empty()) {
      // Several programs may share the directory: a file appears whole or not at all.
      std::filesystem::create_directories(cache_);
      const std::string temporary = cached + "." + std::to_string(::getpid());
      std::ofstream(temporary, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
      std::filesystem::rename(temporary, cached);
    }
  }
  const auto object = syclexp::get_kernel_bundle<sycl::bundle_state::object>(
      context_, {device_}, sycl::span<char>(content.data(), content.size()));
  return Kernels(*this, sycl::link(object));
}

Kernels Program::built(const std::string& file) {
  syclexp::include_files files;
  files.add("common.h", read_file(kernel_directory_ + "/common.h"));
  auto source = syclexp::create_kernel_bundle_from_source(
      context_, syclexp::source_language::sycl, read_file(kernel_directory_ + "/" + file), syclexp::properties{files});
  return Kernels(*this,
                 syclexp::build(source, {device_},
                                syclexp::properties{syclexp::build_options{std::vector<std::string>{"-w", "-I."}}}));
}

void Program::expect(bool ok, const std::string& what) { report(what, ok ? 0 : 1, 1, ""); }

void Program::report(const std::string& what, std::size_t wrong, std::size_t total, const std::string& first) {
  ++checks_;
  elements_ += total;
  if (wrong == 0) return;
  ++failures_;
  std::printf("FAIL %s: %zu of %zu wrong:%s\n", what.c_str(), wrong, total, first.c_str());
  std::fflush(stdout);
}

double unit_in_last_place(double value, int digits, int min_exponent) {
  if (value == 0) return std::ldexp(1.0, min_exponent - digits + 1);
  return std::ldexp(1.0, std::max(std::ilogb(value), min_exponent) - digits + 1);
}

bool detail::allowed(double got, double want, const Tolerance& tolerance, const Format& format) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isnan(got)) return false;
  const double allowance = tolerance.ulp * unit_in_last_place(want, format.digits, format.min_exponent) +
                           tolerance.absolute + tolerance.relative * std::abs(want);
  if (std::abs(want) > format.largest) {
    if (std::isinf(got)) return std::signbit(got) == std::signbit(want);
    return !std::isinf(want) && std::abs(got - want) <= allowance;
  }
  // A value within reach of the largest number may overflow.
  if (std::isinf(got)) return std::abs(want) + allowance > format.largest && std::signbit(got) == std::signbit(want);
  return std::abs(got - want) <= allowance;
}

}  // namespace programs
