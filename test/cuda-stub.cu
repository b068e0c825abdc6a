// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests use where no toolkit is installed: each thing the stub offers, in
// the device pass and in the host's, where launches need it.
//
// RUN: clang++ %cuda_stub_flags -Wno-unknown-cuda-version -Wall -Wextra -Werror \
// RUN:   --cuda-device-only -S -emit-llvm -O1 %s -o - | FileCheck %s
// RUN: clang++ %cuda_stub_flags -Wno-unknown-cuda-version -Wall -Wextra -Werror \
// RUN:   -Wno-unused-command-line-argument --cuda-host-only -fsyntax-only %s

__constant__ float coefficients[16];

// CHECK: @{{.*}}tile = {{.*}}addrspace(3) global [32 x [33 x float]]
// CHECK: define {{.*}}ptx_kernel void @{{.*}}everything
template <int N>
__global__ __launch_bounds__(256) void everything(float *out, const double2 *in,
                                                  int *count, int n) {
  __shared__ float tile[N][N + 1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint3 thread = threadIdx;
  dim3 block = blockDim;
  if (i >= n)
    return;
  tile[threadIdx.y][thread.x] = out[i];
  // CHECK: call void @llvm.nvvm.barrier
  __syncthreads();
  float v = tile[thread.x][threadIdx.y] + __ldg(in + i).x + __ldcs(out + i);
  // CHECK: call {{.*}}@llvm.nvvm.shfl.sync.down
  v += __shfl_down_sync(~0u, v, 4) + coefficients[i & 15] + min(i, n);
  float4 four = make_float4(v, v, v, max(v, 1.f));
  // CHECK: atomicrmw fadd
  atomicAdd(out, four.w);
  atomicAdd(count, int(__ballot_sync(~0u, v > 0)) + int(block.y));
  __syncwarp();
}

int main() {
  float *out;
  double2 *in;
  int *count;
  cudaMalloc(&out, 1024 * sizeof(float));
  cudaMalloc(&in, 1024 * sizeof(double2));
  cudaMalloc(&count, sizeof(int));
  dim3 grid(4), block(32, 8);
  everything<32><<<grid, block>>>(out, in, count, 1024);
  everything<16><<<8, 128, 0, cudaStream_t()>>>(out, in, count, 1000);
  return cudaDeviceSynchronize();
}
