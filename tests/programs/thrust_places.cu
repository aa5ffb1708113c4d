// Algorithms of Thrust that move elements, or choose some: by maps, conditions and runs of equal keys.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>

struct square_of {
  __host__ __device__ double operator()(double x) const { return x * x; }
};
struct above {
  double bound;
  __host__ __device__ bool operator()(double x) const { return x > bound; }
};
struct odd {
  __host__ __device__ bool operator()(int i) const { return i % 2 == 1; }
};
struct wave {
  double a;
  __host__ __device__ double operator()(long i) const { return sin(a * i); }
};
struct apart {
  __host__ __device__ double operator()(double a, double b) const { return a * a - b; }
};

double by_maps(const double *x, const int *map, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(n), out(2 * n, 0.5);
  thrust::device_vector<int> places(map, map + n);
  thrust::gather(places.begin(), places.end(), v.begin(), w.begin());
  thrust::scatter(w.begin(), w.end(), places.begin(), out.begin() + n);
  thrust::transform(thrust::make_permutation_iterator(v.begin(), places.begin()),
                    thrust::make_permutation_iterator(v.begin(), places.end()), w.begin(), out.begin(), thrust::multiplies<double>());
  thrust::adjacent_difference(v.begin(), v.end(), v.begin());
  thrust::adjacent_difference(w.begin(), w.end(), w.begin(), apart());
  thrust::reverse(v.begin(), v.end());
  thrust::tabulate(w.begin() + n / 2, w.end(), wave{a});
  return thrust::inner_product(v.begin(), v.end(), w.begin(), a) + thrust::transform_reduce(out.begin(), out.end(), square_of(), 0.0, thrust::plus<double>());
}

double by_conditions(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(n, a), kept(n, 0.0);
  thrust::device_vector<int> numbers(n);
  thrust::sequence(numbers.begin(), numbers.end());
  thrust::transform_if(v.begin(), v.end(), w.begin(), square_of(), above{0.1});
  thrust::transform_if(v.begin(), v.end(), numbers.begin(), w.begin(), square_of(), odd());
  const auto end = thrust::copy_if(w.begin(), w.end(), kept.begin(), above{0.2});
  const double first = thrust::reduce(kept.begin(), end, 0.0, thrust::plus<double>());
  const auto stencilled = thrust::copy_if(thrust::device, v.begin(), v.end(), numbers.begin(), kept.begin(), odd());
  const double second = thrust::transform_reduce(kept.begin(), stencilled, square_of(), a, thrust::plus<double>());
  thrust::replace_if(v.begin(), v.end(), above{0.6}, a);
  thrust::transform_inclusive_scan(v.begin(), v.end(), w.begin(), square_of(), thrust::plus<double>());
  const auto left = thrust::remove_if(v.begin(), v.end(), above{0.4});
  const int many = left - v.begin();
  return first * second + many * thrust::inner_product(v.begin(), left, w.begin(), 0.0) +
         thrust::count_if(w.begin(), w.end(), above{0.3}) * w[n - 1];
}

double by_places(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(n);
  thrust::transform(v.begin(), v.end(), w.begin(), square_of());
  const double most = *thrust::max_element(w.begin(), w.end());
  const int at = thrust::max_element(v.begin(), v.end(), thrust::greater<double>()) - v.begin();
  const double least = v[at];
  const int found = thrust::distance(v.begin(), thrust::find_if(v.begin(), v.end(), above{0.5}));
  double sum = most * least + (found < n ? v[found] * w[found] : a);
  if (thrust::any_of(v.begin(), v.end(), above{0.7}) && !thrust::all_of(v.begin(), v.end(), above{0.7})) sum *= a;
  if (thrust::equal(v.begin(), v.end(), w.begin()) || thrust::count(v.begin(), v.end(), 0.25) > 2) sum += 1000;
  return sum + (thrust::none_of(v.begin(), v.end(), above{2.0}) ? a * a : 0.0);
}

double by_keys(const double *x, const int *keys, double a, int n) {
  thrust::device_vector<double> v(x, x + n), sums(n), products(n), w(n);
  thrust::device_vector<int> k(keys, keys + n), own(n);
  const auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), own.begin(), sums.begin());
  const int runs = ends.second - sums.begin();
  thrust::reduce_by_key(k.begin(), k.end(), v.begin(), own.begin(), products.begin(), thrust::equal_to<int>(), thrust::multiplies<double>());
  thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), w.begin());
  thrust::exclusive_scan_by_key(k.begin(), k.end(), w.begin(), v.begin(), a);
  return thrust::inner_product(sums.begin(), sums.begin() + runs, products.begin(), runs * a) +
         thrust::inner_product(v.begin(), v.end(), w.begin(), 0.0);
}

