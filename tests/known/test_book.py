"""The book of known functions: a row for a name, and for what kernels call a declaration and a body."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy import known
from cladpy.resources import custom_derivatives_dir

OF_KERNELS = known.Barrier | known.Fence | known.Atomic | known.Collective | known.CachedLoad | known.CachedStore
PLACES = {
    "declarations": Path(cladpy.__file__).parent / "frontend" / "headers",
    "bodies for the host": custom_derivatives_dir() / "cladpy" / "host",
}
IN_BOTH = custom_derivatives_dir() / "cladpy" / "atomic_accesses.h"  # what both include


def test_a_name_has_one_row() -> None:
    assert [name for name, rows in Counter(row.name for row in known.BOOK).items() if rows > 1] == []


@pytest.mark.parametrize("place", PLACES)
def test_what_kernels_call_is_declared_and_runs(place: str) -> None:
    files = [*PLACES[place].glob("*.h"), IN_BOTH]
    words = {w for file in files for w in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    missing = [row.name for row in known.BOOK if isinstance(row, OF_KERNELS) and row.name not in words]
    # those with a scope are made by a macro, from the names without one
    assert [n for n in missing if not re.fullmatch(r"atomic[A-Za-z]+_(block|system)", n)] == []


def test_a_fence_orders_and_does_nothing_else() -> None:
    fences = [row.name for row in known.BOOK if isinstance(row, known.Fence)]
    lines = "".join(f"  y[i] = y[i] * x[i];\n  {name}();\n" for name in fences)
    text = f"__global__ void k(const double *x, double *y) {{\n  int i = threadIdx.x;\n  y[i] = x[i];\n{lines}}}\n"
    gradient = cladpy.gradient(text, "k", "x, y", backend="host")
    x, y, d_x, d_y = np.linspace(0.5, 1.5, 4), np.zeros(4), np.zeros(4), np.ones(4)
    gradient.execute_kernel(1, 4, x, y, d_x, d_y)
    power = len(fences) + 1
    np.testing.assert_allclose(d_x, power * x ** (power - 1), rtol=1e-13)
