// Memory used as another type of the same numbers, and bits of inactive numbers.

struct Vec {
  double x, y, z;
};

__global__ void floats_as_vectors(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n) return;
  const float4 v = reinterpret_cast<const float4 *>(x)[i];
  float4 *out = (float4 *)(y + 4 * i);
  out->x = v.x * v.w;
  out->y = v.y * v.y;
  float2 *half = reinterpret_cast<float2 *>(out) + 1;
  *half = make_float2(v.z * v.x, v.w);
}

__global__ void members_as_array(const Vec *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec a = v[i];
  const double *p = &v[i].x;
  double *q = &a.x;
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    q[k] *= p[(k + 1) % 3];
    s += q[k] * p[k];
  }
  double *all = (double *)&a;
  all[1] += s;
  y[i] = a.x * a.y * (&a.y)[1] + p[2];
}

__global__ void array_of_objects_as_numbers(Vec *v, double scale, int n) {
  double *numbers = reinterpret_cast<double *>(v);
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < 3 * n; k += gridDim.x * blockDim.x) {
    numbers[k] = sin(numbers[k]) * scale;
  }
}

__global__ void union_of_forms(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  union {
    Vec v;
    double c[3];
  } both;
  both.v.x = x[i];
  both.v.y = x[i] * x[i];
  both.v.z = 0.5;
  double s = 1;
  for (int k = 0; k < 3; ++k) s *= both.c[k];
  both.c[1] = s;
  y[i] = both.v.y * both.v.x;
}

__global__ void bits_by_pointer(const double *x, const float *scale, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float other = scale[i];
  int raw = *(int *)&other;
  unsigned exponent = (reinterpret_cast<const unsigned *>(scale)[i] >> 23) & 0xffu;
  y[i] = x[i] * x[i] * (raw < 0 ? 2.0 : 1.0) * (exponent > 125u ? 0.5 : 1.5);
}

// Rows that lie `pitch` bytes apart, as cudaMallocPitch makes them.
__global__ void rows_by_bytes(const float *in, float *out, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const char *row = (const char *)in;
  for (int y = 0; y < height; ++y) {
    const float *from = (const float *)row;
    float *to = (float *)((unsigned char *)out + y * pitch) + x;
    *to = from[x] * from[(x + 1) % width];
    row += pitch;
  }
}

__global__ void objects_by_bytes(const float4 *in, float *out, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= width || y >= height) return;
  const float4 *row = (const float4 *)((const char *)in + y * pitch);
  const float4 *next = (const float4 *)((const char *)in + (y + 1) % height * pitch);
  out[y * width + x] = row[x].x * next[x].w + row[x].z;
}

// On the way through pointers to smaller and larger things positions keep their meaning.
__global__ void through_other_sizes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const double2 *pairs = (const double2 *)((const int *)x + 4 * i);
  const char *second = (const char *)(pairs + 1) - sizeof(double);
  const double *all = (const double *)((const Vec *)x + i % 5);
  double *to = (double *)((short *)(y + i) + 4 * i);
  to[0] = pairs->x * *(const double *)second;
  to[1] = all[2] * pairs->y;
}

// Pointers to objects are as far apart as there are objects between them, whatever they were made of.
__global__ void distance_of_vectors(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 *begin = reinterpret_cast<const float4 *>(x), *end = begin + n;
  const float4 *p = begin + i;
  float s = 0;
  while (end - p > 1) {
    s += p->x * p->w * (float)(p - begin);
    ++p;
  }
  y[&begin[i] - begin] = s;
}

// Bytes counted in every way that a multiple of a number's size can be seen in, and in one that wraps.
__global__ void counted_bytes(const double *x, double *y, int n, int step, int two) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const char *p = (const char *)x;
  double a = *(const double *)(p + step + 8 * i);
  double b = *(const double *)(p + (8 * i - two * 8 + 32));
  double c = *(const double *)(p + -(i * step - 8 * 2 * n));
  double d = *(const double *)(p + (step - 8 * i + 8 * n));
  double e = *(const double *)(p + 8 * n - (i * 8));
  double f = *(const double *)(p + (i * step + two * 4));
  double g = *(const double *)(p + -(-(i * 8)));
  double h = *(const double *)(p + 128 + (signed char)(32 * i));
  y[i] = a * b + c * d + e * f * g + h * h;
}

struct Base {
  double a;
};
struct Middle : Base {
  double b;
};
struct Derived : Middle {
  double c;
};

// Pointers that are converted more than once.
__global__ void there_and_back(const Vec *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *numbers = (const double *)v;
  const long long *bits = (const long long *)numbers;
  const char *bytes = (const char *)numbers;
  double second = ((const double *)bits)[3 * i + 1];
  double third = *(const double *)(bytes + 24 * i + 16);
  Derived d;
  d.a = v[i].x;
  d.b = second * second;
  d.c = third;
  Base *base = &d;
  Derived *whole = static_cast<Derived *>(base);
  const Vec *same = (const Vec *)(numbers + 3 * i);
  y[i] = whole->c * whole->b + base->a * whole->a + same->y * same->z;
}

// Functions that are given what is not what they take it for.
__device__ double at(const char *p) { return *(const double *)p; }
__device__ double of(const double *p) { return *p * *p; }
__device__ double low(const unsigned *k) { return *k & 7; }
__global__ void given_as_others(const Vec *v, const int *k, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *numbers = &v[i].x;
  const double own[2] = {v[i].x, v[i].y};
  const char *bytes = (const char *)v, *near = (const char *)own;
  y[i] = at(near + 8) * at(bytes + 24 * i) + of(numbers + i % 3) * low((const unsigned *)k + i);
}

