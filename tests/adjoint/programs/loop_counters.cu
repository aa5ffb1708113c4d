// Counted in an int: what goes from a number that is not negative to an int. In a long: what may begin below zero, reaches
// zero from the largest int, or is no int.
__global__ void k(const double *x, double *y, int n, long many, unsigned few) {
  double s = 0.0;
  for (int a = 0; a < n; a++) s += x[a] * x[a];
  for (int b = 2; b <= n; b += 3) s += x[b] * x[b];
  for (int c = n - 1; c >= 0; c--) s += x[c] * x[c];
  for (int d = n; d > 1; d -= 2) s += x[d] * x[d];
  for (int i = threadIdx.x % 32; i < n; i += 32) s += x[i] * x[i];
  for (int j = threadIdx.x / 32; j < n; j += blockDim.x) s += x[j] * x[j];
  for (int l = blockIdx.x * blockDim.x + threadIdx.x; l < n; l += 8) s += x[l] * x[l];
  for (int e = n; e >= 0; e--) s += x[e] * x[e];
  for (int f = -3; f < n; f++) s += x[f + 3] * x[f + 3];
  for (long g = 0; g < many; g++) s += x[g] * x[g];
  for (unsigned h = 0; h < few; h++) s += x[h] * x[h];
  y[0] = s;
}
