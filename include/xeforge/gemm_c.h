/* SPDX-License-Identifier: Apache-2.0
 *
 * The GEMM library for C, and for languages that call C. The rules are those of include/xeforge/gemm/problem.h and
 * gemm.h.
 *
 * Functions that can fail return a status; xeforge_gemm_error_text() has the words for the calling thread's last error.
 * Memory is that of SYCL's unified shared memory: what xeforge_gemm_allocate() gives, or any other of the queue's
 * context.
 */
#ifndef XEFORGE_GEMM_C_H
#define XEFORGE_GEMM_C_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(readability-identifier-naming): C has no namespaces */
#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of xeforge::gemm::Status: 0 is success. */
typedef int xeforge_gemm_status;
/* What is no xeforge::gemm::Error: a fault of a kernel, no device, a kernel that does not compile. */
#define XEFORGE_GEMM_RUNTIME_ERROR 1000
#define XEFORGE_GEMM_OUT_OF_MEMORY 1001

/* "SizeNotMultiple" */
const char* xeforge_gemm_status_name(xeforge_gemm_status status);
/* Never null; valid until the thread's next call. */
const char* xeforge_gemm_error_text(void);

typedef enum { XEFORGE_BF16, XEFORGE_F16, XEFORGE_F32, XEFORGE_S8, XEFORGE_U8, XEFORGE_S32 } xeforge_type;

#define XEFORGE_DENSE (-1)

/* xeforge::gemm::Problem. Begin with xeforge_gemm_problem_default(). */
typedef struct {
  int64_t m, n, k;
  float alpha, beta;
  xeforge_type a, b, c;
  int tf32;         /* float operands are rounded first */
  int column_major; /* A, B and C */
  int transpose_a, transpose_b;
  int64_t lda, ldb, ldc; /* XEFORGE_DENSE: no gaps */
  int64_t batch, stride_a, stride_b, stride_c;
} xeforge_gemm_problem;

/* bf16 matrices by rows without gaps, C of f32, alpha 1, beta 0. */
xeforge_gemm_problem xeforge_gemm_problem_default(int64_t m, int64_t n, int64_t k);

typedef enum {
  XEFORGE_STEP_SCALE, /* by `data`, or by `value` where it is null */
  XEFORGE_STEP_BIAS,
  XEFORGE_STEP_RESIDUAL,
  XEFORGE_STEP_RELU,
  XEFORGE_STEP_GELU,
  XEFORGE_STEP_GELU_TANH,
  XEFORGE_STEP_SILU,
  XEFORGE_STEP_CLAMP, /* to value .. high */
  XEFORGE_STEP_SHIFT  /* by value */
} xeforge_step_kind;

typedef enum { XEFORGE_ALONG_ALL, XEFORGE_ALONG_COLUMNS, XEFORGE_ALONG_ROWS } xeforge_along;

/* One step of an epilogue: xeforge::gemm::Epilogue::Operation. */
typedef struct {
  xeforge_step_kind kind;
  xeforge_along along;
  xeforge_type type;
  const void* data;
  int64_t ld, stride; /* of a residual; XEFORGE_DENSE: as C without gaps */
  float value, high;
} xeforge_gemm_step;

typedef struct xeforge_gemm xeforge_gemm;                 /* a queue and its kernels */
typedef struct xeforge_gemm_weights xeforge_gemm_weights; /* a packed A or B */
typedef struct xeforge_gemm_event xeforge_gemm_event;     /* the end of a call */

/* `sycl_queue`: a sycl::queue*, copied; null: an in-order queue of the first GPU. */
xeforge_gemm_status xeforge_gemm_create(void* sycl_queue, xeforge_gemm** gemm);
void xeforge_gemm_destroy(xeforge_gemm* gemm);

/* Device memory. xeforge_gemm_copy() works in either direction and blocks. */
xeforge_gemm_status xeforge_gemm_allocate(xeforge_gemm* gemm, size_t bytes, void** memory);
xeforge_gemm_status xeforge_gemm_free(xeforge_gemm* gemm, void* memory);
xeforge_gemm_status xeforge_gemm_copy(xeforge_gemm* gemm, void* to, const void* from, size_t bytes);
/* Waits for all calls; faults of kernels are its errors. */
xeforge_gemm_status xeforge_gemm_wait(xeforge_gemm* gemm);

/* All that a call may have. Zeroed it has nothing. */
typedef struct {
  const void* a;
  const void* b;
  void* c;
  const xeforge_gemm_weights* packed_a; /* instead of a */
  const xeforge_gemm_weights* packed_b; /* instead of b */
  int pointer_arrays;                   /* a, b and c are arrays of addresses, one per matrix of the batch */
  const xeforge_gemm_step* steps;
  size_t step_count;
  const float* alpha; /* factors in device memory, or null */
  const float* beta;
  void* workspace; /* null: the library has its own */
  size_t workspace_bytes;
  xeforge_gemm_event* const* after; /* begins when these have ended */
  size_t after_count;
} xeforge_gemm_call;

/* `done` may be null; else xeforge_gemm_event_free() it. */
xeforge_gemm_status xeforge_gemm_multiply(xeforge_gemm* gemm, const xeforge_gemm_problem* problem,
                                          const xeforge_gemm_call* call, xeforge_gemm_event** done);
xeforge_gemm_status xeforge_gemm_workspace_bytes(xeforge_gemm* gemm, const xeforge_gemm_problem* problem,
                                                 const xeforge_gemm_call* call, size_t* bytes);

xeforge_gemm_status xeforge_gemm_event_wait(xeforge_gemm_event* event);
void xeforge_gemm_event_free(xeforge_gemm_event* event);

typedef enum { XEFORGE_SIDE_A, XEFORGE_SIDE_B } xeforge_side;

xeforge_gemm_status xeforge_gemm_pack(xeforge_gemm* gemm, const xeforge_gemm_problem* problem, xeforge_side side,
                                      const void* matrix, xeforge_gemm_weights** weights);
xeforge_gemm_status xeforge_gemm_weights_save(xeforge_gemm* gemm, const xeforge_gemm_weights* weights,
                                              const char* file);
xeforge_gemm_status xeforge_gemm_weights_load(xeforge_gemm* gemm, xeforge_side side, const char* file,
                                              xeforge_gemm_weights** weights);
void xeforge_gemm_weights_free(xeforge_gemm_weights* weights);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
