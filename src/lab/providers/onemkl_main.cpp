// SPDX-License-Identifier: Apache-2.0
//
// A product by oneMKL's gemm, row or column major.
#include <array>
#include <type_traits>
#include <utility>

#include <mkl_version.h>
#include <oneapi/mkl/blas.hpp>

#include "lab/providers/device_copy.h"
#include "lab/providers/gemm_job.h"

namespace {

using namespace xeforge::lab::providers;
using xeforge::lab::Element;
namespace mkl = oneapi::mkl;

/// The same calls exist for matrices by rows and by columns, in two namespaces.
struct ByRows {
  template <class... Arguments>
  static void gemm(Arguments&&... arguments) {
    mkl::blas::row_major::gemm(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static void gemm_batch(Arguments&&... arguments) {
    mkl::blas::row_major::gemm_batch(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static void gemm_bias(Arguments&&... arguments) {
    mkl::blas::row_major::gemm_bias(std::forward<Arguments>(arguments)...);
  }
};

struct ByColumns {
  template <class... Arguments>
  static void gemm(Arguments&&... arguments) {
    mkl::blas::column_major::gemm(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static void gemm_batch(Arguments&&... arguments) {
    mkl::blas::column_major::gemm_batch(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static void gemm_bias(Arguments&&... arguments) {
    mkl::blas::column_major::gemm_bias(std::forward<Arguments>(arguments)...);
  }
};

mkl::transpose transposed(bool yes) { return yes ? mkl::transpose::trans : mkl::transpose::nontrans; }

sycl::queue& queue() {
  static sycl::queue instance = gpu_queue();
  return instance;
}

template <class Layout, class A, class B, class C>
void multiply_in(GemmJob& job) {
  DeviceCopy a(queue(), job.a), b(queue(), job.b), c(queue(), job.c);
  const mkl::transpose of_a = transposed(job.transpose_a), of_b = transposed(job.transpose_b);
  if constexpr (!std::is_same_v<A, B> || std::is_same_v<A, std::uint8_t>) {
    // Unsigned bytes: only with offsets of A, B and C.
    if (job.batch != 1) throw Unsupported("oneMKL has no batches of products with unsigned bytes");
    // One offset is used, but the kernel loads 16 bytes.
    constexpr std::array<C, 4> kZeros{};
    DeviceCopy offset(queue(), kZeros.data(), sizeof kZeros);
    Layout::gemm_bias(queue(), of_a, of_b, mkl::offset::fix, job.m, job.n, job.k, job.alpha, a.template data<const A>(),
                      job.lda(), A{0}, b.template data<const B>(), job.ldb(), B{0}, job.beta, c.template data<C>(),
                      job.ldc(), offset.data<const C>());
    queue().wait_and_throw();
  } else if (job.batch == 1) {
    Layout::gemm(queue(), of_a, of_b, job.m, job.n, job.k, job.alpha, a.template data<const A>(), job.lda(),
                 b.template data<const B>(), job.ldb(), job.beta, c.template data<C>(), job.ldc());
  } else {
    Layout::gemm_batch(queue(), of_a, of_b, job.m, job.n, job.k, job.alpha, a.template data<const A>(), job.lda(),
                       job.m * job.k, b.template data<const B>(), job.ldb(), job.k * job.n, job.beta,
                       c.template data<C>(), job.ldc(), job.m * job.n, job.batch);
  }
  queue().wait_and_throw();
  c.read(job.c);
}

template <class A, class B, class C>
void multiply_as(GemmJob& job) {
  job.column_major ? multiply_in<ByColumns, A, B, C>(job) : multiply_in<ByRows, A, B, C>(job);
}

struct Row {
  Element a, b;
  void (*multiply)(GemmJob&);
};
using Bf16 = sycl::ext::oneapi::bfloat16;
constexpr std::array kRows{
    Row{Element::Bf16, Element::Bf16, multiply_as<Bf16, Bf16, float>},
    Row{Element::F16, Element::F16, multiply_as<sycl::half, sycl::half, float>},
    Row{Element::F32, Element::F32, multiply_as<float, float, float>},
    Row{Element::S8, Element::S8, multiply_as<std::int8_t, std::int8_t, std::int32_t>},
    Row{Element::S8, Element::U8, multiply_as<std::int8_t, std::uint8_t, std::int32_t>},
    Row{Element::U8, Element::S8, multiply_as<std::uint8_t, std::int8_t, std::int32_t>},
    Row{Element::U8, Element::U8, multiply_as<std::uint8_t, std::uint8_t, std::int32_t>},
};

void multiply(GemmJob& job) {
  if (job.element_c != Element::F32) throw Unsupported("only C of floats or int32 is asked of oneMKL here");
  for (const Row& row : kRows) {
    if (row.a == job.element_a && row.b == job.element_b) return row.multiply(job);
  }
  throw Unsupported("oneMKL's gemm has no such pair of types");
}

}  // namespace

int main(int argc, char** argv) { return helper_main(argc, argv, std::to_string(INTEL_MKL_VERSION), multiply); }
