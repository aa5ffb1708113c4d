// Kernels in which one step feeds the next: filters, solvers, recursions over time, random walks.
// The forward recursion of connectionist temporal classification, in logarithms, over labels with blanks.
__device__ double log_add(double a, double b) {
  if (a == -INFINITY) return b;
  if (b == -INFINITY) return a;
  return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}
__global__ void ctc(const double *log_probs, const int *targets, const int *lengths, double *loss, int T, int labels, int classes, int batch) {
  const int b = threadIdx.x + blockIdx.x * blockDim.x;
  if (b >= batch) return;
  const int *target = targets + b * labels;
  const int S = 2 * lengths[b] + 1;
  double alpha[2][9];
  for (int s = 0; s < 9; ++s) alpha[0][s] = -INFINITY;
  auto label = [=](int s) { return s % 2 == 0 ? 0 : target[s / 2]; };
  const double *p = log_probs + b * T * classes;
  alpha[0][0] = p[0];
  if (S > 1) alpha[0][1] = p[label(1)];
  for (int t = 1; t < T; ++t) {
    const double *row = p + t * classes;
    double(&now)[9] = alpha[t & 1];
    const double *before = alpha[(t - 1) & 1];
    for (int s = 0; s < S; ++s) {
      double a = before[s];
      if (s >= 1) a = log_add(a, before[s - 1]);
      if (s >= 2 && label(s) != 0 && label(s) != label(s - 2)) a = log_add(a, before[s - 2]);
      now[s] = a + row[label(s)];
    }
  }
  const double *last = alpha[(T - 1) % 2];
  loss[b] = -log_add(last[S - 1], S > 1 ? last[S - 2] : -INFINITY);
}

// Kalman filter of constant velocity with small matrices as a class template.
template <int R, int C, typename T = double>
class Matrix {
  T data_[R * C];

 public:
  __device__ Matrix() : data_{} {}
  __device__ explicit Matrix(T diagonal) : Matrix() {
    static_assert(R == C, "square");
    for (int i = 0; i < R; ++i) (*this)(i, i) = diagonal;
  }
  __device__ T &operator()(int r, int c = 0) { return data_[r * C + c]; }
  __device__ const T &operator()(int r, int c = 0) const { return data_[r * C + c]; }
  template <int K>
  __device__ Matrix<R, K, T> operator*(const Matrix<C, K, T> &o) const {
    Matrix<R, K, T> m;
    for (int i = 0; i < R; ++i)
      for (int k = 0; k < K; ++k) {
        T s{};
        for (int j = 0; j < C; ++j) s += (*this)(i, j) * o(j, k);
        m(i, k) = s;
      }
    return m;
  }
  __device__ Matrix &operator+=(const Matrix &o) {
    for (int i = 0; i < R * C; ++i) data_[i] += o.data_[i];
    return *this;
  }
  __device__ friend Matrix operator+(Matrix a, const Matrix &b) { return a += b; }
  __device__ Matrix operator-() const {
    Matrix m;
    for (int i = 0; i < R * C; ++i) m.data_[i] = -data_[i];
    return m;
  }
  __device__ Matrix<C, R, T> t() const {
    Matrix<C, R, T> m;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) m(j, i) = (*this)(i, j);
    return m;
  }
};
__device__ Matrix<2, 2> inverse(const Matrix<2, 2> &a) {
  const double d = 1.0 / (a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0));
  Matrix<2, 2> i;
  i(0, 0) = d * a(1, 1), i(1, 1) = d * a(0, 0);
  i(0, 1) = -d * a(0, 1), i(1, 0) = -d * a(1, 0);
  return i;
}
__global__ void kalman(const double *measurements, double *likelihood, double q, double r, double dt, int steps, int tracks) {
  const int k = blockDim.x * blockIdx.x + threadIdx.x;
  if (k >= tracks) return;
  using Vec4 = Matrix<4, 1>;
  using Mat4 = Matrix<4, 4>;
  Mat4 F(1.0), P(2.0);
  F(0, 2) = F(1, 3) = dt;
  Matrix<2, 4> H;
  H(0, 0) = H(1, 1) = 1;
  Vec4 x;
  double total = 0;
  for (int s = 0; s < steps; ++s) {
    x = F * x;
    P = F * P * F.t() + Mat4(q);
    Matrix<2, 1> z;
    z(0) = measurements[(k * steps + s) * 2], z(1) = measurements[(k * steps + s) * 2 + 1];
    const Matrix<2, 1> residual = z + -(H * x);
    const Matrix<2, 2> S = H * P * H.t() + Matrix<2, 2>(r), Si = inverse(S);
    const auto K = P * H.t() * Si;
    x += K * residual;
    P = (Mat4(1.0) + -(K * H)) * P;
    total += (residual.t() * Si * residual)(0, 0) + log(S(0, 0) * S(1, 1) - S(0, 1) * S(1, 0));
  }
  likelihood[k] = -0.5 * total;
}

