"""Regions of OpenMP's threads that are read as what one of them does, and what is said where that is not the same."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.options import Options
from cladpy.order import apart, settled
from cladpy.source import Source

BEFORE = """#include <omp.h>
struct S { double v; };
static void add(double &r, const double *x, int n) {
#pragma omp for
  for (int i = 0; i < n; i++) r += x[i];
}
static double each(double &r) { return r += 1; }
static void tell(int n) { omp_set_num_threads(n); }
"""
WAIT = "\n#pragma omp barrier\n"
SHARED = "\n#pragma omp for\nfor (int i = 0; i < n; i++) "
STEPS = f"for (int k = 0; k < 2; k++) {{{SHARED} own += x[i]; }}"
ALONE = "\n#pragma omp critical\n"
OWN = "is each thread's own: what this leaves there depends on the thread"
PART = "holds what one thread has of a loop"
OFTEN = "how often this is done depends on how many of them there are"
# What stands in a region, and what is said of it as what one thread does.
REFUSED = (
    (f"double own = 0; {STEPS} {ALONE} s += own * own;", PART),
    (f"double own = 0.5; {STEPS} {ALONE} s += own;", PART),
    (f"double own; own = 1; {STEPS} {ALONE} s += own;", PART),
    (f"double own[2] = {{1, 0}}; for (int k = 0; k < 2; k++) {{{SHARED} own[0] += x[i]; }} {ALONE} s += own[0];", PART),
    (f"double own = 0; {STEPS} {ALONE} s += n / own;", PART),
    (f"double own = 0; {STEPS} {ALONE} s += (int)own;", PART),
    (f"double own = 0; {STEPS} {ALONE} s += y[(int)own];", PART),
    (f"double own = 0; {STEPS} {ALONE} s = own;", PART),
    (f"double own = 0; {STEPS} {ALONE} t.v += own;", PART),
    (f"double own = 0; {STEPS} {ALONE} s *= own;", PART),
    (f"double own = 0; {STEPS} {ALONE} if (own > s) s = own;", PART),
    (f"double own = 0; {STEPS} double more = own; {ALONE} s += more;", PART),
    (f"double own = 0; {STEPS}{SHARED} y[i] = own;", PART),
    (f"double own = 0; {STEPS}\n#pragma omp for\nfor (int i = own; i < n; i++) y[i] = x[i];", PART),
    (f"double own = 0; {STEPS}\n#pragma omp single\ns = own;", PART),
    (f"double own = 0, most = 0; {STEPS} own = most; {ALONE} s += own;", PART),
    (f"double own = 0; {STEPS}{SHARED} {{ if (x[i] > own) own = x[i]; }}", OWN),
    (f"double own = 0; {STEPS}{SHARED} own = y[i] + 2 * own;", OWN),
    (f"double own = 0; {WAIT} add(own, x, n); {WAIT} {ALONE} s += own;", OWN),
    (f"double own = 0; {WAIT} for (;;) {{\n#pragma omp single\nown = x[0]; }} {ALONE} s += own;", OWN),
    (f"for (;;) {{{SHARED} y[i] = x[i]; {ALONE} s += x[0]; }}", OFTEN),
    (f"for (;;) {{{SHARED} y[i] = x[i]; {ALONE} {{ double a = x[0]; s += a; }} }}", OFTEN),
    (f"for (;;) {{{SHARED} y[i] = x[i]; {ALONE} while (s > 0) s -= 1; }}", OFTEN),
    (f"for (;;) {{{SHARED} y[i] = x[i]; s += 1; }}", "'s' is written by each of them"),
    (f"for (;;) {{{SHARED} y[i] = x[i]; each(s); }}", "'s' is written by each of them"),
    (f"double *p = y; for (;;) {{{SHARED} z[i] = x[i]; p[0] = 1; }}", "'y' is written by each of them"),
    (f"for (;;) {{{SHARED} s += x[i]; }}", "'s' is written by more than one of them"),
)
SAME = (
    f"double own = 0; {STEPS} {ALONE} s += own;",
    f"double own; own = 0; {STEPS} {ALONE} {{ s = s + n * own; s -= own / 2; s = own + s; }}",
    f"double own = 0; for (;;) {{{SHARED} own += x[i]; {ALONE} s += own; own = 0; }}",
    f"double own = 1; for (;;) {{{SHARED} own *= x[i]; }} {ALONE} s *= own;",
    f"double own = x[0]; for (;;) {{{SHARED} {{ if (x[i] > own) own = x[i]; }} }} {ALONE} s = s < own ? own : s;",
    f"for (;;) {{{SHARED} y[i] = x[i]; {WAIT} double own = y[0]; if (own > 1) break; }}",
    f"double own; for (;;) {{{SHARED} {{ own = x[i]; y[i] = own * own; }} }}",
    f"double own;\n#pragma omp single copyprivate(own, own)\nown = x[0]; {SHARED} y[i] = own * x[i];",
)


def said(*bodies: str) -> list[list[str]]:
    """What is said of functions with these bodies, which are read at once."""
    lines = BEFORE.split("\n")
    for i, body in enumerate(bodies):
        lines += f"double f{i}(const double *x, double *y, double *z, int n) {{ double s = 0; S t{{0}}; {body}".split(
            "\n"
        )
        lines.append("return s + t.v; }")
    calls = " + ".join(f"f{i}(x, y, z, n)" for i in range(len(bodies)))
    text = "\n".join((*lines, f"double f(const double *x, double *y, double *z, int n) {{ return {calls}; }}", ""))
    program = apart(settled(parse(Source("f.cpp", text, None), "f", Options.make(), Sink({}), target="host")))
    found: list[list[str]] = [[] for _ in bodies]
    for function in program.functions.values():
        for expr in surface_walk.expressions(function.body):
            told = [e for e in surface_walk.walk(expr) if isinstance(e, s.Unsupported)]
            if function.symbol.name[1:].isdigit():
                found[int(function.symbol.name[1:])] += [e.message for e in told]
    return found


def region(inside: str, clauses: str = "") -> str:
    return f"\n#pragma omp parallel {clauses}\n{{ {inside} }}"


def test_refused() -> None:
    found = said(*(region(inside) for inside, _ in REFUSED))
    for (inside, message), messages in zip(REFUSED, found, strict=True):
        assert message in "".join(messages[:1]), inside


def test_the_same_by_one_thread() -> None:
    assert dict(zip(SAME, said(*map(region, SAME)), strict=True)) == {inside: [] for inside in SAME}


def test_sums_of_the_region() -> None:
    added = region(f"double own = 0; {STEPS} s += own;", "reduction(+ : s)")
    in_loop = region(f"for (;;) {{{SHARED} s += x[i]; }}", "reduction(- : s)")
    often = region(f"for (;;) {{{SHARED} y[i] = x[i]; }} s += 1;", "reduction(+ : s)")
    used = region(f"for (;;) {{{SHARED} y[i] = s; }} s += y[0];", "reduction(+ : s)")
    found = said(added, in_loop, often, used)
    assert found[:2] == [[], []]
    assert OFTEN in found[2][0] and "used in another way" in found[3][0]


def linear(j: str, inside: str) -> str:
    start = "2 * n" if "-" in j else "0"
    return f"int j = {start};\n#pragma omp parallel for linear({j})\nfor (int i = 0; i < n; i++) {{ {inside} }}"


def test_what_goes_on_by_a_step() -> None:
    same = (
        linear("j", "y[j] = x[i]; j++; z[j] = x[i];"),
        linear("j : 2", "double v = x[i]; y[j] = v; j += 2;"),
        linear("j : -2", "y[j] = x[i]; j -= 2;") + " s += y[j + 2];",
        "double *p = y;\n#pragma omp simd linear(p : 1)\nfor (int i = 0; i < n; i++) { *p = x[i]; ++p; } s += p[-1];",
    )
    other = (
        linear("j : 2", "y[j] = x[i]; j += 3;"),
        linear("j : 2", "y[j] = x[i]; j = j + 2;"),
        linear("j", "y[j] = x[i]; j += n;"),
        linear("j", "y[j] = x[i]; j *= 2;"),
        linear("j", "y[j] = x[i]; j++; if (n) j++;"),
        linear("j", "if (x[i] > 0) continue; y[j] = x[i]; j++;"),
        linear("j", "y[j] = x[i]; if (n) j++;"),
    )
    found = said(*same, *other)
    assert found[: len(same)] == [[] for _ in same]
    assert all("is linear, and not every iteration goes on with it" in "".join(m) for m in found[len(same) :])
    (unknown,) = said(linear("val(j) : 1", "y[j] = x[i]; j++;"))
    assert "may change what the program computes" in unknown[0]


def test_variables_of_a_function_that_threads_call() -> None:
    own = f"double own; int k;{SHARED} for (k = 0; k < 2; k++) {{ own = x[i]; y[i] = own * own; }}"
    bodies = (own, f"{own} s += own;", f"double own = 0;{SHARED} {{ y[i] = own; own = x[i]; }}")
    assert said(*bodies) == [[], [], []], "there is no team but one thread"
    team = "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] = x[i];"
    found = said(*(body + team for body in bodies))
    assert found[0] == [] and all("'own' is written by more than one of them" in m[0] for m in found[1:])


NUMBER = f"y[omp_get_thread_num()] = x[0]; {WAIT}"


NUMBERS = (
    ("num_threads(n * (n - 1))", "", True),
    ("num_threads(k)", "{ int k = 2; s += k; } int k = 3;", False),
    ("num_threads(n / x[0])", "", False),
    ("num_threads((n)", "", False),
    ("num_threads(n ? 1 : 2)", "", False),
    ("if (s < 1 || n == 2)", "", True),
)
SETTINGS = (
    ("omp_set_dynamic(0); omp_set_num_threads(n);", True),
    ("omp_set_dynamic(n);", False),
    ("tell(n);", False),
    ("{ omp_set_num_threads(n); }", False),
)


def test_how_many_threads_there_are() -> None:
    """Whoever asks for their number has to know."""
    found = said(*(before + region(NUMBER, clauses) for clauses, before, _ in NUMBERS))
    for (clauses, _, is_known), messages in zip(NUMBERS, found, strict=True):
        assert (not messages) is is_known, clauses


@pytest.mark.parametrize(("before", "is_known"), SETTINGS)
def test_how_many_threads_a_call_asks_for(before: str, is_known: bool) -> None:
    assert (said(before + region(NUMBER)) == [[]]) is is_known


def test_a_number_that_is_set_behind_a_region() -> None:
    assert said(f"{region(NUMBER)} omp_set_num_threads(n);") != [[]]


def test_what_the_first_thread_writes() -> None:
    number = "int id = omp_get_thread_num();"
    first, counted, other = said(
        region(f"{number} if (id == 0) s = x[0];"),
        region(f"{number} id += 1; if (id == 0) s = x[0];"),
        region(f"{number} if (n == 0) s = x[id];"),
    )
    assert first == [] and "'s' is written" in counted[0] and "'s' is written" in other[0]


MEET = "'s' is written by one of them, and used by another"
SECTIONS = (
    ("", "s = x[0];\n#pragma omp section\ny[0] = s;", MEET),
    ("", "s += x[0];\n#pragma omp section\n{ s = 1; }", MEET),
    ("", f"s = x[0];\n#pragma omp section\n{ALONE} s += 1;", MEET),
    ("", f"{{ {ALONE} s += x[0]; }}\n#pragma omp section\n{ALONE} s += 1;", ""),
    ("reduction(+ : s)", "s *= 2;", "used in another way"),
    ("lastprivate(s)", "s = 2;", "may change"),
    ("private(n)", "y[0] = n;\n#pragma omp section\nn = 2;", "a section may read it"),
)


def test_sections() -> None:
    found = said(*(f"\n#pragma omp parallel sections {clauses}\n{{ {inside} }}" for clauses, inside, _ in SECTIONS))
    for (_, inside, message), messages in zip(SECTIONS, found, strict=True):
        assert message in messages[0] if message else messages == [], inside
