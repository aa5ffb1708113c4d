"""Host code whose text, files, clocks and exceptions stand around what is differentiated."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import BackendError
from tests.oracle import assert_gradient

CODE = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
static double root(double x) {
  if (x < 0) throw std::domain_error("negative");
  return sqrt(x);
}
double uncaught(double x) { return root(x) * x; }
static double &twice(double &x) { return x *= 2; }
static void report(const char *what, const std::string &kind, double x) {
  printf("%s: %g\\n", what, x);
  printf("%s", kind.c_str());
}
double f(double x, int n) {
  try {
    const auto start = std::chrono::steady_clock::now();
    if (n > 3) {
      fprintf(stderr, "n is %d\\n", n);
      exit(2);
    }
    std::cout << "x " << twice(x) << std::endl;
    const double y = root(x);
    report("y", "number", y);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%s\\n", seconds >= 0 ? "done" : "never");
    return y * y * y;
  } catch (const std::exception &e) {
    std::cerr << e.what();
    return 0;
  }
}
"""


def test_only_what_matters_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    gradient = cladpy.gradient(CODE, "f", "x", backend="host")
    adjoint = np.zeros(1)
    gradient.execute(2.0, 1, adjoint)
    assert adjoint[0] == pytest.approx(6.0)  # of (2 x)^(3/2)
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "y: 2\n"  # text chosen at run time is not known


def test_what_is_thrown_becomes_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    gradient = cladpy.gradient(CODE, "f", "x", backend="host")
    adjoint = np.zeros(1)
    gradient.execute(-2.0, 1, adjoint)  # the handler returns a constant
    assert adjoint[0] == 0
    with pytest.raises(cladpy.BackendError, match=r'line 9: throw std::domain_error\("negative"\)'):
        cladpy.gradient(CODE, "uncaught", "x", backend="host").execute(-2.0, adjoint)
    with pytest.raises(cladpy.BackendError, match=r"line 23: exit\(2\)"):
        gradient.execute(2.0, 5, adjoint)
    assert "n is 5" in capfd.readouterr().err
    gradient.execute(2.0, 1, adjoint)
    assert adjoint[0] == pytest.approx(6.0)


LAUNCHES = """
#include <stdexcept>
#define REQUIRE(c) if (!(c)) throw std::invalid_argument("not " #c)
__global__ void k(int n, const double *x, double *y) {
  if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
void f(int n, const double *x, double *y) {
  REQUIRE(n < 100);
  k<<<n / 4, 4>>>(n, x, y);
}
"""


def test_a_grid_that_is_empty_is_told_as_cuda_does() -> None:
    """By the primal, by the kernel's name in the gradient; so is the message of an exception that a macro throws."""
    gradient = cladpy.gradient(LAUNCHES, "f", backend="host")
    arrays = [np.ones(4) for _ in range(4)]
    empty = r"invalid configuration argument: grid \(0, 1, 1\), block \(4, 1, 1\)"
    with pytest.raises(cladpy.BackendError, match=empty):
        gradient.primal.execute(3, *arrays[:2])
    for call in (lambda: gradient.execute(3, *arrays), lambda: gradient.forward(3, *arrays[:2])):
        with pytest.raises(cladpy.BackendError, match=f"^k: {empty}$"):
            call()
    with pytest.raises(cladpy.BackendError, match=r"^line 8: REQUIRE\(n < 100\): not n < 100$"):
        gradient.execute(100, *arrays)


def test_the_oracle_reads_the_same_program() -> None:
    assert_gradient(CODE, "f", "x", None, None, [2.0, 1])


ENDINGS = """
#include <cassert>
#include <cstdlib>
#include <exception>
#include <unistd.h>
static void never() noexcept { throw 1; }
double f(double x, int how) {
  if (how == 1) exit(3);
  if (how == 2) std::_Exit(4);
  if (how == 3) _exit(5);
  if (how == 4) abort();
  if (how == 5) std::terminate();
  if (how == 6) never();
  assert(how == 0);
  return x * x;
}
"""
ENDED = {
    1: r"exit\(3\) is called",
    2: r"_Exit\(4\) is called",
    3: r"_exit\(5\) is called",
    4: r"abort\(\) is called",
    5: r"abort\(\) is called",
    6: r"abort\(\) is called",
    7: r".*: double f\(double, int\): assertion `how == 0' failed",
}


def test_a_program_that_ends_does_not_end_the_process() -> None:
    grad, d_x = cladpy.gradient(ENDINGS, "f", "x", backend="host"), np.zeros(1)
    for how, told in ENDED.items():
        with pytest.raises(BackendError, match=f"in host code, ({told})"):
            grad.primal.execute(2.0, how)
        with pytest.raises(BackendError, match="line "):
            grad.execute(2.0, how, d_x)
        assert grad.primal.execute(2.0, 0) == 4.0
    assert not d_x.any()
    grad.execute(2.0, 0, d_x)
    assert d_x[0] == 4.0


def test_what_the_library_checks_by_itself_is_checked() -> None:
    """`at` of an array throws out of line, and ends the gradient where it ends the primal."""
    text = "#include <array>\ndouble f(double x, int n) { std::array<double, 2> a{x, x * x}; return a.at(n) * x; }"
    grad, d_x = cladpy.gradient(text, "f", "x", backend="host"), np.zeros(1)
    grad.execute(2.0, 1, d_x)
    assert d_x == 12.0
    with pytest.raises(BackendError, match="array::at"):
        grad.primal.execute(2.0, 2)
    with pytest.raises(BackendError, match=r"line .*out_of_range"):
        grad.execute(2.0, 2, d_x)
    assert d_x == 12.0
