// Variables at namespace scope that have adjoints: read, written, overwritten in loops, added to atomically.
namespace model {
__device__ double weights[2][3] = {{0.3, 0.8, -0.4}, {0.9, 0.2, 0.7}};
}
__device__ double bias = 0.375;
__constant__ double table[5] = {0.2, 0.4, 0.7, 1.1, 0.6};
__device__ const double fixed[2] = {0.45, 0.85};
__device__ double temporary[64], result[64], total;
__managed__ double scale = 1.25;
static __device__ double gravity = 0.81;

__device__ double layer(int i, double x) { return model::weights[i % 2][1] * x + bias; }
__device__ double network(int i, double x) { return layer(i, x) * layer(i + 1, x * x) + table[i % 5]; }

__global__ void read_variables(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < 3; ++k) s = network(i + k, s) * fixed[k % 2] + scale * gravity;
  y[i] = s;
}

__device__ double squared(int i) { return temporary[i] * temporary[i]; }

// What a function reads is written by the kernel: the variable is an intermediate result, and another one an output.
__global__ void write_variables(const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  temporary[i] = x[i] * bias;
  double first = squared(i);
  temporary[i] = sin(temporary[i]) + first;
  result[i] = squared(i) * first;
}

__global__ void overwrite_variable(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 4; ++k) result[i] = result[i] * result[i] * 0.5 + x[i];
  atomicAdd(&total, result[i] * x[i]);
  y[i] = result[i];
}

// The parameter hides a variable of the same name, which an inlined function reads.
__global__ void hidden_variable(const double *x, double *y, double bias, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = layer(i, x[i]) * bias;
}

// Which variable is stored to hangs on the data.
__global__ void chosen_variable(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *p = x[i] > 0.7041 ? temporary : result;
  p[i] = x[i] * x[i];
  y[i] = p[i] * temporary[i] + result[i];
}

double counted_on_host = 2.5;
double host_variable(double x) {
  counted_on_host = counted_on_host * x;
  return counted_on_host * counted_on_host;
}
