// Every cell pulls what it gave to its neighbours.
__global__ void clear_inside(double *d, int nx, int ny, int nz) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y), z = static_cast<int>(blockIdx.z);
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  d[(z * ny + y) * nx + x] = 0.0;
}

template <bool Fresh>
__global__ void diffusion_back(int nx, int ny, int nz, double rate, double dt, const double *d_next, double *d_u,
                               double *d_source) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y), z = static_cast<int>(blockIdx.z);
  if (x >= nx || y >= ny) return;
  const int row = nx, plane = nx * ny, c = z * plane + y * row + x;
  const bool in_x = x > 0 && x < nx - 1, in_y = y > 0 && y < ny - 1, in_z = z > 0 && z < nz - 1;
  double own = 0.0, sum = 0.0;
  if (in_x && in_y && in_z) {
    own = d_next[c];
    sum = own * (1.0 - 6.0 * rate);
    give<Fresh>(d_source[c], dt * own);
  }
  double near = 0.0;
  if (in_y && in_z) {
    if (x > 1) near += d_next[c - 1];
    if (x < nx - 2) near += d_next[c + 1];
  }
  if (in_x && in_z) {
    if (y > 1) near += d_next[c - row];
    if (y < ny - 2) near += d_next[c + row];
  }
  if (in_x && in_y) {
    if (z > 1) near += d_next[c - plane];
    if (z < nz - 2) near += d_next[c + plane];
  }
  give<Fresh>(d_u[c], sum + rate * near);
}

template <bool Fresh>
void diffusion_by_hand(const at &a, double *, const double *, const double *, int nx, int ny, int nz, double rate,
                       double dt, double *d_next, double *d_u, double *d_source) {
  LAUNCH(a, (diffusion_back<Fresh>), nx, ny, nz, rate, dt, d_next, d_u, d_source);
  if (!Fresh) LAUNCH(a, clear_inside, d_next, nx, ny, nz);
}

// ---- Burgers ----

template <bool Fresh>
__global__ void burgers_back(const double *u, const double *v, int nx, int ny, double nu, double dt, double h,
                             const double *d_next_u, const double *d_next_v, double *d_u, double *d_v) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= nx || y >= ny) return;
  const int c = y * nx + x;
  const double a = 0.5 * dt / h, b = nu * dt / (h * h);
  double of_u = d_next_u[c], of_v = d_next_v[c];
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
    const double du = of_u, dv = of_v;
    of_u = du * (1.0 - 4.0 * b - a * (u[c + 1] - u[c - 1])) - dv * a * (v[c + 1] - v[c - 1]);
    of_v = dv * (1.0 - 4.0 * b - a * (v[c + nx] - v[c - nx])) - du * a * (u[c + nx] - u[c - nx]);
  }
  // the neighbours that are not on the edge: to the right, this cell is the left one, and so on
#define PULL(at, inside, weight)     \
  if (inside) {                      \
    of_u += (weight)*d_next_u[at];   \
    of_v += (weight)*d_next_v[at];   \
  }
  const bool in_x = x > 0 && x < nx - 1, in_y = y > 0 && y < ny - 1;
  PULL(c + 1, in_y && x < nx - 2, b + a * u[c + 1])
  PULL(c - 1, in_y && x > 1, b - a * u[c - 1])
  PULL(c + nx, in_x && y < ny - 2, b + a * v[c + nx])
  PULL(c - nx, in_x && y > 1, b - a * v[c - nx])
#undef PULL
  give<Fresh>(d_u[c], of_u);
  give<Fresh>(d_v[c], of_v);
}

__global__ void clear_field(double *d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) d[i] = 0.0;
}

template <bool Fresh>
void burgers_by_hand(const at &a, double *, double *, const double *u, const double *v, int nx, int ny, double nu,
                     double dt, double h, double *d_next_u, double *d_next_v, double *d_u, double *d_v) {
  LAUNCH(a, (burgers_back<Fresh>), u, v, nx, ny, nu, dt, h, d_next_u, d_next_v, d_u, d_v);
  if (Fresh) return;
  LAUNCH_AS(a, (nx * ny + 255) / 256, 256, 0, clear_field, d_next_u, nx * ny);
  LAUNCH_AS(a, (nx * ny + 255) / 256, 256, 0, clear_field, d_next_v, nx * ny);
}

__global__ void burgers_forth(double *next_u, double *next_v, const double *u, const double *v, int nx, int ny,
                              double nu, double dt, double h) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= nx || y >= ny) return;
  const int c = y * nx + x;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) {
    next_u[c] = u[c];
    next_v[c] = v[c];
    return;
  }
  const double a = 0.5 * dt / h, b = nu * dt / (h * h);
  const double around_u = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx];
  const double around_v = v[c - 1] + v[c + 1] + v[c - nx] + v[c + nx];
  next_u[c] = u[c] - a * (u[c] * (u[c + 1] - u[c - 1]) + v[c] * (u[c + nx] - u[c - nx])) + b * (around_u - 4.0 * u[c]);
  next_v[c] = v[c] - a * (u[c] * (v[c + 1] - v[c - 1]) + v[c] * (v[c + nx] - v[c - nx])) + b * (around_v - 4.0 * v[c]);
}

// All states are kept; cotangents go from one pair of buffers to the other and back.
template <bool Fresh>
void burgers_steps_by_hand(const at &a, double *u, double *v, double *, double *, int nx, int ny, double nu, double dt,
                           double h, int steps, double *d_u, double *d_v) {
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  const size_t n = static_cast<size_t>(nx) * ny;
  double *kept = static_cast<double *>(scratch<0>(sizeof(double) * 2 * n * steps));
  double *other = static_cast<double *>(scratch<1>(sizeof(double) * 2 * n));
  const double *from_u = u, *from_v = v;
  for (int k = 0; k + 1 < steps; k++) {
    double *to = kept + 2 * n * k;
    LAUNCH_AS(a, grid, block, 0, burgers_forth, to, to + n, from_u, from_v, nx, ny, nu, dt, h);
    from_u = to;
    from_v = to + n;
  }
  double *out_u = d_u, *out_v = d_v, *in_u = other, *in_v = other + n;
  for (int k = steps - 1; k >= 0; k--) {
    const double *at_u = k > 0 ? kept + 2 * n * (k - 1) : u, *at_v = k > 0 ? at_u + n : v;
    LAUNCH_AS(a, grid, block, 0, (burgers_back<true>), at_u, at_v, nx, ny, nu, dt, h, out_u, out_v, in_u, in_v);
    double *const u_next = out_u, *const v_next = out_v;
    out_u = in_u;
    out_v = in_v;
    in_u = u_next;
    in_v = v_next;
  }
}
