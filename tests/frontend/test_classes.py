"""Classes: each construct as it appears in the surface program."""

from __future__ import annotations

from tests.frontend.reading import body, text


def test_members() -> None:
    code = """struct Inner { float f; int i[2]; };
struct P { double x, y; Inner in; P *next; struct { double u; }; union { int n; float g; } un; int bits : 3; };
__global__ void k(P *p, P q, P &r, const P *c, P a[2]) {
  p->x = q.in.f + r.y;
  (*p).in.i[1] = c->next->next->un.n;
  p[2].u = a[1].bits;
  P *s = p + 1;
  s->y += c[1].x;
  P *t = q.x > 0 ? p : &r;
  t->y = 2;
  double &y = p->in.f > 0 ? p->x : q.y;
  double *z = &p->y;
}"""
    assert (
        text(code)
        == """__global__ void k(p: P *, q: P, r: P &, c: const P *, a: P *) {
  ((*p).x = (<double>q.in.f + r.y))
  (((*p).in.i)[1] = (*(*(*c).next).next).un.n)
  (p[2]..u = <double>a[1].bits)
  let s: P * = (p + 1)
  ((*s).y += c[1].x)
  let t: P * = ((q.x > 0.0) ? p : &r)
  ((*t).y = 2.0)
  let y: double & = (((*p).in.f > 0.0f) ? (*p).x : q.y)
  let z: double * = &(*p).y
}
"""
    )


def test_construction() -> None:
    code = """struct A { double x; int n = 3; };
struct B {
  double v;
  A a;
  __device__ B(double v = 2) : v(v) {}
  __device__ B(int i, int j) : B(i * j) { v += 1; }
  __device__ explicit B(A a) : v(a.x), a{a.x, 4} {}
};
struct C : A, B {
  double m[2];
  B b[2];
  const float w;
  int zeros[100], left;
  __device__ C() : A{1}, m{1, 2}, b{1.0, {2, 3}}, w(4), zeros{} {}
};
struct I : B { using B::B; int more = 1; };
__global__ void k(double *o) {
  B b0; B b1(1.5); B b2{2, 3}; B b3 = 1; B b4 = b2; B b5(A{2}); auto b6 = B(3);
  C c;
  A a0; A a1{}; A a2 = {1}; A a3 = A(); A a4{.n = 2};
  B array[2]; B list[3] = {1, {2, 3}};
  I i(4, 5);
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *) {
  let b0: B = new B(2.0)
  let b1: B = new B(1.5)
  let b2: B = new B(2, 3)
  let b3: B = new B(1.0)
  let b4: B = b2
  let b5: B = new B({2.0, 3})
  let b6: B = new B(3.0)
  let c: C = new C()
  let a0: A = {0.0, 3}
  let a1: A = {0.0, 3}
  let a2: A = {1.0, 3}
  let a3: A = {0.0, 3}
  let a4: A = {0.0, 2}
  let array: B [2] = {new B(2.0), new B(2.0)}
  let list: B [3] = {new B(1.0), new B(2, 3), new B(2.0)}
  let i: I = new I(4, 5)
}

__device__ void B::B(const this: B *, v: double) {
  ((*this).v = v)
  ((*this).a = {0.0, 3})
}

__device__ void B::B(const this: B *, i: int, j: int) {
  (*this = new B(<double>(i * j)))
  ((*this).v += 1.0)
}

__device__ void B::B(const this: B *, a: A) {
  ((*this).v = a.x)
  ((*this).a = {a.x, 4})
}

__device__ void C::C(const this: C *) {
  ((*this).<A> = {1.0, 3})
  ((*this).<B> = new B(2.0))
  (((*this).m)[0] = 1.0)
  (((*this).m)[1] = 2.0)
  (((*this).b)[0] = new B(1.0))
  (((*this).b)[1] = new B(2, 3))
  ((*this).w = 4.0f)
  for {
      let i: int = 0
    } while (i < 100)
    step ++i {
      (((*this).zeros)[i] = 0)
  }
}

__host__ __device__ void I::B(const this: I *, unnamed_1: int, unnamed_2: int) {
  ((*this).<B> = new B(unnamed_1, unnamed_2))
  ((*this).more = 1)
}
"""
    )


