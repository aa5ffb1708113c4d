"""Inputs that are made to break what reads them, each with how it is answered: a diagnostic's code, words, or nothing
where there is a gradient. The function is always `k`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hostile:
    text: str
    answer: str = ""
    alone: bool = False  # for the command line only: it ends the process, or would not end


def _kernel(body: str, before: str = "") -> str:
    return f"{before}__global__ void k(double *o, double x) {{ {body} }}\n"


def _doubled(body: str, times: int, joined: str = " ") -> str:
    """Macros that double each other: A0, A1, ..."""
    lines = [f"#define A0 {body}"]
    lines += [f"#define A{i} A{i - 1} {joined} A{i - 1}" for i in range(1, times + 1)]
    return "\n".join(lines) + "\n"


_TEMPLATES = "template <int N, int M> struct T { enum { v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v }; };\n"
_SPIN = "constexpr int spin(int n) { int s = 0; for (;;) s += n; return s; }\n"

HOSTILE = {
    "empty": Hostile("", "CP0002"),
    "open brace": Hostile("__global__ void k(double *o, double x) { o[0] = x;\n", "to match this '{' [CP0001]"),
    "only a brace": Hostile("{", "CP0001"),
    "zero bytes": Hostile(_kernel("o[0] = x;\0\0"), ""),
    "not UTF-8": Hostile(_kernel("o[0] = x; // \udcff\udcfe\n"), ""),
    "member without a type": Hostile(
        "struct S {\n  *total;\n  double v;\n};\n__global__ void k(double *x) { S s{x}; s.v *= 2; }\n",
        "CP0001",
    ),
    "brackets": Hostile(_kernel("o[0] = " + "(" * 5000 + "x" + ")" * 5000 + ";"), "CP0007"),
    "open brackets": Hostile(_kernel("o[0] = " + "(" * 100_000), "CP0007"),
    "braces": Hostile(_kernel("{" * 3000 + "o[0] = x;" + "}" * 3000), "CP0007"),
    "unary": Hostile(_kernel("o[0] = " + "- " * 20_000 + "x;"), "CP0007"),
    "terms": Hostile(_kernel("o[0] = " + " + ".join(["x"] * 30_000) + ";"), "CP0007"),
    "else if": Hostile(
        _kernel("".join(f"if (x > {i}) o[0] = {i}; else " for i in range(3000)) + "o[0] = x;"), "CP0007"
    ),
    "pointers": Hostile(f"__global__ void k(double {'*' * 3000}o, double x) {{ o[0] = 0; }}\n", "CP0"),
    "array of arrays": Hostile(f"__global__ void k(double (*o){'[2]' * 400}, double x) {{ }}\n", "CP0001"),
    "huge integer": Hostile(_kernel(f"o[0] = {'9' * 8_000};"), "CP0001"),
    "huge number": Hostile(_kernel(f"o[0] = x * 1{'0' * 100_000}.0;"), "CP0011"),
    "long number": Hostile(_kernel(f"o[0] = x * 0.{'3' * 100_000};"), "CP0011"),
    "huge array": Hostile(_kernel("double a[1 << 30][1 << 30]; a[0][0] = x; o[0] = a[0][0];"), "CP0001"),
    "long name": Hostile(_kernel(f"double {'n' * 100_000} = x; o[0] = {'n' * 100_000};"), ""),
    "long line": Hostile(_kernel("o[0] = x; " + "o[0] += x; " * 5000), ""),
    "many parameters": Hostile(
        f"__global__ void k({', '.join(f'double *p{i}' for i in range(2000))}) {{ *p0 = 1; }}\n", ""
    ),
    "macro of statements": Hostile(_kernel("A17 o[0] = x;", _doubled("o[0] += x;", 17)), "CP0008"),
    "macro of terms": Hostile(_kernel("o[0] = A17;", _doubled("x", 17, "+")), "CP0007"),
    "macro of itself": Hostile(_kernel("F(F)(F)", "#define F(x) F(x)(x)\n"), "CP0001"),
    "macro for ever": Hostile(_kernel("o[0] = A40;", _doubled("x", 40, "+")), "clang", alone=True),
    "macro of braces": Hostile(_kernel("A16", _doubled("*o += 1; }", 16)), "clang", alone=True),
    "macro of nothing": Hostile(_kernel("A40 o[0] = x;", _doubled("", 40)), "clang", alone=True),
    "templates": Hostile(_kernel("o[0] = x * T<2000, 0>::v;", _TEMPLATES), "clang", alone=True),
    "constant loop": Hostile(_kernel("constexpr int n = spin(1); o[0] = n * x;", _SPIN), "CP0001"),
    "overflow of the stack": Hostile(
        _kernel("o[0] = x;", "#pragma clang __debug overflow_stack\n"), "clang", alone=True
    ),
    "crash": Hostile(_kernel("o[0] = x;", "#pragma clang __debug crash\n"), "crash"),
    "crash of the parser": Hostile(_kernel("o[0] = x;", "#pragma clang __debug parser_crash\n"), "crash"),
    "fatal error": Hostile(_kernel("o[0] = x;", "#pragma clang __debug llvm_fatal_error\n"), "crash"),
    "includes itself": Hostile('#include "hostile.cu"\n' + _kernel("o[0] = x;"), "CP0001"),
    "includes a folder": Hostile('#include "/"\n' + _kernel("o[0] = of_it(x);"), "CP0001"),
    "calls that double": Hostile(
        "__device__ double f0(double x) { return sin(x); }\n"
        + "".join(
            f"__device__ double f{i}(double x) {{ return f{i - 1}(x) * f{i - 1}(x + 1); }}\n" for i in range(1, 60)
        )
        + _kernel("o[0] = f59(x);")
    ),
    "endless conditional": Hostile("#if 1\n" * 20_000 + _kernel("o[0] = x;"), "CP0001"),
    "open string": Hostile(_kernel('o[0] = x; const char *s = R"(' + "x" * 100_000), "CP0001"),
}
