// First a thread for each query: what it divides by, what its output gives to its cotangent, and its own adjoint. Then a thread
// for each key and value, over the queries after it: nothing is atomic.
#define DEPTH 32

__device__ __forceinline__ float scaled(const float *a, const float *b) {
  float sum = 0.0f;
#pragma unroll
  for (int c = 0; c < DEPTH; c++) sum += a[c] * b[c];
  return sum * 0.17677669f;
}

template <bool Fresh>
__global__ void attention_queries(const float *queries, const float *keys, const float *values, int length,
                                  const float *d_out, float *d_queries, float2 *kept) {
  const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (t >= length) return;
  const size_t head = static_cast<size_t>(blockIdx.y) * length * DEPTH, own = head + static_cast<size_t>(t) * DEPTH;
  float query[DEPTH], d[DEPTH], sums[DEPTH] = {};
#pragma unroll
  for (int c = 0; c < DEPTH; c++) query[c] = queries[own + c], d[c] = d_out[own + c];
  float largest = -3.4e38f, whole = 0.0f, along = 0.0f;
  for (int s = 0; s <= t; s++) {
    const float score = scaled(query, keys + head + static_cast<size_t>(s) * DEPTH);
    if (score > largest) {
      const float factor = expf(largest - score);
      whole *= factor;
      along *= factor;
      largest = score;
    }
    const float weight = expf(score - largest);
    whole += weight;
    float dot = 0.0f;
#pragma unroll
    for (int c = 0; c < DEPTH; c++) dot += d[c] * values[head + static_cast<size_t>(s) * DEPTH + c];
    along += weight * dot;
  }
  const float logarithm = largest + logf(whole);
  along /= whole;
  for (int s = 0; s <= t; s++) {
    const size_t at = head + static_cast<size_t>(s) * DEPTH;
    float dot = 0.0f;
#pragma unroll
    for (int c = 0; c < DEPTH; c++) dot += d[c] * values[at + c];
    const float d_score = expf(scaled(query, keys + at) - logarithm) * (dot - along) * 0.17677669f;
#pragma unroll
    for (int c = 0; c < DEPTH; c++) sums[c] += d_score * keys[at + c];
  }
#pragma unroll
  for (int c = 0; c < DEPTH; c++) give<Fresh>(d_queries[own + c], sums[c]);
  kept[static_cast<size_t>(blockIdx.y) * length + t] = make_float2(logarithm, along);
}

template <bool Fresh>
__global__ void attention_keys(const float *queries, const float *keys, const float *values, int length,
                               const float *d_out, float *d_keys, float *d_values, const float2 *kept) {
  const int s = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (s >= length) return;
  const size_t head = static_cast<size_t>(blockIdx.y) * length * DEPTH, own = head + static_cast<size_t>(s) * DEPTH;
  float key[DEPTH], value[DEPTH], of_key[DEPTH] = {}, of_value[DEPTH] = {};
#pragma unroll
  for (int c = 0; c < DEPTH; c++) key[c] = keys[own + c], value[c] = values[own + c];
  // from the first query of the block on, so that the threads of a warp read the same
  for (int t = s - static_cast<int>(threadIdx.x); t < length; t++) {
    if (t < s) continue;
    const size_t at = head + static_cast<size_t>(t) * DEPTH;
    const float2 of = kept[static_cast<size_t>(blockIdx.y) * length + t];
    const float weight = expf(scaled(queries + at, key) - of.x);
    float dot = 0.0f;
#pragma unroll
    for (int c = 0; c < DEPTH; c++) {
      dot += d_out[at + c] * value[c];
      of_value[c] += weight * d_out[at + c];
    }
    const float d_score = weight * (dot - of.y) * 0.17677669f;
#pragma unroll
    for (int c = 0; c < DEPTH; c++) of_key[c] += d_score * queries[at + c];
  }
#pragma unroll
  for (int c = 0; c < DEPTH; c++) {
    give<Fresh>(d_keys[own + c], of_key[c]);
    give<Fresh>(d_values[own + c], of_value[c]);
  }
}

__global__ void clear_cotangents(float *d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) d[i] = 0.0f;
}

template <bool Fresh>
void attention_by_hand(const at &a, float *, const float *queries, const float *keys, const float *values, int length,
                       float *d_out, float *d_queries, float *d_keys, float *d_values) {
  const int rows = static_cast<int>(a.grid.y) * length;
  float2 *kept = static_cast<float2 *>(scratch(sizeof(float2) * rows));
  LAUNCH(a, (attention_queries<Fresh>), queries, keys, values, length, d_out, d_queries, kept);
  LAUNCH(a, (attention_keys<Fresh>), queries, keys, values, length, d_out, d_keys, d_values, kept);
  if (!Fresh) LAUNCH_AS(a, (rows * DEPTH + 255) / 256, 256, 0, clear_cotangents, d_out, rows * DEPTH);
}
