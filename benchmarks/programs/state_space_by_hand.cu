// States of every 32nd step are kept in global memory on the way forward; each stretch is run again from there, with its states
// in a local array. What the channels of a warp give to B and C is summed before an atomic.
const int STRETCH = 32;

template <bool Fresh>
__global__ void state_space_back(const float *x, const float *delta, const float *A, const float *B, const float *C,
                                 int channels, int steps, float *d_y, float *d_x, float *d_delta, float *d_A,
                                 float *d_B, float *d_C, float4 *kept) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), sequence = static_cast<int>(blockIdx.y);
  const bool here = channel < channels;
  const int own = here ? channel : channels - 1;
  const int stretches = (steps + STRETCH - 1) / STRETCH;
  float rates[4], states[4] = {};
#pragma unroll
  for (int k = 0; k < 4; k++) rates[k] = A[own * 4 + k];
  for (int t = 0; t < steps; t++) {
    const size_t row = static_cast<size_t>(sequence) * steps + t, at = row * channels + own;
    if (t % STRETCH == 0 && here)
      kept[(static_cast<size_t>(sequence) * stretches + t / STRETCH) * channels + own] =
          make_float4(states[0], states[1], states[2], states[3]);
    const float d = delta[at], scaled = d * x[at];
#pragma unroll
    for (int k = 0; k < 4; k++) states[k] = expf(d * rates[k]) * states[k] + scaled * B[row * 4 + k];
  }
  float d_states[4] = {}, d_rates[4] = {};
  for (int stretch = stretches - 1; stretch >= 0; stretch--) {
    const int first = stretch * STRETCH, end = first + STRETCH < steps ? first + STRETCH : steps;
    float before[STRETCH][4];
    const float4 start = kept[(static_cast<size_t>(sequence) * stretches + stretch) * channels + own];
    states[0] = start.x, states[1] = start.y, states[2] = start.z, states[3] = start.w;
    for (int t = first; t < end; t++) {
      const size_t row = static_cast<size_t>(sequence) * steps + t, at = row * channels + own;
      const float d = delta[at], scaled = d * x[at];
#pragma unroll
      for (int k = 0; k < 4; k++) {
        before[t - first][k] = states[k];
        states[k] = expf(d * rates[k]) * states[k] + scaled * B[row * 4 + k];
      }
    }
    for (int t = end - 1; t >= first; t--) {
      const size_t row = static_cast<size_t>(sequence) * steps + t, at = row * channels + own;
      const float d = delta[at], in = x[at];
      float cotangent = 0.0f;
      if (here) cotangent = d_y[at];
      float d_scaled = 0.0f, d_step = 0.0f;
#pragma unroll
      for (int k = 0; k < 4; k++) {
        const float old = before[t - first][k], factor = expf(d * rates[k]), b = B[row * 4 + k];
        const float state = factor * old + d * in * b;
        d_states[k] += cotangent * C[row * 4 + k];
        const float of_c = warp_sum(here ? cotangent * state : 0.0f);
        const float of_b = warp_sum(here ? d_states[k] * d * in : 0.0f);
        if (threadIdx.x % 32 == 0) {
          atomicAdd(&d_C[row * 4 + k], of_c);
          atomicAdd(&d_B[row * 4 + k], of_b);
        }
        d_scaled += d_states[k] * b;
        const float d_factor = d_states[k] * old * factor;
        d_step += d_factor * rates[k];
        d_rates[k] += d_factor * d;
        d_states[k] *= factor;
      }
      if (here) {
        give<Fresh>(d_delta[at], d_step + d_scaled * in);
        give<Fresh>(d_x[at], d_scaled * d);
        spend<Fresh>(d_y[at]);
      }
    }
  }
  if (here)
    for (int k = 0; k < 4; k++) atomicAdd(&d_A[channel * 4 + k], d_rates[k]);
}

template <bool Fresh>
void state_space_by_hand(const at &a, float *, const float *x, const float *delta, const float *A, const float *B,
                         const float *C, int channels, int steps, int sequences, float *d_y, float *d_x, float *d_delta,
                         float *d_A, float *d_B, float *d_C) {
  const size_t stretches = (steps + STRETCH - 1) / STRETCH;
  float4 *kept = static_cast<float4 *>(scratch(sizeof(float4) * stretches * channels * sequences));
  LAUNCH(a, (state_space_back<Fresh>), x, delta, A, B, C, channels, steps, d_y, d_x, d_delta, d_A, d_B, d_C, kept);
}
