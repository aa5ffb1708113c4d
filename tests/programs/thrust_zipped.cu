// Thrust: several ranges at once, tuples, places that are written by a map, runs of equals, conditions.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/zip_function.h>

typedef thrust::tuple<double, double> Two;
typedef thrust::tuple<double, double, double> Three;

struct Product {
  double a;
  __host__ __device__ double operator()(const Two &t) const { return a * thrust::get<0>(t) * thrust::get<1>(t); }
};
struct Arbitrary {
  template <class Tuple> __host__ __device__ void operator()(Tuple t) const {
    thrust::get<3>(t) = thrust::get<0>(t) + thrust::get<1>(t) * thrust::get<2>(t);
  }
};
struct Turned {
  __host__ __device__ Two operator()(const Three &t) const {
    double a, b;
    thrust::tie(a, b) = thrust::make_tuple(thrust::get<1>(t), thrust::get<0>(t) * thrust::get<2>(t));
    return Two(a * b, b);
  }
};
struct Dot {
  __host__ __device__ double operator()(const Three &a, const Three &b) const {
    return thrust::get<0>(a) * thrust::get<0>(b) + thrust::get<1>(a) * thrust::get<1>(b) + thrust::get<2>(a) * thrust::get<2>(b);
  }
};
struct Squared {
  __host__ __device__ void operator()(const double &x, int i, double &y) const { y = (i + 1) * x * x; }
};

double zipped(const double *x, double a, int n) {
  thrust::device_vector<double> X(x, x + n), Y(n), Z(n, 1.0);
  thrust::for_each(thrust::make_zip_iterator(X.begin(), thrust::counting_iterator<int>(0), Y.begin()),
                   thrust::make_zip_iterator(X.end(), thrust::counting_iterator<int>(n), Y.end()), thrust::make_zip_function(Squared()));
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(X.begin(), Y.begin(), thrust::make_constant_iterator(a), Z.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(X.end(), Y.end(), thrust::make_constant_iterator(a) + n, Z.end())), Arbitrary());
  auto three = thrust::make_zip_iterator(thrust::make_tuple(X.begin(), Z.begin(), X.begin()));
  auto out = thrust::make_zip_iterator(thrust::make_tuple(Y.begin(), Z.begin()));
  thrust::transform(three, three + n, out, Turned());
  thrust::device_vector<double> W(n);
  auto first = thrust::make_zip_iterator(thrust::make_tuple(X.begin(), Y.begin(), X.begin()));
  auto second = thrust::make_zip_iterator(thrust::make_tuple(Y.begin(), Y.begin(), Z.begin()));
  thrust::transform(first, first + n, second, W.begin(), Dot());
  auto two = thrust::make_zip_iterator(thrust::make_tuple(W.begin(), X.begin()));
  return thrust::transform_reduce(two, two + n, Product{a}, 0.0, thrust::plus<double>());
}

struct Stride {
  int step;
  __host__ __device__ int operator()(int i) const { return step * i; }
};
double placed(const double *x, double a, int n) {
  using namespace thrust::placeholders;
  thrust::device_vector<double> X(x, x + n), Y(n), Z(n, 0.5);
  thrust::device_vector<int> M(n), F(n);
  thrust::sequence(M.begin(), M.end());
  thrust::transform(M.begin(), M.end(), M.begin(), n - 1 - _1);
  thrust::transform(M.begin(), M.end(), F.begin(), _1 % 3 == 0);
  thrust::transform(X.begin(), X.end(), Z.begin(), Z.begin(), a * _1 + _2 * _1 - 2 / (-_2 - 1));
  thrust::copy(X.begin(), X.end(), thrust::make_permutation_iterator(Y.begin(), M.begin()));
  typedef thrust::transform_iterator<Stride, thrust::counting_iterator<int>> Even;
  typedef thrust::permutation_iterator<thrust::device_vector<double>::iterator, Even> Strided;
  Strided every(Y.begin(), Even(thrust::counting_iterator<int>(0), Stride{2}));
  const double sum = thrust::reduce(every, every + n / 2);
  thrust::fill(every, every + n / 4, a);
  thrust::scatter_if(X.begin(), X.end(), M.begin(), F.begin(), Z.begin());
  thrust::gather_if(thrust::device, M.begin(), M.end(), F.begin(), X.begin(), Y.begin());
  return sum * thrust::inner_product(Y.begin(), Y.end(), Z.begin(), 0.0);
}

struct Larger {
  __host__ __device__ bool operator()(double x) const { return x > 0.5; }
};
double divided(const double *x, const int *keys, double a, int n) {
  thrust::device_vector<int> K(keys, keys + n), L(K);
  thrust::device_vector<double> X(x, x + n), Y(X), Z(n), S(n), P(2 * n), Q(2 * n, 0.5);
  auto end = thrust::unique_by_key(K.begin(), K.end(), X.begin());
  const int kept = end.first - K.begin();
  thrust::device_vector<int> U(L);
  const int runs = thrust::unique(thrust::device, U.begin(), U.end()) - U.begin();
  thrust::reduce_by_key(thrust::device, L.begin(), L.end(), Y.begin(), thrust::make_discard_iterator(), S.begin(), thrust::equal_to<int>(), thrust::maximum<double>());
  thrust::inclusive_scan_by_key(thrust::device, L.begin(), L.end(), Y.begin(), Z.begin());
  thrust::sort_by_key(L.begin(), L.end(), thrust::make_zip_iterator(thrust::make_tuple(Z.begin(), Y.begin())), thrust::greater<int>());
  auto middle = thrust::stable_partition(Y.begin(), Y.end(), Larger());
  auto apart = thrust::stable_partition_copy(Z.begin(), Z.end(), P.begin() + kept / 2, Q.begin() + runs, Larger());
  auto both = thrust::minmax_element(Y.begin(), Y.end());
  thrust::host_vector<double> h(n);
  double next = a;
  thrust::generate(h.begin(), h.end(), [&]() { return next *= 1.1; });
  const double hosted = thrust::reduce(thrust::host, h.begin(), h.end(), 0.0, thrust::plus<double>());
  return thrust::reduce(Y.begin(), middle) * a + thrust::reduce(P.begin(), apart.first) * X[kept / 2] * *both.first * *both.second +
         thrust::inner_product(S.begin(), S.begin() + runs, Q.begin() + runs / 2, hosted);
}

