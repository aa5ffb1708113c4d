// Kernels as they are written in practice.
__device__ double normal_cdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }
__global__ void black_scholes(const double *spot, const double *strike, const double *years, double rate, double vol,
                              double *call, double *put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double root = sqrt(years[i]);
  double d1 = (log(spot[i] / strike[i]) + (rate + 0.5 * vol * vol) * years[i]) / (vol * root);
  double d2 = d1 - vol * root;
  double discount = strike[i] * exp(-rate * years[i]);
  call[i] = spot[i] * normal_cdf(d1) - discount * normal_cdf(d2);
  put[i] = call[i] - spot[i] + discount;
}

__global__ void lennard_jones(const double *position, double *force, double *energy, double epsilon, double sigma, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double fx = 0, fy = 0, fz = 0, e = 0;
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    double dx = position[3 * i] - position[3 * j];
    double dy = position[3 * i + 1] - position[3 * j + 1];
    double dz = position[3 * i + 2] - position[3 * j + 2];
    double r2 = dx * dx + dy * dy + dz * dz + 0.3;
    if (r2 > 2.5) continue;
    double s2 = sigma * sigma / r2;
    double s6 = s2 * s2 * s2;
    e += 2.0 * epsilon * (s6 * s6 - s6);
    double f = 24.0 * epsilon * (2.0 * s6 * s6 - s6) / r2;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
  }
  force[3 * i] = fx;
  force[3 * i + 1] = fy;
  force[3 * i + 2] = fz;
  atomicAdd(energy, e);
}

__global__ void heat_stencil(const double *u, double *next, double alpha, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int k = y * w + x;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    next[k] = u[k];
    return;
  }
  double conductivity = 1.0 + 0.1 * u[k] * u[k];
  next[k] = u[k] + alpha * conductivity * (u[k - 1] + u[k + 1] + u[k - w] + u[k + w] - 4.0 * u[k]);
}

__global__ void gemv(const double *a, const double *x, double *y, double alpha, double beta, int rows, int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double s = 0.0;
  for (int c = 0; c < columns; ++c) s += a[r * columns + c] * x[c];
  y[r] = alpha * s + beta * y[r];
}

__global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float s = 0.0f;
  for (int i = 0; i < k; ++i) s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}

__global__ void rms_norm(const float *x, const float *weight, float *y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) sum += x[r * width + k] * x[r * width + k];
  float scale = rsqrtf(sum / width + 1e-5f);
  for (int k = 0; k < width; ++k) y[r * width + k] = x[r * width + k] * scale * weight[k];
}

__global__ void biquad(const double *x, double *y, double b0, double b1, double a1, double a2, int channels, int length) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  double z1 = 0, z2 = 0;
  for (int t = 0; t < length; ++t) {
    double in = x[c * length + t];
    double out = b0 * in + z1;
    z1 = b1 * in - a1 * out + z2;
    z2 = -a2 * out;
    y[c * length + t] = tanh(out);
  }
}

__global__ void newton(const double *a, double *root, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = 1.0;
  for (int k = 0; k < 50; ++k) {
    double f = x * x * x + x - a[i];
    double step = f / (3.0 * x * x + 1.0);
    x -= step;
    if (fabs(step) < 1e-9) break;
  }
  root[i] = x;
}

__device__ int find_interval(const double *grid, int n, double at) {
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (grid[mid] <= at)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}
__global__ void table_lookup(const double *grid, const double *value, const double *at, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = find_interval(grid, m, at[i]);
  double f = (at[i] - grid[k]) / (grid[k + 1] - grid[k]);
  y[i] = value[k] + f * (value[k + 1] - value[k]);
}

