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
