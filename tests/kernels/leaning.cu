// Lanes that exchange numbers by shared memory and meet in a shuffle, a vote or a reduction only.
__global__ void mirrored(const double *x, double *y) {
  __shared__ double s[32];
  const int l = threadIdx.x;
  s[l] = x[l] * x[l];
  const int zero = __shfl_sync(~0u, l, 0);
  y[l] = s[31 - l + zero] * x[l];
}

__global__ void voted(const double *x, double *y) {
  __shared__ double s[32];
  const int l = threadIdx.x;
  s[l] = x[l] * x[l];
  const bool all = __all_sync(~0u, x[l] > 0.0);
  const double w = all ? s[(l + 1) % 32] : s[l];
  const unsigned most = __reduce_max_sync(~0u, (unsigned)l);
  s[l] = w * x[most - l];
  __syncwarp();
  y[l] = s[31 - l] * w;
}

// Each turn stores what the lanes read in the next.
__global__ void in_turns(const double *x, double *y, int n) {
  __shared__ double s[32];
  const int l = threadIdx.x;
  double v = x[l], sum = 0.0;
  for (int k = 0; k < n; ++k) {
    s[l] = v * v;
    const int here = __popc(__ballot_sync(~0u, l >= 0));
    v = s[(l + 1) % here] * 0.9;
    sum += __shfl_xor_sync(~0u, v, 1);
  }
  y[l] = sum + v;
}
