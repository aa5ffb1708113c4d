// Objects that move between the lanes of a group, member by member.
#if defined(__HIP_PLATFORM_AMD__)
#include <groups/cooperative_groups.h>
#include <groups/cooperative_groups/reduce.h>
#else
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#endif
namespace cg = cooperative_groups;

struct Best {
  double value;
  int index;
};

// The gradient goes to whoever has the largest.
struct Larger {
  __device__ Best operator()(Best a, Best b) const { return a.value >= b.value ? a : b; }
};
__global__ void largest(const double *x, double *y) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Best best = {x[i] * x[i], i};
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) best = Larger()(best, tile.shfl_xor(best, step));
  y[i] = best.value * (1.0 + 0.1 * (best.index % 4));
}

// Its members begin like those of a vector of three.
struct Charge {
  float amount;
};
struct Particle {
  float x, y, z, mass;
  float2 velocity;
  Charge charge;
};
__global__ void neighbours(const float *x, float *y) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  Particle own = {v, v * v, sinf(v), 2.0f * v, {v + 1.0f, v * 0.5f}, {cosf(v)}};
  Particle other = tile.shfl_down(own, 3), last = tile.shfl(own, 7);
  y[i] = own.x * other.mass + other.z * last.velocity.y + last.charge.amount * other.y + other.velocity.x;
}

__global__ void among_those_present(const float2 *x, float2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = x[i];
  if (threadIdx.x % 3) {
    auto group = cg::coalesced_threads();
    float2 next = group.shfl_down(v, 1);
    v.x *= next.y;
  }
  y[i] = v;
}
