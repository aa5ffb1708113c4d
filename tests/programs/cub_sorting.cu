// Sorts of CUB: by all bits of a key and by some, from one memory to another and between two buffers.
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

__global__ void pairs_of(const float *x, unsigned long long *key, int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    key[i] = (unsigned long long)(i % 3) << 32 | (unsigned)(x[i] * 1000);
    id[i] = i;
  }
}
__global__ void blend(const float *x, const int *id, const unsigned long long *key, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[key[i] >> 32], x[id[i]] * x[i] * (i + 1));
}

// Tile and depth in one key, of which the highest bits are not looked at.
void splats(const float *x, float *y, int n) {
  unsigned long long *key, *key_out;
  int *id, *id_out;
  cudaMalloc(&key, n * sizeof(unsigned long long));
  cudaMalloc(&key_out, n * sizeof(unsigned long long));
  cudaMalloc(&id, n * sizeof(int));
  cudaMalloc(&id_out, n * sizeof(int));
  pairs_of<<<1, 64>>>(x, key, id, n);
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortPairs(memory, bytes, key, key_out, id, id_out, n, 0, 34);
  cudaMalloc(&memory, bytes);
  cub::DeviceRadixSort::SortPairs(memory, bytes, key, key_out, id, id_out, n, 0, 34);
  blend<<<1, 64>>>(x, id_out, key_out, y, n);
  cub::DoubleBuffer<int> ids(id, id_out);
  cub::DoubleBuffer<unsigned long long> keys(key, key_out);
  cub::DeviceRadixSort::SortPairsDescending(memory, bytes, keys, ids, n);
  blend<<<1, 64>>>(x, ids.Current(), keys.Current(), y, n);
  cudaFree(memory);
  cudaFree(id_out);
  cudaFree(id);
  cudaFree(key_out);
  cudaFree(key);
}

struct nearer {
  float from;
  __host__ __device__ bool operator()(const float &a, const float &b) const {
    return (a - from) * (a - from) < (b - from) * (b - from);
  }
};

// Numbers, by bits and by a comparison of the program's own.
void depths(float *x, float *w, float from, int n) {
  float *sorted, *moved;
  cudaMalloc(&sorted, n * sizeof(float));
  cudaMalloc(&moved, n * sizeof(float));
  void *memory = nullptr;
  size_t bytes = 0, more = 0;
  cub::DeviceRadixSort::SortPairs(memory, bytes, x, sorted, w, moved, n, 0, sizeof(float) * 8);
  cub::DeviceMergeSort::SortPairs(memory, more, moved, sorted, n, nearer{from});
  bytes = more > bytes ? more : bytes;
  cub::DeviceMergeSort::StableSortKeys(memory, more, sorted, n / 2, nearer{from});
  bytes = more > bytes ? more : bytes;
  cub::DeviceRadixSort::SortKeysDescending(memory, more, sorted, x, n);
  bytes = more > bytes ? more : bytes;
  cudaMalloc(&memory, bytes);
  cub::DeviceRadixSort::SortPairs(memory, bytes, x, sorted, w, moved, n, 0, sizeof(float) * 8);
  cub::DeviceMergeSort::SortPairs(memory, bytes, moved, sorted, n, nearer{from});
  cub::DeviceMergeSort::StableSortKeys(memory, bytes, sorted, n / 2, nearer{from});
  cub::DeviceRadixSort::SortKeysDescending(memory, bytes, sorted, x, n);
  cudaMemcpy(w, moved, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(memory);
  cudaFree(moved);
  cudaFree(sorted);
}

__global__ void weigh(const double *x, const short *key, double *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = x[i] * x[key[i] & 7];
}
// Keys with signs, by their lower bits only, and by all.
void signs(const double *x, short *key, short *sorted, double *y, int n) {
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(memory, bytes, key, sorted, n, 1, 5);
  cudaMalloc(&memory, bytes);
  cub::DeviceRadixSort::SortKeys(memory, bytes, key, sorted, n, 1, 5);
  weigh<<<1, 32>>>(x, sorted, y, n);
  cub::DoubleBuffer<short> keys(key, sorted);
  cub::DeviceRadixSort::SortKeys(memory, bytes, keys, n);
  weigh<<<1, 32>>>(x, keys.Current(), y + n, n);
  cudaFree(memory);
}
