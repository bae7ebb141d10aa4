// SPDX-License-Identifier: Apache-2.0
#include "lab/explain_report.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/json_text.h"

namespace xeforge::lab {

namespace {

using nlohmann::ordered_json;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string change_text(std::uint64_t now, std::uint64_t before) {
  if (now == before) return "=";
  if (before == 0) return "new";
  if (now == 0) return "gone";
  return fmt::format("{:+.1f} %", 100 * (static_cast<double>(now) / static_cast<double>(before) - 1));
}

/// A line where at least one of both is not 0.
void print_counter(std::ostream& out, std::string_view name, std::uint64_t now, const std::uint64_t* before) {
  if (now == 0 && (before == nullptr || *before == 0)) return;
  if (before == nullptr) {
    out << fmt::format("  {:<18} {:>13}\n", name, now);
  } else {
    out << fmt::format("  {:<18} {:>13} {:>13} {:>10}\n", name, *before, now, change_text(now, *before));
  }
}

void print_counters(std::ostream& out, const Explained& explained, const Explained* base) {
  out << fmt::format("counters of a launch, {} hardware threads\n", explained.profile.threads);
  if (base != nullptr) out << fmt::format("  {:<18} {:>13} {:>13} {:>10}\n", "", "base", "this", "change");
  const auto line = [&](std::string_view name, std::uint64_t now, std::uint64_t before) {
    print_counter(out, name, now, base == nullptr ? nullptr : &before);
  };
  line("threads", explained.profile.threads, base == nullptr ? 0 : base->profile.threads);
  for (const observe::CounterRow& row : observe::counter_table())
    line(row.name, explained.profile.counts.*row.field, base == nullptr ? 0 : base->profile.counts.*row.field);
  const auto& now = explained.profile.recording;
  const observe::Recording none;
  const auto& before = base == nullptr ? none : base->profile.recording;
  line("code, instructions", now.program->instructions().size(),
       before.program ? before.program->instructions().size() : 0);
  line("registers", now.grf, before.grf);
  line("sub-group size", now.simd, before.simd);
  line("SLM bytes", now.slm_bytes, before.slm_bytes);
  line("scratch bytes", now.scratch_bytes, before.scratch_bytes);
}

void print_loops(std::ostream& out, const KernelProfile& profile) {
  out << "\nloops\n";
  if (profile.loops.empty()) out << "  none: every instruction is executed at most once by a thread\n";
  for (const LoopProfile& loop : profile.loops) {
    const auto& counts = loop.counts;
    out << fmt::format(
        "  {}pc {}..{}: {} instructions, {:.1f} trips a thread, {:.1f} % of all executed: send {}, dpas {}, int {}, "
        "float {}, "
        "mov {}, sync {}, control {}\n",
        std::string(2 * (std::size_t{loop.loop.depth} - 1), ' '), loop.loop.first_pc, loop.loop.last_pc,
        loop.loop.end - loop.loop.begin,
        profile.threads == 0 ? 0 : static_cast<double>(loop.trips) / static_cast<double>(profile.threads),
        share(loop.executed, profile.counts.instructions), counts.send, counts.dpas, counts.alu_int, counts.alu_float,
        counts.mov, counts.sync, counts.control);
  }
}

void print_listing(std::ostream& out, const KernelProfile& profile, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> widths;
  std::string heading = fmt::format("  {:>6}", "pc");
  for (const ProfileColumn& column : profile.columns) {
    std::size_t width = column.title.size();
    for (std::size_t i = begin; i < end; ++i) width = std::max(width, column.cells.at(i).size());
    widths.push_back(width);
    heading += fmt::format("  {:>{}}", column.title, width);
  }
  out << heading << "  instruction\n";
  const auto& instructions = profile.recording.program->instructions();
  for (std::size_t i = begin; i < end; ++i) {
    out << fmt::format("  {:>6}", instructions[i].pc);
    for (std::size_t c = 0; c < widths.size(); ++c)
      out << fmt::format("  {:>{}}", profile.columns[c].cells.at(i), widths[c]);
    out << "  " << profile.recording.program->text(instructions[i].pc) << '\n';
  }
}

ordered_json counters_json(const observe::Counters& counters) {
  ordered_json object = ordered_json::object();
  for (const observe::CounterRow& row : observe::counter_table()) object[std::string(row.name)] = counters.*row.field;
  return object;
}

ordered_json to_object(const Explained& explained) {
  const KernelProfile& profile = explained.profile;
  const observe::Recording& recording = profile.recording;
  ordered_json object = {{"kernel", profile.kernel}, {"device", profile.device}, {"threads", profile.threads}};
  if (const gemm::Rung* rung = explained.rung) {
    object["rung"] = {{"id", rung->id},
                      {"base", rung->base},
                      {"changes", rung->changes},
                      {"choice", rung->choice},
                      {"source", std::string("src/") + std::string(rung->header)}};
  }
  object["compiled"] = {{"instructions", recording.program->instructions().size()},
                        {"simd", recording.simd},
                        {"grf", recording.grf},
                        {"slm_bytes", recording.slm_bytes},
                        {"scratch_bytes", recording.scratch_bytes},
                        {"barriers", recording.barriers}};
  object["counts"] = counters_json(profile.counts);
  object["loops"] = ordered_json::array();
  for (const LoopProfile& loop : profile.loops) {
    object["loops"].push_back({{"first_pc", loop.loop.first_pc},
                               {"last_pc", loop.loop.last_pc},
                               {"depth", loop.loop.depth},
                               {"innermost", loop.loop.innermost},
                               {"trips", loop.trips},
                               {"counts", counters_json(loop.counts)}});
  }
  object["instructions"] = ordered_json::array();
  const auto& instructions = recording.program->instructions();
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    ordered_json row = {{"pc", instructions[i].pc}, {"text", recording.program->text(instructions[i].pc)}};
    row["executed"] = profile.executed[i];
    for (std::size_t c = 1; c < profile.columns.size(); ++c)
      row[profile.columns[c].title] = profile.columns[c].cells.at(i);
    object["instructions"].push_back(std::move(row));
  }
  if (explained.time) object["time"] = time_json(profile, *explained.time);
  return object;
}

}  // namespace

