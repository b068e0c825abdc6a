// A kernel with one finding: 8 sectors a request, 4 would do.
__global__ void fill(float *a) {
  a[2 * (blockIdx.x * blockDim.x + threadIdx.x)] = 1;
}
void run(float *a) { fill<<<4, 256>>>(a); }
