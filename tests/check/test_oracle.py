"""The oracle against closed forms and against central differences of the values that it computes itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cladpy.check.oracle import Oracle
from cladpy.diagnostics import ArgumentTypeError, DifferentiationError, LaunchError, Sink, UsageError
from cladpy.frontend import parse
from cladpy.options import Options
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.cases import CASES


def oracle(text: str, function: str) -> Oracle:
    options = Options.make()
    source = Source.load(text)
    return Oracle(parse(source, function, options, Sink()), options, source)


def test_cube_has_its_closed_form() -> None:
    text = "__global__ void cube(double *y, const double *x) {\n  y[threadIdx.x] = pow(x[threadIdx.x], 3.0);\n}"
    cube = oracle(text, "cube")
    x, u = np.array([0.5, -2.0, 3.0]), np.array([1.0, 0.25, -2.0])
    result = cube.tangent(1, 3, [np.zeros(3), x], {"x": u})
    np.testing.assert_allclose(result.values["y"], x**3, rtol=1e-15)
    np.testing.assert_allclose(result.tangents["y"].astype(float), 3 * x**2 * u, rtol=1e-15)
    np.testing.assert_array_equal(result.tangents["x"].astype(float), u)


def test_overwritten_elements_lose_their_tangents() -> None:
    k = oracle("__global__ void k(double *y) {\n  if (threadIdx.x < 2) y[threadIdx.x] = 7.0;\n}", "k")
    result = k.tangent(1, 4, [np.ones(4)], {"y": np.array([1.0, 2.0, 3.0, 4.0])})
    np.testing.assert_array_equal(result.tangents["y"].astype(float), [0, 0, 3, 4])


def test_cancellation_shows_in_the_magnitude() -> None:
    k = oracle("__global__ void k(double *y, const double *x) {\n  y[0] = (x[0] + 2.0) - x[0];\n}", "k")
    result = k.tangent(1, 1, [np.zeros(1), np.ones(1)], {"x": np.array([3.0])})
    assert result.tangents["y"][0] == 0
    assert result.magnitudes["y"][0] == 6


def test_tangents_follow_pointers_into_local_arrays() -> None:
    text = """
    __device__ void bump(double *p, double &r) { *p += r * r; r = 0.0; }
    __global__ void k(double *y, const double *x) {
      double a[3] = {x[0], 1.0};
      double *p = a + 1;
      bump(p++, a[0]);
      *p = p[-1] * 2.0;
      y[0] = a[0] + a[1] + a[2];
    }
    """
    result = oracle(text, "k").tangent(1, 1, [np.zeros(1), np.array([0.5])], {"x": np.array([1.0])})
    assert result.values["y"][0] == 3.75
    assert result.tangents["y"][0] == 3.0


def test_a_functions_result() -> None:
    f = oracle("double f(double x, float w) {\n  return x * x * w;\n}", "f")
    result = f.tangent(None, None, [3.0, 0.5], {"x": 1.0, "w": 2.0})
    assert (result.result, result.result_tangent) == (4.5, 3.0 + 18.0)


def test_single_precision_values_stay_single() -> None:
    k = oracle("__global__ void k(float *y, const float *x) {\n  y[0] = x[0] * 0.1f + x[0] / 3;\n}", "k")
    assert k.single_precision
    x = np.array([0.7], np.float32)
    result = k.tangent(1, 1, [np.zeros(1, np.float32), x], {"x": np.ones(1)})
    assert result.values["y"][0] == x[0] * np.float32(0.1) + x[0] / np.float32(3)


def test_evaluation_is_left_to_right() -> None:
    text = """
    __device__ double next(double *s) { *s = *s * 2.0; return *s; }
    __global__ void k(double *y) {
      double s = y[0];
      y[0] = next(&s) - next(&s) / next(&s);
    }
    """
    result = oracle(text, "k").tangent(1, 1, [np.array([3.0])], {"y": np.ones(1)})
    assert result.values["y"][0] == 6.0 - 12.0 / 24.0
    assert result.tangents["y"][0] == 2.0


def test_bits_of_a_number_are_refused() -> None:
    text = "__global__ void k(float *y) {\n  y[0] = __int_as_float(__float_as_int(y[0]) + 1);\n}"
    with pytest.raises(DifferentiationError, match=r"the oracle has no derivative for '__int_as_float' \[CP0901\]"):
        oracle(text, "k")


def test_arguments_that_do_not_fit() -> None:
    k = oracle("__global__ void k(double *y, int n) {\n  if (n > 0) y[0] *= 2.0;\n}", "k")
    with pytest.raises(LaunchError, match=r"expected 2 arguments \(y, n\), got 1"):
        k.tangent(1, 1, [np.zeros(1)], {})
    with pytest.raises(ArgumentTypeError, match="'y' has dtype float32, expected float64"):
        k.tangent(1, 1, [np.zeros(1, np.float32), 1], {})
    with pytest.raises(UsageError, match="'z' is not a parameter of 'k'"):
        k.tangent(1, 1, [np.zeros(1), 1], {"z": np.zeros(1)})
    with pytest.raises(LaunchError, match="given for kernels"):
        k.tangent(None, None, [np.zeros(1), 1], {})
    with pytest.raises(LaunchError, match="one to three positive integers"):
        k.tangent(0, 1, [np.zeros(1), 1], {})


def _functional(subject: Oracle, case: Case, args: list[Any], cotangents: dict[str, Any]) -> Any:
    values = subject.tangent(case.grid, case.block, args, {}).values
    return sum((c * values[name].astype(np.longdouble)).sum() for name, c in cotangents.items())


# A choice of the table that covers the oracle's own constructs; the gradient tests use all of it.
WITNESSES = (
    "arithmetic", "compound_memory", "increments", "logical", "chained_assignment", "float_in_double", "compound_mixed",
    "truncation", "switch_in_loop", "loop_in_switch_in_loop", "declared_in_condition", "local_matrix",
    "walking_pointer", "pointer_to_local", "references", "in_place_loop", "scatter_own", "pointers_to_locals",
    "by_reference", "local_array_to_callees", "null_pointer", "three_dimensions", "cloud_in_cell", "black_scholes",
    "cholesky", "runge_kutta", "log_sum_exp", "trigonometric", "exponential", "rounding", "special", "sine_and_cosine",
)  # fmt: skip


@pytest.mark.parametrize("case", [c for c in CASES if c.function in WITNESSES and not c.label], ids=lambda c: c.id)
def test_against_central_differences(case: Case) -> None:
    options = Options.make()
    source = Source.load(case.path)
    subject = Oracle(parse(source, case.function, options, Sink()), options, source)
    names = [p.name for p in subject.function.parameters]
    args = case.arguments()
    rng = np.random.default_rng(3)
    active = [a.strip() for a in case.args.split(",")]
    u = {a: rng.uniform(-1, 1, np.shape(args[names.index(a)])) for a in active}
    c = {a: rng.uniform(-1, 1, np.shape(args[names.index(a)])) for a in active}
    result = subject.tangent(case.grid, case.block, args, u)
    expected = sum((c[a] * result.tangents[a]).sum() for a in active)
    size = sum((np.abs(c[a]) * result.magnitudes[a]).sum() for a in active)
    assert size > 0

    def moved(step: float) -> list[Any]:
        return [
            (np.asarray(v) + step * u[n]).astype(np.asarray(v).dtype) if n in u else v
            for n, v in zip(names, args, strict=True)
        ]

    def error(step: float) -> float:
        difference = _functional(subject, case, moved(step), c) - _functional(subject, case, moved(-step), c)
        return float(abs(difference / (2 * step) - expected) / size)

    single = subject.single_precision
    assert min(map(error, (3e-2, 1e-2, 1e-3) if single else (1e-4, 1e-5, 1e-6))) < (1e-2 if single else 1e-7)


TABLES = """
#define load(x) the_program_may_define_anything
namespace a { namespace { __constant__ double c[3] = {1.5, -2.0, 0.5}; } }
static const float w[2][2] = {{0.5f, 0.25f}, {2.0f, 4.0f}};
__device__ double total = 1.0;
__global__ void read(const double *x, double *y) { int i = threadIdx.x; y[i] = a::c[i] * x[i] * x[i] * w[1][i & 1]; }
__global__ void write(const double *x, double *y) { total += x[0] * x[0]; y[0] = total * total; }
"""


def test_variables_at_namespace_scope_are_read() -> None:
    x, u = np.array([0.5, 2.0, 3.0]), np.array([1.0, -1.0, 0.25])
    result = oracle(TABLES, "read").tangent(1, 3, [x, np.zeros(3)], {"x": u})
    factor = np.array([1.5, -2.0, 0.5]) * np.array([2.0, 4.0, 2.0])
    np.testing.assert_array_equal(result.values["y"], factor * x * x)
    np.testing.assert_array_equal(result.tangents["y"].astype(float), 2 * factor * x * u)
    assert not result.left_behind


def test_a_written_variable_has_a_tangent_and_starts_every_run_anew() -> None:
    subject = oracle(TABLES, "write")
    for _ in range(2):
        result = subject.tangent(1, 1, [np.array([3.0]), np.zeros(1)], {"x": np.array([0.5])})
        assert result.values["y"][0] == 100.0
        assert result.tangents["y"][0] == 2 * 10.0 * 2 * 3.0 * 0.5
        assert result.left_behind


def test_variables_at_namespace_scope_need_the_source() -> None:
    options = Options.make()
    program = parse(Source.load(TABLES), "read", options, Sink())
    with pytest.raises(DifferentiationError, match="CP0903"):
        Oracle(program, options)


def test_rows_of_matrices_and_references_to_arrays() -> None:
    text = "double f(double (*m)[2], const double (&v)[2]) {\n  m[1][0] *= v[1];\n  return m[1][0] * m[0][1];\n}"
    m, v = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0])
    result = oracle(text, "f").tangent(None, None, [m, v], {"m": np.array([[0, 1.0], [1.0, 0]]), "v": [0.0, 1.0]})
    np.testing.assert_array_equal(result.values["m"], [[1.0, 2.0], [18.0, 4.0]])
    np.testing.assert_array_equal(result.tangents["m"].astype(float), [[0, 1], [9, 0]])
    assert (result.result, result.result_tangent) == (36.0, 9.0 * 2 + 18.0)
