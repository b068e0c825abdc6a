struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};

// Bad: one field of a record of 32 bytes, 32 sectors.
__global__ void masses(const Particle *particles, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = particles[i].mass;
}

void runMasses(const Particle *particles, float *out) {
  masses<<<64, 256>>>(particles, out);
}