double on_the_host(const double *x, const int *keys, double a, int n) {
  thrust::host_vector<double> v(x, x + n), w(n), out(n);
  thrust::host_vector<int> k(keys, keys + n), own(n);
  thrust::gather(k.begin(), k.end(), v.begin(), w.begin());
  thrust::adjacent_difference(w.begin(), w.end(), w.begin());
  thrust::replace_if(w.begin(), w.end(), above{0.4}, a);
  const auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), own.begin(), out.begin());
  const int runs = ends.second - out.begin();
  const auto left = thrust::remove_if(v.begin(), v.end(), above{0.5});
  const int kept = left - v.begin();
  thrust::reverse(v.begin(), v.begin() + kept);
  thrust::scatter(w.begin(), w.end(), k.begin(), v.begin());
  return thrust::inner_product(out.begin(), out.begin() + runs, v.begin(), 0.0) * *thrust::max_element(w.begin(), w.end());
}

struct halved {
  __device__ int operator()(int i) const { return i / 2; }
};

// Two sorted ranges of which some elements are equal: those of the first come first.
double in_order(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(x, x + n), both(2 * n), weights(2 * n), two{a, 2 * a};
  thrust::device_vector<int> k(n), other(n, 4), keys(2 * n);
  thrust::sequence(k.begin(), k.end());
  thrust::sort(v.begin(), v.end());
  thrust::transform(w.begin(), w.end(), w.begin(), square_of());
  thrust::sort(thrust::device, w.begin(), w.end(), thrust::less<double>());
  thrust::merge(v.begin(), v.end(), w.begin(), w.end(), both.begin());
  const auto ends = thrust::merge_by_key(k.begin(), k.end(), other.begin(), other.end(), v.begin(), w.begin(), keys.begin(), weights.begin());
  both.erase(thrust::remove_if(both.begin(), both.end(), above{0.6}), both.end());
  both.erase(both.begin() + 1, both.begin() + 3);
  both.erase(both.begin());
  both.push_back(x[0] * a);
  both.shrink_to_fit();
  two.pop_back();
  const int left = both.size();
  const double init = two[0];
  thrust::merge(thrust::device, v.begin(), v.begin() + 3, w.begin(), w.begin() + 2, v.begin() + 5, thrust::less<double>());
  return thrust::inner_product(both.begin(), both.end(), weights.begin(), init) * (ends.second - weights.begin()) +
         left * both[left - 1] + v[6];
}

// Sorted ranges that share some elements, one of them three times here and twice there.
double as_sets(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(x, x + n - 4), some(2 * n), rest(2 * n), all(2 * n), apart(2 * n);
  thrust::transform(w.begin(), w.end() - 6, w.begin(), square_of());
  v[3] = v[9];
  v[6] = v[9];
  w[n - 6] = w[n - 7];
  w[n - 5] = a;
  thrust::sort(v.begin(), v.end());
  thrust::sort(w.begin(), w.end());
  const int both = thrust::set_intersection(v.begin(), v.end(), w.begin(), w.end(), some.begin()) - some.begin();
  const int here = thrust::set_difference(v.begin(), v.end(), w.begin(), w.end(), rest.begin(), thrust::less<double>()) - rest.begin();
  const int one = thrust::set_union(v.begin(), v.end(), w.begin(), w.end(), all.begin()) - all.begin();
  const int other = thrust::set_symmetric_difference(thrust::device, v.begin(), v.end(), w.begin(), w.end(), apart.begin()) - apart.begin();
  return thrust::inner_product(some.begin(), some.begin() + both, rest.begin(), 0.0) * here +
         thrust::inner_product(all.begin(), all.begin() + other, apart.begin(), 0.0) * one * both;
}

// Values beside keys of which some are in both ranges.
double as_sets_of_keys(const double *x, const int *map, int n) {
  thrust::device_vector<double> v(x, x + n), w(x, x + n), some(n), rest(n), all(2 * n), apart(2 * n);
  thrust::device_vector<int> k(map, map + n), l(map, map + n - 5), keys(2 * n);
  thrust::sort_by_key(k.begin(), k.end(), v.begin());
  thrust::transform(l.begin(), l.end(), l.begin(), halved());
  thrust::sort_by_key(l.begin(), l.end(), w.begin());
  const int both = thrust::set_intersection_by_key(k.begin(), k.end(), l.begin(), l.end(), v.begin(), keys.begin(), some.begin()).second - some.begin();
  const int here = thrust::set_difference_by_key(k.begin(), k.end(), l.begin(), l.end(), v.begin(), w.begin(), keys.begin(), rest.begin()).second - rest.begin();
  thrust::set_symmetric_difference_by_key(k.begin(), k.end(), l.begin(), l.end(), v.begin(), w.begin(), keys.begin(), apart.begin());
  const int one = thrust::set_union_by_key(k.begin(), k.end(), l.begin(), l.end(), v.begin(), w.begin(), keys.begin(), all.begin()).first - keys.begin();
  return thrust::inner_product(some.begin(), some.begin() + both, rest.begin(), 1.0 * here) +
         thrust::inner_product(all.begin(), all.begin() + one, apart.begin(), 0.0) * keys[one - 1];
}
