"""Lambdas, function objects, range-based for and structured bindings as they appear in the surface program."""

from __future__ import annotations

from tests.frontend.reading import text


def test_captures() -> None:
    code = """template <class F> __device__ double apply(F f, double x) { return f(x); }
template <class F, class... A> __device__ auto call(F &&f, A &&...a) { return f(static_cast<A &&>(a)...); }
__global__ void k(double *o, double d) {
  double c = 2, a[2] = {1, 2};
  auto f = [c, &d, z = c * 2, &r = o[0]](double x) mutable { d += x; c += sizeof(a); return c + z + r; };
  o[0] = f(2) + apply([=](double t) { return t * c + a[1]; }, d);
  o[1] = call([&](auto t, auto u) { return t * c + a[u]; }, d, 1);
  auto plain = [](double v) { return v; };
  auto nested = [plain, &d](double v) { return plain(v) + d; };
  o[2] = nested(1);
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *, d: double) {
  let c: double = 2.0
  let a: double [2] = {1.0, 2.0}
  let f: (lambda at 5:12) = {c, d, (c * 2.0), o[0]}
  (o[0] = ((lambda at 5:12)::operator()(&f, 2.0) + apply<(lambda at 6:23)>({c, {a[0], a[1]}}, d)))
  (o[1] = call(temporary({c, a}), d, temporary(1)))
  let plain: (lambda at 8:16) = {}
  let nested: (lambda at 9:17) = {plain, d}
  (o[2] = (lambda at 9:17)::operator()(&nested, 1.0))
}

__host__ __device__ double (lambda at 5:12)::operator()(const this: (lambda at 5:12) *, x: double) {
  ((*this).d += x)
  ((*this).c += 16.0)
  return (((*this).c + (*this).z) + (*this).r)
}

__device__ double apply<(lambda at 6:23)>(f: (lambda at 6:23), x: double) {
  return (lambda at 6:23)::operator()(&f, x)
}

__device__ double call(f: (lambda at 7:15) &, a: double &, a_2: int &) {
  return (lambda at 7:15)::operator()(&f, a, a_2)
}

__host__ __device__ double (lambda at 9:17)::operator()(const this: const (lambda at 9:17) *, v: double) {
  return ((lambda at 8:16)::operator()(&(*this).plain, v) + (*this).d)
}

__host__ __device__ double (lambda at 6:23)::operator()(const this: const (lambda at 6:23) *, t: double) {
  return ((t * (*this).c) + ((*this).a)[1])
}

__host__ __device__ double (lambda at 7:15)::operator()(const this: const (lambda at 7:15) *, t: double, u: int) {
  return ((t * (*this).c) + ((*this).a)[u])
}

__host__ __device__ double (lambda at 8:16)::operator()(const this: const (lambda at 8:16) *, v: double) {
  return v
}
"""
    )


def test_this_in_lambdas() -> None:
    code = """struct S {
  double w;
  __device__ double twice() const { return 2 * w; }
  __device__ double f(double x) const {
    const int n = 3;
    auto g = [x, this](auto y) { return x * y * w * n; };
    auto h = [*this] { return this->w; };
    auto i = [=] { return twice() + x; };
    return g(2.0) + h() + i();
  }
  __device__ double m(double a) {
    auto inner = [=, c = a + 1](int i) { auto deep = [&](double z) { return z * a + c + w + i; }; return deep(2); };
    return inner(4);
  }
};
__global__ void k(S *s, double *o) { o[0] = s->f(2) + s->m(3); }"""
    assert (
        text(code)
        == """__global__ void k(s: S *, o: double *) {
  (o[0] = (S::f(<const S *>s, 2.0) + S::m(s, 3.0)))
}

__device__ double S::f(const this: const S *, x: double) {
  let const n: int = 3
  let g: (lambda at 6:14) = {x, this}
  let h: (lambda at 7:14) = {*this}
  let i: (lambda at 8:14) = {this, x}
  return (((lambda at 6:14)::operator()(&g, 2.0) + (lambda at 7:14)::operator()(&h)) + (lambda at 8:14)::operator()(&i))
}

__device__ double S::m(const this: S *, a: double) {
  let inner: (lambda at 12:18) = {(a + 1.0), a, this}
  return (lambda at 12:18)::operator()(&inner, 4)
}

__host__ __device__ double (lambda at 6:14)::operator()(const this: const (lambda at 6:14) *, y: double) {
  let const n: int = 3
  return ((((*this).x * y) * (*(*this).captured_this).w) * <double>n)
}

__host__ __device__ double (lambda at 7:14)::operator()(const this: const (lambda at 7:14) *) {
  return (*this).captured_this.w
}

__host__ __device__ double (lambda at 8:14)::operator()(const this: const (lambda at 8:14) *) {
  return (S::twice((*this).captured_this) + (*this).x)
}

__host__ __device__ double (lambda at 12:18)::operator()(const this: const (lambda at 12:18) *, i: int) {
  let deep: (lambda at 12:54) = {(*this).a, (*this).c, (*this).captured_this, i}
  return (lambda at 12:54)::operator()(&deep, 2.0)
}

__device__ double S::twice(const this: const S *) {
  return (2.0 * (*this).w)
}

__host__ __device__ double (lambda at 12:54)::operator()(const this: const (lambda at 12:54) *, z: double) {
  return ((((z * (*this).a) + (*this).c) + (*(*this).captured_this).w) + <double>(*this).i)
}
"""
    )


