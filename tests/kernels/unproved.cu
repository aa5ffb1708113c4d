// Where what is known does not suffice to tell elements apart, or is too much to look at.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)

// Indices that are chosen, and no remainders by what the launch may be asked for.
__device__ int wrapped(int at, int n) { return at < 0 ? at + n : at; }
__global__ void chosen(const double *a, const double *b, const double *c, double *y, int n, int k) {
  int i = GX, m = n / 2, first = k == 9 ? 3 : i;
  if (i >= m) return;
  int one = k == 1 ? i + 1 : k == 2 ? i + 2 : k == 3 ? i + 3 : k == 4 ? i + 4 : k == 5 ? i + 5 : first + 6;
  int far = k == 6 ? one + 1 : k == 7 ? one + 2 : k == 8 ? one + 3 : k == 10 ? i + 9 : one;
  int same = a[0] > 0 ? i + k : k + i;
  y[i] = a[far] * b[wrapped(i - 1, m)] * b[i] * c[same];
}

// A row is known, and another one is anywhere.
__global__ void anywhere(const double *x, const double *z, const int *at, double *y, int nx, int ny) {
  int i = GX, j = blockIdx.y;
  if (i >= nx) return;
  y[j * nx + i] = x[wrapped(j - 1, ny) * nx + i] * x[at[i]] * z[wrapped(j - 1, ny / 2) * nx + i];
}

// Conditions and distances with factors by which an index might wrap around.
__global__ void large_factors(const double *x, double *y, int n, int m) {
  int i = GX;
  if (i * 5000011 < n || i >= n) return;
  y[i] = sqrt(x[i]);
  if (m > 0) y[i + 5000011 * m] = sin(x[i]);
}

// Whether an index is one more changes with each iteration.
__global__ void flipping(const double *x, double *y, int n) {
  int i = GX;
  bool odd = i % 2;
  double s = 0;
  for (int k = 0; k < n; ++k) {
    s += x[2 * i + odd] * x[2 * k + odd];
    odd = !odd;
  }
  y[i] = s;
}

// Threads meet in shared memory where not all of them come, twice.
__global__ void within_two_branches(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x, i = GX;
  s[t] = x[i];
  __syncthreads();
  double v = x[i];
  if (t < n) {
    v *= 2;
    if (t % 3) v += s[t + 1] * s[t + 2];
  }
  y[i] = v;
}

// Both ways use the tile, which is stored at another place in each iteration, or with a number that counts them.
__global__ void tile_of_both(const double *x, double *y, int n) {
  __shared__ double tile[32], other[32];
  int t = threadIdx.x, i = GX;
  double v = 0;
  if (n > 2) {
    tile[t] = x[i] * x[i];
    __syncthreads();
    v = tile[31 - t];
  } else {
    tile[31 - t] = sin(x[i]);
    __syncthreads();
    v = tile[t] * tile[t];
  }
  for (int k = 0; k < n; ++k) {
    other[(t + k) % 32] = x[i] * v + k;
    __syncthreads();
    v += 0.1 * other[t];
    __syncthreads();
  }
  y[i] = v;
}

// What a loop asks is made of several choices; and its index has moved before the loop is left.
__global__ void tests_of_several(const double *x, const double *w, double *y, int n) {
  int i = GX, k = 0;
  double s = 0;
  while ((x[k] < 1 || w[k] < 1) && k < 20 && w[k + 1] < 2) {
    s += x[k] * w[k] * x[i];
    ++k;
  }
  for (int m = 0, j = 0; m < n; ++m) {
    j += 1;
    if (x[j] > 0.4) {
      if (w[j] > 1.15) break;
      s += 0.1 * x[j];
    }
    j += 2;
    s *= x[j] * x[i];
  }
  y[i] = s;
}

// What is stored in a loop of the loop would have to be kept for each of its iterations, were it put back.
__global__ void stored_in_inner_loop(const double *x, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = GX;
  double v = 0.1;
  s[t] = x[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (t > 3) v += s[t - 1] * s[t - 2] + sin(s[t - 3]);
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      s[t] = x[i] * (k + j + 1);
      __syncthreads();
    }
  }
  y[i] = v;
}

// What a block reads before a barrier another block reads behind it: only the threads of one block wait there.
__global__ void of_other_blocks(const double *x, double *y, int n) {
  __shared__ double first[1];
  if (threadIdx.x == 0) first[0] = x[blockIdx.x] * x[blockIdx.x];
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x) y[blockIdx.x * n + j] = x[blockIdx.x * n + j] * first[0];
}
