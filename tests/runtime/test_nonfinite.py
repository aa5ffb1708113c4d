"""`trace_nonfinite=True`: an adjoint that is infinite or no number ends the call, and is told with all that belongs to
it; finite programs run as without the option."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import cladpy
from cladpy.cli import cli
from cladpy.diagnostics import BackendError, NonfiniteError, UsageError, ZeroTimesNonfinite
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime import Gradient
from cladpy.source import Source
from tests.runtime.nonfinite import LINES, ROWS, SOURCE, ZEROS, N, call_steps, line_of, run


@pytest.fixture(scope="module")
def ways() -> Gradient:
    return cladpy.gradient(SOURCE, "ways", "y, x, f", backend="host", trace_nonfinite=True)


@pytest.fixture(scope="module")
def steps() -> Gradient:
    return cladpy.gradient(SOURCE, "steps", backend="host", trace_nonfinite=True)


@pytest.mark.parametrize(
    ("way", "x", "mark", "adjoint_of", "operands"),
    ROWS,
)
def test_each_source(
    ways: Gradient, way: int, x: list[float], mark: str, adjoint_of: str, operands: dict[str, float]
) -> None:
    with pytest.raises(NonfiniteError) as raised:
        run(ways, way, x)
    found = raised.value
    assert (found.file, found.line, found.source) == (str(SOURCE), line_of(mark), LINES[line_of(mark) - 1].strip())
    assert (found.kernel, found.function, found.adjoint_of) == ("ways", "ways", adjoint_of)
    assert (found.block, found.thread) == ((1, 0, 0), (1, 0, 0))
    assert math.isfinite(found.cotangent) and not math.isfinite(found.adjoint)
    for name, value in operands.items():
        assert found.operands[name] == pytest.approx(value, nan_ok=True)
    for part in (f"{SOURCE}:{found.line}: ", "thread (1, 0, 0) of block (1, 0, 0)", f"in: {found.cotangent!r}\n"):
        assert part in str(found)
    run(ways, way, [4.5] * N)  # and goes on as if nothing had been


def test_halves_that_overflow(ways: Gradient) -> None:
    with pytest.raises(NonfiniteError, match=r"the adjoint of 'x.i.' is inf") as raised:
        run(ways, 4, [1], f=300)
    assert raised.value.line == line_of("half")
    assert run(ways, 4, [1], f=12)[0][0] == 144


def test_in_a_pullback(ways: Gradient) -> None:
    with pytest.raises(NonfiniteError) as raised:
        run(ways, 7, [1, 2, 0.0])
    assert (raised.value.kernel, raised.value.function) == ("ways", "product")
    assert raised.value.line == line_of("pullback")
    assert raised.value.operands["x[n]"] == 0


def test_a_sum_of_what_is_finite(ways: Gradient) -> None:
    with pytest.raises(NonfiniteError, match=r"a sum in the adjoint of 'f' is inf") as raised:
        run(ways, 8, [1e38] * N)
    assert raised.value.line == line_of("sum")
    assert raised.value.found.is_sum
    run(ways, 8, [1e37] * N)


def test_a_cotangent_that_is_no_number(ways: Gradient) -> None:
    with pytest.raises(NonfiniteError) as raised:
        run(ways, 0, [1], w=math.nan)
    assert math.isnan(raised.value.cotangent)
    assert raised.value.line == line_of("root")


@pytest.mark.parametrize(("way", "x", "mark"), ZEROS)
def test_a_zero_adjoint_that_meets_infinity_is_told(ways: Gradient, way: int, x: list[float], mark: str) -> None:
    with pytest.warns(ZeroTimesNonfinite) as warned:
        d_x, _ = run(ways, way, x)
    assert d_x[3] == 0
    (said,) = [w for w in warned if issubclass(w.category, ZeroTimesNonfinite)]
    assert said.filename == run.__code__.co_filename  # where the gradient is called
    found = said.message.found  # type: ignore[union-attr]
    assert (found.line, found.adjoint, found.cotangent) == (line_of(mark), math.inf, 0)
    assert found.operands == {"x[i]": x[3]}
    assert found.thread == (1, 0, 0)


def test_finite_gradients_are_what_they_are_without(ways: Gradient) -> None:
    plain = cladpy.gradient(SOURCE, "ways", "y, x, f", backend="host")
    for way in range(15):
        x = [2.25, 2.5, 3.75, 4.25, 5.5, 6.5] if way != 11 else [1.5, -2, 3, -4, 0.5, -1]
        for mine, other in zip(run(ways, way, x), run(plain, way, x), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-6)
    assert "cladpy::tracer" not in plain.code and "cladpy/nonfinite.h" not in plain.code


def test_a_host_program(steps: Gradient) -> None:
    """The kernel whose gradient it is; host code stops at once; the next call is as the first would be."""
    expected = [math.sqrt(2.0)] * 4
    np.testing.assert_allclose(call_steps(steps, [1, 2, 3, 4], 2.0), expected)
    with pytest.raises(NonfiniteError) as raised:
        call_steps(steps, [1, 0, 3, 4], 2.0)
    assert (raised.value.kernel, raised.value.line, raised.value.thread) == ("second", line_of("second"), (1, 0, 0))
    with pytest.raises(NonfiniteError) as raised:
        call_steps(steps, [1, 2, 3, 4], 0.0)
    assert (raised.value.kernel, raised.value.line, raised.value.thread) == ("steps", line_of("by_host"), None)
    assert raised.value.operands == {"a": 0.0} and raised.value.cotangent == 10
    np.testing.assert_allclose(call_steps(steps, [1, 2, 3, 4], 2.0), expected)


def test_in_two_halves(steps: Gradient) -> None:
    _, tape = steps.forward(np.zeros(4), np.array([1, 0, 3, 4.0]), np.zeros(4), 2.0)
    with pytest.raises(NonfiniteError) as raised:
        steps.reverse(tape, np.ones(4), np.zeros(4), np.zeros(4), np.zeros(1))
    assert raised.value.line == line_of("second")


@pytest.mark.parametrize("kind", ["__device__", "__host__ __device__", ""])
def test_a_function_by_itself(kind: str) -> None:
    source = f"{kind} double f(double a, double b) {{ return sqrt(a) / b; }}".strip()
    gradient = cladpy.gradient(source, "f", backend="host", trace_nonfinite=True)
    for _ in range(2):
        with pytest.raises(NonfiniteError, match="the adjoint of 'a' is inf") as raised:
            gradient.execute(0.0, 2.0, np.zeros(1), np.zeros(1))
        assert (raised.value.file, raised.value.line, raised.value.source) == ("<string>.cu", 1, source)
        assert raised.value.thread is None
    gradient.execute(1.0, 2.0, np.zeros(1), np.zeros(1))


CUSTOM = """
__device__ double odd(double v) { return v * v; }
namespace cladpy::custom_derivatives {
__device__ void odd_pullback(double v, double d_result, double *d_v) { *d_v += d_result / (v - 2); }
}
__global__ void k(double *y, const double *x) { y[threadIdx.x] = odd(x[threadIdx.x]); }
"""


def test_a_derivative_of_the_users_own() -> None:
    gradient = cladpy.gradient(CUSTOM, "k", backend="host", trace_nonfinite=True)
    with pytest.raises(NonfiniteError) as raised:
        gradient.execute_kernel(1, 2, np.zeros(2), np.array([1, 2.0]), np.full(2, 3.0), np.zeros(2))
    assert (raised.value.line, raised.value.cotangent) == (6, 3)
    assert raised.value.operands == {"x[threadIdx.x]": 2.0}


def test_operands_that_nobody_can_have_are_left_out() -> None:
    """What a clock shows is another number each time: the gradient is made all the same."""
    source = """
