// Texture objects that a host program makes, of memory in rows, in a line and in an array.
#include <cstring>

__global__ void sampled(cudaTextureObject_t image, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = tex2D<float>(image, x[i], 0.3f * x[i]);
}

__global__ void looked_up(cudaTextureObject_t table, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 pair = tex1Dfetch<float2>(table, i);
  y[i] *= pair.x * pair.y;
}

void of_rows(const float *texels, int width, int height, int stride, const float *x, float *y, int n) {
  cudaResourceDesc source;
  memset(&source, 0, sizeof(cudaResourceDesc));
  source.resType = cudaResourceTypePitch2D;
  source.res.pitch2D.devPtr = (void *)texels;
  source.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  source.res.pitch2D.width = width;
  source.res.pitch2D.height = height;
  source.res.pitch2D.pitchInBytes = stride * sizeof(float);
  cudaTextureDesc settings;
  memset(&settings, 0, sizeof(settings));
  settings.normalizedCoords = true;
  settings.filterMode = cudaFilterModeLinear;
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeMirror;
  settings.readMode = cudaReadModeElementType;
  cudaTextureObject_t image = 0;
  (void)cudaCreateTextureObject(&image, &source, &settings, NULL);
  sampled<<<1, 32>>>(image, x, y, n);
  (void)cudaDestroyTextureObject(image);
}

void of_a_line(const float *pairs, float *y, int n) {
  float *memory;
  (void)cudaMalloc((void **)&memory, 2 * n * sizeof(float));
  (void)cudaMemcpy(memory, pairs, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc source = {};
  source.resType = cudaResourceTypeLinear;
  source.res.linear.devPtr = memory;
  source.res.linear.desc = cudaCreateChannelDesc<float2>();
  source.res.linear.sizeInBytes = 2 * n * sizeof(float);
  cudaTextureDesc settings = {};
  cudaTextureObject_t table;
  (void)cudaCreateTextureObject(&table, &source, &settings, nullptr);
  looked_up<<<1, 32>>>(table, y, n);
  (void)cudaDestroyTextureObject(table);
  (void)cudaFree(memory);
}

// In two pieces: the first row by itself, those behind it all at once.
void of_an_array(const float *texels, int width, int height, const float *x, float *y, int n) {
  cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  (void)cudaMallocArray(&array, &channels, width, height);
  (void)cudaMemcpyToArray(array, 0, 0, texels, width * sizeof(float), cudaMemcpyHostToDevice);
  (void)cudaMemcpy2DToArray(array, 0, 1, texels + width, width * sizeof(float), width * sizeof(float), height - 1,
                            cudaMemcpyHostToDevice);
  struct cudaResourceDesc source = {};
  source.resType = cudaResourceTypeArray;
  source.res.array.array = array;
  struct cudaTextureDesc settings = {};
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
  settings.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  (void)cudaCreateTextureObject(&image, &source, &settings, nullptr);
  sampled<<<1, 32>>>(image, x, y, n);
  (void)cudaDestroyTextureObject(image);
  (void)cudaFreeArray(array);
}

void of_a_pointer(const float *texels, int width, const float *x, float *y, int n) {
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray *array;
  (void)cudaMallocArray(&array, &channels, width, 1);
  (void)cudaMemcpy2DToArray(array, 0, 0, texels, width * sizeof(float), width * sizeof(float), 1, cudaMemcpyHostToDevice);
  cudaResourceDesc source = {};
  source.resType = cudaResourceTypeArray;
  source.res.array.array = array;
  cudaTextureDesc settings = {};
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
  settings.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  (void)cudaCreateTextureObject(&image, &source, &settings, nullptr);
  sampled<<<1, 32>>>(image, x, y, n);
  (void)cudaDestroyTextureObject(image);
  (void)cudaFreeArray(array);
}
