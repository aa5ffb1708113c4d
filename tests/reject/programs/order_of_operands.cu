// k(x, y)
// What C++ leaves open: the order of operands and of arguments, where one writes what the other reads or writes.
struct Sequence {
  double state;
  __device__ double next() { return state *= 1.5; }
};
struct Pair {
  double a, b;
  __device__ Pair(double a, double b) : a(a), b(b) {}
};
__device__ double next(double &s) { return s *= 1.5; }
__device__ double less(double a, double b) { return a - 2 * b; }
__global__ void k(const double *x, double *y, int n) {
  int i = threadIdx.x, j = 0;
  if (i >= n) return;
  double s = x[i++] * i;
  y[j] = less(s = 2 * s, s);
  y[j] += next(s) - 2 * next(s);
  y[j] += (y[1] *= s) * y[j];
  double *p = &s;
  y[j] += (*p += 1) * s;
  auto both = [&] { return s *= 2; };
  y[j] += s * both();
  Sequence from{s};
  y[j] += less(from.next(), from.next());
  Pair pair(j++, j);
  y[2] = pair.a * pair.b;
}
