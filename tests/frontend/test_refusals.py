"""What is refused: each construct with its code and place, several in one run, and the text of each."""

from __future__ import annotations

import pytest

from cladpy.diagnostics import DifferentiationError, Sink
from cladpy.frontend import parse
from cladpy.frontend.refused import REFUSALS
from cladpy.options import Options
from cladpy.source import Source
from tests.frontend.reading import refusal

BEFORE = """struct P { double x; __device__ double m() { return x; } static constexpr int n = 2; };
struct V { virtual __device__ double f(double); }; struct W : virtual P {};
struct D { int w; __device__ ~D() { w = 1; } }; __device__ double f(double x);
#define LOOP for (b; b;)
#define SWITCH switch
#define CHOOSE(i) switch (++i; i)
#define BITS(x) __builtin_bit_cast(float, x)
"""

_INDIRECT = "10:28: error: function pointers and indirect calls are not supported: 'double (*)(double)' [CP0105]"

# Statement, and how its rendered diagnostic starts (line 10 is the statement's, its first column 3).
REFUSED = {
    "goto in; { in: ; }": "10:3: error: goto is not supported here: into another block, ",
    'asm("nop;");': "10:3: error: inline assembly cannot be differentiated [CP0102]",
    "throw 3;": "10:3: error: exceptions are not supported in differentiated code [CP0103]",
    "d = v->f(2);": "10:7: error: the virtual call of 'f' is not supported [CP0104]",
    "d = fp(2);": "10:7: error: function pointers and indirect calls are not supported: 'fp' [CP0105]",
    "double (*g)(double) = f; auto &h = g; h = f;": _INDIRECT,
    "double (*g)(double) = f; double (**h)(double) = &g; *h = f;": _INDIRECT,
    "D e;": "10:3: error: the destructor '~D' would run in differentiated code, which is not supported [CP0131]",
    "W *w = nullptr;": "10:3: error: 'W' has a virtual base class, which is not supported [CP0130]",
    "double *n = new double[3];": "10:15: error: new and delete are not supported in differentiated code [CP0108]",
    "delete o;": "10:3: error: new and delete are not supported in differentiated code [CP0108]",
    "cudaSurfaceObject_t t = 0;": "10:3: error: surfaces, and this use of textures, are not supported: "
    "'cudaSurfaceObject_t' [CP0110]",
    "_Float16 h = 1;": "10:3: error: half-precision types are not supported yet: '_Float16' [CP0111]",
    "long double e = d;": "10:3: error: the type 'long double' is not supported [CP0112]",
    "__int128 e = 3;": "10:3: error: the type '__int128' is not supported [CP0112]",
    "double a[i];": "10:3: error: arrays of variable length are not supported but for numbers, in one dimension, on "
    "the host [CP0115]",
    "d = ({ if (i) return; 3; });": "10:17: error: a statement expression that is left by 'return' is not supported "
    "[CP0117]",
    "for (;;) d = ({ if (i) break; for (;;) break; 3; });": "10:26: error: a statement expression that is left by "
    "'break' is not supported [CP0117]",
    "while (i) d = ({ switch (i) { case 1: continue; } 3; });": "10:41: error: a statement expression that is left by "
    "'continue' is not supported [CP0117]",
    "static int count;": "10:3: error: the static local variable 'count' is not supported [CP0120]",
    "switch (i) { case 1 ... 3: break; }": "10:16: error: case ranges are not supported [CP0122]",
    'char s[3] = u8"ab";': "10:15: error: a string with a prefix cannot initialise an array [CP0126]",
    "switch (i = 2; i) { case 1: break; }": "10:3: error: this init-statement of a switch is not supported: it is no "
    "declaration of variables that the switch names [CP0127]",
    "SWITCH(i = 2; i) { case 1: break; }": "10:3: error: the parts of this switch cannot be told apart because it "
    "comes out of a macro [CP0129]",
    "CHOOSE(i) { case 1: break; }": "10:3: error: the parts of this switch cannot be told apart because it comes out "
    "of a macro [CP0129]",
    "LOOP d = 1;": "10:3: error: the parts of this for statement cannot be told apart because it comes out of a macro "
    "[CP0129]",
    "d = __builtin_bit_cast(float, i);": "10:7: error: this construct is not supported: bit cast expr [CP0199]",
    "float a[2] = {__builtin_bit_cast(float, i), 1};": "10:17: error: this construct is not supported: bit cast expr",
    "d = BITS(i);": "10:7: error: this construct is not supported: bit cast expr [CP0199]",
    "d = i ?: 3;": "10:7: error: clang could not make sense of this [CP0198]",
}  # fmt: skip


