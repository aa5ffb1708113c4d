// k(b, c, y)
// CP0308
__global__ void k(bool *b, short *c, double *y) { if (*b) y[0] = *c; }
