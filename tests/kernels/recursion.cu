// Recursion with objects in the signature, and recursion that is given local memory.

struct Vec3 {
  double x, y, z;
  __host__ __device__ Vec3(double x, double y, double z) : x(x), y(y), z(z) {}
  __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
  __host__ __device__ double dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
__host__ __device__ Vec3 operator*(double s, const Vec3 &v) { return Vec3(s * v.x, s * v.y, s * v.z); }

struct Ray {
  Vec3 origin, direction;
};

struct Sphere {
  Vec3 center;
  double radius, shine;
};

__device__ Vec3 trace(Ray r, const Sphere *s, int count, int depth) {
  if (depth == 0) return Vec3(0.1, 0.2, 0.3) + 0.5 * r.direction;
  Vec3 color(0.0, 0.0, 0.0);
  for (int i = 0; i < 2; ++i) {
    const Sphere &ball = s[(depth + i) % count];
    Vec3 to = ball.center - r.origin;
    double along = to.dot(r.direction);
    double reach = exp(-along * along / ball.radius);
    Ray next = {r.origin + reach * r.direction, 0.5 * r.direction + (0.3 * reach) * to};
    color = color + ball.shine * trace(next, s, count, depth - 1);
  }
  return color;
}

__global__ void render(const Sphere *spheres, const double *aim, double *image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Ray r = {Vec3(0.1 * aim[i], 0.2, 0.3), Vec3(1.0, aim[i], aim[i] * aim[i])};
  Vec3 color = trace(r, spheres, 3, 3);
  image[i] = color.x + color.y * color.z;
}

struct Series {
  double terms[4];
  double scale;
  int last;
  __device__ double sum(double x, int k) const {
    if (k > last) return scale;
    return terms[k] * x + x * sum(x * scale, k + 1);
  }
};

__global__ void horner(const double *x, double *y, Series given, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Series own = given;
  own.terms[1] *= x[i];
  own.scale += 0.1 * x[i];
  y[i] = given.sum(x[i], 0) + own.sum(x[i] * x[i], 0);
}

// By reference, and the result needed nonlinearly.
__device__ Vec3 spiral(const Vec3 &v, int depth) {
  if (depth <= 0) return v;
  Vec3 inner = spiral(Vec3(v.y * v.z, v.x, v.x * v.y), depth - 1);
  return Vec3(inner.x * v.x, inner.y + v.y * inner.z, sin(inner.z));
}

__global__ void spirals(const Vec3 *v, Vec3 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = spiral(v[i], 3);
}

__device__ double last(const double *p, int n) { return n == 1 ? p[0] * p[0] : p[n - 1] * last(p, n - 1); }
__device__ double halve(const double &x, int n) { return n == 0 ? x * x : 0.5 * halve(x, n - 1); }

__global__ void local_memory(const double *x, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  double p[4] = {x[i], x[i] * x[(i + 1) % n], 2.0, sin(x[i])};
  double whole = last(p, 4), part = last(p + 1, 3);
  p[0] = whole;
  double once = part * x[i];
  y[i] = whole * part + last(p, 2) + last(&once, 1) + halve(once, 2) + halve(p[1], 1);
}
