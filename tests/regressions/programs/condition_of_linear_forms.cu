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


namespace tables { static __device__ const double table0[3] = {double(-1.077), double(-1.032), double(-0.851)}; }

namespace tables { static __device__ const double table1[4] = {double(0.419), double(-0.187), double(0.356), double(0.800)}; }

__global__ void kernel(const double *x0, double s0, double *state, double *rows, double *y0, double *y1, short m0, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double *row = rows + i * 1;
  double v1 = 0.6 + fabs(tanh(sin(((row[(i > 4 ? i : 2) % 1] - x0[index[i] % n]) - (double)(m0 % 4)))));
  int g2 = 0;
  while (v1 > 0.275 && g2++ < 7) {
    v1 = v1 * (0.35 + 0.25 * sin(tanh((state[i] + state[i]))));
    double v3 = 0.6 + fabs(tanh(sin(tables::table0[m0 % 3])));
    int g4 = 0;
    while (v3 > 0.264 && g4++ < 7) {
      v3 = v3 * (0.35 + 0.25 * sin(fmin((double)s0, (double)state[i])));
      double v5 = 0.6 + fabs(tanh(static_cast<double>(row[index[i] % 1])));
      int g6 = 0;
      while (v5 > 0.106 && g6++ < 7) {
        v5 = v5 * (0.35 + 0.25 * sin((s0 / (1.459 + s0 * s0))));
        v3 = (((state[i] * (int)(state[i])) + ((tables::table1[((m0 << 1) ^ m0) % 4] > 0.3208713 && row[(i % 4) % 1] > -0.6165282) ? (v5 * 1.156) : tables::table1[index[i] % 4])) / (1 + ((state[i] * (int)(state[i])) + ((tables::table1[((m0 << 1) ^ m0) % 4] > 0.3208713 && row[(i % 4) % 1] > -0.6165282) ? (v5 * 1.156) : tables::table1[index[i] % 4])) * ((state[i] * (int)(state[i])) + ((tables::table1[((m0 << 1) ^ m0) % 4] > 0.3208713 && row[(i % 4) % 1] > -0.6165282) ? (v5 * 1.156) : tables::table1[index[i] % 4]))));
        if ((0.980 < 0.0294012 && state[i] > -0.5651639)) continue;
      }
      (v5 > 1.4843139 ? v5 : state[i]) *= sin(tables::table0[(index[i] + 2 * 1) % 3]) * 0.6;
      if ((double)(i % 4) <= 0.2528791) continue;
    }
    Span<double> o7 = {row, (int)(1)};
    o7[((m0 << 1) ^ m0)] = atan(x0[7 % n]);
    double v8 = o7[(8 % 3)] * 0.5;
    long long n9 = 0 % 6;
    s0 = erf(x0[index[i] % n]);
  }
  row[(m0 + 8 * 4) % 1] = sin(((state[i] * (int)(state[i])) * (int)((state[i] * (int)(state[i])))));
  row[index[i] % 1] = (fmin((double)(double)(index[i] % 4), (double)row[i % 1]) / (1 + fmin((double)(double)(index[i] % 4), (double)row[i % 1]) * fmin((double)(double)(index[i] % 4), (double)row[i % 1])));
  (!(state[i] >= -0.1462690 || (double)(m0 % 4) < 0.1425150) ? s0 : s0) = (state[i] <= 1.2292846 ? state[i] : 0.868);
  int d10 = 0;
  do {
    double v11 = tanh((-(((double)(d10 % 4) / (1.870 + v1 * v1)))));
    double a12[3][3];
    for (int q13 = 0; q13 < 3; ++q13) for (int q14 = 0; q14 < 3; ++q14) a12[q13][q14] = ((double)((s0 * tables::table0[(i + 8 * 1) % 3])) / (1 + (double)((s0 * tables::table0[(i + 8 * 1) % 3])) * (double)((s0 * tables::table0[(i + 8 * 1) % 3]))));
  } while (++d10 < 3);
  for (int k15 = 1; k15 < 18; k15 <<= 1) {
    int w16 = 0;
    while (w16++ < 2 && (0.514 >= 0.4677932 && v1 > -0.8473683)) {
      s0 = (-(row[i % 1]));
      if ((k15 > k15 ? k15 : 1) % 4 > 1) {
        double &r17 = s0;
        r17 *= sin((row[i % 1] - (x0[5 % n] * state[i])));
        r17 *= 0.2;
        double a18[4][3];
        for (int q19 = 0; q19 < 4; ++q19) for (int q20 = 0; q20 < 3; ++q20) a18[q19][q20] = sin((s0 * s0));
      }
      double *r21 = &row[(k15 + index[i] * 5) % 1];
    }
    if (state[i] < -0.0773110) break;
  }
  v1 = tanh((x0[2 % n] * ((v1 * ((1 % 3) % 3)) - (0.285 / (1.265 + v1 * v1)))));
  for (unsigned char k22 = 0; k22 < ((m0 << 1) ^ i) % 4; ++k22) {
    if ((i > k22 ? i : 4) % 3 == 0) continue;
    int d23 = 0;
    do {
      s0 = tanh(sqrt(1.0 + (state[i] / (1.852 + (double)(index[i] % 4) * (double)(index[i] % 4))) * (state[i] / (1.852 + (double)(index[i] % 4) * (double)(index[i] % 4)))));
    } while (++d23 < 3 && !((double)(index[i] % 4) < -0.0468812 || v1 < -0.2229134));
  }
  double v26 = 0.2;
  const double *p24 = x0;
  for (const double *e25 = x0 + n; e25 - p24 >= 2; ) {
    v26 = v26 * 0.6 + sin(*p24 * v26);
    p24 += 2;
  }
  ((0.760 <= -0.2431536 && 0.197 > -0.9020410) ? state[i] : s0) *= tanh(exp(0.3 * sin((-(s0))))) * 0.6;
  state[i] = HALF((((!(v26 <= 1.1583022 || x0[(index[i] > i ? index[i] : 1) % n] < -0.9603957) ? s0 : tables::table0[index[i] % 3]) * (-(tables::table0[(7 > 7 ? 7 : 4) % 3]))) / (1 + ((!(v26 <= 1.1583022 || x0[(index[i] > i ? index[i] : 1) % n] < -0.9603957) ? s0 : tables::table0[index[i] % 3]) * (-(tables::table0[(7 > 7 ? 7 : 4) % 3]))) * ((!(v26 <= 1.1583022 || x0[(index[i] > i ? index[i] : 1) % n] < -0.9603957) ? s0 : tables::table0[index[i] % 3]) * (-(tables::table0[(7 > 7 ? 7 : 4) % 3]))))));
  int d27 = 0;
  do {
    s0 = tanh((double(v26) * (int)(double(v26))));
  } while (++d27 < 4);
  v1 = 0.812 * tanh(v1);
  v26 = 1.192 * tanh(v26);
  state[i] = fmax((double)double(tables::table1[(0 > index[i] ? 0 : 4) % 4]), (double)tables::table1[7 % 4]);
  y0[i] += sin((tanh((tables::table1[(index[i] > 1 ? index[i] : 4) % 4] * (int)(tables::table1[(index[i] > 1 ? index[i] : 4) % 4]))) * ((double)(index[i] % 4) * (int)((double)(index[i] % 4)))));
  y1[i] = sin(((0.329 * s0) * fmin((double)(row[index[i] % 1] * 0.935), (double)v1)));
  row[0] = row[0] * 0.5 + v26;
}
