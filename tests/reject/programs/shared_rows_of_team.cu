// f(a)
// An iteration of a region's loop changes what the ones behind it read.
void f(double (*a)[16]) {
#pragma omp parallel
  {
#pragma omp for
    for (int k = 0; k < 16; k++) {
      for (int j = k + 1; j <= 15; j++) a[k][j] = a[k][j] / a[k][k];
      for (int i = k + 1; i < 16; i++)
        for (int j = k + 1; j < 16; j++) a[i][j] = a[i][j] - a[i][k] * a[k][j];
    }
  }
}
