/* SPDX-License-Identifier: Apache-2.0
 * The library from C: int8 matrices by columns, sums of int32, and what an error looks like. */
#include "xeforge/gemm_c.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failed(xeforge_gemm_status status, const char* what) {
  if (status == 0) return 0;
  fprintf(stderr, "%s: %s: %s\n", what, xeforge_gemm_status_name(status), xeforge_gemm_error_text());
  return 1;
}

int main(void) {
  enum { M = 33, N = 20, K = 70 };
  static int8_t a[M * K], b[K * N];
  static int32_t c[M * N];
  xeforge_gemm* gemm = NULL;
  void *device_a = NULL, *device_b = NULL, *device_c = NULL;
  xeforge_gemm_problem problem = xeforge_gemm_problem_default(M, N, K);
  xeforge_gemm_call call;
  xeforge_gemm_event* done = NULL;
  int i, wrong = 0;

  memset(a, 3, sizeof a);
  memset(b, -2, sizeof b);
  problem.a = problem.b = XEFORGE_S8;
  problem.c = XEFORGE_S32;
  problem.column_major = 1;
  if (failed(xeforge_gemm_create(NULL, &gemm), "create") ||
      failed(xeforge_gemm_allocate(gemm, sizeof a, &device_a), "allocate") ||
      failed(xeforge_gemm_allocate(gemm, sizeof b, &device_b), "allocate") ||
      failed(xeforge_gemm_allocate(gemm, sizeof c, &device_c), "allocate") ||
      failed(xeforge_gemm_copy(gemm, device_a, a, sizeof a), "copy") ||
      failed(xeforge_gemm_copy(gemm, device_b, b, sizeof b), "copy")) {
    return 1;
  }
  memset(&call, 0, sizeof call);
  call.a = device_a;
  call.b = device_b;
  call.c = device_c;
  if (failed(xeforge_gemm_multiply(gemm, &problem, &call, &done), "multiply") ||
      failed(xeforge_gemm_event_wait(done), "wait") || failed(xeforge_gemm_copy(gemm, c, device_c, sizeof c), "copy")) {
    return 1;
  }
  xeforge_gemm_event_free(done);
  for (i = 0; i < M * N; ++i) wrong += c[i] != 3 * -2 * K;
  printf("%d of %d elements are wrong\n", wrong, M * N);

  problem.lda = 1;
  if (xeforge_gemm_multiply(gemm, &problem, &call, NULL) == 0) return 1;
  printf("as it must: %s\n", xeforge_gemm_error_text());

  xeforge_gemm_free(gemm, device_a);
  xeforge_gemm_free(gemm, device_b);
  xeforge_gemm_free(gemm, device_c);
  xeforge_gemm_destroy(gemm);
  return wrong != 0;
}
