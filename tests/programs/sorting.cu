// Sorts of Thrust: what only orders has no derivative, and what is moved takes its own along.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/sort.h>

#include <vector>

__global__ void weigh(const double *x, const int *id, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[id[i]] * x[i] * (i + 1);
}
__global__ void cells_of(const double *x, unsigned *cell, int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    cell[i] = (unsigned)(x[i] * 4);
    id[i] = i;
  }
}

// Keys and ids of the caller's, twice: the second sort takes what the first has left.
void ids(const double *x, int *key, int *id, double *y, int n) {
  thrust::sort_by_key(thrust::device, key, key + n, id);
  weigh<<<1, 32>>>(x, id, y, n);
  thrust::stable_sort_by_key(thrust::device, id, id + n, key, thrust::greater<int>());
  thrust::sort(thrust::device, key + 2, key + n);
  weigh<<<1, 32>>>(x, key, y, n);
}

// Keys that are made of numbers, which are sorted by them.
void by_cell(const double *x, double *y, int n) {
  thrust::device_vector<unsigned> cell(n);
  thrust::device_vector<int> id(n);
  cells_of<<<1, 64>>>(x, thrust::raw_pointer_cast(cell.data()), thrust::raw_pointer_cast(id.data()), n);
  thrust::sort_by_key(cell.begin(), cell.end(), id.begin());
  weigh<<<2, 16>>>(x, thrust::raw_pointer_cast(id.data()), y, n);
}

// Numbers are keys, and numbers are moved.
double numbers(const double *x, const double *w, int n) {
  thrust::device_vector<double> v(x, x + n), u(w, w + n);
  thrust::sort_by_key(v.begin(), v.end(), u.begin(), thrust::greater<>());
  double sum = 3 * v[0] * u[0] - v[1] * u[2] + u[n - 1] * u[n - 1];
  thrust::sort(u.begin() + 1, u.end());
  return sum + u[0] * u[1] * u[n / 2] * v[2];
}

// Where the largest and the smallest of numbers are is an index.
double extremes(const double *x, double *w, int n) {
  thrust::device_vector<double> v(x, x + n);
  thrust::device_vector<double>::iterator most = thrust::max_element(v.begin(), v.end());
  double *least = thrust::min_element(thrust::device, w, w + n);
  double low;
  cudaMemcpy(&low, least, sizeof(double), cudaMemcpyDeviceToHost);
  std::vector<double> h(x, x + n);
  thrust::sort(h.begin(), h.end(), thrust::greater<double>());
  return *most * low * (most - v.begin()) + low * h[1] - h[n - 1] * h[2];
}
