// What has its kink where a branch compares two numbers takes the branch's side there.
#include <cmath>

// A softplus, a sigmoid and a loss, which are smooth, by branches.
__global__ void by_choices(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  y[i] = (v > 0 ? v : 0) + log(1 + exp(v > 0 ? -v : v));
}
__global__ void by_functions(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  double r;
  if (v >= 0)
    r = fmax(v, 0.0) + log1p(exp(-fabs(v)));
  else
    r = log1p(exp(-fabs(v))) + fmax(v, 0.0);
  y[i] = r;
}
// The numbers of a branch, again chosen of by its condition, by the opposite, and by another.
__global__ void chosen_again(const double *x, const double *w, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i], b = w[i];
  double r, s;
  if (a > b) {
    r = a * a;
    s = a > b ? a - b : b - a;
  } else {
    r = b * a;
    s = b >= a ? b - a : a - b;
  }
  const bool above = !(a <= b);
  y[i] = r + s * (above ? a : b) + fmin(a, b) * (a < b ? a : b);
}
