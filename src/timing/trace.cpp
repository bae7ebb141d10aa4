// SPDX-License-Identifier: Apache-2.0
#include "timing/trace.h"

#include <map>
#include <set>
#include <string>

namespace xeforge::timing {
namespace {

// Track numbers within a core's process.
constexpr unsigned kGroupTrack = 1, kBarrierTrack = 2, kFirstSlotTrack = 100, kTracksPerEngine = 32;

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

class Writer {
 public:
  Writer(std::ostream& out, const Parameters& p) : out_(out), p_(p) { out_ << "{\"traceEvents\":[\n"; }
  ~Writer() { out_ << "\n],\"displayTimeUnit\":\"ns\"}\n"; }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void name(const char* what, unsigned process, unsigned track, const std::string& text) {
    begin() << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << process << ",\"tid\":" << track
            << ",\"args\":{\"name\":" << json_text(text) << "}}";
  }
  void slice(unsigned process, unsigned track, Ticks from, Ticks to, const std::string& name,
             const std::string& arguments) {
    begin() << "{\"ph\":\"X\",\"pid\":" << process << ",\"tid\":" << track << ",\"ts\":" << us(from)
            << ",\"dur\":" << us(to - from) << ",\"name\":" << json_text(name) << ",\"args\":{" << arguments << "}}";
  }
  void instant(unsigned process, unsigned track, Ticks at, const std::string& name) {
    begin() << "{\"ph\":\"i\",\"s\":\"p\",\"pid\":" << process << ",\"tid\":" << track << ",\"ts\":" << us(at)
            << ",\"name\":" << json_text(name) << "}";
  }
  /// A flow from one moment of a track to another: barriers to the threads that they release.
  void async(unsigned process, uint64_t id, Ticks from, Ticks to, const std::string& name) {
    for (const bool end : {false, true}) {
      begin() << "{\"ph\":\"" << (end ? 'e' : 'b') << "\",\"cat\":\"message\",\"id\":" << id << ",\"pid\":" << process
              << ",\"ts\":" << us(end ? to : from) << ",\"name\":" << json_text(name) << "}";
    }
  }

 private:
  std::ostream& begin() {
    if (!first_) out_ << ",\n";
    first_ = false;
    return out_;
  }
  std::string us(Ticks t) const { return std::to_string(p_.microseconds(t)); }

  std::ostream& out_;
  const Parameters& p_;
  bool first_ = true;
};

unsigned track_of(unsigned engine, unsigned slot) { return kFirstSlotTrack + engine * kTracksPerEngine + slot; }

}  // namespace

void write_trace(std::ostream& out, const observe::Recording& recording, const Parameters& p, const Result& result) {
  Writer w(out, p);
  const auto instructions = recording.program->instructions();
  std::map<uint32_t, std::string> texts;
  const auto text_of = [&](uint32_t instruction) -> const std::string& {
    std::string& text = texts[instruction];
    if (text.empty()) text = recording.program->text(instructions[instruction].pc);
    return text;
  };
  std::set<unsigned> cores;
  std::set<std::pair<unsigned, unsigned>> tracks;
  for (const Slice& s : result.slices) {
    const unsigned track = track_of(s.engine, s.slot);
    if (cores.insert(s.core).second) {
      w.name("process_name", s.core, 0, "Xe-core " + std::to_string(s.core) + ", " + recording.kernel + " (simulated)");
      w.name("thread_name", s.core, kGroupTrack, "groups");
      w.name("thread_name", s.core, kBarrierTrack, "barriers");
    }
    if (tracks.insert({s.core, track}).second)
      w.name("thread_name", s.core, track, "engine " + std::to_string(s.engine) + " slot " + std::to_string(s.slot));
    const bool issued = s.cause <= Cause::IssuedControl;
    w.slice(s.core, track, s.begin, s.end, issued ? text_of(s.instruction) : std::string(name_of(s.cause)),
            "\"pc\":" + std::to_string(instructions[s.instruction].pc) +
                (issued ? "" : ",\"before\":" + json_text(text_of(s.instruction))));
  }
  uint64_t id = 0;
  for (const GroupSpan& g : result.group_spans)
    w.async(g.core, ++id, g.begin, g.end, "group " + std::to_string(g.group));
  for (const BarrierMark& b : result.barrier_marks)
    w.instant(b.core, kBarrierTrack, b.at, "barrier of group " + std::to_string(b.group));
  for (const MessageSpan& m : result.message_spans) w.async(m.core, ++id, m.begin, m.end, text_of(m.instruction));
}

}  // namespace xeforge::timing
