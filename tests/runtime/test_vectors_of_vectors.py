"""Lists of arrays stand for vectors of vectors, dicts for the objects that hold them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import ArgumentTypeError, LaunchError

PROGRAM = """
#include <vector>
using Rows = std::vector<std::vector<double>>;
double sum(const Rows &rows, const std::vector<double> &w) {
  double s = 0;
  for (auto &row : rows)
    for (size_t j = 0; j < row.size(); ++j) s += row[j] * row[j] * w[j];
  return s;
}
void grow(Rows &rows, double by) {
  for (auto &row : rows)
    for (auto &x : row) x *= by * x;
}
struct Model { std::vector<double> w; Rows rows; double gain; };
double energy(const Model &m) {
  double s = 0;
  for (auto &row : m.rows)
    for (size_t j = 0; j < row.size(); ++j) s += m.gain * row[j] * m.w[j];
  return s;
}
"""
ROWS = [np.array([1.0, 2.0, 3.0]), np.array([4.0]), np.array([5.0, 6.0])]
W = np.array([0.5, 0.25, 2.0])


def gradient(name: str) -> Any:
    return cladpy.gradient(PROGRAM, name, backend="host")


def test_adjoints_of_rows() -> None:
    found = gradient("sum")(ROWS, W)
    assert [list(d) for d in found["rows"]] == [list(2 * r * W[: len(r)]) for r in ROWS]
    assert list(found["w"]) == [1 + 16 + 25, 4 + 36, 9]


def test_rows_are_added_to_where_they_are() -> None:
    sums, adjoints, of_w = gradient("sum"), [np.ones_like(r) for r in ROWS], np.zeros(3)
    sums.execute(ROWS, W, adjoints, of_w)
    assert [list(d) for d in adjoints] == [list(1 + 2 * r * W[: len(r)]) for r in ROWS]


def test_rows_that_are_written() -> None:
    grow = gradient("grow")
    rows = [r.copy() for r in ROWS]
    grow.primal.execute(rows, 0.5)
    assert [list(r) for r in rows] == [list(0.5 * r * r) for r in ROWS]
    found = grow(ROWS, 0.5, cotangents={"rows": [np.full_like(r, 2.0) for r in ROWS]})
    assert [list(d) for d in found["rows"]] == [list(2 * r) for r in ROWS]
    assert found["by"] == sum(2 * float(r @ r) for r in ROWS)


def test_an_object_with_rows() -> None:
    found = gradient("energy")({"w": W, "rows": ROWS, "gain": 3.0})["m"]
    assert [list(d) for d in found["rows"]] == [list(3 * W[: len(r)]) for r in ROWS]
    assert list(found["w"]) == [30.0, 24.0, 9.0]
    assert found["gain"] == sum(float(r @ W[: len(r)]) for r in ROWS)


def test_what_does_not_fit() -> None:
    sums = gradient("sum")
    with pytest.raises(
        ArgumentTypeError, match="rows: expected a list of std::vector<double>, got an object of type float"
    ):
        sums(3.0, W)
    with pytest.raises(ArgumentTypeError, match=r"rows\[1\]: expected an array of float64"):
        sums([W, 2.0], W)
    with pytest.raises(LaunchError, match=r"_d_rows\[1\]: expected 1 elements, as rows\[1\] has, got 2"):
        sums.execute(ROWS, W, [ROWS[0].copy(), np.zeros(2), np.zeros(2)], np.zeros(3))
    with pytest.raises(LaunchError, match="_d_rows: expected 3 elements, as rows has, got 1"):
        sums.execute(ROWS, W, [ROWS[0].copy()], np.zeros(3))


def test_the_signature_says_so() -> None:
    assert "a list of arrays, which stand for vectors" in str(gradient("sum").signature)