#include <ctime>
double f(double a) {
  double before = clock();
  return before + sqrt(a);
}
"""
    traced = differentiate(Source.load(source), "f", "", Options.make(trace_nonfinite=True), "host")
    assert "_trace.check(" in traced.code and "before" not in traced.fragment


# `assert` as the C libraries of newer distributions have it
_NEWER = "(static_cast<bool>(e) ? void(0) : __assert_fail(#e, __builtin_FILE(), __builtin_LINE(), __func__))"


@pytest.mark.parametrize("macro", ["assert(e)", _NEWER])
def test_other_errors_stay_what_they_are(macro: str) -> None:
    source = f"""
#include <assert.h>
#define REQUIRE(e) {macro}
__global__ void k(double *y, const double *x) {{
  REQUIRE(x[0] > 0);
  y[0] = x[0] * x[0];
}}
"""
    gradient = cladpy.gradient(source, "k", backend="host", trace_nonfinite=True)
    with pytest.raises(BackendError, match="assert"):
        gradient.execute_kernel(1, 1, np.zeros(1), np.zeros(1), np.ones(1), np.zeros(1))


def test_errors_travel(ways: Gradient) -> None:
    with pytest.raises(NonfiniteError) as raised:
        run(copy.copy(ways), 0, [0.0])
    travelled = pickle.loads(pickle.dumps(raised.value))  # noqa: S301
    for again in (travelled, copy.copy(raised.value)):
        assert (again.found, str(again)) == (raised.value.found, str(raised.value))
    assert isinstance(raised.value, ArithmeticError | cladpy.CladpyError)


def test_the_option(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="trace_nonfinite"):
        cladpy.gradient(SOURCE, "ways", trace_nonfinite="yes")  # type: ignore[arg-type]
    out = tmp_path / "out.cu"
    done = CliRunner().invoke(
        cli, ["gradient", str(SOURCE), "-f", "ways", "--args", "y, x", "--trace-nonfinite", "-o", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "#include <cladpy/nonfinite.h>" in out.read_text()
