"""Variables of host code that last from call to call: what keeps them from being scratch, and where that is said."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.options import Options
from cladpy.pipeline import differentiate, read
from cladpy.source import Source

BEFORE = """#include <cstdlib>
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
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED)
def test_what_depends_on_earlier_calls_is_refused(body: str) -> None:
    with pytest.raises(DifferentiationError) as refused:
        differentiate(Source.load(f"{BEFORE}double f(double x) {{ {body} }}"), "f", "x", Options.make(), "host")
    assert REFUSED[body].format("lasts from one call to the next") + " [CP0120]" in str(refused.value)


def test_what_a_call_never_comes_to_is_not_refused() -> None:
    code = f"{BEFORE}double f(double x) {{ if (x != x) {{ static int n; if (n++) x = 0; exit(n); }} return x * x; }}"
    read(Source.load(code), "f", Options.make(), Sink())
