// Kernels in the manner of renderers, those that learn scenes among them.
namespace nerf {
struct Ray {
  float3 origin, direction;
  __device__ float3 at(float t) const {
    return make_float3(origin.x + t * direction.x, origin.y + t * direction.y, origin.z + t * direction.z);
  }
};
__device__ inline float3 operator*(float s, const float3 &v) { return make_float3(s * v.x, s * v.y, s * v.z); }
__device__ inline float3 &operator+=(float3 &a, const float3 &b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}

// Grid of densities and colours, trilinear; a ray ends when almost nothing passes any more.
__global__ void march(const Ray *__restrict__ rays, const float4 *__restrict__ field, float3 *__restrict__ pixels,
                      float *__restrict__ depth, const int3 size, float step, int rays_count) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rays_count) return;
  const Ray ray = rays[r];
  float3 color = {0.f, 0.f, 0.f};
  float transmittance = 1.f, mean = 0.f;
  for (float t = 0.5f * step; t < 4.f; t += step) {
    const float3 p = ray.at(t);
    const int3 cell = make_int3((int)floorf(p.x), (int)floorf(p.y), (int)floorf(p.z));
    if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x >= size.x - 1 || cell.y >= size.y - 1 || cell.z >= size.z - 1) continue;
    const float f[3] = {p.x - cell.x, p.y - cell.y, p.z - cell.z};
    float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
      const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
      const float w = (dx ? f[0] : 1.f - f[0]) * (dy ? f[1] : 1.f - f[1]) * (dz ? f[2] : 1.f - f[2]);
      const float4 v = field[((cell.z + dz) * size.y + cell.y + dy) * size.x + cell.x + dx];
      sum.x += w * v.x;
      sum.y += w * v.y;
      sum.z += w * v.z;
      sum.w += w * v.w;
    }
    const float alpha = 1.f - __expf(-fmaxf(sum.w, 0.f) * step);
    color += (transmittance * alpha) * make_float3(sum.x, sum.y, sum.z);
    mean += transmittance * alpha * t;
    transmittance *= 1.f - alpha;
    if (transmittance < 1e-2f) break;
  }
  pixels[r] = color;
  if (depth) depth[r] = mean;
}
}  // namespace nerf

namespace splat {
template <int Degree>
__device__ float3 color_of(const float3 *sh, float3 d) {
  constexpr float C0 = 0.28209479177387814f, C1 = 0.4886025119029199f;
  constexpr float C2[] = {1.0925484305920792f, -1.0925484305920792f, 0.31539156525252005f, -1.0925484305920792f, 0.5462742152960396f};
  auto axpy = [](float3 &y, float a, const float3 &x) {
    y.x += a * x.x;
    y.y += a * x.y;
    y.z += a * x.z;
  };
  float3 result = {0, 0, 0};
  axpy(result, C0, sh[0]);
  if constexpr (Degree > 0) {
    axpy(result, -C1 * d.y, sh[1]);
    axpy(result, C1 * d.z, sh[2]);
    axpy(result, -C1 * d.x, sh[3]);
    if constexpr (Degree > 1) {
      const float xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
      const float basis[5] = {d.x * d.y, d.y * d.z, 2.f * zz - xx - yy, d.x * d.z, xx - yy};
      for (int k = 0; k < 5; ++k) axpy(result, C2[k] * basis[k], sh[4 + k]);
    }
  }
  result.x = fmaxf(result.x + 0.5f, 0.f), result.y = fmaxf(result.y + 0.5f, 0.f), result.z = fmaxf(result.z + 0.5f, 0.f);
  return result;
}

struct Mat3 {
  float m[3][3];
  __device__ static Mat3 rotation(const float4 &q) {
    const float s = rsqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const float r = q.x * s, x = q.y * s, y = q.z * s, z = q.w * s;
    return {{{1.f - 2.f * (y * y + z * z), 2.f * (x * y - r * z), 2.f * (x * z + r * y)},
             {2.f * (x * y + r * z), 1.f - 2.f * (x * x + z * z), 2.f * (y * z - r * x)},
             {2.f * (x * z - r * y), 2.f * (y * z + r * x), 1.f - 2.f * (x * x + y * y)}}};
  }
  __device__ Mat3 transposed() const {
    Mat3 t;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) t.m[j][i] = m[i][j];
    return t;
  }
};
__device__ Mat3 operator*(const Mat3 &a, const Mat3 &b) {
  Mat3 c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
  return c;
}

