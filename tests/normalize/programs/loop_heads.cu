// What a loop's condition reads is read before the loop where it is the same in every iteration.
__global__ void k(int n, const int *start, int *left, const double *x, double *y) {
  __shared__ int done[1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = start[i]; j < start[i + 1]; ++j) y[i] += sin(y[i]) * x[j];
  for (int j = 0; j < (start[i] < n ? start[i] : n); ++j) y[i] *= x[j];
  for (int j = 0; j < left[i]; ++j) left[i] = start[j];  // it is stored to
  for (int j = 0; j < start[j]; ++j) y[i] *= x[j];       // another one each time
  if (threadIdx.x == 0) done[0] = start[0];
  __syncthreads();
  for (int j = 0; j < done[0]; ++j) {  // others may have stored to it while this waited
    __syncthreads();
    y[i] += x[j] * y[i];
  }
}
