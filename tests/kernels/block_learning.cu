// Layers of networks: softmax, normalisation, attention, losses, with whatever reduces over a block.

__device__ double warp_most(double v) {
  for (int mask = 16; mask > 0; mask >>= 1) v = fmax(v, __shfl_xor_sync(0xffffffff, v, mask));
  return v;
}

__device__ double warp_sum(double v) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffff, v, mask);
  return v;
}

// A row per block; its maximum and sum by warps, then over the warps.
__global__ void softmax(const double *x, double *y, int n) {
  __shared__ double partial[32];
  const double *row = x + blockIdx.x * n;
  int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = blockDim.x >> 5;
  double most = -INFINITY;
  for (int i = tid; i < n; i += blockDim.x) most = fmax(most, row[i]);
  most = warp_most(most);
  if (lane == 0) partial[warp] = most;
  __syncthreads();
  most = warp_most(lane < warps ? partial[lane] : -INFINITY);
  __syncthreads();
  double sum = 0.0;
  for (int i = tid; i < n; i += blockDim.x) {
    double e = exp(row[i] - most);
    y[blockIdx.x * n + i] = e;
    sum += e;
  }
  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  sum = warp_sum(lane < warps ? partial[lane] : 0.0);
  for (int i = tid; i < n; i += blockDim.x) y[blockIdx.x * n + i] /= sum;
}

// One pass: the maximum and the sum that goes with it are kept together.
struct Running {
  double most, sum;
};

__device__ Running joined(Running a, Running b) {
  bool first = a.most > b.most;
  Running larger = first ? a : b, smaller = first ? b : a;
  return {larger.most, larger.sum + smaller.sum * exp(smaller.most - larger.most)};
}

__global__ void online_softmax(const double *x, double *y, int n) {
  __shared__ Running all[256];
  const double *row = x + blockIdx.x * n;
  int tid = threadIdx.x;
  Running mine = {-1e30, 0.0};
  for (int i = tid; i < n; i += blockDim.x) mine = joined(mine, {row[i], 1.0});
  all[tid] = mine;
  __syncthreads();
  for (int size = blockDim.x; size > 1;) {
    int half = (size + 1) / 2;
    if (tid + half < size) all[tid] = joined(all[tid], all[tid + half]);
    size = half;
    __syncthreads();
  }
  Running total = all[0];
  for (int i = tid; i < n; i += blockDim.x) y[blockIdx.x * n + i] = exp(row[i] - total.most) / total.sum;
}

// The loss of a row whose right answer is known.
__global__ void cross_entropy(const double *logits, const int *answer, double *loss, int classes) {
  extern __shared__ double s[];
  const double *row = logits + blockIdx.x * classes;
  double most = -1e300;
  for (int i = threadIdx.x; i < classes; i += blockDim.x) most = max(most, row[i]);
  s[threadIdx.x] = most;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 1; k < blockDim.x; ++k) s[0] = max(s[0], s[k]);
  __syncthreads();
  most = s[0];
  __syncthreads();
  double sum = 0.0;
  for (int i = threadIdx.x; i < classes; i += blockDim.x) sum += exp(row[i] - most);
  s[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < blockDim.x; ++k) s[0] += s[k];
    loss[blockIdx.x] = log(s[0]) + most - row[answer[blockIdx.x]];
  }
}

// Normalised over a row, with a gain and a bias; mean and variance from one pass over the numbers.
__global__ void layer_norm(const double *x, const double *gain, const double *bias, double *y, double *means, int n,
                           double eps) {
  __shared__ double sums[32], squares[32];
  __shared__ double mean, scale;
  int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  double sum = 0.0, square = 0.0;
  for (int i = tid; i < n; i += blockDim.x) {
    double v = x[blockIdx.x * n + i];
    sum += v;
    square += v * v;
  }
  sum = warp_sum(sum);
  square = warp_sum(square);
  if (lane == 0) {
    sums[warp] = sum;
    squares[warp] = square;
  }
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0.0);
    square = warp_sum(lane < blockDim.x / 32 ? squares[lane] : 0.0);
    if (lane == 0) {
      mean = sum / n;
      scale = rsqrt(square / n - mean * mean + eps);
      means[blockIdx.x] = mean;
    }
  }
  __syncthreads();
  for (int i = tid; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = (x[blockIdx.x * n + i] - mean) * scale * gain[i] + bias[i];
}

// The number of threads is known when compiled; a row in registers.
template <int THREADS, int EACH>
__global__ void rms_norm(double *x, const double *weight, double eps) {
  __shared__ double s[THREADS];
  double v[EACH], sum = 0.0;
  double *row = x + blockIdx.x * THREADS * EACH;
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    v[k] = row[k * THREADS + threadIdx.x];
    sum += v[k] * v[k];
  }
  s[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (int k = THREADS / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  double scale = 1.0 / sqrt(s[0] / (THREADS * EACH) + eps);
#pragma unroll
  for (int k = 0; k < EACH; ++k)
    row[k * THREADS + threadIdx.x] = v[k] * scale * weight[k * THREADS + threadIdx.x];
}

// Over the batch, a channel per block; Welford's running mean and variance, joined in a tree.
__global__ void batch_norm(const double *x, const double *gain, const double *bias, double *y, int batch, int channels,
                           int area) {
  __shared__ double means[64], seconds[64];
  __shared__ int counts[64];
  int c = blockIdx.x, tid = threadIdx.x, count = 0;
  double mean = 0.0, second = 0.0;
  for (int i = tid; i < batch * area; i += blockDim.x) {
    double v = x[(i / area * channels + c) * area + i % area];
    ++count;
    double d = v - mean;
    mean += d / count;
    second += d * (v - mean);
  }
  means[tid] = mean;
  seconds[tid] = second;
  counts[tid] = count;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k && counts[tid + k] > 0) {
      int both = counts[tid] + counts[tid + k];
      double d = means[tid + k] - means[tid];
      means[tid] += d * counts[tid + k] / both;
      seconds[tid] += seconds[tid + k] + d * d * counts[tid] * counts[tid + k] / both;
      counts[tid] = both;
    }
    __syncthreads();
  }
  double scale = gain[c] / sqrt(seconds[0] / (batch * area) + 1e-4);
  for (int i = tid; i < batch * area; i += blockDim.x) {
    int at = (i / area * channels + c) * area + i % area;
    y[at] = (x[at] - means[0]) * scale + bias[c];
  }
}

