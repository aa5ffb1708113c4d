// The code examples of the talk on CUDA support in Clad, up to device pullbacks, in floating point.
__global__ void kernel(double *a) { *a *= *a; }

__global__ void add_kernel_4(double *out, double *in, int N) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  if (index < N) {
    double sum = 0;
    // Each thread sums elements in steps of warpSize
    for (int i = index; i < N; i += warpSize) {
      sum += in[i];
    }
    out[index] = sum;
  }
}

__device__ double device_fn(double *in, double val) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  return in[index] + val;
}
__global__ void kernel_with_device_call(double *out, double *in, double val) {
  int index = threadIdx.x;
  out[index] = device_fn(in, val);
}

__device__ double device_fn_2(double *in, double *val) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  return in[index] + *val;
}
__global__ void kernel_with_device_call_2(double *out, double *in, double *val) {
  int index = threadIdx.x;
  out[index] = device_fn_2(in, val);
}

__device__ double device_fn_3(double *in, double *val) {
  double local = *val;
  return device_fn_2(in, &local) * device_fn_2(in, val);
}
__global__ void kernel_with_nested_device_call(double *out, double *in, double *val) {
  int index = threadIdx.x;
  out[index] = device_fn_3(in, val);
}

__global__ void copy_kernel(double *out, double *in, int N) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  if (index < N) {
    out[index] = in[index];
  }
}
