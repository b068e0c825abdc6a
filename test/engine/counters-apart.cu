// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: warplint --format=json %s -- %cuda_stub_flags > %t.json || true
// RUN: %python -c "import json; a = json.load(open(r'%t.json'))['accesses']; assert len(a) == 3 and not any(x['exact'] for x in a), a"
//
// More combinations of two loops' counters than are gone through: they are
// sampled each for itself. In step, `i ^ j` was always 0 and the first branch
// was lost from the report.
__global__ void big(float *o, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      if ((i ^ j) & threadIdx.x)
        o[threadIdx.x * 32 + j] += i;
      else if (j % (threadIdx.x + 1))
        o[j * threadIdx.x] = 1;
    }
}
void run(float *o) { big<<<1, 256>>>(o, 1000); }
