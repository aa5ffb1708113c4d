// Shared memory whose size the launch gives, carved up into arrays.

extern __shared__ double pool[];

__global__ void halves(const double *x, double *y) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double *a = pool, *b = pool + blockDim.x;
  a[t] = x[i] * x[i];
  b[t] = sin(x[i]);
  __syncthreads();
  y[i] = a[blockDim.x - 1 - t] * b[(t + 1) % blockDim.x];
}

__global__ void carved(const double *x, float *y) {
  extern __shared__ char raw[];
  double *a = (double *)raw;
  float *f = (float *)(a + blockDim.x);
  int *k = reinterpret_cast<int *>(f + blockDim.x);
  float2 *v = reinterpret_cast<float2 *>(raw + blockDim.x * 16);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[t] = x[i] * x[i];
  f[t] = cosf((float)x[i]);
  k[t] = (t * 7 + 3) % blockDim.x;
  v[t] = make_float2(f[t], 2.0f * (float)x[i]);
  __syncthreads();
  y[i] = (float)a[k[t]] * f[k[blockDim.x - 1 - t]] + v[k[t]].x * v[t].y;
}

template <class T>
__device__ T *shared_memory() {
  extern __shared__ unsigned char bytes[];
  return reinterpret_cast<T *>(bytes);
}

template <class T>
__device__ T reduced(T value) {
  T *s = shared_memory<T>();
  int t = threadIdx.x;
  s[t] = value;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  T sum = s[0];
  __syncthreads();
  return sum;
}

template <class T>
__global__ void normalised(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = i < n ? x[i] : T(0);
  T norm = sqrt(reduced(value * value));
  if (i < n) y[i] = value / norm;
}

struct __align__(16) Body {
  float x, y, z, mass;
};

// A tile of bodies, which every iteration loads anew.
__global__ void attraction(const Body *bodies, float *force, int n) {
  extern __shared__ Body tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body me = i < n ? bodies[i] : Body{0.0f, 0.0f, 0.0f, 0.0f};
  float sum = 0.0f;
  for (int base = 0; base < n; base += blockDim.x) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : Body{0.0f, 0.0f, 0.0f, 0.0f};
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      sum += tile[k].mass * inverse * inverse * inverse * dx;
    }
    __syncthreads();
  }
  if (i < n) force[i] = sum;
}

// One part of the memory after another, as different types.
__global__ void used_again(const double *x, double *y, int n) {
  extern __shared__ unsigned char bytes[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float *f = reinterpret_cast<float *>(bytes);
  double *d = reinterpret_cast<double *>(bytes);
  double sum = 0.0;
  for (int r = 0; r < 3; ++r) {
    f[t] = (float)(x[i] * (r + 1));
    __syncthreads();
    double other = f[(t + 1) % blockDim.x];
    __syncthreads();
    d[t] = other * other;
    __syncthreads();
    sum += d[(t + 2) % blockDim.x] * x[i];
    __syncthreads();
  }
  y[i] = sum;
}

// Objects with numbers of several types.
struct Kind {
  int kind;
  float radius, depth;
};
struct Sample {
  double weight;
  int n;
  float parts[3];
  bool on;
};
struct Record {
  Sample sample;
  short k;
  double z;
};

__global__ void kinds(const Kind *of, const float *x, float *y, int n) {
  extern __shared__ Kind kept[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 4) kept[t] = of[t];
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    const Kind p = kept[k];
    sum += p.kind > 0 ? p.radius * x[i] : p.depth * x[i] * kept[(k + 1) % 4].radius;
  }
  y[i] = sum;
}

__global__ void records(const double *x, double *y) {
  extern __shared__ Record every[];
  int t = threadIdx.x;
  Record &mine = every[t];
  mine.sample.weight = x[t];
  mine.sample.n = t;
  for (int k = 0; k < 3; ++k) mine.sample.parts[k] = x[t] * k;
  mine.sample.on = t % 2;
  mine.k = t * 2;
  mine.z = x[t] * x[t];
  __syncthreads();
  Record next = every[(t + 1) % 32];
  const Sample &other = every[(t + 3) % 32].sample;
  double sum = next.sample.weight * next.sample.n + next.k * next.z;
  if (other.on) sum *= other.parts[t % 3] + other.weight;
  __syncthreads();
  every[t].sample = next.sample;
  every[t].z += next.z;
  __syncthreads();
  y[t] = sum + every[31 - t].sample.parts[2] * every[31 - t].z;
}

__global__ void records_and_numbers(const double *x, double *y) {
  extern __shared__ char all_bytes[];
  Sample *first = (Sample *)all_bytes;
  double *behind = (double *)(first + blockDim.x);
  int t = threadIdx.x;
  first[t].weight = x[t] * x[t];
  first[t].n = t % 3;
  first[t].parts[1] = x[t];
  behind[t] = x[t] * 3;
  __syncthreads();
  int u = (t + 5) % 32;
  y[t] = first[u].weight * first[u].n + first[u].parts[1] * behind[31 - t];
}

// Zeros are stored as another type than that of the sums.
template <class T>
__device__ void clear(T *memory, unsigned length) {
  for (unsigned k = threadIdx.x; k < length; k += blockDim.x) memory[k] = T(0);
}

template <class W>
__global__ void cleared(const double *x, double *y) {
  extern __shared__ unsigned char bytes[];
  double *sums = reinterpret_cast<double *>(bytes);
  W *words = reinterpret_cast<W *>(bytes);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 16 * 8 / sizeof(W); k += blockDim.x) words[k] = W{};
  __syncthreads();
  atomicAdd(&sums[t / 2], x[i] * x[i]);
  __syncthreads();
  y[i] = sums[t / 2] * sums[(t / 2 + 3) % 8];
}

__global__ void cleared_by_call(const double *x, double *y, unsigned long long kept) {
  extern __shared__ unsigned char bytes[];
  double *mine = reinterpret_cast<double *>(bytes);
  double *sums = reinterpret_cast<double *>(bytes + kept);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  mine[t] = x[i];
  clear(reinterpret_cast<unsigned long long *>(bytes + kept), 8);
  __syncthreads();
  atomicAdd(&sums[t / 2], mine[t] * x[i]);
  __syncthreads();
  y[i] = sums[t / 2] * sums[(t / 2 + 3) % 8];
}

// Counts and sums, cleared together.
__global__ void cleared_together(const float *x, float *y) {
  extern __shared__ int words[];
  float *sums = (float *)&words[blockDim.x];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 2 * blockDim.x; k += blockDim.x) words[k] = 0;
  __syncthreads();
  atomicAdd(&sums[t / 4], x[i]);
  if (x[i] > 0.5f) atomicAdd(&words[t / 4], 1);
  __syncthreads();
  y[i] = sums[t / 4] * sums[t / 4] * (1 + words[t / 4]);
}

// Integers that are stored with a sign and read without one.
__global__ void either_sign(const double *x, double *y) {
  extern __shared__ int words[];
  unsigned *order = reinterpret_cast<unsigned *>(words);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  words[t] = t * 7 % 16;
  __syncthreads();
  y[i] = x[blockIdx.x * blockDim.x + order[t]] * x[i];
}
