// A program whose other half lies in another file: the function of this file that needs it is not called by the kernel.
#include <cstdio>

extern double elsewhere;
void report(const char *what, double value);
struct Timer {
  Timer();
  virtual ~Timer();
  virtual double seconds() const = 0;
};
Timer *make_timer();

__global__ void k(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

extern "C" void of_c(double *x, int n);
extern "C" void called_by_c(double *x, int n) { of_c(x, n); }
void (*kept)(double *, int) = called_by_c;

int main() {
  Timer *timer = make_timer();
  double *x = nullptr, *y = nullptr;
  k<<<1, 32>>>(x, y, 32);
  report("time", timer->seconds() + elsewhere);
  delete timer;
}