// Householder factorisation of a 4 by 4 system per thread, with back substitution.
__global__ void qr_solve(const double *matrices, const double *rhs, double *solution, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  double A[4][5];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) A[i][j] = matrices[id * 16 + i * 4 + j];
    A[i][4] = rhs[id * 4 + i];
  }
  for (int k = 0; k < 4; ++k) {
    double norm = 0;
    for (int i = k; i < 4; ++i) norm = hypot(norm, A[i][k]);
    if (norm == 0) continue;
    const double alpha = -copysign(norm, A[k][k]);
    double v[4] = {0}, vv = 0;
    for (int i = k; i < 4; ++i) {
      v[i] = A[i][k] - (i == k ? alpha : 0);
      vv += v[i] * v[i];
    }
    for (int j = k; j <= 4; ++j) {
      double s = 0;
      for (int i = k; i < 4; ++i) s += v[i] * A[i][j];
      s *= 2 / vv;
      for (int i = k; i < 4; ++i) A[i][j] -= s * v[i];
    }
  }
  double x[4];
  for (int i = 3; i >= 0; --i) {
    x[i] = A[i][4];
    for (int j = i + 1; j < 4; ++j) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
  for (int i = 0; i != 4; ++i) solution[id * 4 + i] = x[i];
}

// Implicit Euler with Newton's method for stiff chemistry (Robertson's problem).
struct Rates {
  double k1, k2, k3;
};
__device__ bool newton_step(const Rates &k, const double (&old)[3], double (&y)[3], double h) {
  const double r1 = k.k1 * y[0], r2 = k.k2 * y[1] * y[1], r3 = k.k3 * y[1] * y[2];
  const double f0 = y[0] - old[0] - h * (r3 - r1), f1 = y[1] - old[1] - h * (r1 - r2 - r3), f2 = y[2] - old[2] - h * r2;
  const double a = 1 + h * k.k1, b = -h * k.k3 * y[2], c = -h * k.k3 * y[1], d = -h * k.k1, e = 1 + h * (2 * k.k2 * y[1] + k.k3 * y[2]),
               f = h * k.k3 * y[1], g = 0, i = -2 * h * k.k2 * y[1], j = 1;
  const double det = a * (e * j - f * i) - b * (d * j - f * g) + c * (d * i - e * g);
  const double s0 = (f0 * (e * j - f * i) - b * (f1 * j - f * f2) + c * (f1 * i - e * f2)) / det;
  const double s1 = (a * (f1 * j - f * f2) - f0 * (d * j - f * g) + c * (d * f2 - f1 * g)) / det;
  const double s2 = (a * (e * f2 - f1 * i) - b * (d * f2 - f1 * g) + f0 * (d * i - e * g)) / det;
  y[0] -= s0, y[1] -= s1, y[2] -= s2;
  return s0 * s0 + s1 * s1 + s2 * s2 < 1e-20;
}
__global__ void stiff(double *concentrations, Rates rates, double step, int steps, int n) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= n) return;
  double *own = concentrations + 3 * cell;
  for (int s = 0; s < steps; ++s) {
    double old[3], y[3];
    for (int c = 0; c < 3; ++c) y[c] = old[c] = own[c];
    int iterations = 0;
    while (!newton_step(rates, old, y, step * (1 + s)) && ++iterations < 20)
      ;
    for (int c = 0; c < 3; ++c) own[c] = y[c];
  }
}

