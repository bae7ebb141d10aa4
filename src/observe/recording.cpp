// SPDX-License-Identifier: Apache-2.0
#include "observe/recording.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace xeforge::observe {
namespace {

// The first byte of a message.
constexpr uint8_t kKindMask = 7;
constexpr unsigned kSpaceShift = 3;
constexpr uint8_t kContiguous = 1 << 5, kPartial = 1 << 6, kDynamic = 1 << 7;

static_assert(static_cast<unsigned>(machine::Footprint::Kind::Other) <= kKindMask);

// Indirect data are global memory to the caches.
unsigned space_code(RecordedMessage::Space space) {
  return space == RecordedMessage::Space::Indirect ? static_cast<unsigned>(RecordedMessage::Space::Global)
                                                   : static_cast<unsigned>(space);
}

void put_number(std::vector<std::byte>& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::byte>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<std::byte>(value));
}

void put_signed(std::vector<std::byte>& out, int64_t value) {
  put_number(out, (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

void put_byte(std::vector<std::byte>& out, unsigned value) { out.push_back(static_cast<std::byte>(value)); }

// --- files --------------------------------------------------------------------------------------------------------

constexpr char kMagic[8] = {'x', 'e', 'f', 'o', 'r', 'g', 'e', 'r'};

/// Of a whole file, at its end: the bytes of messages are believed once they are those that were written.
class Checksum {
 public:
  void add(const void* bytes, size_t size) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    for (; size >= sizeof(uint64_t); at += sizeof(uint64_t), size -= sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      mix(word);
    }
    for (; size != 0; ++at, --size) mix(*at);
  }
  uint64_t value() const { return value_; }

 private:
  // FNV-1a over words, turned so that high bits reach the low ones too.
  void mix(uint64_t word) { value_ = std::rotl((value_ ^ word) * 0x100000001b3, 29); }
  uint64_t value_ = 0xcbf29ce484222325;
};

class Writer {
 public:
  explicit Writer(const std::filesystem::path& file) : out_(file, std::ios::binary) {}
  template <class T>
  void value(const T& v) {
    write(&v, sizeof v);
  }
  template <class T>
  void list(const std::vector<T>& v) {
    value<uint64_t>(v.size());
    write(v.data(), v.size() * sizeof(T));
  }
  void text(const std::string& s) { list(std::vector<char>(s.begin(), s.end())); }
  /// The last thing written.
  bool finish() {
    value(checksum_.value());
    return out_.flush().good();
  }

 private:
  void write(const void* bytes, size_t size) {
    checksum_.add(bytes, size);
    out_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  }
  std::ofstream out_;
  Checksum checksum_;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : in_(file, std::ios::binary), name_(file.string()) {
    if (!in_) fail("cannot be read");
    std::error_code error;
    size_ = std::filesystem::file_size(file, error);
  }
  template <class T>
  void value(T& v) {
    read(&v, sizeof v);
  }
  template <class T>
  void list(std::vector<T>& v) {
    uint64_t n = 0;
    value(n);
    if (n > size_ / sizeof(T)) fail("is damaged");
    v.resize(n);
    read(v.data(), n * sizeof(T));
  }
  void text(std::string& s) {
    std::vector<char> v;
    list(v);
    s.assign(v.begin(), v.end());
  }
  /// To be called behind the last field.
  void finish() {
    const uint64_t expected = checksum_.value();
    uint64_t found = 0;
    value(found);
    if (found != expected || in_.peek() != std::ifstream::traits_type::eof()) fail("is damaged");
  }
  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error("recording " + name_ + " " + what); }

 private:
  void read(void* bytes, size_t size) {
    if (size != 0 && !in_.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size))) fail("is cut off");
    checksum_.add(bytes, size);
  }
  std::ifstream in_;
  Checksum checksum_;
  std::string name_;
  uint64_t size_ = 0;
};

/// Everything but program and paths, in the order of the file.
template <class Self, class F>
void for_each_field(Self& r, F&& f) {
  f(r.grid);
  f(r.local);
  f(r.groups_in_grid);
  f(r.threads_per_group);
  f(r.simd);
  f(r.grf);
  f(r.slm_bytes);
  f(r.barriers);
  f(r.scratch_bytes);
  f(r.fused);
  f(r.instructions);
  f(r.sends);
}

}  // namespace

