// Algorithms of Thrust with function objects of the user's, on vectors and on the device's memory.
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_reference.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct saxpy {
  double a;
  __host__ __device__ double operator()(const double &x, const double &y) const { return a * x + y * y; }
};
struct bend {
  double a, b;
  __host__ __device__ double operator()(double x) const { return sin(a * x) + b; }
};
// sqrt(a^2 + b^2): it is associative
struct hypotenuse {
  __host__ __device__ double operator()(double a, double b) const { return sqrt(a * a + b * b); }
};

double transforms(const double *x, const double *y, double a, int n) {
  thrust::host_vector<double> host(x, x + n);
  thrust::device_vector<double> v = host, w(y, y + n), out(n);
  thrust::transform(v.begin(), v.end(), w.begin(), out.begin(), saxpy{a});
  thrust::transform(out.begin(), out.end(), out.begin(), bend{a, 0.5});
  thrust::transform(thrust::device, v.begin(), v.end(), w.begin(), v.begin(), thrust::multiplies<double>());
  thrust::transform(v.begin(), v.end(), thrust::make_constant_iterator(2.0), v.begin(), thrust::plus<double>());
  thrust::transform(w.begin(), w.end(), w.begin(), thrust::negate<double>());
  return thrust::inner_product(out.begin(), out.end(), v.begin(), 1.0) + thrust::reduce(w.begin() + 1, w.end());
}

double reductions(const double *x, double a, int n) {
  double *memory;
  cudaMalloc(&memory, n * sizeof(double));
  cudaMemcpy(memory, x, n * sizeof(double), cudaMemcpyHostToDevice);
  thrust::device_ptr<double> v(memory);
  const double most = thrust::reduce(v, v + n, -1.0, thrust::maximum<>());
  const double least = thrust::reduce(thrust::device, memory, memory + n, 5.0, thrust::minimum<double>());
  const double product = thrust::reduce(v, v + 3, a, thrust::multiplies<double>());
  const double length = thrust::reduce(v, v + n, 0.5, hypotenuse());
  const double squares = thrust::transform_reduce(v, v + n, thrust::square<double>(), a * a, thrust::plus<double>());
  const double bent = thrust::transform_reduce(thrust::device, memory, memory + n, bend{a, most}, least, thrust::maximum<double>());
  const double inner = thrust::inner_product(v, v + n, v, 0.0, thrust::maximum<double>(), saxpy{a});
  const int counted = thrust::reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n));
  cudaFree(memory);
  return most * least + product * length + squares * bent + inner * counted + thrust::reduce(v, v);
}

double scans(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), sums(n), others(n);
  thrust::inclusive_scan(v.begin(), v.end(), sums.begin());
  thrust::exclusive_scan(sums.begin(), sums.end(), others.begin(), a);
  thrust::inclusive_scan(others.begin(), others.end(), others.begin());
  thrust::inclusive_scan(thrust::device, v.begin(), v.end(), v.begin(), thrust::maximum<double>());
  thrust::exclusive_scan(v.begin(), v.end(), v.begin(), a, hypotenuse());
  return thrust::inner_product(sums.begin(), sums.end(), others.begin(), 0.0) * v[n - 1] + v[n / 2] + others[n - 1];
}

// Elements by their numbers, and what pointers in the function object lead to.
struct spring {
  const double *place;
  double *force;
  double stiffness;
  int n;
  __host__ __device__ void operator()(int i) const {
    const int next = i + 1 < n ? i + 1 : 0;
    const double stretch = place[next] - place[i];
    force[i] = stiffness * stretch * stretch * stretch;
  }
};
struct halve {
  __host__ __device__ void operator()(double &x) const { x = 0.5 * x * x; }
};

double by_number(const double *x, double stiffness, int n, int steps) {
  thrust::device_vector<double> place(x, x + n), force(n, 0.0), weights(n);
  thrust::sequence(weights.begin(), weights.end(), 1.0, 0.25);
  double energy = 0;
  for (int step = 0; step < steps; ++step) {
    const spring each = {place.data().get(), force.data().get(), stiffness, n};
    thrust::for_each(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), each);
    thrust::transform(force.begin(), force.end(), place.begin(), place.begin(), saxpy{0.01});
    energy += thrust::inner_product(force.begin(), force.end(), weights.begin(), 0.0);
  }
  thrust::for_each(place.begin(), place.end(), halve());
  thrust::fill(weights.begin(), weights.begin() + 2, energy);
  thrust::copy(place.begin() + 2, place.end(), weights.begin() + 2);
  return thrust::reduce(weights.begin(), weights.end());
}

// In single precision, with sums in double; and on the host.
struct widen {
  __host__ __device__ double operator()(float x) const { return static_cast<double>(x) * x; }
};
float single_precision(const float *x, float a, int n) {
  thrust::device_vector<float> v(x, x + n), out(n);
  const double squares = thrust::transform_reduce(v.begin(), v.end(), widen(), 0.0, thrust::plus<double>());
  thrust::inclusive_scan(v.begin(), v.end(), out.begin(), thrust::plus<float>());
  const float sum = thrust::reduce(out.begin(), out.end(), a);
  return sum * static_cast<float>(squares);
}
double on_the_host(const double *x, double a, int n) {
  thrust::host_vector<double> v(x, x + n), w(n);
  thrust::transform(v.begin(), v.end(), w.begin(), bend{a, 1.0});
  thrust::inclusive_scan(w.begin(), w.end(), w.begin());
  return thrust::reduce(w.begin(), w.end(), a, thrust::plus<double>());
}

struct weight {
  double a;
  __host__ __device__ double operator()(int i) const { return a * i + 1; }
};

// Iterators that call functions, of each other too.
double by_iterators(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(n);
  auto first = thrust::make_transform_iterator(v.begin(), bend{a, 0.1});
  auto weights = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), weight{a});
  double sum = thrust::reduce(first, first + n);
  sum += thrust::inner_product(first, first + n, weights, 0.0);
  thrust::inclusive_scan(first + 1, first + n, w.begin() + 1);
  thrust::transform(first, first + n, weights, v.begin(), thrust::multiplies<double>());
  auto twice = thrust::make_transform_iterator(thrust::make_transform_iterator(v.begin(), bend{0.5, a}), bend{a, 0.0});
  sum += thrust::reduce(twice, twice + n, 0.5, thrust::maximum<double>());
  double *p = thrust::raw_pointer_cast(v.data());
  const bend last = {0.01 * sum, 0.0};
  sum += thrust::reduce(thrust::device, thrust::make_transform_iterator(p, last), thrust::make_transform_iterator(p + n, last));
  return sum + thrust::reduce(w.begin() + 1, w.end(), 0.0, thrust::plus<double>()) + first[1];
}

// Memory that Thrust gives, reached through its pointers.
double allocated(const double *x, double a, int n) {
  thrust::device_ptr<double> made = thrust::device_malloc<double>(n);
  cudaMemcpy(thrust::raw_pointer_cast(made), x, n * sizeof(double), cudaMemcpyHostToDevice);
  const double sum = thrust::transform_reduce(made, made + n, bend{a, 0.3}, 0.0, thrust::plus<double>());
  const double first = made[0];
  thrust::device_free(made);
  return sum * first;
}
