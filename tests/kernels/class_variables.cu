// Variables of class type at namespace scope: parameters in constant memory, tables of objects, objects that hold
// pointers, pointers, and what is written to them.
namespace model {
struct Law { double a; float b; int order; double w[3]; };
struct Params { double scale; Law law; int count; };
__constant__ Params params = {1.25, {0.75, 0.5f, 2, {0.3, 0.6, 0.9}}, 3};
}
using namespace model;

__device__ Law laws[2][3];
__device__ const Law fixed[2] = {{0.4, 1.5f, 1, {0.2, 0.1, 0.7}}, {0.8, 0.25f, 3, {1.1, 0.5, 0.3}}};

__device__ double apply(const Law &law, double x) {
  double s = law.a;
  for (int k = 0; k < law.order && k < 3; ++k) s = s * x + law.w[k] * law.b;
  return s;
}

__global__ void read_objects(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = params.scale * apply(params.law, x[i]);
  for (int k = 0; k < params.count; ++k) s += apply(laws[i % 2][k], x[i]) * params.law.w[k];
  Law own = laws[1][i % 3];
  own.a *= x[i];
  y[i] = s * apply(own, s) + apply(fixed[i % 2], x[i]);
}

// Which object is read hangs on what another holds.
__global__ void chosen_object(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Law *law = laws[0][i % 3].order > 1 ? &params.law : &laws[0][i % 3];
  y[i] = law->a * x[i] + law->w[1];
}

class Counter {
 public:
  __device__ void add(double x) { atomicAdd(&sum, x * weight); }
  __device__ double ratio() const { return weight / (1 + weight * weight); }

 private:
  double sum;
  double weight;
};
__device__ Counter counter;

struct Particle { double position, velocity; int kind; };
__device__ Particle particles[64];

// Objects are written, read again, overwritten and added to.
__global__ void write_objects(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle &p = particles[i];
  for (int step = 0; step < 3; ++step) {
    p.velocity -= 0.1 * p.position * p.position * x[i];
    p.position += 0.1 * p.velocity;
  }
  p.kind = i;
  counter.add(p.position * x[i]);
  y[i] = p.position * p.velocity * counter.ratio();
  particles[i] = {x[i], p.position, 7};
}

struct Grid { double *values; const double *weights; int n; double step; };
__device__ Grid grid;
__device__ Grid levels[2];
__device__ double *buffer;
__constant__ double *rows[2];

__global__ void through_pointers(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= grid.n) return;
  double s = grid.values[i] * grid.weights[i] * grid.step + x[i] * buffer[i];
  grid.values[i] = s * x[i];
  for (int k = 0; k < 2; ++k) s += levels[k].values[i] * levels[k].weights[0] * levels[k].step * rows[k][i];
  buffer[i] = grid.values[i] * s;
  y[i] = s * grid.values[i];
}

// A function that is kept is given the address of an object at namespace scope.
__device__ double power(const Law *law, double x, int n) { return n == 0 ? law->a : x * power(law, x, n - 1) + law->w[0]; }

__global__ void recursive_reads(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = power(&laws[0][i % 3], x[i], 3) + power(&params.law, x[i], 2);
}

Particle on_host = {0.5, 0.25, 1};
double host_object(double x) {
  on_host.position = on_host.position * x + on_host.velocity;
  return on_host.position * on_host.position;
}

// One for each type and length that it is named with.
namespace model {
template <class T, int N> __constant__ T taps[N];
template <class T> __device__ T offset = T(0.5);
__device__ inline double at(const Params &p, int k) { return p.law.w[k]; }
}

template <class T> __global__ void instances_of_variables(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s = model::offset<T>;
  for (int k = 0; k < 3; ++k) s += x[(i + k) % n] * model::taps<T, 3>[k];
  y[i] = s * s + at(model::taps<Params, 1u>[0], 1) * model::offset<T>;
}
template __global__ void instances_of_variables<double>(const double *, double *, int);
