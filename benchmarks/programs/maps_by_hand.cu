__device__ __forceinline__ int own() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

template <bool Fresh>
__global__ void square_back(const double *x, int n, double *d_x, double *d_y) {
  const int i = own();
  if (i >= n) return;
  give<Fresh>(d_x[i], 2.0 * x[i] * d_y[i]);
  spend<Fresh>(d_y[i]);
}

template <bool Fresh>
void square_by_hand(const at &a, const double *x, double *, int n, double *d_x, double *d_y) {
  LAUNCH(a, (square_back<Fresh>), x, n, d_x, d_y);
}

template <bool Fresh>
__global__ void mathy_back(const double *x, int n, double *d_x, double *d_y) {
  const int i = own();
  if (i >= n) return;
  const double v = x[i];
  double sine, cosine;
  sincos(v, &sine, &cosine);
  const double t = tanh(v), u = v + 2.0;
  const double slope = exp(v * sine) * (sine + v * cosine) + (1.0 - t * t) * log(u) + t / u;
  give<Fresh>(d_x[i], slope * d_y[i]);
  spend<Fresh>(d_y[i]);
}

template <bool Fresh>
void mathy_by_hand(const at &a, const double *x, double *, int n, double *d_x, double *d_y) {
  LAUNCH(a, (mathy_back<Fresh>), x, n, d_x, d_y);
}

template <bool Fresh>
__global__ void elem_back(const double *x, int n, double *d_out, double *d_x) {
  const int i = own();
  if (i >= n) return;
  const double v = x[i];
  double sine, cosine;
  sincos(v, &sine, &cosine);
  give<Fresh>(d_x[i], (exp(-v * v) * (cosine - 2.0 * v * sine) + 3.0 * v * v) * d_out[i]);
  spend<Fresh>(d_out[i]);
}

template <bool Fresh>
void elem_by_hand(const at &a, double *, const double *x, int n, double *d_out, double *d_x) {
  LAUNCH(a, (elem_back<Fresh>), x, n, d_out, d_x);
}

// ---- what all threads share is summed by blocks that stay, and by one block in the end ----

const int SUMMING = 1056;  // eight blocks for each multiprocessor

// Adds up `count` partial sums for each of `parts`, as `sums[part][count]`.
template <bool Fresh>
__global__ void add_up(const double *sums, int count, double *total) {
  double sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x))
    sum += sums[blockIdx.x * count + k];
  sum = block_sum(sum);
  if (threadIdx.x == 0) give<Fresh>(total[blockIdx.x], sum);
}

