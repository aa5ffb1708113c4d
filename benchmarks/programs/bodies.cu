// Forces between bodies: of all pairs, by tiles in shared memory, and of neighbours from lists.

// Bodies are places and masses.
__global__ void nbody(float4 *acceleration, const float4 *bodies, int n, float softening) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += blockDim.x) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      const float4 other = tile[k];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float pull = other.w * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  if (i < n) acceleration[i] = make_float4(ax, ay, az, 0.0f);
}

// The forces of Lennard-Jones between an atom and those on its list, which lies across: the k-th neighbours of all atoms first.
__global__ void lj_neighbours(double *force, const double *place, const int *list, int neighbours, int n, double cut) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = place[3 * i], y = place[3 * i + 1], z = place[3 * i + 2];
  double fx = 0.0, fy = 0.0, fz = 0.0;
  for (int k = 0; k < neighbours; k++) {
    const int j = list[k * n + i];
    const double dx = x - place[3 * j], dy = y - place[3 * j + 1], dz = z - place[3 * j + 2];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cut) {
      const double inverse = 1.0 / r2, sixth = inverse * inverse * inverse;
      const double f = inverse * sixth * (48.0 * sixth - 24.0);
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
  }
  force[3 * i] = fx;
  force[3 * i + 1] = fy;
  force[3 * i + 2] = fz;
}
