"""Loops that look for the largest or smallest number, where numbers are equal or are none."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import NDArray

import cladpy
from tests import together

NAN = float("nan")
LOOPS = {  # what they begin with, and how they go on with a number d
    "from the first": ("double m = x[0];", "if (d > m) m = d;"),
    "in any order": ("double m = -9;", "m = fmax(m, d);"),
    "by the standard": ("double m = -9;", "m = std::max(d, m);"),
    "begun anew": ("double m = 0;", "if (j == 0 || d > m) m = d;"),
    "by its index": ("double m = 0; int at = -1;", "if (at < 0 || d > m) { m = d; at = j; }"),
    "of some": ("double m = -9;", "if (j != 3 && d > m) m = d;"),
    "of some, chosen late": ("double m = -9;", "m = d <= m || j == 3 ? m : d;"),
    "in a branch": ("double m = -9;", "if (j != 3) { if (d > m) m = d; }"),
    "in a branch, by the library": ("double m = -9;", "if (j != 3) m = fmax(d, m);"),
    "in a branch, the other way around": ("double m = -9;", "if (j != 3) m = m >= d ? m : d;"),
    "in branches": ("double m = -9;", "if (j != 3) { if (n > 0) { const double e = x[j]; m = e > m ? e : m; } }"),
    "loaded in a branch": ("double m = -9;", "if (j == 3) continue; const double e = x[j]; if (m < e) m = e;"),
    "compared where it is loaded": ("double m = -9;", "if (j != 3 && x[j] > m) m = x[j];"),
    "by its index, in the other branch": (
        "double m = 0; int at = -1;",
        "if (j == 3) continue; if (at < 0 || d > m) { m = d; at = j; }",
    ),
    "by its index, in a branch": ("double m = 0; int at = -1;", "if (j != 3) if (at < 0 || d > m) { m = d; at = j; }"),
    "or none": ("double m = -9;", "if (d > m || d != d) m = d;"),
}

ALONE = (
    "by its index",
    "by its index, in a branch",
    "by its index, in the other branch",
    "compared where it is loaded",
)


BEGUN_ANEW = ("double m = x[0];", "if (j == 2 || d > m) m = d;")
AT_ONCE = (1, 2, 3)

pytestmark = pytest.mark.xdist_group("extrema")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """All loops in a few units."""
    made = [gradient(*loop, at_once) for loop in LOOPS.values() for at_once in AT_ONCE]
    made += [gradient(*BEGUN_ANEW, at_once) for at_once in (*AT_ONCE, 6)]
    parts = (together.part_of_gradient(one.derivative) for one in made)
    together.compile_together([part for part in parts if part is not None])


@functools.cache
def gradient(start: str, step: str, at_once: int) -> cladpy.Gradient:
    """Of the loop, with so many numbers in each of its iterations."""
    text = f"#include <algorithm>\n#include <cmath>\ndouble f(const double *x, int n) {{ {start}"
    steps = (f"do {{ const int j = k + {of}; const double d = x[j]; {step} }} while (0);" for of in range(at_once))
    text += f"for (int k = 0; k < n; k += {at_once}) {{ {' '.join(steps)} }} return m; }}"
    return cladpy.gradient(text, "f", "x", backend="host")


def gradient_of(start: str, step: str, x: list[float], at_once: int) -> tuple[float, NDArray[np.float64]]:
    given, adjoint = np.array(x), np.zeros(len(x))
    made = gradient(start, step, at_once)
    assert "_last" in made.code  # only what was found is reversed
    value = made.primal.execute(given, len(x))
    made.execute(given, len(x), adjoint)
    return value, adjoint


@pytest.mark.parametrize("at_once", AT_ONCE)
@pytest.mark.parametrize("name", LOOPS)
def test_equal_numbers_share(name: str, at_once: int) -> None:
    _, adjoint = gradient_of(*LOOPS[name], [0.5, 2.0, 1.0, 2.0, 2.0, -3.0], at_once)
    if name in ALONE:  # a branch says which one it is
        assert adjoint == pytest.approx([0, 1, 0, 0, 0, 0])
        return
    of_three = "of some" in name or "branch" in name
    assert adjoint == pytest.approx([0, 1 / 2, 0, 0, 1 / 2, 0] if of_three else [0, 1 / 3, 0, 1 / 3, 1 / 3, 0])


@pytest.mark.parametrize("at_once", [1, 2, 3, 6])
def test_what_was_before_a_search_began_anew_does_not_count(at_once: int) -> None:
    value, adjoint = gradient_of(*BEGUN_ANEW, [3.0, 2.0, 1.0, 2.0, 2.0, 0.0], at_once)
    assert value == 2.0
    assert adjoint == pytest.approx([0, 0, 0, 1 / 2, 1 / 2, 0])


@pytest.mark.parametrize("x", [[NAN, 2.0, 1.0], [2.0, NAN, 1.0], [1.0, 2.0, NAN], [NAN, NAN, NAN]])
@pytest.mark.parametrize("at_once", [1, 3])
@pytest.mark.parametrize("name", LOOPS)
def test_it_ends_where_something_is_no_number(name: str, at_once: int, x: list[float]) -> None:
    """What was found has the adjoint, be it a number or none."""
    value, adjoint = gradient_of(*LOOPS[name], x, at_once)
    if not np.isnan(value):
        assert adjoint == pytest.approx(np.where(np.array(x) == value, 1.0, 0.0))
    else:
        assert np.isfinite(adjoint).all()
        assert not adjoint[~np.isnan(x)].any()
