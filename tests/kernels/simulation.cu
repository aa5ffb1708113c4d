// Kernels in the manner of simulation codes.
// Cloth: particles of a sheet, springs to neighbours in a stencil of offsets, semi-implicit step, ground contact.
__constant__ int spring_offset[12][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {2, 0}, {0, 2}, {-2, 0}, {0, -2}};
__global__ void cloth_step(const double3 *x, const double3 *v, double3 *x_next, double3 *v_next, const double *stiffness,
                           double damping, double rest, double dt, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const int self = row * width + col;
  const double3 xi = x[self];
  double3 force = {0.0, -9.81 * 0.1, 0.0};
  for (int s = 0; s < 12; ++s) {
    const int dc = spring_offset[s][0], dr = spring_offset[s][1];
    if (col + dc < 0 || col + dc >= width || row + dr < 0 || row + dr >= height) continue;
    const int other = (row + dr) * width + col + dc;
    const double3 d = {x[other].x - xi.x, x[other].y - xi.y, x[other].z - xi.z};
    const double length = norm3d(d.x, d.y, d.z);
    const double natural = rest * sqrt(double(dc * dc + dr * dr));
    const double k = stiffness[s < 4 ? 0 : s < 8 ? 1 : 2];
    const double pull = k * (length - natural) / length;
    force.x += pull * d.x + damping * (v[other].x - v[self].x);
    force.y += pull * d.y + damping * (v[other].y - v[self].y);
    force.z += pull * d.z + damping * (v[other].z - v[self].z);
  }
  double3 vn = {v[self].x + dt * force.x, v[self].y + dt * force.y, v[self].z + dt * force.z};
  double3 xn = {xi.x + dt * vn.x, xi.y + dt * vn.y, xi.z + dt * vn.z};
  if (xn.y < 0.5) {
    xn.y = 0.5 + 0.1 * (0.5 - xn.y);
    vn.y *= -0.4, vn.x *= 0.9, vn.z *= 0.9;
  }
  const bool pinned = row == 0 && (col == 0 || col == width - 1);
  x_next[self] = pinned ? xi : xn;
  v_next[self] = pinned ? double3{0.0, 0.0, 0.0} : vn;
}

// Lattice Boltzmann, collide and stream in one, pull scheme, bounce back at walls.
template <typename Real>
struct D2Q9 {
  static constexpr int Q = 9;
  static __host__ __device__ constexpr int cx(int q) { return q == 0 || q == 2 || q == 4 ? 0 : q == 1 || q == 5 || q == 8 ? 1 : -1; }
  static __host__ __device__ constexpr int cy(int q) { return q == 0 || q == 1 || q == 3 ? 0 : q == 2 || q == 5 || q == 6 ? 1 : -1; }
  static __host__ __device__ constexpr Real weight(int q) { return q == 0 ? Real(4) / 9 : q < 5 ? Real(1) / 9 : Real(1) / 36; }
  static __host__ __device__ constexpr int opposite(int q) { return q == 0 ? 0 : q < 5 ? (q + 1) % 4 + 1 : (q - 3) % 4 + 5; }
};
template <class Lattice, typename Real>
__global__ void lattice_boltzmann(const Real *__restrict__ f, Real *__restrict__ g, const unsigned char *solid, Real tau, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const size_t plane = size_t(nx) * ny, here = size_t(y) * nx + x;
  if (solid[here]) {
    for (int q = 0; q < Lattice::Q; ++q) g[q * plane + here] = f[q * plane + here];
    return;
  }
  Real in[Lattice::Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int q = 0; q < Lattice::Q; ++q) {
    const int sx = (x - Lattice::cx(q) + nx) % nx, sy = (y - Lattice::cy(q) + ny) % ny;
    const size_t from = size_t(sy) * nx + sx;
    in[q] = solid[from] ? f[Lattice::opposite(q) * plane + here] : f[q * plane + from];
    rho += in[q];
    ux += in[q] * Lattice::cx(q);
    uy += in[q] * Lattice::cy(q);
  }
  ux /= rho;
  uy /= rho;
  const Real square = Real(1.5) * (ux * ux + uy * uy);
#pragma unroll
  for (int q = 0; q < Lattice::Q; ++q) {
    const Real cu = 3 * (Lattice::cx(q) * ux + Lattice::cy(q) * uy);
    const Real equilibrium = Lattice::weight(q) * rho * (1 + cu + cu * cu / 2 - square);
    g[q * plane + here] = in[q] - (in[q] - equilibrium) / tau;
  }
}
using Flow = D2Q9<double>;
template __global__ void lattice_boltzmann<Flow, double>(const double *, double *, const unsigned char *, double, int, int);

