"""Gradients made with `trace_nonfinite`, on a real device: what they tell is what the host backend tells.

usage: python -m benchmarks.gpu_nonfinite [--backend cuda|hip|host]     (on a machine with a GPU and its compiler)

Prints a line per check; exit 0 only if all are right.
"""

from __future__ import annotations

import argparse
import math
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

import cladpy
from cladpy.diagnostics import Nonfinite, NonfiniteError, ZeroTimesNonfinite
from cladpy.runtime import Gradient
from tests.runtime.nonfinite import LINES, ROWS, SOURCE, ZEROS, N, call_steps, line_of, run

MANY = """
__global__ void many(double *y, const double *x, double *sum, int n) {
  __shared__ double tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 1;
  __syncthreads();
  double s = tile[127 - threadIdx.x];
  for (int k = 16; k; k /= 2) s += __shfl_xor_sync(0xffffffff, s, k);
  if (i < n) y[i] = s * sqrt(x[i]);
  atomicAdd(sum, s);
}
"""


def found_by(call: Callable[[], object]) -> Nonfinite:
    try:
        call()
    except NonfiniteError as error:
        return error.found
    raise AssertionError("nothing was told")


def check_row(ways: Gradient, row: tuple[int, list[float], str, str, dict[str, float]]) -> None:
    way, x, mark, adjoint_of, operands = row
    found = found_by(lambda: run(ways, way, x))
    assert (found.line, found.source) == (line_of(mark), LINES[line_of(mark) - 1].strip()), found
    assert (found.kernel, found.adjoint_of) == ("ways", adjoint_of), found
    assert (found.block, found.thread) == ((1, 0, 0), (1, 0, 0)), found
    assert math.isfinite(found.cotangent) and not math.isfinite(found.adjoint), found
    for name, value in operands.items():
        assert np.isclose(found.operands[name], value, equal_nan=True), found
    run(ways, way, [4.5] * N)  # the device is as it was


def check_zero(ways: Gradient, row: tuple[int, list[float], str]) -> None:
    way, x, mark = row
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run(ways, way, x)
    found = [w.message.found for w in said if isinstance(w.message, ZeroTimesNonfinite)]
    assert [f.line for f in found] == [line_of(mark)], found


def check_pullback(ways: Gradient) -> None:
    found = found_by(lambda: run(ways, 7, [1, 2, 0.0]))
    assert (found.kernel, found.function, found.line) == ("ways", "product", line_of("pullback")), found


def check_sum(ways: Gradient) -> None:
    found = found_by(lambda: run(ways, 8, [1e38] * N))
    assert (found.is_sum, found.line, found.adjoint_of) == (True, line_of("sum"), "f"), found


def check_halves(ways: Gradient) -> None:
    assert found_by(lambda: run(ways, 4, [1], f=300)).line == line_of("half")


def check_finite(ways: Gradient, plain: Gradient) -> None:
    for way in range(15):
        x = [2.25, 2.5, 3.75, 4.25, 5.5, 6.5] if way != 11 else [1.5, -2, 3, -4, 0.5, -1]
        for mine, other in zip(run(ways, way, x), run(plain, way, x), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-6)


def check_program(steps: Gradient) -> None:
    expected = [math.sqrt(2.0)] * 4
    np.testing.assert_allclose(call_steps(steps, [1, 2, 3, 4], 2.0), expected)
    found = found_by(lambda: call_steps(steps, [1, 0, 3, 4], 2.0))
    assert (found.kernel, found.line, found.thread) == ("second", line_of("second"), (1, 0, 0)), found
    found = found_by(lambda: call_steps(steps, [1, 2, 3, 4], 0.0))
    assert (found.kernel, found.line, found.thread) == ("steps", line_of("by_host"), None), found
    np.testing.assert_allclose(call_steps(steps, [1, 2, 3, 4], 2.0), expected)


def check_many(many: Gradient) -> None:
    """Of many threads that come to a NaN, through shared memory, shuffles and atomics, those are told in which it
    begins."""
    n = 128 * 200
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = rng.uniform(1, 2, n)
        at = rng.choice(n, 5, replace=False)
        x[at] = 0
        arrays = np.zeros(n), x, np.zeros(1)
        adjoints = np.ones(n), np.zeros(n), np.ones(1)
        found = found_by(partial(many.execute_kernel, 200, 128, *arrays, n, *adjoints))
        assert found.block is not None and found.thread is not None
        assert found.block[0] * 128 + found.thread[0] in at, found
        assert (found.line, found.adjoint) == (9, math.inf), found
    adjoints = np.ones(n), np.zeros(n), np.ones(1)
    many.execute_kernel(200, 128, np.zeros(n), rng.uniform(1, 2, n), np.zeros(1), n, *adjoints)
    assert np.isfinite(adjoints[1]).all()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_nonfinite")
    parser.add_argument("--backend", choices=("cuda", "hip", "host"), default="cuda")
    backend = parser.parse_args().backend
    make = partial(cladpy.gradient, backend=backend)
    ways, plain = (make(SOURCE, "ways", "y, x, f", trace_nonfinite=traced) for traced in (True, False))
    steps, many = make(SOURCE, "steps", trace_nonfinite=True), make(MANY, "many", trace_nonfinite=True)
    checks: list[tuple[str, Callable[[], None]]] = [(row[2], partial(check_row, ways, row)) for row in ROWS]
    checks += [(row[2], partial(check_zero, ways, row)) for row in ZEROS]
    checks += [
        ("a pullback", partial(check_pullback, ways)),
        ("a sum", partial(check_sum, ways)),
        ("halves", partial(check_halves, ways)),
        ("what is finite", partial(check_finite, ways, plain)),
        ("a host program", partial(check_program, steps)),
        ("many threads", partial(check_many, many)),
    ]
    wrong = 0
    for name, check in checks:
        try:
            check()
            print(f"{name}: right")
        except Exception:
            wrong += 1
            print(f"{name}: WRONG")
            traceback.print_exc()
    print(f"{len(checks) - wrong}/{len(checks)} checks right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