def test_methods() -> None:
    code = """struct V {
  double x, y;
  static constexpr double half = 0.5;
  __device__ double dot(const V &o) const { return x * o.x + y * o.y; }
  __device__ double &at(int i) { return i ? y : this->x; }
  __device__ const double &at(int i) const { return i ? y : x; }
  __device__ V operator+(V o) const { return {x + o.x, y + o.y}; }
  __device__ V &operator*=(double s) { x *= s; y *= s; return *this; }
  __device__ explicit operator double() const { return dot(*this); }
  __device__ double operator()(double t) const { return x + t * y; }
  template <class T> __device__ T to() const { return T(x); }
  static __device__ V unit() { return {1, 0}; }
};
__device__ V operator*(double s, const V &v) { V r = v; r *= s; return r; }
__device__ V *pick(V *a, int i) { return &a[i]; }
__global__ void k(V *v, double *o, int i) {
  o[0] = v->dot(v[1]) + (v[0] + v[1]).dot(2.0 * v[2]);
  v->at(1) = 2;
  const V w = V::unit();
  o[1] = w.at(0) + double(w) + w(3) + w.to<float>() + V::half + w.half;
  (*v *= 2) *= 3;
  pick(v, 2)->x = pick(v, i)->at(0);
  v[3] = w;
  v->operator*=(2);
  o[2] = V{1, 2}.y;
}"""
    assert (
        text(code)
        == """__global__ void k(v: V *, o: double *, i: int) {
  (o[0] = (V::dot(<const V *>v, v[1]) + V::dot(&temporary(V::operator+(&v[0], v[1])), temporary(operator*(2.0, v[2])))))
  (V::at(v, 1) = 2.0)
  let const w: V = V::unit()
  (o[1] = (((((V::at(&w, 0) + V::operator double(&w)) + V::operator()(&w, 3.0)) + <double>V::to(&w)) + 0.5) + 0.5))
  V::operator*=(&V::operator*=(v, 2.0), 3.0)
  ((*pick(v, 2)).x = V::at(pick(v, i), 0))
  (v[3] = w)
  V::operator*=(v, 2.0)
  (o[2] = ({1.0, 2.0}).y)
}

__device__ double V::dot(const this: const V *, o: const V &) {
  return (((*this).x * o.x) + ((*this).y * o.y))
}

__device__ V V::operator+(const this: const V *, o: V) {
  return {((*this).x + o.x), ((*this).y + o.y)}
}

__device__ V operator*(s: double, v: const V &) {
  let r: V = v
  V::operator*=(&r, s)
  return r
}

__device__ double & V::at(const this: V *, i: int) {
  return (<bool>i ? (*this).y : (*this).x)
}

__device__ V V::unit() {
  return {1.0, 0.0}
}

__device__ const double & V::at(const this: const V *, i: int) {
  return (<bool>i ? (*this).y : (*this).x)
}

__device__ double V::operator double(const this: const V *) {
  return V::dot(this, *this)
}

__device__ double V::operator()(const this: const V *, t: double) {
  return ((*this).x + (t * (*this).y))
}

__device__ float V::to(const this: const V *) {
  return <float>(*this).x
}

__device__ V & V::operator*=(const this: V *, s: double) {
  ((*this).x *= s)
  ((*this).y *= s)
  return *this
}

__device__ V * pick(a: V *, i: int) {
  return &a[i]
}
"""
    )


