// Scans, sorts, transforms and factorisations within a block.
#if defined(__HIP_PLATFORM_AMD__)
#include <groups/cooperative_groups.h>
#else
#include <cooperative_groups.h>
#endif
namespace cg = cooperative_groups;

// Blelloch: sums go up the tree and come down again; two elements per thread.
__global__ void blelloch(const double *x, double *y, int n) {
  extern __shared__ double s[];
  int t = threadIdx.x, base = blockIdx.x * n, offset = 1;
  s[2 * t] = x[base + 2 * t];
  s[2 * t + 1] = x[base + 2 * t + 1] * x[base];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      s[b] += s[a];
    }
    offset *= 2;
  }
  if (t == 0) s[n - 1] = 0.0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      double v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  y[base + 2 * t] = s[2 * t] * x[base + 2 * t];
  y[base + 2 * t + 1] = s[2 * t + 1];
}

// Hillis and Steele, for any size; products, so that what is overwritten matters.
__global__ void running_products(const double *x, double *y, int n) {
  __shared__ double s[2][1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, in = 0;
  s[0][t] = i < n ? x[i] + 0.3 : 1.0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    int out = 1 - in;
    s[out][t] = t >= d ? s[in][t] * s[in][t - d] : s[in][t];
    in = out;
    __syncthreads();
  }
  if (i < n) y[i] = s[in][t];
}

// By warps, and the sums of the warps by the first of them.
__global__ void warp_scan(const double *x, double *y, int n) {
  __shared__ double sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0.0;
  for (int d = 1; d < 32; d *= 2) {
    double other = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += other;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    double s = lane < blockDim.x / 32 ? sums[lane] : 0.0;
    for (int d = 1; d < 32; d *= 2) {
      double other = __shfl_up_sync(0xffffffffu, s, d);
      if (lane >= d) s += other;
    }
    sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  if (i < n) y[i] = sqrt(v);
}

// Sums that begin anew where a flag is set.
__global__ void segmented_scan(const double *x, const int *heads, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i] * x[i];
  int head = heads[i] % 5 == 0 || lane == 0;
  for (int d = 1; d < 32; d <<= 1) {
    double other = __shfl_up_sync(0xffffffff, v, d);
    int flag = __shfl_up_sync(0xffffffff, head, d);
    if (lane >= d && !head) {
      v = 0.9 * other + v;
      head = flag;
    }
  }
  y[i] = v;
}

// Numbers change places until they are in order; their companions go with them.
__global__ void bitonic(const double *keys, const double *load, double *out, double *carried) {
  __shared__ double k_[256], v_[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  k_[t] = keys[i];
  v_[t] = load[i];
  __syncthreads();
  for (int size = 2; size <= blockDim.x; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      int other = t ^ stride;
      if (other > t) {
        bool up = (t & size) == 0;
        if ((k_[t] > k_[other]) == up) {
          double k = k_[t], v = v_[t];
          k_[t] = k_[other];
          v_[t] = v_[other];
          k_[other] = k;
          v_[other] = v;
        }
      }
      __syncthreads();
    }
  out[i] = k_[t] * (t + 1);
  carried[i] = v_[t] * v_[t] * k_[t];
}

// The middle of a window, by ranks.
__global__ void by_rank(const double *x, double *y, int n) {
  __shared__ double all[64], sorted[64];
  int t = threadIdx.x;
  if (t < n) all[t] = x[blockIdx.x * n + t];
  __syncthreads();
  if (t < n) {
    int rank = 0;
    for (int k = 0; k < n; ++k) rank += all[k] < all[t] || (all[k] == all[t] && k < t);
    sorted[rank] = all[t];
  }
  __syncthreads();
  if (t < n / 2) y[blockIdx.x * (n / 2) + t] = sorted[t] * sorted[n - 1 - t];
}

// Factors of a matrix in place, column by column.
__global__ void cholesky(double *A, int n) {
  extern __shared__ double L[];
  int t = threadIdx.x;
  double *mine = A + blockIdx.x * n * n;
  for (int k = t; k < n * n; k += blockDim.x) L[k] = mine[k] + (k / n == k % n ? n : 0.0);
  __syncthreads();
  for (int j = 0; j < n; ++j) {
    if (t == 0) L[j * n + j] = sqrt(L[j * n + j]);
    __syncthreads();
    for (int i = j + 1 + t; i < n; i += blockDim.x) L[i * n + j] /= L[j * n + j];
    __syncthreads();
    for (int k = t; k < (n - j - 1) * (n - j - 1); k += blockDim.x) {
      int row = j + 1 + k / (n - j - 1), column = j + 1 + k % (n - j - 1);
      if (column <= row) L[row * n + column] -= L[row * n + j] * L[column * n + j];
    }
    __syncthreads();
  }
  for (int k = t; k < n * n; k += blockDim.x) mine[k] = k % n <= k / n ? L[k] : 0.0;
}

// A system solved: eliminated forwards with the largest pivot, then backwards.
__global__ void solve(const double *A, const double *b, double *x) {
  const int N = 6;
  __shared__ double m[N][N + 1];
  __shared__ int pivot;
  int c = threadIdx.x, r = threadIdx.y;
  m[r][c] = c < N ? A[(blockIdx.x * N + r) * N + c] : b[blockIdx.x * N + r];
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (c == 0 && r == 0) {
      pivot = k;
      for (int i = k + 1; i < N; ++i)
        if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
    }
    __syncthreads();
    if (r == k && pivot != k) {
      double old = m[k][c];
      m[k][c] = m[pivot][c];
      m[pivot][c] = old;
    }
    __syncthreads();
    double factor = r > k ? m[r][k] / m[k][k] : 0.0;
    __syncthreads();
    if (r > k && c >= k) m[r][c] -= factor * m[k][c];
    __syncthreads();
  }
  for (int k = N - 1; k >= 0; --k) {
    if (r == k && c == N) m[k][N] /= m[k][k];
    __syncthreads();
    if (r < k && c == N) m[r][N] -= m[r][k] * m[k][N];
    __syncthreads();
  }
  if (c == N) x[blockIdx.x * N + r] = m[r][N];
}