// A monotone cubic (Fritsch-Carlson) through a table, by binary search.
__global__ void monotone(const double *xs, const double *ys, const double *at, double *out, double *slope, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double t = at[i];
  const double *low = xs, *high = xs + m - 1;
  do {
    const double *mid = low + (high - low) / 2;
    (*mid <= t ? low : high) = mid;
  } while (high - low > 1);
  const int k = int(low - xs);
  auto secant = [&](int j) { return (ys[j + 1] - ys[j]) / (xs[j + 1] - xs[j]); };
  auto tangent = [&](int j) {
    if (j == 0) return secant(0);
    if (j == m - 1) return secant(m - 2);
    const double a = secant(j - 1), b = secant(j);
    return a * b <= 0 ? 0.0 : 2 * a * b / (a + b);
  };
  const double h = high[0] - *low, u = (t - *low) / h, m0 = tangent(k), m1 = tangent(k + 1);
  const double u2 = u * u, u3 = u2 * u;
  out[i] = (2 * u3 - 3 * u2 + 1) * ys[k] + (u3 - 2 * u2 + u) * h * m0 + (3 * u2 - 2 * u3) * ys[k + 1] + (u3 - u2) * h * m1;
  if (slope != nullptr) slope[i] = (6 * u2 - 6 * u) / h * (ys[k] - ys[k + 1]) + (3 * u2 - 4 * u + 1) * m0 + (3 * u2 - 2 * u) * m1;
}

// Monte Carlo of Heston's model with a counter-based generator.
struct Philox {
  uint4 counter;
  uint2 key;
  __device__ uint4 operator()() {
    uint4 c = counter;
    uint2 k = key;
    for (int round = 0; round < 7; ++round) {
      const unsigned hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
      const unsigned hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
      c = make_uint4(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
      k.x += 0x9E3779B9u, k.y += 0xBB67AE85u;
    }
    if (!++counter.x) ++counter.y;
    return c;
  }
};
__device__ double2 normals_of(uint2 bits) {
  const double u = (bits.x + 0.5) * 2.3283064365386963e-10, v = bits.y * 2.3283064365386963e-10;
  double2 z;
  sincospi(2 * v, &z.x, &z.y);
  const double r = sqrt(-2 * log(u));
  return {r * z.x, r * z.y};
}
__global__ void heston(double *price, double spot, double strike, double v0, double kappa, double theta, double xi, double rho,
                       int steps, int paths, unsigned long long seed) {
  const int stride = gridDim.x * blockDim.x;
  double sum = 0;
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < paths; p += stride) {
    Philox random{{unsigned(p), 0, 0, 1}, {unsigned(seed), unsigned(seed >> 32)}};
    double x = log(spot), v = v0, worst = spot;
    const double dt = 1.0 / steps, root = sqrt(dt);
    for (int s = 0; s < steps; s += 2) {
      const uint4 bits = random();
      const double2 pair[2] = {normals_of({bits.x, bits.y}), normals_of({bits.z, bits.w})};
      for (const double2 &z : pair) {
        const double vp = v > 0 ? v : 0;
        x += -0.5 * vp * dt + sqrt(vp) * root * z.x;
        v += kappa * (theta - vp) * dt + xi * sqrt(vp) * root * (rho * z.x + sqrt(1 - rho * rho) * z.y);
        worst = fmin(worst, exp(x));
      }
    }
    if (worst > 0.6 * spot) sum += fmax(exp(x) - strike, 0.0);
  }
  atomicAdd(price, sum / paths);
}

// An angle that is asked for its sine, moves, and is asked for its cosine, and again in the next turn.
__global__ void swings(const double *x, double *y, int n, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double angle = x[i], speed = 0.5;
  for (int k = 0; k < turns; ++k) {
    speed -= 0.1 * sin(angle);
    angle += 0.1 * speed * cos(angle);
  }
  y[i] = sin(angle) * cos(angle) + speed;
}
