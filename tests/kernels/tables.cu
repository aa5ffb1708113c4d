// Variables at namespace scope that are read; rows of matrices as arguments of kernels and device functions.
namespace quadrature {
__constant__ double nodes[5] = {-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683, 0.906179845938664};
__constant__ double weights[5] = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                  0.236926885056189};
}  // namespace quadrature

static __constant__ float stencil[2][3] = {{0.25f, 0.5f, 0.25f}, {-0.5f, 0.0f, 0.5f}};
__device__ double offsets[4] = {0.1, -0.2, 0.3, 0.05};
__device__ const int order[4] = {2, 0, 3, 1};
constexpr double gain = 1.75;
namespace {
namespace inner {
__device__ double bias = 0.375;
}
}  // namespace

__global__ void gauss_legendre(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double half = 0.5 * (b[i] - a[i]), middle = 0.5 * (a[i] + b[i]), s = 0;
  for (int k = 0; k < 5; ++k) s += quadrature::weights[k] * exp(-(middle + half * quadrature::nodes[k]));
  y[i] = half * s;
}

__device__ double filtered(const float *w, const double *x, int i, int n) {
  double s = inner::bias;
  for (int k = 0; k < 3; ++k) s += w[k] * x[(i + k) % n];
  return s;
}

__global__ void table_rows(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double smooth = filtered(stencil[0], x, i, n), slope = filtered(stencil[1], x, i, n);
  y[i] = gain * smooth * slope + offsets[order[i % 4]] * slope * slope;
}

// Which table is read hangs on the data, and changes as the loop runs.
__global__ void chosen_table(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool first = x[i] > 0.7041;
  const double *p = first ? quadrature::nodes : offsets;
  int length = first ? 5 : 4;
  double s = x[i];
  for (int k = 0; k < 6; ++k) {
    s = s * 0.6 + sin(p[k % length] + s);
    if (s > 0.9137) {
      p = x;
      length = n;
    }
  }
  y[i] = s;
}

// A counter at namespace scope is written; it starts anew for no run but by the program's own doing.
__device__ int turns[64];
__global__ void counted(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  turns[i] = i % 3;
  double s = x[i];
  while (s < 2.0 && turns[i] < 9) {
    s += s * x[i];
    ++turns[i];
  }
  y[i] = s * turns[i];
}

__device__ double dot3(const double (*m)[3], int r, const double (&v)[3]) {
  return m[r][0] * v[0] + m[r][1] * v[1] * v[1] + m[r][2] * v[2];
}

__global__ void rows_of_three(double (*m)[3], const double (*w)[3], double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v[3];
  for (int k = 0; k < 3; ++k) v[k] = w[i][k] * m[i][k];
  m[i][1] = dot3(m, i, v) * m[i][1];
  y[i] = dot3(w, i, v) * m[i][1] + (*m)[2] * m[0][0];
}

__global__ void blocks_of_four(double (*m)[2][2], float (*f)[2], double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double(*mine)[2] = m[i];
  double determinant = mine[0][0] * mine[1][1] - mine[0][1] * mine[1][0];
  f[i][1] *= f[i][0];
  for (double(*row)[2] = mine; row != mine + 2; ++row) (*row)[1] = (*row)[0] * determinant + f[i][1];
  y[i] = determinant;
}

double fixed_sizes(const double (&a)[3], double (*b)[2]) { return a[0] * a[1] * b[1][0] + a[2] * b[0][1]; }

// Static variables that never change, inside of a function.
__global__ void static_constants(const double *x, double *y, int n) {
  static const double weight[3] = {0.25, -0.5, 0.75};
  static const int steps = 4;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < steps; ++k) s = s * weight[(i + k) % 3] + sin(s);
  y[i] = s;
}

// Constants that are computed when this is compiled.
template <int N> struct Half {
  static constexpr int value = N / 2;
};
template <int N> __global__ void static_numbers(const double *x, double *y, int n) {
  static constexpr auto least = -1 - 6 % 4;
  static constexpr auto least_as_number = static_cast<double>(least);
  static constexpr int stride = N * 2 + Half<N>::value;
  static const double share = 1.0 / stride;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > least_as_number ? x[i] * x[i] * share : stride;
}
