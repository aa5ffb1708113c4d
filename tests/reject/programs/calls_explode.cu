// k(x, y)
// CP0221: each function calls the one before twice, so that inlining doubles the code each time.
__device__ void f0(double *y, double v) { *y += v * v + v * 0.5; }
__device__ void f1(double *y, double v) { f0(y, v); f0(y + 1, v * 0.5); }
__device__ void f2(double *y, double v) { f1(y, v); f1(y + 1, v * 0.5); }
__device__ void f3(double *y, double v) { f2(y, v); f2(y + 1, v * 0.5); }
__device__ void f4(double *y, double v) { f3(y, v); f3(y + 1, v * 0.5); }
__device__ void f5(double *y, double v) { f4(y, v); f4(y + 1, v * 0.5); }
__device__ void f6(double *y, double v) { f5(y, v); f5(y + 1, v * 0.5); }
__device__ void f7(double *y, double v) { f6(y, v); f6(y + 1, v * 0.5); }
__device__ void f8(double *y, double v) { f7(y, v); f7(y + 1, v * 0.5); }
__device__ void f9(double *y, double v) { f8(y, v); f8(y + 1, v * 0.5); }
__device__ void f10(double *y, double v) { f9(y, v); f9(y + 1, v * 0.5); }
__device__ void f11(double *y, double v) { f10(y, v); f10(y + 1, v * 0.5); }
__device__ void f12(double *y, double v) { f11(y, v); f11(y + 1, v * 0.5); }
__device__ void f13(double *y, double v) { f12(y, v); f12(y + 1, v * 0.5); }
__device__ void f14(double *y, double v) { f13(y, v); f13(y + 1, v * 0.5); }
__device__ void f15(double *y, double v) { f14(y, v); f14(y + 1, v * 0.5); }
__device__ void f16(double *y, double v) { f15(y, v); f15(y + 1, v * 0.5); }
__global__ void k(double *x, double *y) { f16(y, x[0]); }
