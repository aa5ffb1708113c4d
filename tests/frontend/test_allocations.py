"""`new`, `delete` and classes that own memory, in host code."""

from __future__ import annotations

from tests.frontend.reading import read, refusal, text
from tests.frontend.test_host import lines

CLASSES = """
struct P { double x, y; };
struct Q { double x; Q() : x(1) {} Q(double v) : x(v) {} };
struct R { double *p; R(int n) : p(new double[n]) {} ~R() { delete[] p; } };
"""


def test_new_is_memory_of_the_c_library() -> None:
    statements = """double *a = new double[n], *z = new double[n](), *c = new double(3), *d = new double;
  double (*rows)[3] = new double[n][3];
  unsigned long *count = new unsigned long(n);
  P *e = new P{1, x};
  Q *f = new Q[n], *g = new Q(3);
  delete[] a; delete g;
  return 0;"""
    assert lines(statements, CLASSES) == [
        "let a: double * = <double *>malloc((<unsigned long>n * 8ul))",
        "let z: double * = <double *>calloc(<unsigned long>n, 8ul)",
        "let c: double * = new_object<double>(3.0)",
        "let d: double * = <double *>malloc(8ul)",
        "let rows: double (*)[3] = <double (*)[3]>malloc((<unsigned long>n * 24ul))",
        "let count: unsigned long * = new_object<unsigned long>(<unsigned long>n)",
        "let e: P * = new_object<P>({1.0, x})",
        "let f: Q * = new_objects<Q>(<unsigned long>n)",
        "let g: Q * = new_object<Q>(new Q(3.0))",
        "free(<void *>a)",
        "free(<void *>g)",
        "return 0.0",
    ]


def test_objects_are_made_where_they_lie() -> None:
    printed = text(CLASSES + "double *h(int n) { new Q(2); new Q[n]; return new double(1); }", "h")
    assert (
        """__host__ double * new_object<double>(value: double) {
  let made: double * = <double *>malloc(8ul)
  (*made = value)
  return made
}"""
        in printed
    )
    assert (
        """    step ++i {
      (made[i] = new Q())
  }"""
        in printed
    )


def test_owners_release_what_they_own() -> None:
    before = CLASSES + "struct V { virtual ~V() { } double *p; }; struct W : V { ~W() { delete p; } };"
    statements = """R *r = new R(n); R s(3);
  if (b) return s.p[0];
  delete r;
  bool c = b && R(3).p[0] > 0;
  W *w = nullptr; delete w;
  R *two = new R[2]{1, 2};
  return x;"""
    temporary = "the destructor '~R' of a temporary would run in differentiated code, which is not supported"
    virtual = "the destructor '~W' would run in differentiated code, which is not supported"
    assert lines(statements, before) == [
        "let r: R * = new_object<R>(new R(n))",
        "let s: R = new R(3)",
        "if b {",
        "  let returned: double = (s.p)[0]",
        "  R::destroy_R(&s)",
        "  return returned",
        "}",
        "delete_object<R>(r)",
        f"let c: bool = (b && unsupported CP0131: {temporary})",
        "let w: W * = nullptr",
        f"unsupported CP0131: {virtual}",
        "unsupported CP0199: this construct is not supported: a list of values for new",
        "let returned.1: double = x",
        "R::destroy_R(&s)",
        "return returned.1",
    ]


def test_device_code_allocates_nothing() -> None:
    assert "[CP0108]" in refusal("__device__ double *f() { return new double; } __global__ void k(double *o) { f(); }")
    assert read("__global__ void k(double *o) { o[0] = 1; }").entry.name == "k"
