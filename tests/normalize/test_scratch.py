"""Variables of host code that last from call to call: what keeps them from being scratch, and where that is said."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.options import Options
from cladpy.pipeline import differentiate, read
from cladpy.source import Source

BEFORE = """#include <cstdlib>
#include <ctime>
struct Pair { long first; long second[2]; };
static void raise(long &n) { n += 1; }
static long *told(long *p) { return p; }
static long twice() { long now = clock(); return 2 * now; }
__global__ void k(double *y, const double *x) { y[0] = x[0] * x[0]; }
static double *memory = nullptr; static int size = 0; extern double *other; double **slot;
struct Held { double *&of; };
static double first(double *const &p) { return p[0]; }
static void note(int n) { if (n) size = n; }
static void fill(double *p) { p[0] = 1; }
"""
MADE = "if (!memory) memory = (double *)malloc(8); "

# The body of `double f(double x)`, and what the diagnostic says of which column.
REFUSED = {
    "static double total = 0; total += x; return total;": "'total' {}, and what it holds is used here",
    "static bool first = true; if (first) { first = false; return x; } return x * x;": "'first' {}, and decides what "
    "is returned",
    "static int n = 0; while (n < 3) ++n; return x;": "'n' {}, and what it holds is used here",
    "static int n; for (;;) { if (n) break; n = 1; } return x;": "'n' {}, and decides when a loop is left",
    "static int n; switch (3) { case 3: if (n) break; x *= 2; } return x;": "'n' {}, and decides when a loop is left",
    "static double *a; if (!a) a = (double *)calloc(1, 8); a[0] += x; return a[0];": "'a' {}, and its memory holds "
    "something where it is allocated",
    MADE + "double *&p = memory; p[0] = x; return p[0];": "'memory' {}, and may be changed through a pointer or "
    "reference",
    MADE + "slot = &memory; return x;": "'memory' {}, and may be changed through a pointer or reference",
    MADE + "return first(memory);": "'memory' {}, and may be changed through a pointer or reference",
    MADE + "Held held{memory}; held.of[0] = x; return x;": "'memory' {}, and may be changed through a pointer or "
    "reference",
    MADE + "memory = other; return memory[0] * x;": "'memory' {}, and leads to something else than memory that is "
    "allocated for it",
    "if (!memory) { memory = (double *)malloc(8); memory[0] = 1; } return memory[0] * x;": "'memory' {}, and decides "
    "whether something else is written",
    "if (!memory) { memory = (double *)malloc(8); fill(memory); } return memory[0] * x;": "'memory' {}, and decides "
    "whether something else is written",
    "if (!memory) { cudaMalloc(&memory, 8); cudaMemset(memory, 0, 8); } return x;": "'memory' {}, and decides whether "
    "'cudaMemset' is called",
    "if (!memory) { cudaMalloc(&memory, 8); k<<<1, 1>>>(memory, memory); } return x;": "'memory' {}, and decides "
    "whether 'k' is called",
    MADE + "if (x > 3) return f(x / 2); return x;": "'memory' {}, and the function calls itself",
    "double r = x; if (memory) r *= x; " + MADE + "memory[0] = r; return memory[0];": "'memory' {}, and decides "
    "whether something else is written",
    "double r = x; if (size > 1) note(2); else r *= x; size = 3; " + MADE + "return r;": "'size' {}, and decides "
    "whether something else is written",
    "static int n; if (n) fill(&x); n = 1; return x;": "'n' {}, and decides whether something else is written",
    "static int n[2]; n[0] = 3; return x * n[0];": "'n' {}, and holds other things than the time",
    "static Pair p = {1, {2, 3}}; p.first = p.first + clock(); p.second[0] = 3; return x;": "'p' {}, and holds other "
    "things than the time",
    "static long t[2]; t[0] += 1; return x;": "'t' {}, and holds other things than the time",
    "static long t[2]; t[0] = twice(); ++t[0]; return x;": "'t' {}, and holds other things than the time",
    "static long t[2]; t[0] = twice(); told(t); return x;": "'t' {}, and holds other things than the time",
    "static Pair p; p.first = twice(); told(p.second); return x;": "'p' {}, and holds other things than the time",
    "static long t[2]; t[0] = twice(); raise(t[1]); return x;": "'t' {}, and holds other things than the time",
    "static long t[2]; t[0] = twice(); long &n = t[1]; n = 3; return x;": "'t' {}, and holds other things than the "
    "time",
    "static long t[2]; t[0] = twice() + size; size = 3; return x;": "'t' {}, and holds other things than the time",
    "static long t[2]; t[0] = twice() + (long)x; return x;": "'t' {}, and holds other things than the time",
    "static long t[2]; t[0] = twice() + abs(size); return x;": "'t' {}, and holds other things than the time",
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED)
def test_what_depends_on_earlier_calls_is_refused(body: str) -> None:
    with pytest.raises(DifferentiationError) as refused:
        differentiate(Source.load(f"{BEFORE}double f(double x) {{ {body} }}"), "f", "x", Options.make(), "host")
    assert REFUSED[body].format("lasts from one call to the next") + " [CP0120]" in str(refused.value)


def test_what_a_call_never_comes_to_is_not_refused() -> None:
    code = f"{BEFORE}double f(double x) {{ if (x != x) {{ static int n; if (n++) x = 0; exit(n); }} return x * x; }}"
    read(Source.load(code), "f", Options.make(), Sink())


HELD = """static long t[2]; static Pair p; static double last;
long now = twice(), other; t[0] = t[1] = now + 1; p.first = (size > 2 ? now : t[1]);
p.second[1] = p.first; last += -now; other = t[0]; """


def test_what_holds_the_time_may_last() -> None:
    body = f"{HELD} if (last > other) size = 0; return x * x;"
    derivative = differentiate(
        Source.load(f"{BEFORE}double f(double x) {{ {body} }}"), "f", "x", Options.make(), "host"
    )
    assert "nanoseconds()" not in derivative.code


@pytest.mark.parametrize(
    "end", ["return x * last;", "if (last == 0) x = x * x; return x;", "return x + p.second[0] * x;"]
)
def test_a_derivative_does_not_depend_on_the_time_that_lasts(end: str) -> None:
    """Not on what it holds before the first call either."""
    code = f"{BEFORE}double f(double x) {{ {HELD} {end} }}"
    with pytest.raises(DifferentiationError, match="CP0"):
        differentiate(Source.load(code), "f", "x", Options.make(), "host")
