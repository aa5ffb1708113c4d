// Causal attention: a thread for each query of each head, over the keys before it, with 32 numbers each.
#define DEPTH 32

__device__ float product(const float *q, const float *k) {
  float sum = 0.0f;
  for (int c = 0; c < DEPTH; c++) sum += q[c] * k[c];
  return sum * 0.17677669f;
}

__global__ void attention(float *out, const float *queries, const float *keys, const float *values, int length) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= length) return;
  const size_t head = (size_t)blockIdx.y * length * DEPTH;
  float query[DEPTH], sums[DEPTH];
  for (int c = 0; c < DEPTH; c++) {
    query[c] = queries[head + (size_t)t * DEPTH + c];
    sums[c] = 0.0f;
  }
  float largest = -3.4e38f;
  for (int s = 0; s <= t; s++) largest = fmaxf(largest, product(query, keys + head + (size_t)s * DEPTH));
  float whole = 0.0f;
  for (int s = 0; s <= t; s++) {
    const float weight = expf(product(query, keys + head + (size_t)s * DEPTH) - largest);
    whole += weight;
    for (int c = 0; c < DEPTH; c++) sums[c] += weight * values[head + (size_t)s * DEPTH + c];
  }
  for (int c = 0; c < DEPTH; c++) out[head + (size_t)t * DEPTH + c] = sums[c] / whole;
}