// Many small tridiagonal systems, by cyclic reduction in shared memory.
__global__ void tridiagonal(const double *lower, const double *main, const double *upper, const double *right,
                            double *x) {
  extern __shared__ double s[];
  int n = blockDim.x, t = threadIdx.x, i = blockIdx.x * n + t;
  double *a = s, *b = a + n, *c = b + n, *d = c + n;
  a[t] = t > 0 ? lower[i] : 0.0;
  b[t] = main[i] + 2.5;
  c[t] = t < n - 1 ? upper[i] : 0.0;
  d[t] = right[i];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    double na = 0.0, nb = b[t], nc = 0.0, nd = d[t];
    if (t - step >= 0) {
      double k = a[t] / b[t - step];
      na = -a[t - step] * k;
      nb -= c[t - step] * k;
      nd -= d[t - step] * k;
    }
    if (t + step < n) {
      double k = c[t] / b[t + step];
      nc = -c[t + step] * k;
      nb -= a[t + step] * k;
      nd -= d[t + step] * k;
    }
    __syncthreads();
    a[t] = na;
    b[t] = nb;
    c[t] = nc;
    d[t] = nd;
    __syncthreads();
  }
  x[i] = d[t] / b[t];
}

// A Fourier transform: real and imaginary parts in pairs, bits of the index reversed.
__global__ void fourier(const double2 *x, double2 *y, int bits) {
  __shared__ double2 s[64];
  int n = 1 << bits, t = threadIdx.x, base = blockIdx.x * n;
  for (int k = t; k < n; k += n / 2) s[__brev(k) >> (32 - bits)] = x[base + k];
  __syncthreads();
  for (int half = 1; half < n; half <<= 1) {
    int k = t & (half - 1), at = ((t - k) << 1) + k;
    double angle = -3.14159265358979323846 * k / half, c, w;
    sincos(angle, &w, &c);
    double2 u = s[at], v = s[at + half];
    double2 turned = make_double2(v.x * c - v.y * w, v.x * w + v.y * c);
    s[at] = make_double2(u.x + turned.x, u.y + turned.y);
    s[at + half] = make_double2(u.x - turned.x, u.y - turned.y);
    __syncthreads();
  }
  for (int k = t; k < n; k += n / 2) {
    y[base + k].x = s[k].x * s[k].x + s[k].y * s[k].y;
    y[base + k].y = atan2(s[k].y, s[k].x);
  }
}

