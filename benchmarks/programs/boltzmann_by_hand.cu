// A cell pulls from its neighbours what nobody else pulls: its derivatives go back to the same places, without atomics.
#include "boltzmann.h"

template <bool Fresh>
__global__ void d2q9_back(const float *in, int nx, int ny, float omega, float *d_out, float *d_in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int n = nx * ny;
  float density = 0.0f, ux = 0.0f, uy = 0.0f;
#define PULL(q, cx, cy, w)                                                              \
  const int from##q = q * n + wrapped(y - (cy), ny) * nx + wrapped(x - (cx), nx);       \
  density += in[from##q];                                                               \
  ux += (cx)*in[from##q];                                                               \
  uy += (cy)*in[from##q];                                                               \
  const float d##q = d_out[q * n + y * nx + x];
  D2Q9(PULL)
#undef PULL
  ux /= density;
  uy /= density;
  const float speed = 1.5f * (ux * ux + uy * uy);
  float d_density = 0.0f, d_ux = 0.0f, d_uy = 0.0f, d_speed = 0.0f;
#define BACK(q, cx, cy, w)                                                     \
  {                                                                            \
    const float along = 3.0f * ((cx)*ux + (cy)*uy), d = omega * (w)*d##q;      \
    const float d_along = 3.0f * density * d * (1.0f + along);                 \
    d_density += d * (1.0f + along + 0.5f * along * along - speed);            \
    d_speed += d;                                                              \
    d_ux += (cx)*d_along;                                                      \
    d_uy += (cy)*d_along;                                                      \
  }
  D2Q9(BACK)
#undef BACK
  d_speed *= 3.0f * density;
  d_ux = (d_ux - d_speed * ux) / density;
  d_uy = (d_uy - d_speed * uy) / density;
  d_density -= d_ux * ux + d_uy * uy;
#define GIVE(q, cx, cy, w) \
  give<Fresh>(d_in[from##q], (1.0f - omega) * d##q + d_density + (cx)*d_ux + (cy)*d_uy);
  D2Q9(GIVE)
#undef GIVE
#define SPEND(q, cx, cy, w) spend<Fresh>(d_out[q * n + y * nx + x]);
  D2Q9(SPEND)
#undef SPEND
}

template <bool Fresh>
void d2q9_by_hand(const at &a, float *, const float *in, int nx, int ny, float omega, float *d_out, float *d_in) {
  LAUNCH(a, (d2q9_back<Fresh>), in, nx, ny, omega, d_out, d_in);
}

template <bool Fresh>
__global__ void d3q19_back(const float *in, int nx, int ny, int nz, float omega, float *d_out, float *d_in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  const int n = nx * ny * nz;
  float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#define PULL(q, cx, cy, cz, w)                                                                                        \
  const int from##q = q * n + (wrapped(z - (cz), nz) * ny + wrapped(y - (cy), ny)) * nx + wrapped(x - (cx), nx);      \
  const float f##q = in[from##q];                                                                                     \
  density += f##q;                                                                                                    \
  ux += (cx)*f##q;                                                                                                    \
  uy += (cy)*f##q;                                                                                                    \
  uz += (cz)*f##q;                                                                                                    \
  const float d##q = d_out[q * n + (z * ny + y) * nx + x];
  D3Q19(PULL)
#undef PULL
  ux /= density;
  uy /= density;
  uz /= density;
  const float speed = 1.5f * (ux * ux + uy * uy + uz * uz);
  float d_density = 0.0f, d_ux = 0.0f, d_uy = 0.0f, d_uz = 0.0f, d_speed = 0.0f;
#define BACK(q, cx, cy, cz, w)                                                          \
  {                                                                                     \
    const float along = 3.0f * ((cx)*ux + (cy)*uy + (cz)*uz), d = omega * (w)*d##q;     \
    const float d_along = 3.0f * density * d * (1.0f + along);                          \
    d_density += d * (1.0f + along + 0.5f * along * along - speed);                     \
    d_speed += d;                                                                       \
    d_ux += (cx)*d_along;                                                               \
    d_uy += (cy)*d_along;                                                               \
    d_uz += (cz)*d_along;                                                               \
  }
  D3Q19(BACK)
#undef BACK
  d_speed *= 3.0f * density;
  d_ux = (d_ux - d_speed * ux) / density;
  d_uy = (d_uy - d_speed * uy) / density;
  d_uz = (d_uz - d_speed * uz) / density;
  d_density -= d_ux * ux + d_uy * uy + d_uz * uz;
#define GIVE(q, cx, cy, cz, w) \
  give<Fresh>(d_in[from##q], (1.0f - omega) * d##q + d_density + (cx)*d_ux + (cy)*d_uy + (cz)*d_uz);
  D3Q19(GIVE)
#undef GIVE
#define SPEND(q, cx, cy, cz, w) spend<Fresh>(d_out[q * n + (z * ny + y) * nx + x]);
  D3Q19(SPEND)
#undef SPEND
}

template <bool Fresh>
void d3q19_by_hand(const at &a, float *, const float *in, int nx, int ny, int nz, float omega, float *d_out,
                   float *d_in) {
  LAUNCH(a, (d3q19_back<Fresh>), in, nx, ny, nz, omega, d_out, d_in);
}

__global__ void d3q19_forth(float *out, const float *in, int nx, int ny, int nz, float omega) {
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
#define RELAX(q, cx, cy, cz, w)                                                              \
  {                                                                                          \
    const float along = 3.0f * ((cx)*ux + (cy)*uy + (cz)*uz);                                \
    out[q * n + (z * ny + y) * nx + x] =                                                     \
        f##q + omega * ((w)*density * (1.0f + along + 0.5f * along * along - speed) - f##q); \
  }
  D3Q19(RELAX)
#undef RELAX
}

// All states are kept, and the cotangent goes from one buffer to the other and back.
template <bool Fresh>
void d3q19_steps_by_hand(const at &a, float *state, float *, int nx, int ny, int nz, float omega, int steps,
                         float *d_state) {
  const dim3 grid((nx + 127) / 128, ny, nz);
  const size_t each = static_cast<size_t>(19) * nx * ny * nz;
  float *kept = static_cast<float *>(scratch<0>(sizeof(float) * each * steps));
  float *d_other = static_cast<float *>(scratch<1>(sizeof(float) * each));
  const float *from = state;
  for (int k = 0; k + 1 < steps; k++) {
    LAUNCH_AS(a, grid, 128, 0, d3q19_forth, kept + k * each, from, nx, ny, nz, omega);
    from = kept + k * each;
  }
  float *d_out = d_state, *d_in = d_other;
  for (int k = steps - 1; k >= 0; k--) {
    const float *in = k > 0 ? kept + (k - 1) * each : state;
    LAUNCH_AS(a, grid, 128, 0, (d3q19_back<true>), in, nx, ny, nz, omega, d_out, d_in);
    float *const next = d_out;
    d_out = d_in;
    d_in = next;
  }
  if (steps % 2) (void)cudaMemcpyAsync(d_state, d_out, sizeof(float) * each, cudaMemcpyDeviceToDevice, a.stream);
}
