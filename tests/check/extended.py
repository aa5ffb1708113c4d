"""Originals in long double: central differences that are good to twelve digits, against which the oracle can be judged
by its last ones.

The source is compiled with `long double` for `double`; its constants stay those of double, so that it is the same
function. Two steps are extrapolated, so that the error is of the fourth order.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from cladpy.check.arguments import triple
from cladpy.check.oracle import Oracle
from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.options import Options
from cladpy.source import Source
from cladpy.toolchain import compile_host
from tests.kernels.case import Case

STEP = 1e-4

# Programs that compile with it, and whose functions of doubles are those of long double.
FILES = (
    "control", "custom_references", "enums", "halving", "intervals", "iterators", "large_shared", "lone_barriers",
    "long_loops", "memory", "named_functions", "operators", "overriding", "promised", "recurrences", "recursion",
    "recursive_writes", "discarded", "leaving", "shared",
)  # fmt: skip
_HEAD = """#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>
inline long double atomicAdd(long double *cell, long double value) {
  const long double old = *cell;
  *cell = old + value;
  return old;
}
inline long double rsqrt(long double x) { return 1 / std::sqrt(x); }
inline void sincos(long double x, long double *s, long double *c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
#define double long double
"""
_ENTRY = """
#undef double
template <class... A, std::size_t... I>
static int cladpy_test_launch(void (*kernel)(A...), const unsigned *grid, const unsigned *block, unsigned long shared,
                              void **arguments, std::index_sequence<I...>) {{
  return cladpy::host::launch(dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), shared, nullptr,
                              [=] {{ kernel(*static_cast<std::remove_reference_t<A> *>(arguments[I])...); }});
}}
template <class... A>
static int cladpy_test_launch(void (*kernel)(A...), const unsigned *grid, const unsigned *block, unsigned long shared,
                              void **arguments) {{
  return cladpy_test_launch(kernel, grid, block, shared, arguments, std::index_sequence_for<A...>());
}}
extern "C" int cladpy_test_run(const unsigned *grid, const unsigned *block, unsigned long shared, void **arguments) {{
  return cladpy_test_launch({function}, grid, block, shared, arguments);
}}
"""


def fits(case: Case) -> bool:
    """Whether a row can be run so: it is given doubles and integers only."""
    if case.file not in FILES or case.grid is None or case.variables or case.shared_mem or "<" in case.function:
        return False
    values = case.arguments()
    if not all(isinstance(v, np.ndarray | np.generic | int | float) for v in values):
        return False
    kinds = {np.asarray(v).dtype for v in values}
    return all(kind == np.float64 or kind.kind in "iub" for kind in kinds)


class Extended:
    """A kernel in long double."""

    def __init__(self, case: Case) -> None:
        self._case = case
        source = Source.load(str(case.path))
        text = _HEAD + f'#include "{case.path}"\n' + _ENTRY.format(function=case.function)
        self._library = ctypes.CDLL(str(compile_host(text, source=source, optimize="-O1")))
        options = Options.make()
        self.oracle = Oracle(parse(source, case.function, options, Sink({source.name: source.text})), options, source)

    def compare(self, seed: int = 0) -> tuple[float, float]:
        """The oracle's directional derivative of a random functional less that of central differences, relative to the
        size of its contributions; and that size."""
        rng = np.random.default_rng(seed)
        parameters = self.oracle.function.parameters
        args = self._case.arguments()
        named = [name.strip() for name in self._case.args.split(",")]
        real = {p.name for p, a in zip(parameters, args, strict=True) if np.asarray(a).dtype == np.float64}
        direction = {
            p.name: rng.uniform(-1, 1, np.shape(a))
            for p, a in zip(parameters, args, strict=True)
            if p.name in named and p.name in real
        }
        grid, block = self._case.grid, self._case.block
        assert grid is not None and block is not None
        found = self.oracle.tangent(grid, block, args, direction)
        weights = {n: rng.uniform(0.5, 1.5, np.shape(t)) for n, t in found.tangents.items() if np.ndim(t) and n in real}

        def functional(step: float) -> Any:
            moved = [self._moved(a, direction.get(p.name), step) for p, a in zip(parameters, args, strict=True)]
            self._run(moved)
            outputs = {p.name: m for p, m in zip(parameters, moved, strict=True)}
            return sum((w * outputs[n]).sum() for n, w in weights.items())

        def slope(step: float) -> Any:
            return (functional(step) - functional(-step)) / (2 * np.longdouble(step))

        wanted = (4 * slope(STEP / 2) - slope(STEP)) / 3
        own = sum((w * found.tangents[n].astype(np.longdouble)).sum() for n, w in weights.items())
        size = sum((w * found.magnitudes[n].astype(np.longdouble)).sum() for n, w in weights.items())
        return float(abs(own - wanted) / size), float(size)

    @staticmethod
    def _moved(value: Any, along: Any, step: float) -> Any:
        array = np.array(value)
        if array.dtype != np.float64:
            return array
        wide = array.astype(np.longdouble)
        return wide if along is None else np.array(wide + np.longdouble(step) * along)

    def _run(self, arrays: list[Any]) -> None:
        """Runs the kernel on the arrays, in place."""
        held: list[Any] = []
        for p, array in zip(self.oracle.function.parameters, arrays, strict=True):
            if array.ndim:
                held.append(ctypes.c_void_p(array.ctypes.data))
            elif array.dtype == np.longdouble:
                held.append(ctypes.c_longdouble.from_buffer(array))
            else:
                wide = ctypes.c_ulonglong(int(array) & (1 << 64) - 1)  # read as an integer of any size
                held.append(wide)
            assert p is not None
        pointers = (ctypes.c_void_p * len(held))(*(ctypes.addressof(h) for h in held))
        shape = [(ctypes.c_uint * 3)(*triple(s)) for s in (self._case.grid or 1, self._case.block or 1)]
        status = self._library.cladpy_test_run(*shape, ctypes.c_ulong(0), pointers)
        assert status == 0, status
