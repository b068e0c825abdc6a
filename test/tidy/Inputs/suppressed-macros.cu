#define STORE(A) A[2 * threadIdx.x] = 1
#define QUIET(A) A[2 * threadIdx.x] = 1 // NOLINT(warplint-strided-access)
#define NEXT(A)                                                                \
  /* NOLINTNEXTLINE */                                                         \
  A[2 * threadIdx.x] = 1
#define OUTER(A) STORE(A) // NOLINT
// NOLINTBEGIN(warplint-*)
#define BLOCK(A) A[2 * threadIdx.x] = 1
// NOLINTEND(warplint-*)
__global__ void shown(float *a) { STORE(a); }
__global__ void quiet(float *a) { QUIET(a); }
__global__ void next(float *a) { NEXT(a); }
__global__ void outer(float *a) { OUTER(a); }
__global__ void block(float *a) { BLOCK(a); }
