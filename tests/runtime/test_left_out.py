"""What a compiler for the host does not take, in functions that nobody has asked for, is left out of the host backend's
unit; in those that are asked for it is an error that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import CompilationError
from cladpy.runtime import built
from cladpy.toolchain import compile_host

SOURCE = """#include <cuda_runtime.h>
#define CHECKED(call) if ((call) != cudaSuccess) return

__global__ void sampled(cudaTextureObject_t texture, float *y, int w) {
  int i = threadIdx.x;
  if (i < w) y[i] = tex2D<float>(texture, i + 0.5f, 0.5f) + tex1Dfetch<float>(texture, i);
}
__global__ void to_surface(cudaSurfaceObject_t surface) {
  float v;
  surf2Dread(&v, surface, threadIdx.x * 4, 0);
  surf2Dwrite(v, surface, threadIdx.x * 4, 0);
}
__device__ unsigned lane() { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); return lane; }
template <class T>
__global__ void lanes(unsigned *y, T x) {
  y[threadIdx.x] = lane() + __nv_bswap_of_mine(x);
}
__global__ void square(double *y, const double *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
void prepared(float *y, cudaArray_t array) {
  cudaResourceDesc what = {};
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CHECKED(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  sampled<<<1, 4>>>(texture, y, 4);
}
void run(double *y, const double *x) { square<<<1, 4>>>(y, x); }
"""


@pytest.mark.parametrize(("function", "as_file"), [("square", True), ("run", False)])
def test_others_are_in_no_way(function: str, as_file: bool, tmp_path: Path) -> None:
    path = tmp_path / "mixed.cu"
    path.write_text(SOURCE)
    gradient = cladpy.gradient(path if as_file else SOURCE, function, backend="host")
    x, y, d_x, d_y = np.arange(4.0), np.zeros(4), np.zeros(4), np.ones(4)
    if function == "run":
        gradient.execute(y, x, d_y, d_x)
    else:
        gradient.execute_kernel(1, 4, y, x, d_y, d_x)
        gradient.primal.execute_kernel(1, 4, y, x)
    np.testing.assert_array_equal(d_x, 2 * x)


def test_what_was_left_out_is_not_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path))
    compiled, found = compile_host, []

    def counted(text: str, **options: Any) -> Path:
        found.append(text)
        return compiled(text, **options)

    monkeypatch.setattr(built, "compile_host", counted)
    text = SOURCE + "void other(unsigned *y) { *y = __builtin_bitreverse32(1u); }\n"  # which only clang has
    x, d_x = np.arange(4.0), np.zeros(4)
    for _ in range(2):
        cladpy.gradient(text, "run", backend="host").execute(np.zeros(4), x, np.ones(4), d_x)
    assert len(found) == 3 and found[0] != found[1] == found[2]
    np.testing.assert_array_equal(d_x, 4 * x)


def test_an_error_elsewhere_is_shown_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mixed.cu"
    reversed = "__builtin_bitreverse32(1u)"  # which only clang has
    text = SOURCE + f"void other(unsigned *y) {{ *y = {reversed}; }}\nunsigned here = {reversed};\n"
    path.write_text(text)
    with pytest.raises(CompilationError, match="CP0012") as raised:
        cladpy.gradient(path, "square", backend="host").execute_kernel(1, 1, *(np.zeros(1) for _ in range(4)))
    lines = {at.line for at in raised.value.places}
    assert len(lines) > 1 and text.count("\n") in lines  # those of functions that nobody asked for, too
