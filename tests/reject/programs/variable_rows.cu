// run(x)
float run(const float *x, int n) {
  float rows[n][2];
  rows[0][0] = x[0];
  return rows[0][0] * x[0];
}
