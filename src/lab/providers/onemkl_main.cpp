// SPDX-License-Identifier: Apache-2.0
//
// A product by oneMKL's row-major gemm.
#include <stdexcept>

#include <oneapi/mkl/blas.hpp>

#include "lab/providers/device_copy.h"
#include "lab/providers/gemm_job.h"

namespace {

using namespace xeforge::lab::providers;
namespace mkl = oneapi::mkl;

template <class T>
void multiply_as(GemmJob& job) {
  sycl::queue queue = gpu_queue();
  DeviceCopy a(queue, job.a), b(queue, job.b), c(queue, job.c);
  const auto transposed = [](bool yes) { return yes ? mkl::transpose::trans : mkl::transpose::nontrans; };
  const std::int64_t lda = job.transpose_a ? job.m : job.k, ldb = job.transpose_b ? job.k : job.n;
  if (job.batch == 1) {
    mkl::blas::row_major::gemm(queue, transposed(job.transpose_a), transposed(job.transpose_b), job.m, job.n, job.k,
                               job.alpha, a.data<const T>(), lda, b.data<const T>(), ldb, job.beta, c.data<float>(),
                               job.n);
  } else {
    mkl::blas::row_major::gemm_batch(queue, transposed(job.transpose_a), transposed(job.transpose_b), job.m, job.n,
                                     job.k, job.alpha, a.data<const T>(), lda, job.m * job.k, b.data<const T>(), ldb,
                                     job.k * job.n, job.beta, c.data<float>(), job.n, job.m * job.n, job.batch);
  }
  queue.wait_and_throw();
  c.read(job.c);
}

void multiply(GemmJob& job) {
  switch (job.element) {
    case Element::Bf16:
      return multiply_as<sycl::ext::oneapi::bfloat16>(job);
    case Element::F16:
      return multiply_as<sycl::half>(job);
    case Element::F32:
      return multiply_as<float>(job);
    case Element::S8:
      break;
  }
  throw std::invalid_argument("oneMKL's gemm has no s8 operands with an s32 result");
}

}  // namespace

int main(int argc, char** argv) { return helper_main(argc, argv, multiply); }
