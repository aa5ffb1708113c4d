"""Vectors that grow in loops of a constant count: the emitted code is no longer than the program needs, and quotes the
user's lines alone."""

from __future__ import annotations

import re

import cladpy

PROGRAM = """#include <algorithm>
#include <utility>
#include <vector>
double pairs(double x) {
  std::vector<std::pair<int, int>> v;
  for (int i = 0; i < 40; ++i) v.push_back({i % 3, i});
  std::sort(v.begin(), v.end());
  double s = 0;
  for (auto &p : v) s += x * p.second * p.first;
  return s * x;
}
double some(double x) {
  std::vector<double> v;
  for (int i = 0; i < 40; ++i) if (x * i > 3) v.push_back(i * x);
  double s = 0;
  for (double p : v) s += x * p;
  return s;
}
"""


def test_code_of_vectors_that_grow() -> None:
    lines = PROGRAM.split("\n")
    for function, most in (("pairs", 6000), ("some", 400)):
        code = cladpy.gradient(PROGRAM, function, "x", backend="host").code
        assert code.count("\n") < most, function
        quoted = re.findall(r"^ *// (\d+): (.*)$", code, re.MULTILINE)
        assert quoted and all(lines[int(number) - 1].strip() == text for number, text in quoted)
