// Parameters that point to void: what they lead to is what they are converted to, here or in what is called.

struct Reading {
  double value, weight[2];
  int count;
};

struct Holder {
  void *unused;
  double *x;
};

__device__ double loaded(const void *from, int i) { return *((const double *)from + i); }

__device__ void stored(void *to, int i, double value) {
  void *same = to;
  double *numbers = reinterpret_cast<double *>(same);
  numbers[i] = value;
}

// Numbers; the second pointer by way of functions that take pointers to void themselves.
__global__ void numbers(const void *x, void *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *f = static_cast<const float *>(x);
  stored(y, i, sin(f[i]) * f[(i + 1) % n]);
  stored(y, i, loaded(y, i) * loaded(y, i));
}

// So many bytes further, and null.
__global__ void with_an_offset(void *buffer, void *none, double *y, int n, int bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || buffer == nullptr) return;
  const float *second = (const float *)((const char *)buffer + bytes * sizeof(float));
  y[i] = second[i] * second[i];
  if (none != nullptr) ((float *)none)[i] = y[i];
}

// Objects, with numbers that have no derivative.
__global__ void objects(void *readings, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Reading *r = static_cast<Reading *>(readings) + i;
  r->value *= r->weight[i % 2] * r->count;
  y[i] = r->value * r->weight[1];
}

// The same memory as vectors and as numbers.
__global__ void vectors(const void *x, void *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = ((const float4 *)x)[i];
  const float first = ((const float *)x)[4 * i];
  reinterpret_cast<float2 *>(y)[i] = make_float2(v.x * v.y, first * v.w);
}

// Which of two it is, is decided when it runs.
__global__ void chosen(const void *x, const void *z, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const void *p = i % 3 ? x : z;
  const double *d = (const double *)p;
  y[i] = d[i] * d[n - 1 - i];
}

// By way of functions that return such pointers, assignments, and addresses of bytes.
__device__ const void *skipped(const void *from, int count) { return (const char *)from + count * sizeof(double); }

__global__ void by_steps(const void *x, void *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const void *p = nullptr;
  p = skipped(x, i);
  const char *bytes = (const char *)p;
  const double second = *(const double *)(bytes += sizeof(double), bytes);
  const double third = *(const double *)&((const char *)x)[2 * sizeof(double)];
  *(double *)((char *)y + sizeof(double) * i) = second * third;
}

// Memory of which nothing is asked, and integers.
__global__ void left_alone(const double *x, double *y, void *unused, const void *places, Holder holder, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[((const int *)places)[i]] * holder.x[i];
}
