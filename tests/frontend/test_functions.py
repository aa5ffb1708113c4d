"""Which function is meant, what it reaches, and what each is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.diagnostics import UsageError
from cladpy.ir.surface import Call, Evaluate
from cladpy.ir.symbols import FunctionKind, Role, Space
from tests.frontend.reading import body, read, refusal, text

PROGRAM = """
namespace ns {
__device__ double f(double);
__global__ void k(double *o) { o[0] = f(o[0]); }
template <typename T, int N> __global__ void t(T *o) { for (int i = 0; i < N; ++i) o[i] *= o[i]; }
template <typename T> __device__ T square(T x) { return x * x; }
__device__ double f(double x) { return x * square(x); }
}
__device__ double over(double *x, int i) { return x[i]; }
__device__ double over(float *x, int i) { return x[i]; }
namespace { __global__ void hidden(double *o) { o[0] = 1; } }
__global__ void declared(double *o);
template <class T = float, int N = 2> __device__ T usual(T x) { return x * N; }
template <class T> T host_square(T x) { return x * x; }
__global__ void norm(double *o) { o[0] = 2; }
"""


def test_what_is_reached_is_read_in_order() -> None:
    assert (
        text(PROGRAM, "ns::k")
        == """__global__ void ns::k(o: double *) {
  (o[0] = ns::f(o[0]))
}

__device__ double ns::f(x: double) {
  return (x * ns::square<double>(x))
}

__device__ double ns::square<double>(x: double) {
  return (x * x)
}
"""
    )


@pytest.mark.parametrize(
    ("name", "first_line"),
    [
        ("::ns::k", "__global__ void ns::k(o: double *) {"),
        ("ns::t<double, 3>", "__global__ void ns::t<double, 3>(o: double *) {"),
        ("ns::t<float,(2>1)>(float*)", "__global__ void ns::t<float, 1>(o: float *) {"),
        ("over(float *, int)", "__device__ double over(x: float *, i: int) {"),
        ("over( double*,int32_t )", "__device__ double over(x: double *, i: int) {"),
        ("hidden", "__global__ void hidden(o: double *) {"),
        ("usual", "__device__ float usual<float, 2>(x: float) {"),
        ("usual<double>", "__device__ double usual<double, 2>(x: double) {"),
        ("host_square<float>", "__host__ float host_square<float>(x: float) {"),
        ("ns::square<double>", "__device__ double ns::square<double>(x: double) {"),
        ("norm", "__global__ void norm(o: double *) {"),
    ],
)
def test_names(name: str, first_line: str) -> None:
    assert text(PROGRAM, name).split("\n")[0] == first_line


def test_an_unknown_name_lists_near_ones() -> None:
    assert (
        refusal(PROGRAM, "ns::kk")
        == "error: there is no function 'ns::kk' [CP0002]\nhint: did you mean ns::k or ns::t or ns::f?"
    )
    assert refusal("__global__ void only() {}", "else_").endswith("hint: the functions here are: only")


def test_of_overloads_the_one_that_has_a_body() -> None:
    declared = "__global__ void once(float *x, int n);\n"
    assert "double" in text(declared + "__global__ void once(double *x) { x[0] *= x[0]; }", "once")


def test_an_unsigned_argument_of_a_template() -> None:
    """All its bits count."""
    masks = "template <unsigned short m, unsigned long n> __global__ void masked(double *x, int k) { x[k & m] *= n; }\n"
    launched = "void run(double *x) { masked<0xfc00, 0xfffffffffffffffful><<<1, 1>>>(x, 1); }"
    said = "hint: name it with its arguments; the program itself has masked<64512u, 18446744073709551615u>"
    assert said in refusal(masks + launched, "masked")
    assert text(masks + launched, "masked<64512u, 18446744073709551615u>")


def test_an_ambiguous_name_lists_the_candidates() -> None:
    assert (
        refusal(PROGRAM, "over")
        == """error: 'over' is ambiguous [CP0003]
