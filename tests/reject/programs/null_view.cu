// k(x, y)
__global__ void k(const float *x, float *y, int n) {
  const float4 *p = nullptr;
  if (n > 3) p = reinterpret_cast<const float4 *>(x);
  p += n;
  *y = p->x * p->y;
}
