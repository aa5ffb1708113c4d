// f(x)
// CP0244
struct View { double *data; int n; };
__global__ void square(View v) { if (threadIdx.x < v.n) v.data[threadIdx.x] *= v.data[threadIdx.x]; }
void f(double *x, int n) { square<<<1, 32>>>(View{x, n}); }
