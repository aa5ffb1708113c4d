// Host memory of the C++ library around launches.
#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

__global__ void logistic(double *x, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = rate * x[i] * (1 - x[i]);
}

double with_vector(const double *in, double rate, int n) {
  std::vector<double> host(in, in + n);
  double *x;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice);
  logistic<<<(n + 15) / 16, 16>>>(x, rate, n);
  cudaMemcpy(host.data(), x, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  double sum = 0;
  for (double v : host) sum += v * v;
  return sum;
}

double accumulated(const double *in, double rate, int n, int steps) {
  std::vector<double> history;
  std::vector<double> host(n, 0.5);
  std::copy(in, in + n, host.begin());
  double *x;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    logistic<<<(n + 15) / 16, 16>>>(x, rate, n);
    cudaMemcpy(&host[0], x, n * sizeof(double), cudaMemcpyDeviceToHost);
    history.push_back(std::accumulate(host.begin(), host.end(), 0.0));
  }
  cudaFree(x);
  double result = 0;
  for (std::size_t t = 0; t < history.size(); ++t) result += history[t] * (t + 1);
  return result + *std::max_element(host.begin(), host.end());
}

double with_array(const double *in, double rate) {
  std::array<double, 6> host;
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = in[i] * in[(i + 1) % 6];
  double *x;
  cudaMalloc(&x, sizeof(host));
  cudaMemcpy(x, host.data(), sizeof(host), cudaMemcpyHostToDevice);
  logistic<<<1, 8>>>(x, rate, 6);
  cudaMemcpy(host.data(), x, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return std::inner_product(host.begin(), host.end(), in, 0.0);
}

double with_new(const double *in, double rate, int n) {
  double *host = new double[n];
  std::unique_ptr<double[]> back(new double[n]);
  for (int i = 0; i < n; ++i) host[i] = 0.5 * in[i];
  double *x, sum = 0;
  cudaMalloc(&x, n * sizeof(double));
  cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);
  logistic<<<(n + 15) / 16, 16>>>(x, rate, n);
  cudaMemcpy(back.get(), x, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += back[i] * host[i];
  delete[] host;
  cudaFree(x);
  return sum;
}

double grown(const double *in, double rate) {
  std::vector<std::pair<int, double>> all;
  for (int i = 0; i < 20; ++i) all.push_back({i % 3, in[i] * rate});
  std::vector<double> some;
  for (int i = 0; i < 20; ++i)
    if (in[i] > 0.4) some.push_back(in[i] * in[i]);
  double sum = 0;
  for (auto &p : all) sum += p.second * p.second * (p.first + 1);
  for (std::size_t k = 0; k < some.size(); ++k) sum += some[k] * (k + 1);
  return sum;
}

// Bins of a table, by the library's searches: their bodies ask the compiler what it knows to be constant.
double searched(const double *heights, const double *edges, const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double *above = std::upper_bound(edges, edges + 6, in[i]);
    const double *at = std::lower_bound(edges, above, 0.5 * in[i]);
    std::advance(at, 1);
    sum += heights[above - edges] * in[i] * in[i] + (at > above ? in[i] : 0) + (above - at);
  }
  return sum;
}
