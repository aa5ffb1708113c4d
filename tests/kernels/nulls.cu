// Pointers that may be null: chosen at run time, moved, seen as others.
struct Link {
  Link *next;
  double v;
};

__global__ void smallest_above(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *best = nullptr;
  for (int k = 0; k < n; ++k)
    if (a[k] > a[i] && (!best || a[k] < *best)) best = a + k;
  y[i] = best ? *best * a[i] : a[i] * a[i] * a[i];
}

__global__ void either(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double *p = i % 3 == 0 ? nullptr : i % 3 == 1 ? a + i : b;
  if (i < n) y[i] = p == nullptr ? 2.0 * a[i] : nullptr != b ? p[0] * a[i] * b[i] : p[0] * p[0];
}

__global__ void as_others(const double *a, double **rows, const Link *links, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double2 *pairs = reinterpret_cast<const double2 *>(a);
  const Link *link = links;
  if (i >= n || !rows) return;
  y[i] = pairs + i ? pairs[i].x * rows[i][0] : 1.0;
  if (link) y[i] += (link + i)->v * links[i].next[0].v;
}

// Pointers that lead nowhere until they lead to numbers as objects, or by bytes.
__global__ void objects_set_later(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const double2 *p = nullptr;
  if (i % 3) p = reinterpret_cast<const double2 *>(x);
  double2 *q = nullptr;
  for (int k = 0; k < 3; ++k)
    if (k == i % 2) q = reinterpret_cast<double2 *>(y) + i;
  double s = x[i];
  if (p) {
    p += i / 2;
    const double2 both = *p;
    s = both.x * p->y + p[1].x;
  }
  if (q != nullptr) *q = make_double2(s * s, sin(s));
}

__global__ void bytes_set_later(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const int4 *whole = nullptr;
  const char *p = nullptr;
  if (i < 8) {
    whole = reinterpret_cast<const int4 *>(x);
    p = reinterpret_cast<const char *>(x);
  }
  if (!whole) return;
  reinterpret_cast<int4 *>(y)[i] = whole[i];
  p += 8 * (i / 2) + 4 * (i % 2);
  y[4 * i] *= *reinterpret_cast<const float *>(p);
}

// Closures that capture closures, and addresses of what is captured.
__global__ void nested_closures(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double scale = 1.0;
  auto difference = [&](int j) { return x[(j + 1) % n] - x[j]; };
  auto grow = [&](double by) {
    double *p = &scale;
    *p *= by;
  };
  auto curvature = [&](int j) {
    grow(1.0 + x[j]);
    return difference(j) * difference((j + 1) % n);
  };
  y[i] = curvature(i);
  y[i] *= scale;
}

// Functions that are kept, with null for what may be left out.
__device__ double weighted(const double *x, const double *weight, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += weight ? weight[i] * x[i] : x[i] * x[i];
  return sum;
}
namespace cladpy { namespace custom_derivatives {
__device__ inline void weighted_pullback(const double *x, const double *weight, int n, double d, double *d_x,
                                         double *d_weight) {
  for (int i = 0; i < n; ++i) {
    atomicAdd(&d_x[i], d * (weight ? weight[i] : 2 * x[i]));
    if (weight) atomicAdd(&d_weight[i], d * x[i]);
  }
}
} }
__device__ double weighted_rest(const double *x, const double *weight, int n) {
  return n == 0 ? 1.0 : (weight ? weight[0] * x[0] : x[0] * x[0]) * weighted_rest(x + 1, weight, n - 1);
}
__global__ void left_out(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 >= n) return;
  y[i] = weighted(x + i, nullptr, 3) * weighted(x + i, x, 2);
  y[i] += weighted_rest(x + i, nullptr, 2) * weighted_rest(x + i, x + i, 3);
}