__global__ void cross_sections(const double *energy_grid, const double *xs, const double *energy, const int *material,
                               const double *density, double *total, int n, int m, int nuclides) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double macro[3] = {0.0, 0.0, 0.0};
  int k = find_interval(energy_grid, m, energy[i]);
  double f = (energy[i] - energy_grid[k]) / (energy_grid[k + 1] - energy_grid[k]);
  for (int j = 0; j < nuclides; ++j) {
    if ((material[i] >> j & 1) == 0) continue;
    for (int c = 0; c < 3; ++c) {
      const double *row = xs + (j * m + k) * 3;
      macro[c] += density[j] * ((1.0 - f) * row[c] + f * row[3 + c]);
    }
  }
  total[i] = macro[0] + 2.0 * macro[1] * macro[2];
}

__global__ void escape_time(const double *re, const double *im, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = 0, b = 0;
  int k = 0;
  while (a * a + b * b < 4.0 && k < 12) {
    double t = a * a - b * b + re[i];
    b = 2.0 * a * b + im[i];
    a = t;
    ++k;
  }
  y[i] = k + a * a + b * b;
}

__global__ void horner(const double *c, const double *x, double *y, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = c[degree];
  for (int k = degree - 1; k >= 0; --k) s = s * x[i] + c[k];
  y[i] = s;
}

__global__ void clenshaw(const double *c, const double *x, double *y, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double b1 = 0, b2 = 0;
  for (int k = degree; k > 0; k--) {
    double b0 = 2.0 * x[i] * b1 - b2 + c[k];
    b2 = b1;
    b1 = b0;
  }
  y[i] = x[i] * b1 - b2 + c[0];
}

__device__ void lorenz(const double *s, double *d, double sigma, double rho, double beta) {
  d[0] = sigma * (s[1] - s[0]);
  d[1] = s[0] * (rho - s[2]) - s[1];
  d[2] = s[0] * s[1] - beta * s[2];
}
__global__ void runge_kutta(double *state, double sigma, double rho, double beta, double h, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s[3] = {state[3 * i], state[3 * i + 1], state[3 * i + 2]};
  for (int step = 0; step < steps; ++step) {
    double k[4][3], t[3];
    lorenz(s, k[0], sigma, rho, beta);
    for (int j = 0; j < 3; ++j) t[j] = s[j] + 0.5 * h * k[0][j];
    lorenz(t, k[1], sigma, rho, beta);
    for (int j = 0; j < 3; ++j) t[j] = s[j] + 0.5 * h * k[1][j];
    lorenz(t, k[2], sigma, rho, beta);
    for (int j = 0; j < 3; ++j) t[j] = s[j] + h * k[2][j];
    lorenz(t, k[3], sigma, rho, beta);
    for (int j = 0; j < 3; ++j) s[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
  }
  for (int j = 0; j < 3; ++j) state[3 * i + j] = s[j];
}

__global__ void monte_carlo(double spot, double vol, double *payoff, unsigned seed, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long state = (unsigned long long)seed * 6364136223846793005ULL + (unsigned long long)i;
  double s = spot;
  for (int k = 0; k < steps; ++k) {
    double u = 0;
    for (int j = 0; j < 12; ++j) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      u += (double)(state >> 11) * (1.0 / 9007199254740992.0);
    }
    s *= exp(vol * 0.2 * (u - 6.0) - 0.5 * vol * vol * 0.04);
  }
  payoff[i] = s > 0.9 ? s - 0.9 : 0.0;
}

__global__ void cubic_spline(const double *knot, const double *a, const double *b, const double *c, const double *d,
                             const double *at, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
  while (k < m - 2 && at[i] >= knot[k + 1]) ++k;
  double t = at[i] - knot[k];
  y[i] = a[k] + t * (b[k] + t * (c[k] + t * d[k]));
}

__global__ void convolution(const double *x, const double *w, double *y, int width, int height, int radius) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= width || r >= height) return;
  double s = 0;
  for (int dr = -radius; dr <= radius; ++dr) {
    for (int dc = -radius; dc <= radius; ++dc) {
      int rr = r + dr, cc = c + dc;
      if (rr < 0 || rr >= height || cc < 0 || cc >= width) continue;
      s += x[rr * width + cc] * w[(dr + radius) * (2 * radius + 1) + dc + radius];
    }
  }
  y[r * width + c] = s > 0.0 ? s : 0.01 * s;
}

