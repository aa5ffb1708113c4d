// f(x, y)
// CP0224
#include <thrust/device_ptr.h>
#include <thrust/random.h>
#include <thrust/set_operations.h>
void f(double *x, double *y, int n) {
  thrust::device_ptr<double> from(x), to(y);
  thrust::mismatch(from, from + n, from, from + n, to);
  thrust::transform(from, from + n, to);
  thrust::minus<double>::result_type unnamed = 0;
  thrust::inclusive_scan(from, from + n, unnamed);
  thrust::random::linear_congruential_engine<unsigned, 5, 3, 0> engine;
}