void print_explanation(std::ostream& out, const Explained& explained, const Explained* base, bool whole) {
  const KernelProfile& profile = explained.profile;
  if (const gemm::Rung* rung = explained.rung) {
    const std::string_view on = base != nullptr && base->rung != nullptr ? base->rung->id : rung->base;
    out << rung->id << (on.empty() ? "" : fmt::format(" (base: {})", on)) << '\n';
    if (base == nullptr || base->rung == nullptr || base->rung->id == rung->base)
      out << "  what changed: " << rung->changes << '\n';
    if (!rung->choice.empty()) out << "  our choice:   " << rung->choice << '\n';
    out << "  source:       src/" << rung->header << "\n\n";
  } else {
    out << profile.kernel << "\n\n";
  }
  print_counters(out, explained, base);
  print_loops(out, profile);
  if (explained.time) print_time(out, profile, *explained.time, base != nullptr && base->time ? &*base->time : nullptr);
  const std::size_t all = profile.executed.size();
  const LoopProfile* const hottest = profile.hottest();
  if (whole || hottest == nullptr) {
    out << "\nthe code\n";
    print_listing(out, profile, 0, all);
    return;
  }
  out << "\nthe inner loop\n";
  print_listing(out, profile, hottest->loop.begin, hottest->loop.end);
}

std::string explanation_json(const Explained& explained, const Explained* base) {
  ordered_json document = to_object(explained);
  if (base != nullptr) {
    document["base"] = to_object(*base);
    document["change"] = ordered_json::object();
    for (const observe::CounterRow& row : observe::counter_table()) {
      document["change"][std::string(row.name)] = static_cast<std::int64_t>(explained.profile.counts.*row.field) -
                                                  static_cast<std::int64_t>(base->profile.counts.*row.field);
    }
  }
  return json_text(document);
}

}  // namespace xeforge::lab
