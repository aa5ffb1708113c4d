"""Objects whose destructor does something, in host code: what runs, and in which order, is what the compiled original
does. Each destructor changes a number in its own way, so that no order is like another."""

from __future__ import annotations

import pytest

from tests.oracle import assert_gradient

CLASSES = """
struct Mark {
  double *total, factor;
  Mark(double *t, double f) : total(t), factor(f) { *total += f; }
  Mark(const Mark &m) : total(m.total), factor(m.factor * 1.25) { *total *= 1.5; }
  ~Mark() { *total = *total * factor + sin(factor); }
  double value() const { return factor * *total; }
};
struct Two {
  Mark first, second;
  Two(double *t, double x) : first(t, x), second(t, 2 * x) {}
  ~Two() { *first.total += first.factor * second.factor; }
};
struct Derived : Mark {
  Mark inner;
  Derived(double *t, double x) : Mark(t, x + 0.5), inner(t, x - 0.5) {}
};
static Mark make(double *t, double f) { Mark local(t, f); return Mark(t, f * 0.5); }
static double read(const Mark &m, const Mark &other) { return m.value() + 3 * other.value(); }
static double by_value(Mark m) { *m.total += 1; return m.factor; }
"""

BODIES = {
    "the end of a scope": "Mark a(&t, x); Mark b(&t, x * x); { Mark c(&t, 0.5 * x); t += 1; } t *= 2;",
    "a return from within": "Mark a(&t, x); if (n > 1) { Mark b(&t, 2 * x); return t * a.value(); } t *= 2;",
    "loops": """for (int i = 0; i < 5; ++i) {
    Mark a(&t, x + i);
    if (i == 1) continue;
    if (i == 3) { Mark b(&t, x); break; }
    int k = 0;
    while (true) { Mark c(&t, 0.5); if (++k > 2) break; }
    do { Mark d(&t, 0.75); if (k > n) return t; } while (++k < 4);
  }""",
    "switches": """for (int i = 0; i < 3; ++i) {
    Mark a(&t, x);
    switch (i) { case 0: continue; case 1: { Mark b(&t, 2 * x); break; } default: t += x; }
  }""",
    "members and bases": "Two two(&t, x); Derived derived(&t, 0.5 * x); t *= 1.5;",
    "arrays": "Mark a[3] = {Mark(&t, x), Mark(&t, 2 * x), Mark(&t, 0.25)}; t *= a[1].value();",
    "temporaries": "Mark a(&t, 2 * x); t += read(Mark(&t, x), a); t *= Mark(&t, 0.5 * x).factor;",
    "temporaries of conditions": "if (Mark(&t, x).factor > 0) { t *= 1.5; } else { t = 0; }",
    "temporaries of what is returned": "return Mark(&t, x).value();",
    "references to temporaries": "const Mark &a = Mark(&t, x); const Mark &b = a; t *= b.factor;",
    "results": "Mark a = make(&t, x); t *= a.value();",
    "arguments": "Mark a(&t, x); t += 2 * by_value(a); t *= by_value(Mark(&t, 0.5 * x)); by_value(a);",
    "lambdas": "Mark a(&t, x); auto f = [&](double y) { Mark b(&t, y); return b.value(); }; t += f(2.0) * f(x);",
}


@pytest.mark.parametrize("n", [1, 2])
def test_order(n: int) -> None:
    parts = [
        f"// {what}\nstatic double part_{i}(double x, int n) {{\n  double t = 1;\n  {{ {body} }}\n  return t;\n}}\n"
        for i, (what, body) in enumerate(BODIES.items())
    ]
    calls = "".join(f"  sum += sin({i} + part_{i}(x, n));\n" for i in range(len(parts)))
    code = f"{CLASSES}\n{''.join(parts)}double f(double x, int n) {{\n  double sum = 0;\n{calls}  return sum;\n}}\n"
    assert_gradient(code, "f", "x", None, None, [0.75, n])
