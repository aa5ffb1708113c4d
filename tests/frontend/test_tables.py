"""Tables and objects of functions: what may change keeps its calls from being known."""

from __future__ import annotations

import pytest

from tests.frontend.reading import text

BEFORE = """
__global__ void square(const double *x, double *y) { y[0] = x[0] * x[0]; }
__global__ void cube(const double *x, double *y) { y[0] = x[0] * x[0] * x[0]; }
typedef void (*Kernel)(const double *, double *);
struct Kernels { Kernel first, second; };
struct Named { Kernel of; int size; };
static void change(Kernel *t) { t[0] = cube; }
static void change(Kernels &k) { k.first = cube; }
static Kernel open[] = {square};
static Kernel picked(int n) { return n ? square : cube; }
static double twice(double x) { return 2 * x; }
static double half(double x) { return x / 2; }
static double checked(double x) { if (x < 0) throw 1; return x; }
"""
TABLE, OBJECT = "Kernel t[2] = {square, cube}; ", "Kernels k = {square, cube}; "
KNOWN = {
    TABLE + "t[1]<<<1, 1>>>(x, y);": "  cube<<<",
    TABLE + "(t)[n]<<<1, 1>>>(x, y);": "if (n == 0) {\n    square<<<",
    OBJECT + "k.second<<<1, 1>>>(x, y);": "  cube<<<",
    "const Kernels k = {.first = square, .second = cube}; k.first<<<1, 1>>>(x, y);": "  square<<<",
    "Kernel k = n ? square : cube; k<<<1, 1>>>(x, y);": "if (k == 1ul) {\n    square<<<",
    "Kernel k = nullptr; if (n) k = &cube; if (k) k<<<1, 1>>>(x, y);": "if <bool>k {\n    cube<<<",
    "double (*f)(double) = n ? twice : half; y[0] = f(x[0]);": "((f == 1ul) ? twice(x[0]) : half(x[0]))",
    "Kernel k = n ? square : cube; k = NULL; y[0] = bool(k); (void)k;": "let k: unsigned long = (<bool>n ? 1ul : 2ul)",
}
UNKNOWN = (
    TABLE + "t[0] = cube; t[0]<<<1, 1>>>(x, y);",
    TABLE + "change(t); t[0]<<<1, 1>>>(x, y);",
    TABLE + "Kernel &r = t[0]; r = cube; t[0]<<<1, 1>>>(x, y);",
    TABLE + "t[(t[0] = cube, n)]<<<1, 1>>>(x, y);",
    TABLE + "t[n++]<<<1, 1>>>(x, y);",
    TABLE + "t[2]<<<1, 1>>>(x, y);",
    OBJECT + "change(k); k.first<<<1, 1>>>(x, y);",
    OBJECT + "k.first = cube; k.first<<<1, 1>>>(x, y);",
    "Named k = {square, 3}; k.of<<<1, 1>>>(x, y);",
    "Kernel t[2] = {[1] = cube, [0] = square}; t[1]<<<1, 1>>>(x, y);",
    "open[0]<<<1, 1>>>(x, y);",
    "picked(n)<<<1, 1>>>(x, y);",
    "Kernel k = n ? square : cube; Kernel &r = k; r = cube;",
    "double (*f)(double) = n ? twice : half; f = (double (*)(double))n;",
    "long at = (long)(n ? twice : half); y[0] = at;",
    "float (*g)(float) = nullptr; double (*f)(double) = (double (*)(double))g; y[0] = f(x[0]);",
    "double (*f)(int) = nullptr; y[0] = f(n);",
    "double (*f)(double) = n ? twice : checked; try { y[0] = checked(2); y[1] = f(x[0]); } catch (int e) { y[0] = e; }",
    "static double (*const t[])(double) = {twice, checked}; "
    "try { y[0] = checked(2); y[1] = t[n](x[0]); } catch (int e) { y[0] = e; }",
)


def read(body: str) -> str:
    return text(f"{BEFORE}void f(const double *x, double *y, int n) {{ {body} }}", "f")


@pytest.mark.parametrize("body", KNOWN)
def test_what_never_changes_is_known(body: str) -> None:
    printed = read(body)
    assert KNOWN[body] in printed.split("launch ")[0] and "CP0105" not in printed


@pytest.mark.parametrize("body", UNKNOWN)
def test_what_may_change_is_not(body: str) -> None:
    assert "unsupported CP0105" in read(body)
