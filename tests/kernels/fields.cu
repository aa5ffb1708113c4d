// Kernels as they are written in different fields, with classes, templates and function objects of their own.
#define PI 3.14159265358979323846

#define GLOBAL_THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// ---- astronomy: gravity between bodies, in float4 with the mass in w ------------------------------------------------
__device__ float3 pulled(float3 acceleration, const float4 &at, const float4 &other, float softening) {
  const float3 d = make_float3(other.x - at.x, other.y - at.y, other.z - at.z);
  const float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
  const float inverse = rsqrtf(r2);
  const float strength = other.w * inverse * inverse * inverse;
  acceleration.x += d.x * strength;
  acceleration.y += d.y * strength;
  acceleration.z += d.z * strength;
  return acceleration;
}

__global__ void gravity(const float4 *bodies, float3 *accelerations, float softening, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const float4 own = bodies[i];
  float3 acceleration = {0.0f, 0.0f, 0.0f};
  for (int j = 0; j < n; ++j) acceleration = pulled(acceleration, own, bodies[j], softening);
  accelerations[i] = acceleration;
}

// ---- chemistry: Gray and Scott's reaction with diffusion on a torus -------------------------------------------------
struct Reaction {
  double feed, kill, du, dv;
};

template <typename T> class Torus {
  const T *field;
  int w, h;

 public:
  __device__ Torus(const T *field, int w, int h) : field(field), w(w), h(h) {}
  __device__ T operator()(int x, int y) const { return field[(y + h) % h * w + (x + w) % w]; }
  __device__ T laplacian(int x, int y) const {
    return (*this)(x - 1, y) + (*this)(x + 1, y) + (*this)(x, y - 1) + (*this)(x, y + 1) - 4 * (*this)(x, y);
  }
};

__global__ void gray_scott(const double *u, const double *v, double *nu, double *nv, Reaction r, double h, int W, int H) {
  const int x = GLOBAL_THREAD, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  const Torus<double> U(u, W, H), V(v, W, H);
  const double uvv = U(x, y) * V(x, y) * V(x, y);
  nu[y * W + x] = U(x, y) + h * (r.du * U.laplacian(x, y) - uvv + r.feed * (1.0 - U(x, y)));
  nv[y * W + x] = V(x, y) + h * (r.dv * V.laplacian(x, y) + uvv - (r.feed + r.kill) * V(x, y));
}

// ---- robotics: where an arm of links ends ---------------------------------------------------------------------------
struct Frame {
  double c = 1, s = 0, x = 0, y = 0;
  __device__ Frame then(double angle, double length) const {
    Frame next;
    double sn, cs;
    sincos(angle, &sn, &cs);
    next.c = c * cs - s * sn;
    next.s = s * cs + c * sn;
    next.x = x + length * next.c;
    next.y = y + length * next.s;
    return next;
  }
};

__global__ void reach(const double *angles, const double *lengths, double2 *ends, int links, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  Frame frame;
  for (int k = 0; k < links; ++k) frame = frame.then(angles[i * links + k], lengths[k]);
  ends[i] = make_double2(frame.x, frame.y);
}

// ---- learning: a cell of a recurrent network over a sequence --------------------------------------------------------
struct Gates {
  double input, forget, output, candidate;
};
__device__ inline double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

__global__ void lstm(const double *x, const Gates *weights, const Gates *recurrent, double *hidden, int steps, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const Gates &w = weights[i];
  const Gates &r = recurrent[i];
  double h = 0, c = 0;
  for (int t = 0; t < steps; ++t) {
    const double in = x[t];
    const double forget = sigmoid(w.forget * in + r.forget * h + 1.0);
    c = forget * c + sigmoid(w.input * in + r.input * h) * tanh(w.candidate * in + r.candidate * h);
    h = sigmoid(w.output * in + r.output * h) * tanh(c);
  }
  hidden[i] = h;
}

