"""The classes that are written for lambdas that kernels are given, and why there are none."""

from __future__ import annotations

from tests.frontend.reading import read

LAUNCH = """template <class F> __global__ void each(F f, int n) { f(threadIdx.x); }
template <class F> void over(int n, F f) { each<<<1, 32>>>(f, n); }
"""


def test_members() -> None:
    code = f"""{LAUNCH}
namespace a {{ __device__ double f(double x) {{ return x; }} }}
namespace a {{ namespace {{ inline namespace b {{
enum Kind {{ NONE, SOME }};
template <class T> struct Box {{ T t; }};
namespace c {{ __device__ double g(double x) {{ return x; }} }}
template <class T, int N, bool B, Kind K>
void run(double *y, int n) {{
  const double w[2] = {{1, 2}};
  constexpr double two = 2;
  using type = T *;
  auto inner = [](double v) __attribute__((device)) {{ return v; }};
  over(n, [=, z = w[0] * 2] __host__ __device__ __attribute__((always_inline)) (auto i) mutable noexcept -> void {{
    type p = y; z += two; Box<T> b{{f(z) + a::c::g(z)}}; p[i] = T(N) * inner(z) + w[B] + K + SOME + ::a::f(z);
  }});
}}
}} }} }}
void k(double *y, int n) {{ a::run<double, 3, true, a::SOME>(y, n); }}
"""
    inner, outer = read(code).closures
    assert not inner.refusal and not outer.refusal
    assert inner.members == ("auto operator()(double v) const __attribute__((device)) { return v; }",)
    assert list(dict.fromkeys(outer.before)) == [
        "using ::a::Box;",
        "using ::a::f;",
        "namespace c = ::a::c;",
        "using ::a::Kind;",
        "using ::a::SOME;",
    ]
    assert (
        "\n".join(outer.members)
        == """using T = double;
static constexpr int N = 3;
static constexpr bool B = true;
static constexpr a::Kind K = static_cast<a::Kind>(1);
using type = double *;
static constexpr double two = 2.0;
double z;
double *y;
(lambda at 14:16) inner;
double w[2];
template <class cladpy_0> __host__ __device__ __attribute__((always_inline)) auto operator()(cladpy_0 i) noexcept -> \
void {
    type p = y; z += two; Box<T> b{f(z) + a::c::g(z)}; p[i] = T(N) * inner(z) + w[B] + K + SOME + ::a::f(z);
  }"""
    )


def test_without_a_class() -> None:
    code = f"""#define OVER(n, i, body) over(n, [=] __device__(int i) body)
{LAUNCH}
struct Scaled {{
  double k;
  static constexpr double unit = 2;
  void whole(double *y, int n) const {{ over(n, [=] __device__(int i) {{ y[i] = k; }}); }}
  void part(double *y, int n) const {{ over(n, [=] __device__(int i) {{ y[i] = unit; }}); }}
}};
template <class... T> void pack(double *y, int n) {{
  over(n, [=] __device__(int i) {{ y[i] = sizeof...(T); }});
}}
template <class T> void several(double *y, int n) {{ over(n, [=] __device__(int i) {{ y[i] = T(1.5); }}); }}
void k(double *y, double v, int n) {{
  struct Local {{ double v; }};
  Local l{{v}};
  OVER(n, i, {{ y[i] = v; }});
  Scaled{{v}}.whole(y, n);
  Scaled{{v}}.part(y, n);
  pack<int>(y, n);
  several<double>(y, n);
  several<int>(y, n);
  over(n, [=] __device__(int i) {{ y[i] = l.v; }});
  over(n, [&] __device__(int i) {{ y[i] = v; }});
  over(n, [=] __device__(int i) {{ Local m{{v}}; y[i] = m.v; }});
  {{ using T = float; (void)T(); }}
  {{ using T = double; over(n, [=] __device__(int i) {{ y[i] = T(v); }}); }}
  enum {{ FIVE = 5 }};
  over(n, [=] __device__(int i) {{ y[i] = FIVE; }});
}}
"""
    assert sorted({c.refusal for c in read(code).closures}) == [
        "it captures 'l', of a class that a function declares",
        "it captures 'y' by reference",
        "it captures the object around it",
        "it comes out of a macro",
        "it names 'FIVE', which the function around it declares",
        "it names 'Local', a class that the function around it declares",
        "it names 'T', a parameter of the template around it",
        "it names 'T', which means several things around it",
        "it names 'unit', a member of the class around it",
        "it stands in a template that is made for several types",
    ]


def test_parameters_of_a_template() -> None:
    code = f"{LAUNCH} void k(double *y, int n) {{ over(n, [=] __device__ <class T> (T i) {{ y[i] = 1; }}); }}"
    (plain,) = read(code, std="c++20").closures
    assert plain.members[-1] == "template <class T> __device__ auto operator()(T i) const { y[i] = 1; }"
