// k(x, y)
// CP0119
struct Steps {
  int i;
  __device__ Steps &operator++() { ++i; return *this; }
  __device__ int operator*() const { return i; }
};
__device__ bool operator!=(const Steps &a, const Steps &b) { return a.i != b.i; }
struct Range {
  int n;
  __device__ Steps begin() const { return {0}; }
  __device__ Steps end() const { return {n}; }
};
__global__ void k(double *x, double *y) {
  for (int i : Range{3}) y[i] = x[i];
}
