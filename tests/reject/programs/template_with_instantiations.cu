// ns::k(x, y)
// CP0004
namespace ns {
template <typename T, int N> __global__ void k(const T *x, T *y) { y[0] = x[0] * N; }
template <typename T> void run(const T *x, T *y) { k<T, 2><<<1, 1>>>(x, y); k<T, 3><<<1, 1>>>(x, y); }
}
template __global__ void ns::k<int, 1>(const int *, int *);
void all(const double *x, double *y, float *z) { ns::run(x, y); ns::k<float, 7><<<1, 1>>>(z, z); }