@pytest.mark.parametrize("statement", REFUSED)
def test_refused(statement: str) -> None:
    code = f"""{BEFORE}
__global__ void k(double *o, double d, int i, bool b, V *v, P *q, double (*fp)(double)) {{
  {statement}
}}
"""
    own = [part for part in refusal(code).split("<string>.cu:") if part.startswith("10:")]
    assert len(own) >= 1
    assert own[0].startswith(REFUSED[statement])
    assert "hint: " in own[0]


def test_the_whole_text_of_a_refusal() -> None:
    code = "__global__ void k(double *o) {\n\tif (o[0] > 0) goto in;\n  { o[0] = 1;\nin:; }\n}"
    assert refusal(code) == (
        "<string>.cu:2:16: error: goto is not supported here: into another block, into the middle of what another goes "
        "back over, or computed [CP0101]\n"
        "    2 | \tif (o[0] > 0) goto in;\n"
        "      | \t              ^~~~~~~\n"
        "hint: write it with if, loops, break and return"
    )


def test_parameters_results_and_callees() -> None:
    code = """struct W { volatile double x; };
__device__ double many(int n, ...) { return n; }
__device__ W make(double x) { return W{x}; }
__device__ double take(W v, double w) { return w; }
__global__ void k(double *o, W p, volatile int *f) {
  o[0] = p.x;
  o[1] = many(1, 2);
  o[2] = make(3).x;
  o[3] = take(W{}, 2);
  o[4] = *f;
  o[5] = 1;
}"""
    found = [line for line in refusal(code).split("\n") if "error:" in line]
    places = [line.removeprefix("<string>.cu:").split(": error: ")[0] + " " + line[-7:-1] for line in found]
    assert places == ["5:30 CP0116", "7:10 CP0109", "3:1 CP0116", "4:24 CP0116", "3:38 CP0116"]


def test_a_range_based_for_needs_operators_that_are_members() -> None:
    code = """struct I {
  int i;
  __device__ I &operator++(); __device__ double operator*();
};
__device__ bool operator!=(I a, I b) { return a.i != b.i; }
struct L { __device__ I begin() { return {0}; } __device__ I end() { return {2}; } };
__global__ void k(double *o) { for (double e : L{}) o[0] = e; }"""
    assert refusal(code).startswith(
        "<string>.cu:7:32: error: this range-based for is not supported: what its iterators do is"
    )


def test_a_lambda_that_holds_something_outside_of_functions() -> None:
    code = """__device__ const auto scaled = [c = 2.5](double v) { return c * v; };
__global__ void k(double *o) { o[0] = scaled(o[1]); }"""
    assert refusal(code).startswith("<string>.cu:1:50: error: cladpy cannot tell what this lambda captures [CP0106]")


def test_clangs_errors_come_with_their_place() -> None:
    code = "__global__ void k(double *o) {\n  o[0] = undeclared + 1;\n  o[1] = 2\n}"
    assert refusal(code) == (
        "<string>.cu:2:10: error: use of undeclared identifier 'undeclared' [CP0001]\n"
        "    2 |   o[0] = undeclared + 1;\n"
        "      |          ^\n"
        "<string>.cu:3:11: error: expected ';' after expression [CP0001]\n"
        "    3 |   o[1] = 2\n"
        "      |           ^\n"
        "    3 -   o[1] = 2\n"
        "    3 +   o[1] = 2;"
    )


def test_what_follows_from_a_refusal_is_not_reported_again() -> None:
    code = """__global__ void k(double *o, int n) {
  long double e = 1;
  double a = e * 2;
  o[0] = e + a + n;
  o[1] = (double)e;
}"""
    assert refusal(code).count("error:") == 1


def test_a_source_that_is_not_text(tmp_path: object) -> None:
    source = Source("odd.cu", "__global__ void k(double *o) { *o = 1; } // \udcff\udc80 \u00e4\r\n", None)
    program = parse(source, "k", Options.make(), Sink())
    assert program.entry.name == "k"
    with pytest.raises(DifferentiationError):
        parse(Source("odd.cu", "\udcff", None), "k", Options.make(), Sink())


def test_the_catalogue_is_complete() -> None:
    """Every code that the front end uses has an entry with a hint; clang's own errors carry no hint."""
    for code, refusal_ in REFUSALS.items():
        assert code.startswith("CP0") and len(code) == 6
        assert refusal_.what
        assert refusal_.hint or code == "CP0001"


def test_a_default_member_value_that_uses_other_members() -> None:
    code = """struct S { double a = 1; double b = a * 2; };
__global__ void k(double *o) {
  S s{3};
  o[0] = s.b;
}"""
    assert "error: this construct is not supported: a default member value that uses other members" in refusal(code)
