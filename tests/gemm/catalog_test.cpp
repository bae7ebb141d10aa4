// SPDX-License-Identifier: Apache-2.0
#include "gemm/catalog.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/embedded.h"

namespace {

using namespace xeforge::gemm;
using testing::HasSubstr;

std::vector<std::string> ids(const std::vector<const Rung*>& rungs) {
  std::vector<std::string> names;
  for (const Rung* rung : rungs) names.emplace_back(rung->id);
  return names;
}

std::string error_of(const char* list) {
  try {
    select_rungs(list);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Catalog, HasTheLadder) {
  std::size_t published = 0, corrected = 0;
  for (const Rung& rung : catalog()) {
    if (rung.family == Family::Smoke || rung.family == Family::Xe2) continue;
    (rung.id.ends_with(".sg8") ? corrected : published)++;
  }
  EXPECT_EQ(published, 46U);
  EXPECT_EQ(corrected, 25U);
}

TEST(Catalog, IdsAndKernelsAreUnique) {
  std::set<std::string_view> ids_seen, kernels_seen;
  for (const Rung& rung : catalog()) {
    EXPECT_TRUE(ids_seen.insert(rung.id).second) << rung.id;
    EXPECT_TRUE(kernels_seen.insert(rung.kernel).second) << rung.kernel;
  }
}

TEST(Catalog, EveryRowIsWhole) {
  for (const Rung& rung : catalog()) {
    EXPECT_FALSE(rung.changes.empty()) << rung.id;
    EXPECT_TRUE(rung.base.empty() || find_rung(rung.base) != nullptr) << rung.id << " on " << rung.base;
    EXPECT_TRUE(rung.grf == 128 || rung.grf == 256) << rung.id;
    EXPECT_LE(rung.slm_bytes, 65536U) << rung.id;
    // Not more hardware threads than a group can have.
    EXPECT_LE(rung.local[0] * rung.local[1], 1024U) << rung.id;
    EXPECT_EQ(reason_against(rung, rung.fixed_shape.value_or(Shape{1024, 1536, 512})), "") << rung.id;
    const auto files = xeforge::kernels::embedded_files();
    EXPECT_TRUE(std::any_of(files.begin(), files.end(),
                            [&](const auto& file) {
                              return file.name == rung.header &&
                                     file.text.find(std::string(rung.kernel.substr(0, rung.kernel.find("_sg8")))) !=
                                         std::string_view::npos;
                            }))
        << rung.id << " in " << rung.header;
  }
}

TEST(Select, IdsAndGlobs) {
  EXPECT_EQ(ids(select_rungs("naive")), (std::vector<std::string>{"naive"}));
  EXPECT_EQ(ids(select_rungs("vectorized,naive")), (std::vector<std::string>{"naive", "vectorized"}));
  EXPECT_EQ(ids(select_rungs("jm_vnni*,jm_vnni")),
            (std::vector<std::string>{"jm_vnni", "jm_vnni.sg8", "jm_vnni_vec", "jm_vnni_vec.sg8", "jm_vnni_vec_bk32",
                                      "jm_vnni_vec_bk32.sg8"}));
  EXPECT_EQ(ids(select_rungs("esimd_?buf")), (std::vector<std::string>{"esimd_4buf", "esimd_8buf"}));
  EXPECT_EQ(select_rungs("*").size(), catalog().size());
}

TEST(Select, NamesTheNearest) {
  EXPECT_THAT(error_of("esimd_4bug"), HasSubstr("no rung is called 'esimd_4bug'; the nearest are esimd_4buf"));
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("naive,"), "");
  EXPECT_NE(error_of("naive,zzz*"), "");
}

TEST(ShapeText, ReadsAndWrites) {
  EXPECT_EQ(parse_shape("1024x1536x512"), (Shape{1024, 1536, 512}));
  EXPECT_EQ(to_string(Shape{1, 2, 3}), "1x2x3");
}

TEST(ShapeText, RefusesEverythingElse) {
  for (const char* text : {"", "x", "1x2", "1x2x", "1x2x3x", "1x2x3x4", "0x1x1", "-1x1x1", "1x1x65537", "1 x1x1",
                           "axbxc", "1x1x99999999999999999999", "1X1X1", "1x2x3 "}) {
    EXPECT_THROW(parse_shape(text), std::invalid_argument) << '"' << text << '"';
  }
}

TEST(Reasons, SayWhatDoesNotFit) {
  const auto reason = [](const char* id, Shape shape) { return reason_against(*find_rung(id), shape); };
  EXPECT_EQ(reason("naive", {3, 5, 7}), "");
  EXPECT_EQ(reason("tiled_slm", {17, 33, 5}), "");
  EXPECT_EQ(reason("vectorized", {64, 96, 16}), "N = 96 is not a multiple of 64");
  EXPECT_EQ(reason("esimd_4buf", {128, 64, 96}), "K = 96 is not a multiple of 64");
  EXPECT_EQ(reason("jm_slm_3stage", {128, 64, 16}), "K = 16 is less than 32");
  EXPECT_EQ(reason("jm_slm_3stage", {128, 64, 48}), "");
  EXPECT_EQ(reason("dpas_smoke", {8, 8, 32}), "it computes 8x8x16 only");
}

}  // namespace
