// The forward sweep decides by what the steps come to, and so does each step; what the reverse makes again of the other
// values decides nothing.
__global__ void k(float *out, const float *noise, float scale, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float price = scale, other = 0.5f, sum = 0.0f;
  for (int k = 0; k < steps; ++k) {
    price = price * expf(scale * price + noise[k]);
    if (other * scale + noise[k] > 1.0f) other = other * other + 0.1f;
    sum += price * other;
  }
  out[i] = sum * scale - 1.0f > 0.0f ? sum : 0.0f;
}
