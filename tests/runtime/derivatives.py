"""Derivatives written by hand, so that the runtime is tested without the stages before it."""

from __future__ import annotations

from typing import Any

from cladpy.derivative import Adjoint, Derivative, Parameter
from cladpy.diagnostics import NOWHERE
from cladpy.ir import surface
from cladpy.ir.customs import adjoint_type
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import DOUBLE, FLOAT, INT, VOID, Pointer, Reference, Type, spell
from cladpy.options import Options
from cladpy.source import Source
from cladpy.toolchain.entry import takes_cotangent

D, F = Pointer(DOUBLE), Pointer(FLOAT)

SOURCE = """#include <cuda_runtime.h>
__global__ void scale(const double *x, double *y, double w, int n) {
  int unused;
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = w * x[i];
}
template <class T> __global__ void plane(T *a) {
  a[threadIdx.x + blockDim.x * (blockIdx.x + gridDim.x * blockIdx.y)] *= T(2);
}
__global__ void everything(bool b, char c, short s, unsigned u, long l, unsigned long long q, float f, double *out) {
  out[0] = b, out[1] = c, out[2] = s, out[3] = u, out[4] = l, out[5] = q, out[6] = f;
}
__global__ void stuck(double *a) { if (threadIdx.x == 0) __syncthreads(); else __syncwarp(); a[0] = 1; }
namespace space {
__device__ double product(double a, const double &b) { return a * b; }
void twice(double *a, int n) { for (int i = 0; i < n; ++i) a[i] *= 2; }
float half(float a, float &out) { out = a; return a / 2; }
int count(int n) { return n + 1; }
}
"""

_KERNEL_LAUNCH = {
    # the error is left for the entry to find
    "host": "cladpy::host::launch(grid, block, shared_mem, stream, [&] {{ {name}({arguments}); }});\n"
    "  return cudaSuccess;",
    "cuda": "{name}<<<grid, block, shared_mem, stream>>>({arguments});\n  return cudaGetLastError();",
}


def derivative(
    function: str,
    kind: FunctionKind,
    parameters: list[tuple[str, Type]],
    adjoints: list[int],
    body: str,
    *,
    result: Type = VOID,
    target: str = "host",
    single: tuple[str, ...] = (),
    may_alias: bool = False,
    source: Source | None = None,
) -> Derivative:
    """`body` is what the gradient does, with `_d_<name>` for the adjoints and `cotangent` for the result's."""
    source = source or Source.load(SOURCE)
    made = tuple(Parameter(name, type) for name, type in parameters)
    given = []
    for k in adjoints:
        given.append(Adjoint(f"_d_{made[k].name}", k, adjoint_type(made[k].type)))
    short = function.split("::")[-1].split("<")[0]
    declared = [f"{spell(p.type)} {p.name}" for p in made] + [f"{spell(a.type)} {a.name}" for a in given]
    passed = ", ".join([p.name for p in made] + [a.name for a in given])
    if takes_cotangent(result):
        declared.append(f"{spell(result)} cotangent")
    qualifier = "" if kind is FunctionKind.HOST else kind.value + " "
    code = ("#include <cladpy/host.h>\n" if target == "host" else "") + f'#include "{source.name}"\n'
    code += f"{qualifier}void {short}_grad({', '.join(declared)}) {{ {body} }}\n"
    if kind is FunctionKind.KERNEL:
        launch = _KERNEL_LAUNCH[target].format(name=f"{short}_grad", arguments=passed)
        first = ["dim3 grid", "dim3 block", "size_t shared_mem", "cudaStream_t stream"]
        code += f"cudaError_t {short}_grad_launch({', '.join(first + declared)}) {{\n  {launch}\n}}\n"
    symbol = FunctionSymbol(short, function, result, tuple(p.type for p in made), kind, NOWHERE)
    return Derivative(
        source=source,
        options=Options.make(may_alias=may_alias),
        program=surface.Program(symbol, {}, (), ()),
        target=target,
        kind=kind,
        globals=(),
        function_name=function,
        parameters=made,
        result=result,
        adjoints=tuple(given),
        gradient_name=f"{short}_grad",
        launch_name=f"{short}_grad_launch",
        code=code,
        fragment=code,
        single=single,
        warnings=(),
    )


def scale(target: str = "host", **options: Any) -> Derivative:
    """y = w * x with adjoints of x, y and w."""
    return derivative(
        "scale",
        FunctionKind.KERNEL,
        [("x", Pointer(DOUBLE, const=True)), ("y", D), ("w", DOUBLE), ("n", INT)],
        [0, 1, 2],
        "int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) { _d_x[i] += w * _d_y[i]; "
        "atomicAdd(_d_w, x[i] * _d_y[i]); _d_y[i] = 0; } (void)y;",
        target=target,
        **options,
    )


def plane(target: str = "host", **options: Any) -> Derivative:
    """a *= 2 over a grid in two dimensions, in float, by a template."""
    return derivative(
        "plane<float>",
        FunctionKind.KERNEL,
        [("a", F)],
        [0],
        "_d_a[threadIdx.x + blockDim.x * (blockIdx.x + gridDim.x * blockIdx.y)] *= 2; (void)a;",
        target=target,
        **options,
    )


def product(target: str = "host") -> Derivative:
    """a * b of a value and a reference to const."""
    return derivative(
        "space::product",
        FunctionKind.DEVICE,
        [("a", DOUBLE), ("b", Reference(DOUBLE, const=True))],
        [0, 1],
        "*_d_a += cotangent * b; *_d_b += cotangent * a;",
        result=DOUBLE,
        target=target,
    )


def half(target: str = "host") -> Derivative:
    """a / 2, and a written through a reference."""
    return derivative(
        "space::half",
        FunctionKind.HOST,
        [("a", FLOAT), ("out", Reference(FLOAT))],
        [0, 1],
        "*_d_a += cotangent / 2 + *_d_out; *_d_out = 0; (void)a; (void)out;",
        result=FLOAT,
        target=target,
    )


def twice() -> Derivative:
    return derivative(
        "space::twice",
        FunctionKind.HOST,
        [("a", D), ("n", INT)],
        [0],
        "for (int i = 0; i < n; ++i) _d_a[i] *= 2; (void)a;",
    )
