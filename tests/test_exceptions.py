"""Exceptions of host code that the function that throws them catches: values and derivatives are those of the handler
that C++ runs. The original is compiled as it is, with its exceptions."""

from __future__ import annotations

from tests.oracle import assert_gradient

HEAD = """#include <iostream>
#include <stdexcept>
#include <string>
struct Mark {
  double *total, factor;
  Mark(double *t, double f) : total(t), factor(f) { *total += f; }
  ~Mark() { *total = *total * factor + sin(factor); }
};
struct Hidden : private std::logic_error { Hidden() : std::logic_error("hidden") {} };
struct Own : std::runtime_error { Own() : std::runtime_error("own") {} };
static double tried(double x, int n) try {
  if (n > 1) throw x;
  return 2 * x;
} catch (double v) {
  return v * v;
}
"""

THROWN_BY_OTHERS = """#include <stdexcept>
struct Mark {
  double *total, factor;
  Mark(double *t, double f) : total(t), factor(f) { *total += f; }
  ~Mark() { *total = *total * factor + sin(factor); }
};
struct Base { int level; };
struct Own : Base { };
struct Pair { double a, b; };
static double root(double x, int n) {
  if (n > 2) throw x * x;
  if (n > 1) throw std::domain_error("root");
  return x * 3;
}
static void scaled(double *t, double x, int n) {
  Mark m(t, 0.5 * x);
  *t *= root(x, n);
  if (n == 1) throw n;
  *t += 1;
}
static Pair pair(double x, int n) {
  if (n > 2) throw Own();
  return {root(x, n), x};
}
static double kept(double x, int n) {
  try { return root(x, n); } catch (double v) { if (v > 0.1) throw; return v; }
}
static double over(double x, int n) {
  try { return kept(x, n) + x; } catch (double &v) { v *= 2; throw; } catch (const std::exception &) { throw 2 * x; }
}
struct Checked {
  double limit;
  double operator()(double x) const { if (x > limit) throw x - limit; return x * limit; }
  double twice(double x) const { return 2 * (*this)(x); }
};
template <typename F> static double apply(F f, double x) { const double y = f(x); return y * x; }
static double chosen(double x, int n) { return n > 5 ? throw 5 : n > 0 ? sin(x) * x : x; }
"""

OTHERS = {
    "what an inlined function throws": """
  try { t = root(x, n); t += x; } catch (double v) { t = v * x; } catch (const std::exception &) { return x * x; }""",
    "through another, past objects": """
  try { Mark a(&t, 0.25); scaled(&t, x, n); t *= 2; } catch (double v) { t += v; } catch (int k) { t *= k + x; }
  catch (...) { t = sin(t); }""",
    "in the middle of an expression": """
  try { t = x * root(x, n) + root(x * x, n + 1) * root(t, 1); }
  catch (double v) { t += v; } catch (...) { t += 2 * x; }""",
    "where the condition of an if throws": """
  try { if (root(x, n) > 1 && n < 5) t = x; else t = x * x; } catch (...) { t *= 5 * x; }
  for (int i = 0; i < 3; ++i) {
    try { if (root(x, i + n - 1) > 1) continue; t += x; } catch (double v) { t += v * i; if (i == 2) break; }
    catch (std::logic_error &) { t *= x; }
    t += 0.5;
  }""",
    "thrown again": """
  try { t = over(x, n); } catch (double v) { t = v * t; }
  try {
    try { if (n == 2) throw n; if (n == 3) throw x; if (n > 3) throw Own(); t += x; }
    catch (int k) { t *= x; if (t > 0) throw; }
    catch (...) { t += 1; throw; }
  } catch (const Base &) { t += sin(x); } catch (double v) { t += v * v; } catch (int k) { t *= k * x; }""",
    "by objects, closures and templates": """
  const Checked c{0.5 + 0.1 * n};
  try { t = c(x) + 1; t += c.twice(x); } catch (double v) { t *= v; }
  try { t += apply(c, x); } catch (double v) { t += 3 * v; }
  auto f = [&](double w) { if (n > 2) throw w * x; t *= w; return w * w; };
  try { t += f(x); double k = f(2 * x); t *= k; } catch (double v) { t -= v; }
  try { t += apply([=](double w) { if (n == 2) throw n; return w * t; }, x); } catch (int k) { t *= k; }""",
    "objects are returned": """
  try { Pair p = pair(x, n); t = p.a * p.b; }
  catch (const Base &) { t = 4 * x; } catch (const std::exception &) { t = x; }
  try { t += pair(x * x, n).b; } catch (...) { t *= x; }""",
    "switches and loops around": """
  for (int i = 0; i < 4; ++i) {
    try {
      switch (i) { case 0: t += root(x, n); break; case 1: scaled(&t, x, n); default: t += x; }
      for (double w : {1.0, x}) { while (t > 50) t *= 0.5 * root(0.5, 1); t += root(w, n); }
    } catch (int k) { t += k * x; } catch (double v) { t += v; if (i == 2) return t * x; }
    catch (...) { t += 0.25 * i; }
  }""",
    "what returns all the same": """
  try {
    t = chosen(x, n);
    for (int i = 0; root(x, 1) * i < 3 && i < 2; ++i) t += x;
    int k = 0;
    t += (k++, root(x, 1));
  }
  catch (int) { t = 0; } catch (...) { t = 1; }""",
}