def test_templates() -> None:
    code = """template <class T, int N> struct Vec {
  T v[N];
  using value = T;
  __device__ T &operator[](int i) { return v[i]; }
  __device__ const T &operator[](int i) const { return v[i]; }
};
template <class D> struct Base {
  __device__ double twice() const {
    return static_cast<const D *>(this)->one() + static_cast<const D &>(*this).one();
  }
};
struct Leaf : Base<Leaf> { double x; __device__ double one() const { return x; } };
template <class T> __device__ typename T::value first(const T &t) { return t[0]; }
namespace n {
namespace { struct H { double q; }; }
template <class A, class B = float> struct Pair { A a; B b; __device__ Pair(A a, B b) : a(a), b(b) {} };
}
__global__ void k(double *o, Vec<double, 3> v, n::H h) {
  v[1] = first(v);
  Leaf l{{}, 3};
  o[1] = l.twice();
  n::Pair<double> p(1, 2);
  Vec<n::Pair<float, int> *, 2> q{};
  o[2] = p.b + h.q;
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *, v: Vec<double, 3>, h: n::H) {
  (Vec<double, 3>::operator[](&v, 1) = first<Vec<double, 3>>(v))
  let l: Leaf = {{}, 3.0}
  (o[1] = Base<Leaf>::twice(&l.<Base<Leaf>>))
  let p: n::Pair<double> = new n::Pair<double>(1.0, 2.0f)
  let q: Vec<n::Pair<float, int> *, 2> = {}
  (o[2] = (<double>p.b + h.q))
}

__device__ double & Vec<double, 3>::operator[](const this: Vec<double, 3> *, i: int) {
  return ((*this).v)[i]
}

__device__ double first<Vec<double, 3>>(t: const Vec<double, 3> &) {
  return Vec<double, 3>::operator[](&t, 0)
}

__device__ double Base<Leaf>::twice(const this: const Base<Leaf> *) {
  return (Leaf::one(<const Leaf *>this) + Leaf::one(<const Leaf *><Leaf *>&*this))
}

__device__ void n::Pair<double>::Pair(const this: n::Pair<double> *, a: double, b: float) {
  ((*this).a = a)
  ((*this).b = b)
}

__device__ const double & Vec<double, 3>::operator[](const this: const Vec<double, 3> *, i: int) {
  return ((*this).v)[i]
}

__device__ double Leaf::one(const this: const Leaf *) {
  return (*this).x
}
"""
    )


def test_base_classes() -> None:
    code = """struct A { double a; }; struct B { double b; }; struct C : A, B { double c; };
__device__ double fa(const A &a) { return a.a; }
__device__ double fb(B *b) { return b->b; }
__device__ double fv(B b) { return b.b; }
__global__ void k(C *c, double *o) {
  C d = *c;
  B &r = d;
  r.b = d.b;
  B b = d;
  o[0] = fa(*c) + fb(c) + fb(&d) + fv(d) + fa(C{{1}, {2}, 3});
  A *p = c;
  C *q = (C *)p;
}"""
    assert (
        text(code)
        == """__global__ void k(c: C *, o: double *) {
  let d: C = *c
  let r: B & = d.<B>
  (r.b = d.<B>.b)
  let b: B = d.<B>
  (o[0] = ((((fa((*c).<A>) + fb(&(*c).<B>)) + fb(&d.<B>)) + fv(d.<B>)) + fa((temporary({{1.0}, {2.0}, 3.0})).<A>)))
  let p: A * = &(*c).<A>
  let q: C * = <C *>p
}

__device__ double fa(a: const A &) {
  return a.a
}

__device__ double fb(b: B *) {
  return (*b).b
}

__device__ double fv(b: B) {
  return b.b
}
"""
    )


def test_copies() -> None:
    code = """struct K {
  double x;
  __device__ K(double x) : x(x) {}
  __device__ K(const K &o) : x(o.x) { x += 1; }
  __device__ K &operator=(const K &o) { x = 2 * o.x; return *this; }
};
struct H { K k; double a[2]; };
struct R { double &r; const H &h; };
__device__ double take(H h) { return h.k.x; }
__device__ K give(K k) { return k; }
__global__ void k(double *o, H &h) {
  K a(1); K b = a; b = a;
  H c = h; c = h;
  o[0] = take(c) + give(2.0).x;
  R r{o[1], c};
  r.r = r.h.a[1];
  H l = {a, {1}}; H m = {3.0};
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *, h: H &) {
  let a: K = new K(1.0)
  let b: K = new K(a)
  K::operator=(&b, a)
  let c: H = new H(h)
  H::operator=(&c, h)
  (o[0] = (take(new H(c)) + give(new K(2.0)).x))
  let r: R = {o[1], c}
  (r.r = (r.h.a)[1])
  let l: H = {new K(a), {1.0}}
  let m: H = {new K(3.0)}
}

__device__ void K::K(const this: K *, x: double) {
  ((*this).x = x)
}

__device__ void K::K(const this: K *, o: const K &) {
  ((*this).x = o.x)
  ((*this).x += 1.0)
}

__device__ K & K::operator=(const this: K *, o: const K &) {
  ((*this).x = (2.0 * o.x))
  return *this
}

__host__ __device__ void H::H(const this: H *, other: const H &) {
  ((*this).k = new K(other.k))
  (((*this).a)[0] = (other.a)[0])
  (((*this).a)[1] = (other.a)[1])
}

__host__ __device__ H & H::operator=(const this: H *, other: const H &) {
  K::operator=(&(*this).k, other.k)
  (((*this).a)[0] = (other.a)[0])
  (((*this).a)[1] = (other.a)[1])
  return *this
}

__device__ double take(h: H) {
  return h.k.x
}

__device__ K give(k: K) {
  return new K(k)
}
"""
    )