// Rigid bodies: quaternions integrated with the exponential map.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
  __device__ Quaternion operator*(const Quaternion &b) const {
    return {w * b.w - x * b.x - y * b.y - z * b.z, w * b.x + x * b.w + y * b.z - z * b.y, w * b.y - x * b.z + y * b.w + z * b.x,
            w * b.z + x * b.y - y * b.x + z * b.w};
  }
  __device__ double3 rotate(double3 v) const {
    const Quaternion r = *this * Quaternion{0, v.x, v.y, v.z} * Quaternion{w, -x, -y, -z};
    return {r.x, r.y, r.z};
  }
  __device__ static Quaternion exponential(double3 omega) {
    const double angle = sqrt(omega.x * omega.x + omega.y * omega.y + omega.z * omega.z);
    double s, c;
    sincos(0.5 * angle, &s, &c);
    if (angle < 1e-6) s = 0.5, c = 1;
    else s /= angle;
    return {c, s * omega.x, s * omega.y, s * omega.z};
  }
};
struct Body {
  Quaternion attitude;
  double3 omega;
  double inertia[3];
};
__global__ void tumble(Body *bodies, double3 torque, double dt, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body &body = bodies[i];
  double(&I)[3] = body.inertia;
  for (int s = 0; s < steps; ++s) {
    double3 &w = body.omega;
    const double3 local = body.attitude.rotate(torque);
    const double3 rate = {(local.x - (I[2] - I[1]) * w.y * w.z) / I[0], (local.y - (I[0] - I[2]) * w.z * w.x) / I[1],
                          (local.z - (I[1] - I[0]) * w.x * w.y) / I[2]};
    w.x += dt * rate.x, w.y += dt * rate.y, w.z += dt * rate.z;
    body.attitude = body.attitude * Quaternion::exponential({dt * w.x, dt * w.y, dt * w.z});
  }
}

// An octree of multipoles, walked with a stack and an opening angle.
struct Cell {
  double center[3], mass, size;
  int child[8];  // -1: none
};
__global__ void walk_tree(const Cell *cells, const double3 *points, double *potential, double theta, double eps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double3 p = points[i];
  double phi = 0;
  int stack[32], top = 0;
  stack[top++] = 0;
  while (top) {
    const Cell &c = cells[stack[--top]];
    const double d[] = {c.center[0] - p.x, c.center[1] - p.y, c.center[2] - p.z};
    double r2 = eps * eps;
    for (auto x : d) r2 += x * x;
    bool leaf = true;
    for (int k = 0; k < 8; ++k) leaf &= c.child[k] < 0;
    if (leaf || c.size * c.size < theta * theta * r2) {
      phi -= c.mass * rsqrt(r2);
      continue;
    }
    for (const int child : c.child)
      if (child >= 0) stack[top++] = child;
  }
  potential[i] = phi;
}

