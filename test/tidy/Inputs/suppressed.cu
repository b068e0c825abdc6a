__global__ void plain(float *a) { a[2 * threadIdx.x] = 1; }
__global__ void here(float *a) { a[2 * threadIdx.x] = 1; } // NOLINT
__global__ void named(float *a) { a[2 * threadIdx.x] = 1; } // NOLINT(warplint-strided-access)
__global__ void family(float *a) { a[2 * threadIdx.x] = 1; } // NOLINT(warplint-*)
__global__ void other(float *a) { a[2 * threadIdx.x] = 1; } // NOLINT(warplint-aos-field-access)
// NOLINTNEXTLINE(warplint-strided-access)
__global__ void next(float *a) { a[2 * threadIdx.x] = 1; }
// NOLINTBEGIN(warplint-strided-access)
__global__ void block(float *a) { a[2 * threadIdx.x] = 1; }
// NOLINTEND(warplint-strided-access)
__global__ void after(float *a) { a[2 * threadIdx.x] = 1; }
