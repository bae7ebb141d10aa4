// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm_c.h"

#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xeforge/gemm.h"

using namespace xeforge::gemm;

struct xeforge_gemm {
  Gemm gemm;
  sycl::queue queue;
};

struct xeforge_gemm_weights {
  std::optional<PrepackedA> a;
  std::optional<PrepackedB> b;
};

struct xeforge_gemm_event {
  sycl::event event;
};

namespace {

thread_local std::string last_error;

/// Runs `body`; what it throws becomes a status and a text.
template <class Body>
xeforge_gemm_status guarded(const Body& body) {
  try {
    body();
    last_error.clear();
    return 0;
  } catch (const Error& error) {
    last_error = error.what();
    return static_cast<int>(error.status());
  } catch (const std::bad_alloc&) {
    last_error = "out of memory, of the host or of the device";
    return XEFORGE_GEMM_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    last_error = error.what();
    return XEFORGE_GEMM_RUNTIME_ERROR;
  }
}

template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(Status::NullPointer, std::string(name) + " is null");
  return *pointer;
}

/// Callers' languages do not check what is in an enumeration.
template <class Enum>
bool is_within(Enum value, Enum last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

Type type_of(xeforge_type type) {
  if (!is_within(type, XEFORGE_S32))
    throw Error(Status::BadType, "there is no type " + std::to_string(static_cast<int>(type)));
  return static_cast<Type>(type);
}

Problem problem_of(const xeforge_gemm_problem* problem) {
  const xeforge_gemm_problem& p = given(problem, "the problem");
  Problem result{p.m, p.n, p.k, p.alpha, p.beta, type_of(p.a), type_of(p.b), type_of(p.c)};
  result.precision = p.tf32 != 0 ? Precision::Tf32 : Precision::Full;
  result.order = p.column_major != 0 ? Order::Columns : Order::Rows;
  result.transpose_a = p.transpose_a != 0;
  result.transpose_b = p.transpose_b != 0;
  result.lda = p.lda;
  result.ldb = p.ldb;
  result.ldc = p.ldc;
  result.batch = p.batch;
  result.stride_a = p.stride_a;
  result.stride_b = p.stride_b;
  result.stride_c = p.stride_c;
  return result;
}

Extras extras_of(const xeforge_gemm_call& call) {
  Extras extras;
  for (std::size_t i = 0; i < call.step_count; ++i) {
    const xeforge_gemm_step& step = (&given(call.steps, "steps"))[i];
    if (!is_within(step.kind, XEFORGE_STEP_SHIFT) || !is_within(step.along, XEFORGE_ALONG_ROWS)) {
      throw Error(Status::BadEpilogue, "step " + std::to_string(i) + " of the epilogue has no such kind or direction");
    }
    extras.epilogue.add({static_cast<Epilogue::Kind>(step.kind), static_cast<Along>(step.along), type_of(step.type),
                         step.data, step.ld, step.stride, step.value, step.high});
  }
  extras.alpha = call.alpha;
  extras.beta = call.beta;
  extras.workspace = call.workspace;
  extras.workspace_bytes = call.workspace_bytes;
  return extras;
}

template <Side S>
Operand<S> operand_of(const void* pointer, const xeforge_gemm_weights* weights) {
  if (weights == nullptr) return pointer;
  if constexpr (S == Side::A) {
    if (weights->a) return *weights->a;
  } else {
    if (weights->b) return *weights->b;
  }
  throw Error(Status::ShapeMismatch, S == Side::A ? "packed_a holds a packed B" : "packed_b holds a packed A");
}

}  // namespace

const char* xeforge_gemm_status_name(xeforge_gemm_status status) {
  if (status == XEFORGE_GEMM_RUNTIME_ERROR) return "RuntimeError";
  if (status == XEFORGE_GEMM_OUT_OF_MEMORY) return "OutOfMemory";
  if (status < 0 || status > static_cast<int>(Status::BadStrategy)) return "unknown";
  return name_of(static_cast<Status>(status)).data();  // literals: they end with 0
}

const char* xeforge_gemm_error_text() { return last_error.c_str(); }

xeforge_gemm_problem xeforge_gemm_problem_default(int64_t m, int64_t n, int64_t k) {
  return {m, n,      k,      1,      0, XEFORGE_BF16, XEFORGE_BF16, XEFORGE_F32, 0, 0, 0,
          0, kDense, kDense, kDense, 1, kDense,       kDense,       kDense};
}

xeforge_gemm_status xeforge_gemm_create(void* sycl_queue, xeforge_gemm** gemm) {
  return guarded([&] {
    xeforge_gemm*& result = given(gemm, "gemm");
    const sycl::queue queue = sycl_queue != nullptr
                                  ? *static_cast<const sycl::queue*>(sycl_queue)
                                  : sycl::queue(sycl::gpu_selector_v, sycl::property::queue::in_order());
    result = new xeforge_gemm{Gemm(queue), queue};
  });
}

