// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/prepacked.h"

#include <array>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "gemm/binary_cache.h"
#include "gemm/operand_layout.h"
#include "xeforge/gemm/features.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

namespace fs = std::filesystem;

namespace {

/// The beginning of a file, as it lies there (little endian). `digest` is of the header with itself blank, and of the
/// matrix behind it.
struct Header {
  std::array<char, 8> magic;
  std::uint32_t version, bytes;
  std::int64_t rows, columns, batch, matrix_bytes;
  std::uint32_t side, type, precision, order, unit, unused;
  std::array<char, 32> digest;
};
static_assert(sizeof(Header) == 104);
constexpr std::array<char, 8> kMagic{'X', 'E', 'F', 'O', 'R', 'G', 'E', 'W'};
constexpr std::uint32_t kVersion = 1;

std::string digest_of(Header header, const std::vector<char>& matrix) {
  header.digest = {};
  return Digest()
      .add({reinterpret_cast<const char*>(&header), sizeof header})
      .add({matrix.data(), matrix.size()})
      .hex();
}

OperandLayout layout_of(const PackedMatrix& matrix, Side side) {
  return side == Side::A ? OperandLayout{matrix.rows, matrix.columns, matrix.unit, matrix.type}
                         : OperandLayout{matrix.columns, matrix.rows, matrix.unit, matrix.type};
}

std::size_t bytes_of(const PackedMatrix& matrix, Side side) {
  return static_cast<std::size_t>(layout_of(matrix, side).bytes() * matrix.batch);
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(Status::BadFile, file.string() + ": " + why);
}

void check(const fs::path& file, const Header& header, Side side) {
  if (header.magic != kMagic) refuse(file, "is no file of packed weights");
  if (header.version != kVersion || header.bytes != sizeof(Header)) {
    refuse(file, "was written by another version of the library (" + std::to_string(header.version) +
                     "): pack the weights again");
  }
  if (header.side != static_cast<std::uint32_t>(side))
    refuse(file, std::string("holds the other operand, ") + (side == Side::A ? "B" : "A"));
  const bool sizes = header.rows > 0 && header.columns > 0 && header.batch > 0 && header.rows <= kLargestSize &&
                     header.columns <= kLargestSize && header.batch <= kLargestSize;
  const bool codes = header.type <= static_cast<std::uint32_t>(Type::U8) &&
                     header.precision <= static_cast<std::uint32_t>(Precision::Tf32) &&
                     header.order <= static_cast<std::uint32_t>(Order::Columns) &&
                     (header.unit == 1 || header.unit == 8 || header.unit == 16);
  if (!sizes || !codes) refuse(file, "is damaged: its header holds impossible numbers");
}

}  // namespace

template <Side S>
std::size_t Prepacked<S>::bytes() const {
  return bytes_of(matrix_, S);
}

template <Side S>
void Prepacked<S>::save(sycl::queue queue, const fs::path& file) const {
  if (queue.get_context() != context_)
    throw Error(Status::WrongDevice, "the packed matrix belongs to another context than the queue's");
  std::vector<char> matrix(bytes());
  queue.memcpy(matrix.data(), data_.get(), matrix.size()).wait_and_throw();
  Header header{kMagic,
                kVersion,
                sizeof(Header),
                matrix_.rows,
                matrix_.columns,
                matrix_.batch,
                static_cast<std::int64_t>(matrix.size()),
                static_cast<std::uint32_t>(S),
                static_cast<std::uint32_t>(matrix_.type),
                static_cast<std::uint32_t>(matrix_.precision),
                static_cast<std::uint32_t>(matrix_.order),
                matrix_.unit,
                0,
                {}};
  const std::string digest = digest_of(header, matrix);
  std::memcpy(header.digest.data(), digest.data(), header.digest.size());
  fs::path unfinished = file;
  unfinished += "." + std::to_string(::getpid());
  std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(matrix.data(), static_cast<std::streamsize>(matrix.size()));
  out.close();
  std::error_code error;
  if (out) fs::rename(unfinished, file, error);
  if (!out || error) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw std::runtime_error("cannot write " + file.string() + ": is the folder there, and room?");
  }
}

template <Side S>
Prepacked<S> Prepacked<S>::load(sycl::queue queue, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "cannot be read");
  Header header{};
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (in.gcount() != sizeof header) refuse(file, "is too short for a file of packed weights");
  check(file, header, S);
  const PackedMatrix matrix{header.rows,
                            header.columns,
                            header.batch,
                            static_cast<Type>(header.type),
                            static_cast<Precision>(header.precision),
                            static_cast<Order>(header.order),
                            header.unit};
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error || header.matrix_bytes < 0 || size != sizeof header + static_cast<std::uintmax_t>(header.matrix_bytes) ||
      static_cast<std::size_t>(header.matrix_bytes) != bytes_of(matrix, S)) {
    refuse(file, "is damaged: its length is not that of the matrix");
  }
  std::vector<char> bytes(static_cast<std::size_t>(header.matrix_bytes));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.gcount() != static_cast<std::streamsize>(bytes.size())) refuse(file, "cannot be read to its end");
  if (digest_of(header, bytes) != std::string(header.digest.data(), header.digest.size()))
    refuse(file, "is damaged: its digest is another");
  const Units units = operand_units(probe(queue.get_device()), matrix.type);
  const bool as_a = (S == Side::A) == (matrix.order == Order::Rows);
  if (matrix.unit != (as_a ? units.a : units.b)) {
    refuse(file, "was packed for another kind of device, in units of " + std::to_string(matrix.unit) + "; " +
                     queue.get_device().get_info<sycl::info::device::name>() + " needs " +
                     std::to_string(as_a ? units.a : units.b) + ": pack the weights for it");
  }
  const sycl::context context = queue.get_context();
  auto* const memory = sycl::aligned_alloc_device<std::byte>(64, bytes.size(), queue);
  if (memory == nullptr) throw std::bad_alloc();
  std::shared_ptr<const std::byte> data(memory, [context](std::byte* pointer) { sycl::free(pointer, context); });
  queue.memcpy(memory, bytes.data(), bytes.size()).wait_and_throw();
  return Prepacked(context, std::move(data), matrix);
}

template class Prepacked<Side::A>;
template class Prepacked<Side::B>;

}  // namespace xeforge::gemm