// ---- fluids: density of particles, with the smoothing kernel as a parameter -----------------------------------------
struct CubicSpline {
  double h;
  __device__ double operator()(double r) const {
    const double q = r / h;
    if (q >= 2.0) return 0.0;
    if (q >= 1.0) return 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q) / (h * h);
    return (1.0 - 1.5 * q * q * (1.0 - 0.5 * q)) / (h * h);
  }
};
struct Gaussian {
  double h;
  __device__ double operator()(double r) const { return exp(-(r / h) * (r / h)) / (PI * h * h); }
};

template <class Smoothing>
__global__ void density(const double2 *at, const double *mass, double *rho, double h, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const Smoothing smoothing{h};
  double sum = 0;
  for (int j = 0; j < n; ++j)
    if (j != i) sum += mass[j] * smoothing(hypot(at[i].x - at[j].x, at[i].y - at[j].y));
  rho[i] = sum;
}

// ---- mechanics: the energy of a stretched triangle, after neo-Hooke -------------------------------------------------
struct Matrix2 {
  double a[2][2];
  __device__ double determinant() const { return a[0][0] * a[1][1] - a[0][1] * a[1][0]; }
  __device__ double squared() const {
    double s = 0;
    for (auto &row : a)
      for (double v : row) s += v * v;
    return s;
  }
  __device__ Matrix2 inverse() const {
    const double d = 1.0 / determinant();
    return {{{a[1][1] * d, -a[0][1] * d}, {-a[1][0] * d, a[0][0] * d}}};
  }
  __device__ Matrix2 operator*(const Matrix2 &b) const {
    Matrix2 c{};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) c.a[i][j] += a[i][k] * b.a[k][j];
    return c;
  }
};

__device__ Matrix2 edges(const double2 &p, const double2 &q, const double2 &r) {
  return {{{q.x - p.x, r.x - p.x}, {q.y - p.y, r.y - p.y}}};
}

__global__ void neo_hooke(const double2 *rest, const double2 *now, const int3 *corners, double *energy, double mu,
                          double lambda, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const int3 t = corners[i];
  const Matrix2 before = edges(rest[t.x], rest[t.y], rest[t.z]);
  const Matrix2 f = edges(now[t.x], now[t.y], now[t.z]) * before.inverse();
  const double logj = log(fabs(f.determinant()) + 0.1);
  energy[i] = 0.5 * fabs(before.determinant()) * (mu * (f.squared() - 2.0 - 2.0 * logj) + lambda * logj * logj);
}

// ---- finance: implied volatility of the SABR model ------------------------------------------------------------------
struct Sabr {
  double alpha, beta, rho, nu;
  __device__ double volatility(double forward, double strike, double expiry) const {
    const double mean = sqrt(forward * strike), power = pow(mean, 1.0 - beta), moneyness = log(forward / strike);
    const double correction = 1.0 + expiry * ((1.0 - beta) * (1.0 - beta) * alpha * alpha / (24.0 * power * power) +
                                              rho * beta * nu * alpha / (4.0 * power) +
                                              (2.0 - 3.0 * rho * rho) * nu * nu / 24.0);
    const double z = nu / alpha * power * moneyness;
    if (fabs(z) < 1e-3) return alpha / power * (1.0 - 0.5 * rho * z) * correction;
    const double x = log((sqrt(1.0 - 2.0 * rho * z + z * z) + z - rho) / (1.0 - rho));
    return alpha / power * z / x * correction;
  }
};

__global__ void sabr(const double *strikes, double *volatilities, Sabr model, double forward, double expiry, int n) {
  const int i = GLOBAL_THREAD;
  if (i < n) volatilities[i] = model.volatility(forward, strikes[i], expiry);
}

// ---- orbits: Kepler's equation, and the position on the ellipse -----------------------------------------------------
namespace orbits {
struct Elements {
  double axis, eccentricity, anomaly;
};
template <typename T> __device__ T eccentric_anomaly(T mean, T e) {
  T E = e > T(0.8) ? T(PI) : mean, step;
  int tries = 0;
  do {
    step = (E - e * sin(E) - mean) / (T(1) - e * cos(E));
    E -= step;
  } while (fabs(step) > T(1e-12) && ++tries < 30);
  return E;
}
__global__ void positions(const Elements *elements, double2 *at, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const auto [axis, e, mean] = elements[i];
  const double E = eccentric_anomaly(mean, e);
  at[i] = {axis * (cos(E) - e), axis * sqrt(1.0 - e * e) * sin(E)};
}
}  // namespace orbits

