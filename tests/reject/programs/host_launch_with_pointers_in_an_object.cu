// f(x, c)
// CP0244
struct View { double *data; unsigned many : 4; };
__global__ void square(View v) { v.data[threadIdx.x] *= v.many * v.data[threadIdx.x]; }
void f(double *x, double c) {
  View v = {x, 3};
  square<<<1, 32>>>(v);
  cudaMemcpy(x, &c, 8, cudaMemcpyHostToDevice);
}
