// The bytes of a variable of pointer type, read and written as a pointer to something else: memory is counted anew.
struct Holder {
  const double *at;
};

__global__ void k(const double *x, const double **rows, double *y, int i) {
  const double *walking = x;
  *(const char **)&walking += 8 * i;
  Holder held = {x};
  *(const char **)&held.at += 16;
  const double *pair[2] = {x, x + 1};
  const char **bytes = (const char **)pair;
  bytes[i] = (const char *)x + 24;
  const char *row = ((const char **)rows)[i];
  y[0] = walking[1] * held.at[0] + *(const double *)(bytes[1] + 8) * *(const double *)(row + 8 * i);
  const void *anything;
  *(const double **)&anything = x;
  const float2 *pairs = (const float2 *)anything;
  y[1] = (*(const double2 **)&walking)[1].y * (*(const long long **)&pairs)[2];
}
