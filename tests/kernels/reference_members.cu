// Classes with reference members, whose constructors bind them; objects of them are copied, passed and returned.
class Sum {
 public:
  __device__ Sum(double &target, const double &factor) : total(target), scale(factor) {}
  __device__ Sum &add(double x) {
    total += x * scale;
    return *this;
  }
  __device__ Sum &scaled(double by) {
    this->total *= by;
    return *this;
  }

 private:
  double &total;
  const double &scale;
};

__device__ void twice(Sum sum, double x) { sum.add(x).add(x * x); }

__global__ void chained(const double *x, double *y, const double *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double local = x[i];
  Sum own(local, w[0]);
  own.add(x[i]).scaled(x[i]).add(2.0);
  Sum copy = own;
  twice(copy, x[i] * local);
  Sum out{y[i], local};
  out.add(x[i]).scaled(1.5);
}

struct Row {
  double (&values)[3];
  int &count;
  __device__ Row(double (&v)[3], int &c) : values{v}, count{c} {}
  __device__ void push(double x) { values[count++] = x; }
};

struct Pair {
  Row left;
  const double *data;
  double &last;
  __device__ Pair(Row row, double &l, const double *d) : left(row), data(d), last(l) { last = data[0] * 2; }
};

__device__ Pair made(Row row, double &last, const double *data) { return Pair(row, last, data); }

__global__ void nested(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double values[3] = {0, 0, 0}, last = 0;
  int count = 0;
  Row row(values, count);
  for (int k = 0; k < 2; ++k) {
    row.push(x[i] * (k + 1));
    Sum sum(values[k], x[i]);
    sum.add(x[i]);
  }
  Pair pair = made(row, last, x + i);
  pair.left.push(pair.last * values[0]);
  y[i] = values[0] * values[1] + values[2] * last;
}

struct Chosen {
  double &target;
  __device__ Chosen(double &a, double &b, bool first) : target(first ? a : b) {}
};

__global__ void chosen(const double *x, double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Chosen c(y[i], z[i], i % 3 == 0);
  c.target = x[i] * x[i];
  c.target *= x[i];
}
