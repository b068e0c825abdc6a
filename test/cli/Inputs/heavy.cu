// A polynomial of four values in every one of 20,000 iterations is more than half the usual budget allows.
__global__ void heavy(float *a, int n, int m, int p) {
  const int t = threadIdx.x;
  a[t] = 1;
  for (int j = 0; j < 200; ++j)
    for (int i = 0; i < 100; ++i) {
      const int x = (t + i * n + j * m) * (n + i * t + j * p);
      a[x * (n + t + i * j)] = 2;
    }
  a[2 * t] = 3;
}
__global__ void light(float *a) { a[threadIdx.x] = 1; }
void run(float *a, int n, int m, int p) {
  heavy<<<1, 64>>>(a, n, m, p);
  light<<<1, 64>>>(a);
}