<string>.cu:9:1: note: candidate: over(double *, int)
    9 | __device__ double over(double *x, int i) { return x[i]; }
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
<string>.cu:10:1: note: candidate: over(float *, int)
   10 | __device__ double over(float *x, int i) { return x[i]; }
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
hint: name the overload with its parameter types, such as "f(double*, int)\""""
    )
    assert "there is no function 'over(int)' [CP0002]" in refusal(PROGRAM, "over(int)")


def test_names_that_need_more() -> None:
    assert "<string>.cu:5:1: error: 'ns::t' is a template [CP0004]" in refusal(PROGRAM, "ns::t")
    assert "'declared' is declared here but has no body [CP0005]" in refusal(PROGRAM, "declared")
    assert "clang says: use of undeclared identifier 'Nope'" in refusal(PROGRAM, "ns::t<Nope, 3>")
    with pytest.raises(UsageError, match="does not name a function"):
        read(PROGRAM, "1 + 2")


def test_one_symbol_per_function_and_per_variable() -> None:
    program = read(
        """__device__ double g(double x) { return x; }
__global__ void k(double *o) { g(*o); g(o[1]); }"""
    )
    calls = [s.expr for s in program.functions[program.entry].body.statements if isinstance(s, Evaluate)]
    assert all(isinstance(c, Call) and c.callee in program.functions for c in calls)
    assert len({c.callee for c in calls if isinstance(c, Call)}) == 1
    assert len(program.functions) == 2


def test_recursion_ends() -> None:
    program = read(
        """__device__ double odd(double x, int n);
__device__ double even(double x, int n) { return n ? odd(x, n - 1) : x; }
__device__ double odd(double x, int n) { return n ? even(x, n - 1) : -x; }
__global__ void k(double *o) { *o = even(*o, 4); }"""
    )
    assert sorted(f.name for f in program.functions) == ["even", "k", "odd"]


def test_arguments_are_converted_and_defaults_filled_in() -> None:
    before = """
constexpr double three = 3;
__device__ double g(float x, int n = 2, double y = three + 1);
__device__ double g(float x, int n, double y) { return x * n + y; }
__device__ double r(const double &x, double &y, const int &n) { return x; }"""
    assert body("out[0] = g(d) + g(i, h); r(2, d, i); r(d, out[1], 3);", before) == [
        "(out[0] = (g(<float>d, 2, (3.0 + 1.0)) + g(<float>i, <int>h, (3.0 + 1.0))))",
        "r(2.0, d, i)",
        "r(d, out[1], 3)",
    ]


def test_template_arguments_are_spelled_so_that_they_can_be_written() -> None:
    before = """enum Mode { A, B = 5 };
namespace n {
template <typename T, int N, bool F, Mode M>
__device__ T p(T x) { if constexpr (F) return x; else return x * N + M; }
}
template <typename... T> __device__ double sum(T... x) { return (x + ... + 0.0); }"""
    assert body("out[0] = n::p<double, -3, false, B>(2) + sum(1, 2.f);", before) == [
        "(out[0] = (n::p<double, -3, false, static_cast<Mode>(5)>(2.0) + sum<int, float>(1, 2.0f)))",
    ]


def test_global_variables() -> None:
    program = read(
        """namespace cfg { __constant__ float w[4]; __device__ double state = 1; static const double scale = 2.5; }
__device__ const double table[2] = {1, 2};
__global__ void k(double *o, int i) { o[0] = cfg::w[i] * cfg::state * cfg::scale + table[i]; cfg::state = 2; }"""
    )
    printed = text(
        """namespace cfg { static const double scale = 2.5; }
__global__ void k(double *o) { o[0] = cfg::scale; }"""
    )
    assert "(o[0] = 2.5)" in printed
    found = {}

    def visit(node: object) -> None:
        symbol = getattr(node, "symbol", None)
        if symbol is not None and getattr(symbol, "role", None) is Role.GLOBAL:
            found[symbol.name] = (symbol.space, symbol.const)
        for name in getattr(type(node), "__slots__", ()):
            value = getattr(node, name)
            for part in value if isinstance(value, tuple) else (value,):
                if hasattr(part, "span") and not hasattr(part, "role"):
                    visit(part)

    visit(program.functions[program.entry].body)
    assert found == {
        "cfg::w": (Space.CONSTANT, False),
        "cfg::state": (Space.GLOBAL, False),
        "table": (Space.GLOBAL, True),
    }


