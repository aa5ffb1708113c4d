"""The check must find what is wrong with a gradient: hand-written ones, right and wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cladpy
from cladpy.check.gradient_check import check
from cladpy.check.report import CheckReport
from cladpy.derivative import Adjoint, Derivative, Parameter
from cladpy.diagnostics import BackendError, Sink, UsageError
from cladpy.frontend import parse
from cladpy.ir.types import VOID, Pointer, scalar_of, strip_reference
from cladpy.options import Options
from cladpy.runtime import Gradient
from cladpy.source import Source

KERNEL = """
__global__ void kernel(double *y, double *x, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = x[i] * x[i];
  y[i] = a * x[i] * x[0 * i + n];
}
"""

RIGHT = """
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i] * x[i];
  double d = _d_y[i];
  _d_y[i] = 0.0;
  atomicAdd(_d_a, d * t * x[n]);
  atomicAdd(&_d_x[n], d * a * t);
  double d_t = d * a * x[n] + _d_x[i];
  _d_x[i] = 2.0 * x[i] * d_t;
"""


def handwritten(body: str, named: str = "y x a", kernel: str = KERNEL) -> Gradient:
    source = Source.load(kernel)
    options = Options.make()
    program = parse(source, "kernel", options, Sink())
    function = program.functions[program.entry]
    parameters = tuple(Parameter(p.name, p.type) for p in function.parameters)
    adjoints = tuple(
        Adjoint(f"_d_{p.name}", i, Pointer(scalar_of(strip_reference(p.type))))
        for i, p in enumerate(function.parameters)
        if p.name in named.split()
    )
    declared = [f"double *{p.name}" if isinstance(p.type, Pointer) else f"double {p.name}" for p in parameters[:-1]]
    formal = ", ".join([*declared, "int n", *(f"double *{a.name}" for a in adjoints)])
    actual = ", ".join([*(p.name for p in parameters), *(a.name for a in adjoints)])
    code = f"""#include "{source.name}"
