// SPDX-License-Identifier: Apache-2.0
#include "observe/check/render.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "observe/json_text.h"
#include "observe/xml.h"

namespace xeforge::observe::check {
namespace {

using nlohmann::json;

std::string place_text(const Place& place) {
  if (!place.has_thread) return {};
  std::string text = "group (" + std::to_string(place.group[0]) + ", " + std::to_string(place.group[1]) + ", " +
                     std::to_string(place.group[2]) + "), thread " + std::to_string(place.thread);
  const std::string lanes = lanes_text(place.lanes);
  if (!lanes.empty()) text += ", " + lanes;
  return text;
}

std::string pc_text(const Place& place) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%04x", place.pc);
  return text;
}

json to_object(const Place& place) {
  json object = {
      {"group", place.group}, {"group_number", place.linear},   {"thread", place.thread}, {"lanes", place.lanes},
      {"what", place.what},   {"has_thread", place.has_thread}, {"source", place.source}, {"text", place.text}};
  object["pc"] = place.has_pc ? json(place.pc) : json(nullptr);
  return object;
}

Place place_from(const json& from) {
  Place place;
  from.at("group").get_to(place.group);
  from.at("group_number").get_to(place.linear);
  from.at("thread").get_to(place.thread);
  from.at("lanes").get_to(place.lanes);
  from.at("what").get_to(place.what);
  from.at("has_thread").get_to(place.has_thread);
  from.at("source").get_to(place.source);
  from.at("text").get_to(place.text);
  place.has_pc = !from.at("pc").is_null();
  if (place.has_pc) from.at("pc").get_to(place.pc);
  return place;
}

json to_object(const Finding& finding) {
  const KindRow& row = row_of(finding.kind);
  return {{"kind", row.id},
          {"checker", name_of(row.checker)},
          {"title", row.title},
          {"kernel", finding.kernel},
          {"count", finding.count},
          {"message", finding.message},
          {"advice", row.advice},
          {"first", to_object(finding.first)},
          {"other", finding.other ? to_object(*finding.other) : json(nullptr)},
          {"context", finding.context}};
}

Finding finding_from(const json& from) {
  Finding finding;
  const std::string id = from.at("kind").get<std::string>();
  const auto kinds = all_kinds();
  const auto row = std::find_if(kinds.begin(), kinds.end(), [&](const KindRow& r) { return r.id == id; });
  if (row == kinds.end()) throw std::runtime_error("a finding is of the unknown kind '" + id + "'");
  finding.kind = row->kind;
  from.at("kernel").get_to(finding.kernel);
  from.at("count").get_to(finding.count);
  from.at("message").get_to(finding.message);
  finding.first = place_from(from.at("first"));
  if (!from.at("other").is_null()) finding.other = place_from(from.at("other"));
  from.at("context").get_to(finding.context);
  return finding;
}

template <class Read>
auto reading(const Read& read) {
  try {
    return read();
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("findings cannot be read: ") + error.what());
  }
}

}  // namespace

std::vector<std::string> report_lines(const Finding& finding) {
  const KindRow& row = row_of(finding.kind);
  std::vector<std::string> lines;
  lines.push_back(std::string(row.title) + "  [" + std::string(row.id) + "]" +
                  (finding.count > 1 ? "  " + std::to_string(finding.count) + " times" : ""));
  const std::string where = place_text(finding.first);
  if (!finding.kernel.empty()) lines.push_back("   in kernel " + finding.kernel + (where.empty() ? "" : ", " + where));
  lines.push_back("   " + finding.message);
  if (!finding.first.source.empty()) lines.push_back("   at " + finding.first.source);
  for (const std::string& line : finding.context) lines.push_back("     " + line);
  if (finding.other) {
    const Place& other = *finding.other;
    const std::string who = place_text(other);
    lines.push_back("   the other side: " + other.what + (who.empty() ? "" : "; " + who));
    if (!other.source.empty()) lines.push_back("   at " + other.source);
    if (other.has_pc) lines.push_back("     > " + pc_text(other) + "  " + other.text);
  }
  lines.push_back("   what to do: " + std::string(row.advice));
  return lines;
}