BODIES = {
    "an object by its base": """
  try { if (n > 1) throw std::runtime_error("x"); t *= x; } catch (const std::exception &) { return x * x; }""",
    "numbers are caught": """
  try { t *= x; if (t > 0.5 * n) throw t * n; t += 1; } catch (double v) { t = v * v; }
  try { if (n > 1) throw n; t += x; } catch (const int &k) { t *= k + x; }""",
    "made of temporaries": """
  try { Mark a(&t, 0.5); if (n > 1) throw Mark(&t, x).factor * t; t *= x; } catch (double v) { t += v * v; }""",
    "a number is not converted": """
  try { try { if (n > 1) throw 2; t += x; } catch (double) { t = 5 * x; } t *= 3; } catch (int k) { t *= k * x; }""",
    "the first handler that fits": """
  try {
    if (n == 1) throw Own(); else if (n == 2) throw std::logic_error("l"); else if (n == 3) throw 'c';
    t = x;
  } catch (const std::logic_error &e) { std::cerr << e.what() << std::endl; t = sin(x); }
  catch (std::runtime_error &e) { std::string s(e.what()); t = 3 * x; }
  catch (...) { t = x * x; }""",
    "out of loops and switches": """
  for (int j = 0; j < 4; ++j) {
    try {
      Mark a(&t, 0.5);
      for (int i = 0; i < 3; ++i) {
        Mark b(&t, 0.25);
        for (double w : {1.0, x, 2.0}) {
          Mark c(&t, w);
          switch (i + j) { case 1: t += x; break; case 2: if (n > 1) throw 2.0 * x; t *= 0.5; break; default: t *= x; }
          if (j == 3 && n > 2) throw i;
        }
        while (t > 100) { if (n == 3) throw Own(); t *= 0.5 * x; }
      }
      t += 1;
    } catch (double v) { t += v; if (j == 2) break; } catch (int i) { t *= i + x; } catch (...) { t = 7; continue; }
    t += j;
  }""",
    "breaks and returns out of it": """
  for (int i = 0; i < 5; ++i) {
    Mark a(&t, 0.5 * x);
    try {
      Mark b(&t, 0.75);
      if (i == n) break;
      try { if (i == 3) break; if (t < 0) throw 1; } catch (int) { t = -t; }
      if (i == 1) continue;
      if (i == 2) throw x;
      if (i > 6) return t * x;
      t *= x;
    } catch (double v) { t += v * v; if (n > 4) return t; }
    t += 0.5;
  }""",
    "thrown by a handler": """
  try {
    for (int i = 0; i < 3; ++i) {
      Mark a(&t, x);
      try { if (i == n - 1) throw i; t *= x; } catch (int k) { Mark b(&t, 0.5); throw k * x; }
    }
  } catch (double v) { t += v * v + x; }""",
    "by others past a block of its own": """
  try {
    Mark a(&t, x);
    try { Mark b(&t, 0.5); if (n > 1) throw x * x; t *= x; } catch (int) { t = 0; } catch (const char *) { t = 1; }
    t += 1;
  } catch (...) { t *= x; }""",
    "not by a private base": """
  try { if (n > 2) throw Hidden(); t *= x; } catch (const std::logic_error &) { t = 1; } catch (...) { t = x; }
  t += tried(x, n);""",
    "text": """
  try { try { if (n > 2) throw "long"; t *= x; } catch (double v) { t = v; } } catch (const char *s) { t = 3 * x; }""",
}


def _program(head: str, bodies: dict[str, str]) -> str:
    parts = [
        f"// {what}\nstatic double part_{i}(double x, int n) {{\n  double t = 1;{body}\n  return t;\n}}\n"
        for i, (what, body) in enumerate(bodies.items())
    ]
    calls = "".join(f"  sum += (1 + 0.5 * sin({i})) * part_{i}(x, n);\n" for i in range(len(parts)))
    each = f"static double each(double x, int n) {{\n  double sum = 0;\n{calls}  return sum;\n}}\n"
    total = (
        "  double total = 0;\n  for (int n = 1; n < 6; ++n) total += (1 + 0.3 * n) * sin(each(x, n));\n  return total;"
    )
    total = f"double f(double x) {{\n{total}\n}}\n"
    return f"{head}{''.join(parts)}{each}{total}"


def test_gradients_follow_what_is_thrown() -> None:
    assert_gradient(_program(HEAD, BODIES), "f", "x", None, None, [0.75])


def test_gradients_follow_what_others_throw() -> None:
    assert_gradient(_program(THROWN_BY_OTHERS, OTHERS), "f", "x", None, None, [0.75])