// ---- water: the flux between cells, after Harten, Lax and van Leer --------------------------------------------------
struct State {
  double h, hu;
  __host__ __device__ double u() const { return hu / h; }
  __host__ __device__ double celerity() const { return sqrt(9.81 * h); }
  __host__ __device__ State flux() const { return State{hu, hu * u() + 0.5 * 9.81 * h * h}; }
  friend __host__ __device__ State operator+(State a, const State &b) { return {a.h + b.h, a.hu + b.hu}; }
  friend __host__ __device__ State operator-(State a, const State &b) { return {a.h - b.h, a.hu - b.hu}; }
  friend __host__ __device__ State operator*(double s, const State &a) { return {s * a.h, s * a.hu}; }
  __host__ __device__ State &operator/=(double s) {
    h /= s;
    hu /= s;
    return *this;
  }
};

__device__ State between(const State &l, const State &r) {
  const double slow = min(l.u() - l.celerity(), r.u() - r.celerity());
  const double fast = max(l.u() + l.celerity(), r.u() + r.celerity());
  if (slow >= 0) return l.flux();
  if (fast <= 0) return r.flux();
  State f = fast * l.flux() - slow * r.flux() + slow * fast * (r - l);
  return f /= fast - slow;
}

__global__ void shallow_water(const State *cells, State *next, double ratio, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const State &c = cells[i], &l = cells[i ? i - 1 : 0], &r = cells[i + 1 < n ? i + 1 : i];
  next[i] = c - ratio * (between(c, r) - between(l, c));
}

// ---- soil: how much water it holds and lets through, after van Genuchten --------------------------------------------
struct Soil {
  float residual, saturated, alpha, n, conductivity;
};
__global__ void unsaturated(const float *head, const Soil *soils, const int *kind, float *content, float *flow, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const Soil *soil = &soils[kind[i]];
  const float m = 1.0f - 1.0f / soil->n;
  const float s = head[i] < 0.0f ? powf(1.0f + powf(-soil->alpha * head[i], soil->n), -m) : 1.0f;
  const float inner = 1.0f - powf(1.0f - powf(s, 1.0f / m) * 0.999f, m);
  content[i] = fmaf(s, soil->saturated - soil->residual, soil->residual);
  flow[i] = soil->conductivity * sqrtf(s) * inner * inner;
}

// ---- biology: rates of reactions, integrated by a method that takes any system --------------------------------------
template <int N> struct Amounts {
  double of[N];
  __device__ double &operator[](int k) { return of[k]; }
  __device__ const double &operator[](int k) const { return of[k]; }
};

struct Kinetics {
  double forward, backward, catalysis;
  static constexpr int species = 4;
  __device__ Amounts<4> operator()(const Amounts<4> &y) const {
    const double bind = forward * y[0] * y[1] - backward * y[2], make = catalysis * y[2];
    return {{-bind + make, -bind, bind - make, make}};
  }
};

template <class System, int N = System::species>
__device__ Amounts<N> midpoint(const System &system, const Amounts<N> &y, double h) {
  const Amounts<N> k = system(y);
  Amounts<N> middle = y;
  for (int j = 0; j < N; ++j) middle[j] += 0.5 * h * k[j];
  const Amounts<N> slope = system(middle);
  Amounts<N> next;
  for (int j = 0; j < N; ++j) next[j] = y[j] + h * slope[j];
  return next;
}

__global__ void enzymes(const double *substrate, double *product, Kinetics kinetics, double h, int steps, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  Amounts<4> y = {{0.5, substrate[i]}};
  for (int t = 0; t < steps; ++t) y = midpoint(kinetics, y, h);
  product[i] = y[3];
}

