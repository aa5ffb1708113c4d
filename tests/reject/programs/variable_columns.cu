// run(x)
float run(const float *x, int n) {
  const float(*columns)[n] = nullptr;
  return x[0] * columns[0][1];
}
