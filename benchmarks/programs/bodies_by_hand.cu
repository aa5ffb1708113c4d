// Both sides of each pair are pulled by the body that they belong to: nothing is atomic. Cotangents are zeroed by a launch of
// its own, since others read them.

template <class T>
__global__ void zero_all(T *d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) d[i] = T{};
}

template <bool Fresh>
__global__ void nbody_back(const float4 *bodies, int n, float softening, const float4 *d_acceleration,
                           float4 *d_bodies) {
  __shared__ float4 tile[256], cotangents[256];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), t = static_cast<int>(threadIdx.x);
  const float4 none = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  const float4 own = i < n ? bodies[i] : none, w = i < n ? d_acceleration[i] : none;
  float x = 0.0f, y = 0.0f, z = 0.0f, mass = 0.0f;
  for (int first = 0; first < n; first += 256) {
    tile[t] = first + t < n ? bodies[first + t] : none;
    cotangents[t] = first + t < n ? d_acceleration[first + t] : none;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; k++) {
      const float4 other = tile[k], v = cotangents[k];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening), square = inverse * inverse;
      const float cubed = square * inverse;
      const float ux = own.w * v.x - other.w * w.x, uy = own.w * v.y - other.w * w.y, uz = own.w * v.z - other.w * w.z;
      const float along = 3.0f * square * (ux * dx + uy * dy + uz * dz);
      x += cubed * (ux - along * dx);
      y += cubed * (uy - along * dy);
      z += cubed * (uz - along * dz);
      mass -= cubed * (v.x * dx + v.y * dy + v.z * dz);
    }
    __syncthreads();
  }
  if (i >= n) return;
  const float4 old = Fresh ? none : d_bodies[i];
  d_bodies[i] = make_float4(old.x + x, old.y + y, old.z + z, old.w + mass);
}

template <bool Fresh>
void nbody_by_hand(const at &a, float4 *, const float4 *bodies, int n, float softening, float4 *d_acceleration,
                   float4 *d_bodies) {
  LAUNCH(a, (nbody_back<Fresh>), bodies, n, softening, d_acceleration, d_bodies);
  if (!Fresh) LAUNCH(a, (zero_all<float4>), d_acceleration, n);
}

// Every neighbour is given its part: nothing is known of the lists.
template <bool Fresh>
__global__ void lj_neighbours_scatter(const double *place, const int *list, int neighbours, int n, double cut,
                                      double *d_force, double *d_place) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double x = place[3 * i], y = place[3 * i + 1], z = place[3 * i + 2];
  const double wx = d_force[3 * i], wy = d_force[3 * i + 1], wz = d_force[3 * i + 2];
  double sx = 0.0, sy = 0.0, sz = 0.0;
  for (int k = 0; k < neighbours; k++) {
    const int j = list[k * n + i];
    const double dx = x - place[3 * j], dy = y - place[3 * j + 1], dz = z - place[3 * j + 2];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cut) {
      const double inverse = 1.0 / r2, sixth = inverse * inverse * inverse;
      const double f = inverse * sixth * (48.0 * sixth - 24.0);
      const double slope = inverse * inverse * sixth * (192.0 - 672.0 * sixth) * (wx * dx + wy * dy + wz * dz);
      const double gx = f * wx + slope * dx, gy = f * wy + slope * dy, gz = f * wz + slope * dz;
      sx += gx;
      sy += gy;
      sz += gz;
      atomicAdd(&d_place[3 * j], -gx);
      atomicAdd(&d_place[3 * j + 1], -gy);
      atomicAdd(&d_place[3 * j + 2], -gz);
    }
  }
  atomicAdd(&d_place[3 * i], sx);
  atomicAdd(&d_place[3 * i + 1], sy);
  atomicAdd(&d_place[3 * i + 2], sz);
  for (int c = 0; c < 3; c++) spend<Fresh>(d_force[3 * i + c]);
}

template <bool Fresh>
void lj_neighbours_scattered(const at &a, double *, const double *place, const int *list, int neighbours, int n,
                             double cut, double *d_force, double *d_place) {
  LAUNCH(a, (lj_neighbours_scatter<Fresh>), place, list, neighbours, n, cut, d_force, d_place);
}

// Lists are symmetric.
template <bool Fresh>
__global__ void lj_neighbours_back(const double *place, const int *list, int neighbours, int n, double cut,
                                   const double *d_force, double *d_place) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double x = place[3 * i], y = place[3 * i + 1], z = place[3 * i + 2];
  const double wx = d_force[3 * i], wy = d_force[3 * i + 1], wz = d_force[3 * i + 2];
  double sx = 0.0, sy = 0.0, sz = 0.0;
  for (int k = 0; k < neighbours; k++) {
    const int j = list[k * n + i];
    const double dx = x - place[3 * j], dy = y - place[3 * j + 1], dz = z - place[3 * j + 2];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cut) {
      const double inverse = 1.0 / r2, sixth = inverse * inverse * inverse;
      const double f = inverse * sixth * (48.0 * sixth - 24.0);
      const double vx = wx - d_force[3 * j], vy = wy - d_force[3 * j + 1], vz = wz - d_force[3 * j + 2];
      // twice the derivative of f by the squared distance
      const double slope = inverse * inverse * sixth * (192.0 - 672.0 * sixth) * (vx * dx + vy * dy + vz * dz);
      sx += f * vx + slope * dx;
      sy += f * vy + slope * dy;
      sz += f * vz + slope * dz;
    }
  }
  give<Fresh>(d_place[3 * i], sx);
  give<Fresh>(d_place[3 * i + 1], sy);
  give<Fresh>(d_place[3 * i + 2], sz);
}

template <bool Fresh>
void lj_neighbours_by_hand(const at &a, double *, const double *place, const int *list, int neighbours, int n,
                           double cut, double *d_force, double *d_place) {
  LAUNCH(a, (lj_neighbours_back<Fresh>), place, list, neighbours, n, cut, d_force, d_place);
  if (!Fresh) LAUNCH_AS(a, (3 * n + 255) / 256, 256, 0, (zero_all<double>), d_force, 3 * n);
}
