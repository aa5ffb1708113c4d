"""What host code uses of the C++ library besides mathematics: read from bodies, those of vectors from cladpy's own."""

from __future__ import annotations

import pytest

from tests.frontend.reading import text
from tests.frontend.test_headers import ROUTES
from tests.frontend.test_host import lines

STATEMENTS = {
    "vectors": """std::vector<double> v(n), w(n, 2.0), e, l = {1, 2, x}, r(p, p + n), c(v), d = std::move(c);
  for (double &t : v) t *= 2;
  for (auto i = v.rbegin(); i != v.rend(); ++i) *i += 1;
  e.resize(n); e.push_back(3); e.emplace_back(x); e.reserve(10); e.assign(4, 1.0); e = v; e.swap(w); e = {x, 2};
  e.insert(e.begin() + 1, x); e.insert(e.end(), v.begin(), v.end()); e.erase(e.begin()); e.pop_back(); e.clear();
  std::swap(v, w);
  x += v.front() + v.back() + v.at(1) + v.size() + d.data()[0] + v[n - 1] + v.empty() + v.capacity() + (v == w);
  std::vector<float> f(v.begin(), v.end()); std::vector<int> counts(3); counts[0]++;""",
    "algorithms": """std::vector<double> v(n), w(n);
  std::fill(v.begin(), v.end(), x); std::fill_n(v.begin(), 3, 1.0); std::copy(p, p + n, v.begin());
  std::copy_backward(v.begin(), v.end() - 1, v.end());
  x += std::accumulate(v.begin(), v.end(), 0.0) + std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
  std::iota(v.begin(), v.end(), 1.0); std::reverse(v.begin(), v.end());
  std::transform(v.begin(), v.end(), w.begin(), [](double a) { return a * a; });
  std::for_each(v.begin(), v.end(), [&](double a) { x += a; });
  x += *std::max_element(v.begin(), v.end()) + std::count_if(v.begin(), v.end(), [](double a) { return a > 0; });
  x += std::min(x, 2.0) + std::max({1.0, x, 3.0}) + std::clamp(x, 0.0, 1.0);
  std::swap(x, v[0]);""",
    "arrays, pairs and tuples": """std::array<double, 3> a{1, 2, x}; for (auto t : a) x += t;
  a.fill(2); x += a.size() + a[1];
  std::pair<double, int> q{x, 2}; auto [first, second] = std::make_pair(x, 1); x += q.first + first * second;
  std::tuple<int, double> t{1, x}; x += std::get<1>(t);""",
    "pointers that own": """std::unique_ptr<double[]> u(new double[n]); u[0] = x;
  auto w = std::make_unique<double[]>(n); w[1] = u[0]; double *raw = u.get(); raw[2] = 1;
  std::unique_ptr<double> o = std::make_unique<double>(3.0); x += *o; u.reset(); if (w) x += 1; w.swap(u);
  std::unique_ptr<double[]> moved = std::move(w); std::unique_ptr<double> none; none.reset(new double(x));""",
}
BEFORE = "".join(f"#include <{h}>\n" for h in ("algorithm", "array", "memory", "numeric", "tuple", "utility", "vector"))


@pytest.mark.parametrize("what", STATEMENTS)
def test_all_of_it_is_read(what: str) -> None:
    code = f"{BEFORE}double h(double *p, double x, int n, bool b) {{\n  {STATEMENTS[what]}\n  return x;\n}}\n"
    assert [line for line in text(code, "h").splitlines() if "unsupported" in line] == []


@pytest.mark.parametrize("route", ROUTES)
def test_vectors_are_memory_of_the_c_library(route: str) -> None:
    code = """#include <vector>
double h(int n) { std::vector<double> v(n); v[0] = 1; return v[0]; }"""
    printed = text(code, "h", headers=route)
    assert (
        printed.split("\n}\n")[0]
        == """__host__ double h(n: int) {
  let v: std::vector<double> = new std::vector<double>(<unsigned long>n)
  (std::vector<double>::operator[](&v, 0ul) = 1.0)
  let returned: double = std::vector<double>::operator[](&v, 0ul)
  std::vector<double>::destroy_vector(&v)
  return returned"""
    )
    assert "return <double *>calloc(n, 8ul)" in printed
    assert "  free(<void *>(*this).data_)" in printed


def test_what_the_library_moves_byte_by_byte_is_moved_by_element() -> None:
    code = """#include <algorithm>
void h(double *y, const double *x, int n) { std::copy(x, x + n, y); std::copy_backward(y, y + n, y + n + 1); }"""
    printed = text(code, "h")
    assert "move_forward<double>(__result, <const double *>__first, <unsigned long>_Num)" in printed
    assert "move_backward<double>((__result - _Num), <const double *>__first, <unsigned long>_Num)" in printed
    assert "(target[((count - 1ul) - i)] = source[((count - 1ul) - i)])" in printed


def test_a_program_that_needs_more_of_the_library_than_there_is_reads_the_real_one() -> None:
    before = """#include <vector>
static double first(const std::vector<double, std::allocator<double>> &v) {
  return v.get_allocator() == v.get_allocator();
}
"""
    found = lines("std::vector<double> v(n); return first(v);", before)
    assert "let v: std::vector<double> = new std::vector<double>(<unsigned long>n, temporary(" in found[0]