// ---- vision: the residual of a point seen by a camera ---------------------------------------------------------------
struct Vector {
  double x, y, z;
  __device__ Vector operator+(const Vector &o) const { return {x + o.x, y + o.y, z + o.z}; }
  __device__ Vector operator*(double s) const { return {x * s, y * s, z * s}; }
};
__device__ double dot(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Vector cross(const Vector &a, const Vector &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
struct Camera {
  Vector rotation, translation;
  double focal, distortion[2];
};

__device__ Vector rotated(const Vector &axis, const Vector &p) {
  const double angle2 = dot(axis, axis);
  if (angle2 < 1e-12) return p + cross(axis, p);
  const double angle = sqrt(angle2);
  const Vector k = axis * (1.0 / angle);
  return p * cos(angle) + cross(k, p) * sin(angle) + k * (dot(k, p) * (1.0 - cos(angle)));
}

__global__ void reprojection(const Camera *cameras, const Vector *points, const int2 *seen, const double2 *pixels,
                             double *error, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const Camera &camera = cameras[seen[i].x];
  const Vector p = rotated(camera.rotation, points[seen[i].y]) + camera.translation;
  const double x = -p.x / p.z, y = -p.y / p.z, r2 = x * x + y * y;
  const double scale = camera.focal * (1.0 + r2 * (camera.distortion[0] + r2 * camera.distortion[1]));
  const double dx = scale * x - pixels[i].x, dy = scale * y - pixels[i].y;
  error[i] = dx * dx + dy * dy;
}

// ---- sequences: how likely a model makes what was observed ----------------------------------------------------------
template <int States> struct Chain {
  double start[States], move[States][States], emit[States][4];
};

__global__ void likelihood(const Chain<3> *model, const int *observed, double *logarithm, int length, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  double now[3], total = 0;
  for (int t = 0; t < length; ++t) {
    const int symbol = observed[i * length + t];
    double next[3], sum = 0;
    for (int to = 0; to < 3; ++to) {
      double p = t == 0 ? model->start[to] : 0.0;
      if (t)
        for (int from = 0; from < 3; ++from) p += now[from] * model->move[from][to];
      sum += next[to] = p * model->emit[to][symbol];
    }
    for (int s = 0; s < 3; ++s) now[s] = next[s] / sum;
    total += log(sum);
  }
  logarithm[i] = total;
}

// ---- electrostatics: the part of Ewald's sum in real space, over a list of neighbours -------------------------------
struct Neighbours {
  const int *first, *list;
};
__global__ void ewald(const double3 *at, const double *charge, Neighbours near, double box, double eta, double *energy,
                      int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const auto nearest = [=](double d) { return d - box * rint(d / box); };
  double sum = 0;
  for (int k = near.first[i]; k < near.first[i + 1]; ++k) {
    const int j = near.list[k];
    const double dx = nearest(at[i].x - at[j].x), dy = nearest(at[i].y - at[j].y), dz = nearest(at[i].z - at[j].z);
    const double r = norm3d(dx, dy, dz) + 0.1;
    sum += charge[j] * erfc(eta * r) / r;
  }
  energy[i] = 0.5 * charge[i] * sum;
}

// ---- graphics: Legendre polynomials by recursion, of templates and of functions -------------------------------------
template <int Degree> __device__ double legendre(double x) {
  if constexpr (Degree == 0)
    return 1.0;
  else if constexpr (Degree == 1)
    return x;
  else
    return ((2 * Degree - 1) * x * legendre<Degree - 1>(x) - (Degree - 1) * legendre<Degree - 2>(x)) / Degree;
}
__device__ double factorial_ratio(int l, int m) { return m == 0 ? 1.0 : factorial_ratio(l, m - 1) / ((l + m) * (l - m + 1.0)); }

template <int... Degrees> __global__ void harmonics(const double *x, const double *weights, double *y, int n) {
  const int i = GLOBAL_THREAD;
  if (i >= n) return;
  const double terms[] = {legendre<Degrees>(x[i])...};
  double sum = 0;
  for (int k = 0; k < int(sizeof...(Degrees)); ++k) sum += weights[k] * terms[k] * factorial_ratio(4, k);
  y[i] = sum;
}
