// SPDX-License-Identifier: Apache-2.0
#include "compile/options.h"

#include <algorithm>
#include <array>
#include <optional>

namespace xeforge::compile {
namespace {

constexpr std::string_view kVectorCompiler = "-vc-codegen";
constexpr std::string_view kLevel = "-ze-opt-level=";

enum class Compiler { Any, Vector };

/// `from` becomes `to`; an empty `to` drops it.
struct Translation {
  Compiler compiler;
  std::string_view from, to;
};

// Level Zero's names are translated by Intel's driver before the compiler sees them (compute-runtime, module_imp.cpp,
// createBuildOptions). The large-register options that name 256 registers are accepted by the vector compiler and
// ignored: a kernel that asked for 256 registers silently got 128 (toolchain.md, pitfall 6). -disable-finalizer-msg
// hides its only word about spilling; we want to hear it.
constexpr std::array<Translation, 8> kTranslations = {{
    {Compiler::Vector, "-ze-intel-256-GRF-per-thread", "-ze-opt-large-register-file"},
    {Compiler::Vector, "-cl-intel-256-GRF-per-thread", "-ze-opt-large-register-file"},
    {Compiler::Vector, "-ze-256-GRF-per-thread", "-ze-opt-large-register-file"},
    {Compiler::Vector, "-cl-256-GRF-per-thread", "-ze-opt-large-register-file"},
    {Compiler::Any, "-disable-finalizer-msg", ""},
    {Compiler::Any, "-ze-opt-disable", "-cl-opt-disable"},
    {Compiler::Any, "-ze-intel-enable-auto-large-GRF-mode", "-cl-intel-enable-auto-large-GRF-mode"},
    {Compiler::Any, "-ze-opt-greater-than-4GB-buffer-required", "-cl-intel-greater-than-4GB-buffer-required"},
}};

std::optional<std::string> translate(const std::string& word, bool vector_compiler) {
  for (const auto& row : kTranslations)
    if (word == row.from && (row.compiler == Compiler::Any || vector_compiler)) {
      if (row.to.empty()) return std::nullopt;
      return std::string(row.to);
    }
  if (word.starts_with(kLevel)) {
    std::string level = word.substr(kLevel.size());
    if (level.starts_with('O')) level.erase(0, 1);
    // The vector compiler refuses the option; its own level is 2, and 0 has another name.
    if (!vector_compiler) return std::string(kLevel) + "O" + level;
    if (level == "0") return "-cl-opt-disable";
    return std::nullopt;
  }
  return word;
}

}  // namespace

std::vector<std::string> split_options(std::string_view options) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : options) {
    if (c == '"') quoted = !quoted;
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
    if (blank && !quoted) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else if (c != '\0') {
      word.push_back(c);
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool asks_for_vector_compiler(std::string_view options) {
  const auto words = split_options(options);
  return std::find(words.begin(), words.end(), kVectorCompiler) != words.end();
}

std::string translate_options(std::string_view options, bool vector_compiler) {
  std::vector<std::string> kept;
  if (vector_compiler && !asks_for_vector_compiler(options)) kept.emplace_back(kVectorCompiler);
  for (const auto& word : split_options(options)) {
    auto translated = translate(word, vector_compiler);
    if (translated) kept.push_back(std::move(*translated));
  }
  std::string text;
  for (const auto& word : kept) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace xeforge::compile
