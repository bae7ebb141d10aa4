// SPDX-License-Identifier: Apache-2.0
//
// Two-dimensional block messages (Xe2): a tile of a matrix in memory to or from registers, with
// optional transposition and VNNI transform.
//
// Payload register: qword 0 base, dword 2 width - 1 (bytes), 3 height - 1 (rows), 4 pitch - 1
// (bytes), 5 x (elements), 6 y (rows), 7: [7:0] block width - 1, [15:8] block height - 1,
// [23:16] blocks - 1. Elements outside the matrix read 0 and are not written; x and y are signed.
// Layout of tiles in registers: IGC documentation/visa/instructions/LSC_UNTYPED.md. Rules that are
// checked: base and pitch alignment as oneDNN's kernel generator keeps them on Xe2 (block2d base
// 64 bytes, pitch 16 bytes, width and x in whole dwords), block limits as IGC's visa verifier.
#include <array>

#include "machine/messages/choose.h"
#include "machine/messages/describe.h"

namespace xeforge::machine::messages {
namespace {

struct Tile {
  uint64_t base;
  uint64_t width, height, pitch;  ///< matrix: bytes, rows, bytes
  int32_t x, y;                   ///< of the tile: elements, rows
  uint32_t block_width, block_height, blocks;
};

Tile read_tile(const Thread& t, const Uop& u, const isa::Message& m) {
  uint32_t d[8];
  std::memcpy(d, t.at(u.src[0].offset), sizeof d);
  Tile tile;
  tile.base = d[0] | uint64_t{d[1]} << 32;
  tile.width = uint64_t{d[2]} + 1;
  tile.height = uint64_t{d[3]} + 1;
  tile.pitch = uint64_t{d[4]} + 1;
  tile.x = static_cast<int32_t>(d[5] + static_cast<uint32_t>(int32_t{m.block2d_x}));
  tile.y = static_cast<int32_t>(d[6] + static_cast<uint32_t>(int32_t{m.block2d_y}));
  tile.block_width = (d[7] & 0xFF) + 1;
  tile.block_height = (d[7] >> 8 & 0xFF) + 1;
  tile.blocks = (d[7] >> 16 & 0xFF) + 1;
  return tile;
}

uint32_t round_up_pow2(uint32_t v) {
  uint32_t p = 1;
  while (p < v) p *= 2;
  return p;
}

/// Returns as report_fault.
void fault_rule(const Call& c, FaultKind kind, const std::string& what) {
  report_fault(c, {kind, c.u.pc, -1, isa::describe(c.m) + ": " + what});
}

void require_multiple(const Call& c, const char* name, uint64_t value, uint64_t of) {
  if ((value & (of - 1)) == 0) return;  // powers of two
  fault_rule(c, FaultKind::Misaligned,
             std::string(name) + " " + hex(value) + " is not a multiple of " + bytes_text(of));
}

void check_matrix(const Call& c, const Tile& tile, uint32_t element) {
  constexpr uint64_t kLargest = uint64_t{1} << 24;
  constexpr uint64_t kBaseAlignment = 64, kPitchAlignment = 16, kDword = 4;
  require_multiple(c, "2D surface base", tile.base, kBaseAlignment);
  require_multiple(c, "2D surface pitch", tile.pitch, kPitchAlignment);
  require_multiple(c, "2D surface width", tile.width, element > kDword ? element : kDword);
  require_multiple(c, "2D block x offset in bytes",
                   static_cast<uint64_t>(static_cast<int64_t>(tile.x) * static_cast<int64_t>(element)) & 0xFFFFFFFF,
                   kDword);
  // oneDNN rounds the base down to 64 bytes and adds the rest to x and to the width, which a short pitch does not hold.
  if (tile.pitch < tile.width && !library_code(c)) {
    fault_rule(c, FaultKind::BadMessage,
               "2D surface pitch " + bytes_text(tile.pitch) + " is smaller than its width " + bytes_text(tile.width));
  }
  if (tile.width > kLargest || tile.height > kLargest || tile.pitch > kLargest) {
    fault_rule(c, FaultKind::BadMessage,
               "2D surface of " + bytes_text(tile.width) + " x " + std::to_string(tile.height) + " rows, pitch " +
                   bytes_text(tile.pitch) + ": more than 2^24 in one of them");
  }
}

/// What one row of a block takes at most.
constexpr uint32_t kRowBytes = 64;

/// False: an observer tolerates that the message moves nothing.
bool check_block(const Call& c, const Tile& tile, uint32_t element, bool store) {
  const uint32_t row = tile.block_width * tile.blocks * element;
  const uint32_t rows = c.m.transposed ? tile.block_width : tile.block_height;
  constexpr uint32_t kRows = 32;
  if (row <= kRowBytes && rows <= kRows && tile.block_height <= kRows && (!store || tile.blocks == 1)) return true;
  fault_rule(c, FaultKind::BadMessage,
             "2D block of " + std::to_string(tile.blocks) + " x " + std::to_string(tile.block_width) + " x " +
                 std::to_string(tile.block_height) + " elements of " + bytes_text(element) +
                 " exceeds what one message moves");
  return false;
}

/// Where element (row y, column x) of block b lies in the registers, in elements.
struct RegisterLayout {
  uint32_t row_pitch, block_pitch;
  uint32_t per_dword;  ///< elements that VNNI packs together
  bool transposed, vnni;

