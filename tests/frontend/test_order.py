"""What is refused because C++ leaves an order open, and what looks like it and is not."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.options import Options
from cladpy.order import in_order
from cladpy.source import Source

BEFORE = """#include <cstdlib>
struct G { double s; double next() { return s *= 1.5; } double peek() const { return s; } };
struct P { double a, b; P(double a, double b) : a(a), b(b) {} };
struct A { double a, b; };
struct V {
  double *p; int n;
  double doubled() { return *p *= 2; }
  double first() const { return *p; }
  double moved() { return *++p; }
  const double *end() const { return p + n; }
};
double next(double &s) { return s *= 1.5; }
double less(double a, double b) { return a - 2 * b; }
double scaled(double &s) { double b = s * 2; return s = s + b; }
"""
OPEN = (
    "r = a[i++] + i;",
    "r = less(t = 2 * x, t);",
    "r = next(t) - 2 * next(t);",
    "r = less(g.next(), g.next());",
    "r = g.next() + 3 * g.peek();",
    "i = i++ + i++;",
    "P p(t *= 2, t); r = p.a;",
    "auto f = [&] { return t *= 2; }; r = f() + t * t;",
    "double *p = &t; r = (*p *= 2) - t;",
    "r = (a[1] += a[0]) * 2 - a[1];",
    "r = (a[i] *= 2) - a[j];",
    "r = x * rand() - 2. * rand();",
    "if (a[i++] > i) r = x;",
    "for (; a[i++] > i;) r = x;",
    "V v{a, j}; r = less(v.doubled(), v.first());",
    "V v{a, j}; r = less(v.moved(), v.first());",
    "V v{a, j}; r = less(v.moved(), v.end() == b);",
    "V v{a, j}; r = less(v.doubled(), *v.end());",
)
IN_ORDER = (
    "r = next(t) + next(t);",
    "P p{t *= 2, t}; r = p.a;",
    "A p{t *= 2, t}; r = p.a;",
    "a[i - 1] = i++;",
    "i = i++ + 1;",
    "r = (a[i] *= 2) - a[i + 1] * b[i];",
    "r = less(g.next(), h.next());",
    "r = (t *= 2) * (r *= 3);",
    "r = (t *= 2, t) + x;",
    "A p{x, 2}; r = (p.a *= 2) * p.b;",
    "t += next(t);",
    "r = i++ < j ? i : t;",
    "r = i++ && i;",
    "r = g.next() * x + h.peek();",
    "r = scaled(a[0]) - 2 * scaled(a[1]);",
    "V v{a, j}; r = less(v.doubled(), v.end() == b);",
)


def found(statements: str, std: str = "c++17") -> int:
    """How many places there are in a function whose order is left open."""
    head = "double f(double *a, const double *b, double x, int i, int j)"
    body = f"double t = x, r = 0; G g{{x}}, h{{x}}; {statements} return r;"
    source = Source("order.cpp", f"{BEFORE}{head} {{ {body} }}", None)
    program = parse(source, "f", Options.make(std=std), Sink({}), target="host")
    body = in_order(program, std).functions[program.entry].body
    every = (e for expr in surface_walk.expressions(body) for e in surface_walk.walk(expr))
    return sum(isinstance(e, s.Unsupported) and e.code == "CP0281" for e in every)


@pytest.mark.parametrize("statements", OPEN)
def test_left_open(statements: str) -> None:
    assert found(statements)


@pytest.mark.parametrize("statements", IN_ORDER)
def test_in_order(statements: str) -> None:
    assert not found(statements)


def test_before_cpp17_more_is_left_open() -> None:
    assert found("a[i] = i++;", "c++14")
    assert found("i = i++ + 1;", "c++14")
    assert not found("t += x;", "c++14")
