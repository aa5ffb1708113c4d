"""Textures as memory (<cladpy/textures.h>): what is fetched, from kernels and through host functions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cladpy
from tests.emitted.units import HIP, compiled, derivative_of

HOST = """
#include <cladpy/textures.h>
using image_t = cladpy::texture_memory<float, cladpy::texture_linear>;
__global__ void sample(image_t image, const float *x, float *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = tex2D<float>(image, x[i], 1.25f);
}
void run(const float *texels, const float *x, float *y, int n) {
  const int at = cladpy::texture_border;
  image_t image{texels, 3, 2, 1, 4, at, at, at, 0};
  sample<<<1, 32>>>(image, x, y, n);
}
"""
PERIODIC = """
#include <cladpy/textures.h>
__global__ void k(cladpy::texture_memory<float, FILTER> line, const float *x, float *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = tex1D<float>(line, x[i]);
}
"""
LINE = np.array([1, 3, 2, 7], "f4")
# Beside the middle of the first texel, before it, behind the last one, and a whole period on.
AT = np.array([0.25, -0.125, 1.0625, 1.25], "f4")
LINEAR = {  # by address mode: the texels around each place, and the weight of the second
    "wrap": ((1, 3, 0.5), (7, 1, 0.0), (7, 1, 0.75), (1, 3, 0.5)),
    "clamp": ((1, 3, 0.5), (1, 1, 0.0), (7, 7, 0.0), (7, 7, 0.0)),
    "mirror": ((1, 3, 0.5), (1, 1, 0.0), (7, 7, 0.75), (7, 2, 0.5)),
    "border": ((1, 3, 0.5), (0, 0, 0.0), (7, 0, 0.75), (0, 0, 0.0)),
}
POINT = {"wrap": (3, 7, 1, 3), "clamp": (3, 1, 7, 7), "mirror": (3, 1, 7, 2), "border": (3, 0, 0, 0)}
MODES = ("wrap", "clamp", "mirror", "border")


def line_of(mode: str) -> dict[str, object]:
    at = MODES.index(mode)
    sizes = {"width": 4, "height": 1, "depth": 1, "pitch": 4, "normalized": 1}
    return {"memory": LINE, **sizes, "address_x": at, "address_y": at, "address_z": at}


@pytest.mark.parametrize("mode", MODES)
def test_what_is_fetched_is_what_cuda_defines(mode: str) -> None:
    """Texels by hand, by the formulas of the programming guide, without and with a filter."""
    y = np.zeros(4, "f4")
    for filter, expected in (
        ("cladpy::texture_point", POINT[mode]),
        ("cladpy::texture_linear", [(1 - t) * a + t * b for a, b, t in LINEAR[mode]]),
    ):
        gradient = cladpy.gradient(PERIODIC.replace("FILTER", filter), "k", "line, y", backend="host")
        gradient.primal.execute_kernel(1, 32, line_of(mode), AT, y, 4)
        np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_a_host_function_makes_the_texture() -> None:
    """The gradient follows its memory; where rows are further apart than they are long, what lies between has none."""
    gradient = cladpy.gradient(HOST, "run", "texels, x, y", backend="host")
    x = np.array([1.0, 2.75], "f4")
    texels = np.arange(8, dtype="f4") ** 2
    d_texels, d_x = np.zeros(8, "f4"), np.zeros(2, "f4")
    gradient.execute(texels, x, np.zeros(2, "f4"), 2, d_texels, d_x, np.ones(2, "f4"))
    upper, lower = 0.25, 0.75
    weights = np.array([0.5, 0.5, 0.75, 0])  # in x: half of the first two, and the last beside the border
    np.testing.assert_allclose(d_texels, np.r_[upper * weights, lower * weights], rtol=1e-6)
    rows = upper * texels[:4] + lower * texels[4:]
    np.testing.assert_allclose(d_x, [rows[1] - rows[0], -rows[2]], rtol=1e-6)


@pytest.mark.parametrize("texel", ["int", "double"])
def test_what_the_hardware_does_not_filter_is_not_filtered(texel: str) -> None:
    text = PERIODIC.replace("FILTER", "cladpy::texture_linear").replace("<float", f"<{texel}")
    with pytest.raises(cladpy.DifferentiationError, match="deleted"):
        derivative_of(text, "k", "x, y", "cuda")


def test_an_object_is_fetched_as_what_it_is() -> None:
    """Where a kernel is given an object of texels of another size, there is no answer."""
    text = "__global__ void k(cudaTextureObject_t t, float *y) { *y = tex1Dfetch<float>(t, 1); }"
    gradient = cladpy.gradient(text, "k", "t, y", backend="host")
    y = np.zeros(1, "f4")
    gradient.primal.execute_kernel(1, 1, {**line_of("clamp"), "filter": 0, "texel": 4}, y)
    assert y == LINE[1]
    with pytest.raises(cladpy.CladpyError, match="trap"):
        gradient.primal.execute_kernel(1, 1, {**line_of("clamp"), "filter": 0, "texel": 8}, y)


def test_what_else_a_file_does_with_textures_is_none_of_a_kernels() -> None:
    """Host code beside it that has to do with arrays and textures of kinds that are not supported."""
    text = """
#include <cuda_runtime.h>
cudaArray *kept;
cudaChannelFormatDesc of_bytes = cudaCreateChannelDesc<uchar4>();
void make(cudaExtent size, cudaTextureDesc *settings) {
  settings->readMode = cudaReadModeNormalizedFloat;
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<unsigned char>();
  cudaMalloc3DArray(&kept, &channels, size);
}
__global__ void k(cudaTextureObject_t t, float *y) { *y = 2 * tex1Dfetch<float>(t, 1); }
"""
    gradient = cladpy.gradient(text, "k", "t, y", backend="host")
    d_t = {"memory": np.zeros(4, "f4")}
    gradient.execute_kernel(
        1, 1, {**line_of("clamp"), "filter": 0, "texel": 4}, np.zeros(1, "f4"), d_t, np.ones(1, "f4")
    )
    assert d_t["memory"].tolist() == [0, 2, 0, 0]


@pytest.mark.parametrize("target", ["cuda", HIP])
@pytest.mark.parametrize(
    ("file", "function"),
    [
        ("kernels/textures.cu", "in_three"),
        ("kernels/texture_objects.cu", "fetched"),
        ("kernels/texture_objects.cu", "of_levels"),
        ("programs/texture_objects.cu", "of_an_array"),
        ("programs/texture_objects.cu", "of_a_pointer"),
    ],
)
def test_compilers_take_it(file: str, function: str, target: str, tmp_path: Path) -> None:
    unit = tmp_path / "unit.cu"
    unit.write_text(derivative_of((Path(__file__).parent / file).read_text(), function, "", target).code)
    found = compiled(unit, target)
    assert found, found.output
