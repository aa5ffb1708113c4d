"""Directives of OpenMP and OpenACC: none that may change a value is passed over, whatever it comes out of."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.options import Options
from cladpy.source import Source

MACROS = """#define PRAGMA(x) _Pragma(#x)
#define PARALLEL PRAGMA(omp task)
#define UNROLL PRAGMA(unroll)
#define LATIN(a, b) a##b
#define SPELT(x) #x
#define SPELLED(x) SPELT(x)
#define HIDDEN _Pragma(SPELLED(LATIN(o, mp) parallel))
#define AROUND(statement) _Pragma("omp task") { statement }
double other(double x) { return x; }
#pragma omp declare variant(other) match(device={kind(host)})
double plain(double x) { return x * x; }
#pragma omp declare simd
double lanes(double x) { return x * x; }
struct S {
  double v;
  friend double befriended(const S &s, double x) {
#pragma omp task
    x *= 2;
    return x * s.v;
  }
};
template <int N> double chosen(double x) {
  if constexpr (N > 1) {
#pragma omp task
    x *= 2;
  }
  return x;
}
"""
# What a function says, and how the line begins that is refused: the function's, where no more is known.
CHANGING = (
    ("\n#pragma omp task\nr += x;", "#pragma omp task"),
    ("\n#pragma omp \\\n task untied\n{ r += x; }", "#pragma omp \\"),
    (
        "\n#pragma omp parallel for foo(3) reduction(+:r)\nfor (int i = 0; i < n; ++i) r += x;",
        "#pragma omp parallel for",
    ),
    (
        "\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) { if (i > 3) break; }",
        "#pragma omp parallel for",
    ),
    ("\n#pragma omp parallel if (n & 2)\nr += x;", "#pragma omp parallel"),
    (
        "\n#pragma omp parallel\n{ int k = n;\n#pragma omp for lastprivate(n)\nfor (int i = 0; i < 3; ++i); }",
        "#pragma omp for",
    ),
    ("\n#pragma omp parallel\n{ if (n) {\n#pragma omp single\nr += x; }\nr += x; }", "#pragma omp single"),
    ("S s{1};\n#pragma omp parallel private(s)\n{ s.v = x; r += s.v; }", "#pragma omp parallel"),
    ("\n#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i != n; ++i);\nr += x; }", "#pragma omp for"),
    ("\n#pragma omp simd linear(r : 1)\nfor (int i = 0; i < n; ++i) r += 1;", "#pragma omp simd"),
    ("\n#pragma omp parallel for num_threads(n++)\nfor (int i = 0; i < n; ++i);", "#pragma omp parallel for"),
    ("\n#pragma omp target\nr += x;", "#pragma omp target"),
    ("\n#pragma omp target teams loop nowait\nfor (int i = 0; i < n; ++i);", "#pragma omp target teams loop"),
    (
        "\n#pragma omp target teams distribute defaultmap(tofrom:scalar)\nfor (int i = 0; i < n; ++i) r += 1;",
        "#pragma omp target teams",
    ),
    ("\n#pragma omp target update to(r) depend(in : x)\nr += x;", "#pragma omp target update"),
    ("\n#pragma acc parallel loop\nfor (int i = 0; i < n; ++i) r += x;", "#pragma acc"),
    ("\n#ifdef _OPENMP\n#pragma omp task\n#endif\nr += x;", "#pragma omp task"),
    ("if (n) { r *= 2;\n#pragma omp cancel parallel\n}", "#pragma omp cancel"),
    ("for (;;)\n#pragma omp task\n{ r += x; }", "#pragma omp task"),
    ('auto f = [&](int k) {\n_Pragma("omp task") r += k; return r; }; r = f(n);', "_Pragma("),
    ("PARALLEL r += x;", "double f("),
    ("\nPRAGMA(omp task)\nr += x;", "PRAGMA("),
    ("\nHIDDEN\nr += x;", "double f("),
    ("\nAROUND(r += x;)", "AROUND("),
    ("r += plain(x);", "double plain("),
    ("S s{2}; r += befriended(s, x);", "#pragma omp task"),
    ("r += chosen<2>(x);", "#pragma omp task"),
)
HARMLESS = (
    "\n#pragma omp target teams distribute parallel for map(r)\nfor (int i = 0; i < n; ++i);",
    "\n#pragma omp target data map(tofrom: r) if(n > 1)\nr += x;\n#pragma omp target update from(r)",
    "\n#pragma omp simd safelen(4) if(simd: (n) > 2)\nfor (int i = 0; i < n; ++i) r += x;",
    "\n#pragma omp critical(name)\nr += x;\n#pragma omp barrier\n",
    "\n#pragma omp atomic update\nr += x;\n#pragma omp flush\n#pragma omp single\nr *= 2;",
    "\n#pragma unroll\nfor (int i = 0; i < n; ++i) r += x;\n#pragma GCC ivdep\nfor (int i = 0; i < n; ++i) r += x;",
    "UNROLL for (int i = 0; i < n; ++i) r += x;",
    "\n#if 0\n#pragma omp task\n#endif\nr += x; // omp\n/*\n#pragma omp task\n*/",
    "r += lanes(x) + chosen<1>(x);",
    "\n#ifndef _OPENMP\nr += x;\n#endif\n",
)


def refused(statements: str, openmp: str = "auto") -> list[str]:
    """The lines that are refused."""
    text = f"{MACROS}double f(double x, int n) {{ double r = 0; {statements}\nreturn r; }}\n"
    program = parse(Source("f.cpp", text, None), "f", Options.make(openmp=openmp), Sink({}), target="host")
    lines = text.split("\n")
    found = []
    for function in program.functions.values():
        for expr in surface_walk.expressions(function.body):
            found += [
                lines[e.span.line - 1]
                for e in surface_walk.walk(expr)
                if isinstance(e, s.Unsupported) and e.code == "CP0134"
            ]
    return found


@pytest.mark.parametrize(("statements", "line"), CHANGING)
def test_refused(statements: str, line: str) -> None:
    (found,) = refused(statements)
    assert found.startswith(line)


@pytest.mark.parametrize("statements", HARMLESS)
def test_passed_over(statements: str) -> None:
    assert refused(statements) == []


OWN = """double kept[2], other;
#pragma omp threadprivate(kept) // and not other
double apart(double x) { return x * kept[1]; }
double f(double x, int n) {
  double r = other;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) r += x;
  return r;
}
"""


def test_variables_of_each_thread() -> None:
    """They matter where threads share work, to the functions that name them."""

    def refusals(text: str) -> list[str]:
        program = parse(Source("f.cpp", text, None), "f", Options.make(), Sink({}), target="host")
        found = [e for g in program.functions.values() for e in surface_walk.expressions(g.body)]
        return [e.message.split(" may ")[0] for e in found if isinstance(e, s.Unsupported)]

    assert refusals(OWN) == []
    assert refusals(OWN.replace("+= x;", "+= apart(x);")) == ["'#pragma omp threadprivate(kept)'"]
    spelled = OWN.replace("#pragma omp threadprivate(kept)", '#define OWN _Pragma("omp threadprivate"\n')
    assert refusals(spelled) == ["'#pragma omp parallel for reduction(+: r)'"]
    assert refusals(OWN.replace("#pragma omp parallel for reduction(+ : r)", "").replace("+= x", "+= apart(x)")) == []


def test_in_a_file_that_is_included_in_a_function(tmp_path: Path) -> None:
    (tmp_path / "body.inc").write_text("#pragma omp task\nx *= 2;\n")
    (tmp_path / "f.cpp").write_text('double f(double x) {\n#include "body.inc"\nreturn x; }\n')
    program = parse(Source.load(tmp_path / "f.cpp"), "f", Options.make(), Sink({}), target="host")
    (function,) = program.functions.values()
    first = function.body.statements[0]
    assert isinstance(first, s.Evaluate) and isinstance(first.expr, s.Unsupported)


def test_device_code_has_none() -> None:
    text = "__global__ void k(double *x) {\n#pragma omp task\nx[0] *= 2;\n}\n"
    program = parse(Source("k.cu", text, None), "k", Options.make(), Sink({}))
    assert len(program.functions[program.entry].body.statements) == 1


def test_without_openmp_its_directives_mean_nothing() -> None:
    summed = "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) r += x;\n"
    defined = "\n#ifdef _OPENMP\n#pragma omp task\nr += x;\n#endif\nPARALLEL { r += x; }\n"
    assert refused(summed + defined) and refused(summed + defined, "off") == []
    assert refused("\n#pragma acc parallel\nr += x;\n", "off") == ["#pragma acc parallel"]
