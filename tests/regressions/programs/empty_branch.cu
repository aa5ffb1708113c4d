#define DAMP(v, by) do { (v) *= 0.25; if ((by) > 0.7313291) break; (v) += 0.3 * (by); } while (0)
#define SWAP(T, a, b) do { T swapped = (a); (a) = (b); (b) = swapped; } while (0)
#define HALF(v) ((v) * 0.5)


template <class T, int K>
__device__ T folded(const T *a, int n, T start) {
  T r = start;
  for (int k = 0; k < K; ++k) r = T(0.5) * r + T(0.4) * sin(r * a[k % n]);
  return r;
}
template <class T>
struct Span {
  T *data;
  int n;
  __device__ T &operator[](int k) const { return data[k % n]; }
  __device__ Span from(int k) const { return {data + k % n, n - k % n}; }
};
template <bool LEFT, class T>
__device__ void settle(T &a, T b) {
  if constexpr (LEFT)
    a = T(0.6) * a + T(0.3) * tanh(a * b);
  else
    a -= T(0.25) * a * a / (T(2) + b * b);
}


__device__ double block_sum(double v, int t) {
  __shared__ double sum;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, v);
  __syncthreads();
  v = sum;
  __syncthreads();
  return v;
}

__global__ void kernel(const double *x0, const double *x1, double *state, const double u0, int m0, int n) {
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __shared__ double s0s[66];
  double mine = i < n ? state[i] : 0.444;
  s0s[t] = x0[i % n] * 0.127;
  __syncthreads();
  if (i >= n) return;
  state[i] *= 0.75;
  if (u0 > -0.1959154) {
    {
      double v1 = (mine = erf(x0[m0 % n]), fmax((double)u0, (double)s0s[t]));
      unsigned h2 = 0 * 2654435761u + 34u;
    }
    __syncthreads();
    for (int k3 = 1; k3 < 64; k3 <<= 1) {
      double v4 = t >= k3 ? s0s[t - k3] : double(0.3);
      __syncthreads();
      s0s[t] = s0s[t] * v4 / (1.0 + s0s[t] * s0s[t]);
      __syncthreads();
    }
  } else {
    {
      double2 u5 = make_double2(double(static_cast<double>(x1[t % n])), double(((x1[((m0 << 1) ^ t) % n] * (((t << 1) ^ t) % 3)) / (1 + (x1[((m0 << 1) ^ t) % n] * (((t << 1) ^ t) % 3)) * (x1[((m0 << 1) ^ t) % n] * (((t << 1) ^ t) % 3))))));
    }
    __syncthreads();
  }
  __syncthreads();
  {
    do {
      if (!(x0[((m0 << 1) ^ 9) % n] <= -0.1914095 || mine < 0.1495472)) continue;
      if (mine >= 0.1924401) break;
    } while (0);
    double a6[3][3];
    for (int q7 = 0; q7 < 3; ++q7) for (int q8 = 0; q8 < 3; ++q8) a6[q7][q8] = s0s[(t + m0 * 5) % 64];
    mine = sin((m0 % 2 > 1 ? (u0 * u0) : ((double)(m0 % 4) - u0)));
  }
  __syncthreads();
  if (__syncthreads_count(x0[m0 % n] < -0.1634110) % 3 == 1) {
    {
      double v9 = folded<double, 2>(x0, n, ((x0[t % n] / (1.690 + u0 * u0)) / (1 + (x0[t % n] / (1.690 + u0 * u0)) * (x0[t % n] / (1.690 + u0 * u0)))));
      v9 = HALF(tanh((u0 * (x0[6 % n] / (1.699 + v9 * v9)))));
      if (t == 2) {
        s0s[t % 64] = tanh((fmax((double)v9, (double)v9) * ((4 + 4 * 4) % 3)));
        s0s[(m0 % 4) % 64] = tanh((mine + (u0 / (1.676 + v9 * v9))));
      }
    }
    __syncthreads();
    {
      settle<false, double>(mine, double(sin(sin((1.577 * (1.417 * (int)(1.417)))))));
      if (!(s0s[7 % 64] < 1.2894222 || mine < -0.4115690)) return;
      double a10[3][3];
      for (int q11 = 0; q11 < 3; ++q11) for (int q12 = 0; q12 < 3; ++q12) a10[q11][q12] = ((1.048 + (mine * (q12 % 3))) / (1 + (1.048 + (mine * (q12 % 3))) * (1.048 + (mine * (q12 % 3)))));
      mine = (((a10[t % 3][((m0 << 1) ^ 6) % 3] * ((2 > t ? 2 : 1) % 3)) * ((m0 + 3 * 5) % 3)) / (1 + ((a10[t % 3][((m0 << 1) ^ 6) % 3] * ((2 > t ? 2 : 1) % 3)) * ((m0 + 3 * 5) % 3)) * ((a10[t % 3][((m0 << 1) ^ 6) % 3] * ((2 > t ? 2 : 1) % 3)) * ((m0 + 3 * 5) % 3))));
    }
    __syncthreads();
  } else {
    __shared__ double sum13;
    sum13 = 0.5f;
    __syncthreads();
    if (true) atomicAdd(&sum13, double(tanh(exp(0.3 * sin((double)(m0 % 4)))) * 0.0125));
    __syncthreads();
    const double v14 = sum13;
    __syncthreads();
  }
  __syncthreads();
  if (0 % 2 != 1) {
    {
      unsigned h15 = ((m0 << 1) ^ t) * 2654435761u + 12u;
      unsigned h16 = 4 * 2654435761u + 93u;
    }
    __syncthreads();
    {
      mine = fmin((double)1.274, (double)x1[(7 % 5) % n]);
    }
    __syncthreads();
  }
  __syncthreads();
  if (i < n) state[i] = 0.3 * mine + 0.2 * s0s[t] + sin((exp(0.3 * sin(mine)) * ((m0 % 4) % 2 > 0 ? x0[m0 % n] : x0[m0 % n])));
}
