// Vectors of Thrust around kernels.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

__global__ void square(double *y, const double *x, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = x[i] * x[i];
}

double by_raw_pointers(const double *x, int n) {
  thrust::host_vector<double> host(x, x + n);
  thrust::device_vector<double> in = host, out(n), ones(n, 1.0);
  square<<<(n + 31) / 32, 32>>>(thrust::raw_pointer_cast(out.data()), in.data().get(), n);
  square<<<(n + 31) / 32, 32>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()), n);
  thrust::host_vector<double> result = in;
  thrust::copy(out.begin(), out.end(), host.begin());
  double sum = 0;
  for (size_t i = 0; i < result.size(); ++i) sum += result[i] * host[i];
  return sum + in[0] * ones[n - 1];
}

double by_reductions(const double *x, int n) {
  thrust::device_vector<double> values(x, x + n), squares(n), weights(n);
  square<<<(n + 31) / 32, 32>>>(squares.data().get(), values.data().get(), n);
  thrust::sequence(weights.begin(), weights.end());
  const double sum = thrust::reduce(squares.begin(), squares.end());
  const double product = thrust::reduce(values.begin(), values.end(), 1.0, thrust::multiplies<double>());
  const double most = thrust::reduce(squares.begin(), squares.end(), -1.0, thrust::maximum<double>());
  thrust::fill(values.begin() + 1, values.end(), sum);
  values[0] = product;
  return thrust::reduce(values.begin(), values.end()) + most * weights[n - 1];
}

// What is assigned to an element that is named by another is that one's number.
double by_elements(const double *x, int n) {
  thrust::device_vector<double> v(x, x + n), w(v);
  v[0] = v[1];
  *v.begin() *= w[2];
  v[1] += v[0];
  w.back() = v.front();
  w[0] -= 2 * v[1];
  w[1] /= w[0];
  return v[0] * v[1] + w[0] * w[1] * w[n - 1];
}
