__global__ void reduce(const float *in, float *out) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      sums[t] += sums[t + half];
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}

void runReduce(const float *in, float *out) { reduce<<<64, 256>>>(in, out); }