union Square {
  double flat[4], at[2][2];
};
struct Held {
  int n;
  Square square;
};

// Unions of arrays, in memory and in objects there.
__global__ void squares(const Square *s, Square *y) {
  const Square &a = s[threadIdx.x];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      double sum = 0;
      for (int k = 0; k < 2; ++k) sum += a.at[i][k] * a.flat[2 * k + j];
      y[threadIdx.x].at[i][j] = sum;
    }
  }
  Square copy = s[threadIdx.x];
  copy.flat[1] *= copy.at[0][0];
  y[threadIdx.x].flat[3] *= copy.at[0][1];
}
__global__ void in_objects(const Held *h, double *y) {
  const Held &own = h[threadIdx.x];
  y[threadIdx.x] = own.square.at[1][0] * own.square.flat[2] * own.square.flat[own.n];
}

union Tags {
  unsigned tag[3], index[3];
};
__global__ void bonds(const Tags *t, const float *x, float *y) {
  const Tags own = t[threadIdx.x];
  y[threadIdx.x] = x[own.index[0]] * x[own.tag[1]] - x[own.index[2]];
}

// Objects as another class of such numbers: wider, of an odd count, and of another kind.
__global__ void pairs_as_fours(const float2 *in, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 *wide = (const float4 *)in;
  float4 *to = (float4 *)out;
  float4 a = wide[2 * i];
  const float4 &b = wide[2 * i + 1];
  to[i].y += a.x * b.w + in[4 * i + 1].y;
  to[i].z = a.z * a.y - b.x;
  *(float4 *)(out + 2 * (n + i)) = make_float4(a.w, b.y * a.x, b.z, 1.0f);
}

struct Triple {
  float a, b, c;
};

__global__ void triples_as_pairs(Triple *t, const int *which, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 *pairs = (float2 *)t;
  float2 two = pairs[3 * i + 1];
  y[i] = two.x * two.y + ((const Triple *)pairs)[2 * i].a * pairs[which[i]].y;
}

struct Weighted {
  float weight;
  int count;
};

struct Entry {
  float value;
  int times;
};

__global__ void same_form(const Weighted *w, Entry *e, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Entry one = ((const Entry *)w)[i];
  ((Weighted *)e)[i].weight = one.value * one.value * one.times;
  ((Weighted *)e)[i].count = one.times;
}

struct Anchor {
  unsigned short at, level;
  short tag, spare;
};

// Records of other kinds moved as the words that they are as large as, through shared and local ones.
__global__ void moved_as_words(const Anchor *a, const Weighted *w, float *y, Entry *e, int n) {
  __shared__ Anchor near[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  ((short4 *)near)[t] = ((short4 *)a)[i < n ? i : 0];
  __syncthreads();
  if (i >= n) return;
  Anchor own;
  *((short4 *)&own) = ((short4 *)near)[(t + 1) % blockDim.x];
  ((short4 *)e)[i] = *(const short4 *)&w[i];
  y[i] = w[own.at].weight * own.level - w[i].weight * ((short4 *)&own)->z;
}

// Bytes moved four at a time, as numbers that nobody computes with.
__global__ void bytes_as_words(const unsigned char *bytes, const float *x, float *y) {
  __shared__ unsigned char tile[3 * 32];
  int t = threadIdx.x;
  if (4 * t < 3 * 32) ((float *)tile)[t] = ((const float *)bytes)[t];
  __syncthreads();
  y[t] = x[t] * tile[3 * t] + (float)(tile[3 * t + 1] * tile[3 * t + 2]) * x[31 - t];
}

// Integers made of smaller ones, and parts of larger ones, wherever a pointer begins.
__global__ void parts_of_words(const unsigned *words, const unsigned char *bytes, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char *parts = (const unsigned char *)(words + 1);
  const short *halves = (const short *)words;
  int whole = ((const int *)bytes)[i];
  unsigned char own[8];
  *(unsigned long long *)own = ((const unsigned long long *)bytes)[i % 8];
  y[i] = x[i] * x[i] * (parts[i - 1] + halves[2 * i + 1]) + x[i] * (whole % 1000) * own[7] * (words[i] & 15);
  y[i] *= ((const signed char *)&bytes[4])[i] + ((const unsigned char *)(words + i))[2];
}

// Numbers that integers of their size, or of several of them, carry from memory to memory.
template <class Carrier, int count> __device__ void carried(float *to, const float *from) {
  static_assert(sizeof(Carrier) == count * sizeof(float));
  *reinterpret_cast<Carrier *>(to) = *(reinterpret_cast<const Carrier *>(from));
}

__global__ void by_integers(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 >= n) return;
  float pair[2], square[1];
  carried<unsigned long long, 2>(pair, x + 2 * i);
  square[0] = pair[0] * pair[1];
  carried<unsigned, 1>(y + 2 * i, square);
  reinterpret_cast<int *>(y)[2 * i + 1] = reinterpret_cast<const int *>(x)[i];
  ((unsigned *)pair)[1] = ((const unsigned *)&n)[0];
  y[2 * i + 1] *= pair[0];
}

// A vector of floats that moves two doubles.
__global__ void two_in_float4(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 >= n) return;
  float4 to;
  double *both = reinterpret_cast<double *>(&to);
  both[0] = x[2 * i] * x[2 * i + 1];
  both[1] = x[2 * i] + both[0];
  reinterpret_cast<float4 *>(y)[i] = to;
}
