// SPDX-License-Identifier: Apache-2.0
#include "gemm/call.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gemm/require.h"

namespace xeforge::gemm {

namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

/// A matrix as stored: `outer` pieces of `inner` elements.
struct Form {
  const char* name;
  std::int64_t outer, inner, ld, stride;
  Type type;
};

Form form_of(const char* name, std::int64_t rows, std::int64_t columns, bool transposed, const Problem& p,
             std::int64_t ld, std::int64_t stride, Type type) {
  const bool by_rows = transposed == (p.order == Order::Columns);
  return {name, by_rows ? rows : columns, by_rows ? columns : rows, ld, stride, type};
}
Form form_a(const Problem& p) { return form_of("A", p.m, p.k, p.transpose_a, p, p.lda, p.stride_a, p.a); }
Form form_b(const Problem& p) { return form_of("B", p.k, p.n, p.transpose_b, p, p.ldb, p.stride_b, p.b); }
Form form_c(const Problem& p) { return form_of("C", p.m, p.n, false, p, p.ldc, p.stride_c, p.c); }

void check_size(const char* name, std::int64_t size) {
  if (size < 0 || size > kLargestSize) {
    throw Error(Status::BadSize, std::string(name) + " = " + number(size) + ": sizes are 0 to " + number(kLargestSize));
  }
}

void check_types(const Problem& p) {
  const bool floats = p.a == p.b && !is_integer(p.a), integers = size_of(p.a) == 1 && size_of(p.b) == 1;
  if (!floats && !integers) {
    throw Error(Status::BadType, "A of " + std::string(name_of(p.a)) + " with B of " + std::string(name_of(p.b)) +
                                     ": both are bf16, f16 or f32, or each is s8 or u8");
  }
  if (floats && p.c == Type::S32) {
    throw Error(Status::BadType, "C of s32 is for integer operands: take f32, bf16 or f16 (s8 and u8 to quantise)");
  }
  if (p.precision == Precision::Tf32 && p.a != Type::F32)
    throw Error(Status::BadType, "tf32 is made of f32 operands, A is " + std::string(name_of(p.a)));
}

void check_leading(const Form& form) {
  if (form.ld < std::max<std::int64_t>(1, form.inner) || form.ld > kLargestSize) {
    throw Error(Status::BadLeadingDimension, std::string("ld of ") + form.name + " = " + number(form.ld) + ": it is " +
                                                 number(std::max<std::int64_t>(1, form.inner)) +
                                                 ", the length of a stored row (column), to " + number(kLargestSize));
  }
}

void check_stride(const Form& form, std::int64_t batch) {
  if (form.stride < 0) {
    throw Error(Status::BadStride, std::string("the distance of the matrices of ") + form.name + " = " +
                                       number(form.stride) + " is negative");
  }
  // Bytes have to be counted in 63 bits.
  std::int64_t elements = 0;
  if (__builtin_mul_overflow(form.stride, batch, &elements) ||
      __builtin_add_overflow(elements, form.ld * form.outer, &elements) || elements >= std::int64_t{1} << 60)
    throw Error(Status::BadSize, std::string("the batch of ") + form.name + " is larger than memory");
}

void check_operations(const Problem& p, const Epilogue& epilogue) {
  for (const Epilogue::Operation& operation : epilogue.operations()) {
    if (operation.kind != Epilogue::Kind::Residual) continue;
    const Form form = form_c(p);
    const std::int64_t ld = operation.ld == kDense ? std::max<std::int64_t>(1, form.inner) : operation.ld;
    const std::int64_t stride = operation.stride == kDense ? ld * form.outer : operation.stride;
    if (ld < std::max<std::int64_t>(1, form.inner) || ld > kLargestSize || stride < 0)
      throw Error(Status::BadEpilogue, "epilogue: the residual's ld = " + number(ld) + ", stride = " + number(stride) +
                                           ": a row (column) of C has " + number(form.inner) + " elements");
  }
}

template <Side S>
void check_packed(const Problem& p, const Operand<S>& operand) {
  if (!operand.packed()) return;
  const char* const name = S == Side::A ? "A" : "B";
  const PackedMatrix& has = operand.packed()->matrix();
  PackedMatrix needs = has;
  needs.rows = S == Side::A ? p.m : p.k;
  needs.columns = S == Side::A ? p.k : p.n;
  needs.type = S == Side::A ? p.a : p.b;
  needs.precision = p.precision;
  needs.order = p.order;
  if (has.batch != 1) needs.batch = p.batch;
  if (has == needs) return;
  const auto text = [](const PackedMatrix& matrix) {
    return number(matrix.batch) + " of " + number(matrix.rows) + " x " + number(matrix.columns) + " " +
           std::string(matrix.precision == Precision::Tf32 ? "tf32" : name_of(matrix.type)) +
           (matrix.order == Order::Rows ? " by rows" : " by columns");
  };
  throw Error(Status::ShapeMismatch,
              std::string("packed ") + name + " is " + text(has) + "; the problem needs " + text(needs));
}

/// Bytes that something occupies: `outer` pieces in each of several matrices.
struct Region {
  std::string name;
  std::vector<std::uintptr_t> begins;  ///< of the matrices
  std::int64_t outer, pitch, inner;    ///< bytes

