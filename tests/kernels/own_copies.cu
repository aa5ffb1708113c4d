// Arrays in objects that are passed by value, written by functions that are called: each thread writes its own copy.
struct Series {
  double scale;
  double terms[3];
};
struct Beside {
  const double *weights;
  double terms[3];
};

__device__ double grown(double *p, double v, int depth) {
  double w = depth > 0 ? grown(p, tanh(v), depth - 1) : 0.3;
  p[0] += 0.3 * p[1] * p[0];
  return w * p[0] + v;
}
__device__ double summed(const double *p, double v, int depth) {
  return depth > 0 ? p[0] * summed(p, sin(v), depth - 1) : v * p[1];
}
__device__ double scaled(double &p, double v, int depth) {
  double w = depth > 0 ? scaled(p, tanh(v), depth - 1) : v;
  p *= 0.5 + 0.1 * v;
  return w * p;
}

__global__ void whole(const double *x, double *y, Series own, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double w = grown(own.terms, x[i], 2);
  y[i] = w + own.terms[0];
}
__global__ void part(const double *x, double *y, Series own, int from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double w = grown(own.terms + from, x[i], 2);
  y[i] = w * own.terms[0] + own.terms[1];
}
__global__ void chosen(const double *x, double *y, Series own, int from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *p = x[i] > 0.7 ? own.terms : own.terms + from;
  double w = grown(p, x[i], 1);
  y[i] = w * own.scale + own.terms[1];
}
__global__ void one(const double *x, double *y, Series own, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double w = scaled(own.terms[i % 3], x[i], 2);
  y[i] = w + own.terms[0] * scaled(own.scale, x[i], 1);
}
__global__ void read(const double *x, double *y, Series own, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = summed(own.terms + 1, x[i], 2) * own.scale;
}
__global__ void beside(const double *x, double *y, Beside own, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double w = grown(own.terms, x[i] * own.weights[i], 2);
  y[i] = w + own.terms[0];
}