void xeforge_gemm_destroy(xeforge_gemm* gemm) { delete gemm; }

xeforge_gemm_status xeforge_gemm_allocate(xeforge_gemm* gemm, size_t bytes, void** memory) {
  return guarded([&] {
    void*& result = given(memory, "memory");
    result = sycl::aligned_alloc_device(64, bytes, given(gemm, "gemm").queue);
    if (result == nullptr && bytes != 0) throw std::bad_alloc();
  });
}

xeforge_gemm_status xeforge_gemm_free(xeforge_gemm* gemm, void* memory) {
  return guarded([&] { sycl::free(memory, given(gemm, "gemm").queue); });
}

xeforge_gemm_status xeforge_gemm_copy(xeforge_gemm* gemm, void* to, const void* from, size_t bytes) {
  return guarded([&] { given(gemm, "gemm").queue.memcpy(to, from, bytes).wait_and_throw(); });
}

xeforge_gemm_status xeforge_gemm_wait(xeforge_gemm* gemm) {
  return guarded([&] { given(gemm, "gemm").queue.wait_and_throw(); });
}

xeforge_gemm_status xeforge_gemm_multiply(xeforge_gemm* gemm, const xeforge_gemm_problem* problem,
                                          const xeforge_gemm_call* call, xeforge_gemm_event** done) {
  return guarded([&] {
    Gemm& library = given(gemm, "gemm").gemm;
    const Problem p = problem_of(problem);
    const xeforge_gemm_call& c = given(call, "the call");
    std::vector<sycl::event> after;
    for (std::size_t i = 0; i < c.after_count; ++i) {
      const xeforge_gemm_event* const event = (&given(c.after, "after"))[i];
      after.push_back(given(event, "an event").event);
    }
    const sycl::event event =
        c.pointer_arrays != 0
            ? library.multiply(p,
                               PointerArrays{static_cast<const void* const*>(c.a), static_cast<const void* const*>(c.b),
                                             static_cast<void* const*>(c.c)},
                               extras_of(c), after)
            : library.multiply(p, operand_of<Side::A>(c.a, c.packed_a), operand_of<Side::B>(c.b, c.packed_b), c.c,
                               extras_of(c), after);
    if (done != nullptr) *done = new xeforge_gemm_event{event};
  });
}

xeforge_gemm_status xeforge_gemm_workspace_bytes(xeforge_gemm* gemm, const xeforge_gemm_problem* problem,
                                                 const xeforge_gemm_call* call, size_t* bytes) {
  return guarded([&] {
    const xeforge_gemm_call& c = given(call, "the call");
    given(bytes, "bytes") = given(gemm, "gemm")
                                .gemm.workspace_bytes(problem_of(problem), operand_of<Side::A>(c.a, c.packed_a),
                                                      operand_of<Side::B>(c.b, c.packed_b), extras_of(c));
  });
}

xeforge_gemm_status xeforge_gemm_event_wait(xeforge_gemm_event* event) {
  return guarded([&] { given(event, "the event").event.wait_and_throw(); });
}

void xeforge_gemm_event_free(xeforge_gemm_event* event) { delete event; }

xeforge_gemm_status xeforge_gemm_pack(xeforge_gemm* gemm, const xeforge_gemm_problem* problem, xeforge_side side,
                                      const void* matrix, xeforge_gemm_weights** weights) {
  return guarded([&] {
    Gemm& library = given(gemm, "gemm").gemm;
    xeforge_gemm_weights*& result = given(weights, "weights");
    const Problem p = problem_of(problem);
    result = side == XEFORGE_SIDE_A ? new xeforge_gemm_weights{library.pack_a(p, matrix), {}}
                                    : new xeforge_gemm_weights{{}, library.pack_b(p, matrix)};
  });
}

xeforge_gemm_status xeforge_gemm_weights_save(xeforge_gemm* gemm, const xeforge_gemm_weights* weights,
                                              const char* file) {
  return guarded([&] {
    const sycl::queue& queue = given(gemm, "gemm").queue;
    const xeforge_gemm_weights& packed = given(weights, "weights");
    const std::filesystem::path path = &given(file, "the file's name");
    packed.a ? packed.a->save(queue, path) : packed.b->save(queue, path);
  });
}

xeforge_gemm_status xeforge_gemm_weights_load(xeforge_gemm* gemm, xeforge_side side, const char* file,
                                              xeforge_gemm_weights** weights) {
  return guarded([&] {
    const sycl::queue& queue = given(gemm, "gemm").queue;
    xeforge_gemm_weights*& result = given(weights, "weights");
    const std::filesystem::path path = &given(file, "the file's name");
    result = side == XEFORGE_SIDE_A ? new xeforge_gemm_weights{PrepackedA::load(queue, path), {}}
                                    : new xeforge_gemm_weights{{}, PrepackedB::load(queue, path)};
  });
}

void xeforge_gemm_weights_free(xeforge_gemm_weights* weights) { delete weights; }
