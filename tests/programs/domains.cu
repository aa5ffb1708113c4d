// Host functions of simulations that are given all that they work on as one object: numbers, arrays of the device's by
// pointers and in vectors, vectors of the host's, other objects, and pointers to these.
#include <cuda_runtime.h>

#include <thrust/device_vector.h>

#include <vector>

namespace hydro {

// A vector with what the program likes to ask it.
template <class T>
class Field : public thrust::device_vector<T> {
 public:
  T *raw() { return bytes() > 0 ? thrust::raw_pointer_cast(this->data()) : nullptr; }
  size_t bytes() const { return this->size() * sizeof(T); }
};

struct Material {
  double gamma;
  std::vector<double> table;
  double pressure(double e, int i) const { return (gamma - 1) * e * table[i]; }
};

class Domain {
 public:
  int numElem, cycle;
  Field<double> x, v, force;
  Field<int> next;
  double *mass;  // on the device
  double dtcourant, deltatime, viscosity[2];
  Material gas;
  const Material *wall;
  std::vector<double> history;

  double &time() { return m_time; }
  double &probe(int i) { return m_probes[i]; }
  double scale() const { return m_scale; }

  double m_time, m_scale;
  std::vector<double> m_probes;
};

__global__ void forces(double *f, const double *x, const double *v, const int *next, double p, double mu, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f[i] = p * (x[next[i]] - x[i]) - mu * v[i] * v[i];
}
__global__ void move(double *x, double *v, const double *f, const double *m, double dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  v[i] += dt * f[i] / m[i];
  x[i] += dt * v[i];
}

static inline void TimeIncrement(Domain *domain) {
  const double wanted = domain->dtcourant / (1 + domain->time());
  domain->deltatime = wanted < 1.1 * domain->deltatime ? wanted : 1.1 * domain->deltatime;
  domain->time() += domain->deltatime;
  ++domain->cycle;
}
static inline void LagrangeNodal(Domain *domain, double mu) {
  const int n = domain->numElem;
  const double p = domain->gas.pressure(domain->time(), 1) + domain->wall->pressure(0.5, 0);
  forces<<<(n + 31) / 32, 32>>>(domain->force.raw(), domain->x.raw(), domain->v.raw(), domain->next.raw(), p, mu, n);
  move<<<(n + 31) / 32, 32>>>(domain->x.raw(), domain->v.raw(), domain->force.raw(), domain->mass, domain->deltatime, n);
}

void run(Domain *domain, int steps) {
  for (int s = 0; s < steps; ++s) {
    TimeIncrement(domain);
    LagrangeNodal(domain, domain->viscosity[s % 2]);
    domain->history[s] = domain->time() * domain->history[s];
  }
  domain->probe(1) *= domain->scale();
}

// Objects that are looked at, and one that is changed by reference.
double energy(const Domain &domain, Material &gas, Domain *other) {
  double sum = 0;
  for (double one : domain.history) sum += one * one * domain.scale();
  for (unsigned i = 0; i < gas.table.size(); ++i) gas.table[i] *= other->viscosity[0] * domain.gas.gamma;
  gas.gamma *= gas.table[0];
  other->deltatime += sum;
  return sum * gas.gamma;
}

struct Particle {
  double x, v;
};
class Cloud {
 public:
  double *scratch;
  double &drag() { return m_drag; }
  const std::vector<Particle> &particles() const { return m_particles; }
  std::vector<Particle> &particles() { return m_particles; }

 private:
  std::vector<Particle> m_particles;
  double m_drag;
};
__global__ void push(Particle *p, double *work, double drag, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  work[i] = drag * p[i].v * p[i].v;
  p[i].x += p[i].v - work[i];
}
// Vectors of objects, and memory of the device's that comes and goes.
void drift(Cloud *cloud, int steps) {
  Particle *p;
  const size_t n = cloud->particles().size(), bytes = n * sizeof(Particle);
  cudaMalloc(&p, bytes);
  cudaMemcpy(p, cloud->particles().data(), bytes, cudaMemcpyHostToDevice);
  for (int s = 0; s < steps; ++s) {
    push<<<1, 32>>>(p, cloud->scratch, cloud->drag(), n);
    cloud->drag() *= 0.5 + cloud->drag();
  }
  cudaMemcpy(cloud->particles().data(), p, bytes, cudaMemcpyDeviceToHost);
  cudaFree(p);
}

}  // namespace hydro
