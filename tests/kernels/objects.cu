// Functions with objects in their signatures: as the function that is differentiated.

struct Pair {
  double x, y;
};

struct Moments : Pair {
  int count;
  double sums[2];
  float rows[2][3];
  Pair inner[2];
};

__host__ __device__ Pair polar(double r, double a) { return {r * cos(a), r * sin(a)}; }

__device__ Pair early(Pair p, double limit) {
  if (p.x > limit) return {p.y, p.x * p.x};
  Pair q = p;
  q.x *= p.y;
  return q;
}

__host__ Moments moments(const double *v, int n) {
  Moments m = {};
  for (int i = 0; i < n; ++i) {
    m.sums[i % 2] += v[i] * v[i];
    m.rows[1][i % 3] += (float)(v[i] * m.x);
    m.inner[1].y = v[i] * m.inner[1].y + v[0];
    m.x += v[i] * i;
    ++m.count;
  }
  return m;
}
