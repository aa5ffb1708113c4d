"""What callers see of numbers of sixteen bits: which arrays are taken, and what adjoints are held in."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import cladpy
from cladpy.runtime.arrays import view_of
from cladpy.runtime.scalars import bfloat16_bits, bfloat16_values

SCALE = """
#include <cuda_fp16.h>
__global__ void scale(const __half *x, const __half *w, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * w[0];
}
"""
BFLOAT = SCALE.replace("__half", "__nv_bfloat16").replace("fp16", "bf16")
PRODUCT = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__half product(__half x, __half y) { return x * y; }
__nv_bfloat16 square(__nv_bfloat16 x) { return x * x; }
__half2 turned(__half2 v) { return __lowhigh2highlow(v) * v; }
"""


def test_adjoints_are_floats_in_the_signature() -> None:
    code = cladpy.gradient(SCALE, "scale", "x, w, y", backend="host").code
    assert "const __half *x, const __half *w" in code
    assert "float *_d_x, float *_d_w, float *_d_y" in code


def test_small_contributions_are_not_lost() -> None:
    """4096 contributions of 2^-12: in a half, the sum would stand still at 0.5 after a while."""
    n = 4096
    x, w, y = np.full(n, 2.0**-12, np.float16), np.ones(1, np.float16), np.zeros(n, np.float16)
    d_x, d_w, d_y = np.zeros(n, np.float32), np.zeros(1, np.float32), np.ones(n, np.float32)
    cladpy.gradient(SCALE, "scale", "x, w, y", backend="host").execute_kernel(32, 128, x, w, y, n, d_x, d_w, d_y)
    assert d_w[0] == 1.0
    assert np.all(d_x == 1.0)


def test_a_half_adjoint_is_refused_with_a_word() -> None:
    gradient = cladpy.gradient(SCALE, "scale", "x, y", backend="host")
    halves = np.zeros(4, np.float16)
    with pytest.raises(cladpy.ArgumentTypeError, match=r"expected an array of float32, got one of float16\nhint: adj"):
        gradient.execute_kernel(1, 4, halves, halves[:1], halves.copy(), 4, halves.copy(), np.zeros(1, np.float32))


def test_bfloat16_is_taken_by_its_bits() -> None:
    gradient = cladpy.gradient(BFLOAT, "scale", "x, w, y", backend="host")
    x, w, y = bfloat16_bits([1.0, 2.5, -3.0]), bfloat16_bits([0.5]), bfloat16_bits(np.zeros(3))
    gradient.primal.execute_kernel(1, 3, x, w, y, 3)
    assert bfloat16_values(y).tolist() == [0.5, 1.25, -1.5]
    d_x, d_w, d_y = np.zeros(3, np.float32), np.zeros(1, np.float32), np.ones(3, np.float32)
    gradient.execute_kernel(1, 3, x, w, y, 3, d_x, d_w, d_y)
    assert d_x.tolist() == [0.5] * 3
    assert d_w.tolist() == [0.5]
    with pytest.raises(cladpy.ArgumentTypeError, match=r"expected an array of bfloat16 \(its bits as uint16\)"):
        gradient.primal.execute_kernel(1, 3, np.zeros(3, np.float16), w, y, 3)


def test_a_tensor_of_bfloat16_is_its_bits() -> None:
    class Tensor:
        """As PyTorch's are."""

        dtype, device, shape = "torch.bfloat16", SimpleNamespace(type="cpu", index=None), (3,)

        def data_ptr(self) -> int:
            return 4096

        def is_contiguous(self) -> bool:
            return True

        is_conj = is_neg = lambda self: False

    Tensor.__module__ = "torch"
    view = view_of(Tensor())
    assert view is not None
    assert view.dtype == np.uint16


def test_numbers_by_value() -> None:
    product = cladpy.gradient(PRODUCT, "product", "x, y", backend="host")
    assert product.primal.execute(1.5, 0.1) == float(np.float16(1.5) * np.float16(0.1))
    d_x, d_y = np.zeros(1, np.float32), np.zeros(1, np.float32)
    product.execute(1.5, 0.25, d_x, d_y, cotangent=2.0)
    assert (d_x[0], d_y[0]) == (0.5, 3.0)
    with pytest.raises(cladpy.ArgumentTypeError, match=r"x: 100000\.0 does not fit into __half"):
        product.primal.execute(1e5, 1.0)
    square = cladpy.gradient(PRODUCT, "square", "x", backend="host")
    assert square.primal.execute(3.0) == 9.0
    square.execute(3.0, d_x)
    assert d_x[0] == 6.5


def test_pairs_by_value() -> None:
    turned = cladpy.gradient(PRODUCT, "turned", "v", backend="host")
    assert turned.primal.execute((2.0, 3.0)).tolist() == (6.0, 6.0)
    d_v = np.zeros(1, [("x", "f4"), ("y", "f4")])
    turned.execute((2.0, 3.0), d_v, cotangent=(1.0, 10.0))
    assert d_v[0].tolist() == (33.0, 22.0)