uint64_t MessageReader::number() {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *at_++;
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

int64_t MessageReader::signed_number() {
  const uint64_t value = number();
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

void MessageReader::next(RecordedMessage& m) {
  const uint8_t tag = *at_++;
  m.kind = static_cast<RecordedMessage::Kind>(tag & kKindMask);
  m.space = static_cast<RecordedMessage::Space>(tag >> kSpaceShift & 3);
  m.contiguous = (tag & kContiguous) != 0;
  m.dynamic = (tag & kDynamic) != 0;
  m.channels = 0;
  m.lines = 0;
  if (m.dynamic) {
    m.transposed = *at_++ != 0;
    m.return_registers = *at_++;
    m.payload_registers = *at_++;
  }
  if ((tag & kPartial) != 0) m.channels = *at_++;
  switch (m.space) {
    case RecordedMessage::Space::None:
    case RecordedMessage::Space::Indirect:
      m.barrier_payload = m.kind == RecordedMessage::Kind::BarrierSignal ? static_cast<uint32_t>(number()) : 0;
      return;
    case RecordedMessage::Space::Slm:
      m.slm_dwords = static_cast<uint16_t>(number());
      m.slm_cycles = *at_++;
      last_dword_ += static_cast<uint32_t>(signed_number());
      m.slm_dword = last_dword_;
      return;
    case RecordedMessage::Space::Global:
    case RecordedMessage::Space::Scratch:
      m.lines = static_cast<uint32_t>(number());
      if (m.lines == 0) return;
      last_line_ += static_cast<uint64_t>(signed_number());
      m.first_line = last_line_;
      if (m.contiguous) return;
      m.line[0] = last_line_;
      for (uint32_t i = 1; i < m.lines; ++i) m.line[i] = m.line[i - 1] + static_cast<uint64_t>(signed_number());
      return;
  }
}

void MessageWriter::append(const RecordedMessage& m, std::vector<std::byte>& out) {
  uint8_t tag = static_cast<uint8_t>(static_cast<unsigned>(m.kind) | space_code(m.space) << kSpaceShift | kPartial);
  if (m.contiguous) tag |= kContiguous;
  if (m.dynamic) tag |= kDynamic;
  put_byte(out, tag);
  if (m.dynamic) {
    put_byte(out, m.transposed ? 1 : 0);
    put_byte(out, m.return_registers);
    put_byte(out, m.payload_registers);
  }
  put_byte(out, m.channels);
  switch (m.space) {
    case RecordedMessage::Space::None:
      if (m.kind == RecordedMessage::Kind::BarrierSignal) put_number(out, m.barrier_payload);
      return;
    case RecordedMessage::Space::Slm:
      put_number(out, m.slm_dwords);
      put_byte(out, m.slm_cycles);
      put_signed(out, static_cast<int32_t>(m.slm_dword - last_dword_));
      last_dword_ = m.slm_dword;
      return;
    case RecordedMessage::Space::Global:
    case RecordedMessage::Space::Scratch:
    case RecordedMessage::Space::Indirect:
      put_number(out, m.lines);
      if (m.lines == 0) return;
      put_signed(out, static_cast<int64_t>(m.first_line - last_line_));
      last_line_ = m.first_line;
      if (m.contiguous) return;
      for (uint32_t i = 1; i < m.lines; ++i) put_signed(out, static_cast<int64_t>(m.line[i] - m.line[i - 1]));
      return;
  }
}

uint64_t Recording::instructions_of(const Thread& thread) const {
  uint64_t sum = 0;
  for (const uint16_t block : paths[thread.path]) sum += blocks[block].count;
  return sum;
}

void Recording::save(const std::filesystem::path& file) const {
  const std::filesystem::path temporary = file.string() + ".new";
  {
    Writer out(temporary);
    out.value(kMagic);
    out.value(kVersion);
    out.text(kernel);
    out.text(device);
    for_each_field(*this, [&](const auto& field) { out.value(field); });
    out.value(static_cast<uint8_t>(program->platform()));
    out.list(std::vector<std::byte>(program->code().begin(), program->code().end()));
    out.list(entries);
    out.list(blocks);
    out.value<uint64_t>(paths.size());
    for (const auto& path : paths) out.list(path);
    out.list(threads);
    out.list(groups);
    out.list(messages);
    if (!out.finish()) throw std::runtime_error("recording " + file.string() + " cannot be written");
  }
  std::filesystem::rename(temporary, file);
}

Recording Recording::load(const std::filesystem::path& file) {
  Reader in(file);
  char magic[sizeof kMagic];
  uint32_t version = 0;
  in.value(magic);
  in.value(version);
  if (std::memcmp(magic, kMagic, sizeof magic) != 0) in.fail("is not a recording");
  if (version != kVersion)
    in.fail("has version " + std::to_string(version) + ", this program reads " + std::to_string(kVersion));
  Recording r;
  in.text(r.kernel);
  in.text(r.device);
  for_each_field(r, [&](auto& field) { in.value(field); });
  uint8_t platform = 0;
  std::vector<std::byte> code;
  in.value(platform);
  in.list(code);
  in.list(r.entries);
  in.list(r.blocks);
  uint64_t paths = 0;
  in.value(paths);
  for (uint64_t i = 0; i < paths; ++i) in.list(r.paths.emplace_back());
  in.list(r.threads);
  in.list(r.groups);
  in.list(r.messages);
  in.finish();
  r.program = std::make_shared<const isa::Program>(isa::decode(static_cast<isa::Platform>(platform), code, r.entries));
  const size_t instructions = r.program->instructions().size();
  for (const Block& block : r.blocks) {
    if (block.first + block.count > instructions) in.fail("is damaged");
  }
  for (const auto& path : r.paths) {
    for (const uint16_t block : path) {
      if (block >= r.blocks.size()) in.fail("is damaged");
    }
  }
  for (const Thread& thread : r.threads) {
    if (thread.path >= r.paths.size() || thread.messages > r.messages.size()) in.fail("is damaged");
  }
  return r;
}

}  // namespace xeforge::observe
