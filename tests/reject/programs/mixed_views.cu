// k(x, z, y)
__global__ void k(const float *x, const float4 *z, float *y, int n) {
  const float4 *p = n > 3 ? reinterpret_cast<const float4 *>(x) : z;
  *y = p->x * p->y * (float)(p - z);
}
