// f(x, c)
// CP0248
struct Base { double factor; };
struct View : Base { double *data; double factor; };
__global__ void square(View v) { v.data[threadIdx.x] *= v.Base::factor * v.data[threadIdx.x]; }
void f(double *x, double c) {
  View v;
  v.data = x;
  v.factor = 1.0;
  v.Base::factor = c;
  square<<<1, 32>>>(v);
}
