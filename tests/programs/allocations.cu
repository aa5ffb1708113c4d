// Memory that is allocated in a branch, and written again where the gradient still needs what it held.
#include <cstdlib>

double once(const double *x, int n) {
  double *values = nullptr;
  if (n > 0) values = (double *)malloc(n * sizeof(double));
  double sum = 0;
  for (int i = 0; i < n; ++i) values[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i) sum += values[i] * x[n - 1 - i];
  for (int i = 0; i < n; ++i) values[i] = 2 * x[i] * x[i];
  for (int i = 0; i < n; ++i) sum += values[i] * x[n - 1 - i];
  return sum;
}

double when_too_small(const double *x, int n, int turns) {
  double *values = nullptr;
  int size = 0;
  double sum = 0;
  for (int k = 1; k <= turns; ++k) {
    if (size < n) {
      values = (double *)malloc(n * sizeof(double));
      size = n;
    }
    for (int i = 0; i < n; ++i) values[i] = k * x[i] * x[i];
    for (int i = 0; i < n; ++i) sum += values[i] * x[n - 1 - i];
  }
  return sum;
}

double every_third_turn(const double *x, int n, int turns) {
  double *values = nullptr;
  double sum = 0;
  for (int k = 1; k <= turns; ++k) {
    if (k % 3 == 1) {
      values = (double *)malloc(n * sizeof(double));
      for (int i = 0; i < n; ++i) values[i] = k * x[i];
    }
    for (int i = 0; i < n; ++i) sum += values[i] * x[n - 1 - i];
    for (int i = 0; i < n; ++i) values[i] *= x[i];
  }
  return sum;
}

// Arrays that are as long as the function is told, one of them of another length in each turn.
double of_their_length(const double *x, int n) {
  double squares[n];
  int order[n - 1];
  for (int i = 0; i < n; ++i) squares[i] = x[i] * x[i];
  for (int i = 0; i < n - 1; ++i) order[i] = n - 1 - i;
  double sum = 0;
  for (int k = 1; k < n; ++k) {
    double products[k];
    for (int i = 0; i < k; ++i) products[i] = squares[i] * x[order[i]];
    for (int i = 0; i < k; ++i) sum += products[i] * products[k - 1 - i];
  }
  return sum;
}

double aligned(const double *x, int n) {
  double *squares = nullptr;
  if (posix_memalign(reinterpret_cast<void **>(&squares), 64, n * sizeof(double))) return 0;
  for (int i = 0; i < n; ++i) squares[i] = x[i] * x[i];
  double product = 1;
  for (int i = 0; i < n; ++i) product *= squares[i] + x[0];
  free(squares);
  return product;
}
