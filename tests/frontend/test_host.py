"""Host code: what is not supported stands in the program until something comes to it, handles are only passed on."""

from __future__ import annotations

from typing import Any

import pytest

from cladpy.frontend.given import Given
from cladpy.frontend.toolkit import Headers
from cladpy.ir.surface_text import format_program
from cladpy.ir.symbols import FunctionKind
from tests.frontend.reading import read, refusal, text
from tests.frontend.test_headers import ROUTES


def lines(statements: str, before: str = "", headers: str | None = None) -> list[str]:
    """The printed lines of a host function with these statements."""
    code = f"{before}\ndouble h(double *p, double x, int n, bool b) {{\n  {statements}\n}}\n"
    printed = format_program(read(code, "h", headers=headers))
    return [line[2:] for line in printed.split("\n}\n")[0].splitlines()[1:]]


def test_what_is_refused_stands_where_it_is() -> None:
    assert lines('if (b) { asm("nop"); x = 1; } long double l = x; double y = l * 2; return x + y;') == [
        "if b {",
        "  unsupported CP0102: inline assembly cannot be differentiated",
        "  (x = 1.0)",
        "}",
        "unsupported CP0112: the type 'long double' is not supported",
        "unsupported CP0112: the type 'long double' is not supported",
        "unsupported CP0112: the type 'long double' is not supported",
    ]


def test_operands_that_may_not_be_evaluated() -> None:
    left = "unsupported CP0117: a statement expression that is left by 'return' is not supported"
    assert lines("return b || ({ if (n > 2) return x; true; }) ? x : ({ if (n > 3) return x; x; });") == [
        f"return ((b || {left}) ? x : {left})",
    ]


def test_a_function_that_cannot_be_called() -> None:
    before = "struct L { long double l; }; static double f(L l) { return 1; } static double g(int n, ...) { return n; }"
    assert lines("if (b) return f(L{}); return g(n);", before) == [
        "if b {",
        "  unsupported CP0112: the type 'long double' is not supported",
        "}",
        "return unused CP0109()",
    ]


@pytest.mark.parametrize(
    ("before", "call"),
    [
        ("static double last; static int g(double a, ...) { last = a; return 1; }", "g(x)"),
        ("static int g(int a, ...) { static int calls; return ++calls; }", "g(n)"),
        ("#include <cstdlib>\nstatic int g(const char *a, ...) { if (!a) exit(1); return 1; }", 'g("a")'),
        ("int f(); static int g(int a, ...) { return f(); }", "g(n)"),
        ("static int g(int (*f)(), ...) { return f(); } static int f() { return 1; }", "g(f)"),
        ("static int g(double *a, ...) { return 1; }", "g(p)"),
        ("static int g(int a, ...) { return 1; }", "g(n, p)"),
        ("struct S { int f() { return 1; } }; static int g(int a, ...) { return S().f(); }", "g(n)"),
    ],
)
def test_a_function_without_a_fixed_list_that_may_do_more_than_log(before: str, call: str) -> None:
    assert lines(f"{call}; return x;", before) == [
        "unsupported CP0109: the variadic function 'g' is not supported",
        "return x",
    ]


def test_the_function_asked_for_is_refused_as_it_is_read() -> None:
    assert refusal("double h(long double x) { return x; }", "h").startswith("<string>.cu:1:10: error: the type")


def test_a_goto_into_a_block() -> None:
    assert lines("if (n < 0) goto in; { x = 2; in: x += 1; } return x;")[1].startswith("  unsupported CP0101: goto")


