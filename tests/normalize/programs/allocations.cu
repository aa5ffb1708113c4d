// What a loop allocates is one memory, where one is there at a time; where several are, each has a number.
#include <cstdlib>
double k(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double *one = (double *)malloc(8);
    one[0] = x[i];
    sum += one[0] * one[0];
    free(one);
  }
  double *last = nullptr, *next = nullptr;
  for (int i = 0; i < n; i++) {
    last = next;
    next = (double *)malloc(8);
    next[0] = last ? last[0] + x[i] : x[i];
  }
  return n > 0 ? sum + next[0] : sum;
}