struct Camera {
  float view[12];
  float fx, fy, tan_x, tan_y;
  float3 position;
};

template <int Degree>
__global__ void preprocess(int count, const float3 *__restrict__ means, const float3 *__restrict__ scales,
                           const float4 *__restrict__ rotations, const float3 *__restrict__ harmonics, const Camera camera,
                           float2 *__restrict__ centers, float4 *__restrict__ conics, float3 *__restrict__ colors,
                           int *__restrict__ radii) {
  constexpr int coefficients = (Degree + 1) * (Degree + 1);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  radii[i] = 0;
  const float3 p = means[i];
  const auto &V = camera.view;
  float3 t = {V[0] * p.x + V[1] * p.y + V[2] * p.z + V[3], V[4] * p.x + V[5] * p.y + V[6] * p.z + V[7],
              V[8] * p.x + V[9] * p.y + V[10] * p.z + V[11]};
  if (t.z <= 0.2f) return;
  const float limit_x = 1.3f * camera.tan_x, limit_y = 1.3f * camera.tan_y;
  const float u = t.x / t.z, v = t.y / t.z;
  t.x = fminf(limit_x, fmaxf(-limit_x, u)) * t.z;
  t.y = fminf(limit_y, fmaxf(-limit_y, v)) * t.z;
  Mat3 S{};
  S.m[0][0] = expf(scales[i].x), S.m[1][1] = expf(scales[i].y), S.m[2][2] = expf(scales[i].z);
  const Mat3 M = Mat3::rotation(rotations[i]) * S;
  const Mat3 sigma = M * M.transposed();
  const Mat3 J = {{{camera.fx / t.z, 0.f, -camera.fx * t.x / (t.z * t.z)}, {0.f, camera.fy / t.z, -camera.fy * t.y / (t.z * t.z)}, {}}};
  const Mat3 W = {{{V[0], V[1], V[2]}, {V[4], V[5], V[6]}, {V[8], V[9], V[10]}}};
  const Mat3 T = J * W, cov = T * sigma * T.transposed();
  const float a = cov.m[0][0] + 0.3f, b = cov.m[0][1], c = cov.m[1][1] + 0.3f;
  const float det = a * c - b * b;
  if (det == 0.f) return;
  const float inverse = 1.f / det, mid = 0.5f * (a + c);
  const float lambda = mid + sqrtf(fmaxf(0.1f, mid * mid - det));
  float3 d = {p.x - camera.position.x, p.y - camera.position.y, p.z - camera.position.z};
  const float length = norm3df(d.x, d.y, d.z);
  d.x /= length, d.y /= length, d.z /= length;
  centers[i] = {camera.fx * u, camera.fy * v};
  conics[i] = make_float4(c * inverse, -b * inverse, a * inverse, det);
  colors[i] = color_of<Degree>(harmonics + i * coefficients, d);
  radii[i] = (int)ceilf(3.f * sqrtf(lambda));
}
}  // namespace splat