  std::int64_t extent() const { return (outer - 1) * pitch + inner; }
  bool empty() const { return begins.empty() || outer == 0 || inner == 0; }
};

Region region_of(std::string name, const void* pointer, const Form& form, std::int64_t batch) {
  const auto size = static_cast<std::int64_t>(size_of(form.type));
  Region region{std::move(name), {}, form.outer, form.ld * size, form.inner * size};
  const std::int64_t matrices = form.stride == 0 ? 1 : batch;
  for (std::int64_t i = 0; i < matrices; ++i) {
    region.begins.push_back(reinterpret_cast<std::uintptr_t>(pointer) +
                            static_cast<std::uintptr_t>(i * form.stride * size));
  }
  return region;
}

Region region_of_bytes(std::string name, const void* pointer, std::size_t bytes) {
  return {std::move(name), {reinterpret_cast<std::uintptr_t>(pointer)}, 1, 0, static_cast<std::int64_t>(bytes)};
}

using Interval = std::pair<std::uintptr_t, std::uintptr_t>;

Interval bounds(const Region& region) {
  const auto [first, last] = std::minmax_element(region.begins.begin(), region.begins.end());
  return {*first, *last + static_cast<std::uintptr_t>(region.extent())};
}

std::vector<Interval> intervals(const Region& region) {
  std::vector<Interval> result;
  for (const std::uintptr_t begin : region.begins) {
    for (std::int64_t i = 0; i < region.outer; ++i) {
      const std::uintptr_t at = begin + static_cast<std::uintptr_t>(i * region.pitch);
      result.emplace_back(at, at + static_cast<std::uintptr_t>(region.inner));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Looks at single rows only where the whole ranges meet: columns of one large matrix may be several operands.
bool meet(const Region& a, const Region& b) {
  const Interval whole_a = bounds(a), whole_b = bounds(b);
  if (whole_a.second <= whole_b.first || whole_b.second <= whole_a.first) return false;
  const auto pieces_a = intervals(a), pieces_b = intervals(b);
  auto at = pieces_b.begin();
  for (const auto& [begin, end] : pieces_a) {
    while (at != pieces_b.end() && at->second <= begin) ++at;
    if (at != pieces_b.end() && at->first < end) return true;
  }
  return false;
}

void require_apart(const Region& c, const Region& other) {
  if (other.empty() || c.empty() || !meet(c, other)) return;
  throw Error(Status::Overlap, "C shares memory with " + other.name +
                                   ": groups would read what others have written already; give C memory of its own");
}

/// Every matrix of C is apart from the next one.
void require_own_matrices(const Problem& p) {
  const Form c = form_c(p);
  if (p.batch < 2 || c.stride >= (c.outer - 1) * c.ld + c.inner) return;
  // Or the matrices lie beside one another in long rows.
  if (c.stride >= c.inner && (p.batch - 1) * c.stride + c.inner <= c.ld) return;
  throw Error(Status::BadStride, "the matrices of C, " + number(c.stride) + " elements from one another, overlap");
}

class MemoryCheck {
 public:
  MemoryCheck(const sycl::context& context, const sycl::device& device) : context_(context), device_(device) {}

  /// One pointer: not null, at a multiple of an element, and first and last byte in the device's reach.
  void pointer(const std::string& name, const void* at, std::size_t element, std::size_t bytes) const {
    if (bytes == 0) return;
    if (at == nullptr) throw Error(Status::NullPointer, name + " is null");
    if (reinterpret_cast<std::uintptr_t>(at) % element != 0) {
      throw Error(Status::MisalignedPointer,
                  name + " is not aligned to its elements of " + std::to_string(element) + " bytes");
    }
    require_device_memory(name, at, bytes, context_, device_);
  }

  void region(const Region& region, std::size_t element) const {
    if (region.empty()) return;
    for (const std::uintptr_t begin : region.begins) {
      pointer(region.name, reinterpret_cast<const void*>(begin), element, static_cast<std::size_t>(region.extent()));
    }
  }

  /// First and last matrix of a batch with equal distances are enough.
  void strided(Region region, std::size_t element) const {
    if (region.begins.size() > 2) region.begins = {region.begins.front(), region.begins.back()};
    this->region(region, element);
  }

  /// The matrices behind an array of addresses, where the host can read it.
  Region array(const char* name, const void* const* pointers, const Form& form, std::int64_t batch) const {
    pointer(std::string("the array of ") + name, pointers, sizeof(void*),
            static_cast<std::size_t>(batch) * sizeof(void*));
    const auto size = static_cast<std::int64_t>(size_of(form.type));
    Region region{name, {}, form.outer, form.ld * size, form.inner * size};
    if (sycl::get_pointer_type(pointers, context_) == sycl::usm::alloc::device) return region;
    for (std::int64_t i = 0; i < batch; ++i) {
      if (pointers[i] == nullptr) throw Error(Status::NullPointer, std::string(name) + "[" + number(i) + "] is null");
      region.begins.push_back(reinterpret_cast<std::uintptr_t>(pointers[i]));
    }
    return region;
  }

 private:
  const sycl::context& context_;
  const sycl::device& device_;
};

template <Side S>
void check_context(const Operand<S>& operand, const sycl::context& context) {
  if (!operand.packed() || operand.packed()->context() == context) return;
  throw Error(Status::WrongDevice,
              std::string(S == Side::A ? "A" : "B") +
                  " was packed for another device or context than the queue's: pack it with this queue");
}

std::size_t count_of(const Epilogue::Operation& operation, const Problem& p) {
  if (operation.along == Along::All) return 1;
  return static_cast<std::size_t>(operation.along == Along::Rows ? p.m : p.n);
}

void check_epilogue_memory(const MemoryCheck& check, const Arguments& arguments, const Problem& p, const Region& c) {
  for (const Epilogue::Operation& operation : arguments.extras.epilogue.operations()) {
    if (operation.data == nullptr) continue;
    const std::string name = "the epilogue's " + std::string(name_of(operation.kind));
    if (operation.kind != Epilogue::Kind::Residual) {
      const std::size_t bytes = count_of(operation, p) * size_of(operation.type);
      check.pointer(name, operation.data, size_of(operation.type), bytes);
      require_apart(c, region_of_bytes(name, operation.data, bytes));
      continue;
    }
    Form form = form_c(p);
    form.type = operation.type;
    form.ld = operation.ld == kDense ? std::max<std::int64_t>(1, form.inner) : operation.ld;
    form.stride = operation.stride == kDense ? form.ld * form.outer : operation.stride;
    const Region residual = region_of(name, operation.data, form, p.batch);
    check.strided(residual, size_of(form.type));
    // Element for element C itself: each is read by who writes it.
    const bool is_c = operation.data == arguments.c && form.ld == p.ldc && operation.type == p.c &&
                      (p.batch == 1 || form.stride == p.stride_c);
    if (!is_c) require_apart(c, residual);
  }
}

bool reads_operands(const Arguments& arguments) {
  return arguments.problem.k != 0 && (arguments.extras.alpha != nullptr || arguments.problem.alpha != 0);
}

}  // namespace

bool is_empty(const Problem& problem) { return problem.m == 0 || problem.n == 0 || problem.batch == 0; }

void check_form(const Arguments& arguments) {
  const Problem& given = arguments.problem;
  check_size("M", given.m);
  check_size("N", given.n);
  check_size("K", given.k);
  check_size("batch", given.batch);
  check_types(given);
  const Problem p = resolved(given);
  const bool plain_a = !arguments.a.packed(), plain_b = !arguments.b.packed();
  if (plain_a) check_leading(form_a(p));
  if (plain_b) check_leading(form_b(p));
  check_leading(form_c(p));
  if (!arguments.arrays) {
    if (plain_a) check_stride(form_a(p), p.batch);
    if (plain_b) check_stride(form_b(p), p.batch);
    check_stride(form_c(p), p.batch);
    if (!is_empty(p)) require_own_matrices(p);
  }
  check_operations(p, arguments.extras.epilogue);
  check_packed(given, arguments.a);
  check_packed(given, arguments.b);
}

void check_memory(const Arguments& arguments, const sycl::context& context, const sycl::device& device) {
  const Problem p = resolved(arguments.problem);
  if (is_empty(p)) return;
  const MemoryCheck check(context, device);
  check_context(arguments.a, context);
  check_context(arguments.b, context);
  const bool reads = reads_operands(arguments);
  std::vector<Region> inputs;
  Region c;
  if (arguments.arrays) {
    const PointerArrays& arrays = *arguments.arrays;
    c = check.array("C", const_cast<const void* const*>(arrays.c), form_c(p), p.batch);
    if (reads)
      inputs = {check.array("A", arrays.a, form_a(p), p.batch), check.array("B", arrays.b, form_b(p), p.batch)};
    check.region(c, size_of(p.c));
    if (reads) {
      check.region(inputs[0], size_of(p.a));
      check.region(inputs[1], size_of(p.b));
    }
  } else {
    c = region_of("C", arguments.c, form_c(p), p.batch);
    const auto add = [&](const auto& operand, const Form& form) {
      if (operand.packed()) {
        inputs.push_back(region_of_bytes(form.name, operand.packed()->data(), operand.packed()->bytes()));
      } else if (reads) {
        inputs.push_back(region_of(form.name, operand.pointer(), form, p.batch));
        check.strided(inputs.back(), size_of(form.type));
      }
    };
    add(arguments.a, form_a(p));
    add(arguments.b, form_b(p));
    check.strided(c, size_of(p.c));
  }
  for (const Region& input : inputs) require_apart(c, input);
  for (const auto& [name, factor] :
       {std::pair("alpha", arguments.extras.alpha), std::pair("beta", arguments.extras.beta)}) {
    if (factor == nullptr) continue;
    check.pointer(name, factor, sizeof(float), sizeof(float));
    require_apart(c, region_of_bytes(name, factor, sizeof(float)));
  }
  check_epilogue_memory(check, arguments, p, c);
}

void check_source(const Arguments& arguments, Side side, const sycl::context& context, const sycl::device& device) {
  const Problem p = resolved(arguments.problem);
  const Form form = side == Side::A ? form_a(p) : form_b(p);
  const void* const pointer = side == Side::A ? arguments.a.pointer() : arguments.b.pointer();
  MemoryCheck(context, device).strided(region_of(form.name, pointer, form, p.batch), size_of(form.type));
}

Call make_call(const Arguments& arguments) {
  Call call;
  call.problem = resolved(arguments.problem);
  Problem& p = call.problem;
  call.a = arguments.arrays ? arguments.arrays->a : arguments.a.pointer();
  call.b = arguments.arrays ? arguments.arrays->b : arguments.b.pointer();
  call.c = arguments.arrays ? static_cast<void*>(const_cast<void**>(arguments.arrays->c)) : arguments.c;
  call.pointer_arrays = arguments.arrays.has_value();
  call.alpha = arguments.extras.alpha;
  call.beta = arguments.extras.beta;
  const auto take = [](const auto& operand, const void*& data, std::uint32_t& unit, std::int64_t& batch) {
    if (!operand.packed()) return;
    data = operand.packed()->data();
    unit = operand.packed()->matrix().unit;
    batch = operand.packed()->matrix().batch;
  };
  take(arguments.a, call.a, call.packed_unit_a, call.packed_batch_a);
  take(arguments.b, call.b, call.packed_unit_b, call.packed_batch_b);
  const bool by_columns = p.order == Order::Columns;
  const Form c = form_c(p);
  for (Epilogue::Operation operation : arguments.extras.epilogue.operations()) {
    if (operation.ld == kDense) operation.ld = std::max<std::int64_t>(1, c.inner);
    if (operation.stride == kDense) operation.stride = operation.ld * c.outer;
    if (by_columns && operation.along != Along::All)
      operation.along = operation.along == Along::Rows ? Along::Columns : Along::Rows;
    call.epilogue.add(operation);
  }
  if (!by_columns) return call;
  // By columns is the transpose by rows: transpose(C) = transpose(B) * transpose(A).
  p.order = Order::Rows;
  std::swap(p.m, p.n);
  std::swap(p.a, p.b);
  std::swap(p.transpose_a, p.transpose_b);
  std::swap(p.lda, p.ldb);
  std::swap(p.stride_a, p.stride_b);
  std::swap(call.a, call.b);
  std::swap(call.packed_unit_a, call.packed_unit_b);
  std::swap(call.packed_batch_a, call.packed_batch_b);
  return call;
}

}  // namespace xeforge::gemm
