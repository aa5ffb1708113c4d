// What is added to several numbers of one object, or side by side in an array, at a time.

// Entries of two numbers, found by hashing, as encodings of positions have them.
__global__ void hashed(const float *at, const float2 *table, float2 *out, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = at[i] * 7;
  int cell = (int)floorf(x);
  float w = x - cell;
  float2 a = table[(unsigned)(cell * 31 + i % 3) % size], b = table[(unsigned)((cell + 1) * 31) % size];
  out[i] = make_float2((1 - w) * a.x + w * b.x, (1 - w) * a.y * a.y + w * b.y);
}

// Rows of words in vectors of four: threads with one word meet, and lanes of neighbouring columns are side by side.
__global__ void words(const int *word, const float4 *table, const float4 *place, float4 *out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * width) return;
  int row = i / width, column = i % width;
  float4 a = table[word[row] * width + column], b = place[column];
  out[i] = make_float4(a.x + b.x, a.y * b.y, a.z + b.z, a.w * b.w);
}

// Elements that are read as vectors, or two and two, wherever the array begins.
__global__ void as_vectors(const float *in, const int *from, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = *reinterpret_cast<const float4 *>(in + 4 * from[i]);
  int b = from[(i + 1) % n];
  float dx = in[4 * b] - v.x, dy = in[4 * b + 1] - v.y;
  out[i] = v.z * v.w + dx * dx * dy;
}

// Members of one object for all threads of a warp, or for those that are left of it.
struct Blob {
  float2 mean;
  float3 shape;
  float strength;
};
__global__ void blobs(const Blob *blob, const int *ids, int count, float *image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0, left = 1;
  for (int k = 0; k < count; ++k) {
    Blob q = blob[ids[k]];
    float dx = 0.1f * i - q.mean.x, dy = 0.3f - q.mean.y;
    float a = q.strength * expf(-0.5f * (q.shape.x * dx * dx + q.shape.z * dy * dy) - q.shape.y * dx * dy);
    sum += left * a;
    left *= 1 - 0.3f * a;
  }
  image[i] = sum;
}

// The same of numbers in an array, of doubles, and at places that differ from lane to lane in the last warp.
__global__ void coefficients(const double *c, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *own = c + 5 * (i / 32);
  y[i] = own[0] + x[i] * (own[1] + x[i] * (own[2] + x[i] * own[4])) + own[3] * own[3];
}