def test_vector_types() -> None:
    code = """__global__ void k(float4 *a, const double2 *b, int3 c, double *o) {
  float4 v = a[threadIdx.x];
  v.x += v.w;
  a[1] = make_float4(v.x, c.y, 0, 1);
  o[0] = b->x * b[1].y;
  uint3 t = threadIdx; dim3 g = blockDim; dim3 e(3); float2 z{}; float3 s = {1, 2};
}"""
    assert (
        text(code)
        == """__global__ void k(a: float4 *, b: const double2 *, c: int3, o: double *) {
  let v: float4 = a[threadIdx.x]
  (v.x += v.w)
  (a[1] = make_float4(v.x, <float>c.y, 0.0f, 1.0f))
  (o[0] = ((*b).x * b[1].y))
  let t: uint3 = {threadIdx.x, threadIdx.y, threadIdx.z}
  let g: dim3 = {blockDim.x, blockDim.y, blockDim.z}
  let e: dim3 = new dim3(3u, 1u, 1u)
  let z: float2 = {}
  let s: float3 = {1.0f, 2.0f}
}

__host__ __device__ float4 make_float4(x: float, y: float, z: float, w: float) {
  return {x, y, z, w}
}

__host__ __device__ void dim3::dim3(const this: dim3 *, vx: unsigned int, vy: unsigned int, vz: unsigned int) {
  ((*this).x = vx)
  ((*this).y = vy)
  ((*this).z = vz)
}
"""
    )


def test_references_and_pointers() -> None:
    code = """struct V { double x; };
__device__ double f(V &&v) { v.x += 1; return v.x; }
__device__ double g(double &&d, const V &v) { return d + v.x; }
__global__ void k(double *o, double **pp, double *arr[3], const double *const *cc) {
  o[0] = f(V{2}) + g(3, V{4}) + g(o[1] + 1, {5});
  const V &v = V{3}; V &&w = V{4}; double &&d = 2.0;
  **pp = pp[1][2] + v.x + w.x + d + cc[0][1];
  double *two[2] = {o, *pp};
  *two[1] = 3; two[0] = arr[2];
}"""
    assert (
        text(code)
        == """__global__ void k(o: double *, pp: double **, arr: double **, cc: const double *const *) {
  (o[0] = ((f(temporary({2.0})) + g(temporary(3.0), temporary({4.0}))) + g(temporary((o[1] + 1.0)), temporary({5.0}))))
  let v: V = {3.0}
  let w: V = {4.0}
  let d: double = 2.0
  (**pp = ((((pp[1][2] + v.x) + w.x) + d) + cc[0][1]))
  let two: double *[2] = {o, *pp}
  (*two[1] = 3.0)
  (two[0] = arr[2])
}

__device__ double f(v: V &) {
  (v.x += 1.0)
  return v.x
}

__device__ double g(d: double &, v: const V &) {
  return (d + v.x)
}
"""
    )


def test_casts_between_pointers_are_left_to_the_next_stage() -> None:
    assert body("float4 v = *reinterpret_cast<const float4 *>(in); i = *(int *)out; *(short *)(void *)out = 1;") == [
        "let v: float4 = *<const float4 *>in",
        "(i = *<int *>out)",
        "(*<short *><void *>out = <short>1)",
    ]
