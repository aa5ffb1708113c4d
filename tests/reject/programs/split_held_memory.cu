// f(p)
// split=1
// CP0524
struct Holder {
  double *data;
  int n;
};

double f(Holder p, const double *by) {
  double sum = 0;
  for (int i = 0; i < p.n; ++i) {
    sum += p.data[i] * by[i];
    p.data[i] = sum;
  }
  return sum;
}
