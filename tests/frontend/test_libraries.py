"""Classes and functions of the C++ libraries, read from the bodies that the headers have.

What these bodies look like is the headers' affair: the tests pin the kernel, and that all it reaches is read.
"""

from __future__ import annotations

import pytest

from cladpy.ir.surface_text import format_program
from tests.frontend.reading import read

HEADERS = "".join(f"#include <{n}>\n" for n in ("algorithm", "array", "complex", "limits", "tuple", "utility"))
STANDARD = {
    "std::array<double, 3> a = {1, 2}; a[1] = a[2] * a.size();": [
        "let a: std::array<double, 3> = {{1.0, 2.0}}",
        "(std::array<double, 3>::operator[](&a, 1ul) = (std::array<double, 3>::operator[](&a, 2ul) * 3.0))",
    ],
    "std::array<V, 2> a{}; a[1] = v; o[0] = std::get<1>(a).x;": [
        "let a: std::array<V, 2> = {}",
        "(std::array<V, 2>::operator[](&a, 1ul) = v)",
        "(o[0] = std::get<1, V, 2>(a).x)",
    ],
    "std::pair<double, int> p(o[1], n); auto [x, y] = p; o[0] = x * y + p.first;": [
        "let p: std::pair<double, int> = new std::pair<double, int>(o[1], n)",
        "let x_y: std::pair<double, int> = p",
        "(o[0] = ((x_y.first * <double>x_y.second) + p.first))",
    ],
    "std::tuple<double, int> t(o[1], n); std::get<0>(t) *= 2;": [
        "let t: std::tuple<double, int> = new std::tuple<double, int>(o[1], n)",
        "(std::get<0UL, double, int>(t) *= 2.0)",
    ],
    "V w = std::move(v); o[0] = take(std::forward<V>(w)) + *std::addressof(o[1]) + std::as_const(w).x;": [
        "let w: V = v",
        "(o[0] = ((take(w) + *&o[1]) + w.x))",
    ],
    "o[0] = std::max(o[1], 2.0) * std::min<double>(n, 3) + std::numeric_limits<int>::max();": [
        "(o[0] = ((std::max(o[1], 2.0) * std::min(<double>n, 3.0)) + 2147483647.0))",
    ],
    "std::complex<double> z(o[0], o[1]); o[2] = z.real() * z.imag();": [
        "let z: std::complex<double> = new std::complex<double>(o[0], o[1])",
        "(o[2] = (std::complex<double>::real(&z) * std::complex<double>::imag(&z)))",
    ],
}  # fmt: skip


def lines(headers: str, statements: str, route: str | None = None) -> list[str]:
    code = f"""{headers}
struct V {{ double x; }};
__device__ double take(V v) {{ return v.x; }}
__global__ void k(double *o, int n, V v) {{
  {statements}
}}
"""
    printed = format_program(read(code, headers=route))
    return [line[2:] for line in printed.split("\n}\n")[0].splitlines()[1:]]


@pytest.mark.parametrize("statements", STANDARD)
def test_the_standard_library(statements: str) -> None:
    assert lines(HEADERS, statements) == STANDARD[statements]


def test_complex_arithmetic_goes_part_by_part() -> None:
    code = """typedef __complex__ double C;
double k(C z, const C &w, double d) {
  z += w; z *= w; z -= d; z /= w; C q = z * d + 1.0; q = -q / d; q = ~q; __imag__ q = 3;
  return __real__ q + (q == w);
}"""
    printed = format_program(read(code)).splitlines()[1:-1]
    assert [line.strip() for line in printed] == [
        "(z = {(z.re + w.re), (z.im + w.im)})",
        "(z = {((z.re * w.re) - (z.im * w.im)), ((z.re * w.im) + (z.im * w.re))})",
        "(z = {(z.re - d), z.im})",
        "(z = {(((z.re * w.re) + (z.im * w.im)) / ((w.re * w.re) + (w.im * w.im))), "
        "(((z.im * w.re) - (z.re * w.im)) / ((w.re * w.re) + (w.im * w.im)))})",
        "let q: __complex__ double = {((z.re * d) + 1.0), (z.im * d)}",
        "(q = {(-q.re / d), (-q.im / d)})",
        "(q = {q.re, -q.im})",
        "(q.im = 3.0)",
        "return (q.re + <double><int>((q.re == w.re) && (q.im == w.im)))",
    ]


CUDA = {
    "#include <thrust/complex.h>": (
        "thrust::complex<double> c(o[0], o[1]); c *= c; o[2] = thrust::norm(c) + thrust::abs(c);",
        "thrust::complex<double>::operator*=(&c, c)",
    ),
    "#include <cuda/std/complex>": (
        "cuda::std::complex<float> c(o[0], o[1]); c = c * c + 2.0f; o[2] = c.real();",
        "(o[2] = <double>cuda::std::complex<float>::real(&c))",
    ),
    "#include <cuda/std/array>": (
        "cuda::std::array<double, 2> a{1, 2}; o[0] = a[1];",
        "(o[0] = cuda::std::array<double, 2>::operator[](&a, 1ul))",
    ),
    "#include <cuda/std/tuple>": (
        "cuda::std::tuple<double, int> t(o[1], n); o[0] = cuda::std::get<0>(t);",
        "(o[0] = cuda::std::get<0UL, double, int>(t))",
    ),
}


@pytest.mark.parametrize("header", CUDA)
def test_cuda_libraries(header: str) -> None:
    statements, expected = CUDA[header]
    assert expected in lines(header, statements)
