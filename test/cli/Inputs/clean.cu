// A kernel with nothing to find.
__global__ void fill(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void run(float *a) { fill<<<4, 256>>>(a); }
