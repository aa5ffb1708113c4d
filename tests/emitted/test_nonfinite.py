"""Gradients that tell of adjoints which are not finite compile, without a warning, and do in C++ what they say."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.emitted.units import (
    HIP,
    HIP_DEVICES,
    NOT_ASSEMBLED,
    compile_for_host,
    compile_with_hipcc,
    compile_with_nvcc,
    derivative_of_options,
    unit_of,
)

PROGRAM = """
#include <math.h>
__device__ double product(const double *x, int n) { return n < 1 ? 1.0 : x[n] * product(x, n - 1); }
__global__ void kernel(double *y, const double *x, double a, int n) {
  __shared__ double tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = x[i] / a;
  tile[threadIdx.x] = s;
  __syncthreads();
  for (int k = 0; k < n; ++k) s = sqrt(s) * tile[31 - threadIdx.x];
  y[i] = s * product(x, n % 3);
}
#ifndef CLADPY_HOST_H  // which takes no launches
void program(double *y, const double *x, double a, int n) { kernel<<<2, 32>>>(y, x, a, n); }
#endif
double number(double a, double b) { return a * log(b); }
"""

MAIN = """
#include <cstdio>

template <class Call>
static void say(Call call) {
  try {
    call();
    cladpy::raise_nonfinite();
    std::printf("finite\\n");
  } catch (const cladpy::nonfinite_error &thrown) {
    const cladpy::nonfinite_report &found = thrown.report;
    std::printf("%d %s %s (%u, %u) %g %g %s: %s\\n", found.line, found.kernel, found.function, found.block[0],
                found.thread[0], found.cotangent, found.adjoint, found.adjoint_of, cladpy::operands_of(found).c_str());
  }
}

int main() {
  double x[64], y[64], d_x[64] = {}, d_y[64], d_a = 0, d_b = 0;
  for (int i = 0; i < 64; ++i) x[i] = i == 40 ? 0 : 1, d_y[i] = 1;
  const auto kernel = [&] { fragment_0::kernel_grad_launch(2, 32, 0, nullptr, y, x, 1, 1, d_y, d_x, &d_a); };
  say(kernel);
  x[40] = 1, d_a = 0;
  for (int i = 0; i < 64; ++i) d_x[i] = 0, d_y[i] = 1;
  say(kernel);
  say([&] { fragment_1::number_grad(0.5, 2, &d_a, &d_b); });
  say([&] { fragment_1::number_grad(0.5, 0, &d_a, &d_b); });
  try {
    fragment_1::number_grad(0.5, 0, &d_a, &d_b);
  } catch (const std::runtime_error &thrown) {
    std::printf("%s\\n", thrown.what());
  }
}
"""


def unit(target: str, folder: Path, *functions: str) -> Path:
    made = [derivative_of_options(PROGRAM, f, target, trace_nonfinite=True) for f in functions]
    return unit_of("own", PROGRAM, made, folder)


@pytest.mark.parametrize("target", ["cuda", HIP])
def test_units(target: str, tmp_path: Path) -> None:
    """A program has the gradients of its kernels in it."""
    path = unit(target, tmp_path, "program", "number")
    one = {"devices": HIP_DEVICES[:1]} if target == "hip" else {"arch": NOT_ASSEMBLED}
    result = (compile_with_hipcc if target == "hip" else compile_with_nvcc)(path, **one)  # type: ignore[arg-type]
    assert result, result.output


def test_a_program(tmp_path: Path) -> None:
    """Whoever launches a kernel's gradient asks; host code throws."""
    path = unit("host", tmp_path, "kernel", "number")
    path.write_text(path.read_text() + MAIN)
    result = compile_for_host(path)
    assert result, result.output
    program = tmp_path / "program"
    subprocess.run(["g++", str(path.with_suffix(".o")), "-pthread", "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    where = PROGRAM.split("\n").index("double number(double a, double b) { return a * log(b); }") + 1
    assert said == [
        "10 kernel kernel (1, 8) 1 inf s: s = 0",
        "finite",
        "finite",
        f"{where} number number (0, 0) 1 -inf a: a = 0.5, log = -inf",
        f"the adjoint of 'a' is -inf in the gradient of 'number', <string>.cu:{where}; cotangent 1; "
        "a = 0.5, log = -inf",
    ]