def test_functors() -> None:
    code = """struct By { double s; __device__ double operator()(double x) const { return s * x; } };
template <class F, class G> struct Of {
  F f;
  G g;
  __device__ auto operator()(double x) const { return f(g(x)); }
};
template <class F, class G> __device__ Of<F, G> compose(F f, G g) { return {f, g}; }
__global__ void k(double *o) { o[0] = compose(By{2}, [](double x) { return x * x; })(o[1]); }"""
    assert (
        text(code)
        == """__global__ void k(o: double *) {
  (o[0] = Of<By, (lambda at 8:54)>::operator()(&temporary(compose<By, (lambda at 8:54)>({2.0}, {})), o[1]))
}

__device__ Of<By, (lambda at 8:54)> compose<By, (lambda at 8:54)>(f: By, g: (lambda at 8:54)) {
  return {f, g}
}

__device__ double Of<By, (lambda at 8:54)>::operator()(const this: const Of<By, (lambda at 8:54)> *, x: double) {
  return By::operator()(&(*this).f, (lambda at 8:54)::operator()(&(*this).g, x))
}

__device__ double By::operator()(const this: const By *, x: double) {
  return ((*this).s * x)
}

__host__ __device__ double (lambda at 8:54)::operator()(const this: const (lambda at 8:54) *, x: double) {
  return (x * x)
}
"""
    )


def test_ranges() -> None:
    code = """struct R {
  double d[4];
  __device__ double *begin() { return d; }
  __device__ double *end() { return d + 4; }
  __device__ const double *begin() const { return d; }
  __device__ const double *end() const { return d + 4; }
};
__global__ void k(double *o, R *r, const R &c) {
  double m[2][3] = {};
  for (auto &row : m)
    for (double &v : row) v += o[0];
  for (double &v : *r) v += 1;
  for (auto v : c) o[1] += v;
  for (auto [a, b] : (float2[2]){{1, 2}, {3, 4}}) o[2] += a * b;
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *, r: R *, c: const R &) {
  let m: double [2][3] = {}
  for {
      let i: int = 0
    } while (i < 2)
    step ++i {
      let row: double (&)[3] = m[i]
      for {
          let i.1: int = 0
        } while (i.1 < 3)
        step ++i.1 {
          let v: double & = row[i.1]
          (v += o[0])
      }
  }
  {
    let range: R & = *r
    let end: double * = R::end(&range)
    for {
        let at: double * = R::begin(&range)
      } while (at != end)
      step ++at {
        let v.1: double & = *at
        (v.1 += 1.0)
    }
  }
  {
    let end.1: const double * = R::end(&c)
    for {
        let at.1: const double * = R::begin(&c)
      } while (at.1 != end.1)
      step ++at.1 {
        let v.2: double = *at.1
        (o[1] += v.2)
    }
  }
  {
    let range.1: float2 [2] = {{1.0f, 2.0f}, {3.0f, 4.0f}}
    for {
        let i.2: int = 0
      } while (i.2 < 2)
      step ++i.2 {
        let a_b: float2 = range.1[i.2]
        (o[2] += <double>(a_b.x * a_b.y))
    }
  }
}

__device__ double * R::begin(const this: R *) {
  return <double *>(*this).d
}

__device__ double * R::end(const this: R *) {
  return (<double *>(*this).d + 4)
}

__device__ const double * R::begin(const this: const R *) {
  return <const double *>(*this).d
}

__device__ const double * R::end(const this: const R *) {
  return (<const double *>(*this).d + 4)
}
"""
    )


def test_bindings() -> None:
    code = """struct P { double x; int n; };
struct Q : P {};
__device__ Q make(double v) { return {{v, 2}}; }
__global__ void k(double *o, P *p, double (&a)[2]) {
  auto [x, n] = p[1]; auto &[rx, rn] = *p; const auto [cx, cn] = make(3); auto &&[fx, fn] = make(4);
  auto [u, v] = a; auto &[ru, rv] = a;
  rx = x * n + cx; ru = rv + u + fx;
  o[0] = [=] { return rx + x; }();
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *, p: P *, a: double (&)[2]) {
  let x_n: P = p[1]
  let rx_rn: P & = *p
  let const cx_cn: Q = make(3.0)
  let fx_fn: Q = make(4.0)
  let u_v: double [2] = {a[0], a[1]}
  let ru_rv: double (&)[2] = a
  (rx_rn.x = ((x_n.x * <double>x_n.n) + cx_cn.<P>.x))
  (ru_rv[0] = ((ru_rv[1] + u_v[0]) + fx_fn.<P>.x))
  (o[0] = (lambda at 8:10)::operator()(&temporary({rx_rn.x, x_n.x})))
}

__device__ Q make(v: double) {
  return {{v, 2}}
}

__host__ __device__ double (lambda at 8:10)::operator()(const this: const (lambda at 8:10) *) {
  return ((*this).rx + (*this).x)
}
"""
    )
