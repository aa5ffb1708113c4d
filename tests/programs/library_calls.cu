// Host functions with derivatives of their own, as calls of a library are.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

// ---- the library -----------------------------------------------------------------------------------------------------

enum status_t { WELL = 0, WRONG_SIZE = 3 };

// y = a * A x + b * y, of matrices on the device
__global__ void product(int n, double a, const double *matrix, const double *x, double b, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += matrix[i * n + j] * x[j];
  y[i] = a * sum + b * y[i];
}
status_t matrix_vector(int n, const double *a, const double *matrix, const double *x, const double *b, double *y) {
  if (n <= 0) return WRONG_SIZE;
  product<<<(n + 31) / 32, 32>>>(n, *a, matrix, x, *b, y);
  return WELL;
}

__global__ void product_back(int n, double a, const double *matrix, const double *x, double b, const double *y,
                             double *d_a, double *d_matrix, double *d_x, double *d_b, double *d_y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double d = d_y[i];
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    sum += matrix[i * n + j] * x[j];
    if (d_matrix) d_matrix[i * n + j] += a * d * x[j];
    if (d_x) atomicAdd(&d_x[j], a * d * matrix[i * n + j]);
  }
  atomicAdd(d_a, d * sum);
  atomicAdd(d_b, d * y[i]);
  d_y[i] = b * d;
}

double norm(const double *x, int n) {
  double sum = 0;
  double *host = new double[n];
  cudaMemcpy(host, x, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i] * host[i];
  delete[] host;
  return sqrt(sum);
}
__global__ void norm_back(const double *x, int n, double factor, double *d_x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] += factor * x[i];
}

// On memory of the host; gives the sum, too.
double running_sums(const double *x, double *y, int n, double *total) {
  double sum = 0;
  for (int i = 0; i < n; ++i) y[i] = sum += x[i];
  *total = 2 * sum;
  return sum * sum;
}

// y = factor * x^2
__global__ void squares(double factor, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i] * x[i];
}
__global__ void squares_back(double factor, const double *x, double *d_factor, double *d_x, double *d_y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  d_x[i] += 2 * factor * x[i] * d_y[i];
  atomicAdd(d_factor, x[i] * x[i] * d_y[i]);
  d_y[i] = 0;
}
struct plan {
  double factor;
  bool apply(const double *x, double *y, int n) const {
    squares<<<1, n>>>(factor, x, y, n);
    return true;
  }
};

namespace cladpy::custom_derivatives {
void apply_pullback(const plan *self, const double *x, double *, int n, plan *d_self, double *d_x, double *d_y) {
  double *sum, found;
  cudaMalloc(&sum, sizeof found);
  cudaMemset(sum, 0, sizeof found);
  squares_back<<<1, n>>>(self->factor, x, sum, d_x, d_y, n);
  cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost);
  d_self->factor += found;
  cudaFree(sum);
}
void matrix_vector_pullback(int n, const double *a, const double *matrix, const double *x, const double *b, double *y,
                            double *d_a, double *d_matrix, double *d_x, double *d_b, double *d_y) {
  double *factors, found[2] = {0, 0};
  cudaMalloc(&factors, sizeof found);
  cudaMemset(factors, 0, sizeof found);
  product_back<<<(n + 31) / 32, 32>>>(n, *a, matrix, x, *b, y, factors, d_matrix, d_x, factors + 1, d_y);
  cudaMemcpy(found, factors, sizeof found, cudaMemcpyDeviceToHost);
  if (d_a) *d_a += found[0];
  if (d_b) *d_b += found[1];
  cudaFree(factors);
}
void norm_pullback(const double *x, int n, double d_result, double *d_x) {
  norm_back<<<(n + 31) / 32, 32>>>(x, n, d_result / norm(x, n), d_x);
}
void running_sums_pullback(const double *x, double *, int n, double *, double d_result, double *d_x, double *d_y,
                           double *d_total) {
  double sum = 0, all = 0;
  for (int i = 0; i < n; ++i) all += x[i];
  for (int i = n - 1; i >= 0; --i) {
    if (d_y) {
      sum += d_y[i];
      d_y[i] = 0;
    }
    d_x[i] += sum + 2 * *d_total + 2 * all * d_result;
  }
  *d_total = 0;
}
}  // namespace cladpy::custom_derivatives

// ---- programs --------------------------------------------------------------------------------------------------------

#define CHECK(call)                                         \
  do {                                                      \
    const status_t status = (call);                         \
    if (status != WELL) {                                   \
      fprintf(stderr, "status %d\n", static_cast<int>(status)); \
      exit(1);                                              \
    }                                                       \
  } while (0)

__global__ void square(double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] * y[i];
}