// Microfacet reflection.
__device__ __host__ inline double sqr(double x) { return x * x; }
__device__ double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
struct Material {
  double base[3], roughness, metallic;
  int model;
};
__global__ void shade(const double *normals, const double *views, const Material *materials, const int *which, double *radiance,
                      const double *__restrict__ light, double exposure, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Material *m = materials + which[i];
  const double *N = normals + 3 * i, *V = views + 3 * i;
  double H[3];
  for (int c = 0; c < 3; ++c) H[c] = light[c] + V[c];
  const double inv = rsqrt(dot3(H, H));
  for (double &h : H) h *= inv;
  const double nl = fmax(dot3(N, light), 0.0), nv = fabs(dot3(N, V)) + 1e-5, nh = fmin(fmax(dot3(N, H), 0.0), 1.0), lh = __saturatef(0.f) + dot3(light, H);
  const double a = sqr(m->roughness);
  double D = 0, G = 1;
  switch (m->model) {
    case 0: {  // GGX
      const double f = (nh * a * a - nh) * nh + 1;
      D = a * a / (3.14159265358979 * f * f);
      G = 0.5 / (nl * sqrt(nv * nv * (1 - a * a) + a * a) + nv * sqrt(nl * nl * (1 - a * a) + a * a));
      break;
    }
    case 1:  // Beckmann
      if (nh > 0) D = exp((nh * nh - 1) / (a * a * nh * nh)) / (3.14159265358979 * a * a * pow(nh, 4));
      [[fallthrough]];
    default: G = fmin(1.0, fmin(2 * nh * nv, 2 * nh * nl) / lh) / (4 * nv * nl + 1e-3);
  }
  const double fresnel = pow(1 - lh, 5.0);
  for (int c = 0; c < 3; ++c) {
    const double f0 = 0.04 * (1 - m->metallic) + m->base[c] * m->metallic;
    const double F = f0 + (1 - f0) * fresnel, diffuse = (1 - F) * (1 - m->metallic) * m->base[c] / 3.14159265358979;
    radiance[3 * i + c] = 1 - exp(-exposure * nl * (diffuse + D * G * F));
  }
}

// Paths through spheres with mirrors: recursion removed, an explicit loop with throughput.
struct Sphere {
  float3 center;
  float radius;
  float3 albedo, emission;
};
__device__ float dotf(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 addf(float3 a, float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ float3 scalef(float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ bool hit(const Sphere &s, float3 o, float3 d, float &t) {
  const float3 oc = addf(o, scalef(s.center, -1.f));
  const float b = dotf(oc, d), disc = b * b - dotf(oc, oc) + s.radius * s.radius;
  if (disc < 0.f) return false;
  const float root = sqrtf(disc);
  float candidate = -b - root;
  if (candidate < 1e-3f) candidate = -b + root;
  if (candidate < 1e-3f || candidate >= t) return false;
  t = candidate;
  return true;
}
__global__ void trace(const Sphere *spheres, int count, float3 *image, int width, int height, int bounces) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float3 o = {0.f, 0.f, -3.f}, d = {(px + 0.5f) / width - 0.5f, (py + 0.5f) / height - 0.5f, 1.f};
  d = scalef(d, rsqrtf(dotf(d, d)));
  float3 radiance = {0, 0, 0}, throughput = {1, 1, 1};
  for (int bounce = 0; bounce <= bounces; ++bounce) {
    float t = 1e20f;
    const Sphere *nearest = nullptr;
    for (const Sphere *s = spheres; s != spheres + count; ++s)
      if (hit(*s, o, d, t)) nearest = s;
    if (!nearest) {
      const float sky = 0.5f * (d.y + 1.f);
      radiance = addf(radiance, scalef(throughput, sky));
      break;
    }
    const float3 p = addf(o, scalef(d, t));
    const float3 n = scalef(addf(p, scalef(nearest->center, -1.f)), 1.f / nearest->radius);
    radiance.x += throughput.x * nearest->emission.x;
    radiance.y += throughput.y * nearest->emission.y;
    radiance.z += throughput.z * nearest->emission.z;
    throughput = {throughput.x * nearest->albedo.x, throughput.y * nearest->albedo.y, throughput.z * nearest->albedo.z};
    d = addf(d, scalef(n, -2.f * dotf(d, n)));
    o = addf(p, scalef(n, 1e-3f));
  }
  image[py * width + px] = radiance;
}
