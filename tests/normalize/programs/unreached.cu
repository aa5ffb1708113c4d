// What is not supported in host code does not matter where the program does not come to it.
#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      static int failures;                                                                                             \
      ++failures;                                                                                                      \
      goto failed;                                                                                                     \
    }                                                                                                                  \
  } while (0)
static cudaError_t nothing(cudaStream_t stream) { return stream != nullptr ? cudaErrorUnknown : cudaSuccess; }
double k(double x) {
  cudaStream_t stream = 0;
  CHECK(cudaSuccess);
  if (false && nothing(stream)) asm("nop");
  x = true || ({ stream == 0; }) ? x * x : 0;
  return x;
failed:
  return -1;
}
