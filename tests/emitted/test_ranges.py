"""How much of the caller's memory a gradient saves and puts back, where only the runtime knows its blocks."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.emitted.units import compile_for_host, derivative_of_options

PROGRAM = """
__global__ void square(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}
void squares(double *x, int n) {
  square<<<1, 32>>>(x, n);
  square<<<1, 32>>>(x, n);
}
"""
MAIN = """
#include <cstdio>

static void run(const char *name, double *x, double *d_x) {
  const double values[3] = {1, 2, 3}, ones[3] = {1, 1, 1};
  cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, ones, sizeof ones, cudaMemcpyHostToDevice);
  try {
    squares_grad(x, 3, d_x);
    std::printf("%s: %g %g %g, %g\\n", name, d_x[0], d_x[1], d_x[2], x[2]);
  } catch (const std::exception &thrown) {
    std::printf("%s: %s\\n", name, thrown.what());
  }
}

int main() {
  double *one, *other, *both;
  cudaMalloc(&one, 3 * sizeof(double));
  cudaMalloc(&other, 3 * sizeof(double));
  cudaMalloc(&both, 6 * sizeof(double));
  run("allocations", one, other);
  run("a pool", both, both + 3);
  cladpy::declare_range(both, 3 * sizeof(double));
  run("a pool whose parts are known", both, both + 3);
  cladpy::declare_range(both + 2, 3 * sizeof(double));  // there is other memory by now
  run("a pool that has changed", both, both + 3);
}
"""


def test_a_block_that_holds_an_adjoint_is_not_saved(tmp_path: Path) -> None:
    derivative = derivative_of_options(PROGRAM, "squares", "host", args="x")
    unit = tmp_path / "own.cpp"
    unit.write_text(derivative.code + MAIN)
    result = compile_for_host(unit, "c++17", "-rdynamic")
    assert result, result.output
    program = tmp_path / "program"
    subprocess.run(["g++", str(unit.with_suffix(".o")), "-pthread", "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    refused = (
        "memory is written of which the size is not known, beside an adjoint in one block: tell it with "
        "cladpy::declare_range(pointer, bytes)"
    )
    assert said == [
        "allocations: 4 32 108, 3",
        f"a pool: {refused}",
        "a pool whose parts are known: 4 32 108, 3",
        f"a pool that has changed: {refused}",
    ]
