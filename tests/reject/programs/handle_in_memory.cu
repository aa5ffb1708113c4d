// f(x)
// The event that an iteration makes is compared by the next one.
#include <cuda_runtime.h>
#include <stdlib.h>
double f(const double *x) {
  struct holder { cudaEvent_t event; } *all = (holder *)malloc(sizeof(holder));
  double r = 0;
  all->event = 0;
  for (int k = 0; k < 3; k++) {
    r += all->event == 0 ? x[0] * x[0] : x[1];
    cudaEventCreate(&all->event);
  }
  free(all);
  return r;
}
