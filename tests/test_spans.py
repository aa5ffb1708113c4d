"""std::span in host functions, which needs C++20: derivatives against differences of the compiled original."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import cladpy

PROGRAM = """#include <algorithm>
#include <array>
#include <span>
#include <vector>
static double total(std::span<const double> s) {
  double r = 0;
  for (double v : s) r += v * v;
  return r * s.size();
}
double f(const double *x, int n) {
  std::vector<double> v(x, x + n);
  const std::vector<double> fixed(v);
  std::array<double, 3> a{x[0], x[1] * x[1], x[2]};
  double c[4];
  std::copy(x, x + 4, c);
  std::span<double, 3> s(a);
  for (double &e : s) e *= 2;
  std::span whole(v);
  std::span plain(c);
  std::span three(a);
  std::span<double> first = whole.first(2), rest(v.begin() + 1, v.end()), counted(v.data(), 3), none;
  first[1] *= rest[0] + counted.last(1)[0] + plain.subspan<1, 2>()[1] + plain.last<1>()[0] + plain.first<2>()[1];
  rest.back() *= three.front() + rest.subspan(1, 2)[1] + whole.subspan(3)[0];
  std::span<const double> read = rest;
  const double sizes = s.size() + sizeof(s) + 10.0 * sizeof(read) + read.size_bytes() + none.empty();
  const double most = *std::max_element(s.begin(), s.end());
  return total(v) * total(a) + total(fixed) * total(plain) * a[1] + sizes * read[0] * most;
}
double given(std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * x[i];
  return y[0] * x[1];
}
"""


def test_against_differences(tmp_path: Path) -> None:
    (tmp_path / "f.cpp").write_text(PROGRAM)
    gradient = cladpy.gradient(str(tmp_path / "f.cpp"), "f", "x", backend="host", std="c++20")
    x = np.array([0.3, 1.2, -0.7, 0.9, 1.6])
    found = np.zeros(5)
    gradient.execute(x, 5, found)
    steps = 1e-5 * np.eye(5)
    expected = [(gradient.primal.execute(x + h, 5) - gradient.primal.execute(x - h, 5)) / 2e-5 for h in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_spans_that_are_given(tmp_path: Path) -> None:
    (tmp_path / "f.cpp").write_text(PROGRAM)
    code = cladpy.gradient(str(tmp_path / "f.cpp"), "given", "x, y", backend="host", std="c++20").code
    assert "std::span<const double> _d_x,\n    std::span<double> _d_y" in code