__global__ void softmax(const double *x, double *y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const double *in = x + r * width;
  double *out = y + r * width;
  double highest = in[0];
  for (int k = 1; k < width; ++k) highest = in[k] > highest ? in[k] : highest;
  double sum = 0;
  for (int k = 0; k < width; ++k) {
    out[k] = exp(in[k] - highest);
    sum += out[k];
  }
  for (int k = 0; k < width; ++k) out[k] /= sum;
}

__global__ void log_sum_exp(const float *x, float *y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float highest = -1e30f, sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    float v = x[r * width + k];
    if (v > highest) {
      sum = sum * expf(highest - v) + 1.0f;
      highest = v;
    } else {
      sum += expf(v - highest);
    }
  }
  y[r] = highest + logf(sum);
}

__device__ void quaternion_product(const double *p, const double *q, double *r) {
  r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  r[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  r[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  r[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}
__global__ void quaternion_rotation(const double *q, const double *v, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double p[4] = {0.0, v[3 * i], v[3 * i + 1], v[3 * i + 2]}, unit[4], inverse[4], t[4], r[4];
  double norm = 0;
  for (int k = 0; k < 4; ++k) norm += q[4 * i + k] * q[4 * i + k];
  norm = 1.0 / sqrt(norm);
  for (int k = 0; k < 4; ++k) {
    unit[k] = q[4 * i + k] * norm;
    inverse[k] = k == 0 ? unit[k] : -unit[k];
  }
  quaternion_product(unit, p, t);
  quaternion_product(t, inverse, r);
  for (int k = 0; k < 3; ++k) out[3 * i + k] = r[k + 1];
}

__global__ void inverse_3x3(const double *a, double *inverse, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m[r][c] = a[9 * i + 3 * r + c] + (r == c ? 3.0 : 0.0);
  double det = 0;
  for (int c = 0; c < 3; ++c)
    det += m[0][c] * (m[1][(c + 1) % 3] * m[2][(c + 2) % 3] - m[1][(c + 2) % 3] * m[2][(c + 1) % 3]);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      inverse[9 * i + 3 * c + r] = (m[(r + 1) % 3][(c + 1) % 3] * m[(r + 2) % 3][(c + 2) % 3] -
                                    m[(r + 1) % 3][(c + 2) % 3] * m[(r + 2) % 3][(c + 1) % 3]) /
                                   det;
}

__global__ void cholesky(const double *a, double *factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double l[4][4] = {};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c <= r; ++c) {
      double s = a[16 * i + 4 * r + c] + (r == c ? 5.0 : 0.0);
      for (int k = 0; k < c; ++k) s -= l[r][k] * l[c][k];
      if (r == c)
        l[r][c] = sqrt(s);
      else
        l[r][c] = s / l[c][c];
    }
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) factor[16 * i + 4 * r + c] = l[r][c];
}

__global__ void thomas(const double *lower, const double *diagonal, const double *upper, double *rhs, int systems, int m) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  double c[16];
  double *d = rhs + s * m;
  const double *a = lower + s * m, *b = diagonal + s * m, *u = upper + s * m;
  c[0] = u[0] / (b[0] + 3.0);
  d[0] = d[0] / (b[0] + 3.0);
  for (int k = 1; k < m; ++k) {
    double w = 1.0 / (b[k] + 3.0 - a[k] * c[k - 1]);
    c[k] = u[k] * w;
    d[k] = (d[k] - a[k] * d[k - 1]) * w;
  }
  for (int k = m - 2; k >= 0; --k) d[k] -= c[k] * d[k + 1];
}