std::string report_text(const Finding& finding) {
  std::string text;
  for (const std::string& line : report_lines(finding)) text += line + "\n";
  return text;
}

std::string to_json(const Finding& finding) { return json_text(to_object(finding)); }

Finding finding_from_json(const std::string& text) {
  return reading([&] { return finding_from(json::parse(text)); });
}

std::string to_json(const Log& log) {
  const Work& w = log.result.work;
  json object = {{"checks", text_of(log.selection)},
                 {"work",
                  {{"launches", w.launches},
                   {"threads", w.threads},
                   {"instructions", w.instructions},
                   {"messages", w.messages},
                   {"bytes", w.bytes},
                   {"host_seconds", w.host_seconds},
                   {"checker_seconds", w.checker_seconds}}},
                 {"findings", json::array()}};
  for (const Finding& finding : log.result.findings) object["findings"].push_back(to_object(finding));
  return json_text(object);
}

Log log_from_json(const std::string& text) {
  return reading([&] {
    const json from = json::parse(text);
    Log log;
    log.selection = parse_selection(from.at("checks").get<std::string>());
    Work& w = log.result.work;
    const json& work = from.at("work");
    work.at("launches").get_to(w.launches);
    work.at("threads").get_to(w.threads);
    work.at("instructions").get_to(w.instructions);
    work.at("messages").get_to(w.messages);
    work.at("bytes").get_to(w.bytes);
    work.at("host_seconds").get_to(w.host_seconds);
    work.at("checker_seconds").get_to(w.checker_seconds);
    for (const json& finding : from.at("findings")) log.result.findings.push_back(finding_from(finding));
    return log;
  });
}

void merge_into(std::vector<Finding>& all, std::vector<Finding> more) {
  for (Finding& finding : more) {
    const auto same = [&](const Finding& known) {
      return known.kind == finding.kind && known.kernel == finding.kernel && known.first.pc == finding.first.pc &&
             known.first.has_pc == finding.first.has_pc && known.other.has_value() == finding.other.has_value() &&
             (!known.other || known.other->pc == finding.other->pc) &&
             (finding.first.has_pc || known.message == finding.message);
    };
    const auto known = std::find_if(all.begin(), all.end(), same);
    if (known == all.end())
      all.push_back(std::move(finding));
    else
      known->count += finding.count;
  }
}

std::string to_junit(Selection selection, std::span<const Finding> findings, const Work& work,
                     const std::string& name) {
  unsigned cases = 0, failures = 0;
  std::string body;
  for (unsigned i = 0; i < kTopics; ++i) {
    const auto topic = static_cast<Topic>(i);
    if (!selection.has(topic)) continue;
    ++cases;
    std::string text;
    unsigned found = 0;
    for (const Finding& finding : findings) {
      if (row_of(finding.kind).checker != topic) continue;
      ++found;
      text += report_text(finding) + "\n";
    }
    const std::string head =
        "    <testcase classname=\"" + xml_attribute(name) + "\" name=\"" + std::string(name_of(topic)) + "\"";
    if (found == 0) {
      body += head + "/>\n";
      continue;
    }
    ++failures;
    body += head + ">\n      <failure message=\"" + std::to_string(found) + (found == 1 ? " finding" : " findings") +
            "\">" + xml_text(text) + "</failure>\n    </testcase>\n";
  }
  char time[32];
  std::snprintf(time, sizeof time, "%.3f", work.host_seconds);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"" + xml_attribute(name) +
         "\" tests=\"" + std::to_string(cases) + "\" failures=\"" + std::to_string(failures) +
         "\" errors=\"0\" time=\"" + time + "\">\n" + body + "  </testsuite>\n</testsuites>\n";
}

}  // namespace xeforge::observe::check
