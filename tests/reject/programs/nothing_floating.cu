// k()
// CP0305
__global__ void k(int *x, int n) { x[0] = n; }
