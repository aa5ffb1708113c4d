"""The same CUDA file under nvcc and on the host: overloads, vector types, keywords and the runtime API agree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cladpy.diagnostics import ToolchainError
from cladpy.source import Source
from cladpy.toolchain import compile_cuda, compile_host

FILE = Path(__file__).with_name("overloads.cu")


@pytest.mark.parametrize("std", ["c++17", "c++20"])
def test_host_without_warnings(std: str) -> None:
    text = FILE.read_text(encoding="utf-8")
    compile_host(text, std=std, optimize="-O1", extra_flags=["-Wall", "-Wextra", "-Werror"])


def test_nvcc() -> None:
    compile_cuda('#include "overloads.cu"\n', source=Source.load(FILE), extra_flags=["-Werror=all-warnings"])


def test_an_ambiguous_call_is_ambiguous_on_both() -> None:
    text = "#include <cuda_runtime.h>\n__device__ long f(int a, long b) { return min(a, b); }\n"
    for compile_text in (compile_host, compile_cuda):
        with pytest.raises(ToolchainError, match=r"ambiguous|more than one instance"):
            compile_text(text)


def test_a_program_with_a_main_function_runs(tmp_path: Path) -> None:
    text = """
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
__global__ void twice(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
extern "C" int run(float *values, int n) {
  float *x = nullptr;
  std::vector<float> copy(values, values + n);
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, copy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cladpy::host::launch(dim3((n + 31) / 32), 32, 0, nullptr, [&] { twice(x, n); });
  cudaMemcpy(values, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return cudaGetLastError();
}
extern "C" int program() {
  float v[3] = {1, 2, 3};
  int error = run(v, 3);
  std::printf("%d %g %g %g", error, v[0], v[1], v[2]);
  return 0;
}
"""
    library = compile_host(text)
    starter = tmp_path / "start.cpp"
    starter.write_text('extern "C" int program();\nint main() { return program(); }\n')
    program = tmp_path / "program"
    subprocess.run(["g++", "-o", program, starter, library, f"-Wl,-rpath,{library.parent}"], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == "0 2 4 6"
