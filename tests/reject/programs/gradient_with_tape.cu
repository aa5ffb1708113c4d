// f_grad(x, _d_x)
#include <cladpy/support.h>

__global__ void f_grad(const double *x, double *_d_x, int n) {
  cladpy::growing_tape _tape;
  double s = x[0];
  for (int k = 0; k < n; ++k) {
    _tape.push(s);
    s = s * s;
  }
  double _d_s = 1;
  for (int k = n - 1; k >= 0; --k) _d_s *= 2 * _tape.pop<double>();
  _d_x[0] += _d_s;
}
