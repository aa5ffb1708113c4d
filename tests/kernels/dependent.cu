// Types that depend on numbers: what stands in their names is no initialiser.
template <int N>
struct Pick {
  using type = double;
};
template <int N>
struct Row {
  double d[N];
};
#define MEMBER(N, name) typename Pick<N>::type name
#define MEMBER_OF(N, name, value) typename Pick<N>::type name = value
#define THIRD Row<N> third
#define FOURTH double fourth = N + 0.5

template <int N>
struct Members {
  typename Pick<N>::type first;
  double second = 2.0;
  Row<N> row;
  Row<2> two = {{0.25, N}};
  MEMBER(N, plain);
  MEMBER_OF(N, set, 0.5 * N);
  THIRD;
  FOURTH;
  double own[N];
  typename Pick<N>::type list[N] = {1.0, N};
  double *(*pointers)[N] = nullptr;
  int bits : N;
  double braces{N};
};

template <int N>
struct Maker {
  double total;
  __device__ Maker(typename Pick<N>::type a) : total(a) {}
  __device__ Maker(typename Pick<N>::type a, Row<N> b, double c = N) : total(a * b.d[0] * c) {}
};
template <int N>
__device__ double sum(Row<N> row, typename Pick<N>::type scale = N, const Row<N> *more = nullptr) {
  double s = 0.0;
  for (int k = 0; k < N; ++k) s += row.d[k] * scale;
  return more ? s * more->d[0] : s;
}

template <int N>
__global__ void members(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Members<N> m{};
  m.second += x[i];
  Row<N> row{};
  row.d[N - 1] = x[i] * m.set;
  Maker<N> one(x[i]), two(x[i], row), three(x[i], Row<N>{{x[i]}}, 4);
  y[i] = (1.0 + m.first + m.row.d[0] + m.plain + m.third.d[1] + m.own[0]) * x[i] * m.second;
  y[i] += m.two.d[1] * m.set * x[i] + m.fourth * m.list[1] * x[i] * x[i] * m.braces + m.bits;
  y[i] += one.total * two.total + three.total * sum(row) + sum(row, 0.5, &row);
}

template <int N>
__global__ void casts(const double *x, double *y, int n) {
  using T = typename Pick<N>::type;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = static_cast<typename Pick<N>::type>(x[i]) * x[i];
  double b = typename Pick<N>::type(a) + (typename Pick<N>::type)x[i] + typename Pick<N>::type{};
  Row<N> row = Row<N>{{a, b}}, zero = Row<N>();
  y[i] = row.d[1] * T(a) + zero.d[0] + sizeof(Row<N>) * x[i] + reinterpret_cast<const Row<N> *>(&row)->d[0];
  for (typename Pick<N>::type v : row.d) y[i] += v * v;
}
template __global__ void members<3>(const double *, double *, int);
template __global__ void casts<3>(const double *, double *, int);

// Member templates and qualified members called on *this, which is not written.
enum class Mode { once, twice };
template <int N>
struct Level {};
template <bool B>
struct Flag {
  static constexpr bool value = B;
  constexpr __host__ __device__ operator bool() const { return B; }
};
template <bool B>
constexpr Flag<B> flag{};
template <int N>
constexpr double half = N * 0.5;

template <int N>
struct Scale {
  double by;
  __device__ double scaled(double v) const { return v * by * N; }
};
struct Powers : Scale<2> {
  double s;
  __device__ Powers(double by, double s) : Scale<2>{by}, s(s) {}
  template <int N>
  __device__ double power(double v) const {
    double r = Scale<2>::by + this->Scale<2>::by * Powers::s;
    for (int k = 0; k < N; ++k) r *= v;
    return r * s;
  }
  template <bool F>
  __device__ double either(double v) const {
    return F ? power<3>(v) : this->template power<2>(v);
  }
  template <int N>
  __device__ double descend(double v, Level<N>) const {
    return power<N>(v) + descend(Scale<2>::scaled(v), Level<N - 1>{});
  }
  __device__ double descend(double v, Level<0>) const { return v; }
  template <bool F, Mode M>
  __device__ double all(double v, Flag<F> f) const {
    if (f) return either<F>(v) * (M == Mode::twice ? 2 : 3);
    return descend(v, Level<2>{});
  }
};
__global__ void member_templates(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Powers p(0.5 * x[i], x[i]);
  y[i] = p.all<true, Mode::twice>(x[i], flag<true>) + p.all<false, Mode::once>(x[i], flag<false>);
  y[i] += (flag<true> ? half<3> : half<5>)*p.either<false>(x[i]) + p.Scale<2>::scaled(x[i]);
}