  RegisterLayout(const Tile& t, uint32_t element, uint32_t grf, bool transpose, bool transform)
      : per_dword(element < 4 ? 4 / element : 1), transposed(transpose), vnni(transform) {
    row_pitch = round_up_pow2(transpose ? t.block_height : t.block_width);
    // VNNI rows come in groups of per_dword: the last group is complete in the registers.
    uint32_t rows = transpose ? t.block_width : t.block_height;
    if (vnni) rows = (rows + per_dword - 1) / per_dword * per_dword;
    const uint32_t per_register = grf / element;
    block_pitch = (row_pitch * rows + per_register - 1) / per_register * per_register;
  }

  uint32_t at(uint32_t b, uint32_t y, uint32_t x) const {
    const uint32_t outer = transposed ? x : y;
    const uint32_t inner = transposed ? y : x;
    const uint32_t start = b * block_pitch;
    if (!vnni) return start + outer * row_pitch + inner;
    return start + outer / per_dword * per_dword * row_pitch + inner * per_dword + outer % per_dword;
  }
};

/// Columns [begin, end) of row `r` of block `b`, those that lie inside the matrix, at `address`.
struct Columns {
  uint64_t address = 0;
  uint32_t begin = 0, end = 0;
};

inline Columns clip_columns(const Tile& tile, uint32_t element, uint32_t b, uint32_t r) {
  const int64_t y = int64_t{tile.y} + r;
  if (y < 0 || y >= static_cast<int64_t>(tile.height)) return {};
  const int64_t left = int64_t{tile.x} + int64_t{b} * tile.block_width;
  const int64_t room = static_cast<int64_t>(tile.width / element) - left;
  const int64_t begin = left < 0 ? -left : 0;
  const int64_t end = room < int64_t{tile.block_width} ? room : int64_t{tile.block_width};
  if (begin >= end) return {};
  const uint64_t address =
      tile.base + static_cast<uint64_t>(y) * tile.pitch + static_cast<uint64_t>(left + begin) * element;
  return {address, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

/// The same in host memory.
struct Row {
  std::byte* memory = nullptr;
  uint32_t begin = 0, end = 0;
};

/// Stands for a row of which the end of the allocation cut something off.
using CutRow = std::array<std::byte, kRowBytes>;

template <class T>
Row clip_row(const Call& c, const Tile& tile, uint32_t b, uint32_t r, CutRow& cut) {
  const Columns columns = clip_columns(tile, sizeof(T), b, r);
  if (columns.begin == columns.end) return {};
  // Row by row: the matrix may claim more than was allocated as long as nothing touches it.
  const uint64_t bytes = uint64_t{columns.end - columns.begin} * sizeof(T);
  const Range range = allocation_at(c, columns.address);
  if (!range.holds(columns.address, bytes)) {
    if (load_across_end(c, range, columns.address, bytes, cut.data())) return {cut.data(), columns.begin, columns.end};
    fault_global(c, columns.address, bytes, -1);
    return {};
  }
  return {range.at(columns.address), columns.begin, columns.end};
}

/// `kStride`: elements between neighbours of the row in the registers, 0 = `stride`.
template <class T, bool kLoad, uint32_t kStride>
void move_row(const Row& row, std::byte* data, uint32_t stride) {
  const uint32_t step = kStride ? kStride : stride;
  const uint32_t n = row.end - row.begin;
  for (uint32_t x = 0; x < n; ++x) {
    std::byte* element = data + size_t{x} * step * sizeof(T);
    std::byte* cell = row.memory + x * sizeof(T);
    if constexpr (kLoad)
      std::memcpy(element, cell, sizeof(T));
    else
      std::memcpy(cell, element, sizeof(T));
  }
}

/// Two rows of 16-bit elements become one of dwords: the hot case of GEMM kernels.
void interleave_rows(const Row& even, const Row& odd, std::byte* data) {
  const uint32_t n = even.end - even.begin;
  for (uint32_t x = 0; x < n; ++x) {
    uint16_t low, high;
    std::memcpy(&low, even.memory + size_t{2} * x, sizeof low);
    std::memcpy(&high, odd.memory + size_t{2} * x, sizeof high);
    const uint32_t pair = low | static_cast<uint32_t>(high) << 16;
    std::memcpy(data + size_t{4} * x, &pair, sizeof pair);
  }
}

template <class T, bool kLoad>
void block2d(Thread& t, const Uop& u, const isa::Message& m) {
  if ((active_channels(t, u) & 1u) == 0) return;
  const Call c{t, u, m, kLoad ? Access::Load : Access::Store};
  const Tile tile = read_tile(t, u, m);
  check_matrix(c, tile, sizeof(T));
  if (!check_block(c, tile, sizeof(T), !kLoad)) return;
  const RegisterLayout layout(tile, sizeof(T), u.grf_bytes, m.transposed, m.vnni);
  const uint32_t total = tile.blocks * layout.block_pitch * static_cast<uint32_t>(sizeof(T));
  if (total > kMaxPayloadRegisters * u.grf_bytes)
    fault_message(c, "the tile needs " + bytes_text(total) + " of registers");
  std::byte* data = t.at(kLoad ? u.dst.offset : u.src[1].offset);
  if constexpr (kLoad) std::memset(data, 0, total);

  CutRow cut, next_cut;
  const bool plain = !m.transposed && !m.vnni;
  constexpr uint32_t kPacked = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  for (uint32_t b = 0; b < tile.blocks; ++b) {
    for (uint32_t r = 0; r < tile.block_height; ++r) {
      const Row row = clip_row<T>(c, tile, b, r, cut);
      if (row.memory == nullptr) continue;
      if constexpr (kLoad && sizeof(T) == 2) {
        if (m.vnni && !m.transposed && r % 2 == 0 && r + 1 < tile.block_height) {
          const Row next = clip_row<T>(c, tile, b, r + 1, next_cut);
          if (next.memory != nullptr) {
            interleave_rows(row, next, data + layout.at(b, r, row.begin) * sizeof(T));
            ++r;
            continue;
          }
        }
      }
      std::byte* part = data + layout.at(b, r, row.begin) * sizeof(T);
      if (plain) {
        const size_t bytes = (row.end - row.begin) * sizeof(T);
        if constexpr (kLoad)
          std::memcpy(part, row.memory, bytes);
        else
          std::memcpy(row.memory, part, bytes);
      } else if (!m.transposed) {
        move_row<T, kLoad, kPacked>(row, part, 0);
      } else if (!m.vnni) {
        move_row<T, kLoad, 0>(row, part, layout.row_pitch);
      } else {
        for (uint32_t x = row.begin; x < row.end; ++x) {
          const Row cell{row.memory + (x - row.begin) * sizeof(T), x, x + 1};
          move_row<T, kLoad, 1>(cell, data + layout.at(b, r, x) * sizeof(T), 1);
        }
      }
    }
  }
}

/// A 2D prefetch reads its payload, so that a surface which breaks the rules is still found.
void prefetch2d(Thread& t, const Uop& u, const isa::Message& m) {
  if ((active_channels(t, u) & 1u) == 0) return;
  const Call c{t, u, m, Access::Load};
  check_matrix(c, read_tile(t, u, m), isa::memory_bytes(m.data_size));
}

template <bool kLoad>
Chosen for_element(isa::DataSize size) {
  switch (size) {
    case isa::DataSize::D8:
      return chosen<block2d<uint8_t, kLoad>>();
    case isa::DataSize::D16:
      return chosen<block2d<uint16_t, kLoad>>();
    case isa::DataSize::D32:
      return chosen<block2d<uint32_t, kLoad>>();
    case isa::DataSize::D64:
      return chosen<block2d<uint64_t, kLoad>>();
    default:
      return {};
  }
}

}  // namespace

void describe_lsc_block2d(const Call& c, Footprint& out) {
  out.channels = active_channels(c.t, c.u) & 1u;
  if (out.channels == 0) return;
  describe_space(nullptr, out);
  const uint32_t element = isa::memory_bytes(c.m.data_size);
  const Tile tile = read_tile(c.t, c.u, c.m);
  check_matrix(c, tile, element);
  if (!check_block(c, tile, element, c.access == Access::Store)) return;
  for (uint32_t b = 0; b < tile.blocks; ++b) {
    for (uint32_t r = 0; r < tile.block_height; ++r) {
      const Columns columns = clip_columns(tile, element, b, r);
      if (columns.begin == columns.end) continue;
      out.add(columns.address, (columns.end - columns.begin) * element,
              static_cast<int32_t>(b * tile.block_height + r));
    }
  }
}

Chosen choose_lsc_block2d(const Request& r) {
  const isa::Message& m = r.m;
  if (m.kind != isa::MessageKind::LoadBlock2d && m.kind != isa::MessageKind::StoreBlock2d) return {};
  if (!r.device.has_block2d || m.model != isa::AddressModel::Flat) return {};
  if (m.sfid != isa::Sfid::Ugm && m.sfid != isa::Sfid::UgmL) return {};
  if (m.kind == isa::MessageKind::StoreBlock2d) return for_element<false>(m.data_size);
  return (r.no_destination || m.is_prefetch()) ? chosen<prefetch2d>() : for_element<true>(m.data_size);
}

}  // namespace xeforge::machine::messages