// A row of attention per thread; keys and values come in tiles, maximum and sum are carried along.
template <int D, int TILE>
__global__ void flash_attention(const double *Q, const double *K, const double *V, double *O, int n, double scale,
                                bool causal) {
  __shared__ double k_tile[TILE][D], v_tile[TILE][D];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double q[D], o[D], most = -1e30, sum = 0.0;
  for (int d = 0; d < D; ++d) {
    q[d] = row < n ? Q[row * D + d] * scale : 0.0;
    o[d] = 0.0;
  }
  for (int start = 0; start < n; start += TILE) {
    for (int i = threadIdx.x; i < TILE * D; i += blockDim.x) {
      int at = start * D + i;
      k_tile[i / D][i % D] = at < n * D ? K[at] : 0.0;
      v_tile[i / D][i % D] = at < n * D ? V[at] : 0.0;
    }
    __syncthreads();
    double scores[TILE], tile_most = most;
    for (int j = 0; j < TILE; ++j) {
      double s = 0.0;
      for (int d = 0; d < D; ++d) s += q[d] * k_tile[j][d];
      if (start + j >= n || (causal && start + j > row)) s = -1e30;
      scores[j] = s;
      tile_most = fmax(tile_most, s);
    }
    double correction = exp(most - tile_most);
    sum *= correction;
    for (int d = 0; d < D; ++d) o[d] *= correction;
    for (int j = 0; j < TILE; ++j) {
      double p = exp(scores[j] - tile_most);
      sum += p;
      for (int d = 0; d < D; ++d) o[d] += p * v_tile[j][d];
    }
    most = tile_most;
    __syncthreads();
  }
  if (row < n)
    for (int d = 0; d < D; ++d) O[row * D + d] = o[d] / sum;
}

// A row of scores per block, in dynamic memory.
__global__ void attention_row(const double *q, const double *keys, const double *values, double *out, int n, int d) {
  extern __shared__ double scores[];
  double *work = scores + n;
  int tid = threadIdx.x;
  for (int j = tid; j < n; j += blockDim.x) {
    double s = 0.0;
    for (int k = 0; k < d; ++k) s += q[blockIdx.x * d + k] * keys[j * d + k];
    scores[j] = s * rsqrt((double)d);
  }
  __syncthreads();
  double most = -1e300;
  for (int j = tid; j < n; j += blockDim.x) most = fmax(most, scores[j]);
  work[tid] = most;
  __syncthreads();
  for (int j = 0; j < blockDim.x; ++j) most = fmax(most, work[j]);
  __syncthreads();
  double sum = 0.0;
  for (int j = tid; j < n; j += blockDim.x) sum += scores[j] = exp(scores[j] - most);
  work[tid] = sum;
  __syncthreads();
  sum = 0.0;
  for (int j = 0; j < blockDim.x; ++j) sum += work[j];
  for (int k = tid; k < d; k += blockDim.x) {
    double v = 0.0;
    for (int j = 0; j < n; ++j) v += scores[j] * values[j * d + k];
    out[blockIdx.x * d + k] = v / sum;
  }
}

// Numbers fall into bins, whose contents are weighed; the bins of a block are in shared memory.
__global__ void weighed_histogram(const double *x, const double *weight, double *loss, int n, int bins) {
  extern __shared__ double mass[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) mass[b] = 0.0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double place = x[i] * (bins - 1) / 1.3;
    int b = (int)place;
    double part = place - b;
    atomicAdd(&mass[b], 1.0 - part);
    atomicAdd(&mass[b + 1], part * part);
  }
  __syncthreads();
  double sum = 0.0;
  for (int b = threadIdx.x; b < bins; b += blockDim.x) sum += weight[b] * mass[b] * mass[b];
  atomicAdd(loss, sum);
}

// Dropout by a hash of the place, with a mask that is kept for later.
__global__ void dropout(const double *x, const double *skip, double *y, unsigned char *mask, int n, unsigned seed,
                        double keep) {
  __shared__ int kept;
  if (threadIdx.x == 0) kept = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool stays = false;
  if (i < n) {
    unsigned h = (i + seed) * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    stays = (h >> 8) * (1.0 / 16777216.0) < keep;
    mask[i] = stays;
    if (stays) atomicAdd(&kept, 1);
  }
  __syncthreads();
  if (i < n) y[i] = skip[i] + (stays ? x[i] * x[i] / keep : 0.0) / (1 + kept);
}