// Bodies attract each other; tiles of them pass through shared memory, several steps in one block.
__global__ void bodies(double3 *place, double3 *speed, const double *mass, int n, double dt, int steps) {
  __shared__ double3 tile[33];
  __shared__ double tile_mass[33];
  int t = threadIdx.x;
  double3 p = {0.0, 0.0, 0.0}, v = {0.0, 0.0, 0.0};
  double m = 0.0;
  if (t < n) {
    p = place[t];
    v = speed[t];
    m = mass[t];
  }
  for (int s = 0; s < steps; ++s) {
    tile[t] = p;
    tile_mass[t] = m;
    __syncthreads();
    double3 force = make_double3(0.0, 0.0, 0.0);
    for (int j = 0; j < n; ++j) {
      double dx = tile[j].x - p.x, dy = tile[j].y - p.y, dz = tile[j].z - p.z;
      double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.05);
      double k = tile_mass[j] * inverse * inverse * inverse;
      force.x += k * dx;
      force.y += k * dy;
      force.z += k * dz;
    }
    v.x += dt * force.x;
    v.y += dt * force.y;
    v.z += dt * force.z;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    __syncthreads();
  }
  if (t >= n) return;
  place[t] = p;
  speed[t] = v;
}

// A queue in shared memory of what is worth the work: who found it is told by ranks, not by atomics.
__global__ void compacted(const double *x, double *y, double *count, int n, double limit) {
  __shared__ double found[128];
  __shared__ int before[4];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * blockDim.x + t;
  double v = i < n ? x[i] : 0.0;
  bool keep = v > limit;
  unsigned ballot = __ballot_sync(0xffffffff, keep);
  if (lane == 0) before[warp] = __popc(ballot);
  __syncthreads();
  int at = __popc(ballot & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) at += before[w];
  int all = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) all += before[w];
  if (keep) found[at] = v * v;
  __syncthreads();
  if (t < all) y[blockIdx.x * blockDim.x + t] = found[t] * found[all - 1 - t];
  if (t == 0) count[blockIdx.x] = all;
}

// Dynamic shared memory of several types, one after the other, aligned by hand.
__global__ void several_types(const double *x, const float *w, double *y, int n) {
  extern __shared__ __align__(16) unsigned char memory[];
  double *values = reinterpret_cast<double *>(memory);
  float *weights = reinterpret_cast<float *>(values + blockDim.x);
  int *order = (int *)(weights + blockDim.x);
  float4 *sums = (float4 *)(memory + (sizeof(double) + sizeof(float) + sizeof(int)) * blockDim.x);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  values[t] = x[i] * x[i];
  weights[t] = w[i];
  order[t] = (t * 7 + 3) % blockDim.x;
  if (t % 4 == 0) sums[t / 4] = make_float4(w[i], w[i] * w[i], 1.0f, (float)x[i]);
  __syncthreads();
  int other = blockIdx.x * blockDim.x + order[t] < n ? order[t] : t;
  float4 s = sums[other / 4];
  y[i] = values[other] * weights[t] + s.x * s.y + s.z * s.w * values[t];
}

// Tiles of sixteen threads, several in a warp, that each do a row.
__global__ void groups_of_sixteen(const double *x, const double *w, double *y, int rows, int width) {
  extern __shared__ double shared_w[];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  for (int k = block.thread_rank(); k < width; k += block.size()) shared_w[k] = w[k] * w[k];
  block.sync();
  int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  double sum = 0.0;
  for (int k = tile.thread_rank(); k < width; k += tile.size()) sum += x[row * width + k] * shared_w[k];
  for (int d = 8; d > 0; d /= 2) sum += tile.shfl_xor(sum, d);
  for (int k = tile.thread_rank(); k < width; k += 16) y[row * width + k] = x[row * width + k] / sum;
}

// Threads leave one by one, and others before anything happens.
__global__ void leaving(const double *x, double *y, int n, int rounds) {
  __shared__ double s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  s[t] = x[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int other = t + (1 << r);
    double v = blockIdx.x * blockDim.x + other < n && other < blockDim.x ? s[other] : 0.5;
    __syncthreads();
    if (t % 7 == r) {
      y[i] = s[t] * v;
      return;
    }
    s[t] = 0.6 * s[t] + 0.4 * v * v;
    __syncthreads();
  }
  y[i] = s[t];
}
