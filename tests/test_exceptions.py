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


def test_gradients_follow_what_is_thrown() -> None:
    parts = [
        f"// {what}\nstatic double part_{i}(double x, int n) {{\n  double t = 1;{body}\n  return t;\n}}\n"
        for i, (what, body) in enumerate(BODIES.items())
    ]
    calls = "".join(f"  sum += (1 + 0.5 * sin({i})) * part_{i}(x, n);\n" for i in range(len(parts)))
    each = f"static double each(double x, int n) {{\n  double sum = 0;\n{calls}  return sum;\n}}\n"
    total = "double f(double x) { return each(x, 1) + sin(each(x, 2)) + 0.5 * each(x, 3) + 0.25 * each(x, 5); }\n"
    assert_gradient(f"{HEAD}{''.join(parts)}{each}{total}", "f", "x", None, None, [0.75])