// Molecular dynamics with cell lists, minimum image and a switching function.
struct Atom {
  double x, y, z, charge;
};
struct Box {
  double3 length;
  __device__ double image(double d, double l) const { return d - l * rint(d / l); }
  __device__ double3 operator()(const double3 &a, const double3 &b) const {
    return {image(a.x - b.x, length.x), image(a.y - b.y, length.y), image(a.z - b.z, length.z)};
  }
};
__global__ void pair_forces(const Atom *__restrict__ atoms, const int *__restrict__ neighbors, const int *__restrict__ count,
                            double3 *forces, double *energy, const double2 *__restrict__ types, Box box, double cutoff,
                            int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Atom a = atoms[i];
  const double3 pi = {a.x, a.y, a.z};
  double3 f{};
  double e = 0.;
  const double on = 0.8 * cutoff, on2 = on * on, off2 = cutoff * cutoff;
  for (int k = 0; k < count[i]; ++k) {
    const int j = neighbors[k * stride + i];
    const Atom b = atoms[j];
    const double3 d = box(pi, {b.x, b.y, b.z});
    const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    if (r2 >= off2) continue;
    const double2 mixed = types[(i & 1) + 2 * (j & 1)];
    const double s2 = mixed.y * mixed.y / r2, s6 = s2 * s2 * s2;
    double lj = 4 * mixed.x * (s6 * s6 - s6), dlj = -24 * mixed.x * (2 * s6 * s6 - s6) / r2;
    const double r = sqrt(r2), coulomb = a.charge * b.charge * erfc(0.7 * r) / r;
    const double dcoulomb = -(coulomb + a.charge * b.charge * 0.7 * 1.1283791670955126 * exp(-0.49 * r2)) / r2;
    if (r2 > on2) {
      const double s = (off2 - r2) * (off2 - r2) * (off2 + 2 * r2 - 3 * on2) / ((off2 - on2) * (off2 - on2) * (off2 - on2));
      const double ds = 12 * (off2 - r2) * (on2 - r2) / ((off2 - on2) * (off2 - on2) * (off2 - on2));
      dlj = dlj * s + lj * ds;
      lj *= s;
    }
    e += 0.5 * (lj + coulomb);
    f.x -= (dlj + dcoulomb) * d.x;
    f.y -= (dlj + dcoulomb) * d.y;
    f.z -= (dlj + dcoulomb) * d.z;
  }
  forces[i] = f;
  energy[i] = e;
}

// Smoothed particles: pressure and viscosity over a hashed grid.
__global__ void sph_acceleration(const double2 *pos, const double2 *vel, const double *rho, const int *cell_start, const int *sorted,
                                 double2 *acc, double h, double mass, double stiffness, double viscosity, int side, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x; i < n; i += step) {
    const int cx = max(0, min(side - 1, (int)(pos[i].x / h))), cy = max(0, min(side - 1, (int)(pos[i].y / h)));
    double2 a = make_double2(0., -1.);
    const double pi_ = stiffness * (rho[i] * rho[i] * rho[i] - 1.) / (rho[i] * rho[i]);
    for (int y = cy - 1; y <= cy + 1; ++y) {
      if (y < 0 || y >= side) continue;
      for (int x = cx - 1; x <= cx + 1; ++x) {
        if (x < 0 || x >= side) continue;
        for (int k = cell_start[y * side + x], end = cell_start[y * side + x + 1]; k < end; ++k) {
          const int j = sorted[k];
          if (j == i) continue;
          const double dx = pos[i].x - pos[j].x, dy = pos[i].y - pos[j].y, r = hypot(dx, dy), q = r / h;
          if (!(q < 1.)) continue;
          const double grad = -12. * q * (1. - q) * (1. - q) / (h * r + 1e-9);
          const double pj = stiffness * (pow(rho[j], 3) - 1.) / (rho[j] * rho[j]);
          const double p = mass * (pi_ + pj) * grad, nu = viscosity * mass / rho[j] * (1. - q);
          a.x += -p * dx + nu * (vel[j].x - vel[i].x);
          a.y += -p * dy + nu * (vel[j].y - vel[i].y);
        }
      }
    }
    acc[i] = a;
  }
}
