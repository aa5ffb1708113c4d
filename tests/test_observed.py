"""What a program can see of classes and algorithms of the C++ library is the library's own: a number by which the input
is multiplied is the gradient, and what the compiled original gives."""

from __future__ import annotations

import re

import numpy as np

import cladpy

OBSERVED = {
    "capacity after reserve and shrink_to_fit": """V v; v.reserve(10); seen = v.capacity();
        v.shrink_to_fit(); seen -= v.capacity();""",
    "capacity as elements come": """V v;
        for (int i = 0; i < 20; ++i) { v.push_back(i); seen = 3 * seen + v.capacity(); }""",
    "capacity after resize": """V v(5); v.resize(7); seen = v.capacity(); v.resize(30); seen += 100 * v.capacity();
        v.resize(3); seen += 1e4 * v.capacity(); v.resize(40, 1.0); seen += 1e6 * v.capacity();""",
    "capacity after insert": """V v(5), w(9); v.insert(v.begin() + 2, w.begin(), w.end()); seen = v.capacity();
        v.insert(v.begin(), 1.0); seen += 100 * v.capacity(); w.insert(w.begin(), 2, 3.0); seen += 1e4 * w.capacity();
        v.emplace(v.end(), 2.0); v.insert(v.end(), {1.0, 2.0}); seen += 1e6 * v.capacity();""",
    "elements after insert": """V v = {1, 2, 3}; v.insert(v.begin() + 1, 2, 7.0);
        v.insert(v.begin(), {4.0, 5.0});
        v.emplace(v.begin() + 3, 9.0); for (double e : v) seen = 1.5 * seen + e;""",
    "capacity after assignment": """V v(5), w(9); w.reserve(20); v = w;
        seen = v.capacity(); v = {1, 2};
        seen += 100 * v.capacity(); v.assign(12, 1.0); seen += 1e4 * v.capacity();
        v.clear(); seen += 1e6 * v.capacity();""",
    "what is left of what was moved": """V v(5), w(9); v = std::move(w); seen = v.capacity() + 100 * w.size();
        V u(std::move(v)); seen += 1e4 * u.capacity() + 1e6 * v.size();""",
    "capacity after swap and erase": """V v = {1, 2, 3}, w; w.swap(v); v.reserve(2);
        w.erase(w.begin()); w.pop_back();
        seen = v.capacity() + 100 * w.capacity();""",
    "capacity of flags": """std::vector<bool> v(70); seen = v.capacity();
        for (int i = 0; i < 60; ++i) v.push_back(true);
        seen += 1e4 * v.capacity();""",
    "capacity of vectors of vectors": """std::vector<V> v;
        for (int i = 0; i < 5; ++i) { v.push_back(V(i)); seen = 3 * seen + v.capacity() + v[i].capacity(); }""",
    "sizes of objects": """seen = sizeof(V) + 100 * sizeof(std::pair<char, double>) + 1e4 * sizeof(std::array<float, 3>)
        + 1e6 * sizeof(std::unique_ptr<double>) + 1e8 * sizeof(std::tuple<char, double, char>);""",
    "flags that are named by variables": """std::vector<bool> v(5), w; auto named = v[1]; named = true;
        for (auto flag : v) flag = !flag;
        auto last = v.back(); last.flip(); v[3] = v[1]; *(v.begin() + 4) = v[0]; w = v; w.insert(w.begin(), true);
        for (size_t i = 0; i < w.size(); ++i) seen = 2 * seen + w[i];""",
    "sizes of vectors of flags": """struct Held { std::vector<bool> flags; float f; };
        seen = sizeof(std::vector<bool>) + 100 * sizeof(Held) + 1e4 * alignof(std::vector<bool>);
        std::vector<bool> v(3, true), w; w = v; w.swap(v); seen += 1e6 * sizeof(w) + w.size();""",
    "sizes of what is not read": "seen = sizeof(std::string) + 100 * sizeof(std::unordered_map<int, int>);",
    "limits": """seen = std::numeric_limits<float>::epsilon() + std::numeric_limits<int>::max()
        + std::numeric_limits<double>::digits10 + V().max_size() / 1e12;""",
    "a partial sort with ties": "std::partial_sort(k, k + 5, k + 30, [](int a, int b) { return a % 4 < b % 4; });",
    "an element among ties": "std::nth_element(k, k + 5, k + 30, [](int a, int b) { return a % 4 < b % 4; });",
    "a sort of pairs with ties": """std::vector<std::pair<int, int>> v(40);
        for (int i = 0; i < 40; ++i) v[i] = {i % 3, i};
        std::sort(v.begin(), v.end(), [](auto a, auto b) { return a.first < b.first; });
        for (auto &p : v) seen = 1.25 * seen + p.second;""",
    "a long sort with ties": """int m[300]; for (int i = 0; i < 300; ++i) m[i] = i;
        std::sort(m, m + 300, [](int a, int b) { return a * 37 % 11 < b * 37 % 11; });
        for (int i = 0; i < 300; ++i) seen += (i + 1.5) * m[i];""",
    "a stable sort": "std::stable_sort(k, k + 29, [](int a, int b) { return a % 4 < b % 4; });",
    "a heap with ties": "std::make_heap(k, k + 30, [](int a, int b) { return a % 4 < b % 4; });",
    "a partition": "seen = std::partition(k, k + 30, [](int a) { return a % 4 < 2; }) - k;",
    "the largest among ties": "seen = std::max_element(k, k + 30, [](int a, int b) { return a % 4 < b % 4; }) - k;",
    "both ends among ties": """auto e = std::minmax_element(k, k + 30, [](int a, int b) { return a % 4 < b % 4; });
        seen = (e.first - k) + 100 * (e.second - k);""",
}
HEADERS = ("algorithm", "array", "limits", "memory", "string", "tuple", "unordered_map", "utility", "vector")


def _program() -> str:
    includes = "".join(f"#include <{h}>\n" for h in HEADERS)
    cases = "".join(f"    case {i}: {{ {body} break; }}\n" for i, body in enumerate(OBSERVED.values()))
    return f"""{includes}
typedef std::vector<double> V;
double f(double x, int which) {{
  double seen = 0;
  int k[30];
  for (int i = 0; i < 30; ++i) k[i] = i;
  switch (which) {{
{cases}  }}
  for (int i = 0; i < 30; ++i) seen = seen + (i + 1.5) * k[i];
  return x * seen;
}}
"""


def test_is_the_librarys_own() -> None:
    gradient = cladpy.gradient(_program(), "f", "x", backend="host")
    wrong = {}
    for which, name in enumerate(OBSERVED):
        found = np.zeros(1)
        gradient.execute(1.0, which, found)
        expected = gradient.primal.execute(1.0, which)
        if found[0] != expected:
            wrong[name] = (found[0], expected)
    assert wrong == {}


def test_each_is_observed() -> None:
    assert all(re.search(r"\bseen\b|\bk\b", body) for body in OBSERVED.values())