// Only a launch reads what the call writes, and only a copy what another one does.
void read_by_launch(const double *matrix, const double *x, double a, double *out, int n) {
  const size_t bytes = n * sizeof(double);
  const double zero = 0, one = 1;
  double *m, *v, *w, *u;
  cudaMalloc(&m, n * bytes);
  cudaMalloc(&v, bytes);
  cudaMalloc(&w, bytes);
  cudaMalloc(&u, bytes);
  cudaMemset(w, 0, bytes);
  cudaMemset(u, 0, bytes);
  cudaMemcpy(m, matrix, n * bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(v, x, bytes, cudaMemcpyHostToDevice);
  matrix_vector(n, &a, m, v, &zero, w);
  square<<<1, 64>>>(w, n);
  matrix_vector(n, &one, m, w, &zero, u);
  cudaMemcpy(out, u, bytes, cudaMemcpyDeviceToHost);
  cudaFree(m);
  cudaFree(v);
  cudaFree(w);
  cudaFree(u);
}

// Steps over buffers that are swapped; each result is scaled by its norm, which is overwritten in place.
double power_iteration(const double *matrix, const double *x, double shift, int n, int steps) {
  const size_t bytes = n * sizeof(double);
  double *m, *v, *w, last = 0;
  cudaMalloc(&m, n * bytes);
  cudaMalloc(&v, bytes);
  cudaMalloc(&w, bytes);
  cudaMemcpy(m, matrix, n * bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(v, x, bytes, cudaMemcpyHostToDevice);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(w, v, bytes, cudaMemcpyDeviceToDevice);
    const double scale = 1.0 / norm(v, n);
    const double own = shift * scale;
    CHECK(matrix_vector(n, &scale, m, v, &own, w));
    std::swap(v, w);
    last += norm(v, n) * (step + 1);
    square<<<1, 64>>>(w, n);
  }
  cudaFree(m);
  cudaFree(v);
  cudaFree(w);
  return last;
}

// Parts of one allocation; the matrix is no input.
double parts(const double *x, int n) {
  const size_t bytes = n * sizeof(double);
  double *memory;
  cudaMalloc(&memory, (n + 2) * bytes);
  double *matrix = memory, *v = memory + n * n, *w = v + n;
  double *host = static_cast<double *>(malloc((n + 2) * bytes));
  for (int i = 0; i < n * n; ++i) host[i] = 1.0 / (i + 2);
  for (int i = 0; i < n; ++i) {
    host[n * n + i] = x[i];
    host[n * n + n + i] = i * x[0];
  }
  cudaMemcpy(memory, host, (n + 2) * bytes, cudaMemcpyHostToDevice);
  const double half = 0.5, twice = 2.0;
  for (int i = 0; i < 3; ++i) {
    CHECK(matrix_vector(n, &half, matrix, v, &twice, w));
    if (i == 1) CHECK(matrix_vector(n, &half, matrix, w, &half, v));
  }
  const double result = norm(w, n) + norm(v, n);
  free(host);
  cudaFree(memory);
  return result;
}

// A function that works on the host's memory, and one that nobody needs.
double on_the_host(const double *x, double *y, int n) {
  double *sums = static_cast<double *>(malloc(n * sizeof(double)));
  double total = 1, other = 0;
  const double squared = running_sums(x, sums, n, &total);
  double result = squared * total;
  for (int i = 0; i < n; ++i) {
    result += sums[i] * sums[i];
    y[i] += sums[i];
  }
  running_sums(y, sums, n, &other);
  free(sums);
  return result;
}

// A method of an object of numbers; its calls are chosen between.
void by_method(const double *x, double factor, double *out, int n, int times) {
  const size_t bytes = n * sizeof(double);
  const plan one = {factor * factor}, other = {2.0};
  double *v, *w;
  cudaMalloc(&v, bytes);
  cudaMalloc(&w, bytes);
  cudaMemcpy(v, x, bytes, cudaMemcpyHostToDevice);
  cudaMemset(w, 0, bytes);
  for (int i = 0; i < times; ++i) {
    if (i % 2)
      one.apply(v, w, n);
    else
      other.apply(w, v, n);
    if (i == 0) {
      cudaMemcpy(v, x, bytes, cudaMemcpyHostToDevice);
      square<<<1, n>>>(v, n);
    }
  }
  cudaMemcpy(out, w, bytes, cudaMemcpyDeviceToHost);
  cudaFree(v);
  cudaFree(w);
}

// ---- mathematics of C++17, of which libstdc++ has bodies ---------------------------------------------------------------

double of_the_library(const double *x) {
  return std::hypot(x[0], x[1], x[2]) * std::beta(1 + x[0] * x[0], 2.0) + std::legendre(3, x[1]) * std::laguerre(2, x[2]);
}