template <bool Fresh>
__global__ void bcast_back(const double *x, int n, double *d_x, double *d_y, double *sums) {
  const double factor = x[0];
  double sum = 0;
  for (int i = own(); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    const double d = d_y[i];
    sum += x[i] * d;
    if (i > 0)
      give<Fresh>(d_x[i], factor * d);
    else
      sum += factor * d;
    spend<Fresh>(d_y[i]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <bool Fresh>
void bcast_by_hand(const at &a, const double *x, double *, int n, double *d_x, double *d_y) {
  const int count = a.grid.x < SUMMING ? static_cast<int>(a.grid.x) : SUMMING;
  double *sums = static_cast<double *>(scratch(SUMMING * sizeof(double)));
  LAUNCH_AS(a, count, a.block, 0, (bcast_back<Fresh>), x, n, d_x, d_y, sums);
  LAUNCH_AS(a, 1, 256, 0, (add_up<Fresh>), sums, count, d_x);
}

template <bool Fresh>
__global__ void scal_back(const double *x, const double *p, int n, double *d_out, double *d_x, double *sums) {
  const double factor = p[0], shift = p[1];
  double sum0 = 0, sum1 = 0;
  for (int i = own(); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    const double v = x[i], d = 2.0 * (factor * v + shift) * d_out[i];
    give<Fresh>(d_x[i], factor * d);
    sum0 += v * d;
    sum1 += d;
    spend<Fresh>(d_out[i]);
  }
  sum0 = block_sum(sum0);
  sum1 = block_sum(sum1);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum0, sums[gridDim.x + blockIdx.x] = sum1;
}

template <bool Fresh>
void scal_by_hand(const at &a, double *, const double *x, const double *p, int n, double *d_out, double *d_x,
                  double *d_p) {
  const int count = a.grid.x < SUMMING ? static_cast<int>(a.grid.x) : SUMMING;
  double *sums = static_cast<double *>(scratch(2 * SUMMING * sizeof(double)));
  LAUNCH_AS(a, count, a.block, 0, (scal_back<Fresh>), x, p, n, d_out, d_x, sums);
  LAUNCH_AS(a, 2, 256, 0, (add_up<Fresh>), sums, count, d_p);
}

// ---- options: the Greeks in closed form ----

struct Greeks {
  float spot, strike, years, rate, volatility;
};

__device__ __forceinline__ Greeks greeks(float S, float X, float T, float R, float Vol) {
  const float root = sqrtf(T);
  const float d1 = (logf(S / X) + (R + 0.5f * Vol * Vol) * T) / (Vol * root);
  const float n1 = 0.5f * (1.0f + erff(d1 * 0.70710678f));
  const float n2 = 0.5f * (1.0f + erff((d1 - Vol * root) * 0.70710678f));
  const float density = S * 0.39894228f * expf(-0.5f * d1 * d1), discount = expf(-R * T);
  return {n1, -discount * n2, 0.5f * density * Vol / root + R * X * discount * n2, X * T * discount * n2,
          density * root};
}

template <bool Fresh>
__global__ void bs_back(const float *S, const float *X, const float *T, float R, float Vol, int n, float *d_out,
                        float *d_S, float *d_X, float *d_T) {
  const int i = own();
  if (i >= n) return;
  const Greeks of = greeks(S[i], X[i], T[i], R, Vol);
  const float d = d_out[i];
  give<Fresh>(d_S[i], of.spot * d);
  give<Fresh>(d_X[i], of.strike * d);
  give<Fresh>(d_T[i], of.years * d);
  spend<Fresh>(d_out[i]);
}

template <bool Fresh>
void bs_by_hand(const at &a, float *, const float *S, const float *X, const float *T, float R, float Vol, int n,
                float *d_out, float *d_S, float *d_X, float *d_T) {
  LAUNCH(a, (bs_back<Fresh>), S, X, T, R, Vol, n, d_out, d_S, d_X, d_T);
}

template <bool Fresh>
__global__ void bs_all_back(const float *S, const float *X, const float *T, float R, float Vol, int n, float *d_out,
                            float *d_S, float *d_X, float *d_T, double *sums) {
  float rate = 0, volatility = 0;
  for (int i = own(); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    const Greeks of = greeks(S[i], X[i], T[i], R, Vol);
    const float d = d_out[i];
    give<Fresh>(d_S[i], of.spot * d);
    give<Fresh>(d_X[i], of.strike * d);
    give<Fresh>(d_T[i], of.years * d);
    rate += of.rate * d;
    volatility += of.volatility * d;
    spend<Fresh>(d_out[i]);
  }
  const double sum0 = block_sum(static_cast<double>(rate));
  const double sum1 = block_sum(static_cast<double>(volatility));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum0, sums[gridDim.x + blockIdx.x] = sum1;
}

template <bool Fresh>
__global__ void add_up_both(const double *sums, int count, float *total0, float *total1) {
  double sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x))
    sum += sums[blockIdx.x * count + k];
  sum = block_sum(sum);
  if (threadIdx.x == 0) give<Fresh>(blockIdx.x == 0 ? *total0 : *total1, static_cast<float>(sum));
}

template <bool Fresh>
void bs_all_by_hand(const at &a, float *, const float *S, const float *X, const float *T, float R, float Vol, int n,
                    float *d_out, float *d_S, float *d_X, float *d_T, float *d_R, float *d_Vol) {
  const int count = a.grid.x < SUMMING ? static_cast<int>(a.grid.x) : SUMMING;
  double *sums = static_cast<double *>(scratch(2 * SUMMING * sizeof(double)));
  LAUNCH_AS(a, count, a.block, 0, (bs_all_back<Fresh>), S, X, T, R, Vol, n, d_out, d_S, d_X, d_T, sums);
  LAUNCH_AS(a, 2, 256, 0, (add_up_both<Fresh>), sums, count, d_R, d_Vol);
}
