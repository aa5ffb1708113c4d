// Statements as expressions, as macros have them.

#define LARGER(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SQUARE(x) ({ auto _x = (x); _x * _x; })
#define SWAP(a, b) ({ auto _old = a; a = b; b = _old; })

struct Pair {
  double a, b;
  __device__ double weighted(double x) const { return ({ double t = a * x; t * b; }) + ({ this->a; }); }
};

// In expressions of all kinds, some of which come to them only sometimes.
__global__ void in_expressions(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double both[2] = {x[i], 1.5};
  double v = LARGER(SQUARE(both[0]), LARGER(both[1], x[0]));
  int asked = 0;
  bool large = v > 2.0 && ({ ++asked; v *= x[i]; v > 3.0; });
  double w = large ? ({ double z = sin(v); z * z; }) : ({ asked += 2; v * v; });
  y[i] = w * asked + SQUARE(LARGER(w, v));
}

// What they change outside, and loops and jumps that stay inside.
__global__ void in_statements(double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[3] = {x[i], 2 * x[i], 0.5}, &first = a[0];
  SWAP(a[0], a[2]);
  for (int k = ({ int from = 1; from; }); k < 3; ++k) {
    first += ({
      double sum = 0;
      for (int j = 0; j < 5; ++j) {
        if (j == k) continue;
        if (j > 3) break;
        sum += a[j % 3] * x[i];
      }
      switch (k) {
        case 1: sum *= 2; break;
        default: sum *= a[1];
      }
      sum;
    });
  }
  x[i] *= ({ x[i] += first; 3.0; });
  y[i] = first * a[2];
}

// Objects, members, lambdas inside and around.
__global__ void with_objects(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Pair made = ({ Pair p = {x[i], x[i] * x[i]}; p.b += p.a; p; });
  auto scaled = [&](double z) { return LARGER(z, made.a) * made.b; };
  double sum = ({ auto twice = [=](double z) { return 2 * z * x[i]; }; twice(made.weighted(x[i])); });
  const double *p = ({ const double *q = x; q + i; });
  y[i] = scaled(sum) * *p;
}

// Shared memory, whose size may be that of the launch, and barriers.
template <class T>
__global__ void with_shared(const T *x, T *y) {
  extern __shared__ double given[];
  __shared__ T own[32];
  int t = threadIdx.x;
  own[t] = ({ T v = x[t]; v * v; });
  T next = ({ __syncthreads(); given[t] = own[31 - t]; own[(t + 1) % 32]; });
  y[t] = next * ({ __syncthreads(); given[31 - t] * given[(t + 3) % 32]; });
}
template __global__ void with_shared<double>(const double *, double *);