__global__ void ray_sphere(const double *origin, const double *direction, const double *sphere, double *depth, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *o = origin + 3 * i, *d = direction + 3 * i;
  double best = 100.0;
  for (int k = 0; k < m; ++k) {
    const double *s = sphere + 4 * k;
    double b = 0, c = -s[3] * s[3], a = 0;
    for (int j = 0; j < 3; ++j) {
      double e = o[j] - s[j];
      a += d[j] * d[j];
      b += d[j] * e;
      c += e * e;
    }
    double disc = b * b - a * c;
    if (disc < 0.0) continue;
    double root = sqrt(disc);
    double t = (-b - root) / a;
    if (t < 0.001) t = (-b + root) / a;
    if (t >= 0.001 && t < best) best = t;
  }
  depth[i] = best < 100.0 ? best : -1.0;
}

__global__ void bilinear(const float *image, const float *u, const float *v, float *y, int w, int h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float fx = u[i] * 0.7f * (w - 1), fy = v[i] * 0.7f * (h - 1);
  int x = (int)floorf(fx), y0 = (int)floorf(fy);
  float tx = fx - x, ty = fy - y0;
  const float *p = image + y0 * w + x;
  y[i] = (p[0] * (1.0f - tx) + p[1] * tx) * (1.0f - ty) + (p[w] * (1.0f - tx) + p[w + 1] * tx) * ty;
}

__global__ void cumulative_product(const double *x, double *y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double p = 1.0;
  for (int k = 0; k < width; ++k) y[r * width + k] = (p *= x[r * width + k]);
}

__global__ void branch_game(const double *x, double *y, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double health = 1.0 + x[i], gold = 0.1;
  int place = i % 4;
  for (int k = 0; k < rounds; ++k) {
    double luck = x[(i * 5 + k * 3) % n];
    if (place == 0) {
      if (luck > 0.7) {
        gold += health * luck;
        place = 2;
        continue;
      }
      health *= 0.9;
      place = 1;
    } else if (place == 1) {
      while (health < 1.0) health = health * 1.2 + 0.1 * gold;
      place = luck < 0.4 ? 3 : 0;
    } else if (place == 2) {
      gold = gold * gold * 0.5 + luck;
      if (gold > 3.0) break;
      place = 1;
    } else {
      health -= 0.2 * luck * gold;
      if (health < 0.2) {
        y[i] = -gold;
        return;
      }
      place = 0;
    }
  }
  y[i] = health * gold;
}

__global__ void adam_step(double *w, const double *g, double *m, double *v, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = 0.9 * m[i] + 0.1 * g[i];
  v[i] = 0.99 * v[i] + 0.01 * g[i] * g[i];
  w[i] -= rate * m[i] / (sqrt(v[i]) + 1e-3);
}

__global__ void pendulum(const double *angle, double *energy, double length, double h, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double q = angle[i], p = 0.0;
  for (int k = 0; k < steps; ++k) {
    p -= h * sin(q) / length;
    q += h * p;
  }
  energy[i] = 0.5 * p * p + (1.0 - cos(q)) / length;
}

__global__ void dense_layers(const float *x, const float *w1, const float *w2, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float hidden[8];
  for (int j = 0; j < 8; ++j) {
    float s = 0.1f;
    for (int k = 0; k < 4; ++k) s += w1[j * 4 + k] * x[i * 4 + k];
    hidden[j] = s > 0.0f ? s / (1.0f + expf(-s)) : 0.0f;
  }
  for (int j = 0; j < 3; ++j) {
    float s = 0.0f;
    for (int k = 0; k < 8; ++k) s += w2[j * 8 + k] * hidden[k];
    y[i * 3 + j] = tanhf(s);
  }
}

__global__ void trapezoid(const double *a, const double *b, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double h = (b[i] - a[i]) / m, s = 0;
  for (int k = 0; k <= m; ++k) {
    double x = a[i] + k * h;
    double f = exp(-x * x) * cos(3.0 * x);
    s += k == 0 || k == m ? 0.5 * f : f;
  }
  y[i] = s * h;
}
