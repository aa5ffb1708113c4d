"""What compilers make of code for HIP: instructions, warps on wavefronts of 64 lanes, the user's own functions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.emitted.units import FIRST_INCLUDE, HIP_DEVICES, HIP_MISSING, Compiled, compile_with_hipcc, derivative_of

pytestmark = pytest.mark.skipif(HIP_MISSING, reason="no hipcc (Debian: apt install hipcc)")

WIDE, NARROW = HIP_DEVICES  # by their wavefronts


def compiled_text(text: str, folder: Path, device: str) -> Compiled:
    unit = folder / "unit.cu"
    unit.write_text(text)
    return compile_with_hipcc(unit, "c++17", devices=(device,))


def instructions(text: str, function: str, folder: Path, device: str) -> str:
    """Those of one kernel."""
    unit = folder / "unit.cu"
    unit.write_text(text)
    flags = ("-O3", "-S", "--cuda-device-only", "-Wno-unused-command-line-argument")
    result = compile_with_hipcc(unit, "c++17", *flags, devices=(device,))
    assert result, result.output
    found = re.search(rf"^_Z\w*{function}\w*:.*?^\.Lfunc_end", unit.with_suffix(".o").read_text(), re.M | re.S)
    assert found
    return found[0]


ADDITIONS = """__global__ void gather(const T *x, T *y, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[at[i]] * x[at[i]];
}
"""


@pytest.mark.parametrize(("type", "instruction"), [("double", "atomic_add_f64"), ("float", "atomic_add_f32")])
def test_additions_are_instructions(type: str, instruction: str, tmp_path: Path) -> None:
    code = derivative_of(ADDITIONS.replace("T ", f"{type} "), "gather", "x, y", "hip").code
    found = instructions(code, "gather_grad", tmp_path, WIDE)
    assert instruction in found and "cmpswap" not in found
    # where the host may share the arrays
    found = instructions(f"#define CLADPY_SAFE_ATOMICS\n{code}", "gather_grad", tmp_path, WIDE)
    assert "cmpswap" in found and instruction not in found


def test_decisions_are_not_contracted(tmp_path: Path) -> None:
    """What decides in the gradient is computed as written, although the compiler contracts what else there is."""
    text = """__global__ void cut(const double *x, double *y, double w, double c) {
  int i = threadIdx.x;
  y[i] = x[i] * w + c > 0.0 ? x[i] : 0.0;
}
"""
    code = derivative_of(text, "cut", "x, y", "hip").code
    assert "v_fma" in instructions(code, "3cut", tmp_path, WIDE)
    found = instructions(code, "cut_grad", tmp_path, WIDE)
    assert "v_mul_f64" in found and "v_add_f64" in found and "v_fma" not in found


WARP = """__global__ void sum(const float *x, float *y) {
  float v = x[threadIdx.x];
  for (int step = LANES / 2; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
"""


def test_a_program_that_asks_for_the_size_of_a_warp(tmp_path: Path) -> None:
    """It is 32 to one for CUDA, and to its gradient, where the file has both."""
    checked = '#ifdef __GFX9__\nstatic_assert(warpSize == 32, "lanes of a warp");\n#endif\n'
    asks = WARP.replace("LANES", "warpSize") + checked
    derivative = derivative_of(asks, "sum", "x, y", "hip")
    assert compiled_text(derivative.code, tmp_path, WIDE)
    # where they are apart it has to be said
    apart = f"{FIRST_INCLUDE['hip']}\n{WARP.replace('LANES', 'warpSize')}{derivative.fragment}"
    head = f"{FIRST_INCLUDE['hip']}\n#include <cladpy/support.h>\n"
    refused = compiled_text(head + apart, tmp_path, WIDE)
    assert not refused and "warpSize is 64 on this device, while a warp has 32 lanes here" in refused.output
    assert compiled_text(head + apart, tmp_path, NARROW)
    assert compiled_text(f"{head}#define warpSize 32\n{apart}", tmp_path, WIDE)


def test_a_program_for_hip_that_asks_for_the_size_of_a_warp(tmp_path: Path) -> None:
    """It is the device's; with warps of 32 lanes it is no program for devices where it is 64."""
    head = f"{FIRST_INCLUDE['hip']}\n"
    code = derivative_of(head + WARP.replace("LANES", "warpSize"), "sum", "x, y", "hip").code
    assert compiled_text(code, tmp_path, NARROW)
    refused = compiled_text(code, tmp_path, WIDE)
    assert not refused and "warpSize is 64 on this device, while a warp has 32 lanes here" in refused.output
    apart = (
        "__global__ void k(const float *x, float *y) { y[threadIdx.x / warpSize] = x[threadIdx.x] * x[threadIdx.x]; }"
    )
    for text, function in ((WARP.replace("LANES", "32"), "sum"), (apart, "k")):
        assert compiled_text(derivative_of(head + text, function, "x, y", "hip").code, tmp_path, WIDE)


@pytest.mark.parametrize("device", HIP_DEVICES)
def test_masks_of_wavefronts_are_refused(device: str, tmp_path: Path) -> None:
    """HIP's own functions take them, and mean something else."""
    head = f"{FIRST_INCLUDE['hip']}\n#include <cladpy/support.h>\n__global__ void k(float *y) {{ "
    assert compiled_text(f"{head} y[0] = __shfl_sync(-1, y[1], 3) + __ballot_sync(~0u, 1); }}\n", tmp_path, device)
    for call in ("__shfl_sync(~0ULL, y[1], 3)", "__ballot_sync(~0UL, 1)", "__match_any_sync(-1LL, 3)"):
        refused = compiled_text(f"{head} y[0] = {call}; }}\n", tmp_path, device)
        assert not refused and "deleted function" in refused.output


def test_functions_of_the_user_are_not_replaced(tmp_path: Path) -> None:
    """Programs that were ported to HIP bring what it lacks."""
    text = f"""{FIRST_INCLUDE["hip"]}
#include <cladpy/support.h>
__device__ inline int __dp4a(int a, int b, int c) {{ return a + b + c; }}
__device__ inline unsigned __vadd4(unsigned a, unsigned b) {{ return a | b; }}
__device__ inline void __trap() {{}}
__device__ inline double atomicAdd_block(double *x, double y) {{ return *x += y; }}
__global__ void k(int *y, double *x) {{
  y[0] = __dp4a(y[0], 1, 2) + static_cast<int>(__vadd4(1u, 2u)) + __vabs4(7);
  atomicAdd_block(x, 1.0);
  __trap();
}}
"""
    result = compiled_text(text, tmp_path, NARROW)
    assert result, result.output


# What C++ has in <cmath> and rules are for, with as many arguments.
STANDARD = {
    1: "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh "
    "erf erfc tgamma lgamma fabs floor round",
    2: "pow atan2 hypot fmod fmax fmin fdim copysign remainder",
    3: "fma hypot",
}


def test_functions_of_the_host(tmp_path: Path) -> None:
    """The host's code has no functions of the device, and C's alone without a namespace."""
    calls = [
        f"  sum += std::{name}({', '.join(f'x[{i}]' for i in range(count))});\n"
        for count, names in STANDARD.items()
        for name in names.split()
    ]
    functions = [
        f"inline {type} f_{type}(const {type} *x) {{\n  {type} sum = 0;\n{''.join(calls)}  return sum;\n}}\n"
        for type in ("double", "float")
    ]
    source = tmp_path / "functions.cu"
    source.write_text("#pragma once\n#include <cmath>\n" + "".join(functions))
    emitted = [derivative_of(str(source), f"f_{type}", "x", "hip").code for type in ("double", "float")]
    main = """
int main() {
  double x[3] = {0.5, 0.6, 0.7}, d[3] = {};
  float y[3] = {0.5, 0.6, 0.7}, e[3] = {};
  f_double_grad(x, d);
  f_float_grad(y, e);
}
"""
    result = compiled_text("".join(emitted) + main, tmp_path, NARROW)
    assert result, result.output