__global__ void kernel_grad({formal}) {{{body}}}
cudaError_t kernel_grad_launch(dim3 grid, dim3 block, size_t shared_mem, cudaStream_t stream, {formal}) {{
  return cladpy::host::launch(grid, block, shared_mem, stream, [&] {{ kernel_grad({actual}); }});
}}
"""
    derivative = Derivative(
        source, options, program, "host", function.symbol.kind, "kernel", parameters, VOID, adjoints, (),
        "kernel_grad", "kernel_grad_launch", code, code, (), (),
    )  # fmt: skip
    return Gradient(derivative, "host")


def checked(body: str, named: str = "y x a") -> CheckReport:
    rng = np.random.default_rng(5)
    values = [rng.uniform(0.2, 1.2, 20), rng.uniform(0.2, 1.2, 21), 0.7, 20]
    return check(handwritten(body, named), 2, 16, values)


def test_a_right_gradient_passes() -> None:
    report = checked(RIGHT)
    assert report.ok, report.text()
    # 2 + 3 directions in three orders, the values of two arrays, the elements of three arguments
    assert len(report.findings) == 5 * 3 + 2 + 3
    assert "the gradient agrees with the oracle" in report.text()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("2.0 * x[i] * d_t", "2.000000001 * x[i] * d_t"),  # a wrong number
        ("  _d_y[i] = 0.0;\n", ""),  # the cotangent of an overwritten element is kept
        (" + _d_x[i];", ";"),  # what came in for the element's final value is lost
        ("atomicAdd(_d_a, d * t * x[n])", "*_d_a = d * t * x[n]"),  # does not add
        ("atomicAdd(&_d_x[n], d * a * t)", "(void)0"),  # a contribution is missing
        ("atomicAdd(_d_a, d", "if (i) atomicAdd(_d_a, d"),  # one thread's contribution is missing
        ("_d_x[i] = 2.0", "_d_x[i] += 2.0"),  # adds where the element was overwritten
        ("double t = x[i] * x[i];", "double t = x[i] * x[i]; x[i] = t;"),  # leaves its traces in an argument
        ("_d_y[i] = 0.0;", "_d_y[i] = 0.0 / 0.0;"),  # not a number
    ],
)
def test_a_wrong_gradient_fails(right: str, wrong: str) -> None:
    assert right in RIGHT
    report = checked(RIGHT.replace(right, wrong))
    assert not report.ok
    assert "FAIL" in report.text() and "the gradient is wrong" in report.text()


def test_a_subset_of_arguments() -> None:
    body = RIGHT.replace("atomicAdd(_d_a, d * t * x[n]);", "")
    assert checked(body, "y x").ok
    assert not checked(body).ok


def test_orders_are_told_apart() -> None:
    # keeps the last thread's sum, which is the whole one in forward order only
    body = RIGHT.replace("  atomicAdd(&_d_x[n], d * a * t);", "  static double s; s = i ? s + d * a * t : d * a * t;"
                         " if (i == n - 1) _d_x[n] += s;")  # fmt: skip
    report = checked(body)
    failed = [f.what for f in report.findings if not f.ok]
    assert failed
    assert not any("forward" in what for what in failed)


def test_integers_are_not_compared() -> None:
    gradient = handwritten(RIGHT)
    derivative = replace(gradient.derivative, adjoints=(Adjoint("_d_n", 3, Pointer(VOID)),))
    with pytest.raises(UsageError, match="'n' is of integer type"):
        check(Gradient(derivative, "host"), 1, 1, [np.ones(1), np.ones(2), 1.0, 1])


@pytest.mark.parametrize(
    ("text", "wrong", "found"),
    [
        ("_d_w[i] = ", "_d_w[i] = 2 * ", "direction along ::w"),
        ("_d_v[i] = 0.0;", "_d_v[i] = 1.0;", "direction along ::v"),
        ("_d_x[i] =", "w[i] = 1; _d_x[i] =", "variable w holds what it held before"),
    ],
)
def test_wrong_adjoints_of_variables_are_found(text: str, wrong: str, found: str) -> None:
    kernel = """__device__ double w[8] = {2, 3, 4, 5}, v[8];
    __global__ void k(const double *x) { int i = threadIdx.x; v[i] = w[i] * x[i]; }"""
    right = cladpy.gradient(kernel, "k", "x, w, v", backend="host")
    arguments = [np.linspace(0.5, 1.5, 8)]
    assert check(right, 1, 8, arguments).ok
    assert right.code.count(text) == 1
    broken = Gradient(replace(right.derivative, code=right.code.replace(text, wrong)), "host")
    report = check(broken, 1, 8, arguments)
    assert not report.ok
    assert any(f.what.startswith(found) for f in report.findings if not f.ok)


@pytest.mark.parametrize(("units", "right"), [(1, True), (1000, False)])
def test_a_result_is_compared_in_its_own_precision(monkeypatch: pytest.MonkeyPatch, units: int, right: bool) -> None:
    """On a device sums are rounded otherwise from run to run: in float, where the function is in float."""
    gradient = cladpy.gradient("float total(const float *x) { return x[0] * x[1]; }", "total", "x", backend="host")
    forward = gradient.forward

    def rounded_otherwise(*args: object) -> tuple[object, object]:
        value, tape = forward(*args)
        return float(np.float32(value) * np.float32(1 + units * 2.0**-23)), tape

    monkeypatch.setattr(gradient, "forward", rounded_otherwise)
    monkeypatch.setattr(gradient, "_backend", "cuda")
    report = check(gradient, None, None, (np.array([0.7, 1.3], np.float32),), split=True)
    assert report.ok == right
    assert right or "the forward half gives the original's value" in report.text()


def test_what_tells_the_time_is_not_compared_between_two_runs() -> None:
    text = """
    #include <chrono>
    double timed(const double *x, int n, long *spent) {
      const auto begin = std::chrono::steady_clock::now();
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += x[i] * x[i];
      *spent = std::chrono::duration_cast<std::chrono::nanoseconds>(begin.time_since_epoch()).count();
      return sum + (*spent > 0 ? 0.0 : 1.0);
    }"""
    gradient = cladpy.gradient(text, "timed", "x", backend="host")
    report = check(gradient, None, None, (np.linspace(1, 2, 8), 8, np.zeros(1, np.int64)), split=True)
    assert report.ok, report.text()


def test_dynamic_shared_memory_that_is_not_asked_for_is_told() -> None:
    text = """
    __global__ void turned(const double *x, double *y) {
      extern __shared__ double s[];
      s[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
      __syncthreads();
      y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
    }"""
    gradient = cladpy.gradient(text, "turned", "x, y", backend="host")
    values = (np.linspace(0.5, 1.5, 32), np.zeros(32))
    assert check(gradient, 1, 32, values, shared_mem=256).ok
    with pytest.raises(
        BackendError, match=r"the original fails: byte 128 of the dynamic shared memory is stored to, .* 128 bytes"
    ):
        check(gradient, 1, 32, values, shared_mem=128)


def test_an_index_that_is_wrong_by_a_factor_is_told() -> None:
    text = "__global__ void far(const double *x, double *y) { y[threadIdx.x] = x[8 * threadIdx.x + 2000]; }"
    gradient = cladpy.gradient(text, "far", "x, y", backend="host")
    with pytest.raises(BackendError, match="element 2000 of 'x' is used, which has 1000 elements"):
        check(gradient, 1, 1, (np.ones(1000), np.zeros(1)))


def test_where_the_derivative_is_infinite_the_gradient_is_not_called_wrong() -> None:
    text = "double root(double x) { return sqrt(x); }"
    report = check(cladpy.gradient(text, "root", "x", backend="host"), None, None, (0.0,))
    assert not report.ok
    assert report.verdict.startswith("the derivative is infinite or NaN at this point")
    assert "FAIL" not in report.text(True)
    assert "  none direction 0, forward order: infinite or NaN on both sides\n" in report.text()


OVERLAP = """
struct View { const double *from; double *to; };
__global__ void overlap(const double *a, double *c) { c[0] = c[0] * c[0]; c[1] = a[0]; }
__global__ void members(View v) { v.to[0] = v.to[0] * v.to[0]; v.to[1] = v.from[0]; }
__global__ void shifted(const double *a, double *c) { c[0] = c[0] * c[0]; c[1] = a[1]; }
__global__ void threads(const double *a, double *c) { c[threadIdx.x] = a[1 - threadIdx.x]; }
"""
MEMORY = np.array([3.0, 7.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("function", "first", "wrong"),
    [
        ("overlap", "_d_c[0] *= 2 * c[0]; _d_a[0] += t;", "a and c at one element"),
        ("overlap", "_d_a[0] += t; _d_c[0] *= 2 * c[0];", ""),
        ("shifted", "_d_c[0] *= 2 * c[0]; _d_a[1] += t;", "c 1 behind a"),
        ("shifted", "_d_a[1] += t; _d_c[0] *= 2 * c[0];", ""),
    ],
)
def test_a_gradient_that_is_wrong_where_arguments_overlap(function: str, first: str, wrong: str) -> None:
    """Each is right where they lie apart."""
    derivative = cladpy.gradient(OVERLAP, function, "a, c", backend="host", may_alias=True).derivative
    formal = "const double *a, double *c, double *_d_a, double *_d_c"
    code = f"""#include "{derivative.source.name}"
__global__ void k_grad({formal}) {{ double t = _d_c[1]; _d_c[1] = 0; {first} }}
cudaError_t k_grad_launch(dim3 grid, dim3 block, size_t shared_mem, cudaStream_t stream, {formal}) {{
  return cladpy::host::launch(grid, block, shared_mem, stream, [&] {{ k_grad(a, c, _d_a, _d_c); }});
}}
"""
    own = replace(derivative, gradient_name="k_grad", launch_name="k_grad_launch", code=code, fragment=code)
    report = check(Gradient(own, "host"), 1, 1, (MEMORY[:2], MEMORY[2:]), differences=False, orders=("forward",))
    assert report.ok == (not wrong), report.text()
    assert f"FAIL with {wrong}" in report.text() if wrong else not report.untold


@pytest.mark.parametrize(("function", "args"), [("overlap", "a, c"), ("members", "v")])
def test_arguments_that_overlap_are_compared_as_they_are(function: str, args: str) -> None:
    """By the oracle and by differences; members too. A gradient that takes them to lie apart would be wrong."""
    gradient = cladpy.gradient(OVERLAP, function, args, backend="host", may_alias=True)
    for one, other in ((MEMORY[:2], MEMORY[:2]), (MEMORY[1:3], MEMORY[:2])):
        given = [one, other] if function == "overlap" else [{"from": one, "to": other}]
        report = check(gradient, 1, 1, given, orders=("forward",))
        assert report.ok, report.text()
        assert not report.untold and not any(f.what.startswith("with ") for f in report.findings)


def test_arguments_of_other_types_that_overlap_are_told() -> None:
    text = "__global__ void mixed(const float *a, double *c) { c[0] *= a[0]; }"
    gradient = cladpy.gradient(text, "mixed", "a, c", backend="host", may_alias=True)
    with pytest.raises(UsageError, match="'a' and 'c' overlap, but not by whole elements of one type in C order"):
        check(gradient, 1, 1, (MEMORY.view(np.float32)[:2], MEMORY))


def test_where_the_original_races_if_arguments_overlap() -> None:
    gradient = cladpy.gradient(OVERLAP, "threads", "a, c", backend="host", may_alias=True)
    report = check(gradient, 1, 2, (MEMORY[:2], MEMORY[2:]), differences=False)
    assert report.ok
    assert "not compared with a and c at one element: a race in the original at element 0 of 'a'" in report.text(True)


SUMMED = """
#include <cuda_runtime.h>
__global__ void total(double *sum, const double *u, int n) {
  const int i = threadIdx.x;
  if (i < n) atomicAdd(sum, 0.1 * u[i] * u[i]);
}
void summed(double *sum, const double *u, int n) { total<<<1, 32>>>(sum, u, n); }
"""


def test_where_kernels_of_a_program_race_if_arguments_overlap() -> None:
    """They are not watched one by one: what the program gives depends on the order of threads."""
    gradient = cladpy.gradient(SUMMED, "summed", "sum, u", backend="host", may_alias=True)
    report = check(gradient, None, None, (np.ones(1), np.linspace(0.5, 1.5, 8), 8), differences=False)
    assert report.ok, report.text()
    found = report.text(True)
    assert "sum and u at one element: a race in the original on " in found and "another order of the threads" in found


def test_what_a_clock_says_is_not_compared() -> None:
    text = """
#include <sys/time.h>
double began;
double timed(const double *x) {
  timeval now;
  gettimeofday(&now, nullptr);
  began = now.tv_sec + 1e-6 * now.tv_usec;
  return x[0] * x[0];
}
"""
    gradient = cladpy.gradient(text, "timed", backend="host")
    report = check(gradient, None, None, [np.array([1.5])], differences=False)
    assert report.ok and not any("began" in f.what for f in report.findings), report.text()
