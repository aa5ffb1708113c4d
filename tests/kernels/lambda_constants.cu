// Lambdas that name constants of the function around them: some of these are captured, most need not be.

__device__ const float table[3] = {1.202f, 0.075f, -0.023f};

// Two numbers of one type, of which one is a constant and the other looks like one at first.
__global__ void numbers(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
  const int m = 3 - 1, q = 1;
  const float e = 0.75f;
  auto f = [&](double p) { return p * x[(i + k + m) % n] * q * fmax((double)q, x[0]) + e * p; };
  k = 1;
  y[i] = f(x[i]);
}

// Arrays, objects, pointers and references.
__global__ void of_all_kinds(const double *x, double *y, int n) {
  struct Weights { double a, b[2]; };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  constexpr double w[3] = {0.5, 0.25, 2.0};
  constexpr Weights pair = {0.5, {0.25, w[2]}};
  constexpr const float *second = &table[1];
  const float &third = table[2];
  const float scale = x[0];  // this one is no constant
  double sum = x[i];
  auto f = [&](double p) { return p * w[i % 3] * pair.b[i % 2] * pair.a * sum + *second * third * scale * p; };
  sum *= sum;
  y[i] = f(x[(i + 1) % n]);
}

// Copies: a constant whose address is taken is captured, and those beside it are not.
__global__ void copies(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int one = 1, m = 2;
  int k = 3;
  auto f = [=](double p) mutable {
    k -= one;
    const int *a = &m;
    return p * x[(i + k) % n] * *a * x[(i + one) % n];
  };
  y[i] = f(x[i]) + f(x[i]);
}

// In a member function, and in a lambda in a lambda.
template <int N>
struct Deep {
  double scale;
  __device__ double at(const double *x, int i, int n) const {
    const int m = N;
    int k = i;
    constexpr float half = 0.5f;
    auto f = [=](double p) {
      auto g = [=](double q) { return q * scale * m * half * x[(k + m) % n]; };
      return g(p) * x[m];
    };
    k = 1;
    return f(x[i]) * k;
  }
};

__global__ void in_members(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Deep<2> deep{x[1]};
  y[i] = deep.at(x, i, n);
}