@pytest.mark.parametrize(
    ("declaration", "kind"),
    [
        ('extern "C" __global__ void k(double *o) { *o = 1; }', FunctionKind.KERNEL),
        ("__global__ void __launch_bounds__(128, 2) k(double *__restrict__ o) { *o = 1; }", FunctionKind.KERNEL),
        ("template <typename T> __global__ void k(T *o); template <> __global__ void k<double>(double *o) { *o = 1; }"
         "__global__ void k(double *o) { *o = 2; }", FunctionKind.KERNEL),
        ("__device__ __forceinline__ double k(double o) { return o; }", FunctionKind.DEVICE),
        ("__host__ __device__ __noinline__ double k(double o) { return o; }", FunctionKind.HOST_DEVICE),
        ("static inline double k(double o) { return o; }", FunctionKind.HOST),
    ],
)  # fmt: skip
def test_kinds(declaration: str, kind: FunctionKind) -> None:
    program = read(declaration)
    assert program.entry.kind is kind
    assert [p.role for p in program.functions[program.entry].parameters] == [Role.PARAMETER]


def test_device_code_sees_the_architecture_and_host_code_does_not() -> None:
    code = """#if __CUDA_ARCH__ >= 900
#define WHICH 9
#elif defined(__CUDA_ARCH__)
#define WHICH 7
#else
#define WHICH 1
#endif
__global__ void k(double *o) { *o = WHICH; }
double h(double x) { return WHICH * x; }"""
    assert "(*o = 9.0)" in text(code)
    assert "(*o = 7.0)" in text(code, arch="sm_75")
    assert "(1.0 * x)" in text(code, "h")


def test_includes_options_and_defines(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "helper.h").write_text(
        "#pragma once\n__device__ inline double twice(double x) { return N * x; }\n"
    )
    main = tmp_path / "main.cu"
    main.write_text('#include "helper.h"\n__global__ void k(double *o) { *o = twice(*o); }\n')
    program = read(main, include_dirs=[str(tmp_path / "sub")], defines={"N": 2})
    assert program.includes == (str(main), str(tmp_path / "sub" / "helper.h"))
    assert "return (2.0 * x)" in text(main, include_dirs=[str(tmp_path / "sub")], defines={"N": 2})
    error = refusal(main)
    assert f"{main}:1:10: error: 'helper.h' file not found [CP0001]" in error
    assert '    1 | #include "helper.h"\n      |          ^' in error


def test_other_code_in_the_file_is_not_looked_at() -> None:
    code = """#include <vector>
#include <string>
class Model { public: virtual ~Model() {} std::vector<double> w; double run() { return nowhere(w); } };
void helper() { try { throw 1; } catch (...) { } auto f = [](int x) { return x; }; unknown_function(f(3)); }
__global__ void other(float4 *x) { asm("nop;"); x[0].x = undeclared; }
__global__ void k(double *o) { *o = 2; }
int main() { Model m; k<<<1, 1>>>(m.w.data()); return cublasCreate(); }"""
    assert text(code).startswith("__global__ void k(o: double *) {\n  (*o = 2.0)\n}\n")
    assert "undeclared identifier 'undeclared'" in refusal(code, "other")


def test_register_means_nothing() -> None:
    """As to nvcc, which says so in a warning."""
    kernel = "__global__ void k(double *x) {{ {}double v = x[0]; x[0] = v * v; }}"
    assert text(kernel.format("register "), "k") == text(kernel.format(""), "k")


def test_braces_may_narrow() -> None:
    """As to nvcc, which says so in a warning."""
    kernel = "__global__ void k(double *x) {{ int n[2] = {{{}}}; x[0] *= x[0] * n[1]; }}"
    assert text(kernel.format("1.0, 2.0"), "k") == text(kernel.format("1, 2"), "k")
