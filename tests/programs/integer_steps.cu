// Steps that work on integers alone between those that have a derivative: they run once, and what they have found is kept.

// The largest number by its bits, where it is, and then that number itself: as CP0225 says.
__global__ void biggest(const float *x, float *top, int n) {
  int i = threadIdx.x;
  if (i < n) atomicMax((int *)top, __float_as_int(fabsf(x[i])));
}
__global__ void where(const float *x, const float *top, int *at, int n) {
  int i = threadIdx.x;
  if (i < n && fabsf(x[i]) == *top) *at = i;
}
__global__ void take(const float *x, const int *at, float *y) { *y = x[*at] * x[*at]; }
void largest(const float *x, float *top, int *at, float *y, int n) {
  biggest<<<1, 32>>>(x, top, n);
  where<<<1, 32>>>(x, top, at, n);
  take<<<1, 1>>>(x, at, y);
}

// Slots of a list, as they are given out.
__global__ void slots_of(const double *x, int *slot, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) slot[i] = x[i] > 0.5 ? atomicAdd(count, 1) : -1;
}
__global__ void compact(const double *x, const int *slot, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && slot[i] >= 0) y[slot[i]] = x[i] * x[i];
}
__global__ void insert(const double *x, int *table, int *place, int size, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = (int)(x[i] * 100), at = key % size;
  while (true) {
    int old = atomicCAS(&table[at], -1, key);
    if (old == -1 || old == key) break;
    at = (at + 1) % size;
  }
  place[i] = at;
}
__global__ void collect(const double *x, const int *place, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[place[i]], sin(x[i]));
}
// A list, and a table of hashes into which threads put what they find there no place for yet.
double listed(const double *x, int n, int size) {
  double *v, *y, *h = new double[size], sum = 0;
  int *integers, *count;
  cudaMalloc(&v, n * sizeof(double));
  cudaMalloc(&y, size * sizeof(double));
  cudaMalloc(&integers, (n + size) * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(v, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  cudaMemset(y, 0, size * sizeof(double));
  cudaMemset(integers, 255, (n + size) * sizeof(int));
  slots_of<<<2, 16>>>(v, integers, count, n);
  compact<<<2, 16>>>(v, integers, y, n);
  insert<<<2, 16>>>(v, integers + n, integers, size, n);
  collect<<<2, 16>>>(v, integers, y, n);
  cudaMemcpy(h, y, size * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < size; ++i) sum += h[i];
  delete[] h;
  cudaFree(count);
  cudaFree(integers);
  cudaFree(y);
  cudaFree(v);
  return sum;
}
