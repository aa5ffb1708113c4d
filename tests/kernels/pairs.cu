// Bodies that act on each other by tiles: in each turn all threads read one element of the tile, and sum what is their own.
#define OWN (blockIdx.x * blockDim.x + threadIdx.x)

// Forces of all pairs; the last tile is not full.
__global__ void forces(const double *x, const double *mass, double *force, int n, double softening) {
  extern __shared__ double tile[];
  double *masses = tile + blockDim.x;
  const int i = OWN;
  const double own = i < n ? x[i] : 0.0;
  double sum = 0.0;
  for (int first = 0; first < n; first += blockDim.x) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? x[j] : 0.0;
    masses[threadIdx.x] = j < n ? mass[j] : 0.0;
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      const double d = tile[k] - own, inverse = rsqrt(d * d + softening);
      sum += masses[k] * d * inverse * inverse * inverse;
    }
    __syncthreads();
  }
  if (i < n) force[i] = sum;
}

// A tile of 80, read as vectors, by blocks of several shapes: the last warp is not full, or turns are left.
__global__ void potentials(const float4 *place, const float *charge, float *out, int n) {
  __shared__ float4 near[80];
  const int t = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  for (int j = t; j < 80; j += threads) near[j] = place[j % n];
  __syncthreads();
  const int i = (blockIdx.x * threads + t) % n;
  const float x = place[i].x, y = place[i].y;
  float sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 80; k++) {
    const float4 other = near[k];
    const float dx = other.x - x, dy = other.y - y;
    float pull = other.w / (1.0f + dx * dx + dy * dy);
    if (k % 3 == 0) pull *= charge[i];
    sum += pull;
    weight += 0.01f * other.z * dx;
  }
  __syncthreads();
  out[blockIdx.x * threads + t] = sum * weight;
}

// Roots at which the derivative is infinite, where nothing comes of them.
__global__ void distances(const double *x, double *y, int n) {
  __shared__ double all[64];
  const int t = threadIdx.x;
  for (int j = t; j < 64; j += blockDim.x) all[j] = x[j % n];
  __syncthreads();
  const int i = OWN % n;
  const double own = x[i];
  double near = 0.0, far = 0.0;
  for (int k = 0; k < 64; k++) {
    const double d = all[k] - own, root = sqrt(sqrt(d * d));
    const double by = d > 0.0 ? 1.0 : 0.0;
    near += by * root;
    far += by * all[k] * root * own;
  }
  __syncthreads();
  y[OWN] = near + 0.1 * far;
}

// Turns that wait for each other stay in their order: what the one leaves the next one reads.
__global__ void in_order(const double *x, double *y, int n) {
  __shared__ double all[64];
  const int t = threadIdx.x;
  for (int j = t; j < 64; j += blockDim.x) all[j] = x[j % n];
  __syncthreads();
  const double own = x[OWN % n];
  double state = own, sum = 0.0;
  for (int k = 0; k < 64; k++) {
    state = 0.5 * state + 0.3 * sin(state) * all[k];
    sum += state * all[63 - k] * own;
  }
  __syncthreads();
  y[OWN] = sum;
}
