// k(x, a, b, c, d, e, f, g, h, i, j, l, m, n, o, p, q, y)
// accumulate=deterministic
// CP0505
__device__ double get(const double *x, int i) { return x[i] * x[i]; }
namespace cladpy::custom_derivatives {
__device__ void get_pullback(const double *x, int i, double d_result, double *d_x, int *d_i) {
  atomicAdd(&d_x[i], d_result * 2 * x[i]);
}
}
__global__ void k(const double *x, const double &a, double b, double c, double d, double e, double f, double g, double h,
                  double i, double j, double l, double m, double n, double o, double p, double q, double *y) {
  y[threadIdx.x] = get(x, 0) * (a * b + c * d + e * f + g * h + i * j + l * m + n * o + p * q);
}
