"""Loops that look for the largest or smallest number, where numbers are equal or are none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import cladpy

NAN = float("nan")
LOOPS = {  # what they begin with, and how they go on with a number d
    "from the first": ("double m = x[0];", "if (d > m) m = d;"),
    "in any order": ("double m = -9;", "m = fmax(m, d);"),
    "by the standard": ("double m = -9;", "m = std::max(d, m);"),
    "begun anew": ("double m = 0;", "if (k == 0 || d > m) m = d;"),
    "by its index": ("double m = 0; int at = -1;", "if (at < 0 || d > m) { m = d; at = k; }"),
    "of some": ("double m = -9;", "if (k != 3 && d > m) m = d;"),
    "of some, chosen late": ("double m = -9;", "m = d <= m || k == 3 ? m : d;"),
    "or none": ("double m = -9;", "if (d > m || d != d) m = d;"),
}


def gradient_of(start: str, step: str, x: list[float]) -> tuple[float, NDArray[np.float64]]:
    text = f"#include <algorithm>\n#include <cmath>\ndouble f(const double *x, int n) {{ {start}"
    text += f"for (int k = 0; k < n; ++k) {{ const double d = x[k]; {step} }} return m; }}"
    given, adjoint = np.array(x), np.zeros(len(x))
    gradient = cladpy.gradient(text, "f", "x", backend="host")
    assert "_last" in gradient.code  # only what was found is reversed
    value = gradient.primal.execute(given, len(x))
    gradient.execute(given, len(x), adjoint)
    return value, adjoint


@pytest.mark.parametrize("name", LOOPS)
def test_equal_numbers_share(name: str) -> None:
    _, adjoint = gradient_of(*LOOPS[name], [0.5, 2.0, 1.0, 2.0, 2.0])
    if name == "by its index":  # which says by itself which one it is
        assert adjoint == pytest.approx([0, 1, 0, 0, 0])
        return
    of_three = name in ("of some", "of some, chosen late")
    assert adjoint == pytest.approx([0, 1 / 2, 0, 0, 1 / 2] if of_three else [0, 1 / 3, 0, 1 / 3, 1 / 3])


@pytest.mark.parametrize("x", [[NAN, 2.0, 1.0], [2.0, NAN, 1.0], [1.0, 2.0, NAN], [NAN, NAN, NAN]])
@pytest.mark.parametrize("name", LOOPS)
def test_it_ends_where_something_is_no_number(name: str, x: list[float]) -> None:
    """What was found has the adjoint, be it a number or none."""
    value, adjoint = gradient_of(*LOOPS[name], x)
    if not np.isnan(value):
        assert adjoint == pytest.approx(np.where(np.array(x) == value, 1.0, 0.0))
    else:
        assert np.isfinite(adjoint).all()
        assert not adjoint[~np.isnan(x)].any()
