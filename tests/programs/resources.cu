// What holds memory: classes that release it, vectors, arrays that new makes, variables of the device's, and temporaries of an iteration.
#include <cuda_runtime.h>
#include <vector>
#include <numeric>
__global__ void sq(double *y, const double *x, int n) { int i = threadIdx.x + blockIdx.x*blockDim.x; if (i < n) y[i] = x[i]*x[i]*x[i]; }
struct DeviceBuffer {
  double *p; size_t n;
  explicit DeviceBuffer(size_t n) : n(n) { cudaMalloc(&p, n*sizeof(double)); }
  ~DeviceBuffer() { cudaFree(p); }
  void upload(const double *h) { cudaMemcpy(p, h, n*sizeof(double), cudaMemcpyHostToDevice); }
};
double by_classes(const double *in, int n) {
  DeviceBuffer a(n), b(n);
  a.upload(in);
  sq<<<(n+31)/32, 32>>>(b.p, a.p, n);
  std::vector<double> h(n);
  cudaMemcpy(h.data(), b.p, n*sizeof(double), cudaMemcpyDeviceToHost);
  double s = 0;
  for (double v : h) s += v*v;
  return s + std::accumulate(h.begin(), h.end(), 0.0);
}
double by_new(const double *in, int n) {
  double *h = new double[n];
  for (int i = 0; i < n; ++i) h[i] = in[i]*in[i];
  double s = 0; for (int i = 0; i < n; ++i) s += h[i]*h[i];
  delete[] h;
  return s;
}
__constant__ double coef[3];
__constant__ int count;
__global__ void poly(double *y, const double *x) { int i = threadIdx.x; if (i < count) y[i] = coef[0] + x[i]*(coef[1] + x[i]*coef[2]); }
double by_variables(const double *in, const double *c, int n) {
  double *x, *y; cudaMalloc(&x, n*8); cudaMalloc(&y, n*8);
  cudaMemcpy(x, in, n*8, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coef, c, sizeof(coef));
  cudaMemcpyToSymbol(count, &n, sizeof(int));
  poly<<<1, 64>>>(y, x);
  poly<<<1, 64>>>(x, y);
  double *h = new double[n]; cudaMemcpy(h, x, n*8, cudaMemcpyDeviceToHost);
  double s = 0; for (int i = 0; i < n; ++i) s += h[i];
  delete[] h; cudaFree(x); cudaFree(y);
  return s;
}
__global__ void scale(double *x, double a, int n) { int i = threadIdx.x + blockIdx.x*blockDim.x; if (i < n) x[i] *= a*x[i]; }
__global__ void axpy(double *y, const double *x, double a, int n) { int i = threadIdx.x + blockIdx.x*blockDim.x; if (i < n) y[i] = a*x[i]*x[i] + y[i]; }
__global__ void add(const double *a, const double *b, double *c, int n) { int i = threadIdx.x + blockIdx.x*blockDim.x; if (i < n) c[i] = a[i]*b[i]; }
__global__ void reduce(const double *x, double *out, int n) { int i = threadIdx.x + blockIdx.x*blockDim.x; if (i < n) atomicAdd(out, x[i]*x[i]); }
// temporaries in the loop, scalar adjoints, in-place alias, memset+atomic, one number back
double model(const double *in, double a, int n, int steps) {
  double *x, *acc;
  (void)(cudaMalloc(&x, n*sizeof(double)));
  (void)(cudaMalloc(&acc, sizeof(double)));
  (void)(cudaMemcpy(x, in, n*sizeof(double), cudaMemcpyHostToDevice));
  double loss = 0;
  for (int t = 0; t < steps; ++t) {
    double *tmp;
    (void)(cudaMalloc(&tmp, n*sizeof(double)));
    (void)(cudaMemcpy(tmp, x, n*sizeof(double), cudaMemcpyDeviceToDevice));
    axpy<<<(n+63)/64, 64>>>(x, tmp, a / (t+1), n);
    (void)(cudaGetLastError());
    scale<<<(n+63)/64, 64>>>(x, a, n);
    add<<<(n+63)/64, 64>>>(x, tmp, x, n);
    (void)(cudaMemset(acc, 0, sizeof(double)));
    reduce<<<(n+63)/64, 64>>>(x, acc, n);
    double part;
    (void)(cudaMemcpy(&part, acc, sizeof(double), cudaMemcpyDeviceToHost));
    loss += part / (1 + part);
    (void)(cudaFree(tmp));
  }
  (void)(cudaFree(x)); (void)(cudaFree(acc));
  return loss;
}
struct Buf { double *p; int n; };
static void run(Buf a, Buf b, double c) { axpy<<<1, a.n>>>(a.p, b.p, c, a.n); }
void two(double *out, const double *in, double c, int n) {
  Buf a, b; a.n = b.n = n;
  cudaMalloc(&a.p, n*sizeof(double)); cudaMalloc(&b.p, n*sizeof(double));
  cudaMemcpy(b.p, in, n*sizeof(double), cudaMemcpyDefault);
  cudaMemset(a.p, 0, n*sizeof(double));
  run(a, b, c); run(b, a, c*c);
  double *bufs[2] = {a.p, b.p};
  for (int t = 0; t < 3; ++t) axpy<<<1, n>>>(bufs[t%2], bufs[(t+1)%2], c, n);
  cudaStream_t s; cudaStreamCreate(&s);
  cudaMemcpyAsync(out, bufs[0], n*sizeof(double), cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
  cudaFree(a.p); cudaFree(b.p);
}
