__global__ void fill(float *out, float value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void runFill(float *out) { fill<<<64, 256>>>(out, 1); }
