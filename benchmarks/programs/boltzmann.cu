// A step of the lattice Boltzmann method, periodic, by the single relaxation time of Bhatnagar, Gross and Krook: every cell pulls
// what comes from its neighbours, and relaxes it. Populations lie one array after the other.

#include "boltzmann.h"

__global__ void d2q9(float *out, const float *in, int nx, int ny, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int n = nx * ny;
  float density = 0.0f, ux = 0.0f, uy = 0.0f;
#define PULL(q, cx, cy, w)                                                           \
  const float f##q = in[q * n + wrapped(y - (cy), ny) * nx + wrapped(x - (cx), nx)]; \
  density += f##q;                                                                   \
  ux += (cx)*f##q;                                                                   \
  uy += (cy)*f##q;
  D2Q9(PULL)
#undef PULL
  ux /= density;
  uy /= density;
  const float speed = 1.5f * (ux * ux + uy * uy);
#define RELAX(q, cx, cy, w)                                                                                        \
  {                                                                                                                \
    const float along = 3.0f * ((cx)*ux + (cy)*uy);                                                                \
    out[q * n + y * nx + x] = f##q + omega * ((w)*density * (1.0f + along + 0.5f * along * along - speed) - f##q); \
  }
  D2Q9(RELAX)
#undef RELAX
}

__global__ void d3q19(float *out, const float *in, int nx, int ny, int nz, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  const int n = nx * ny * nz;
  float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#define PULL(q, cx, cy, cz, w)                                                                                      \
  const float f##q = in[q * n + (wrapped(z - (cz), nz) * ny + wrapped(y - (cy), ny)) * nx + wrapped(x - (cx), nx)]; \
  density += f##q;                                                                                                  \
  ux += (cx)*f##q;                                                                                                  \
  uy += (cy)*f##q;                                                                                                  \
  uz += (cz)*f##q;
  D3Q19(PULL)
#undef PULL
  ux /= density;
  uy /= density;
  uz /= density;
  const float speed = 1.5f * (ux * ux + uy * uy + uz * uz);
#define RELAX(q, cx, cy, cz, w)                                                               \
  {                                                                                           \
    const float along = 3.0f * ((cx)*ux + (cy)*uy + (cz)*uz);                                 \
    out[q * n + (z * ny + y) * nx + x] =                                                      \
        f##q + omega * ((w)*density * (1.0f + along + 0.5f * along * along - speed) - f##q);  \
  }
  D3Q19(RELAX)
#undef RELAX
}

// Many steps, from the host; their number is even.
void d3q19_steps(float *state, float *other, int nx, int ny, int nz, float omega, int steps) {
  const dim3 grid((nx + 127) / 128, ny, nz);
  for (int k = 0; k < steps; k += 2) {
    d3q19<<<grid, 128>>>(other, state, nx, ny, nz, omega);
    d3q19<<<grid, 128>>>(state, other, nx, ny, nz, omega);
  }
}
