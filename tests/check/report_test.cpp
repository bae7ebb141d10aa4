// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observe/check/process_report.h"
#include "observe/check/render.h"
#include "observe/check/suppressions.h"

namespace xeforge::observe::check {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Finding race(const std::string& kernel, uint32_t pc = 0x120, uint64_t linear = 3) {
  Finding f;
  f.kind = Kind::SameValueWrite;
  f.kernel = kernel;
  f.message = "writes <0x1000> & \"more\"";
  f.first.pc = pc;
  f.first.has_pc = f.first.has_thread = true;
  f.first.group = {3, 0, 0};
  f.first.linear = linear;
  f.first.thread = 5;
  f.first.lanes = 0xF0;
  f.first.text = "send.ugm (16|M0) null r4 r3:1";
  f.first.source = "/src/gemm.cpp:12";
  f.other = f.first;
  f.other->pc = 0x140;
  f.other->what = "wrote the same bytes before";
  f.context = {"  0x0110  nop", "> 0x0120  send"};
  return f;
}

TEST(Selection, NamesAreReadAndWritten) {
  EXPECT_EQ(text_of(parse_selection("memory,races")), "memory,races");
  EXPECT_EQ(text_of(parse_selection("all")), "memory,races,init,sync,hazards");
  EXPECT_FALSE(parse_selection("").any());
  EXPECT_THROW(
      {
        try {
          parse_selection("memory,leaks");
        } catch (const std::invalid_argument& e) {
          EXPECT_THAT(e.what(), HasSubstr("'leaks'"));
          throw;
        }
      },
      std::invalid_argument);
}

TEST(Kinds, EveryRowIsItsOwnAndBelongsToItsChecker) {
  std::set<std::string_view> ids;
  for (const KindRow& row : all_kinds()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_EQ(&row_of(row.kind), &row);
    EXPECT_EQ(row.id.substr(0, row.id.find('.')), name_of(row.checker));
    EXPECT_FALSE(row.advice.empty()) << row.id;
  }
}

TEST(Findings, TheEarliestGroupIsKeptAndAllAreCounted) {
  Findings a, b;
  for (const uint64_t group : {7u, 2u, 9u})
    a.add(Kind::SlmRace, 0x10, 0x20, group, [&] { return race("k", 0x10, group); });
  b.add(Kind::SlmRace, 0x10, 0x20, 1, [&] { return race("k", 0x10, 1); });
  b.add(Kind::SlmRace, 0x10, 0x30, 1, [&] { return race("k", 0x10, 1); });
  a.merge(std::move(b));
  const auto all = a.take();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].count, 4u);
  EXPECT_EQ(all[0].first.linear, 1u);
  EXPECT_EQ(all[0].kind, Kind::SlmRace);
  EXPECT_EQ(all[1].count, 1u);
}

TEST(Render, ReportNamesEverything) {
  const std::string text = report_text(race("gemm"));
  for (const char* part :
       {"[races.same-value-write]", "in kernel gemm, group (3, 0, 0), thread 5, lanes 4-7", "at /src/gemm.cpp:12",
        "> 0x0120  send", "the other side: wrote the same bytes before", "> 0x0140  send.ugm", "what to do:"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(Render, LanesAreRanges) {
  EXPECT_EQ(lanes_text(0), "");
  EXPECT_EQ(lanes_text(1u << 31), "lane 31");
  EXPECT_EQ(lanes_text(0xFFFFFFFFu), "lanes 0-31");
  EXPECT_EQ(lanes_text(0b1101011), "lanes 0,1,3,5,6");
}

TEST(Render, JsonComesBack) {
  Log log;
  log.selection = parse_selection("races,sync");
  log.result.work.launches = 2;
  log.result.work.host_seconds = 3;
  log.result.work.checker_seconds = 2;
  log.result.findings = {race("a"), race("b")};
  log.result.findings[1].other.reset();
  const Log back = log_from_json(to_json(log));
  EXPECT_EQ(text_of(back.selection), "races,sync");
  EXPECT_EQ(back.result.work.launches, 2u);
  EXPECT_DOUBLE_EQ(back.result.work.slowdown(), 3.0);
  ASSERT_EQ(back.result.findings.size(), 2u);
  EXPECT_EQ(report_text(back.result.findings[0]), report_text(race("a")));
  EXPECT_FALSE(back.result.findings[1].other);
  EXPECT_THROW(log_from_json("{}"), std::runtime_error);
  EXPECT_THROW(finding_from_json("{\"kind\":\"memory.nothing\"}"), std::runtime_error);
}

TEST(Render, JUnitHasACasePerCheckerAndEscapes) {
  const std::vector<Finding> findings{race("gemm")};
  const std::string xml = to_junit(parse_selection("memory,races"), findings, {}, "xeforge.a770");
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"memory\"/>"));
  EXPECT_THAT(xml, HasSubstr("&lt;0x1000&gt; &amp; &quot;more&quot;"));
  EXPECT_THAT(xml, Not(HasSubstr("<0x1000>")));
}

TEST(Render, LaunchesAreMerged) {
  std::vector<Finding> all;
  merge_into(all, {race("a"), race("b")});
  merge_into(all, {race("a"), race("a", 0x200)});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].count, 2u);
}

