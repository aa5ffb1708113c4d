// Numbers by chance, of Thrust's: they are those of the original, and constants.
#include <thrust/random.h>

__global__ void sampled(const double *x, double *y, unsigned seed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  thrust::default_random_engine engine(seed);
  engine.discard(3 * i);
  thrust::uniform_real_distribution<double> uniform(-1.0, 2.0);
  thrust::random::uniform_int_distribution<int> place(0, n - 1);
  const double weight = uniform(engine);
  const int from = place(engine);
  thrust::minstd_rand0 other;
  other.discard(i % 2);
  const bool same = other == thrust::minstd_rand0(1u) && other.min < other.max;
  if (i < n) y[i] = weight * x[i] * x[from] + (same ? uniform.b() : uniform.a()) * x[i];
}
