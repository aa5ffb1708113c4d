// f(a, b)
// Iteration i reads rows that others write.
void f(double (*a)[16], double (*b)[16], int n) {
  int i, j, k;
#pragma omp parallel for private(j, k)
  for (i = 1; i < n; i++)
    for (j = 0; j < n; j++)
      for (k = 0; k < i; k++) b[i][j] += a[i][k] * b[j][k];
}