TEST(Suppressions, HideWhatTheyNameAndCountIt) {
  Suppressions s;
  s.read(R"(# published rungs
suppress {
  reason: stored twice by design
  kind: races.same-value-write
  kernel: jm_*
  source: *gemm.cpp:*
}
suppress {
  reason: never met
  kind: memory.*
}
)",
         "test");
  EXPECT_TRUE(s.hides(race("jm_basic")));
  EXPECT_FALSE(s.hides(race("jn_basic")));
  Finding elsewhere = race("jm_basic");
  elsewhere.first.source = "other.cpp:1";
  EXPECT_FALSE(s.hides(elsewhere));
  EXPECT_EQ(s.all()[0].used, 1u);
  EXPECT_EQ(s.all()[1].used, 0u);
}

TEST(Suppressions, MistakesAreNamedWithTheirLine) {
  const auto error = [](const std::string& text) {
    Suppressions s;
    try {
      s.read(text, "file.supp");
    } catch (const std::runtime_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("suppress {\n kind: races.slm\n}\n"), HasSubstr("file.supp:3: this suppression gives no reason"));
  EXPECT_THAT(error("suppress {\n reason: x\n}\n"), HasSubstr("names no kind"));
  EXPECT_THAT(error("suppress {\n reason: x\n kind: races.nothing\n}\n"), HasSubstr("'races.nothing'"));
  EXPECT_THAT(error("suppress {\n color: red\n}\n"), HasSubstr("file.supp:2: 'color'"));
  EXPECT_THAT(error("kind: races.slm\n"), HasSubstr("'suppress {' expected"));
  EXPECT_THAT(error("suppress {\n reason: x\n kind: races.slm\n"), HasSubstr("not closed"));
}

TEST(Suppressions, GeneratedOnesHideTheirFinding) {
  Finding finding = race("jm<*>");
  std::string text = suppression_for(finding);
  text.replace(text.find("reason:"), 7, "reason: looked at");
  Suppressions s;
  s.read(text, "generated");
  EXPECT_TRUE(s.hides(finding));
}

TEST(Suppressions, AFindingWithoutAPlaceIsNamedByItsText) {
  Finding leak;
  leak.kind = Kind::Leak;
  leak.message = "host USM (1 bytes) was never freed";
  std::string text = suppression_for(leak);
  text.replace(text.find("reason:"), 7, "reason: known");
  Suppressions s;
  s.read(text, "generated");
  EXPECT_TRUE(s.hides(leak));
  leak.message = "host USM (64 bytes) was never freed";
  EXPECT_FALSE(s.hides(leak));
}

TEST(Suppressions, Globs) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("a*c?e", "abbbcde"));
  EXPECT_FALSE(glob_matches("a*c?e", "abbbcdf"));
  EXPECT_TRUE(glob_matches("*b*", "abc"));
  EXPECT_FALSE(glob_matches("", "a"));
}

}  // namespace
}  // namespace xeforge::observe::check