@pytest.mark.parametrize("route", ROUTES)
def test_handles_are_passed_on(route: str) -> None:
    before = "#include <cstdio>\nstatic void wait(cudaStream_t s) { if (s) cudaStreamSynchronize(s); }"
    statements = """cudaStream_t s, t = nullptr; cudaEvent_t e = 0;
  cudaStreamCreate(&s); t = s; wait(t); if (s == nullptr || t != s || !e) fprintf(stderr, "%d", n); return x;"""
    assert lines(statements, before, route) == [
        "let s: CUstream_st *",
        "let t: CUstream_st * = nullptr",
        "let e: CUevent_st * = nullptr",
        "cudaStreamCreate(&s)",
        "(t = s)",
        "wait(t)",
        "if (((s == nullptr) || (t != s)) || !(e != nullptr)) {",
        '  fprintf(stderr, "%d", n)',
        "}",
        "return x",
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_checks_of_errors(route: str) -> None:
    code = """#include <cstdio>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
    fprintf(stderr, "%s\\n", cudaGetErrorString(e)); } } while (0)
__global__ void k(double *y, const double *x) { y[threadIdx.x] = x[threadIdx.x]; }
void h(double *y, const double *x, cudaStream_t s) { k<<<1, 32, 0, s>>>(y, x); CHECK(cudaGetLastError()); }"""
    printed = text(code, "h", headers=route).split("\n}\n")[0]
    assert (
        printed
        == """__host__ void h(y: double *, x: const double *, s: CUstream_st *) {
  k<<<new dim3(1u, 1u, 1u), new dim3(32u, 1u, 1u), 0ul, s>>>(y, x)
  do {
    let e: unsigned int = cudaGetLastError()
    if (<int>e != 0) {
      fprintf(stderr, "%s\\n", cudaGetErrorString(e))
    }
  } while false"""
    )


def test_what_ends_the_program_is_a_call_that_says_how() -> None:
    before = """#include <cassert>
#include <cstdlib>
#include <stdexcept>
#define REQUIRE(c) if (!(c)) throw std::invalid_argument("not " #c)"""
    statements = """try {
    REQUIRE(n > 0);
    if (n > 9) throw n;
    if (b) std::exit(1);
    assert(x > 0);
    x = 2;
  } catch (const std::exception &e) { abort(); } catch (...) { throw; }
  return x;"""
    assert lines(statements, before) == [
        "{",
        "  if !(n > 0) {",
        r'    cladpy::fail("line 7: REQUIRE(n > 0): not n > 0")',
        "  }",
        "  if (n > 9) {",
        '    cladpy::fail("line 8: throw n")',
        "  }",
        "  if b {",
        '    cladpy::fail("line 9: std::exit(1)")',
        "  }",
        "  if !(x > 0.0) {",
        '    cladpy::fail("line 10: assert(x > 0)")',
        "  }",
        "  (x = 2.0)",
        "}",
        "return x",
    ]


def test_device_code_does_not_throw() -> None:
    code = "__global__ void k(double *o) { if (o[0] > 0) throw 1; }"
    assert "[CP0103]" in refusal(code)


def test_text_and_streams_are_left_out_but_for_what_their_operands_do() -> None:
    before = """#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
static double twice(double &x) { return x *= 2; }
struct Named { std::string name; double value; };"""
    statements = """std::string name = "a" + std::to_string(n), other(name);
  Named named{name, x};
  named.name = other;
  std::cout << name << std::setw(9) << x << ' ' << named.value << std::endl;
  std::cerr << twice(x) << "\\n" << twice(named.value);
  std::ostringstream text; text << std::fixed << x; std::ofstream file("out"); file << text.str();
  if (name.empty()) return 0;
  printf("%s", name.c_str());
  std::cin >> x;
  return x;"""
    assert lines(statements, before) == [
        "let name: cladpy::aside = unused CP0132()",
        "let other: cladpy::aside = unused CP0132()",
        "let named: Named = {name, x}",
        "unused CP0132(twice(x), twice(named.value))",
        "let text: cladpy::aside = unused CP0132()",
        "let file: cladpy::aside = unused CP0132()",
        "if unused CP0132() {",
        "  return 0.0",
        "}",
        'printf("%s", unused CP0132())',
        "unsupported CP0132: the value of 'operator>>' is not known in differentiated code, which leaves out text and "
        "streams",
        "return x",
    ]


def test_clocks_of_the_library() -> None:
    before = "#include <chrono>\nusing Clock = std::chrono::high_resolution_clock;"
    found = lines(
        "auto start = Clock::now(); return std::chrono::duration<double>(Clock::now() - start).count();", before
    )
    assert found[0].endswith("= {{cladpy::nanoseconds()}}")
    assert not any("unsupported" in line for line in found)


def test_members_that_cannot_be_made() -> None:
    code = """struct A { __host__ __device__ A(); double x; };
struct B { A a; double y; __host__ __device__ B(double v) : y(v) {} };
double h(double x) { B b(x); return b.y; }
__global__ void k(double *o) { B b(o[0]); o[0] = b.y; }"""
    assert "  unsupported CP0005: 'A' is declared here but has no body" in text(code, "h")
    assert refusal(code).startswith("<string>.cu:2:27: error: 'A' is declared here but has no body [CP0005]")


_SIDES = """
#define KERNEL __global__

KERNEL

void twice(double *x) { x[threadIdx.x] *= 2; }

static inline void run(double *x, int n) { twice<<<1, n>>>(x); }
"""


@pytest.mark.parametrize(
    ("function", "kind", "sides"),
    [("run", FunctionKind.HOST, [True]), ("twice", FunctionKind.KERNEL, [True, False])],
)
def test_what_looks_like_the_hosts_is_read_as_the_hosts_first(
    monkeypatch: pytest.MonkeyPatch, function: str, kind: FunctionKind, sides: list[bool]
) -> None:
    parsed, found = Given.parsed, []

    def noted(self: Given, headers: Headers, is_host: bool, *more: Any) -> Any:
        found.append(is_host)
        return parsed(self, headers, is_host, *more)

    monkeypatch.setattr(Given, "parsed", noted)
    assert read(_SIDES, function).entry.kind is kind
    assert found == sides
