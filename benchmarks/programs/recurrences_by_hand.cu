// The derivative of the last state by the first is a product, made on the way forward.
template <bool Fresh>
__global__ void loopn_back(const double *x, int n, double *d_x, double *d_y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double v = x[i], slope = 1.0;
  for (int k = 0; k < n; k++) {
    double sine, cosine;
    sincos(v, &sine, &cosine);
    slope *= 0.5 + 0.3 * cosine;
    v = 0.5 * v + 0.3 * sine;
  }
  give<Fresh>(d_x[i], slope * d_y[i]);
  spend<Fresh>(d_y[i]);
}

template <bool Fresh>
void loopn_by_hand(const at &a, const double *x, double *, int n, double *d_x, double *d_y) {
  LAUNCH(a, (loopn_back<Fresh>), x, n, d_x, d_y);
}

template <bool Fresh>
__global__ void rec_back(const double *x, int m, int n, double *d_out, double *d_x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  double s = x[i], slope = 1.0;
  for (int j = 0; j < m; j++) {
    slope *= 1.0 - 0.2 * s;
    s = s - 0.1 * s * s;
  }
  give<Fresh>(d_x[i], slope * d_out[i]);
  spend<Fresh>(d_out[i]);
}

template <bool Fresh>
void rec_by_hand(const at &a, double *, const double *x, int m, int n, double *d_out, double *d_x) {
  LAUNCH(a, (rec_back<Fresh>), x, m, n, d_out, d_x);
}
