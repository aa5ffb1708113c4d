// Strings that initialise arrays, calls for an effect on the thread alone, and pointers and objects after commas.

__global__ void strings(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  char s[] = "a\tb\\\"\x41\101";
  const char t[8] = "xy";
  unsigned char u[3] = {"\xff" "k"};
  const signed char v[] = "\200";
  double sum = sizeof(s) + t[5];
  for (int j = 0; s[j]; ++j) sum += s[j] * x[i];
  s[0] = t[1];
  y[i] = sum * x[i] + s[0] * x[i] * u[0] + v[0] * x[i] + u[1];
}

__global__ void effects(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  for (int j = 0; j < 3; ++j) {
    if (v < -1.0e9) __trap();
    __nanosleep(10);
    v = v * sin(v);
  }
  if (v > 1.0e9) __brkpt();
  y[i] = v;
}

__global__ void mixed_bounds(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned m = 40;
  int last = min(i, m);
  if (i >= n) return;
  int first = max(0u, last), other = min(m, n - 1);
  double v = x[first] * min(x[i], 0.7f) + max(0.3f, x[i]) * x[other];
  y[i] = v * max(i, m);
}

struct Pair {
  double a, b;
};
struct Sum {
  Pair pair;
  int terms;
};
__device__ Sum added(double *y, double v) {
  *y += v;
  return {{v, 3.0}, 1};
}
__global__ void after_commas(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n) return;
  const double *p = (k++, x + n), *q = (k++, p);
  p -= n - i;
  Pair pair = (k++, Pair{*p * *p, 2.0});
  y[i] = pair.a * k;
  Pair part = added(&y[i], x[i]).pair;
  y[i] += pair.b * *(k++, q - 1) * part.b;
}
