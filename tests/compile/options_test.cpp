// SPDX-License-Identifier: Apache-2.0
#include "compile/options.h"

#include <gtest/gtest.h>

namespace xeforge::compile {
namespace {

TEST(Options, AreSplitAtBlanksOutsideQuotes) {
  EXPECT_EQ(split_options("  -DA=1\t-DB=\"x y\"  -w\n"), (std::vector<std::string>{"-DA=1", "-DB=\"x y\"", "-w"}));
  EXPECT_TRUE(split_options("").empty());
}

TEST(Options, OfARuntimeBecomeThoseOfTheCompiler) {
  EXPECT_EQ(translate_options("-ze-opt-level=2", false), "-ze-opt-level=O2");
  EXPECT_EQ(translate_options("-ze-opt-level=O1", false), "-ze-opt-level=O1");
  EXPECT_EQ(translate_options("-ze-opt-disable -g", false), "-cl-opt-disable -g");
  EXPECT_EQ(translate_options("-ze-opt-greater-than-4GB-buffer-required", false),
            "-cl-intel-greater-than-4GB-buffer-required");
  EXPECT_EQ(translate_options("-ze-opt-large-register-file", false), "-ze-opt-large-register-file");
  EXPECT_EQ(translate_options("-cl-intel-256-GRF-per-thread", false), "-cl-intel-256-GRF-per-thread");
  EXPECT_EQ(translate_options("-DX=1 -DX=1", false), "-DX=1 -DX=1");
}

TEST(Options, OfTheVectorCompiler) {
  EXPECT_TRUE(asks_for_vector_compiler("-vc-codegen -disable-finalizer-msg"));
  EXPECT_FALSE(asks_for_vector_compiler("-DX=-vc-codegen"));
  // A module for it that came without the option.
  EXPECT_EQ(translate_options("", true), "-vc-codegen");
  // It refuses levels, and hides its spill message if it is told to.
  EXPECT_EQ(translate_options("-ze-opt-level=2 -vc-codegen -disable-finalizer-msg", true), "-vc-codegen");
  EXPECT_EQ(translate_options("-ze-opt-level=0 -vc-codegen", true), "-cl-opt-disable -vc-codegen");
  // It accepts and ignores these two.
  EXPECT_EQ(translate_options("-vc-codegen -ze-intel-256-GRF-per-thread", true),
            "-vc-codegen -ze-opt-large-register-file");
  EXPECT_EQ(translate_options("-vc-codegen -cl-intel-256-GRF-per-thread", true),
            "-vc-codegen -ze-opt-large-register-file");
}

}  // namespace
}  // namespace xeforge::compile
